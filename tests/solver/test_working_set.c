/* test_working_set.c - screening takes no feature of the solution away; sums by columns are those
 * by rows; a set has what is not 0 and what is nearest to leaving it. */
#include <math.h>
#include <stdlib.h>

#include "solver/working_set.h"
#include "support.h"

enum { ROWS = 40, FEATURES = 60, SQUARED = 5, LOGISTIC = 6, PROBLEMS = 400 };

struct drawn {
    size_t start[ROWS + 1];
    uint32_t index[ROWS * FEATURES], row[ROWS];
    double value[ROWS * FEATURES], label[ROWS], cost[ROWS];
    signed char sign[ROWS];
    struct hinge_dataset data;
    struct problem problem;
    struct hinge_parameters parameters;
};

static void draw(struct drawn *drawn, unsigned long number)
{
    uint64_t random = number + 1;
    const double share = number % 3 ? 0.2 : 0.8;
    size_t end = 0;

    *drawn = (struct drawn){.parameters = hinge_parameters_default()};
    drawn->parameters.solver = number % 2 ? SQUARED : LOGISTIC;
    drawn->parameters.C = pow(10, 3 * random_unit(&random) - 1);
    drawn->parameters.keep_alpha = 1;
    for (size_t i = 0; i < ROWS; i++) {
        drawn->sign[i] = i > 0 && random_unit(&random) < 0.5 ? -1 : 1;
        drawn->label[i] = drawn->sign[i];
        drawn->row[i] = (uint32_t)i;
        drawn->cost[i] = drawn->parameters.C;
        for (uint32_t j = 0; j < FEATURES; j++)
            if (random_unit(&random) < share) {
                drawn->index[end] = j;
                drawn->value[end++] = (2 * random_unit(&random) - 1) * (j % 5 ? 1 : 3) +
                                      (j < 3 ? 0.5 * drawn->sign[i] : 0);
            }
        drawn->start[i + 1] = end;
    }
    drawn->sign[ROWS - 1] = -1;
    drawn->label[ROWS - 1] = -1;
    drawn->data = (struct hinge_dataset){.x = {.rows = ROWS,
                                               .nonzeros = end,
                                               .start = drawn->start,
                                               .index_kind = HINGE_INDEX_32,
                                               .value_kind = HINGE_VALUE_DOUBLE,
                                               .index = drawn->index,
                                               .value = drawn->value},
                                         .features = FEATURES,
                                         .label = drawn->label};
    drawn->problem = (struct problem){.data = &drawn->data,
                                      .rows = ROWS,
                                      .row = drawn->row,
                                      .sign = drawn->sign,
                                      .cost = drawn->cost,
                                      .loss = number % 2 ? LOSS_SQUARED_HINGE : LOSS_LOGISTIC,
                                      .l1 = 1,
                                      .only_l1 = 1};
}

static struct hinge_model *train(const struct drawn *drawn, double gap)
{
    struct hinge_parameters parameters = drawn->parameters;
    struct hinge_error error;
    struct hinge_model *model;

    parameters.gap = gap;
    model = hinge_train(&drawn->data, &parameters, NULL, &error);
    assert_non_null(model);
    return model;
}

/* A set of the problem; its arrays are *block, for the caller to free. */
static struct working_set begin(const struct drawn *drawn, void **block)
{
    struct working_set set = {0};
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;

    working_set_lay_out(&set, &arena, &drawn->problem);
    *block = arena_new(&arena, &error);
    assert_non_null(*block);
    working_set_lay_out(&set, &arena, &drawn->problem);
    assert_int_equal(working_set_begin(&set, &drawn->problem, &error), HINGE_OK);
    return set;
}

static void end(struct working_set *set, void *block)
{
    working_set_end(set);
    free(block);
}

/* Points of any quality: w and alpha of a training that stopped at some gap, against a solution to
 * 1e-11. HINGE_SCREENING problems, if that is set. */
static void test_screening_keeps_every_feature_of_the_solution(void **state)
{
    const char *wanted = getenv("HINGE_SCREENING");
    const unsigned long problems = wanted ? strtoul(wanted, NULL, 10) : PROBLEMS;
    static struct drawn drawn;
    size_t screened = 0, kept = 0;

    (void)state;
    for (unsigned long number = 0; number < problems; number++) {
        struct hinge_model *solution, *point;
        struct working_set set;
        double v[FEATURES];
        size_t c = 0;
        void *block;

        draw(&drawn, number);
        solution = train(&drawn, 1e-11);
        point = train(&drawn, pow(10, -(double)(number % 5)));
        set = begin(&drawn, &block);
        working_set_combine(&set, point->alpha, v);
        working_set_screen(&set, point->result->primal + point->result->dual, point->weight, v);
        for (uint32_t j = 0; j < FEATURES; j++)
            if (c < set.candidates && set.candidate[c] == j)
                c++;
            else if (solution->weight[j] != 0)
                fail_msg("problem %lu: feature %lu is %g in the solution", number, (unsigned long)j,
                         solution->weight[j]);
        screened += FEATURES - set.candidates;
        kept += set.candidates;
        working_set_restore(&set);
        assert_int_equal(set.candidates, FEATURES);
        end(&set, block);
        hinge_model_free(solution);
        hinge_model_free(point);
    }
    assert_true(screened > 5 * problems && kept > 5 * problems);
}

static void test_sums_by_columns(void **state)
{
    static struct drawn drawn;

    (void)state;
    for (unsigned long number = 0; number < 50; number++) {
        double alpha[ROWS], slow[FEATURES] = {0}, v[FEATURES], some[FEATURES], w[FEATURES] = {0};
        double change[ROWS], step[FEATURES];
        uint64_t random = number;
        struct working_set set;
        void *block;

        draw(&drawn, number);
        set = begin(&drawn, &block);
        for (size_t i = 0; i < ROWS; i++) {
            alpha[i] = random_unit(&random);
            for (size_t e = drawn.start[i]; e < drawn.start[i + 1]; e++)
                slow[drawn.index[e]] += drawn.sign[i] * alpha[i] * drawn.value[e];
        }
        working_set_combine(&set, alpha, v);
        for (size_t j = 0; j < FEATURES; j++) {
            assert_true(fabs(v[j] - slow[j]) <= 1e-12);
            v[j] /= 50;
        }
        w[7] = 1;
        working_set_choose(&set, 20, w, v);
        assert_true(set.count >= 20 && set.count < FEATURES);
        working_set_combine_some(&set, alpha, -2, some);
        for (size_t c = 0; c < set.count; c++) {
            assert_true(c == 0 || set.member[c] > set.member[c - 1]);
            assert_true(fabs(some[c] + 2 * slow[set.member[c]]) <= 1e-12);
            w[7] -= set.member[c] == 7;
            step[c] = random_unit(&random) - 0.5;
        }
        assert_true(w[7] == 0); /* it was in the set */
        working_set_margins(&set, step, change);
        for (size_t i = 0; i < ROWS; i++) {
            double z = 0;

            for (size_t e = drawn.start[i]; e < drawn.start[i + 1]; e++)
                for (size_t c = 0; c < set.count; c++)
                    z += set.member[c] == drawn.index[e] ? step[c] * drawn.value[e] : 0;
            assert_true(fabs(change[i] - drawn.sign[i] * z) <= 1e-12);
        }
        end(&set, block);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_screening_keeps_every_feature_of_the_solution),
        cmocka_unit_test(test_sums_by_columns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
