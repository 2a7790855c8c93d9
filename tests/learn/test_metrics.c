/* test_metrics.c - compares the metrics of predictions and the area under the ROC curve with counts
 * of all pairs and a confusion matrix made here. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/ranking.h"
#include "support.h"

enum { MOST_ROWS = 3000, MOST_LABELS = 64 };

/* Rows with predictions, before their labels are numbered as classes. */
struct sample {
    size_t labels; /* number of labels of the model */
    double label[MOST_LABELS];
    size_t rows;
    double given[MOST_ROWS];
    size_t predicted[MOST_ROWS]; /* positions in `label` */
    double decision[MOST_ROWS];
};

static struct hinge_predictions *predictions_of(const struct sample *sample)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_predictions *predictions =
        hinge_predictions_new(sample->label, sample->labels, &error);

    assert_non_null(predictions);
    assert_int_equal(predictions->rows, 0);
    for (size_t i = 0; i < sample->rows; i++)
        assert_int_equal(hinge_predictions_add(predictions, sample->given[i], sample->predicted[i],
                                               sample->decision[i], &error),
                         HINGE_OK);
    return predictions;
}

/* Checks that metrics computed from labels alone equal `all`, and that the two metrics that need
 * decision values are NaN. */
static void check_of_labels(const struct hinge_predictions *predictions,
                            const struct hinge_metrics *all)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_metrics *metrics = metrics_of_labels(predictions, &error);

    assert_non_null(metrics);
    assert_true(isnan(metrics->auc) && isnan(metrics->average_precision));
    assert_true(metrics->rows == all->rows && metrics->correct == all->correct &&
                metrics->positive == all->positive && metrics->classes == all->classes);
    assert_memory_equal(&metrics->accuracy, &all->accuracy, sizeof(double));
    assert_memory_equal(&metrics->balanced_accuracy, &all->balanced_accuracy, sizeof(double));
    assert_memory_equal(&metrics->positive_f1, &all->positive_f1, sizeof(double));
    assert_memory_equal(&metrics->f1, &all->f1, sizeof(double));
    assert_memory_equal(metrics->by_class, all->by_class,
                        metrics->classes * sizeof *metrics->by_class);
    hinge_metrics_free(metrics);
}

static struct hinge_metrics *metrics_of(const struct hinge_predictions *predictions)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_metrics *metrics = hinge_metrics_new(predictions, NULL, &error);

    if (!metrics)
        fail_msg("%s", error.message);
    check_of_labels(predictions, metrics);
    return metrics;
}

static double auc_of(const struct sample *sample)
{
    struct hinge_predictions *predictions = predictions_of(sample);
    struct hinge_metrics *metrics = metrics_of(predictions);
    double auc = metrics->auc;

    hinge_metrics_free(metrics);
    hinge_predictions_free(predictions);
    return auc;
}

/* ---- The reference ------------------------------------------------------ */

/* Classes found by a search from the front, and their confusion matrix. */
struct table {
    size_t classes;
    double label[2 * MOST_LABELS];
    uint64_t cell[2 * MOST_LABELS][2 * MOST_LABELS]; /* [given][predicted] */
};

static size_t class_at(struct table *table, double label)
{
    size_t c = 0;

    while (c < table->classes && table->label[c] != label)
        c++;
    assert_true(c < 2 * MOST_LABELS);
    if (c == table->classes)
        table->label[table->classes++] = label;
    return c;
}

static void table_fill(struct table *table, const struct sample *sample)
{
    memset(table, 0, sizeof *table);
    for (size_t c = 0; c < sample->labels; c++)
        class_at(table, sample->label[c]);
    for (size_t i = 0; i < sample->rows; i++) {
        const size_t predicted = class_at(table, sample->label[sample->predicted[i]]);

        table->cell[class_at(table, sample->given[i])][predicted]++;
    }
}

/* Returns 2 if the left decision value is larger, 1 if both are equal, or else 0. NaN counts as the
 * lowest value. */
static int wins(double left, double right)
{
    const double a = isnan(left) ? -INFINITY : left, b = isnan(right) ? -INFINITY : right;

    return a > b ? 2 : a == b ? 1 : 0;
}

/* Returns the area under the ROC curve of the rows labelled first against those labelled second, by
 * comparing all pairs. */
