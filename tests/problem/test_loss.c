/* test_loss.c - compares each function of a loss with its definition in long double, on a grid and
 * at random points. Suprema and minima are found by golden section. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/loss.h"
#include "slow_loss.h"
#include "support.h"

/* ---- Slow references ---------------------------------------------------- */

static int is_linear(enum loss loss)
{
    return loss == LOSS_HINGE || loss == LOSS_INSENSITIVE || loss == LOSS_ONE_CLASS;
}

static int is_logistic(enum loss loss)
{
    return loss == LOSS_LOGISTIC;
}

/* Returns phi'' of the logistic loss. */
static long double bend_at(long double s)
{
    return slow_slope(LOSS_LOGISTIC, s) * slow_slope(LOSS_LOGISTIC, -s);
}

/* Returns C phi(s) + C phi*(a/C) - a s for the logistic loss. It is C times the divergence of p =
 * a/C from q = phi'(s), where p and q are taken on the smaller side of a. If p and q are far apart,
 * the terms of loss and conjugate are added, because little cancels. Otherwise the second
 * derivative is integrated by Gauss's rule over short pieces between the slacks of p and q. */
static long double logistic_gap_of(long double cost, long double a, long double s)
{
    static const long double node[] = {0.1834346424956498049L, 0.5255324099163289858L,
                                       0.7966664774136267396L, 0.9602898564975362317L};
    static const long double weight[] = {0.3626837833783619830L, 0.3137066458778872873L,
                                         0.2223810344533744705L, 0.1012285362903762592L};
    const long double other = cost - a, p = (a < other ? a : other) / cost;
    const long double slack = a < other ? s : -s;
    const long double own = p > 0 ? logl(p) - log1pl(-p) : -20000, g = own - slack;
    long double sum = 0;
    enum { PIECES = 8 };

    if (fabsl(g) > 1)
        return cost * (slow_loss(LOSS_LOGISTIC, 1, slack) + slow_conjugate(LOSS_LOGISTIC, 1, p) -
                       p * slack);
    /* the integral of phi''(u) (u - own) from own to slack, u = own - t g */
    for (int k = 0; k < PIECES; k++)
        for (int n = 0; n < 8; n++) {
            const long double x = (n % 2 ? 1 : -1) * node[n / 2];
            const long double t = (k + (1 + x) / 2) / PIECES;

            sum += weight[n / 2] / 2 / PIECES * bend_at(own - t * g) * (1 - t);
        }
    return cost * g * g * sum;
}

/* A convex function of one variable. */
struct convex {
    enum loss loss;
    long double cost;
    long double linear; /* coefficients of tilted_value and dual_along */
    long double quadratic;
    long double centre;
    long double (*at)(const struct convex *f, long double u);
};

/* Returns the minimiser in low .. high by golden section. f is flat only at its minimum. */
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

/* Returns the minimiser of f, which lies between low and another bound. */
static long double minimiser_from(const struct convex *f, long double low, long double unit)
{
    while (f->at(f, low + 2 * unit) <= f->at(f, low + unit))
        unit *= 2;
    return minimiser(f, low, low + 2 * unit);
}

/* Returns C phi(s) - a s, where a is `linear`. The conjugate is minus its minimum. */
static long double tilted_value(const struct convex *f, long double s)
{
    return slow_loss(f->loss, f->cost, s) - f->linear * s;
}

/* Returns C phi*(a/C), the maximum of a s - C phi(s). */
static long double conjugate(enum loss loss, long double cost, long double a)
{
    const struct convex f = {loss, cost, a, 0, 0, tilted_value};
    long double low = -1, high = 1;

    if (a == 0 || (is_logistic(loss) && a == cost))
        return 0;
    while (tilted_value(&f, low - 1) < tilted_value(&f, low))
        low *= 2;
    while (tilted_value(&f, high + 1) < tilted_value(&f, high))
        high *= 2;
    return -tilted_value(&f, minimiser(&f, low - 1, high + 1));
}

/* Returns conjugate(a) - linear a + quadratic/2 (a - centre)^2. */
static long double dual_along(const struct convex *f, long double a)
{
    return slow_conjugate(f->loss, f->cost, a) - f->linear * a +
           f->quadratic / 2 * (a - f->centre) * (a - f->centre);
}

