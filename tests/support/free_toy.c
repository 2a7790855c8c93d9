/* free_toy.c - drawing, P with the best bias by dense loops, pairs of rows in long double as the
 * reference. */
#include "free_toy.h"

#include <float.h>
#include <math.h>
#include <string.h>

void free_toy_draw(struct toy *toy, const struct draft *draft, unsigned long number, size_t rows,
                   size_t features)
{
    struct draft own = *draft;

    own.bias = -1;
    toy_draw(toy, &own, number, rows, features);
    toy->problem.bias = 1;
    toy->problem.bias_kind = BIAS_FREE;
}

void free_toy_small(struct toy *toy, unsigned long number, enum loss loss)
{
    struct draft draft = draft_small(number);

    draft.loss = loss;
    free_toy_draw(toy, &draft, number, 0, 0);
}

void free_toy_tame(struct toy *toy, unsigned long number, enum loss loss)
{
    struct draft draft = draft_small(number);

    draft.loss = loss;
    draft.C = exp2((double)(number % 11) - 5);
    draft.spread = 0;
    free_toy_draw(toy, &draft, number, 0, 0);
}

struct hinge_parameters free_parameters_for(double gap, double eps)
{
    struct hinge_parameters parameters = parameters_default();

    parameters.solver = SMO;
    parameters.relative_gap = gap;
    parameters.eps = eps;
    return parameters;
}

struct hinge_result free_train(const struct problem *problem, const struct solver *solver,
                               const struct hinge_parameters *parameters,
                               const struct hinge_monitor *monitor, double *alpha, double *w)
{
    struct hinge_error error;
    const struct task task = {.problem = problem,
                              .solver = solver,
                              .parameters = parameters,
                              .monitor = monitor,
                              .problems = 1,
                              .positive = 1,
                              .alpha = alpha,
                              .w = w,
                              .workspace = workspace_new(&error)};
    struct hinge_result result;

    assert_non_null(task.workspace);
    assert_int_equal(solver_train(&task, &result, &error), HINGE_OK);
    workspace_free(task.workspace);
    return result;
}

void free_toy_train_from(const struct toy *toy, const struct solver *solver,
                         const struct hinge_parameters *parameters,
                         const struct hinge_monitor *monitor, struct free_answer *answer)
{
    memset(answer->w, 0xff, sizeof answer->w); /* NaN: nothing may be taken from there */
    answer->result =
        free_train(&toy->problem, solver, parameters, monitor, answer->alpha, answer->w);
}

void free_toy_train(const struct toy *toy, const struct solver *solver,
                    const struct hinge_parameters *parameters, const struct hinge_monitor *monitor,
                    struct free_answer *answer)
{
    memset(answer->alpha, 0, sizeof answer->alpha);
    free_toy_train_from(toy, solver, parameters, monitor, answer);
}

/* sum_i C_i phi(y_i (<w, x_i> + b)) */
static long double losses(const struct toy *toy, const double *w, double b)
{
    long double total = 0;

    for (size_t i = 0; i < toy->m; i++) {
        const long double slack = 1 - ((long double)margin(toy, i, w) + toy->sign[i] * b);

        if (slack > 0)
            total += toy->cost[i] * (toy->draft.loss == LOSS_HINGE ? slack : slack * slack);
    }
    return total;
}

/* Returns the least losses for all b with the L1-loss, by trying each corner. */
static long double least_losses(const struct toy *toy, const double *w)
{
    long double least = HUGE_VALL;

    for (size_t i = 0; i < toy->m; i++) {
        const double b = toy->sign[i] - toy->sign[i] * margin(toy, i, w);

        least = fminl(least, losses(toy, w, b));
    }
    return toy->m > 0 ? least : 0;
}

/* Adds the rounding by b to rounding(), which leaves it out. b is about as large as the margins. */
double free_rounding(const struct toy *toy, const struct free_answer *answer)
{
    const double b = fabs(answer->w[toy->data.features]);
    double total = 4 * (rounding(toy, answer->w) + dual_rounding(toy, answer->alpha)) +
                   answer->result.rounding * answer->result.primal;

    for (size_t i = 0; i < toy->m; i++) {
        const double slack = fmax(1 - margin(toy, i, answer->w), 0) + b;

        total += 1e-14 * toy->cost[i] * (1 + b) * (toy->draft.loss == LOSS_HINGE ? 1 : 1 + slack);
    }
    return total;
}

