/* search_score.c - accuracy, balanced accuracy, F1, area under the curve, mean squared error; and
 * their deviation sqrt(sum_k (s_k - mean)^2/(folds - 1)) over the folds. */

#include "cli/search.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "learn/metrics.h"

const char *criterion_name(enum criterion criterion)
{
    static const char *const names[] = {"accuracy", "balanced accuracy", "F1", "AUC", "MSE"};

    return names[criterion];
}

double criterion_score(enum criterion criterion, const struct hinge_metrics *metrics)
{
    switch (criterion) {
    case CRITERION_BALANCED:
        return metrics->balanced_accuracy;
    case CRITERION_F1:
        return isnan(metrics->positive_f1) ? metrics->f1 : metrics->positive_f1;
    case CRITERION_AUC:
        return metrics->auc;
    case CRITERION_MSE:
        return metrics->residuals.squares / (double)metrics->residuals.rows;
    default:
        return metrics->accuracy;
    }
}

int criterion_is_better(enum criterion criterion, double score, double other)
{
    const double same = 1e-13 * fabs(other); /* rounding of sums in another order */

    return criterion == CRITERION_MSE ? score < other - same : score > other + same;
}

int criterion_is_perfect(enum criterion criterion, double score)
{
    return criterion == CRITERION_MSE ? score <= 0 : score >= 1;
}

/* ---- Deviation --------------------------------------------------------- */

/* The rows of fold k are row[start[k]] .. row[start[k + 1] - 1]. */
struct by_fold {
    size_t *start; /* [folds + 2] */
    size_t *row;   /* [rows] */
};

static enum hinge_status sort_by_fold(struct by_fold *sorted,
                                      const struct hinge_validation *validation,
                                      struct hinge_error *error)
{
    const size_t rows = validation->predictions->rows;

    if (!(sorted->start = array_new(validation->folds + 2, sizeof *sorted->start, error)) ||
        !(sorted->row = array_new(rows, sizeof *sorted->row, error)))
        return failure(error);
    for (size_t i = 0; i < rows; i++)
        sorted->start[validation->fold[i] + 2]++;
    for (size_t k = 2; k <= validation->folds; k++)
        sorted->start[k] += sorted->start[k - 1];
    for (size_t i = 0; i < rows; i++) /* start[k + 1] moves from where fold k begins to its end */
        sorted->row[sorted->start[validation->fold[i] + 1]++] = i;
    return HINGE_OK;
}

/* Copies the predictions for these rows. */
static struct hinge_predictions *copy_rows(const struct hinge_predictions *from, const size_t *row,
                                           size_t rows, struct hinge_error *error)
{
    struct hinge_predictions *part = hinge_predictions_new(from->label, from->known, error);

    for (size_t k = 0; part && k < rows; k++) {
        const size_t i = row[k];

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

/* Sets *score to the score of at least one row; NaN if the rows have none, such as an area under
 * the curve with one class. */
static enum hinge_status score_rows(enum criterion criterion, const struct hinge_predictions *all,
                                    const size_t *row, size_t rows,
                                    const struct hinge_monitor *monitor, double *score,
                                    struct hinge_error *error)
{
    struct hinge_predictions *part = copy_rows(all, row, rows, error);
    struct hinge_metrics *metrics = !part ? NULL
                                    : criterion == CRITERION_AUC
                                        ? hinge_metrics_new(part, monitor, error)
                                        : metrics_of_labels(part, error);

    hinge_predictions_free(part);
    if (!metrics)
        return failure(error);
    *score = criterion_score(criterion, metrics);
    hinge_metrics_free(metrics);
    return HINGE_OK;
}

enum hinge_status criterion_deviation(enum criterion criterion,
                                      const struct hinge_validation *validation,
                                      const struct hinge_monitor *monitor, double *deviation,
                                      struct hinge_error *error)
{
    struct by_fold sorted = {NULL, NULL};
    enum hinge_status status = sort_by_fold(&sorted, validation, error);
    double mean = 0, squares = 0, scored = 0;

    for (size_t fold = 0; fold < validation->folds && status == HINGE_OK; fold++) {
        const size_t first = sorted.start[fold], rows = sorted.start[fold + 1] - first;
        double score = NAN, apart;

        if (rows > 0)
            status = score_rows(criterion, validation->predictions, sorted.row + first, rows,
                                monitor, &score, error);
        if (status || isnan(score))
            continue;
        apart = score - mean;
        mean += apart / ++scored;
        squares += apart * (score - mean);
    }
    *deviation = scored > 1 ? sqrt(squares / (scored - 1)) : NAN;
    free(sorted.start);
    free(sorted.row);
    return status;
}
