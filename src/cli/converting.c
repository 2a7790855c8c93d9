/* converting.c - a table -> data, and back, numbers -> words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/conversion.h"
#include "cli/convert_options.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/programs.h"
#include "cli/report.h"
#include "cli/text.h"
#include "data/token.h"

/* ---- The command line -------------------------------------------------- */

static void print_usage(const char *program, FILE *stream)
{
    fprintf(stream,
            "usage: %s [options] table [output]\n"
            "       %s --labels MAP predicted [output]\n"
            "Makes data in LIBSVM's format of a table (CSV, TSV; - is standard input), and\n"
            "words of predicted labels; to output, by default standard output.\n",
            program, program);
}

static enum hinge_status add_columns(struct column_list *list, const struct options *options,
                                     struct hinge_error *error)
{
    const size_t most = sizeof list->item / sizeof *list->item;

    if (list->count == most)
        return option_fail(options, error, "given too often");
    list->item[list->count++] = options->value;
    return HINGE_OK;
}

/* A word, or the character that it stands for. */
static enum hinge_status take_separator(struct convert_settings *settings,
                                        const struct options *options, struct hinge_error *error)
{
    const char character = options->value[0];
    int word;

    if (character && !options->value[1] && strchr(map_separators, character))
        settings->separator = character;
    else if ((word = option_word(options, error)) < 0)
        return failure(error);
    else
        settings->separator = map_separators[word];
    return HINGE_OK;
}

static enum hinge_status take(void *state, int key, const struct options *options,
                              struct hinge_error *error)
{
    struct convert_settings *settings = state;
    const char **const operands[] = {&settings->data, &settings->output};
    int word;

    switch (key) {
    case OPTIONS_OPERAND:
        return option_operand(options, operands, 2, error);
    case LABEL:
        settings->label = options->value;
        return HINGE_OK;
    case NO_LABELS:
        settings->no_labels = 1;
        return HINGE_OK;
    case IGNORE:
        return add_columns(&settings->ignore, options, error);
    case CATEGORICAL:
        return add_columns(&settings->categorical, options, error);
    case MISSING:
        word = option_word(options, error);
        settings->missing = (enum missing)(MISSING_ZERO + word);
        return word >= 0 ? HINGE_OK : failure(error);
    case SAVE:
        settings->save = options->value;
        return HINGE_OK;
    case RESTORE:
        settings->restore = options->value;
        return HINGE_OK;
    case LABELS:
        settings->labels = options->value;
        return HINGE_OK;
    case HEADER:
        word = option_word(options, error);
        settings->header = (enum header)word;
        return word >= 0 ? HINGE_OK : failure(error);
    case SEPARATOR:
        return take_separator(settings, options, error);
    case DECIMAL_COMMA:
        settings->decimal_comma = 1;
        return HINGE_OK;
    default:
        settings->quiet = 1;
        return HINGE_OK;
    }
}

static struct files list_files(const struct convert_settings *settings)
{
    const struct files files = {{{settings->labels ? "the labels" : "the table", settings->data, 0},
                                 {"-r", settings->restore, 0},
                                 {"--labels", settings->labels, 0}},
                                {{"the output", settings->output, 1}, {"-s", settings->save, 0}}};

    return files;
}

static enum hinge_status check(struct convert_settings *settings, struct hinge_error *error)
{
    static const int pairs[][2] = {
        {RESTORE, SAVE},         {RESTORE, LABEL},         {RESTORE, IGNORE},
        {RESTORE, CATEGORICAL},  {RESTORE, DECIMAL_COMMA}, {LABEL, NO_LABELS},
        {LABELS, LABEL},         {LABELS, NO_LABELS},      {LABELS, IGNORE},
        {LABELS, CATEGORICAL},   {LABELS, MISSING},        {LABELS, SAVE},
        {LABELS, RESTORE},       {LABELS, HEADER},         {LABELS, SEPARATOR},
        {LABELS, DECIMAL_COMMA},
    };
    struct files files;

    if (options_exclude(convert_options, settings->given, pairs, sizeof pairs / sizeof *pairs,
                        error))
        return failure(error);
    if (settings->restore && settings->missing == MISSING_COLUMN)
        return fail(
            error, HINGE_BAD_ARGUMENT,
            "--missing column and -r exclude each other: the map says which columns have one");
    if (settings->decimal_comma && settings->separator == ',')
        return fail(error, HINGE_BAD_ARGUMENT,
                    "--decimal-comma and --separator comma exclude each other");
    if (!settings->data)
        return fail(error, HINGE_BAD_ARGUMENT, "no %s file given",
                    settings->labels ? "labels" : "table");
    if (!settings->output)
        settings->output = "-";
    files = list_files(settings);
    return files_check(&files, error);
}

