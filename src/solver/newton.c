/* newton.c - (I + sum_F x_i x_i' / (d_i + mu)) p = -grad,  w += t p.
 *
 * What is minimised is 1/2 |w|^2 + sum_i phi_i(z_i), z_i = y_i <w, x_i>, with
 *
 *     phi_i(z) = max of alpha (1 - z) - d_i alpha^2 / 2 - mu (alpha - a_i)^2 / 2 in 0 .. U_i,
 *
 * attained at alpha_i(z) = clip((1 - z + mu a_i)/(d_i + mu), 0, U_i). The function is convex,
 * piecewise quadratic and once differentiable, grad = w - sum alpha_i y_i x_i, so that Newton's
 * method with an exact line search ends after finitely many steps. F are the rows with alpha_i
 * inside the box.
 *
 * L2-loss: d_i = 1/(2 C_i) makes phi smooth as it is; mu = 0, and phi is the loss. Then the gap
 * P(w) + D(alpha) is |grad|^2 / 2.
 *
 * L1-loss: mu > 0, and a, the centre, is the last dual point: the proximal point method on the
 * dual. It is a Newton step of the dual on its free rows, projected on the box, whose matrix
 * Q_FF + mu I is regular whatever the rank of Q_FF is. (In the dual alone that is the projected
 * Newton method of Bertsekas; Li, Sun and Toh, SIAM J. Optim. 2018, solve the proximal problem in
 * the primal as here.) The gap is |grad|^2 / 2 plus what mu costs, a sum over rows, each at least
 * 0; when the first has become the smaller, the centre moves and mu falls. Under the rule of -e
 * it falls until no gradient z_i - 1 = mu (a_i - alpha_i) can break it.
 *
 * Most rows are at a bound, and far from leaving it. Until the steps may have brought one of them
 * near, they stay aside: alpha_i is what it is, and their part of everything is linear in w.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/status.h"
#include "problem/kernel.h"
#include "solver/engine.h"
#include "solver/normal.h"

static const double REACH = 4; /* steps like the last, until the rows aside are looked at */

struct newton {
    struct engine_run *run;
    const struct binary_problem *problem;
    struct normal *normal;
    uint32_t *row;    /* [rows] of the problem; those that are near in front */
    uint32_t near;    /* how many these are: all, or all that are not aside */
    double reach;     /* how far margins may move until the rows aside have to be looked at, */
    double moved;     /* have moved since they were, */
    double last_move; /* and did in the last step, at most */
    double *memory;   /* the arrays below, those [rows] in the order of row */
    double *alpha;    /* [rows] alpha_i(z_i) */
    double *centre;   /* [rows] a_i */
    double *cost;     /* [rows] C_i */
    double *z;        /* [rows] y_i <w, x_i> */
    double *change;   /* [rows] of z along the step */
    double *weight;   /* [rows] of the normal matrix, until it has them; in the place of change */
    double *w;        /* [width] the iterate; run->w is the best of them */
    double *gradient; /* [width] */
    double *step;     /* [width] p */
    double *aside;    /* [width] sum alpha_i y_i x_i of the rows aside, */
    double sum_aside; /* and sum alpha_i */
    double mu;
    double dearest; /* largest C_i, */
    double longest; /* and |x_i|, if there is the rule of -e */
    uint32_t free;  /* rows in F */
    double primal;  /* P at w */
    double lowest;  /* the lowest P so far, that of run->w */
    double smooth;  /* |grad|^2 / 2 */
    double rough;   /* the cost of mu in the gap */
    double dual;    /* the lowest D so far, that of run->alpha */
    double best;    /* lowest primal + dual so far, */
    unsigned vain;  /* and steps since it last fell by a tenth */
    double first;   /* |grad| at w = 0, for LIBLINEAR's rule */
};

/* ---- Setting up -------------------------------------------------------- */

static void newton_free(struct newton *newton)
{
    engine_return_normal(newton->run, newton->normal);
    free(newton->row);
    free(newton->memory);
}

static enum hinge_status newton_new(struct newton *newton, struct engine_run *run,
                                    struct hinge_error *error)
{
    const size_t rows = run->task->problem->rows;
    const size_t width = binary_width(run->task->problem);

