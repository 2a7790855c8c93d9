/* clock.h - seconds since a start, as precise as C99 allows. */
#ifndef HINGE_BASE_CLOCK_H
#define HINGE_BASE_CLOCK_H

#include <time.h>

struct stopwatch {
    clock_t processor; /* at the last reading */
    time_t wall;       /* at the start, */
    double precise;    /* and by a better clock, where there is one */
    double seconds;    /* of processor time, up to the last reading */
};

void stopwatch_start(struct stopwatch *watch);

/* Processor seconds since the start. A 32-bit clock_t wraps after 36 minutes: call it before. */
double stopwatch_processor(struct stopwatch *watch);

/* The seconds elapsed since the start, where threads have brought a clock with them. Else a lower
 * bound: the processor time, or, if it is larger, the difference of time() minus 1, because time()
 * counts whole seconds. */
double stopwatch_elapsed(struct stopwatch *watch);

#endif
