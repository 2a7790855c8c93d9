/* predict_run.c - data and a model -> a label for each row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/model_page.h"
#include "cli/predict_options.h"
#include "cli/programs.h"
#include "cli/ranges.h"
#include "cli/report.h"
#include "cli/scores.h"
#include "cli/text.h"
#include "data/number.h"
#include "data/source.h"
#include "learn/classes.h"
#include "learn/ranking.h"
#include "model/model.h"

/* The files of --calibration, --curve and --report. */
enum { BINS_FILE, CURVE_FILE, PAGE_FILE, FILES };

struct prediction {
    const struct predict_settings *settings;
    const struct hinge_model *model;
    struct names names; /* the words of classes, from the map of the model */
    FILE *stream;
    double *decision;            /* [columns] */
    double *probability;         /* [classes] NULL: the model has none, or no option needs them */
    char (*name)[NUMBER_LENGTH]; /* [classes] the labels as text */
    double positive_label;       /* the label of --positive; NaN: not given */
    size_t positive;             /* the class of --positive, or the larger of two labels; the number
                                    of classes: there is none */
    double threshold;            /* threshold for the positive class; NaN: none */
    struct target_range target;  /* the range of --scale-back */
    unsigned long long rows;
    unsigned long long correct;
    struct labels known;                  /* the labels of the model */
    struct hinge_class_metrics *by_class; /* [classes] the counts of each class alone */
    unsigned long long unknown;           /* rows with a label that is not in known */
    unsigned long long first_unknown;     /* number of the first row with an unknown label */
    double unknown_label;                 /* the label of that row */
    struct hinge_residuals residuals;     /* sums of the errors for regression */
    struct hinge_predictions *rated;      /* all rows; NULL: no option needs them */
    struct hinge_metrics *metrics;        /* NULL until all rows are predicted */
    struct hinge_curve *curve;            /* NULL until all rows are predicted */
    struct hinge_calibration calibration;
    struct output file[FILES]; /* the open ones have a stream */
};

/* Returns the decision value for the positive class. */
static double positive_value(const struct prediction *prediction)
{
    if (prediction->model->classes > 2)
        return prediction->decision[prediction->positive];
    return prediction->positive == 0 ? prediction->decision[0] : 0 - prediction->decision[0];
}

/* Writes the label of a class, or its word with --words. If the line has several fields, they are
 * separated by blanks. */
static void write_label(const struct prediction *prediction, size_t c, int several)
{
    const char *word = prediction->settings->words
                           ? names_of_label(&prediction->names, prediction->model->label[c])
                           : NULL;

    if (word)
        text_print_field(prediction->stream, word, several ? " \t\"\n\r" : "\"\n\r");
    else
        fputs(prediction->name[c], prediction->stream);
}

/* Writes the decision values with blanks between them, or only the positive class's value. */
static void write_decisions(const struct prediction *prediction)
{
    if (prediction->settings->positive || prediction->settings->cut) {
        number_write(prediction->stream, positive_value(prediction));
        return;
    }
    for (size_t c = 0; c < prediction->model->columns; c++) {
        if (c > 0)
            putc(' ', prediction->stream);
        number_write(prediction->stream, prediction->decision[c]);
    }
}

static void write_row(struct prediction *prediction, size_t best)
{
    const enum content content = prediction->settings->content;
    const int regression = prediction->model->classes == 0;

    if (content != DECISIONS && regression)
        write_decisions(prediction);
    else if (content != DECISIONS)
        write_label(prediction, best, content == BOTH || prediction->settings->probability);
    if (content == BOTH)
        putc(' ', prediction->stream);
    if (content != LABELS)
        write_decisions(prediction);
    for (size_t c = 0; prediction->settings->probability && c < prediction->model->classes; c++)
        fprintf(prediction->stream, " %g", prediction->probability[c]);
    putc('\n', prediction->stream);
}

