/* test_calibration.c - the sigmoid meets its conditions of optimality in long double and equals
 * the published algorithm's; log loss, Brier score and bins equal sums by hand. */
#include "support.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "learn/folds.h"

enum { MOST = 400 };

/* Decision values of two classes, and their weights. */
struct values {
    size_t rows;
    double value[MOST];
    signed char sign[MOST];
    double weight[MOST];
    const double *weights; /* `weight` or NULL */
};

static double weight_of(const struct values *values, size_t i)
{
    return values->weights ? values->weights[i] : 1;
}

/* Draws nearly normal values, as sums of uniform numbers, with the classes `distance` apart. */
static void draw(struct values *values, size_t rows, double share, double distance,
                 uint64_t *random)
{
    values->rows = rows;
    values->weights = NULL;
    for (size_t i = 0; i < rows; i++) {
        values->sign[i] = random_unit(random) < share ? 1 : -1;
        values->value[i] = 0.5 * distance * values->sign[i] - 2;
        for (int k = 0; k < 4; k++)
            values->value[i] += random_unit(random);
        values->weight[i] = (double)draw_below(random, 4) / 2;
    }
    values->sign[0] = 1;
    values->sign[1] = -1;
    values->weight[0] = values->weight[1] = 1;
}

static long double target(const struct values *values, size_t i)
{
    long double count[2] = {0, 0};

    for (size_t k = 0; k < values->rows; k++)
        count[values->sign[k] > 0] += weight_of(values, k);
    return values->sign[i] > 0 ? (count[1] + 1) / (count[1] + 2) : 1 / (count[0] + 2);
}

static void fit(const struct values *values, double *sigmoid)
{
    sigmoid[0] = sigmoid[1] = NAN;
    sigmoid_fit(values->rows, values->value, values->sign, values->weights, sigmoid);
    assert_true(fabs(sigmoid[0]) <= DBL_MAX && fabs(sigmoid[1]) <= DBL_MAX);
}

/* Returns the larger of the derivatives by A and B, each relative to the sum of the absolute values
 * of its terms. */
static long double gradient(const struct values *values, long double a, long double b)
{
    long double g[2] = {0, 0}, size[2] = {0, 0};

    for (size_t i = 0; i < values->rows; i++) {
        const long double f = values->value[i], e = expl(a * f + b);
        const long double t = target(values, i);
        const long double up = weight_of(values, i) * t * e / (1 + e);
        const long double down = weight_of(values, i) * (1 - t) / (1 + e);

        g[0] += (up - down) * f;
        g[1] += up - down;
        size[0] += (up + down) * fabsl(f);
        size[1] += up + down;
    }
    return fmaxl(fabsl(g[0]) / size[0], fabsl(g[1]) / size[1]);
}

static long double objective(const struct values *values, const long double *t, long double a,
                             long double b)
{
    long double sum = 0;

    for (size_t i = 0; i < values->rows; i++) {
        const long double z = a * values->value[i] + b;

        sum += weight_of(values, i) *
               (z >= 0 ? t[i] * z + log1pl(expl(-z)) : (t[i] - 1) * z + log1pl(expl(z)));
    }
    return sum;
}

/* Runs the method of Lin, Lin and Weng as published, in long double: ridge 1e-12, gradient below
 * 1e-5, steps halved down to 1e-10, a decrease of at least 1e-4 of the predicted one. LIBSVM does
 * the same in double. */
