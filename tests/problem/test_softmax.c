/* test_softmax.c - compares the logistic loss of several classes with long double, and its
 * derivatives with differences. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/bias.h"
#include "problem/certificate.h"
#include "problem/softmax.h"
#include "support.h"

enum { MOST = 7 };

struct drawn {
    size_t k, y;
    double cost, z[MOST], a[MOST]; /* a is the dual point of z */
};

static void draw(struct drawn *drawn, uint64_t *random)
{
    static const double size[] = {1e-3, 1, 10, 100, 1e4};
    const double largest = size[draw_below(random, COUNT(size))];
    struct softmax of;

    drawn->k = 2 + draw_below(random, MOST - 1);
    drawn->y = draw_below(random, drawn->k);
    drawn->cost = exp(30 * random_unit(random) - 15);
    for (size_t m = 0; m < drawn->k; m++)
        drawn->z[m] = largest * (2 * random_unit(random) - 1);
    of = softmax_of(drawn->k, drawn->z);
    softmax_point(&of, drawn->k, drawn->cost, drawn->z, drawn->y, drawn->a);
}

/* Returns ln sum_m e^z_m - z_y, without cancellation at a large z_y. */
static long double exact_value(size_t k, const long double *z, size_t y)
{
    long double top = z[0], rest = 0;
    size_t at = 0;

    for (size_t m = 1; m < k; m++)
        if (z[m] > top)
            top = z[at = m];
    for (size_t m = 0; m < k; m++)
        rest += m == at ? 0 : expl(z[m] - top);
    return top - z[y] + log1pl(rest);
}

static void widen(const double *z, long double *wide)
{
    for (size_t m = 0; m < MOST; m++)
        wide[m] = z[m];
}

static long double slope(const struct drawn *drawn, size_t m, long double h)
{
    long double z[MOST], above;

    widen(drawn->z, z);
    z[m] += h;
    above = exact_value(drawn->k, z, drawn->y);
    z[m] -= 2 * h;
    return drawn->cost * (above - exact_value(drawn->k, z, drawn->y)) / (2 * h);
}

static void test_value_is_that_of_long_double(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (int number = 0; number < 20000; number++) {
        struct drawn drawn;
        long double z[MOST], exact;
        struct softmax of;
        double value;

        draw(&drawn, &random);
        widen(drawn.z, z);
        of = softmax_of(drawn.k, drawn.z);
        value = softmax_value(&of, drawn.z, drawn.y);
        exact = exact_value(drawn.k, z, drawn.y);
        /* below e^-700 a difference of margins has few digits left */
        assert_true(value >= 0 && fabsl(value - exact) <= 2e-13L * exact + 1e-300L);
    }
}

/* -alpha is the gradient, and adds up to 0. */
static void test_point_is_the_gradient(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (int number = 0; number < 5000; number++) {
        struct drawn drawn;
        double sum = 0, size = 0;

        draw(&drawn, &random);
        for (size_t m = 0; m < drawn.k; m++) {
            const long double difference = slope(&drawn, m, 1e-5L);

            assert_true(m == drawn.y ? drawn.a[m] >= 0 && drawn.a[m] <= drawn.cost
                                     : drawn.a[m] <= 0 && drawn.a[m] >= -drawn.cost);
            assert_true(fabsl(difference + drawn.a[m]) <= 1e-8L * drawn.cost);
            sum += drawn.a[m];
            size += fabs(drawn.a[m]);
        }
        assert_true(fabs(sum) <= 1e-15 * size);
    }
}

/* The Hessian times d is the change of the gradient along d. */
static void test_curvature_is_the_change_of_the_gradient(void **state)
{
    const double h = 1e-5;
    uint64_t random = 3;

    (void)state;
    for (int number = 0; number < 5000; number++) {
        struct drawn drawn;
        double d[MOST], product[MOST], ahead[MOST], behind[MOST], sum = 0, form = 0;
        struct softmax of;

        draw(&drawn, &random);
        for (size_t m = 0; m < drawn.k; m++)
            product[m] = d[m] = 2 * random_unit(&random) - 1;
        softmax_curvature(drawn.k, drawn.cost, drawn.y, drawn.a, product);
        for (size_t m = 0; m < drawn.k; m++)
            drawn.z[m] += h * d[m];
        of = softmax_of(drawn.k, drawn.z);
        softmax_point(&of, drawn.k, drawn.cost, drawn.z, drawn.y, ahead);
        for (size_t m = 0; m < drawn.k; m++)
            drawn.z[m] -= 2 * h * d[m];
        of = softmax_of(drawn.k, drawn.z);
        softmax_point(&of, drawn.k, drawn.cost, drawn.z, drawn.y, behind);
        for (size_t m = 0; m < drawn.k; m++) {
            const double difference = -(ahead[m] - behind[m]) / (2 * h);

            /* h d is rounded to multiples of 2e-12, like margins of 1e4 */
            assert_true(fabs(difference - product[m]) <= 1e-6 * drawn.cost);
            sum += product[m];
            form += d[m] * product[m];
        }
        assert_true(fabs(sum) <= 1e-14 * drawn.cost && form >= -1e-14 * drawn.cost);
    }
}

