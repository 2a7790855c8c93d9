/* test_crammer_singer.c - compares the hinge of several classes with long double, and its
 * projection with the conditions of a projection. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/class_loss.h"
#include "support.h"

enum { MOST = 7 };

struct drawn {
    size_t k, y;
    double cost, z[MOST], a[MOST];
};

/* Draws margins of any size, up to 1e4, and shares. Some shares are 0, or all except one. */
static void draw(struct drawn *drawn, uint64_t *random)
{
    static const double size[] = {1e-3, 1, 10, 100, 1e4};
    const double largest = size[draw_below(random, COUNT(size))];
    double others = 0, total = 0, share[MOST];

    drawn->k = 2 + draw_below(random, MOST - 1);
    drawn->y = draw_below(random, drawn->k);
    drawn->cost = exp(30 * random_unit(random) - 15);
    for (size_t m = 0; m < drawn->k; m++) {
        drawn->z[m] = largest * (2 * random_unit(random) - 1);
        total += share[m] = draw_below(random, 3) == 0 ? random_unit(random) : 0;
    }
    for (size_t m = 0; m < drawn->k; m++) {
        share[m] = total > 0 ? share[m] / total : m == drawn->y;
        others += drawn->a[m] = m == drawn->y ? 0 : -drawn->cost * share[m];
    }
    drawn->a[drawn->y] = share[drawn->y] == 0 ? drawn->cost : fmin(-others, drawn->cost);
}

static struct row_terms terms_of(const struct drawn *drawn, const double *a)
{
    double z[MOST];

    memcpy(z, drawn->z, sizeof z);
    return class_terms(LOSS_HINGE, drawn->k, drawn->cost, z, drawn->y, a);
}

/* Returns max_m (1(m != y) + z_m - z_y). */
static long double exact_top(const struct drawn *drawn)
{
    long double top = 0;

    for (size_t m = 0; m < drawn->k; m++)
        top = fmaxl(top, (m != drawn->y) + (long double)drawn->z[m] - drawn->z[drawn->y]);
    return top;
}

static void test_terms_are_those_of_long_double(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (int number = 0; number < 20000; number++) {
        struct drawn drawn;
        struct row_terms terms, alone;
        long double value, conjugate = 0, product = 0, size = 1;

        draw(&drawn, &random);
        value = drawn.cost * exact_top(&drawn);
        for (size_t m = 0; m < drawn.k; m++) {
            conjugate += m == drawn.y ? 0 : (long double)drawn.a[m];
            product += (long double)drawn.a[m] * drawn.z[m];
            size = fmaxl(size, fabsl(drawn.z[m]));
        }
        terms = terms_of(&drawn, drawn.a);
        assert_true(fabsl(terms.value - value) <= 1e-15L * drawn.cost * size);
        assert_true(fabsl(terms.conjugate - conjugate) <= 1e-15L * drawn.cost);
        assert_true(terms.gap >= 0);
        assert_true(fabsl(terms.gap - (value + conjugate + product)) <= 1e-14L * drawn.cost * size);
        assert_true(class_conjugate(LOSS_HINGE, drawn.k, drawn.cost, drawn.y, drawn.a) ==
                    terms.conjugate);
        alone = terms_of(&drawn, NULL);
        assert_true(alone.value == terms.value && alone.gap == 0 && alone.conjugate == 0);
    }
}

/* With two classes the loss is the hinge of z_y - z_m. At margins of 0 each row costs C. */
static void test_two_classes_are_the_hinge(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (int number = 0; number < 1000; number++) {
        double z[2] = {4 * random_unit(&random) - 2, 4 * random_unit(&random) - 2};
        const double cost = random_unit(&random), a[2] = {0.3 * cost, -0.3 * cost};
        const double slack = 1 - (z[0] - z[1]);
        const struct row_terms terms = class_terms(LOSS_HINGE, 2, cost, z, 0, a);

        assert_true(fabs(terms.value - loss_value(LOSS_HINGE, cost, slack)) <= 1e-15);
        assert_true(terms.conjugate == loss_conjugate(LOSS_HINGE, cost, 1, a[0]));
        assert_true(fabs(terms.gap - loss_gap(LOSS_HINGE, cost, a[0], slack)) <= 1e-15);
    }
    assert_true(class_value_at_zero(LOSS_HINGE, 5, 0.7) == 0.7);
}

/* The violation, the largest gain minus the least gain with a share, is 0 exactly if the gap is 0.
 */
