/* inspect_options.c - the options of inspect, in the order of --help and of the manual page. */
#include "cli/inspect_options.h"

#include <stddef.h>

#include "cli/options.h"

static const char output[] = "output";
static const char general[] = "general";

const struct option inspect_options[] = {
    {LARGEST, BRIEF, "-n", "--largest", "N", OPTION_NUMBER, output,
     "the N largest weights of each class (default 10)",
     "Print the N weights of the largest magnitude of each class. Default 10."},
    {NAMES, BRIEF, NULL, "--names", "FILE", OPTION_FILE, output,
     "names of features; a map of convert, or one a line",
     "Print the names of features, too. FILE is the map that hinge-convert has saved, whose words "
     "for labels are printed as well, or a list with a name a line, that of the first feature in "
     "the first one. An empty line is no name."},
    {JSON, BRIEF, NULL, "--json", NULL, NULL, output, "print one JSON object",
     "Print one JSON object on a line instead. Numbers have all their digits."},
    {QUIET, BRIEF, "-q", "--quiet", NULL, NULL, general, "print no warning",
     "Print no warning, such as of fewer or more names than features."},
    {HELP, BRIEF, "-h", "--help", NULL, NULL, general, OPTIONS_HELP, OPTIONS_HELP_DETAILS},
    {VERSION, BRIEF, NULL, "--version", NULL, NULL, general, "print the version", NULL},
    {0, FULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
