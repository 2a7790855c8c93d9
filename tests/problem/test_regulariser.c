/* test_regulariser.c - compares R, its conjugate and their gap, for a coordinate and as sums, with
 * their definitions in long double. */
#include <float.h>
#include <math.h>

#include "problem/regulariser.h"
#include "support.h"

static const double edges[] = {
    0, -0.0, 1, -1, 0.1, -0.1, 1 + DBL_EPSILON, 1 - DBL_EPSILON / 2, 3, -1e-9, 1e-300, 1e8, -1e100};
static const double weights[] = {0, 0.1, 1, 3, 1e-9, 1e8, 1e100};

enum {
    EDGES = COUNT(edges),
    WEIGHTS = COUNT(weights),
    GRID = EDGES * EDGES * WEIGHTS,
    POINTS = GRID + 100000
};

/* A coordinate of w and of v, and the l1 of the regulariser. */
struct point {
    double w;
    double v;
    double l1;
};

static double draw(uint64_t *random)
{
    return (2 * random_unit(random) - 1) * exp2(floor(40 * random_unit(random)) - 20);
}

/* Returns a point by its number: first the points of a grid, then random points, a third of them
 * with w = soft(v, l1). */
static struct point point_at(size_t number)
{
    struct point point = {edges[number % EDGES], edges[number / EDGES % EDGES],
                          weights[number / EDGES / EDGES % WEIGHTS]};
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15) * (number + 1);

    if (number < GRID)
        return point;
    point.v = draw(&random);
    point.l1 = number % 5 ? fabs(draw(&random)) : fabs(point.v) * random_unit(&random);
    point.w = number % 3 ? draw(&random) : soft(point.v, point.l1);
    return point;
}

#define CHECK(point, condition)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("w %.17g, v %.17g, l1 %.17g: %s", (point)->w, (point)->v, (point)->l1,        \
                     #condition);                                                                  \
    } while (0)

/* Returns R(w). */
static long double value(const struct point *point, long double w)
{
    return point->l1 * fabsl(w) + w * w / 2;
}

