/* scores_page.c - predictions -> tables and pictures. */
#include "cli/scores.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "report/figure.h"
#include "report/scale.h"

/* A confusion matrix of more than CLASSES_IN_GRID classes is too wide to be read, so the WORST most
 * frequent errors are listed. */
enum { CLASSES_IN_GRID = 30, WORST = 20, BINS = 40 };

/* ---- Histograms ---------------------------------------------------------- */

/* Fills edge[BINS + 1] with a range that has all finite values. */
static void find_edges(const double *value, size_t count, double edge[BINS + 1])
{
    double low = HUGE_VAL, high = -HUGE_VAL;

    for (size_t k = 0; k < count; k++) {
        if (!isfinite(value[k])) /* infinite in a fold whose model does not know the class */
            continue;
        low = value[k] < low ? value[k] : low;
        high = value[k] > high ? value[k] : high;
    }
    if (low > high)
        low = high = 0;
    if (!scale_is_range(low, high)) {
        const double half = fmax(0.5, fmax(fabs(low), fabs(high)) * 0x1p-20);

        low -= half, high += half;
    }
    for (size_t k = 0; k <= BINS; k++) /* halves, because high - low may overflow */
        edge[k] = 2 * (low / 2 + (high / 2 - low / 2) * ((double)k / BINS));
}

static void count_value(double count[BINS], const double edge[BINS + 1], double value)
{
    const double at = (value / 2 - edge[0] / 2) / (edge[BINS] / 2 - edge[0] / 2) * BINS;

    if (isfinite(value))
        count[at >= BINS ? BINS - 1 : at > 0 ? (size_t)at : 0]++;
}

/* ---- Classes ------------------------------------------------------------- */

static void print_classes(struct page *page, const struct scored *scored,
                          const char *const *class_name)
{
    static const char *const heads[] = {"class", "rows", "predicted", "precision", "recall", "F1"};
    const struct hinge_metrics *metrics = scored->metrics;

    page_table(page, "Scores of each class", metrics->classes > CLASSES_IN_GRID, heads, 6);
    for (size_t c = 0; c < metrics->classes; c++) {
        const struct hinge_class_metrics *one = &metrics->by_class[c];

        page_numbers(page, class_name[c], 5,
                     (const double[]){(double)one->given, (double)one->predicted, one->precision,
                                      one->recall, one->f1});
    }
    page_table_end(page, metrics->classes > CLASSES_IN_GRID);
}

static enum hinge_status draw_confusion(struct page *page, const struct scored *scored,
                                        const char *const *class_name, struct hinge_error *error)
{
    static const char *const heads[] = {"class", "predicted as", "rows"};
    const size_t count = scored->predictions->classes;
    size_t entries;
    struct hinge_confused *entry = hinge_confusion_entries(scored->predictions, &entries, error);
    double *value =
        entry && count <= CLASSES_IN_GRID ? array_new(count * count, sizeof *value, error) : NULL;
    const struct grid grid = {
        "Confusion matrix: where does it err?",
        "The diagonal has the rows that are predicted correctly. A strongly coloured cell "
        "elsewhere is a frequent error.",
        "class of the row",
        "class predicted",
        count,
        count,
        class_name,
        class_name,
        value,
        0};

    if (!entry || (count <= CLASSES_IN_GRID && !value)) {
        free(entry);
        return failure(error);
    }
    if (value) {
        for (size_t k = 0; k < entries; k++)
            value[entry[k].given * count + entry[k].predicted] = (double)entry[k].rows;
        page_grid(page, &grid);
    } else {
        page_table(page, "Where it errs: the most frequent errors", 0, heads, 3);
        for (size_t k = 0; k < WORST; k++) {
            size_t next = entries;

            for (size_t i = 0; i < entries; i++)
                if (entry[i].given != entry[i].predicted &&
                    (next == entries || entry[i].rows > entry[next].rows))
                    next = i;
            if (next == entries || entry[next].rows == 0)
                break;
            page_row(page);
            page_cell(page, class_name[entry[next].given]);
            page_cell(page, class_name[entry[next].predicted]);
            page_number(page, (double)entry[next].rows);
            entry[next].rows = 0;
        }
        page_table_end(page, 0);
    }
    free(value);
    free(entry);
    return HINGE_OK;
}

/* Draws a histogram of decision values for each of two classes, or for correct and for wrong
 * predictions of more classes. Rows without labels have one histogram. */
