/* test_classes.c - labels to classes. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "learn/classes.h"

/* The classes of rows with these labels and no feature. */
static void find(struct classes *classes, const double *label, size_t rows)
{
    struct hinge_dataset data = {.x = {.rows = 0}};
    struct hinge_error error;

    data.x.rows = rows;
    data.label = malloc(rows * sizeof *label);
    assert_non_null(data.label);
    memcpy(data.label, label, rows * sizeof *label);
    assert_int_equal(classes_find(classes, &data, &error), HINGE_OK);
    free(data.label);
}

static void expect_classes(const double *label, size_t rows, const double *expected, size_t count)
{
    struct classes classes;

    find(&classes, label, rows);
    assert_int_equal(classes.count, count);
    for (size_t c = 0; c < count; c++)
        assert_true(classes.label[c] == expected[c] &&
                    !signbit(classes.label[c]) == !signbit(expected[c]));
    for (size_t i = 0; i < rows; i++) {
        assert_true(classes.of_row[i] < count);
        assert_true(classes.label[classes.of_row[i]] == label[i]);
    }
    classes_free(&classes);
}

#define EXPECT_CLASSES(labels, ...)                                                                \
    do {                                                                                           \
        const double expected[] = {__VA_ARGS__};                                                   \
        expect_classes(labels, sizeof labels / sizeof *labels, expected,                           \
                       sizeof expected / sizeof *expected);                                        \
    } while (0)

static void test_classes_stand_in_order_of_appearance(void **state)
{
    static const double several[] = {3, -7, 3, 0, 1, -7, 2, 0};
    static const double down[] = {2, 1, 2, 1}, up[] = {1, 2, 2, 1};
    static const double zero_one[] = {0, 1, 1}, one_zero[] = {1, 0, 1};
    static const double one[] = {5, 5, 5};

    (void)state;
    EXPECT_CLASSES(several, 3, -7, 0, 1, 2);
    EXPECT_CLASSES(down, 2, 1);
    EXPECT_CLASSES(up, 1, 2);
    EXPECT_CLASSES(zero_one, 0, 1);
    EXPECT_CLASSES(one_zero, 1, 0);
    EXPECT_CLASSES(one, 5);
}

/* LIBLINEAR's order, and only for exactly these two labels. */
static void test_minus_one_and_one_put_one_first(void **state)
{
    static const double minus[] = {-1, -1, 1, -1, 1}, plus[] = {1, -1, 1};
    static const double third[] = {-1, 1, 2}, twos[] = {-2, 2}, only[] = {-1, -1};
    static const double near[] = {-1, 1.0000000000000002};

    (void)state;
    EXPECT_CLASSES(minus, 1, -1);
    EXPECT_CLASSES(plus, 1, -1);
    EXPECT_CLASSES(third, -1, 1, 2);
    EXPECT_CLASSES(twos, -2, 2);
    EXPECT_CLASSES(only, -1);
    EXPECT_CLASSES(near, -1, 1.0000000000000002);
}

static void test_minus_zero_is_zero(void **state)
{
    static const double first[] = {-0.0, 0.0, 1, -0.0}, later[] = {0.0, 1, -0.0};

    (void)state;
    EXPECT_CLASSES(first, 0, 1);
    EXPECT_CLASSES(later, 0, 1);
}

/* LIBLINEAR cuts 1.5 and 1.2 down to one class; here labels are numbers. */
static void test_labels_need_not_be_whole(void **state)
{
    static const double label[] = {1.5, 1.2, 1.5, 1e300, -1e-300, 5e-324, 1.2, 9007199254740993.0};

    (void)state;
    EXPECT_CLASSES(label, 1.5, 1.2, 1e300, -1e-300, 5e-324, 9007199254740992.0);
}

/* 10,000 classes of three rows, in an order that is neither up nor down. */
static void test_ten_thousand_classes_are_told_apart(void **state)
{
    enum { CLASSES = 10000, ROWS = 3 * CLASSES };
    double *label = malloc(ROWS * sizeof *label), *expected = malloc(CLASSES * sizeof *expected);

    (void)state;
    assert_true(label && expected);
    for (size_t i = 0; i < ROWS; i++)
        label[i] = (double)(i * 7919 % CLASSES) / 4 - 1000;
    memcpy(expected, label, CLASSES * sizeof *expected); /* 7919 is prime to 10,000 */
    expect_classes(label, ROWS, expected, CLASSES);
    free(label);
    free(expected);
}

/* Processor seconds to number `rows` different labels. */
static double seconds_to_find(size_t rows, double first, double step)
{
    double *label = malloc(rows * sizeof *label);
    struct classes classes;
    clock_t start;

    assert_non_null(label);
    for (size_t i = 0; i < rows; i++)
        label[i] = first + step * (double)i;
    start = clock();
    find(&classes, label, rows);
    assert_int_equal(classes.count, rows);
    classes_free(&classes);
    free(label);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Whole labels differ in few bits of a double: a table that looks at the others holds them all in
 * one chain, and 100,000 of them take five billion steps instead of some 200,000. */
static void test_whole_labels_do_not_share_a_chain(void **state)
{
    (void)state;
    assert_true(seconds_to_find(100000, 0.1, 0.37) < 1);
    assert_true(seconds_to_find(100000, 1, 1) < 1);
    assert_true(seconds_to_find(100000, 0, 1048576) < 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes_stand_in_order_of_appearance),
        cmocka_unit_test(test_minus_one_and_one_put_one_first),
        cmocka_unit_test(test_minus_zero_is_zero),
        cmocka_unit_test(test_labels_need_not_be_whole),
        cmocka_unit_test(test_ten_thousand_classes_are_told_apart),
        cmocka_unit_test(test_whole_labels_do_not_share_a_chain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
