/* inspect_diff.c - two models: "-" has what the first one has, "+" what the second one has; then
 * the columns of weights, class by class. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/inspect_print.h"
#include "cli/text.h"
#include "learn/classes.h"
#include "model/weights.h"

enum { SIDES = 2 };

/* ---- The records ------------------------------------------------------- */

static int compare_notes(const void *one, const void *other)
{
    const struct hinge_note *a = one, *b = other;
    const int keys = strcmp(a->key, b->key);

    return keys ? keys : strcmp(a->value, b->value);
}

/* The notes of a model, by keys, ended by one without; free() it. NULL on failure. */
static struct hinge_note *sort_notes(const struct hinge_model *model, struct hinge_error *error)
{
    struct hinge_note *note = array_new(model->notes + 1, sizeof *note, error);

    if (note && model->notes > 0) {
        memcpy(note, model->note, model->notes * sizeof *note);
        qsort(note, model->notes, sizeof *note, compare_notes);
    }
    return note;
}

static void print_note(char sign, const struct hinge_note *note)
{
    printf("%c ", sign);
    text_print(stdout, note->key);
    fputs(" = ", stdout);
    inspect_print_value(note);
    putchar('\n');
}

/* Prints the lines that differ; both lists are sorted. */
static void print_notes(const struct hinge_note *one, const struct hinge_note *other)
{
    while (one->key || other->key) {
        const int order = !one->key ? 1 : !other->key ? -1 : strcmp(one->key, other->key);
        const int same = order == 0 && strcmp(one->value, other->value) == 0;

        if (order <= 0 && !same)
            print_note('-', one);
        if (order >= 0 && !same)
            print_note('+', other);
        one += order <= 0;
        other += order >= 0;
    }
}

static enum hinge_status print_records(const struct inspection *inspection,
                                       struct hinge_error *error)
{
    struct hinge_note *one = sort_notes(inspection->model[0], error);
    struct hinge_note *other = one ? sort_notes(inspection->model[1], error) : NULL;
    const enum hinge_status status = other ? HINGE_OK : failure(error);

    if (other)
        print_notes(one, other);
    free(one);
    free(other);
    return status;
}

static void print_properties(const struct inspection *inspection)
{
    struct hinge_model *const *model = inspection->model;

    for (const struct property *property = inspect_properties; property->name; property++)
        for (int side = 0; side < SIDES && !property->same(model[0], model[1]); side++) {
            printf("%c %s = ", "-+"[side], property -> name);
            property->print(model[side]);
            putchar('\n');
        }
}

/* ---- Weights ----------------------------------------------------------- */

/* A column of each model that belong together. */
struct match {
    size_t column[SIDES];
    double sign; /* of the second one: -1 if its first class is the other one of the two */
};

/* The difference of two columns. */
struct difference {
    struct weight_column of[SIDES];
    struct weight_column *apart; /* weights of the second one less those of the first */
    double cosine;               /* NaN if one of them is 0 */
    size_t own[SIDES];           /* weights that are 0 in the other one */
    size_t turned;               /* weights of different sign */
    double bias_term[SIDES];
};

static double weight_of(const struct hinge_model *model, size_t column, uint32_t feature)
{
    return feature < model->features ? model->weight[feature * model->columns + column] : 0;
}

/* Finds the second model's column for one of the first; 0: there is none. Where both have a single
 * column it is for a class against another, which must be the same two classes, in any order; a
 * model of LIBLINEAR may have one class alone. */
static int find_match(const struct inspection *inspection, size_t column, struct match *match)
{
    const struct hinge_model *one = inspection->model[0], *other = inspection->model[1];
    size_t its;

    *match = (struct match){{column, 0}, 1};
    if (!one->label || !other->label || one->one_class || other->one_class)
        return !one->label == !other->label && one->one_class == other->one_class;
    its = label_position(other->label, other->classes, one->label[column]);
    if (its == other->classes)
        return 0;
    if (other->columns > 1)
        match->column[1] = its;
    else if (its == 1)
        match->sign = -1;
    return one->columns > 1 || other->columns > 1 ||
           (one->classes == other->classes &&
            (one->classes == 1 ||
             label_position(other->label, other->classes, one->label[1]) < other->classes));
}

