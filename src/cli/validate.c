/* validate.c - "Cross Validation Accuracy = X%", "Best C = X  CV accuracy = Y%"; of a regression
 * "Best C = X Best p = Y  CV MSE = Z". */
#include "cli/validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/ranks.h"
#include "base/status.h"
#include "cli/criterion.h"
#include "cli/held_out.h"
#include "cli/report.h"
#include "cli/scores.h"
#include "learn/agreement.h"
#include "learn/path.h"

/* A value of C, of a regression with an epsilon: its score, and with --path the result of training
 * on all rows. */
struct path_point {
    double epsilon;
    int rated; /* it has been validated with all folds, or as many as were complete: */
    double score;
    double deviation; /* over the folds; NaN of fewer than two */
    double accuracy;
    double primal; /* sum over the binary problems, like the next one */
    double dual;
    double gap; /* the largest of the binary problems */
    size_t nonzeros;
    uint64_t passes;
    double seconds;
    struct hinge_residuals residuals; /* of a regression */
};

/* -v has one C, -C several, of a regression for each epsilon one after the other. */
struct search {
    const struct settings *settings;
    const struct hinge_dataset *data;
    const struct groups *groups; /* of --folds */
    int named;                   /* each of these with a row that does not weigh 0 is a fold */
    struct hinge_parameters parameters; /* with the epsilon of the present part of the points */
    const struct hinge_monitor *monitor;
    struct progress_watch *progress;
    int regression;
    size_t folds;
    size_t count;
    size_t first, end;                   /* the points of an epsilon */
    double *C;                           /* [count] ascending for each epsilon */
    struct hinge_validation *validation; /* [count] */
    struct path_point *point;            /* [count] */
    struct output output;                /* of --path */
    struct output rows;                  /* of --predictions */
    size_t rated;                        /* points */
    unsigned settled;              /* C in succession whose solution is one for the next C, too */
    size_t best;                   /* of these */
    struct hinge_metrics *metrics; /* of the best one */
    int uncertified;               /* at least one training of --path is not certified */
    int stopped;                   /* by the limit of time, or an interrupt: */
    int interrupted;               /* which ends --path, too */
};

/* ---- --path: training on all rows --------------------------------------- */

/* Of the trainings for each C: the results of its problems. */
struct results {
    struct hinge_result *of; /* [count * problems] */
    size_t problems;
};

static enum hinge_status note_training(void *context, const struct trained *trained,
                                       struct hinge_error *error)
{
    const struct results *results = context;

    (void)error;
    results->of[trained->position * results->problems + trained->column] = *trained->result;
    return HINGE_OK;
}

/* Adds the results of a C up, in the order of the problems. */
static void add_results(struct search *search, struct path_point *point,
                        const struct hinge_result *result, size_t problems)
{
    for (size_t c = 0; c < problems; c++) {
        point->primal += result[c].primal;
        point->dual += result[c].dual;
        point->gap = c == 0 ? result[c].gap : fmax(point->gap, result[c].gap);
        point->nonzeros += result[c].nonzeros;
        point->passes += result[c].passes;
        point->seconds += result[c].seconds;
        search->uncertified |= result[c].outcome != HINGE_CERTIFIED;
        search->interrupted |= result[c].outcome == HINGE_INTERRUPTED;
    }
}

static void write_points(const struct search *search)
{
    FILE *stream = search->output.stream;

    fputs(search->regression ? "C,p,mse" : "C,score,accuracy", stream);
    fputs(",primal,dual,gap,nonzeros,passes,seconds\n", stream);
    for (size_t k = 0; k < search->count; k++) {
        const struct path_point *point = &search->point[k];

        if (!point->rated)
            continue;
        report_field(stream, search->C[k]);
        report_field(stream, search->regression ? point->epsilon : point->score);
        report_field(stream, search->regression ? point->score : point->accuracy);
        report_field(stream, point->primal);
        report_field(stream, point->dual);
        report_field(stream, point->gap);
        fprintf(stream, "%lu,%llu,%.6f\n", (unsigned long)point->nonzeros,
                (unsigned long long)point->passes, point->seconds);
    }
}

