/* scores.c - "Balanced accuracy = X%", ...; {"rows":N,"accuracy":X, ...} */
#include "cli/scores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "cli/report.h"

/* With more classes than this, the confusion matrix is printed as a list of its entries that are
 * not 0. The list has at most one entry per row of the data, the matrix one per pair of classes. */
enum { MOST_IN_MATRIX = 100 };

/* ---- Names of classes --------------------------------------------------- */

/* Room for the name of a class, and blanks. */
enum { CELL = 2 * NAMES_LABEL };

/* Returns the characters of a text, which may be fewer than its bytes. */
static int count_characters(const char *text)
{
    int count = 0;

    for (; *text; text++)
        count += (*text & 0xc0) != 0x80;
    return count;
}

/* Returns the width of a column with the words of all classes; numbers do not widen it. */
static int find_width(const struct hinge_predictions *predictions, const struct names *names,
                      int least)
{
    char name[NAMES_LABEL];

    for (size_t c = 0; c < predictions->classes; c++) {
        if (!names_of_label(names, predictions->label[c]))
            continue;
        names_print_label(names, predictions->label[c], name);
        least = count_characters(name) > least ? count_characters(name) : least;
    }
    return least;
}

/* Prints the name of a class in a column of that width. A negative width puts blanks after the
 * name, as in printf. */
static void print_name(const struct names *names, double label, int width, char text[CELL])
{
    char name[NAMES_LABEL];
    int more; /* bytes of the name beyond one for each character */

    names_print_label(names, label, name);
    more = (int)strlen(name) - count_characters(name);
    snprintf(text, CELL, "%*s", width < 0 ? width - more : width + more, name);
}

/* ---- Scores ------------------------------------------------------------- */

/* Emits the errors of predicted numbers. */
static void emit_residuals(struct emitter *emitter, double C, double epsilon,
                           const struct hinge_residuals *residuals)
{
    const double squared = residuals->squares / residuals->weight;
    const double absolute = residuals->absolute / residuals->weight;
    const double r2 = hinge_determination(residuals);
    const struct fact facts[] = {
        {"rows", NULL, NULL, (double)residuals->rows, FACT_PLAIN},
        {"mean_squared_error", NULL, "Mean squared error", squared, FACT_PLAIN},
        {NULL, NULL, "Root mean squared error", sqrt(squared), FACT_PLAIN},
        {"mean_absolute_error", NULL, "Mean absolute error", absolute, FACT_PLAIN},
        {NULL, NULL, "R2", r2, FACT_PLAIN},
        {"squared_correlation", NULL, "Squared correlation", hinge_squared_correlation(residuals),
         FACT_PLAIN},
        {"largest_residual", "Largest residual", "Largest residual", residuals->largest,
         FACT_DETAIL},
        {"root_mean_squared_error", "Root mean squared error", NULL, sqrt(squared), FACT_DETAIL},
        {NULL, "Mean absolute error", NULL, absolute, FACT_DETAIL},
        {"r2", "R2", NULL, r2, FACT_DETAIL}};

    if (C > 0)
        emit_number(emitter, "C", C, NULL);
    if (!isnan(epsilon))
        emit_number(emitter, "epsilon", epsilon, NULL);
    emit_facts(emitter, facts, sizeof facts / sizeof *facts);
}

/* Emits the scores of the positive class, if the classes have one, to text and JSON. */
static void emit_positive(struct emitter *emitter, const struct scored *scored)
{
    const struct hinge_metrics *metrics = scored->metrics;
    char name[NAMES_LABEL], of[NAMES_LABEL + 4];

    if (metrics->positive == metrics->classes) {
        emit_raw(emitter, "positive", "null");
    } else {
        const struct hinge_class_metrics *one = &metrics->by_class[metrics->positive];
        const double label = scored->predictions->label[metrics->positive];
        const struct fact facts[] = {
            {"threshold", NULL, NULL, scored->predictions->threshold, FACT_PLAIN},
            {"precision", "Precision", NULL, one->precision, FACT_PLAIN},
            {"recall", "Recall", NULL, one->recall, FACT_PLAIN},
            {"f1", "F1", NULL, one->f1, FACT_PLAIN},
            {"average_precision", "Average precision", NULL, metrics->average_precision,
             FACT_IF_KNOWN}};

        names_print_label(scored->names, label, name);
        snprintf(of, sizeof of, " of %s", name);
        emit_begin(emitter, "positive", '{');
        emit_label(emitter, scored->names, "label", "word", label);
        emitter->of = of;
        emit_facts(emitter, facts, sizeof facts / sizeof *facts);
        emitter->of = NULL;
        emit_end(emitter, '}');
    }
}

