/* test_model.c - compares decision values with dense ones; decisions, ties. */
#include "models.h"

#include <math.h>

static size_t draw_row(uint32_t *index, double *value, uint32_t bound, uint64_t *state)
{
    size_t count = 0;

    for (uint32_t j = 0; j < bound; j++)
        if (random_unit(state) < 0.4) {
            index[count] = j;
            value[count++] = random_unit(state) * 4 - 2;
        }
    return count;
}

/* Returns <w_c, x> for the dense row, and sets *size to the sum of the absolute terms. */
static double dense_decision(const struct hinge_model *model, const double *dense, size_t c,
                             double *size)
{
    long double sum = 0;

    *size = 0;
    for (size_t j = 0; j < model->features; j++) {
        sum += (long double)model->weight[j * model->columns + c] * dense[j];
        *size += fabs(model->weight[j * model->columns + c] * dense[j]);
    }
    if (model->bias >= 0) {
        double weight = model->weight[model->features * model->columns + c];

        sum += (long double)weight * model->bias;
        *size += fabs(weight * model->bias);
    }
    return (double)sum;
}

/* Rows have features beyond the model's, which do not count. */
static void test_decision_values_agree_with_dense_ones(void **state)
{
    static const double biases[] = {-1, 0, 1, 0.3};
    enum { BEYOND = 20 };
    uint64_t random = 5;

    (void)state;
    for (uint64_t seed = 0; seed < 500; seed++) {
        static struct sample sample;
        uint32_t index[MOST_FEATURES + BEYOND], features = (uint32_t)(seed % (MOST_FEATURES + 1));
        double value[MOST_FEATURES + BEYOND], dense[MOST_FEATURES] = {0};
        double decision[MOST_CLASSES] = {NAN, NAN, NAN, NAN, NAN, NAN}, size;
        struct hinge_row row = {1, 0, 0, index, value};

        sample_draw(&sample, 1 + seed % MOST_CLASSES, features, biases[seed % 4], seed);
        for (size_t k = 0; k < count_weights(&sample.model); k++)
            sample.weight[k] = random_unit(&random) * 2 - 1;
        row.count = draw_row(index, value, features + BEYOND, &random);
        for (size_t k = 0; k < row.count; k++)
            if (index[k] < features)
                dense[index[k]] = value[k];
        hinge_decision_values(&sample.model, &row, decision);
        for (size_t c = 0; c < sample.model.columns; c++)
            assert_true(fabs(decision[c] - dense_decision(&sample.model, dense, c, &size)) <=
                        1e-14 * size);
        for (size_t c = sample.model.columns; c < MOST_CLASSES; c++)
            assert_true(isnan(decision[c]));
    }
}

static void test_unknown_features_leave_the_bias(void **state)
{
    double label[] = {1, -1}, weight[] = {5, 0.75};
    const uint32_t index[] = {1, 2147483645};
    const double value[] = {1e300, 1e300};
    struct hinge_model model = {
        .classes = 2, .label = label, .features = 1, .bias = 2, .columns = 1, .weight = weight};
    struct hinge_row row = {1, 0, 2, index, value};
    double decision;

    (void)state;
    hinge_decision_values(&model, &row, &decision);
    assert_true(decision == 1.5);
    row.count = 0;
    hinge_decision_values(&model, &row, &decision);
    assert_true(decision == 1.5);
    model.bias = -1;
    hinge_decision_values(&model, &row, &decision);
    assert_true(decision == 0);
    assert_int_equal(hinge_decide(&model, &decision), 1);
}

/* Returns the value of a column in LIBLINEAR's order of additions: feature by feature, then the
 * bias. */
static double in_order(const struct hinge_model *model, const struct hinge_row *row, size_t c)
{
    double sum = 0;

    for (size_t k = 0; k < row->count && row->index[k] < model->features; k++)
        sum += model->weight[row->index[k] * model->columns + c] * row->value[k];
    return model->bias >= 0
               ? sum + model->bias * model->weight[model->features * model->columns + c]
               : sum;
}

/* Weights and values are small multiples of 0.1, so many sums are 0 up to rounding. Another order
 * of additions changes their sign. */
