/* clock.h - seconds since a start, as well as C99 can tell. */
#ifndef HINGE_BASE_CLOCK_H
#define HINGE_BASE_CLOCK_H

#include <time.h>

struct stopwatch {
    clock_t processor; /* at the last reading */
    time_t wall;       /* at the start */
    double seconds;    /* of processor time, up to the last reading */
};

void stopwatch_start(struct stopwatch *watch);

/* Processor seconds since the start. A 32-bit clock_t wraps after 36 minutes: read more often. */
double stopwatch_processor(struct stopwatch *watch);

/* Seconds on the wall since the start, never too many: the processor time, or, where the process
 * waited, what the calendar time proves, which counts whole seconds only. */
double stopwatch_elapsed(struct stopwatch *watch);

#endif
