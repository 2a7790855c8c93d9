/* path.c - labels -> binary problems, C_i = C (class weight) (row weight) -> solver -> taker. */
#include "learn/path.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "learn/costs.h"
#include "solver/normal.h"
#include "solver/solver.h"

/* The arrays that the binary problems of one path use in turn. */
struct run {
    const struct path *path;
    const struct solver *solver;
    size_t count;         /* of C, until a training is interrupted */
    uint32_t *row;        /* [rows] */
    signed char *sign;    /* [rows] */
    double *cost;         /* [rows] */
    double *alpha;        /* [rows] */
    double *class_weight; /* [classes] */
    size_t width;         /* features + bias */
    double *w;            /* [width] */
    double *start;        /* [width] the weights to start from; NULL: none */
    uint32_t *column;     /* [classes] of the initial model; NULL: there is none */
    int stopped;          /* a monitor stopped the last training */
    struct groups groups; /* counted when a class is not begun */
};

size_t path_columns(const struct classes *classes)
{
    return classes->count == 2 ? 1 : classes->count;
}

/* ---- A binary problem -------------------------------------------------- */

/* The view of so many rows, which are not filled in. */
static struct binary_problem view_of(const struct run *run, uint32_t rows)
{
    return (struct binary_problem){.data = run->path->data,
                                   .rows = rows,
                                   .row = run->row,
                                   .sign = run->sign,
                                   .cost = run->cost,
                                   .bias = solver_bias(run->path->parameters),
                                   .free_bias = run->solver->info.pairs};
}

/* The view "class c against the others"; the others have the cost C each, or for two classes their
 * own weight times C. Rows that cost nothing are left out. */
static struct binary_problem view_class(struct run *run, double C, size_t c)
{
    const struct path *path = run->path;
    const double own = C * run->class_weight[c];
    const double others = path->classes->count == 2 ? C * run->class_weight[1 - c] : C;
    uint32_t rows = 0;

    for (size_t i = 0; i < path->rows; i++) {
        const uint32_t row = path_row(path, i);
        const int positive = path->classes->of_row[row] == c;
        const double cost = (positive ? own : others) * costs_of_row(path, row);

        run->row[rows] = row;
        run->sign[rows] = positive ? 1 : -1;
        run->cost[rows] = cost;
        rows += cost != 0;
    }
    return view_of(run, rows);
}

/* The start for the next C: for the L1-loss the rows at their bound stay there. */
static void scale_alpha(struct run *run, const struct binary_problem *problem, double factor)
{
    for (uint32_t i = 0; i < problem->rows; i++) {
        run->alpha[i] *= factor;
        if (run->solver->loss == LOSS_L1)
            run->alpha[i] = fmin(run->alpha[i], problem->cost[i]);
    }
}

/* The weights to start from: of the initial model, whose two classes may be the other way round,
 * and its features fewer or more. Those of features that the data lack are 0 in any solution. */
static void choose_start(struct run *run, size_t c)
{
    const struct hinge_model *model = run->path->parameters->initial;
    const size_t features = run->path->data->features;
    const size_t column = run->column[c];

    for (size_t j = 0; j < features + (model->bias >= 0); j++) {
        const size_t line = j < features ? j : model->features;
        const double *weight = model->weight + line * model->columns;

        if (j < features && j >= model->features)
            run->start[j] = 0;
        else if (model->columns > 1)
            run->start[j] = weight[column];
        else
            run->start[j] = column == 0 ? *weight : -*weight;
    }
}

static struct solver_task task_of(const struct run *run, const struct binary_problem *problem,
                                  size_t k, size_t c, struct normal **kept)
{
    const struct path *path = run->path;
    const int goes_on = k > 0 && run->solver->info.kind == HINGE_DUAL;
    const int empty = problem->rows == 0; /* and 0 the optimum */

    return (struct solver_task){.problem = problem,
                                .loss = run->solver->loss,
                                .parameters = path->parameters,
                                .monitor = path->monitor,
                                .fold = path->fold,
                                .folds = path->folds,
                                .C = path->C[k],
                                .position = c,
                                .problems = path_columns(path->classes),
                                .positive = path->classes->label[c],
                                .recipe = &run->solver->recipe,
                                .start = goes_on || empty ? NULL : run->start,
                                .alpha = run->alpha,
                                .kept = path->count > 1 ? kept : NULL};
}

static int is_finite(double x)
{
    return fabs(x) <= DBL_MAX;
}

/* Whether w and its objective are numbers. */
static enum hinge_status check_range(const struct run *run, const struct trained *trained,
                                     struct hinge_error *error)
{
    int finite = is_finite(trained->result->primal) &&
                 (run->solver->info.kind == HINGE_STOCHASTIC || is_finite(trained->result->dual));

    for (size_t j = 0; j < binary_width(trained->problem); j++)
        finite &= is_finite(trained->w[j]);
    return finite ? HINGE_OK
                  : fail(error, HINGE_BAD_INPUT,
                         "the training leaves the range of double precision; scale the data, or "
                         "choose a C nearer to 1");
}

