/* convert_run.c - a table -> data, and back, numbers -> words. */
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/convert.h"
#include "cli/programs.h"
#include "cli/report.h"
#include "cli/text.h"
#include "data/token.h"

/* ---- A table ----------------------------------------------------------- */

enum { CLASSES_SHOWN = 10 };

/* Prints the beginning of a name on one line, which no character is cut in two for. */
static void print_name(const char *name, FILE *stream)
{
    char shown[41];

    snprintf(shown, sizeof shown, "%.*s", (int)text_cut(name, sizeof shown - 1), name);
    text_print(stream, shown);
}

/* True if two columns are of the same kind, and have as many features and no missing values. */
static int is_alike(const struct conversion *conversion, size_t one, size_t other)
{
    const struct column_profile *p = &conversion->profile[one], *q = &conversion->profile[other];

    return conversion->map.column[one].kind != COLUMN_TEXT && p->finding == q->finding &&
           p->features == q->features && p->missing == 0 && q->missing == 0 &&
           conversion->map.column[one].kind == conversion->map.column[other].kind;
}

/* Prints the columns as the first reading has found them: number, kind, features, missing values,
 * name. Columns of numbers that follow one another share a line. */
static void print_columns(const struct conversion *conversion, FILE *stream)
{
    enum { MOST = 100, SAME = 5 }; /* lines; least number of columns that share one */
    static const char *const found[] = {
        [FOUND_NUMBER] = "number",     [FOUND_YES_NO] = "yes/no", [FOUND_CATEGORY] = "category",
        [FOUND_DATE] = "date",         [FOUND_TEXT] = "text",     [FOUND_IDENTIFIER] = "identifier",
        [FOUND_CONSTANT] = "constant", [FOUND_EMPTY] = "empty"};
    static const char *const given[] = {
        [COLUMN_IGNORED] = "ignored", [COLUMN_NUMBER] = "number", [COLUMN_CATEGORY] = "category",
        [COLUMN_LABEL] = "label",     [COLUMN_WORDS] = "label",   [COLUMN_DATE] = "date",
        [COLUMN_TEXT] = "text",       [COLUMN_WEIGHT] = "weight", [COLUMN_GROUP] = "group"};
    const struct map *map = &conversion->map;
    size_t lines = 0, next;

    fputs("column  kind        features  missing  name\n", stream);
    for (size_t j = 0; j < map->columns; j = next) {
        const struct column_profile *profile = &conversion->profile[j];
        const enum column_kind kind = map->column[j].kind;
        const unsigned long features = profile->features + (unsigned long)column_has_number(kind) +
                                       (kind == COLUMN_TEXT ? bag_features(map->column[j].bag) : 0);
        char columns[24], count[24];

        for (next = j + 1; next < map->columns && is_alike(conversion, j, next);)
            next++;
        if (next - j < SAME)
            next = j + 1;
        if (lines++ == MOST) {
            unsigned long left_out = 0;

            for (size_t k = j; k < map->columns; k++)
                left_out += map->column[k].kind == COLUMN_IGNORED;
            fprintf(stream, "... %lu more columns, %lu of them left out\n",
                    (unsigned long)(map->columns - j), left_out);
            break;
        }
        snprintf(columns, sizeof columns, next - j > 1 ? "%lu-%lu" : "%lu", (unsigned long)j + 1,
                 (unsigned long)next);
        snprintf(count, sizeof count, kind == COLUMN_IGNORED ? "left out" : "%lu",
                 features * (next - j));
        fprintf(stream, "%6s  %-10s  %8s  %7llu", columns,
                profile->finding ? found[profile->finding] : given[kind],
                kind == COLUMN_LABEL || kind == COLUMN_WORDS ? "" : count,
                (unsigned long long)profile->missing);
        if (map->column[j].name) {
            fputs("  ", stream);
            print_name(map->column[j].name, stream);
        }
        if (next - j > 1 && map->column[next - 1].name) {
            fputs(" ... ", stream);
            print_name(map->column[next - 1].name, stream);
        }
        putc('\n', stream);
    }
}

