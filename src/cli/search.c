/* search.c - points -> folds -> scores -> the best. */
#include "cli/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/ranks.h"
#include "base/status.h"
#include "cli/report.h"
#include "learn/ranking.h"
#include "solver/loop/solver.h"

/* ---- Scores ------------------------------------------------------------ */

/* Prints LIBLINEAR's line for a C. It ends with the score, which scripts take as its last word. */
static enum hinge_status print_rate(const struct search *search, size_t k,
                                    struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const struct path_point *point = &search->point[k];
    const struct criterion_kind *kind = criterion_kind(settings->criterion);

    if (!settings->search || settings->quiet || settings->metrics == METRICS_JSON)
        return HINGE_OK;
    progress_clear(search->progress);
    printf("log2c=%7.2f\t", log2(search->C[k]));
    if (search->is_regression)
        printf("p=%7.2f\t", point->epsilon);
    printf("%s=%g\n", kind->rate, kind->is_share ? 100 * point->score : point->score);
    return report_flush(error);
}

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

/* Computes and prints the score of a point. The best is the first of equal ones. */
static enum hinge_status rate(struct search *search, size_t k, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const enum criterion criterion = settings->criterion;
    /* the lines of -C alone need no metrics of a ranking, and a report needs those of the best */
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
    if (monitor && was_interrupted()) /* some folds may have been left out of it */
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
    search->rated_count++;
    if (search->is_regression && settings->search) { /* a thousand would fill the memory */
        point->residuals = metrics->residuals;
        if (!is_best || search->rated_count > 1)
            hinge_validation_clear(is_best ? &search->validation[search->best] : validation);
    } else if (settings->search) { /* only the score needs probabilities */
        free(validation->decision);
        free(validation->probability);
        validation->decision = validation->probability = NULL;
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

/* Rates a point of the present epsilon that has been validated. No larger C can have a better score
 * if this one is perfect, or, as in LIBLINEAR, the solutions of five C in succession do not change
 * any more. With so small a sum of losses, each of them is a solution for the next C too, to within
 * the gap asked for. A range that was asked for is tried to its end. */
static enum hinge_status see(void *context, size_t number, struct hinge_validation *validation,
                             int *stop, struct hinge_error *error)
{
    enum { UNCHANGED = 5 };
    struct search *search = context;
    const struct settings *settings = search->settings;
    const size_t k = search->first + number;

    search->validation[k] = *validation;
    *validation = (struct hinge_validation){0};
    search->is_stopped = *stop;
    search->progress->value = k + 1;
    search->point[k].validation_seconds =
        stopwatch_elapsed(&search->progress->clock) - search->seen;
    search->seen = stopwatch_elapsed(&search->progress->clock);
    if (*stop && (settings->search || !search->validation[k].predictions))
        return HINGE_OK;
    if (rate(search, k, error))
        return failure(error);
    search->settled_count = search->validation[k].losses <= certified_gap(&search->parameters)
                                ? search->settled_count + 1
                                : 0;
    *stop =
        search->is_stopped || (settings->search && !settings->ranged &&
                               (search->settled_count == UNCHANGED ||
                                criterion_is_perfect(settings->criterion, search->point[k].score)));
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

/* Chooses for --one-se the smallest C whose score is not worse than the best one by more than one
 * standard error. For regression, chooses among the points with this C the one with the best score.
 */
static enum hinge_status choose_within_error(struct search *search, struct hinge_error *error)
{
    const enum criterion criterion = search->settings->criterion;
    const struct path_point *best = &search->point[search->best];
    const double deviation = isnan(best->deviation) ? 0 : best->deviation;
    const double se = deviation / sqrt((double)search->folds);
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

    if (search_prepare(search, error) || search_choose(search, error) ||
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
    return failed;
}
