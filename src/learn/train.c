/* train.c - labels -> binary problems, one or one per class -> solver -> columns of the model. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/sum.h"
#include "learn/classes.h"
#include "solver/normal.h"
#include "solver/solver.h"

/* What the binary problems of one training share, and the arrays they use in turn. */
struct training {
    const struct hinge_dataset *data;
    const struct hinge_parameters *parameters;
    const struct hinge_monitor *monitor;
    const struct solver *solver;
    const double *C; /* [count] */
    size_t count;
    struct classes classes;
    struct hinge_model **model; /* [count] */
    uint32_t *row;              /* [rows] */
    signed char *sign;          /* [rows] */
    double *cost;               /* [rows] */
    double *class_weight;       /* [classes] */
    double *alpha;              /* [rows] */
    double *w;                  /* [features + bias] */
};

/* The product of all weights given for the label; 1 for none. */
static double given_weight(const struct hinge_parameters *parameters, double label)
{
    double weight = 1;

    for (size_t k = 0; k < parameters->weights; k++)
        if (parameters->weight_label[k] == label)
            weight *= parameters->weight[k];
    return weight;
}

static double row_weight(const struct hinge_parameters *parameters, size_t row)
{
    return parameters->row_weights > 0 ? parameters->row_weight[row] : 1;
}

/* What all rows weigh: how many they are, unless they have weights. */
static double weight_of_rows(const struct hinge_parameters *parameters, size_t rows)
{
    struct sum total = {0, 0};

    if (parameters->row_weights == 0)
        return (double)rows;
    for (size_t i = 0; i < rows; i++)
        sum_add(&total, parameters->row_weight[i]);
    return sum_value(&total);
}

/* The weights of all classes. A class whose rows weigh nothing needs no balance. */
static void weigh_classes(struct training *training)
{
    const struct hinge_parameters *parameters = training->parameters;
    const size_t rows = training->data->rows, classes = training->classes.count;
    double *weight = training->class_weight;

    for (size_t i = 0; i < rows && parameters->balanced; i++)
        weight[training->classes.of_row[i]] += row_weight(parameters, i);
    for (size_t c = 0; c < classes; c++) {
        weight[c] =
            weight[c] > 0 ? weight_of_rows(parameters, rows) / ((double)classes * weight[c]) : 1;
        weight[c] *= given_weight(parameters, training->classes.label[c]);
    }
}

/* A cost that the solvers can work with, or 0. */
static int is_cost(double cost)
{
    return cost == 0 || (cost >= 1e-100 && cost <= 1e100);
}

/* The view "class c of the model against the others"; the others have the cost C each, or for two
 * classes their own weight times C. Rows that cost nothing are left out. */
static enum hinge_status view_class(struct training *training, const struct hinge_model *model,
                                    size_t c, struct binary_problem *problem,
                                    struct hinge_error *error)
{
    const struct classes *classes = &training->classes;
    const struct hinge_parameters *parameters = training->parameters;
    double own = model->C * training->class_weight[c];
    double others = model->C;
    uint32_t rows = 0;

    if (classes->count == 2)
        others *= training->class_weight[1 - c];
    for (size_t i = 0; i < training->data->rows; i++) {
        int positive = classes->of_row[i] == c;
        double cost = (positive ? own : others) * row_weight(parameters, i);

        if (!is_cost(cost))
            return fail(
                error, HINGE_BAD_ARGUMENT,
                "the cost of a row, C times its weights, is %g: not between 1e-100 and 1e100",
                cost);
        training->row[rows] = (uint32_t)i;
        training->sign[rows] = positive ? 1 : -1;
        training->cost[rows] = cost;
        rows += cost != 0;
    }
    *problem = (struct binary_problem){training->data, rows,           training->row,
                                       training->sign, training->cost, parameters->bias};
    return HINGE_OK;
}

static int is_finite(double x)
{
    return fabs(x) <= DBL_MAX;
}

