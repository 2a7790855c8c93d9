/* predict.c - data, model -> a label a row: predict [options] data model output */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/status.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/watch.h"
#include "data/number.h"

static const char program[] = "predict";

enum { PROBABILITY = 1, NO_LABELS, ZERO_BASED, QUIET, HELP, VERSION };

static const struct option table[] = {
    {PROBABILITY, "-b", "--probability", "0|1", "1: probabilities, of logistic models (default 0)"},
    {NO_LABELS, NULL, "--no-labels", NULL, "rows may come without a label; no accuracy"},
    {ZERO_BASED, NULL, "--zero-based", NULL, "indices in the data start at 0"},
    {QUIET, "-q", "--quiet", NULL, "print errors only"},
    {HELP, "-h", "--help", NULL, "print this text"},
    {VERSION, NULL, "--version", NULL, "print the version"},
    {0, NULL, NULL, NULL, NULL},
};

struct settings {
    int probability;
    struct hinge_format format;
    int quiet;
    const char *path[3]; /* data, model, output */
};

enum { DATA, MODEL, OUTPUT };

/* ---- The command line -------------------------------------------------- */

static void print_usage(FILE *stream)
{
    fprintf(stream,
            "usage: %s [options] data model output\n"
            "Writes a label for each row of a LIBSVM file (- is standard input) to output\n"
            "(- is standard output), and the share of rows where it is the given one.\n",
            program);
}

static void print_help(void)
{
    print_usage(stdout);
    puts("\noptions:");
    options_print(table, stdout);
    puts("\nExit status: 0 done, 1 bad data or model, 2 usage, 3 file not readable or writable,\n"
         "4 out of memory, 130 interrupted (no output file).");
}

