/* convert_options.c - the options of convert, in the order of --help and of the manual page. */
#include "cli/convert.h"

#include <string.h>

#include "base/status.h"
#include "data/reader.h"
#include "data/table.h"

enum {
    LABEL = OPTIONS_OWN,
    NO_LABELS,
    IGNORE,
    NUMBER,
    CATEGORICAL,
    DATE,
    STRICT_KINDS,
    MISSING,
    MISSING_VALUES,
    WEIGHT,
    GROUP,
    TEST,
    SHARE,
    BY,
    IN_ORDER,
    SEED,
    SCALE,
    TEXT_COLUMNS,
    NGRAMS,
    MIN_ROWS,
    MAX_FEATURES,
    WEIGHTING,
    HASH,
    SAVE,
    RESTORE,
    LABELS,
    APPEND,
    HEADER,
    SEPARATOR,
    DECIMAL_COMMA,
    THOUSANDS,
    QUIET
};

/* Adds the value to a struct column_list. */
static enum hinge_status add_columns(void *settings, const struct given *given,
                                     struct hinge_error *error)
{
    struct column_list *list = (void *)((char *)settings + given->option->value.offset);

    if (list->count == sizeof list->item / sizeof *list->item)
        return option_fail(given, error, "given too often");
    list->item[list->count++] = given->value;
    return HINGE_OK;
}

/* Stores a separator: the value is a word, or the character that the word stands for. */
static enum hinge_status read_separator(void *state, const struct given *given,
                                        struct hinge_error *error)
{
    struct convert_settings *settings = state;
    const char character = given->value[0];
    int word;

    if (character && !given->value[1] && strchr(map_separators, character))
        settings->separator = character;
    else if ((word = option_word(given, error)) < 0)
        return failure(error);
    else
        settings->separator = map_separators[word];
    return HINGE_OK;
}

#define SETTINGS struct convert_settings

static const char *const headers[] = {"auto", "yes", "no", "skip", NULL};

static const char columns[] = "columns";
static const char tests[] = "rows for a test";
static const char texts[] = "text";
static const char maps[] = "maps";
static const char tables[] = "the table";
static const char general[] = "general";