static void draw_decisions(struct page *page, const struct scored *scored,
                           const char *const *class_name)
{
    const struct hinge_predictions *predictions = scored->predictions;
    const int two = predictions->known == 2, labelled = scored->metrics != NULL;
    double edge[BINS + 1], count[2][BINS] = {{0}};
    char name[2][NAMES_LABEL + 20];
    const struct series series[] = {{name[0], MARK_STEPS, BINS, edge, count[0], NULL},
                                    {name[1], MARK_STEPS, BINS, edge, count[1], NULL}};
    const double threshold = !two                            ? NAN
                             : isnan(predictions->threshold) ? 0
                             : predictions->positive == predictions->label[0]
                                 ? predictions->threshold
                                 : -predictions->threshold;
    const struct rule rule = {threshold, "threshold"};
    const struct figure figure = {
        .title = !labelled ? "Decision values"
                 : two     ? "Decision values by class"
                           : "Decision values of the predicted class, of correct and wrong rows",
        .reading = !labelled ? "Rows near 0 are predicted with little confidence."
                   : two     ? "The less the two overlap, the better. Rows of a class on the other "
                               "side of the threshold are errors."
                         : "Errors at large decision values are surprising: look at these rows.",
        .x = {two ? "decision value for the first class" : "decision value", 0, 0},
        .y = {"rows", 0, 1},
        .series = series,
        .series_count = labelled ? 2 : 1,
        .rule = &rule,
        .rule_count = two ? 1 : 0};

    snprintf(name[0], sizeof name[0], "%s", !labelled ? "all rows" : "correct");
    snprintf(name[1], sizeof name[1], "wrong");
    for (size_t c = 0; two && labelled && c < 2; c++)
        snprintf(name[c], sizeof name[c], "class %s", class_name[c]);
    find_edges(predictions->decision, predictions->rows, edge);
    for (size_t i = 0; i < predictions->rows; i++) {
        const int is_second = !labelled ? 0
                              : two     ? predictions->given[i] != 0
                                        : predictions->given[i] != predictions->predicted[i];

        count_value(count[is_second], edge, predictions->decision[i]);
    }
    page_figure(page, &figure);
}

/* Draws the scores of each threshold. rate[RATES][points] has the results of scores_rates. */
static void draw_thresholds(struct page *page, double threshold, const char *name, size_t points,
                            const double *rate)
{
    const double *const x = rate + RATE_THRESHOLD * points;
    const struct series series[] = {
        {"precision", MARK_LINE, points, x, rate + RATE_PRECISION * points, NULL},
        {"recall", MARK_LINE, points, x, rate + RATE_RECALL * points, NULL},
        {"F1", MARK_LINE, points, x, rate + RATE_F1 * points, NULL}};
    char title[NAMES_LABEL + 40], chosen[60];
    const struct rule rule = {isnan(threshold) ? 0 : threshold, chosen};
    const struct figure figure = {
        .title = title,
        .reading = "Choose where the scores are those you need, on rows that the model was not "
                   "trained on: predict --positive LABEL --threshold T.",
        .x = {"threshold on the decision value for the class", 0, 0},
        .y = {"score", 0, 1},
        .series = series,
        .series_count = 3,
        .rule = &rule,
        .rule_count = 1};

    snprintf(title, sizeof title, "Scores of class %s: which threshold?", name);
    snprintf(chosen, sizeof chosen, "the present threshold, %.6g", rule.x);
    page_figure(page, &figure);
}

/* Draws the scores of each threshold, precision against recall, and the receiver operating
 * characteristic. */