static long double share(const struct drawn *drawn, const double *a, size_t m)
{
    return (m == drawn->y ? (long double)drawn->cost - a[m] : -(long double)a[m]) / drawn->cost;
}

/* True if the dual variable of class y is at most C and, with two classes, both are opposite. */
static int is_exact(const struct drawn *drawn, const double *a)
{
    return a[drawn->y] <= drawn->cost && (drawn->k > 2 || a[0] == -a[1]);
}

/* The dual point of a step of any length is in the simplex. If nothing is cut off, it has moved
 * like the gradient. */
static void test_dual_point_of_a_step_is_feasible(void **state)
{
    uint64_t random = 4;
    int cut = 0, whole = 0;

    (void)state;
    for (int number = 0; number < 20000; number++) {
        struct drawn drawn;
        double d[MOST], change[MOST], to[MOST], sum = 0, size = 0, largest = 0;
        const double length = exp(20 * random_unit(&random) - 10);

        draw(&drawn, &random);
        for (size_t m = 0; m < drawn.k; m++) {
            change[m] = d[m] = length * (2 * random_unit(&random) - 1);
            largest = fmax(largest, fabs(d[m]));
        }
        softmax_ahead(drawn.k, drawn.cost, drawn.y, drawn.a, d, to);
        softmax_curvature(drawn.k, drawn.cost, drawn.y, drawn.a, change);
        for (size_t m = 0; m < drawn.k; m++) {
            assert_true(share(&drawn, to, m) >= 0 && share(&drawn, to, m) <= 1 + 1e-15L);
            if (2 * largest < 1)
                assert_true(fabs(to[m] - (drawn.a[m] - change[m])) <= 1e-12 * drawn.cost);
            sum += to[m];
            size += fabs(to[m]);
        }
        assert_true(fabs(sum) <= 1e-14 * size);
        assert_true(is_exact(&drawn, to) && is_exact(&drawn, drawn.a));
        whole += 2 * largest < 1;
        cut += largest > 10;
    }
    assert_true(cut > 1000 && whole > 1000);
}

/* Value, conjugate and <a, z> add up to the gap. No term of the gap is negative, and it is 0 if a
 * is the dual point of z. */
static void test_gap_is_the_sum_of_all_three(void **state)
{
    uint64_t random = 5;

    (void)state;
    for (int number = 0; number < 20000; number++) {
        struct drawn drawn, other;
        struct softmax of;
        long double z[MOST], sum, terms, conjugate = 0;
        double gap;

        draw(&drawn, &random);
        do
            draw(&other, &random);
        while (other.k != drawn.k || other.y != drawn.y);
        widen(drawn.z, z);
        sum = terms = drawn.cost * exact_value(drawn.k, z, drawn.y);
        for (size_t m = 0; m < drawn.k; m++) {
            const double a = other.a[m] / other.cost * drawn.cost;
            long double p;

            other.a[m] = m == drawn.y ? fmin(a, drawn.cost) : a;
            p = share(&drawn, other.a, m);
            if (p > 0)
                conjugate +=
                    m == drawn.y ? p * log1pl(-(long double)other.a[m] / drawn.cost) : p * logl(p);
            sum += other.a[m] * z[m];
            terms += fabsl(other.a[m] * z[m]);
        }
        sum += drawn.cost * conjugate;
        terms += drawn.cost * fabsl(conjugate);
        assert_true(fabsl(softmax_conjugate(drawn.k, drawn.cost, drawn.y, other.a) -
                          drawn.cost * conjugate) <= 1e-14L * drawn.cost);
        of = softmax_of(drawn.k, drawn.z);
        gap = softmax_gap(&of, drawn.k, drawn.cost, drawn.z, drawn.y, other.a);
        assert_true(gap >= 0 && fabsl(gap - sum) <= 1e-7L * sum + 1e-13L * terms + 1e-300L);
        gap = softmax_gap(&of, drawn.k, drawn.cost, drawn.z, drawn.y, drawn.a);
        assert_true(gap >= 0 && gap <= 1e-11 * drawn.cost);
    }
}