static double area_by_pairs(const struct sample *sample, double first, double second)
{
    uint64_t won = 0, pairs = 0;

    for (size_t i = 0; i < sample->rows; i++)
        for (size_t j = 0; j < sample->rows; j++)
            if (sample->given[i] == first && sample->given[j] == second) {
                won += (uint64_t)wins(sample->decision[i], sample->decision[j]);
                pairs += 2;
            }
    return pairs > 0 ? (double)won / (double)pairs : NAN;
}

static void expect_near(double value, long double expected, const char *what)
{
    if (isnan(expected) ? !isnan(value) : !(fabsl(value - expected) <= 4 * DBL_EPSILON))
        fail_msg("%s is %.17g, not %.17Lg", what, value, expected);
}

static long double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (long double)part / (long double)whole : 0;
}

static struct hinge_class_metrics sums_of(const struct table *table, size_t c)
{
    struct hinge_class_metrics sums = {0};

    for (size_t d = 0; d < table->classes; d++) {
        sums.given += table->cell[c][d];
        sums.predicted += table->cell[d][c];
    }
    sums.correct = table->cell[c][c];
    return sums;
}

/* Returns the correlation of labels and predictions: the sum over classes of the covariances of the
 * two indicators of a class, divided by the root of the product of the sums of their variances. */
static long double correlation_of(const struct table *table, long double rows)
{
    long double both = 0, given = 0, predicted = 0;

    for (size_t c = 0; c < table->classes; c++) {
        const struct hinge_class_metrics sums = sums_of(table, c);
        const long double t = sums.given / rows, p = sums.predicted / rows;

        both += sums.correct / rows - t * p;
        given += t * (1 - t);
        predicted += p * (1 - p);
    }
    return given > 0 && predicted > 0 ? both / sqrtl(given * predicted) : 0;
}

/* Checks each class, and the means over the classes that have a row or a prediction. */
static void check_classes(const struct table *table, const struct hinge_metrics *metrics)
{
    long double precision = 0, recall = 0, f1 = 0;
    size_t there = 0, met = 0;

    for (size_t c = 0; c < table->classes; c++) {
        const struct hinge_class_metrics *one = &metrics->by_class[c];
        const struct hinge_class_metrics sums = sums_of(table, c);

        assert_true(one->given == sums.given && one->predicted == sums.predicted);
        assert_true(one->correct == sums.correct);
        expect_near(one->precision, ratio(sums.correct, sums.predicted), "a precision");
        expect_near(one->recall, ratio(sums.correct, sums.given), "a recall");
        expect_near(one->f1, ratio(2 * sums.correct, sums.given + sums.predicted), "an F1");
        precision += ratio(sums.correct, sums.predicted);
        recall += ratio(sums.correct, sums.given);
        f1 += ratio(2 * sums.correct, sums.given + sums.predicted);
        there += sums.given > 0;
        met += sums.given > 0 || sums.predicted > 0;
    }
    expect_near(metrics->balanced_accuracy, recall / there, "the balanced accuracy");
    expect_near(metrics->precision, precision / met, "the precision");
    expect_near(metrics->recall, recall / met, "the recall");
    expect_near(metrics->f1, f1 / met, "F1");
    expect_near(metrics->mcc, correlation_of(table, (long double)metrics->rows), "MCC");
}

static void check_metrics(const struct table *table, const struct sample *sample,
                          const struct hinge_metrics *metrics)
{
    long double auc = NAN, positive_f1 = NAN;
    uint64_t correct = 0;

    for (size_t c = 0; c < table->classes; c++)
        correct += table->cell[c][c];
    if (table->classes == 2) {
        auc = area_by_pairs(sample, table->label[0], table->label[1]);
        positive_f1 = metrics->by_class[table->label[1] > table->label[0]].f1;
    }
    assert_int_equal(metrics->rows, sample->rows);
    assert_int_equal(metrics->correct, correct);
    assert_int_equal(metrics->classes, table->classes);
    expect_near(metrics->accuracy, ratio(correct, sample->rows), "the accuracy");
    expect_near(metrics->auc, auc, "the area");
    expect_near(metrics->positive_f1, positive_f1, "the positive F1");
    check_classes(table, metrics);
}

