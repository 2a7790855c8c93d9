/* train.c - labels -> binary problems, one or one per class -> solver -> columns of the model. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "learn/classes.h"
#include "solver/solver.h"

/* What the binary problems of one training share, and the arrays they use in turn. */
struct training {
    const struct hinge_dataset *data;
    const struct hinge_parameters *parameters;
    const struct hinge_monitor *monitor;
    const struct solver *solver;
    struct classes classes;
    struct hinge_model *model;
    uint32_t *row;     /* [rows] */
    signed char *sign; /* [rows] */
    double *cost;      /* [rows] */
    double *w;         /* [features + bias] */
};

/* The product of all weights given for the label; 1 for none. */
static double class_weight(const struct hinge_parameters *parameters, double label)
{
    double weight = 1;

    for (size_t k = 0; k < parameters->weights; k++)
        if (parameters->weight_label[k] == label)
            weight *= parameters->weight[k];
    return weight;
}

/* A cost that the solvers can work with, or 0. */
static int is_cost(double cost)
{
    return cost == 0 || (cost >= 1e-100 && cost <= 1e100);
}

/* The view "class c against the others"; the others have the cost C each, or for two classes
 * their own weight times C. Rows that cost nothing are left out. */
static enum hinge_status view_class(struct training *training, size_t c,
                                    struct binary_problem *problem, struct hinge_error *error)
{
    const struct classes *classes = &training->classes;
    const struct hinge_parameters *parameters = training->parameters;
    double own = training->model->C * class_weight(parameters, training->model->label[c]);
    double others = training->model->C;
    uint32_t rows = 0;

    if (classes->count == 2)
        others *= class_weight(parameters, training->model->label[1 - c]);
    if (!is_cost(own) || !is_cost(others))
        return fail(
            error, HINGE_BAD_ARGUMENT,
            "the cost of a row, C times the class weight, is %g: not between 1e-100 and 1e100",
            is_cost(own) ? others : own);
    for (size_t i = 0; i < training->data->rows; i++) {
        int positive = classes->of_row[i] == c;
        double cost = positive ? own : others;

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
static enum hinge_status store_column(struct training *training, size_t c, size_t width,
                                      struct hinge_error *error)
{
    struct hinge_model *model = training->model;
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

static enum hinge_status train_columns(struct training *training, struct hinge_error *error)
{
    struct hinge_model *model = training->model;

    for (size_t c = 0; c < model->columns; c++) {
        struct binary_problem problem;
        struct solver_task task = {
            &problem, training->solver->loss, training->parameters, training->monitor,
            c,        model->columns,         model->label[c],      &training->solver->recipe, NULL};

        if (view_class(training, c, &problem, error) ||
            training->solver->solve(&task, training->w, &model->result[c], error) ||
            store_column(training, c, binary_width(&problem), error))
            return failure(error);
    }
    return HINGE_OK;
}

/* Fills in what is known before the weights are, and makes room for them. */
static enum hinge_status prepare_model(struct training *training, struct hinge_error *error)
{
    const struct hinge_parameters *parameters = training->parameters;
    struct hinge_model *model = training->model;
    double rows = (double)training->data->rows;
    size_t width = (size_t)training->data->features + (parameters->bias >= 0);

    model->classes = training->classes.count;
    model->label = training->classes.label;
    training->classes.label = NULL;
    model->columns = model->classes == 2 ? 1 : model->classes;
    model->features = training->data->features;
    model->bias = parameters->bias >= 0 ? parameters->bias : -1;
    model->zero_based = training->data->zero_based;
    model->solver = &training->solver->info;
    model->solver_type = model->solver->model_name;
    model->C = parameters->lambda > 0 ? 1 / (parameters->lambda * rows) : parameters->C;
    model->lambda = parameters->lambda > 0 ? parameters->lambda : 1 / (parameters->C * rows);
    model->l1 = parameters->l1;
    model->seed = parameters->seed;
    if (width > SIZE_MAX / model->columns)
        return fail(error, HINGE_NO_MEMORY, "out of memory: %lu features times %lu classes",
                    (unsigned long)width, (unsigned long)model->columns);
    model->weight = array_new(width * model->columns, sizeof *model->weight, error);
    if (model->weight)
        model->result = array_new(model->columns, sizeof *model->result, error);
    return model->result ? HINGE_OK : failure(error);
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
    training->solver = solver_find(training->parameters->solver);
    if (!(training->model = array_new(1, sizeof *training->model, error)) ||
        prepare_model(training, error) ||
        !(training->row = array_new(data->rows, sizeof *training->row, error)) ||
        !(training->sign = array_new(data->rows, sizeof *training->sign, error)) ||
        !(training->cost = array_new(data->rows, sizeof *training->cost, error)) ||
        !(training->w = array_new(width, sizeof *training->w, error)))
        return failure(error);
    return HINGE_OK;
}

struct hinge_model *hinge_train(const struct hinge_dataset *data,
                                const struct hinge_parameters *parameters,
                                const struct hinge_monitor *monitor, struct hinge_error *error)
{
    struct training training = {.data = data, .parameters = parameters, .monitor = monitor};
    struct hinge_model *model;

    if (prepare(&training, error) || train_columns(&training, error)) {
        hinge_model_free(training.model);
        training.model = NULL;
    }
    model = training.model;
    classes_free(&training.classes);
    free(training.row);
    free(training.sign);
    free(training.cost);
    free(training.w);
    return model;
}
