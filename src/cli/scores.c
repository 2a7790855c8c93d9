/* scores.c - "Balanced accuracy = X%", ...; {"rows":N,"accuracy":X, ...} */
#include "cli/scores.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "cli/report.h"
#include "cli/text.h"
#include "data/number.h"

/* With more classes than this the confusion matrix, whose size is the square of their number, is a
 * list of its entries that are not 0, at most one for each row. */
enum { MOST_IN_MATRIX = 100 };

static int is_in_table(const struct hinge_metrics *metrics, size_t c)
{
    return metrics->classes <= MOST_IN_MATRIX ||
           metrics->by_class[c].given + metrics->by_class[c].predicted > 0;
}

/* The means: those of scores_print, or all. */
static void print_means(FILE *stream, const struct hinge_predictions *predictions,
                        const struct hinge_metrics *metrics, int all)
{
    const size_t positive = metrics->positive;

    fprintf(stream, "Balanced accuracy = %g%%\n", 100 * metrics->balanced_accuracy);
    if (all)
        fprintf(stream, "Macro precision = %g\nMacro recall = %g\n", metrics->precision,
                metrics->recall);
    fprintf(stream, "Macro F1 = %g\n", metrics->f1);
    if (all)
        fprintf(stream, "Micro F1 = %g\n", metrics->accuracy);
    if (positive < metrics->classes) {
        const struct hinge_class_metrics *one = &metrics->by_class[positive];

        fprintf(stream, "Precision of %.17g = %g\n", predictions->label[positive], one->precision);
        fprintf(stream, "Recall of %.17g = %g\n", predictions->label[positive], one->recall);
        fprintf(stream, "F1 of %.17g = %g\n", predictions->label[positive], one->f1);
    }
    if (!isnan(metrics->average_precision))
        fprintf(stream, "Average precision of %.17g = %g\n", predictions->label[positive],
                metrics->average_precision);
    if (!isnan(metrics->auc))
        fprintf(stream, "AUC = %g\n", metrics->auc);
}

void scores_print(FILE *stream, const struct hinge_predictions *predictions,
                  const struct hinge_metrics *metrics)
{
    print_means(stream, predictions, metrics, 0);
}

/* ---- Text -------------------------------------------------------------- */

/* With all its digits, at least so wide; negative: from the left. */
static void put_label(FILE *stream, int width, double label)
{
    char text[NUMBER_LENGTH];

    number_print(text, label);
    fprintf(stream, "%*s", width, text);
}

static void print_classes(FILE *stream, const struct hinge_predictions *predictions,
                          const struct hinge_metrics *metrics)
{
    fprintf(stream, "\n%-12s %10s %10s %10s %10s %10s\n", "class", "rows", "predicted", "precision",
            "recall", "F1");
    for (size_t c = 0; c < metrics->classes; c++) {
        const struct hinge_class_metrics *one = &metrics->by_class[c];

        if (!is_in_table(metrics, c))
            continue;
        put_label(stream, -12, predictions->label[c]);
        fprintf(stream, " %10llu %10llu %10.4f %10.4f %10.4f\n", (unsigned long long)one->given,
                (unsigned long long)one->predicted, one->precision, one->recall, one->f1);
    }
}

/* Returns the count of one cell of the confusion matrix, 0 if *next is the entry of a later cell.
 * Cells are asked for row by row, in the order of the entries. */
static unsigned long long cell(const struct hinge_confused **next, const struct hinge_confused *end,
                               size_t given, size_t predicted)
{
    if (*next == end || (*next)->given != given || (*next)->predicted != predicted)
        return 0;
    return (unsigned long long)(*next)++->rows;
}

static enum hinge_status print_matrix(FILE *stream, const struct hinge_predictions *predictions,
                                      struct hinge_error *error)
{
    size_t count;
    struct hinge_confused *entries = hinge_confusion_entries(predictions, &count, error);
    const struct hinge_confused *next = entries;

    if (!entries)
        return failure(error);
    fputs("\nrows of a class (down), by the class predicted (across)\n            ", stream);
    for (size_t c = 0; c < predictions->classes; c++) {
        putc(' ', stream);
        put_label(stream, 8, predictions->label[c]);
    }
    putc('\n', stream);
    for (size_t given = 0; given < predictions->classes; given++) {
        put_label(stream, -12, predictions->label[given]);
        for (size_t c = 0; c < predictions->classes; c++)
            fprintf(stream, " %8llu", cell(&next, entries + count, given, c));
        putc('\n', stream);
    }
    free(entries);
    return HINGE_OK;
}

