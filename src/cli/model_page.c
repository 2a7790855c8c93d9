/* model_page.c - model -> facts, a sentence about its certificate, pictures of its weights. */
#include "cli/model_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/report.h"
#include "cli/text.h"
#include "data/number.h"
#include "model/model.h"
#include "model/weights.h"
#include "report/figure.h"

/* The first CLASSES_DRAWN problems have pictures of at most WEIGHTS_MOST weights; a table has all
 * problems. */
enum { CLASSES_DRAWN = 30, WEIGHTS_MOST = 50, BINS = 40, NAME = 100 };

/* Prints the word of a class, or "class" and its label. */
static void print_class(char text[NAME], double label, const struct names *names)
{
    char name[NAMES_LABEL];

    names_print_label(names, label, name);
    snprintf(text, NAME, "%s%s", names_of_label(names, label) ? "" : "class ", name);
}

void model_column_title(char title[COLUMN_TITLE], const struct hinge_model *model, size_t column,
                        const struct names *names)
{
    char one[NAME], other[NAME];

    if (model->classes == 0 || model->one_class) {
        snprintf(title, COLUMN_TITLE, "weights");
        return;
    }
    print_class(one, model->label[column], names);
    if (model->classes == 2 && model->columns == 1) {
        print_class(other, model->label[1], names);
        snprintf(title, COLUMN_TITLE, "%s against %s", one, other);
    } else {
        snprintf(title, COLUMN_TITLE, "%s%s", one,
                 strcmp(model->solver_type, "MCSVM_CS") == 0 ? "" : " against the rest");
    }
}

enum hinge_status command_page(struct page *page, FILE *stream, const char *title, int argc,
                               char **argv, struct hinge_error *error)
{
    char *command = NULL;

    for (int k = 0; k < argc; k++)
        if (text_append_word(&command, k ? argv[k] : program_name(argv[0]), error)) {
            free(command);
            return failure(error);
        }
    page_begin(page, stream, title);
    page_facts(page);
    page_fact(page, "Command", "%s", command);
    page_fact(page, "Version of hinge", HINGE_VERSION);
    page_facts_end(page);
    free(command);
    return HINGE_OK;
}

void certificate_page(struct page *page, double gap, int is_certified)
{
    if (isnan(gap))
        page_paragraph(page, "It is not known how near to the optimum this model is.");
    else if (gap < 1)
        page_paragraph(
            page,
            "The objective is at most %.3g %% above the smallest possible: proven by a dual "
            "point%s.",
            100 * gap / (1 - gap),
            is_certified ? ", and certified as asked" : ", but more was asked");
    else
        page_paragraph(page, "The objective is not known to be near the smallest possible: the "
                             "training ended before a dual point could prove it.");
}

/* Returns the value with that name for each column of weights. The caller frees the array. */
static double *values_of_columns(const struct hinge_model *model, const char *name,
                                 struct hinge_error *error)
{
    double *value = array_new(model->columns, sizeof *value, error);

    if (value)
        hinge_model_values(model, name, model->columns, value);
    return value;
}

static enum hinge_status draw_largest(struct page *page, const struct hinge_model *model,
                                      const struct weight_column *column, size_t c,
                                      const struct names *names, struct hinge_error *error)
{
    char title[COLUMN_TITLE], heading[COLUMN_TITLE + 40];
    char(*text)[NAME] = array_new(column->kept, sizeof *text, error);
    const char **name = text ? array_new(column->kept, sizeof *name, error) : NULL;
    double *value = name ? array_new(column->kept, sizeof *value, error) : NULL;
    struct bars bars = {heading,
                        "A positive weight speaks for the class that is named first. "
                        "Weights can be compared if the features have similar ranges.",
                        "feature",
                        "weight",
                        column->kept,
                        name,
                        value,
                        NULL};
    const int has_room = value != NULL;

    for (size_t k = 0; has_room && k < column->kept; k++) {
        const uint32_t feature = column->largest[k].feature;

        name[k] = names_of(names, feature);
        value[k] = model->weight[feature * model->columns + c];
        if (!name[k]) {
            snprintf(text[k], NAME, "feature %lu", (unsigned long)feature + !model->zero_based);
            name[k] = text[k];
        }
    }
    if (has_room) {
        model_column_title(title, model, c, names);
        snprintf(heading, sizeof heading, "Largest weights: %s", title);
        page_bars(page, &bars);
    }
    free(value);
    free(name);
    free(text);
    return has_room ? HINGE_OK : failure(error);
}