static void measure(const struct inspection *inspection, const struct match *match,
                    struct difference *difference)
{
    struct hinge_model *const *model = inspection->model;
    const uint32_t features =
        model[0]->features > model[1]->features ? model[0]->features : model[1]->features;
    double norm[SIDES], cosine = 0;

    for (uint32_t j = 0; j < features; j++) {
        const double a = weight_of(model[0], match->column[0], j);
        const double b = match->sign * weight_of(model[1], match->column[1], j);

        weight_column_add(&difference->of[0], j, a);
        weight_column_add(&difference->of[1], j, b);
        weight_column_add(difference->apart, j, b - a);
        difference->own[0] += a != 0 && b == 0;
        difference->own[1] += a == 0 && b != 0;
        difference->turned += (a > 0 && b < 0) || (a < 0 && b > 0);
    }
    weight_column_sort(difference->apart);
    for (int side = 0; side < SIDES; side++) {
        norm[side] = weight_column_norm(&difference->of[side]);
        difference->bias_term[side] = inspect_bias_term(model[side], match->column[side]);
    }
    difference->bias_term[1] *= match->sign;
    for (uint32_t j = 0; j < features && norm[0] > 0 && norm[1] > 0; j++)
        cosine += weight_of(model[0], match->column[0], j) / norm[0] *
                  (match->sign * weight_of(model[1], match->column[1], j) / norm[1]);
    difference->cosine = norm[0] > 0 && norm[1] > 0 ? cosine : NAN;
}

static void print_weights(const struct inspection *inspection, const struct match *match,
                          const struct weight_column *apart)
{
    struct hinge_model *const *model = inspection->model;

    if (apart->kept > 0)
        puts("     feature         first        second    difference");
    for (size_t k = 0; k < apart->kept; k++) {
        const uint32_t j = apart->largest[k].feature;
        const double a = weight_of(model[0], match->column[0], j);
        const double b = match->sign * weight_of(model[1], match->column[1], j);
        const char *name = names_of(&inspection->names, j);

        printf("%12lu  %12.6g  %12.6g  %12.6g", inspect_index(model[0], j), a, b, b - a);
        if (name) {
            fputs("  ", stdout);
            text_print(stdout, name);
        }
        putchar('\n');
    }
}

static void print_text(const struct inspection *inspection, const struct match *match,
                       const struct difference *difference)
{
    const double one = weight_column_norm(&difference->of[0]);
    const double other = weight_column_norm(&difference->of[1]);
    const double apart = weight_column_norm(difference->apart);
    const double *term = difference->bias_term;

    putchar('\n');
    inspect_print_class(inspection, match->column[0]);
    putchar('\n');
    printf("#nonzeros = %lu and %lu, %lu of them only in the first, %lu only in the second\n",
           (unsigned long)difference->of[0].nonzeros, (unsigned long)difference->of[1].nonzeros,
           (unsigned long)difference->own[0], (unsigned long)difference->own[1]);
    printf("signs that differ = %lu\n", (unsigned long)difference->turned);
    printf("|w| = %g and %g\n|difference| = %g, %g of the larger\n", one, other, apart,
           apart > 0 ? apart / fmax(one, other) : 0);
    if (!isnan(difference->cosine))
        printf("cosine = %.9g\n", difference->cosine);
    if (term[0] != 0 || term[1] != 0)
        printf("bias term = %g and %g, difference %g\n", term[0], term[1], term[1] - term[0]);
    print_weights(inspection, match, difference->apart);
}

/* ---- JSON -------------------------------------------------------------- */

static void put_pair(const char *key, double one, double other)
{
    printf(",\"%s\":[", key);
    text_put_number(stdout, '\0', NULL, one);
    text_put_number(stdout, ',', NULL, other);
    putchar(']');
}

