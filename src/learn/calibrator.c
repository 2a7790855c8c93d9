/* calibrator.c - decision values of rows from trainings without them, and sigmoids fitted to these.
 */
#include "learn/calibrator.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "learn/calibration.h"
#include "learn/costs.h"
#include "learn/folds.h"
#include "model/model.h"

struct calibrator {
    struct folds folds;
    struct hinge_parameters parameters; /* those of the path, but for lambda and initial */
    double *decision;                   /* [columns * rows] */
    signed char *sign;                  /* [rows] */
    double *weight;                     /* [rows] */
};

static void keep_row(void *context, const struct trained *trained, uint32_t i, const double *value)
{
    const struct fold_thread *thread = context;
    const struct folds *folds = thread->folds;
    const struct calibrator *calibrator = folds->owner;

    for (size_t m = 0; m < problem_outputs(trained->problem); m++)
        calibrator->decision[(trained->column + m) * folds->rows + i] = value[m];
}

/* Keeps the decision values of one class for the rows held out, or of all classes. */
static enum hinge_status keep_columns(void *context, const struct trained *trained,
                                      struct hinge_error *error)
{
    struct fold_thread *thread = context;

    (void)error;
    if (!folds_note(thread, trained, NULL, NULL))
        folds_each_held_out(thread, trained, keep_row, thread);
    return HINGE_OK;
}

/* The number of folds: 5, or as many as there are rows, or groups of rows, that do not weigh 0. */
static size_t count_folds(const struct path *path)
{
    enum { FOLDS = 5 };
    const struct hinge_parameters *parameters = path->parameters;
    uint32_t group[FOLDS];
    size_t count = 0;

    for (uint32_t i = 0; i < path->data->x.rows && count < FOLDS; i++) {
        size_t known = 0;

        if (!(costs_of_row(path->parameters, i) > 0))
            continue;
        group[count] = i < parameters->row_groups ? parameters->row_group[i] : i;
        while (group[known] != group[count])
            known++;
        count += known == count;
    }
    return count;
}

/* There is one fold at least: path_begin refuses rows of which none weighs anything. */
static enum hinge_status check_folds(const struct path *path, struct hinge_error *error)
{
    const char *what = path->parameters->row_groups > 0 ? "groups of rows" : "rows";

    if (path->folds >= 2)
        return HINGE_OK;
    return fail(error, HINGE_BAD_ARGUMENT,
                "probability: a sigmoid is fitted to two %s at least, and only one weighs more "
                "than 0: give more %s a weight, or ask for no probabilities",
                what, what);
}

struct calibrator *calibrator_new(const struct path *path, struct hinge_error *error)
{
    const size_t columns = path_columns(path);
    struct calibrator *calibrator = array_new(1, sizeof *calibrator, error);
    struct folds *folds;

    if (!calibrator)
        return NULL;
    folds = &calibrator->folds;
    calibrator->parameters = *path->parameters;
    calibrator->parameters.lambda = 0;
    calibrator->parameters.initial = NULL;
    folds->path = *path;
    folds->path.parameters = &calibrator->parameters;
    folds->path.count = 1;
    folds->path.folds = count_folds(path);
    folds->take = keep_columns;
    folds->owner = calibrator;
    folds_share_threads(folds, 1);
    if (check_folds(&folds->path, error) || folds_deal(folds, error) ||
        !(calibrator->sign = array_new(folds->rows, sizeof *calibrator->sign, error)) ||
        !(calibrator->weight = array_new(folds->rows, sizeof *calibrator->weight, error)) ||
        !(calibrator->decision =
              array_new(folds->rows, columns * sizeof *calibrator->decision, error))) {
        calibrator_free(calibrator);
        return NULL;
    }
    return calibrator;
}

void calibrator_free(struct calibrator *calibrator)
{
    if (!calibrator)
        return;
    folds_free(&calibrator->folds);
    free(calibrator->decision);
    free(calibrator->sign);
    free(calibrator->weight);
    free(calibrator);
}

enum hinge_status calibrator_fit(struct calibrator *calibrator, double C, struct hinge_model *model,
                                 struct hinge_error *error)
{
    struct folds *folds = &calibrator->folds;

    folds_begin(folds, &C, 1);
    for (size_t c = 0; c < model->problems; c++)
        folds->stopped |= outcome_is_stop(model->result[c].outcome);
    if (!folds->stopped && folds_train(folds, error))
        return failure(error);
    if (folds->stopped) {
        model->uncalibrated = 1;
        return HINGE_OK;
    }
    if (!(model->sigmoid = array_new(2 * model->columns, sizeof *model->sigmoid, error)))
        return failure(error);
    for (size_t c = 0; c < model->columns; c++) {
        for (size_t i = 0; i < folds->rows; i++) {
            calibrator->sign[i] = folds->path.classes->of_row[folds->row[i]] == c ? 1 : -1;
            calibrator->weight[i] = costs_of_row(folds->path.parameters, folds->row[i]);
        }
        sigmoid_fit(folds->rows, calibrator->decision + c * folds->rows, calibrator->sign,
                    calibrator->weight, model->sigmoid + 2 * c);
    }
    return HINGE_OK;
}
