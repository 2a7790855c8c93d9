/* hinge_metrics.h - scores of predictions: accuracy, precision, recall, F1, areas under curves, the
 * confusion matrix, log loss, errors of regressions.
 *
 * Predictions are collected row by row with hinge_predictions_add, or come from cross-validation.
 * hinge.h says how errors, ownership and array lengths are written.
 */
#ifndef HINGE_METRICS_H
#define HINGE_METRICS_H

#include "hinge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Regression -------------------------------------------------------- */

/* Errors of the predictions for regression. All zero: no rows. Means and sums are weighted, and
 * updated row by row (Welford, Technometrics 4, 1962). */
struct hinge_residuals {
    uint64_t rows;
    double weight;   /* sum of the weights of the rows */
    double squares;  /* sum of (prediction - target)^2; divided by weight, the mean squared error */
    double absolute; /* sum of |prediction - target| */
    double largest;  /* largest |prediction - target| */
    double mean[2];  /* mean of the targets, mean of the predictions */
    double spread[2]; /* sum of (target - mean)^2, sum of (prediction - mean)^2 */
    double product;   /* sum of (target - mean) (prediction - mean) */
};

/* Adds one row of a weight above 0; 1 counts it once. */
void hinge_residuals_add(struct hinge_residuals *residuals, double target, double predicted,
                         double weight);

/* Returns the squared correlation coefficient of targets and predictions, 0 .. 1; NaN if all
 * targets or all predictions are equal. */
double hinge_squared_correlation(const struct hinge_residuals *residuals);

/* Returns the coefficient of determination 1 - sum of (prediction - target)^2 / sum of (target -
 * mean)^2, at most 1; NaN if all targets are equal. */
double hinge_determination(const struct hinge_residuals *residuals);

/* ---- Predictions ------------------------------------------------------- */

/* Rows with a label, and what was predicted for them: 16 bytes per row. */
struct hinge_predictions {
    size_t classes;   /* 0: a regression */
    size_t known;     /* labels of the model; a label that the model has twice counts twice */
    double *label;    /* [classes] labels of the model, then others in order of appearance */
    double positive;  /* label of the positive class of metrics and curves. At first the larger of
                         two labels, written NaN; the caller may set it */
    double threshold; /* threshold of hinge_predictions_cut; NaN: none */
    size_t rows;
    double *weight;  /* [rows] weights, from malloc; NULL: all weigh 1. Only cross-validation sets
                        it. hinge_predictions_add does not fill it */
    double *target;  /* [rows] labels for regression; else NULL */
    uint32_t *given; /* [rows] class of the row's label; NULL for regression */
    uint32_t *predicted; /* [rows] predicted class; NULL for regression */
    double *decision; /* [rows] for a model of two classes its first decision value, above 0 on the
                         side of label[0]; else the value of the predicted class; for regression
                         the number predicted */
};

/* Returns predictions without rows; label[classes], which is copied, are the labels of a model.
 * classes = 0 is a regression. NULL on failure. Free with hinge_predictions_free. */
struct hinge_predictions *hinge_predictions_new(const double *label, size_t classes,
                                                struct hinge_error *error);
void hinge_predictions_free(struct hinge_predictions *predictions);

/* Appends a row. predicted is a position among the labels of the model, 0 for regression.
 * HINGE_BAD_ARGUMENT if there is no such position; then no row is appended. */
enum hinge_status hinge_predictions_add(struct hinge_predictions *predictions, double label,
                                        size_t predicted, double decision,
                                        struct hinge_error *error);

/* Predicts all rows again by hinge_decide_threshold, with a threshold on the decision value for the
 * positive class. HINGE_BAD_ARGUMENT in the cases of hinge_curve_new. */
enum hinge_status hinge_predictions_cut(struct hinge_predictions *predictions, double threshold,
                                        struct hinge_error *error);

/* ---- Metrics ----------------------------------------------------------- */

/* One class against all others. Quotients are of weights of rows; 0/0 is 0. */
struct hinge_class_metrics {
    uint64_t given;     /* rows with this label */
    uint64_t predicted; /* rows with this prediction */
    uint64_t correct;   /* rows with both */
    double precision;   /* correct/predicted */
    double recall;      /* correct/given */
    double f1;          /* 2 correct/(given + predicted) */
};

/* Numbers of rows count each row once. In all shares and areas a row counts as often as its weight
 * says. Shares are in 0 .. 1. Means over classes leave out classes that no row has and none was
 * predicted to have. The mean over all rows ("micro") of precision, recall and F1 is the accuracy.
 */
