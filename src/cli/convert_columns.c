/* convert_columns.c - "--ignore id,3": a column by its name or else by its number. */
#include "cli/convert.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/report.h"
#include "data/number.h"

/* ---- By the options ---------------------------------------------------- */

enum { COLUMN_SEVERAL = -2 };

/* The columns of each name. */
struct name_index {
    const struct map *map;
    struct dictionary names;
    long *first; /* [names.count] a column with the name, or COLUMN_NONE */
    long *next;  /* [map->columns] the next one with the same name, or COLUMN_NONE */
};

/* Lists the columns by their names. Call index_free on failure, too. Columns without a name have
 * the name "". */
static enum hinge_status index_names(struct name_index *index, const struct map *map,
                                     struct hinge_error *error)
{
    *index = (struct name_index){.map = map};
    if (!(index->first = array_new(map->columns, sizeof *index->first, error)) ||
        !(index->next = array_new(map->columns, sizeof *index->next, error)))
        return failure(error);
    for (size_t j = map->columns; j-- > 0;) {
        const char *name = map->column[j].name ? map->column[j].name : "";
        const uint32_t before = index->names.count;
        uint32_t number;

        if (dictionary_add(&index->names, name, strlen(name), "", 0, &number, error))
            return failure(error);
        index->next[j] = number == before ? COLUMN_NONE : index->first[number];
        index->first[number] = (long)j;
    }
    return HINGE_OK;
}

static void index_free(struct name_index *index)
{
    dictionary_free(&index->names);
    free(index->first);
    free(index->next);
}

/* Returns the first column with the name from p to end, or COLUMN_NONE. */
static long find_named(const struct name_index *index, const char *p, const char *end)
{
    const uint32_t number = dictionary_find(&index->names, p, (size_t)(end - p), "", 0);

    return number == DICTIONARY_NONE ? COLUMN_NONE : index->first[number];
}

/* Returns the column that the text from p to end names, COLUMN_SEVERAL if several have that name,
 * or COLUMN_NONE. */
static long find_column(const struct name_index *index, const char *p, const char *end)
{
    const long named = p < end ? find_named(index, p, end) : COLUMN_NONE;
    uint64_t number;

    if (named != COLUMN_NONE)
        return index->next[named] == COLUMN_NONE ? named : COLUMN_SEVERAL;
    return number_parse_whole(p, index->map->columns, &number) == end && number >= 1
               ? (long)number - 1
               : COLUMN_NONE;
}

/* Says why find_column has found none. */
static enum hinge_status fail_column(const struct name_index *index, const char *option,
                                     const char *p, const char *end, struct hinge_error *error)
{
    const struct map *map = index->map;
    struct nearest nearest = nearest_begin(p, (size_t)(end - p));
    const long named = p < end ? find_named(index, p, end) : COLUMN_NONE;

    if (named != COLUMN_NONE)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "%s: columns %ld and %ld have the name '%.*s'; give the number", option,
                    named + 1, index->next[named] + 1, end - p > 100 ? 100 : (int)(end - p), p);
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

/* Gives the columns in the list their kind. A text that is a name stands for one column, even with
 * commas. */
static enum hinge_status set_kinds(struct conversion *conversion, const struct name_index *index,
                                   const struct column_list *list, const char *option,
                                   enum column_kind kind, struct hinge_error *error)
{
    struct map *map = &conversion->map;
    size_t found = 0;

    for (size_t k = 0; k < list->count; k++) {
        const char *p = list->item[k], *end = p + strlen(p);
        long column = find_column(index, p, end);

        for (;; p = end + 1) {
            if (column == COLUMN_NONE) {
                end = p + strcspn(p, ",");
                column = find_column(index, p, end);
            }
            if (column < 0)
                return fail_column(index, option, p, end, error);
            if (found++ > 0 && (kind == COLUMN_WEIGHT || kind == COLUMN_GROUP))
                return fail(error, HINGE_BAD_ARGUMENT, "%s: only one column is possible", option);
            if (conversion->profile[column].is_given && map->column[column].kind != kind)
                return fail(error, HINGE_BAD_ARGUMENT, "%s: column '%.*s' is %s", option,
                            (int)(end - p), p,
                            map->column[column].kind == COLUMN_IGNORED
                                ? "ignored"
                                : "of another kind by another option");
            map->column[column].kind = kind;
            conversion->profile[column].is_given = 1;
            column = COLUMN_NONE;
            if (*end == '\0')
                break;
        }
    }
    return HINGE_OK;
}