static enum hinge_status draw_curves(struct page *page, const struct scored *scored,
                                     const char *const *class_name, struct hinge_error *error)
{
    const struct hinge_metrics *metrics = scored->metrics;
    const struct hinge_class_metrics *one = &metrics->by_class[metrics->positive];
    const char *const name = class_name[metrics->positive];
    struct hinge_curve *curve = hinge_curve_new(scored->predictions, NULL, error);
    const size_t points = curve ? curve->points : 0;
    double *rate = curve ? array_new(RATES * points, sizeof *rate, error) : NULL;
    char title[NAMES_LABEL + 40];

    if (rate) {
        const double others = (double)(curve->rows - curve->given);
        const double here[] = {one->recall, one->precision,
                               (double)(one->predicted - one->correct) / others};
        const double *const recall = rate + RATE_RECALL * points;
        struct series series[] = {
            {"all thresholds", MARK_LINE, points, recall, rate + RATE_PRECISION * points, NULL},
            {"present threshold", MARK_POINTS, 1, &here[0], &here[1], NULL}};
        struct figure figure = {.title = title,
                                .reading = "Go along the curve to trade one for the other.",
                                .x = {"recall", 0, 1},
                                .y = {"precision", 0, 1},
                                .series = series,
                                .series_count = 2};

        for (size_t k = 0; k < points; k++) {
            double at[RATES];

            scores_rates(curve, k, at);
            for (size_t r = 0; r < RATES; r++)
                rate[r * points + k] = at[r];
        }
        draw_thresholds(page, scored->predictions->threshold, name, points, rate);
        snprintf(title, sizeof title, "Precision and recall of class %s", name);
        page_figure(page, &figure);
        series[0].x = rate + RATE_FALSE * points;
        series[0].y = recall;
        series[1].x = &here[2];
        series[1].y = &here[0];
        snprintf(title, sizeof title, "ROC of class %s: AUC %.4g", name, metrics->auc);
        figure.reading =
            "The dashed line is what guessing gives; the nearer to the upper left, the "
            "better.";
        figure.x.label = "false positive rate";
        figure.y.label = "true positive rate (recall)";
        figure.has_diagonal = 1;
        page_figure(page, &figure);
    }
    hinge_curve_free(curve);
    if (!rate)
        return failure(error);
    free(rate);
    return HINGE_OK;
}

static void draw_calibration(struct page *page, const struct hinge_calibration *calibration)
{
    double predicted[HINGE_BINS], observed[HINGE_BINS];
    size_t count = 0;
    const struct series series[] = {
        {"tenths of the probability", MARK_LINE, HINGE_BINS, predicted, observed, NULL},
        {"their means", MARK_POINTS, HINGE_BINS, predicted, observed, NULL}};
    struct figure figure = {.title = "Reliability of the probabilities",
                            .reading = "On the dashed line, what is predicted with 70 % happens in "
                                       "70 of 100 rows.",
                            .x = {"predicted probability", 0, 1},
                            .y = {"share observed", 0, 1},
                            .series = series,
                            .series_count = 2,
                            .has_diagonal = 1};

    for (size_t k = 0; k < HINGE_BINS; k++) {
        const struct hinge_bin *bin = &calibration->bin[k];

        predicted[k] = bin->rows ? bin->predicted : NAN;
        observed[k] = bin->rows ? (double)bin->observed / (double)bin->rows : NAN;
        count += bin->rows > 0;
    }
    if (count > 0)
        page_figure(page, &figure);
}

/* ---- The rows predicted worst -------------------------------------------- */

/* Returns how far a row is on the wrong side, or -HUGE_VAL for a correct row. For regression,
 * returns the magnitude of the residual. */
static double badness(const struct hinge_predictions *predictions, size_t i)
{
    if (predictions->classes == 0)
        return fabs(predictions->decision[i] - predictions->target[i]);
    if (predictions->given[i] == predictions->predicted[i])
        return -HUGE_VAL;
    return predictions->known == 2 ? fabs(predictions->decision[i]) : predictions->decision[i];
}

static void print_worst(struct page *page, const struct scored *scored,
                        const char *const *class_name)
{
    const struct hinge_predictions *predictions = scored->predictions;
    const char *const heads[] = {"row", predictions->classes ? "class" : "target", "predicted",
                                 predictions->classes ? "decision value" : "residual"};
    size_t worst[WORST], kept = 0;

    for (size_t i = 0; i < predictions->rows; i++) {
        const double bad = badness(predictions, i);
        size_t at;

        if (!(bad > -HUGE_VAL) || (kept == WORST && bad <= badness(predictions, worst[WORST - 1])))
            continue;
        kept += kept < WORST;
        for (at = kept - 1; at > 0 && bad > badness(predictions, worst[at - 1]); at--)
            worst[at] = worst[at - 1];
        worst[at] = i;
    }
    if (kept == 0)
        return;
    page_table(page,
               predictions->classes ? "The rows that are wrong by the largest decision values"
                                    : "The largest residuals",
               0, heads, 4);
    for (size_t k = 0; k < kept; k++) {
        const size_t i = worst[k];

        page_row(page);
        page_number(page, (double)i + 1);
        if (predictions->classes) {
            page_cell(page, class_name[predictions->given[i]]);
            page_cell(page, class_name[predictions->predicted[i]]);
            page_number(page, predictions->decision[i]);
        } else {
            page_number(page, predictions->target[i]);
            page_number(page, predictions->decision[i]);
            page_number(page, predictions->decision[i] - predictions->target[i]);
        }
    }
    page_table_end(page, 0);
}

/* ---- Regression ---------------------------------------------------------- */

