/* convert_columns.c - "--ignore id,3": a column by its name or else by its number. */
#include "cli/convert.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/number.h"
#include "data/token.h"

/* ---- A line of names --------------------------------------------------- */

/* Adds the fields to names. Sets *may to 0 if two are equal, or one is a number or a date. */
static enum hinge_status gather_names(const struct table *table, struct dictionary *names, int *may,
                                      struct hinge_error *error)
{
    *may = 1;
    for (size_t k = 0; k < table->fields && *may; k++) {
        const struct field *field = &table->field[k];
        const uint32_t before = names->count;
        uint32_t number;
        double value;
        enum cell cell;

        if (field->length == 0)
            continue;
        if (dictionary_add(names, field->text, field->length, "", 0, &number, error))
            return failure(error);
        cell = cell_read(field->text, field->length, '.', &value);
        *may = number == before && (cell == CELL_TEXT || cell == CELL_MISSING);
    }
    *may &= names->count > 0;
    return HINGE_OK;
}

enum hinge_status columns_are_names(const struct table *table, const struct map *known, int *names,
                                    struct hinge_error *error)
{
    struct dictionary words = {0};
    enum hinge_status status = HINGE_OK;

    *names = 0;
    if (!known || known->named)
        status = gather_names(table, &words, names, error);
    if (known && *names) {
        *names = 0;
        for (size_t j = 0; j < known->columns && !*names; j++) {
            const char *name = known->column[j].name;

            *names = name && dictionary_find(&words, name, strlen(name), "", 0) != DICTIONARY_NONE;
        }
    }
    dictionary_free(&words);
    return status;
}

/* ---- By the options ---------------------------------------------------- */

enum { COLUMN_SEVERAL = -2 };

/* Returns the first column from j on with the name from p to end, or COLUMN_NONE. */
static long find_named(const struct map *map, size_t j, const char *p, const char *end)
{
    for (; j < map->columns; j++)
        if (map->column[j].name && is_word(p, end, map->column[j].name))
            return (long)j;
    return COLUMN_NONE;
}

/* Returns the column that the text from p to end names, COLUMN_SEVERAL if several have that name,
 * or COLUMN_NONE. */
static long find_column(const struct map *map, const char *p, const char *end)
{
    const long named = find_named(map, 0, p, end);
    uint64_t number;

    if (named != COLUMN_NONE)
        return find_named(map, (size_t)named + 1, p, end) == COLUMN_NONE ? named : COLUMN_SEVERAL;
    return number_parse_whole(p, map->columns, &number) == end && number >= 1 ? (long)number - 1
                                                                              : COLUMN_NONE;
}

/* Says why find_column has found none. */
static enum hinge_status fail_column(const struct map *map, const char *option, const char *p,
                                     const char *end, struct hinge_error *error)
{
    struct nearest nearest = nearest_begin(p, (size_t)(end - p));
    const long named = find_named(map, 0, p, end);

    if (named != COLUMN_NONE)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "%s: columns %ld and %ld have the name '%.*s'; give the number", option,
                    named + 1, find_named(map, (size_t)named + 1, p, end) + 1,
                    end - p > 100 ? 100 : (int)(end - p), p);
    for (size_t j = 0; j < map->columns; j++)
        if (map->column[j].name && !strpbrk(map->column[j].name, "\n\r"))
            nearest_try(&nearest, map->column[j].name, map->column[j].name);
    if (nearest.best)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: there is no column '%.*s'; did you mean %s?",
                    option, end - p > 100 ? 100 : (int)(end - p), p, nearest.best);
    return fail(error, HINGE_BAD_ARGUMENT, "%s: there is no column '%.*s'%s", option,
                end - p > 100 ? 100 : (int)(end - p), p,
                map->named ? "" : "; the table has no line of names");
}

/* Sets the kind of the columns in the list. A text that is a name stands for one column, even with
 * commas. */
static enum hinge_status set_kinds(struct map *map, const struct column_list *list,
                                   const char *option, enum column_kind kind,
                                   struct hinge_error *error)
{
    for (size_t k = 0; k < list->count; k++) {
        const char *p = list->item[k], *end = p + strlen(p);
        long column = find_column(map, p, end);

        for (;; p = end + 1) {
            if (column == COLUMN_NONE) {
                end = p + strcspn(p, ",");
                column = find_column(map, p, end);
            }
            if (column < 0)
                return fail_column(map, option, p, end, error);
            if (map->column[column].kind != COLUMN_NUMBER && map->column[column].kind != kind)
                return fail(error, HINGE_BAD_ARGUMENT, "%s: column '%.*s' is ignored", option,
                            (int)(end - p), p);
            map->column[column].kind = kind;
            column = COLUMN_NONE;
            if (*end == '\0')
                break;
        }
    }
    return HINGE_OK;
}

