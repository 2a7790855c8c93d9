/* convert_options.c - the options of convert, in the order of --help and of the manual page. */
#include "cli/convert_options.h"

#include <stddef.h>

#include "cli/map.h"

static const char *const headers[] = {"auto", "yes", "no", NULL};
static const char *const values[] = {"zero", "mean", "column", NULL};

static const char columns[] = "columns";
static const char maps[] = "maps";
static const char tables[] = "the table";
static const char general[] = "general";

const struct option convert_options[] = {
    {LABEL, BRIEF, NULL, "--label", "COLUMN", OPTION_NUMBER, columns,
     "column of the label (default: the last); name or number",
     "The column with the label, by its name or its number from 1; by its number where several "
     "have the name. Default: the last one that is not ignored. If the first label is a number, all "
     "labels must be numbers, and stay what they are; else labels are words, and get the numbers 1, "
     "2, ... in the order in which the table has them. With --categorical of this column labels are words, whatever they look like."},
    {NO_LABELS, BRIEF, NULL, "--no-labels", NULL, NULL, columns,
     "no column is the label; with -r: rows may lack it; they get label 0",
     "No column is the label, and all rows get label 0. With -r the column of the label may be "
     "absent, and labels may be missing or unknown to the map; these rows get label 0. Where the "
     "labels of the map are numbers, 0 may be one of them: a warning says how many became 0, and "
     "predict needs --no-labels, or scores them."},
    {IGNORE, BRIEF, NULL, "--ignore", "COLUMNS", OPTION_NUMBER, columns,
     "columns to leave out; names or numbers, separated by commas",
     "Columns to leave out, by name or number, separated by commas. May be given several times."},
    {CATEGORICAL, BRIEF, NULL, "--categorical", "COLUMNS", OPTION_NUMBER, columns,
     "columns of categories; a feature for each category, 1 in its rows",
     "Columns of categories, by name or number, separated by commas. May be given several times. "
     "Each category becomes a feature that is 1 in the rows that have it. Without this option a "
     "text in a column that is not the label is refused."},
    {MISSING, BRIEF, NULL, "--missing", "V", values, columns,
     "zero, mean or column for missing values; else refused",
     "What stands for a value that is missing: an empty field, ?, or NA, N/A, NaN or null in any "
     "case. With zero it is 0, and a missing category none of them. With mean it is the mean of the "
     "column in the table, and a missing category none. With column it is 0, and another "
     "feature, of the column, is 1 in these rows. Without this option a missing value is refused. "
     "With -r: zero or mean, in the place of what the map says. A column in which no value was "
     "missing when the map was made has no feature for it: there a missing value becomes 0, and a "
     "warning says how many."},

    {SAVE, BRIEF, "-s", "--save", "MAP", OPTION_FILE, maps,
     "save which columns and words became which numbers",
     "Save which columns, categories and labels became which numbers, for -r and --labels."},
    {RESTORE, BRIEF, "-r", "--restore", "MAP", OPTION_FILE, maps,
     "convert new rows as those of the map",
     "Convert by a map that -s has saved: new rows as the training rows were. If both tables have a "
     "line of names, columns are found by name, and may be in another order; else by position. "
     "Categories that the map does not have are left out, because the model does not have them; a "
     "warning says how many."},
    {LABELS, BRIEF, NULL, "--labels", "MAP", OPTION_FILE, maps,
     "turn predicted labels back into words",
     "Read the output of predict in the place of a table, and write each label as the word "
     "that it is in the map. What else is on the line stays; there a word with a blank is written in "
     "quotes. Numbers stay numbers where the map's labels are numbers."},

    {HEADER, BRIEF, NULL, "--header", "H", headers, tables,
     "has the first line names? yes, no or auto (default)",
     "Whether the first line has the names of the columns. With auto it does if none of its fields "
     "is a number and no two are equal; with -r, only if the map has names, one of them at least on "
     "the line. A warning says where it may have names all the same, such as 0,1,label: it is taken "
     "for a row, whose label, a word, no other row has, though other rows share theirs."},
    {SEPARATOR, BRIEF, NULL, "--separator", "S", map_separator_names, tables,
     "what separates columns; default: seen in the first line",
     "What is between columns: a word, or the character that it stands for, such as ';'. Default: the "
     "first of tab, semicolon, comma (not with --decimal-comma) and bar that is on the first line "
     "outside quotes, else blanks; with -r that of the map. With blanks any number of blanks and tabs "
     "is one separator."},
    {DECIMAL_COMMA, BRIEF, NULL, "--decimal-comma", NULL, NULL, tables, "5,1 is the number 5.1",
     NULL},

    {QUIET, BRIEF, "-q", "--quiet", NULL, NULL, general, "print errors only", NULL},
    {HELP, BRIEF, "-h", "--help", NULL, NULL, general, OPTIONS_HELP, OPTIONS_HELP_DETAILS},
    {VERSION, BRIEF, NULL, "--version", NULL, NULL, general, "print the version", NULL},
    {0, FULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
