/* test_certificate.c - compares the bounds of P and D with exact arithmetic, at points of any kind.
 */
#include "problem/certificate.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "exact.h"
#include "problem/bias.h"
#include "toy.h"

enum { TOYS = 3000 };

/* A problem and a point. v is sum alpha_i y_i x_i as the solvers form it. The target of a row in a
 * regression is number - epsilon, rounded. */
struct point {
    struct toy toy;
    double number[MOST_ROWS], epsilon;
    double target[MOST_ROWS];
    struct shards shards;
    double w[MOST_WIDTH];
    double v[MOST_WIDTH];
    double alpha[MOST_ROWS];
    struct objective measured;
};

static double target_of(const struct point *point, size_t i)
{
    return problem_target(&point->toy.problem, (uint32_t)i, point->toy.draft.loss);
}

/* Changes w so that the margin of row i is its target, as for a support vector, because
 * rounding shows there. */
static void put_on_margin(struct point *point, size_t i)
{
    const struct toy *toy = &point->toy;

    for (size_t j = 0; j < toy->width; j++)
        if (toy->x[i][j] != 0) {
            point->w[j] +=
                toy->sign[i] * (target_of(point, i) - margin(toy, i, point->w)) / toy->x[i][j];
            return;
        }
}

/* Scales alpha down so that D is below 0, as it is in a method. */
static void shorten_alpha(struct point *point)
{
    const struct toy *toy = &point->toy;
    double total = DBL_MIN; /* all alpha may be 0 */

    for (size_t i = 0; i < toy->m; i++)
        total += point->alpha[i];
    weights_of(toy, point->alpha, point->v);
    for (size_t i = 0; i < toy->m; i++)
        point->alpha[i] *= fmin(1, total / (2 * half_square(toy, point->v) + total));
}

/* Draws targets of any size, as in a regression. */
static void draw_targets(struct point *point, uint64_t *random)
{
    const double size = exp(random_between(random, -5, 15));

    point->epsilon = random_unit(random) < 0.2 ? 0 : size * random_unit(random);
    for (size_t i = 0; i < point->toy.m; i++) {
        point->number[i] = size * random_between(random, -1, 1);
        point->target[i] = point->number[i] - point->epsilon;
    }
    point->toy.problem.target = point->target;
}

static void draw(struct point *point, unsigned long number)
{
    static const double scales[] = {1, 1e3, 1e8, 1e12}, costs[] = {1e-8, 1, 1e5, 1e12};
    static const enum loss losses[] = {LOSS_HINGE,
                                       LOSS_LOGISTIC,
                                       LOSS_HINGE,
                                       LOSS_INSENSITIVE,
                                       LOSS_SQUARED_HINGE,
                                       LOSS_LOGISTIC,
                                       LOSS_SQUARED_INSENSITIVE,
                                       LOSS_ONE_CLASS};
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15) * (number + 1);
    const struct draft draft = {.shape = (enum shape)(number % SHAPES),
                                .C = costs[random_index(&random, 4)],
                                .spread = number % 5 ? 3 : 0,
                                .bias = number % 2 ? random_unit(&random) : -1,
                                .subset = number % 7 == 0,
                                .scale = scales[random_index(&random, 4)],
                                .loss = losses[number / 3 % COUNT(losses)]};
    struct toy *toy = &point->toy;

    toy_draw(toy, &draft, number, MOST_ROWS, MOST_FEATURES);
    if (loss_has_targets(draft.loss))
        draw_targets(point, &random);
    point->shards = shards_of(&toy->problem, SUM_OF_VECTORS, 0, toy->width);
    for (size_t j = 0; j < toy->width; j++)
        point->w[j] = random_between(&random, -1, 1) * exp(random_between(&random, -20, 20));
    if (number % 4)
        put_on_margin(point, random_index(&random, toy->m));
    for (size_t i = 0; i < toy->m; i++)
        point->alpha[i] = random_unit(&random) < 0.5 ? toy->cost[i] * random_unit(&random) : 0;
    shorten_alpha(point);
}

static void measure(struct point *point)
{
    const struct toy *toy = &point->toy;

    memset(point->v, 0, sizeof point->v);
    sums_combine(&point->shards, &toy->problem, all_rows(&toy->problem), point->alpha, 1, point->v);
    point->measured =
        objective_measure(&point->shards, &toy->problem, point->w, point->alpha, point->v, NULL);
}