static void published(const struct values *values, long double stop, long double *a, long double *b)
{
    long double t[MOST], count[2] = {0, 0}, value;

    for (size_t i = 0; i < values->rows; i++) {
        t[i] = target(values, i);
        count[values->sign[i] > 0] += weight_of(values, i);
    }
    *a = 0;
    *b = logl((count[0] + 1) / (count[1] + 1));
    value = objective(values, t, *a, *b);
    for (int k = 0; k < 100; k++) {
        long double h11 = 1e-12L, h22 = 1e-12L, h21 = 0, g1 = 0, g2 = 0, da, db, promised, step;

        for (size_t i = 0; i < values->rows; i++) {
            const long double f = values->value[i], w = weight_of(values, i);
            const long double p = 1 / (1 + expl(*a * f + *b));

            h11 += w * f * f * p * (1 - p);
            h22 += w * p * (1 - p);
            h21 += w * f * p * (1 - p);
            g1 += w * f * (t[i] - p);
            g2 += w * (t[i] - p);
        }
        if (fabsl(g1) < stop && fabsl(g2) < stop)
            return;
        da = -(h22 * g1 - h21 * g2) / (h11 * h22 - h21 * h21);
        db = -(-h21 * g1 + h11 * g2) / (h11 * h22 - h21 * h21);
        promised = g1 * da + g2 * db;
        for (step = 1; step >= 1e-10L; step /= 2) {
            const long double next = objective(values, t, *a + step * da, *b + step * db);

            if (next < value + 1e-4L * step * promised) {
                *a += step * da;
                *b += step * db;
                value = next;
                break;
            }
        }
        if (step < 1e-10L)
            return;
    }
}

static void test_the_gradient_is_zero(void **state)
{
    static const double scales[] = {1, 1e-5, 1e5, 1e-290, 1e290, 1e300, 1e-300};
    static const double shares[] = {0.5, 0.03, 0.9};
    uint64_t random = 1;

    (void)state;
    for (size_t k = 0; k < 420; k++) {
        static struct values values;
        double sigmoid[2];

        draw(&values, 3 + k % 11 * 30, shares[k % 3], (double)(k % 8) / 2, &random);
        if (k % 2)
            values.weights = values.weight;
        for (size_t i = 0; i < values.rows; i++)
            values.value[i] = (values.value[i] + (k % 5 == 4 ? 100 : 0)) * scales[k % 7];
        fit(&values, sigmoid);
        if (!(gradient(&values, sigmoid[0], sigmoid[1]) < 1e-10L))
            fail_msg("case %lu: gradient %Lg at %g %g", (unsigned long)k,
                     gradient(&values, sigmoid[0], sigmoid[1]), sigmoid[0], sigmoid[1]);
    }
}

static void test_it_is_what_the_published_method_finds(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (size_t k = 0; k < 200; k++) {
        static struct values values;
        long double a, b;
        double sigmoid[2];

        draw(&values, 20 + k % 13 * 30, k % 3 ? 0.5 : 0.1, (double)(k % 6) / 3, &random);
        if (k % 2)
            values.weights = values.weight;
        fit(&values, sigmoid);
        published(&values, 1e-14L, &a, &b);
        assert_true(fabsl(a - sigmoid[0]) <= 1e-9L * (1 + fabsl(a)));
        assert_true(fabsl(b - sigmoid[1]) <= 1e-9L * (1 + fabsl(b)));
        published(&values, 1e-5L, &a, &b); /* LIBSVM's rule to stop */
        assert_true(fabsl(a - sigmoid[0]) <= 1e-3L * (1 + fabsl(a)));
        assert_true(fabsl(b - sigmoid[1]) <= 1e-3L * (1 + fabsl(b)));
    }
}

static long double probability(const double *sigmoid, double value)
{
    return 1 / (1 + expl((long double)sigmoid[0] * value + sigmoid[1]));
}

/* The targets keep the slope of separable values finite. */
static void test_separable_values(void **state)
{
    static const double gaps[] = {1e-300, 1e-12, 1e-3, 1, 1e3, 1e300};

    (void)state;
    for (size_t k = 0; k < COUNT(gaps); k++) {
        struct values values = {.rows = 40};
        double sigmoid[2];

        for (size_t i = 0; i < 40; i++) {
            values.sign[i] = i < 13 ? 1 : -1;
            values.value[i] = gaps[k] * values.sign[i] * (1 + (double)(i % 7) / 7);
        }
        fit(&values, sigmoid);
        assert_true(sigmoid[0] < 0);
        if (!(gradient(&values, sigmoid[0], sigmoid[1]) < 1e-10L))
            fail_msg("gap %g: gradient %Lg", gaps[k], gradient(&values, sigmoid[0], sigmoid[1]));
        for (size_t i = 0; i < 40; i++)
            assert_true(values.sign[i] * (probability(sigmoid, values.value[i]) - 0.5L) > 0.2L);
    }
}