/* Returns the minimiser of dual_along over the domain. */
static long double dual_minimiser(const struct convex *f)
{
    return is_linear(f->loss) || is_logistic(f->loss) ? minimiser(f, 0, f->cost)
                                                      : minimiser_from(f, 0, f->cost);
}

/* ---- Points ------------------------------------------------------------- */

static const double costs[] = {1e-100, 1e-3, 0.5, 1, 3, 1e6, 1e100};
static const double slacks[] = {-1e100, -1e8, -1e4,  -745, -700, -37, -3,   -1,  -DBL_EPSILON,
                                -1e-9,  0,    1e-16, 1e-9, 0.25, 0.5, 1,    1.5, 4,
                                36.5,   37.5, 700,   745,  1e4,  1e8, 1e100};
static const double shares[] = {0, 1e-300, 1e-200, 1e-9, 0.25, 0.5, 1 - 1e-9, 1 - DBL_EPSILON / 2,
                                1};
static const enum loss losses[] = {LOSS_HINGE, LOSS_SQUARED_HINGE, LOSS_LOGISTIC, LOSS_INSENSITIVE,
                                   LOSS_SQUARED_INSENSITIVE};

/* A row: its cost, dual number, target and slack. */
struct point {
    enum loss loss;
    double cost;
    double a;
    double t;
    double s;
};

enum { GRID = COUNT(losses) * COUNT(costs) * COUNT(slacks) * COUNT(shares), POINTS = GRID + 50000 };

static double random_between(uint64_t *random, double low, double high)
{
    return low + (high - low) * random_unit(random);
}

/* Returns a point by its number: first the points of a grid, then random points. For some of them a
 * is a slope. */
static struct point point_at(size_t number)
{
    struct point point = {.loss = losses[number % COUNT(losses)]};
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15) * (number + 1);
    double share;

    if (point.loss == LOSS_HINGE && number % 2) /* differs from the hinge only by its target */
        point.loss = LOSS_ONE_CLASS;
    point.t = loss_has_targets(point.loss)
                  ? random_between(&random, -1, 1) * exp2(random_between(&random, -20, 20))
                  : loss_target(point.loss);
    if (number < GRID) {
        number /= COUNT(losses);
        point.cost = costs[number % COUNT(costs)];
        number /= COUNT(costs);
        point.s = slacks[number % COUNT(slacks)];
        share = shares[number / COUNT(slacks)];
        point.a = share * point.cost * (loss_is_squared(point.loss) ? 5 : 1);
        return point;
    }
    point.cost = exp2(random_between(&random, -20, 20));
    point.s = random_between(&random, -2, 2) * exp2(random_between(&random, -40, 4));
    if (is_logistic(point.loss) && number % 7 == 0)
        point.s *= 30;
    share = random_unit(&random);
    point.a = share < 0.2   ? 0
              : share < 0.5 ? loss_slope(point.loss, point.s) * point.cost
              : share < 0.6 ? point.cost
                            : random_unit(&random) * point.cost;
    if (loss_is_squared(point.loss) && share >= 0.6)
        point.a *= exp2(random_between(&random, -30, 10));
    if (is_logistic(point.loss) && share >= 0.6 && share < 0.8)
        point.a *= exp2(random_between(&random, -1000, 0));
    if (is_logistic(point.loss) && share >= 0.8 && share < 0.9) /* near a slope */
        point.a = fmin(point.cost, loss_slope(point.loss, point.s) * point.cost *
                                       (1 + random_between(&random, -1, 1) *
                                                exp2(random_between(&random, -50, 0))));
    return point;
}

#define CHECK(point, condition)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("loss %d, C %.17g, a %.17g, t %.17g, s %.17g: %s", (point)->loss,             \
                     (point)->cost, (point)->a, (point)->t, (point)->s, #condition);               \
    } while (0)

