/* convert_options.c - the options of convert, in the order of --help and of the manual page. */
#include "cli/convert.h"

#include <string.h>

#include "base/status.h"
#include "data/reader.h"

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
    QUOTES,
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

/* Stores a separator. The value is a word, or the character that the word stands for. */
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
static const char *const quotes[] = {"auto", "yes", "no", NULL};

static const char columns[] = "columns";
static const char rows[] = "rows";
static const char texts[] = "text";
static const char maps[] = "maps";
static const char tables[] = "the table";
static const char general[] = "general";

const struct option convert_options[] = {
    {LABEL, BRIEF, NULL, "--label", "COLUMN", STORE(TEXT, label), columns,
     "column of the label (default: by its name, or last); name or number"},
    {NO_LABELS, BRIEF, NULL, "--no-labels", NULL, STORE(FLAG, no_labels), columns,
     "no column is the label; with -r: rows may lack a label and get 0"},
    {IGNORE, BRIEF, NULL, "--ignore", "COLUMNS", STORE_BY(add_columns, ignore, NULL), columns,
     "columns to leave out; names or numbers, separated by commas"},
    {NUMBER, FULL, NULL, "--number", "COLUMNS", STORE_BY(add_columns, number, NULL), columns,
     "columns of numbers; without such an option, convert finds the kind"},
    {CATEGORICAL, BRIEF, NULL, "--categorical", "COLUMNS", STORE_BY(add_columns, categorical, NULL),
     columns, "columns of categories; each category is a feature, 1 in its rows"},
    {DATE, FULL, NULL, "--date", "COLUMNS", STORE_BY(add_columns, date, NULL), columns,
     "columns of dates; features: days since 1970, month and weekday"},
    {STRICT_KINDS, FULL, NULL, "--strict-kinds", NULL, STORE(FLAG, strict_kinds), columns,
     "all columns are numbers unless options say otherwise"},
    {MISSING, BRIEF, NULL, "--missing", "V",
     STORE_WORD(missing, map_missing_names + 1, MISSING_ZERO), columns,
     "zero, mean, column or auto for missing values"},
    {MISSING_VALUES, BRIEF, NULL, "--missing-values", "LIST",
     STORE_BY(add_columns, missing_values, NULL), columns,
     "other texts of missing values, such as -999,nil"},
    {SCALE, FULL, NULL, "--scale", NULL, STORE(FLAG, scale), columns,
     "scale numbers: mean 0, deviation 1; needs -s"},

    {TEXT_COLUMNS, BRIEF, NULL, "--text", "COLUMNS", STORE_BY(add_columns, text, NULL), texts,
     "columns of text; each word becomes a feature"},
    {NGRAMS, FULL, NULL, "--ngrams", "N", STORE_COUNT(words.ngrams, 1, BAG_MAX_NGRAMS), texts,
     "sequences of up to N words are features, too; default 1"},
    {MIN_ROWS, FULL, NULL, "--min-rows", "K", STORE_COUNT(words.min_rows, 1, UINT32_MAX), texts,
     "leave out words that fewer than K rows have; default 2"},
    {MAX_FEATURES, FULL, NULL, "--max-features", "M",
     STORE_COUNT(words.max_features, 0, LARGEST_INDEX), texts,
     "keep the M most frequent words of a column; default 0, all"},
    {WEIGHTING, FULL, NULL, "--weighting", "W", STORE_WORD(words.weighting, map_weighting_names, 0),
     texts, "tf-idf (default), counts or binary"},
    {HASH, FULL, NULL, "--hash", "BITS", STORE_COUNT(words.hash_bits, 1, BAG_MAX_HASH_BITS), texts,
     "no vocabulary: 2^BITS features by hash values, in one pass"},

    {WEIGHT, FULL, NULL, "--weight", "COLUMN", STORE_BY(add_columns, weight, NULL), rows,
     "column of the weights of rows; write OUTPUT.weights for train -W"},
    {GROUP, FULL, NULL, "--group", "COLUMN", STORE_BY(add_columns, group, NULL), rows,
     "column of the groups of rows; write OUTPUT.groups for train --folds"},
    {TEST, BRIEF, NULL, "--test", "FILE", STORE(OUTPUT, test), rows,
     "write a share of the rows to FILE instead"},
    {SHARE, FULL, NULL, "--share", "S", STORE(POSITIVE, share), rows,
     "share of the rows for --test (default 0.25)"},
    {BY, FULL, NULL, "--by", "COLUMN", STORE_BY(add_columns, by, NULL), rows,
     "keep rows with the same value in this column in the same file"},
    {IN_ORDER, FULL, NULL, "--in-order", NULL, STORE(FLAG, in_order), rows,
     "take the last rows for --test"},
    {SEED, FULL, NULL, "--seed", "N", STORE_COUNT(seed, 0, 0), rows,
     "seed of the choice of rows for --test (default 1)"},

    {SAVE, BRIEF, "-s", "--save", "MAP", STORE(OUTPUT, save), maps,
     "save which columns and words became which numbers"},
    {RESTORE, BRIEF, "-r", "--restore", "MAP", STORE(INPUT, restore), maps,
     "convert new rows as the map says"},
    {LABELS, BRIEF, NULL, "--labels", "MAP", STORE(INPUT, labels), maps,
     "turn predicted labels back into words"},
    {APPEND, BRIEF, NULL, "--append", "PREDICTED", STORE(INPUT, append), maps,
     "with -r: write the table and its predictions"},

    {HEADER, BRIEF, NULL, "--header", "H", STORE_WORD(header, headers, HEADER_AUTO), tables,
     "names in the first line: auto, yes, no or skip"},
    {QUOTES, FULL, NULL, "--quotes", "Q", STORE_WORD(quotes, quotes, QUOTES_AUTO), tables,
     "a quote begins a field with separators: auto, yes or no"},
    {SEPARATOR, BRIEF, NULL, "--separator", "S",
     STORE_BY(read_separator, separator, map_separator_names), tables,
     "separator of columns; default: found in the first line"},
    {DECIMAL_COMMA, BRIEF, NULL, "--decimal-comma", NULL, STORE(FLAG, decimal_comma), tables,
     "5,1 is the number 5.1"},
    {THOUSANDS, FULL, NULL, "--thousands", NULL, STORE(FLAG, thousands), tables,
     "1,234 is the number 1234; with --decimal-comma, 1.234 is 1234"},

    {QUIET, BRIEF, "-q", "--quiet", NULL, STORE(FLAG, quiet), general, "print errors only"},
    OPTIONS_LAST(general),
};

