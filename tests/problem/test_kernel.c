/* test_kernel.c - compares the loops over sparse vectors, for every kind of index and value, with
 * the same vector of indices of 32 bits and doubles, bit for bit except for wholes with a scale.
 * Every other vector without indices is long enough for the loops of kernel.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem/kernel.h"
#include "support.h"

enum { WIDTH = 60, VECTORS = 4000, SKIPPED = 3 /* entries before those of the vector */ };

/* A vector in one kind and in doubles. */
struct pair {
    uint8_t index8[WIDTH + SKIPPED];
    uint16_t index16[WIDTH + SKIPPED];
    uint32_t index32[WIDTH + SKIPPED];
    int32_t whole[WIDTH + SKIPPED];
    float single[WIDTH + SKIPPED];
    double value[WIDTH + SKIPPED];
    struct hinge_matrix drawn; /* has the entries of x */
    struct sparse x;
    struct sparse doubles;
    double tolerance; /* for a sum of WIDTH terms of about 1; 0: equal bits */
};

static void pair_draw(struct pair *pair, unsigned number, uint64_t *random)
{
    const enum hinge_index_kind index_kind = (enum hinge_index_kind)(number % 4);
    const enum hinge_value_kind value_kind = (enum hinge_value_kind)(number / 4 % 4);
    const int has_all = index_kind == HINGE_INDEX_NONE;
    const double scale = number / 16 % 2 ? 1000 : 1, share = has_all ? 1 : random_unit(random);
    const uint8_t width = has_all ? (uint8_t)(random_unit(random) * WIDTH) : WIDTH;
    void *const index[] = {pair->index8, pair->index16, pair->index32, NULL};
    void *const value[] = {NULL, pair->whole, pair->single, pair->value};
    struct hinge_matrix x = {.index_kind = index_kind,
                             .value_kind = value_kind,
                             .index = index[index_kind],
                             .value = value[value_kind],
                             .scale = value_kind == HINGE_VALUE_WHOLE ? scale : 0};
    size_t count = SKIPPED;

    for (size_t k = 0; k < SKIPPED; k++) /* must not be read */
        pair->index8[k] = UINT8_MAX, pair->index16[k] = UINT16_MAX, pair->index32[k] = UINT32_MAX;
    for (uint8_t j = 0; j < width; j++) {
        if (random_unit(random) >= share)
            continue;
        pair->index8[count] = j;
        pair->index32[count] = pair->index16[count] = j;
        pair->whole[count] = (int32_t)floor((4 * random_unit(random) - 2) * scale);
        pair->single[count] = (float)(4 * random_unit(random) - 2);
        pair->value[count] = 4 * random_unit(random) - 2;
        if (value_kind != HINGE_VALUE_DOUBLE)
            pair->value[count] = hinge_value(&x, count);
        count++;
    }
    pair->tolerance = value_kind == HINGE_VALUE_WHOLE && scale > 1 ? 1e-12 : 0;
    pair->x = sparse_part(&x, SKIPPED, count - SKIPPED);
    pair->drawn = x;
    pair->drawn.value = (void *)pair->x.value;
    pair->drawn.nonzeros = pair->x.count;
    x.index_kind = HINGE_INDEX_32;
    x.value_kind = HINGE_VALUE_DOUBLE;
    x.index = pair->index32;
    x.value = pair->value;
    pair->doubles = sparse_part(&x, SKIPPED, count - SKIPPED);
}

static void draw_dense(double *w, size_t count, uint64_t *random)
{
    for (size_t j = 0; j < count; j++)
        w[j] = 2 * random_unit(random) - 1;
}

static void expect_alike(const struct pair *pair, const double *one, const double *other,
                         size_t count)
{
    for (size_t j = 0; j < count; j++)
        assert_true(fabs(one[j] - other[j]) <= pair->tolerance);
}