/* Returns the change of the slack of a that some units in the last place of a or s can cause. */
static long double doubt(const struct point *point)
{
    const long double a = point->a, other = point->cost - a, less = a < other ? a : other;

    return DBL_EPSILON *
           (2 + (less > 0 ? fabsl(logl(less / point->cost)) : 710) + fminl(fabsl(point->s), 1e4L));
}

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
        const long double slow = slow_loss(point.loss, point.cost, point.s);
        const double fast = loss_value(point.loss, point.cost, point.s);

        /* e^s below the smallest number counts as the smallest number */
        CHECK(&point, fabsl(fast - slow) <=
                          5 * DBL_EPSILON * slow + DBL_MIN * DBL_EPSILON * (1 + point.cost));
        if (is_logistic(point.loss))
            continue;
        CHECK(&point, (fast == 0) == (point.s <= 0));
        CHECK(&point, loss_value(point.loss, point.cost, 0) == 0);
        CHECK(&point, loss_value(point.loss, point.cost, 1) == point.cost);
    }
}

/* The remainder ranges from far below the last place of s to far above it. */
static void test_value_near_is_an_upper_bound(void **state)
{
    uint64_t random = 3;

    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const double unit = fabs(point.s) * DBL_EPSILON * exp2(random_between(&random, -20, 20));
        const double rest = random_between(&random, -1, 1) * unit;
        const long double slow = slow_loss(point.loss, point.cost, (long double)point.s - rest);
        const double fast = loss_value_near(point.loss, point.cost, point.s, rest);

        CHECK(&point, fast + DBL_MIN * (1 + point.cost) >= slow * (1 - 6 * DBL_EPSILON));
        if (is_logistic(point.loss) && fabs(point.s) < 1e10) /* the bound is sharp */
            CHECK(&point, fast <= slow * (1 + 6 * DBL_EPSILON) +
                                      point.cost * (4.0L * rest * rest *
                                                        expl(2 * fabs(rest) - fabs(point.s)) +
                                                    DBL_MIN));
    }
}

/* If each slack moves by at most e_i, the sum of losses rises at most by the bound. */
static void test_rise_is_an_upper_bound(void **state)
{
    enum { ROWS = 5 };
    uint64_t random = 4;

    (void)state;
    for (size_t k = 0; k < 5000; k++) {
        const enum loss loss = losses[k % COUNT(losses)];
        double first = 0, second = 0;
        long double before = 0, after = 0;

        for (int i = 0; i < ROWS; i++) {
            const double cost = exp2(random_between(&random, -10, 10));
            const double s = random_between(&random, -3, 3);
            const double e = exp2(random_between(&random, -20, 2));

            before += slow_loss(loss, cost, s);
            after += fmaxl(slow_loss(loss, cost, (long double)s + e), slow_loss(loss, cost, s - e));
            first += cost * e;
            second += cost * e * e;
        }
        assert_true(after <= (before + loss_rise(loss, (double)before, first, second)) *
                                 (1 + 10 * DBL_EPSILON));
    }
}

/* phi(u) >= phi(s) + phi'(s) (u - s). If phi has no derivative, the slope is 0. */
static void test_slope_is_a_subgradient(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const long double s = point.s, slope = loss_slope(point.loss, point.s);
        const long double h = 1e-6L * (1 + fabsl(s));

        if (is_logistic(point.loss)) {
            CHECK(&point,
                  fabsl(slope - slow_slope(LOSS_LOGISTIC, s)) <= 4 * DBL_EPSILON * slope + DBL_MIN);
            continue;
        }
        CHECK(&point, point.s > 0 || slope == 0);
        CHECK(&point, point.s <= 0 || !is_linear(point.loss) || slope == 1);
        for (int turn = 0; turn < 5; turn++) {
            const long double u = s + random_between(&random, -3, 3);
            const long double bound = slow_loss(point.loss, 1, s) + slope * (u - s);

            CHECK(&point, slow_loss(point.loss, 1, u) >= bound - 1e-14L * (1 + s * s));
        }
        if (fabsl(s) > h && fabsl(s) < 1e10L) {
            const long double quotient =
                (slow_loss(point.loss, 1, s + h) - slow_loss(point.loss, 1, s - h)) / (2 * h);

            CHECK(&point, fabsl(quotient - slope) <= 1e-8L * (1 + fabsl(s)));
        }
    }
    for (size_t l = 0; l < COUNT(losses); l++) /* by the slopes on both sides of 0 */
        assert_int_equal(!loss_is_smooth(losses[l]), is_linear(losses[l]));
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
        const long double a = point.a, cost = point.cost, tilt = (long double)point.t * a;
        const long double closed = slow_conjugate(point.loss, cost, a);
        const double fast = loss_conjugate(point.loss, point.cost, point.t, point.a);

        CHECK(&point, fabsl(closed - conjugate(point.loss, cost, a)) <=
                          1e-14L * (fabsl(closed) + a) + 1e-17L * is_linear(point.loss) * cost);
        CHECK(&point,
              fabsl(fast - (closed - tilt)) <=
                  4 * DBL_EPSILON * (fabsl(closed) + fabsl(tilt)) + 800 * DBL_MIN * (1 + cost));
        for (size_t m = 0; m < COUNT(slacks); m++) /* no s gives more */
            CHECK(&point, a * slacks[m] - slow_loss(point.loss, cost, slacks[m]) <=
                              closed + 1e-14L * (a + fabsl(closed)) +
                                  4 * LDBL_EPSILON * a * fabs(slacks[m]));
    }
}

