/* trace.h - --trace: a line of CSV for each checkpoint of a training. */
#ifndef HINGE_CLI_TRACE_H
#define HINGE_CLI_TRACE_H

#include "base/clock.h"
#include "base/output.h"
#include "cli/settings.h"

struct trace {
    struct output output;
    struct hinge_dataset *test; /* or NULL */
    uint64_t every;             /* iterations a line; 0: a line for each checkpoint */
    struct stopwatch clock;     /* of the training */
    double asked;               /* when a measurement was asked for; negative: it was not */
    double spent;               /* seconds that measurements took: not the solver's */
    size_t problem;             /* of the last line */
    uint64_t iterations;        /* likewise */
};

/* Opens the trace's file and reads the test data, if settings name them. On failure too,
 * trace_close, which also removes an output that was not committed. */
enum hinge_status trace_open(struct trace *trace, const struct settings *settings,
                             struct hinge_error *error);
enum hinge_status trace_commit(struct trace *trace, struct hinge_error *error);
void trace_close(struct trace *trace);

/* The monitor; its context is a struct trace. */
enum hinge_answer trace_checkpoint(void *context, const struct hinge_progress *progress);

#endif