const struct option convert_options[] = {
    {LABEL, BRIEF, NULL, "--label", "COLUMN", STORE(TEXT, label), columns,
     "column of the label (default: so named, or last); name or number",
     "The column with the label, by its name or its number from 1; by its number where several "
     "have the name. Default: the one with the name label, class or target if there is one, else "
     "the last one that is not ignored. If the first label is a number, all labels must be "
     "numbers, and stay what they are; else labels are words, and get the numbers 1, 2, ... in "
     "the order in which the table has them. With --categorical of this column labels are words, "
     "whatever they look like."},
    {NO_LABELS, BRIEF, NULL, "--no-labels", NULL, STORE(FLAG, no_labels), columns,
     "no column is the label; with -r: rows may lack it; they get label 0",
     "No column is the label, and all rows get label 0. With -r the column of the label may be "
     "absent, and labels may be missing or unknown to the map; these rows get label 0. Where the "
     "labels of the map are numbers, 0 may be one of them: a warning says how many became 0, and "
     "predict needs --no-labels, or scores them."},
    {IGNORE, BRIEF, NULL, "--ignore", "COLUMNS", STORE_BY(add_columns, ignore, NULL), columns,
     "columns to leave out; names or numbers, separated by commas",
     "Columns to leave out, by name or number, separated by commas. May be given several times."},
    {NUMBER, FULL, NULL, "--number", "COLUMNS", STORE_BY(add_columns, number, NULL), columns,
     "columns of numbers; without such an option, convert finds the kind",
     "Columns of numbers, by name or number, separated by commas. May be given several times. "
     "Without an option that gives its kind, a column is what its values are in the whole table. "
     "Numbers stay numbers. Words, of which there are few for the rows, are categories. Dates are "
     "as for --date. A column that counts the rows, or has another word in nearly each of them, is "
     "an identifier; it is left out, and so are one with one value, and a text of many words. A "
     "table of the columns says so."},
    {CATEGORICAL, BRIEF, NULL, "--categorical", "COLUMNS", STORE_BY(add_columns, categorical, NULL),
     columns, "columns of categories; each category is a feature, 1 in its rows",
     "Columns of categories, by name or number, separated by commas. May be given several times. "
     "Each category becomes a feature that is 1 in the rows that have it."},
    {DATE, FULL, NULL, "--date", "COLUMNS", STORE_BY(add_columns, date, NULL), columns,
     "columns of dates; features: days since 1970, month and weekday",
     "Columns of dates, by name or number, separated by commas. May be given several times. Dates "
     "are written as 2026-11-21, 21.11.2026, 11/21/26 or 21-Nov-2026, all of a column in the same "
     "order, which the table shows; if days and months may both come first, days do, but months "
     "between slashes. There may be a time after the date, or no date. The features are the days "
     "since 1970, with the time as a fraction, and as categories the month, 1 to 12, and the "
     "weekday, 1, Monday, to 7."},
    {STRICT_KINDS, FULL, NULL, "--strict-kinds", NULL, STORE(FLAG, strict_kinds), columns,
     "all columns are numbers unless options say else",
     "Guess nothing, and read the table once. A column is one of numbers unless an option says "
     "otherwise; another text in it is refused, and a missing value without --missing, too."},
    {MISSING, BRIEF, NULL, "--missing", "V",
     STORE_WORD(missing, map_missing_names + 1, MISSING_ZERO), columns,
     "zero, mean, column or auto for missing values",
     "The value that replaces a missing one: an empty field, ?, or NA, N/A, NaN, null or unknown "
     "in any case, #N/A, <NA> or \\N, and, unless they are labels, None, a hyphen or a point. "
     "With zero it is 0, and a missing category is none of the categories. With mean it is the "
     "mean of the column in the table, and a missing category is none of them. With column it is "
     "0, and another feature of the column is 1 in these rows. With auto, the default, it is the "
     "mean, and another feature is 1 in these rows if the column is one of categories, or more "
     "than 1 % of its values are missing. With -r: zero, mean or auto instead of the choice in "
     "the map. If no value of a column was missing when the map was made, there is no feature for "
     "it: a missing category is then none of them, and a warning counts such values."},
    {MISSING_VALUES, BRIEF, NULL, "--missing-values", "LIST",
     STORE_BY(add_columns, missing_values, NULL), columns,
     "other texts of missing values, such as -999,nil",
     "Texts that stand for a missing value besides those that --missing lists, separated by "
     "commas, such as -999,unknown; exactly as the table has them, in every column. May be given "
     "several times. The map keeps them; with -r, those of the map count, too."},
    {SCALE, FULL, NULL, "--scale", NULL, STORE(FLAG, scale), columns,
     "scale numbers: mean 0, deviation 1; needs -s",
     "Scale columns of numbers: subtract the mean, and divide by the standard deviation, of the "
     "values that are there, so that no column outweighs the others. A column of a single value "
     "becomes 0. The map keeps both numbers, so this needs -s, and -r scales new rows likewise. "
     "hinge-scale --map has other scales."},

    {TEXT_COLUMNS, BRIEF, NULL, "--text", "COLUMNS", STORE_BY(add_columns, text, NULL), texts,
     "columns of text; each word becomes a feature",
     "Columns of text in UTF-8, by name or number, separated by commas. May be given several "
     "times. Each word becomes a feature; the words of each column are features of their own. A "
     "word is a run of at least two letters and digits, in lower case; a Chinese or Japanese "
     "character is a word, and two in a row are one more. An empty field has no words. The table "
     "is read twice, first for the words."},
    {NGRAMS, FULL, NULL, "--ngrams", "N", STORE_COUNT(words.ngrams, 1, BAG_MAX_NGRAMS), texts,
     "sequences of up to N words are features, too; default 1",
     "Sequences of 2, 3, ... N words of a text become features, too. Default: 1, words alone."},
    {MIN_ROWS, FULL, NULL, "--min-rows", "K", STORE_COUNT(words.min_rows, 1, UINT32_MAX), texts,
     "leave out words that fewer than K rows have; default 2", NULL},
    {MAX_FEATURES, FULL, NULL, "--max-features", "M",
     STORE_COUNT(words.max_features, 0, LARGEST_INDEX), texts,
     "keep the M most frequent words of a column; default 0, all",
     "Keep those M words of each column of text that occur most often in the table; of equally "
     "frequent ones those that come first. Default: 0, all of them."},
    {WEIGHTING, FULL, NULL, "--weighting", "W", STORE_WORD(words.weighting, map_weighting_names, 0),
     texts, "tf-idf (default), counts or binary",
     "The value of a word that a text has t times, if k of m rows have it. With tf-idf it is (1 + "
     "ln t) (ln((1 + m) / (1 + k)) + 1), divided by the Euclidean length of these values of the "
     "text; with counts it is t; with binary 1. Default: tf-idf."},
    {HASH, FULL, NULL, "--hash", "BITS", STORE_COUNT(words.hash_bits, 1, BAG_MAX_HASH_BITS), texts,
     "no vocabulary: 2^BITS features by hash values, in one pass",
     "Number words by the low BITS bits of a hash value, so that a column of text has 2^BITS "
     "features. Words with the same number share a feature. The table is read once, the map holds "
     "no words, and tf-idf is without its second factor, which needs the rows of each word."},

    {WEIGHT, FULL, NULL, "--weight", "COLUMN", STORE_BY(add_columns, weight, NULL), tests,
     "column of the weights of rows, for train -W; to OUTPUT.weights",
     "The column with a weight of each row, a number of at least 0. It is no feature; the file "
     "OUTPUT.weights gets the weights for train -W."},
    {GROUP, FULL, NULL, "--group", "COLUMN", STORE_BY(add_columns, group, NULL), tests,
     "column of groups of rows, for train --folds; to OUTPUT.groups",
     "The column with the group of each row, such as a patient. It is no feature; the file "
     "OUTPUT.groups gets a number for each group, for train --folds, which keeps rows of a group "
     "in one fold. --test keeps them together, too, unless --by names another column."},
    {TEST, BRIEF, NULL, "--test", "FILE", STORE(OUTPUT, test), tests,
     "write a share of the rows to FILE instead",
     "Write a share of the rows, for a test, to FILE instead of the output: rows chosen at random, "
     "of each class the same share. Kinds, means and words are those of all rows."},
    {SHARE, FULL, NULL, "--share", "S", STORE(POSITIVE, share), tests,
     "share of the rows for --test (default 0.25)", NULL},
    {BY, FULL, NULL, "--by", "COLUMN", STORE_BY(add_columns, by, NULL), tests,
     "rows with the same value there go to the same file",
     "With --test: rows with the same value in this column go to the same file, whatever their "
     "classes. Such rows may be alike, and a test with rows of the same group is too easy."},
    {IN_ORDER, FULL, NULL, "--in-order", NULL, STORE(FLAG, in_order), tests,
     "the last rows are those for --test",
     "With --test: the last rows are those for the test, as for a table in the order of time."},
    {SEED, FULL, NULL, "--seed", "N", STORE_COUNT(seed, 0, 0), tests,
     "seed of the choice of rows for --test (default 1)", NULL},

    {SAVE, BRIEF, "-s", "--save", "MAP", STORE(OUTPUT, save), maps,
     "save which columns and words became which numbers",
     "Save which columns, categories and labels became which numbers, for -r and --labels."},
    {RESTORE, BRIEF, "-r", "--restore", "MAP", STORE(INPUT, restore), maps,
     "convert new rows as those of the map",
     "Convert by a map that -s has saved, or by a model of train --map: new rows as the training "
     "rows were. If both tables have a line of names, columns are found by name, and may be in "
     "another order; else by position. Categories that the map does not have are left out, "
     "because the model does not have them; a warning says how many."},
    {LABELS, BRIEF, NULL, "--labels", "MAP", STORE(INPUT, labels), maps,
     "turn predicted labels back into words",
     "Read the output of predict instead of a table, and write each label as its word in the map. "
     "The rest of a line is not changed; on such lines a word with a blank is written in quotes. "
     "Numbers stay numbers if the labels of the map are numbers."},
    {APPEND, BRIEF, NULL, "--append", "PREDICTED", STORE(INPUT, append), maps,
     "with -r: the table and its predictions",
     "With -r: write the table itself instead of data, and the output of predict for its rows as "
     "further columns at the end. In a table with a line of names they are called predicted and, "
     "with probabilities, as the classes."},

    {HEADER, BRIEF, NULL, "--header", "H", STORE_WORD(header, headers, HEADER_AUTO), tables,
     "has the first line names? auto, yes, no or skip",
     "Says if the first line has the names of the columns. With auto it has them if no field is a "
     "number, no two are equal, and not all of its words stand in their own columns again, which "
     "is decided by the beginning of the table. Numbers are names if they are 0, 1, 2, ..., or "
     "ascend and are unlike all those below them; a warning says so. With -r, the first line has "
     "names only if the map has, and at least one of them is on the line. A warning says if the "
     "line was taken for a row, but no other row has its label, a word, while other rows share "
     "theirs. With skip the line has names; with -r they do not count, and columns are found by "
     "position."},
    {SEPARATOR, BRIEF, NULL, "--separator", "S",
     STORE_BY(read_separator, separator, map_separator_names), tables,
     "what separates columns; default: seen in the first line",
     "The separator of columns: a word, or the character that it stands for, such as ';'. With "
     "lines, a line is one column, which is text, and an empty line is a row. Default: lines if "
     "the first line begins with __label__, as files for fastText do; then the word after "
     "__label__ is column 1, the label, and the rest of the line column 2, the text. Otherwise "
     "the first of tab, semicolon, comma (with --decimal-comma, not between digits) and bar that "
     "is on the first line outside quotes, otherwise blanks; with -r the separator of the map. "
     "With blanks, any number of blanks and tabs is one separator. A first line such as sep=; "
     "names the separator, whatever this option says."},
    {DECIMAL_COMMA, BRIEF, NULL, "--decimal-comma", NULL, STORE(FLAG, decimal_comma), tables,
     "5,1 is the number 5.1",
     "5,1 is the number 5.1. In a table with commas between columns such numbers must be in "
     "quotes. Without this option and --thousands, the beginning of the table decides what commas "
     "in numbers are, if it leaves no doubt; otherwise they are refused."},
    {THOUSANDS, FULL, NULL, "--thousands", NULL, STORE(FLAG, thousands), tables,
     "1,234 is the number 1234; with --decimal-comma 1.234 is", NULL},

    {QUIET, BRIEF, "-q", "--quiet", NULL, STORE(FLAG, quiet), general, "print errors only", NULL},
    {HELP, BRIEF, "-h", "--help", NULL, STORE_NOTHING, general, OPTIONS_HELP, OPTIONS_HELP_DETAILS},
    {VERSION, BRIEF, NULL, "--version", NULL, STORE_NOTHING, general, "print the version", NULL},
    {0, FULL, NULL, NULL, NULL, STORE_NOTHING, NULL, NULL, NULL},
};

