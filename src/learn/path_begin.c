/* path_begin.c - checks data, parameters and initial model before any training, finds the classes,
 * and divides the threads. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/status.h"
#include "learn/costs.h"
#include "solver/linear/cost.h"

size_t path_columns(const struct path *path)
{
    const size_t classes = path->classes->count;

    return classes == 2 && !path->solver->info.joint ? 1 : classes; /* also 1 for regression */
}

size_t path_problems(const struct path *path)
{
    return path->solver->info.joint ? 1 : path_columns(path);
}

/* Refuses classes of the data that are not among the labels of the initial model. */
static enum hinge_status check_known(const struct classes *classes, const struct labels *labels,
                                     struct hinge_error *error)
{
    enum { MOST = 4, DIGITS = 32 }; /* names in the message, and characters of one */
    char names[MOST * DIGITS] = "";
    size_t unknown = 0, length = 0;

    for (size_t c = 0; c < classes->count; c++) {
        if (labels_find(labels, classes->label[c]) < labels->count)
            continue;
        if (unknown++ < MOST)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%.17g",
                                       length > 0 ? ", " : "", classes->label[c]);
    }
    if (unknown == 0)
        return HINGE_OK;
    return fail(error, HINGE_BAD_ARGUMENT,
                INITIAL_MODEL " has no class%s %s%s: new classes need a training without it",
                unknown > 1 ? "es" : "", names, unknown > MOST ? ", ..." : "");
}

/* Checks the initial model against the classes and finds its column for each class. If the data
 * lack some of its classes, rows get the classes of the model, in its order. */
static enum hinge_status match_initial(const struct path *path, struct classes *classes,
                                       struct hinge_error *error)
{
    const struct hinge_parameters *parameters = path->parameters;
    const struct hinge_model *model = parameters->initial;
    const double bias = solver_bias(solver_find(parameters->solver), parameters);
    const double its = model->bias >= 0 ? model->bias : -1;
    struct labels labels = {0};
    enum hinge_status status = HINGE_OK;
    uint32_t number;
    const struct hinge_solver *solver = hinge_solver_find(parameters->solver);
    const int regression = solver->regression;

    if (regression != (model->classes == 0))
        return fail(error, HINGE_BAD_ARGUMENT, INITIAL_MODEL " is %s, the solver %s",
                    regression ? "a classifier" : "a regression", solver->name);
    if (solver->one_class != model->one_class)
        return fail(error, HINGE_BAD_ARGUMENT, INITIAL_MODEL " is %s one-class SVM, the solver %s",
                    model->one_class ? "a" : "no", solver->name);
    for (size_t c = 0; c < model->classes && status == HINGE_OK; c++)
        status = labels_number(&labels, model->label[c], &number, error);
    if (status == HINGE_OK && !regression)
        status = check_known(classes, &labels, error);
    if (status == HINGE_OK && !(classes->column = array_new(regression ? 1 : model->classes,
                                                            sizeof *classes->column, error)))
        status = failure(error);
    for (size_t c = 0; c < classes->count && !regression && status == HINGE_OK; c++)
        classes->column[c] = (uint32_t)labels_find(&labels, classes->label[c]);
    labels_free(&labels);
    if (status == HINGE_OK && classes->count < model->classes &&
        !(status = ARRAY_RESIZE(&classes->label, model->classes, error))) {
        for (size_t i = 0; i < path->data->x.rows; i++)
            classes->of_row[i] = classes->column[classes->of_row[i]];
        for (size_t c = 0; c < model->classes; c++) {
            classes->label[c] = model->label[c];
            classes->column[c] = (uint32_t)c;
        }
        classes->count = model->classes;
    }
    if (status == HINGE_OK && model->columns > path_columns(path))
        status = fail(error, HINGE_BAD_ARGUMENT,
                      INITIAL_MODEL " has two columns of weights for its two classes");
    if (status == HINGE_OK && its != bias)
        status =
            fail(error, HINGE_BAD_ARGUMENT, INITIAL_MODEL " has the bias %g, not %g", its, bias);
    return status;
}

enum hinge_status path_check_labels(const struct path *path, struct hinge_error *error)
{
    const struct hinge_solver *solver = hinge_solver_find(path->parameters->solver);

    if (path->data->label || (solver->one_class && path->folds == 0))
        return HINGE_OK;
    return fail(error, HINGE_BAD_ARGUMENT, "label: the data have none");
}

