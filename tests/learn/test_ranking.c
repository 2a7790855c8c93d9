/* test_ranking.c - compares average precision, and precision and recall at each threshold, with
 * counts over all rows, made anew for each row and each threshold. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "support.h"

enum { MOST_ROWS = 2000 };

/* Rows of a model with the labels label[0] and label[1]. `given` is a position in `label`; the
 * model does not know label[2]. */
struct ranked {
    double label[3];
    size_t positive;
    size_t rows;
    size_t given[MOST_ROWS];
    double decision[MOST_ROWS];
};

static struct hinge_predictions *predictions_of(const struct ranked *ranked)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_predictions *predictions = hinge_predictions_new(ranked->label, 2, &error);

    assert_non_null(predictions);
    assert_true(predictions->known == 2 && isnan(predictions->positive));
    for (size_t i = 0; i < ranked->rows; i++)
        assert_int_equal(hinge_predictions_add(predictions, ranked->label[ranked->given[i]],
                                               ranked->decision[i] > 0 ? 0u : 1u,
                                               ranked->decision[i], &error),
                         HINGE_OK);
    predictions->positive = ranked->label[ranked->positive];
    return predictions;
}

/* ---- The reference ------------------------------------------------------ */

/* Returns the decision value of a row for the positive class. NaN is the lowest of the first class.
 */
static double score(const struct ranked *ranked, size_t i)
{
    const double d = isnan(ranked->decision[i]) ? -INFINITY : ranked->decision[i];

    return ranked->positive == 0 ? d : -d;
}

/* True if the row is predicted positive with the threshold: LIBLINEAR's rule with 0 replaced. */
static int is_above(const struct ranked *ranked, size_t i, double threshold)
{
    if (ranked->positive == 0)
        return ranked->decision[i] > threshold;
    return !(ranked->decision[i] > -threshold);
}

static long double precision_by_rows(const struct ranked *ranked)
{
    long double sum = 0;
    size_t positives = 0;

    for (size_t i = 0; i < ranked->rows; i++) {
        size_t above = 0, right = 0;

        if (ranked->given[i] != ranked->positive)
            continue;
        for (size_t j = 0; j < ranked->rows; j++)
            if (score(ranked, j) >= score(ranked, i)) {
                above++;
                right += ranked->given[j] == ranked->positive;
            }
        sum += (long double)right / (long double)above;
        positives++;
    }
    return positives ? sum / (long double)positives : NAN;
}

static size_t count_values(const struct ranked *ranked)
{
    size_t count = 0;

    for (size_t i = 0; i < ranked->rows; i++) {
        size_t j = 0;

        while (score(ranked, j) != score(ranked, i))
            j++;
        count += j == i;
    }
    return count;
}

static double f1_of(uint64_t given, uint64_t predicted, uint64_t correct)
{
    return given + predicted ? 2 * (double)correct / (double)(given + predicted) : 0;
}

static void check_points(const struct ranked *ranked, const struct hinge_curve *curve)
{
    double most = -1;
    size_t best = 0;

    assert_int_equal(curve->points, count_values(ranked));
    for (size_t k = 0; k < curve->points; k++) {
        const struct hinge_point *point = &curve->point[k];
        uint64_t predicted = 0, correct = 0;

        assert_true(isfinite(point->threshold));
        assert_true(k == 0 || point->threshold < curve->point[k - 1].threshold);
        for (size_t i = 0; i < ranked->rows; i++)
            if (is_above(ranked, i, point->threshold)) {
                predicted++;
                correct += ranked->given[i] == ranked->positive;
            }
        assert_int_equal(point->predicted, predicted);
        assert_int_equal(point->correct, correct);
        assert_true(k == 0 || predicted > curve->point[k - 1].predicted);
        if (f1_of(curve->given, predicted, correct) > most) {
            most = f1_of(curve->given, predicted, correct);
            best = k;
        }
    }
    assert_int_equal(curve->point[curve->points - 1].predicted, ranked->rows);
    assert_int_equal(curve->best, best);
}

/* Checks that the rows of a point are those predicted positive with its threshold. */
static void check_cut(const struct ranked *ranked, const struct hinge_curve *curve,
                      struct hinge_predictions *predictions)
{
    const struct hinge_point *point = &curve->point[curve->points / 2];
    struct hinge_error error;
    struct hinge_metrics *metrics;

