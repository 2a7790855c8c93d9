/* training.c - solver_train on a toy, and P, D, gap and rules by dense loops. */
#include "training.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "slow_loss.h"
#include "solver/loop/method.h"

int solver_of(const struct toy *toy)
{
    if (toy->solver)
        return toy->solver;
    return toy->draft.loss == LOSS_LOGISTIC ? 0 : toy->draft.loss == LOSS_HINGE ? 3 : 1;
}

struct hinge_parameters parameters_for(double gap, double eps)
{
    struct hinge_parameters parameters = parameters_default();

    parameters.relative_gap = gap;
    parameters.eps = eps;
    parameters.max_passes = 100000;
    return parameters;
}

struct hinge_parameters plain_parameters_for(double gap, double eps)
{
    struct hinge_parameters parameters = parameters_for(gap, eps);

    parameters.single_method = 1;
    parameters.max_passes = 0;
    return parameters;
}

struct task task_for(const struct toy *toy, const struct hinge_parameters *parameters,
                     const struct hinge_monitor *monitor, struct answer *answer)
{
    return (struct task){.problem = &toy->problem,
                         .solver = solver_find(solver_of(toy)),
                         .parameters = parameters,
                         .monitor = monitor,
                         .position = POSITION,
                         .problems = PROBLEMS,
                         .positive = 1,
                         .alpha = answer->alpha,
                         .w = answer->w};
}

/* True if the toy is trained without passes. Every other toy is, for a solver whose own method is
 * Newton's and which has passes first if there are many features. */
static int is_newton_alone(const struct toy *toy)
{
    const struct solver *solver = solver_find(solver_of(toy));

    return solver->method == METHOD_NEWTON && solver->primal_rule && toy->number % 2;
}

void toy_train_in(struct workspace *workspace, const struct toy *toy,
                  const struct hinge_parameters *parameters, const struct hinge_monitor *monitor,
                  struct answer *answer)
{
    struct hinge_parameters own = *parameters;
    struct task task = task_for(toy, &own, monitor, answer);
    struct hinge_error error;

    own.single_method |= is_newton_alone(toy);
    task.workspace = workspace;
    memset(answer->w, 0xff, sizeof answer->w); /* NaN: nothing may be taken from there */
    memset(&answer->result, 0xff, sizeof answer->result);
    CHECK(toy, solver_train(&task, &answer->result, &error) == HINGE_OK);
}

void toy_train_from(const struct toy *toy, const struct hinge_parameters *parameters,
                    const struct hinge_monitor *monitor, struct answer *answer)
{
    struct hinge_error error;
    struct workspace *workspace = workspace_new(&error);

    assert_non_null(workspace);
    toy_train_in(workspace, toy, parameters, monitor, answer);
    workspace_free(workspace);
}

void toy_train(const struct toy *toy, const struct hinge_parameters *parameters,
               const struct hinge_monitor *monitor, struct answer *answer)
{
    memset(answer, 0, sizeof *answer);
    toy_train_from(toy, parameters, monitor, answer);
}

/* ---- The certificate ---------------------------------------------------- */

/* True if the result's method is one that the solver may use. pnewton and ipm hand over to each
 * other. */
static int may_take(const struct toy *toy, const struct hinge_result *result)
{
    const int solver = solver_of(toy);

    if (solver != 60 && solver != 61 && !is_newton_alone(toy))
        return 1;
    if (result->steps != result->passes)
        return 0;
    return solver == 60 || solver == 61
               ? strcmp(result->method, "ipm") == 0 || strcmp(result->method, "pnewton") == 0
               : strcmp(result->method, "newton") == 0;
}

/* Returns a bound of the rounding errors in the gap, a sum over rows of terms that depend on z, and
 * in P and D, from which the test computes the gap. */
static double gap_rounding(const struct toy *toy, const struct answer *answer)
{
    double v[MOST_WIDTH], total;

    weights_of(toy, answer->alpha, v);
    total = 1e-15 * (fabs(answer->result.primal) + half_square(toy, v));
    for (size_t i = 0; i < toy->m; i++) {
        const enum loss loss = toy->draft.loss;
        const double alpha = answer->alpha[i];
        const double slack = fmax(loss_target(loss) - margin(toy, i, answer->w), 0);
        double size = 1;

        for (size_t j = 0; j < toy->width; j++)
            size += fabs(answer->w[j] * toy->x[i][j]);
        size *= (double)(toy->width + 1) * DBL_EPSILON;
        total += alpha * size + 1e-15 * alpha * (1 + diagonal(toy, i) * alpha / 2);
        total += toy->cost[i] * size * (loss_is_squared(loss) ? 2 * slack + size : 1);
        if (loss_is_curved(loss)) /* the logarithms */
            total += 1e-15 * toy->cost[i];
    }
    return total;
}

