/* train.c - data, parameters, C -> models. The weights of each problem are a column of the model.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/status.h"
#include "learn/agreement.h"
#include "learn/costs.h"
#include "learn/folds.h"
#include "learn/path.h"

/* Allocates a model and fills in the fields that are known before training. */
static enum hinge_status prepare_model(const struct path *path, size_t k,
                                       struct hinge_model **prepared, struct hinge_error *error)
{
    const struct hinge_parameters *parameters = path->parameters;
    const double bias = solver_bias(path->solver, parameters);
    const size_t width = (size_t)path->data->features + (bias >= 0);
    struct hinge_model *model = *prepared = array_new(1, sizeof *model, error);
    int weighted = 0;

    if (!model)
        return failure(error);
    model->classes = path->solver->info.regression ? 0 : path->classes->count;
    model->columns = path_columns(path);
    model->problems = path_problems(path);
    model->features = path->data->features;
    model->bias = bias;
    model->zero_based = path->data->zero_based;
    model->solver = &path->solver->info;
    model->solver_type = model->solver->model_name;
    model->free_bias = solver_bias_kind(path->solver, parameters) == BIAS_FREE;
    model->C = costs_C(path, k);
    model->lambda = path->C || parameters->lambda == 0 ? 1 / (model->C * costs_total(path))
                                                       : parameters->lambda;
    model->balanced = parameters->balanced;
    model->row_weighted = parameters->row_weights > 0;
    model->l1 = parameters->l1;
    model->epsilon = parameters->epsilon;
    model->nu = parameters->nu;
    model->one_class = model->solver->one_class;
    model->seed = parameters->seed;
    model->threads = parallel_threads(parameters->threads);
    model->rows = path->rows;
    if (model->solver->kind == HINGE_STOCHASTIC)
        model->steps = HUGE_VAL; /* becomes the least of all columns */
    model->softmax = solver_is_softmax(path->solver);
    if (model->classes > 0 &&
        !(model->label = array_new(model->classes, sizeof *model->label, error)))
        return failure(error);
    if (model->label)
        memcpy(model->label, path->classes->label, model->classes * sizeof *model->label);
    if (width > SIZE_MAX / model->columns || model->rows > SIZE_MAX / model->columns)
        return fail(error, HINGE_NO_MEMORY, "out of memory: %lu features times %lu classes",
                    (unsigned long)width, (unsigned long)model->columns);
    if (!(model->weight = array_new(width * model->columns, sizeof *model->weight, error)) ||
        !(model->result = array_new(model->problems, sizeof *model->result, error)) ||
        (parameters->keep_alpha &&
         !(model->alpha = array_new(model->rows * model->columns, sizeof *model->alpha, error))))
        return failure(error);
    if (path->classes->alike || (parameters->weights == 0 && !parameters->balanced))
        return HINGE_OK;
    if (!(model->class_weight = array_new(model->classes, sizeof *model->class_weight, error)) ||
        costs_weigh_classes(path, model->class_weight, error))
        return failure(error);
    for (size_t c = 0; c < model->classes; c++)
        weighted |= model->class_weight[c] != 1;
    if (!weighted) {
        free(model->class_weight);
        model->class_weight = NULL;
    }
    return HINGE_OK;
}

/* The models that receive the weights. */
struct models {
    const struct path *path;
    struct hinge_model **model; /* [path->count] */
};

/* Stores weights, alpha and result in their column while no monitor reads the model. */
static enum hinge_status store_column(void *context, const struct trained *trained,
                                      struct hinge_error *error)
{
    const struct models *models = context;
    struct hinge_model *model = models->model[trained->position];
    const struct problem *problem = trained->problem;
    const size_t c = trained->column, columns = model->columns;
    const size_t outputs = problem_outputs(problem); /* columns: 1, or all */
    const int views = problem_views(problem) > 1;
    const size_t rows = problem->rows > 0 ? problem->rows : model->rows; /* none: not begun */
    const double steps =
        (double)trained->result->passes + stochastic_begin(models->path->parameters, (double)rows);
    const int is_locked = parallel_enter();
    struct hinge_result *result = &model->result[c];
    const struct hinge_result kept = *result;
    const int is_kept = model_keeps_column(model, c, trained->result);