static enum hinge_status parse(struct convert_settings *settings, int argc, char **argv, int *ended,
                               struct hinge_error *error)
{
    static const struct reading reading = {
        .table = convert_options,
        .print_usage = print_usage,
        .take = take,
        .end = "\nExit status: 0 done, 1 bad table or map" OPTIONS_STATUSES};

    if (options_read(&reading, argc, argv, settings, &settings->given, ended, error))
        return failure(error);
    return *ended ? HINGE_OK : check(settings, error);
}

/* ---- A table ----------------------------------------------------------- */

enum { CLASSES_SHOWN = 10 };

/* Prints the beginning of a name on one line, which no character is cut in two for. */
static void print_name(const char *name, FILE *stream)
{
    char shown[41];
    size_t length = strlen(name);

    if (length >= sizeof shown)
        for (length = sizeof shown - 1; length > 0 && (name[length] & 0xc0) == 0x80;)
            length--;
    snprintf(shown, sizeof shown, "%.*s", (int)length, name);
    text_print(stream, shown);
}

/* Prints what the rows are, to standard error if they go to standard output. */
static void report(const struct conversion *conversion)
{
    const struct convert_settings *settings = conversion->settings;
    const struct map *map = &conversion->map;
    FILE *stream = strcmp(settings->output, "-") == 0 ? stderr : stdout;

    fprintf(stream, "%llu rows, %lu features", conversion->rows, (unsigned long)map_features(map));
    if (conversion->missing)
        fprintf(stream, ", %llu missing value%s", conversion->missing,
                conversion->missing == 1 ? "" : "s");
    putc('\n', stream);
    for (size_t j = 0; j < map->columns; j++) {
        char name[100];

        if (map->column[j].kind != COLUMN_LABEL && map->column[j].kind != COLUMN_WORDS)
            continue;
        map_column_name(map, j, name, sizeof name);
        fputs("label = ", stream);
        print_name(name, stream);
        for (uint32_t k = 0; k < map->classes.count && k < CLASSES_SHOWN; k++) {
            fprintf(stream, "%s %lu = ", k ? "," : ":", (unsigned long)k + 1);
            print_name(dictionary_text(&map->classes, k), stream);
        }
        fputs(map->classes.count > CLASSES_SHOWN ? ", ...\n" : "\n", stream);
    }
    if (stream == stdout && !settings->restore)
        advise_training(settings->called, settings->output);
}

/* True if 0 may be a label: no word has the number 0, but the map does not list labels that are
 * numbers. */
static int may_be_label(const struct map *map)
{
    for (size_t j = 0; j < map->columns; j++)
        if (map->column[j].kind == COLUMN_LABEL)
            return 1;
    return 0;
}

/* True if the first row may be a line of names. Such a line is taken for a row if a number is among
 * the names, or one of them comes twice. Its label is then a class of its own, while rows of data
 * share theirs. */
static int may_be_names(const struct conversion *conversion)
{
    const struct convert_settings *settings = conversion->settings;

    return !settings->restore && settings->header == HEADER_AUTO && !conversion->header_seen &&
           conversion->first_class == 1 && conversion->rows > conversion->map.classes.count;
}

static void warn(const struct conversion *conversion)
{
    if (may_be_names(conversion))
        report_say(conversion->settings->program,
                   "warning: no other row has the label '%.100s' of the first one: if that line "
                   "has the names of columns, give --header yes",
                   dictionary_text(&conversion->map.classes, 0));
    if (conversion->unlabelled && may_be_label(&conversion->map))
        report_say(conversion->settings->program,
                   "warning: %llu labels became 0, which may be a class, as the labels of %s are "
                   "numbers: give predict --no-labels",
                   conversion->unlabelled, conversion->settings->restore);
    if (conversion->unknown)
        report_say(conversion->settings->program,
                   "warning: %llu values left out, of categories that %s does not have",
                   conversion->unknown, conversion->settings->restore);
    if (conversion->unmarked)
        report_say(conversion->settings->program,
                   "warning: %llu missing values became 0, of columns in which no value was "
                   "missing when %s was made",
                   conversion->unmarked, conversion->settings->restore);
}

static enum hinge_status convert_table(struct conversion *conversion,
                                       const struct convert_settings *settings,
                                       struct hinge_error *error)
{
    const struct files files = list_files(settings);

