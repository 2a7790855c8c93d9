/* predict_options.c - the options of predict, in the order of --help and of the manual page. */
#include "cli/predict_options.h"

#include <string.h>

#include "base/status.h"
#include "data/number.h"

enum {
    PROBABILITY = OPTIONS_OWN,
    DECISION,
    OUTPUT_FORMAT,
    WORDS,
    POSITIVE,
    THRESHOLD,
    METRICS,
    JSON,
    CALIBRATION,
    CURVE,
    SCALE_BACK,
    REPORT,
    NO_LABELS,
    ZERO_BASED,
    QUIET
};

#define SETTINGS struct predict_settings

static const char *const contents[] = {"labels", "decision", "both", NULL};
static const char *const max_f1[] = {"max-f1", NULL};

static enum hinge_status read_threshold(void *state, const struct given *given,
                                        struct hinge_error *error)
{
    struct predict_settings *settings = state;

    settings->cut = strcmp(given->value, "max-f1") == 0 ? CUT_AT_MAX_F1 : CUT_AT_NUMBER;
    if (settings->cut == CUT_AT_MAX_F1 || number_read(given->value, &settings->threshold))
        return HINGE_OK;
    return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is neither a finite number nor max-f1",
                given->spelling, given->value);
}

static const char output[] = "output";
static const char general[] = "general";

const struct option predict_options[] = {
    {PROBABILITY, BRIEF, "-b", "--probability", "0|1", STORE_SWITCH(probability), output,
     "1: print probabilities (default 0); for models of logistic solvers or of train -b 1"},
    {DECISION, BRIEF, "-d", "--decision", NULL, STORE(FLAG, content), output,
     "write decision values: --output-format decision"},
    {OUTPUT_FORMAT, BRIEF, NULL, "--output-format", "F", STORE_WORD(content, contents, LABELS),
     output, "labels, decision or both (default labels)"},
    {WORDS, BRIEF, NULL, "--words", NULL, STORE(FLAG, words), output,
     "write labels as words of the table; for models of train --map"},
    {POSITIVE, BRIEF, NULL, "--positive", "LABEL", STORE(TEXT, positive), output,
     "class of decision values, thresholds and F1"},
    {THRESHOLD, BRIEF, NULL, "--threshold", "X|max-f1", STORE_BY(read_threshold, threshold, max_f1),
     output, "predict the positive class above X (default 0); two classes"},
    {METRICS, BRIEF, NULL, "--metrics", "[=json]", STORE_BY(option_metrics, metrics, option_json),
     output, "print precision, recall, F1, AUC, confusion matrix; for a regression, errors"},
    {JSON, FULL, NULL, "--json", NULL, STORE_BY(option_metrics, metrics, NULL), output,
     "print one JSON object: --metrics=json"},
    {CALIBRATION, BRIEF, NULL, "--calibration", "FILE", STORE(OUTPUT, calibration), output,
     "write predicted and observed probabilities as CSV"},
    {CURVE, BRIEF, NULL, "--curve", "FILE", STORE(OUTPUT, curve), output,
     "write precision, recall at each threshold as CSV; two classes"},
    {SCALE_BACK, BRIEF, NULL, "--scale-back", "FILE", STORE(INPUT, ranges), output,
     "regression: predict in the units before scale -y; FILE is from scale -s"},
    {REPORT, BRIEF, NULL, "--report", "FILE", STORE(OUTPUT, report), output,
     "write a page of HTML with scores and pictures"},

    {NO_LABELS, BRIEF, NULL, "--no-labels", NULL, STORE(FLAG, format.optional_labels), general,
     "rows may lack a label; no accuracy"},
    {ZERO_BASED, BRIEF, NULL, "--zero-based", NULL, STORE(FLAG, format.zero_based), general,
     "indices in the data start at 0"},
    {QUIET, BRIEF, "-q", "--quiet", NULL, STORE(FLAG, quiet), general, "print errors only"},
    OPTIONS_LAST(general),
};

/* Refuses options that the threshold excludes, and a missing operand. */
static enum hinge_status check(void *state, uint64_t given, struct hinge_error *error)
{
    const struct predict_settings *settings = state;
    const char *called = options_called(predict_options, THRESHOLD);
    const int no = settings->probability              ? PROBABILITY
                   : settings->format.optional_labels ? NO_LABELS
                   : settings->quiet                  ? QUIET
                                                      : 0;

    (void)given;
    if (settings->cut == CUT_AT_MAX_F1 && no)
        return fail(error, HINGE_BAD_ARGUMENT, "%s max-f1 and %s exclude each other", called,
                    options_called(predict_options, no));
    if (settings->cut == CUT_AT_NUMBER && settings->probability &&
        !(settings->threshold >= 0 && settings->threshold <= 1))
        return fail(error, HINGE_BAD_ARGUMENT,
                    "%s: with %s 1 the threshold is a probability, between 0 and 1", called,
                    options_called(predict_options, PROBABILITY));
    if (!settings->output)
        return fail(error, HINGE_BAD_ARGUMENT, "data, model and output must be given");
    return HINGE_OK;
}

const struct program predict_program = {
    .options = predict_options,
    .operands = (const struct operand[]){{"the data", READ, offsetof(SETTINGS, data)},
                                         {"the model", READ, offsetof(SETTINGS, model)},
                                         {"the output", STREAMED, offsetof(SETTINGS, output)},
                                         {NULL, READ, 0}},
    .exclusive = (const struct option_pair[]){{DECISION, OUTPUT_FORMAT},
                                              {PROBABILITY, DECISION},
                                              {PROBABILITY, OUTPUT_FORMAT},
                                              {METRICS, NO_LABELS},
                                              {CALIBRATION, NO_LABELS},
                                              {CURVE, NO_LABELS},
                                              {METRICS, QUIET},
                                              {METRICS, JSON},
                                              {JSON, NO_LABELS},
                                              {JSON, QUIET},
                                              {WORDS, DECISION},
                                              {0, 0}},
    .usage = "usage: @ [options] data model output\n"
             "Writes a label for each row of a LIBSVM file, or a number if the model is a\n"
             "regression, and prints the accuracy. - is standard input or standard output.\n",
    .end = "\nExit status: 0 done, 1 bad data or model" OPTIONS_STATUSES,
    .check = check};