/* Takes note of how a training ended. */
static void note_outcome(struct run *run, size_t k, enum hinge_outcome outcome)
{
    run->stopped = outcome == HINGE_INTERRUPTED || outcome == HINGE_TIME_LIMIT;
    if (outcome == HINGE_INTERRUPTED)
        run->count = k + 1;
}

/* Trains class c for one C after the other. An interrupted one is the last. */
static enum hinge_status run_column(struct run *run, size_t c, path_taker *take, void *context,
                                    struct hinge_error *error)
{
    const double *C = run->path->C;
    struct binary_problem problem;
    struct normal *kept = NULL;
    enum hinge_status status = HINGE_OK;

    memset(run->alpha, 0, run->path->rows * sizeof *run->alpha);
    if (run->start)
        choose_start(run, c);
    for (size_t k = 0; k < run->count && status == HINGE_OK; k++) {
        struct hinge_result result;
        const struct trained trained = {k, c, run->w, &problem, run->alpha, &result};
        struct solver_task task;

        problem = view_class(run, C[k], c);
        if (k > 0)
            scale_alpha(run, &problem, C[k] / C[k - 1]);
        task = task_of(run, &problem, k, c, &kept);
        status = run->solver->solve(&task, run->w, &result, error);
        if (status == HINGE_OK)
            status = check_range(run, &trained, error);
        if (status == HINGE_OK)
            status = take(context, &trained, error);
        if (status == HINGE_OK)
            note_outcome(run, k, result.outcome);
    }
    normal_free(kept);
    return status;
}

/* ---- Trainings that are not begun -------------------------------------- */

/* Once a monitor has stopped a training there may be a million classes to come: each of them costs
 * what it leaves behind, and no pass over the rows. It keeps the weights that it would start from.
 * Where these are 0 every loss is 1, so that P is the sum of the costs, and alpha = 0, D = 0 go
 * with them; of others the objective is not known. */
struct idle {
    struct binary_problem problem; /* without its rows */
    struct solver_task task;
    const double *w;
    struct objective objective;
    struct hinge_progress progress;
};

/* Class c for the k-th C, its weights in place. There are more than two classes: of two, one is all
 * there is to train. */
static void idle_begin(struct idle *idle, const struct run *run, size_t k, size_t c)
{
    const struct group *group = &run->groups.of[c];
    const double own = run->class_weight[c];
    const double primal = run->path->C[k] * (own * sum_value(&group->weight) + group->others);

    idle->problem = view_of(run, run->groups.weighing - (own > 0 ? 0 : group->rows));
    idle->task = task_of(run, &idle->problem, k, c, NULL);
    idle->w = run->start ? run->start : run->w;
    idle->objective = (struct objective){primal, NAN, NAN, 0};
    if (run->solver->info.kind == HINGE_DUAL) {
        idle->objective.dual = 0;
        idle->objective.gap = primal > 0 ? 1 : 0;
    }
    idle->progress = progress_new(&idle->task);
    for (size_t j = 0; run->start && j < binary_width(&idle->problem); j++)
        idle->progress.nonzeros += run->start[j] != 0;
}

static void idle_measure(void *state)
{
    struct idle *idle = state;

    if (!idle->task.parameters->initial)
        progress_measured(&idle->progress, &idle->objective, idle->w);
}

/* Ends it for the reason that the monitors gave. */
static struct hinge_result idle_end(struct idle *idle, enum hinge_answer answer)
{
    struct hinge_result result = {0};

    idle_measure(idle);
    idle->progress.last = 1;
    monitor_ask(idle->task.monitor, &idle->progress, idle_measure, idle);
    result_fill(&result, &idle->progress,
                answer != HINGE_INTERRUPT &&
                        idle->progress.gap <= solver_target(idle->task.parameters)
                    ? HINGE_CERTIFIED
                    : outcome_of(answer));
    return result;
}

/* Asks before class c is begun; if the answer is no leaves it as it is, for each C. */
static enum hinge_status skip_column(struct run *run, size_t c, path_taker *take, void *context,
                                     int *skipped, struct hinge_error *error)
{
    enum hinge_answer answer;
    enum hinge_status status = HINGE_OK;
    struct idle idle;

    if (!run->groups.of && groups_count(&run->groups, run->path, error))
        return failure(error);
    memset(run->w, 0, run->width * sizeof *run->w);
    if (run->start)
        choose_start(run, c);
    idle_begin(&idle, run, 0, c);
    answer = monitor_ask(idle.task.monitor, &idle.progress, idle_measure, &idle);
    *skipped = answer != HINGE_GO_ON;
    for (size_t k = 0; *skipped && k < run->count && status == HINGE_OK; k++) {
        struct hinge_result result;
        const struct trained trained = {k, c, idle.w, &idle.problem, NULL, &result};

        idle_begin(&idle, run, k, c);
        result = idle_end(&idle, answer);
        status = take(context, &trained, error);
        if (answer == HINGE_INTERRUPT)
            run->count = k + 1;
    }
    return status;
}

/* ---- The path ---------------------------------------------------------- */

