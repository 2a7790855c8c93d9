/* test_objective.c - compares P, D, the gap and other measurements of a point, for every loss,
 * regulariser and bias, with dense sums in long double and with gradients. */
#include "problem/objective.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "toy.h"

enum { TOYS = 4000 };

/* A problem and a point; v is sum alpha_i y_i x_i. */
struct point {
    struct toy toy;
    struct shards shards;
    double w[MOST_WIDTH];
    double v[MOST_WIDTH];
    double alpha[MOST_ROWS];
};

/* Draws a feasible dual point: in the domain, and with a free bias sum alpha_i y_i = 0. */
static void draw_alpha(struct point *point, uint64_t *random)
{
    const struct toy *toy = &point->toy;
    long double side[2] = {0};

    for (size_t i = 0; i < toy->m; i++) {
        const double share = random_unit(random) * (toy->draft.loss == LOSS_HINGE ? 1 : 4);

        point->alpha[i] = toy->cost[i] * (random_unit(random) < 0.4 ? floor(share + 0.5) : share);
        side[toy->sign[i] > 0] += point->alpha[i];
    }
    for (size_t i = 0; i < toy->m && toy->problem.bias_kind == BIAS_FREE; i++)
        if (side[toy->sign[i] > 0] > 0)
            point->alpha[i] *= (double)(fminl(side[0], side[1]) / side[toy->sign[i] > 0]);
}

/* Draws a point. Every second problem with a bias has a free one, and every third problem has an l1
 * term. */
static void draw(struct point *point, unsigned long number)
{
    struct toy *toy = &point->toy;
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15) * (number + 1);

    toy_small(toy, number);
    if (toy->problem.bias_kind != BIAS_NONE && number % 2)
        toy->problem.bias_kind = BIAS_FREE;
    if (number % 3 == 0)
        toy->problem.l1 = toy->draft.C * random_unit(&random);
    point->shards =
        shards_of(&toy->problem, SUM_OF_VECTORS, problem_nonzeros(&toy->problem), toy->width);
    assert_int_equal(point->shards.count, 1);
    draw_alpha(point, &random);
    weights_of(toy, point->alpha, point->v);
    for (size_t j = 0; j < toy->width; j++)
        point->w[j] = random_unit(&random) < 0.3 ? 0 : random_between(&random, -2, 2);
}

/* True if w may be v, because R* is R and v's entry for a free bias is an ordinary weight. */
static int may_be_same(const struct point *point)
{
    return point->toy.problem.l1 == 0;
}

/* ---- Slow sums ------------------------------------------------------------ */

struct slow {
    long double primal;
    long double dual;
    long double size; /* sum of the absolute terms of both, and of alpha_i z_i */
};

static size_t penalised(const struct toy *toy)
{
    return toy->data.features + (toy->problem.bias_kind == BIAS_REGULARISED);
}

static long double soft_square(long double v, long double l1)
{
    const long double rest = fabsl(v) > l1 ? fabsl(v) - l1 : 0;

    return rest * rest;
}

static struct slow measure(const struct point *point, const double *w)
{
    const struct toy *toy = &point->toy;
    const long double l1 = toy->problem.l1;
    struct slow slow = {0, 0, 0};

    for (size_t j = 0; j < penalised(toy); j++) {
        slow.primal += l1 * fabsl(w[j]) + (long double)w[j] * w[j] / 2;
        slow.dual += soft_square(point->v[j], l1) / 2;
        slow.size += (long double)point->v[j] * point->v[j];
    }
    slow.size += slow.primal;
    for (size_t i = 0; i < toy->m; i++) {
        const long double cost = toy->cost[i], a = point->alpha[i];
        long double z = 0, size = 1, slack;

        for (size_t j = 0; j < toy->width; j++) {
            z += toy->sign[i] * (long double)w[j] * toy->x[i][j];
            size += fabsl((long double)w[j] * toy->x[i][j]);
        }
        slack = z < 1 ? 1 - z : 0;
        slow.primal += cost * (toy->draft.loss == LOSS_HINGE ? slack : slack * slack);
        slow.dual += (toy->draft.loss == LOSS_HINGE ? 0 : a * a / (4 * cost)) - a;
        slow.size += toy->draft.loss == LOSS_HINGE ? (cost + a) * size
                                                   : cost * size * size + a * size + a * a / cost;
    }
    return slow;
}

/* ---- Measuring ------------------------------------------------------------ */

static size_t nonzeros_of(const struct toy *toy, const double *w)
{
    size_t nonzeros = 0;

    for (size_t j = 0; j < toy->width; j++)
        nonzeros += w[j] != 0;
    return nonzeros;
}

