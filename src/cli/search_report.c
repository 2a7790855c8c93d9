/* search_report.c - "Cross Validation Accuracy = X%", "Best C = X  CV accuracy = Y%"; of a
 * regression "Best C = X Best p = Y  CV MSE = Z". */
#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "cli/criterion.h"
#include "cli/predictions_file.h"
#include "cli/report.h"
#include "cli/scores.h"
#include "cli/search.h"
#include "cli/training_report.h"

int search_all_certified(const struct search *search)
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
    double gap = search->validation->relative_gap;

    for (size_t k = 0; k < search->count; k++) {
        if (!search->point[k].rated)
            continue;
        trainings += search->validation[k].trainings;
        certified += search->validation[k].certified;
        gap = fmax(gap, search->validation[k].relative_gap);
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

enum hinge_status search_report(const struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const struct hinge_validation *best = &search->validation[search->best];
    const struct path_point *point = &search->point[search->best];
    const int json = settings->metrics == METRICS_JSON;

    progress_clear(search->progress);
    if (search->regression) {
        if (!settings->search || settings->metrics)
            scores_print_regression(stdout, settings->metrics, 1, best->C, point->epsilon,
                                    &search->metrics->residuals);
    } else {
        if (!settings->search && !json)
            printf("Cross Validation Accuracy = %g%%\n", 100 * point->score);
        if ((settings->metrics || (!settings->quiet && !settings->search)) &&
            scores_print(stdout, settings->metrics, best->C, best->predictions, search->metrics,
                         NULL, error))
            return failure(error);
    }
    if (json)
        return HINGE_OK;
    if (!settings->quiet)
        print_certificates(search);
    print_part(search);
    print_best(search);
    return HINGE_OK;
}

enum hinge_status search_write_rows(struct search *search, struct hinge_error *error)
{
    const struct predictions_file file = {.data = search->data,
                                          .parameters = &search->parameters,
                                          .validation = search->validation,
                                          .groups = search->named ? search->groups : NULL};

    predictions_file_write(&file, search->rows.stream);
    return output_commit(&search->rows, error);
}

void search_warn(const struct search *search)
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
