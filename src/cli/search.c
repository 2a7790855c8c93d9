/* search.c - values of C, for regression also of epsilon -> folds -> scores -> the best. */
#include "cli/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/ranks.h"
#include "base/status.h"
#include "cli/report.h"
#include "learn/costs.h"
#include "learn/ranking.h"
#include "solver/loop/solver.h"

/* ---- Points and folds --------------------------------------------------- */

/* Appends the points. With -v, the point is the C of the parameters. With -C, the values of C are
 * those of --c-range, or LIBLINEAR's: from -c or the least C worth a try to 2^10, or to 2^20 for
 * regression. A search for regression tries them with each of LIBLINEAR's values of epsilon:
 * twentieths of the largest target, from -p or 19/20 of that target down to 0. */
static enum hinge_status choose_points(struct search *search, struct hinge_error *error)
{
    enum { PARTS = 20 };
    const struct settings *settings = search->settings;
    struct hinge_parameters *parameters = &search->parameters;
    const int has_epsilons = settings->search && search->is_regression;
    double largest = 0;
    int k = 0;

    for (size_t i = 0; has_epsilons && i < search->data->x.rows; i++)
        largest = fmax(largest, fabs(search->data->label[i]));
    if (!(largest <= 1e100)) /* the limit of P */
        return fail(error, HINGE_BAD_INPUT,
                    "the largest label is %g, and -C tries P up to that: scale the labels",
                    largest);
    if (largest > 0)
        k = settings->most_p >= 0 ? (int)fmin(settings->most_p / (largest / PARTS), PARTS - 1)
                                  : PARTS - 1;
    for (; k >= 0; k--) {
        double lowest = settings->lowest, highest = settings->highest, least = parameters->C;
        const double stride = settings->ranged ? settings->stride : 1;
        size_t count;

        if (has_epsilons)
            parameters->epsilon = k * largest / PARTS;
        if (settings->search && !settings->ranged) {
            least = settings->least_C > 0 ? settings->least_C
                                          : hinge_least_C(search->data, parameters, error);
            if (!(least > 0))
                return failure(error);
            lowest = log2(least);
            highest = fmax(search->is_regression ? 20 : 10, lowest);
        }
        count = settings->search ? 1 + (size_t)floor((highest - lowest) / stride + 1e-9) : 1;
        if (ARRAY_RESIZE(&search->C, search->count + count, error) ||
            ARRAY_RESIZE(&search->point, search->count + count, error))
            return failure(error);
        for (size_t j = 0; j < count; j++) { /* the multiples of -c to the last bit */
            search->C[search->count] =
                settings->ranged ? exp2(lowest + (double)j * stride) : ldexp(least, (int)j);
            search->point[search->count++] = (struct path_point){.epsilon = parameters->epsilon};
        }
    }
    return HINGE_OK;
}

/* Chooses the number of folds before any training. A fold can be a row that does not weigh 0, or a
 * group with such rows. If there are fewer rows or groups than folds, each is a fold, as in
 * LIBLINEAR. Fails if only one row weighs more than 0, or if no row has the label of --positive.
 * (Reading has checked that there are two groups.) With -C, also fails if the data cannot be
 * trained on, or if the area under the curve lacks two classes. */