static void test_rounding_decides_as_in_LIBLINEAR(void **state)
{
    static const double biases[] = {-1, 0.1, 1}, scales[] = {1, 1e-300, 1e300};
    uint64_t random = 7;
    unsigned close = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 30000; seed++) {
        static struct sample sample;
        const size_t classes = 2 + seed % 3;
        const uint32_t features = 1 + (uint32_t)(seed % MOST_FEATURES);
        uint32_t index[MOST_FEATURES];
        double value[MOST_FEATURES], decision[MOST_CLASSES];
        struct hinge_row row = {1, 0, 0, index, value};
        size_t best = 0;

        sample_draw(&sample, classes, features, biases[seed % 3], seed);
        for (size_t k = 0; k < count_weights(&sample.model); k++)
            sample.weight[k] = (floor(random_unit(&random) * 11) - 5) / 10 * scales[seed / 3 % 3];
        row.count = draw_row(index, value, features, &random);
        for (size_t k = 0; k < row.count; k++)
            value[k] = (floor(random_unit(&random) * 11) - 5) / 10;
        hinge_decision_values(&sample.model, &row, decision);
        for (size_t c = 1; c < sample.model.columns; c++)
            if (in_order(&sample.model, &row, c) > in_order(&sample.model, &row, best))
                best = c;
        if (classes == 2)
            best = in_order(&sample.model, &row, 0) > 0 ? 0u : 1u;
        assert_int_equal(hinge_decide(&sample.model, decision), best);
        close += decision[0] != 0 && fabs(decision[0]) < 1e-15 * scales[seed / 3 % 3];
    }
    assert_true(close > 100);
}

static void test_decisions_and_ties(void **state)
{
    struct hinge_model two = {.classes = 2, .columns = 1}, pair = {.classes = 2, .columns = 2};
    struct hinge_model four = {.classes = 4, .columns = 4}, one = {.classes = 1, .columns = 1};

    (void)state;
    assert_int_equal(hinge_decide(&two, (double[]){1e-300}), 0);
    assert_int_equal(hinge_decide(&two, (double[]){-1e-300}), 1);
    assert_int_equal(hinge_decide(&two, (double[]){0.0}), 1);
    assert_int_equal(hinge_decide(&two, (double[]){-0.0}), 1);
    assert_int_equal(hinge_decide(&two, (double[]){NAN}), 1);
    /* with two classes the first value decides, as in LIBLINEAR, even if there is a second one */
    assert_int_equal(hinge_decide(&pair, (double[]){-1, -2}), 1);
    assert_int_equal(hinge_decide(&pair, (double[]){1e-300, 5}), 0);
    assert_int_equal(hinge_decide(&pair, (double[]){3, 3}), 0);
    assert_int_equal(hinge_decide(&pair, (double[]){0.0, -1}), 1);
    assert_int_equal(hinge_decide(&pair, (double[]){NAN, -1}), 1);
    assert_int_equal(hinge_decide(&four, (double[]){-3, -1, -1, -2}), 1);
    assert_int_equal(hinge_decide(&four, (double[]){-3, -2, -4, -1}), 3);
    assert_int_equal(hinge_decide(&four, (double[]){0, 0, 0, 0}), 0);
    assert_int_equal(hinge_decide(&four, (double[]){-0.0, 0.0, 0, 0}), 0);
    assert_int_equal(hinge_decide(&one, (double[]){-5}), 0);
}

/* Draws a number of any size, an infinity or NaN. */
static double draw_value(uint64_t *random)
{
    const double special[] = {0, -0.0, HUGE_VAL, -HUGE_VAL, NAN, 1e300, -1e300, 1e-320};
    const size_t k = draw_below(random, 20);

    if (k < COUNT(special))
        return special[k];
    return (random_unit(random) - 0.5) * exp2((double)draw_below(random, 14));
}

/* For any values, the predicted class has the largest probability, there is no NaN, and
 * probabilities sum to 1. For logistic regression with finite values, it is the class of the
 * decision values. */