/* Prints what the rows are, to standard error if they go to standard output. */
static void report(const struct conversion *conversion)
{
    const struct convert_settings *settings = conversion->settings;
    const struct map *map = &conversion->map;
    FILE *stream = strcmp(settings->output, "-") == 0 ? stderr : stdout;

    if (conversion->rows_read > 0 && !settings->strict_kinds)
        print_columns(conversion, stream);
    report_count(stream, conversion->rows, "row", settings->append ? "\n" : ", ");
    if (settings->append)
        return;
    report_count(stream, map_features(map), "feature", conversion->missing ? ", " : "\n");
    if (conversion->missing)
        report_count(stream, conversion->missing, "missing value", "\n");
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
    if (settings->test) {
        fprintf(stream, "%llu of the rows are in ", conversion->split.rows);
        text_print(stream, settings->test);
        putc('\n', stream);
    }
    if (stream == stdout && !settings->restore)
        advise_training(
            settings->called, settings->output, settings->save, settings->weight.count > 0,
            settings->group.count > 0 ? conversion->groups.count : 0,
            are_numbers(conversion->numbers.count, conversion->fractions, conversion->rows));
}

/* Warns of columns that number the rows: if the rows are in the order of their labels, such a
 * column gives the labels away, and new rows do not have it. Warns of dates in which no day is
 * beyond 12, and of texts in which no word is in enough rows to be a feature. */
static void warn_of_columns(const struct conversion *conversion)
{
    const struct map *map = &conversion->map;
    const char *program = conversion->settings->program;
    const int is_new = !conversion->settings->restore;

    for (size_t j = 0; j < map->columns && is_new; j++)
        if (map->column[j].kind == COLUMN_NUMBER && !conversion->profile[j].is_given &&
            profile_is_row_number(conversion, j))
            report_say(program,
                       "warning: column %lu has no name and its numbers are like those of rows, "
                       "which new rows do not have: --ignore %lu leaves it out",
                       (unsigned long)j + 1, (unsigned long)j + 1);
    for (size_t j = 0; j < map->columns; j++)
        if (conversion->profile[j].is_ambiguous && map->column[j].kind == COLUMN_DATE)
            report_say(
                program,
                "warning: column %lu: its dates are read as %s, but no day is beyond 12; write "
                "them as year-month-day if that is wrong",
                (unsigned long)j + 1, date_order_words[map->column[j].order]);
    for (size_t j = 0; j < map->columns && is_new; j++)
        if (map->column[j].bag && bag_features(map->column[j].bag) == 0)
            report_say(program,
                       "warning: column %lu has no features: no word of two letters is in as many "
                       "rows as --min-rows says, %lu",
                       (unsigned long)j + 1, (unsigned long)map->column[j].bag->settings.min_rows);
}

/* Warns of a map that has no checksum. */
static void warn_of_version(const struct convert_settings *settings, const struct map *map,
                            const char *path)
{
    if (map->notation.version == 1)
        report_say(
            settings->program,
            "warning: %s is of version 1, which does not show if it was cut short or changed; "
            "convert -s makes it anew",
            path);
}

static void warn(const struct conversion *conversion)
{
    const struct convert_settings *settings = conversion->settings;
    int has_numbers = 0; /* labels are numbers, and 0 may be one; no word has the number 0 */

    for (size_t j = 0; j < conversion->map.columns; j++)
        has_numbers |= conversion->map.column[j].kind == COLUMN_LABEL;

    warn_of_version(settings, &conversion->map, settings->restore);
    warn_of_columns(conversion);
    if (conversion->table.row_names && !settings->restore &&
        conversion->map.column->kind == COLUMN_IGNORED)
        report_say(settings->program, "column 1 has no name, as names of rows have none in tables "
                                      "of R; it is left out, as --ignore 1 does");
    if (conversion->header_doubtful)
        report_say(settings->program, "warning: the first line is taken for names of columns; if "
                                      "it is a row, give --header no");
    /* A line of names is taken for a row if a number is among the names, or one of them comes
     * twice. Its label is then a class of its own, while rows of data share theirs. */
    if (!settings->restore && settings->header == HEADER_AUTO && !conversion->header_seen &&
        conversion->table.separator != TABLE_LINES && conversion->first_class == 1 &&
        conversion->rows > conversion->map.classes.count)
        report_say(settings->program,
                   "warning: no other row has the label '%.100s' of the first one: if that line "
                   "has the names of columns, give --header yes",
                   dictionary_text(&conversion->map.classes, 0));
    if (conversion->unlabelled && has_numbers)
        report_say(settings->program,
                   "warning: %llu labels became 0, which may be a class, as the labels of %s are "
                   "numbers: give predict --no-labels",
                   conversion->unlabelled, settings->restore);
    if (conversion->unknown)
        report_say(settings->program,
                   "warning: %llu values left out, of categories that %s does not have",
                   conversion->unknown, settings->restore);
    if (conversion->unmarked)
        report_say(settings->program,
                   "warning: %llu missing values became 0, of columns in which no value was "
                   "missing when %s was made",
                   conversion->unmarked, settings->restore);
}