static void put_column(const struct inspection *inspection, const struct match *match,
                       const struct difference *difference)
{
    const struct hinge_model *const model[] = {inspection->model[0], inspection->model[1]};
    const struct weight_column *apart = difference->apart;

    printf("%s", model[0]->label ? "" : "{\"label\":null");
    if (model[0]->label)
        text_put_number(stdout, '{', "label", model[0]->label[match->column[0]]);
    put_pair("nonzeros", (double)difference->of[0].nonzeros, (double)difference->of[1].nonzeros);
    put_pair("nonzeros_of_one", (double)difference->own[0], (double)difference->own[1]);
    printf(",\"signs_differ\":%lu", (unsigned long)difference->turned);
    put_pair("norm", weight_column_norm(&difference->of[0]),
             weight_column_norm(&difference->of[1]));
    text_put_number(stdout, ',', "norm_of_difference", weight_column_norm(apart));
    text_put_number(stdout, ',', "cosine", difference->cosine);
    put_pair("bias_term", difference->bias_term[0], difference->bias_term[1]);
    fputs(",\"largest\":[", stdout);
    for (size_t k = 0; k < apart->kept; k++) {
        const uint32_t j = apart->largest[k].feature;

        if (k > 0)
            putchar(',');
        inspect_put_feature(inspection, j);
        put_pair("weight", weight_of(model[0], match->column[0], j),
                 match->sign * weight_of(model[1], match->column[1], j));
        putchar('}');
    }
    fputs("]}", stdout);
}

static void put_labels(const struct hinge_model *model)
{
    putchar('[');
    for (size_t c = 0; c < model->classes; c++)
        text_put_number(stdout, c > 0 ? ',' : '\0', NULL, model->label[c]);
    putchar(']');
}

static void put_head(const struct inspection *inspection)
{
    struct hinge_model *const *model = inspection->model;

    fputs("{\"models\":[", stdout);
    for (int side = 0; side < SIDES; side++) {
        printf("%s{\"model\":", side ? "," : "");
        text_print_json(stdout, inspection->path[side]);
        printf(",\"solver_type\":\"%s\",\"labels\":", model[side]->solver_type);
        put_labels(model[side]);
        printf(",\"features\":%lu,\"record\":", (unsigned long)model[side]->features);
        inspect_put_record(model[side]);
        putchar('}');
    }
    fputs("],\"columns\":[", stdout);
}

/* ---- Both -------------------------------------------------------------- */

/* Prints a column of the first model and its match; *same stays 1 if they are equal. */
static enum hinge_status compare_column(const struct inspection *inspection,
                                        const struct match *match, int *same,
                                        struct hinge_error *error)
{
    const size_t larger = inspection->model[0]->features > inspection->model[1]->features
                              ? inspection->model[0]->features
                              : inspection->model[1]->features;
    struct difference difference = {.turned = 0};

    difference.apart =
        weight_columns_new(1, inspection->most < larger ? inspection->most : larger, error);
    if (!difference.apart)
        return failure(error);
    measure(inspection, match, &difference);
    *same = *same && difference.apart->nonzeros == 0 &&
            difference.bias_term[0] == difference.bias_term[1];
    if (inspection->json)
        put_column(inspection, match, &difference);
    else
        print_text(inspection, match, &difference);
    weight_columns_free(difference.apart);
    return HINGE_OK;
}

enum hinge_status inspect_difference(const struct inspection *inspection, struct hinge_error *error)
{
    struct hinge_model *const *model = inspection->model;
    int same = model[0]->classes == model[1]->classes && model[0]->columns == model[1]->columns;
    size_t compared = 0;

    if (inspection->json) {
        put_head(inspection);
    } else {
        for (int side = 0; side < SIDES; side++) {
            printf("%s ", side ? "+++" : "---");
            text_print(stdout, inspection->path[side]);
            putchar('\n');
        }
        print_properties(inspection);
        if (print_records(inspection, error))
            return failure(error);
    }
    for (size_t c = 0; c < model[0]->columns; c++) {
        struct match match;

        if (!find_match(inspection, c, &match)) {
            same = 0;
            continue;
        }
        if (inspection->json && compared > 0)
            putchar(',');
        compared++;
        if (compare_column(inspection, &match, &same, error))
            return failure(error);
    }
    if (inspection->json)
        printf("],\"same_weights\":%s}\n", same ? "true" : "false");
    else if (same)
        puts("\nThe weights are the same.");
    else if (compared == 0)
        puts("\nThe models have no class in common: their weights are not compared.");
    return HINGE_OK;
}
