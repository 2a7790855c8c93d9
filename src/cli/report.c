/* report.c - streams, messages, signals and exit statuses. */
#include "cli/report.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "base/status.h"
#include "cli/options.h"
#include "cli/text.h"
#include "data/number.h"

/* Static, because a signal handler has no argument for a context. */
static volatile sig_atomic_t interrupted; /* the number of the signal; 0: none */
static int text_is_lost;                  /* 1: that signal has ended a write to standard output */

const char *program_name(const char *path)
{
    size_t length = path ? strlen(path) : 0;

    while (length > 0 && !strchr("/\\", path[length - 1]))
        length--;
    return path ? path + length : "hinge";
}

void report_field(FILE *stream, char before, double value)
{
    if (before)
        putc(before, stream);
    if (!isnan(value))
        number_write(stream, value);
}

const char *report_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

void report_count(FILE *stream, uint64_t count, const char *noun, const char *after)
{
    const char *plural = noun[strlen(noun) - 1] == 's' ? "es" : "s";

    fprintf(stream, "%llu %s%s%s", (unsigned long long)count, noun, count == 1 ? "" : plural,
            after);
}

enum hinge_status report_write(const char *path, row_writer *write, void *context, int *complete,
                               struct hinge_error *error)
{
    struct output output = {stdout, NULL, NULL};
    const int prints = strcmp(path, "-") == 0;
    enum hinge_status status;

    if (!prints && output_open(&output, path, error))
        return failure(error);
    status = write(context, output.stream, error);
    *complete = !status && !was_interrupted();
    if (prints && !status) {
        status = report_flush(error);
        *complete &= !text_is_lost;
    } else if (!prints && *complete) {
        status = output_commit(&output, error);
    } else if (!prints) {
        output_abandon(&output);
    }
    *complete &= !status;
    return status;
}

void report_help(const char *program)
{
    fprintf(stderr, "Try '%s --help'.\n", program);
}

/* Room for a message and its NUL. */
enum { MESSAGE = sizeof((struct hinge_error *)NULL)->message };

/* Prints "PROGRAM: text", or the text alone, on a line of standard error. It is one write, because
 * processes may share standard error. */
static void print_line(const char *program, const char *text)
{
    char escaped[4 * MESSAGE];

    text_escape(escaped, text);
    fprintf(stderr, "%s%s%s\n", program ? program : "", program ? ": " : "", escaped);
}

void report_say(const char *program, const char *format, ...)
{
    char text[MESSAGE];
    va_list arguments;

    va_start(arguments, format);
    text_format(text, sizeof text, format, arguments);
    va_end(arguments);
    print_line(program, text);
}

int report_error(const char *program, const struct hinge_error *error)
{
    fflush(stdout);
    /* bad input: the message starts with FILE:LINE:COLUMN: */
    print_line(error->status == HINGE_BAD_INPUT ? NULL : program, error->message);
    if (error->status == HINGE_BAD_ARGUMENT)
        report_help(program);
    return (int)error->status;
}

enum hinge_status report_flush(struct hinge_error *error)
{
    if (!ferror(stdout)) /* otherwise errno has the reason, because nothing failed since */
        errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return HINGE_OK;
#ifdef EINTR
    /* A signal has ended a write, and the C library has dropped the text. */
    if (errno == EINTR && was_interrupted()) {
        clearerr(stdout);
        text_is_lost = 1;
        return HINGE_OK;
    }
#endif
    return fail_file(error, "write", "standard output");
}

int report_end(const char *program, int status)
{
    struct hinge_error error;

    if (report_flush(&error))
        return report_error(program, &error);
    return text_is_lost && !status ? EXIT_INTERRUPTED : status;
}

/* ---- Interrupts ------------------------------------------------------------ */

static void note_interrupt(int number)
{
    interrupted = number;
    signal(number, SIG_DFL);
}

void forget_interrupt(void)
{
    interrupted = 0;
    text_is_lost = 0;
}

/* Handles the signals even if they were ignored at the start, as in jobs that a script runs in the
 * background, because whoever sends one to a training wants its model. */
void catch_interrupts(void)
{
    signal(SIGINT, note_interrupt);
    signal(SIGTERM, note_interrupt);
}

void release_interrupts(void)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (interrupted)
        raise(interrupted);
}

int was_interrupted(void)
{
    return interrupted != 0;
}

enum hinge_answer watch_interrupt(void *context, const struct hinge_progress *progress)
{
    (void)context;
    (void)progress;
    return interrupted ? HINGE_INTERRUPT : HINGE_GO_ON;
}
