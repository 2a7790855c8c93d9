/* train_advice.c - prints a line for labels that are no classes, for weights and options without a
 * meaning, and for a C that is too small for the targets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "cli/advice.h"
#include "cli/report.h"
#include "cli/train_options.h"
#include "data/matrix.h"
#include "learn/classes.h"
#include "learn/costs.h"
#include "model/model.h"

/* ---- Labels ------------------------------------------------------------ */

/* Adds the labels of the rows 0, stride, 2 stride, ... while there are fewer than `most`. */
static void add_labels(const struct hinge_dataset *data, size_t stride, size_t most,
                       struct labels *labels)
{
    struct hinge_error ignored; /* if memory is short, there is no advice */
    uint32_t number;

    for (size_t i = 0; i < data->x.rows && labels->count < most; i += stride) {
        const double label = data->label[i];

        /* most rows have one of the first two labels, which need no search */
        if (labels->count < 2 || (label != labels->label[0] && label != labels->label[1]))
            if (labels_number(labels, label, &number, &ignored))
                break;
    }
}

/* True if the parameters give the weight 0 to every label. */
static int all_weigh_nothing(const struct hinge_parameters *parameters, const struct labels *labels)
{
    struct hinge_error ignored; /* if memory is short, there is no advice */
    struct label_weights given;
    int nothing = !label_weights_find(&given, parameters, &ignored) && labels->count > 0;

    for (size_t c = 0; c < labels->count && nothing; c++) {
        const size_t k = labels_find(&given.labels, labels->label[c]);

        nothing = k < given.labels.count && given.product[k] == 0;
    }
    label_weights_free(&given);
    return nothing;
}

/* Warns a classifier of labels that are no classes. For most data, a sample has enough labels to
 * tell. */
void advise_labels(const struct settings *settings, const struct hinge_dataset *data)
{
    enum { SAMPLED = 1000 };
    const struct hinge_solver *solver = hinge_solver_find(settings->parameters.solver);
    const int is_classifier = !solver->regression && !solver->one_class;
    const size_t rows = data->x.rows;
    struct labels labels = {0};
    size_t fractions = 0;

    if (is_classifier)
        add_labels(data, rows / SAMPLED + 1, FEW_CLASSES + 1, &labels);
    if (labels.count > FEW_CLASSES) {
        add_labels(data, 1, SIZE_MAX, &labels);
        for (size_t i = 0; i < rows; i++)
            fractions += data->label[i] != floor(data->label[i]);
        if (are_numbers(labels.count, fractions, rows))
            report_say(settings->program,
                       "warning: %lu labels for %lu rows look like numbers to predict, and each "
                       "is taken for a class: for a regression take -s 11",
                       (unsigned long)labels.count, (unsigned long)rows);
    }
    if (is_classifier && !settings->quiet) {
        if (labels.count <= 3)
            add_labels(data, 1, 4, &labels);
        /* 400 rows, 60 % with label 0: 89.75 % of labelled rows correct; 91 % without those rows */
        if (labels.count == 3 && labels_find(&labels, 0) < 3 && labels_find(&labels, 1) < 3 &&
            labels_find(&labels, -1) < 3)
            report_say(settings->program,
                       "advice: 0 is a third class beside 1 and -1; if these rows have no label, "
                       "leave them out: awk '$1 != 0' DATA > LABELLED");
        if (settings->parameters.weights > 0)
            add_labels(data, 1, SIZE_MAX, &labels);
        if (settings->parameters.weights > 0 && all_weigh_nothing(&settings->parameters, &labels))
            report_say(settings->program,
                       "advice: all classes weigh 0, so the model is 0: give one of them a weight "
                       "above 0");
    }
    if (solver->regression && !settings->quiet) {
        add_labels(data, 1, 3, &labels);
        if (labels.count == 2)
            report_say(settings->program,
                       "warning: all labels are %.17g or %.17g: for two classes take -s 1",
                       labels.label[0], labels.label[1]);
    }
    labels_free(&labels);
}

/* Numbers the label, and prints a warning of it, with text before and after, if it had no number.
 * Returns 0 if memory is short. */
static int warn_of_new(const struct settings *settings, struct labels *labels, const char *before,
                       double label, const char *after)
{
    const size_t known = labels->count;
    struct hinge_error ignored;
    char name[NAMES_LABEL];
    uint32_t number;

    if (labels_number(labels, label, &number, &ignored))
        return 0;
    names_print_label(&settings->names, label, name);
    if (labels->count > known)
        report_say(settings->program, "warning: %s %s%s", before, name, after);
    return 1;
}

