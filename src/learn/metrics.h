/* metrics.h - metrics of predicted labels, without those of the ranking. */
#ifndef HINGE_LEARN_METRICS_H
#define HINGE_LEARN_METRICS_H

#include "hinge_metrics.h"

/* Does what hinge_metrics_new does without sorting decision values: auc and average_precision are
 * NaN. */
struct hinge_metrics *metrics_of_labels(const struct hinge_predictions *predictions,
                                        struct hinge_error *error);

#endif
