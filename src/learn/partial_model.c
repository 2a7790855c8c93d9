/* partial_model.c - wraps each monitor in another one. If the monitor wants the model, the outer
 * one stores w in its column, if P is the lowest so far, and adds the model to the progress. */
#include "learn/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

/* A monitor and what it sees. */
struct partial_view {
    const struct hinge_monitor *monitor;
    struct partial_model *partial;
};

void model_put_columns(struct hinge_model *model, size_t c, size_t outputs, const double *w)
{
    const size_t columns = model->columns, lines = model->features + (size_t)(model->bias >= 0);

    if (w && columns == outputs)
        memcpy(model->weight, w, lines * columns * sizeof *w);
    for (size_t j = 0; (!w || columns > outputs) && j < lines; j++)
        for (size_t k = 0; k < outputs; k++)
            model->weight[j * columns + c + k] = w ? w[j * outputs + k] : 0;
}

int model_keeps_column(const struct hinge_model *model, size_t c, const struct hinge_result *result)
{
    return model->solver->kind == HINGE_DUAL && model->result[c].outcome == HINGE_INTERRUPTED &&
           outcome_is_stop(result->outcome) && model->result[c].primal < result->primal;
}

static enum hinge_answer show(void *context, const struct hinge_progress *progress)
{
    const struct partial_view *view = context;
    struct partial_model *partial = view->partial;
    struct hinge_progress shown = *progress;

    if (progress->measured && progress->folds == 0 && view->monitor->wants & HINGE_MODEL) {
        struct hinge_model *model = partial->model;
        const size_t c = progress->problem;
        const struct hinge_result result =
            progress->result ? *progress->result : progress_result(progress, HINGE_INTERRUPTED);

        if (!model_keeps_column(model, c, &result)) {
            model_put_columns(model, c, progress->outputs, progress->w);
            model->result[c] = result;
        }
        partial->shown = *model;
        /* with several problems the steps differ: 0 means not known */
        if (partial->shown.solver->kind == HINGE_STOCHASTIC)
            partial->shown.steps =
                progress->problems == 1 ? partial->begin + (double)progress->passes : 0;
        shown.model = &partial->shown;
    }
    return view->monitor->checkpoint(view->monitor->context, &shown);
}

enum hinge_status partial_model_begin(struct partial_model *partial, struct hinge_model *model,
                                      const struct path *path, struct hinge_error *error)
{
    const struct hinge_monitor *monitor = path->monitor;
    size_t count = 0;
    int wants = 0;

    *partial = (struct partial_model){
        .model = model, .begin = stochastic_begin(path->parameters, (double)path->rows)};
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
        partial->view[k] = (struct partial_view){monitor, partial};
        partial->monitor[k] =
            (struct hinge_monitor){show, &partial->view[k],
                                   k + 1 < count ? &partial->monitor[k + 1] : NULL, monitor->wants};
    }
    for (size_t c = 0; c < model->problems; c++)
        model->result[c] = (struct hinge_result){
            .outcome = HINGE_NOT_BEGUN, .primal = NAN, .dual = NAN, .relative_gap = NAN};
    if (path->parameters->initial)
        path_start(path, 0, model->columns, model->weight);
    return HINGE_OK;
}

void partial_model_end(struct partial_model *partial)
{
    free(partial->view);
    free(partial->monitor);
    *partial = (struct partial_model){0};
}
