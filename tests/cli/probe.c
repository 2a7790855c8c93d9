/* probe.c - shows two properties of the system that the standards leave open.
 *
 * Without an argument, tells whether a signal ends a waiting read, which the C library's signal()
 * decides: prints "ready", and, after SIGTERM and the end of standard input, "ends" or "goes on".
 * With an argument, starts two threads, to test whether OpenMP's library reports its threads with
 * OMP_DISPLAY_AFFINITY, as version 5 demands. */
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t caught;

static void note(int number)
{
    caught = 1;
    signal(number, SIG_DFL);
}

static int begin_threads(void)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(2)
#pragma omp critical
#endif
    caught = 1; /* without a store the compiler removes the threads */
    return 0;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return begin_threads();
    signal(SIGTERM, note);
    if (puts("ready") < 0 || fflush(stdout) != 0)
        return 2;
    getchar();
    if (puts(ferror(stdin) ? "ends" : "goes on") < 0 || fflush(stdout) != 0)
        return 2;
    return !caught;
}