static enum hinge_status prepare(struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const struct hinge_parameters *parameters = &search->parameters;
    const size_t groups = search->groups->names.count, rows = search->data->x.rows;
    const char *what = groups > 0 ? "group" : "row";
    struct path path = {.data = search->data, .parameters = parameters};
    struct classes classes;
    enum hinge_status status = HINGE_OK;
    size_t parts = 0, i = 0;
    unsigned char *is_seen = array_new(groups, 1, error);

    if (!is_seen)
        return failure(error);
    for (size_t row = 0; row < rows; row++) {
        unsigned char *own = groups > 0 ? &is_seen[parameters->row_group[row]] : NULL;

        parts += costs_of_row(parameters, row) > 0 && !(own && *own);
        if (own && costs_of_row(parameters, row) > 0)
            *own = 1;
    }
    free(is_seen);
    if (parts == 1)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "%s: there is only one row%s: at least two are needed",
                    settings_scored_by(settings),
                    parameters->row_weights > 0 ? " that weighs more than 0" : "");
    search->folds = settings->folds < parts || parts == 0 ? (size_t)settings->folds : parts;
    search->has_named_folds = groups > 0 && search->folds == parts;
    if (settings->folds > parts && parts > 0 && settings->folds < UINT64_MAX && !settings->quiet)
        report_say(settings->program, "warning: more folds than %ss: each %s is a fold of its own",
                   what, what);
    while (i < rows && search->data->label[i] != settings->positive)
        i++;
    if (!isnan(settings->positive) && i == rows)
        return fail(error, HINGE_BAD_ARGUMENT, "--positive: no row has the label %.17g",
                    settings->positive);
    if (!settings->search)
        return HINGE_OK;
    status = path_begin(&path, &classes, error);
    if (!status && criterion_kind(settings->criterion)->is_ranked && classes.count != 2)
        status = fail(error, HINGE_BAD_ARGUMENT,
                      "--criterion %s: the score is for two classes, but the data have %lu",
                      criterion_words[settings->criterion], (unsigned long)classes.count);
    classes_free(&classes);
    return status;
}

int search_next_epsilon(struct search *search)
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

/* ---- Scores ------------------------------------------------------------ */

/* Replaces the area under the curve of all rows by the mean over the folds, because decision values
 * of different models have no common scale. Keeps it if no fold has rows of both classes. */
static enum hinge_status average_area(struct hinge_metrics *metrics,
                                      const struct hinge_validation *validation,
                                      struct hinge_error *error)
{
    double mean, deviation;

    if (isnan(metrics->auc))
        return HINGE_OK;
    if (criterion_of_folds(CRITERION_AUC, validation, NULL, &mean, &deviation, error))
        return failure(error);
    if (!isnan(mean))
        metrics->auc = mean;
    return HINGE_OK;
}

/* Computes the score of a point. The best point is the first of equal ones. */
static enum hinge_status rate(struct search *search, size_t k, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const enum criterion criterion = settings->criterion;
    /* -C prints metrics of a ranking only if asked to; for a report, run measures the best point */
    const int is_ranked =
        !settings->search || settings->metrics || criterion_kind(criterion)->is_ranked;
    struct hinge_validation *validation = &search->validation[k];
    struct path_point *point = &search->point[k];
    const struct hinge_monitor *monitor = search->is_stopped || search->parameters.team
                                              ? NULL
                                              : search->monitor; /* ranks go on alike */
    struct hinge_metrics *metrics;
    enum hinge_status status;
    double mean;
    int is_best;

    validation->predictions->positive = settings->positive;
    metrics = is_ranked ? hinge_metrics_new(validation->predictions, monitor, error)
                        : metrics_of_labels(validation->predictions, error);
    status = metrics ? HINGE_OK : failure(error);
    point->deviation = NAN;
    if (status == HINGE_OK)
        status = average_area(metrics, validation, error);
    if (status == HINGE_OK && settings->search && !metrics->stopped)
        status =
            criterion_of_folds(criterion, validation, monitor, &mean, &point->deviation, error);
    if (status || metrics->stopped) {
        search->is_stopped |= !status;
        hinge_metrics_free(metrics);
        return status;
    }
    if (monitor && was_interrupted()) /* some folds may be left out of the deviation */
        point->deviation = NAN;
    point->is_rated = 1;
    point->score =
        criterion_score(criterion, metrics, validation, NULL, validation->predictions->rows);
    point->accuracy = metrics->accuracy;
    point->norm = validation->norm;
    point->weights = validation->nonzeros;
    point->calibration = rate_probabilities(validation, NULL, validation->predictions->rows);
    is_best = search->rated_count == 0 ||
              criterion_is_better(criterion, point->score, search->point[search->best].score);
    point->residuals = metrics->residuals;
    search->rated_count++;
    if (is_best) {
        hinge_metrics_free(search->metrics);
        search->metrics = metrics;
        search->best = k;
    } else {
        hinge_metrics_free(metrics);
    }
    return HINGE_OK;
}

