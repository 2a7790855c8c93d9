/* search_score.c - the criteria: shares of correct predictions, areas under curves, log loss,
 * errors of regressions; and their deviation sqrt(sum_k (s_k - mean)^2/(folds - 1)) over the folds.
 */

#include "cli/search.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "learn/ranking.h"

const struct criterion_kind *criterion_kind(enum criterion criterion)
{
    static const struct criterion_kind kinds[] = {
        [CRITERION_ACCURACY] = {"accuracy", "rate", 1, 0, 0},
        [CRITERION_BALANCED] = {"balanced accuracy", "rate", 1, 0, 0},
        [CRITERION_PRECISION] = {"precision", "rate", 1, 0, 0},
        [CRITERION_RECALL] = {"recall", "rate", 1, 0, 0},
        [CRITERION_F1] = {"F1", "rate", 1, 0, 0},
        [CRITERION_MCC] = {"MCC", "MCC", 0, 0, 0},
        [CRITERION_AUC] = {"AUC", "rate", 1, 0, 1},
        [CRITERION_AVERAGE_PRECISION] = {"average precision", "rate", 1, 0, 1},
        [CRITERION_LOG_LOSS] = {"log loss", "log loss", 0, 1, 0},
        [CRITERION_MSE] = {"MSE", "Mean squared error", 0, 1, 0},
        [CRITERION_MAE] = {"MAE", "Mean absolute error", 0, 1, 0},
        [CRITERION_R2] = {"R2", "R2", 0, 0, 0}};

    return &kinds[criterion];
}

struct hinge_calibration rate_probabilities(const struct hinge_validation *validation,
                                            const size_t *row, size_t rows)
{
    const struct hinge_predictions *predictions = validation->predictions;
    struct hinge_calibration sum = {.log_loss = validation->probability ? 0 : NAN};

    for (size_t k = 0; k < rows && validation->probability; k++) {
        const size_t i = row ? row[k] : k;

        hinge_calibration_add(&sum, predictions->known,
                              validation->probability + i * predictions->known,
                              predictions->predicted[i], predictions->given[i],
                              predictions->weight ? predictions->weight[i] : 1);
    }
    return sum;
}

double criterion_score(enum criterion criterion, const struct hinge_metrics *metrics,
                       const struct hinge_validation *validation, const size_t *row, size_t rows)
{
    const struct hinge_residuals *residuals = &metrics->residuals;
    const double weight = residuals->weight > 0 ? residuals->weight : NAN; /* NaN for classes */
    const struct hinge_class_metrics means = {
        .precision = metrics->precision, .recall = metrics->recall, .f1 = metrics->f1};
    const struct hinge_class_metrics *rated =
        metrics->positive < metrics->classes ? &metrics->by_class[metrics->positive] : &means;
    const double score[] = {[CRITERION_ACCURACY] = metrics->accuracy,
                            [CRITERION_BALANCED] = metrics->balanced_accuracy,
                            [CRITERION_PRECISION] = rated->precision,
                            [CRITERION_RECALL] = rated->recall,
                            [CRITERION_F1] = rated->f1,
                            [CRITERION_MCC] = metrics->mcc,
                            [CRITERION_AUC] = metrics->auc,
                            [CRITERION_AVERAGE_PRECISION] = metrics->average_precision,
                            [CRITERION_MSE] = residuals->squares / weight,
                            [CRITERION_MAE] = residuals->absolute / weight,
                            [CRITERION_R2] = hinge_determination(residuals)};

    return criterion == CRITERION_LOG_LOSS ? rate_probabilities(validation, row, rows).log_loss
                                           : score[criterion];
}

int criterion_is_better(enum criterion criterion, double score, double other)
{
    const double same = 1e-13 * fabs(other); /* rounding of sums in another order */

    if (isnan(other))
        return !isnan(score);
    return criterion_kind(criterion)->is_minimised ? score < other - same : score > other + same;
}

int criterion_is_perfect(enum criterion criterion, double score)
{
    return criterion_kind(criterion)->is_minimised ? score <= 0 : score >= 1;
}

/* ---- Folds ------------------------------------------------------------- */

/* Copies the predictions for these rows. */
static struct hinge_predictions *copy_rows(const struct hinge_predictions *from, const size_t *row,
                                           size_t rows, struct hinge_error *error)
{
    struct hinge_predictions *part = hinge_predictions_new(from->label, from->known, error);

    if (part && from->weight && !(part->weight = array_new(rows, sizeof *part->weight, error))) {
        hinge_predictions_free(part);
        return NULL;
    }
    for (size_t k = 0; part && k < rows; k++) {
        const size_t i = row[k];

        if (from->weight)
            part->weight[k] = from->weight[i];
        if (hinge_predictions_add(
                part, from->target ? from->target[i] : from->label[from->given[i]],
                from->target ? 0 : from->predicted[i], from->decision[i], error)) {
            hinge_predictions_free(part);
            return NULL;
        }
    }
    if (part)
        part->positive = from->positive;
    return part;
}

enum hinge_status criterion_of_folds(enum criterion criterion,
                                     const struct hinge_validation *validation,
                                     const struct hinge_monitor *monitor, double *mean,
                                     double *deviation, struct hinge_error *error)
{
    const size_t all = validation->predictions->rows;
    /* the rows of fold k are row[start[k]] .. row[start[k + 1] - 1] */
    size_t *start = array_new(validation->folds + 2, sizeof *start, error);
    size_t *row = start ? array_new(all, sizeof *row, error) : NULL;
    enum hinge_status status = row ? HINGE_OK : failure(error);
    double squares = 0, scored = 0;

    *mean = 0;
    for (size_t i = 0; row && i < all; i++)
        start[validation->fold[i] + 2]++;
    for (size_t k = 2; row && k <= validation->folds; k++)
        start[k] += start[k - 1];
    /* start[k + 1] moves from fold k's first row to its end */
    for (size_t i = 0; row && i < all; i++)
        row[start[validation->fold[i] + 1]++] = i;
    for (size_t fold = 0; fold < validation->folds && status == HINGE_OK; fold++) {
        const size_t *own = row + start[fold], rows = start[fold + 1] - start[fold];
        struct hinge_predictions *part;
        struct hinge_metrics *metrics;
        double score, apart;

        if (rows == 0)
            continue;
        part = copy_rows(validation->predictions, own, rows, error);
        metrics = !part                                  ? NULL
                  : criterion_kind(criterion)->is_ranked ? hinge_metrics_new(part, monitor, error)
                                                         : metrics_of_labels(part, error);
        hinge_predictions_free(part);
        status = metrics ? HINGE_OK : failure(error);
        score = metrics ? criterion_score(criterion, metrics, validation, own, rows) : NAN;
        hinge_metrics_free(metrics);
        if (isnan(score))
            continue;
        apart = score - *mean;
        *mean += apart / ++scored;
        squares += apart * (score - *mean);
    }
    *mean = scored > 0 ? *mean : NAN;
    *deviation = scored > 1 ? sqrt(squares / (scored - 1)) : NAN;
    free(start);
    free(row);
    return status;
}