    assert_int_equal(hinge_predictions_cut(predictions, point->threshold, &error), HINGE_OK);
    assert_true(predictions->threshold == point->threshold);
    for (size_t i = 0; i < ranked->rows; i++)
        assert_int_equal(predictions->predicted[i] == ranked->positive,
                         is_above(ranked, i, point->threshold));
    metrics = hinge_metrics_new(predictions, NULL, &error);
    assert_non_null(metrics);
    assert_int_equal(metrics->by_class[ranked->positive].predicted, point->predicted);
    assert_int_equal(metrics->by_class[ranked->positive].correct, point->correct);
    hinge_metrics_free(metrics);
}

/* Checks that no row's value is a threshold with a larger F1 than the best point. */
static void check_best(const struct ranked *ranked, const struct hinge_curve *curve)
{
    const struct hinge_point *best = &curve->point[curve->best];
    const double most = f1_of(curve->given, best->predicted, best->correct);

    for (size_t i = 0; i < ranked->rows; i++) {
        uint64_t predicted = 0, correct = 0;

        for (size_t j = 0; j < ranked->rows; j++)
            if (score(ranked, j) >= score(ranked, i)) {
                predicted++;
                correct += ranked->given[j] == ranked->positive;
            }
        assert_true(f1_of(curve->given, predicted, correct) <= most);
    }
}

static void check_ranked(const struct ranked *ranked)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_predictions *predictions = predictions_of(ranked);
    struct hinge_metrics *metrics = hinge_metrics_new(predictions, NULL, &error);
    struct hinge_curve *curve = hinge_curve_new(predictions, NULL, &error);
    const long double precision = precision_by_rows(ranked);
    size_t given = 0;

    assert_true(metrics && curve);
    for (size_t i = 0; i < ranked->rows; i++)
        given += ranked->given[i] == ranked->positive;
    assert_int_equal(metrics->positive, ranked->positive);
    if (metrics->classes > 2 || given == 0)
        assert_true(isnan(metrics->average_precision));
    else if (!(fabsl(metrics->average_precision - precision) <= 8 * DBL_EPSILON))
        fail_msg("average precision %.17g, not %.17Lg", metrics->average_precision, precision);
    assert_true(metrics->positive_f1 == metrics->by_class[ranked->positive].f1);
    assert_int_equal(curve->rows, ranked->rows);
    assert_int_equal(curve->given, given);
    assert_false(curve->stopped);
    check_points(ranked, curve);
    check_best(ranked, curve);
    check_cut(ranked, curve, predictions);
    hinge_curve_free(curve);
    hinge_metrics_free(metrics);
    hinge_predictions_free(predictions);
}

/* ---- Random rows -------------------------------------------------------- */

/* Draws rows. The positive label is either label of the model. If `strange`, one row in eight has
 * an unknown label. If levels > 0, there are only so many values. */
static void draw(struct ranked *ranked, uint64_t *state, size_t rows, size_t levels, int strange)
{
    const double labels[][3] = {{1, -1, 5}, {-1, 1, 5}, {0, 1, -7}, {2, 1, 9}};
    const double *label = labels[draw_below(state, 4)];

    for (size_t c = 0; c < 3; c++)
        ranked->label[c] = label[c];
    ranked->positive = draw_below(state, 2);
    ranked->rows = rows;
    for (size_t i = 0; i < rows; i++) {
        ranked->given[i] = strange && draw_below(state, 8) == 0 ? 2 : draw_below(state, 2);
        ranked->decision[i] = levels ? (double)draw_below(state, levels) - (double)(levels / 2)
                                     : random_unit(state) - 0.5;
        if (draw_below(state, 2)) /* so that values depend on labels */
            ranked->decision[i] += ranked->given[i] == 0 ? 1 : -1;
    }
}

static void test_every_threshold_counts_its_rows(void **state)
{
    static struct ranked ranked;
    uint64_t random = 1;

    (void)state;
    for (int n = 0; n < 4000; n++) {
        draw(&ranked, &random, 1 + draw_below(&random, 25), draw_below(&random, 7), n % 3 == 0);
        check_ranked(&ranked);
    }
    draw(&ranked, &random, MOST_ROWS, 0, 0);
    check_ranked(&ranked);
    draw(&ranked, &random, MOST_ROWS, 20, 0);
    check_ranked(&ranked);
}