static int is_no_label(const struct map_column *column)
{
    return column->kind == COLUMN_IGNORED || column->kind == COLUMN_TEXT ||
           column->kind == COLUMN_WEIGHT || column->kind == COLUMN_GROUP;
}

/* Chooses the column of the label: the one that --label names, or the only one whose name says that
 * it is the label, or the last one. If it is a column of categories, labels are words. */
static enum hinge_status set_label(struct map *map, const struct name_index *index,
                                   const struct convert_settings *settings,
                                   struct hinge_error *error)
{
    static const char *const names[] = {"label", "class", "target"};
    long column = (long)map->columns - 1;
    size_t found = 0;

    if (settings->no_labels)
        return HINGE_OK;
    if (settings->label) {
        const char *end = settings->label + strlen(settings->label);

        column = find_column(index, settings->label, end);
        if (column < 0)
            return fail_column(index, "--label", settings->label, end, error);
        if (is_no_label(&map->column[column]))
            return fail(error, HINGE_BAD_ARGUMENT, "--label: column '%.200s' is %s",
                        settings->label,
                        map->column[column].kind == COLUMN_TEXT      ? "text"
                        : map->column[column].kind == COLUMN_IGNORED ? "ignored"
                                                                     : "that of weights or groups");
    }
    for (size_t j = 0; j < map->columns && !settings->label && !settings->strict_kinds; j++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const char *name = map->column[j].name, *p = names[k];

            while (name && *p && (*name == *p || *name == *p - 'a' + 'A'))
                name++, p++;
            if (name && !*p && !*name && !is_no_label(&map->column[j]))
                column = found++ ? (long)map->columns - 1 : (long)j;
        }
    while (column > 0 && is_no_label(&map->column[column]))
        column--;
    if (map->column[column].kind == COLUMN_TEXT)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "no column is left for the label; --no-labels converts rows without one");
    map->column[column].kind =
        map->column[column].kind == COLUMN_CATEGORY ? COLUMN_WORDS : COLUMN_LABEL;
    return HINGE_OK;
}

enum hinge_status columns_fill_map(struct conversion *conversion, struct hinge_error *error)
{
    const struct convert_settings *settings = conversion->settings;
    const struct table *table = &conversion->table;
    struct map *map = &conversion->map;
    const struct {
        const struct column_list *list;
        const char *option;
        enum column_kind kind;
    } given[] = {{&settings->ignore, "--ignore", COLUMN_IGNORED},
                 {&settings->number, "--number", COLUMN_NUMBER},
                 {&settings->categorical, "--categorical", COLUMN_CATEGORY},
                 {&settings->date, "--date", COLUMN_DATE},
                 {&settings->text, "--text", COLUMN_TEXT},
                 {&settings->weight, "--weight", COLUMN_WEIGHT},
                 {&settings->group, "--group", COLUMN_GROUP}};
    struct name_index index;
    enum hinge_status status;