    (void)error;
    *result = *trained->result;
    if (is_kept) {
        result->primal = kept.primal;
        result->nonzeros = kept.nonzeros;
        result->relative_gap = problem_gap(problem, result->primal, result->dual);
    } else {
        model_put_columns(model, c, outputs, trained->w);
    }
    for (size_t i = 0; model->alpha && trained->alpha && i < problem->rows; i++)
        for (size_t k = 0; k < outputs; k++) {
            const double alpha = trained->alpha[i * outputs + k];

            model->alpha[problem->row[i] * columns + c + k] +=
                views ? problem->sign[i] * alpha : alpha;
        }
    if (model->solver->kind == HINGE_STOCHASTIC)
        model->steps = fmin(model->steps, steps);
    parallel_leave(is_locked);
    return HINGE_OK;
}

enum hinge_status hinge_train_path(const struct hinge_dataset *data,
                                   const struct hinge_parameters *parameters, const double *C,
                                   size_t count, const struct hinge_monitor *monitor,
                                   struct hinge_model **models, struct hinge_error *error)
{
    struct classes classes;
    struct path path = {.data = data,
                        .parameters = parameters,
                        .monitor = monitor,
                        .rows = data->x.rows,
                        .C = C,
                        .count = count};
    struct models stores = {&path, models};
    struct partial_model partial = {0};
    struct calibrator *calibrator = NULL;
    struct team *team = NULL;
    enum hinge_status status = HINGE_OK;
    size_t completed = 0;

    for (size_t k = 0; k < count; k++)
        models[k] = NULL;
    if (count == 0)
        return HINGE_OK;
    if (path_begin(&path, &classes, error) ||
        agreement_find(data, parameters, 0, C, count, &team, error)) {
        status = failure(error);
    } else {
        path.team = team;
        path_share_threads(&path, path_threads(&path));
        status = path_check_room(&path, path_columns(&path), error);
    }
    for (size_t k = 0; k < count && status == HINGE_OK; k++)
        status = prepare_model(&path, k, &models[k], error);
    if (status == HINGE_OK && parameters->probability && !hinge_has_probabilities(models[0]) &&
        !(calibrator = calibrator_new(&path, error)))
        status = failure(error);
    if (status == HINGE_OK && count == 1)
        status = partial_model_begin(&partial, models[0], &path, error);
    if (partial.monitor)
        path.monitor = partial.monitor;
    if (status == HINGE_OK)
        status = path_run(&path, store_column, &stores, &completed, error);
    path.monitor = monitor;
    partial_model_end(&partial);
    for (size_t k = 0; calibrator && k < completed && status == HINGE_OK; k++)
        status = calibrator_fit(calibrator, models[k], error);
    if (status == HINGE_OK) /* rows that no training needed may be unreadable, too */
        status = pages_check(&data->x, error);
    if (status == HINGE_OK)
        status = team_end(team, error);
    parallel_end();
    calibrator_free(calibrator);
    team_free(team);
    for (size_t k = status ? 0 : completed; k < count; k++) {
        hinge_model_free(models[k]);
        models[k] = NULL;
    }
    classes_free(&classes);
    return status;
}

struct hinge_model *hinge_train(const struct hinge_dataset *data,
                                const struct hinge_parameters *parameters,
                                const struct hinge_monitor *monitor, struct hinge_error *error)
{
    struct hinge_model *model;

    return hinge_train_path(data, parameters, NULL, 1, monitor, &model, error) ? NULL : model;
}

/* The function of hinge_train_until. */
struct asked {
    int (*ask)(void *context);
    void *context;
};

static enum hinge_answer answer(void *context, const struct hinge_progress *progress)
{
    const struct asked *asked = context;

    (void)progress;
    return (enum hinge_answer)asked->ask(asked->context);
}

struct hinge_model *hinge_train_until(const struct hinge_dataset *data,
                                      const struct hinge_parameters *parameters,
                                      int (*ask)(void *context), void *context,
                                      struct hinge_error *error)
{
    struct asked asked = {ask, context};
    const struct hinge_monitor monitor = {answer, &asked, NULL, HINGE_BETWEEN};

    return hinge_train(data, parameters, ask ? &monitor : NULL, error);
}

struct hinge_monitor *hinge_monitor_new(
    enum hinge_answer (*checkpoint)(void *context, const struct hinge_progress *progress),
    void *context, int wants, struct hinge_error *error)
{
    struct hinge_monitor *monitor = array_new(1, sizeof *monitor, error);

    if (monitor)
        *monitor = (struct hinge_monitor){checkpoint, context, NULL, wants};
    return monitor;
}

void hinge_monitor_free(struct hinge_monitor *monitor)
{
    free(monitor);
}
