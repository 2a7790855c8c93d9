/* model_batch.c - decision values, classes and probabilities of all rows of a dataset. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

/* A row with indices of 32 bits and doubles; index and value have room for it where the dataset
 * stores them otherwise. */
static struct hinge_row row_of(const struct hinge_matrix *x, size_t row, uint32_t *index,
                               double *value)
{
    const size_t start = x->start[row], count = x->start[row + 1] - start;
    struct hinge_row result = {.count = count, .index = index, .value = value};

    if (x->index_kind == HINGE_INDEX_32)
        result.index = count ? (const uint32_t *)x->index + start : index;
    else if (x->index_kind == HINGE_INDEX_NONE)
        for (size_t k = 0; k < count; k++)
            index[k] = (uint32_t)k;
    else
        for (size_t k = 0; k < count; k++)
            index[k] = hinge_index(x, start + k);
    if (x->value_kind == HINGE_VALUE_DOUBLE)
        result.value = count ? (const double *)x->value + start : value;
    else if (x->value_kind == HINGE_VALUE_ONE)
        result.value = NULL;
    else
        for (size_t k = 0; k < count; k++)
            value[k] = hinge_value(x, start + k);
    return result;
}

enum hinge_status hinge_model_decisions(const struct hinge_model *model,
                                        const struct hinge_dataset *data, double *decision,
                                        uint32_t *predicted, struct hinge_error *error)
{
    const struct hinge_matrix *x = &data->x;
    size_t longest = 0;
    uint32_t *index;
    double *value;

    if (x->pages)
        return fail(error, HINGE_BAD_ARGUMENT, "the data are in a temporary file");
    for (size_t i = 0; i < x->rows; i++)
        if (x->start[i + 1] - x->start[i] > longest)
            longest = x->start[i + 1] - x->start[i];
    if (!(index = array_new(longest, sizeof *index, error)))
        return failure(error);
    if (!(value = array_new(longest, sizeof *value, error))) {
        free(index);
        return failure(error);
    }
    for (size_t i = 0; i < x->rows; i++) {
        const struct hinge_row row = row_of(x, i, index, value);

        hinge_decision_values(model, &row, decision + i * model->columns);
        if (predicted)
            predicted[i] = (uint32_t)hinge_decide(model, decision + i * model->columns);
    }
    free(index);
    free(value);
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
