/* search_report.c - "Cross Validation Accuracy = X%", "Best C = X  CV accuracy = Y%"; for
 * regression "Best C = X Best p = Y  CV MSE = Z". LIBLINEAR's line is the last one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/monitors.h"
#include "cli/report.h"
#include "cli/search.h"
#include "cli/text.h"
#include "data/number.h"
#include "learn/costs.h"
#include "learn/ranking.h"

int search_all_certified(const struct search *search)
{
    for (size_t k = 0; k < search->count; k++)
        if (search->validation[k].certified < search->validation[k].trainings)
            return 0;
    return !search->is_uncertified && !search->is_stopped;
}

/* Writes "3 of 21 values of C", or for -v "3 of 5 folds", and the reason why others are missing. */
static void describe_part(const struct search *search, char *text, size_t size)
{
    const int values = search->settings->search;

    snprintf(text, size, "%lu of %lu %s (%s)",
             (unsigned long)(values ? search->rated_count : search->validation->folds),
             (unsigned long)(values ? search->count : search->folds),
             values ? "values of C" : "folds",
             search->is_interrupted ? "interrupted" : "stopped by the limit of time");
}

/* Prints how many trainings of all C are certified, unless the solver has no certificate, the
 * deviation of the best score over the folds, and how much was done. */
static void print_trainings(const struct search *search)
{
    const struct settings *settings = search->settings;
    const double deviation = search->point[search->best].deviation;
    const int is_share = criterion_kind(settings->criterion)->is_share;
    size_t trainings = 0, certified = 0;
    double gap = search->validation->relative_gap;
    char text[96];

    if (!settings->quiet) {
        for (size_t k = 0; k < search->count; k++) {
            if (!search->point[k].is_rated)
                continue;
            trainings += search->validation[k].trainings;
            certified += search->validation[k].certified;
            gap = fmax(gap, search->validation[k].relative_gap);
        }
        if (!isnan(gap))
            printf("Certified = %lu of %lu trainings (largest relative duality gap %.3g)\n",
                   (unsigned long)certified, (unsigned long)trainings, report_gap(gap));
        if (settings->search && !isnan(deviation))
            printf("Deviation over the folds = %.3g%s\n", is_share ? 100 * deviation : deviation,
                   is_share ? "%" : "");
        if (!settings->writes_model)
            report_reads(search->data);
    }
    if (search->is_stopped) {
        describe_part(search, text, sizeof text);
        printf("Incomplete = %s\n", text);
    }
}

/* Prints the value with the fewest digits that are read as the same value, but at least 6. */
static void print_exactly(const char *name, double value)
{
    char text[NUMBER_LENGTH];
    double read = NAN;

    for (int digits = 6; digits <= 17 && read != value; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        number_parse(text, &read);
    }
    printf("%s%s", name, text);
}

struct scored search_scored(const struct search *search)
{
    const struct hinge_calibration *calibration = &search->point[search->best].calibration;
    const struct scored scored = {search->validation[search->best].predictions, search->metrics,
                                  calibration->rows > 0 ? calibration : NULL,
                                  &search->settings->names};

    return scored;
}

enum hinge_status search_report(const struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const struct hinge_validation *best = &search->validation[search->best];
    const struct path_point *point = &search->point[search->best];
    const struct criterion_kind *kind = criterion_kind(settings->criterion);
    const double C = search->C[search->best];
    const int json = settings->metrics == METRICS_JSON;
    const struct scored scored = search_scored(search);
    const int is_member = settings->json && settings->writes_model && !search->is_interrupted;

    progress_clear(search->progress);
    if (is_member) /* the training follows as a second member */
        fputs("{\"validation\":", stdout);
    if (!json)
        print_trainings(search);
    if (search->is_regression && (!settings->search || settings->metrics))
        scores_print_regression(stdout, settings->metrics, is_member, 1, best->C, point->epsilon,
                                &search->metrics->residuals);
    else if (!search->is_regression &&
             (settings->metrics || (!settings->quiet && !settings->search)) &&
             scores_print(stdout, settings->metrics, is_member, best->C, &scored, error))
        return failure(error);
    /* scripts take LIBLINEAR's line as the last one */
    if (settings->search && !json) {
        print_exactly("Best C = ", C);
        if (search->is_regression)
            print_exactly(" Best p = ", point->epsilon);
        printf("  CV %s = %g%s\n", kind->name, kind->is_share ? 100 * point->score : point->score,
               kind->is_share ? "%" : "");
    }
    if (!settings->search && !json && !search->is_regression)
        printf("Cross Validation Accuracy = %g%%\n", 100 * point->score);
    return HINGE_OK;
}