/* Checks that the list has each non-zero cell of the table once, row by row. */
static void check_entries(const struct table *table, const struct hinge_predictions *predictions)
{
    struct hinge_error error;
    size_t count, k = 0;
    struct hinge_confused *entries = hinge_confusion_entries(predictions, &count, &error);

    assert_non_null(entries);
    for (size_t c = 0; c < table->classes; c++)
        for (size_t d = 0; d < table->classes; d++) {
            if (table->cell[c][d] == 0)
                continue;
            assert_true(k < count);
            assert_int_equal(entries[k].given, c);
            assert_int_equal(entries[k].predicted, d);
            assert_int_equal(entries[k].rows, table->cell[c][d]);
            k++;
        }
    assert_int_equal(k, count);
    free(entries);
}

static void check_predictions(const struct table *table, const struct sample *sample,
                              const struct hinge_predictions *predictions)
{
    assert_int_equal(predictions->classes, table->classes);
    for (size_t c = 0; c < table->classes; c++)
        assert_true(predictions->label[c] == table->label[c]);
    assert_int_equal(predictions->rows, sample->rows);
    for (size_t i = 0; i < sample->rows; i++) {
        assert_true(table->label[predictions->given[i]] == sample->given[i]);
        assert_true(table->label[predictions->predicted[i]] == sample->label[sample->predicted[i]]);
        assert_memory_equal(&predictions->decision[i], &sample->decision[i], sizeof(double));
    }
}

static void check_sample(const struct sample *sample)
{
    static struct table table;
    struct hinge_predictions *predictions = predictions_of(sample);
    struct hinge_metrics *metrics = metrics_of(predictions);

    table_fill(&table, sample);
    check_predictions(&table, sample, predictions);
    check_metrics(&table, sample, metrics);
    check_entries(&table, predictions);
    hinge_metrics_free(metrics);
    hinge_predictions_free(predictions);
}

/* ---- Random samples ----------------------------------------------------- */

/* Draws a decision value from so few levels that most values are equal. With levels 0 all differ.
 */
static double draw_decision(uint64_t *state, size_t levels)
{
    return levels ? (double)draw_below(state, levels) - (double)(levels / 2)
                  : random_unit(state) - 0.5;
}

static void draw_labels(struct sample *sample, uint64_t *state, size_t labels)
{
    sample->labels = labels;
    for (size_t c = 0; c < labels; c++)
        sample->label[c] = 3 * (double)c;
    for (size_t c = labels; c-- > 1;) {
        const size_t other = draw_below(state, c + 1);
        const double moved = sample->label[c];

        sample->label[c] = sample->label[other];
        sample->label[other] = moved;
    }
}

/* Draws labels and predictions. A share `strange` of the labels is one of four that the model does
 * not know. */
static void draw_sample(struct sample *sample, uint64_t *state, size_t labels, size_t rows,
                        double strange)
{
    const size_t levels = draw_below(state, 7);
    const double skill = random_unit(state);

    draw_labels(sample, state, labels);
    sample->rows = rows;
    for (size_t i = 0; i < rows; i++) {
        const size_t c = draw_below(state, labels);

        sample->given[i] = sample->label[c];
        if (random_unit(state) < strange)
            sample->given[i] = 100 + (double)draw_below(state, 4);
        sample->predicted[i] = random_unit(state) < skill ? c : draw_below(state, labels);
        sample->decision[i] = draw_decision(state, levels);
    }
}

/* ---- The area under the curve -------------------------------------------- */

static void test_area_counts_all_pairs(void **state)
{
    static struct sample sample;
    uint64_t random = 1;

    (void)state;
    for (int n = 0; n < 6000; n++) {
        draw_sample(&sample, &random, 2, 1 + draw_below(&random, 25), 0);
        check_sample(&sample);
    }
    draw_sample(&sample, &random, 2, MOST_ROWS, 0);
    check_sample(&sample);
}

/* The area by hand: the first class wins 3 of 3 x 2 pairs and ties 1. */
static void test_area_of_a_handful(void **state)
{
    static const struct sample sample = {.labels = 2,
                                         .label = {1, -1},
                                         .rows = 5,
                                         .given = {1, -1, 1, -1, 1},
                                         .decision = {3, 2, 2, -1, -4}};

    (void)state;
    assert_true(auc_of(&sample) == 3.5 / 6);
}

