/* metrics.c - predictions -> accuracy, precision, recall, F1, area under the ROC curve. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/status.h"
#include "base/sum.h"
#include "solver/solver.h"

/* part/whole, 0 of nothing. */
static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* ---- The area under the curve ------------------------------------------ */

/* A whole number for each decision value, in the same order. One that left the range of double has
 * no order; it counts as the lowest. */
static uint64_t key_of(double decision)
{
    const uint64_t sign = UINT64_C(1) << 63;
    const double value = isnan(decision) ? -HUGE_VAL : decision + 0.0; /* -0 is 0 */
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

/* What the monitors are asked between two parts of the work. */
static int is_stopped(const void *monitor)
{
    const struct hinge_progress progress = {0};

    return monitor_ask(monitor, &progress) >= HINGE_OUT_OF_TIME;
}

/* Of class 0 against class 1: (R - p (p + 1)/2) / (p n), R the sum of the ranks of the p positive
 * among p + n rows, from 1 in ascending order (Mann and Whitney). Rows of equal decision values all
 * have the mean of the ranks that they take up together. */
static double area_of(const uint64_t *positive, size_t positives, const uint64_t *negative,
                      size_t negatives)
{
    const double p = (double)positives, n = (double)negatives;
    struct sum ranks = {0, 0};
    size_t below = 0; /* so many negative rows */

    for (size_t first = 0, end; first < positives; first = end) {
        size_t before;

        while (below < negatives && negative[below] < positive[first])
            below++;
        before = first + below;
        while (below < negatives && negative[below] == positive[first])
            below++;
        for (end = first; end < positives && positive[end] == positive[first]; end++)
            ;
        sum_add(&ranks, (double)(end - first) * ((double)(before + 1) + (double)(end + below)) / 2);
    }
    return (sum_value(&ranks) - p * (p + 1) / 2) / p / n;
}

static enum hinge_status find_area(const struct hinge_predictions *predictions,
                                   const struct hinge_monitor *monitor,
                                   struct hinge_metrics *metrics, struct hinge_error *error)
{
    const size_t rows = predictions->rows;
    uint64_t *key = array_new(rows, sizeof *key, error);
    size_t positives = 0, others = rows;

    if (!key)
        return failure(error);
    for (size_t i = 0; i < rows; i++)
        key[predictions->given[i] == 0 ? positives++ : --others] = key_of(predictions->decision[i]);
    metrics->stopped = !sort_keys(key, positives, is_stopped, monitor) ||
                       !sort_keys(key + positives, rows - positives, is_stopped, monitor);
    if (!metrics->stopped && positives > 0 && positives < rows)
        metrics->auc = area_of(key, positives, key + positives, rows - positives);
    free(key);
    return HINGE_OK;
}

/* ---- Classes ----------------------------------------------------------- */

static void rate_classes(struct hinge_metrics *metrics, const struct hinge_predictions *predictions)
{
    struct hinge_class_metrics *by_class = metrics->by_class;
    double there = 0, met = 0, recalls = 0;

    for (size_t i = 0; i < predictions->rows; i++) {
        const uint32_t given = predictions->given[i], predicted = predictions->predicted[i];

        by_class[given].given++;
        by_class[predicted].predicted++;
        by_class[given].correct += given == predicted;
        metrics->correct += given == predicted;
    }
    for (size_t c = 0; c < metrics->classes; c++) {
        struct hinge_class_metrics *one = &by_class[c];
        const double given = (double)one->given, predicted = (double)one->predicted;

        one->precision = share((double)one->correct, predicted);
        one->recall = share((double)one->correct, given);
        one->f1 = share(2 * (double)one->correct, given + predicted);
        there += given > 0;
        met += given + predicted > 0;
        recalls += one->recall;
        metrics->precision += one->precision;
        metrics->f1 += one->f1;
    }
    metrics->accuracy = share((double)metrics->correct, (double)metrics->rows);
    metrics->balanced_accuracy = share(recalls, there);
    metrics->recall = share(recalls, met);
    metrics->precision = share(metrics->precision, met);
    metrics->f1 = share(metrics->f1, met);
}

struct hinge_metrics *hinge_metrics_new(const struct hinge_predictions *predictions,
                                        const struct hinge_monitor *monitor,
                                        struct hinge_error *error)
{
    struct hinge_metrics *metrics = array_new(1, sizeof *metrics, error);

    if (!metrics)
        return NULL;
    metrics->rows = predictions->rows;
    metrics->classes = predictions->classes;
    metrics->by_class = array_new(metrics->classes, sizeof *metrics->by_class, error);
    metrics->positive_f1 = metrics->auc = NAN;
    if (predictions->rows == 0)
        error_fill(error, HINGE_BAD_ARGUMENT, "there are no predictions to rate");
    if (!metrics->by_class || predictions->rows == 0 ||
        (metrics->classes == 2 && find_area(predictions, monitor, metrics, error))) {
        hinge_metrics_free(metrics);
        return NULL;
    }
    for (size_t i = 0; i < predictions->rows && metrics->classes == 0; i++)
        hinge_residuals_add(&metrics->residuals, predictions->target[i], predictions->decision[i]);
    if (metrics->classes == 0)
        return metrics;
    rate_classes(metrics, predictions);
    if (metrics->classes == 2)
        metrics->positive_f1 =
            metrics->by_class[predictions->label[0] > predictions->label[1] ? 0 : 1].f1;
    return metrics;
}

void hinge_metrics_free(struct hinge_metrics *metrics)
{
    if (!metrics)
        return;
    free(metrics->by_class);
    free(metrics);
}

/* ---- Confusion --------------------------------------------------------- */

uint64_t *hinge_confusion(const struct hinge_predictions *predictions, struct hinge_error *error)
{
    const size_t classes = predictions->classes;
    uint64_t *confusion = NULL;

    if (classes == 0 || classes <= SIZE_MAX / classes)
        confusion = array_new(classes * classes, sizeof *confusion, error);
    else
        error_fill(error, HINGE_NO_MEMORY, "out of memory: a confusion matrix of %lu classes",
                   (unsigned long)classes);
    for (size_t i = 0; confusion && i < predictions->rows; i++)
        confusion[predictions->given[i] * classes + predictions->predicted[i]]++;
    return confusion;
}

struct hinge_confused *hinge_confusion_entries(const struct hinge_predictions *predictions,
                                               size_t *count, struct hinge_error *error)
{
    const size_t rows = predictions->rows;
    uint64_t *key = array_new(rows, sizeof *key, error);
    struct hinge_confused *entries = NULL;

    *count = 0;
    if (!key)
        return NULL;
    for (size_t i = 0; i < rows; i++)
        key[i] = (uint64_t)predictions->given[i] << 32 | predictions->predicted[i];
    sort_keys(key, rows, NULL, NULL);
    for (size_t i = 0; i < rows; i++)
        *count += i == 0 || key[i] != key[i - 1];
    entries = array_new(*count, sizeof *entries, error);
    *count = 0;
    for (size_t i = 0; entries && i < rows; i++) {
        if (i == 0 || key[i] != key[i - 1])
            entries[(*count)++] =
                (struct hinge_confused){(uint32_t)(key[i] >> 32), (uint32_t)key[i], 0};
        entries[*count - 1].rows++;
    }
    free(key);
    return entries;
}