/* alpha = 0 is the point e_y, whose conjugate is 0. */
static void test_dual_point_zero_costs_nothing(void **state)
{
    const double zero[3] = {0, 0, 0};

    (void)state;
    assert_true(softmax_conjugate(3, 2.5, 1, zero) == 0);
}

/* The margins of one row nearly cancel. The bound of P includes the rounding errors, for margins as
 * they were added up and for margins with twice the precision. */
static void test_bound_of_P_holds_where_margins_cancel(void **state)
{
    enum { K = 3, FEATURES = 40 };
    uint64_t random = 3;
    size_t too_small = 0;

    (void)state;
    for (int number = 0; number < 2000; number++) {
        size_t start[2] = {0, FEATURES};
        uint32_t index[FEATURES], row = 0, y = (uint32_t)draw_below(&random, K);
        double value[FEATURES], w[FEATURES * K], alpha[K] = {0}, v[FEATURES * K] = {0}, room[4 * K];
        const double cost = 1;
        double length = 0;
        long double z[K] = {0}, exact = 0, doubt = 0; /* doubt: rounding of long double */
        struct hinge_dataset data = {.x = {.rows = 1,
                                           .nonzeros = FEATURES,
                                           .start = start,
                                           .index_kind = HINGE_INDEX_32,
                                           .value_kind = HINGE_VALUE_DOUBLE,
                                           .index = index,
                                           .value = value},
                                     .features = FEATURES};
        const struct problem problem = {.data = &data,
                                        .rows = 1,
                                        .row = &row,
                                        .cost = &cost,
                                        .loss = LOSS_LOGISTIC,
                                        .classes = K,
                                        .class_of = &y};
        const struct shards shards = {.rows = 1, .count = 1, .length = FEATURES * K, .room = room};
        struct max_row_norm max_row_norm = {&row, 1, 0, 0, 0};
        struct objective measured, bound, sharp;

        for (uint32_t j = 0; j < FEATURES; j++) {
            index[j] = j;
            value[j] = 1e9 * (random_unit(&random) + 1);
            length += value[j] * value[j];
        }
        for (size_t m = 0; m < K; m++) { /* nearly orthogonal to the row, so that P is not large */
            double dot = 0;

            for (size_t j = 0; j < FEATURES; j++) {
                w[j * K + m] = 0.1 * (2 * random_unit(&random) - 1);
                dot += value[j] * w[j * K + m];
            }
            for (size_t j = 0; j < FEATURES; j++)
                w[j * K + m] -= dot / length * value[j];
            for (size_t j = 0; j < FEATURES; j++) {
                z[m] += (long double)value[j] * w[j * K + m];
                doubt += LDBL_EPSILON * FEATURES * fabs(value[j] * w[j * K + m]);
                exact += (long double)w[j * K + m] * w[j * K + m] / 2;
            }
        }
        exact += exact_value(K, z, y);
        measured = objective_measure(&shards, &problem, w, alpha, v, NULL);
        bound = certificate_take(&shards, &(struct primal_dual){&problem, w, alpha}, v, &measured,
                                 HUGE_VAL, &max_row_norm);
        sharp = certificate_take(&shards, &(struct primal_dual){&problem, w, alpha}, v, &measured,
                                 0, &max_row_norm);
        assert_true(bound.primal >= exact - doubt && sharp.primal >= exact - doubt);
        assert_true(sharp.primal <= bound.primal && sharp.primal - exact <= 1e-12 * exact + doubt);
        too_small += measured.primal < exact - 2 * doubt;
    }
    assert_true(too_small > 200); /* so that the bounds are needed */
}

/* ---- Dual points that miss their constraints ------------------------------ */

enum { ROWS = 6, FEATURES = 4, CLASSES = 4 };

/* A problem and a point. */
struct table {
    size_t start[ROWS + 1];
    uint32_t index[ROWS * FEATURES], row[ROWS], class_of[ROWS];
    double value[ROWS * FEATURES], cost[ROWS];
    double w[(FEATURES + 1) * CLASSES], v[(FEATURES + 1) * CLASSES], alpha[ROWS * CLASSES];
    double room[4 * CLASSES];
    struct hinge_dataset data;
    struct problem problem;
    struct shards shards;
};

/* Draws features of about this length, and alpha in its domain. Rows of alpha sum to 0 up to the
 * share `uneven`. */
