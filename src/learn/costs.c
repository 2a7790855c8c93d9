/* costs.c - weights of rows and labels, and the balance of classes -> costs.
 *
 * Labels are found in a table, because there may be as many weights as classes. */
#include "learn/costs.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/sum.h"

enum hinge_status label_weights_find(struct label_weights *given,
                                     const struct hinge_parameters *parameters,
                                     struct hinge_error *error)
{
    uint32_t number;

    *given = (struct label_weights){.product = NULL};
    if (!(given->product = array_new(parameters->weights, sizeof *given->product, error)))
        return failure(error);
    for (size_t k = 0; k < parameters->weights; k++) {
        const size_t known = given->labels.count;

        if (labels_number(&given->labels, parameters->weight_label[k], &number, error))
            return failure(error);
        if (given->labels.count > known)
            given->product[number] = 1;
        given->product[number] *= parameters->weight[k];
    }
    return HINGE_OK;
}

void label_weights_free(struct label_weights *given)
{
    labels_free(&given->labels);
    free(given->product);
}

int costs_in_one_part(const struct hinge_parameters *parameters, const uint32_t *part_of,
                      size_t rows, size_t *first)
{
    *first = rows;
    for (size_t i = 0; i < rows; i++)
        if (costs_of_row(parameters, i) > 0) {
            if (*first == rows)
                *first = i;
            if (part_of[i] != part_of[*first])
                return 0;
        }
    return 1;
}

double costs_total(const struct path *path)
{
    struct sum total = {0, 0};

    if (path->parameters->row_weights == 0)
        return (double)path->rows;
    for (size_t i = 0; i < path->rows; i++)
        sum_add(&total, costs_of_row(path->parameters, path_row(path, i)));
    return sum_value(&total);
}

double costs_C(const struct path *path, size_t k)
{
    if (path->C)
        return path->C[k];
    return path->parameters->lambda > 0 ? 1 / (path->parameters->lambda * costs_total(path))
                                        : path->parameters->C;
}

/* The balanced weight of a class is (weight of all rows)/(classes times weight of its rows); a
 * class whose rows weigh 0 gets 1. */
enum hinge_status costs_weigh_classes(const struct path *path, double *weight,
                                      struct hinge_error *error)
{
    const struct hinge_parameters *parameters = path->parameters;
    const double classes = (double)path->classes->count, total = costs_total(path);
    struct label_weights given;
    const enum hinge_status status = label_weights_find(&given, parameters, error);

    for (size_t i = 0; i < path->rows && parameters->balanced; i++)
        weight[path->classes->of_row[path_row(path, i)]] +=
            costs_of_row(parameters, path_row(path, i));
    for (size_t c = 0; c < path->classes->count; c++) {
        const size_t k = path->classes->alike ? given.labels.count
                                              : labels_find(&given.labels, path->classes->label[c]);

        weight[c] = weight[c] > 0 ? total / (classes * weight[c]) : 1;
        if (k < given.labels.count)
            weight[c] *= given.product[k];
    }
    label_weights_free(&given);
    return status;
}

/* Refuses a cost whose square or inverse could leave the range of double. */
static enum hinge_status check_cost(double cost, struct hinge_error *error)
{
    if (cost == 0 || (cost >= 1e-100 && cost <= 1e100))
        return HINGE_OK;
    return fail(error, HINGE_BAD_ARGUMENT,
                "the cost of a row, C times its weights, is %g: not between 1e-100 and 1e100",
                cost);
}

/* A row has one cost if its class is the positive one, and with several problems another if it is
 * among the others. */
enum hinge_status costs_check(const struct path *path, const double *class_weight,
                              struct hinge_error *error)
{
    const int several = path_problems(path) > 1;

    for (size_t k = 0; k < path->count; k++) {
        const double C = costs_C(path, k);

        for (size_t i = 0; i < path->rows; i++) {
            const uint32_t row = path_row(path, i);
            const double own = C * class_weight[path->classes->of_row[row]];
            const double weight = costs_of_row(path->parameters, row);

            if (check_cost(own * weight, error) || (several && check_cost(C * weight, error)))
                return failure(error);
        }
    }
    return HINGE_OK;
}