/* Puts w into column c of the model, if it and its objective are numbers. */
static enum hinge_status store_column(struct training *training, struct hinge_model *model,
                                      size_t c, size_t width, struct hinge_error *error)
{
    int finite = is_finite(model->result[c].primal) &&
                 (model->solver->kind == HINGE_STOCHASTIC || is_finite(model->result[c].dual));

    for (size_t j = 0; j < width; j++) {
        finite &= is_finite(training->w[j]);
        model->weight[j * model->columns + c] = training->w[j];
    }
    return finite ? HINGE_OK
                  : fail(error, HINGE_BAD_INPUT,
                         "the training leaves the range of double precision; scale the data, or "
                         "choose a C nearer to 1");
}

/* The start for the next C: for the L1-loss the rows at their bound stay there. */
static void scale_alpha(struct training *training, const struct binary_problem *problem,
                        double factor)
{
    for (uint32_t i = 0; i < problem->rows; i++) {
        training->alpha[i] *= factor;
        if (training->solver->loss == LOSS_L1)
            training->alpha[i] = fmin(training->alpha[i], problem->cost[i]);
    }
}

/* Column c of the models, one C after the other. An interrupted one is the last. */
static enum hinge_status train_column(struct training *training, size_t c,
                                      struct hinge_error *error)
{
    struct binary_problem problem;
    struct normal *kept = NULL;
    enum hinge_status status = HINGE_OK;

    memset(training->alpha, 0, training->data->rows * sizeof *training->alpha);
    for (size_t k = 0; k < training->count && status == HINGE_OK; k++) {
        struct hinge_model *model = training->model[k];
        const struct solver_task task = {.problem = &problem,
                                         .loss = training->solver->loss,
                                         .parameters = training->parameters,
                                         .monitor = training->monitor,
                                         .position = c,
                                         .problems = model->columns,
                                         .positive = model->label[c],
                                         .recipe = &training->solver->recipe,
                                         .alpha = training->alpha,
                                         .kept = training->count > 1 ? &kept : NULL};

        status = view_class(training, model, c, &problem, error);
        if (status == HINGE_OK && k > 0)
            scale_alpha(training, &problem, training->C[k] / training->C[k - 1]);
        if (status == HINGE_OK)
            status = training->solver->solve(&task, training->w, &model->result[c], error);
        if (status == HINGE_OK)
            status = store_column(training, model, c, binary_width(&problem), error);
        if (status == HINGE_OK && model->result[c].outcome == HINGE_INTERRUPTED)
            training->count = k + 1;
    }
    normal_free(kept);
    return status;
}

/* Fills in what is known before the weights are, and makes room for them. */
static enum hinge_status prepare_model(struct training *training, struct hinge_model *model,
                                       double C, struct hinge_error *error)
{
    const struct hinge_parameters *parameters = training->parameters;
    const double rows = weight_of_rows(parameters, training->data->rows);
    size_t width = (size_t)training->data->features + (parameters->bias >= 0);

    model->classes = training->classes.count;
    model->columns = model->classes == 2 ? 1 : model->classes;
    model->features = training->data->features;
    model->bias = parameters->bias >= 0 ? parameters->bias : -1;
    model->zero_based = training->data->zero_based;
    model->solver = &training->solver->info;
    model->solver_type = model->solver->model_name;
    model->C = C;
    model->lambda = 1 / (C * rows);
    model->l1 = parameters->l1;
    model->seed = parameters->seed;
    if (!(model->label = array_new(model->classes, sizeof *model->label, error)))
        return failure(error);
    memcpy(model->label, training->classes.label, model->classes * sizeof *model->label);
    if (width > SIZE_MAX / model->columns)
        return fail(error, HINGE_NO_MEMORY, "out of memory: %lu features times %lu classes",
                    (unsigned long)width, (unsigned long)model->columns);
    model->weight = array_new(width * model->columns, sizeof *model->weight, error);
    if (model->weight)
        model->result = array_new(model->columns, sizeof *model->result, error);
    return model->result ? HINGE_OK : failure(error);
}

