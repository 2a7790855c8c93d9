/* ranking.h - the rows of two classes in the order of their decision values. */
#ifndef HINGE_LEARN_RANKING_H
#define HINGE_LEARN_RANKING_H

#include "hinge_metrics.h"

struct ranking {
    size_t positives; /* rows of the positive class, */
    size_t others;    /* and all others */
    uint64_t *key;    /* [positives + others] the decision values for the positive class, as whole
                         numbers in the same order: those of its rows, then those of the others,
                         each part ascending */
    int mirrored;     /* the positive class is the second, whose values are those of the first with
                         the other sign */
    int stopped;      /* a monitor stopped the sorting: there is no order */
};

/* The class of that label; if the label is NaN, of two classes that with the larger one. As many as
 * there are classes: none. */
size_t positive_class(const double *label, size_t classes, double positive);

/* That of predictions. */
size_t ranking_positive(const struct hinge_predictions *predictions);

/* Sorts the rows; positive is 0 or 1, or a class without a row of its own. Takes 8 bytes a row. On
 * success free with ranking_end. */
enum hinge_status ranking_begin(struct ranking *ranking,
                                const struct hinge_predictions *predictions, size_t positive,
                                const struct hinge_monitor *monitor, struct hinge_error *error);
void ranking_end(struct ranking *ranking);

/* The area under the ROC curve; NaN without rows of both kinds, and if it was stopped. */
double ranking_area(const struct ranking *ranking);

/* The average precision; NaN without positive rows, and if it was stopped. */
double ranking_precision(const struct ranking *ranking);

#endif
