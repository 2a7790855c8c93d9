/* test_loss.c - each function of a loss against its definition in long double, suprema and minima
 * by golden section, on a grid and at random. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/loss.h"
#include "support.h"

/* ---- Slow references ---------------------------------------------------- */

/* C phi(z) */
static long double value(enum loss loss, long double cost, long double z)
{
    const long double slack = z < 1 ? 1 - z : 0;

    return loss == LOSS_HINGE ? cost * slack : cost * slack * slack;
}

/* A convex function of one variable. */
struct convex {
    enum loss loss;
    long double cost;
    long double linear; /* coefficients, see the functions below */
    long double quadratic;
    long double centre;
    long double (*at)(const struct convex *f, long double u);
};

/* The minimum in low .. high by golden section; f is nowhere flat but at its minimum. */
static long double minimiser(const struct convex *f, long double low, long double high)
{
    const long double golden = (sqrtl(5) - 1) / 2;
    long double left = high - golden * (high - low), right = low + golden * (high - low);

    for (int k = 0; k < 400; k++)
        if (f->at(f, left) <= f->at(f, right)) {
            high = right;
            right = left;
            left = high - golden * (high - low);
        } else {
            low = left;
            left = right;
            right = low + golden * (high - low);
        }
    return (low + high) / 2;
}

/* In low .. , a minimum being somewhere. */
static long double minimiser_from(const struct convex *f, long double low, long double unit)
{
    while (f->at(f, low + 2 * unit) <= f->at(f, low + unit))
        unit *= 2;
    return minimiser(f, low, low + 2 * unit);
}

/* a z + C phi(z), linear being a: the conjugate is minus its minimum. */
static long double tilted_value(const struct convex *f, long double z)
{
    return f->linear * z + value(f->loss, f->cost, z);
}

/* C phi*(-a/C), the maximum of -a z - C phi(z); for a > 0 it is not above z = 1. */
static long double conjugate(enum loss loss, long double cost, long double a)
{
    const struct convex f = {loss, cost, a, 0, 0, tilted_value};
    long double low = 0;

    if (a == 0)
        return 0;
    while (tilted_value(&f, low - 1) < tilted_value(&f, low))
        low = 2 * low - 1;
    return -tilted_value(&f, minimiser(&f, low - 1, 2));
}

/* The conjugate in closed form, which is tested against the maximum. */
static long double closed_conjugate(enum loss loss, long double cost, long double a)
{
    return loss == LOSS_HINGE ? -a : a * a / (4 * cost) - a;
}

/* conjugate(a) + linear a + quadratic/2 (a - centre)^2 */
static long double dual_along(const struct convex *f, long double a)
{
    return closed_conjugate(f->loss, f->cost, a) + f->linear * a +
           f->quadratic / 2 * (a - f->centre) * (a - f->centre);
}

/* Its minimiser over the domain. */
static long double dual_minimiser(const struct convex *f)
{
    return f->loss == LOSS_HINGE ? minimiser(f, 0, f->cost) : minimiser_from(f, 0, f->cost);
}

/* ---- Points ------------------------------------------------------------- */

static const double costs[] = {1e-100, 1e-3, 0.5, 1, 3, 1e6, 1e100};
static const double margins[] = {
    -1e100,          -1e8, -3, -1, -1e-9, 0,    0.5, 0.75, 1 - DBL_EPSILON / 2, 1,
    1 + DBL_EPSILON, 1.25, 2,  7,  1e8,   1e100};
static const double shares[] = {0, 1e-200, 1e-9, 0.25, 0.5, 1 - DBL_EPSILON / 2, 1};
static const enum loss losses[] = {LOSS_HINGE, LOSS_SQUARED_HINGE};

/* A row: its cost, dual number and margin. */
struct point {
    enum loss loss;
    double cost;
    double a;
    double z;
};

enum {
    GRID = COUNT(losses) * COUNT(costs) * COUNT(margins) * COUNT(shares),
    POINTS = GRID + 20000
};