    catch_interrupts();
    if (settings->save && output_check(settings->save, error))
        return failure(error);
    release_interrupts();
    if (conversion_begin(conversion, settings, error) || files_compare(&files, error))
        return failure(error);
    catch_interrupts();
    if (report_write(settings->output, conversion_write, conversion, &conversion->complete, error))
        return failure(error);
    if (!conversion->complete)
        return HINGE_OK;
    return settings->save ? map_write(&conversion->map, settings->save, error) : HINGE_OK;
}

/* ---- Words ------------------------------------------------------------- */

struct wording {
    const struct convert_settings *settings;
    struct source source;
    struct map map;
    int complete;
};

/* Writes the label from p to end as its word, in quotes if it has blanks and is one of several. */
static enum hinge_status write_label(const struct wording *wording, const char *p, const char *end,
                                     int several, FILE *stream, struct hinge_error *error)
{
    struct source source = wording->source;
    double label;

    if (token_number(&source, "label", p, end, &label, error))
        return failure(error);
    if (!(label >= 1 && label <= wording->map.classes.count) || label != (uint32_t)label)
        return source_fail(&wording->source, p, error, "%.*s is no label of %s",
                           token_shown(p, end), p, wording->settings->labels);
    text_print_field(stream, dictionary_text(&wording->map.classes, (uint32_t)label - 1),
                     several ? " \t\"\n\r" : "\"\n\r");
    return HINGE_OK;
}

/* Writes the line from the cursor to end: its first word is a label, or it is predict's line of
 * labels, which stand after the word. */
static enum hinge_status write_line(const struct wording *wording, const char *end, FILE *stream,
                                    struct hinge_error *error)
{
    const char *p = wording->source.cursor;
    const int named = wording->source.line == 1 && end - p >= 7 && strncmp(p, "labels ", 7) == 0;
    int several;

    while (end > p && (is_blank(end[-1]) || end[-1] == '\r'))
        end--;
    several = memchr(p, ' ', (size_t)(end - p)) != NULL;
    for (int k = 0; p < end; k++) {
        const char *next = memchr(p, ' ', (size_t)(end - p)), *word_end = next ? next : end;
        const int is_label = wording->map.classes.count > 0 && (named ? k > 0 : k == 0);

        if (k > 0)
            putc(' ', stream);
        if (!is_label)
            fwrite(p, 1, (size_t)(word_end - p), stream);
        else if (write_label(wording, p, word_end, several, stream, error))
            return failure(error);
        p = next ? next + 1 : end;
    }
    putc('\n', stream);
    return HINGE_OK;
}

static enum hinge_status write_lines(void *context, FILE *stream, struct hinge_error *error)
{
    struct wording *wording = context;
    struct source *source = &wording->source;
    const char *end;
    int found;

    while ((found = source_line(source, &end, error)) > 0 && !was_interrupted()) {
        if (write_line(wording, end, stream, error) || source_skip_line(source, error))
            return failure(error);
    }
    return found < 0 ? failure(error) : HINGE_OK;
}

static enum hinge_status write_words(struct wording *wording, struct hinge_error *error)
{
    const struct convert_settings *settings = wording->settings;
    const struct files files = list_files(settings);

    if (map_read(&wording->map, settings->labels, error) ||
        source_open(&wording->source, settings->data, error) || files_compare(&files, error))
        return failure(error);
    catch_interrupts();
    return report_write(settings->output, write_lines, wording, &wording->complete, error);
}

/* ---- Beginning and end ------------------------------------------------- */

static int run(const struct convert_settings *settings)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct conversion conversion = {.settings = settings};
    struct wording wording = {.settings = settings};
    const int failed =
        (settings->labels ? write_words(&wording, &error)
                          : convert_table(&conversion, settings, &error)) != HINGE_OK;
    const int complete = wording.complete || conversion.complete;

    if (!failed && conversion.complete && !settings->quiet) {
        report(&conversion);
        warn(&conversion);
    }
    conversion_end(&conversion);
    source_close(&wording.source);
    map_free(&wording.map);
    if (was_interrupted() && !complete)
        return EXIT_INTERRUPTED;
    return failed ? report_error(settings->program, &error)
                  : report_end(settings->program, HINGE_OK);
}

int converting_run(int argc, char **argv)
{
    struct convert_settings settings = {.called = argv[0], .program = program_name(argv[0])};
    struct hinge_error error;
    int ended = 0;

    forget_interrupt();
    if (argc < 2)
        return report_usage(settings.program, print_usage);
    if (parse(&settings, argc, argv, &ended, &error))
        return report_error(settings.program, &error);
    return ended ? report_end(settings.program, HINGE_OK) : run(&settings);
}