static enum hinge_status prepare_models(struct training *training, struct hinge_error *error)
{
    for (size_t k = 0; k < training->count; k++)
        if (!(training->model[k] = array_new(1, sizeof **training->model, error)) ||
            prepare_model(training, training->model[k], training->C[k], error))
            return failure(error);
    return HINGE_OK;
}

static enum hinge_status prepare(struct training *training, struct hinge_error *error)
{
    const struct hinge_dataset *data = training->data;
    size_t width = (size_t)data->features + (training->parameters->bias >= 0);

    if (hinge_parameters_check(training->parameters, error) ||
        classes_find(&training->classes, data, error))
        return failure(error);
    if (training->classes.count < 2)
        return fail(error, HINGE_BAD_INPUT,
                    "all rows have the label %.17g: a classifier needs two classes",
                    training->classes.label[0]);
    if (training->parameters->row_weights > 0 && training->parameters->row_weights != data->rows)
        return fail(error, HINGE_BAD_ARGUMENT, "row_weights: %lu for %lu rows",
                    (unsigned long)training->parameters->row_weights, (unsigned long)data->rows);
    if (!(weight_of_rows(training->parameters, data->rows) > 0))
        return fail(error, HINGE_BAD_ARGUMENT, "row_weight: all are 0");
    training->solver = solver_find(training->parameters->solver);
    if (prepare_models(training, error) ||
        !(training->row = array_new(data->rows, sizeof *training->row, error)) ||
        !(training->sign = array_new(data->rows, sizeof *training->sign, error)) ||
        !(training->cost = array_new(data->rows, sizeof *training->cost, error)) ||
        !(training->alpha = array_new(data->rows, sizeof *training->alpha, error)) ||
        !(training->class_weight =
              array_new(training->classes.count, sizeof *training->class_weight, error)) ||
        !(training->w = array_new(width, sizeof *training->w, error)))
        return failure(error);
    weigh_classes(training);
    return HINGE_OK;
}

static enum hinge_status train_columns(struct training *training, struct hinge_error *error)
{
    for (size_t c = 0; c < training->model[0]->columns; c++)
        if (train_column(training, c, error))
            return failure(error);
    return HINGE_OK;
}

enum hinge_status hinge_train_path(const struct hinge_dataset *data,
                                   const struct hinge_parameters *parameters, const double *C,
                                   size_t count, const struct hinge_monitor *monitor,
                                   struct hinge_model **models, struct hinge_error *error)
{
    struct training training = {.data = data,
                                .parameters = parameters,
                                .monitor = monitor,
                                .C = C,
                                .count = count,
                                .model = models};
    enum hinge_status status = HINGE_OK;

    for (size_t k = 0; k < count; k++)
        models[k] = NULL;
    if (count == 0)
        return HINGE_OK;
    if (prepare(&training, error) || train_columns(&training, error)) {
        status = failure(error);
        training.count = 0;
    }
    for (size_t k = training.count; k < count; k++) {
        hinge_model_free(models[k]);
        models[k] = NULL;
    }
    classes_free(&training.classes);
    free(training.row);
    free(training.sign);
    free(training.cost);
    free(training.class_weight);
    free(training.alpha);
    free(training.w);
    return status;
}

struct hinge_model *hinge_train(const struct hinge_dataset *data,
                                const struct hinge_parameters *parameters,
                                const struct hinge_monitor *monitor, struct hinge_error *error)
{
    const double lambda = parameters->lambda;
    const double C =
        lambda > 0 ? 1 / (lambda * weight_of_rows(parameters, data->rows)) : parameters->C;
    struct hinge_model *model;

    if (hinge_train_path(data, parameters, &C, 1, monitor, &model, error))
        return NULL;
    if (model && lambda > 0)
        model->lambda = lambda;
    return model;
}
