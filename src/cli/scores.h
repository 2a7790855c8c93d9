/* scores.h - metrics as text and as JSON. */
#ifndef HINGE_CLI_SCORES_H
#define HINGE_CLI_SCORES_H

#include <stdio.h>

#include "cli/options.h"

/* Prints balanced accuracy, macro F1, precision, recall, F1 and average precision of the positive
 * class, if there is one, and, for two classes, AUC, a line each. */
void scores_print(FILE *stream, const struct hinge_predictions *predictions,
                  const struct hinge_metrics *metrics);

/* Prints all metrics except the accuracy: means, those of probabilities (NULL: there are none), a
 * table of the classes, the confusion matrix. With more than 100 classes the table has only those
 * that occur as label or prediction, and the matrix is a list of its entries that are not 0. */
enum hinge_status scores_print_all(FILE *stream, const struct hinge_predictions *predictions,
                                   const struct hinge_metrics *metrics,
                                   const struct hinge_calibration *calibration,
                                   struct hinge_error *error);

/* Prints all metrics as one JSON object on a line. It starts with C if C > 0. */
enum hinge_status scores_print_json(FILE *stream, double C,
                                    const struct hinge_predictions *predictions,
                                    const struct hinge_metrics *metrics,
                                    const struct hinge_calibration *calibration,
                                    struct hinge_error *error);

/* Prints precision, recall and rates at each threshold as CSV. */
void scores_print_curve(FILE *stream, const struct hinge_curve *curve);

/* Prints the reliability table as CSV. */
void scores_print_bins(FILE *stream, const struct hinge_calibration *calibration);

/* Prints LIBLINEAR's lines of a regression: folds: those of cross-validation, else of predict. With
 * metrics also the mean absolute error and the largest residual; in JSON all of them, after C if
 * it is above 0, and after epsilon, but if it is NaN, as one object on a line. */
void scores_print_regression(FILE *stream, int folds, const struct hinge_residuals *residuals,
                             enum metrics_format metrics);
void scores_print_regression_json(FILE *stream, double C, double epsilon,
                                  const struct hinge_residuals *residuals);

#endif