    *newton = (struct newton){.run = run, .problem = run->task->problem};
    if (!(newton->normal = engine_take_normal(run, error)) ||
        !(newton->row = array_new(rows, sizeof *newton->row, error)) ||
        !(newton->memory = array_new(5 * rows + 4 * width, sizeof(double), error)))
        return failure(error);
    newton->alpha = newton->memory;
    newton->centre = newton->alpha + rows;
    newton->cost = newton->centre + rows;
    newton->z = newton->cost + rows;
    newton->change = newton->z + rows;
    newton->weight = newton->change;
    newton->w = newton->change + rows;
    newton->gradient = newton->w + width;
    newton->step = newton->gradient + width;
    newton->aside = newton->step + width;
    for (uint32_t i = 0; i < newton->problem->rows; i++) {
        newton->row[i] = i;
        if (run->task->loss == LOSS_L1)
            newton->centre[i] = run->alpha[i];
        newton->cost[i] = newton->problem->cost[i];
        newton->dearest = fmax(newton->dearest, newton->cost[i]);
    }
    return HINGE_OK;
}

/* ---- The function ------------------------------------------------------ */

/* What alpha_i(z) needs, the same for all rows. */
struct shape {
    enum loss loss;
    double inverse; /* 1/mu */
};

static struct shape shape_of(const struct newton *newton)
{
    const enum loss loss = newton->run->task->loss;

    return (struct shape){loss, loss == LOSS_L1 ? 1 / newton->mu : 0};
}

/* alpha_i(z), and minus its derivative: the curvature of phi_i. */
static ALWAYS_INLINE double alpha_at(struct shape shape, double cost, double centre, double z,
                                     double *curvature)
{
    const double alpha =
        shape.loss == LOSS_L2 ? 2 * cost * (1 - z) : centre + shape.inverse * (1 - z);

    *curvature = 0;
    if (alpha <= 0)
        return 0;
    if (shape.loss == LOSS_L1 && alpha >= cost)
        return cost;
    *curvature = shape.loss == LOSS_L2 ? 2 * cost : shape.inverse;
    return alpha;
}

/* The same without branches, for where the rows have just moved and half of them would be foretold
 * wrongly; along a step most stay where they are. */
static ALWAYS_INLINE double alpha_moved(struct shape shape, double cost, double centre, double z,
                                        double *curvature)
{
    const double alpha =
        shape.loss == LOSS_L2 ? 2 * cost * (1 - z) : centre + shape.inverse * (1 - z);
    const double positive = alpha > 0 ? alpha : 0;

    if (shape.loss == LOSS_L2) {
        *curvature = alpha > 0 ? 2 * cost : 0;
        return positive;
    }
    *curvature = shape.inverse * ((alpha > 0) & (alpha < cost));
    return positive < cost ? positive : cost;
}

/* Sums over the rows at the present w. */
struct totals {
    double loss;
    double alpha;
    double square; /* sum d_i alpha_i^2 */
    double rough;
};

/* Of the rows aside all is linear in w. */
static struct totals visit_rows(struct newton *newton)
{
    const struct shape shape = shape_of(newton);
    const double linear = dense_dot(newton->aside, newton->w, binary_width(newton->problem));
    struct totals totals = {newton->sum_aside - linear, newton->sum_aside, 0, 0};

    uint32_t free = 0;

    for (uint32_t s = 0; s < newton->near; s++) {
        const double cost = newton->cost[s], slack = 1 - newton->z[s];
        const double excess = slack > 0 ? slack : 0;
        const double loss = cost * (shape.loss == LOSS_L2 ? excess * excess : excess);
        double curvature;
        const double alpha = alpha_moved(shape, cost, newton->centre[s], newton->z[s], &curvature);

        newton->alpha[s] = alpha;
        newton->weight[s] = shape.loss == LOSS_L2 ? curvature : curvature > 0;
        free += curvature > 0;
        totals.loss += loss;
        totals.alpha += alpha;
        if (shape.loss == LOSS_L2)
            totals.square += alpha * alpha / (2 * cost);
        else
            totals.rough += loss - alpha * slack;
    }
    newton->free = free;
    return totals;
}

/* alpha times t, in the order of the problem. */
static void copy_alpha(const struct newton *newton, double t, double *alpha)
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
    copy_alpha(newton, t, newton->run->alpha);
}

/* Keeps the point if its primal value is the lowest so far. */
static void keep_primal(struct newton *newton)
{
    if (!(newton->primal < newton->lowest))
        return;
    newton->lowest = newton->primal;
    memcpy(newton->run->w, newton->w, binary_width(newton->problem) * sizeof(double));
}

