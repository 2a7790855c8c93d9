/* report.h - how the programs write files and messages, and how they end. */
#ifndef HINGE_CLI_REPORT_H
#define HINGE_CLI_REPORT_H

#include <stdio.h>

#include "base/compiler.h"
#include "hinge.h"

/* Exit statuses besides enum hinge_status: of --strict, and of an interrupted program, which is the
 * status that shells report for SIGINT. */
enum { EXIT_NOT_CERTIFIED = 5, EXIT_INTERRUPTED = 130 };

/* Calls program; its value is the exit status. A standard stream that is closed gets a file which
 * cannot be read or written: else the next file opened would take its number, and get its text. */
int report_run(int argc, char **argv, int (*program)(int argc, char **argv));

/* The name the program was called by: the last part of argv[0]. */
const char *program_name(const char *path);

/* Writes a field of CSV: a comma, or '\0' for none, and the number, or nothing for NaN, which means
 * unknown. */
void report_field(FILE *stream, char before, double value);

/* Writes all rows to a stream. */
typedef enum hinge_status row_writer(void *context, FILE *stream, struct hinge_error *error);

/* Calls write for the file of that path; "-" is standard output. The file appears only if write
 * succeeds and no interrupt came until then. *complete is set to 1 if it is there; an interrupt
 * that comes later is to be ignored. */
enum hinge_status report_write(const char *path, row_writer *write, void *context, int *complete,
                               struct hinge_error *error);

/* Prints where the help is, to standard error. */
void report_help(const char *program);

/* Prints "PROGRAM: text" on a line of standard error, what is not printable in it as \ooo. */
void report_say(const char *program, const char *format, ...) PRINTF_LIKE(2, 3);

/* Prints "PROGRAM: message", or for bad input the message alone, which starts with its place, to
 * standard error; returns the exit status. */
int report_error(const char *program, const struct hinge_error *error);

/* Flushes standard output. Fails if what was printed since the last call was not all written. */
enum hinge_status report_flush(struct hinge_error *error);

/* The same at the end. Returns status, or HINGE_FILE_ERROR if not everything was written. */
int report_end(const char *program, int status);

#endif