/* Returns the w that minimises R(w) - w v, by golden section. It attains R*(v). */
static long double minimiser(const struct point *point)
{
    const long double golden = (sqrtl(5) - 1) / 2, v = point->v;
    long double low = v < 0 ? 2 * v : -1 - v, high = v < 0 ? 1 - v : 2 * v;
    long double left = high - golden * (high - low), right = low + golden * (high - low);

    for (int k = 0; k < 300; k++)
        if (value(point, left) - v * left <= value(point, right) - v * right) {
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

static void test_soft_minimises(void **state)
{
    size_t zeros = 0;

    (void)state;
    for (size_t k = 0; k < POINTS; k += k < GRID ? 1 : 5) {
        const struct point point = point_at(k);
        const long double v = point.v, best = minimiser(&point);
        const double fast = soft(point.v, point.l1);

        CHECK(&point, fabsl(fast - best) <= 1e-7L * (1 + fabsl(v)));
        CHECK(&point,
              value(&point, fast) - v * fast <= value(&point, best) - v * best + 1e-15L * v * v);
        CHECK(&point, (fast == 0) == (fabs(point.v) <= point.l1));
        CHECK(&point, fast == 0 || (fast > 0) == (v > 0));
        CHECK(&point, fabsl(fabsl(fast) - fmaxl(0, fabsl(v) - point.l1)) <= DBL_EPSILON * fabsl(v));
        CHECK(&point, soft(point.v, 0) == point.v);
        zeros += fast == 0;
    }
    assert_true(zeros > POINTS / 50);
}

static void test_value_and_conjugate(void **state)
{
    (void)state;
    for (size_t k = 0; k < POINTS; k += k < GRID ? 1 : 5) {
        const struct point point = point_at(k);
        const long double v = point.v, best = minimiser(&point);
        const long double slow = value(&point, point.w),
                          most = fmaxl(0, v * best - value(&point, best));
        const double conjugate = regulariser_conjugate(point.l1, 1, point.v);

        CHECK(&point, fabsl(regulariser_value(point.l1, 1, point.w) - slow) <=
                          2 * DBL_EPSILON * slow + DBL_MIN);
        CHECK(&point, conjugate >= 0 && fabsl(conjugate - most) <= 1e-15L * v * v + DBL_MIN);
    }
}

static void test_gap_is_the_sum_and_never_negative(void **state)
{
    size_t zeros = 0;

    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const long double w = point.w, v = point.v, s = fmaxl(0, fabsl(v) - point.l1);
        const long double slow = value(&point, w) + s * s / 2 - w * v;
        const long double size = w * w + v * v;
        const double fast = regulariser_gap(point.l1, 1, point.w, point.v);

        CHECK(&point, fast >= 0);
        CHECK(&point,
              fabsl(fast - slow) <= 4 * DBL_EPSILON * (size + fabsl(w) * point.l1) + DBL_MIN);
        CHECK(&point, fast == 0 || point.w != soft(point.v, point.l1));
        zeros += fast == 0;
    }
    assert_true(zeros > POINTS / 4);
}

/* With numbers of few bits, the gap is 0 exactly if w is soft(v, l1). */
static void test_gap_is_zero_exactly_at_the_minimiser(void **state)
{
    size_t zeros = 0;

    (void)state;
    for (double l1 = 0; l1 <= 2; l1 += 0.25)
        for (double w = -4; w <= 4; w += 0.125)
            for (double v = -4; v <= 4; v += 0.125) {
                const struct point point = {w, v, l1};
                /* if |v| = l1, v is a slope of R at 0, but at no other w of its sign */
                const int optimal = w == soft(v, l1);

                CHECK(&point, (regulariser_gap(l1, 1, w, v) == 0) == optimal);
                zeros += optimal != 0;
            }
    assert_true(zeros > 500);
}

/* Without the square, R* is 0 if |v| <= l1. Otherwise a multiple of v is at the end of its domain.
 * The gap of this multiple is l1 |w| - w v, which is never negative. */
static void test_without_a_square(void **state)
{
    size_t outside = 0;

    (void)state;
    for (size_t k = 0; k < POINTS; k++) {
        const struct point point = point_at(k);
        const long double size = fabsl((long double)point.l1 * point.w);
        double excess, v, gap;

        if (point.l1 == 0)
            continue;
        excess = regulariser_excess(point.l1, 0, point.v);
        v = point.v / excess;
        gap = regulariser_gap(point.l1, 0, point.w, v);
        CHECK(&point, regulariser_value(point.l1, 0, point.w) == point.l1 * fabs(point.w));
        CHECK(&point, regulariser_conjugate(point.l1, 0, point.v) == 0);
        CHECK(&point, regulariser_excess(point.l1, 1, point.v) == 1);
        CHECK(&point, (excess > 1) == (fabs(point.v) > point.l1) && excess >= 1);
        outside += excess > 1;
        CHECK(&point, fabs(v) <= point.l1 * (1 + 2 * DBL_EPSILON));
        CHECK(&point, excess == 1 || fabs(v) >= point.l1 * (1 - 2 * DBL_EPSILON));
        CHECK(&point,
              fabsl(gap - (size - (long double)point.w * v)) <= 2 * DBL_EPSILON * size + DBL_MIN);
        CHECK(&point, gap >= -4 * DBL_EPSILON * size);
    }
    assert_true(outside > POINTS / 10);
}

/* With so many coordinates that they are summed in parts, the sums are those of the coordinates. */
static void test_sums_of_coordinates(void **state)
{
    enum { MOST = 700 };
    static const double l1s[] = {0, 0.25, 1};
    double w[MOST], v[MOST];
    uint64_t random = 5;

    (void)state;
    for (size_t count = 0; count <= MOST; count += count < 20 ? 1 : 17)
        for (size_t k = 0; k < 2 * COUNT(l1s); k++) {
            const double l1 = l1s[k / 2], l2 = k % 2 ? 1 : 0;
            const long double digits = DBL_EPSILON + (long double)count * LDBL_EPSILON;
            long double values = 0, conjugates = 0, gaps = 0, sizes = 0;

            for (size_t j = 0; j < count; j++) {
                w[j] = j % 3 ? draw(&random) : 0;
                v[j] = j % 5 ? draw(&random) : w[j];
                values += regulariser_value(l1, l2, w[j]);
                conjugates += regulariser_conjugate(l1, l2, v[j]);
                gaps += regulariser_gap(l1, l2, w[j], v[j]);
                sizes += fabs(regulariser_gap(l1, l2, w[j], v[j]));
            }
            assert_true(fabsl(regulariser_values(l1, l2, w, count) - values) <= digits * values);
            assert_true(fabsl(regulariser_conjugates(l1, l2, v, count) - conjugates) <=
                        digits * conjugates);
            assert_true(fabsl(regulariser_gaps(l1, l2, w, v, count) - gaps) <= digits * sizes);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_soft_minimises),
        cmocka_unit_test(test_value_and_conjugate),
        cmocka_unit_test(test_gap_is_the_sum_and_never_negative),
        cmocka_unit_test(test_gap_is_zero_exactly_at_the_minimiser),
        cmocka_unit_test(test_without_a_square),
        cmocka_unit_test(test_sums_of_coordinates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