static void draw_table(struct table *table, double length, double uneven, uint64_t *random)
{
    memset(table, 0, sizeof *table);
    for (uint32_t i = 0; i < ROWS; i++) {
        double *a = table->alpha + i * CLASSES;
        const uint32_t y = table->class_of[i] =
            i < CLASSES ? i : (uint32_t)draw_below(random, CLASSES);

        table->row[i] = i;
        table->start[i + 1] = (i + (size_t)1) * FEATURES;
        table->cost[i] = exp(4 * random_unit(random) - 2);
        for (uint32_t j = 0; j < FEATURES; j++) {
            table->index[i * FEATURES + j] = j;
            table->value[i * FEATURES + j] = length * (2 * random_unit(random) - 1);
        }
        for (size_t m = 0; m < CLASSES; m++)
            a[m] = -table->cost[i] * random_unit(random) / CLASSES;
        softmax_balance(CLASSES, y, a);
        a[y] *= 1 + uneven * (2 * random_unit(random) - 1);
    }
    for (size_t j = 0; j < COUNT(table->w); j++)
        table->w[j] = 2 * random_unit(random) - 1;
    table->data = (struct hinge_dataset){.x = {.rows = ROWS,
                                               .nonzeros = ROWS * FEATURES,
                                               .start = table->start,
                                               .index_kind = HINGE_INDEX_32,
                                               .value_kind = HINGE_VALUE_DOUBLE,
                                               .index = table->index,
                                               .value = table->value},
                                         .features = FEATURES};
    table->problem = (struct problem){.data = &table->data,
                                      .rows = ROWS,
                                      .row = table->row,
                                      .cost = table->cost,
                                      .loss = LOSS_LOGISTIC,
                                      .classes = CLASSES,
                                      .class_of = table->class_of};
    table->shards = (struct shards){
        .rows = ROWS, .count = 1, .length = (FEATURES + 1) * CLASSES, .room = table->room};
}

/* Returns D of the point that alpha stands for: each row's shares are divided by their sum, and
 * with free biases bias_balance_classes makes the sums of the classes 0. */
static long double dual_of_feasible(const struct table *table)
{
    long double p[ROWS][CLASSES], v[FEATURES][CLASSES] = {{0}}, missing[CLASSES] = {0};
    long double costs[CLASSES] = {0}, total = 0, share = 0, dual = 0;

    for (size_t i = 0; i < ROWS; i++) {
        const size_t y = table->class_of[i];
        const double *a = table->alpha + i * CLASSES, cost = table->cost[i];
        long double sum = 0;

        for (size_t m = 0; m < CLASSES; m++)
            sum += p[i][m] = ((m == y ? cost : 0) - (long double)a[m]) / cost;
        costs[y] += cost;
        total += cost;
        for (size_t m = 0; m < CLASSES; m++) {
            p[i][m] /= sum;
            missing[m] += cost * ((m == y) - p[i][m]);
        }
    }
    for (size_t m = 0; m < CLASSES && table->problem.bias_kind == BIAS_FREE; m++)
        share = fmaxl(share, -missing[m] / costs[m]);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t m = 0; m < CLASSES; m++) {
            const double cost = table->cost[i];

            if (share > 0)
                p[i][m] = (p[i][m] + (share * costs[m] + missing[m]) / total) / (1 + share);
            dual += p[i][m] > 0 ? cost * p[i][m] * logl(p[i][m]) : 0;
            for (size_t j = 0; j < FEATURES; j++)
                v[j][m] +=
                    cost * ((m == table->class_of[i]) - p[i][m]) * table->value[i * FEATURES + j];
        }
    for (size_t j = 0; j < FEATURES; j++)
        for (size_t m = 0; m < CLASSES; m++)
            dual += v[j][m] * v[j][m] / 2;
    return dual;
}

/* Checks that the bounds of D, the first one and the one with twice the precision, are above D of
 * that point. Returns 1 if the measured D is not. */
static size_t check_dual_bound(struct table *table)
{
    struct max_row_norm max_row_norm = {table->row, ROWS, 0, 0, 0};
    const long double exact = dual_of_feasible(table), off = 1e-12L * fabsl(exact);
    struct objective measured, bound, sharp;

    sums_combine(&table->shards, &table->problem, all_rows(&table->problem), table->alpha, 1,
                 table->v);
    measured =
        objective_measure(&table->shards, &table->problem, table->w, table->alpha, table->v, NULL);
    bound = certificate_take(&table->shards,
                             &(struct primal_dual){&table->problem, table->w, table->alpha},
                             table->v, &measured, HUGE_VAL, &max_row_norm);
    sharp = certificate_take(&table->shards,
                             &(struct primal_dual){&table->problem, table->w, table->alpha},
                             table->v, &measured, -HUGE_VAL, &max_row_norm);
    assert_true(bound.dual >= exact && sharp.dual >= exact);
    assert_true(sharp.dual <= bound.dual);
    return measured.dual < exact - off;
}