/* Emits precision, recall and F1 as an object of JSON. */
static void emit_means(struct emitter *emitter, const char *name, double precision, double recall,
                       double f1)
{
    const struct fact facts[] = {{"precision", NULL, NULL, precision, FACT_PLAIN},
                                 {"recall", NULL, NULL, recall, FACT_PLAIN},
                                 {"f1", NULL, NULL, f1, FACT_PLAIN}};

    emit_begin(emitter, name, '{');
    emit_facts(emitter, facts, 3);
    emit_end(emitter, '}');
}

void scores_emit(struct emitter *emitter, double C, const struct scored *scored)
{
    const struct hinge_metrics *metrics = scored->metrics;
    const struct hinge_calibration *calibration = scored->calibration;
    const double accuracy = metrics->accuracy;
    const struct fact first[] = {{"rows", NULL, NULL, (double)metrics->rows, FACT_PLAIN},
                                 {"correct", NULL, NULL, (double)metrics->correct, FACT_PLAIN},
                                 {"accuracy", NULL, NULL, accuracy, FACT_PLAIN},
                                 {"balanced_accuracy", "Balanced accuracy",
                                  "Balanced accuracy in %", metrics->balanced_accuracy, FACT_SHARE},
                                 {"auc", NULL, NULL, metrics->auc, FACT_PLAIN},
                                 {NULL, "Macro precision", NULL, metrics->precision, FACT_DETAIL},
                                 {NULL, "Macro recall", NULL, metrics->recall, FACT_DETAIL},
                                 {NULL, "Macro F1", "Macro F1", metrics->f1, FACT_PLAIN},
                                 {NULL, "Micro F1", NULL, accuracy, FACT_DETAIL},
                                 {"mcc", "Matthews correlation", NULL, metrics->mcc, FACT_DETAIL}};
    const struct fact last[] = {
        {NULL, "AUC", "AUC", metrics->auc, FACT_IF_KNOWN},
        {NULL, NULL, "Average precision", metrics->average_precision, FACT_PLAIN},
        {"log_loss", "Log loss", "Log loss", calibration ? calibration->log_loss : NAN,
         FACT_DETAIL},
        {"brier", "Brier score", "Brier score", calibration ? calibration->brier : NAN,
         FACT_DETAIL}};

    if (scored->predictions->classes == 0) {
        emit_residuals(emitter, C, NAN, &metrics->residuals);
        return;
    }
    if (C > 0)
        emit_number(emitter, "C", C, NULL);
    emit_facts(emitter, first, sizeof first / sizeof *first);
    if (!emitter->page)
        emit_positive(emitter, scored);
    emit_facts(emitter, last, calibration ? 4 : 2);
    emit_means(emitter, "macro", metrics->precision, metrics->recall, metrics->f1);
    emit_means(emitter, "micro", accuracy, accuracy, accuracy);
}

/* Emits the confusion matrix, or for many classes a list of its entries that are not 0. */
static enum hinge_status emit_confusion(struct emitter *emitter,
                                        const struct hinge_predictions *predictions,
                                        const struct names *names, struct hinge_error *error)
{
    const int left = find_width(predictions, names, 12), width = find_width(predictions, names, 8);
    const size_t classes = predictions->classes;
    const int is_list = classes > MOST_IN_MATRIX;
    size_t count, next = 0;
    struct hinge_confused *entries = hinge_confusion_entries(predictions, &count, error);
    char name[CELL], other[CELL];

    if (!entries)
        return failure(error);
    emit_begin(emitter, is_list ? "confusion_entries" : "confusion", '[');
    if (is_list) {
        emit_text(emitter, "\n%-*s %*s %10s\n", left, "class", left, "predicted as", "rows");
        for (size_t k = 0; k < count; k++) {
            const double given = predictions->label[entries[k].given];
            const double predicted = predictions->label[entries[k].predicted];

            print_name(names, given, -left, name);
            print_name(names, predicted, left, other);
            emit_begin(emitter, NULL, '{');
            emit_text(emitter, "%s %s %10llu\n", name, other, (unsigned long long)entries[k].rows);
            emit_label(emitter, names, "label", "word", given);
            emit_label(emitter, names, "predicted", "predicted_word", predicted);
            emit_number(emitter, "rows", (double)entries[k].rows, NULL);
            emit_end(emitter, '}');
        }
    } else {
        emit_text(emitter, "\nrows of a class (down), by the class predicted (across)\n%*s", left,
                  "");
        for (size_t c = 0; c < classes; c++) {
            print_name(names, predictions->label[c], width, name);
            emit_text(emitter, " %s", name);
        }
        emit_text(emitter, "\n");
        for (size_t given = 0; given < classes; given++) {
            print_name(names, predictions->label[given], -left, name);
            emit_begin(emitter, NULL, '[');
            emit_text(emitter, "%s", name);
            for (size_t c = 0; c < classes; c++) {
                /* the entries are in the order of the cells */
                const int is_entry =
                    next < count && entries[next].given == given && entries[next].predicted == c;
                const unsigned long long rows = is_entry ? entries[next++].rows : 0;

                emit_number(emitter, "", (double)rows, " %*llu", width, rows);
            }
            emit_text(emitter, "\n");
            emit_end(emitter, ']');
        }
    }
    emit_end(emitter, ']');
    free(entries);
    return HINGE_OK;
}