/* Computes the probabilities and adds them to the calibration. Returns the likeliest class. */
static size_t weigh_classes(struct prediction *prediction, double label)
{
    const struct hinge_model *model = prediction->model;
    double *probability = prediction->probability;
    const size_t best = hinge_probabilities(model, prediction->decision, probability);
    const size_t given = label_position(model->label, model->classes, label);

    if (model->classes == 2 && !isnan(prediction->positive_label) && prediction->positive == 1) {
        const double mirrored[] = {probability[1], probability[0]}; /* the positive class first */

        hinge_calibration_add(&prediction->calibration, 2, mirrored, 1 - best,
                              given < 2 ? 1 - given : given, 1);
    } else {
        hinge_calibration_add(&prediction->calibration, model->classes, probability, best, given,
                              1);
    }
    return best;
}

/* Predicts a row, counts it by its label, which the model may not know, and writes it unless the
 * threshold is not known yet. */
static enum hinge_status predict_row(struct prediction *prediction, const struct hinge_row *row,
                                     struct hinge_error *error)
{
    const struct hinge_model *model = prediction->model;
    const double *probability = prediction->settings->probability ? prediction->probability : NULL;
    const size_t positive = prediction->positive;
    size_t best, likeliest, given;
    int correct;

    hinge_decision_values(model, row, prediction->decision);
    prediction->rows++;
    if (model->classes == 0) {
        double target = row->label;

        if (prediction->target.is_there) {
            target = ranges_restore_target(&prediction->target, target);
            *prediction->decision =
                ranges_restore_target(&prediction->target, *prediction->decision);
        }
        hinge_residuals_add(&prediction->residuals, target, *prediction->decision, 1);
        if (prediction->rated &&
            hinge_predictions_add(prediction->rated, target, 0, *prediction->decision, error))
            return failure(error);
        write_row(prediction, 0);
        return HINGE_OK;
    }
    if (prediction->settings->cut == CUT_AT_MAX_F1 && !isfinite(*prediction->decision))
        return fail(error, HINGE_BAD_INPUT,
                    "%s:1:1: the decision value of row %llu is %g, and --threshold max-f1 needs "
                    "finite ones: scale the data",
                    source_name(prediction->settings->data), prediction->rows,
                    *prediction->decision);
    likeliest = prediction->probability ? weigh_classes(prediction, row->label) : 0;
    if (!isnan(prediction->threshold))
        best = hinge_decide_threshold(
            positive, probability ? probability[positive] : positive_value(prediction),
            prediction->threshold);
    else
        best = probability ? likeliest : hinge_decide(model, prediction->decision);
    correct = row->labelled && row->label == model->label[best];
    given = correct ? best : labels_find(&prediction->known, row->label);
    prediction->by_class[best].predicted++;
    if (row->labelled && given < prediction->known.count) {
        prediction->by_class[given].given++;
        prediction->by_class[given].correct += (unsigned)correct;
    } else if (row->labelled && prediction->unknown++ == 0) {
        prediction->first_unknown = prediction->rows;
        prediction->unknown_label = row->label;
    }
    if (prediction->rated &&
        hinge_predictions_add(prediction->rated,
                              prediction->settings->format.optional_labels ? model->label[best]
                                                                           : row->label,
                              best, prediction->decision[model->classes > 2 ? best : 0], error))
        return failure(error);
    if (prediction->settings->cut != CUT_AT_MAX_F1) {
        prediction->correct += (unsigned)correct;
        write_row(prediction, best);
    }
    return HINGE_OK;
}

/* Predicts row by row, in constant memory unless an option needs all rows. Computes the curve and
 * the metrics before the output appears, so that an interrupt leaves none. With --threshold max-f1,
 * writes all rows by the threshold with the largest F1 of the positive class. */
