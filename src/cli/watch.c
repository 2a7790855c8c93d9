/* watch.c - three monitors: answer := print | measure and print | out of time. */
#include "cli/watch.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/compiler.h"
#include "cli/report.h"
#include "cli/terminal.h"
#include "cli/training_report.h"
#include "model/model.h"

enum hinge_answer watch_time(void *context, const struct hinge_progress *progress)
{
    struct time_watch *watch = context;

    if (watch->folds && progress->folds == 0)
        return HINGE_GO_ON;
    watch->over = watch->over || stopwatch_elapsed(&watch->clock) > watch->limit;
    return watch->over ? HINGE_OUT_OF_TIME : HINGE_GO_ON;
}

enum hinge_answer watch_results(void *context, const struct hinge_progress *progress)
{
    struct result_watch *watch = context;

    if (!watch->is_on || !progress->result || progress->problems < 2 || progress->folds > 0 ||
        progress->problem != watch->next)
        return HINGE_GO_ON;
    watch->next++;
    progress_clear(watch->progress);
    report_class(watch->solver, progress->problem, progress->problems, progress->positive,
                 progress->result, progress->features + (progress->bias >= 0), watch->target);
    if (watch->error.status == HINGE_OK)
        report_flush(&watch->error);
    return HINGE_GO_ON;
}

void results_end(const struct result_watch *watch, const struct hinge_model *model)
{
    for (size_t c = watch->next; watch->is_on && model->problems > 1 && c < model->problems; c++)
        if (model->result[c].outcome != HINGE_NOT_BEGUN)
            report_class(watch->solver, c, model->problems, model->label[c], &model->result[c],
                         model->features + (model->bias >= 0), watch->target);
}

/* ---- Progress ---------------------------------------------------------- */

void progress_begin(struct progress_watch *watch, int shows)
{
    *watch = (struct progress_watch){
        .next = 1, .asked = -1, .width = shows ? terminal_width() : 0, .gap = {1, 1}};
    stopwatch_start(&watch->clock);
}

void progress_clear(struct progress_watch *watch)
{
    if (watch->shown > 0)
        fprintf(stderr, "\r%*s\r", (int)watch->shown, "");
    watch->shown = 0;
}

/* A text that grows to the right, and is cut at its end. */
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

/* On a terminal in the place of the line before. The last column stays free: some terminals go on
 * to the next line when it is filled. */
static void show(struct progress_watch *watch, struct text_line *line)
{
    const size_t before = watch->shown;

    if (watch->width == 0) {
        fprintf(stderr, "%s\n", line->text);
        return;
    }
    if (line->length > watch->width - 1)
        line->length = watch->width - 1;
    line->text[line->length] = '\0';
    fprintf(stderr, "\r%s%*s", line->text, before > line->length ? (int)(before - line->length) : 0,
            "");
    watch->shown = line->length;
    fflush(stderr);
}

/* "3 s", "2 min 5 s", "1 h 4 min" */
static void add_time(struct text_line *line, double seconds)
{
    const double rounded = ceil(seconds);

    if (rounded < 60)
        add(line, "%.0f s", rounded);
    else if (rounded < 3600)
        add(line, "%.0f min %.0f s", floor(rounded / 60), fmod(rounded, 60));
    else
        add(line, "%.0f h %.0f min", floor(rounded / 3600), floor(fmod(rounded, 3600) / 60));
}

/* What share of the trainings is done, and how long the others may take. */
static void add_share(struct text_line *line, struct progress_watch *watch,
                      const struct hinge_progress *progress, double now)
{
    const size_t folds = progress->folds > 0 ? progress->folds : 1;
    const size_t of_C = folds * progress->problems;
    const size_t values = progress->folds > 0 && watch->values > 0 ? watch->values : 1;
    const double value = values > 1 ? (double)watch->value : 0, first = value * (double)of_C;
    const double all = (double)values * (double)of_C;
    double done = first + (double)(progress->fold * progress->problems + progress->problem);

    if (watch->trainings != values * of_C) {
        watch->trainings = values * of_C;
        watch->done[0] = watch->done[1] = watch->most = done;
        watch->since[0] = watch->since[1] = now;
    }
    done = watch->most = fmax(done, watch->most); /* another thread may be at a later fold */
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
    add_time(line, (all - done) * (now - watch->since[0]) / (done - watch->done[0]));
    add(line, " left, ");
}

/* The line of a second-order method also says why it has the training: how many more passes
 * coordinate descent would have taken, as predicted. */
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
    add(line, "primal %.8g, relative gap %.2e, %.3g%% of the rows %s", progress->primal,
        report_gap(progress->relative_gap),
        100 * (double)progress->active / fmax((double)progress->rows, 1),
        method ? "free" : "active");
}

/* How often a single training will still read data in a temporary file: if the logarithm of the gap
 * falls as it did over the last half of its reads and more, or each epoch takes as many. 0: not
 * known, as of several trainings. */
static double reads_to_come(struct progress_watch *watch, const struct hinge_progress *progress)
{
    const double all = hinge_dataset_reads(watch->data), reads = all - watch->before;
    const double epoch = (double)progress->row_visits / fmax((double)progress->rows, 1);
    const double gap = progress->relative_gap, fell = gap > 0 ? log(watch->gap[0] / gap) : 0;
    double left = 0;

    if (progress->problems > 1 || progress->folds > 0) {
        watch->before = all; /* a single one may follow */
        return 0;
    }
    if (isnan(gap))
        left = epoch > 0 ? (watch->epochs - epoch) * reads / epoch : 0;
    else if (fell > 0 && watch->target > 0)
        left = log(gap / watch->target) * (reads - watch->reads[0]) / fell;
    if (reads >= 2 * watch->reads[1]) {
        watch->gap[0] = watch->gap[1];
        watch->reads[0] = watch->reads[1];
        watch->gap[1] = gap;
        watch->reads[1] = reads;
    }
    return left > 0 && left < 1e6 ? left : 0;
}

static void add_reads(struct text_line *line, struct progress_watch *watch,
                      const struct hinge_progress *progress)
{
    const double left = reads_to_come(watch, progress);

    add(line, ", data read %.1f times", hinge_dataset_reads(watch->data));
    if (left > 0)
        add(line, ", about %.0f to come", ceil(left));
}

enum hinge_answer watch_progress(void *context, const struct hinge_progress *progress)
{
    struct progress_watch *watch = context;
    const double now = stopwatch_elapsed(&watch->clock);
    struct text_line line = {"", 0};
    double cost;

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
    if (watch->data && hinge_dataset_is_paged(watch->data))
        add_reads(&line, watch, progress);
    show(watch, &line);
    return HINGE_GO_ON;
}
