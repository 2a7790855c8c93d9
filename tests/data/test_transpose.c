/* test_transpose.c - compares the transpose with a dense table, for every kind of index and value.
 */
#include <stdlib.h>
#include <string.h>

#include "data/transpose.h"
#include "support.h"

enum { ROWS = 40, FEATURES = 30, PROBLEMS = 400, FILLS = 4 };

/* A dataset, and a dense table of its entries. 0 means that there is no entry. */
struct dense {
    struct hinge_dataset data;
    size_t start[ROWS + 1];
    uint32_t index[ROWS * FEATURES];
    int32_t whole[ROWS * FEATURES]; /* values before they are stored in their kind */
    double table[ROWS][FEATURES];
};

static void store_index(struct hinge_matrix *x, size_t k, uint32_t index)
{
    if (x->index_kind == HINGE_INDEX_8)
        ((uint8_t *)x->index)[k] = (uint8_t)index;
    else if (x->index_kind == HINGE_INDEX_16)
        ((uint16_t *)x->index)[k] = (uint16_t)index;
    else if (x->index_kind == HINGE_INDEX_32)
        ((uint32_t *)x->index)[k] = index;
}

static void store_value(struct hinge_matrix *x, size_t k, int32_t whole)
{
    if (x->value_kind == HINGE_VALUE_WHOLE)
        ((int32_t *)x->value)[k] = whole;
    else if (x->value_kind == HINGE_VALUE_FLOAT)
        ((float *)x->value)[k] = (float)whole / 7;
    else if (x->value_kind == HINGE_VALUE_DOUBLE)
        ((double *)x->value)[k] = whole / 7.0;
}

/* Stores the entries in arrays of their exact size, so that a sanitizer finds reads outside. */
static void compress(struct dense *dense)
{
    static const size_t size[] = {0, sizeof(int32_t), sizeof(float), sizeof(double)};
    struct hinge_matrix *x = &dense->data.x;

    if (x->index_kind != HINGE_INDEX_NONE)
        x->index = malloc((x->nonzeros << x->index_kind) + (x->nonzeros == 0));
    if (x->value_kind != HINGE_VALUE_ONE)
        x->value = malloc(x->nonzeros * size[x->value_kind] + (x->nonzeros == 0));
    assert_true((x->index || x->index_kind == HINGE_INDEX_NONE) &&
                (x->value || x->value_kind == HINGE_VALUE_ONE));
    for (size_t k = 0; k < x->nonzeros; k++) {
        store_index(x, k, dense->index[k]);
        store_value(x, k, dense->whole[k]);
    }
    for (size_t i = 0; i < x->rows; i++)
        for (size_t k = x->start[i]; k < x->start[i + 1]; k++)
            dense->table[i][hinge_index(x, k)] = hinge_value(x, k);
}

/* Draws a dataset whose kinds depend on the number. Some rows and features have no entry, if the
 * kind allows it. */
static void dense_draw(struct dense *dense, unsigned number, uint64_t *random)
{
    struct hinge_matrix *x = &dense->data.x;
    const double density = random_unit(random);

    memset(dense, 0, sizeof *dense);
    dense->data.features = number % 17 ? (uint32_t)(1 + draw_below(random, FEATURES)) : 0;
    x->rows = 1 + draw_below(random, ROWS);
    x->start = dense->start;
    x->index_kind = (enum hinge_index_kind)(number % 4);
    x->value_kind = (enum hinge_value_kind)(number / 4 % 4);
    x->scale = x->value_kind == HINGE_VALUE_WHOLE ? 1000 : 0;
    for (size_t i = 0; i < x->rows; i++) {
        const double share = x->index_kind == HINGE_INDEX_NONE ? 2
                             : random_unit(random) < 0.2       ? 0
                                                               : density;

        for (uint32_t j = 0; j < dense->data.features; j++)
            if (random_unit(random) < share) {
                dense->index[x->nonzeros] = j;
                dense->whole[x->nonzeros++] = 1 + (int32_t)draw_below(random, 100000);
            }
        x->start[i + 1] = x->nonzeros;
    }
    compress(dense);
}

static void check_column(const struct dense *dense, const struct hinge_matrix *transpose,
                         const uint32_t *row, uint32_t count, uint32_t j)
{
    size_t k = transpose->start[j];

    for (uint32_t s = 0; s < count; s++)
        if (dense->table[row[s]][j] != 0) {
            assert_true(k < transpose->start[j + 1]);
            assert_int_equal(hinge_index(transpose, k), s);
            assert_true(hinge_value(transpose, k) == dense->table[row[s]][j]);
            k++;
        }
    assert_int_equal(k, transpose->start[j + 1]);
}

