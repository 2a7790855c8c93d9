/* partial_model.c - puts a monitor before each monitor, which stores w in its column of the model
 * and adds the model to the progress. */
#include "learn/partial_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/model.h"
#include "solver/loop/solver.h"

/* A monitor and what it sees. */
struct partial_view {
    const struct hinge_monitor *monitor;
    struct partial_model *partial;
    int is_first; /* 1: the first of the list, which stores w */
};

void model_put_columns(struct hinge_model *model, size_t c, size_t outputs, const double *w)
{
    const size_t columns = model->columns, lines = model->features + (size_t)(model->bias >= 0);

    if (columns == outputs)
        memcpy(model->weight, w, lines * columns * sizeof *w);
    for (size_t j = 0; columns > outputs && j < lines; j++)
        for (size_t k = 0; k < outputs; k++)
            model->weight[j * columns + c + k] = w[j * outputs + k];
}

/* Stores the state of a training in its column. */
static void store(struct hinge_model *model, const struct hinge_progress *progress)
{
    model_put_columns(model, progress->problem, progress->outputs, progress->w);
    model->result[progress->problem] =
        progress->result ? *progress->result : progress_result(progress, HINGE_INTERRUPTED);
}

static enum hinge_answer show(void *context, const struct hinge_progress *progress)
{
    const struct partial_view *view = context;
    struct partial_model *partial = view->partial;
    struct hinge_progress shown = *progress;

    if (progress->measured && progress->w && progress->folds == 0) {
        if (view->is_first)
            store(partial->model, progress);
        partial->shown = *partial->model;
        /* with several problems the steps differ: 0 means not known */
        if (partial->shown.solver->kind == HINGE_STOCHASTIC)
            partial->shown.steps =
                progress->problems == 1 ? partial->begin + (double)progress->passes : 0;
        shown.model = &partial->shown;
    }
    return view->monitor->checkpoint(view->monitor->context, &shown);
}

/* Sets the results to HINGE_NOT_BEGUN and the weights to those of the start. */
static void prepare(struct hinge_model *model, const struct hinge_model *initial)
{
    const size_t lines = (size_t)model->features + (model->bias >= 0);

    for (size_t c = 0; c < model->problems; c++)
        model->result[c] = (struct hinge_result){
            .outcome = HINGE_NOT_BEGUN, .primal = NAN, .dual = NAN, .relative_gap = NAN};
    if (!initial || initial->columns != model->columns || initial->classes != model->classes ||
        (initial->bias >= 0) != (model->bias >= 0) ||
        (model->classes > 0 &&
         memcmp(initial->label, model->label, model->classes * sizeof *model->label) != 0))
        return;
    for (size_t j = 0; j < lines; j++) {
        const size_t line = j < model->features ? j : initial->features;

        if (j >= model->features || j < initial->features)
            memcpy(model->weight + j * model->columns, initial->weight + line * model->columns,
                   model->columns * sizeof *model->weight);
    }
}

enum hinge_status partial_model_begin(struct partial_model *partial, struct hinge_model *model,
                                      const struct hinge_model *initial, double begin,
                                      const struct hinge_monitor *monitor,
                                      struct hinge_error *error)
{
    size_t count = 0;
    int wants = 0;

    *partial = (struct partial_model){.model = model, .begin = begin};
    for (const struct hinge_monitor *next = monitor; next; next = next->next) {
        wants |= next->wants;
        count++;
    }
    if (!(wants & HINGE_MODEL))
        return HINGE_OK;
    if (!(partial->view = array_new(count, sizeof *partial->view, error)) ||
        !(partial->monitor = array_new(count, sizeof *partial->monitor, error)))
        return failure(error);
    for (size_t k = 0; k < count; k++, monitor = monitor->next) {
        partial->view[k] = (struct partial_view){monitor, partial, k == 0};
        partial->monitor[k] =
            (struct hinge_monitor){show, &partial->view[k],
                                   k + 1 < count ? &partial->monitor[k + 1] : NULL, monitor->wants};
    }
    prepare(model, initial);
    return HINGE_OK;
}

void partial_model_end(struct partial_model *partial)
{
    free(partial->view);
    free(partial->monitor);
    *partial = (struct partial_model){0};
}
