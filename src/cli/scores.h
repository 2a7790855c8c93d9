/* scores.h - metrics as text and as JSON. */
#ifndef HINGE_CLI_SCORES_H
#define HINGE_CLI_SCORES_H

#include <stdio.h>

#include "cli/names.h"
#include "cli/options.h"
#include "hinge_metrics.h"

/* Prints the metrics except the accuracy. METRICS_NONE: balanced accuracy, macro F1, and the scores
 * of the positive class and the AUC, if there are any. METRICS_TEXT: also the other means, those of
 * probabilities (calibration is NULL if there are none), a table of the classes, and the confusion
 * matrix. METRICS_JSON: all of these, the accuracy, and C if it is above 0, as one object. With
 * more than 100 classes the table has only those that occur as label or prediction, and the matrix
 * is a list of its entries that are not 0. names has the words of classes. */
enum hinge_status scores_print(FILE *stream, enum metrics_format format, double C,
                               const struct hinge_predictions *predictions,
                               const struct names *names, const struct hinge_metrics *metrics,
                               const struct hinge_calibration *calibration,
                               struct hinge_error *error);

/* Prints the errors of a regression: LIBLINEAR's lines of cross-validation, if folds is 1, or of
 * predict. METRICS_TEXT adds other means and the largest residual before these lines. METRICS_JSON
 * has all of them as one object, with C if it is above 0 and epsilon unless it is NaN. */
void scores_print_regression(FILE *stream, enum metrics_format format, int folds, double C,
                             double epsilon, const struct hinge_residuals *residuals);

/* Prints precision, recall and rates at each threshold as CSV. */
void scores_print_curve(FILE *stream, const struct hinge_curve *curve);

/* Prints the reliability table as CSV. */
void scores_print_bins(FILE *stream, const struct hinge_calibration *calibration);

#endif
