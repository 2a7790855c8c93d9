/* interrupt.h - Ctrl-C ends a program in good order: no file is left behind half-written. */
#ifndef HINGE_CLI_INTERRUPT_H
#define HINGE_CLI_INTERRUPT_H

#include "hinge.h"

/* Forgets a signal that an earlier run in this process has noted. A run begins with this call. */
void forget_interrupt(void);

/* After this call the first SIGINT or SIGTERM is noted, for watch_interrupt and was_interrupted;
 * the second one ends the program at once. Call it before a file is created. */
void catch_interrupts(void);

/* After this call, for when there is no temporary file, each signal ends the program at once; one
 * that was noted before does so now. */
void release_interrupts(void);
int was_interrupted(void);

/* A monitor without a context: it answers HINGE_INTERRUPT once a signal was noted. */
enum hinge_answer watch_interrupt(void *context, const struct hinge_progress *progress);

#endif
