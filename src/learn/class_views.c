/* class_views.c - labels -> signs, targets or classes; C_i = C (class weight) (row weight).
 *
 * A view is filled anew for each problem, so that its memory does not grow with the classes. */
#include "learn/path.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/sum.h"
#include "data/feature_columns.h"
#include "learn/costs.h"
#include "problem/kernel.h"
#include "solver/linear/column_cache.h"

enum hinge_status class_views_new(struct class_views *views, const struct path *path,
                                  struct hinge_error *error)
{
    const int joint = path->solver->info.joint, regression = path->solver->info.regression;
    const int by_sign = path->data->x.pages && !joint && path->parameters->row_weights == 0;
    const size_t count = path->rows * (regression ? 2 : 1);

    *views = (struct class_views){.path = path, .count = count};
    if (!(views->row = array_new(count, sizeof *views->row, error)) ||
        (joint ? !(views->class_of = array_new(count, sizeof *views->class_of, error))
               : !(views->sign = array_new(count, sizeof *views->sign, error))) ||
        (!by_sign && !(views->cost = array_new(count, sizeof *views->cost, error))) ||
        (regression && !(views->target = array_new(count, sizeof *views->target, error))) ||
        !(views->class_weight =
              array_new(path->classes->count, sizeof *views->class_weight, error)) ||
        costs_weigh_classes(path, views->class_weight, error))
        return failure(error);
    return costs_check(path, views->class_weight, error);
}

void class_views_free(struct class_views *views)
{
    free(views->row);
    free(views->sign);
    free(views->class_of);
    free(views->cost);
    free(views->target);
    free(views->class_weight);
}

/* Fills the view for regression. A row with label r becomes two rows: sign +1 and target r -
 * epsilon, sign -1 and target -r - epsilon. Rows that cost 0 are left out. Returns the sum of
 * costs. */
static double view_targets(struct class_views *views, struct problem *problem, double C)
{
    const struct path *path = views->path;
    double costs = 0;

    problem->target = views->target;
    problem->sign_cost[0] = problem->sign_cost[1] = C;
    for (size_t i = 0; i < path->rows; i++) {
        const uint32_t row = path_row(path, i);
        const double cost = C * costs_of_row(path->parameters, row);

        for (int sign = 1; sign >= -1 && cost != 0; sign -= 2) {
            views->row[problem->rows] = row;
            views->sign[problem->rows] = (signed char)sign;
            if (views->cost)
                views->cost[problem->rows] = cost;
            views->target[problem->rows++] =
                sign * path->data->label[row] - path->parameters->epsilon;
            costs += cost;
        }
    }
    return costs;
}

/* Sets total = sum_i alpha_i = nu sum_i c_i and the least divisor of gaps, for a one-class SVM. |w|
 * is at most total times the largest |x_i|. Gaps are relative to 1/2 |w|^2 with |w| at least
 * total/1000 times the root of the mean |x_i|^2. */
static void set_total(struct problem *problem, double nu)
{
    static const double SHORT = 1e-3;
    struct sum costs = {0, 0}, squares = {0, 0};
    double length;

    for (uint32_t i = 0; i < problem->rows; i++) {
        sum_add(&costs, problem_cost(problem, i));
        sum_add(&squares, problem_cost(problem, i) * problem_square(problem, i));
    }
    problem->total = nu * sum_value(&costs);
    if (problem->rows == 0)
        return;
    length = SHORT * problem->total * sqrt(sum_value(&squares) / sum_value(&costs));
    problem->least = length * length / 2;
}

/* Bounds |x_i|^2 by the largest value and the number of features. */
static void bound_trace(struct problem *problem, const struct shared *shared, double costs)
{
    const double squares = problem->data->features * shared->largest * shared->largest;

    if (shared->largest > 0)
        problem->trace_bound = costs * (squares + problem->bias * problem->bias);
}

struct problem class_views_problem(struct class_views *views, const struct shared *shared, double C,
                                   size_t c)
{
    const struct path *path = views->path;
    const int joint = path->solver->info.joint;
    const double own = C * views->class_weight[c];
    const double others = path->classes->count == 2 ? C * views->class_weight[1 - c] : C;
    struct problem problem = {.data = path->data,
                              .row = views->row,
                              .sign = views->sign,
                              .C = C,
                              .cost = views->cost,
                              .sign_cost = {others, own},
                              .square = shared->square,
                              .classes = joint ? path->classes->count : 0,
                              .class_of = views->class_of,
                              .loss = path->solver->loss,
                              .l1 = solver_is_only_l1(path->solver),
                              .only_l1 = solver_is_only_l1(path->solver),
                              .bias_kind = solver_bias_kind(path->solver, path->parameters),
                              .bias = solver_bias(path->solver, path->parameters),
                              .team = path->team};
    uint32_t rows = 0;
    double total = 0;

    if (path->solver->info.regression) {
        bound_trace(&problem, shared, view_targets(views, &problem, C));
        return problem;
    }
    for (size_t i = 0; i < path->rows; i++) {
        const uint32_t row = path_row(path, i);
        const uint32_t its = path->classes->of_row[row];
        const double cost = (joint      ? C * views->class_weight[its]
                             : its == c ? own
                                        : others) *
                            costs_of_row(path->parameters, row);

        views->row[rows] = row;
        if (joint)
            views->class_of[rows] = its;
        else
            views->sign[rows] = its == c ? 1 : -1;
        if (views->cost)
            views->cost[rows] = cost;
        total += cost;
        rows += cost != 0;
    }
    problem.rows = rows;
    bound_trace(&problem, shared, total);
    problem.columns = rows == path->rows ? shared->columns : NULL;
    if (!problem.only_l1) /* P is the averaged objective times the sum of costs */
        problem.l1 = path->parameters->l1 * total;
    if (path->solver->info.one_class)
        set_total(&problem, path->parameters->nu);
    return problem;
}

/* ---- Shared by all problems --------------------------------------------- */

/* A stochastic solver needs few squares, each once or twice, so squares are not stored. Columns are
 * stored if several problems read them. */
enum hinge_status shared_new(struct shared *shared, const struct path *path,
                             struct hinge_error *error)
{
    const struct hinge_matrix *x = &path->data->x;
    const struct problem all = {.data = path->data,
                                .rows = (uint32_t)path->rows,
                                .bias_kind = solver_bias_kind(path->solver, path->parameters)};
    uint32_t *rows;

    *shared = (struct shared){.largest = 0};
    if (path->solver->info.kind == HINGE_STOCHASTIC)
        return HINGE_OK;
    if (!x->pages && !path->team)
        shared->largest = matrix_largest(x);
    if (path_problems(path) == 1 && path->count == 1)
        return HINGE_OK;
    if (!(shared->square = array_new(x->rows, sizeof *shared->square, error)))
        return failure(error);
    for (size_t i = 0; i < path->rows; i++) {
        const struct sparse row = sparse_row(x, path_row(path, i));

        shared->square[path_row(path, i)] = sparse_square(&row);
    }
    if (!solver_is_only_l1(path->solver) || path_problems(path) == 1 ||
        !column_cache_in_columns(&all))
        return HINGE_OK;
    if (!(rows = array_new(path->rows, sizeof *rows, error)))
        return failure(error);
    for (size_t i = 0; i < path->rows; i++)
        rows[i] = path_row(path, i);
    shared->columns = feature_columns_new(path->data, rows, (uint32_t)path->rows, error);
    free(rows);
    return shared->columns ? HINGE_OK : failure(error);
}

void shared_free(struct shared *shared)
{
    free(shared->square);
    feature_columns_free(shared->columns);
}