static void test_equal_decision_values_give_one_half(void **state)
{
    static struct sample sample = {.labels = 2, .label = {5, 2}};

    (void)state;
    for (size_t first = 1; first <= 40; first++)
        for (size_t second = 1; second <= 40; second += 3) {
            sample.rows = first + second;
            for (size_t i = 0; i < sample.rows; i++) {
                sample.given[i] = i < first ? 5 : 2;
                sample.decision[i] = 0.1;
            }
            assert_true(auc_of(&sample) == 0.5);
        }
}

static void test_area_is_one_when_classes_part(void **state)
{
    static struct sample sample = {.labels = 2, .label = {-3, 8}};

    (void)state;
    for (size_t rows = 2; rows <= 60; rows++) {
        sample.rows = rows;
        for (size_t i = 0; i < rows; i++) {
            sample.given[i] = i % 3 ? 8 : -3;
            sample.decision[i] = (i % 3 ? 0 : 1000) + (double)(i * 7 % rows);
        }
        assert_true(auc_of(&sample) == 1);
        for (size_t i = 0; i < rows; i++)
            sample.decision[i] = -sample.decision[i];
        assert_true(auc_of(&sample) == 0);
    }
}

static double cube(double x)
{
    return x * x * x;
}

static double steep(double x)
{
    return exp(20 * x);
}

/* Returns a very small value, with small distances between the values. */
static double tiny(double x)
{
    return 1e-300 * x - 5e-290;
}

static void test_order_alone_decides_the_area(void **state)
{
    static double (*const stretch[])(double) = {cube, steep, tiny};
    static struct sample sample, stretched;
    uint64_t random = 2;

    (void)state;
    for (int n = 0; n < 1000; n++) {
        draw_sample(&sample, &random, 2, 2 + draw_below(&random, 30), 0);
        for (size_t k = 0; k < sizeof stretch / sizeof *stretch; k++) {
            stretched = sample;
            for (size_t i = 0; i < sample.rows; i++)
                stretched.decision[i] = stretch[k](sample.decision[i]);
            expect_near(auc_of(&stretched), auc_of(&sample), "the area of values stretched");
        }
    }
}

static void test_neighbouring_doubles_are_not_tied(void **state)
{
    static struct sample sample = {.labels = 2, .label = {1, 0}, .rows = 4, .given = {1, 0, 1, 0}};

    (void)state;
    sample.decision[0] = nextafter(1, 2);
    sample.decision[1] = 1;
    sample.decision[2] = 5e-324;
    sample.decision[3] = 0;
    assert_true(auc_of(&sample) == 0.75);
    sample.decision[3] = -0.0; /* equal to 0 */
    sample.decision[2] = 0.0;
    assert_true(auc_of(&sample) == (1 + 0.5 + 1) / 4);
}

/* The area stays the same if the two classes swap their names and the values their sign. */
static void test_swapped_classes_have_the_same_area(void **state)
{
    static struct sample sample;
    uint64_t random = 3;

    (void)state;
    for (int n = 0; n < 2000; n++) {
        double auc, swapped;

        draw_sample(&sample, &random, 2, 1 + draw_below(&random, 30), 0);
        auc = auc_of(&sample);
        for (size_t i = 0; i < sample.rows; i++)
            sample.decision[i] = -sample.decision[i];
        expect_near(auc_of(&sample), 1 - (long double)auc, "the area of negated values");
        swapped = sample.label[0];
        sample.label[0] = sample.label[1];
        sample.label[1] = swapped;
        expect_near(auc_of(&sample), auc, "the area of swapped classes");
    }
}

/* Infinite values of one sign are equal. NaN is as low as minus infinity. */
static void test_values_beyond_double_have_a_place(void **state)
{
    const double odd[] = {INFINITY, -INFINITY, NAN, DBL_MAX, -DBL_MAX, 0, -0.0};
    static struct sample sample;
    uint64_t random = 4;

    (void)state;
    for (int n = 0; n < 4000; n++) {
        draw_sample(&sample, &random, 2, 1 + draw_below(&random, 12), 0);
        for (size_t i = 0; i < sample.rows; i++)
            if (random_unit(&random) < 0.7)
                sample.decision[i] = odd[draw_below(&random, sizeof odd / sizeof *odd)];
        check_sample(&sample);
    }
}