/* Everything that the next step and the rules need, at the present w and z. */
static void evaluate(struct newton *newton)
{
    const size_t width = binary_width(newton->problem);
    const struct totals totals = visit_rows(newton);
    const double *w = newton->w;
    double *combined = newton->run->combined;
    double square = 0;

    memcpy(combined, newton->aside, width * sizeof *combined);
    binary_add(newton->problem, newton->row, newton->alpha, newton->near, 1, combined);
    newton->run->progress.row_visits += newton->near;
    newton->run->progress.active = newton->free;
    for (size_t j = 0; j < width; j++)
        newton->gradient[j] = w[j] - combined[j];
    square = dense_dot(combined, combined, width);
    newton->primal = dense_dot(w, w, width) / 2 + totals.loss;
    newton->smooth = dense_dot(newton->gradient, newton->gradient, width) / 2;
    newton->rough = totals.rough;
    keep_dual(newton, square + totals.square, totals.alpha);
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
    swap_values(newton->cost, s, other);
}

/* All rows having been evaluated, sets aside those that the next steps will not bring near the end
 * of their bound, if they move the margins no farther than the last. Where that is the lesser part,
 * it does not pay. */
static void set_aside(struct newton *newton)
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
    memcpy(newton->aside, newton->run->combined, binary_width(newton->problem) * sizeof(double));
    binary_add(newton->problem, newton->row, newton->alpha, newton->near, -1, newton->aside);
}

/* Takes all rows back, each to its place. */
static void take_back(struct newton *newton)
{
    for (uint32_t s = 0; s < newton->problem->rows; s++)
        while (newton->row[s] != s)
            swap_rows(newton, s, newton->row[s]);
    newton->near = newton->problem->rows;
    newton->sum_aside = 0;
    memset(newton->aside, 0, binary_width(newton->problem) * sizeof *newton->aside);
}

/* Takes all rows back, and finds all z anew. */
static void look_at_all(struct newton *newton)
{
    take_back(newton);
    engine_margins(newton->run, newton->w, newton->z);
}

static void evaluate_all(struct newton *newton)
{
    look_at_all(newton);
    evaluate(newton);
}

/* ---- A step ------------------------------------------------------------ */

/* The derivative of the function along the step, t of it taken, and the second. */
static double slope(const struct newton *newton, double t, double linear, double square,
                    double *second)
{
    const struct shape shape = shape_of(newton);
    double first = linear + t * square;

    *second = square;
    for (uint32_t s = 0; s < newton->near; s++) {
        const double change = newton->change[s];
        double curvature;
        const double alpha = alpha_at(shape, newton->cost[s], newton->centre[s],
                                      newton->z[s] + t * change, &curvature);

        first -= alpha * change;
        *second += curvature * change * change;
    }
    return first;
}

/* How much of the step to take: near where the derivative, which ascends, is 0, and not behind it,
 * so that the function has fallen all the way there. Newton's method again, kept inside the
 * bracket, and told to halve it where it stays behind. */
static double line_search(const struct newton *newton)
{
    enum { MOST = 60 };
    const size_t width = binary_width(newton->problem);
    const double linear =
        dense_dot(newton->w, newton->step, width) - dense_dot(newton->aside, newton->step, width);
    const double square = dense_dot(newton->step, newton->step, width);
    const double start = fabs(dense_dot(newton->gradient, newton->step, width));
    double low = 0, high = HUGE_VAL, t = 1, second;
    int behind = 0;

    for (int k = 0; k < MOST; k++) {
        const double first = slope(newton, t, linear, square, &second);

        if (first >= -0.3 * start && first <= 1e-9 * start)
            return t;
        behind = first > 0 ? behind + 1 : 0;
        if (first < 0)
            low = t;
        else
            high = t;
        t = second > 0 ? t - first / second : HUGE_VAL;
        if (!(t > low && t < high) || behind > 1)
            t = high == HUGE_VAL ? 2 * low : (low + high) / 2;
    }
    return low;
}

/* How the margins of the rows that are near change along the step; the largest change. */
static double change_margins(struct newton *newton)
{
    double low = 0, high = 0;

    binary_margins(newton->problem, newton->row, newton->near, newton->step, newton->change);
    newton->run->progress.row_visits += newton->near;
    for (uint32_t s = 0; s < newton->near; s++) {
        low = newton->change[s] < low ? newton->change[s] : low;
        high = newton->change[s] > high ? newton->change[s] : high;
    }
    return high > -low ? high : -low;
}