static enum hinge_status predict_rows(void *context, FILE *stream, struct hinge_error *error)
{
    struct prediction *prediction = context;
    const struct predict_settings *settings = prediction->settings;
    const struct hinge_monitor interrupts = {watch_interrupt, NULL, NULL, 0};
    const int max_f1 = settings->cut == CUT_AT_MAX_F1;
    struct hinge_format format = settings->format;
    struct hinge_reader *reader;
    struct hinge_row row;
    enum hinge_status status;
    int found = 0;

    prediction->stream = stream;
    format.zero_based |= prediction->model->zero_based;
    if (!(reader = hinge_reader_open(settings->data, &format, error)))
        return failure(error);
    status = files_check(&predict_program, settings, FILES_CONTENTS, error);
    if (!status && settings->probability) {
        fputs("labels", stream);
        for (size_t c = 0; c < prediction->model->classes; c++) {
            putc(' ', stream);
            write_label(prediction, c, 1);
        }
        putc('\n', stream);
    }
    while (!status && (found = hinge_reader_next(reader, &row, error)) > 0 && !was_interrupted())
        status = predict_row(prediction, &row, error);
    hinge_reader_close(reader);
    if (found < 0 || status)
        return failure(error);
    if (!was_interrupted() && (settings->curve || max_f1) &&
        !(prediction->curve = hinge_curve_new(prediction->rated, &interrupts, error)))
        return failure(error);
    if (!was_interrupted() && max_f1) {
        const struct hinge_predictions *rated = prediction->rated;

        if (prediction->curve->given == 0)
            return fail(error, HINGE_BAD_INPUT,
                        "%s:1:1: no row has the label %s, whose F1 --threshold max-f1 maximises",
                        source_name(settings->data), prediction->name[prediction->positive]);
        prediction->threshold = prediction->curve->point[prediction->curve->best].threshold;
        if (hinge_predictions_cut(prediction->rated, prediction->threshold, error))
            return failure(error);
        for (size_t i = 0; i < rated->rows; i++) {
            *prediction->decision = rated->decision[i];
            prediction->correct += rated->given[i] == rated->predicted[i];
            write_row(prediction, rated->predicted[i]);
        }
    }
    if (!was_interrupted() && prediction->rated && prediction->rows > 0 &&
        (settings->metrics || settings->report) && !settings->format.optional_labels &&
        !(prediction->metrics = hinge_metrics_new(prediction->rated, &interrupts, error)))
        return failure(error);
    return HINGE_OK;
}

/* Finds the positive class. Refuses options that need one if the model has none. */
static enum hinge_status choose_positive(struct prediction *prediction, struct hinge_error *error)
{
    const struct hinge_model *model = prediction->model;
    const struct predict_settings *settings = prediction->settings;
    const char *option = settings->positive ? "--positive"
                         : settings->words  ? "--words"
                         : settings->cut    ? "--threshold"
                         : settings->curve  ? "--curve"
                                            : NULL;

    if (option && model->classes == 0)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: the model is a regression, without classes",
                    option);
    if (settings->words && !model->map.text)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "--words: the model has no map: train --map puts one into it");
    if (settings->positive &&
        names_find_label(&prediction->names, "--positive", settings->positive,
                         strlen(settings->positive), &prediction->positive_label, error))
        return failure(error);
    prediction->positive = positive_class(model->label, model->classes, prediction->positive_label);
    if (settings->positive && prediction->positive == model->classes)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "--positive: the model does not know the label %.17g",
                    prediction->positive_label);
    if ((settings->cut || settings->curve) &&
        (model->classes != 2 || model->label[0] == model->label[1]))
        return fail(error, HINGE_BAD_ARGUMENT,
                    "%s: the option is for two classes, but the model has %lu",
                    settings->cut ? "--threshold" : "--curve",
                    model->classes == 2 ? 1 : (unsigned long)model->classes);
    prediction->threshold = settings->cut == CUT_AT_NUMBER ? settings->threshold : NAN;
    return HINGE_OK;
}