static struct objective take(const struct point *point, double target)
{
    struct max_row_norm max_row_norm = {point->toy.row, point->toy.m, 0, 0, 0};
    const struct objective taken = certificate_take(
        &point->shards, &(struct primal_dual){&point->toy.problem, point->w, point->alpha},
        point->v, &point->measured, target, &max_row_norm);

    for (uint32_t i = 0; i < point->toy.m; i++)
        CHECK(&point->toy,
              max_row_norm.square >= problem_square(&point->toy.problem, i) &&
                  max_row_norm.features >= (double)problem_length(&point->toy.problem, i));
    return taken;
}

/* ---- Exact values --------------------------------------------------------- */

static void exact_target(const struct point *point, size_t i, struct exact *target)
{
    if (!loss_has_targets(point->toy.draft.loss)) {
        exact_set(target, target_of(point, i));
        return;
    }
    exact_set(target, point->number[i]);
    exact_add_product(target, -1, point->epsilon);
}

static void add_half_square(struct exact *total, const struct exact *value)
{
    struct exact square;

    exact_multiply(&square, value, value);
    exact_scale(&square, 0.5);
    exact_add(total, &square, 1);
}

static void exact_primal(const struct point *point, struct exact *primal)
{
    const struct toy *toy = &point->toy;

    exact_set(primal, 0);
    for (size_t j = 0; j < toy->width; j++) {
        struct exact w;

        exact_set(&w, point->w[j]);
        add_half_square(primal, &w);
    }
    for (size_t i = 0; i < toy->m; i++) {
        struct exact slack, loss;

        exact_target(point, i, &slack);
        for (size_t j = 0; j < toy->width; j++)
            exact_add_product(&slack, -toy->sign[i] * point->w[j], toy->x[i][j]);
        if (toy->draft.loss == LOSS_LOGISTIC)
            exact_add_softplus(primal, toy->cost[i], &slack);
        if (toy->draft.loss == LOSS_LOGISTIC || exact_sign(&slack) <= 0)
            continue;
        if (loss_is_linear(toy->draft.loss))
            loss = slack;
        else
            exact_multiply(&loss, &slack, &slack);
        exact_scale(&loss, toy->cost[i]);
        exact_add(primal, &loss, 1);
    }
}

static void exact_coordinate(const struct point *point, size_t j, int sign, struct exact *v)
{
    const struct toy *toy = &point->toy;

    exact_set(v, 0);
    for (size_t i = 0; i < toy->m; i++)
        if (sign == 0 || toy->sign[i] == sign)
            exact_add_product(v, toy->sign[i] * point->alpha[i], toy->x[i][j]);
}

static void exact_dual(const struct point *point, struct exact *dual)
{
    const struct toy *toy = &point->toy;

    exact_set(dual, 0);
    for (size_t j = 0; j < toy->width; j++) {
        struct exact v;

        exact_coordinate(point, j, 0, &v);
        add_half_square(dual, &v);
    }
    for (size_t i = 0; i < toy->m; i++) {
        struct exact linear;

        exact_target(point, i, &linear);
        exact_scale(&linear, point->alpha[i]);
        exact_add(dual, &linear, -1);
        if (loss_is_squared(toy->draft.loss))
            exact_add_quotient(dual, point->alpha[i], 4 * toy->cost[i]);
        if (toy->draft.loss == LOSS_LOGISTIC)
            exact_add_entropy(dual, toy->cost[i], point->alpha[i]);
    }
}

/* ---- Bounds ---------------------------------------------------------------- */

/* Returns a bound of the change of P by rounding of the targets. */
static double doubt(const struct point *point)
{
    const struct toy *toy = &point->toy;
    double size = 0;

    for (size_t i = 0; i < toy->m && loss_has_targets(toy->draft.loss); i++) {
        const double s = target_of(point, i) - margin(toy, i, point->w);
        const double error = DBL_EPSILON * fabs(target_of(point, i));

        size +=
            toy->cost[i] * (loss_is_linear(toy->draft.loss) ? error : (fabs(s) + error) * error);
    }
    return 2 * size;
}

static double size_of_dual(const struct point *point)
{
    double size = 0;

    for (size_t j = 0; j < point->toy.width; j++)
        size += point->v[j] * point->v[j];
    for (size_t i = 0; i < point->toy.m; i++)
        size += 2 * point->alpha[i] * (1 + fabs(target_of(point, i)));
    return size;
}