static void check_measure(const struct point *point, const double *w)
{
    const struct toy *toy = &point->toy;
    const struct slow slow = measure(point, w);
    const struct objective fast =
        objective_measure(&point->shards, &toy->problem, w, point->alpha, point->v, NULL);
    const long double most = 1e-14L * slow.size;

    CHECK(toy, fabsl(fast.primal - slow.primal) <= most);
    CHECK(toy, fabsl(fast.dual - slow.dual) <= most);
    CHECK(toy, fast.gap >= 0);
    CHECK(toy, fabsl(fast.gap * slow.primal - (slow.primal + slow.dual)) <= 2 * most);
    CHECK(toy, fast.nonzeros == nonzeros_of(toy, w));
}

static void test_any_point_is_measured(void **state)
{
    static struct point point;
    size_t kinds[3] = {0}, with_l1 = 0;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        draw(&point, number);
        check_measure(&point, point.w);
        kinds[point.toy.problem.bias_kind]++;
        with_l1 += point.toy.problem.l1 > 0;
    }
    assert_true(kinds[BIAS_NONE] > 100 && kinds[BIAS_REGULARISED] > 100 && kinds[BIAS_FREE] > 100);
    assert_true(with_l1 > TOYS / 4);
}

/* If w is v, the regulariser's term of the gap is 0. A copy of v gives the same result. */
static void test_weights_of_the_dual_point_are_measured(void **state)
{
    static struct point point;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        const struct problem *problem = &point.toy.problem;
        struct objective same, copied;

        draw(&point, number);
        if (!may_be_same(&point))
            continue;
        check_measure(&point, point.v);
        memcpy(point.w, point.v, sizeof point.w);
        same = objective_measure(&point.shards, problem, point.v, point.alpha, point.v, NULL);
        copied = objective_measure(&point.shards, problem, point.w, point.alpha, point.v, NULL);
        CHECK(&point.toy, same.primal == copied.primal && same.dual == copied.dual);
        CHECK(&point.toy, same.gap == copied.gap && same.nonzeros == copied.nonzeros);
    }
}

/* At the w of v, the regulariser's term of the gap is 0. No other w has a smaller gap. */
static void test_gap_is_least_where_w_goes_with_v(void **state)
{
    static struct point point;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        const struct problem *problem = &point.toy.problem;
        double rows = 0;
        struct objective objective;

        draw(&point, number);
        for (size_t j = 0; j < penalised(&point.toy); j++) {
            const double rest = fabs(point.v[j]) - problem->l1;

            point.w[j] = rest > 0 ? copysign(rest, point.v[j]) : 0;
        }
        objective = objective_measure(&point.shards, problem, point.w, point.alpha, point.v, NULL);
        rows = sums_terms(&point.shards, problem, point.w, point.alpha, NULL, NULL).gap;
        CHECK(&point.toy, objective.gap == rows / fmax(objective.primal, DBL_MIN));
    }
}

/* At the optimum, found by an independent method, the gap is almost 0. At any point, the lower
 * bound is below the minimum. */
static void test_dual_bounds_the_minimum(void **state)
{
    static struct point point;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        struct bracket bracket;
        struct objective objective;

        draw(&point, number);
        if (point.toy.problem.bias_kind == BIAS_FREE || !may_be_same(&point))
            continue;
        bracket = reference(&point.toy);
        objective = objective_measure(&point.shards, &point.toy.problem, point.w, point.alpha,
                                      point.v, NULL);
        CHECK(&point.toy, objective.primal >= bracket.lower * (1 - 1e-12));
        CHECK(&point.toy, -objective.dual <= bracket.upper * (1 + 1e-12));
    }
}

static void test_primal_alone(void **state)
{
    static struct point point;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        const struct problem *problem = &point.toy.problem;
        struct objective whole, primal;

        draw(&point, number);
        whole = objective_measure(&point.shards, problem, point.w, point.alpha, point.v, NULL);
        primal = objective_primal(&point.shards, problem, point.w);
        CHECK(&point.toy, primal.primal == whole.primal && primal.nonzeros == whole.nonzeros);
        CHECK(&point.toy, isnan(primal.dual) && isnan(primal.gap));
    }
}

static void test_dual_alone(void **state)
{
    static struct point point;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        const struct problem *problem = &point.toy.problem;
        const double *const any[] = {point.v, point.w}; /* any free bias is left out */

        draw(&point, number);
        for (size_t k = 0; k < 2; k++) {
            const struct objective whole =
                objective_measure(&point.shards, problem, any[!k], point.alpha, any[k], NULL);

            CHECK(&point.toy,
                  objective_dual(&point.shards, problem, point.alpha, any[k]) == whole.dual);
        }
    }
}