static void test_one_class_alone_has_no_area(void **state)
{
    static struct sample sample;
    uint64_t random = 5;

    (void)state;
    for (size_t c = 0; c < 2; c++)
        for (size_t rows = 1; rows < 30; rows++) {
            draw_sample(&sample, &random, 2, rows, 0);
            for (size_t i = 0; i < rows; i++)
                sample.given[i] = sample.label[c];
            assert_true(isnan(auc_of(&sample)));
            check_sample(&sample);
        }
}

/* ---- Classes ------------------------------------------------------------- */

static void test_many_classes_agree_with_their_table(void **state)
{
    static struct sample sample;
    uint64_t random = 6;

    (void)state;
    for (int n = 0; n < 3000; n++) {
        draw_sample(&sample, &random, 1 + draw_below(&random, 9), 1 + draw_below(&random, 40), 0);
        check_sample(&sample);
    }
    draw_sample(&sample, &random, MOST_LABELS, MOST_ROWS, 0);
    check_sample(&sample);
}

/* 2 of 4, 1 of 1 and 0 of 1 rows are correct. Class 9 is only predicted, class 4 has neither a row
 * nor a prediction. */
static void test_measures_of_a_handful(void **state)
{
    static const struct sample sample = {.labels = 5,
                                         .label = {7, 2, 9, 4, 1},
                                         .rows = 6,
                                         .given = {7, 7, 7, 7, 2, 1},
                                         .predicted = {0, 0, 1, 2, 1, 0}};
    struct hinge_predictions *predictions = predictions_of(&sample);
    struct hinge_metrics *metrics = metrics_of(predictions);

    (void)state;
    expect_near(metrics->accuracy, 0.5L, "the accuracy");
    expect_near(metrics->balanced_accuracy, (0.5L + 1 + 0) / 3, "the balanced accuracy");
    expect_near(metrics->precision, (2.0L / 3 + 0.5L + 0 + 0) / 4, "the precision");
    expect_near(metrics->recall, (0.5L + 1 + 0 + 0) / 4, "the recall");
    expect_near(metrics->f1, (4.0L / 7 + 2.0L / 3 + 0 + 0) / 4, "F1");
    assert_true(isnan(metrics->auc) && isnan(metrics->positive_f1));
    check_sample(&sample);
    hinge_metrics_free(metrics);
    hinge_predictions_free(predictions);
}

/* Labels that the model does not know become classes after the model's, in order of appearance.
 * Their rows count as wrong. If there are then three classes, there is no area. */
static void test_labels_the_model_does_not_know(void **state)
{
    static struct sample sample;
    struct hinge_predictions *predictions;
    uint64_t random = 7;

    (void)state;
    for (int n = 0; n < 3000; n++) {
        draw_sample(&sample, &random, 1 + draw_below(&random, 4), 1 + draw_below(&random, 30), 0.3);
        check_sample(&sample);
    }
    sample = (struct sample){
        .labels = 2, .label = {1, -1}, .rows = 5, .given = {-1, 8, 1, -5, 8}, .predicted = {1}};
    predictions = predictions_of(&sample);
    assert_int_equal(predictions->classes, 4);
    assert_true(predictions->label[2] == 8 && predictions->label[3] == -5);
    assert_int_equal(predictions->given[4], 2);
    hinge_predictions_free(predictions);
}

/* A model of LIBLINEAR may have the labels 3 3. A prediction is a label, so they are one class. */
static void test_label_twice_is_one_class(void **state)
{
    static struct sample sample;
    uint64_t random = 8;

    (void)state;
    for (int n = 0; n < 3000; n++) {
        const size_t labels = 2 + draw_below(&random, 5);

        draw_sample(&sample, &random, labels, 1 + draw_below(&random, 30), n % 2 ? 0.2 : 0);
        for (size_t c = 0; c < labels; c++)
            sample.label[c] = (double)draw_below(&random, 3);
        check_sample(&sample);
    }
}