/* Compares the sums of both vectors, and with long double up to rounding. */
static void check_sums(const struct pair *pair, const double *w)
{
    const double dot = sparse_dot(&pair->x, w), square = sparse_square(&pair->x);
    const double same_dot = sparse_dot(&pair->doubles, w);
    const double same_square = sparse_square(&pair->doubles);
    long double slow_dot = 0, slow_square = 0;
    double largest = pair->x.value_kind == HINGE_VALUE_ONE ? 1 : 0;

    for (size_t k = 0; k < pair->doubles.count; k++) {
        const long double value = pair->value[SKIPPED + k];

        slow_dot += value * w[pair->index32[SKIPPED + k]];
        slow_square += value * value;
        largest = fmax(largest, fabs(pair->value[SKIPPED + k]));
    }
    assert_true(matrix_largest(&pair->drawn) == largest);
    assert_true(fabs(same_dot - (double)slow_dot) <= 1e-12);
    assert_true(fabs(same_square - (double)slow_square) <= 1e-12);
    expect_alike(pair, &dot, &same_dot, 1);
    expect_alike(pair, &square, &same_square, 1);
}

static void test_kinds_have_the_same_sums(void **state)
{
    static struct pair pair;
    uint64_t random = 1;

    (void)state;
    for (unsigned number = 0; number < VECTORS; number++) {
        double w[WIDTH];

        pair_draw(&pair, number, &random);
        draw_dense(w, WIDTH, &random);
        assert_int_equal(pair.x.count, pair.doubles.count);
        for (size_t k = 0; k < pair.x.count; k++) {
            assert_int_equal(index_at(&pair.x, k), index_at(&pair.doubles, k));
            assert_true(fabs(value_at(&pair.x, k) - value_at(&pair.doubles, k)) <= pair.tolerance);
        }
        sparse_prefetch(&pair.x, number % WIDTH); /* must change nothing */
        check_sums(&pair, w);
    }
}

static void add_once(const struct sparse *x, double factor, double *w)
{
    sparse_add(x, factor, w);
}

static void test_kinds_add_the_same(void **state)
{
    static struct pair pair;
    uint64_t random = 2;

    (void)state;
    for (unsigned number = 0; number < 2 * VECTORS; number++) {
        void (*const add)(const struct sparse *x, double factor, double *w) =
            number < VECTORS ? add_once : sparse_add_squares;
        double one[WIDTH], other[WIDTH], slow[WIDTH];

        pair_draw(&pair, number, &random);
        draw_dense(one, WIDTH, &random);
        memcpy(other, one, sizeof one);
        memcpy(slow, one, sizeof one);
        add(&pair.x, -0.7, one);
        add(&pair.doubles, -0.7, other);
        for (size_t k = SKIPPED; k < SKIPPED + pair.x.count; k++)
            slow[pair.index32[k]] +=
                -0.7 * (number < VECTORS ? pair.value[k] : pair.value[k] * pair.value[k]);
        expect_alike(&pair, one, other, WIDTH);
        assert_memory_equal(other, slow, sizeof slow);
    }
}

/* Checks rows of a matrix without indices, in a random order, some of them twice. */
static void check_whole_rows(enum hinge_value_kind kind, size_t width, uint64_t *random)
{
    enum { ROWS = 9, LISTED = 7 };
    static const uint32_t row[LISTED] = {8, 0, 3, 3, 7, 1, 2};
    static int32_t whole[ROWS * WIDTH];
    static float single[ROWS * WIDTH];
    static double value[ROWS * WIDTH];
    void *const values[] = {NULL, whole, single, value};
    size_t start[ROWS + 1] = {0};
    const struct hinge_matrix x = {.rows = ROWS,
                                   .nonzeros = ROWS * width,
                                   .start = start,
                                   .index_kind = HINGE_INDEX_NONE,
                                   .value_kind = kind,
                                   .value = values[kind],
                                   .scale = kind == HINGE_VALUE_WHOLE ? 100 : 1};
    double w[WIDTH], dot[LISTED + 1] = {0}, factor[LISTED], other[WIDTH], slow[WIDTH];

    for (size_t i = 0; i < ROWS; i++)
        start[i + 1] = start[i] + width;
    for (size_t k = 0; k < ROWS * width; k++) {
        whole[k] = (int32_t)floor((4 * random_unit(random) - 2) * 100);
        single[k] = (float)(4 * random_unit(random) - 2);
        value[k] = 4 * random_unit(random) - 2;
    }
    draw_dense(w, WIDTH, random);
    draw_dense(factor, LISTED, random);
    memcpy(other, w, sizeof w);
    memcpy(slow, w, sizeof w);
    assert_true(has_whole_rows(&x));
    whole_rows_dot(&x, row, LISTED, w, dot);
    whole_rows_add(&x, row, LISTED, factor, other);
    assert_true(dot[LISTED] == 0);
    for (size_t k = 0; k < LISTED; k++) {
        const struct sparse one = sparse_row(&x, row[k]);
        const double its = sparse_dot(&one, w);

        assert_memory_equal(dot + k, &its, sizeof its);
        sparse_add(&one, factor[k], slow);
    }
    assert_memory_equal(other, slow, sizeof slow);
}