/* At a = C phi'(s), the conjugate computed from s and its loss is never below the true one except
 * by rounding, as a bound of D demands. */
static void test_conjugate_at_a_slope_is_the_conjugate(void **state)
{
    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const double lost = loss_value(point.loss, point.cost, point.s);
        const double a = point.cost * loss_slope(point.loss, point.s);
        const double at = loss_conjugate_at(point.loss, point.cost, point.t, a, point.s, lost);
        const double slow = loss_conjugate(point.loss, point.cost, point.t, a);

        /* below -745, a is larger than the true slope */
        CHECK(&point, (is_logistic(point.loss) && point.s < -745) ||
                          fabs(at - slow) <=
                              8 * DBL_EPSILON * (lost + a * (fabs(point.s) + fabs(point.t))) +
                                  800 * DBL_MIN * (1 + point.cost));
    }
}

static void test_gap_is_the_sum_and_never_negative(void **state)
{
    size_t zeros = 0, logistic = 0;

    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const long double a = point.a, s = point.s, cost = point.cost;
        const double fast =
            loss_gap(point.loss, loss_scale(point.loss, point.cost), point.a, point.s);

        CHECK(&point, fast >= 0);
        if (is_logistic(point.loss)) {
            const long double slow = logistic_gap_of(cost, a, s), less = fminl(a, cost - a);
            const long double off = 8 * doubt(&point);

            /* the tolerance includes the rounding of the slack of a */
            CHECK(&point, fabsl(fast - slow) <= 1e-9L * slow + 2 * off * sqrtl(slow * less) +
                                                    off * off * less + 800 * DBL_MIN * (1 + cost));
            logistic += fast > 0;
        } else {
            const long double slow =
                slow_loss(point.loss, cost, s) + slow_conjugate(point.loss, cost, a) - a * s;
            const long double size = cost * (is_linear(point.loss) ? fabsl(s) : s * s) +
                                     a * fabsl(s) +
                                     (is_linear(point.loss) ? 0 : a * a / (2 * cost));

            CHECK(&point, fabsl(fast - slow) <= 8 * DBL_EPSILON * size + 4 * LDBL_EPSILON * a);
            zeros += fast == 0;
        }
    }
    assert_true(zeros > POINTS / 10 && logistic > POINTS / 10);
}

/* With numbers of few bits nothing is rounded. Gap and violation are 0 exactly if a is a slope of C
 * phi at s. */