static enum hinge_status convert_table(struct conversion *conversion,
                                       const struct convert_settings *settings,
                                       struct hinge_error *error)
{
    if (files_check(&convert_program, settings, FILES_WRITABLE, error))
        return failure(error);
    if (conversion_begin(conversion, settings, error) ||
        files_check(&convert_program, settings, FILES_CONTENTS, error))
        return failure(error);
    catch_interrupts();
    if (besides_open(conversion, error) ||
        report_write(settings->output, settings->append ? appending_write : conversion_write,
                     conversion, &conversion->complete, error)) {
        besides_close(conversion, 0, error);
        return failure(error);
    }
    if (besides_close(conversion, conversion->complete, error))
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

/* Writes the line from the cursor to end: its first word is a label, or it is predict's line of
 * labels, which stand after the word. The word of a label is in quotes if it has blanks and is not
 * alone. */
static enum hinge_status write_line(const struct wording *wording, const char *end, FILE *stream,
                                    struct hinge_error *error)
{
    const struct dictionary *classes = &wording->map.classes;
    struct source source = wording->source;
    const char *p = source.cursor, *special = " \t\"\n\r";
    const int named = source.line == 1 && end - p >= 7 && strncmp(p, "labels ", 7) == 0;
    double label;

    while (end > p && (is_blank(end[-1]) || end[-1] == '\r'))
        end--;
    if (!memchr(p, ' ', (size_t)(end - p)))
        special = "\"\n\r";
    for (int k = 0; p < end; k++) {
        const char *next = memchr(p, ' ', (size_t)(end - p)), *word_end = next ? next : end;

        if (k > 0)
            putc(' ', stream);
        if (classes->count == 0 || (k > 0) != named) {
            fwrite(p, 1, (size_t)(word_end - p), stream);
        } else {
            if (token_number(&source, "label", p, word_end, &label, error))
                return failure(error);
            if (!(label >= 1 && label <= classes->count) || label != (uint32_t)label)
                return source_fail(&source, p, error, "%.*s is no label of %s",
                                   token_shown(p, word_end), p, wording->settings->labels);
            text_print_field(stream, dictionary_text(classes, (uint32_t)label - 1), special);
        }
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

    if (map_read(&wording->map, settings->labels, error) ||
        source_open(&wording->source, settings->data, error) ||
        files_check(&convert_program, settings, FILES_CONTENTS, error))
        return failure(error);
    catch_interrupts();
    return report_write(settings->output, write_lines, wording, &wording->complete, error);
}

/* ---- Beginning and end ------------------------------------------------- */

int converting_run(int argc, char **argv)
{
    struct convert_settings settings = {.called = argv[0],
                                        .program = program_name(argv[0]),
                                        .words = {.ngrams = 1, .min_rows = 2, .keeps = 1},
                                        .share = 0.25,
                                        .seed = 1};
    const int status = options_begin(&convert_program, &settings, argc, argv);
    struct hinge_error error = {HINGE_OK, ""};
    struct conversion conversion = {.settings = &settings};
    struct wording wording = {.settings = &settings};
    int failed;

    if (status != OPTIONS_RUN)
        return status;
    failed = (settings.labels ? write_words(&wording, &error)
                              : convert_table(&conversion, &settings, &error)) != HINGE_OK;
    if (!failed && conversion.complete && !settings.quiet) {
        report(&conversion);
        warn(&conversion);
    }
    if (wording.complete && !settings.quiet)
        warn_of_version(&settings, &wording.map, settings.labels);
    conversion_end(&conversion);
    source_close(&wording.source);
    map_free(&wording.map);
    if (was_interrupted() && !wording.complete && !conversion.complete)
        return EXIT_INTERRUPTED;
    return failed ? report_error(settings.program, &error) : report_end(settings.program, HINGE_OK);
}