static void test_minus_zero_is_the_label_zero(void **state)
{
    static const struct sample sample = {.labels = 2,
                                         .label = {-0.0, 1},
                                         .rows = 4,
                                         .given = {0.0, -0.0, 1, 0.0},
                                         .predicted = {0, 0, 1, 1},
                                         .decision = {1, 2, -3, -4}};
    struct hinge_predictions *predictions = predictions_of(&sample);

    (void)state;
    assert_int_equal(predictions->classes, 2);
    assert_false(signbit(predictions->label[0]));
    assert_int_equal(predictions->given[0], 0);
    assert_int_equal(predictions->given[1], 0);
    check_sample(&sample);
    hinge_predictions_free(predictions);
}

/* The positive class has the larger label, in any position, also if the model lacks it. */
static void test_positive_is_the_larger_label(void **state)
{
    static const double pairs[][2] = {{1, -1}, {-1, 1}, {2, 1}, {1, 2}, {0, -5}, {-5, 0}};

    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const double larger = fmax(pairs[k][0], pairs[k][1]);
        const double smaller = fmin(pairs[k][0], pairs[k][1]);
        const size_t to_larger = pairs[k][0] < pairs[k][1];

        /* the larger label has 3 rows, 2 predictions, 1 of them correct */
        for (size_t labels = 1; labels <= 2; labels++) {
            struct sample sample = {.labels = labels, .label = {pairs[k][0], pairs[k][1]}};
            struct hinge_predictions *predictions;
            struct hinge_metrics *metrics;

            sample.rows = 6;
            for (size_t i = 0; i < 6; i++) {
                sample.given[i] = i < 3 ? larger : smaller;
                sample.predicted[i] = labels == 1 ? 0 : i == 1 || i == 4 ? to_larger : !to_larger;
            }
            predictions = predictions_of(&sample);
            metrics = metrics_of(predictions);
            if (labels == 2)
                expect_near(metrics->positive_f1, 2.0L / 5, "the positive F1");
            else
                expect_near(metrics->positive_f1, to_larger ? 0 : 6.0L / 9, "the positive F1");
            hinge_metrics_free(metrics);
            hinge_predictions_free(predictions);
        }
    }
}

static enum hinge_answer stop(void *context, const struct hinge_progress *progress)
{
    unsigned *asked = context;

    assert_true(progress->rows == 0 && !progress->w);
    return ++*asked == 3 ? HINGE_INTERRUPT : HINGE_GO_ON;
}

/* Millions of rows are sorted in parts. A monitor is asked before each part. */
static void test_a_monitor_stops_the_area(void **state)
{
    enum { ROWS = 5 << 20 };
    static const double label[] = {1, -1};
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_predictions *predictions = hinge_predictions_new(label, 2, &error);
    struct hinge_metrics *metrics;
    uint64_t random = 1;
    unsigned asked = 0;
    const struct hinge_monitor monitor = {stop, &asked, NULL, 0};

    (void)state;
    assert_non_null(predictions);
    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(hinge_predictions_add(predictions, label[i % 2], i % 3 == 0,
                                               random_unit(&random), &error),
                         HINGE_OK);
    metrics = hinge_metrics_new(predictions, &monitor, &error);
    assert_non_null(metrics);
    assert_int_equal(asked, 3);
    assert_true(metrics->stopped && isnan(metrics->auc));
    assert_true(metrics->rows == ROWS && fabs(metrics->accuracy - 0.5) < 1e-6);
    hinge_metrics_free(metrics);
    asked = 3;
    metrics = hinge_metrics_new(predictions, &monitor, &error);
    assert_true(metrics && asked > 3 && !metrics->stopped && fabs(metrics->auc - 0.5) < 1e-3);
    hinge_metrics_free(metrics);
    hinge_predictions_free(predictions);
}

static void test_no_rows_are_refused(void **state)
{
    static const double label[] = {1, -1, 1};

    (void)state;
    for (size_t classes = 1; classes <= 3; classes++) {
        struct hinge_error error = {HINGE_OK, ""};
        struct hinge_predictions *predictions = hinge_predictions_new(label, classes, &error);
        struct hinge_confused *entries;
        size_t count = 1;

        assert_non_null(predictions);
        assert_null(hinge_metrics_new(predictions, NULL, &error));
        assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
        assert_string_equal(error.message, "there are no predictions to rate");
        entries = hinge_confusion_entries(predictions, &count, &error);
        assert_non_null(entries);
        assert_int_equal(count, 0);
        free(entries);
        hinge_predictions_free(predictions);
    }
}

