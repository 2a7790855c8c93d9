/* convert_begin.c - opens a table: its separator, its columns, the first row; and closes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/convert.h"
#include "data/guess.h"

/* Reads the next record; fails if there is none. */
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

/* True if writing the first row needs what only all rows tell: the rows for a test, or kinds, means
 * or words of columns. */
static int reads_twice(const struct conversion *conversion)
{
    const struct convert_settings *settings = conversion->settings;
    const int needs_means = settings->missing == MISSING_MEAN || settings->missing == MISSING_AUTO;

    if (settings->test)
        return 1;
    for (size_t j = 0; j < conversion->map.columns && !settings->restore; j++) {
        const enum column_kind kind = conversion->map.column[j].kind;

        if (kind == COLUMN_TEXT
                ? !settings->words.hash_bits
                : (column_has_number(kind) || kind == COLUMN_CATEGORY) &&
                      (needs_means || settings->scale ||
                       (!settings->strict_kinds && !conversion->profile[j].is_given)))
            return 1;
    }
    return 0;
}

/* Finds the columns from the first record, which is the current one. */
static enum hinge_status find_columns(struct conversion *conversion, struct hinge_error *error)
{
    const struct convert_settings *settings = conversion->settings;
    const struct table *table = &conversion->table;
    struct map *map = &conversion->map;

    conversion->profile = array_new(settings->restore ? map->columns : table->width,
                                    sizeof *conversion->profile, error);
    if (!conversion->profile || columns_choose(conversion, error) ||
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
    for (size_t j = 0; settings->restore && j < map->columns; j++) {
        char missing[32];

        snprintf(missing, sizeof missing, "%lu missing", (unsigned long)j + 1);
        conversion->profile[j].marks_missing =
            dictionary_find(&map->others, missing, strlen(missing), "", 0) != DICTIONARY_NONE;
    }
    return HINGE_OK;
}

/* Adds the spellings of missing values that the lists name, separated by commas. */
static enum hinge_status add_spellings(struct dictionary *spellings,
                                       const struct column_list *lists, struct hinge_error *error)
{
    for (size_t k = 0; k < lists->count; k++)
        for (const char *p = lists->item[k], *end; *p; p = end + (*end == ',')) {
            uint32_t number;

            end = p + strcspn(p, ",");
            if (end > p && dictionary_add(spellings, p, (size_t)(end - p), "", 0, &number, error))
                return failure(error);
        }
    return HINGE_OK;
}

enum hinge_status conversion_begin(struct conversion *conversion,
                                   const struct convert_settings *settings,
                                   struct hinge_error *error)
{
    struct map *map = &conversion->map;
    struct table *table = &conversion->table;
    const struct source *source = &table->source;
    char separator = settings->separator, kind[GUESS_LENGTH];

    conversion->settings = settings;
    map->notation.decimal_comma = settings->decimal_comma;
    map->notation.thousands = settings->thousands;
    if (settings->restore && map_read(map, settings->restore, error))
        return failure(error);
    if (!separator)
        separator = map->separator;
    if (add_spellings(&map->notation.missing, &settings->missing_values, error) ||
        table_open(table, settings->data, separator, settings->decimal_comma, error) ||
        table_survey(table, map->columns,
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
        ((conversion->is_profiled = reads_twice(conversion)) &&
         (source_keep(&table->source, error) || profiles_read(conversion, error))) ||
        map_find_fills(map, error))
        return failure(error);
    conversion->is_profiled |= settings->restore != NULL;
    return HINGE_OK;
}

void conversion_end(struct conversion *conversion)
{
    table_close(&conversion->table);
    table_close(&conversion->predictions);
    free(conversion->names);
    for (size_t j = 0; conversion->profile && j < conversion->map.columns; j++)
        dictionary_free(&conversion->profile[j].distinct);
    map_free(&conversion->map);
    labels_free(&conversion->numbers);
    split_free(&conversion->split);
    dictionary_free(&conversion->groups);
    free(conversion->to);
    free(conversion->profile);
    free(conversion->entry);
}