/* The points of the next epsilon; 0: there are no more. To begin with, the last one ends at 0. */
static int next_epsilon(struct search *search)
{
    search->first = search->end;
    while (search->end < search->count &&
           search->point[search->end].epsilon == search->point[search->first].epsilon)
        search->end++;
    if (search->first == search->end)
        return 0;
    search->parameters.epsilon = search->point[search->first].epsilon;
    return 1;
}

/* Trains on all rows for each of these that has a score. */
static enum hinge_status train_path(struct search *search, struct hinge_error *error)
{
    struct classes classes;
    struct path path = {.data = search->data,
                        .parameters = &search->parameters,
                        .monitor = search->monitor,
                        .rows = search->data->x.rows,
                        .C = search->C + search->first};
    struct results results = {NULL, 0};
    enum hinge_status status = HINGE_OK;
    size_t completed = 0;

    while (search->first + path.count < search->end &&
           search->point[search->first + path.count].rated)
        path.count++;
    if (path_begin(&path, &classes, error) ||
        agreement_find(path.data, path.parameters, 0, path.C, path.count, &path.team, error)) {
        status = failure(error);
    } else {
        results.problems = path_problems(&path);
        path_share_threads(&path, path_threads(&path));
    }
    if (status ||
        !(results.of = array_new(path.count, results.problems * sizeof *results.of, error)) ||
        path_check_room(&path, 0, error) ||
        path_run(&path, note_training, &results, &completed, error) || team_check(path.team, error))
        status = failure(error);
    team_free(path.team);
    for (size_t k = 0; k < completed && !status; k++)
        add_results(search, &search->point[search->first + k], results.of + k * results.problems,
                    results.problems);
    free(results.of);
    classes_free(&classes);
    return status;
}

/* The same for all C, and writes the file of --path. */
static enum hinge_status write_path(struct search *search, struct hinge_error *error)
{
    enum hinge_status status = HINGE_OK;

    for (search->end = 0; !status && !search->interrupted && next_epsilon(search);)
        status = train_path(search, error);
    if (status || search->interrupted)
        return status;
    write_points(search);
    status = output_commit(&search->output, error);
    search->output.stream = NULL;
    return status;
}

/* ---- Choosing C -------------------------------------------------------- */

/* Appends a point. */
static enum hinge_status add_point(struct search *search, double C, struct hinge_error *error)
{
    const size_t count = search->count + 1;
    double *grown = array_resize(search->C, count, sizeof *grown, error);
    struct path_point *point;

    if (!grown)
        return failure(error);
    search->C = grown;
    if (!(point = array_resize(search->point, count, sizeof *point, error)))
        return failure(error);
    search->point = point;
    grown[search->count] = C;
    point[search->count++] = (struct path_point){.epsilon = search->parameters.epsilon};
    return HINGE_OK;
}

/* -C: the range of --c-range, or LIBLINEAR's: from -c, or from the least C worth a try, to 2^10, of
 * a regression to 2^20. */
static enum hinge_status choose_range(struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const double least = settings->least_C > 0
                             ? settings->least_C
                             : hinge_least_C(search->data, &search->parameters, error);
    const double lowest = settings->ranged ? settings->lowest : log2(least);
    const double stride = settings->ranged ? settings->stride : 1;
    const double end = search->regression ? 20 : 10;
    const double highest = settings->ranged ? settings->highest : fmax(end, lowest);
    const size_t count = least > 0 ? 1 + (size_t)floor((highest - lowest) / stride + 1e-9) : 0;
    enum hinge_status status = least > 0 ? HINGE_OK : failure(error);

    for (size_t k = 0; k < count && !status; k++) /* -c to the last bit */
        status = add_point(search,
                           k == 0 && settings->least_C > 0 ? settings->least_C
                                                           : exp2(lowest + (double)k * stride),
                           error);
    return status;
}

/* The same for LIBLINEAR's values of epsilon: twentieths of the largest target, from -p or just
 * below that target down to 0. */
static enum hinge_status choose_epsilons(struct search *search, struct hinge_error *error)
{
    enum { PARTS = 20 };
    enum hinge_status status = HINGE_OK;
    double largest = 0;
    int k = PARTS - 1;

