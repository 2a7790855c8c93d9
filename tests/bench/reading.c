/* reading.c - measures how much faster threads read a data set.
 *
 * usage: reading DATA [THREADS [RUNS]]
 * Reads DATA as a whole with one thread and with THREADS (default 2), in turn, RUNS times each
 * (default 9), each in a process of its own. Prints the medians of the seconds elapsed and of the
 * processor seconds, for one thread and for THREADS, and the median of the ratios of the seconds
 * elapsed. A table of the times of each run goes to standard error.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hinge.h"

enum { MOST_RUNS = 999 };

struct timing {
    double elapsed, processor; /* seconds */
};

static double now(clockid_t id)
{
    struct timespec time;

    clock_gettime(id, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int read_once(const char *path, uint32_t threads, int to)
{
    const struct hinge_format format = {.threads = threads};
    struct hinge_error error;
    struct timing timing = {-now(CLOCK_MONOTONIC), -now(CLOCK_PROCESS_CPUTIME_ID)};
    struct hinge_dataset *data = hinge_dataset_read(path, &format, &error);

    timing.elapsed += now(CLOCK_MONOTONIC);
    timing.processor += now(CLOCK_PROCESS_CPUTIME_ID);
    if (!data)
        fprintf(stderr, "reading: %s\n", error.message);
    return data && write(to, &timing, sizeof timing) == sizeof timing;
}

static int measure(const char *path, uint32_t threads, struct timing *timing)
{
    int end[2], status = 0, good;
    pid_t child;

    if (pipe(end) != 0 || (child = fork()) < 0)
        return 0;
    if (child == 0)
        _exit(!read_once(path, threads, end[1]));
    close(end[1]);
    good = read(end[0], timing, sizeof *timing) == sizeof *timing;
    close(end[0]);
    return waitpid(child, &status, 0) == child && good && status == 0;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, compare);
    return (value[(count - 1) / 2] + value[count / 2]) / 2;
}

int main(int argc, char **argv)
{
    static double column[5][MOST_RUNS];
    const int threads = argc > 2 ? atoi(argv[2]) : 2, runs = argc > 3 ? atoi(argv[3]) : 9;

    if (argc < 2 || threads < 1 || runs < 1 || runs > MOST_RUNS) {
        fprintf(stderr, "usage: reading DATA [THREADS [RUNS]]\n");
        return 2;
    }
    for (int run = 0; run < runs; run++) {
        struct timing one, many;

        if (!measure(argv[1], 1, &one) || !measure(argv[1], (uint32_t)threads, &many))
            return 1;
        column[0][run] = one.elapsed;
        column[1][run] = one.processor;
        column[2][run] = many.elapsed;
        column[3][run] = many.processor;
        column[4][run] = one.elapsed / many.elapsed;
        fprintf(stderr, "%8.4f %8.4f %8.4f %8.4f %6.2f\n", one.elapsed, one.processor, many.elapsed,
                many.processor, column[4][run]);
    }
    printf("1 thread: %.4f s (processor %.4f)", median(column[0], runs), median(column[1], runs));
    printf("; %d threads: %.4f s (processor %.4f)", threads, median(column[2], runs),
           median(column[3], runs));
    printf("; ratio %.2f", median(column[4], runs));
    printf("; least %.4f and %.4f s, ratio %.2f\n", column[0][0], column[2][0],
           column[0][0] / column[2][0]);
    return 0;
}
