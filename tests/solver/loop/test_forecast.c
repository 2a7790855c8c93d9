/* test_forecast.c - prices are positive and grow with the work; the trend of the passes is the one
 * computed by hand. */
#include "solver/linear/cost.h"
#include "solver/loop/loop.h"

#include <math.h>

#include "large.h"
#include "training.h"

/* ---- Prices ------------------------------------------------------------- */

static double of_visits(const double *size)
{
    return cost_of_visits(size[0], size[1], 0);
}

static double of_columns(const double *size)
{
    return cost_of_columns(size[0], size[1]);
}

/* Returns the price of a factor at a given mean length of rows. Rows have at most a quarter of the
 * features, because longer ones give more products of two entries. */
static double of_factor_over_features(const double *size)
{
    return cost_of_primal_factor(1, 4 * size[0] * size[2], size[1], size[1] * size[2]);
}

static double of_factor_over_rows(const double *size)
{
    return cost_of_primal_factor(0, size[0], size[1], size[1] * size[2]);
}

static double of_step_over_features(const double *size)
{
    return cost_of_primal_step(1, size[0], size[1], size[2]);
}

static double of_step_over_rows(const double *size)
{
    return cost_of_primal_step(0, size[0], size[1], size[2]);
}

static double of_dual_factor(const double *size)
{
    return cost_of_dual_factor(size[0]);
}

static double of_dual_step(const double *size)
{
    return cost_of_dual_step(size[0], size[1], size[2], size[3]);
}

enum { MOST_SIZES = 4 };

/* Each size goes from 1 to a billion, while the others are 1 or a thousand. */
static void test_prices_are_positive_and_grow(void **state)
{
    static const struct {
        const char *name;
        double (*price)(const double *size);
        size_t sizes;
    } row[] = {{"visits", of_visits, 2},
               {"columns", of_columns, 2},
               {"factor over features", of_factor_over_features, 3},
               {"factor over rows", of_factor_over_rows, 3},
               {"step over features", of_step_over_features, 3},
               {"step over rows", of_step_over_rows, 3},
               {"dual factor", of_dual_factor, 1},
               {"dual step", of_dual_step, 4}};

    (void)state;
    for (size_t k = 0; k < COUNT(row); k++)
        for (size_t which = 0; which < 2 * row[k].sizes; which++) {
            const double others = which % 2 ? 1000 : 1;
            double size[MOST_SIZES] = {others, others, others, others}, last = 0;

            for (size[which / 2] = 1; size[which / 2] <= 1e9; size[which / 2] *= 10) {
                const double price = row[k].price(size);

                if (!(price > last) || !(price < HUGE_VAL))
                    fail_msg("%s: %g at %g of size %d, %g before", row[k].name, price,
                             size[which / 2], (int)(which / 2), last);
                last = price;
            }
        }
}

/* Rows with most of the features are added in tiles. Their price depends on the number of features,
 * and is lower. */
static void test_price_of_dense_rows(void **state)
{
    const double factor = cost_of_primal_factor(1, 100, 0, 0);
    const double whole = cost_of_primal_factor(1, 100, 1e4, 1e4 * 100) - factor;
    const double most = cost_of_primal_factor(1, 100, 1e4, 1e4 * 90) - factor;
    const double half = cost_of_primal_factor(1, 100, 1e4, 1e4 * 50) - factor;

    (void)state;
    assert_true(whole == most && half < most);
    assert_true(whole < 1e4 * 100 * 100 / 4 && half > 1e4 * 50 * 50 / 4);
}

/* The price of no work is 0, and not 0/0. */
static void test_prices_of_nothing(void **state)
{
    (void)state;
    assert_true(cost_of_visits(0, 10, 1) == 0);
    assert_true(cost_of_visits(1, 10, 1) > cost_of_visits(1, 10, 0));
    assert_true(cost_of_columns(0, 10) == 0);
    assert_true(cost_of_primal_factor(0, 0, 0, 0) == 0 && cost_of_primal_factor(1, 0, 0, 0) == 0);
    assert_true(cost_of_primal_step(0, 0, 0, 0) == 0 && cost_of_primal_step(1, 0, 0, 0) == 0);
    assert_true(cost_of_dual_factor(0) == 0 && cost_of_dual_step(0, 0, 0, 0) == 0);
}