/* Neighbouring doubles, with no double in between, and the smallest doubles. */
static void test_neighbours_are_told_apart(void **state)
{
    static struct ranked ranked = {.label = {1, -1}, .rows = 8, .given = {0, 1, 0, 1, 0, 1, 0, 1}};

    (void)state;
    for (ranked.positive = 0; ranked.positive < 2; ranked.positive++) {
        double value = 1;

        for (size_t i = 0; i < 8; i++, value = nextafter(value, i % 3 ? 2 : -2))
            ranked.decision[i] = value;
        check_ranked(&ranked);
        value = -1.5e-323;
        for (size_t i = 0; i < 8; i++, value += 5e-324)
            ranked.decision[i] = value;
        check_ranked(&ranked);
        ranked.decision[0] = -0.0; /* equal to 0 */
        check_ranked(&ranked);
    }
}

/* Values at the ends of the range and beyond; thresholds stay finite. Only rows of -infinity below
 * all others cannot be above a finite threshold of the first class. */
static void test_values_beyond_double(void **state)
{
    const double odd[] = {INFINITY, NAN, DBL_MAX, 1, 0, -1, -1e308, 1e308};
    static struct ranked ranked;
    uint64_t random = 2;

    (void)state;
    for (int n = 0; n < 3000; n++) {
        draw(&ranked, &random, 1 + draw_below(&random, 12), 5, 0);
        for (size_t i = 0; i < ranked.rows; i++) {
            ranked.decision[i] = odd[draw_below(&random, sizeof odd / sizeof *odd)];
            if (ranked.positive == 0 && isnan(ranked.decision[i]))
                ranked.decision[i] = -DBL_MAX / 2;
            if (ranked.positive == 1 && isinf(ranked.decision[i]))
                ranked.decision[i] = 1e308;
        }
        check_ranked(&ranked);
    }
}

/* Figures by hand: the positive rows are at places 1, 3 and 4 of 5. */
static void test_a_handful(void **state)
{
    static const struct ranked ranked = {.label = {1, -1},
                                         .positive = 1,
                                         .rows = 5,
                                         .given = {1, 0, 1, 1, 0},
                                         .decision = {-4, -3, 1, 2, 8}};
    struct hinge_error error;
    struct hinge_predictions *predictions = predictions_of(&ranked);
    struct hinge_metrics *metrics = hinge_metrics_new(predictions, NULL, &error);
    struct hinge_curve *curve = hinge_curve_new(predictions, NULL, &error);

    (void)state;
    assert_true(metrics && curve);
    assert_true(fabs(metrics->average_precision - (1 + 2.0 / 3 + 3.0 / 4) / 3) < 1e-15);
    assert_int_equal(curve->points, 5);
    assert_int_equal(curve->best, 3); /* F1 = 6/7 */
    assert_true(curve->point[0].threshold == 3.5 && curve->point[3].threshold == -5);
    assert_true(curve->point[4].threshold == -8);
    hinge_curve_free(curve);
    hinge_metrics_free(metrics);
    hinge_predictions_free(predictions);
}

static void test_positive_class_by_its_label(void **state)
{
    static const double label[] = {4, 7, 2};
    static const uint32_t given[] = {0, 0, 1, 2}, predicted[] = {0, 1, 1, 1};
    struct hinge_error error;

    (void)state;
    for (size_t classes = 2; classes <= 3; classes++)
        for (size_t c = 0; c <= 4; c++) { /* 3: no positive label; 4: an unknown one */
            struct hinge_predictions *predictions = hinge_predictions_new(label, classes, &error);
            struct hinge_metrics *metrics;
            const size_t expected = c == 3 && classes == 2 ? 1 : c < classes ? c : classes;

            assert_non_null(predictions);
            for (size_t i = 0; i < classes + 1; i++)
                assert_int_equal(
                    hinge_predictions_add(predictions, label[given[i]], predicted[i], 0.5, &error),
                    HINGE_OK);
            if (c != 3)
                predictions->positive = c < classes ? label[c] : 99;
            metrics = hinge_metrics_new(predictions, NULL, &error);
            assert_non_null(metrics);
            assert_int_equal(metrics->positive, expected);
            assert_true(expected < classes
                            ? metrics->positive_f1 == metrics->by_class[expected].f1
                            : isnan(metrics->positive_f1) && isnan(metrics->average_precision));
            assert_true(isnan(metrics->auc) == (classes != 2));
            hinge_metrics_free(metrics);
            hinge_predictions_free(predictions);
        }
}

