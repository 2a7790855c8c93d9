/* scores.c - "Balanced accuracy = X%", ...; {"rows":N,"accuracy":X, ...} */
#include "cli/scores.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "cli/emit.h"
#include "cli/report.h"
#include "data/number.h"

/* The confusion matrix has the square of the number of classes. With more classes than this, it is
 * printed as a list of its entries that are not 0, at most one for each row. */
enum { MOST_IN_MATRIX = 100 };

/* Emits precision, recall and F1 as an object of JSON. */
static void emit_means(struct emitter *emitter, const char *name, double precision, double recall,
                       double f1)
{
    emit_begin(emitter, name, '{');
    emit_number(emitter, "precision", precision, NULL);
    emit_number(emitter, "recall", recall, NULL);
    emit_number(emitter, "f1", f1, NULL);
    emit_end(emitter, '}');
}

/* Emits the scores of the positive class, if there is one. */
static void emit_positive(struct emitter *emitter, const struct hinge_predictions *predictions,
                          const struct hinge_metrics *metrics)
{
    const struct hinge_class_metrics *one = &metrics->by_class[metrics->positive];
    double label;

    if (metrics->positive == metrics->classes) {
        emit_raw(emitter, "positive", "null");
        return;
    }
    label = predictions->label[metrics->positive];
    emit_begin(emitter, "positive", '{');
    emit_number(emitter, "label", label, NULL);
    emit_number(emitter, "threshold", predictions->threshold, NULL);
    emit_number(emitter, "precision", one->precision, "Precision of %.17g = %g\n", label,
                one->precision);
    emit_number(emitter, "recall", one->recall, "Recall of %.17g = %g\n", label, one->recall);
    emit_number(emitter, "f1", one->f1, "F1 of %.17g = %g\n", label, one->f1);
    if (emitter->json || !isnan(metrics->average_precision))
        emit_number(emitter, "average_precision", metrics->average_precision,
                    "Average precision of %.17g = %g\n", label, metrics->average_precision);
    emit_end(emitter, '}');
}

/* Emits the table of the classes; of many classes only those that occur. */
static void emit_classes(struct emitter *emitter, const struct hinge_predictions *predictions,
                         const struct hinge_metrics *metrics)
{
    emit_begin(emitter, "classes", '[');
    emit_number(emitter, NULL, 0, "\n%-12s %10s %10s %10s %10s %10s\n", "class", "rows",
                "predicted", "precision", "recall", "F1");
    for (size_t c = 0; c < metrics->classes; c++) {
        const struct hinge_class_metrics *one = &metrics->by_class[c];
        char label[NUMBER_LENGTH];

        if (metrics->classes > MOST_IN_MATRIX && one->given + one->predicted == 0)
            continue;
        number_print(label, predictions->label[c]);
        emit_begin(emitter, NULL, '{');
        emit_number(emitter, "label", predictions->label[c],
                    "%-12s %10llu %10llu %10.4f %10.4f %10.4f\n", label,
                    (unsigned long long)one->given, (unsigned long long)one->predicted,
                    one->precision, one->recall, one->f1);
        emit_count(emitter, "rows", one->given);
        emit_count(emitter, "predicted", one->predicted);
        emit_count(emitter, "correct", one->correct);
        emit_number(emitter, "precision", one->precision, NULL);
        emit_number(emitter, "recall", one->recall, NULL);
        emit_number(emitter, "f1", one->f1, NULL);
        emit_end(emitter, '}');
    }
    emit_end(emitter, ']');
}

static enum hinge_status emit_matrix(struct emitter *emitter,
                                     const struct hinge_predictions *predictions,
                                     struct hinge_error *error)
{
    const size_t classes = predictions->classes;
    size_t count, next = 0;
    struct hinge_confused *entries = hinge_confusion_entries(predictions, &count, error);
    char label[NUMBER_LENGTH];