static void test_one_class(void **state)
{
    struct values values = {.rows = 10};
    double sigmoid[2];

    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (size_t i = 0; i < 10; i++) {
            values.sign[i] = (signed char)sign;
            values.value[i] = (double)i - 3;
        }
        fit(&values, sigmoid);
        assert_true(fabs(sigmoid[0]) < 1e-12);
        assert_true(fabsl(probability(sigmoid, 2) - (sign > 0 ? 11.0L : 1.0L) / 12) < 1e-12L);
    }
}

/* If all values are equal, the probability of any new row is the mean of the targets. */
static void test_constant_values(void **state)
{
    static const double constants[] = {0, 0.1, -7, 1e300, -1e-310, DBL_MAX};

    (void)state;
    for (size_t k = 0; k < COUNT(constants); k++) {
        struct values values = {.rows = 9};
        double sigmoid[2];

        for (size_t i = 0; i < 9; i++) {
            values.sign[i] = i < 3 ? 1 : -1;
            values.value[i] = constants[k];
        }
        fit(&values, sigmoid);
        assert_true(sigmoid[0] == 0);
        assert_true(fabsl(probability(sigmoid, 5) - (3 * 4.0L / 5 + 6 * 1.0L / 8) / 9) < 1e-12L);
    }
}

/* Values that differ only by rounding count as equal. */
static void test_nearly_constant_values(void **state)
{
    struct values values = {.rows = 8};
    double sigmoid[2];

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        values.sign[i] = i % 2 ? 1 : -1;
        values.value[i] = 0.3 * (1 + (double)(i % 3) * DBL_EPSILON);
    }
    fit(&values, sigmoid);
    assert_true(sigmoid[0] == 0 && fabs(sigmoid[1]) < 1e-12);
}

/* A value beyond the range of double counts as the end of the range, NaN as 0. */
static void test_values_that_are_no_numbers(void **state)
{
    struct values one = {.rows = 8}, other = {.rows = 8};
    double sigmoid[2], expected[2];

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        const double bad[] = {HUGE_VAL, -HUGE_VAL, NAN, 3};
        static const double instead[] = {DBL_MAX, -DBL_MAX, 0, 3};

        one.sign[i] = other.sign[i] = i % 3 ? 1 : -1;
        one.value[i] = bad[i % 4];
        other.value[i] = instead[i % 4];
    }
    fit(&one, sigmoid);
    fit(&other, expected);
    assert_memory_equal(sigmoid, expected, sizeof sigmoid);
}

static void test_the_smallest_values(void **state)
{
    struct values values = {.rows = 30};
    double sigmoid[2];

    (void)state;
    for (size_t i = 0; i < 30; i++) {
        values.sign[i] = i % 3 ? 1 : -1;
        values.value[i] = (double)(int)(i % 7) * values.sign[i] * 0x1p-1074;
    }
    fit(&values, sigmoid);
    assert_true(sigmoid[0] < 0);
}

static void test_weights_are_numbers_of_rows(void **state)
{
    uint64_t random = 4;

    (void)state;
    for (size_t k = 0; k < 50; k++) {
        static struct values weighted, repeated;
        double one[2], other[2];

        draw(&weighted, 10 + k, 0.4, 1, &random);
        weighted.weights = weighted.weight;
        repeated.rows = 0;
        repeated.weights = NULL;
        for (size_t i = 0; i < weighted.rows; i++) {
            weighted.weight[i] = (double)draw_below(&random, 4) + (i < 2);
            for (double n = 0; n < weighted.weight[i]; n++) {
                repeated.value[repeated.rows] = weighted.value[i];
                repeated.sign[repeated.rows++] = weighted.sign[i];
            }
        }
        fit(&weighted, one);
        fit(&repeated, other);
        assert_true(fabs(one[0] - other[0]) <= 1e-10 * fabs(other[0]));
        assert_true(fabs(one[1] - other[1]) <= 1e-10 * (1 + fabs(other[1])));
    }
}