    for (size_t i = 0; i < search->data->x.rows; i++)
        largest = fmax(largest, fabs(search->data->label[i]));
    if (search->settings->most_p >= 0)
        k = (int)fmin(search->settings->most_p / (largest / PARTS), k);
    for (k = largest > 0 ? k : 0; k >= 0 && !status; k--) {
        search->parameters.epsilon = k * largest / PARTS;
        status = choose_range(search, error);
    }
    return status;
}

/* -v: the C of the parameters. */
static enum hinge_status choose_C(struct search *search, struct hinge_error *error)
{
    if (search->settings->search)
        return search->regression ? choose_epsilons(search, error) : choose_range(search, error);
    return add_point(search, search->parameters.C, error);
}

/* Counts what can be a fold: rows that do not weigh 0, or the groups that have such rows. */
static enum hinge_status count_parts(const struct search *search, size_t *parts,
                                     struct hinge_error *error)
{
    const struct hinge_parameters *parameters = &search->parameters;
    unsigned char *seen = array_new(search->groups->count, 1, error);

    if (!seen)
        return failure(error);
    for (size_t i = 0; i < search->data->x.rows; i++) {
        unsigned char *group = search->groups->count > 0 ? &seen[parameters->row_group[i]] : NULL;

        if ((parameters->row_weights > 0 && parameters->row_weight[i] == 0) || (group && *group))
            continue;
        ++*parts;
        if (group)
            *group = 1;
    }
    free(seen);
    if (search->groups->count > 0 && *parts < 2)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "--folds: all rows have the name '%.200s': at least two are needed",
                    groups_name(search->groups, 0));
    return HINGE_OK;
}

/* Like LIBLINEAR: with fewer rows, or groups of rows, than folds each is a fold. */
static enum hinge_status count_folds(struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const char *what = search->groups->count > 0 ? "group" : "row";
    size_t parts = 0;

    if (count_parts(search, &parts, error))
        return failure(error);
    search->folds = settings->folds < parts || parts < 2 ? (size_t)settings->folds : parts;
    search->named = search->groups->count > 0 && search->folds == parts;
    if (settings->folds > parts && parts > 1 && settings->folds < UINT64_MAX && !settings->quiet)
        fprintf(stderr, "%s: warning: more folds than %ss: each %s is a fold of its own\n",
                settings->program, what, what);
    return HINGE_OK;
}

/* Has any row the label of --positive? */
static enum hinge_status check_positive(const struct search *search, struct hinge_error *error)
{
    const double positive = search->settings->positive;
    size_t i = 0;

    while (i < search->data->x.rows && search->data->label[i] != positive)
        i++;
    if (!isnan(positive) && i == search->data->x.rows)
        return fail(error, HINGE_BAD_ARGUMENT, "--positive: no row has the label %.17g", positive);
    return HINGE_OK;
}

/* Before any training of -C: can the data be trained on, and are there two classes if the criterion
 * is the area under the curve? */
static enum hinge_status check_classes(const struct search *search, struct hinge_error *error)
{
    struct path path = {.data = search->data, .parameters = &search->parameters};
    struct classes classes;
    enum hinge_status status = path_begin(&path, &classes, error);

    if (status == HINGE_OK && search->settings->criterion == CRITERION_AUC && classes.count != 2)
        status = fail(error, HINGE_BAD_ARGUMENT,
                      "--criterion auc: it is for two classes, and the data have %lu",
                      (unsigned long)classes.count);
    classes_free(&classes);
    return status;
}

/* ---- Scores ------------------------------------------------------------ */

/* LIBLINEAR's line of a C, and the deviation over the folds after it. */
static enum hinge_status print_rate(const struct search *search, size_t k,
                                    struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const struct path_point *point = &search->point[k];
    const double unit = search->regression ? 1 : 100;

    if (!settings->search || settings->quiet || settings->metrics == METRICS_JSON)
        return HINGE_OK;
    progress_clear(search->progress);
    if (search->regression)
        printf("log2c=%7.2f\tp=%7.2f\tMean squared error=%g", log2(search->C[k]), point->epsilon,
               point->score);
    else
        printf("log2c=%7.2f\trate=%g", log2(search->C[k]), unit * point->score);
    if (!isnan(point->deviation))
        printf("\tdeviation=%.3g", unit * point->deviation);
    putchar('\n');
    return report_flush(error);
}

