/* metrics.c - predictions -> accuracy, precision, recall, F1, areas under the curves of a ranking,
 * the confusion matrix; probabilities -> log loss, Brier score; targets -> errors, correlation. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/status.h"
#include "learn/ranking.h"

/* Returns part/whole; 0 if the whole is 0. */
static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* ---- Classes ----------------------------------------------------------- */

/* The weights of a class's rows. */
struct class_weights {
    double given, predicted, correct;
};

static enum hinge_status rate_classes(struct hinge_metrics *metrics,
                                      const struct hinge_predictions *predictions,
                                      struct hinge_error *error)
{
    struct hinge_class_metrics *by_class = metrics->by_class;
    struct class_weights *weights = array_new(metrics->classes, sizeof *weights, error);
    double there = 0, met = 0, recalls = 0, chance = 0, correct = 0, total = 0, spread[2];

    if (!weights)
        return failure(error);
    for (size_t i = 0; i < predictions->rows; i++) {
        const uint32_t given = predictions->given[i], predicted = predictions->predicted[i];
        const double weight = predictions->weight ? predictions->weight[i] : 1;

        by_class[given].given++;
        by_class[predicted].predicted++;
        by_class[given].correct += given == predicted;
        metrics->correct += given == predicted;
        weights[given].given += weight;
        weights[predicted].predicted += weight;
        weights[given].correct += given == predicted ? weight : 0;
        correct += given == predicted ? weight : 0;
        total += weight;
    }
    spread[0] = spread[1] = total * total;
    for (size_t c = 0; c < metrics->classes; c++) {
        struct hinge_class_metrics *one = &by_class[c];
        const double given = weights[c].given, predicted = weights[c].predicted;

        one->precision = share(weights[c].correct, predicted);
        one->recall = share(weights[c].correct, given);
        one->f1 = share(2 * weights[c].correct, given + predicted);
        chance += given * predicted;
        spread[0] -= given * given;
        spread[1] -= predicted * predicted;
        there += given > 0;
        met += given + predicted > 0;
        recalls += one->recall;
        metrics->precision += one->precision;
        metrics->f1 += one->f1;
    }
    metrics->accuracy = share(correct, total);
    metrics->balanced_accuracy = share(recalls, there);
    metrics->recall = share(recalls, met);
    metrics->precision = share(metrics->precision, met);
    metrics->f1 = share(metrics->f1, met);
    if (spread[0] > 0 && spread[1] > 0)
        metrics->mcc = (correct * total - chance) / sqrt(spread[0]) / sqrt(spread[1]);
    free(weights);
    return HINGE_OK;
}

struct hinge_metrics *metrics_of_labels(const struct hinge_predictions *predictions,
                                        struct hinge_error *error)
{
    struct hinge_metrics *metrics = array_new(1, sizeof *metrics, error);

    if (!metrics)
        return NULL;
    metrics->rows = predictions->rows;
    metrics->classes = predictions->classes;
    metrics->by_class = array_new(metrics->classes, sizeof *metrics->by_class, error);
    metrics->positive = ranking_positive(predictions);
    metrics->positive_f1 = metrics->auc = metrics->average_precision = NAN;
    if (predictions->rows == 0)
        error_fill(error, HINGE_BAD_ARGUMENT, "there are no predictions to rate");
    if (!metrics->by_class || predictions->rows == 0) {
        hinge_metrics_free(metrics);
        return NULL;
    }
    for (size_t i = 0; i < predictions->rows && metrics->classes == 0; i++)
        hinge_residuals_add(&metrics->residuals, predictions->target[i], predictions->decision[i],
                            predictions->weight ? predictions->weight[i] : 1);
    if (metrics->classes == 0)
        return metrics;
    if (rate_classes(metrics, predictions, error)) {
        hinge_metrics_free(metrics);
        return NULL;
    }
    if (metrics->positive < metrics->classes)
        metrics->positive_f1 = metrics->by_class[metrics->positive].f1;
    return metrics;
}