static void test_gap_is_zero_exactly_at_slopes(void **state)
{
    size_t zeros[COUNT(losses)] = {0};

    (void)state;
    for (size_t l = 0; l < COUNT(losses); l++)
        for (double cost = 0.25; cost <= 8 && !is_logistic(losses[l]); cost *= 2)
            for (double s = -4; s <= 4; s += 0.125)
                for (double a = 0; a <= (is_linear(losses[l]) ? 1 : 12) * cost; a += cost / 8) {
                    const struct point point = {losses[l], cost, a, 1, s};
                    const double scale = loss_scale(point.loss, cost);
                    const double slope = cost * (s <= 0 ? 0 : is_linear(losses[l]) ? 1 : 2 * s);
                    const int optimal = a == slope || (is_linear(losses[l]) && s == 0);

                    CHECK(&point, (loss_gap(point.loss, scale, a, s) == 0) == optimal);
                    CHECK(&point, (loss_violation(point.loss, scale, a, s) == 0) == optimal);
                    zeros[l] += (size_t)optimal;
                }
    for (size_t l = 0; l < COUNT(losses); l++)
        assert_true(is_logistic(losses[l]) || zeros[l] > 100);
}

/* The slopes of the logistic loss are rounded. The gap is as small as rounding allows, and the
 * violation is 0, also if a is rounded to C or to 0. */
static void test_logistic_slopes_violate_nothing(void **state)
{
    size_t at_cost = 0, at_zero = 0;

    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        struct point point = point_at(k);

        point.loss = LOSS_LOGISTIC;
        point.a = point.cost * loss_slope(LOSS_LOGISTIC, point.s);
        CHECK(&point, fabs(loss_violation(LOSS_LOGISTIC, point.cost, point.a, point.s)) <=
                              8 * doubt(&point) ||
                          (point.a < DBL_MIN && point.cost < 1e-10)); /* a has lost its digits */
        /* C - a has an error of eps, which matters more if C - a is small */
        CHECK(&point, loss_gap(LOSS_LOGISTIC, point.cost, point.a, point.s) <=
                          point.cost * DBL_EPSILON *
                                  fmin(1, 64 * DBL_EPSILON * exp(positive_part(point.s))) +
                              1e-25 * point.cost + DBL_MIN);
        at_cost += point.a == point.cost;
        at_zero += point.a <= DBL_MIN;
    }
    assert_true(at_cost > 100 && at_zero > 100);
}

static void test_domain_is_where_the_conjugate_is_finite(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(costs); k++) {
        const double cost = costs[k], inside[] = {DBL_MIN, cost / 3, cost * (1 - DBL_EPSILON)};

        for (size_t l = 0; l < COUNT(losses); l++) {
            const enum loss loss = losses[l];
            const int is_bounded = !loss_is_squared(loss);

            assert_true(loss_upper(loss, cost) == (is_bounded ? cost : HUGE_VAL));
            assert_false(loss_is_free(loss, cost, 0));
            assert_false(loss_is_free(loss, cost, -0.0));
            for (size_t i = 0; i < COUNT(inside); i++) {
                assert_true(loss_is_free(loss, cost, inside[i]));
                assert_false(loss_is_at_upper(loss, loss_scale(loss, cost), inside[i]));
            }
            assert_true(loss_is_free(loss, cost, cost) == !is_bounded);
            assert_true(loss_is_at_upper(loss, loss_scale(loss, cost), cost) == is_bounded);
            assert_true(loss_is_free(loss, cost, 100 * cost) == !is_bounded);
            /* not even at its own scale, 1/(2C) */
            assert_false(!is_bounded && loss_is_at_upper(loss, 1 / (2 * cost), 1 / (2 * cost)));
            /* a = C has no larger multiple */
            assert_true(loss_most_multiple(loss) == (is_bounded ? 1 : HUGE_VAL));
        }
    }
}

/* Compares with difference quotients, which are exact for a quadratic. For the logistic loss,
 * compares with ln p/(1 - p). */
static void test_gradient_and_curvature_are_derivatives(void **state)
{
    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const struct convex dual = {point.loss, point.cost, point.s, 0, 0, dual_along};
        const double scale = loss_scale(point.loss, point.cost);
        const double fast = loss_gradient(point.loss, scale, point.a, point.s);
        const long double a = point.a, cost = point.cost, h = a + cost;
        long double up, down, slope, bend, size;

        if (is_logistic(point.loss)) {
            if (a > DBL_MIN * cost && a < cost)
                CHECK(&point,
                      fabsl(fast - (logl(a / (cost - a)) - point.s)) <=
                          4 * DBL_EPSILON * (1 + fabsl(logl(a / (cost - a))) + fabsl(point.s)));
            CHECK(&point, loss_dual_curvature(point.loss, scale) == 0);
            continue;
        }
        up = dual_along(&dual, a + h);
        down = dual_along(&dual, a - h);
        slope = (up - down) / (2 * h);
        bend = (up - 2 * dual_along(&dual, a) + down) / (h * h);
        size = 1 + fabsl(dual.linear) + a / cost;
        CHECK(&point, fabsl(fast - slope) <= 8 * DBL_EPSILON * size);
        CHECK(&point, fabsl(loss_dual_curvature(point.loss, scale) - bend) * cost <=
                          8 * DBL_EPSILON * size);
        CHECK(&point,
              loss_dual_curvature(point.loss, scale) == (is_linear(point.loss) ? 0 : scale));
    }
}