/* Checks that the model has what the options need, allocates, and opens the files. */
static enum hinge_status prepare(struct prediction *prediction, struct hinge_error *error)
{
    const struct hinge_model *model = prediction->model;
    const struct predict_settings *settings = prediction->settings;
    const int wanted = settings->probability || settings->calibration;
    const char *const path[FILES] = {settings->calibration, settings->curve, settings->report};
    uint32_t number;

    if (settings->ranges && model->classes > 0)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "--scale-back: the model has classes: their labels are not numbers to scale");
    if (names_read_model(&prediction->names, settings->model, model, 0, error) ||
        choose_positive(prediction, error) ||
        (settings->ranges && ranges_read_target(&prediction->target, settings->ranges, error)))
        return failure(error);
    if (wanted && !hinge_has_probabilities(model))
        return fail(error, HINGE_BAD_ARGUMENT, "%s: the model is %s and has no probabilities%s",
                    settings->probability ? "-b 1" : "--calibration", model->solver_type,
                    model->one_class     ? ": it is a one-class SVM"
                    : model->classes > 0 ? "; train it with -b 1"
                                         : ": it is a regression");
    if ((wanted || settings->metrics || settings->report) && hinge_has_probabilities(model) &&
        !(prediction->probability = array_new(model->classes, sizeof(double), error)))
        return failure(error);
    if (!(prediction->by_class = array_new(model->classes, sizeof *prediction->by_class, error)) ||
        !(prediction->decision =
              array_new(model->classes + (model->classes == 0), sizeof(double), error)) ||
        !(prediction->name = array_new(model->classes, sizeof *prediction->name, error)))
        return failure(error);
    for (size_t c = 0; c < model->classes; c++) {
        number_print(prediction->name[c], model->label[c]);
        if (labels_number(&prediction->known, model->label[c], &number, error))
            return failure(error);
    }
    if (settings->report || (model->classes > 0 && (settings->metrics || settings->curve ||
                                                    settings->cut == CUT_AT_MAX_F1))) {
        if (!(prediction->rated = hinge_predictions_new(model->label, model->classes, error)))
            return failure(error);
        if (prediction->positive < model->classes)
            prediction->rated->positive = model->label[prediction->positive];
        prediction->rated->threshold = prediction->threshold;
    }
    for (int k = 0; k < FILES; k++)
        if (path[k] && output_open(&prediction->file[k], path[k], error))
            return failure(error);
    return HINGE_OK;
}

/* ---- All rows, and the end ---------------------------------------------- */

static struct scored scored_of(const struct prediction *prediction)
{
    const struct scored scored = {prediction->rated, prediction->metrics,
                                  prediction->probability ? &prediction->calibration : NULL,
                                  &prediction->names};

    return scored;
}

/* Prints the accuracy and the metrics, to standard error if the labels go to standard output. */
static enum hinge_status report(const struct prediction *prediction, const char *program,
                                struct hinge_error *error)
{
    const struct predict_settings *settings = prediction->settings;
    const struct scored scored = scored_of(prediction);
    FILE *stream = strcmp(settings->output, "-") == 0 ? stderr : stdout;