/* Checks that w is made of alpha and b is the best bias for w, or that both are 0 and no worse. */
static void check_weights(const struct toy *toy, const struct free_answer *answer, double tolerance)
{
    const double *w = answer->w;
    const double primal = half_square(toy, w) + (double)losses(toy, w, w[toy->data.features]);
    double made[MOST_WIDTH];
    int zero = 1;

    weights_of(toy, answer->alpha, made);
    for (size_t j = 0; j <= toy->data.features; j++)
        zero &= w[j] == 0;
    if (zero) {
        CHECK(toy, primal <= half_square(toy, made) + least_losses(toy, made) + tolerance);
        return;
    }
    for (size_t j = 0; j < toy->width; j++)
        CHECK(toy, (made[j] - w[j]) * (made[j] - w[j]) <= tolerance * 1e-3);
    CHECK(toy, primal <= half_square(toy, w) + least_losses(toy, w) + tolerance);
}

void free_check(const struct toy *toy, const struct free_answer *answer)
{
    const struct hinge_result *result = &answer->result;
    const double gap = (result->primal + result->dual) / fmax(fabs(result->primal), DBL_MIN);
    const double tolerance = free_rounding(toy, answer);
    const double b = answer->w[toy->data.features];
    const int alone = result->steps == result->passes;
    long double balance = 0, total = 0;
    size_t support = 0;

    CHECK(toy, fabs(result->primal - half_square(toy, answer->w) -
                    (double)losses(toy, answer->w, b)) <= tolerance);
    if (strcmp(result->method, "smo") == 0)
        check_weights(toy, answer, tolerance);
    for (size_t i = 0; i < toy->m; i++) {
        CHECK(toy, answer->alpha[i] >= 0 && answer->alpha[i] <= DBL_MAX);
        CHECK(toy, toy->draft.loss != LOSS_HINGE || answer->alpha[i] <= toy->cost[i]);
        balance += (long double)toy->sign[i] * answer->alpha[i];
        total += answer->alpha[i];
        support += answer->alpha[i] > 0;
    }
    CHECK(toy, fabsl(balance) <= 1e-13 * total);
    CHECK(toy, fabs(result->dual - dual_of(toy, answer->alpha)) <= tolerance);
    CHECK(toy, result->primal + result->dual >= -tolerance);
    CHECK(toy, fabs(result->relative_gap - (gap > 0 ? gap : 0)) <=
                   1e-14 + 2 * tolerance / fmax(fabs(result->primal), DBL_MIN));
    CHECK(toy, result->support_vectors == support);
    CHECK(toy, alone || strcmp(result->method, "smo") != 0);
    CHECK(toy, result->steps <= result->passes && result->seconds >= 0);
}

/* ---- The reference: the worst pair, all recomputed at each step ---------- */

struct dense {
    long double K[MOST_ROWS][MOST_ROWS];
    long double alpha[MOST_ROWS];
};

static long double F_of(const struct toy *toy, const struct dense *dense, size_t i)
{
    long double F = -toy->sign[i];

    for (size_t j = 0; j < toy->m; j++)
        F += dense->alpha[j] * toy->sign[j] * dense->K[i][j];
    return F;
}

/* Moves the pair that violates the conditions of optimality most. Returns 0 if none does. */
static int step_dense(const struct toy *toy, struct dense *dense)
{
    long double low = HUGE_VALL, high = -HUGE_VALL, room, t, square;
    size_t i = 0, j = 0;

    for (size_t k = 0; k < toy->m; k++) {
        const long double F = F_of(toy, dense, k);
        const int above = dense->alpha[k]<toy->cost[k], below = dense->alpha[k]> 0;

        if ((toy->sign[k] > 0 ? above : below) && F < low) {
            low = F;
            i = k;
        }
        if ((toy->sign[k] > 0 ? below : above) && F > high) {
            high = F;
            j = k;
        }
    }
    if (!(high - low > 1e-14L))
        return 0;
    square = dense->K[i][i] + dense->K[j][j] - 2 * dense->K[i][j];
    t = square > 0 ? (high - low) / square : HUGE_VALL;
    room = toy->sign[i] > 0 ? toy->cost[i] - dense->alpha[i] : dense->alpha[i];
    t = fminl(t, room);
    room = toy->sign[j] > 0 ? dense->alpha[j] : toy->cost[j] - dense->alpha[j];
    t = fminl(t, room);
    dense->alpha[i] += toy->sign[i] * t;
    dense->alpha[j] -= toy->sign[j] * t;
    return t > 0;
}

