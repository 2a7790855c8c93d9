/* probe.c - does a signal end a read that waits? The C library's signal() decides, and the standard
 * leaves it open: prints "ready", then "ends" or "goes on" when SIGTERM and the end of standard input
 * came. */
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t caught;

static void note(int number)
{
    caught = 1;
    signal(number, SIG_DFL);
}

int main(void)
{
    signal(SIGTERM, note);
    if (puts("ready") < 0 || fflush(stdout) != 0)
        return 2;
    getchar();
    if (puts(ferror(stdin) ? "ends" : "goes on") < 0 || fflush(stdout) != 0)
        return 2;
    return !caught;
}
