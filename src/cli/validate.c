/* validate.c - points -> folds -> scores -> the best. */
#include "cli/validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/ranks.h"
#include "base/status.h"
#include "cli/criterion.h"
#include "cli/interrupt.h"
#include "cli/report.h"
#include "cli/search.h"
#include "learn/metrics.h"
#include "solver/loop/solver.h"

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

/* Whether anybody asks for the metrics of a ranking, as the lines of -C alone do not. */
static int is_ranked(const struct search *search)
{
    const struct settings *settings = search->settings;

    return !settings->search || settings->metrics || settings->criterion == CRITERION_AUC;
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
    metrics = is_ranked(search) ? hinge_metrics_new(validation->predictions, monitor, error)
                                : metrics_of_labels(validation->predictions, error);
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

    search->settled = search->validation[k].losses <= certified_gap(&search->parameters)
                          ? search->settled + 1
                          : 0;
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

/* ---- From the first to the last -------------------------------------------- */

static enum hinge_status run(struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;

    if (search_count_folds(search, error) || search_check_positive(search, error) ||
        (settings->search && search_check_classes(search, error)) || search_choose(search, error) ||
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
    while (!search->stopped && search_next_epsilon(search))
        if (validate_points(search, error))
            return failure(error);
    search->interrupted = search->stopped && was_interrupted();
    if (ranks_follow(search->parameters.team, &search->interrupted, error))
        return failure(error);
    search->progress->values = 0;
    if (search->rated > 0 &&
        ((settings->one_se && choose_within_error(search, error)) || search_report(search, error)))
        return failure(error);
    search_warn(search);
    if (settings->predictions && !search->stopped && search_write_rows(search, error))
        return failure(error);
    return settings->path && search->rated > 0 && !search->interrupted
               ? search_write_path(search, error)
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
    else if (!failed && (search.rated == 0 || (settings->strict && !search_all_certified(&search))))
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