static double random_between(uint64_t *random, double low, double high)
{
    return low + (high - low) * random_unit(random);
}

/* The number-th point: of the grid first, then at random, some with an a that is minus a slope. */
static struct point point_at(size_t number)
{
    struct point point = {.loss = losses[number % COUNT(losses)]};
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15) * (number + 1);
    double share;

    if (number < GRID) {
        number /= COUNT(losses);
        point.cost = costs[number % COUNT(costs)];
        number /= COUNT(costs);
        point.z = margins[number % COUNT(margins)];
        share = shares[number / COUNT(margins)];
        point.a = share * point.cost * (point.loss == LOSS_HINGE ? 1 : 5);
        return point;
    }
    point.cost = exp2(random_between(&random, -20, 20));
    point.z = 1 + random_between(&random, -2, 2) * exp2(random_between(&random, -40, 4));
    share = random_unit(&random);
    point.a = share < 0.2   ? 0
              : share < 0.5 ? loss_slope(point.loss, 1 - point.z) * point.cost
              : share < 0.6 ? point.cost
                            : random_unit(&random) * point.cost;
    if (point.loss == LOSS_SQUARED_HINGE && share >= 0.6)
        point.a *= exp2(random_between(&random, -30, 10));
    return point;
}

#define CHECK(point, condition)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("loss %d, C %.17g, a %.17g, z %.17g: %s", (point)->loss, (point)->cost,       \
                     (point)->a, (point)->z, #condition);                                          \
    } while (0)

/* ---- The loss ----------------------------------------------------------- */

static void test_positive_part_is_exact(void **state)
{
    static const double edge[] = {0,
                                  -0.0,
                                  1,
                                  -1,
                                  DBL_MIN,
                                  -DBL_MIN,
                                  DBL_MIN * DBL_EPSILON,
                                  -DBL_MIN * DBL_EPSILON,
                                  DBL_MAX / 2,
                                  -DBL_MAX,
                                  HUGE_VAL};
    uint64_t random = 1;

    (void)state;
    for (size_t k = 0; k < COUNT(edge); k++)
        assert_true(positive_part(edge[k]) == (edge[k] > 0 ? edge[k] : 0));
    for (int k = 0; k < 200000; k++) {
        const uint64_t bits = random_bits(&random);
        double x;

        memcpy(&x, &bits, sizeof x);
        if (isnan(x))
            assert_true(isnan(positive_part(x)));
        else if (fabs(x) <= DBL_MAX / 2)
            assert_true(positive_part(x) == (x > 0 ? x : 0));
    }
}

static void test_value_is_the_loss(void **state)
{
    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const long double slow = value(point.loss, point.cost, point.z);
        const double fast = loss_value(point.loss, point.cost, 1 - point.z);

        CHECK(&point, fabsl(fast - slow) <= 5 * DBL_EPSILON * slow);
        CHECK(&point, (fast == 0) == (point.z >= 1));
        CHECK(&point, loss_value(point.loss, point.cost, 0) == 0);
        CHECK(&point, loss_value(point.loss, point.cost, 1) == point.cost);
    }
}

/* phi(u) >= phi(z) + phi'(z) (u - z); and where phi has no derivative, 0. */
static void test_descent_is_minus_a_subgradient(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const long double z = point.z, descent = loss_slope(point.loss, 1 - point.z);
        const long double h = 1e-6L * (1 + fabsl(z));

        CHECK(&point, point.z < 1 || descent == 0);
        CHECK(&point, point.z >= 1 || point.loss != LOSS_HINGE || descent == 1);
        for (int turn = 0; turn < 5; turn++) {
            const long double u = z + random_between(&random, -3, 3);
            const long double bound = value(point.loss, 1, z) - descent * (u - z);

            CHECK(&point, value(point.loss, 1, u) >= bound - 1e-14L * (1 + z * z));
        }
        if (fabsl(z - 1) > h && fabsl(z) < 1e10L) {
            const long double slope =
                (value(point.loss, 1, z - h) - value(point.loss, 1, z + h)) / (2 * h);

            CHECK(&point, fabsl(slope - descent) <= 1e-8L * (1 + fabsl(z)));
        }
    }
    assert_false(loss_is_smooth(LOSS_HINGE)); /* its slopes on both sides of 1 differ */
    assert_true(loss_is_smooth(LOSS_SQUARED_HINGE));
}