/* Numbers the labels of the rows that weigh more than 0, then those of the other rows, then those
 * with a weight. */
void advise_weights(const struct settings *settings, const struct hinge_parameters *parameters,
                    const struct hinge_dataset *data)
{
    const struct hinge_solver *solver = hinge_solver_find(parameters->solver);
    const size_t rows = parameters->weights > 0 || parameters->row_weights > 0 ? data->x.rows : 0;
    struct hinge_error ignored;
    struct labels labels = {0};
    int has_room = 1; /* if memory is short, there are no more warnings */
    uint32_t number;

    if (solver->regression || solver->one_class) {
        if (parameters->weights > 0)
            report_say(settings->program, "warning: %s has no classes: their weights are ignored",
                       solver->regression ? "a regression" : "a one-class SVM");
        return;
    }
    for (size_t i = 0; i < rows && has_room; i++)
        if (costs_of_row(parameters, i) > 0)
            has_room = !labels_number(&labels, data->label[i], &number, &ignored);
    for (size_t i = 0; i < rows && has_room; i++)
        if (costs_of_row(parameters, i) == 0)
            has_room = warn_of_new(settings, &labels, "all rows with the label", data->label[i],
                                   " weigh 0");
    for (size_t k = 0; k < parameters->weights && has_room; k++)
        has_room = warn_of_new(settings, &labels, "no row has the label",
                               parameters->weight_label[k], ", for which a weight is given");
    labels_free(&labels);
}

void advise_ignored(const struct settings *settings)
{
    const char *solver = hinge_solver_find(settings->parameters.solver)->name;

    if (settings->parameters.threads != 1 && parallel_threads(2) == 1)
        report_say(settings->program,
                   "warning: %s is ignored: this program was built without OpenMP",
                   option_called(THREADS));
    for (int key = SOLVER; key < KEYS_END; key++)
        if (settings->ignored & BIT(key))
            report_say(settings->program,
                       "warning: %s is ignored: it has no meaning for --solver %s",
                       option_called(key), solver);
    if (settings->unwritten)
        report_say(settings->program, "warning: %s writes no model%s: '%.200s' is not written",
                   settings_scored_by(settings), settings->search ? " without --refit" : "",
                   settings->unwritten);
}

/* ---- Predictions ------------------------------------------------------- */

/* If C is too small, regression predicts numbers near 0. For 300 houses with features
 * between -1 and 1, -s 13 -c 1 has the mean squared error 1.46e11, and -C finds 6.1e7. Without -p
 * -C also searches for p, takes 20 times as long, and finds the same. */
void advise_regression(const struct settings *settings, const struct hinge_dataset *data,
                       const struct hinge_model *model)
{
    enum { SAMPLED = 1000 };
    static const double FAR_BELOW = 0.1;
    const struct hinge_parameters *parameters = &settings->parameters;
    double target = 0, largest = 0, sum = 0, prediction, predicted = 0;
    size_t sampled = 0;
    struct hinge_error ignored; /* if memory is short, there is no advice */
    double *room;

    if (model->classes > 0 || hinge_dataset_is_paged(data) ||
        !(room = array_new(matrix_longest(&data->x), ROW_ENTRY, &ignored)))
        return;
    for (size_t i = 0; i < data->x.rows; i += data->x.rows / SAMPLED + 1) {
        const struct hinge_row row = matrix_row(&data->x, i, room);

        hinge_decision_values(model, &row, &prediction);
        predicted = fmax(predicted, fabs(prediction));
        largest = fmax(largest, fabs(data->label[i]));
        target += fabs(data->label[i]);
        sum += data->label[i];
        sampled++;
    }
    free(room);
    if (parameters->epsilon >= largest && largest > 0)
        report_say(settings->program,
                   "advice: no target is beyond p = %g, so the model is 0: take a smaller -p, "
                   "such as -p %.1g",
                   parameters->epsilon, largest / 100);
    else if (predicted > 0 && predicted < FAR_BELOW * target / (double)sampled &&
             fabs(sum) > target / 2 && !settings->search) {
        fprintf(stderr, "%s: advice: targets reach %.3g, predictions %.3g: C = %g is too small; ",
                settings->program, largest, predicted, parameters->C);
        fputs("find a better one: ", stderr);
        print_sibling(settings->called, "train", stderr);
        fprintf(stderr, " -C --refit -s %d -p %g -B %g DATA MODEL\n", parameters->solver,
                parameters->epsilon, parameters->bias > 0 ? parameters->bias : 1);
    }
}
