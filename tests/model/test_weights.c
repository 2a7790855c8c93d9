/* test_weights.c - compares the largest weights of a column with a full sort, and norms with long
 * double.
 */
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/weights.h"

enum { MOST = 300 };

/* Orders weights by size, the largest first. Equal weights are in the order of features. */
static int compare(const void *one, const void *other)
{
    const struct weight *a = one, *b = other;

    if (a->size != b->size)
        return a->size < b->size ? 1 : -1;
    return a->feature > b->feature ? 1 : -1;
}

static void test_the_largest_are_those_of_a_full_sort(void **state)
{
    static const size_t most[] = {0, 1, 2, 7, 64, MOST, 2 * MOST};
    uint64_t random = 5;

    (void)state;
    for (size_t number = 0; number < 2000; number++) {
        const size_t count = draw_below(&random, MOST), kept = most[number % COUNT(most)];
        const double kinds = number % 3 ? 4 : 1e6; /* with few values, many are equal */
        struct weight sorted[MOST];
        struct hinge_error error;
        struct weight_column *column = weight_columns_new(2, kept, &error);
        size_t nonzeros = 0;

        assert_non_null(column);
        for (uint32_t j = 0; j < count; j++) {
            const uint32_t feature = number % 2 ? (uint32_t)count - j : j;
            const double weight = floor((2 * random_unit(&random) - 1) * kinds);

            weight_column_add(&column[1], feature, weight);
            if (weight != 0)
                sorted[nonzeros++] = (struct weight){fabs(weight), feature};
        }
        weight_column_sort(&column[1]);
        qsort(sorted, nonzeros, sizeof *sorted, compare);
        assert_int_equal(column[1].nonzeros, nonzeros);
        assert_int_equal(column[1].kept, nonzeros < kept ? nonzeros : kept);
        for (size_t k = 0; k < column[1].kept; k++)
            assert_true(column[1].largest[k].size == sorted[k].size &&
                        column[1].largest[k].feature == sorted[k].feature);
        assert_int_equal(column[0].nonzeros + column[0].kept, 0);
        weight_columns_free(column);
    }
}

static void test_norms_are_those_of_long_double(void **state)
{
    uint64_t random = 7;

    (void)state;
    for (size_t number = 0; number < 500; number++) {
        const double unit = number % 3 == 0 ? 1 : pow(10, 290 * (2 * random_unit(&random) - 1));
        struct hinge_error error;
        struct weight_column *column = weight_columns_new(1, 0, &error);
        long double squares = 0, sum = 0, norm;

        assert_non_null(column);
        assert_true(weight_column_norm(column) == 0);
        for (uint32_t j = 0; j < 100; j++) {
            const double weight = random_unit(&random) < 0.3 ? 0 : 2 * random_unit(&random) - 1;

            weight_column_add(column, j, weight * unit);
            squares += (long double)weight * weight;
            sum += fabsl(weight);
        }
        norm = sqrtl(squares) * unit;
        assert_true(fabsl(weight_column_norm(column) - norm) <= 100 * DBL_EPSILON * norm);
        assert_true(fabsl(column->absolute - sum * unit) <= 100 * DBL_EPSILON * sum * unit);
        weight_columns_free(column);
    }
}

/* Sums of squares that overflow or underflow, and others. */
static void test_norms_at_the_ends_of_double(void **state)
{
    static const double ends[] = {DBL_MAX / 2, DBL_MIN, 4.9406564584124654e-324};

    (void)state;
    for (size_t k = 0; k < COUNT(ends); k++) {
        struct hinge_error error;
        struct weight_column *column = weight_columns_new(1, 1, &error);

        assert_non_null(column);
        weight_column_add(column, 3, -ends[k]);
        assert_true(weight_column_norm(column) == ends[k]);
        weight_column_add(column, 4, 0);
        weight_column_add(column, 5, ends[k]);
        weight_column_add(column, 6, ends[k]);
        weight_column_add(column, 7, -ends[k]);
        assert_true(weight_column_norm(column) == 2 * ends[k]);
        assert_int_equal(column->nonzeros, 4);
        assert_int_equal(column->largest[0].feature, 3);
        weight_columns_free(column);
    }
}

static void test_too_many_are_refused(void **state)
{
    struct hinge_error error = {HINGE_OK, ""};

    (void)state;
    assert_null(weight_columns_new(3, SIZE_MAX / 2, &error));
    assert_int_equal(error.status, HINGE_NO_MEMORY);
    assert_non_null(strstr(error.message, "out of memory: "));
    weight_columns_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_largest_are_those_of_a_full_sort),
        cmocka_unit_test(test_norms_are_those_of_long_double),
        cmocka_unit_test(test_norms_at_the_ends_of_double),
        cmocka_unit_test(test_too_many_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