    if (!entries)
        return failure(error);
    emit_begin(emitter, "confusion", '[');
    emit_number(emitter, NULL, 0,
                "\nrows of a class (down), by the class predicted (across)\n            ");
    for (size_t c = 0; c < classes; c++) {
        number_print(label, predictions->label[c]);
        emit_number(emitter, NULL, 0, " %8s", label);
    }
    emit_number(emitter, NULL, 0, "\n");
    for (size_t given = 0; given < classes; given++) {
        number_print(label, predictions->label[given]);
        emit_begin(emitter, NULL, '[');
        emit_number(emitter, NULL, 0, "%-12s", label);
        for (size_t c = 0; c < classes; c++) {
            /* the entries are in the order of the cells */
            const int is_entry =
                next < count && entries[next].given == given && entries[next].predicted == c;
            const unsigned long long rows = is_entry ? entries[next++].rows : 0;

            emit_number(emitter, "", (double)rows, " %8llu", rows);
        }
        emit_number(emitter, NULL, 0, "\n");
        emit_end(emitter, ']');
    }
    emit_end(emitter, ']');
    free(entries);
    return HINGE_OK;
}

/* Emits the entries of the matrix that are not 0. */
static enum hinge_status emit_entries(struct emitter *emitter,
                                      const struct hinge_predictions *predictions,
                                      struct hinge_error *error)
{
    size_t count;
    struct hinge_confused *entries = hinge_confusion_entries(predictions, &count, error);

    if (!entries)
        return failure(error);
    emit_begin(emitter, "confusion_entries", '[');
    emit_number(emitter, NULL, 0, "\n%-12s %12s %10s\n", "class", "predicted as", "rows");
    for (size_t k = 0; k < count; k++) {
        const double given = predictions->label[entries[k].given];
        const double predicted = predictions->label[entries[k].predicted];
        char label[NUMBER_LENGTH], other[NUMBER_LENGTH];

        number_print(label, given);
        number_print(other, predicted);
        emit_begin(emitter, NULL, '{');
        emit_number(emitter, "label", given, "%-12s %12s %10llu\n", label, other,
                    (unsigned long long)entries[k].rows);
        emit_number(emitter, "predicted", predicted, NULL);
        emit_count(emitter, "rows", entries[k].rows);
        emit_end(emitter, '}');
    }
    emit_end(emitter, ']');
    free(entries);
    return HINGE_OK;
}

enum hinge_status scores_print(FILE *stream, enum metrics_format format, double C,
                               const struct hinge_predictions *predictions,
                               const struct hinge_metrics *metrics,
                               const struct hinge_calibration *calibration,
                               struct hinge_error *error)
{
    struct emitter all = {.stream = stream, .json = format == METRICS_JSON};
    const int has_all = format != METRICS_NONE;
    enum hinge_status status = HINGE_OK;

    emit_begin(&all, NULL, '{');
    if (C > 0)
        emit_number(&all, "C", C, NULL);
    emit_count(&all, "rows", metrics->rows);
    emit_count(&all, "correct", metrics->correct);
    emit_number(&all, "accuracy", metrics->accuracy, NULL);
    emit_number(&all, "balanced_accuracy", metrics->balanced_accuracy, "Balanced accuracy = %g%%\n",
                100 * metrics->balanced_accuracy);
    emit_number(&all, "auc", metrics->auc, NULL);
    if (has_all)
        emit_number(&all, NULL, 0, "Macro precision = %g\nMacro recall = %g\n", metrics->precision,
                    metrics->recall);
    emit_number(&all, NULL, 0, "Macro F1 = %g\n", metrics->f1);
    if (has_all)
        emit_number(&all, "mcc", metrics->mcc, "Micro F1 = %g\nMatthews correlation = %g\n",
                    metrics->accuracy, metrics->mcc);
    emit_positive(&all, predictions, metrics);
    if (!isnan(metrics->auc))
        emit_number(&all, NULL, 0, "AUC = %g\n", metrics->auc);
    if (calibration) {
        emit_number(&all, "log_loss", calibration->log_loss, "Log loss = %g\n",
                    calibration->log_loss);
        emit_number(&all, "brier", calibration->brier, "Brier score = %g\n", calibration->brier);
    }
    emit_means(&all, "macro", metrics->precision, metrics->recall, metrics->f1);
    emit_means(&all, "micro", metrics->accuracy, metrics->accuracy, metrics->accuracy);
    if (has_all) {
        emit_classes(&all, predictions, metrics);
        status = predictions->classes <= MOST_IN_MATRIX ? emit_matrix(&all, predictions, error)
                                                        : emit_entries(&all, predictions, error);
    }
    emit_end(&all, '}');
    if (all.json)
        putc('\n', stream);
    return status;
}