/* A factor over rows doubles the products in the price of a step. A factor over features hardly
 * changes the price. */
static void test_a_factor_over_rows_multiplies_twice_as_often(void **state)
{
    (void)state;
    assert_true(cost_of_primal_step(0, 1, 0, 1e6) > 1.9 * cost_of_primal_step(0, 0, 0, 1e6));
    assert_true(cost_of_primal_step(1, 1, 0, 1e6) < 1.1 * cost_of_primal_step(1, 0, 0, 1e6));
}

/* ---- Finishing ---------------------------------------------------------- */

/* Returns a training with the fields that the prices of finishing read. */
static struct training training_of(const struct toy *toy, double *alpha,
                                   const struct hinge_parameters *parameters)
{
    return (struct training){.problem = &toy->problem,
                             .parameters = parameters,
                             .rows = toy->problem.rows,
                             .width = toy->width,
                             .point.alpha = alpha,
                             .distance = 1};
}

/* Puts the first `count` dual variables inside the box, and the others at 0. */
static void free_rows(const struct toy *toy, double *alpha, size_t count)
{
    for (size_t i = 0; i < toy->m; i++)
        alpha[i] = i < count ? toy->cost[i] / 2 : 0;
}

/* With a free bias, steps are on pairs of rows. The forecast counts rows that so few steps
 * cannot have visited as free. */
static void test_rows_that_no_pair_has_seen_count(void **state)
{
    const struct hinge_parameters parameters = parameters_for(1e-3, 0);
    static struct toy toy;
    double alpha[MOST_ROWS], few, all;
    struct training training;

    (void)state;
    toy_hard(&toy, LOSS_HINGE, 1, 1);
    training = training_of(&toy, alpha, &parameters);
    free_rows(&toy, alpha, 2);
    few = cost_of_newton(&training);
    free_rows(&toy, alpha, toy.m);
    all = cost_of_newton(&training);
    toy.problem.bias_kind = BIAS_FREE;
    free_rows(&toy, alpha, 2);
    assert_true(fabs(cost_of_newton(&training) - all) <= 1e-12 * all && all > few);
    training.progress.passes = toy.m / 4;
    assert_true(cost_of_newton(&training) > few && cost_of_newton(&training) < all);
    training.progress.passes = toy.m / 2;
    assert_true(cost_of_newton(&training) == few);
}

static void test_finishing_costs_more_from_farther_away(void **state)
{
    static double (*const price[])(const struct training *) = {cost_of_newton, cost_of_dual_newton};
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 200; number++)
        for (size_t k = 0; k < 2 * COUNT(price); k++) {
            const struct hinge_parameters parameters = parameters_for(1e-3, number % 2 ? 1e-3 : 0);
            double alpha[MOST_ROWS], last = 0;
            struct training training;

            toy_even(&toy, number, k / COUNT(price) ? LOSS_HINGE : LOSS_SQUARED_HINGE);
            training = training_of(&toy, alpha, &parameters);
            free_rows(&toy, alpha, toy.m);
            for (training.distance = 0; training.distance < 30; training.distance += 3) {
                CHECK(&toy, price[k % COUNT(price)](&training) > last);
                last = price[k % COUNT(price)](&training);
            }
        }
}

/* True if rows have about the same length. A price knows the mean length alone, so a shorter row
 * may lower it by more than its own entries. */
static int rows_are_alike(const struct toy *toy)
{
    for (uint32_t i = 1; i < toy->problem.rows; i++)
        if (problem_length(&toy->problem, i) != problem_length(&toy->problem, 0))
            return 0;
    return problem_length(&toy->problem, 0) > 0;
}

/* Steps on the free rows use only these rows. With the L1-loss, rows at their upper bound are not
 * free, but count for Newton's method. */