    if (settings->quiet || settings->format.optional_labels)
        return HINGE_OK;
    if (prediction->model->classes == 0) {
        scores_print_regression(stream, settings->metrics, 0, 0, 0, NAN, &prediction->residuals);
        return HINGE_OK;
    }
    if (prediction->unknown > 0) /* rows with unknown labels can only be wrong */
        report_say(program,
                   "warning: %llu of %llu rows have a label that the model does not know, the "
                   "first is %.17g, of row %llu: they count as wrong%s",
                   prediction->unknown, prediction->rows, prediction->unknown_label,
                   prediction->first_unknown,
                   prediction->unknown == prediction->rows
                       ? "; for rows without true labels there is --no-labels"
                       : "");
    if (prediction->unknown == 0 && !settings->cut && !prediction->model->one_class)
        advise_classes(program, &prediction->names, prediction->model->label, prediction->by_class,
                       prediction->model->classes,
                       hinge_model_note(prediction->model, "balanced") != NULL);
    if (settings->cut == CUT_AT_MAX_F1 && settings->metrics != METRICS_JSON) {
        char text[NUMBER_LENGTH], *label = NULL;

        if (names_append_label(&label, &prediction->names,
                               prediction->model->label[prediction->positive], error)) {
            free(label);
            return failure(error);
        }
        number_print(text, prediction->threshold);
        fprintf(stream, "Threshold = %s (for new rows: --positive %s --threshold %s)\n", text,
                label, text);
        free(label);
    }
    if (prediction->metrics && settings->metrics &&
        scores_print(stream, settings->metrics, 0, 0, &scored, error))
        return failure(error);
    if (settings->metrics != METRICS_JSON) /* scripts take LIBLINEAR's line as the last one */
        fprintf(stream, "Accuracy = %g%% (%llu/%llu)\n",
                (double)prediction->correct / (double)prediction->rows * 100, prediction->correct,
                prediction->rows);
    return HINGE_OK;
}

/* Writes the tables of --calibration and --curve and the page of --report. The output must be
 * written before. */
static enum hinge_status write_files(struct prediction *prediction, int argc, char **argv,
                                     struct hinge_error *error)
{
    const struct scored scored = scored_of(prediction);
    char title[200];
    struct output *file = prediction->file;
    struct page page;

    if (file[BINS_FILE].stream)
        scores_print_bins(file[BINS_FILE].stream, &prediction->calibration);
    if (file[CURVE_FILE].stream)
        scores_print_curve(file[CURVE_FILE].stream, prediction->curve);
    for (int k = BINS_FILE; k <= CURVE_FILE; k++)
        if (file[k].stream && output_commit(&file[k], error))
            return failure(error);
    if (!file[PAGE_FILE].stream)
        return HINGE_OK;
    snprintf(title, sizeof title, "Predictions for %.150s",
             source_name(prediction->settings->data));
    if (command_page(&page, file[PAGE_FILE].stream, title, argc, argv, error) ||
        scores_page(&page, &scored, error) || model_facts_page(&page, prediction->model, 1, error))
        return failure(error);
    page_end(&page);
    return output_commit(&file[PAGE_FILE], error);
}

int prediction_run(int argc, char **argv)
{
    struct predict_settings settings = {0};
    int status = options_begin(&predict_program, &settings, argc, argv);
    const char *name = program_name(argv[0]);
    struct hinge_error error = {HINGE_OK, ""};
    struct prediction prediction = {.settings = &settings, .positive_label = NAN};
    struct hinge_model *model;
    int complete = 0;

    if (status != OPTIONS_RUN)
        return status;
    prediction.model = model = hinge_model_read(settings.model, &error);
    catch_interrupts();
    if (model && !prepare(&prediction, &error) &&
        !report_write(settings.output, predict_rows, &prediction, &complete, &error) && complete &&
        !write_files(&prediction, argc, argv, &error))
        report(&prediction, name, &error);
    for (int k = 0; k < FILES; k++)
        output_abandon(&prediction.file[k]);
    names_free(&prediction.names);
    labels_free(&prediction.known);
    hinge_curve_free(prediction.curve);
    hinge_metrics_free(prediction.metrics);
    hinge_predictions_free(prediction.rated);
    free(prediction.by_class);
    free(prediction.decision);
    free(prediction.probability);
    free(prediction.name);
    hinge_model_free(model);
    if (was_interrupted() && !complete) /* a read may have failed because of the signal */
        return EXIT_INTERRUPTED;
    if (!error.status)
        return report_end(name, HINGE_OK);
    status = report_error(name, &error);
    advise_converting(argv[0], NULL, settings.data, &error);
    return status;
}