static enum hinge_status check(void *state, uint64_t given, struct hinge_error *error)
{
    struct convert_settings *settings = state;

    if (!(given & BIT(MISSING)) && !settings->restore && !settings->strict_kinds)
        settings->missing = MISSING_AUTO;
    if (settings->append && !settings->restore)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "--append needs -r: the map says how to read the table");
    settings->no_labels |= settings->append != NULL;
    if (settings->restore && settings->missing == MISSING_COLUMN)
        return fail(
            error, HINGE_BAD_ARGUMENT,
            "--missing column and -r exclude each other: the map says which columns have one");
    if (settings->share >= 1)
        return fail(error, HINGE_BAD_ARGUMENT, "--share: a number between 0 and 1 expected");
    if (settings->by.count > 1)
        return fail(error, HINGE_BAD_ARGUMENT, "--by: given twice");
    if (settings->group.count && !settings->by.count && !settings->in_order)
        settings->by = settings->group;
    if ((settings->weight.count || settings->group.count) &&
        (!settings->output || strcmp(settings->output, "-") == 0))
        return fail(error, HINGE_BAD_ARGUMENT,
                    "--weight and --group need an output file: they write OUTPUT.weights and "
                    "OUTPUT.groups");
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
    /* clang-format off */
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
            {HASH, MIN_ROWS},        {HASH, MAX_FEATURES},     {LABELS, QUOTES},
            {0, 0}},
    /* clang-format on */
    .needs =
        (const struct option_pair[]){
            {SCALE, SAVE}, {SHARE, TEST}, {BY, TEST}, {IN_ORDER, TEST}, {SEED, TEST}, {0, 0}},
    .usage = "usage: @ [options] table [output]\n"
             "       @ --labels MAP predicted [output]\n"
             "Converts a table (CSV, TSV; - is standard input) to LIBSVM's format, or\n"
             "predicted labels to words. The default output is standard output.\n",
    .end = "\nExit status: 0 done, 1 bad table or map" OPTIONS_STATUSES,
    .check = check};
