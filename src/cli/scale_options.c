/* scale_options.c - the options of scale, in the order of --help and of the manual page. */
#include "cli/scale_options.h"

#include <stddef.h>

#include "cli/options.h"

static const char ranges[] = "ranges";
static const char general[] = "general";

const struct option scale_options[] = {
    {LOWER, BRIEF, "-l", "--lower", "L", OPTION_NUMBER, ranges,
     "map the smallest value to L (with -u alone: -1)",
     "Map the smallest value of each feature to L, and the largest to that of -u. "
     "With -u alone it is -1."},
    {UPPER, BRIEF, "-u", "--upper", "U", OPTION_NUMBER, ranges,
     "map the largest value to U (with -l alone: 1)",
     "Map the largest value of each feature to U, above that of -l. With -l alone it is 1."},
    {SAVE, BRIEF, "-s", "--save", "FILE", OPTION_FILE, ranges, "save the ranges of the features",
     "Save the ranges of the features, in the format of svm-scale, for -r with other data."},
    {RESTORE, BRIEF, "-r", "--restore", "FILE", OPTION_FILE, ranges,
     "scale by saved ranges; for test data",
     "Scale by these ranges, saved by -s or by svm-scale, instead of those of the data. "
     "Test data must be scaled as the training data were. "
     "Features without a range are left out, because the model does not have them; a warning says "
     "how many values that are not 0 this leaves out."},

    {DIGITS, BRIEF, "-p", "--digits", "N", OPTION_NUMBER, general,
     "digits of the values written, 1 to 17 (default 6)",
     "Significant digits of the values written, 1 to 17. Default 6, as in svm-scale."},
    {NO_LABELS, BRIEF, NULL, "--no-labels", NULL, NULL, general,
     "with -r: rows may lack a label; they get label 0", NULL},
    {ZERO_BASED, BRIEF, NULL, "--zero-based", NULL, NULL, general,
     "indices start at 0, in data, ranges and output", NULL},
    {QUIET, BRIEF, "-q", "--quiet", NULL, NULL, general, "print errors only", NULL},
    {HELP, BRIEF, "-h", "--help", NULL, NULL, general, OPTIONS_HELP, OPTIONS_HELP_DETAILS},
    {VERSION, BRIEF, NULL, "--version", NULL, NULL, general, "print the version", NULL},
    {0, FULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