/* Computes and prints the score of a point. The best is the first of equal ones. */
static enum hinge_status rate(struct search *search, size_t k, struct hinge_error *error)
{
    const enum criterion criterion = search->settings->criterion;
    struct hinge_validation *validation = &search->validation[k];
    struct path_point *point = &search->point[k];
    const struct hinge_monitor *monitor =
        search->stopped || search->parameters.team ? NULL : search->monitor; /* ranks go on alike */
    struct hinge_metrics *metrics;
    enum hinge_status status;
    int is_best;

    validation->predictions->positive = search->settings->positive;
    metrics = hinge_metrics_new(validation->predictions, monitor, error);
    status = metrics ? HINGE_OK : failure(error);
    point->deviation = NAN;
    if (status == HINGE_OK && search->settings->search && !metrics->stopped)
        status = criterion_deviation(criterion, validation, monitor, &point->deviation, error);
    if (status || metrics->stopped) {
        search->stopped |= !status;
        hinge_metrics_free(metrics);
        return status;
    }
    if (monitor && was_interrupted()) /* some folds may have been left out of it */
        point->deviation = NAN;
    point->rated = 1;
    point->score = criterion_score(criterion, metrics);
    point->accuracy = metrics->accuracy;
    is_best = search->rated == 0 ||
              criterion_is_better(criterion, point->score, search->point[search->best].score);
    search->rated++;
    if (search->regression && search->settings->search) { /* a thousand would fill the memory */
        point->residuals = metrics->residuals;
        hinge_validation_clear(validation);
    }
    if (is_best) {
        hinge_metrics_free(search->metrics);
        search->metrics = metrics;
        search->best = k;
    } else {
        hinge_metrics_free(metrics);
    }
    return print_rate(search, k, error);
}

/* Whether no larger C can have a better score: none is better than this one; or, which is what
 * LIBLINEAR stops at, the solutions of five C in succession do not change any more: with so small a
 * sum of losses each is one for the next C, too, to within the gap asked for.
 * A range that was asked for is tried to its end. */
static int is_last(struct search *search, size_t k)
{
    enum { UNCHANGED = 5 };
    const struct settings *settings = search->settings;
    const double gap = search->parameters.gap > 0 ? search->parameters.gap : HINGE_DEFAULT_GAP;

    search->settled = search->validation[k].losses <= gap ? search->settled + 1 : 0;
    if (!settings->search || settings->ranged)
        return 0;
    return search->settled == UNCHANGED ||
           criterion_is_perfect(settings->criterion, search->point[k].score);
}

/* A point of the present epsilon has been validated. */
static enum hinge_status see(void *context, size_t number, struct hinge_validation *validation,
                             int *stop, struct hinge_error *error)
{
    struct search *search = context;
    const size_t k = search->first + number;

    search->validation[k] = *validation;
    *validation = (struct hinge_validation){0};
    search->stopped = *stop;
    search->progress->value = k + 1;
    if (*stop && (search->settings->search || !search->validation[k].predictions))
        return HINGE_OK;
    if (rate(search, k, error))
        return failure(error);
    *stop = search->stopped || is_last(search, k);
    return HINGE_OK;
}

/* Validates the points of an epsilon, one C after the other. */
static enum hinge_status validate_points(struct search *search, struct hinge_error *error)
{
    search->settled = 0;
    search->progress->value = search->first;
    return hinge_cross_validate_each(search->data, &search->parameters, search->folds,
                                     search->C + search->first, search->end - search->first,
                                     search->monitor, see, search, error);
}

/* --one-se: the smallest C whose score is not worse than the best one by more than one standard
 * error of that. Of a regression, of the points with this C the one with the best score. */
static enum hinge_status choose_within_error(struct search *search, struct hinge_error *error)
{
    const enum criterion criterion = search->settings->criterion;
    const struct path_point *best = &search->point[search->best];
    const double deviation = isnan(best->deviation) ? 0 : best->deviation;
    const double se = deviation / sqrt((double)search->folds);
    const double least = search->regression ? best->score + se : best->score - se;
    size_t chosen = search->best;

