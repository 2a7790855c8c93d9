/* test_l1_subproblem.c - P and D of a subproblem are those of the whole problem, for weights that
 * are 0 outside the subproblem, any kind of values and any bias. */
#include "solver/sparse/l1_subproblem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem/objective.h"
#include "support.h"

enum { ROWS = 7, FEATURES = 5, NONZEROS = 20 };

/* A small problem of one kind of values. */
struct bench {
    struct problem problem;
    struct hinge_dataset data;
    size_t start[ROWS + 1];
    uint32_t index[NONZEROS];
    double doubles[NONZEROS];
    float floats[NONZEROS];
    int32_t wholes[NONZEROS];
    uint32_t row[ROWS];
    signed char sign[ROWS];
    double cost[ROWS];
    uint32_t place[FEATURES + 1];
    double alpha[ROWS];
    double v[FEATURES + 1];
};

static void draw(struct bench *bench, uint64_t seed, enum hinge_value_kind kind, double bias)
{
    struct hinge_matrix *x = &bench->data.x;
    size_t k = 0;

    memset(bench, 0, sizeof *bench);
    *x = (struct hinge_matrix){.rows = ROWS,
                               .start = bench->start,
                               .index_kind = HINGE_INDEX_32,
                               .value_kind = kind,
                               .index = bench->index,
                               .value = kind == HINGE_VALUE_DOUBLE  ? (void *)bench->doubles
                                        : kind == HINGE_VALUE_FLOAT ? (void *)bench->floats
                                        : kind == HINGE_VALUE_WHOLE ? (void *)bench->wholes
                                                                    : NULL,
                               .scale = 100};
    bench->data.features = FEATURES;
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t j = 0; j < FEATURES; j++)
            if (random_unit(&seed) < 0.5 && k < NONZEROS) {
                bench->index[k] = j;
                bench->doubles[k] = 2 * random_unit(&seed) - 1;
                bench->floats[k] = (float)bench->doubles[k];
                bench->wholes[k] = (int32_t)(300 * bench->doubles[k]);
                k++;
            }
        bench->start[i + 1] = k;
        bench->row[i] = ROWS - 1 - i; /* a view in another order */
        bench->sign[i] = i % 3 ? 1 : -1;
        bench->cost[i] = 0.5 + random_unit(&seed);
        bench->alpha[i] = bench->cost[i] * random_unit(&seed);
    }
    x->nonzeros = k;
    bench->problem = (struct problem){.data = &bench->data,
                                      .rows = ROWS,
                                      .row = bench->row,
                                      .sign = bench->sign,
                                      .cost = bench->cost,
                                      .loss = LOSS_HINGE,
                                      .l1 = exp2(8 * random_unit(&seed) - 5),
                                      .bias_kind = bias < 0 ? BIAS_NONE : BIAS_REGULARISED,
                                      .bias = bias};
    for (uint32_t i = 0; i < ROWS; i++) {
        const struct sparse row = problem_row(&bench->problem, i);

        problem_add(&bench->problem, &row, bench->sign[i] * bench->alpha[i], bench->v);
    }
}

/* Gives a place to each feature whose bit is set; the bias has the last bit. Returns their number.
 */
static uint32_t choose(struct bench *bench, unsigned bits)
{
    uint32_t count = 0;

    for (size_t j = 0; j < problem_width(&bench->problem); j++)
        bench->place[j] = bits >> j & 1 ? count++ : LEFT_OUT;
    return count;
}

static void check_part(struct bench *bench, unsigned bits, uint64_t *random)
{
    const struct problem *whole = &bench->problem;
    const uint32_t count = choose(bench, bits);
    const struct shards one = {.rows = ROWS, .count = 1, .length = problem_width(whole)};
    double w[FEATURES + 1] = {0}, of_part[FEATURES + 1] = {0}, v[FEATURES + 1] = {0};
    double inside = 0, dual, exact;
    struct hinge_error error;
    struct l1_subproblem part;
    struct shards shards;

    assert_int_equal(l1_subproblem_new(&part, whole, bench->place, bench->alpha, bench->v, &error),
                     HINGE_OK);
    assert_int_equal(part.problem.rows, ROWS + 2 * count);
    assert_int_equal(problem_width(&part.problem), count);
    shards = (struct shards){.rows = part.problem.rows, .count = 1, .length = count};
    for (size_t j = 0; j < problem_width(whole); j++)
        if (bench->place[j] != LEFT_OUT)
            w[j] = of_part[bench->place[j]] = 2 * random_unit(random) - 1;
    exact = objective_primal(&one, whole, w).primal;
    assert_true(fabs(objective_primal(&shards, &part.problem, of_part).primal - exact) <=
                1e-13 * exact);

    /* beta starts at its best value: v of the part is soft(v, l1), and D counts its features only
     */
    sums_combine(&shards, &part.problem, all_rows(&part.problem), part.alpha, 1, v);
    for (size_t j = 0; j < problem_width(whole); j++)
        if (bench->place[j] != LEFT_OUT) {
            const double weight = soft(bench->v[j], whole->l1);

            assert_true(fabs(v[bench->place[j]] - weight) <= 1e-13 * fabs(bench->v[j]));
            inside += weight * weight / 2;
        }
    exact = inside;
    for (uint32_t i = 0; i < ROWS; i++)
        exact -= bench->alpha[i];
    for (uint32_t i = 0; i < part.problem.rows; i++)
        assert_true(part.alpha[i] >= 0 && part.alpha[i] <= part.cost[i]);
    dual = objective_dual(&shards, &part.problem, part.alpha, v);
    assert_true(fabs(dual - exact) <= 1e-13 * (inside + fabs(exact)));
    l1_subproblem_free(&part);
}

static void test_part_is_the_whole_of_its_features(void **state)
{
    static const enum hinge_value_kind kinds[] = {HINGE_VALUE_ONE, HINGE_VALUE_WHOLE,
                                                  HINGE_VALUE_FLOAT, HINGE_VALUE_DOUBLE};
    static const double biases[] = {-1, 1, 0.1, 3, 1e300};
    uint64_t random = 99;

    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++)
        for (size_t kind = 0; kind < COUNT(kinds); kind++)
            for (size_t b = 0; b < COUNT(biases) - (seed % 8 > 0); b++) {
                struct bench bench;

                draw(&bench, seed, kinds[kind], biases[b]);
                if (biases[b] > 1e10) { /* only doubles hold it, and no sum of rows does */
                    struct hinge_error error;
                    struct l1_subproblem part;

                    choose(&bench, 63);
                    assert_int_equal(l1_subproblem_new(&part, &bench.problem, bench.place,
                                                       bench.alpha, bench.v, &error),
                                     HINGE_OK);
                    assert_int_equal(part.data.x.value_kind, HINGE_VALUE_DOUBLE);
                    l1_subproblem_free(&part);
                    continue;
                }
                for (unsigned bits = 0; bits < 64; bits += 1 + (unsigned)(seed % 5))
                    check_part(&bench, bits, &random);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_part_is_the_whole_of_its_features)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
