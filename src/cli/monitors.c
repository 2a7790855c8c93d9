/* monitors.c - the monitors of train: each answers go on, measure, or stop. */
#include "cli/monitors.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "base/file_name.h"
#include "base/status.h"
#include "cli/report.h"
#include "data/matrix.h"
#include "model/model.h"
#include "solver/loop/solver.h"

static enum hinge_answer watch_time(void *context, const struct hinge_progress *progress)
{
    struct time_watch *watch = &((struct monitors *)context)->time;

    if (watch->is_for_folds && progress->folds == 0)
        return HINGE_GO_ON;
    watch->is_over = watch->is_over || stopwatch_elapsed(&watch->clock) > watch->limit;
    return watch->is_over ? HINGE_OUT_OF_TIME : HINGE_GO_ON;
}

/* ---- Results -------------------------------------------------------------- */

static enum hinge_answer watch_results(void *context, const struct hinge_progress *progress)
{
    struct monitors *monitors = context;
    struct result_watch *watch = &monitors->results;
    struct emitter emitter = {.stream = stdout};

    if (!watch->is_on || !progress->result || progress->problems < 2 || progress->folds > 0 ||
        progress->problem != watch->next)
        return HINGE_GO_ON;
    watch->next++;
    progress_clear(&monitors->progress);
    emit_problem(&emitter, monitors->settings, progress->problem, progress->problems,
                 progress->positive, progress->result, progress->features + (progress->bias >= 0),
                 NULL);
    if (watch->error.status == HINGE_OK)
        report_flush(&watch->error);
    return HINGE_GO_ON;
}

void results_end(const struct monitors *monitors, const struct hinge_model *model)
{
    const struct result_watch *watch = &monitors->results;
    struct emitter emitter = {.stream = stdout};

    for (size_t c = watch->next; watch->is_on && model->problems > 1 && c < model->problems; c++)
        if (model->result[c].outcome != HINGE_NOT_BEGUN)
            emit_problem(&emitter, monitors->settings, c, model->problems, model->label[c],
                         &model->result[c], model->features + (model->bias >= 0), NULL);
}

/* ---- Checkpoints ------------------------------------------------------------- */

static enum hinge_answer watch_checkpoints(void *context, const struct hinge_progress *progress)
{
    struct monitors *monitors = context;
    struct checkpoints *checkpoints = &monitors->checkpoints;
    const struct settings *settings = monitors->settings;
    struct hinge_error error;
    struct hinge_model model;

    if (progress->rows == 0 || progress->folds > 0 ||
        stopwatch_elapsed(&checkpoints->clock) < checkpoints->next)
        return HINGE_GO_ON;
    if (!progress->model)
        return HINGE_MEASURE;
    model = *progress->model;
    model.map = settings->lines; /* the training's model will have it */
    if (!hinge_model_write(&model, settings->checkpoint, &error)) {
        checkpoints->exists = 1;
    } else {
        progress_clear(&monitors->progress);
        report_say(settings->program, "warning: no checkpoint: %s", error.message);
    }
    checkpoints->next = stopwatch_elapsed(&checkpoints->clock) + checkpoints->every;
    return HINGE_GO_ON;
}

enum hinge_status monitors_commit(struct monitors *monitors, const struct hinge_model *model,
                                  struct hinge_error *error)
{
    const struct settings *settings = monitors->settings;
    int stopped = model->uncalibrated;

    if (monitors->trace.output.stream && output_commit(&monitors->trace.output, error))
        return failure(error);
    if (!settings->checkpoint || settings->silent)
        return HINGE_OK;
    for (size_t c = 0; c < model->problems; c++)
        stopped |= outcome_is_stop(model->result[c].outcome);
    if (stopped)
        return hinge_model_write(model, settings->checkpoint, error);
    errno = 0;
    if (monitors->checkpoints.exists && remove(settings->checkpoint) != 0) {
        fail_file(error, "remove", settings->checkpoint);
        if (file_name_is_taken(settings->checkpoint))
            return failure(error);
        *error = (struct hinge_error){HINGE_OK, ""}; /* another training has removed it */
    }
    return HINGE_OK;
}

/* ---- The trace -------------------------------------------------------------- */

/* Returns the share of test rows for which w predicts the wrong sign or class; for regression,
 * the mean squared error. */