static void test_violation(void **state)
{
    uint64_t random = 4;

    (void)state;
    for (int number = 0; number < 20000; number++) {
        struct drawn drawn;
        double violation, gap, gain[MOST];

        draw(&drawn, &random);
        singer_gains(drawn.k, drawn.z, drawn.y, gain);
        if (number % 2) { /* only the largest gain has a share */
            size_t top = drawn.y;

            for (size_t m = 0; m < drawn.k; m++)
                top = gain[m] > gain[top] ? m : top;
            memset(drawn.a, 0, sizeof drawn.a);
            drawn.a[top] -= drawn.cost;
            drawn.a[drawn.y] += drawn.cost;
        }
        violation = singer_violation(drawn.k, drawn.cost, gain, drawn.y, drawn.a);
        gap = terms_of(&drawn, drawn.a).gap;
        assert_true((violation > 0) == (gap > 0));
        assert_true(violation >= 0 && gap <= drawn.cost * violation * (1 + 1e-14));
        assert_true(number % 2 == 0 || violation == 0);
    }
}

/* The projection p of d is not negative and has the correct sum. d - p is the same number t for all
 * members, and d is at most t for the others. */
static void test_projection(void **state)
{
    static const double scales[] = {1e-12, 1e-3, 1, 1e3, 1e12};
    uint64_t random = 5;

    (void)state;
    for (int number = 0; number < 50000; number++) {
        const size_t k = 1 + draw_below(&random, MOST);
        const double scale = scales[draw_below(&random, COUNT(scales))];
        const double sum = exp(40 * random_unit(&random) - 20);
        uint32_t member[MOST] = {0};
        double d[MOST], p[MOST] = {0};
        long double total = 0, limit;
        size_t members;

        for (size_t m = 0; m < k; m++)
            p[m] = d[m] = m > 0 && draw_below(&random, 3) == 0
                              ? d[m - 1]
                              : scale * (2 * random_unit(&random) - 1);
        members = simplex_project(k, sum, p, member);
        assert_true(members >= 1 && members <= k);
        limit = (long double)d[member[0]] - p[member[0]];
        for (size_t m = 0; m < k; m++) {
            int is_member = 0;

            for (size_t s = 0; s < members; s++)
                is_member |= member[s] == m;
            assert_true(is_member ? p[m] > 0 : p[m] == 0);
            total += p[m];
            if (is_member)
                assert_true(fabsl(d[m] - p[m] - limit) <= 1e-14L * (scale + sum));
            else
                assert_true(d[m] <= limit + 1e-14L * (scale + sum));
        }
        assert_true(fabsl(total - sum) <= 1e-14L * (sum + (members > 1 ? scale : 0)));
        assert_true(members > 1 || p[member[0]] == sum);
    }
}

/* The projection of shares stores the own class's share minus the cost. So the shares of the other
 * classes keep all digits at any cost. */
static void test_projection_beside_a_large_cost(void **state)
{
    static const double costs[] = {1e-3, 1, 1e3, 1e8, 1e16};
    uint64_t random = 6;
    size_t without = 0;

    (void)state;
    for (int number = 0; number < 50000; number++) {
        const size_t k = 1 + draw_below(&random, MOST), y = draw_below(&random, (uint32_t)k);
        const double cost = costs[draw_below(&random, COUNT(costs))];
        const double scale = exp(10 * random_unit(&random) - 5);
        uint32_t member[MOST] = {0};
        double d[MOST], p[MOST] = {0};
        long double low = -3 * (long double)scale - cost, high = 3 * (long double)scale;
        size_t members, positive = 0;
        int has_own;

        for (size_t m = 0; m < k; m++)
            p[m] = d[m] = scale * (2 * random_unit(&random) - 1);
        for (int step = 0; step < 200; step++) { /* t by bisection in long double */
            const long double t = (low + high) / 2;
            long double total = fmaxl(-(long double)cost, d[y] - t);

            for (size_t m = 0; m < k; m++)
                total += m == y ? 0 : fmaxl(0, d[m] - t);
            if (total > 0)
                low = t;
            else
                high = t;
        }
        members = singer_project(k, cost, y, p, member);
        has_own = d[y] - low > -(long double)cost;
        without += !has_own;
        for (size_t m = 0; m < k; m++) {
            const long double least = m == y ? -(long double)cost : 0;

            assert_true(fabsl(p[m] - fmaxl(least, d[m] - low)) <=
                        1e-14L * (has_own ? scale : scale + cost));
            positive += m == y ? cost + p[m] > 0 : p[m] > 0;
        }
        assert_true(!has_own || members == positive || cost > 1e15);
        for (size_t s = 0; s < members; s++)
            assert_true(member[s] == y || p[member[s]] > 0);
    }
    assert_true(without > 1000);
}

