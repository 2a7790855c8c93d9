/* clock.c - processor time is the sum of differences of clock(); elapsed time also uses time(). */
#include "base/clock.h"

#include "base/parallel.h"

void stopwatch_start(struct stopwatch *watch)
{
    watch->processor = clock();
    watch->wall = time(NULL);
    watch->precise = parallel_wall_time();
    watch->seconds = 0;
}

double stopwatch_processor(struct stopwatch *watch)
{
    const double wrap = 4294967296.0;
    const clock_t now = clock(), unknown = (clock_t)-1;
    double ticks = (double)now - (double)watch->processor;

    if (now == unknown)
        return watch->seconds;
    if (ticks < 0)
        ticks += wrap;
    watch->processor = now;
    watch->seconds += ticks / (double)CLOCKS_PER_SEC;
    return watch->seconds;
}

double stopwatch_elapsed(struct stopwatch *watch)
{
    double processor = stopwatch_processor(watch);
    double proven = difftime(time(NULL), watch->wall) - 1;

    if (watch->precise >= 0)
        return parallel_wall_time() - watch->precise;
    return proven > processor ? proven : processor;
}
