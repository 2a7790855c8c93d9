/* criterion.c - accuracy, balanced accuracy, F1, area under the curve, mean squared error; and
 * their deviation sqrt(sum_k (s_k - mean)^2/(folds - 1)) over the folds. */
#include "cli/criterion.h"

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
    return criterion == CRITERION_MSE ? score < other : score > other;
}

int criterion_is_perfect(enum criterion criterion, double score)
{
    return criterion == CRITERION_MSE ? score <= 0 : score >= 1;
}

/* ---- Deviation --------------------------------------------------------- */

/* Copies of the predictions in the order of their folds. */
struct ordered {
    struct hinge_predictions all;
    size_t *start; /* [folds + 1] */
};

static void free_ordered(struct ordered *ordered)
{
    free(ordered->all.target);
    free(ordered->all.given);
    free(ordered->all.predicted);
    free(ordered->all.decision);
    free(ordered->start);
}

static enum hinge_status order(struct ordered *ordered, const struct hinge_validation *validation,
                               struct hinge_error *error)
{
    const struct hinge_predictions *from = validation->predictions;
    struct hinge_predictions *to = &ordered->all;

    *to = *from;
    to->target = to->decision = NULL;
    to->given = to->predicted = NULL;
    if (!(ordered->start = array_new(validation->folds + 1, sizeof *ordered->start, error)) ||
        !(to->decision = array_new(from->rows, sizeof *to->decision, error)) ||
        (from->target && !(to->target = array_new(from->rows, sizeof *to->target, error))) ||
        (from->given && !(to->given = array_new(from->rows, sizeof *to->given, error))) ||
        (from->predicted && !(to->predicted = array_new(from->rows, sizeof *to->predicted, error))))
        return failure(error);
    for (size_t i = 0; i < from->rows; i++)
        ordered->start[validation->fold[i] + 1]++;
    for (size_t k = 0; k < validation->folds; k++)
        ordered->start[k + 1] += ordered->start[k];
    for (size_t i = 0; i < from->rows; i++) {
        const size_t at = ordered->start[validation->fold[i]]++;

        if (from->target)
            to->target[at] = from->target[i];
        if (from->given)
            to->given[at] = from->given[i];
        if (from->predicted)
            to->predicted[at] = from->predicted[i];
        to->decision[at] = from->decision[i];
    }
    for (size_t k = validation->folds; k > 0; k--) /* each was moved to its end */
        ordered->start[k] = ordered->start[k - 1];
    ordered->start[0] = 0;
    return HINGE_OK;
}

/* The score of a fold; NaN where its rows have none, as an area under the curve of one class. */
static enum hinge_status score_fold(enum criterion criterion, const struct ordered *ordered,
                                    size_t fold, const struct hinge_monitor *monitor, double *score,
                                    struct hinge_error *error)
{
    const size_t first = ordered->start[fold];
    struct hinge_predictions part = ordered->all;
    struct hinge_metrics *metrics;

    part.rows = ordered->start[fold + 1] - first;
    if (part.target) /* of a regression; else the next two */
        part.target += first;
    if (part.given)
        part.given += first;
    if (part.predicted)
        part.predicted += first;
    if (part.decision)
        part.decision += first;
    *score = NAN;
    if (part.rows == 0)
        return HINGE_OK;
    metrics = criterion == CRITERION_AUC ? hinge_metrics_new(&part, monitor, error)
                                         : metrics_of_labels(&part, error);
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
    struct ordered ordered = {.start = NULL};
    enum hinge_status status = order(&ordered, validation, error);
    double mean = 0, squares = 0, scored = 0;

    for (size_t fold = 0; fold < validation->folds && status == HINGE_OK; fold++) {
        double score, apart;

        status = score_fold(criterion, &ordered, fold, monitor, &score, error);
        if (status || isnan(score))
            continue;
        apart = score - mean;
        mean += apart / ++scored;
        squares += apart * (score - mean);
    }
    *deviation = scored > 1 ? sqrt(squares / (scored - 1)) : NAN;
    free_ordered(&ordered);
    return status;
}
