/* newton_rows.c - the function that newton.c minimises, at a point.
 *
 * Most rows are at a bound, and far from leaving it. Until the steps may have brought one of them
 * near, they stay aside: alpha_i is what it is, and their part of everything is linear in w.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "problem/kernel.h"
#include "solver/newton.h"

static const double REACH = 4; /* steps like the last, until the rows aside are looked at */

/* ---- Setting up -------------------------------------------------------- */

void newton_free(struct newton *newton)
{
    engine_return_normal(newton->run, newton->normal);
    free(newton->row);
    free(newton->memory);
}

enum hinge_status newton_new(struct newton *newton, struct engine_run *run,
                             struct hinge_error *error)
{
    const size_t rows = run->task->problem->rows;
    const size_t width = binary_width(run->task->problem);

    *newton = (struct newton){.run = run, .problem = run->task->problem};
    if (!(newton->normal = engine_take_normal(run, error)) ||
        !(newton->row = array_new(rows, sizeof *newton->row, error)) ||
        !(newton->memory = array_new(5 * rows + 5 * width, sizeof(double), error)))
        return failure(error);
    newton->alpha = newton->memory;
    newton->centre = newton->alpha + rows;
    newton->cost_near = newton->centre + rows;
    newton->z = newton->cost_near + rows;
    newton->change = newton->z + rows;
    newton->weight = newton->change;
    newton->w = newton->change + rows;
    newton->gradient = newton->w + width;
    newton->step = newton->gradient + width;
    newton->combined = newton->step + width;
    newton->aside = newton->combined + width;
    newton->cost = newton->problem->cost;
    for (uint32_t i = 0; i < newton->problem->rows; i++) {
        newton->row[i] = i;
        if (run->task->loss == LOSS_L1)
            newton->centre[i] = run->alpha[i];
        newton->dearest = fmax(newton->dearest, newton->problem->cost[i]);
    }
    return HINGE_OK;
}

/* ---- Evaluating -------------------------------------------------------- */

/* Sums over the rows at the present w. */
struct totals {
    double loss;
    double alpha;
    double square; /* sum d_i alpha_i^2 */
    double rough;
};

/* alpha of rows first .. end - 1, and by how much it changes. */
static void visit_some(struct newton *newton, uint32_t first, uint32_t end, struct totals *totals,
                       double *change)
{
    const struct shape shape = shape_of(newton);

    for (uint32_t s = first; s < end; s++) {
        const double cost = newton->cost[s], slack = 1 - newton->z[s];
        const double excess = slack > 0 ? slack : 0;
        const double loss = cost * (shape.loss == LOSS_L2 ? excess * excess : excess);
        double curvature;
        const double alpha = alpha_moved(shape, cost, newton->centre[s], newton->z[s], &curvature);

        change[s - first] = alpha - newton->alpha[s];
        newton->alpha[s] = alpha;
        newton->weight[s] = shape.loss == LOSS_L2 ? curvature : curvature > 0;
        newton->free += curvature > 0;
        totals->loss += loss;
        totals->alpha += alpha;
        if (shape.loss == LOSS_L2)
            totals->square += alpha * alpha / (2 * cost);
        else
            totals->rough += loss - alpha * slack;
    }
}

/* Brings alpha of the rows that are near to the present z, and sum alpha_i y_i x_i with it: of the
 * others all is linear in w. */
static struct totals visit_rows(struct newton *newton)
{
    enum { SOME = 1024 };
    const double linear = dense_dot(newton->aside, newton->w, binary_width(newton->problem));
    struct totals totals = {newton->sum_aside - linear, newton->sum_aside, 0, 0};
    double change[SOME];

    newton->free = 0;
    for (uint32_t first = 0, end; first < newton->near; first = end) {
        end = newton->near - first < SOME ? newton->near : first + SOME;
        visit_some(newton, first, end, &totals, change);
        binary_add(newton->problem, newton->row + first, change, end - first, 1, newton->combined);
    }
    newton->run->progress.row_visits += newton->near;
    newton->run->progress.active = newton->free;
    return totals;
}

void newton_copy_alpha(const struct newton *newton, double t, double *alpha)
{
    for (uint32_t s = 0; s < newton->problem->rows; s++)
        alpha[newton->row[s]] = t * newton->alpha[s];
}

/* Keeps alpha if its dual value, or that of a multiple of it, is the lowest so far. For
 * D(t alpha) = t^2 curvature / 2 - t sum the best t is sum/curvature; a box allows no t above 1. */
