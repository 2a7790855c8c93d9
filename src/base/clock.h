/* clock.h - seconds since a start, as precisely as C99 allows. */
#ifndef HINGE_BASE_CLOCK_H
#define HINGE_BASE_CLOCK_H

#include <time.h>

struct stopwatch {
    clock_t processor; /* clock() at the last reading */
    time_t wall;       /* time() at the start */
    double precise;    /* parallel_wall_time() at the start */
    double seconds;    /* processor time up to the last reading */
};

void stopwatch_start(struct stopwatch *watch);

/* Returns processor seconds since the start. It must be called every 36 minutes, because a 32-bit
 * clock_t wraps. */
double stopwatch_processor(struct stopwatch *watch);

/* Returns the seconds elapsed since the start. Without OpenMP it is a lower bound: the larger of
 * the processor time and the difference of time() minus 1, because time() counts whole seconds. */
double stopwatch_elapsed(struct stopwatch *watch);

#endif