static double test_error(const struct trace *trace, const struct hinge_progress *progress)
{
    const struct hinge_dataset *test = trace->test;
    const double *w = progress->w;
    const size_t outputs = progress->outputs;
    double wrong = 0;

    for (size_t i = 0; i < test->x.rows; i++) {
        const double label = test->label[i];
        double largest = 0;
        size_t best = 0;

        for (size_t m = 0; m < outputs; m++) {
            double decision =
                progress->bias >= 0 ? progress->bias * w[progress->features * outputs + m] : 0;

            for (size_t k = test->x.start[i];
                 k < test->x.start[i + 1] && hinge_index(&test->x, k) < progress->features; k++)
                decision += hinge_value(&test->x, k) * w[hinge_index(&test->x, k) * outputs + m];
            if (m == 0 || decision > largest) {
                best = m;
                largest = decision;
            }
        }
        if (isnan(progress->positive)) /* a regression */
            wrong += (largest - label) * (largest - label);
        else
            wrong += progress->label ? progress->label[best] != label
                                     : (largest > 0) != (label == progress->positive);
    }
    return wrong / (double)test->x.rows;
}

/* Writes a line if this checkpoint needs one. With --trace-every, the first checkpoint at or after
 * each of its multiples has a line, because not all solvers have a checkpoint at each iteration. */
static enum hinge_answer watch_trace(void *context, const struct hinge_progress *progress)
{
    struct monitors *monitors = context;
    struct trace *trace = &monitors->trace;
    const uint64_t every = monitors->settings->trace_every;
    const double now = stopwatch_processor(&trace->clock);
    FILE *stream = trace->output.stream;

    if (progress->folds > 0)
        return HINGE_GO_ON;
    if (trace->problem == progress->problem + 1 &&
        (trace->iterations == progress->passes ||
         (every > 0 && !progress->last && progress->passes / every == trace->iterations / every)))
        return HINGE_GO_ON;
    if (!progress->measured) {
        trace->asked = now;
        return HINGE_MEASURE;
    }
    fprintf(stream, "%lu,%llu", (unsigned long)progress->problem + 1,
            (unsigned long long)progress->passes);
    report_field(stream, ',', (double)progress->row_visits / fmax((double)progress->rows, 1));
    fprintf(stream, ",%.6f", (trace->asked < 0 ? now : trace->asked) - trace->spent);
    report_field(stream, ',', progress->primal);
    report_field(stream, ',', progress->dual);
    report_field(stream, ',', progress->relative_gap);
    fprintf(stream, ",%lu", (unsigned long)progress->nonzeros);
    report_field(stream, ',', trace->test ? test_error(trace, progress) : NAN);
    putc('\n', stream);
    trace->problem = progress->problem + 1;
    trace->iterations = progress->passes;
    if (trace->asked >= 0)
        trace->spent += stopwatch_processor(&trace->clock) - trace->asked;
    trace->asked = -1;
    return HINGE_GO_ON;
}

/* ---- Beginning and end ------------------------------------------------------ */

enum hinge_status monitors_begin(struct monitors *monitors, const struct settings *settings,
                                 const struct hinge_dataset *data, struct stopwatch start,
                                 struct hinge_error *error)
{
    const struct {
        int is_wanted;
        struct hinge_monitor monitor;
    } all[] = {{1, {watch_interrupt, NULL, NULL, HINGE_BETWEEN}},
               {settings->time_limit > 0, {watch_time, monitors, NULL, HINGE_BETWEEN}},
               {settings->checkpoint != NULL, {watch_checkpoints, monitors, NULL, HINGE_MODEL}},
               {settings->trace != NULL, {watch_trace, monitors, NULL, 0}},
               {settings->report != NULL, {train_page_watch, &monitors->page, NULL, 0}},
               {!settings->quiet, {progress_print, monitors, NULL, 0}},
               {!settings->quiet && settings->metrics != METRICS_JSON,
                {watch_results, monitors, NULL, 0}}};
    const double every = 60 * settings->checkpoint_minutes;
    size_t count = 0;

    monitors->settings = settings;
    monitors->data = data;
    monitors->time = (struct time_watch){start, settings->time_limit, settings->folds > 0, 0};
    progress_begin(&monitors->progress);
    monitors->checkpoints = (struct checkpoints){.every = every, .next = every};
    if (settings->checkpoint)
        monitors->checkpoints.exists = file_name_exists(settings->checkpoint);
    stopwatch_start(&monitors->checkpoints.clock);
    stopwatch_start(&monitors->trace.clock);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].is_wanted)
            monitors->list[count++] = all[k].monitor;
    for (size_t k = 0; k + 1 < count; k++)
        monitors->list[k].next = &monitors->list[k + 1];
    if (settings->report && train_page_begin(&monitors->page, settings, data, error))
        return failure(error);
    if (!settings->trace)
        return HINGE_OK;
    monitors->trace.asked = -1;
    if (output_open(&monitors->trace.output, settings->trace, error))
        return failure(error);
    fputs("problem,iterations,passes,seconds,primal,dual,gap,nonzeros,test_error\n",
          monitors->trace.output.stream);
    return HINGE_OK;
}

void monitors_end(struct monitors *monitors)
{
    output_abandon(&monitors->trace.output);
    train_page_end(&monitors->page);
    hinge_dataset_free(monitors->trace.test);
}