struct hinge_metrics {
    uint64_t rows;
    uint64_t correct;         /* rows whose prediction is their label */
    double accuracy;          /* correct/rows */
    double balanced_accuracy; /* mean recall of the classes that some row has */
    double precision;         /* mean over classes */
    double recall;            /* mean over classes */
    double f1;                /* mean over classes */
    double mcc; /* correlation of labels and predictions, -1 .. 1 (Matthews; Gorodkin, Computational
                   Biology and Chemistry 28, 2004, for several classes); 0 if all labels or all
                   predictions are equal */
    size_t positive;    /* position of the positive class in by_class; without one, the number of
                           classes */
    double positive_f1; /* F1 of the positive class; NaN without one */
    double auc;         /* two classes: probability that a row of the first class has a larger
                           decision value than one of the second, ties counting half. NaN for
                           more classes, without rows of both, and after a stop */
    double average_precision; /* two classes: mean, over the rows of the positive class, of its
                                 share among the rows whose decision value is at least the row's.
                                 NaN for more classes, without such rows, and after a stop */
    int stopped;              /* 1: a monitor stopped the computation */
    size_t classes;           /* 0: a regression, for which only residuals are set */
    struct hinge_class_metrics *by_class; /* [classes] */
    struct hinge_residuals residuals;     /* errors for regression */
};

/* Computes the metrics. For two classes it takes 8 bytes per row until it returns, 16 with weights.
 * The monitors, or NULL, are asked every few thousand rows with a progress of zeros. NULL on
 * failure; HINGE_BAD_ARGUMENT if there are no rows. Free with hinge_metrics_free. */
struct hinge_metrics *hinge_metrics_new(const struct hinge_predictions *predictions,
                                        const struct hinge_monitor *monitor,
                                        struct hinge_error *error);
void hinge_metrics_free(struct hinge_metrics *metrics);

/* One cell of the confusion matrix. */
struct hinge_confused {
    uint32_t given;     /* position in predictions->label */
    uint32_t predicted; /* position in predictions->label */
    uint64_t rows;      /* rows of class given that were predicted as class predicted; at least 1 */
};

/* Returns the cells of the confusion matrix that are not 0, row by row, and sets *count to their
 * number, at most the number of rows. NULL on failure; HINGE_BAD_ARGUMENT for regression. Free
 * the array with free(). */
struct hinge_confused *hinge_confusion_entries(const struct hinge_predictions *predictions,
                                               size_t *count, struct hinge_error *error);

/* ---- Thresholds -------------------------------------------------------- */

/* Counts for one threshold: rows whose decision value for the positive class is above it are
 * predicted to be positive. correct/predicted is the precision. */
struct hinge_point {
    double threshold;   /* finite */
    uint64_t predicted; /* rows above the threshold */
    uint64_t correct;   /* rows of the positive class above the threshold */
};

/* A point for each threshold that matters, for the predictions of a model of two classes. The
 * decision value for label[1] is minus that for label[0]. A threshold is half-way between two
 * neighbouring decision values, or next to one if no double is between them; the last threshold is
 * below all values. Classes are those of hinge_decide_threshold. */
struct hinge_curve {
    uint64_t rows;
    uint64_t given;            /* rows of the positive class; correct/given is the recall */
    int stopped;               /* 1: a monitor stopped the computation, and there are no points */
    size_t points;             /* the number of different decision values */
    struct hinge_point *point; /* [points] thresholds descend, both counts ascend */
    size_t best;               /* the first point with the largest F1 */
};

/* Computes the curve. It takes 8 bytes per row until it returns, 16 with weights, and 24 per point.
 * Monitors are asked as by hinge_metrics_new. NULL on failure; HINGE_BAD_ARGUMENT if there are no
 * rows, if the model does not have two labels, or if the positive class is neither. Free with
 * hinge_curve_free. */
struct hinge_curve *hinge_curve_new(const struct hinge_predictions *predictions,
                                    const struct hinge_monitor *monitor, struct hinge_error *error);
void hinge_curve_free(struct hinge_curve *curve);

/* ---- Probabilities ----------------------------------------------------- */

enum { HINGE_BINS = 10 };

/* The rows whose predicted probability is in the same tenth of 0 .. 1. */
struct hinge_bin {
    uint64_t rows;
    uint64_t observed; /* rows of the class that the probability is about */
    double predicted;  /* mean probability; 0 without rows */
};

/* Quality of probabilities. All zero: no rows. */
struct hinge_calibration {
    uint64_t rows;
    double weight;   /* sum of the weights of the rows, by which both means are weighted */
    double log_loss; /* mean of -ln p, p the probability of the row's own class, at least
                        DBL_EPSILON: one row counts for at most 36.04 */
    double brier;    /* mean squared error of the probability: of the first of two classes, else
                        summed over all classes (Brier, Monthly Weather Review 78, 1950) */
    struct hinge_bin bin[HINGE_BINS]; /* tenths of the probability of the first of two classes, else
                                         of the predicted class */
};

/* Adds one row of a weight above 0 with its probability[classes], predicted class and own class.
 * given = classes means that the row's label is none of them: its p is 0, and its squared errors
 * are 1 more than the squares of its probabilities. */
void hinge_calibration_add(struct hinge_calibration *calibration, size_t classes,
                           const double *probability, size_t predicted, size_t given,
                           double weight);

#ifdef __cplusplus
}
#endif
#endif
