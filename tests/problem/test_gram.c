/* test_gram.c - sums of outer products, for every kind of index and value, equal those in long
 * double up to rounding. They are the same bit for bit for any number of rows at a time, scattered
 * or in tiles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem/gram.h"
#include "support.h"

enum { WIDEST = 300, ROWS = 21, SETS = 320 };

/* Rows of one kind, and the same rows as doubles with indices. */
struct rows {
    size_t features, start[ROWS + 1];
    struct hinge_matrix x, doubles;
    uint8_t index8[ROWS * WIDEST];
    uint16_t index16[ROWS * WIDEST];
    uint32_t index32[ROWS * WIDEST];
    int32_t whole[ROWS * WIDEST];
    float single[ROWS * WIDEST];
    double value[ROWS * WIDEST], table[ROWS][WIDEST], weight[ROWS], constant;
    int has_constant;
};

/* Draws rows of about the width of tiles, or small ones, with a share of entries near the one at
 * which tiles begin to pay. */
static void rows_draw(struct rows *rows, unsigned number, uint64_t *random)
{
    static const size_t widths[] = {1, 2, 3, 7, 16, 64, 127, 128, 129, 256, 299};
    void *const index[] = {rows->index8, rows->index16, rows->index32, NULL};
    void *const value[] = {NULL, rows->whole, rows->single, rows->value};
    struct hinge_matrix *x = &rows->x;
    double share;

    memset(rows, 0, sizeof *rows);
    rows->has_constant = random_unit(random) < 0.5;
    rows->constant = rows->has_constant ? 3 * random_unit(random) : 0;
    x->index_kind = (enum hinge_index_kind)(number % 4);
    x->value_kind = (enum hinge_value_kind)(number / 4 % 4);
    rows->features = widths[(size_t)(random_unit(random) * 11)];
    if (x->index_kind == HINGE_INDEX_8 && rows->features > 256)
        rows->features = 256;
    share = x->index_kind == HINGE_INDEX_NONE ? 1 : number / 16 % 2 ? 0.3 : 0.9;
    x->rows = ROWS;
    x->start = rows->start;
    x->index = index[x->index_kind];
    x->value = value[x->value_kind];
    x->scale = 1000;
    for (size_t i = 0; i < ROWS; i++) {
        rows->weight[i] = random_unit(random) < 0.2 ? 0 : 2 * random_unit(random) - 0.5;
        for (size_t j = 0; j < rows->features; j++) {
            const size_t k = x->nonzeros;

            if (random_unit(random) > share)
                continue;
            rows->index8[k] = (uint8_t)j;
            rows->index16[k] = (uint16_t)j;
            rows->index32[k] = (uint32_t)j;
            rows->whole[k] = (int32_t)(4000 * random_unit(random)) - 2000;
            rows->single[k] = (float)(4 * random_unit(random) - 2);
            rows->value[k] = 4 * random_unit(random) - 2;
            x->nonzeros++;
        }
        x->start[i + 1] = x->nonzeros;
    }
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = x->start[i]; k < x->start[i + 1]; k++) {
            const struct sparse row = sparse_part(x, x->start[i], x->start[i + 1] - x->start[i]);

            rows->table[i][rows->index32[k]] = value_at(&row, k - x->start[i]);
        }
    rows->doubles = *x;
    rows->doubles.index_kind = HINGE_INDEX_32;
    rows->doubles.index = rows->index32;
    rows->doubles.value_kind = HINGE_VALUE_DOUBLE;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = x->start[i]; k < x->start[i + 1]; k++)
            rows->value[k] = rows->table[i][rows->index32[k]];
    rows->doubles.value = rows->value;
}

static size_t width_of(const struct rows *rows)
{
    return rows->features + (size_t)rows->has_constant;
}

static void add(const struct rows *rows, const struct hinge_matrix *x, size_t at_a_time,
                double *matrix)
{
    struct gram_rows some = {.constant = rows->constant, .has_constant = rows->has_constant};

    for (size_t i = 0; i < ROWS; i++) {
        some.x[some.count] = sparse_part(x, x->start[i], x->start[i + 1] - x->start[i]);
        some.weight[some.count++] = rows->weight[i];
        if (some.count == at_a_time || i + 1 == ROWS) {
            gram_add(&some, matrix, width_of(rows));
            some.count = 0;
        }
    }
}