/* Chooses the column of the label. If it is a column of categories, labels are words. */
static enum hinge_status set_label(struct map *map, const struct convert_settings *settings,
                                   struct hinge_error *error)
{
    long column = (long)map->columns - 1;

    if (settings->no_labels)
        return HINGE_OK;
    if (settings->label) {
        const char *end = settings->label + strlen(settings->label);

        column = find_column(map, settings->label, end);
        if (column < 0)
            return fail_column(map, "--label", settings->label, end, error);
        if (map->column[column].kind == COLUMN_IGNORED)
            return fail(error, HINGE_BAD_ARGUMENT, "--label: column '%.200s' is ignored",
                        settings->label);
    }
    while (column > 0 && map->column[column].kind == COLUMN_IGNORED)
        column--;
    map->column[column].kind =
        map->column[column].kind == COLUMN_CATEGORY ? COLUMN_WORDS : COLUMN_LABEL;
    return HINGE_OK;
}

enum hinge_status columns_choose(struct map *map, const struct convert_settings *settings,
                                 const struct table *table, struct hinge_error *error)
{
    int used = 0;

    if (!(map->column = array_new(table->fields, sizeof *map->column, error)))
        return failure(error);
    for (; map->columns < table->fields; map->columns++) {
        const struct field *field = &table->field[map->columns];
        struct map_column *column = &map->column[map->columns];

        column->kind = COLUMN_NUMBER;
        if (!map->named || field->length == 0)
            continue;
        if (!(column->name = array_new(field->length + 1, 1, error)))
            return failure(error);
        memcpy(column->name, field->text, field->length);
    }
    if (set_kinds(map, &settings->ignore, "--ignore", COLUMN_IGNORED, error) ||
        set_kinds(map, &settings->categorical, "--categorical", COLUMN_CATEGORY, error) ||
        set_label(map, settings, error))
        return failure(error);
    map_count_numbers(map);
    for (size_t j = 0; j < map->columns; j++)
        used |= map->column[j].kind == COLUMN_NUMBER || map->column[j].kind == COLUMN_CATEGORY;
    return used ? HINGE_OK
                : table_fail(table, table->field->place, error, "no column is left for features");
}

/* ---- By a map ---------------------------------------------------------- */

/* Returns the column with the name of the field, or COLUMN_NONE. Searches from place on, and then
 * before it, because the names are mostly in the same order. */
static long find_name(const struct map *map, const struct field *field, size_t place)
{
    for (size_t k = 0; k < map->columns; k++) {
        const size_t j = (place + k) % map->columns;
        const char *name = map->column[j].name;

        if (is_word(field->text, field->text + field->length, name ? name : ""))
            return (long)j;
    }
    return COLUMN_NONE;
}

static enum hinge_status match_names(const struct map *map, const struct convert_settings *settings,
                                     const struct table *table, long *to, struct hinge_error *error)
{
    unsigned char *found = array_new(map->columns, 1, error);
    enum hinge_status status = HINGE_OK;
    size_t place = 0;

    if (!found)
        return failure(error);
    for (size_t k = 0; k < table->fields; k++) {
        to[k] = find_name(map, &table->field[k], place);
        if (to[k] != COLUMN_NONE && found[to[k]])
            to[k] = COLUMN_NONE;
        if (to[k] != COLUMN_NONE) {
            found[to[k]] = 1;
            place = (size_t)to[k] + 1;
        }
    }
    for (size_t j = 0; j < map->columns && !status; j++) {
        const enum column_kind kind = map->column[j].kind;
        const int label = kind == COLUMN_LABEL || kind == COLUMN_WORDS;
        char name[200];

        if (found[j] || kind == COLUMN_IGNORED || (label && settings->no_labels))
            continue;
        map_column_name(map, j, name, sizeof name);
        status = table_fail(table, table->field->place, error,
                            "there is no column '%s', as in %s%s", name, settings->restore,
                            label ? "; --no-labels converts rows without a label" : "");
    }
    free(found);
    return status;
}

enum hinge_status columns_match(const struct map *map, const struct convert_settings *settings,
                                const struct table *table, int named, long *to,
                                struct hinge_error *error)
{
    size_t label = 0;

    if (named && map->named)
        return match_names(map, settings, table, to, error);
    while (label < map->columns && map->column[label].kind != COLUMN_LABEL &&
           map->column[label].kind != COLUMN_WORDS)
        label++;
    if (table->fields == map->columns)
        label = map->columns;
    else if (table->fields + 1 != map->columns || label == map->columns || !settings->no_labels)
        return table_fail(table, table->field->place, error, "%lu columns where %s has %lu%s",
                          (unsigned long)table->fields, settings->restore,
                          (unsigned long)map->columns,
                          table->fields + 1 == map->columns && label < map->columns
                              ? "; --no-labels converts rows without a label"
                              : "");
    for (size_t k = 0; k < table->fields; k++)
        to[k] = (long)(k + (k >= label));
    return HINGE_OK;
}