static enum hinge_status draw_regression(struct page *page, const struct scored *scored,
                                         struct hinge_error *error)
{
    const struct hinge_predictions *predictions = scored->predictions;
    const size_t rows = predictions->rows;
    double *residual = array_new(rows, sizeof *residual, error), edge[BINS + 1], count[BINS] = {0};
    struct series series = {"rows", MARK_POINTS, rows, predictions->target, predictions->decision,
                            NULL};
    struct figure figure = {.title = "Predicted against true targets",
                            .reading = "Rows on the dashed line are predicted exactly.",
                            .x = {"target", 0, 0},
                            .y = {"predicted", 0, 0},
                            .series = &series,
                            .series_count = 1,
                            .has_diagonal = 1};

    if (!residual)
        return failure(error);
    for (size_t i = 0; i < rows; i++)
        residual[i] = predictions->decision[i] - predictions->target[i];
    page_figure(page, &figure);
    series.x = predictions->decision;
    series.y = residual;
    figure.title = "Residuals against predictions: where does it err?";
    figure.reading = "A bend or a funnel means that features or targets should be transformed.";
    figure.x.label = "predicted";
    figure.y.label = "predicted - target";
    figure.has_diagonal = 0;
    page_figure(page, &figure);
    find_edges(residual, rows, edge);
    for (size_t i = 0; i < rows; i++)
        count_value(count, edge, residual[i]);
    series = (struct series){"rows", MARK_STEPS, BINS, edge, count, NULL};
    figure.title = "Residuals";
    figure.reading = "Most rows should be near 0, and as many on one side as on the other.";
    figure.x.label = "predicted - target";
    figure.y = (struct axis){"rows", 0, 1};
    page_figure(page, &figure);
    free(residual);
    return HINGE_OK;
}

/* ---- All ----------------------------------------------------------------- */

/* Draws how many rows without labels are predicted to be of each class. */
static enum hinge_status draw_counts(struct page *page, const struct scored *scored,
                                     const char *const *class_name, struct hinge_error *error)
{
    const struct hinge_predictions *predictions = scored->predictions;
    double *count = array_new(predictions->classes, sizeof *count, error);
    const struct bars bars = {"Rows by the class predicted",
                              "Compare the shares with those you expect.",
                              "class",
                              "rows",
                              predictions->known,
                              class_name,
                              count,
                              NULL};

    if (!count)
        return failure(error);
    for (size_t i = 0; i < predictions->rows; i++)
        count[predictions->predicted[i]]++;
    page_bars(page, &bars);
    free(count);
    return HINGE_OK;
}

enum hinge_status scores_page(struct page *page, const struct scored *scored,
                              struct hinge_error *error)
{
    const struct hinge_predictions *predictions = scored->predictions;
    const struct hinge_metrics *metrics = scored->metrics;
    const size_t classes = predictions->classes;
    const char **class_name;
    struct emitter facts = {.page = page};
    enum hinge_status status = HINGE_OK;

    page_heading(page, "Predictions");
    page_facts(page);
    page_fact(page, "Rows", "%zu", predictions->rows);
    if (metrics && classes > 0)
        page_fact(page, "Accuracy", "%.6g %% (%llu of %llu)", 100 * metrics->accuracy,
                  (unsigned long long)metrics->correct, (unsigned long long)metrics->rows);
    if (metrics)
        scores_emit(&facts, 0, scored);
    page_facts_end(page);
    /* the names follow their pointers in one block */
    if (!(class_name = array_new(classes, sizeof *class_name + NAMES_LABEL, error)))
        return failure(error);
    for (size_t c = 0; c < classes; c++) {
        char *text = (char *)(class_name + classes) + c * NAMES_LABEL;

        names_print_label(scored->names, predictions->label[c], text);
        class_name[c] = text;
    }
    if (classes == 0 && metrics) {
        status = draw_regression(page, scored, error);
    } else if (!metrics) {
        if (classes > 0)
            status = draw_counts(page, scored, class_name, error);
        draw_decisions(page, scored, class_name);
    } else {
        status = draw_confusion(page, scored, class_name, error);
        print_classes(page, scored, class_name);
        draw_decisions(page, scored, class_name);
        if (!status && predictions->known == 2 && metrics->positive < metrics->classes &&
            !isnan(metrics->auc))
            status = draw_curves(page, scored, class_name, error);
        if (scored->calibration)
            draw_calibration(page, scored->calibration);
    }
    if (metrics)
        print_worst(page, scored, class_name);
    free(class_name);
    return status;
}