static enum loss constant(enum loss chosen)
{
    enum loss known = LOSS_HINGE;

    WITH_LOSS(chosen, known = LOSS);
    return known;
}

static void test_constant_loss_is_the_one_chosen(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(losses); k++)
        assert_int_equal(constant(losses[k]), losses[k]);
}

/* ---- Its dual ----------------------------------------------------------- */

static void test_conjugate_is_the_supremum(void **state)
{
    (void)state;
    for (size_t k = 0; k < POINTS; k += k < GRID ? 1 : 10) {
        const struct point point = point_at(k);
        const long double a = point.a, cost = point.cost;
        const long double size = a + a * a / cost;
        const double fast = loss_conjugate(point.loss, point.cost, 1, point.a);

        CHECK(&point, fabsl(fast - conjugate(point.loss, cost, a)) <= 1e-14L * size);
        CHECK(&point,
              fabsl(fast - closed_conjugate(point.loss, cost, a)) <= 4 * DBL_EPSILON * size);
        for (size_t m = 0; m < COUNT(margins); m++) /* no z exceeds it */
            CHECK(&point, -a * margins[m] - value(point.loss, cost, margins[m]) <=
                              fast + 1e-14L * size + 4 * LDBL_EPSILON * a * fabs(margins[m]));
    }
}

static void test_gap_is_the_sum_and_never_negative(void **state)
{
    size_t zeros = 0;

    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const long double a = point.a, z = point.z, cost = point.cost;
        const long double slow =
            value(point.loss, cost, z) + closed_conjugate(point.loss, cost, a) + a * z;
        const long double size =
            cost * (point.loss == LOSS_HINGE ? fabsl(z - 1) : (z - 1) * (z - 1)) +
            a * fabsl(z - 1) + (point.loss == LOSS_HINGE ? 0 : a * a / (2 * cost));
        const double fast =
            loss_gap(point.loss, loss_scale(point.loss, point.cost), point.a, 1 - point.z);

        CHECK(&point, fast >= 0);
        CHECK(&point, fabsl(fast - slow) <= 8 * DBL_EPSILON * size + 4 * LDBL_EPSILON * a);
        zeros += fast == 0;
    }
    assert_true(zeros > POINTS / 10);
}

/* Numbers of few bits, so that nothing is rounded: the gap is 0, and the violation, exactly where a
 * is minus a slope of C phi at z. */
static void test_gap_is_zero_exactly_at_slopes(void **state)
{
    size_t zeros[COUNT(losses)] = {0};

    (void)state;
    for (size_t l = 0; l < COUNT(losses); l++)
        for (double cost = 0.25; cost <= 8; cost *= 2)
            for (double z = -4; z <= 4; z += 0.125)
                for (double a = 0; a <= (l ? 12 : 1) * cost; a += cost / 8) {
                    const struct point point = {losses[l], cost, a, z};
                    const double scale = loss_scale(point.loss, cost);
                    const double slope = point.loss == LOSS_HINGE
                                             ? (z < 1 ? cost : 0)
                                             : (z < 1 ? 2 * cost * (1 - z) : 0);
                    const int optimal = a == slope || (point.loss == LOSS_HINGE && z == 1);

                    CHECK(&point, (loss_gap(point.loss, scale, a, 1 - z) == 0) == optimal);
                    CHECK(&point, (loss_violation(point.loss, scale, a, 1 - z) == 0) == optimal);
                    zeros[l] += (size_t)optimal;
                }
    assert_true(zeros[0] > 100 && zeros[1] > 100);
}

