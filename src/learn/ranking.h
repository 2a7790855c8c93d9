/* ranking.h - the rows of two classes in the order of their decision values, and metrics without
 * that order. */
#ifndef HINGE_LEARN_RANKING_H
#define HINGE_LEARN_RANKING_H

#include "hinge_metrics.h"

struct ranking {
    size_t positives; /* rows of the positive class */
    size_t others;    /* all other rows */
    uint64_t *key;  /* [positives + others] decision values for the positive class, as whole numbers
                       in the same order: first its rows, then the others; each part ascends */
    double *weight; /* [positives + others] at the first of equal keys of a part, the weight of all
                       their rows, and 0 at the others; NULL: each row weighs 1 */
    int mirrored;   /* 1: the positive class is the second, and its values are minus those of
                       the first */
    int stopped;    /* 1: a monitor stopped the sorting, and keys are not in order */
};

/* Returns the position of the label `positive` or, if that is NaN, of the larger of two labels.
 * Returns `classes` if there is none. */
size_t positive_class(const double *label, size_t classes, double positive);

/* Returns the positive class of predictions. */
size_t ranking_positive(const struct hinge_predictions *predictions);

/* Sorts the rows. positive is 0 or 1, or a class that no row has. Takes 8 bytes per row, and 8 more
 * if rows have weights. On success free with ranking_end. */
enum hinge_status ranking_begin(struct ranking *ranking,
                                const struct hinge_predictions *predictions, size_t positive,
                                const struct hinge_monitor *monitor, struct hinge_error *error);
void ranking_end(struct ranking *ranking);

/* Sets *area to the area under the ROC curve, NaN without rows of both kinds. Sets *precision to
 * the average precision, NaN without positive rows. Both are NaN after a stop. */
void ranking_areas(const struct ranking *ranking, double *area, double *precision);

/* Does what hinge_metrics_new does without sorting decision values: auc and average_precision are
 * NaN. */
struct hinge_metrics *metrics_of_labels(const struct hinge_predictions *predictions,
                                        struct hinge_error *error);

#endif