/* ---- The file of --predictions -------------------------------------------- */

/* Prints ",PREFIX_LABEL" for each class; with two classes, ",PREFIX" for the positive one. */
static void print_columns(const struct search *search, size_t columns, const char *prefix,
                          FILE *stream)
{
    enum { PREFIX = 16 };
    const double *label = search->validation->predictions->label;
    char name[NAMES_LABEL], column[PREFIX + NAMES_LABEL];

    for (size_t c = 0; c < columns; c++) {
        snprintf(column, sizeof column, "%s", prefix);
        if (columns > 1) {
            names_print_label(&search->settings->names, label[c], name);
            snprintf(column, sizeof column, "%s_%s", prefix, name);
        }
        putc(',', stream);
        text_print_field(stream, column, ",\"");
    }
}

/* Prints a comma and a label, as the word of the map if there is one. */
static void print_label(const struct search *search, double label, FILE *stream)
{
    const char *word = search->validation->predictions->known > 0
                           ? names_of_label(&search->settings->names, label)
                           : NULL;

    if (word) {
        putc(',', stream);
        text_print_field(stream, word, ",\"\n\r");
    } else {
        report_field(stream, ',', label);
    }
}

enum hinge_status search_write_rows(struct search *search, struct hinge_error *error)
{
    const struct hinge_validation *validation = search->validation;
    const struct groups *groups = search->groups;
    FILE *stream = search->rows.stream;
    const struct hinge_predictions *predictions = validation->predictions;
    const double *probability = validation->probability;
    const size_t columns = predictions->known == 2 ? 1 : predictions->known;
    /* two classes have the decision value and the probability of the positive one alone */
    const size_t first =
        columns == 1 ? positive_class(predictions->label, 2, predictions->positive) : 0;
    size_t i = 0;

    fputs("row,fold,label,predicted", stream);
    print_columns(search, columns, "decision", stream);
    print_columns(search, columns, "probability", stream);
    putc('\n', stream);
    for (size_t row = 0; row < search->data->x.rows; row++) {
        if (costs_of_row(&search->parameters, row) == 0)
            continue;
        fprintf(stream, "%lu,", (unsigned long)row + 1);
        if (search->has_named_folds)
            text_print_field(stream, dictionary_text(&groups->names, groups->of_row[row]), ",\"");
        else
            fprintf(stream, "%lu", (unsigned long)validation->fold[i] + 1);
        print_label(search, search->data->label[row], stream);
        print_label(search,
                    predictions->known > 0 ? predictions->label[predictions->predicted[i]]
                                           : predictions->decision[i],
                    stream);
        for (size_t c = 0; c < columns; c++) {
            const double decision = validation->decision[i * validation->columns + c];

            report_field(stream, ',', first == 1 ? 0 - decision : decision);
        }
        for (size_t c = first; c < first + columns; c++)
            report_field(stream, ',', probability ? probability[i * predictions->known + c] : NAN);
        putc('\n', stream);
        i++;
    }
    return output_commit(&search->rows, error);
}

/* Names the classes that have all their rows in one fold, because each such row is an error. If
 * there is none, gives the advice about classes that are not recognised. */