/* The column of the model for each class, free() it. */
static uint32_t *match_labels(const struct hinge_model *model, const struct classes *classes,
                              struct hinge_error *error)
{
    struct labels labels = {NULL, 0, NULL, 0};
    uint32_t *column = array_new(classes->count, sizeof *column, error), number;
    enum hinge_status status = column ? HINGE_OK : failure(error);
    size_t known;

    for (size_t c = 0; c < model->classes && status == HINGE_OK; c++)
        status = labels_number(&labels, model->label[c], &number, error);
    known = labels.count;
    for (size_t c = 0; c < classes->count && status == HINGE_OK; c++) {
        status = labels_number(&labels, classes->label[c], &column[c], error);
        if (status == HINGE_OK && column[c] >= known)
            status = fail(error, HINGE_BAD_ARGUMENT, "the initial model has no class %.17g",
                          classes->label[c]);
    }
    labels_free(&labels);
    if (status == HINGE_OK)
        return column;
    free(column);
    return NULL;
}

static enum hinge_status check_initial(const struct classes *classes,
                                       const struct hinge_parameters *parameters,
                                       struct hinge_error *error)
{
    const struct hinge_model *model = parameters->initial;
    const double bias = parameters->bias >= 0 ? parameters->bias : -1;
    const double its = model->bias >= 0 ? model->bias : -1;
    uint32_t *column;

    if (model->classes != classes->count)
        return fail(error, HINGE_BAD_ARGUMENT, "the initial model has %lu classes, the data %lu",
                    (unsigned long)model->classes, (unsigned long)classes->count);
    if (!(column = match_labels(model, classes, error)))
        return failure(error);
    free(column);
    if (model->columns != path_columns(classes))
        return fail(error, HINGE_BAD_ARGUMENT,
                    "the initial model has two columns of weights for its two classes");
    if (its != bias)
        return fail(error, HINGE_BAD_ARGUMENT, "the initial model has the bias %g, not %g", its,
                    bias);
    return HINGE_OK;
}

enum hinge_status path_begin(struct classes *classes, const struct hinge_dataset *data,
                             const struct hinge_parameters *parameters, struct hinge_error *error)
{
    const struct path all = {.data = data, .parameters = parameters, .rows = data->x.rows};

    memset(classes, 0, sizeof *classes);
    if (hinge_parameters_check(parameters, error) || classes_find(classes, data, error))
        return failure(error);
    if (classes->count < 2)
        return fail(error, HINGE_BAD_INPUT,
                    "all rows have the label %.17g: a classifier needs two classes",
                    classes->label[0]);
    if (parameters->row_weights > 0 && parameters->row_weights != data->x.rows)
        return fail(error, HINGE_BAD_ARGUMENT, "row_weights: %lu for %lu rows",
                    (unsigned long)parameters->row_weights, (unsigned long)data->x.rows);
    if (!(costs_total(&all) > 0))
        return fail(error, HINGE_BAD_ARGUMENT, "row_weight: all are 0");
    return parameters->initial ? check_initial(classes, parameters, error) : HINGE_OK;
}

enum hinge_status path_check_room(const struct path *path, size_t kept, struct hinge_error *error)
{
    const size_t own = path->parameters->initial ? 2 : 1;

    return memory_ask("weights", path->data->features, kept + own, error);
}

static enum hinge_status run_new(struct run *run, struct hinge_error *error)
{
    const struct path *path = run->path;
    const struct hinge_model *initial = path->parameters->initial;

    run->width = (size_t)path->data->features + (solver_bias(path->parameters) >= 0);
    run->solver = solver_find(path->parameters->solver);
    run->count = path->count;
    if (!(run->row = array_new(path->rows, sizeof *run->row, error)) ||
        !(run->sign = array_new(path->rows, sizeof *run->sign, error)) ||
        !(run->cost = array_new(path->rows, sizeof *run->cost, error)) ||
        !(run->alpha = array_new(path->rows, sizeof *run->alpha, error)) ||
        !(run->class_weight = array_new(path->classes->count, sizeof *run->class_weight, error)) ||
        !(run->w = array_new(run->width, sizeof *run->w, error)) ||
        (initial && (!(run->start = array_new(run->width, sizeof *run->start, error)) ||
                     !(run->column = match_labels(initial, path->classes, error)))))
        return failure(error);
    costs_weigh_classes(path, run->class_weight);
    return costs_check(path, run->class_weight, error);
}

static void run_free(struct run *run)
{
    free(run->row);
    free(run->sign);
    free(run->cost);
    free(run->alpha);
    free(run->class_weight);
    free(run->w);
    free(run->start);
    free(run->column);
    free(run->groups.of);
}

enum hinge_status path_run(const struct path *path, path_taker *take, void *context,
                           size_t *completed, struct hinge_error *error)
{
    struct run run = {.path = path};
    enum hinge_status status = run_new(&run, error);

    for (size_t c = 0; c < path_columns(path->classes) && status == HINGE_OK; c++) {
        int skipped = 0;

        if (run.stopped)
            status = skip_column(&run, c, take, context, &skipped, error);
        if (status == HINGE_OK && !skipped)
            status = run_column(&run, c, take, context, error);
    }
    *completed = run.count;
    run_free(&run);
    return status;
}
