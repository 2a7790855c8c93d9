/* test_classes.c - labels to classes. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/trie.h"
#include "learn/classes.h"

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

/* As in LIBLINEAR, 1 comes first, but only if the labels are exactly 1 and -1. */
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

/* LIBLINEAR truncates 1.5 and 1.2 to one class. Here they are two classes. */
static void test_labels_need_not_be_whole(void **state)
{
    static const double label[] = {1.5, 1.2, 1.5, 1e300, -1e-300, 5e-324, 1.2, 9007199254740993.0};

    (void)state;
    EXPECT_CLASSES(label, 1.5, 1.2, 1e300, -1e-300, 5e-324, 9007199254740992.0);
}

/* 10,000 classes of three rows, whose labels neither rise nor fall. */
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

/* ---- Labels chosen to be slow ------------------------------------------- */

/* Returns z, given z ^ z >> shift. */
static uint64_t undo_shift(uint64_t mixed, unsigned shift)
{
    uint64_t z = mixed;

    for (unsigned known = shift; known < 64; known += shift)
        z = mixed ^ (z >> shift);
    return z;
}

/* Returns 1/factor modulo 2^64. Each step of Newton's method doubles the number of correct bits. */
static uint64_t inverse_of(uint64_t factor)
{
    uint64_t inverse = factor; /* 3 correct bits */

    for (int step = 0; step < 5; step++)
        inverse *= 2 - factor * inverse;
    return inverse;
}

/* Returns z, given random_mix(z). */
static uint64_t undo_mix(uint64_t mixed)
{
    mixed = undo_shift(mixed, 31) * inverse_of(UINT64_C(0x94d049bb133111eb));
    mixed = undo_shift(mixed, 27) * inverse_of(UINT64_C(0xbf58476d1ce4e5b9));
    return undo_shift(mixed, 30);
}

/* Returns a label whose mix ends in fixed 32 bits, so all labels are in one slot of any hash table
 * by this mix. */
static double colliding_label(size_t i)
{
    uint64_t bits, high = (uint64_t)i;
    double label;

    do { /* one in a thousand is NaN or infinite */
        bits = undo_mix(high << 32 | 12345);
        memcpy(&label, &bits, sizeof label);
        high += 1 << 24;
    } while (!isfinite(label));
    assert_true(random_mix(bits) % (UINT64_C(1) << 32) == 12345);
    return label;
}

/* Returns a label that differs from others only in its last bits. */
static double close_label(size_t i)
{
    return 1 + (double)i * 0x1p-52;
}

static double whole_label(size_t i)
{
    return 1048576 * (double)i;
}

static double fraction_label(size_t i)
{
    return 0.1 + 0.37 * (double)i;
}

static size_t steps; /* number of tested bits */

static unsigned count_step(const void *label, size_t bit)
{
    steps++;
    return (unsigned)(*(const uint64_t *)label >> (64 - bit) & 1);
}

/* All labels get their numbers, with at most 64 steps to each in the table. A list for each slot
 * would need up to 8,192 steps. */
static void test_no_labels_are_slow(void **state)
{
    enum { ROWS = 1 << 13 };
    static double (*const label_of[])(size_t i) = {colliding_label, close_label, whole_label,
                                                   fraction_label};

    (void)state;
    for (size_t k = 0; k < sizeof label_of / sizeof *label_of; k++) {
        struct labels labels = {0};
        struct hinge_error error;

        for (size_t i = 0; i < ROWS; i++) {
            uint32_t number;

            assert_int_equal(labels_number(&labels, label_of[k](i), &number, &error), HINGE_OK);
            assert_int_equal(number, i);
        }
        for (size_t i = 0; i < ROWS; i++) {
            const double label = label_of[k](i);
            uint64_t bits;

            memcpy(&bits, &label, sizeof bits);
            assert_int_equal(labels_find(&labels, label), i);
            steps = 0;
            assert_int_equal(trie_find(labels.node,
                                       &labels.root[random_mix(bits) & (2 * labels.capacity - 1)],
                                       count_step, &bits),
                             i + 1);
            assert_in_range(steps, 0, 64);
        }
        assert_int_equal(labels.count, ROWS);
        labels_free(&labels);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes_stand_in_order_of_appearance),
        cmocka_unit_test(test_minus_one_and_one_put_one_first),
        cmocka_unit_test(test_minus_zero_is_zero),
        cmocka_unit_test(test_labels_need_not_be_whole),
        cmocka_unit_test(test_ten_thousand_classes_are_told_apart),
        cmocka_unit_test(test_no_labels_are_slow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
