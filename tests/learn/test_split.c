/* test_split.c - folds: their counts, their seed, and that they are drawn at random. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/folds.h"

/* Some rows of a data set, and their folds. */
struct deal {
    size_t data_rows; /* number of rows of the data */
    uint32_t class_of[256];
    size_t rows;
    uint32_t row[256];
    size_t classes;
    size_t folds;
    uint32_t fold[256];
};

static void split(struct deal *deal, uint64_t seed)
{
    struct hinge_error error = {HINGE_OK, ""};

    memset(deal->fold, 0xff, sizeof deal->fold);
    assert_int_equal(split_folds(deal->row, deal->rows, deal->class_of, deal->classes, deal->folds,
                                 seed, deal->fold, &error),
                     HINGE_OK);
}

/* Checks that the folds' numbers of rows of class c (or of all rows, if c is no class) differ by at
 * most one. */
static void check_counts(const struct deal *deal, size_t c)
{
    size_t count[256] = {0}, least = SIZE_MAX, most = 0;

    for (size_t i = 0; i < deal->rows; i++)
        count[deal->fold[i]] += c == deal->classes || deal->class_of[deal->row[i]] == c;
    for (size_t f = 0; f < deal->folds; f++) {
        least = count[f] < least ? count[f] : least;
        most = count[f] > most ? count[f] : most;
    }
    if (most > least + 1)
        fail_msg("%lu rows, %lu folds, class %lu of %lu: a fold has %lu, another %lu",
                 (unsigned long)deal->rows, (unsigned long)deal->folds, (unsigned long)c,
                 (unsigned long)deal->classes, (unsigned long)least, (unsigned long)most);
}

static void check_deal(struct deal *deal, uint64_t seed)
{
    split(deal, seed);
    for (size_t i = 0; i < deal->rows; i++)
        assert_true(deal->fold[i] < deal->folds);
    for (size_t i = deal->rows; i < 256; i++)
        assert_true(deal->fold[i] == UINT32_MAX);
    for (size_t c = 0; c <= deal->classes; c++)
        check_counts(deal, c);
}

/* Draws each row of the data with that probability. Sizes of classes differ as much as possible. */
static void deal_draw(struct deal *deal, uint64_t *random, size_t data_rows, double share)
{
    deal->data_rows = data_rows;
    deal->classes = 1 + draw_below(random, 9);
    deal->rows = 0;
    for (size_t i = 0; i < data_rows; i++) {
        const double u = random_unit(random);

        deal->class_of[i] = (uint32_t)(u * u * u * (double)deal->classes);
        if (random_unit(random) < share || (deal->rows == 0 && i + 1 == data_rows))
            deal->row[deal->rows++] = (uint32_t)i;
    }
}

static void test_folds_are_alike_in_every_class(void **state)
{
    static struct deal deal;
    uint64_t random = 1;

    (void)state;
    for (int n = 0; n < 20000; n++) {
        deal_draw(&deal, &random, 1 + draw_below(&random, n % 10 ? 40 : 256), n % 3 ? 1 : 0.6);
        deal.folds = 1 + draw_below(&random, n % 4 ? 12 : deal.rows);
        check_deal(&deal, random_bits(&random));
        deal.folds = deal.rows;
        check_deal(&deal, random_bits(&random));
    }
}

static void test_folds_of_one_row(void **state)
{
    struct deal deal = {.data_rows = 1, .rows = 1, .classes = 1};

    (void)state;
    for (deal.folds = 1; deal.folds < 5; deal.folds++)
        check_deal(&deal, deal.folds);
}

static void test_seed_decides_the_folds(void **state)
{
    static struct deal one, other;
    uint64_t random = 2;

    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        deal_draw(&one, &random, 60, 1);
        one.classes = 2;
        for (size_t i = 0; i < 60; i++)
            one.class_of[i] %= 2;
        one.folds = 2 + seed % 8;
        other = one;
        split(&one, seed);
        split(&other, seed);
        assert_memory_equal(one.fold, other.fold, sizeof one.fold);
        split(&other, seed + 1);
        assert_memory_not_equal(one.fold, other.fold, sizeof one.fold);
    }
}

/* Over many seeds, a row is in each fold equally often, and two rows of a class share a fold as
 * often as by chance. Each count is within five standard deviations. */
static void test_folds_are_drawn_at_random(void **state)
{
    enum { SEEDS = 4000, ROWS = 12, FOLDS = 3 };
    static struct deal deal = {.data_rows = ROWS, .rows = ROWS, .classes = 1, .folds = FOLDS};
    int in[ROWS][FOLDS] = {{0}}, together[ROWS][ROWS] = {{0}};
    const double share = 1.0 / FOLDS, pair = (ROWS / FOLDS - 1.0) / (ROWS - 1);

    (void)state;
    for (uint32_t i = 0; i < ROWS; i++)
        deal.row[i] = i;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        split(&deal, seed);
        for (size_t i = 0; i < ROWS; i++) {
            in[i][deal.fold[i]]++;
            for (size_t j = 0; j < i; j++)
                together[i][j] += deal.fold[i] == deal.fold[j];
        }
    }
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t f = 0; f < FOLDS; f++)
            assert_true(fabs(in[i][f] - SEEDS * share) < 5 * sqrt(SEEDS * share * (1 - share)));
        for (size_t j = 0; j < i; j++)
            assert_true(fabs(together[i][j] - SEEDS * pair) < 5 * sqrt(SEEDS * pair * (1 - pair)));
    }
}

/* ---- Groups ------------------------------------------------------------ */

enum { MOST_GROUPED = 300 };

/* Rows of the data: `row` lists the rows that are used, and each row has the number of its group.
 */