/* Uneven rows change D by far more than rounding: short rows by their conjugates, long rows by v.
 */
static void test_bound_of_D_holds_where_rows_are_uneven(void **state)
{
    static const double lengths[] = {1e-3, 1, 1e3};
    static const double shares[] = {1e-1, 1e-3, 1e-6};
    static struct table table;
    uint64_t random = 7;

    (void)state;
    for (size_t l = 0; l < COUNT(lengths); l++)
        for (size_t u = 0; u < COUNT(shares); u++) {
            size_t needed = 0;

            for (int number = 0; number < 500; number++) {
                draw_table(&table, lengths[l], shares[u], &random);
                needed += check_dual_bound(&table);
            }
            assert_true(needed > 100);
        }
}

/* Classes of uneven size change D by their sums if biases are free. */
static void test_bound_of_D_holds_where_classes_are_uneven(void **state)
{
    static const double lengths[] = {1e-3, 1, 1e3};
    static const double shares[] = {1e-1, 1e-3, 1e-6};
    static struct table table;
    uint64_t random = 8;

    (void)state;
    for (size_t l = 0; l < COUNT(lengths); l++)
        for (size_t u = 0; u < COUNT(shares); u++) {
            size_t needed = 0;

            for (int number = 0; number < 500; number++) {
                draw_table(&table, lengths[l], 0, &random);
                table.problem.bias_kind = BIAS_FREE;
                table.problem.bias = 1;
                bias_balance_classes(&table.problem, table.alpha, table.room);
                for (size_t i = 0; i < ROWS; i++) {
                    const double factor = 1 - shares[u] * random_unit(&random);

                    for (size_t m = 0; m < CLASSES; m++)
                        table.alpha[i * CLASSES + m] *= factor;
                }
                needed += check_dual_bound(&table);
            }
            assert_true(needed > 50);
        }
}

/* In a dual point, a class without rows has 0 in all rows. */
static void test_no_bound_where_a_class_without_rows_has_a_share(void **state)
{
    static struct table table;
    struct max_row_norm max_row_norm = {table.row, ROWS, 0, 0, 0};
    struct objective measured, bound;
    uint64_t random = 9;

    (void)state;
    draw_table(&table, 1, 0, &random);
    for (size_t i = 0; i < ROWS; i++) {
        table.class_of[i] %= CLASSES - 1;
        for (size_t m = 0; m < CLASSES; m++)
            table.alpha[i * CLASSES + m] = -0.1 * table.cost[i];
        softmax_balance(CLASSES, table.class_of[i], table.alpha + i * CLASSES);
    }
    table.problem.bias_kind = BIAS_FREE;
    table.problem.bias = 1;
    for (int balanced = 0; balanced < 2; balanced++) {
        if (balanced)
            bias_balance_classes(&table.problem, table.alpha, table.room);
        memset(table.v, 0, sizeof table.v);
        sums_combine(&table.shards, &table.problem, all_rows(&table.problem), table.alpha, 1,
                     table.v);
        measured =
            objective_measure(&table.shards, &table.problem, table.w, table.alpha, table.v, NULL);
        bound = certificate_take(&table.shards,
                                 &(struct primal_dual){&table.problem, table.w, table.alpha},
                                 table.v, &measured, HUGE_VAL, &max_row_norm);
        assert_true(isfinite(bound.dual) == balanced);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_is_that_of_long_double),
        cmocka_unit_test(test_point_is_the_gradient),
        cmocka_unit_test(test_curvature_is_the_change_of_the_gradient),
        cmocka_unit_test(test_dual_point_of_a_step_is_feasible),
        cmocka_unit_test(test_gap_is_the_sum_of_all_three),
        cmocka_unit_test(test_dual_point_zero_costs_nothing),
        cmocka_unit_test(test_bound_of_P_holds_where_margins_cancel),
        cmocka_unit_test(test_bound_of_D_holds_where_rows_are_uneven),
        cmocka_unit_test(test_bound_of_D_holds_where_classes_are_uneven),
        cmocka_unit_test(test_no_bound_where_a_class_without_rows_has_a_share),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
