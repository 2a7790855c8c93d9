/* test_class_blocks.c - what the factors solve, put into the blocks as the rows define them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_problem.h"
#include "solver/linear/class_blocks.h"

enum { CLASSES = 3 };

struct blocks_case {
    struct random_problem random;
    struct class_blocks blocks;
    size_t order;
    uint32_t *row;  /* [rows] those of a block, */
    double *weight; /* and their weights; of class m so many: */
    size_t first[CLASSES + 1];
    double *mean; /* [(order + 1) CLASSES] */
    double total[CLASSES];
    void *memory;
};

/* Some rows for each class; the classes of the rows do not matter. */
static void draw(struct blocks_case *of, uint64_t number, enum bias_kind bias_kind)
{
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    const size_t rows = 20 + 60 * (number % 3), features = 30;

    memset(of, 0, sizeof *of);
    of->random.random = number + 1;
    random_problem_new(&of->random, rows, features, number % 2 ? 30 : 5, 2);
    of->random.problem.bias_kind = bias_kind;
    of->random.problem.classes = CLASSES;
    of->order = class_blocks_order(&of->random.problem);
    assert_int_equal(of->order, features + (bias_kind == BIAS_REGULARISED));
    class_blocks_lay_out(&of->blocks, &arena, &of->random.problem);
    of->memory = arena_new(&arena, &error);
    assert_non_null(of->memory);
    class_blocks_lay_out(&of->blocks, &arena, &of->random.problem);
    of->row = calloc(CLASSES * rows, sizeof *of->row);
    of->weight = calloc(CLASSES * rows, sizeof *of->weight);
    of->mean = calloc(CLASSES * (of->order + 1), sizeof *of->mean);
    assert_true(of->row && of->weight && of->mean);
    for (size_t m = 0; m < CLASSES; m++) {
        size_t end = of->first[m];

        for (uint32_t i = 0; i < rows; i++)
            if (random_unit(&of->random.random) < 0.7) {
                of->row[end] = i;
                of->weight[end] = exp2(8 * random_unit(&of->random.random) - 2);
                of->total[m] += of->weight[end++];
            }
        of->first[m + 1] = end;
    }
}

static void release(struct blocks_case *of)
{
    random_problem_free(&of->random);
    free(of->memory);
    free(of->row);
    free(of->weight);
    free(of->mean);
}

static void find_means(struct blocks_case *of)
{
    for (size_t m = 0; m < CLASSES; m++) {
        of->mean[of->order * CLASSES + m] = of->total[m];
        for (size_t s = of->first[m]; s < of->first[m + 1]; s++) {
            const struct sparse x = problem_row(&of->random.problem, of->row[s]);

            for (size_t e = 0; e < x.count; e++)
                of->mean[index_at(&x, e) * CLASSES + m] +=
                    of->weight[s] * value_at(&x, e) / of->total[m];
        }
    }
}

static uint32_t list(const void *context, size_t m, uint32_t *row, double *weight)
{
    const struct blocks_case *of = context;
    const size_t first = of->first[m], count = of->first[m + 1] - first;

    memcpy(row, of->row + first, count * sizeof *row);
    memcpy(weight, of->weight + first, count * sizeof *weight);
    return (uint32_t)count;
}

static int stops(const void *context)
{
    return context != NULL;
}

/* With several threads they are the same. */
static void factor(struct blocks_case *of, int with_means)
{
    const struct class_weights weights = {list, of, with_means ? of->mean : NULL};
    const size_t size = CLASSES * of->order * of->order * sizeof *of->blocks.factor;
    const struct stop never = {NULL, NULL}, at_once = {stops, of};
    double *before = malloc(size);

    assert_non_null(before);
    assert_true(class_blocks_form(&of->blocks, &of->random.problem, &weights, 1, &never));
    memcpy(before, of->blocks.factor, size);
    assert_false(class_blocks_form(&of->blocks, &of->random.problem, &weights, 1, &at_once));
    for (unsigned threads = 2; threads <= 4; threads++) {
        assert_true(class_blocks_form(&of->blocks, &of->random.problem, &weights, threads, &never));
        assert_memory_equal(before, of->blocks.factor, size);
    }
    free(before);
}

/* left -= (I + sum weight (x - mean) (x - mean)') p for class m. */
static void subtract_block(const struct blocks_case *of, size_t m, const double *p, int with_means,
                           long double *left)
{
    long double full[64];

    for (size_t j = 0; j < of->order; j++)
        left[j] -= p[j * CLASSES + m];
    for (size_t s = of->first[m]; s < of->first[m + 1]; s++) {
        const struct sparse x = problem_row(&of->random.problem, of->row[s]);
        long double dot = 0;

        memset(full, 0, sizeof full);
        if (of->random.problem.bias_kind == BIAS_REGULARISED)
            full[of->order - 1] = of->random.problem.bias;
        for (size_t e = 0; e < x.count; e++)
            full[index_at(&x, e)] = value_at(&x, e);
        for (size_t j = 0; j < of->order && with_means; j++)
            full[j] -= of->mean[j * CLASSES + m];
        for (size_t j = 0; j < of->order; j++)
            dot += full[j] * p[j * CLASSES + m];
        for (size_t j = 0; j < of->order; j++)
            left[j] -= of->weight[s] * dot * full[j];
    }
}

static void check(struct blocks_case *of, int with_means)
{
    double r[64 * CLASSES], p[64 * CLASSES];

    factor(of, with_means);
    for (size_t j = 0; j < of->order * CLASSES; j++)
        r[j] = p[j] = 2 * random_unit(&of->random.random) - 1;
    class_blocks_solve(&of->blocks, p);
    for (size_t m = 0; m < CLASSES; m++) {
        long double left[64];

        for (size_t j = 0; j < of->order; j++)
            left[j] = r[j * CLASSES + m];
        subtract_block(of, m, p, with_means, left);
        for (size_t j = 0; j < of->order; j++)
            assert_true(fabsl(left[j]) <= 1e-11L);
    }
}

static void test_solutions(void **state)
{
    static const enum bias_kind kinds[] = {BIAS_NONE, BIAS_REGULARISED, BIAS_FREE};

    (void)state;
    for (uint64_t number = 0; number < 36; number++) {
        struct blocks_case of;

        draw(&of, number, kinds[number % 3]);
        check(&of, 0);
        if (of.random.problem.bias_kind != BIAS_REGULARISED) {
            find_means(&of);
            check(&of, 1);
        }
        release(&of);
    }
}

static void test_none_where_they_would_be_large(void **state)
{
    struct hinge_dataset data = {.features = 2048};
    struct problem problem = {.data = &data, .classes = 4};

    (void)state;
    assert_int_equal(class_blocks_order(&problem), 2048);
    problem.classes = 5;
    assert_int_equal(class_blocks_order(&problem), 0);
    problem.classes = 2;
    problem.bias_kind = BIAS_FREE;
    assert_int_equal(class_blocks_order(&problem), 2048);
    problem.bias_kind = BIAS_REGULARISED;
    assert_int_equal(class_blocks_order(&problem), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solutions),
        cmocka_unit_test(test_none_where_they_would_be_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
