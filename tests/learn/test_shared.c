/* test_shared.c - the data that problems of a path share equal those that each would form itself.
 */
#include "toy.h"

#include <stdlib.h>
#include <string.h>

#include "learn/path.h"
#include "solver/linear/column_cache.h"

enum { ROWS = 60, FEATURES = 600, EACH = 7, CLASSES = 3 };

/* Sparse rows of three classes, each with features of its own. */
struct wide {
    struct hinge_dataset data; /* points into this struct */
    size_t start[ROWS + 1];
    uint32_t index[ROWS * EACH];
    double value[ROWS * EACH];
    double label[ROWS];
    struct hinge_parameters parameters;
    struct classes classes;
    struct path path;
};

static void wide_draw(struct wide *wide, int solver, uint64_t seed)
{
    struct hinge_error error;
    uint64_t state = seed + 1;

    memset(wide, 0, sizeof *wide);
    for (size_t i = 0; i < ROWS; i++) {
        wide->label[i] = (double)(i % CLASSES);
        for (size_t k = 0; k < EACH; k++) {
            const size_t part = FEATURES / EACH;
            size_t feature = k * part + random_index(&state, part / CLASSES);

            feature += random_index(&state, 4) ? i % CLASSES * (part / CLASSES) : 0;
            wide->index[i * EACH + k] = (uint32_t)feature;
            wide->value[i * EACH + k] = random_unit(&state) + 0.5;
        }
        wide->start[i + 1] = (i + 1) * EACH;
    }
    wide->data.x = (struct hinge_matrix){.rows = ROWS,
                                         .nonzeros = (size_t)ROWS * EACH,
                                         .start = wide->start,
                                         .index = wide->index,
                                         .index_kind = HINGE_INDEX_32,
                                         .value = wide->value,
                                         .value_kind = HINGE_VALUE_DOUBLE};
    wide->data.features = FEATURES;
    wide->data.label = wide->label;
    wide->parameters = parameters_default();
    wide->parameters.solver = solver;
    wide->path = (struct path){.data = &wide->data,
                               .parameters = &wide->parameters,
                               .rows = ROWS,
                               .C = &wide->parameters.C,
                               .count = 1};
    assert_int_equal(path_begin(&wide->path, &wide->classes, &error), HINGE_OK);
    assert_int_equal(wide->classes.count, CLASSES);
}

static void wide_free(struct wide *wide)
{
    classes_free(&wide->classes);
}

/* Returns the entry of a column for the path's row s, or 0 if there is none. */
static double entry_of(const struct hinge_matrix *columns, size_t feature, size_t s)
{
    for (size_t k = columns->start[feature]; k < columns->start[feature + 1]; k++)
        if (((const uint32_t *)columns->index)[k] == s)
            return ((const double *)columns->value)[k];
    return 0;
}

static void check_squares(const struct wide *wide, const struct shared *shared)
{
    for (size_t s = 0; s < wide->path.rows; s++) {
        const uint32_t row = path_row(&wide->path, s);
        const struct problem alone = {.data = &wide->data, .row = &row, .rows = 1};

        assert_true(shared->square[row] == problem_square(&alone, 0));
    }
}

static void check_columns(const struct wide *wide, const struct shared *shared)
{
    assert_int_equal(shared->columns->x->nonzeros, wide->path.rows * EACH);
    for (size_t s = 0; s < wide->path.rows; s++)
        for (size_t k = 0; k < EACH; k++) {
            const size_t at = path_row(&wide->path, s) * (size_t)EACH + k;

            assert_true(entry_of(shared->columns->x, wide->index[at], s) == wide->value[at]);
        }
}

static void test_shared_rows_are_the_path_s(void **state)
{
    static struct wide wide;
    static const uint32_t some[] = {1, 2, 6, 30, 31, 59};
    struct hinge_error error;
    struct shared shared;

    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        wide_draw(&wide, 5, seed);
        if (seed % 2) {
            wide.path.row = some;
            wide.path.rows = COUNT(some);
        }
        assert_int_equal(shared_new(&shared, &wide.path, &error), HINGE_OK);
        check_squares(&wide, &shared);
        check_columns(&wide, &shared);
        shared_free(&shared);
        wide_free(&wide);
    }
}

/* A single training shares nothing. Columns are shared only for solvers that use them. */
static void test_only_what_is_used_is_shared(void **state)
{
    static struct wide wide;
    static const double C[] = {1, 2};
    struct hinge_error error;
    struct shared shared;

    (void)state;
    wide_draw(&wide, 4, 0); /* all classes in one problem */
    assert_int_equal(shared_new(&shared, &wide.path, &error), HINGE_OK);
    assert_true(!shared.square && !shared.columns);
    wide.path.C = C;
    wide.path.count = 2;
    assert_int_equal(shared_new(&shared, &wide.path, &error), HINGE_OK);
    assert_true(shared.square && !shared.columns);
    shared_free(&shared);
    wide_free(&wide);
    wide_draw(&wide, 30, 0);
    assert_int_equal(shared_new(&shared, &wide.path, &error), HINGE_OK);
    assert_true(!shared.square && !shared.columns);
    wide_free(&wide);
}

static struct hinge_model *train_wide(const struct wide *wide)
{
    struct hinge_error error;
    struct hinge_model *model = hinge_train(&wide->data, &wide->parameters, NULL, &error);

    assert_non_null(model);
    return model;
}

/* A class of three, which share data, has the same bits as the class against all others as one,
 * also if a class with weight 0 leaves rows out. */
static void test_classes_that_share_are_as_alone(void **state)
{
    static const int solvers[] = {0, 1, 2, 3, 5, 6};
    static const double none = 2, zero = 0;
    static struct wide wide;

    (void)state;
    for (size_t number = 0; number < 2 * COUNT(solvers); number++) {
        struct hinge_model *all;
        double label[ROWS];

        wide_draw(&wide, solvers[number / 2], number);
        wide.parameters.C = 4;
        if (number % 2) {
            wide.parameters.weights = 1;
            wide.parameters.weight_label = &none;
            wide.parameters.weight = &zero;
        }
        all = train_wide(&wide);
        memcpy(label, wide.label, sizeof label);
        for (size_t c = 0; c < CLASSES && number % 2 == 0; c++) {
            struct hinge_model *one;
            double largest = 0;

            for (size_t i = 0; i < ROWS; i++)
                wide.label[i] = label[i] == all->label[c] ? 1 : -1;
            one = train_wide(&wide);
            for (size_t j = 0; j < FEATURES; j++) {
                assert_true(one->weight[j] == all->weight[j * CLASSES + c]);
                largest = one->weight[j] > largest ? one->weight[j] : largest;
            }
            assert_true(largest > 0);
            hinge_model_free(one);
        }
        for (size_t c = 0; c < CLASSES; c++)
            assert_int_equal(all->result[c].outcome, HINGE_CERTIFIED);
        hinge_model_free(all);
        wide_free(&wide);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_rows_are_the_path_s),
        cmocka_unit_test(test_only_what_is_used_is_shared),
        cmocka_unit_test(test_classes_that_share_are_as_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