void check_certificate(const struct toy *toy, const struct answer *answer)
{
    const struct hinge_result *result = &answer->result;
    const double scale = fmax(fabs(result->primal), DBL_MIN);
    const double bounds = result->rounding * scale, tolerance = rounding(toy, answer->w) + bounds;
    size_t support = 0, nonzeros = 0;

    for (size_t j = 0; j < toy->width; j++)
        nonzeros += answer->w[j] != 0;
    for (size_t j = toy->width; j < MOST_WIDTH; j++)
        CHECK(toy, isnan(answer->w[j])); /* nothing behind the width is written to */
    for (size_t i = 0; i < toy->m; i++) {
        CHECK(toy, answer->alpha[i] >= 0 && answer->alpha[i] <= DBL_MAX);
        CHECK(toy, loss_is_squared(toy->draft.loss) || answer->alpha[i] <= toy->cost[i]);
        support += answer->alpha[i] > 0;
    }
    CHECK(toy, fabs(result->primal - primal_of(toy, answer->w)) <= tolerance);
    CHECK(toy, fabs(result->dual - dual_of(toy, answer->alpha)) <=
                   dual_rounding(toy, answer->alpha) + bounds);
    CHECK(toy, result->primal + result->dual >= -tolerance);
    CHECK(toy, result->relative_gap >= 0);
    CHECK(toy, fabs(result->relative_gap * scale - fmax(result->primal + result->dual, 0)) <=
                   gap_rounding(toy, answer));
    CHECK(toy, result->support_vectors == support && result->nonzeros == nonzeros);
    CHECK(toy, result->steps <= result->passes && result->seconds >= 0);
    CHECK(toy, result->method || result->steps == 0);
    CHECK(toy, result->method || result->row_visits <= result->passes * toy->m);
    CHECK(toy, may_take(toy, result));
}

void check_optimum(const struct toy *toy, const struct answer *answer,
                   const struct bracket *bracket)
{
    const struct hinge_result *result = &answer->result;
    const double tolerance = rounding(toy, answer->w) + result->rounding * fabs(result->primal) +
                             (result->method ? dual_rounding(toy, answer->alpha) : 0);

    CHECK(toy, result->primal >= bracket->lower - tolerance);
    CHECK(toy, -result->dual <= bracket->upper + tolerance);
    CHECK(toy, result->primal * (1 - result->relative_gap) <= bracket->upper + tolerance);
}

/* ---- The rules of eps ---------------------------------------------------- */

void check_primal_rule(const struct toy *toy, const struct answer *answer, double eps)
{
    double at_zero[MOST_ROWS], at_w[MOST_ROWS], start[MOST_WIDTH], here[MOST_WIDTH];
    double square = 0, square_at_zero = 0, positive = 0;

    for (size_t i = 0; i < toy->m; i++) {
        const enum loss loss = toy->draft.loss;
        const double target = loss_target(loss);

        at_zero[i] = toy->cost[i] * (double)slow_slope(loss, target);
        at_w[i] = toy->cost[i] * (double)slow_slope(loss, target - margin(toy, i, answer->w));
        positive += toy->sign[i] > 0;
    }
    weights_of(toy, at_zero, start);
    weights_of(toy, at_w, here);
    for (size_t j = 0; j < toy->width; j++) {
        square += (answer->w[j] - here[j]) * (answer->w[j] - here[j]);
        square_at_zero += start[j] * start[j];
    }
    positive = fmax(fmin(positive, (double)toy->m - positive), 1);
    CHECK(toy, sqrt(square) <= eps * positive / (double)toy->m * sqrt(square_at_zero) * 1.001 +
                                   1e-9 * sqrt(square_at_zero));
}

void check_dual_rule(const struct toy *toy, const struct answer *answer, double eps)
{
    const int descended = !answer->result.method || answer->result.fallback;
    double w[MOST_WIDTH], largest = -HUGE_VAL, smallest = HUGE_VAL;

    weights_of(toy, answer->alpha, w);
    for (size_t i = 0; i < toy->m; i++) {
        const double alpha = answer->alpha[i];
        const double target = loss_target(toy->draft.loss);
        double G = margin(toy, i, w) - target, slack = 1e-9;

        if (!loss_is_curved(toy->draft.loss))
            G += diagonal(toy, i) * alpha;
        else if (alpha > 0 && alpha < toy->cost[i])
            G += (double)slow_inverse(LOSS_LOGISTIC, toy->cost[i], alpha);
        else /* where a slope is rounded to an end of the domain */
            G += alpha > 0 ? fmin(37, -G) : fmax(-700, -G);
        if (loss_is_curved(toy->draft.loss) && alpha < toy->cost[i])
            slack += DBL_EPSILON * toy->cost[i] / (toy->cost[i] - alpha);

        for (size_t j = 0; j < toy->m && descended; j++)
            if (quadratic(toy, j, j) > diagonal(toy, j))
                slack += eps * fabs(quadratic(toy, i, j)) / quadratic(toy, j, j);
        if (alpha == 0)
            G = fmin(G, 0);
        if (toy->draft.loss == LOSS_HINGE && alpha == toy->cost[i])
            G = fmax(G, 0);
        largest = fmax(largest, G - slack);
        smallest = fmin(smallest, G + slack);
    }
    CHECK(toy, toy->m == 0 || largest - smallest <= eps);
    CHECK(toy, largest <= eps && smallest >= -eps);
}

void check_rule(const struct toy *toy, const struct answer *answer, double eps)
{
    check_certificate(toy, answer);
    CHECK(toy, answer->result.outcome == (answer->result.relative_gap <= HINGE_DEFAULT_GAP
                                              ? HINGE_CERTIFIED
                                              : HINGE_TOLERANCE_MET));
    if (solver_find(solver_of(toy))->primal_rule)
        check_primal_rule(toy, answer, eps);
    else
        check_dual_rule(toy, answer, eps);
}
