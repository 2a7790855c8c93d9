/* held_out.c - decision values of rows held out -> probabilities; where a model would need
 * sigmoids, those of a fold are fitted to the rows of all others, so that no row has a say in its
 * own. */
#include "learn/held_out.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "hinge_metrics.h"
#include "learn/calibration.h"
#include "learn/costs.h"
#include "model/model.h"

/* The rows of all folds but one, as sigmoid_fit wants them. */
struct others {
    double *value;     /* [rows] */
    signed char *sign; /* [rows] */
    double *weight;    /* [rows] */
};

/* The sigmoids of a fold: sigmoid[2 columns]. */
static void fit(const struct path *path, const uint32_t *row,
                const struct hinge_validation *validation, uint32_t fold, struct others *others,
                double *sigmoid)
{
    const size_t columns = validation->columns;

    for (size_t c = 0; c < columns; c++) {
        size_t rows = 0;

        for (size_t i = 0; i < validation->predictions->rows; i++) {
            if (validation->fold[i] == fold)
                continue;
            others->value[rows] = validation->decision[i * columns + c];
            others->sign[rows] = path->classes->of_row[row[i]] == c ? 1 : -1;
            others->weight[rows++] = costs_of_row(path->parameters, row[i]);
        }
        sigmoid_fit(rows, others->value, others->sign, others->weight, sigmoid + 2 * c);
    }
}

enum hinge_status held_out_probabilities(const struct path *path, const uint32_t *row,
                                         struct hinge_validation *validation,
                                         struct hinge_error *error)
{
    const struct hinge_solver *solver = &path->solver->info;
    const size_t rows = validation->predictions->rows, classes = path->classes->count;
    struct hinge_model model = {.classes = solver->regression ? 0 : classes,
                                .columns = validation->columns,
                                .softmax = solver_is_softmax(path->solver),
                                .solver_type = solver->model_name};
    const int fits = !hinge_has_probabilities(&model);
    struct others others = {NULL, NULL, NULL};
    enum hinge_status status = HINGE_OK;

    if (fits && !path->parameters->probability)
        return HINGE_OK;
    if (!(validation->probability =
              array_new(rows, classes * sizeof *validation->probability, error)) ||
        (fits && (!(others.value = array_new(rows, sizeof *others.value, error)) ||
                  !(others.sign = array_new(rows, sizeof *others.sign, error)) ||
                  !(others.weight = array_new(rows, sizeof *others.weight, error)) ||
                  !(model.sigmoid = array_new(2 * model.columns, sizeof *model.sigmoid, error)))))
        status = failure(error);
    for (uint32_t fold = 0; fold < path->folds && !status; fold++) {
        if (fits)
            fit(path, row, validation, fold, &others, model.sigmoid);
        for (size_t i = 0; i < rows; i++)
            if (validation->fold[i] == fold)
                hinge_probabilities(&model, validation->decision + i * model.columns,
                                    validation->probability + i * classes);
    }
    free(others.value);
    free(others.sign);
    free(others.weight);
    free(model.sigmoid);
    return status;
}