static void keep_dual(struct newton *newton, double curvature, double sum)
{
    double t = curvature > 0 ? sum / curvature : 1, dual;

    if (newton->run->task->loss == LOSS_L1 && t > 1)
        t = 1;
    dual = t * (t * curvature / 2 - sum);
    if (!(dual < newton->dual))
        return;
    newton->dual = dual;
    newton_copy_alpha(newton, t, newton->run->alpha);
}

/* Keeps the point if its primal value is the lowest so far. */
static void keep_primal(struct newton *newton)
{
    if (!(newton->primal < newton->lowest))
        return;
    newton->lowest = newton->primal;
    memcpy(newton->run->w, newton->w, binary_width(newton->problem) * sizeof(double));
}

void newton_evaluate(struct newton *newton)
{
    const size_t width = binary_width(newton->problem);
    const struct totals totals = visit_rows(newton);
    const double *w = newton->w;
    const double *combined = newton->combined;

    for (size_t j = 0; j < width; j++)
        newton->gradient[j] = w[j] - combined[j];
    newton->primal = dense_dot(w, w, width) / 2 + totals.loss;
    newton->smooth = dense_dot(newton->gradient, newton->gradient, width) / 2;
    newton->rough = totals.rough;
    keep_dual(newton, dense_dot(combined, combined, width) + totals.square, totals.alpha);
    keep_primal(newton);
    if (newton->best > 0 && newton->lowest + newton->dual < 0.9 * newton->best) {
        newton->best = newton->lowest + newton->dual;
        newton->vain = 0;
    }
}

/* ---- Rows aside -------------------------------------------------------- */

/* How far z_i is from where alpha_i leaves its bound; below 0 inside the box. A smaller mu and a
 * centre moved to alpha only make it farther. */
static double distance(const struct newton *newton, uint32_t s)
{
    const double slack = 1 - newton->z[s];

    if (newton->run->task->loss == LOSS_L1) {
        const double below = -slack - newton->mu * newton->centre[s];
        const double above = slack - newton->mu * (newton->cost[s] - newton->centre[s]);

        return below > above ? below : above;
    }
    return -slack;
}

static void swap_values(double *array, uint32_t s, uint32_t other)
{
    const double value = array[s];

    array[s] = array[other];
    array[other] = value;
}

/* What is known of two rows but z. */
static void swap_rows(struct newton *newton, uint32_t s, uint32_t other)
{
    const uint32_t row = newton->row[s];

    newton->row[s] = newton->row[other];
    newton->row[other] = row;
    swap_values(newton->alpha, s, other);
    swap_values(newton->centre, s, other);
}

void newton_set_aside(struct newton *newton)
{
    const uint32_t most = newton->problem->rows / 3;
    uint32_t near = 0;

    newton->moved = 0;
    newton->reach = REACH * newton->last_move;
    for (uint32_t s = 0; s < newton->problem->rows && newton->free <= most; s++)
        near += !(distance(newton, s) > newton->reach);
    if (newton->free > most || near > most)
        return;
    newton->near = 0;
    for (uint32_t s = 0; s < newton->problem->rows; s++) {
        if (distance(newton, s) > newton->reach) {
            newton->sum_aside += newton->alpha[s];
        } else {
            swap_values(newton->z, s, newton->near);
            swap_rows(newton, s, newton->near++);
        }
    }
    for (uint32_t s = 0; s < newton->near; s++)
        newton->cost_near[s] = newton->problem->cost[newton->row[s]];
    newton->cost = newton->cost_near;
    memcpy(newton->aside, newton->combined, binary_width(newton->problem) * sizeof(double));
    binary_add(newton->problem, newton->row, newton->alpha, newton->near, -1, newton->aside);
}

/* Takes all rows back, each to its place. */
static void take_back(struct newton *newton)
{
    for (uint32_t s = 0; s < newton->problem->rows; s++)
        while (newton->row[s] != s)
            swap_rows(newton, s, newton->row[s]);
    newton->cost = newton->problem->cost;
    newton->near = newton->problem->rows;
    newton->sum_aside = 0;
    memset(newton->aside, 0, binary_width(newton->problem) * sizeof *newton->aside);
}

void newton_look_at_all(struct newton *newton)
{
    take_back(newton);
    engine_margins(newton->run, newton->w, newton->z);
}

void newton_evaluate_all(struct newton *newton)
{
    newton_look_at_all(newton);
    memset(newton->alpha, 0, newton->problem->rows * sizeof *newton->alpha);
    memset(newton->combined, 0, binary_width(newton->problem) * sizeof *newton->combined);
    newton_evaluate(newton);
}
