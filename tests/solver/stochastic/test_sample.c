/* test_sample.c - one sampling draws rows uniformly, the other in uniform orders. */
#include "solver/stochastic/stochastic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense_run.h"

/* Returns Pearson's statistic of counts that should all be equal. */
static double chi_square(const uint32_t *count, size_t cells)
{
    double total = 0, chi = 0;

    for (size_t c = 0; c < cells; c++)
        total += count[c];
    for (size_t c = 0; c < cells; c++)
        chi += pow(count[c] - total / (double)cells, 2) / (total / (double)cells);
    return chi;
}

/* Rows, and pairs of successive rows, are as equally frequent as chance allows: chi-square is
 * within five standard deviations of its mean. */
static void test_iid_rows_and_pairs_are_uniform(void **state)
{
    struct dense_draft draft = {23, 2, 1, 1, -1, 0, 0, 31};
    struct dense_problem *toy = dense_problem_new(&draft);

    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct sampler sampler;
        void *block = sampler_new(&sampler, toy, HINGE_IID, seed);
        static uint32_t single[23], pair[23 * 23];
        uint32_t before = sampler_next(&sampler);

        memset(single, 0, sizeof single);
        memset(pair, 0, sizeof pair);
        for (int n = 0; n < 100000; n++) {
            uint32_t row = sampler_next(&sampler);

            assert_true(row < 23);
            single[row]++;
            pair[before * 23 + row]++;
            before = row;
        }
        assert_true(fabs(chi_square(single, 23) - 22) < 5 * sqrt(2 * 22));
        assert_true(fabs(chi_square(pair, 23 * 23) - 528) < 5 * sqrt(2 * 528));
        free(block);
    }
    dense_problem_free(toy);
}

static void test_permutations_visit_each_row_once(void **state)
{
    (void)state; /* there are too few rows for blocks */
    for (uint32_t rows = 1; rows <= 70; rows += rows < 40 ? 1 : 10) {
        struct dense_draft draft = {rows, 2, 1, 1, -1, 0, 0, rows};
        struct dense_problem *toy = dense_problem_new(&draft);
        struct sampler sampler;
        void *block = sampler_new(&sampler, toy, HINGE_PERMUTE, rows);
        uint32_t before[70] = {0}, same = 0;

        for (int epoch = 0; epoch < 50; epoch++) {
            uint32_t now[70], visits[70] = {0};

            for (uint32_t n = 0; n < rows; n++)
                visits[now[n] = sampler_next(&sampler)]++;
            for (uint32_t i = 0; i < rows; i++)
                assert_int_equal(visits[i], 1);
            same += epoch > 0 && memcmp(now, before, rows * sizeof *now) == 0;
            memcpy(before, now, sizeof before);
        }
        assert_true(rows < 7 || same == 0);
        free(block);
        dense_problem_free(toy);
    }
}

/* Checks many rows: each epoch has each row once. Blocks come in an order of their own, rows inside
 * a block in the order of the data. The last block is shorter. */
static void check_blocks(uint32_t rows)
{
    struct dense_draft draft = {rows, 1, 1, 1, -1, 0, 0, rows};
    struct dense_problem *toy = dense_problem_new(&draft);
    struct sampler sampler;
    void *block = sampler_new(&sampler, toy, HINGE_PERMUTE, rows);
    uint32_t *place = zeros(rows, sizeof *place), *before = zeros(rows, sizeof *before);

    for (int epoch = 0; epoch < 5; epoch++) {
        uint32_t same = 0, neighbours = 0, after = rows;

        for (uint32_t i = 0; i < rows; i++)
            place[i] = rows;
        for (uint32_t n = 0; n < rows; n++) {
            const uint32_t row = sampler_next(&sampler);

            assert_true(row < rows && place[row] == rows);
            place[row] = n;
            if (row % 8 == 0) {
                neighbours += row == after;
                assert_true(n == 0 || after % 8 == 0 || after == rows);
            } else
                assert_int_equal(row, after);
            after = row + 1;
        }
        for (uint32_t i = 0; i < rows; i += 8)
            same += epoch > 0 && place[i] == before[i];
        assert_true(neighbours < 12 && same < 12); /* both are about 1 on average */
        memcpy(before, place, rows * sizeof *place);
    }
    free(place);
    free(before);
    free(block);
    dense_problem_free(toy);
}

static void test_many_rows_come_in_blocks(void **state)
{
    (void)state;
    for (uint32_t rows = 8192; rows < 8203; rows++)
        check_blocks(rows);
}

/* Returns the next order of 5 rows, as a number in base 5. */
static uint32_t next_order(struct sampler *sampler)
{
    uint32_t code = 0;

    for (int n = 0; n < 5; n++)
        code = 5 * code + sampler_next(sampler);
    return code;
}

/* Checks that all 120 orders of 5 rows have come equally often. */
static void check_orders(uint32_t count[3125])
{
    uint32_t orders = 0;

    for (uint32_t code = 0; code < 3125; code++)
        if (count[code] > 0)
            count[orders++] = count[code];
    assert_int_equal(orders, 120);
    assert_true(fabs(chi_square(count, 120) - 119) < 5 * sqrt(2 * 119));
}

/* Permutations are uniform from epoch to epoch. The first ones are tested alone, because later ones
 * shuffle a shuffled order. */
static void test_permutations_are_uniform(void **state)
{
    static uint32_t later[3125], first[3125];
    struct dense_draft draft = {5, 2, 1, 1, -1, 0, 0, 33};
    struct dense_problem *toy = dense_problem_new(&draft);
    struct sampler sampler;
    void *block = sampler_new(&sampler, toy, HINGE_PERMUTE, 1);

    (void)state;
    for (int epoch = 0; epoch < 60000; epoch++)
        later[next_order(&sampler)]++;
    free(block);
    for (uint64_t seed = 0; seed < 60000; seed++) {
        block = sampler_new(&sampler, toy, HINGE_PERMUTE, seed);
        first[next_order(&sampler)]++;
        free(block);
    }
    check_orders(later);
    check_orders(first);
    dense_problem_free(toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_iid_rows_and_pairs_are_uniform),
        cmocka_unit_test(test_permutations_visit_each_row_once),
        cmocka_unit_test(test_many_rows_come_in_blocks),
        cmocka_unit_test(test_permutations_are_uniform),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
