/* convert_run.c - a table -> data, and back, numbers -> words: opens the table and finds its
 * separator, its columns and the first row, and writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/convert.h"
#include "cli/programs.h"
#include "cli/report.h"
#include "cli/text.h"
#include "data/guess.h"
#include "data/token.h"

/* ---- The beginning ----------------------------------------------------- */

/* Reads the next record, which must exist. */
static enum hinge_status read_record(struct conversion *conversion, const char *none,
                                     struct hinge_error *error)
{
    const struct table *table = &conversion->table;

    conversion->found = table_next(&conversion->table, error);
    if (conversion->found == 0)
        return table_fail(table, table->source.cursor, error, "%s", none);
    return conversion->found < 0 ? failure(error) : HINGE_OK;
}

/* Reads the record after the line of names, if there is one. */
static enum hinge_status skip_names(struct conversion *conversion, struct hinge_error *error)
{
    return conversion->header_seen
               ? read_record(conversion, "no rows after the line of names", error)
               : HINGE_OK;
}

enum hinge_status conversion_rewind(struct conversion *conversion, struct hinge_error *error)
{
    return table_rewind(&conversion->table, error) || read_record(conversion, "no rows", error)
               ? failure(error)
               : skip_names(conversion, error);
}

/* Finds the columns from the first record, which is the current one. Sets is_profiled to 1 if all
 * rows must be read before the first one is written: for the rows of a test, or for kinds, means or
 * words of columns. */
static enum hinge_status find_columns(struct conversion *conversion, struct hinge_error *error)
{
    const struct convert_settings *settings = conversion->settings;
    const struct table *table = &conversion->table;
    struct map *map = &conversion->map;
    const int needs_numbers =
        settings->missing == MISSING_MEAN || settings->missing == MISSING_AUTO || settings->scale;

    conversion->profile = array_new(settings->restore ? map->columns : table->width,
                                    sizeof *conversion->profile, error);
    conversion->header_seen = table->first_is_free;
    if (!conversion->profile || (!table->first_is_free && columns_choose(conversion, error)) ||
        (settings->append && appending_begin(conversion, error)) ||
        !(conversion->to = array_new(table->width, sizeof *conversion->to, error)))
        return failure(error);
    if (table->row_names && !conversion->header_seen)
        return table_fail(
            table, table->field->place, error,
            "one column fewer than the other lines have; if the line has the names of "
            "columns: --header yes");
    if (settings->restore) {
        if (columns_match(map, settings, table,
                          conversion->header_seen && settings->header != HEADER_SKIP,
                          conversion->to, error))
            return failure(error);
    } else {
        map->separator = table->separator;
        for (size_t k = 0; k < table->width; k++)
            conversion->to[k] = (long)k;
    }
    if (settings->missing != MISSING_REFUSED)
        map->missing = settings->missing;
    conversion->is_profiled = settings->test != NULL;
    for (size_t j = 0; j < map->columns; j++) {
        const enum column_kind kind = map->column[j].kind;
        char missing[32];

        if (settings->restore) {
            snprintf(missing, sizeof missing, "%lu missing", (unsigned long)j + 1);
            conversion->profile[j].marks_missing =
                dictionary_find(&map->others, missing, strlen(missing), "", 0) != DICTIONARY_NONE;
        } else if (kind == COLUMN_TEXT) {
            conversion->is_profiled |= !settings->words.hash_bits;
        } else if (column_has_number(kind) || kind == COLUMN_CATEGORY) {
            conversion->is_profiled |=
                needs_numbers || (!settings->strict_kinds && !conversion->profile[j].is_given);
        }
    }
    return HINGE_OK;
}

/* Opens the table and finds its columns. Reads all rows before the first one is written if
 * is_profiled is set. Call conversion_end on failure, too. */
static enum hinge_status conversion_begin(struct conversion *conversion,
                                          const struct convert_settings *settings,
                                          struct hinge_error *error)
{
    struct map *map = &conversion->map;
    struct table *table = &conversion->table;
    const struct source *source = &table->source;
    const struct column_list *spellings = &settings->missing_values;
    char separator = settings->separator, kind[GUESS_LENGTH];