static enum hinge_status check(void *state, uint64_t given, struct hinge_error *error)
{
    struct convert_settings *settings = state;

    if (!(given & BIT(MISSING)) && !settings->restore && !settings->strict_kinds)
        settings->missing = MISSING_AUTO;
    if (settings->append && !settings->restore)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "--append needs -r: the map says how the table is to be read");
    settings->no_labels |= settings->append != NULL;
    if (settings->restore && settings->missing == MISSING_COLUMN)
        return fail(
            error, HINGE_BAD_ARGUMENT,
            "--missing column and -r exclude each other: the map says which columns have one");
    if (!(given & BIT(SHARE)))
        settings->share = 0.25;
    if (!(given & BIT(SEED)))
        settings->seed = 1;
    if (settings->share >= 1)
        return fail(error, HINGE_BAD_ARGUMENT, "--share: a number between 0 and 1 expected");
    if (settings->by.count > 1)
        return fail(error, HINGE_BAD_ARGUMENT, "--by: given twice");
    if (settings->group.count && !settings->by.count && !settings->in_order)
        settings->by = settings->group;
    if ((settings->weight.count || settings->group.count) &&
        (!settings->output || strcmp(settings->output, "-") == 0))
        return fail(error, HINGE_BAD_ARGUMENT,
                    "--weight and --group need an output file, from whose name those of theirs are "
                    "made");
    if (!settings->data)
        return fail(error, HINGE_BAD_ARGUMENT, "no %s file given",
                    settings->labels ? "labels" : "table");
    if (!settings->output)
        settings->output = "-";
    return HINGE_OK;
}