static void test_a_regression_has_no_confusion(void **state)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_predictions *predictions = hinge_predictions_new(NULL, 0, &error);
    size_t count = 1;

    (void)state;
    assert_non_null(predictions);
    for (int rows = 0; rows < 2; rows++) {
        assert_null(hinge_confusion_entries(predictions, &count, &error));
        assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
        assert_int_equal(count, 0);
        assert_int_equal(hinge_predictions_add(predictions, 1, 0, 2, &error), HINGE_OK);
    }
    hinge_predictions_free(predictions);
}

static void test_freeing_nothing_is_allowed(void **state)
{
    struct hinge_validation none = {0};

    (void)state;
    hinge_predictions_free(NULL);
    hinge_metrics_free(NULL);
    hinge_validation_clear(&none);
    assert_null(none.predictions);
}

/* ---- Weights ----------------------------------------------------------- */

static void expect_close(double one, double other)
{
    assert_true((isnan(one) && isnan(other)) || fabs(one - other) <= 1e-13);
}

/* A row of weight k counts as k equal rows; a common factor of all weights changes nothing. */
static void test_weights_are_repeated_rows(void **state)
{
    static struct sample sample, repeated;
    uint64_t random = 5;

    (void)state;
    for (size_t k = 0; k < 60; k++) {
        struct hinge_predictions *weighted, *all;
        struct hinge_metrics *metrics, *expected;
        const double factor = k % 2 ? 1 : 0.37;

        draw_sample(&sample, &random, 2 + k % 3, 1 + draw_below(&random, 200), 0);
        weighted = predictions_of(&sample);
        weighted->weight = malloc(sample.rows * sizeof *weighted->weight);
        assert_non_null(weighted->weight);
        weighted->positive = k % 4 == 0 ? sample.label[0] : NAN;
        repeated = sample;
        repeated.rows = 0;
        for (size_t i = 0; i < sample.rows; i++) {
            const size_t times = 1 + draw_below(&random, 4);

            weighted->weight[i] = factor * (double)times;
            for (size_t t = 0; t < times; t++) {
                repeated.given[repeated.rows] = sample.given[i];
                repeated.predicted[repeated.rows] = sample.predicted[i];
                repeated.decision[repeated.rows++] = sample.decision[i];
            }
        }
        all = predictions_of(&repeated);
        all->positive = weighted->positive;
        metrics = metrics_of(weighted);
        expected = metrics_of(all);
        assert_int_equal(metrics->rows, sample.rows);
        expect_close(metrics->accuracy, expected->accuracy);
        expect_close(metrics->balanced_accuracy, expected->balanced_accuracy);
        expect_close(metrics->f1, expected->f1);
        expect_close(metrics->positive_f1, expected->positive_f1);
        expect_close(metrics->auc, expected->auc);
        expect_close(metrics->average_precision, expected->average_precision);
        hinge_metrics_free(metrics);
        hinge_metrics_free(expected);
        hinge_predictions_free(weighted);
        hinge_predictions_free(all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_area_counts_all_pairs),
        cmocka_unit_test(test_area_of_a_handful),
        cmocka_unit_test(test_equal_decision_values_give_one_half),
        cmocka_unit_test(test_area_is_one_when_classes_part),
        cmocka_unit_test(test_order_alone_decides_the_area),
        cmocka_unit_test(test_neighbouring_doubles_are_not_tied),
        cmocka_unit_test(test_swapped_classes_have_the_same_area),
        cmocka_unit_test(test_values_beyond_double_have_a_place),
        cmocka_unit_test(test_one_class_alone_has_no_area),
        cmocka_unit_test(test_many_classes_agree_with_their_table),
        cmocka_unit_test(test_measures_of_a_handful),
        cmocka_unit_test(test_labels_the_model_does_not_know),
        cmocka_unit_test(test_label_twice_is_one_class),
        cmocka_unit_test(test_minus_zero_is_the_label_zero),
        cmocka_unit_test(test_positive_is_the_larger_label),
        cmocka_unit_test(test_a_monitor_stops_the_area),
        cmocka_unit_test(test_no_rows_are_refused),
        cmocka_unit_test(test_a_regression_has_no_confusion),
        cmocka_unit_test(test_weights_are_repeated_rows),
        cmocka_unit_test(test_freeing_nothing_is_allowed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
