/* predict.c - data, model -> a label a row: predict [options] data model output */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/predict_options.h"
#include "cli/report.h"
#include "cli/scores.h"
#include "cli/watch.h"
#include "data/number.h"

/* What is written for a row. */
enum content { LABELS, DECISIONS, BOTH };

struct predict_settings {
    int probability;
    enum content content;
    enum metrics_format metrics;
    struct hinge_format format;
    int quiet;
    const char *data;
    const char *model;
    const char *output;
    const char *calibration; /* NULL: none */
};

/* ---- The command line -------------------------------------------------- */

static void print_usage(const char *program, FILE *stream)
{
    fprintf(stream,
            "usage: %s [options] data model output\n"
            "Writes a label for each row of a LIBSVM file (- is standard input) to output\n"
            "(- is standard output), of a regression a number, and prints the accuracy.\n",
            program);
}

static void print_help(const char *program)
{
    print_usage(program, stdout);
    options_print(predict_options, stdout);
    puts("\nExit status: 0 done, 1 bad data or model, 2 usage, 3 file not readable or writable,\n"
         "4 out of memory, 130 interrupted (no output file).");
}

static enum hinge_status take(void *state, int key, const struct options *options,
                              struct hinge_error *error)
{
    struct predict_settings *settings = state;
    const char **const operands[] = {&settings->data, &settings->model, &settings->output};
    int word;

    switch (key) {
    case OPTIONS_OPERAND:
        return option_operand(options, operands, 3, error);
    case PROBABILITY:
        return option_switch(options, &settings->probability, error);
    case DECISION:
        settings->content = DECISIONS;
        return HINGE_OK;
    case OUTPUT_FORMAT:
        word = option_word(options, error);
        settings->content = word >= 0 ? (enum content)word : LABELS;
        return word >= 0 ? HINGE_OK : failure(error);
    case METRICS:
        return option_metrics(options, &settings->metrics, error);
    case CALIBRATION:
        settings->calibration = options->value;
        return HINGE_OK;
    case NO_LABELS:
        settings->format.optional_labels = 1;
        return HINGE_OK;
    case ZERO_BASED:
        settings->format.zero_based = 1;
        return HINGE_OK;
    default:
        settings->quiet = 1;
        return HINGE_OK;
    }
}

static struct files list_files(const struct predict_settings *settings)
{
    const struct files files = {
        {{"the data", settings->data, 0}, {"the model", settings->model, 0}},
        {{"the output", settings->output, 1}, {"--calibration", settings->calibration, 0}}};

    return files;
}

static enum hinge_status parse(struct predict_settings *settings, int argc, char **argv, int *ended,
                               struct hinge_error *error)
{
    static const struct reading reading = {predict_options, print_help, take};
    static const int pairs[][2] = {{DECISION, OUTPUT_FORMAT},    {PROBABILITY, DECISION},
                                   {PROBABILITY, OUTPUT_FORMAT}, {METRICS, NO_LABELS},
                                   {CALIBRATION, NO_LABELS},     {METRICS, QUIET}};
    struct files files;
    uint64_t given;

    if (options_read(&reading, argc, argv, settings, &given, ended, error))
        return failure(error);
    if (*ended)
        return HINGE_OK;
    if (!settings->probability) /* -b 0 is the default */
        given &= ~BIT(PROBABILITY);
    if (options_exclude(predict_options, given, pairs, sizeof pairs / sizeof *pairs, error))
        return failure(error);
    if (!settings->output)
        return fail(error, HINGE_BAD_ARGUMENT, "data, model and output must be given");
    files = list_files(settings);
    return files_check(&files, error);
}

/* ---- The work ---------------------------------------------------------- */

struct prediction {
    const struct predict_settings *settings;
    const struct hinge_model *model;
    FILE *stream;
    double *decision;            /* [columns] */
    double *probability;         /* [classes] NULL: there are none, or nobody wants them */
    char (*name)[NUMBER_LENGTH]; /* [classes] the labels as text */
    unsigned long long rows;
    unsigned long long correct;
    struct hinge_residuals residuals; /* of a regression */
    struct hinge_predictions *rated;  /* of --metrics, else NULL */
    struct hinge_metrics *metrics;    /* of these, once all rows are predicted */
    struct hinge_calibration calibration;
    struct output table; /* of --calibration */
};