static void test_domain_is_where_the_conjugate_is_finite(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(costs); k++) {
        const double cost = costs[k], inside[] = {DBL_MIN, cost / 3, cost * (1 - DBL_EPSILON)};

        assert_true(loss_upper(LOSS_HINGE, cost) == cost);
        assert_true(loss_upper(LOSS_SQUARED_HINGE, cost) == HUGE_VAL);
        for (size_t l = 0; l < COUNT(losses); l++) {
            assert_false(loss_is_free(losses[l], cost, 0));
            assert_false(loss_is_free(losses[l], cost, -0.0));
            for (size_t i = 0; i < COUNT(inside); i++) {
                assert_true(loss_is_free(losses[l], cost, inside[i]));
                assert_false(loss_is_at_upper(losses[l], loss_scale(losses[l], cost), inside[i]));
            }
            assert_true(loss_is_free(losses[l], cost, cost) == (losses[l] != LOSS_HINGE));
            assert_true(loss_is_at_upper(losses[l], loss_scale(losses[l], cost), cost) ==
                        (losses[l] == LOSS_HINGE));
        }
        assert_true(loss_is_free(LOSS_SQUARED_HINGE, cost, 100 * cost));
        /* of its own scale, too, 1/(2C), which is no bound */
        assert_false(loss_is_at_upper(LOSS_SQUARED_HINGE, 1 / (2 * cost), 1 / (2 * cost)));
    }
    assert_true(loss_most_multiple(LOSS_HINGE) == 1); /* of a = C there is no larger one */
    assert_true(loss_most_multiple(LOSS_SQUARED_HINGE) == HUGE_VAL);
}

/* By difference quotients, which are exact for a quadratic. */
static void test_gradient_and_curvature_are_derivatives(void **state)
{
    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const struct convex dual = {point.loss, point.cost, point.z, 0, 0, dual_along};
        const double scale = loss_scale(point.loss, point.cost);
        const long double a = point.a, h = a + point.cost;
        const long double up = dual_along(&dual, a + h), down = dual_along(&dual, a - h);
        const long double slope = (up - down) / (2 * h);
        const long double bend = (up - 2 * dual_along(&dual, a) + down) / (h * h);
        const long double size = 1 + fabsl(dual.linear) + a / point.cost;

        CHECK(&point, fabsl(loss_gradient(point.loss, scale, point.a, 1 - point.z) - slope) <=
                          8 * DBL_EPSILON * size);
        CHECK(&point, fabsl(loss_dual_curvature(point.loss, scale) - bend) * point.cost <=
                          8 * DBL_EPSILON * size);
        CHECK(&point,
              loss_dual_curvature(point.loss, scale) == (point.loss == LOSS_HINGE ? 0 : scale));
    }
}

static void test_violation_is_the_projected_gradient(void **state)
{
    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const double scale = loss_scale(point.loss, point.cost);
        const double gradient = loss_gradient(point.loss, scale, point.a, 1 - point.z);
        double slow = gradient;

        if (point.a == 0 && gradient > 0) /* would lead below 0 */
            slow = 0;
        if (point.a == loss_upper(point.loss, point.cost) && gradient < 0)
            slow = 0;
        CHECK(&point, loss_violation(point.loss, scale, point.a, 1 - point.z) == slow);
    }
}

