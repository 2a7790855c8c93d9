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
     "1: print probabilities (default 0); for models of logistic solvers or of train -b 1",
     "With 1, write a header with the labels and, after each label, the probability of each "
     "class. Models of logistic regression, of softmax and of train -b 1 have probabilities; "
     "other models are refused. The label is the one with the largest probability. Where a model "
     "has sigmoids of train -b 1, that may be another label than without this option: with two "
     "classes where the decision value is between 0 and -B/A, with more where the sigmoids of the "
     "classes order them in another way than the decision values."},
    {DECISION, BRIEF, "-d", "--decision", NULL, STORE(FLAG, content), output,
     "write decision values: --output-format decision",
     "Write decision values, as --output-format decision."},
    {OUTPUT_FORMAT, BRIEF, NULL, "--output-format", "F", STORE_WORD(content, contents, LABELS),
     output, "labels, decision or both (default labels)",
     "The contents of a line of the output: the label of the row, its decision values, or both. "
     "With two classes there is one decision value, above 0 for the first label of the model. "
     "With more there is one for each label, in the order of the model. A model of softmax or of "
     "Crammer and Singer has one for each of two labels, too, and the first one decides."},
    {WORDS, BRIEF, NULL, "--words", NULL, STORE(FLAG, words), output,
     "write labels as words of the table; for models of train --map",
     "Write each label as the word that it was in the table, as hinge-convert --labels does. The "
     "model must have a map, of train --map. Where the labels of the map are numbers, they stay "
     "what they are. A word with a blank is in quotes where decision values or probabilities "
     "follow it."},
    {POSITIVE, BRIEF, NULL, "--positive", "LABEL", STORE(TEXT, positive), output,
     "class of decision values, thresholds and F1",
     "The positive class, as a number or, if the model has a map, as a word of the table: for "
     "precision, recall, F1 and average precision, for --threshold and --curve, and, with two "
     "classes, for the probabilities of --calibration. The decision value written for a row is "
     "the one for this class alone. With two classes it is the value itself if LABEL is the first "
     "label of the model, otherwise its negative: rows sorted by it, descending, begin with the "
     "likeliest, whichever label the model has first. Without this option the positive class is "
     "the larger one of two labels, and decision values are those of --output-format."},
    {THRESHOLD, BRIEF, NULL, "--threshold", "X|max-f1", STORE_BY(read_threshold, threshold, max_f1),
     output, "predict the positive class above X (default 0); two classes",
     "With two classes: predict the positive class if its decision value is above X, default 0, "
     "otherwise the other class; with -b 1, if its probability is above X. A row whose value is X "
     "gets the second label of the model, as at 0. Decision values are written for the positive "
     "class, as with --positive. With max-f1, which needs labels, X is the threshold with the "
     "largest F1 of the positive class on these rows. It is half-way between two decision values, "
     "and the largest one of equally good thresholds. It is used for labels and metrics, and "
     "printed with the options for new rows. Choose it on rows that the model was not trained on, "
     "and use the number on others: the F1 of the rows on which it was chosen is too high. Takes "
     "16 bytes of memory for each row, and at the end 8 more, and 24 for each different decision "
     "value."},
    {METRICS, BRIEF, NULL, "--metrics", "[=json]", STORE_BY(option_metrics, metrics, option_json),
     output, "print precision, recall, F1, AUC, confusion matrix; for regression errors",
     "Also print balanced accuracy, the means over classes of precision, recall and F1, micro F1 "
     "(the accuracy), Matthews' correlation, for two classes precision, recall, F1 and average "
     "precision of the positive class and the area under the ROC curve, for a model with "
     "probabilities log loss and Brier score, precision, recall and F1 of each class, and the "
     "confusion matrix; json: all metrics and the accuracy as one JSON object instead. With more "
     "than 100 classes the output has only the classes that occur as label or prediction, and the "
     "entries of the matrix that are not 0, in JSON as confusion_entries. Takes 16 bytes of "
     "memory for each row, and 8 more at the end, to sort decision values or pairs of classes. "
     "0/0 counts as 0. Means over classes leave out a class that occurs neither as label nor as "
     "prediction; the balanced accuracy is the mean recall of the classes that occur as label. In "
     "the area under the curve equal decision values count half; it and the average precision are "
     "left out where a label is not known to the model. The average precision is the mean, over "
     "the rows of the positive class, of its share among the rows whose decision value is at "
     "least the row's. The log loss is the mean of -ln p, p the probability of the row's own "
     "label, but at least 2.2e-16; the Brier score is the mean of (p - y)^2, p the probability of "
     "the first label and y 1 for its rows, else 0; with more than two classes, of the sum of "
     "that over all classes. A row whose label the model does not know adds 36.04 to the sum of "
     "the log loss, -ln of 2.2e-16, and to that of the Brier score 1 and the squares of all "
     "probabilities, with two classes half of that. For a regression: also print R2, the mean "
     "absolute, root mean squared and largest error; json: these and the mean squared error and "
     "the squared correlation as one JSON object."},
    {JSON, FULL, NULL, "--json", NULL, STORE_BY(option_metrics, metrics, NULL), output,
     "print one JSON object: --metrics=json", NULL},
    {CALIBRATION, BRIEF, NULL, "--calibration", "FILE", STORE(OUTPUT, calibration), output,
     "write predicted and observed probabilities as CSV",
     "Write how reliable the probabilities are, a line of CSV for each tenth of 0 to 1: its ends, "
     "the mean of the probabilities in it, the share of rows that are of the class, and the "
     "number of rows; mean and share of no rows are empty. With two classes the probability is "
     "that of the model's first label, or of --positive, with more that of the label predicted "
     "with -b 1. Does not need -b 1."},
    {CURVE, BRIEF, NULL, "--curve", "FILE", STORE(OUTPUT, curve), output,
     "write precision, recall at each threshold as CSV; two classes",
     "With two classes: write what each threshold on the decision value for the positive class "
     "gives, a line of CSV for each different decision value, descending: threshold, precision, "
     "recall, true positive rate (which is the recall), false positive rate, F1. The thresholds "
     "are between the decision values, and can be given to --threshold. A rate of no rows is "
     "empty. Takes memory as --threshold max-f1."},
    {SCALE_BACK, BRIEF, NULL, "--scale-back", "FILE", STORE(INPUT, ranges), output,
     "regression: predict in the units before scale -y; FILE is of scale -s",
     "For a regression whose targets were scaled by scale -y: FILE has the ranges that scale -s "
     "saved. Predictions, and the labels that they are compared with, are mapped back, so output "
     "and errors are in the units of the data before."},
    {REPORT, BRIEF, NULL, "--report", "FILE", STORE(OUTPUT, report), output,
     "write a page of HTML with scores and pictures",
     "Write a page of HTML: the scores, the confusion matrix, decision values by class, precision "
     "and recall, the ROC curve, the reliability of probabilities, and the rows predicted worst; "
     "for a regression, predictions against targets, and residuals. With --no-labels, the "
     "predictions of each class and their decision values. It needs no network and no script. "
     "Takes memory for all rows, at most 80 bytes each."},

    {NO_LABELS, BRIEF, NULL, "--no-labels", NULL, STORE(FLAG, format.optional_labels), general,
     "rows may lack a label; no accuracy",
     "Rows may lack a label; no accuracy is printed. Without this option such a row is refused."},
    {ZERO_BASED, BRIEF, NULL, "--zero-based", NULL, STORE(FLAG, format.zero_based), general,
     "indices in the data start at 0",
     "Indices in the data start at 0. Implied by a model that was trained with this option."},
    {QUIET, BRIEF, "-q", "--quiet", NULL, STORE(FLAG, quiet), general, "print errors only", NULL},
    {HELP, BRIEF, "-h", "--help", NULL, STORE_NOTHING, general, OPTIONS_HELP, OPTIONS_HELP_DETAILS},
    {VERSION, BRIEF, NULL, "--version", NULL, STORE_NOTHING, general, "print the version", NULL},
    {0, FULL, NULL, NULL, NULL, STORE_NOTHING, NULL, NULL, NULL},
};

/* Refuses what the threshold that is asked for does not go with. */
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
        return fail(error, HINGE_BAD_ARGUMENT, "%s: with %s 1 it is a probability, between 0 and 1",
                    called, options_called(predict_options, PROBABILITY));
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
             "Writes a label for each row of a LIBSVM file (- is standard input) to output\n"
             "(- is standard output), of a regression a number, and prints the accuracy.\n",
    .end = "\nExit status: 0 done, 1 bad data or model" OPTIONS_STATUSES,
    .check = check};