    if (!(map->column = array_new(table->fields, sizeof *map->column, error)))
        return failure(error);
    for (; map->columns < table->fields; map->columns++) {
        const struct field *field = &table->field[map->columns];
        struct map_column *column = &map->column[map->columns];
        const int is_line = table->separator == TABLE_LINES && map->columns + 1 == table->fields;

        column->kind = is_line ? COLUMN_TEXT : COLUMN_NUMBER;
        if (!map->named || field->length == 0)
            continue;
        if (!(column->name = array_new(field->length + 1, 1, error)))
            return failure(error);
        memcpy(column->name, field->text, field->length);
    }
    status = index_names(&index, map, error);
    for (size_t k = 0; k < sizeof given / sizeof *given && !status; k++)
        status =
            set_kinds(conversion, &index, given[k].list, given[k].option, given[k].kind, error);
    conversion->split.by = conversion->split.column = COLUMN_NONE;
    if (!status && settings->by.count) {
        const char *by = settings->by.item[0], *end = by + strlen(by);

        conversion->split.by = find_column(&index, by, end);
        if (conversion->split.by < 0)
            status = fail_column(&index, "--by", by, end, error);
    }
    if (!status)
        status = set_label(map, &index, settings, error);
    index_free(&index);
    if (status)
        return status;
    if (table->row_names && map->column->kind == COLUMN_NUMBER)
        map->column->kind = COLUMN_IGNORED;
    for (size_t j = 0; j < map->columns; j++)
        if (map->column[j].kind == COLUMN_TEXT &&
            map_add_text(&map->column[j], &settings->words, error))
            return failure(error);
    if (!map_has_features(map))
        return table_fail(table, table->field->place, error, "no column is left for features");
    return map_number_features(map, error);
}

enum hinge_status columns_choose_label(struct conversion *conversion, struct hinge_error *error)
{
    const struct table *table = &conversion->table;

    for (size_t k = 0; k < table->fields; k++) {
        struct map_column *column = &conversion->map.column[k];
        const struct field *field = &table->field[k];
        double value;
        enum cell cell;

        if (column->kind != COLUMN_LABEL)
            continue;
        cell = conversion_label_cell(conversion, field, &value);
        if (cell == CELL_TEXT)
            column->kind = COLUMN_WORDS;
        if (cell == CELL_DATE)
            return table_fail(table, field->place, error,
                              "the label '%.*s' is a date or a time; --label COLUMN names another "
                              "column, --categorical %lu takes labels for words",
                              field_shown(field), field->text, (unsigned long)k + 1);
    }
    return HINGE_OK;
}

/* ---- By a map ---------------------------------------------------------- */

enum hinge_status columns_match(const struct map *map, const struct convert_settings *settings,
                                const struct table *table, int named, long *to,
                                struct hinge_error *error)
{
    static const char no_labels[] = "; --no-labels converts rows without a label";
    const size_t label = map_label(map);
    struct name_index index = {0};
    unsigned char *found;
    enum hinge_status status;

    if (!named || !map->named) {
        const int lacks_label = table->width + 1 == map->columns && label < map->columns;

        if (table->width != map->columns && (!lacks_label || !settings->no_labels))
            return table_fail(table, table->field->place, error, "%lu column%s where %s has %lu%s",
                              (unsigned long)table->width, report_plural(table->width),
                              settings->restore, (unsigned long)map->columns,
                              lacks_label ? no_labels : "");
        for (size_t k = 0; k < table->width; k++)
            to[k] = (long)(k + (lacks_label && k >= label));
        return HINGE_OK;
    }
    found = array_new(map->columns, 1, error);
    status = found && !index_names(&index, map, error) ? HINGE_OK : failure(error);
    for (size_t k = 0; k < table->fields && !status; k++) {
        const char *name = table->field[k].text;
        const uint32_t number = dictionary_find(&index.names, name, table->field[k].length, "", 0);

        to[k] = number == DICTIONARY_NONE ? COLUMN_NONE : index.first[number];
        if (to[k] == COLUMN_NONE)
            continue;
        index.first[number] = index.next[to[k]]; /* for the next column of that name */
        found[to[k]] = 1;
    }
    for (size_t j = 0; j < map->columns && !status; j++) {
        const enum column_kind kind = map->column[j].kind;
        char name[200];

        if (found[j] || kind == COLUMN_IGNORED || kind == COLUMN_WEIGHT || kind == COLUMN_GROUP ||
            (j == label && settings->no_labels))
            continue;
        map_column_name(map, j, name, sizeof name);
        status = table_fail(table, table->field->place, error,
                            "there is no column '%s', which %s has%s", name, settings->restore,
                            j == label ? no_labels
                            : table->fields == map->columns
                                ? "; --header skip takes columns by their position"
                                : "");
    }
    index_free(&index);
    free(found);
    return status;
}
