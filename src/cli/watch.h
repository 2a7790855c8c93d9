/* watch.h - what may happen to a running training: progress lines, a time limit, Ctrl-C. */
#ifndef HINGE_CLI_WATCH_H
#define HINGE_CLI_WATCH_H

#include "base/clock.h"
#include "hinge.h"

/* Prints a line a second to standard error; for work that takes longer than that. */
struct progress_watch {
    struct stopwatch clock;
    double next;  /* when the next line is due */
    double asked; /* when the measurement for it was asked for; negative: it was not */
};

/* Stops when more than limit seconds have passed on its clock. */
struct time_watch {
    struct stopwatch clock;
    double limit;
    int over; /* they have: the clock of the system takes its time, and a million classes ask */
};

/* Monitors. The contexts are a struct progress_watch, a struct time_watch, and nothing. */
enum hinge_answer watch_progress(void *context, const struct hinge_progress *progress);
enum hinge_answer watch_time(void *context, const struct hinge_progress *progress);
enum hinge_answer watch_interrupt(void *context, const struct hinge_progress *progress);

/* From here on SIGINT and SIGTERM are noted, for watch_interrupt and was_interrupted; a second one
 * ends the program at once. */
void catch_interrupts(void);
int was_interrupted(void);

#endif
