/* arguments.h - the words of a command line, and of the files that it names by @FILE. */
#ifndef HINGE_CLI_ARGUMENTS_H
#define HINGE_CLI_ARGUMENTS_H

/* Runs a program on a copy of the words. The words of FILE replace each word @FILE before "--". A
 * closed standard stream gets a file that cannot be read or written. Otherwise the next file would
 * take its number and get its text. Returns the exit status. */
int arguments_run(int argc, char **argv, int (*run)(int argc, char **argv));

#endif
