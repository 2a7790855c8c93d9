/* model_batch.c - decision values, classes and probabilities of all rows of a dataset. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/matrix.h"
#include "model/model.h"

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