enum hinge_status scores_print(FILE *stream, enum metrics_format format, int is_member, double C,
                               const struct scored *scored, struct hinge_error *error)
{
    const struct hinge_predictions *predictions = scored->predictions;
    const struct hinge_metrics *metrics = scored->metrics;
    const struct names *names = scored->names;
    const int width = find_width(predictions, names, 12);
    struct emitter emitter = {.stream = stream,
                              .json = format == METRICS_JSON,
                              .has_details = format != METRICS_NONE,
                              .depth = is_member};
    enum hinge_status status = HINGE_OK;

    emit_begin(&emitter, NULL, '{');
    scores_emit(&emitter, C, scored);
    if (emitter.has_details) {
        emit_begin(&emitter, "classes", '[');
        emit_text(&emitter, "\n%-*s %10s %10s %10s %10s %10s\n", width, "class", "rows",
                  "predicted", "precision", "recall", "F1");
        for (size_t c = 0; c < metrics->classes; c++) {
            const struct hinge_class_metrics *one = &metrics->by_class[c];
            char name[CELL];

            if (metrics->classes > MOST_IN_MATRIX && one->given + one->predicted == 0)
                continue;
            print_name(names, predictions->label[c], -width, name);
            emit_begin(&emitter, NULL, '{');
            emit_label(&emitter, names, "label", "word", predictions->label[c]);
            emit_text(&emitter, "%s %10llu %10llu %10.4f %10.4f %10.4f\n", name,
                      (unsigned long long)one->given, (unsigned long long)one->predicted,
                      one->precision, one->recall, one->f1);
            emit_number(&emitter, "rows", (double)one->given, NULL);
            emit_number(&emitter, "predicted", (double)one->predicted, NULL);
            emit_number(&emitter, "correct", (double)one->correct, NULL);
            emit_number(&emitter, "precision", one->precision, NULL);
            emit_number(&emitter, "recall", one->recall, NULL);
            emit_number(&emitter, "f1", one->f1, NULL);
            emit_end(&emitter, '}');
        }
        emit_end(&emitter, ']');
        status = emit_confusion(&emitter, predictions, names, error);
    }
    emit_end(&emitter, '}');
    return status;
}

void scores_print_regression(FILE *stream, enum metrics_format format, int is_member, int folds,
                             double C, double epsilon, const struct hinge_residuals *residuals)
{
    struct emitter emitter = {.stream = stream,
                              .json = format == METRICS_JSON,
                              .has_details = format != METRICS_NONE,
                              .depth = is_member};
    const char *before = folds ? "Cross Validation " : "", *after = folds ? "" : " (regression)";

    emit_begin(&emitter, NULL, '{');
    emit_residuals(&emitter, C, epsilon, residuals);
    emit_text(&emitter, "%sMean squared error = %g%s\n%sSquared correlation coefficient = %g%s\n",
              before, residuals->squares / residuals->weight, after, before,
              hinge_squared_correlation(residuals), after);
    emit_end(&emitter, '}');
}

/* ---- Curve ------------------------------------------------------------- */

/* Returns part/whole; NaN if whole is 0. */
static double rate_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : NAN;
}

void scores_rates(const struct hinge_curve *curve, size_t k, double *rate)
{
    const struct hinge_point *point = &curve->point[k];

    rate[RATE_THRESHOLD] = point->threshold;
    rate[RATE_PRECISION] = rate_of(point->correct, point->predicted);
    rate[RATE_RECALL] = rate_of(point->correct, curve->given);
    rate[RATE_FALSE] = rate_of(point->predicted - point->correct, curve->rows - curve->given);
    rate[RATE_F1] = rate_of(2 * point->correct, curve->given + point->predicted);
}

void scores_print_curve(FILE *stream, const struct hinge_curve *curve)
{
    static const int columns[] = {RATE_THRESHOLD, RATE_PRECISION, RATE_RECALL,
                                  RATE_RECALL,    RATE_FALSE,     RATE_F1};

    fputs("threshold,precision,recall,true_positive_rate,false_positive_rate,f1\n", stream);
    for (size_t k = 0; k < curve->points; k++) {
        double rate[RATES];

        scores_rates(curve, k, rate);
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            report_field(stream, (char)(c > 0 ? ',' : '\0'), rate[columns[c]]);
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