static void test_violation_is_the_projected_gradient(void **state)
{
    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const double scale = loss_scale(point.loss, point.cost);
        const double gradient = loss_gradient(point.loss, scale, point.a, point.s);
        const double violation = loss_violation(point.loss, scale, point.a, point.s);
        double slow = gradient;

        if (is_logistic(point.loss)) {
            const double rounded =
                point.a < point.cost ? DBL_EPSILON * point.cost / (point.cost - point.a) : 1;

            if (point.a <= DBL_MIN * point.cost && gradient > 0)
                slow = 0;
            if (point.a == point.cost && gradient < 0)
                slow = 0;
            CHECK(&point, violation * slow >= 0 && fabs(violation) <= fabs(slow));
            CHECK(&point, fabs(violation) >= fabs(slow) - 1.01 * rounded);
            continue;
        }
        if (point.a == 0 && gradient > 0) /* leads below 0 */
            slow = 0;
        if (point.a == loss_upper(point.loss, point.cost) && gradient < 0)
            slow = 0;
        CHECK(&point, violation == slow);
    }
}

/* Returns the decrease of q/2 (b - a)^2 - s (b - a) + conjugate(b) by a step from a to b. */
static long double won(const struct convex *dual, long double a, long double b)
{
    return dual_along(dual, a) - dual_along(dual, b);
}

/* A step goes to the minimum over the domain, for the logistic loss nearly. */
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
        const double gradient = loss_gradient(point.loss, scale, point.a, point.s);
        const double step = loss_step(point.loss, scale, curvature, point.a, point.s, gradient);
        const double decrease =
            loss_decrease(point.loss, scale, curvature, point.a, step, gradient);
        const struct convex dual = {point.loss, point.cost, point.s, square, point.a, dual_along};
        const long double best = dual_minimiser(&dual);
        const long double size = best + point.cost + point.a + (1 + fabsl(dual.linear)) / curvature;
        const long double rounding = 1e-14L * curvature * size * size;

        CHECK(&point, step >= 0 && step <= loss_upper(point.loss, point.cost));
        CHECK(&point, decrease >= 0 || is_linear(point.loss) || decrease >= -rounding);
        if (is_logistic(point.loss)) {
            const long double most = won(&dual, point.a, best);

            CHECK(&point, won(&dual, point.a, step) >= 0.99L * most - rounding);
            CHECK(&point, fabsl(decrease - won(&dual, point.a, step)) <= 0.1L * most + rounding);
            continue;
        }
        CHECK(&point, fabsl(decrease - won(&dual, point.a, step)) <= rounding);
        CHECK(&point, fabsl(step - best) <= 1e-7L * size); /* a minimum is flat */
        CHECK(&point, dual_along(&dual, step) <= dual_along(&dual, best) + rounding);
        if (step > 0 && step < loss_upper(point.loss, point.cost)) {
            const long double rest = loss_gradient(point.loss, scale, step, point.s) +
                                     square * ((long double)step - point.a);

            CHECK(&point, fabsl(rest) <= 8 * DBL_EPSILON * curvature * size);
        } else {
            at_bounds++;
        }
    }
    assert_true(at_bounds > POINTS / 100);
}

/* For the logistic loss, a step from 0 ends with a derivative of almost 0, for any length of the
 * row and any C. */