static void test_many_rows_are_as_each(void **state)
{
    uint64_t random = 3;

    (void)state;
    for (unsigned kind = 0; kind < 4; kind++)
        for (size_t width = 0; width <= WIDTH; width++)
            check_whole_rows((enum hinge_value_kind)kind, width, &random);
}

/* If a cache holds fewer rows, later rows of the list are prefetched. Sanitizers would find a read
 * after the last one. */
static void test_rows_beyond_the_cache(void **state)
{
    enum { ROWS = 600, COLUMNS = 500 };
    uint32_t *row = malloc(ROWS * sizeof *row);
    double *value = malloc(ROWS * COLUMNS * sizeof *value), w[COLUMNS], dot[ROWS];
    size_t start[ROWS + 1];
    const struct hinge_matrix x = {.rows = ROWS,
                                   .nonzeros = ROWS * COLUMNS,
                                   .start = start,
                                   .index_kind = HINGE_INDEX_NONE,
                                   .value_kind = HINGE_VALUE_DOUBLE,
                                   .value = value,
                                   .scale = 1};
    uint64_t random = 5;

    (void)state;
    assert_true(row && value);
    draw_dense(w, COLUMNS, &random);
    draw_dense(value, ROWS * COLUMNS, &random);
    for (size_t i = 0; i <= ROWS; i++)
        start[i] = i * COLUMNS;
    for (uint32_t i = 0; i < ROWS; i++)
        row[i] = i * 7 % ROWS;
    assert_true(whole_rows_wait(&x));
    whole_rows_dot(&x, row, ROWS, w, dot);
    for (size_t i = 0; i < ROWS; i++) {
        const struct sparse one = sparse_row(&x, row[i]);
        const double its = sparse_dot(&one, w);

        assert_memory_equal(dot + i, &its, sizeof its);
    }
    free(row);
    free(value);
}

static void test_dense_sums(void **state)
{
    double a[WIDTH], b[WIDTH];
    uint64_t random = 4;

    (void)state;
    for (size_t count = 0; count <= WIDTH; count++) {
        long double sum = 0, dot = 0;
        double largest = 0;
        size_t nonzeros = 0;

        draw_dense(a, WIDTH, &random);
        draw_dense(b, WIDTH, &random);
        for (size_t j = 0; j < count; j++) {
            a[j] = j % 7 == count % 7 ? 0 : a[j];
            nonzeros += a[j] != 0;
            sum += a[j];
            dot += (long double)a[j] * b[j];
            largest = fmax(largest, fabs(a[j]));
        }
        assert_true(fabs(dense_sum(a, count) - (double)sum) <= 1e-13);
        assert_true(fabs(dense_dot(a, b, count) - (double)dot) <= 1e-13);
        assert_true(dense_largest(a, count) == largest);
        assert_int_equal(dense_nonzeros(a, count), nonzeros);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_have_the_same_sums),
        cmocka_unit_test(test_kinds_add_the_same),
        cmocka_unit_test(test_many_rows_are_as_each),
        cmocka_unit_test(test_rows_beyond_the_cache),
        cmocka_unit_test(test_dense_sums),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