const struct program convert_program = {
    .options = convert_options,
    .operands = (const struct operand[]){{"the input", READ, offsetof(SETTINGS, data)},
                                         {"the output", STREAMED, offsetof(SETTINGS, output)},
                                         {NULL, READ, 0}},
    .exclusive =
        (const struct option_pair[]){
            {RESTORE, SAVE},         {RESTORE, SCALE},         {RESTORE, WEIGHT},
            {RESTORE, GROUP},        {RESTORE, TEST},          {LABELS, WEIGHT},
            {LABELS, GROUP},         {LABELS, TEST},           {IN_ORDER, BY},
            {IN_ORDER, SEED},        {LABELS, SCALE},          {RESTORE, LABEL},
            {RESTORE, IGNORE},       {RESTORE, NUMBER},        {RESTORE, CATEGORICAL},
            {RESTORE, DATE},         {RESTORE, STRICT_KINDS},  {RESTORE, DECIMAL_COMMA},
            {RESTORE, THOUSANDS},    {LABEL, NO_LABELS},       {LABELS, LABEL},
            {LABELS, NO_LABELS},     {LABELS, IGNORE},         {LABELS, NUMBER},
            {LABELS, CATEGORICAL},   {LABELS, DATE},           {LABELS, STRICT_KINDS},
            {LABELS, MISSING},       {LABELS, MISSING_VALUES}, {LABELS, SAVE},
            {LABELS, RESTORE},       {LABELS, HEADER},         {LABELS, APPEND},
            {LABELS, SEPARATOR},     {LABELS, DECIMAL_COMMA},  {LABELS, THOUSANDS},
            {RESTORE, TEXT_COLUMNS}, {RESTORE, NGRAMS},        {RESTORE, MIN_ROWS},
            {RESTORE, MAX_FEATURES}, {RESTORE, WEIGHTING},     {RESTORE, HASH},
            {LABELS, TEXT_COLUMNS},  {LABELS, NGRAMS},         {LABELS, MIN_ROWS},
            {LABELS, MAX_FEATURES},  {LABELS, WEIGHTING},      {LABELS, HASH},
            {HASH, MIN_ROWS},        {HASH, MAX_FEATURES},     {0, 0}},
    .needs =
        (const struct option_pair[]){
            {SCALE, SAVE}, {SHARE, TEST}, {BY, TEST}, {IN_ORDER, TEST}, {SEED, TEST}, {0, 0}},
    .usage = "usage: @ [options] table [output]\n"
             "       @ --labels MAP predicted [output]\n"
             "Makes data in LIBSVM's format of a table (CSV, TSV; - is standard input), and\n"
             "words of predicted labels; to output, by default standard output.\n",
    .end = "\nExit status: 0 done, 1 bad table or map" OPTIONS_STATUSES,
    .check = check};
