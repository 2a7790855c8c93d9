/* monitors.c - the monitors of train: each answers go on, measure, or stop. */
#include "cli/monitors.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
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

    if (progress->rows == 0 || progress->folds > 0 ||
        stopwatch_elapsed(&checkpoints->clock) < checkpoints->next)
        return HINGE_GO_ON;
    if (!progress->model)
        return HINGE_MEASURE;
    if (!hinge_model_write(progress->model, settings->checkpoint, &error)) {
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

/* Returns the share of test rows for which w predicts the wrong sign or class; for a regression,
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

/* ---- The terminal ----------------------------------------------------------- */

/* Returns the width of the terminal: COLUMNS of the environment, or 80. Returns 0 if standard error
 * is not known to be a terminal.
 *
 * C99 has no isatty. On Linux /proc/self/fdinfo/2 has the number of the mount that standard error
 * is on, and a line of /proc/self/mountinfo
 *
 *     number parent major:minor root point options [fields] - type source options
 *
 * has the type of the mount. A mount of type devpts has nothing but terminals. A line that is too
 * long is read in parts, none of which can have the type devpts by mistake. */
static size_t terminal_width(void)
{
    enum { DEFAULT = 80, LEAST = 20, MOST = 500 };
    FILE *own = fopen("/proc/self/fdinfo/2", "r"), *mounts = fopen("/proc/self/mountinfo", "r");
    const char *columns = getenv("COLUMNS");
    char line[1024], *end = NULL;
    const long number = columns ? strtol(columns, &end, 10) : 0;
    long mount = -1;
    int found = 0;

    while (own && mount < 0 && fgets(line, sizeof line, own))
        if (strncmp(line, "mnt_id:", 7) == 0)
            mount = strtol(line + 7, NULL, 10);
    while (mounts && mount >= 0 && !found && fgets(line, sizeof line, mounts))
        found = strtol(line, NULL, 10) == mount && strstr(line, " - devpts ") != NULL;
    if (own)
        fclose(own); /* read only: nothing is lost if that fails */
    if (mounts)
        fclose(mounts);
    if (!found)
        return 0;
    return end && end != columns && *end == '\0' && number >= LEAST && number <= MOST
               ? (size_t)number
               : DEFAULT;
}

/* ---- Progress --------------------------------------------------------------- */

void progress_clear(struct progress_watch *watch)
{
    if (watch->width > 0 && was_interrupted() && !watch->is_broken) {
        fputc('\n', stderr); /* the terminal has shown ^C */
        watch->is_broken = 1;
    } else if (watch->shown > 0) {
        fprintf(stderr, "\r%*s\r", (int)watch->shown, "");
    }
    watch->shown = 0;
}

/* A text that grows to the right and is cut at its end. */
struct text_line {
    char text[512];
    size_t length;
};

static void add(struct text_line *line, const char *format, ...) PRINTF_LIKE(2, 3);

static void add(struct text_line *line, const char *format, ...)
{
    const size_t room = sizeof line->text - line->length;
    va_list values;
    int length;

    va_start(values, format);
    length = vsnprintf(line->text + line->length, room, format, values);
    va_end(values);
    if (length > 0)
        line->length += (size_t)length < room ? (size_t)length : room - 1;
}

/* Adds the share of the trainings that is done, and the time that the others may take, unless that
 * is more than a day: the longer the time, the worse the guess. */
static void add_share(struct text_line *line, struct progress_watch *watch,
                      const struct hinge_progress *progress, double now)
{
    static const double DAY = 86400;
    const size_t folds = progress->folds > 0 ? progress->folds : 1;
    const size_t of_C = folds * progress->problems;
    const size_t values = progress->folds > 0 && watch->values > 0 ? watch->values : 1;
    const double value = values > 1 ? (double)watch->value : 0, first = value * (double)of_C;
    const double all = (double)values * (double)of_C;
    double done = first + (double)(progress->fold * progress->problems + progress->problem), left;

    if (watch->trainings != values * of_C) {
        watch->trainings = values * of_C;
        watch->done[0] = watch->done[1] = watch->most_done = done;
        watch->since[0] = watch->since[1] = now;
    }
    done = watch->most_done = fmax(done, watch->most_done); /* a thread may be at a later fold */
    if (first > watch->done[1]) {
        watch->done[0] = watch->done[1];
        watch->since[0] = watch->since[1];
        watch->done[1] = first;
        watch->since[1] = now;
    }
    if (watch->trainings < 2)
        return;
    add(line, "%.0f%%, ", floor(100 * done / all));
    if (done <= watch->done[0])
        return;
    left = (all - done) * (now - watch->since[0]) / (done - watch->done[0]);
    if (left > DAY)
        return;
    left = ceil(left);
    if (left < 60)
        add(line, "%.0f s left, ", left);
    else if (left < 3600)
        add(line, "%.0f min %.0f s left, ", floor(left / 60), fmod(left, 60));
    else
        add(line, "%.0f h %.0f min left, ", floor(left / 3600), floor(fmod(left, 3600) / 60));
}

/* Adds the state of a solver with a dual point. For a second-order method, the line also shows how
 * many more passes coordinate descent was predicted to take. */
static void add_dual(struct text_line *line, const struct hinge_progress *progress)
{
    const char *method = progress->fallback ? NULL : progress->method;
    const uint64_t passes = progress->passes - progress->steps;

    if (passes > 0 || !method) {
        add(line, "pass %llu", (unsigned long long)passes);
        if (method && progress->expected > 0 && progress->expected <= DBL_MAX)
            add(line, " (%.3g more without %s)", progress->expected, method);
        add(line, ", ");
    }
    if (method)
        add(line, "%s step %llu, ", method, (unsigned long long)progress->steps);
    /* a narrow terminal cuts the end of the line */
    add(line, "relative gap %.2e, primal %.8g, %.3g%% of the rows %s",
        report_gap(progress->relative_gap), progress->primal,
        100 * (double)progress->active / fmax((double)progress->rows, 1),
        method ? "free" : "active");
}

/* Returns how often a single training will still read data in a temporary file, or 0 if that is not
 * known, as for several trainings. The logarithm of the gap is expected to fall as it did over at
 * least the last half of the reads, and each epoch to take as many reads as those before it. */
static double reads_to_come(struct monitors *monitors, const struct hinge_progress *progress)
{
    struct progress_watch *watch = &monitors->progress;
    const struct hinge_parameters *parameters = &monitors->settings->parameters;
    const double all = hinge_dataset_reads(monitors->data), reads = all - watch->reads_before;
    const double epoch = (double)progress->row_visits / fmax((double)progress->rows, 1);
    const double gap = progress->relative_gap, fell = gap > 0 ? log(watch->gap[0] / gap) : 0;
    double left = 0;

    if (progress->problems > 1 || progress->folds > 0) {
        watch->reads_before = all; /* a single training may follow */
        return 0;
    }
    if (!isnan(gap) && fell > 0 && parameters->relative_gap > 0)
        left = log(gap / parameters->relative_gap) * (reads - watch->reads[0]) / fell;
    else if (isnan(gap) && epoch > 0 && parameters->iterations == 0)
        left = (parameters->epochs - epoch) * reads / epoch;
    if (reads >= 2 * watch->reads[1]) {
        watch->gap[0] = watch->gap[1];
        watch->reads[0] = watch->reads[1];
        watch->gap[1] = gap;
        watch->reads[1] = reads;
    }
    return left > 0 && left < 1e6 ? left : 0;
}

static enum hinge_answer watch_progress(void *context, const struct hinge_progress *progress)
{
    struct monitors *monitors = context;
    struct progress_watch *watch = &monitors->progress;
    const double now = stopwatch_elapsed(&watch->clock);
    struct text_line line = {"", 0};
    double cost, left;

    if (progress->rows == 0 || now < watch->next)
        return HINGE_GO_ON;
    if (!progress->measured) {
        watch->asked = now;
        return HINGE_MEASURE;
    }
    cost = watch->asked < 0 ? 0 : now - watch->asked;
    watch->asked = -1;
    watch->next = now + fmax(1, 10 * cost); /* measuring takes a tenth of the time at most */
    add_share(&line, watch, progress, now);
    if (progress->folds > 0)
        add(&line, "C = %g, fold %lu of %lu, ", progress->C, (unsigned long)progress->fold + 1,
            (unsigned long)progress->folds);
    if (progress->problems > 1)
        add(&line, "class %lu of %lu, ", (unsigned long)progress->problem + 1,
            (unsigned long)progress->problems);
    if (isnan(progress->relative_gap))
        add(&line, "epoch %.1f, objective %.8g",
            (double)progress->row_visits / fmax((double)progress->rows, 1), progress->primal);
    else
        add_dual(&line, progress);
    if (hinge_dataset_is_paged(monitors->data)) {
        left = reads_to_come(monitors, progress);
        add(&line, ", data read %.1f times", hinge_dataset_reads(monitors->data));
        if (left > 0)
            add(&line, ", about %.0f to come", ceil(left));
    }
    if (watch->width == 0) {
        fprintf(stderr, "%s\n", line.text);
        return HINGE_GO_ON;
    }
    /* The line replaces the previous one. The last column of the terminal stays free, because some
     * terminals go to the next line when it is filled. */
    if (line.length > watch->width - 1)
        line.length = watch->width - 1;
    line.text[line.length] = '\0';
    fprintf(stderr, "\r%s%*s", line.text,
            watch->shown > line.length ? (int)(watch->shown - line.length) : 0, "");
    watch->shown = line.length;
    fflush(stderr);
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
               {!settings->quiet, {watch_progress, monitors, NULL, 0}},
               {!settings->quiet && settings->metrics != METRICS_JSON,
                {watch_results, monitors, NULL, 0}}};
    const double every = 60 * settings->checkpoint_minutes;
    size_t count = 0;

    monitors->settings = settings;
    monitors->data = data;
    monitors->time = (struct time_watch){start, settings->time_limit, settings->folds > 0, 0};
    monitors->progress =
        (struct progress_watch){.next = 1, .asked = -1, .width = terminal_width(), .gap = {1, 1}};
    monitors->checkpoints = (struct checkpoints){.every = every, .next = every};
    if (settings->checkpoint)
        monitors->checkpoints.exists = file_name_exists(settings->checkpoint);
    stopwatch_start(&monitors->progress.clock);
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