struct grouped {
    size_t rows;
    uint32_t row[MOST_GROUPED];
    uint32_t group_of[MOST_GROUPED];
    size_t folds;
    uint32_t fold[MOST_GROUPED];
};

static enum hinge_status deal_whole(struct grouped *grouped, uint64_t seed)
{
    struct hinge_error error;

    return split_groups(grouped->row, grouped->rows, grouped->group_of, grouped->folds, seed,
                        grouped->fold, &error);
}

/* Draws groups of random size with numbers far apart, and leaves out a third of the data's rows. */
static size_t grouped_draw(struct grouped *grouped, uint64_t *state, size_t rows, size_t groups)
{
    size_t found = 0;

    grouped->rows = 0;
    for (uint32_t i = 0; i < rows; i++) {
        const size_t one = draw_below(state, groups), other = draw_below(state, groups);

        grouped->group_of[i] = (uint32_t)(one < other ? one : other) * 12345678u;
        if (i == 0 || draw_below(state, 3))
            grouped->row[grouped->rows++] = i;
    }
    for (size_t k = 0; k < grouped->rows; k++) {
        size_t j = 0;

        while (grouped->group_of[grouped->row[j]] != grouped->group_of[grouped->row[k]])
            j++;
        found += j == k;
    }
    return found;
}

static int is_less(const void *one, const void *other)
{
    const size_t a = *(const size_t *)one, b = *(const size_t *)other;

    return (a > b) - (a < b);
}

/* Computes the numbers of rows in the folds, ascending: deals the groups, the largest first, to the
 * fold with the fewest rows. The order of equal folds does not matter. */
static void deal_slowly(const struct grouped *grouped, size_t *rows_of)
{
    size_t size[MOST_GROUPED] = {0};

    for (size_t k = 0; k < grouped->rows; k++)
        for (size_t j = 0; j <= k; j++)
            if (grouped->group_of[grouped->row[j]] == grouped->group_of[grouped->row[k]]) {
                size[j]++;
                break;
            }
    memset(rows_of, 0, grouped->folds * sizeof *rows_of);
    for (size_t dealt = 0; dealt < grouped->rows; dealt++) {
        size_t largest = 0, least = 0;

        for (size_t k = 1; k < grouped->rows; k++)
            largest = size[k] > size[largest] ? k : largest;
        for (size_t f = 1; f < grouped->folds; f++)
            least = rows_of[f] < rows_of[least] ? f : least;
        rows_of[least] += size[largest];
        size[largest] = 0;
    }
    qsort(rows_of, grouped->folds, sizeof *rows_of, is_less);
}

static void check_whole(struct grouped *grouped, uint64_t seed)
{
    size_t rows_of[MOST_GROUPED] = {0}, expected[MOST_GROUPED];

    assert_int_equal(deal_whole(grouped, seed), HINGE_OK);
    for (size_t k = 0; k < grouped->rows; k++) {
        assert_true(grouped->fold[k] < grouped->folds);
        rows_of[grouped->fold[k]]++;
        for (size_t j = 0; j < k; j++)
            if (grouped->group_of[grouped->row[j]] == grouped->group_of[grouped->row[k]])
                assert_int_equal(grouped->fold[j], grouped->fold[k]);
    }
    deal_slowly(grouped, expected);
    qsort(rows_of, grouped->folds, sizeof *rows_of, is_less);
    assert_memory_equal(rows_of, expected, grouped->folds * sizeof *rows_of);
    assert_true(rows_of[0] > 0);
}

static void test_groups_stay_whole(void **state)
{
    static struct grouped grouped;
    uint64_t random = 3;

    (void)state;
    for (int n = 0; n < 3000; n++) {
        const size_t groups =
            grouped_draw(&grouped, &random, 1 + draw_below(&random, n % 9 ? 40 : 300),
                         1 + draw_below(&random, 60));

        grouped.folds = 1 + draw_below(&random, groups);
        check_whole(&grouped, random_bits(&random));
        grouped.folds = groups + 1;
        assert_int_equal(deal_whole(&grouped, 1), HINGE_BAD_ARGUMENT);
    }
}

/* With as many groups as folds, fold k has the k-th number, for any seed, as with a file of folds.
 */
static void test_as_many_groups_as_folds(void **state)
{
    static struct grouped grouped = {.rows = 8,
                                     .row = {0, 1, 2, 3, 5, 6, 7, 8},
                                     .group_of = {9, 2, 2, 40, 77, 9, 40, 2, 9},
                                     .folds = 3};
    static const uint32_t expected[] = {1, 0, 0, 2, 1, 2, 0, 1};

    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        check_whole(&grouped, seed);
        assert_memory_equal(grouped.fold, expected, sizeof expected);
    }
}

static void test_seed_decides_where_groups_go(void **state)
{
    static struct grouped one, other;

    (void)state;
    one.rows = 60;
    one.folds = 4;
    for (uint32_t i = 0; i < 60; i++) {
        one.row[i] = i;
        one.group_of[i] = i / 3;
    }
    for (uint64_t seed = 0; seed < 200; seed++) {
        other = one;
        check_whole(&one, seed);
        check_whole(&other, seed);
        assert_memory_equal(one.fold, other.fold, sizeof one.fold);
        check_whole(&other, seed + 1);
        assert_memory_not_equal(one.fold, other.fold, sizeof one.fold);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folds_are_alike_in_every_class),
        cmocka_unit_test(test_folds_of_one_row),
        cmocka_unit_test(test_seed_decides_the_folds),
        cmocka_unit_test(test_folds_are_drawn_at_random),
        cmocka_unit_test(test_groups_stay_whole),
        cmocka_unit_test(test_as_many_groups_as_folds),
        cmocka_unit_test(test_seed_decides_where_groups_go),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
