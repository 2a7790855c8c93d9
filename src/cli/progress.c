/* progress.c - a line about a running training, once a second, on standard error. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "cli/monitors.h"
#include "cli/report.h"

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

void progress_begin(struct progress_watch *watch)
{
    *watch =
        (struct progress_watch){.next = 1, .asked = -1, .width = terminal_width(), .gap = {1, 1}};
    stopwatch_start(&watch->clock);
}

/* ---- The line ---------------------------------------------------------------- */

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

/* Adds the share of the trainings that is done, and the time that the others may take. A time of
 * more than a day is left out, because the guess grows worse with the time. */
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
 * known, as for several trainings. Assumes that the logarithm of the gap falls as it did over at
 * least the last half of the reads, and that an epoch takes as many reads as earlier epochs. */
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

enum hinge_answer progress_print(void *context, const struct hinge_progress *progress)
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