static enum hinge_status print_entries(FILE *stream, const struct hinge_predictions *predictions,
                                       struct hinge_error *error)
{
    size_t count;
    struct hinge_confused *entries = hinge_confusion_entries(predictions, &count, error);

    if (!entries)
        return failure(error);
    fprintf(stream, "\n%-12s %12s %10s\n", "class", "predicted as", "rows");
    for (size_t k = 0; k < count; k++) {
        put_label(stream, -12, predictions->label[entries[k].given]);
        putc(' ', stream);
        put_label(stream, 12, predictions->label[entries[k].predicted]);
        fprintf(stream, " %10llu\n", (unsigned long long)entries[k].rows);
    }
    free(entries);
    return HINGE_OK;
}

enum hinge_status scores_print_all(FILE *stream, const struct hinge_predictions *predictions,
                                   const struct hinge_metrics *metrics,
                                   const struct hinge_calibration *calibration,
                                   struct hinge_error *error)
{
    print_means(stream, predictions, metrics, 1);
    if (calibration)
        fprintf(stream, "Log loss = %g\nBrier score = %g\n", calibration->log_loss,
                calibration->brier);
    print_classes(stream, predictions, metrics);
    return predictions->classes <= MOST_IN_MATRIX ? print_matrix(stream, predictions, error)
                                                  : print_entries(stream, predictions, error);
}

/* ---- JSON -------------------------------------------------------------- */

static void put_count(FILE *stream, char before, const char *name, uint64_t count)
{
    fprintf(stream, "%c\"%s\":%llu", before, name, (unsigned long long)count);
}

static void put_means(FILE *stream, const char *name, double precision, double recall, double f1)
{
    fprintf(stream, ",\"%s\":", name);
    text_put_number(stream, '{', "precision", precision);
    text_put_number(stream, ',', "recall", recall);
    text_put_number(stream, ',', "f1", f1);
    putc('}', stream);
}

/* Of the positive class; null if there is none. */
static void put_positive(FILE *stream, const struct hinge_predictions *predictions,
                         const struct hinge_metrics *metrics)
{
    const struct hinge_class_metrics *one = &metrics->by_class[metrics->positive];

    fputs(",\"positive\":", stream);
    if (metrics->positive == metrics->classes) {
        fputs("null", stream);
        return;
    }
    text_put_number(stream, '{', "label", predictions->label[metrics->positive]);
    text_put_number(stream, ',', "threshold", predictions->threshold);
    text_put_number(stream, ',', "precision", one->precision);
    text_put_number(stream, ',', "recall", one->recall);
    text_put_number(stream, ',', "f1", one->f1);
    text_put_number(stream, ',', "average_precision", metrics->average_precision);
    putc('}', stream);
}

static void put_class(FILE *stream, double label, const struct hinge_class_metrics *metrics)
{
    text_put_number(stream, '{', "label", label);
    put_count(stream, ',', "rows", metrics->given);
    put_count(stream, ',', "predicted", metrics->predicted);
    put_count(stream, ',', "correct", metrics->correct);
    text_put_number(stream, ',', "precision", metrics->precision);
    text_put_number(stream, ',', "recall", metrics->recall);
    text_put_number(stream, ',', "f1", metrics->f1);
    putc('}', stream);
}

static enum hinge_status put_matrix(FILE *stream, const struct hinge_predictions *predictions,
                                    struct hinge_error *error)
{
    const size_t classes = predictions->classes;
    size_t count;
    struct hinge_confused *entries = hinge_confusion_entries(predictions, &count, error);
    const struct hinge_confused *next = entries;

    if (!entries)
        return failure(error);
    fputs(",\"confusion\":[", stream);
    for (size_t given = 0; given < classes; given++) {
        fputs(given ? ",[" : "[", stream);
        for (size_t c = 0; c < classes; c++)
            fprintf(stream, "%s%llu", c ? "," : "", cell(&next, entries + count, given, c));
        putc(']', stream);
    }
    putc(']', stream);
    free(entries);
    return HINGE_OK;
}

