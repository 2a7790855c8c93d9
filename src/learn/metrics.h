/* metrics.h - metrics of predicted labels alone, where nobody asks for those of the ranking. */
#ifndef HINGE_LEARN_METRICS_H
#define HINGE_LEARN_METRICS_H

#include "hinge_metrics.h"

/* hinge_metrics_new without what decision values have to be sorted for: auc and average_precision
 * are NaN. */
struct hinge_metrics *metrics_of_labels(const struct hinge_predictions *predictions,
                                        struct hinge_error *error);

#endif