static void add_lines(const struct rows *rows, double *matrix)
{
    const size_t width = width_of(rows);

    for (size_t first = 0; first < width; first += GRAM_LINES) {
        struct gram_rows some = {.constant = rows->constant, .has_constant = rows->has_constant};

        for (size_t i = 0; i < ROWS; i++) {
            const size_t start = rows->x.start[i];

            some.x[some.count] = sparse_part(&rows->x, start, rows->x.start[i + 1] - start);
            some.weight[some.count++] = rows->weight[i];
            if (some.count == GRAM_ROWS || i + 1 == ROWS) {
                gram_add_lines(&some, first, matrix + first * width, width);
                some.count = 0;
            }
        }
    }
}

/* Checks the sums of (w x_i) x_j in long double, and that the lower triangle has not changed. */
static void check_sum(const struct rows *rows, const double *before, const double *matrix)
{
    const size_t width = width_of(rows);

    for (size_t i = 0; i < width; i++)
        for (size_t j = 0; j < width; j++) {
            long double sum = before[i * width + j], size = fabs(before[i * width + j]);

            for (size_t k = 0; k < ROWS && j >= i; k++) {
                const double a = i < rows->features ? rows->table[k][i] : rows->constant;
                const double b = j < rows->features ? rows->table[k][j] : rows->constant;

                sum += (long double)rows->weight[k] * a * b;
                size += fabsl((long double)rows->weight[k] * a * b);
            }
            assert_true(fabsl(sum - matrix[i * width + j]) <= (j < i ? 0 : 1e-15L * 30 * size));
        }
}

static void test_outer_products_of_every_kind(void **state)
{
    static struct rows rows;
    static double before[WIDEST * WIDEST], all[WIDEST * WIDEST], some[WIDEST * WIDEST];
    uint64_t random = 1;

    (void)state;
    for (unsigned number = 0; number < SETS; number++) {
        const size_t size = sizeof(double);
        size_t numbers;

        rows_draw(&rows, number, &random);
        numbers = width_of(&rows) * width_of(&rows);
        for (size_t k = 0; k < numbers; k++)
            before[k] = 2 * random_unit(&random) - 1;
        memcpy(all, before, numbers * size);
        add(&rows, &rows.x, GRAM_ROWS, all);
        check_sum(&rows, before, all);
        for (size_t at_a_time = 1; at_a_time < GRAM_ROWS; at_a_time += 3) {
            memcpy(some, before, numbers * size);
            add(&rows, &rows.x, at_a_time, some);
            assert_memory_equal(some, all, numbers * size);
        }
        memcpy(some, before, numbers * size);
        add(&rows, &rows.doubles, GRAM_ROWS, some);
        assert_memory_equal(some, all, numbers * size);
        memcpy(some, before, numbers * size);
        add_lines(&rows, some);
        assert_memory_equal(some, all, numbers * size);
    }
}

/* Rows with few features are among rows with all features. Scattered or in tiles, each number is
 * the same sum. */
static void test_scattered_and_in_tiles_alike(void **state)
{
    static struct rows rows;
    static double once[WIDEST * WIDEST], apart[WIDEST * WIDEST];
    uint64_t random = 2;

    (void)state;
    for (unsigned number = 0; number < SETS / 4; number++) {
        struct hinge_matrix cut;
        size_t numbers;

        rows_draw(&rows, 2 + 16 * number, &random);
        numbers = width_of(&rows) * width_of(&rows);
        cut = rows.doubles;
        for (size_t i = 0; i < ROWS; i += 3) /* every third row keeps its first quarter only */
            for (size_t k = cut.start[i] + (cut.start[i + 1] - cut.start[i]) / 4;
                 k < cut.start[i + 1]; k++)
                rows.value[k] = 0;
        memset(once, 0, sizeof once);
        memset(apart, 0, sizeof apart);
        add(&rows, &cut, GRAM_ROWS, once);
        for (size_t i = 0; i < ROWS; i++) {
            struct gram_rows one = {1, {{0}}, {rows.weight[i]}, rows.constant, rows.has_constant};
            size_t count = cut.start[i + 1] - cut.start[i];

            one.x[0] = sparse_part(&cut, cut.start[i], i % 3 == 0 ? count / 4 : count);
            gram_add(&one, apart, width_of(&rows));
        }
        assert_memory_equal(once, apart, numbers * sizeof *once);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outer_products_of_every_kind),
        cmocka_unit_test(test_scattered_and_in_tiles_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