static void test_objective_at_zero(void **state)
{
    static struct point point;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        const struct problem *problem = &point.toy.problem;
        struct objective objective;
        double primal;

        draw(&point, number);
        memset(point.w, 0, sizeof point.w);
        memset(point.alpha, 0, sizeof point.alpha);
        primal = objective_at_zero(problem);
        objective = objective_measure(&point.shards, problem, point.w, point.alpha, point.w, NULL);
        CHECK(&point.toy, primal == objective.primal); /* to the last bit */
        CHECK(&point.toy, fabsl(primal - measure(&point, point.w).primal) <= 1e-14 * primal);
        CHECK(&point.toy, objective.dual == 0 && fabs(objective.gap - 1) <= 1e-14);
    }
}

/* Without rows, P and D are 0, and the gap does not divide by 0. */
static void test_no_rows_have_no_gap(void **state)
{
    static struct point point;
    struct objective objective;

    (void)state;
    draw(&point, 1);
    memset(point.w, 0, sizeof point.w);
    point.toy.problem.rows = point.shards.rows = 0;
    objective =
        objective_measure(&point.shards, &point.toy.problem, point.w, point.alpha, point.w, NULL);
    assert_true(objective.primal == 0 && objective.dual == 0 && objective.gap == 0);
    assert_true(objective_at_zero(&point.toy.problem) == 0);
}

/* ---- Gradients and terms -------------------------------------------------- */

/* The squares of weights overflow, in each of the sums that are added side by side. Their absolute
 * values do not. */
static void test_an_infinite_norm_is_no_nan(void **state)
{
    enum { FEATURES = 11 };
    const struct hinge_dataset data = {.features = FEATURES};
    const struct problem problem = {.data = &data};
    const struct problem sparse = {.data = &data, .l1 = 1, .only_l1 = 1};
    const struct shards shards = shards_of(&problem, SUM_OF_VECTORS, 0, FEATURES);

    (void)state;
    for (size_t large = 0; large < FEATURES; large++) {
        double w[FEATURES];

        for (size_t j = 0; j < FEATURES; j++)
            w[j] = j == large ? 1e200 : 1;
        assert_true(objective_primal(&shards, &problem, w).primal > DBL_MAX);
        assert_true(objective_primal(&shards, &sparse, w).primal == 1e200);
    }
}

static struct shards shards_for(const struct toy *toy)
{
    const struct shards shards = shards_of(&toy->problem, SUM_OF_VECTORS, 0, toy->width);

    CHECK(toy, shards.count == 1);
    return shards;
}

/* Measures the objective. D is valid only if w = sum alpha_i y_i x_i. */
static struct objective measured(const struct toy *toy, const double *w, const double *alpha)
{
    const struct shards shards = shards_for(toy);

    return objective_measure(&shards, &toy->problem, w, alpha, w, NULL);
}

/* Computes v = sum alpha_i y_i x_i. */
static void combine(const struct toy *toy, const double *alpha, double *v)
{
    const struct shards shards = shards_for(toy);

    memset(v, 0, toy->width * sizeof *v);
    sums_combine(&shards, &toy->problem, all_rows(&toy->problem), alpha, 1, v);
}

static void draw_weights(const struct toy *toy, double *w, uint64_t *state)
{
    for (size_t j = 0; j < toy->width; j++)
        w[j] = random_between(state, -2, 2);
}

/* Draws a feasible alpha, with some rows at each bound. */
static void draw_dual(const struct toy *toy, double *alpha, uint64_t *state)
{
    for (size_t i = 0; i < toy->m; i++) {
        double u = random_between(state, -0.3, 1.3);

        alpha[i] = toy->cost[i] * (u < 0 ? 0 : u > 1 ? 1 : u);
        if (toy->draft.loss == LOSS_SQUARED_HINGE)
            alpha[i] *= 4;
    }
}

static double primal_slope(const struct toy *toy, const double *w, size_t j)
{
    double slope = w[j];

    for (size_t i = 0; i < toy->m; i++) {
        double z = margin(toy, i, w), factor = toy->draft.loss == LOSS_HINGE ? 1 : 2 * (1 - z);

        if (z < 1)
            slope -= toy->cost[i] * factor * toy->sign[i] * toy->x[i][j];
    }
    return slope;
}

/* True if a row's loss has a corner between w_j - h and w_j + h. */
static int bends(const struct toy *toy, const double *w, size_t j, double h)
{
    for (size_t i = 0; i < toy->m; i++)
        if (fabs(1 - margin(toy, i, w)) <= h * fabs(toy->x[i][j]))
            return 1;
    return 0;
}