/* If margins are far apart, or the sum is tiny, there is one member. */
static void test_projection_at_the_ends(void **state)
{
    double far[3] = {-1e300, 1e300, 0}, equal[2] = {3, 3}, tiny[3] = {1, 1 + 1e-15, 0};
    uint32_t member[3];

    (void)state;
    assert_int_equal(simplex_project(3, 1, far, member), 1);
    assert_true(far[0] == 0 && far[1] == 1 && far[2] == 0 && member[0] == 1);
    assert_int_equal(simplex_project(2, DBL_MIN, equal, member), 2);
    assert_true(equal[0] == DBL_MIN / 2 && equal[1] == DBL_MIN / 2);
    assert_int_equal(simplex_project(3, DBL_MIN, tiny, member), 1);
    assert_true(tiny[1] == DBL_MIN && tiny[0] == 0);
}

/* singer_point is feasible, and random shares have no larger <g, q> - mu/2 |q - centre|^2. */
static void test_point_is_the_maximum(void **state)
{
    uint64_t random = 6;

    (void)state;
    for (int number = 0; number < 20000; number++) {
        const double mu = exp(10 * random_unit(&random) - 5);
        struct drawn at, other;
        uint32_t member[MOST];
        double a[MOST], gains[MOST];
        long double best = 0, rest = 0, sum = 0, size = 0;
        size_t members, shares = 0;

        draw(&at, &random);
        do
            draw(&other, &random);
        while (other.k != at.k || other.y != at.y);
        singer_gains(at.k, at.z, at.y, gains);
        for (size_t m = 0; m < at.k; m++) /* gives `other` the cost of the centre, at.a */
            other.a[m] *= at.cost / other.cost;
        members =
            singer_point(at.k, at.cost, gains, at.y, number % 5 ? at.a : NULL, 1 / mu, a, member);
        for (size_t m = 0; m < at.k; m++) {
            const long double gain = (m != at.y) + (long double)at.z[m] - at.z[at.y];
            const long double base = m == at.y ? at.cost : 0;
            const long double centre = number % 5 ? base - at.a[m] : 0;
            const long double q = base - a[m], r = base - other.a[m];

            assert_true(m == at.y ? a[m] >= 0 && a[m] <= at.cost : a[m] <= 0);
            best += gain * q - mu / 2 * (q - centre) * (q - centre);
            rest += gain * r - mu / 2 * (r - centre) * (r - centre);
            sum += a[m];
            size += fabsl(gain * q) + mu * at.cost * at.cost;
            shares += singer_share(at.cost, at.y, a, m) > 0;
        }
        assert_true(fabsl(sum) <= 1e-14L * at.cost);
        assert_true(shares <= members);
        assert_true(best >= rest - 1e-12L * size);
    }
}

/* The dual variables of a proximal step are the same at any cost at which the own class has a
 * share. */
static void test_point_beside_a_large_cost(void **state)
{
    uint64_t random = 7;

    (void)state;
    for (int number = 0; number < 10000; number++) {
        const size_t k = 2 + draw_below(&random, MOST - 1), y = draw_below(&random, (uint32_t)k);
        double gain[MOST], centre[MOST], small[MOST], large[MOST], others = 0;
        uint32_t member[MOST];
        size_t members;

        for (size_t m = 0; m < k; m++) {
            gain[m] = m == y ? 0 : 2 * random_unit(&random) - 1;
            centre[m] = m == y || draw_below(&random, 2) ? 0 : -random_unit(&random);
            others -= centre[m];
        }
        centre[y] = others;
        members = singer_point(k, 1e3, gain, y, centre, 2, small, member);
        assert_true(singer_share(1e3, y, small, y) > 0);
        assert_int_equal(singer_point(k, 1e16, gain, y, centre, 2, large, member), members);
        assert_memory_equal(small, large, k * sizeof *small);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms_are_those_of_long_double),
        cmocka_unit_test(test_two_classes_are_the_hinge),
        cmocka_unit_test(test_violation),
        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_projection_beside_a_large_cost),
        cmocka_unit_test(test_point_beside_a_large_cost),
        cmocka_unit_test(test_projection_at_the_ends),
        cmocka_unit_test(test_point_is_the_maximum),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
