/* model.c - decision_c = <w_c, x>. The sign of decision_0 or, with more than two classes, the
 * largest decision_c gives the label. Probabilities are a softmax, or 1/(1 + e^-z), where z is the
 * decision value f or, with a sigmoid, -(A f + B). */
#include "hinge.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "data/matrix.h"
#include "model/model.h"

void hinge_model_free(struct hinge_model *model)
{
    if (!model)
        return;
    free(model->label);
    free(model->weight);
    free(model->sigmoid);
    free(model->result);
    free(model->alpha);
    free(model->class_weight);
    free(model->map.text);
    for (size_t k = 0; k < model->notes; k++)
        free(model->note[k].key);
    free(model->note);
    free(model);
}

static double value_of(const struct hinge_row *row, size_t k)
{
    return row->value ? row->value[k] : 1;
}

/* Two partial sums of a single column take half the time of one. If a single value is 0 up to
 * rounding, or values of several columns are equal up to rounding, the last bits decide the label.
 * In these cases they are LIBLINEAR's, which adds feature by feature, the bias last. A sum of n
 * terms in any order is off by at most about n 2^-53 times the sum of their absolute values. */
void hinge_decision_values(const struct hinge_model *model, const struct hinge_row *row,
                           double *decision)
{
    const size_t columns = model->columns;
    const double *const w = model->weight;
    size_t count = row->count; /* entries of features that the model has */

    while (count > 0 && row->index[count - 1] >= model->features)
        count--;
    if (columns == 1 && model->classes > 0) { /* a regression always has LIBLINEAR's bits */
        const double bias = model->bias >= 0 ? model->bias * w[model->features] : 0;
        double sum[2] = {0, 0}, size[2] = {0, 0};

        for (size_t k = 0; k < count; k += 2)
            for (size_t u = 0; u < 2 && k + u < count; u++) {
                const double term = value_of(row, k + u) * w[row->index[k + u]];

                sum[u] += term;
                size[u] += fabs(term);
            }
        *decision = sum[0] + sum[1] + bias;
        if (fabs(*decision) >
            2 * DBL_EPSILON * (double)(count + 1) * (size[0] + size[1] + fabs(bias)))
            return;
    }
    memset(decision, 0, columns * sizeof *decision);
    for (size_t k = 0; k < count; k++) {
        const double *weight = w + row->index[k] * columns;
        const double value = value_of(row, k);

        for (size_t c = 0; c < columns; c++)
            decision[c] += value * weight[c];
    }
    for (size_t c = 0; model->bias >= 0 && c < columns; c++)
        decision[c] += model->bias * w[model->features * columns + c];
}

size_t hinge_decide(const struct hinge_model *model, const double *decision)
{
    size_t best = 0;

    if (model->classes == 2)
        return (size_t) !(decision[0] > 0);
    for (size_t c = 1; c < model->columns; c++)
        if (decision[c] > decision[best])
            best = c;
    return best;
}

size_t hinge_decide_threshold(size_t positive, double value, double threshold)
{
    if (positive == 0)
        return (size_t) !(value > threshold);
    return (size_t) !(value < threshold);
}

/* ---- Probabilities ----------------------------------------------------- */

int hinge_has_probabilities(const struct hinge_model *model)
{
    return model->classes > 0 &&
           (model->sigmoid || model->softmax || strstr(model->solver_type, "_LR"));
}

/* Returns 1/(1 + e^-z); 0 for NaN. Like LIBLINEAR's, it is 0 below -709.8, where e^-z leaves the
 * range of double. */
static double logistic(double z)
{
    const double e = exp_of(-fabs(z));

    if (z >= 0)
        return 1 / (1 + e);
    return e > 0 ? 1 / (1 + 1 / e) : 0;
}

size_t hinge_probabilities(const struct hinge_model *model, const double *decision,
                           double *probability)
{
    const double *sigmoid = model->sigmoid;
    size_t best = hinge_decide(model, decision);
    double total = 0, largest = -HUGE_VAL, z = 0;

    for (size_t c = 0; c < model->columns; c++)
        largest = fmax(largest, decision[c]);
    for (size_t c = 0; c < model->columns; c++) {
        z = sigmoid ? -(sigmoid[2 * c] * decision[c] + sigmoid[2 * c + 1]) : decision[c];
        total += probability[c] =
            model->softmax && !sigmoid ? exp_of(decision[c] - largest) : logistic(z);
    }
    /* 1 - probability[0] would be rounded to a multiple of 2^-53. */
    if (model->columns < model->classes)
        probability[1] = z == z ? logistic(-z) : 1;
    else
        for (size_t c = 0; c < model->columns; c++)
            probability[c] = total > 0 ? probability[c] / total : 1 / (double)model->columns;
    for (size_t c = 0; c < model->classes; c++)
        if (probability[c] > probability[best])
            best = c;
    return best;
}

/* ---- All rows of a dataset ----------------------------------------------- */

enum hinge_status hinge_model_decisions(const struct hinge_model *model,
                                        const struct hinge_dataset *data, double *decision,
                                        uint32_t *predicted, struct hinge_error *error)
{
    const struct hinge_matrix *x = &data->x;
    double *room;

    if (x->pages)
        return fail(error, HINGE_BAD_ARGUMENT, "the data are in a temporary file");
    if (!(room = array_new(matrix_longest(x), ROW_ENTRY, error)))
        return failure(error);
    for (size_t i = 0; i < x->rows; i++) {
        const struct hinge_row row = matrix_row(x, i, room);

        hinge_decision_values(model, &row, decision + i * model->columns);
        if (predicted)
            predicted[i] = (uint32_t)hinge_decide(model, decision + i * model->columns);
    }
    free(room);
    return HINGE_OK;
}

enum hinge_status hinge_model_probabilities(const struct hinge_model *model, size_t rows,
                                            const double *decision, double *probability,
                                            uint32_t *predicted, struct hinge_error *error)
{
    if (!hinge_has_probabilities(model))
        return fail(error, HINGE_BAD_ARGUMENT,
                    "the model has no probabilities: train with probability 1, or a solver of "
                    "logistic regression");
    for (size_t i = 0; i < rows; i++) {
        const size_t best = hinge_probabilities(model, decision + i * model->columns,
                                                probability + i * model->classes);

        if (predicted)
            predicted[i] = (uint32_t)best;
    }
    return HINGE_OK;
}