/* Prints a row for each column, and returns the largest magnitude of a weight. */
static double print_columns(struct page *page, const struct hinge_model *model,
                            const struct weight_column *column, const double *gap,
                            const struct names *names)
{
    static const char *const heads[] = {
        "problem",          "weights not 0", "share in %", "norm |w|", "sum of magnitudes |w|_1",
        "term of the bias", "relative gap"};
    double largest = 0;

    page_table(page, "The weights of each problem", model->columns > CLASSES_DRAWN, heads,
               sizeof heads / sizeof *heads);
    for (size_t c = 0; c < model->columns; c++) {
        const size_t last = (size_t)model->features * model->columns + c;
        const double nonzeros = (double)column[c].nonzeros;
        char title[COLUMN_TITLE];

        model_column_title(title, model, c, names);
        page_numbers(page, title, 6,
                     (const double[]){nonzeros, 100 * nonzeros / fmax(model->features, 1),
                                      weight_column_norm(&column[c]), column[c].absolute,
                                      model->bias >= 0 ? model->bias * model->weight[last] : NAN,
                                      gap[c]});
        largest = fmax(largest, column[c].unit);
    }
    page_table_end(page, model->columns > CLASSES_DRAWN);
    return largest;
}

enum hinge_status model_facts_page(struct page *page, const struct hinge_model *model,
                                   int has_origin, struct hinge_error *error)
{
    static const char *const texts[][2] = {{"command", "Trained by"}, {"data", "Trained on"}};
    static const char *const numbers[][2] = {
        {"C", "C"}, {"nu", "nu"}, {"l1", "l1"}, {"epsilon", "epsilon"}, {"rows", "Rows"}};
    double *gap = values_of_columns(model, "relative_gap", error), largest = NAN;
    double *outcome = gap ? values_of_columns(model, "outcome", error) : NULL;
    const int has_room = outcome != NULL;
    int is_certified = 1;
    char bias[NUMBER_LENGTH];

    for (size_t c = 0; has_room && c < model->columns; c++) {
        is_certified &= isnan(gap[c]) || outcome[c] == HINGE_CERTIFIED;
        largest = fmax(gap[c], largest);
    }
    free(gap);
    free(outcome);
    if (!has_room)
        return failure(error);
    page_heading(page, "Model");
    certificate_page(page, largest, is_certified);
    page_facts(page);
    page_fact(page, "Problem", "%s", model->solver_type);
    for (size_t k = 0; has_origin && k < sizeof texts / sizeof *texts; k++) {
        const char *note = hinge_model_note(model, texts[k][0]);

        if (note)
            page_fact(page, texts[k][1], "%s", note);
    }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers - !has_origin; k++) {
        const double value = hinge_model_value(model, numbers[k][0], 0);

        if (!isnan(value))
            page_fact(page, numbers[k][1], "%.10g", value);
    }
    if (has_origin) {
        page_fact(page, "Features", "%lu", (unsigned long)model->features);
        if (model->classes > 0)
            page_fact(page, "Classes", "%lu", (unsigned long)model->classes);
    }
    if (model->bias >= 0 && !model->one_class) {
        number_print(bias, model->bias);
        page_fact(page, "Bias", "%s", bias);
    }
    page_facts_end(page);
    return HINGE_OK;
}

enum hinge_status model_weights_page(struct page *page, const struct hinge_model *model,
                                     const struct names *names, uint64_t most,
                                     struct hinge_error *error)
{
    struct weight_column *column =
        weight_columns_of(model, most < WEIGHTS_MOST ? most : WEIGHTS_MOST, error);
    double *gap = column ? values_of_columns(model, "relative_gap", error) : NULL, largest;
    double edge[BINS + 1], count[BINS] = {0};
    const struct series series = {"weights", MARK_STEPS, BINS, edge, count, NULL};
    const struct figure figure = {
        .title = "Values of the weights that are not 0",
        .reading = "A narrow peak at 0 with long sides means that few features decide.",
        .x = {"weight", 0, 0},
        .y = {"weights", 0, 1},
        .series = &series,
        .series_count = 1};
    enum hinge_status status = HINGE_OK;

    if (!gap) {
        weight_columns_free(column);
        return failure(error);
    }
    page_heading(page, "Weights: which features matter?");
    largest = print_columns(page, model, column, gap, names);
    if (model->columns > CLASSES_DRAWN)
        page_paragraph(page, "The pictures are those of the first %d of %lu problems.",
                       CLASSES_DRAWN, (unsigned long)model->columns);
    for (size_t c = 0; c < model->columns && c < CLASSES_DRAWN && !status; c++) {
        weight_column_sort(&column[c]);
        if (column[c].kept > 0)
            status = draw_largest(page, model, &column[c], c, names, error);
    }
    for (size_t k = 0; k <= BINS; k++)
        edge[k] = largest * (2 * (double)k / BINS - 1);
    for (size_t k = 0; k < model->features * model->columns; k++)
        if (model->weight[k] != 0) {
            const double at = (model->weight[k] / largest + 1) / 2 * BINS;

            count[at >= BINS ? BINS - 1 : at > 0 ? (size_t)at : 0]++;
        }
    if (largest > 0)
        page_figure(page, &figure);
    free(gap);
    weight_columns_free(column);
    return status ? failure(error) : HINGE_OK;
}