    for (size_t k = 0; k < search->count; k++)
        if (search->point[k].rated &&
            !criterion_is_better(criterion, least, search->point[k].score) &&
            (search->C[k] < search->C[chosen] ||
             (search->C[k] == search->C[chosen] &&
              criterion_is_better(criterion, search->point[k].score, search->point[chosen].score))))
            chosen = k;
    if (chosen == search->best)
        return HINGE_OK;
    search->best = chosen;
    if (search->regression) {
        search->metrics->residuals = search->point[chosen].residuals;
        return HINGE_OK;
    }
    hinge_metrics_free(search->metrics);
    search->metrics = hinge_metrics_new(search->validation[chosen].predictions, NULL, error);
    return search->metrics ? HINGE_OK : failure(error);
}

/* ---- Results ----------------------------------------------------------- */

static int all_certified(const struct search *search)
{
    for (size_t k = 0; k < search->count; k++)
        if (search->validation[k].certified < search->validation[k].trainings)
            return 0;
    return !search->uncertified && !search->stopped;
}

/* Counts the certified trainings of all C. Solvers without a certificate have no such line. */
static void print_certificates(const struct search *search)
{
    size_t trainings = 0, certified = 0;
    double gap = search->validation->gap;

    for (size_t k = 0; k < search->count; k++) {
        if (!search->point[k].rated)
            continue;
        trainings += search->validation[k].trainings;
        certified += search->validation[k].certified;
        gap = fmax(gap, search->validation[k].gap);
    }
    if (!isnan(gap))
        printf("Certified = %lu of %lu trainings (largest relative duality gap %.3g)\n",
               (unsigned long)certified, (unsigned long)trainings, report_gap(gap));
}

/* Writes "3 of 21 values of C", or of -v folds, and why there are not more. */
static void describe_part(const struct search *search, char *text, size_t size)
{
    const int values = search->settings->search;

    snprintf(text, size, "%lu of %lu %s (%s)",
             (unsigned long)(values ? search->rated : search->validation->folds),
             (unsigned long)(values ? search->count : search->folds),
             values ? "values of C" : "folds",
             search->interrupted ? "interrupted" : "stopped by the limit of time");
}

/* Marks results that are not those of the whole work. */
static void print_part(const struct search *search)
{
    char text[96];

    if (!search->stopped)
        return;
    describe_part(search, text, sizeof text);
    printf("Incomplete = %s\n", text);
}

/* LIBLINEAR's last line of -C. */
static void print_best(const struct search *search)
{
    const struct settings *settings = search->settings;
    const struct path_point *best = &search->point[search->best];

    if (!settings->search)
        return;
    if (search->regression)
        printf("Best C = %g Best p = %g  CV MSE = %g\n", search->C[search->best], best->epsilon,
               best->score);
    else
        printf("Best C = %g  CV %s = %g%%\n", search->C[search->best],
               criterion_name(settings->criterion), 100 * best->score);
}

/* What there is of the point with the best score. */
static enum hinge_status print_metrics(const struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const struct hinge_predictions *predictions = search->validation[search->best].predictions;

    if (search->regression) {
        if (!settings->search || settings->metrics)
            scores_print_regression(stdout, 1, &search->metrics->residuals, settings->metrics);
        return HINGE_OK;
    }
    if (!settings->search)
        printf("Cross Validation Accuracy = %g%%\n", 100 * search->point[search->best].score);
    if (settings->metrics == METRICS_TEXT)
        return scores_print_all(stdout, predictions, search->metrics, NULL, error);
    if (!settings->quiet && !settings->search)
        scores_print(stdout, predictions, search->metrics);
    return HINGE_OK;
}