static void test_bounds_are_above_the_exact_values(void **state)
{
    static struct point point;
    size_t below = 0, wide = 0, fell = 0, losses[LOSS_SQUARED_INSENSITIVE + 1] = {0};

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        struct exact primal, dual, total;
        struct objective first, sharp;

        draw(&point, number);
        measure(&point);
        exact_primal(&point, &primal);
        exact_dual(&point, &dual);
        first = take(&point, HUGE_VAL);
        sharp = take(&point, -HUGE_VAL);
        CHECK(&point.toy, exact_against(&primal, first.primal) <= 0);
        CHECK(&point.toy, exact_against(&dual, first.dual) <= 0);
        CHECK(&point.toy, exact_against(&primal, sharp.primal) <= 0);
        CHECK(&point.toy, exact_against(&dual, sharp.dual) <= 0);
        CHECK(&point.toy, sharp.gap <= first.gap || sharp.dual > 0);
        CHECK(&point.toy, sharp.nonzeros == first.nonzeros);
        CHECK(&point.toy,
              sharp.primal - exact_double(&primal) <= 1e-14 * sharp.primal + doubt(&point));
        CHECK(&point.toy, sharp.dual - exact_double(&dual) <=
                              1e-14 * (size_of_dual(&point) + fabs(sharp.dual)) + DBL_MIN);
        exact_add(&dual, &primal, 1);
        total = primal; /* the gap is about P: gap P >= P + D */
        exact_scale(&total, sharp.gap);
        CHECK(&point.toy, exact_compare(&dual, &total) <= 0 || sharp.dual > 0);
        losses[point.toy.draft.loss]++;
        fell += sharp.dual < 0;
        below += exact_against(&primal, point.measured.primal) > 0;
        wide += first.primal > (1 + 1e-6) * sharp.primal;
    }
    assert_true(fell > TOYS / 4);
    for (size_t l = 0; l < COUNT(losses); l++)
        assert_true(losses[l] > TOYS / 10);
    assert_true(below > TOYS / 10 && wide > TOYS / 100); /* rounding errors were large enough */
}

/* With a free bias, alpha stands for the point whose larger class is scaled down by t. For the
 * hinge, D is 1/2 |v_s + t v_l|^2 - 2 S_s with sums S and vectors v of the smaller and the larger
 * class, and t = S_s/S_l. The test multiplies all by S_l^2. */
static void test_free_bias_stands_for_a_balanced_point(void **state)
{
    static struct point point;
    size_t seen = 0;

    (void)state;
    for (unsigned long number = 1; number < TOYS; number += 2) {
        struct exact sum[2], part, square, dual, bound;
        struct toy *toy = &point.toy;
        int larger;

        draw(&point, number);
        if (toy->draft.loss != LOSS_HINGE)
            continue;
        toy->problem.bias_kind = BIAS_FREE;
        bias_balance(&toy->problem, point.alpha);
        for (size_t i = 0; i < toy->m && number % 5 == 0; i++)
            point.alpha[i] *= 1 - 1e-6 * (double)(i % 4); /* far more than rounding errors */
        measure(&point);
        for (int side = 0; side < 2; side++) {
            exact_set(&sum[side], 0);
            for (size_t i = 0; i < toy->m; i++)
                if ((toy->sign[i] > 0) == side)
                    exact_add_product(&sum[side], 1, point.alpha[i]);
        }
        larger = exact_compare(&sum[1], &sum[0]) > 0;
        if (exact_sign(&sum[!larger]) <= 0)
            continue;
        seen += exact_compare(&sum[1], &sum[0]) != 0;
        exact_multiply(&square, &sum[larger], &sum[larger]);
        exact_multiply(&dual, &square, &sum[!larger]);
        exact_scale(&dual, -2);
        for (size_t j = 0; j < toy->data.features; j++) {
            struct exact v[2], scaled[2];

            for (int side = 0; side < 2; side++) {
                exact_coordinate(&point, j, side ? 1 : -1, &v[side]);
                exact_multiply(&scaled[side], &v[side], &sum[!side]);
            }
            exact_add(&scaled[0], &scaled[1], 1);
            add_half_square(&dual, &scaled[0]);
        }
        exact_set(&part, take(&point, -HUGE_VAL).dual);
        exact_multiply(&bound, &square, &part);
        CHECK(toy, exact_compare(&dual, &bound) <= 0);
    }
    assert_true(seen > 10);
}

/* Turns the problem into a one-class SVM at this point. Its linear term differs from sum alpha_i
 * y_i by a small part. */