/* Writes all decision values, with blanks between them. */
static void write_decisions(const struct prediction *prediction)
{
    for (size_t c = 0; c < prediction->model->columns; c++) {
        char text[NUMBER_LENGTH];

        if (c > 0)
            putc(' ', prediction->stream);
        number_print(text, prediction->decision[c]);
        fputs(text, prediction->stream);
    }
}

static void write_row(struct prediction *prediction, size_t best)
{
    const enum content content = prediction->settings->content;
    const int regression = prediction->model->classes == 0;

    if (content != DECISIONS && regression)
        write_decisions(prediction);
    else if (content != DECISIONS)
        fputs(prediction->name[best], prediction->stream);
    if (content == BOTH)
        putc(' ', prediction->stream);
    if (content != LABELS)
        write_decisions(prediction);
    for (size_t c = 0; prediction->settings->probability && c < prediction->model->classes; c++)
        fprintf(prediction->stream, " %g", prediction->probability[c]);
    putc('\n', prediction->stream);
}

/* Keeps what --metrics needs. */
static enum hinge_status note_row(struct prediction *prediction, double label, size_t best,
                                  struct hinge_error *error)
{
    const size_t column = prediction->model->classes > 2 ? best : 0;

    return hinge_predictions_add(prediction->rated, label, best, prediction->decision[column],
                                 error);
}

/* Computes the probabilities, and notes how good they are; the class of the largest. */
static size_t weigh_classes(struct prediction *prediction, double label)
{
    const struct hinge_model *model = prediction->model;
    const size_t best = hinge_probabilities(model, prediction->decision, prediction->probability);
    size_t given = 0;

    while (given < model->classes && model->label[given] != label)
        given++;
    hinge_calibration_add(&prediction->calibration, model->classes, prediction->probability, best,
                          given);
    return best;
}

static enum hinge_status predict_row(struct prediction *prediction, const struct hinge_row *row,
                                     struct hinge_error *error)
{
    const struct hinge_model *model = prediction->model;
    size_t best, likeliest;

    hinge_decision_values(model, row, prediction->decision);
    prediction->rows++;
    if (model->classes == 0) {
        hinge_residuals_add(&prediction->residuals, row->label, *prediction->decision);
        write_row(prediction, 0);
        return HINGE_OK;
    }
    best = hinge_decide(model, prediction->decision);
    likeliest = prediction->probability ? weigh_classes(prediction, row->label) : best;
    if (prediction->settings->probability)
        best = likeliest;
    prediction->correct += row->labelled && row->label == model->label[best];
    if (prediction->rated && note_row(prediction, row->label, best, error))
        return failure(error);
    write_row(prediction, best);
    return HINGE_OK;
}

static void write_header(const struct prediction *prediction)
{
    fputs("labels", prediction->stream);
    for (size_t c = 0; c < prediction->model->classes; c++)
        fprintf(prediction->stream, " %s", prediction->name[c]);
    putc('\n', prediction->stream);
}

/* Predicts row by row, in constant memory; then computes the metrics, so that an interrupt ends the
 * program before there is an output. */
static enum hinge_status predict_rows(void *context, FILE *stream, struct hinge_error *error)
{
    struct prediction *prediction = context;
    const struct predict_settings *settings = prediction->settings;
    const struct hinge_monitor interrupts = {watch_interrupt, NULL, NULL, 0};
    const struct files files = list_files(settings);
    struct hinge_format format = settings->format;
    struct hinge_reader *reader;
    struct hinge_row row;
    int found;

    prediction->stream = stream;
    format.zero_based |= prediction->model->zero_based;
    if (!(reader = hinge_reader_open(settings->data, &format, error)))
        return failure(error);
    if (files_compare(&files, error)) {
        hinge_reader_close(reader);
        return failure(error);
    }
    if (settings->probability)
        write_header(prediction);
    while ((found = hinge_reader_next(reader, &row, error)) > 0 && !was_interrupted())
        if (predict_row(prediction, &row, error)) {
            found = -1;
            break;
        }
    hinge_reader_close(reader);
    if (found < 0 ||
        (prediction->rated && !was_interrupted() &&
         !(prediction->metrics = hinge_metrics_new(prediction->rated, &interrupts, error))))
        return failure(error);
    return HINGE_OK;
}

static enum hinge_status prepare(struct prediction *prediction, struct hinge_error *error)
{
    const struct hinge_model *model = prediction->model;
    const struct predict_settings *settings = prediction->settings;
    const int wanted = settings->probability || settings->calibration;