/* All results but the rates; the metrics are those of the best C. */
static enum hinge_status report(const struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const struct hinge_validation *best = &search->validation[search->best];

    progress_clear(search->progress);
    if (search->regression && settings->metrics == METRICS_JSON) {
        scores_print_regression_json(stdout, search->C[search->best],
                                     search->point[search->best].epsilon,
                                     &search->metrics->residuals);
        return HINGE_OK;
    }
    if (settings->metrics == METRICS_JSON)
        return scores_print_json(stdout, best->C, best->predictions, search->metrics, NULL, error);
    if (print_metrics(search, error))
        return failure(error);
    if (!settings->quiet)
        print_certificates(search);
    print_part(search);
    print_best(search);
    return HINGE_OK;
}

/* The file of --predictions. */
static enum hinge_status write_rows(struct search *search, struct hinge_error *error)
{
    const struct held_out held_out = {.data = search->data,
                                      .parameters = &search->parameters,
                                      .validation = search->validation,
                                      .groups = search->named ? search->groups : NULL};
    enum hinge_status status;

    held_out_write(&held_out, search->rows.stream);
    status = output_commit(&search->rows, error);
    search->rows.stream = NULL;
    return status;
}

/* Says on standard error what was not done. */
static void warn_part(const struct search *search)
{
    const struct settings *settings = search->settings;
    char text[96];

    if (!search->stopped || settings->silent || (settings->quiet && search->rated > 0))
        return;
    describe_part(search, text, sizeof text);
    progress_clear(search->progress);
    fprintf(stderr, "%s: warning: %s: %s\n", settings->program,
            search->rated == 0 ? "no score"
            : settings->search ? "the best so far"
                               : "the score so far",
            text);
}

static enum hinge_status run(struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;

    if (count_folds(search, error) || check_positive(search, error) ||
        (settings->search && check_classes(search, error)) || choose_C(search, error) ||
        (settings->path && output_open(&search->output, settings->path, error)) ||
        (settings->predictions && output_open(&search->rows, settings->predictions, error)) ||
        !(search->validation = array_new(search->count, sizeof *search->validation, error)))
        return failure(error);
    search->progress->values = search->count;
    if (settings->search && !settings->quiet && settings->metrics != METRICS_JSON)
        printf("Doing parameter search with %lu-fold cross validation.\n",
               (unsigned long)search->folds);
    if (report_flush(error))
        return failure(error);
    while (!search->stopped && next_epsilon(search))
        if (validate_points(search, error))
            return failure(error);
    search->interrupted = search->stopped && was_interrupted();
    if (ranks_follow(search->parameters.team, &search->interrupted, error))
        return failure(error);
    search->progress->values = 0;
    if (search->rated > 0 &&
        ((settings->one_se && choose_within_error(search, error)) || report(search, error)))
        return failure(error);
    warn_part(search);
    if (settings->predictions && !search->stopped && write_rows(search, error))
        return failure(error);
    return settings->path && search->rated > 0 && !search->interrupted ? write_path(search, error)
                                                                       : HINGE_OK;
}

enum hinge_status validate(const struct settings *settings, const struct hinge_dataset *data,
                           const struct groups *groups, struct hinge_parameters *parameters,
                           const struct hinge_monitor *monitor, struct progress_watch *progress,
                           int *status, int *chosen, struct hinge_error *error)
{
    struct search search = {.settings = settings,
                            .data = data,
                            .groups = groups,
                            .parameters = *parameters,
                            .monitor = monitor,
                            .progress = progress,
                            .regression = hinge_solver_find(parameters->solver)->regression};
    enum hinge_status failed = run(&search, error);

    *chosen = !failed && search.rated > 0 && !search.interrupted;
    if (search.interrupted)
        *status = EXIT_INTERRUPTED;
    else if (!failed && (search.rated == 0 || (settings->strict && !all_certified(&search))))
        *status = EXIT_NOT_CERTIFIED;
    if (*chosen) {
        parameters->C = search.C[search.best];
        parameters->epsilon = search.point[search.best].epsilon;
    }
    for (size_t k = 0; search.validation && k < search.count; k++)
        hinge_validation_clear(&search.validation[k]);
    hinge_metrics_free(search.metrics);
    if (search.output.stream)
        output_abandon(&search.output);
    if (search.rows.stream)
        output_abandon(&search.rows);
    free(search.validation);
    free(search.point);
    free(search.C);
    return failed;
}