void scores_print_regression(FILE *stream, enum metrics_format format, int folds, double C,
                             double epsilon, const struct hinge_residuals *residuals)
{
    struct emitter all = {.stream = stream, .json = format == METRICS_JSON};
    const char *before = folds ? "Cross Validation " : "", *after = folds ? "" : " (regression)";
    const double weight = residuals->weight, squared = residuals->squares / weight;
    const double correlation = hinge_squared_correlation(residuals);

    emit_begin(&all, NULL, '{');
    if (C > 0)
        emit_number(&all, "C", C, NULL);
    if (!isnan(epsilon))
        emit_number(&all, "epsilon", epsilon, NULL);
    emit_count(&all, "rows", residuals->rows);
    emit_number(&all, "mean_squared_error", squared, NULL);
    emit_number(&all, "mean_absolute_error", residuals->absolute / weight, NULL);
    emit_number(&all, "squared_correlation", correlation, NULL);
    if (format) {
        emit_number(&all, "largest_residual", residuals->largest, "Largest residual = %g\n",
                    residuals->largest);
        emit_number(&all, "root_mean_squared_error", sqrt(squared),
                    "Root mean squared error = %g\n", sqrt(squared));
        emit_number(&all, NULL, 0, "Mean absolute error = %g\n", residuals->absolute / weight);
        emit_number(&all, "r2", hinge_determination(residuals), "R2 = %g\n",
                    hinge_determination(residuals));
    }
    emit_number(&all, NULL, 0,
                "%sMean squared error = %g%s\n%sSquared correlation coefficient = %g%s\n", before,
                squared, after, before, correlation, after);
    emit_end(&all, '}');
    if (all.json)
        putc('\n', stream);
}

/* ---- Curve ------------------------------------------------------------- */

/* Returns part/whole; NaN if whole is 0. */
static double rate_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : NAN;
}

void scores_print_curve(FILE *stream, const struct hinge_curve *curve)
{
    fputs("threshold,precision,recall,true_positive_rate,false_positive_rate,f1\n", stream);
    for (size_t k = 0; k < curve->points; k++) {
        const struct hinge_point *point = &curve->point[k];
        const double recall = rate_of(point->correct, curve->given);

        report_field(stream, '\0', point->threshold);
        report_field(stream, ',', rate_of(point->correct, point->predicted));
        report_field(stream, ',', recall);
        report_field(stream, ',', recall);
        report_field(stream, ',',
                     rate_of(point->predicted - point->correct, curve->rows - curve->given));
        report_field(stream, ',', rate_of(2 * point->correct, curve->given + point->predicted));
        putc('\n', stream);
    }
}

/* ---- Reliability ------------------------------------------------------- */

void scores_print_bins(FILE *stream, const struct hinge_calibration *calibration)
{
    fputs("lowest,highest,predicted,observed,rows\n", stream);
    for (int k = 0; k < HINGE_BINS; k++) {
        const struct hinge_bin *bin = &calibration->bin[k];
        const double rows = (double)bin->rows;

        fprintf(stream, "%g,%g", (double)k / HINGE_BINS, (double)(k + 1) / HINGE_BINS);
        report_field(stream, ',', bin->rows ? bin->predicted : NAN);
        report_field(stream, ',', bin->rows ? (double)bin->observed / rows : NAN);
        fprintf(stream, ",%llu\n", (unsigned long long)bin->rows);
    }
}