static void test_logistic_step_converges_anywhere(void **state)
{
    size_t judged = 0;

    (void)state;
    for (int power = -60; power <= 400; power++)
        for (size_t m = 0; m < COUNT(slacks); m++) {
            const double s = slacks[m], square = exp2(power);
            const double step = loss_step(LOSS_LOGISTIC, 1, square, 0, s, NAN);
            long double rest;

            if (fabs(s) > 700 || step < DBL_MIN || step > 0.99)
                continue;
            rest = slow_inverse(LOSS_LOGISTIC, 1, step) - s + square * (long double)step;
            assert_true(fabsl(rest) <= 2e-3L);
            judged++;
        }
    assert_true(judged > 5000);
}

/* For a row without features, s is t for any a. */
static void test_featureless_row_has_the_best_dual_number(void **state)
{
    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const struct convex dual = {point.loss, point.cost, point.t, 0, 0, dual_along};
        const double best = point.cost * loss_slope(point.loss, point.t);
        const double scale = loss_scale(point.loss, point.cost);

        if (k % 20 == 0)
            CHECK(&point, fabsl(best - dual_minimiser(&dual)) <=
                              1e-8L * (point.cost + best)); /* a minimum is flat */
        CHECK(&point, fabs(loss_violation(point.loss, scale, best, point.t)) <=
                          8 * DBL_EPSILON * fabs(point.t));
        CHECK(&point, best <= loss_upper(point.loss, point.cost));
    }
}

/* ---- The smoothed loss -------------------------------------------------- */

/* Sets a point whose a is the centre, and returns mu. */
static double smoothing(size_t number, const struct point *point)
{
    uint64_t random = number + 1;

    return is_linear(point->loss) ? exp2(random_between(&random, -12, 8)) / point->cost : 0;
}

static double smoothed(const struct point *point, double mu, double s, double *curvature)
{
    return loss_point(point->loss, point->cost, s, point->a, is_linear(point->loss) ? 1 / mu : NAN,
                      curvature);
}

static void test_point_minimises_the_smoothed_dual(void **state)
{
    size_t inside = 0, lower = 0, upper = 0;

    (void)state;
    for (size_t k = 0; k < POINTS; k += k < GRID ? 1 : 4) {
        const struct point point = point_at(k);
        const double mu = smoothing(k, &point);
        double curvature;
        const double a = smoothed(&point, mu, point.s, &curvature);
        const struct convex dual = {point.loss, point.cost, point.s, mu, point.a, dual_along};
        const long double best = dual_minimiser(&dual);
        const long double second = mu > 0 ? mu : 1 / (2 * point.cost);
        const long double size = best + point.cost + point.a + (1 + fabsl(dual.linear)) / second;

        CHECK(&point, a >= 0 && a <= loss_upper(point.loss, point.cost));
        if (is_logistic(point.loss)) {
            CHECK(&point, a == point.cost * loss_slope(point.loss, point.s));
            continue; /* a subgradient is a minimiser */
        }
        CHECK(&point, fabsl(a - best) <= 1e-7L * size);
        CHECK(&point,
              dual_along(&dual, a) <= dual_along(&dual, best) + 1e-14L * second * size * size);
        if (!is_linear(point.loss)) /* C phi'(s) */
            CHECK(&point, a == 2 * point.cost * positive_part(point.s));
        inside += loss_is_free(point.loss, point.cost, a) != 0;
        lower += a == 0;
        upper += a == loss_upper(point.loss, point.cost);
    }
    assert_true(inside > 1000 && lower > 1000 && upper > 500);
}