/* The minimum of q/2 (t - a)^2 + z (t - a) + conjugate(t) over the domain. */
static void test_step_minimises_along_a_coordinate(void **state)
{
    size_t at_bounds = 0;

    (void)state;
    for (size_t k = 0; k < POINTS; k += k < GRID ? 1 : 4) {
        const struct point point = point_at(k);
        uint64_t random = k + 1;
        const double square = exp2(random_between(&random, -8, 8)) / point.cost;
        const double scale = loss_scale(point.loss, point.cost);
        const double curvature = square + loss_dual_curvature(point.loss, scale);
        const double step = loss_step(point.loss, scale, curvature, point.a, 1 - point.z,
                                      loss_gradient(point.loss, scale, point.a, 1 - point.z));
        const struct convex dual = {point.loss, point.cost, point.z, square, point.a, dual_along};
        const long double best = dual_minimiser(&dual);
        const long double size = best + point.cost + point.a + (1 + fabsl(dual.linear)) / curvature;

        CHECK(&point, step >= 0 && step <= loss_upper(point.loss, point.cost));
        CHECK(&point, fabsl(step - best) <= 1e-7L * size); /* a minimum is flat */
        CHECK(&point, dual_along(&dual, step) <=
                          dual_along(&dual, best) + 1e-14L * curvature * size * size);
        if (step > 0 && step < loss_upper(point.loss, point.cost)) {
            const long double rest = loss_gradient(point.loss, scale, step, 1 - point.z) +
                                     square * ((long double)step - point.a);

            CHECK(&point, fabsl(rest) <= 8 * DBL_EPSILON * curvature * size);
        } else {
            at_bounds++;
        }
    }
    assert_true(at_bounds > POINTS / 100);
}

/* Of a row without features z is 0 whatever a. */
static void test_featureless_row_has_the_best_dual_number(void **state)
{
    (void)state;
    for (size_t l = 0; l < COUNT(losses); l++)
        for (size_t k = 0; k < COUNT(costs); k++) {
            const struct convex dual = {losses[l], costs[k], 0, 0, 0, dual_along};
            const double best = costs[k] * loss_slope(losses[l], 1);
            const double scale = loss_scale(losses[l], costs[k]);

            assert_true(fabsl(best - dual_minimiser(&dual)) <= 1e-8L * costs[k]);
            assert_true(loss_violation(losses[l], scale, best, 1) == 0);
            assert_true(best <= loss_upper(losses[l], costs[k]));
        }
}

/* ---- The smoothed loss -------------------------------------------------- */

/* A point whose a is the centre, and the mu that goes with it. */
static double smoothing(size_t number, const struct point *point)
{
    uint64_t random = number + 1;

    return point->loss == LOSS_HINGE ? exp2(random_between(&random, -12, 8)) / point->cost : 0;
}

static double smoothed(const struct point *point, double mu, double z, double *curvature)
{
    return loss_point(point->loss, point->cost, 1 - z, point->a,
                      point->loss == LOSS_HINGE ? 1 / mu : NAN, curvature);
}

static void test_point_minimises_the_smoothed_dual(void **state)
{
    size_t inside = 0, lower = 0, upper = 0;

    (void)state;
    for (size_t k = 0; k < POINTS; k += k < GRID ? 1 : 4) {
        const struct point point = point_at(k);
        const double mu = smoothing(k, &point);
        double curvature;
        const double a = smoothed(&point, mu, point.z, &curvature);
        const struct convex dual = {point.loss, point.cost, point.z, mu, point.a, dual_along};
        const long double best = dual_minimiser(&dual);
        const long double second = mu > 0 ? mu : 1 / (2 * point.cost);
        const long double size = best + point.cost + point.a + (1 + fabsl(dual.linear)) / second;

        CHECK(&point, a >= 0 && a <= loss_upper(point.loss, point.cost));
        CHECK(&point, fabsl(a - best) <= 1e-7L * size);
        CHECK(&point,
              dual_along(&dual, a) <= dual_along(&dual, best) + 1e-14L * second * size * size);
        if (point.loss != LOSS_HINGE) /* -C phi'(z) */
            CHECK(&point, a == 2 * point.cost * positive_part(1 - point.z));
        inside += loss_is_free(point.loss, point.cost, a) != 0;
        lower += a == 0;
        upper += a == loss_upper(point.loss, point.cost);
    }
    assert_true(inside > 1000 && lower > 1000 && upper > 500);
}