/* P is quadratic between corners, so central differences are exact up to rounding. */
static void test_primal_agrees_with_its_gradient(void **state)
{
    static struct toy toy;
    const double h = 1.0 / 64, alpha[MOST_ROWS] = {0};
    uint64_t random = 11;
    size_t checked = 0;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        double w[MOST_WIDTH];

        toy_small(&toy, number);
        draw_weights(&toy, w, &random);
        for (size_t j = 0; j < toy.width; j++) {
            double at = w[j], difference, slope = primal_slope(&toy, w, j);

            if (bends(&toy, w, j, h))
                continue;
            w[j] = at + h;
            difference = measured(&toy, w, alpha).primal;
            w[j] = at - h;
            difference -= measured(&toy, w, alpha).primal;
            w[j] = at;
            CHECK(&toy, fabs(difference / (2 * h) - slope) <= rounding(&toy, w) / h);
            checked++;
        }
    }
    assert_true(checked > 500);
}

static double measured_dual(const struct toy *toy, const double *alpha)
{
    double w[MOST_WIDTH];

    combine(toy, alpha, w);
    return measured(toy, w, alpha).dual;
}

/* dD / dalpha_i = y_i <w, x_i> - 1 + d_i alpha_i, the G_i of the descent. */
static void test_dual_agrees_with_its_gradient(void **state)
{
    static struct toy toy;
    uint64_t random = 12;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        double alpha[MOST_ROWS], w[MOST_WIDTH], size = 0, longest = 0;

        toy_small(&toy, number);
        draw_dual(&toy, alpha, &random);
        weights_of(&toy, alpha, w);
        for (size_t i = 0; i < toy.m; i++) {
            size += alpha[i] * (1 + diagonal(&toy, i) * alpha[i]);
            longest += alpha[i] * sqrt(quadratic(&toy, i, i) - diagonal(&toy, i));
        }
        size += longest * longest; /* size of |w| without cancellation */
        for (size_t i = 0; i < toy.m; i++) {
            double at = alpha[i], h = toy.cost[i] / 8, difference;
            double slope = margin(&toy, i, w) - 1 + diagonal(&toy, i) * at;

            alpha[i] = at + h;
            difference = measured_dual(&toy, alpha);
            alpha[i] = at - h;
            difference -= measured_dual(&toy, alpha);
            alpha[i] = at;
            CHECK(&toy, fabs(difference / (2 * h) - slope) <= 1e-13 * (1 + size) / h);
        }
    }
}

/* Returns the term of row i in the identity at the head of objective.c. */
static double gap_term(const struct toy *toy, const double *w, const double *alpha, size_t i)
{
    double z = margin(toy, i, w);

    return toy->cost[i] * loss_of(toy, z) + diagonal(toy, i) * alpha[i] * alpha[i] / 2 -
           alpha[i] * (1 - z);
}

/* P(w) + D(alpha) is a sum of one term for each row, and no term is negative. The estimate of a
 * pass and the skipping of rows use this. */
static void test_gap_is_the_sum_of_its_terms(void **state)
{
    static struct toy toy;
    uint64_t random = 13;

    (void)state;
    for (unsigned long number = 0; number < 1000; number++) {
        double alpha[MOST_ROWS], w[MOST_WIDTH], formed[MOST_WIDTH], total = 0, size = 1;
        struct objective objective;

        toy_small(&toy, number);
        draw_dual(&toy, alpha, &random);
        weights_of(&toy, alpha, w);
        combine(&toy, alpha, formed);
        objective = measured(&toy, formed, alpha);
        for (size_t i = 0; i < toy.m; i++) {
            double term = gap_term(&toy, w, alpha, i);

            CHECK(&toy, term >= -rounding(&toy, w));
            total += term;
            size += alpha[i];
        }
        CHECK(&toy,
              fabs(objective.primal + objective.dual - total) <= rounding(&toy, w) + 1e-12 * size);
        CHECK(&toy, fabs(objective.primal - primal_of(&toy, w)) <= rounding(&toy, w));
        CHECK(&toy, fabs(objective.gap - total / objective.primal) <=
                        rounding(&toy, w) / objective.primal + 1e-12 * size / objective.primal);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_point_is_measured),
        cmocka_unit_test(test_weights_of_the_dual_point_are_measured),
        cmocka_unit_test(test_gap_is_least_where_w_goes_with_v),
        cmocka_unit_test(test_dual_bounds_the_minimum),
        cmocka_unit_test(test_primal_alone),
        cmocka_unit_test(test_dual_alone),
        cmocka_unit_test(test_objective_at_zero),
        cmocka_unit_test(test_an_infinite_norm_is_no_nan),
        cmocka_unit_test(test_no_rows_have_no_gap),
        cmocka_unit_test(test_primal_agrees_with_its_gradient),
        cmocka_unit_test(test_dual_agrees_with_its_gradient),
        cmocka_unit_test(test_gap_is_the_sum_of_its_terms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