/* Rates a validated point of the present epsilon, and prints LIBLINEAR's line for it. The last word
 * of the line is the score, because scripts read it there.
 *
 * Frees predictions that are no longer needed. A search for regression keeps the predictions of the
 * best point alone, because a thousand would fill the memory. Another search keeps the predictions
 * of all points, without decision values and probabilities.
 *
 * Stops when no larger C can have a better score: if this score is perfect, or, as in LIBLINEAR, if
 * five solutions in succession do not change any more. Their sums of losses are so small that each
 * solves the next C, too, to within the gap asked for. --c-range is tried to its end. */
static enum hinge_status see(void *context, size_t number, struct hinge_validation *validation,
                             int *stop, struct hinge_error *error)
{
    enum { UNCHANGED = 5 };
    struct search *search = context;
    const struct settings *settings = search->settings;
    const size_t k = search->first + number, before = search->best;
    const int is_first = search->rated_count == 0;
    const struct criterion_kind *kind = criterion_kind(settings->criterion);
    const double unit = kind->is_share ? 100 : 1;
    struct hinge_validation *kept = &search->validation[k];
    const struct path_point *point = &search->point[k];

    *kept = *validation;
    *validation = (struct hinge_validation){0};
    search->is_stopped = *stop;
    search->progress->value = k + 1;
    search->point[k].validation_seconds =
        stopwatch_elapsed(&search->progress->clock) - search->seen;
    search->seen = stopwatch_elapsed(&search->progress->clock);
    if (*stop && (settings->search || !kept->predictions))
        return HINGE_OK;
    if (rate(search, k, error))
        return failure(error);
    if (settings->search && point->is_rated && !search->is_regression) {
        free(kept->decision);
        free(kept->probability);
        kept->decision = kept->probability = NULL;
    } else if (settings->search && point->is_rated && !is_first) {
        hinge_validation_clear(search->best == k ? &search->validation[before] : kept);
    }
    if (settings->search && point->is_rated && !settings->quiet &&
        settings->metrics != METRICS_JSON) {
        progress_clear(search->progress);
        printf("log2c=%7.2f\t", log2(search->C[k]));
        if (search->is_regression)
            printf("p=%7.2f\t", point->epsilon);
        printf("%s=%g\n", kind->rate, unit * point->score);
        if (report_flush(error))
            return failure(error);
    }
    search->settled_count =
        kept->losses <= certified_gap(&search->parameters) ? search->settled_count + 1 : 0;
    *stop = search->is_stopped || (settings->search && !settings->ranged &&
                                   (search->settled_count == UNCHANGED ||
                                    criterion_is_perfect(settings->criterion, point->score)));
    return HINGE_OK;
}

/* Computes all metrics of the best point. */
static enum hinge_status measure_best(struct search *search, struct hinge_error *error)
{
    const struct hinge_validation *best = &search->validation[search->best];

    hinge_metrics_free(search->metrics);
    search->metrics = hinge_metrics_new(best->predictions, NULL, error);
    return search->metrics ? average_area(search->metrics, best, error) : failure(error);
}

double search_standard_error(const struct search *search)
{
    const double deviation = search->point[search->best].deviation;

    return isnan(deviation) ? 0 : deviation / sqrt((double)search->folds);
}

/* Chooses for --one-se the smallest C whose score is not worse than the best one by more than one
 * standard error. For regression, chooses among the points with this C the one with the best score.
 */