/* A difference quotient on both sides of z, where a does not leave its piece in between. */
static void test_curvature_is_minus_the_derivative_of_the_point(void **state)
{
    size_t compared[2] = {0};

    (void)state;
    for (size_t k = GRID; k < POINTS; k++) {
        const struct point point = point_at(k);
        const double mu = smoothing(k, &point), h = 1e-4 * (fabs(point.z - 1) + 1e-3);
        double curvature, left, right;
        const double a = smoothed(&point, mu, point.z, &curvature);
        const double before = smoothed(&point, mu, point.z - h, &left);
        const double behind = smoothed(&point, mu, point.z + h, &right);
        const double unit = mu > 0 ? 1 / mu : 2 * point.cost;

        CHECK(&point, loss_point_weight(point.loss, point.cost, a) *
                              (point.loss == LOSS_HINGE ? 1 / mu : 1) ==
                          curvature);
        CHECK(&point, curvature == 0 || curvature == unit);
        CHECK(&point, (curvature > 0) == loss_is_free(point.loss, point.cost, a));
        if (left != right)
            continue; /* a corner of a */
        CHECK(&point, curvature == left);
        CHECK(&point, fabs((before - behind) / (2 * h) - curvature) <=
                          1e-9 * unit + 4 * DBL_EPSILON *
                                            (before + point.a + unit * (1 + fabs(point.z))) / h);
        compared[curvature > 0]++;
    }
    assert_true(compared[0] > 1000 && compared[1] > 1000);
}

/* The corner of a(z) between two margins, at the first of which a is at an end of its domain if
 * `ends`, at the second if not. */
static double corner(const struct point *point, double mu, double one, double other, int ends)
{
    for (int k = 0; k < 2000; k++) {
        const double middle = one + (other - one) / 2;
        double curvature;

        smoothed(point, mu, middle, &curvature);
        if ((curvature == 0) == ends)
            one = middle;
        else
            other = middle;
    }
    return one;
}

/* Against the corners of a(z), found by bisection. */
static void test_distance_is_that_to_the_nearest_corner(void **state)
{
    (void)state;
    for (size_t k = GRID; k < POINTS; k += 3) {
        const struct point point = point_at(k);
        const double mu = smoothing(k, &point), width = mu * point.cost;
        /* a is free around this margin, and nowhere so far from it */
        const double middle =
            point.loss == LOSS_HINGE ? 1 + mu * point.a - width / 2 : 1 - fabs(point.z) - 1;
        const double high = corner(&point, mu, middle, 1 + mu * point.a + 1, 0);
        const double low = point.loss == LOSS_HINGE
                               ? corner(&point, mu, middle, 1 - width + mu * point.a - 1, 0)
                               : -HUGE_VAL;
        const double distance = loss_distance(point.loss, point.cost, 1 - point.z, point.a, mu);
        double curvature;

        smoothed(&point, mu, point.z, &curvature);
        CHECK(&point, fabs(distance - fmax(point.z - high, low - point.z)) <=
                          1e-12 * (1 + width + fabs(point.z)));
        CHECK(&point, (distance < 0) == (curvature > 0) ||
                          fabs(distance) <= 1e-15 * (1 + width + fabs(point.z)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positive_part_is_exact),
        cmocka_unit_test(test_value_is_the_loss),
        cmocka_unit_test(test_descent_is_minus_a_subgradient),
        cmocka_unit_test(test_constant_loss_is_the_one_chosen),
        cmocka_unit_test(test_conjugate_is_the_supremum),
        cmocka_unit_test(test_gap_is_the_sum_and_never_negative),
        cmocka_unit_test(test_gap_is_zero_exactly_at_slopes),
        cmocka_unit_test(test_domain_is_where_the_conjugate_is_finite),
        cmocka_unit_test(test_gradient_and_curvature_are_derivatives),
        cmocka_unit_test(test_violation_is_the_projected_gradient),
        cmocka_unit_test(test_step_minimises_along_a_coordinate),
        cmocka_unit_test(test_featureless_row_has_the_best_dual_number),
        cmocka_unit_test(test_point_minimises_the_smoothed_dual),
        cmocka_unit_test(test_curvature_is_minus_the_derivative_of_the_point),
        cmocka_unit_test(test_distance_is_that_to_the_nearest_corner),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