/* How much of the step to take. Where it goes so far that rows aside may have a say, they get it.
 */
static double measure_step(struct newton *newton)
{
    double largest = change_margins(newton);
    double t = line_search(newton);

    if (newton->near < newton->problem->rows && newton->moved + t * largest > newton->reach) {
        look_at_all(newton);
        largest = change_margins(newton);
        t = line_search(newton);
    }
    newton->last_move = t * largest;
    newton->moved += newton->last_move;
    return t;
}

static void take_step(struct newton *newton)
{
    enum { MOST_GRADIENTS = 200 };
    const size_t width = binary_width(newton->problem);
    double t;

    normal_form(newton->normal, newton->row, newton->weight, newton->near,
                newton->run->task->loss == LOSS_L2 ? 1 : 1 / newton->mu);
    normal_solve(newton->normal, newton->gradient, newton->step, 0.3, MOST_GRADIENTS);
    for (size_t j = 0; j < width; j++)
        newton->step[j] = -newton->step[j];
    t = measure_step(newton);
    for (size_t j = 0; j < width; j++)
        newton->w[j] += t * newton->step[j];
    for (uint32_t s = 0; s < newton->near; s++)
        newton->z[s] += t * newton->change[s];
    newton->vain++;
}

/* ---- Stages of the L1-loss --------------------------------------------- */

/* Moves the centre and halves mu: a larger fall leaves too few rows free, and they come back one
 * by one. */
static void next_stage(struct newton *newton)
{
    memcpy(newton->centre, newton->alpha, newton->problem->rows * sizeof *newton->centre);
    newton->mu /= 2;
    evaluate(newton);
}

/* The mu that is small enough for the rule of -e, as alpha and centre are in the box. */
static double smallest_mu(const struct newton *newton)
{
    const double eps = newton->run->task->parameters->eps;

    return eps > 0 ? eps / (2 * newton->dearest) : HUGE_VAL;
}

/* Whether the rest of the gap is the next stage's: not if it will come below the target here, and
 * the rule of -e be met, unless there is no rest. */
static int stage_over(const struct newton *newton)
{
    const struct hinge_parameters *parameters = newton->run->task->parameters;
    const double enough = parameters->gap > 0 ? 0.5 * parameters->gap * newton->primal : HUGE_VAL;

    return newton->run->task->loss == LOSS_L1 && newton->smooth <= 2 * newton->rough &&
           (newton->rough > enough || newton->mu > smallest_mu(newton) ||
            newton->smooth <= 1e-9 * newton->rough);
}

/* The first mu: such that it costs about as much as the gap is, and a row is free at least over a
 * thousandth of a margin. Without a dual point, so large that every row is. */
static double first_mu(const struct newton *newton)
{
    const double *alpha = newton->run->alpha;
    const struct hinge_parameters *parameters = newton->run->task->parameters;
    double squares = 0, gap = 0, largest = 0, mu;

    for (uint32_t i = 0; i < newton->problem->rows; i++) {
        const double cost = newton->problem->cost[i], slack = 1 - newton->z[i];

        squares += alpha[i] * alpha[i];
        gap += (slack > 0 ? cost * slack : 0) - alpha[i] * slack;
        largest = fmax(largest, alpha[i]);
    }
    mu = squares > 0 ? fmax(3 * gap / squares, 1e-3 / largest) : 10 / newton->dearest;
    return parameters->gap > 0 ? mu : fmax(mu, smallest_mu(newton));
}

/* ---- Rules ------------------------------------------------------------- */

/* LIBLINEAR's rule of its primal solvers: |grad| <= eps max(min(#pos, #neg), 1)/m |grad at 0|. */
static int primal_rule(const struct newton *newton)
{
    const struct binary_problem *problem = newton->problem;
    double positive = 0, fewer;

    for (uint32_t i = 0; i < problem->rows; i++)
        positive += problem->sign[i] > 0;
    fewer = fmax(fmin(positive, problem->rows - positive), 1);
    return sqrt(2 * newton->smooth) <=
           newton->run->task->parameters->eps * fewer / problem->rows * newton->first;
}

/* The rule of its dual solvers; where it holds, the run has the w that it is about. That is not yet
 * the point to go on from: the gap may be better here. z_i there is uncertain by |x_i| |grad|, and
 * not worth the passes while that is much. */