    if (wanted && !hinge_has_probabilities(model))
        return fail(error, HINGE_BAD_ARGUMENT, "%s: the model is %s and has no probabilities%s",
                    settings->probability ? "-b 1" : "--calibration", model->solver_type,
                    model->one_class     ? ": it is a one-class SVM"
                    : model->classes > 0 ? "; train it with -b 1"
                                         : ": it is a regression");
    if ((wanted || settings->metrics) && hinge_has_probabilities(model) &&
        !(prediction->probability = array_new(model->classes, sizeof(double), error)))
        return failure(error);
    if (!(prediction->decision =
              array_new(model->classes + (model->classes == 0), sizeof(double), error)) ||
        !(prediction->name = array_new(model->classes, sizeof *prediction->name, error)) ||
        (settings->metrics && model->classes > 0 &&
         !(prediction->rated = hinge_predictions_new(model->label, model->classes, error))) ||
        (settings->calibration && output_open(&prediction->table, settings->calibration, error)))
        return failure(error);
    for (size_t c = 0; c < model->classes; c++)
        number_print(prediction->name[c], model->label[c]);
    return HINGE_OK;
}

/* Prints the accuracy and the metrics, to standard error if the labels go to standard output. */
static enum hinge_status report(const struct prediction *prediction, struct hinge_error *error)
{
    const struct predict_settings *settings = prediction->settings;
    const struct hinge_calibration *calibration =
        prediction->probability ? &prediction->calibration : NULL;
    FILE *stream = strcmp(settings->output, "-") == 0 ? stderr : stdout;

    if (settings->quiet || settings->format.optional_labels)
        return HINGE_OK;
    if (prediction->model->classes == 0) {
        scores_print_regression(stream, 0, &prediction->residuals, settings->metrics);
        return HINGE_OK;
    }
    if (settings->metrics != METRICS_JSON)
        fprintf(stream, "Accuracy = %g%% (%llu/%llu)\n",
                (double)prediction->correct / (double)prediction->rows * 100, prediction->correct,
                prediction->rows);
    if (!prediction->metrics)
        return HINGE_OK;
    return settings->metrics == METRICS_JSON
               ? scores_print_json(stream, 0, prediction->rated, prediction->metrics, calibration,
                                   error)
               : scores_print_all(stream, prediction->rated, prediction->metrics, calibration,
                                  error);
}

/* Writes the table of --calibration, once the output is there. */
static enum hinge_status write_table(struct prediction *prediction, struct hinge_error *error)
{
    enum hinge_status status = HINGE_OK;

    if (prediction->table.stream) {
        scores_print_bins(prediction->table.stream, &prediction->calibration);
        status = output_commit(&prediction->table, error);
        prediction->table.stream = NULL;
    }
    return status;
}

static int run(const struct predict_settings *settings, const char *called)
{
    const char *program = program_name(called);
    struct hinge_error error = {HINGE_OK, ""};
    struct prediction prediction = {.settings = settings};
    struct hinge_model *model = hinge_model_read(settings->model, &error);
    int complete = 0;

    prediction.model = model;
    catch_interrupts();
    if (model && !prepare(&prediction, &error) &&
        !report_write(settings->output, predict_rows, &prediction, &complete, &error) && complete &&
        !write_table(&prediction, &error))
        report(&prediction, &error);
    if (prediction.table.stream)
        output_abandon(&prediction.table);
    hinge_metrics_free(prediction.metrics);
    hinge_predictions_free(prediction.rated);
    free(prediction.decision);
    free(prediction.probability);
    free(prediction.name);
    hinge_model_free(model);
    if (was_interrupted() && !complete) /* a read may have failed because of the signal */
        return EXIT_INTERRUPTED;
    if (!error.status)
        return report_end(program, HINGE_OK);
    report_error(program, &error);
    advise_converting(called, settings->data, &error);
    return (int)error.status;
}

static int start(int argc, char **argv)
{
    struct predict_settings settings = {0};
    const char *program = program_name(argv[0]);
    struct hinge_error error;
    int ended = 0;

    if (argc < 2)
        return report_usage(program, print_usage);
    if (parse(&settings, argc, argv, &ended, &error))
        return report_error(program, &error);
    return ended ? report_end(program, HINGE_OK) : run(&settings, argv[0]);
}

int main(int argc, char **argv)
{
    return report_run(argc, argv, start);
}
