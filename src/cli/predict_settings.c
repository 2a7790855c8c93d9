/* predict_settings.c - options -> struct predict_settings, or an error message of one line. */
#include "cli/predict_settings.h"

#include <string.h>

#include "base/status.h"
#include "cli/predict_options.h"
#include "data/number.h"

void predict_usage(const char *program, FILE *stream)
{
    fprintf(stream,
            "usage: %s [options] data model output\n"
            "Writes a label for each row of a LIBSVM file (- is standard input) to output\n"
            "(- is standard output), of a regression a number, and prints the accuracy.\n",
            program);
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
    case POSITIVE:
        return option_number(options, &settings->positive, error);
    case THRESHOLD:
        settings->cut = strcmp(options->value, "max-f1") == 0 ? CUT_AT_MAX_F1 : CUT_AT_NUMBER;
        if (settings->cut == CUT_AT_MAX_F1 || number_read(options->value, &settings->threshold))
            return HINGE_OK;
        return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is neither a finite number nor max-f1",
                    options->given, options->value);
    case CURVE:
        settings->curve = options->value;
        return HINGE_OK;
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

struct files predict_files(const struct predict_settings *settings)
{
    const struct files files = {
        {{"the data", settings->data, 0}, {"the model", settings->model, 0}},
        {{"the output", settings->output, 1},
         {"--calibration", settings->calibration, 0},
         {"--curve", settings->curve, 0}}};

    return files;
}

/* Refuses what the threshold that is asked for does not go with. */
static enum hinge_status check_threshold(const struct predict_settings *settings,
                                         struct hinge_error *error)
{
    const char *called = options_called(predict_options, THRESHOLD);
    const int no = settings->probability              ? PROBABILITY
                   : settings->format.optional_labels ? NO_LABELS
                   : settings->quiet                  ? QUIET
                                                      : 0;

    if (settings->cut == CUT_AT_MAX_F1 && no)
        return fail(error, HINGE_BAD_ARGUMENT, "%s max-f1 and %s exclude each other", called,
                    options_called(predict_options, no));
    if (settings->cut == CUT_AT_NUMBER && settings->probability &&
        !(settings->threshold >= 0 && settings->threshold <= 1))
        return fail(error, HINGE_BAD_ARGUMENT, "%s: with %s 1 it is a probability, between 0 and 1",
                    called, options_called(predict_options, PROBABILITY));
    return HINGE_OK;
}

enum hinge_status predict_settings_read(struct predict_settings *settings, int argc, char **argv,
                                        int *ended, struct hinge_error *error)
{
    static const struct reading reading = {
        .table = predict_options,
        .print_usage = predict_usage,
        .take = take,
        .end = "\nExit status: 0 done, 1 bad data or model" OPTIONS_STATUSES};
    static const int pairs[][2] = {
        {DECISION, OUTPUT_FORMAT}, {PROBABILITY, DECISION},  {PROBABILITY, OUTPUT_FORMAT},
        {METRICS, NO_LABELS},      {CALIBRATION, NO_LABELS}, {CURVE, NO_LABELS},
        {METRICS, QUIET}};
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
    if (check_threshold(settings, error))
        return failure(error);
    if (!settings->output)
        return fail(error, HINGE_BAD_ARGUMENT, "data, model and output must be given");
    files = predict_files(settings);
    return files_check(&files, error);
}