static enum hinge_status set_option(struct settings *settings, int key,
                                    const struct options *options, struct hinge_error *error)
{
    double number;

    switch (key) {
    case OPTIONS_OPERAND:
        for (int k = DATA; k <= OUTPUT; k++)
            if (!settings->path[k]) {
                settings->path[k] = options->value;
                return HINGE_OK;
            }
        return fail(error, HINGE_BAD_ARGUMENT, "too many arguments: '%s'", options->value);
    case PROBABILITY:
        if (!parse_whole(options->value, &number) || (number != 0 && number != 1))
            return option_fail(options, error, "neither 0 nor 1");
        settings->probability = number == 1;
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

static enum hinge_status parse(struct settings *settings, int argc, char **argv, int *ended,
                               struct hinge_error *error)
{
    struct options options = {table, argc, argv, 1, 0, NULL, NULL, NULL};
    int key;

    while ((key = options_next(&options, error)) != OPTIONS_END) {
        if (key == HELP)
            print_help();
        if (key == VERSION)
            printf("hinge %s\n", HINGE_VERSION);
        if (key == HELP || key == VERSION) {
            *ended = 1;
            return HINGE_OK;
        }
        if (key == OPTIONS_BAD || set_option(settings, key, &options, error))
            return failure(error);
    }
    if (!settings->path[OUTPUT])
        return fail(error, HINGE_BAD_ARGUMENT, "data, model and output must be given");
    if (strcmp(settings->path[DATA], "-") == 0 && strcmp(settings->path[MODEL], "-") == 0)
        return fail(error, HINGE_BAD_ARGUMENT, "data and model cannot both be standard input");
    return HINGE_OK;
}

/* ---- The work ---------------------------------------------------------- */

struct prediction {
    const struct settings *settings;
    const struct hinge_model *model;
    FILE *stream;
    double *decision;            /* [columns] */
    char (*name)[NUMBER_LENGTH]; /* [classes] the labels as text */
    unsigned long long rows;
    unsigned long long correct;
};

/* p(class) = 1 / (1 + exp(-decision)), made to sum to 1; in place, classes values. */
static void make_probabilities(const struct hinge_model *model, double *decision)
{
    double total = 0;

    for (size_t c = 0; c < model->columns; c++)
        total += decision[c] = 1 / (1 + exp(-decision[c]));
    if (model->columns < model->classes)
        decision[1] = 1 - decision[0];
    else
        for (size_t c = 0; c < model->columns; c++)
            decision[c] /= total;
}

static void predict_row(struct prediction *prediction, const struct hinge_row *row)
{
    const struct hinge_model *model = prediction->model;
    size_t best;

    hinge_decision_values(model, row, prediction->decision);
    best = hinge_decide(model, prediction->decision);
    prediction->rows++;
    prediction->correct += row->labelled && row->label == model->label[best];
    fputs(prediction->name[best], prediction->stream);
    if (prediction->settings->probability) {
        make_probabilities(model, prediction->decision);
        for (size_t c = 0; c < model->classes; c++)
            fprintf(prediction->stream, " %g", prediction->decision[c]);
    }
    putc('\n', prediction->stream);
}

static void write_header(const struct prediction *prediction)
{
    fputs("labels", prediction->stream);
    for (size_t c = 0; c < prediction->model->classes; c++)
        fprintf(prediction->stream, " %s", prediction->name[c]);
    putc('\n', prediction->stream);
}

static enum hinge_status predict_rows(struct prediction *prediction, struct hinge_error *error)
{
    const struct settings *settings = prediction->settings;
    struct hinge_format format = settings->format;
    struct hinge_reader *reader;
    struct hinge_row row;
    int found;

    format.zero_based |= prediction->model->zero_based;
    if (!(reader = hinge_reader_open(settings->path[DATA], &format, error)))
        return failure(error);
    if (settings->probability)
        write_header(prediction);
    while ((found = hinge_reader_next(reader, &row, error)) > 0 && !was_interrupted())
        predict_row(prediction, &row);
    hinge_reader_close(reader);
    return found < 0 ? failure(error) : HINGE_OK;
}

static enum hinge_status prepare(struct prediction *prediction, struct hinge_error *error)
{
    const struct hinge_model *model = prediction->model;
    const char *type = model->solver_type;

    if (prediction->settings->probability && !strstr(type, "_LR"))
        return fail(error, HINGE_BAD_ARGUMENT,
                    "-b 1: the model is %s; only logistic regression has probabilities", type);
    if (!(prediction->decision = array_new(model->classes, sizeof(double), error)) ||
        !(prediction->name = array_new(model->classes, sizeof *prediction->name, error)))
        return failure(error);
    for (size_t c = 0; c < model->classes; c++)
        number_print(prediction->name[c], model->label[c]);
    return HINGE_OK;
}

/* Predicts to a file, which appears only if all went well, or to standard output. */
static enum hinge_status predict_to_output(struct prediction *prediction, struct hinge_error *error)
{
    const char *path = prediction->settings->path[OUTPUT];
    struct output output;

    if (strcmp(path, "-") == 0) {
        prediction->stream = stdout;
        if (predict_rows(prediction, error))
            return failure(error);
        errno = 0;
        return fflush(stdout) == 0 ? HINGE_OK : fail_file(error, "write", "standard output");
    }
    if (output_open(&output, path, error))
        return failure(error);
    prediction->stream = output.stream;
    if (!predict_rows(prediction, error) && !was_interrupted())
        return output_commit(&output, error);
    output_abandon(&output);
    return was_interrupted() ? HINGE_OK : failure(error);
}

/* LIBLINEAR's line; on standard error when the labels went to standard output. */
static void report_accuracy(const struct prediction *prediction)
{
    const struct settings *settings = prediction->settings;

    if (settings->quiet || settings->format.optional_labels || was_interrupted())
        return;
    fprintf(strcmp(settings->path[OUTPUT], "-") == 0 ? stderr : stdout,
            "Accuracy = %g%% (%llu/%llu)\n",
            (double)prediction->correct / (double)prediction->rows * 100, prediction->correct,
            prediction->rows);
}

static int run(const struct settings *settings)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct prediction prediction = {.settings = settings};
    struct hinge_model *model = hinge_model_read(settings->path[MODEL], &error);

    prediction.model = model;
    catch_interrupts();
    if (model && !prepare(&prediction, &error) && !predict_to_output(&prediction, &error))
        report_accuracy(&prediction);
    free(prediction.decision);
    free(prediction.name);
    hinge_model_free(model);
    if (was_interrupted()) /* which may have ended a read with an error */
        return EXIT_INTERRUPTED;
    return error.status ? report_error(program, &error) : report_end(program, HINGE_OK);
}

int main(int argc, char **argv)
{
    struct settings settings = {0};
    struct hinge_error error;
    int ended = 0;

    if (argc < 2) {
        print_usage(stderr);
        fprintf(stderr, "Try '%s --help'.\n", program);
        return HINGE_BAD_ARGUMENT;
    }
    if (parse(&settings, argc, argv, &ended, &error))
        return report_error(program, &error);
    return ended ? report_end(program, HINGE_OK) : run(&settings);
}