struct hinge_metrics *hinge_metrics_new(const struct hinge_predictions *predictions,
                                        const struct hinge_monitor *monitor,
                                        struct hinge_error *error)
{
    struct hinge_metrics *metrics = metrics_of_labels(predictions, error);
    struct ranking ranking;
    size_t positive;

    if (!metrics || metrics->classes != 2)
        return metrics;
    positive = metrics->positive < 2 ? metrics->positive : 0;
    if (ranking_begin(&ranking, predictions, positive, monitor, error)) {
        hinge_metrics_free(metrics);
        return NULL;
    }
    metrics->stopped = ranking.stopped;
    ranking_areas(&ranking, &metrics->auc, &metrics->average_precision);
    if (metrics->positive != positive)
        metrics->average_precision = NAN;
    ranking_end(&ranking);
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

struct hinge_confused *hinge_confusion_entries(const struct hinge_predictions *predictions,
                                               size_t *count, struct hinge_error *error)
{
    const size_t rows = predictions->rows;
    struct hinge_confused *entries = NULL;
    uint64_t *key;

    *count = 0;
    if (predictions->classes == 0) {
        error_fill(error, HINGE_BAD_ARGUMENT,
                   "predictions of a regression have no confusion matrix");
        return NULL;
    }
    if (!(key = array_new(rows, sizeof *key, error)))
        return NULL;
    for (size_t i = 0; i < rows; i++)
        key[i] = (uint64_t)predictions->given[i] << 32 | predictions->predicted[i];
    sort_keys(key, rows, NULL);
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

/* ---- Probabilities ------------------------------------------------------ */

void hinge_calibration_add(struct hinge_calibration *calibration, size_t classes,
                           const double *probability, size_t predicted, size_t given, double weight)
{
    const size_t shown = classes == 2 ? 0 : predicted;
    const double position = floor(probability[shown] * HINGE_BINS);
    struct hinge_bin *bin = &calibration->bin[(size_t)fmin(position, HINGE_BINS - 1)];
    const double own = given < classes ? probability[given] : 0;
    double squares = given < classes ? 0 : 1;

    for (size_t c = 0; c < classes; c++) {
        const double wrong = probability[c] - (c == given);

        squares += wrong * wrong;
    }
    if (classes == 2)
        squares /= 2;
    calibration->rows++;
    calibration->weight += weight;
    calibration->log_loss +=
        (-log_of(fmax(own, DBL_EPSILON)) - calibration->log_loss) * weight / calibration->weight;
    calibration->brier += (squares - calibration->brier) * weight / calibration->weight;
    bin->rows++;
    bin->observed += given == shown;
    bin->predicted += (probability[shown] - bin->predicted) / (double)bin->rows;
}

/* ---- Regression --------------------------------------------------------- */

/* Means and sums about means are updated row by row (Welford, Technometrics 4, 1962). If the mean
 * is large, sum v^2 - (sum v)^2 / m would leave no correct digit of a correlation. */
void hinge_residuals_add(struct hinge_residuals *residuals, double target, double predicted,
                         double weight)
{
    const double value[2] = {target, predicted}, error = fabs(predicted - target);
    double before[2], after[2];

    residuals->rows++;
    residuals->weight += weight;
    residuals->squares += weight * (error * error);
    residuals->absolute += weight * error;
    residuals->largest = error > residuals->largest ? error : residuals->largest;
    for (int k = 0; k < 2; k++) {
        before[k] = value[k] - residuals->mean[k];
        residuals->mean[k] += weight * before[k] / residuals->weight;
        after[k] = value[k] - residuals->mean[k];
        residuals->spread[k] += weight * (before[k] * after[k]);
    }
    residuals->product += weight * (before[0] * after[1]);
}

double hinge_squared_correlation(const struct hinge_residuals *residuals)
{
    double r;

    if (!(residuals->spread[0] > 0 && residuals->spread[1] > 0))
        return NAN;
    r = residuals->product / sqrt(residuals->spread[0]) / sqrt(residuals->spread[1]);
    return fmin(r * r, 1);
}

double hinge_determination(const struct hinge_residuals *residuals)
{
    return residuals->spread[0] > 0 ? 1 - residuals->squares / residuals->spread[0] : NAN;
}
