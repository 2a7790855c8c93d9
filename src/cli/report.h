/* report.h - how the programs write files and messages, how they are interrupted, and how they end.
 */
#ifndef HINGE_CLI_REPORT_H
#define HINGE_CLI_REPORT_H

#include <stdio.h>

#include "base/compiler.h"
#include "hinge.h"

/* Exit statuses besides enum hinge_status, for --strict and for an interrupted program. Shells
 * report 130 for SIGINT. */
enum { EXIT_NOT_CERTIFIED = 5, EXIT_INTERRUPTED = 130 };

/* Returns the name that the program was called by: the last part of argv[0]. */
const char *program_name(const char *path);

/* Writes a field of CSV: the character before, unless it is NUL, and the number. NaN means unknown
 * and is not written. */
void report_field(FILE *stream, char before, double value);

/* Returns "" for a count of 1, otherwise "s". */
const char *report_plural(uint64_t count);

/* Prints "1 row" or "2 rows", and the text after it. The plural of "class" ends in "es". */
void report_count(FILE *stream, uint64_t count, const char *noun, const char *after);

/* Writes all rows to a stream. */
typedef enum hinge_status row_writer(void *context, FILE *stream, struct hinge_error *error);

/* Calls write for the file of that path; "-" is standard output. The file appears only if write
 * succeeds and no interrupt came until then. Sets *complete to 1 if it appears; interrupts that
 * come later are ignored. */
enum hinge_status report_write(const char *path, row_writer *write, void *context, int *complete,
                               struct hinge_error *error);

/* Prints where the help is, to standard error. */
void report_help(const char *program);

/* Prints "PROGRAM: text" on a line of standard error. Bytes that are not printable become \ooo. */
void report_say(const char *program, const char *format, ...) PRINTF_LIKE(2, 3);

/* Prints "PROGRAM: message" to standard error, or for bad input the message alone, which starts
 * with its place. Returns the exit status. */
int report_error(const char *program, const struct hinge_error *error);

/* Flushes standard output. Fails if a part of the text printed since the last call was not written,
 * unless an interrupt ended the write: then report_end returns EXIT_INTERRUPTED. */
enum hinge_status report_flush(struct hinge_error *error);

/* Flushes standard output at the end. Returns status, or HINGE_FILE_ERROR if that fails, or
 * EXIT_INTERRUPTED instead of HINGE_OK if an interrupt has ended a write. */
int report_end(const char *program, int status);

/* ---- Interrupts: Ctrl-C leaves no file half-written -------------------------- */

/* Forgets the signal that an earlier run in this process has noted. Every run begins with this
 * call. */
void forget_interrupt(void);

/* Lets the first SIGINT or SIGTERM be noted, for watch_interrupt and was_interrupted; the second
 * one ends the program at once. Call it before a file is created. */
void catch_interrupts(void);

/* Lets each signal end the program at once, and ends it now if one was noted. Call it while there
 * is no temporary file. */
void release_interrupts(void);

/* True if a signal was noted. */
int was_interrupted(void);

/* Answers HINGE_INTERRUPT once a signal was noted. This monitor has no context. */
enum hinge_answer watch_interrupt(void *context, const struct hinge_progress *progress);

#endif