struct bracket free_reference(const struct toy *toy)
{
    static struct dense dense;
    double w[MOST_WIDTH], alpha[MOST_ROWS];

    memset(&dense, 0, sizeof dense);
    for (size_t i = 0; i < toy->m; i++)
        for (size_t j = 0; j < toy->m; j++)
            dense.K[i][j] = toy->sign[i] * toy->sign[j] * quadratic(toy, i, j);
    for (int k = 0; k < 3000 && step_dense(toy, &dense); k++)
        ;
    for (size_t i = 0; i < toy->m; i++)
        alpha[i] = (double)dense.alpha[i];
    weights_of(toy, alpha, w);
    return (struct bracket){-dual_of(toy, alpha),
                            half_square(toy, w) + (double)least_losses(toy, w)};
}

long double free_violation(const struct toy *toy, const double *alpha)
{
    static struct dense dense;
    long double low = HUGE_VALL, high = -HUGE_VALL;

    for (size_t i = 0; i < toy->m; i++) {
        dense.alpha[i] = alpha[i];
        for (size_t j = 0; j < toy->m; j++)
            dense.K[i][j] = toy->sign[i] * toy->sign[j] * quadratic(toy, i, j);
    }
    for (size_t k = 0; k < toy->m; k++) {
        const long double F = F_of(toy, &dense, k);
        const int above = alpha[k]<toy->cost[k], below = alpha[k]> 0;

        if (toy->sign[k] > 0 ? above : below)
            low = fminl(low, F);
        if (toy->sign[k] > 0 ? below : above)
            high = fmaxl(high, F);
    }
    return high - low;
}

/* ---- Methods alone -------------------------------------------------------- */

static unsigned stalls; /* trainings that ended short of the gap, and said so */

static void expect_certified(const struct toy *toy, const struct free_answer *answer, double gap)
{
    free_check(toy, answer);
    CHECK(toy, answer->result.steps == answer->result.passes);
    CHECK(toy, answer->result.outcome ==
                   (answer->result.relative_gap <= gap ? HINGE_CERTIFIED : HINGE_STALLED));
    stalls += answer->result.outcome == HINGE_STALLED;
}

static int has_both_signs(const struct toy *toy)
{
    double sum = 0;

    for (size_t i = 0; i < toy->m; i++)
        sum += toy->sign[i];
    return fabs(sum) < (double)toy->m;
}

static void train_along_costs(struct toy *toy, const struct solver *solver)
{
    static const double factors[] = {1, 8, 1.0 / 64};
    struct hinge_parameters parameters = free_parameters_for(1e-6, 0);
    struct free_answer answer = {.alpha = {0}};

    parameters.single_method = 1;
    for (size_t k = 0; k < COUNT(factors); k++) {
        struct bracket bracket;

        for (size_t i = 0; i < toy->m; i++) {
            toy->cost[i] *= factors[k];
            answer.alpha[i] *= factors[k];
        }
        free_toy_train_from(toy, solver, &parameters, NULL, &answer);
        expect_certified(toy, &answer, 1e-6);
        if (toy->draft.loss != LOSS_HINGE)
            continue;
        bracket = free_reference(toy);
        CHECK(toy, answer.result.primal >= bracket.lower - free_rounding(toy, &answer));
        CHECK(toy, -answer.result.dual <= bracket.upper + free_rounding(toy, &answer));
    }
}

void free_toys_are_certified(int number)
{
    const struct solver *const solver = solver_find(number);
    static struct toy toy;

    stalls = 0;
    for (unsigned long k = 0; k < 600; k++) {
        const struct hinge_parameters rule = free_parameters_for(0, k % 2 ? 1e-1 : 1e-4);
        struct free_answer answer;

        free_toy_small(&toy, k, solver->loss);
        toy.solver = number;
        if (number != 60 || has_both_signs(&toy)) /* else only P = 0 is certified: no interior */
            train_along_costs(&toy, solver);
        free_toy_tame(&toy, k, solver->loss);
        if (solver->loss != LOSS_HINGE || toy.draft.shape == UNLIKE_NORMS)
            continue;
        free_toy_train(&toy, solver, &rule, NULL, &answer);
        free_check(&toy, &answer);
        CHECK(&toy, free_violation(&toy, answer.alpha) <= rule.eps + 1e-9);
    }
    assert_true(stalls <= 1); /* of 1,800 */
}
