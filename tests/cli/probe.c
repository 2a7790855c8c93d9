/* probe.c - what the standards leave open to a C library.
 *
 * Without an argument: does a signal end a read that waits? The C library's signal() decides.
 * Prints "ready", then "ends" or "goes on" when SIGTERM and the end of standard input came. With
 * one: two threads do nothing, which OMP_DISPLAY_AFFINITY lets OpenMP's library tell, since its
 * version 5. */
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
    caught = 1; /* or the compiler leaves them out */
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
