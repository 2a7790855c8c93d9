/* trace.h - --trace: a line of CSV for each checkpoint of a training. */
#ifndef HINGE_CLI_TRACE_H
#define HINGE_CLI_TRACE_H

#include "base/clock.h"
#include "base/output.h"
#include "cli/train_options.h"

struct trace {
    struct output output;
    struct hinge_dataset *test; /* or NULL; trace_close frees it */
    uint64_t every;             /* iterations between two lines; 0: a line for each checkpoint */
    struct stopwatch clock;     /* of the training */
    double asked;        /* time at which a measurement was requested; negative: no request */
    double spent;        /* seconds taken by measurements, which the trace leaves out */
    size_t problem;      /* of the last line, from 1 */
    uint64_t iterations; /* likewise */
};

/* Opens the file of the trace, if the settings name one. Call trace_close on failure too; it
 * removes a file that was not committed. */
enum hinge_status trace_open(struct trace *trace, const struct settings *settings,
                             struct hinge_error *error);
enum hinge_status trace_commit(struct trace *trace, struct hinge_error *error);
void trace_close(struct trace *trace);

/* The monitor; its context is a struct trace. */
enum hinge_answer trace_checkpoint(void *context, const struct hinge_progress *progress);

#endif
