/* scores.h - how good predictions are: metrics as text and as JSON, curves as CSV, and the section
 * of a report. */
#ifndef HINGE_CLI_SCORES_H
#define HINGE_CLI_SCORES_H

#include <stdio.h>

#include "cli/emit.h"
#include "cli/names.h"
#include "cli/options.h"
#include "hinge_metrics.h"

/* The predictions of all rows, and their scores. */
struct scored {
    const struct hinge_predictions *predictions;
    const struct hinge_metrics *metrics;         /* NULL: the rows have no labels */
    const struct hinge_calibration *calibration; /* NULL: there are no probabilities */
    const struct names *names;                   /* the words of classes */
};

/* Prints the metrics except the accuracy. METRICS_NONE: balanced accuracy, macro F1, and, if they
 * are known, the scores of the positive class and the AUC. METRICS_TEXT: also the other means, the
 * scores of probabilities, a table of the classes, and the confusion matrix. METRICS_JSON: all
 * metrics, with the accuracy, and with C if it is above 0, as one object. With more than 100
 * classes the table has only those that occur as label or prediction, and the matrix is a list of
 * its entries that are not 0. If is_member is set, the object is the value of a key in another one,
 * and does not end the line. */
enum hinge_status scores_print(FILE *stream, enum metrics_format format, int is_member, double C,
                               const struct scored *scored, struct hinge_error *error);

/* Prints the errors for regression: LIBLINEAR's lines of cross-validation, if folds is 1, or of
 * predict. METRICS_TEXT adds other means and the largest residual before LIBLINEAR's lines.
 * METRICS_JSON has all errors as one object, with C if it is above 0 and epsilon unless it is NaN.
 */
void scores_print_regression(FILE *stream, enum metrics_format format, int is_member, int folds,
                             double C, double epsilon, const struct hinge_residuals *residuals);

/* Emits each score that is a single number: for classes in all forms, for regression in a page. */
void scores_emit(struct emitter *emitter, double C, const struct scored *scored);

/* The rates at a threshold of a curve, and the threshold. */
enum { RATE_THRESHOLD, RATE_PRECISION, RATE_RECALL, RATE_FALSE, RATE_F1, RATES };

/* Sets rate[RATES] for point k. A share of no rows is NaN. */
void scores_rates(const struct hinge_curve *curve, size_t k, double *rate);

/* Prints precision, recall and rates at each threshold as CSV. */
void scores_print_curve(FILE *stream, const struct hinge_curve *curve);

/* Prints the reliability table as CSV. */
void scores_print_bins(FILE *stream, const struct hinge_calibration *calibration);

/* Adds the section about the predictions to a page. It takes 56 bytes for each row until it
 * returns. */
enum hinge_status scores_page(struct page *page, const struct scored *scored,
                              struct hinge_error *error);

#endif