/* A threshold of 0 is LIBLINEAR's rule, whichever class is positive, also for 0 and NaN. */
static void test_zero_is_the_usual_threshold(void **state)
{
    const double values[] = {1, -1, 0, -0.0, NAN, INFINITY, -INFINITY, 5e-324, -5e-324};
    const struct hinge_model model = {.classes = 2, .columns = 1};

    (void)state;
    for (size_t k = 0; k < COUNT(values); k++)
        for (size_t positive = 0; positive < 2; positive++)
            assert_int_equal(
                hinge_decide(&model, &values[k]),
                hinge_decide_threshold(positive, positive ? -values[k] : values[k], 0));
    assert_int_equal(hinge_decide_threshold(0, 0.5, 0.5), 1);
    assert_int_equal(hinge_decide_threshold(1, 0.5, 0.5), 1);
    assert_int_equal(hinge_decide_threshold(0, 0.75, 0.5), 0);
    assert_int_equal(hinge_decide_threshold(1, 0.25, 0.5), 0);
}

static enum hinge_answer stop(void *context, const struct hinge_progress *progress)
{
    (void)context;
    (void)progress;
    return HINGE_INTERRUPT;
}

static void test_a_monitor_stops_the_curve(void **state)
{
    enum { ROWS = 3 << 20 };
    static const double label[] = {1, -1};
    const struct hinge_monitor monitor = {stop, NULL, NULL, 0};
    struct hinge_error error;
    struct hinge_predictions *predictions = hinge_predictions_new(label, 2, &error);
    struct hinge_metrics *metrics;
    struct hinge_curve *curve;
    uint64_t random = 1;

    (void)state;
    assert_non_null(predictions);
    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(
            hinge_predictions_add(predictions, label[i % 2], 0, random_unit(&random), &error),
            HINGE_OK);
    curve = hinge_curve_new(predictions, &monitor, &error);
    assert_true(curve && curve->stopped && curve->points == 0);
    hinge_curve_free(curve);
    metrics = hinge_metrics_new(predictions, &monitor, &error);
    assert_true(metrics && metrics->stopped && isnan(metrics->average_precision));
    hinge_metrics_free(metrics);
    hinge_predictions_free(predictions);
}

static void test_what_cannot_be_ranked_is_refused(void **state)
{
    static const double label[] = {1, -1, 2};

    (void)state;
    for (size_t classes = 0; classes <= 3; classes++)
        for (size_t rows = 0; rows < 2; rows++) {
            struct hinge_error error = {HINGE_OK, ""};
            struct hinge_predictions *predictions = hinge_predictions_new(label, classes, &error);
            struct hinge_curve *curve;

            assert_non_null(predictions);
            if (rows)
                assert_int_equal(hinge_predictions_add(predictions, 1, 0, 0.5, &error), HINGE_OK);
            predictions->positive = 1;
            curve = hinge_curve_new(predictions, NULL, &error);
            assert_true((curve != NULL) == (classes == 2 && rows > 0));
            assert_true(curve || error.status == HINGE_BAD_ARGUMENT);
            assert_int_equal(hinge_predictions_cut(predictions, 0, &error),
                             curve ? HINGE_OK : HINGE_BAD_ARGUMENT);
            hinge_curve_free(curve);
            predictions->positive = 8;
            assert_null(hinge_curve_new(predictions, NULL, &error));
            hinge_predictions_free(predictions);
        }
    hinge_curve_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_threshold_counts_its_rows),
        cmocka_unit_test(test_neighbours_are_told_apart),
        cmocka_unit_test(test_values_beyond_double),
        cmocka_unit_test(test_a_handful),
        cmocka_unit_test(test_positive_class_by_its_label),
        cmocka_unit_test(test_zero_is_the_usual_threshold),
        cmocka_unit_test(test_a_monitor_stops_the_curve),
        cmocka_unit_test(test_what_cannot_be_ranked_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