static enum hinge_status warn_of_classes(const struct search *search, struct hinge_error *error)
{
    enum { MOST = 4, ROOM = NAMES_LABEL + 2 }; /* names, and the room for a name */
    const struct hinge_validation *validation = &search->validation[search->best];
    const struct hinge_predictions *predictions = validation->predictions;
    uint32_t *fold = array_new(predictions->known, sizeof *fold, error);
    char names[MOST * ROOM] = "", name[NAMES_LABEL];
    size_t hidden = 0, length = 0;

    if (!fold)
        return failure(error);
    for (size_t i = 0; i < predictions->rows; i++) {
        uint32_t *own = &fold[predictions->given[i]]; /* 0: none, 1 + fold, UINT32_MAX: several */

        *own = *own == 0 || *own == validation->fold[i] + 1 ? validation->fold[i] + 1 : UINT32_MAX;
    }
    for (size_t c = 0; c < predictions->known; c++)
        if (fold[c] > 0 && fold[c] < UINT32_MAX && hidden++ < MOST) {
            names_print_label(&search->settings->names, predictions->label[c], name);
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       length > 0 ? ", " : "", name);
        }
    if (hidden > 0)
        report_say(search->settings->program,
                   "warning: class%s %s%s in one fold only, whose model cannot predict %s",
                   hidden > 1 ? "es" : "", names,
                   hidden > MOST ? ", ... are"
                   : hidden > 1  ? " are"
                                 : " is",
                   hidden > 1 ? "them" : "it");
    free(fold);
    if (hidden == 0)
        advise_classes(search->settings->program, &search->settings->names, predictions->label,
                       search->metrics->by_class, search->metrics->classes,
                       search->settings->parameters.balanced);
    return HINGE_OK;
}

/* If the best C is at an end of its range and scores still rose there, the hint to try a wider
 * range is printed with --quiet, too. For breast-cancer and --c-range -10:-6, C = 2^-6 has 95.3 %,
 * and --c-range -6:4 finds 97.0 %. At the largest C, scores still rose if the score is better than
 * NEAR values before by more than a standard error. From C = 2^-3 to 2^10, a9a has 84.70 % to
 * 84.80 % with -s 0, with a standard error of 0.18 %. */
enum hinge_status search_warn(const struct search *search, struct hinge_error *error)
{
    enum { NEAR = 3, MORE = 10, MOST = 332 };
    const struct settings *settings = search->settings;
    const size_t k = search->best;
    char text[96];

    if (settings->silent)
        return HINGE_OK;
    progress_clear(search->progress);
    if (settings->search && !settings->one_se && !search->is_stopped && search->rated_count > 0) {
        const struct path_point *point = &search->point[k];
        const double log2c = log2(search->C[k]);
        const int is_first = k == 0 || search->C[k - 1] > search->C[k];
        const int is_last = k + 1 == search->count || search->C[k + 1] < search->C[k];
        /* below the first C of the default range, predictions hardly change */
        const int at_start = is_first && (settings->ranged || settings->least_C > 0) && !is_last &&
                             point[1].is_rated && point[1].score != point->score;
        size_t near = k;
        int at_end;

        while (near > 0 && k - near < NEAR && search->C[near - 1] < search->C[near])
            near--;
        at_end = is_last &&
                 fabs(point->score - search->point[near].score) > search_standard_error(search);
        if ((at_start || at_end) && fabs(log2c) + MORE <= MOST)
            report_say(settings->program,
                       "warning: the best C is the %s that was tried; try also --c-range %g:%g",
                       at_end ? "largest" : "smallest", at_end ? log2c : log2c - MORE,
                       at_end ? log2c + MORE : log2c);
    }
    if (search->rated_count > 0 && search->metrics->classes > 0 && !settings->quiet &&
        !hinge_solver_find(settings->parameters.solver)->one_class &&
        warn_of_classes(search, error))
        return failure(error);
    if (!search->is_stopped || (settings->quiet && search->rated_count > 0))
        return HINGE_OK;
    describe_part(search, text, sizeof text);
    report_say(settings->program, "warning: %s: %s",
               search->rated_count == 0 ? "no score"
               : settings->search       ? "the best so far"
                                        : "the score so far",
               text);
    return HINGE_OK;
}