static void test_finishing_costs_more_with_more_rows(void **state)
{
    const struct hinge_parameters parameters = parameters_for(1e-3, 0);
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 200; number++) {
        double alpha[MOST_ROWS], newton_before = 0, dual_before = 0, bounded;
        struct training training;

        toy_even(&toy, number, number % 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE);
        if (toy.data.features == 0 || toy.draft.shape == EMPTY_ROWS)
            continue;
        training = training_of(&toy, alpha, &parameters);
        for (size_t count = 0; count <= toy.m; count++) {
            free_rows(&toy, alpha, count);
            CHECK(&toy, cost_of_newton(&training) > newton_before || !rows_are_alike(&toy));
            CHECK(&toy, cost_of_dual_newton(&training) > dual_before);
            newton_before = cost_of_newton(&training);
            dual_before = cost_of_dual_newton(&training);
        }
        for (size_t i = 0; i < toy.m; i++)
            alpha[i] = toy.cost[i];
        bounded = cost_of_dual_newton(&training);
        CHECK(&toy, cost_of_newton(&training) == newton_before);
        if (toy.draft.loss == LOSS_SQUARED_HINGE)
            CHECK(&toy, bounded == dual_before);
        else
            CHECK(&toy, bounded < dual_before);
    }
}

/* The rule of -e must hold for every row. So steps on the free rows are twice as many if alpha is
 * bounded. Newton's method has the same price, because most of its steps look at few rows. */
static void test_price_of_the_rule_of_eps(void **state)
{
    const struct hinge_parameters gap = parameters_for(1e-3, 0), eps = parameters_for(0, 1e-3);
    static struct toy toy;

    (void)state;
    for (int loss = LOSS_HINGE; loss <= LOSS_SQUARED_HINGE; loss++) {
        double alpha[MOST_ROWS];
        struct training training;

        toy_hard(&toy, (enum loss)loss, 1, 1);
        free_rows(&toy, alpha, toy.m);
        for (training = training_of(&toy, alpha, &gap); training.distance < 9;
             training.distance += 2) {
            struct training other = training;

            other.parameters = &eps;
            assert_true(cost_of_dual_newton(&other) ==
                        (loss == LOSS_HINGE ? 2 : 1) * cost_of_dual_newton(&training));
            assert_true(cost_of_newton(&other) <= cost_of_newton(&training));
        }
    }
}

/* 5,000 free rows have no factor. With more features, steps on them and steps for the hinge have no
 * price, and passes continue. Newton's method for a smooth loss, and all steps of a regression,
 * have none with more than twice as many. With fewer free rows, or a loss curved everywhere, all
 * have one. */
static void test_steps_without_a_factor(void **state)
{
    static const struct {
        enum loss loss;
        uint32_t features, free;
        int newton, dual; /* has a price */
    } row[] = {{LOSS_SQUARED_HINGE, 12000, 5000, 0, 0}, {LOSS_HINGE, 12000, 5000, 0, 0},
               {LOSS_SQUARED_HINGE, 9000, 5000, 1, 0},  {LOSS_HINGE, 9000, 5000, 0, 0},
               {LOSS_SQUARED_HINGE, 4900, 5000, 1, 1},  {LOSS_HINGE, 4900, 5000, 1, 1},
               {LOSS_SQUARED_HINGE, 12000, 4000, 1, 1}, {LOSS_LOGISTIC, 12000, 5000, 1, 0},
               {LOSS_INSENSITIVE, 9000, 5000, 1, 1},    {LOSS_INSENSITIVE, 12000, 5000, 0, 0}};
    const struct hinge_parameters parameters = parameters_for(1e-3, 0);
    static struct large large;

    (void)state;
    for (size_t k = 0; k < COUNT(row); k++) {
        struct training training = {.problem = &large.problem,
                                    .parameters = &parameters,
                                    .rows = 5000,
                                    .width = row[k].features,
                                    .point.alpha = large.alpha,
                                    .distance = 1};

        large_draw(&large, 1, 5000, 2, 100, 1, row[k].loss, -1);
        large.data.features = row[k].features;
        for (uint32_t i = 0; i < 5000; i++)
            large.alpha[i] = i < row[k].free ? large.cost[i] / 2 : 0;
        assert_int_equal(cost_of_newton(&training) < HUGE_VAL, row[k].newton);
        if (row[k].loss != LOSS_LOGISTIC)
            assert_int_equal(cost_of_dual_newton(&training) < HUGE_VAL, row[k].dual);
    }
}