static void check_transpose(const struct dense *dense, const struct hinge_matrix *transpose,
                            const uint32_t *row, uint32_t count)
{
    size_t nonzeros = 0;

    for (uint32_t s = 0; s < count; s++)
        nonzeros += dense->data.x.start[row[s] + 1] - dense->data.x.start[row[s]];
    assert_int_equal(transpose->rows, dense->data.features);
    assert_int_equal(transpose->index_kind, dense->data.x.index_kind == HINGE_INDEX_NONE
                                                ? HINGE_INDEX_NONE
                                                : HINGE_INDEX_32);
    assert_int_equal(transpose->value_kind, dense->data.x.value_kind);
    assert_int_equal(transpose->nonzeros, nonzeros);
    assert_int_equal(transpose->start[0], 0);
    assert_int_equal(transpose->start[transpose->rows], nonzeros);
    for (uint32_t j = 0; j < dense->data.features; j++)
        check_column(dense, transpose, row, count, j);
}

/* The arrays have exactly the size of the rows' entries, and are filled several times, from other
 * rows. */
static void test_transpose_of_chosen_rows(void **state)
{
    static struct dense dense;
    uint64_t random = 1;
    struct hinge_error error;

    (void)state;
    for (unsigned number = 0; number < PROBLEMS; number++) {
        uint32_t row[FILLS][ROWS], count[FILLS];
        struct hinge_matrix *transpose;
        size_t most = 0;

        dense_draw(&dense, number, &random);
        for (int f = 0; f < FILLS; f++) {
            size_t nonzeros = 0;

            count[f] = (uint32_t)draw_below(&random, ROWS + 1);
            for (uint32_t s = 0; s < count[f]; s++) {
                row[f][s] = (uint32_t)draw_below(&random, dense.data.x.rows); /* may repeat */
                nonzeros += dense.start[row[f][s] + 1] - dense.start[row[f][s]];
            }
            most = nonzeros > most ? nonzeros : most;
        }
        transpose = transpose_new(&dense.data, most, &error);
        assert_non_null(transpose);
        check_transpose(&dense, transpose, row[0], 0);
        for (int f = 0; f < FILLS; f++) {
            transpose_fill(transpose, &dense.data, row[f], count[f]);
            check_transpose(&dense, transpose, row[f], count[f]);
        }
        transpose_free(transpose);
        free(dense.data.x.index);
        free(dense.data.x.value);
    }
}

static void test_transpose_of_the_transpose(void **state)
{
    static struct dense dense;
    uint64_t random = 2;
    struct hinge_error error;

    (void)state;
    for (unsigned number = 0; number < PROBLEMS; number++) {
        const struct hinge_matrix *x = &dense.data.x;
        uint32_t all[ROWS];
        struct hinge_matrix *once, *twice;
        struct hinge_dataset columns;

        for (uint32_t i = 0; i < ROWS; i++)
            all[i] = i;
        dense_draw(&dense, number, &random);
        once = transpose_new(&dense.data, x->nonzeros, &error);
        assert_non_null(once);
        transpose_fill(once, &dense.data, all, (uint32_t)x->rows);
        columns = (struct hinge_dataset){.x = *once, .features = (uint32_t)x->rows};
        twice = transpose_new(&columns, once->nonzeros, &error);
        assert_non_null(twice);
        transpose_fill(twice, &columns, all, dense.data.features);
        assert_int_equal(twice->rows, x->rows);
        assert_memory_equal(twice->start, x->start, (x->rows + 1) * sizeof *x->start);
        for (size_t k = 0; k < x->nonzeros; k++) {
            assert_int_equal(hinge_index(twice, k), hinge_index(x, k));
            assert_true(hinge_value(twice, k) == hinge_value(x, k));
        }
        transpose_free(once);
        transpose_free(twice);
        free(dense.data.x.index);
        free(dense.data.x.value);
    }
}

/* Sizes beyond any memory are refused without a leak. */
static void test_refuses_what_has_no_room(void **state)
{
    size_t start[2] = {0, 0};
    struct hinge_dataset data = {.x = {.rows = 1, .start = start}, .features = 3};

    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) {
        struct hinge_error error = {HINGE_OK, ""};

        data.x.value_kind = (enum hinge_value_kind)kind;
        assert_null(transpose_new(&data, SIZE_MAX / 2, &error));
        assert_int_equal(error.status, HINGE_NO_MEMORY);
    }
    transpose_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transpose_of_chosen_rows),
        cmocka_unit_test(test_transpose_of_the_transpose),
        cmocka_unit_test(test_refuses_what_has_no_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