static void set_total(struct point *point, unsigned long number)
{
    struct toy *toy = &point->toy;
    double sum = 0;

    toy->problem.loss = toy->draft.loss = LOSS_ONE_CLASS;
    toy->problem.bias_kind = BIAS_FREE;
    toy->problem.bias = 1;
    for (size_t i = 0; i < toy->m; i++) {
        toy->sign[i] = 1;
        toy->x[i][toy->width - 1] = 1;
        sum += point->alpha[i];
    }
    toy->problem.total = sum * (1 + (number % 5 ? 1e-15 : 1e-6) * (double)((int)(number % 7) - 3));
}

/* The linear term in the bias may be much larger than P. P includes it, and D is a bound for a
 * point whose sum is correct, whichever row corrects it. */
static void test_a_linear_term_is_bounded_too(void **state)
{
    static struct point point;
    size_t rows = 0, below = 0;

    (void)state;
    for (unsigned long number = 1; number < TOYS; number += 2) {
        struct exact primal, half, rest;
        struct objective sharp;
        struct toy *toy = &point.toy;
        double *b;

        draw(&point, number);
        set_total(&point, number);
        if (!(toy->problem.total > 0))
            continue;
        b = &point.w[toy->width - 1];
        put_on_margin(&point, number % toy->m);
        measure(&point);
        sharp = take(&point, -HUGE_VAL);
        exact_primal(&point, &primal); /* as if the bias were regularised */
        exact_set(&half, *b);
        exact_scale(&half, -0.5);
        exact_scale(&half, *b);
        exact_add(&primal, &half, 1);
        exact_add_product(&primal, toy->problem.total, *b);
        CHECK(toy, exact_against(&primal, sharp.primal) <= 0);
        below += exact_against(&primal, point.measured.primal) > 0;
        exact_set(&rest, toy->problem.total);
        for (size_t i = 0; i < toy->m; i++)
            exact_add_product(&rest, -1, point.alpha[i]);
        for (size_t k = 0; k < toy->m; k += 5, rows++) { /* row k takes the rest */
            struct exact dual;

            exact_set(&dual, 0);
            for (size_t j = 0; j < toy->data.features; j++) {
                struct exact v, part = rest;

                exact_coordinate(&point, j, 0, &v);
                exact_scale(&part, toy->x[k][j]);
                exact_add(&v, &part, 1);
                add_half_square(&dual, &v);
            }
            CHECK(toy, exact_against(&dual, sharp.dual) <= 0);
        }
    }
    assert_true(rows > TOYS && below > TOYS / 50);
}

/* One row is on its margin, and C is so large that rounding in twice the precision is most of P.
 * The bound is wide, but true. */
static void test_twice_the_precision_is_bounded_too(void **state)
{
    static struct point point;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        const struct draft draft = {
            .shape = ONE_ROW, .C = 1e30, .bias = -1, .scale = 1e3, .loss = LOSS_HINGE};
        uint64_t random = number + 1;
        struct toy *toy = &point.toy;
        struct exact primal;

        toy_draw(toy, &draft, number, 1, MOST_FEATURES);
        point.shards = shards_of(&toy->problem, SUM_OF_VECTORS, 0, toy->width);
        for (size_t j = 0; j < toy->width; j++)
            point.w[j] = random_between(&random, -1, 1);
        for (int k = 0; k < 3; k++) /* each time removes the rounding of the last time */
            put_on_margin(&point, 0);
        point.alpha[0] = 0;
        measure(&point);
        exact_primal(&point, &primal);
        CHECK(toy, exact_against(&primal, take(&point, -HUGE_VAL).primal) <= 0);
    }
}

/* Values that are exactly 0 stay 0: without rows, or with rows of one class and a free bias. */
static void test_zero_is_exact(void **state)
{
    static struct point point;

    (void)state;
    for (unsigned long number = 0; number < 100; number++) {
        draw(&point, number);
        memset(point.w, 0, sizeof point.w);
        memset(point.alpha, 0, sizeof point.alpha);
        point.toy.m = point.toy.problem.rows = point.shards.rows = 0;
        measure(&point);
        CHECK(&point.toy, take(&point, 0).primal == 0 && take(&point, 0).gap == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_are_above_the_exact_values),
        cmocka_unit_test(test_free_bias_stands_for_a_balanced_point),
        cmocka_unit_test(test_a_linear_term_is_bounded_too),
        cmocka_unit_test(test_twice_the_precision_is_bounded_too),
        cmocka_unit_test(test_zero_is_exact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
