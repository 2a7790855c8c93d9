/* test_objective.c - P and D against their gradients, the gap against its terms. */
#include <math.h>
#include <string.h>

#include "problem/objective.h"
#include "toy.h"

/* Toys are one shard. */
static struct shards shards_for(const struct toy *toy)
{
    const struct shards shards = shards_of(&toy->problem, 0, toy->width);

    CHECK(toy, shards.count == 1);
    return shards;
}

/* At w = sum alpha_i y_i x_i, or where D does not matter. */
static struct objective measured(const struct toy *toy, const double *w, const double *alpha)
{
    const struct shards shards = shards_for(toy);

    return objective_measure(&shards, &toy->problem, w, alpha, w);
}

/* sum alpha_i y_i x_i */
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

/* Feasible, with some at each bound. */
static void draw_alpha(const struct toy *toy, double *alpha, uint64_t *state)
{
    for (size_t i = 0; i < toy->m; i++) {
        double u = random_between(state, -0.3, 1.3);

        alpha[i] = toy->cost[i] * (u < 0 ? 0 : u > 1 ? 1 : u);
        if (toy->draft.loss == LOSS_SQUARED_HINGE)
            alpha[i] *= 4;
    }
}

/* dP / dw_j */
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

/* Whether a row's loss bends between w_j - h and w_j + h. */
static int bends(const struct toy *toy, const double *w, size_t j, double h)
{
    for (size_t i = 0; i < toy->m; i++)
        if (fabs(1 - margin(toy, i, w)) <= h * fabs(toy->x[i][j]))
            return 1;
    return 0;
}

/* P is quadratic between the bends, so that central differences are exact up to rounding. */
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
        draw_alpha(&toy, alpha, &random);
        weights_of(&toy, alpha, w);
        for (size_t i = 0; i < toy.m; i++) {
            size += alpha[i] * (1 + diagonal(&toy, i) * alpha[i]);
            longest += alpha[i] * sqrt(quadratic(&toy, i, i) - diagonal(&toy, i));
        }
        size += longest * longest; /* of |w| if nothing in it cancelled */
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

/* The term of row i in the identity at the head of objective.c. */
static double gap_term(const struct toy *toy, const double *w, const double *alpha, size_t i)
{
    double z = margin(toy, i, w);

    return toy->cost[i] * loss_of(toy, z) + diagonal(toy, i) * alpha[i] * alpha[i] / 2 -
           alpha[i] * (1 - z);
}

/* P(w) + D(alpha) is a sum of one term a row, none negative: what the estimate of a pass and
 * skipping rows rest on. */
static void test_gap_is_the_sum_of_its_terms(void **state)
{
    static struct toy toy;
    uint64_t random = 13;

    (void)state;
    for (unsigned long number = 0; number < 1000; number++) {
        double alpha[MOST_ROWS], w[MOST_WIDTH], formed[MOST_WIDTH], total = 0, size = 1;
        struct objective objective;

        toy_small(&toy, number);
        draw_alpha(&toy, alpha, &random);
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

/* To the last bit what is measured at w = 0, also of many unlike terms. */
static void test_value_at_zero_is_what_is_measured_there(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 1000; number++) {
        const double w[MOST_WIDTH] = {0}, alpha[MOST_ROWS] = {0};

        toy_small(&toy, number);
        CHECK(&toy, objective_at_zero(&toy.problem) == measured(&toy, w, alpha).primal);
        CHECK(&toy, measured(&toy, w, alpha).dual == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_primal_agrees_with_its_gradient),
        cmocka_unit_test(test_dual_agrees_with_its_gradient),
        cmocka_unit_test(test_gap_is_the_sum_of_its_terms),
        cmocka_unit_test(test_value_at_zero_is_what_is_measured_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