static void test_labels_and_probabilities_never_contradict(void **state)
{
    uint64_t random = 11;

    (void)state;
    for (unsigned long k = 0; k < 200000; k++) {
        double decision[MOST_CLASSES], probability[MOST_CLASSES], sigmoid[2 * MOST_CLASSES];
        struct hinge_model model = {.classes = 1 + k % MOST_CLASSES,
                                    .solver_type = k % 7 ? "L2R_LR" : "MCSVM_CS"};
        double total = 0;
        int numbers = 1;
        size_t best;

        model.columns = model.classes == 2 && k % 7 ? 1 : model.classes;
        model.sigmoid = k % 2 || k % 7 == 0 ? sigmoid : NULL;
        assert_int_equal(hinge_has_probabilities(&model), 1);
        for (size_t c = 0; c < model.columns; c++) {
            decision[c] = c > 0 && k % 3 == 0 ? decision[0] : draw_value(&random);
            numbers &= !isnan(decision[c]);
            sigmoid[2 * c] = random_unit(&random) * (k % 5 ? -4 : 4) * (k % 11 != 0);
            sigmoid[2 * c + 1] = random_unit(&random) * 2 - 1;
        }
        best = hinge_probabilities(&model, decision, probability);
        assert_true(best < model.classes);
        for (size_t c = 0; c < model.classes; c++) {
            assert_true(probability[c] >= 0 && probability[c] <= probability[best]);
            total += probability[c];
        }
        assert_true(fabs(total - 1) < 1e-14);
        if (!model.sigmoid && numbers)
            assert_int_equal(best, hinge_decide(&model, decision));
    }
}

static void test_probabilities_by_hand(void **state)
{
    double sigmoid[] = {-2, 0.5, -1, 0, 3, 1}, p[3];
    struct hinge_model two = {
        .classes = 2, .columns = 1, .solver_type = "L2R_L1LOSS_SVC_DUAL", .sigmoid = sigmoid};
    struct hinge_model three = {
        .classes = 3, .columns = 3, .solver_type = "L2R_L1LOSS_SVC_DUAL", .sigmoid = sigmoid};
    const double of[] = {1 / (1 + exp(-2 * 0.3 + 0.5)), 1 / (1 + exp(0.7)), 1 / (1 + exp(-2.0))};
    const double total = of[0] + of[1] + of[2];

    (void)state;
    assert_int_equal(hinge_probabilities(&two, (double[]){0.3}, p), 0);
    assert_true(fabs(p[0] - of[0]) < 1e-15 && fabs(p[1] - (1 - of[0])) < 1e-15);
    assert_int_equal(hinge_probabilities(&two, (double[]){0.2}, p), 1); /* by its sign, class 0 */
    assert_true(p[0] < 0.5);
    assert_int_equal(hinge_probabilities(&two, (double[]){0.25}, p), 0); /* a tie: the sign */
    assert_true(p[0] == 0.5 && p[1] == 0.5);
    assert_int_equal(hinge_probabilities(&three, (double[]){0.3, -0.7, -1}, p), 2);
    for (size_t c = 0; c < 3; c++)
        assert_true(fabs(p[c] - of[c] / total) < 1e-15);
    two.sigmoid = NULL;
    assert_int_equal(hinge_has_probabilities(&two), 0);
    two.solver_type = "L2R_LR_DUAL";
    assert_int_equal(hinge_has_probabilities(&two), 1);
    assert_int_equal(hinge_probabilities(&two, (double[]){-709.9}, p), 1); /* as in LIBLINEAR */
    assert_true(p[0] == 0 && p[1] == 1);
    assert_int_equal(hinge_probabilities(&two, (double[]){43}, p), 0); /* 1 - p[0] would be 0 */
    assert_true(fabs(p[1] / exp(-43) - 1) < 1e-14);
    assert_int_equal(hinge_probabilities(&two, (double[]){1000}, p), 0);
    assert_true(p[0] == 1 && p[1] == 0);
}

static void test_freeing_nothing_is_allowed(void **state)
{
    (void)state;
    hinge_model_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decision_values_agree_with_dense_ones),
        cmocka_unit_test(test_unknown_features_leave_the_bias),
        cmocka_unit_test(test_rounding_decides_as_in_LIBLINEAR),
        cmocka_unit_test(test_decisions_and_ties),
        cmocka_unit_test(test_labels_and_probabilities_never_contradict),
        cmocka_unit_test(test_probabilities_by_hand),
        cmocka_unit_test(test_freeing_nothing_is_allowed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