static enum hinge_status choose_within_error(struct search *search, struct hinge_error *error)
{
    const enum criterion criterion = search->settings->criterion;
    const struct path_point *best = &search->point[search->best];
    const double se = search_standard_error(search);
    const double least =
        criterion_kind(criterion)->is_minimised ? best->score + se : best->score - se;
    size_t chosen = search->best;

    for (size_t k = 0; k < search->count; k++)
        if (search->point[k].is_rated &&
            !criterion_is_better(criterion, least, search->point[k].score) &&
            (search->C[k] < search->C[chosen] ||
             (search->C[k] == search->C[chosen] &&
              criterion_is_better(criterion, search->point[k].score, search->point[chosen].score))))
            chosen = k;
    if (chosen == search->best)
        return HINGE_OK;
    search->best = chosen;
    if (search->is_regression)
        search->metrics->residuals = search->point[chosen].residuals;
    return search->is_regression ? HINGE_OK : measure_best(search, error);
}

/* ---- From the first to the last -------------------------------------------- */

static enum hinge_status run(struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;

    if (prepare(search, error) || choose_points(search, error) ||
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
    while (!search->is_stopped && search_next_epsilon(search)) {
        search->settled_count = 0;
        search->seen = stopwatch_elapsed(&search->progress->clock);
        search->progress->value = search->first;
        if (hinge_cross_validate_each(search->data, &search->parameters, search->folds,
                                      search->C + search->first, search->end - search->first,
                                      search->monitor, see, search, error))
            return failure(error);
    }
    search->is_interrupted = search->is_stopped && was_interrupted();
    if (ranks_follow(search->parameters.team, &search->is_interrupted, error))
        return failure(error);
    search->progress->values = 0;
    if (search->rated_count > 0 &&
        ((settings->one_se && choose_within_error(search, error)) || search_report(search, error)))
        return failure(error);
    if (search_warn(search, error))
        return failure(error);
    if (settings->report && search->rated_count > 0 &&
        ((!search->is_regression && isnan(search->metrics->auc) && measure_best(search, error)) ||
         train_page_search(search->page, search, error)))
        return failure(error);
    if (settings->predictions && !search->is_stopped && search_write_rows(search, error))
        return failure(error);
    return settings->path && search->rated_count > 0 && !search->is_interrupted
               ? search_write_path(search, error)
               : HINGE_OK;
}

enum hinge_status validate(const struct settings *settings, const struct hinge_dataset *data,
                           const struct groups *groups, struct hinge_parameters *parameters,
                           struct monitors *monitors, int *status, int *chosen,
                           struct hinge_error *error)
{
    struct search search = {.settings = settings,
                            .data = data,
                            .groups = groups,
                            .parameters = *parameters,
                            .monitor = monitors->list,
                            .progress = &monitors->progress,
                            .page = &monitors->page,
                            .is_regression = hinge_solver_find(parameters->solver)->regression};
    enum hinge_status failed = run(&search, error);

    *chosen = !failed && search.rated_count > 0 && !search.is_interrupted;
    if (search.is_interrupted)
        *status = EXIT_INTERRUPTED;
    else if (!failed &&
             (search.rated_count == 0 || (settings->strict && !search_all_certified(&search))))
        *status = EXIT_NOT_CERTIFIED;
    if (*chosen) {
        parameters->C = search.C[search.best];
        parameters->epsilon = search.point[search.best].epsilon;
    }
    for (size_t k = 0; search.validation && k < search.count; k++)
        hinge_validation_clear(&search.validation[k]);
    hinge_metrics_free(search.metrics);
    output_abandon(&search.output);
    output_abandon(&search.rows);
    free(search.validation);
    free(search.point);
    free(search.C);
    progress_clear(&monitors->progress);
    if (!failed) {
        *status = report_end(settings->program, *status);
        failed = ranks_follow(parameters->team, status, error);
    }
    monitors->time.limit = HUGE_VAL; /* the limit ends here; the folds of -b 1 may follow */
    monitors->time.is_over = 0;
    return failed;
}