static void test_extreme_weights(void **state)
{
    static const double weights[] = {1e-100, 1e100, 1e250};
    uint64_t random = 6;

    (void)state;
    for (size_t k = 0; k < COUNT(weights); k++) {
        static struct values values;
        double sigmoid[2];

        draw(&values, 50, 0.4, 2, &random);
        values.weights = values.weight;
        for (size_t i = 0; i < values.rows; i++)
            values.weight[i] = i % 5 ? 1 : weights[k];
        fit(&values, sigmoid);
    }
}

/* ---- Scores of probabilities -------------------------------------------- */

static void test_log_loss_and_brier_score(void **state)
{
    uint64_t random = 5;

    (void)state;
    for (size_t classes = 1; classes < 6; classes++) {
        struct hinge_calibration calibration;
        long double loss = 0, brier = 0, mean[HINGE_BINS] = {0};
        uint64_t rows[HINGE_BINS] = {0}, observed[HINGE_BINS] = {0};

        memset(&calibration, 0, sizeof calibration);
        for (size_t i = 0; i < 1000; i++) {
            const size_t given = draw_below(&random, classes + 1);
            double p[6], total = 0, own;
            size_t shown = 0, bin;

            for (size_t c = 0; c < classes; c++)
                total += p[c] = random_unit(&random);
            for (size_t c = 0; c < classes; c++)
                p[c] = i % 10 ? p[c] / total : c == i / 10 % classes;
            for (size_t c = 0; c < classes; c++) {
                shown = p[c] > p[shown] ? c : shown;
                brier += (p[c] - (c == given)) * (p[c] - (c == given)) / (classes == 2 ? 2 : 1);
            }
            own = given < classes ? p[given] : 0;
            brier += given < classes ? 0 : classes == 2 ? 0.5L : 1;
            loss -= logl(own > DBL_EPSILON ? own : DBL_EPSILON);
            hinge_calibration_add(&calibration, classes, p, shown, given, 1);
            shown = classes == 2 ? 0 : shown;
            for (bin = 0; bin < HINGE_BINS - 1 && p[shown] * HINGE_BINS >= (double)bin + 1; bin++)
                ;
            rows[bin]++;
            observed[bin] += shown == given;
            mean[bin] += p[shown];
        }
        assert_int_equal(calibration.rows, 1000);
        assert_true(fabsl(calibration.log_loss - loss / 1000) < 1e-12L);
        assert_true(fabsl(calibration.brier - brier / 1000) < 1e-12L);
        for (size_t k = 0; k < HINGE_BINS; k++) {
            assert_int_equal(calibration.bin[k].rows, rows[k]);
            assert_int_equal(calibration.bin[k].observed, observed[k]);
            assert_true(rows[k] == 0 ||
                        fabsl(calibration.bin[k].predicted - mean[k] / rows[k]) < 1e-12L);
        }
    }
}

static void test_probabilities_of_0_and_1_count_36(void **state)
{
    struct hinge_calibration calibration;

    (void)state;
    memset(&calibration, 0, sizeof calibration);
    hinge_calibration_add(&calibration, 2, (double[]){1, 0}, 0, 0, 1);
    assert_true(calibration.log_loss == 0 && calibration.brier == 0);
    hinge_calibration_add(&calibration, 2, (double[]){1, 0}, 0, 1, 1);
    assert_true(fabs(calibration.log_loss - 52 * log(2) / 2) < 1e-12);
    assert_true(calibration.brier == 0.5);
    assert_int_equal(calibration.bin[HINGE_BINS - 1].rows, 2);
    assert_int_equal(calibration.bin[HINGE_BINS - 1].observed, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_gradient_is_zero),
        cmocka_unit_test(test_it_is_what_the_published_method_finds),
        cmocka_unit_test(test_separable_values),
        cmocka_unit_test(test_one_class),
        cmocka_unit_test(test_constant_values),
        cmocka_unit_test(test_nearly_constant_values),
        cmocka_unit_test(test_values_that_are_no_numbers),
        cmocka_unit_test(test_the_smallest_values),
        cmocka_unit_test(test_weights_are_numbers_of_rows),
        cmocka_unit_test(test_extreme_weights),
        cmocka_unit_test(test_log_loss_and_brier_score),
        cmocka_unit_test(test_probabilities_of_0_and_1_count_36),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
