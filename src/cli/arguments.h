/* arguments.h - the words of a command line, and of the files that it names by @FILE. */
#ifndef HINGE_CLI_ARGUMENTS_H
#define HINGE_CLI_ARGUMENTS_H

#include <stddef.h>
#include <stdio.h>

/* A command line, which main opens before the program and closes after it. */
struct arguments {
    int count;
    char **word; /* [count], then NULL */
    size_t capacity;
    FILE *held[3]; /* open files; the first ones take the numbers of closed standard streams */
};

/* Copies the words of a command line. The words of FILE replace each word @FILE before "--". A
 * closed standard stream gets a file that cannot be read or written. Otherwise the next file would
 * take its number and get its text. Returns 0 or, after a message, the exit status. */
int arguments_begin(struct arguments *arguments, int argc, char **argv);

/* Frees the words and closes the files, after a failed arguments_begin, too. Returns status. */
int arguments_end(struct arguments *arguments, int status);

#endif