/* ---- The trend of the passes -------------------------------------------- */

static int note(struct trend *trend, uint64_t passes, double distance, double spent)
{
    struct training training = {.distance = distance, .spent = spent};

    training.progress.passes = passes;
    return trend_note(trend, &training);
}

static int is_near(double x, double expected)
{
    return fabs(x - expected) <= 1e-12 * expected;
}

/* Marks are at passes 1, 2, 4, 8. The trend is the fall of the distance since the older of the last
 * two marks. */
static void test_trend_of_passes(void **state)
{
    struct trend trend = {.next_mark = 0};

    (void)state;
    assert_int_equal(note(&trend, 1, 10, 100), 1);
    assert_true(trend_passes(&trend, 0) == HUGE_VAL); /* the distance has not fallen */
    assert_true(trend_passes(&trend, 1) == HUGE_VAL);

    assert_int_equal(note(&trend, 2, 8, 180), 1); /* 2 less in each pass since pass 1 */
    assert_true(is_near(trend_passes(&trend, 1), 4));
    assert_true(is_near(trend_passes(&trend, 0), 4 + 16.0 / 8));
    assert_true(is_near(trend_price(&trend, 6), 480));

    assert_int_equal(note(&trend, 3, 7, 240), 0); /* 3 less in two passes, since pass 1 */
    assert_true(is_near(trend_passes(&trend, 1), 14.0 / 3));
    assert_true(is_near(trend_passes(&trend, 0), 14.0 / 3 + 196.0 / 108));
    assert_true(is_near(trend_price(&trend, 10), 700));

    assert_int_equal(note(&trend, 4, 7.5, 290), 1); /* 1/2 less in two passes, since pass 2 */
    assert_true(is_near(trend_passes(&trend, 1), 30));
    assert_true(is_near(trend_passes(&trend, 0), 30 + 900.0 / 16));
    assert_true(is_near(trend_price(&trend, 30), 1650));

    assert_int_equal(note(&trend, 5, 9, 400), 0); /* the distance no longer falls */
    assert_true(trend_passes(&trend, 1) == HUGE_VAL && trend_passes(&trend, 0) == HUGE_VAL);
    assert_true(trend_price(&trend, HUGE_VAL) == HUGE_VAL);

    assert_int_equal(note(&trend, 6, 3, 450), 0);
    assert_int_equal(note(&trend, 7, 2, 500), 0);
    assert_int_equal(note(&trend, 8, 1, 540), 1); /* 6.5 less in four passes, since pass 4 */
    assert_true(is_near(trend_passes(&trend, 1), 8 / 13.0));
    assert_true(is_near(trend_price(&trend, 2), 125));
    assert_int_equal(note(&trend, 15, 1, 900), 0);
    assert_int_equal(note(&trend, 16, 1, 1000), 1);
}

/* A price counts in full once a fifth of it has been spent. */
static void test_doubt_of_the_trend(void **state)
{
    struct trend trend = {.next_mark = 0};

    (void)state;
    note(&trend, 1, 10, 100);
    assert_true(is_near(trend_doubt(&trend, 5000), 10));
    assert_true(is_near(trend_doubt(&trend, 501), 1.002));
    assert_true(trend_doubt(&trend, 500) == 1 && trend_doubt(&trend, 0) == 1);
    note(&trend, 2, 9, 1000);
    assert_true(trend_doubt(&trend, 5000) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prices_are_positive_and_grow),
        cmocka_unit_test(test_price_of_dense_rows),
        cmocka_unit_test(test_prices_of_nothing),
        cmocka_unit_test(test_a_factor_over_rows_multiplies_twice_as_often),
        cmocka_unit_test(test_rows_that_no_pair_has_seen_count),
        cmocka_unit_test(test_finishing_costs_more_from_farther_away),
        cmocka_unit_test(test_finishing_costs_more_with_more_rows),
        cmocka_unit_test(test_price_of_the_rule_of_eps),
        cmocka_unit_test(test_steps_without_a_factor),
        cmocka_unit_test(test_trend_of_passes),
        cmocka_unit_test(test_doubt_of_the_trend),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