static enum hinge_status put_entries(FILE *stream, const struct hinge_predictions *predictions,
                                     struct hinge_error *error)
{
    size_t count;
    struct hinge_confused *entries = hinge_confusion_entries(predictions, &count, error);

    if (!entries)
        return failure(error);
    fputs(",\"confusion_entries\":[", stream);
    for (size_t k = 0; k < count; k++) {
        if (k)
            putc(',', stream);
        text_put_number(stream, '{', "label", predictions->label[entries[k].given]);
        text_put_number(stream, ',', "predicted", predictions->label[entries[k].predicted]);
        put_count(stream, ',', "rows", entries[k].rows);
        putc('}', stream);
    }
    putc(']', stream);
    free(entries);
    return HINGE_OK;
}

enum hinge_status scores_print_json(FILE *stream, double C,
                                    const struct hinge_predictions *predictions,
                                    const struct hinge_metrics *metrics,
                                    const struct hinge_calibration *calibration,
                                    struct hinge_error *error)
{
    enum hinge_status status;

    if (C > 0)
        text_put_number(stream, '{', "C", C);
    put_count(stream, C > 0 ? ',' : '{', "rows", metrics->rows);
    put_count(stream, ',', "correct", metrics->correct);
    text_put_number(stream, ',', "accuracy", metrics->accuracy);
    text_put_number(stream, ',', "balanced_accuracy", metrics->balanced_accuracy);
    text_put_number(stream, ',', "auc", metrics->auc);
    put_positive(stream, predictions, metrics);
    if (calibration) {
        text_put_number(stream, ',', "log_loss", calibration->log_loss);
        text_put_number(stream, ',', "brier", calibration->brier);
    }
    put_means(stream, "macro", metrics->precision, metrics->recall, metrics->f1);
    put_means(stream, "micro", metrics->accuracy, metrics->accuracy, metrics->accuracy);
    fputs(",\"classes\":[", stream);
    for (size_t c = 0, shown = 0; c < metrics->classes; c++) {
        if (!is_in_table(metrics, c))
            continue;
        if (shown++)
            putc(',', stream);
        put_class(stream, predictions->label[c], &metrics->by_class[c]);
    }
    putc(']', stream);
    status = predictions->classes <= MOST_IN_MATRIX ? put_matrix(stream, predictions, error)
                                                    : put_entries(stream, predictions, error);
    fputs("}\n", stream);
    return status;
}

/* ---- Regression -------------------------------------------------------- */

void scores_print_regression(FILE *stream, int folds, const struct hinge_residuals *residuals,
                             enum metrics_format metrics)
{
    const char *before = folds ? "Cross Validation " : "", *after = folds ? "" : " (regression)";
    const double rows = (double)residuals->rows;

    if (metrics == METRICS_JSON) {
        scores_print_regression_json(stream, 0, NAN, residuals);
        return;
    }
    fprintf(stream, "%sMean squared error = %g%s\n", before, residuals->squares / rows, after);
    fprintf(stream, "%sSquared correlation coefficient = %g%s\n", before,
            hinge_squared_correlation(residuals), after);
    if (metrics == METRICS_TEXT)
        fprintf(stream, "Mean absolute error = %g\nLargest residual = %g\n",
                residuals->absolute / rows, residuals->largest);
}

void scores_print_regression_json(FILE *stream, double C, double epsilon,
                                  const struct hinge_residuals *residuals)
{
    const double rows = (double)residuals->rows;
    const int of_training = !isnan(epsilon);

    if (C > 0)
        text_put_number(stream, '{', "C", C);
    if (of_training)
        text_put_number(stream, C > 0 ? ',' : '{', "epsilon", epsilon);
    put_count(stream, of_training ? ',' : '{', "rows", residuals->rows);
    text_put_number(stream, ',', "mean_squared_error", residuals->squares / rows);
    text_put_number(stream, ',', "mean_absolute_error", residuals->absolute / rows);
    text_put_number(stream, ',', "squared_correlation", hinge_squared_correlation(residuals));
    text_put_number(stream, ',', "largest_residual", residuals->largest);
    fputs("}\n", stream);
}

/* ---- Curve ------------------------------------------------------------- */

/* part/whole, NaN of nothing. */
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
