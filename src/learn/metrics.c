/* metrics.c - predictions -> accuracy, precision, recall, F1, area under the ROC curve. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/sum.h"
#include "hinge.h"

/* part/whole, 0 of nothing. */
static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* ---- The area under the curve ------------------------------------------ */

struct ranked {
    double decision;
    int positive;
};

static int by_decision(const void *left, const void *right)
{
    const double a = ((const struct ranked *)left)->decision;
    const double b = ((const struct ranked *)right)->decision;

    return (a > b) - (a < b);
}

/* Of class 0 against class 1: (R - p (p + 1)/2) / (p n), R the sum of the ranks of the p positive
 * among p + n rows, from 1 in ascending order (Mann and Whitney). Rows of equal decision values all
 * have the mean of the ranks that they take up together. */
static enum hinge_status find_area(const struct hinge_predictions *predictions, double *auc,
                                   struct hinge_error *error)
{
    const size_t rows = predictions->rows;
    struct ranked *ranked = array_new(rows, sizeof *ranked, error);
    struct sum ranks = {0, 0};
    double positive = 0, negative;

    if (!ranked)
        return failure(error);
    for (size_t i = 0; i < rows; i++) {
        const double decision = predictions->decision[i];

        /* A decision value that left the range of double has no order; it counts as the lowest. */
        ranked[i].decision = isnan(decision) ? -HUGE_VAL : decision;
        ranked[i].positive = predictions->given[i] == 0;
    }
    qsort(ranked, rows, sizeof *ranked, by_decision);
    for (size_t first = 0, end; first < rows; first = end) {
        double among = 0;

        for (end = first; end < rows && ranked[end].decision == ranked[first].decision; end++)
            among += ranked[end].positive;
        sum_add(&ranks, among * ((double)(first + 1) + (double)end) / 2);
        positive += among;
    }
    free(ranked);
    negative = (double)rows - positive;
    if (positive > 0 && negative > 0) /* else it stays unknown */
        *auc = (sum_value(&ranks) - positive * (positive + 1) / 2) / positive / negative;
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
        (metrics->classes == 2 && find_area(predictions, &metrics->auc, error))) {
        hinge_metrics_free(metrics);
        return NULL;
    }
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

static int by_class(const void *left, const void *right)
{
    const struct hinge_confused *a = left, *b = right;

    if (a->given != b->given)
        return a->given < b->given ? -1 : 1;
    return (a->predicted > b->predicted) - (a->predicted < b->predicted);
}

struct hinge_confused *hinge_confusion_entries(const struct hinge_predictions *predictions,
                                               size_t *count, struct hinge_error *error)
{
    struct hinge_confused *entries = array_new(predictions->rows, sizeof *entries, error);

    *count = 0;
    if (!entries)
        return NULL;
    for (size_t i = 0; i < predictions->rows; i++)
        entries[i] = (struct hinge_confused){predictions->given[i], predictions->predicted[i], 1};
    qsort(entries, predictions->rows, sizeof *entries, by_class);
    for (size_t i = 0; i < predictions->rows; i++)
        if (*count > 0 && by_class(&entries[*count - 1], &entries[i]) == 0)
            entries[*count - 1].rows++;
        else
            entries[(*count)++] = entries[i];
    return entries;
}
