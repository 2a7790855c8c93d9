/* trace.c - problem,iterations,passes,seconds,primal,dual,gap,nonzeros,test_error */
#include "cli/trace.h"

#include <math.h>

#include "base/status.h"
#include "cli/report.h"
#include "data/matrix.h"

enum hinge_status trace_open(struct trace *trace, const struct settings *settings,
                             struct hinge_error *error)
{
    if (!settings->trace)
        return HINGE_OK;
    trace->every = settings->trace_every;
    trace->asked = -1;
    if (output_open(&trace->output, settings->trace, error))
        return failure(error);
    fputs("problem,iterations,passes,seconds,primal,dual,gap,nonzeros,test_error\n",
          trace->output.stream);
    return HINGE_OK;
}

enum hinge_status trace_commit(struct trace *trace, struct hinge_error *error)
{
    return trace->output.stream ? output_commit(&trace->output, error) : HINGE_OK;
}

void trace_close(struct trace *trace)
{
    if (trace->output.stream)
        output_abandon(&trace->output);
    hinge_dataset_free(trace->test);
}

/* <w_m, x_i> */
static double decision_value(const struct hinge_dataset *test, size_t i,
                             const struct hinge_progress *progress, size_t m)
{
    const size_t outputs = progress->outputs;
    double decision =
        progress->bias >= 0 ? progress->bias * progress->w[progress->features * outputs + m] : 0;

    for (size_t k = test->x.start[i];
         k < test->x.start[i + 1] && hinge_index(&test->x, k) < progress->features; k++)
        decision += hinge_value(&test->x, k) * progress->w[hinge_index(&test->x, k) * outputs + m];
    return decision;
}

/* The share of test rows for which w predicts the wrong sign, or class, of a regression the mean
 * squared error. */
static double test_error(const struct trace *trace, const struct hinge_progress *progress)
{
    const struct hinge_dataset *test = trace->test;
    const int regression = isnan(progress->positive) != 0;
    double wrong = 0;

    for (size_t i = 0; i < test->x.rows; i++) {
        double largest = decision_value(test, i, progress, 0);
        size_t best = 0;

        for (size_t m = 1; m < progress->outputs; m++) {
            const double decision = decision_value(test, i, progress, m);

            best = decision > largest ? m : best;
            largest = fmax(largest, decision);
        }
        if (regression)
            wrong += (largest - test->label[i]) * (largest - test->label[i]);
        else
            wrong += progress->label ? progress->label[best] != test->label[i]
                                     : (largest > 0) != (test->label[i] == progress->positive);
    }
    return wrong / (double)test->x.rows;
}

static void write_line(struct trace *trace, const struct hinge_progress *progress, double seconds)
{
    FILE *stream = trace->output.stream;

    fprintf(stream, "%lu,%llu", (unsigned long)progress->problem + 1,
            (unsigned long long)progress->passes);
    report_field(stream, ',', (double)progress->row_visits / fmax((double)progress->rows, 1));
    fprintf(stream, ",%.6f", seconds);
    report_field(stream, ',', progress->primal);
    report_field(stream, ',', progress->dual);
    report_field(stream, ',', progress->relative_gap);
    fprintf(stream, ",%lu", (unsigned long)progress->nonzeros);
    report_field(stream, ',', trace->test ? test_error(trace, progress) : NAN);
    putc('\n', stream);
    trace->problem = progress->problem + 1;
    trace->iterations = progress->passes;
}

/* Does this checkpoint need a line? With a distance between lines, the first checkpoint at or after
 * each multiple of it has one, because not all solvers have a checkpoint at each iteration. */
static int needs_line(const struct trace *trace, const struct hinge_progress *progress)
{
    if (trace->problem != progress->problem + 1)
        return 1;
    if (trace->iterations == progress->passes)
        return 0;
    return trace->every == 0 || progress->last ||
           progress->passes / trace->every != trace->iterations / trace->every;
}

enum hinge_answer trace_checkpoint(void *context, const struct hinge_progress *progress)
{
    struct trace *trace = context;
    double now = stopwatch_processor(&trace->clock);

    if (progress->folds > 0 || !needs_line(trace, progress))
        return HINGE_GO_ON;
    if (!progress->measured) {
        trace->asked = now;
        return HINGE_MEASURE;
    }
    write_line(trace, progress, (trace->asked < 0 ? now : trace->asked) - trace->spent);
    if (trace->asked >= 0)
        trace->spent += stopwatch_processor(&trace->clock) - trace->asked;
    trace->asked = -1;
    return HINGE_GO_ON;
}
