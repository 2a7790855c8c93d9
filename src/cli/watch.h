/* watch.h - the monitors of train: progress lines, time limit, Ctrl-C. */
#ifndef HINGE_CLI_WATCH_H
#define HINGE_CLI_WATCH_H

#include "base/clock.h"
#include "hinge.h"

/* Prints a line a second to standard error, the first after a second. */
struct progress_watch {
    struct stopwatch clock;
    double next;  /* time of the next line */
    double asked; /* time at which its measurement was requested; negative: no request */
};

/* Stops the training when more than limit seconds have passed on its clock. */
struct time_watch {
    struct stopwatch clock;
    double limit;
    int over; /* 1 from then on: reading the clock a million times, once for each class, is slow */
};

/* Monitors. The contexts are a struct progress_watch, a struct time_watch, and nothing. */
enum hinge_answer watch_progress(void *context, const struct hinge_progress *progress);
enum hinge_answer watch_time(void *context, const struct hinge_progress *progress);
enum hinge_answer watch_interrupt(void *context, const struct hinge_progress *progress);

/* After this call the first SIGINT or SIGTERM is noted, for watch_interrupt and was_interrupted;
 * the second one ends the program at once. Call it before a file is created. */
void catch_interrupts(void);

/* After this call, for when there is no temporary file, each signal ends the program at once; one
 * that was noted before does so now. */
void release_interrupts(void);
int was_interrupted(void);

#endif