/* Compares with a difference quotient on both sides of s, if a stays on one piece in between. */
static void test_curvature_is_the_derivative_of_the_point(void **state)
{
    size_t compared[2] = {0};

    (void)state;
    for (size_t k = GRID; k < POINTS; k++) {
        const struct point point = point_at(k);
        const double mu = smoothing(k, &point), h = 1e-4 * (fabs(point.s) + 1e-3);
        double curvature, left, right;
        const double a = smoothed(&point, mu, point.s, &curvature);
        const double before = smoothed(&point, mu, point.s - h, &left);
        const double behind = smoothed(&point, mu, point.s + h, &right);
        const double unit = mu > 0 ? 1 / mu : 2 * point.cost;
        const double weight = loss_point_weight(point.loss, point.cost, a);

        if (is_logistic(point.loss)) {
            const long double bend = point.cost * bend_at(point.s);

            CHECK(&point,
                  fabsl(curvature - bend) <= 8 * DBL_EPSILON * bend + DBL_MIN * (1 + point.cost));
            /* computed from a alone, so C - a has few digits if a is near C */
            CHECK(&point,
                  fabsl(weight - bend) <= 8 * DBL_EPSILON * bend + DBL_EPSILON * a + DBL_MIN);
            continue;
        }
        CHECK(&point, weight * (is_linear(point.loss) ? 1 / mu : 1) == curvature);
        CHECK(&point, curvature == 0 || curvature == unit);
        CHECK(&point, (curvature > 0) == loss_is_free(point.loss, point.cost, a));
        if (left != right)
            continue; /* a(s) has a corner here */
        CHECK(&point, curvature == left);
        CHECK(&point, fabs((behind - before) / (2 * h) - curvature) <=
                          1e-9 * unit + 4 * DBL_EPSILON *
                                            (behind + point.a + unit * (1 + fabs(point.s))) / h);
        compared[curvature > 0]++;
    }
    assert_true(compared[0] > 1000 && compared[1] > 1000);
}

/* Finds the corner of a(s) between two slacks. a is at an end of its domain at the first slack if
 * `ends`, and otherwise at the second. */
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

/* Compares with the corners of a(s), found by bisection. */
static void test_distance_is_that_to_the_nearest_corner(void **state)
{
    (void)state;
    for (size_t k = GRID; k < POINTS; k += 3) {
        const struct point point = point_at(k);
        const double mu = smoothing(k, &point), width = mu * point.cost;
        const double distance = loss_distance(point.loss, point.cost, point.s, point.a, mu);
        double curvature, middle, low, high;

        smoothed(&point, mu, point.s, &curvature);
        if (is_logistic(point.loss)) { /* a is never at an end */
            CHECK(&point, distance == -HUGE_VAL && curvature > 0);
            continue;
        }
        /* a is free near this slack, and at an end far from it */
        middle = is_linear(point.loss) ? width / 2 - mu * point.a : fabs(point.s) + 1;
        low = corner(&point, mu, middle, -mu * point.a - 1, 0);
        high = is_linear(point.loss) ? corner(&point, mu, middle, width - mu * point.a + 1, 0)
                                     : HUGE_VAL;
        CHECK(&point, fabs(distance - fmax(point.s - high, low - point.s)) <=
                          1e-12 * (1 + width + fabs(point.s)));
        CHECK(&point, (distance < 0) == (curvature > 0) ||
                          fabs(distance) <= 1e-15 * (1 + width + fabs(point.s)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positive_part_is_exact),
        cmocka_unit_test(test_value_is_the_loss),
        cmocka_unit_test(test_value_near_is_an_upper_bound),
        cmocka_unit_test(test_rise_is_an_upper_bound),
        cmocka_unit_test(test_slope_is_a_subgradient),
        cmocka_unit_test(test_constant_loss_is_the_one_chosen),
        cmocka_unit_test(test_conjugate_is_the_supremum),
        cmocka_unit_test(test_conjugate_at_a_slope_is_the_conjugate),
        cmocka_unit_test(test_gap_is_the_sum_and_never_negative),
        cmocka_unit_test(test_gap_is_zero_exactly_at_slopes),
        cmocka_unit_test(test_logistic_slopes_violate_nothing),
        cmocka_unit_test(test_domain_is_where_the_conjugate_is_finite),
        cmocka_unit_test(test_gradient_and_curvature_are_derivatives),
        cmocka_unit_test(test_violation_is_the_projected_gradient),
        cmocka_unit_test(test_step_minimises_along_a_coordinate),
        cmocka_unit_test(test_logistic_step_converges_anywhere),
        cmocka_unit_test(test_featureless_row_has_the_best_dual_number),
        cmocka_unit_test(test_point_minimises_the_smoothed_dual),
        cmocka_unit_test(test_curvature_is_the_derivative_of_the_point),
        cmocka_unit_test(test_distance_is_that_to_the_nearest_corner),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
