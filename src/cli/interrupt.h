/* interrupt.h - Ctrl-C ends a program in good order: no file is left behind half-written. */
#ifndef HINGE_CLI_INTERRUPT_H
#define HINGE_CLI_INTERRUPT_H

#include "hinge.h"

/* Forgets the signal that an earlier run in this process has noted. Every run begins with this
 * call. */
void forget_interrupt(void);

/* Lets the first SIGINT or SIGTERM be noted, for watch_interrupt and was_interrupted; the second
 * one ends the program at once. Call it before a file is created. */
void catch_interrupts(void);

/* Lets each signal end the program at once, and ends it now if one was noted. Call it while there
 * is no temporary file. */
void release_interrupts(void);

/* True if a signal was noted. */
int was_interrupted(void);

/* Answers HINGE_INTERRUPT once a signal was noted. This monitor has no context. */
enum hinge_answer watch_interrupt(void *context, const struct hinge_progress *progress);

#endif
