/* report.h - what the programs print about a training, and how they end. */
#ifndef HINGE_CLI_REPORT_H
#define HINGE_CLI_REPORT_H

#include <stdio.h>

#include "hinge.h"

/* Exit statuses besides enum hinge_status: of --strict, and of an interrupted training, as shells
 * give it to SIGINT. */
enum { EXIT_NOT_CERTIFIED = 5, EXIT_INTERRUPTED = 130 };

/* How the program was called: the last part of argv[0]. */
const char *program_name(const char *path);

/* Prints LIBLINEAR's lines and the certificate of each binary problem to standard output. */
void report_results(const struct hinge_model *model, double target);

/* Prints a warning for trainings that ended without what was asked for. */
void report_warnings(const char *program, const struct hinge_model *model, double target);

/* Writes a field of CSV and a comma: the number, or nothing if it is NaN, unknown. */
void report_field(FILE *stream, double value);

/* Writes the rows of a program to a stream. */
typedef enum hinge_status row_writer(void *context, FILE *stream, struct hinge_error *error);

/* Calls write for the file of that path, which appears only if write succeeds and no interrupt
 * came; "-" is standard output. */
enum hinge_status report_write(const char *path, row_writer *write, void *context,
                               struct hinge_error *error);

/* Prints the usage to standard error, as without any argument; returns the exit status. */
int report_usage(const char *program, void (*print_usage)(const char *program, FILE *stream));

/* Prints "PROGRAM: message", or for bad input the message alone, which starts with its place, to
 * standard error; returns the exit status. */
int report_error(const char *program, const struct hinge_error *error);

/* Flushes standard output; the exit status, HINGE_FILE_ERROR if something was not written. */
int report_end(const char *program, int status);

#endif
