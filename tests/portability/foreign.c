/* foreign.c - starts PROGRAM, which is for another machine, in the emulator RUNNER, under the name
 * by which it was itself called. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* run.sh defines both. These defaults let tools check this file alone. */
#ifndef RUNNER
#define RUNNER  "qemu-s390x"
#define PROGRAM "train"
#endif

int main(int argc, char **argv)
{
    static char runner[] = RUNNER, name[] = "-0", program[] = PROGRAM;
    char **words = calloc((size_t)argc + 4, sizeof *words);

    if (!words || argc < 1)
        return EXIT_FAILURE;
    words[0] = runner;
    words[1] = name;
    words[2] = argv[0];
    words[3] = program;
    for (int k = 1; k < argc; k++)
        words[k + 3] = argv[k];
    execvp(runner, words);
    perror(RUNNER);
    return EXIT_FAILURE;
}