enum hinge_status path_begin(struct path *path, struct classes *classes, struct hinge_error *error)
{
    const struct hinge_parameters *parameters = path->parameters;
    const size_t rows = path->data->x.rows;
    const struct hinge_solver *solver = hinge_solver_find(parameters->solver);
    size_t first;
    int in_one_class;
    static const double no_label[] = {NAN}, inside_outside[] = {1, -1};

    memset(classes, 0, sizeof *classes);
    path->classes = classes;
    if (hinge_parameters_check(parameters, error) || path_check_labels(path, error) ||
        (solver->regression  ? classes_alike(classes, rows, no_label, 1, error)
         : solver->one_class ? classes_alike(classes, rows, inside_outside, 2, error)
                             : classes_find(classes, path->data, error)))
        return failure(error);
    path->solver = solver_find(parameters->solver);
    if (path->data->x.pages && !solver_streams(path->solver))
        return fail(error, HINGE_BAD_ARGUMENT,
                    "the data do not fit in the memory that is allowed, and solver %s needs all of "
                    "them there; solvers 0-3, 7, 11-13, 30-33, 40, 41 and 61 do not",
                    solver->name);
    if (path->data->x.pages && solver->kind == HINGE_STOCHASTIC &&
        parameters->sampling == HINGE_IID)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "sampling: iid needs all data in memory, and they do not fit; permute needs "
                    "only a part of them");
    if (path->data->x.pages && pages_check(&path->data->x, error))
        return failure(error);
    if (rows == 0)
        return fail(error, HINGE_BAD_INPUT, "no rows");
    if (solver->regression && rows > UINT32_MAX / 2)
        return fail(error, HINGE_BAD_INPUT, "%lu rows: a regression takes at most 2^31 - 1",
                    (unsigned long)rows);
    if (parameters->row_weights > 0 && parameters->row_weights != rows)
        return fail(error, HINGE_BAD_ARGUMENT, "row_weights: %lu for %lu rows",
                    (unsigned long)parameters->row_weights, (unsigned long)rows);
    if (parameters->row_groups > 0 && parameters->row_groups != rows)
        return fail(error, HINGE_BAD_ARGUMENT, "row_groups: %lu for %lu rows",
                    (unsigned long)parameters->row_groups, (unsigned long)rows);
    for (size_t k = 0; k < path->count; k++)
        if (costs_C(path, k) == 0) /* which would leave all rows out */
            return fail(error, HINGE_BAD_ARGUMENT, "C: 0 is not between 1e-100 and 1e100");
    in_one_class = costs_in_one_part(parameters, classes->of_row, rows, &first);
    if (first == rows)
        return fail(error, HINGE_BAD_ARGUMENT, "row_weight: all are 0");
    if (in_one_class && !classes->alike &&
        !(parameters->initial && parameters->initial->classes > 1))
        return fail(error, HINGE_BAD_INPUT,
                    "all rows%s have the label %.17g: a classifier needs two classes",
                    classes->count > 1 ? " that weigh more than 0" : "",
                    classes->label[classes->of_row[first]]);
    return parameters->initial ? match_initial(path, classes, error) : HINGE_OK;
}

enum hinge_status path_check_room(const struct path *path, size_t kept, struct hinge_error *error)
{
    const size_t threads = path->threads > 0 ? path->threads : 1;
    const size_t own = (path->parameters->initial ? 2 : 1) * threads;

    return memory_ask("weights", path->data->features, kept + own, error);
}

unsigned path_threads(const struct path *path)
{
    return path->data->x.pages ? 1 : parallel_threads(path->parameters->threads);
}

/* A training takes at least about two passes. A thread has to be started and allocates memory, so
 * the work must be three times as long as a sum that threads share. */
unsigned path_training_threads(const struct path *path, unsigned threads, size_t times)
{
    static const double PASSES = 2, LONGER = 3;
    const double rows = (double)path->data->x.rows, length = (double)path->data->x.nonzeros / rows;
    const double trainings = (double)path_problems(path) * (double)times;

    return parallel_threads_for(threads,
                                trainings * cost_of_visits(PASSES * rows, length, 0) / LONGER);
}

void path_share_threads(struct path *path, unsigned threads)
{
    const size_t problems = path->team ? 1 : path_problems(path); /* ranks go in step */
    const unsigned most = path_training_threads(path, threads, path->count);

    path->threads = problems < most ? (unsigned)problems : most;
    path->threads_each = threads / path->threads;
}
