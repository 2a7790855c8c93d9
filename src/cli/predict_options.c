/* predict_options.c - the options of predict, in the order of --help and of the manual page. */
#include "cli/predict_options.h"

#include <stddef.h>

#include "cli/options.h"

static const char *const switches[] = {"0", "1", NULL};
static const char *const contents[] = {"labels", "decision", "both", NULL};
static const char *const json[] = {"json", NULL};

static const char output[] = "output";
static const char general[] = "general";

const struct option predict_options[] = {
    {PROBABILITY, "-b", "--probability", "0|1", switches, output,
     "1: probabilities, of logistic models (default 0)",
     "With 1, write a header with the labels, and behind each label the probability of each class. "
     "Only models of logistic regression have probabilities; with others it is refused."},
    {DECISION, "-d", "--decision", NULL, NULL, output,
     "write decision values: --output-format decision",
     "Write decision values, as --output-format decision."},
    {OUTPUT_FORMAT, NULL, "--output-format", "F", contents, output,
     "labels, decision or both (default labels)",
     "What to write for a row: its label; the decision values, one for two classes, above 0 on the "
     "side of the first label of the model, or one for each label in the model's order; or the "
     "label and them."},
    {METRICS, NULL, "--metrics", "[=json]", json, output,
     "precision, recall, F1, AUC, confusion matrix",
     "Also print balanced accuracy, the means over classes of precision, recall and F1, of two "
     "classes the area under the ROC curve, precision, recall and F1 of each class, and the "
     "confusion matrix; json: all of it, the accuracy included, as one JSON object instead. Of more "
     "than 100 classes there are those alone that some row has or was predicted to have, and the "
     "entries of the matrix that are not 0, in JSON as confusion_entries. Takes 16 bytes of memory "
     "for each row. What would be 0/0 is 0. Means over classes leave out a class that no row has "
     "and none was predicted to have; the balanced accuracy is the mean recall of the classes that "
     "some row has. Decision values that are equal count half in the area under the curve."},

    {NO_LABELS, NULL, "--no-labels", NULL, NULL, general,
     "rows may come without a label; no accuracy",
     "Rows may come without a label; no accuracy is printed. Without this option such a row is "
     "refused."},
    {ZERO_BASED, NULL, "--zero-based", NULL, NULL, general, "indices in the data start at 0",
     "Indices in the data start at 0. Implied by a model that was trained so."},
    {QUIET, "-q", "--quiet", NULL, NULL, general, "print errors only", NULL},
    {HELP, "-h", "--help", NULL, NULL, general, "print this text",
     "Print a summary of the options."},
    {VERSION, NULL, "--version", NULL, NULL, general, "print the version", NULL},
    {0, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
