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
 */
#include "solver/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "problem/kernel.h"

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
        newton_look_at_all(newton);
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
    newton_evaluate(newton);
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
    newton_copy_alpha(newton, 1, newton->weight);
    if (engine_dual_rule(newton->run, newton->weight))
        return 1;
    newton_evaluate_all(newton);
    return 0;
}

/* The steps add up z, and rounding errors with it, that can make the gap look smaller than it is,
 * or larger: takes everything from a measurement. */
static void believe_measurement(struct newton *newton)
{
    engine_measure(newton->run);
    newton->lowest = newton->run->progress.primal;
    newton->dual = newton->run->progress.dual;
    newton_evaluate_all(newton);
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

/* At w as it is given, at the solution for a part of the rows, or at w of the dual point. */
static void start(struct newton *newton)
{
    const double *from = newton->run->task->start;

    if (newton->run->primal_rule)
        newton->first = gradient_at_zero(newton);
    if (newton->run->task->parameters->eps > 0)
        newton->longest = longest_row(newton->problem);
    if (from || !newton_start_at_part(newton))
        memcpy(newton->w, from ? from : newton->run->w,
               binary_width(newton->problem) * sizeof *newton->w);
    newton_look_at_all(newton);
    newton->dual = first_dual(newton);
    newton->lowest = newton->run->progress.gap >= 0 ? newton->run->progress.primal : HUGE_VAL;
    newton->best = HUGE_VAL;
    if (newton->run->task->loss == LOSS_L1 && newton->mu == 0)
        newton->mu = first_mu(newton);
    newton_evaluate(newton);
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
        newton_evaluate(newton);
    if (newton->near == newton->problem->rows)
        newton_set_aside(newton);
}

enum hinge_status newton_steps(struct engine_run *run, enum hinge_outcome *outcome, double *mu,
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
    *mu = newton.mu;
    newton_free(&newton);
    return HINGE_OK;
}

enum hinge_status newton_run(struct engine_run *run, enum hinge_outcome *outcome,
                             struct hinge_error *error)
{
    double ignored;

    return newton_steps(run, outcome, &ignored, error);
}

enum hinge_status newton_solve(const struct solver_task *task, double *w,
                               struct hinge_result *result, struct hinge_error *error)
{
    return engine_solve(task, newton_run, w, result, error);
}