    conversion->settings = settings;
    map->notation.decimal_comma = settings->decimal_comma;
    map->notation.thousands = settings->thousands;
    if (settings->restore && map_read(map, settings->restore, error))
        return failure(error);
    if (!separator)
        separator = map->separator;
    for (size_t k = 0; k < spellings->count; k++)
        for (const char *p = spellings->item[k], *end; *p; p = end + (*end == ',')) {
            uint32_t number;

            end = p + strcspn(p, ",");
            if (end > p &&
                dictionary_add(&map->notation.missing, p, (size_t)(end - p), "", 0, &number, error))
                return failure(error);
        }
    if (table_open(table, settings->data, separator, settings->decimal_comma, error))
        return failure(error);
    if (settings->quotes != QUOTES_AUTO) /* otherwise they are as the map says */
        map->notation.plain_quotes = settings->quotes == QUOTES_NO;
    table->plain_quotes = map->notation.plain_quotes;
    table->quotes_advice = "; --quotes no takes quotes as letters";
    table->first_is_free = settings->restore && settings->header == HEADER_SKIP;
    if (table_survey(table, map->columns,
                     settings->header != HEADER_NO && (!settings->restore || map->named), error) ||
        read_record(conversion, "no rows", error))
        return failure(error);
    /* A file of another kind could still be read as a table of words. A table with bars between
     * columns is not examined, because it may begin like Vowpal Wabbit's format. */
    if (!settings->restore && !settings->strict_kinds && table->separator != '|' &&
        source->before == 0 &&
        guess_format(source->buffer, source->end, source->exhausted, kind) == GUESS_OTHER)
        return table_fail(table, source->cursor, error, "no table");
    if (find_columns(conversion, error) || skip_names(conversion, error) ||
        (!settings->restore && columns_choose_label(conversion, error)) ||
        (conversion->is_profiled &&
         (source_keep(&table->source, error) || profiles_read(conversion, error))) ||
        map_find_fills(map, error))
        return failure(error);
    conversion->is_profiled |= settings->restore != NULL;
    return HINGE_OK;
}

static void conversion_end(struct conversion *conversion)
{
    table_close(&conversion->table);
    table_close(&conversion->predictions);
    free(conversion->names);
    for (size_t j = 0; conversion->profile && j < conversion->map.columns; j++)
        dictionary_free(&conversion->profile[j].distinct);
    map_free(&conversion->map);
    labels_free(&conversion->numbers);
    dictionary_free(&conversion->split.keys);
    free(conversion->split.part);
    dictionary_free(&conversion->groups);
    free(conversion->to);
    free(conversion->profile);
    free(conversion->entry);
}

/* ---- Words ------------------------------------------------------------- */

/* A conversion of predicted labels. */
struct wording {
    const struct convert_settings *settings;
    struct source source;
    struct map map;
    int complete;
};

/* Writes the lines with words instead of labels. The first word of a line is a label. In predict's
 * first line, "labels 1 2", all words but the first are. The word of a label is in quotes if it has
 * blanks and is not alone. */
static enum hinge_status write_lines(void *context, FILE *stream, struct hinge_error *error)
{
    struct wording *wording = context;
    struct source *source = &wording->source;
    const struct dictionary *classes = &wording->map.classes;
    const char *end;
    int found;

    while ((found = source_line(source, &end, error)) > 0 && !was_interrupted()) {
        struct source line = *source;
        const char *p = line.cursor, *special = " \t\"\n\r";
        const int named = line.line == 1 && end - p >= 7 && strncmp(p, "labels ", 7) == 0;
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
                if (token_number(&line, "label", p, word_end, &label, error))
                    return failure(error);
                if (!(label >= 1 && label <= classes->count) || label != (uint32_t)label)
                    return source_fail(&line, p, error, "%.*s is no label of %s",
                                       token_shown(p, word_end), p, wording->settings->labels);
                text_print_field(stream, dictionary_text(classes, (uint32_t)label - 1), special);
            }
            p = next ? next + 1 : end;
        }
        putc('\n', stream);
        if (source_skip_line(source, error))
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

/* ---- The run ----------------------------------------------------------- */

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
    const struct map *map = settings.labels ? &wording.map : &conversion.map;
    int complete;

    if (status != OPTIONS_RUN)
        return status;
    if (settings.labels) {
        write_words(&wording, &error);
    } else if (!files_check(&convert_program, &settings, FILES_WRITABLE, &error) &&
               !conversion_begin(&conversion, &settings, &error) &&
               !files_check(&convert_program, &settings, FILES_CONTENTS, &error)) {
        catch_interrupts();
        if (besides_open(&conversion, &error) ||
            report_write(settings.output, settings.append ? appending_write : conversion_write,
                         &conversion, &conversion.complete, &error))
            besides_close(&conversion, 0, &error);
        else if (!besides_close(&conversion, conversion.complete, &error) && conversion.complete &&
                 settings.save)
            map_write(&conversion.map, settings.save, &error);
    }
    complete = settings.labels ? wording.complete : conversion.complete;
    if (!error.status && complete && !settings.quiet) {
        if (!settings.labels)
            conversion_report(&conversion);
        if (map->notation.version == 1)
            report_say(settings.program,
                       "warning: %s is of version 1, which does not show if it was cut short or "
                       "changed; convert -s makes it anew",
                       settings.labels ? settings.labels : settings.restore);
        if (!settings.labels)
            conversion_warn(&conversion);
    }
    conversion_end(&conversion);
    source_close(&wording.source);
    map_free(&wording.map);
    if (was_interrupted() && !complete)
        return EXIT_INTERRUPTED;
    return error.status ? report_error(settings.program, &error)
                        : report_end(settings.program, HINGE_OK);
}