static int dual_rule(struct newton *newton)
{
    const double uncertain = sqrt(2 * newton->smooth) * newton->longest;

    if (uncertain > newton->run->task->parameters->eps && newton->vain % 8 != 7)
        return 0;
    copy_alpha(newton, 1, newton->weight);
    if (engine_dual_rule(newton->run, newton->weight))
        return 1;
    evaluate_all(newton);
    return 0;
}

/* The steps add up z, and rounding errors with it, that can make the gap look smaller than it is,
 * or larger: takes everything from a measurement. */
static void believe_measurement(struct newton *newton)
{
    engine_measure(newton->run);
    newton->lowest = newton->run->progress.primal;
    newton->dual = newton->run->progress.dual;
    evaluate_all(newton);
}

static int solved(void *state)
{
    struct newton *newton = state;
    const struct hinge_parameters *parameters = newton->run->task->parameters;

    if (parameters->gap > 0 && newton->lowest + newton->dual > parameters->gap * newton->lowest)
        return 0;
    if (parameters->eps > 0 &&
        !(newton->run->primal_rule ? primal_rule(newton) : dual_rule(newton)))
        return 0;
    if (parameters->gap <= 0)
        return 1;
    engine_measure(newton->run);
    if (newton->run->progress.gap <= parameters->gap)
        return 1;
    believe_measurement(newton);
    return 0;
}

/* ---- The engine -------------------------------------------------------- */

/* |grad| at w = 0, where alpha_i = 2 C_i. */
static double gradient_at_zero(struct newton *newton)
{
    for (uint32_t i = 0; i < newton->problem->rows; i++)
        newton->weight[i] = 2 * newton->problem->cost[i];
    binary_weights(newton->problem, newton->weight, newton->gradient);
    return sqrt(dense_dot(newton->gradient, newton->gradient, binary_width(newton->problem)));
}

static double longest_row(const struct binary_problem *problem)
{
    double square = 0;

    for (uint32_t i = 0; i < problem->rows; i++)
        square = fmax(square, binary_square(problem, i));
    return sqrt(square);
}

/* D of the point it starts from, whose w = sum alpha_i y_i x_i the run has. */
static double first_dual(const struct newton *newton)
{
    const double *w = newton->run->w, *alpha = newton->run->alpha;
    double dual = dense_dot(w, w, binary_width(newton->problem)) / 2;

    for (uint32_t i = 0; i < newton->problem->rows; i++) {
        if (newton->run->task->loss == LOSS_L2)
            dual += alpha[i] * alpha[i] / (4 * newton->problem->cost[i]);
        dual -= alpha[i];
    }
    return dual;
}

static void start(struct newton *newton)
{
    const double *from = newton->run->task->start;

    if (newton->run->primal_rule)
        newton->first = gradient_at_zero(newton);
    if (newton->run->task->parameters->eps > 0)
        newton->longest = longest_row(newton->problem);
    memcpy(newton->w, from ? from : newton->run->w, binary_width(newton->problem) * sizeof(double));
    look_at_all(newton);
    newton->dual = first_dual(newton);
    newton->lowest = newton->best = HUGE_VAL;
    if (newton->run->task->loss == LOSS_L1)
        newton->mu = first_mu(newton);
    evaluate(newton);
}

/* Whether rounding errors, or something worse, are all that is left. */
static int stalled(const void *state)
{
    const struct newton *newton = state;
    enum { PATIENCE = 100 };

    return newton->vain > PATIENCE || !(newton->primal <= DBL_MAX);
}

static void step(void *state)
{
    struct newton *newton = state;

    if (stage_over(newton))
        next_stage(newton);
    take_step(newton);
    if (newton->vain % 8 == 0)
        believe_measurement(newton);
    else
        evaluate(newton);
    if (newton->near == newton->problem->rows)
        set_aside(newton);
}

enum hinge_status newton_run(struct engine_run *run, enum hinge_outcome *outcome,
                             struct hinge_error *error)
{
    static const struct engine_method method = {solved, stalled, step};
    struct newton newton;

    if (newton_new(&newton, run, error)) {
        newton_free(&newton);
        return failure(error);
    }
    run->progress.engine = run->task->loss == LOSS_L2 ? "newton" : "pnewton";
    start(&newton);
    *outcome = engine_iterate(run, &method, &newton);
    newton_free(&newton);
    return HINGE_OK;
}

enum hinge_status newton_solve(const struct solver_task *task, double *w,
                               struct hinge_result *result, struct hinge_error *error)
{
    return engine_solve(task, newton_run, w, result, error);
}
