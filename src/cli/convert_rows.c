/* convert_rows.c - "red,5.1,yes" -> "1 1:5.1 4:1" */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/convert.h"
#include "cli/report.h"
#include "data/reader.h"
#include "data/token.h"

/* ---- Saying what is wrong ---------------------------------------------- */

static char decimal(const struct conversion *conversion)
{
    return conversion->map.decimal_comma ? ',' : '.';
}

static enum cell read_field(const struct conversion *conversion, const struct field *field,
                            double *value)
{
    enum cell cell = cell_read(field->text, field->length, decimal(conversion), value);

    /* among blanks 1:30 is no time of day */
    return cell == CELL_DATE && conversion->table.separator == ' ' &&
                   memchr(field->text, ':', field->length)
               ? CELL_PAIR
               : cell;
}

/* Returns the length of the part of a field that a message shows. */
static int shown(const struct field *field)
{
    return token_shown(field->text, field->text + field->length);
}

enum { LIST = 160 }; /* characters of a list of columns in a message */

/* Prints the columns of the record that have text where numbers are wanted, as values of an option:
 * by name if as_names, else by number. Returns 0 if they are too many or a name needs quotes. */
static int list_texts(const struct conversion *conversion, int as_names, char list[LIST])
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
    size_t length = 0;

    for (size_t k = 0; k < conversion->table.fields; k++) {
        const long to = conversion->to[k];
        const char *name = to == COLUMN_NONE ? NULL : conversion->map.column[to].name;
        double value;

        if (to == COLUMN_NONE || conversion->map.column[to].kind != COLUMN_NUMBER ||
            read_field(conversion, &conversion->table.field[k], &value) != CELL_TEXT)
            continue;
        if (as_names && (!name || *name == '-' || name[strspn(name, plain)]))
            return 0;
        length += (size_t)(as_names ? snprintf(list + length, LIST - length, "%s%s",
                                               length ? "," : "", name)
                                    : snprintf(list + length, LIST - length, "%s%ld",
                                               length ? "," : "", to + 1));
        if (length >= LIST)
            return 0;
    }
    return 1;
}

/* Returns what is wrong with the text of a number in any column, or NULL if it is none of these. */
static const char *describe(enum cell cell)
{
    switch (cell) {
    case CELL_HUGE:
        return "is beyond the largest double";
    case CELL_COMMA:
        return "is not a number; --decimal-comma takes the comma for a point";
    case CELL_PAIR:
        return "is an index:value pair; is the file in LIBSVM's format?";
    default:
        return NULL;
    }
}

/* Says what is wrong with a field of a column of numbers. */
static enum hinge_status fail_number(const struct conversion *conversion, size_t k, enum cell cell,
                                     struct hinge_error *error)
{
    const struct table *table = &conversion->table;
    const struct field *field = &table->field[k];
    const struct convert_settings *settings = conversion->settings;
    const long to = conversion->to[k];
    const char *name = conversion->map.column[to].name;
    char column[80], list[LIST];

    snprintf(column, sizeof column, "column %lu%s%.40s", (unsigned long)k + 1, name ? ", " : "",
             name ? name : "");
    if (cell == CELL_MISSING)
        return table_fail(table, field->place, error,
                          "%s: the value is missing; --missing zero%s says what stands for it",
                          column, settings->restore ? " or mean" : ", mean or column");
    if (describe(cell))
        return table_fail(table, field->place, error, "%s: '%.*s' %s", column, shown(field),
                          field->text, describe(cell));
    if (cell == CELL_DATE)
        return table_fail(
            table, field->place, error,
            "%s: '%.*s' is a date or a time; write it as a number, such as days since "
            "a day, or leave it out: --ignore %ld",
            column, shown(field), field->text, to + 1);
    if (table->records == 1 && settings->header == HEADER_AUTO && !settings->restore)
        return table_fail(table, field->place, error,
                          "%s: '%.*s' is not a number; if the line has the names of columns: "
                          "--header yes; if it has categories: --categorical %ld",
                          column, shown(field), field->text, to + 1);
    if (settings->restore)
        return table_fail(table, field->place, error, "%s: '%.*s' is not a number%s", column,
                          shown(field), field->text,
                          table->records == 1 && settings->header == HEADER_AUTO
                              ? "; if the line has the names of columns: --header yes"
                              : "");
    if (!list_texts(conversion, 1, list) && !list_texts(conversion, 0, list))
        snprintf(list, sizeof list, "%ld", to + 1);
    return table_fail(table, field->place, error,
                      "%s: '%.*s' is not a number; for categories: --categorical %s; to leave it "
                      "out: --ignore %ld%s",
                      column, shown(field), field->text, list, to + 1,
                      settings->label || settings->no_labels ? "" : "; --label names the label");
}

/* ---- Labels ------------------------------------------------------------ */

static void write_number(const struct conversion *conversion, FILE *stream, const char *text,
                         size_t length)
{
    const char *comma = conversion->map.decimal_comma ? memchr(text, ',', length) : NULL;

    if (comma) {
        fwrite(text, 1, (size_t)(comma - text), stream);
        putc('.', stream);
        length -= (size_t)(comma + 1 - text);
        text = comma + 1;
    }
    fwrite(text, 1, length, stream);
}

/* Writes the label of field k as a number: itself, or the number of its class. Sets *unknown if the
 * map does not have it. */
static enum hinge_status write_known(struct conversion *conversion, size_t k, FILE *stream,
                                     int *unknown, struct hinge_error *error)
{
    const struct field *field = &conversion->table.field[k];
    const int restores = conversion->settings->restore != NULL;
    struct dictionary *classes = &conversion->map.classes;
    uint32_t class = DICTIONARY_NONE;
    double value;

    if (conversion->map.column[conversion->to[k]].kind == COLUMN_LABEL) {
        const enum cell cell = read_field(conversion, field, &value);

        if (cell != CELL_NUMBER && describe(cell))
            return table_fail(&conversion->table, field->place, error, "label '%.*s' %s",
                              shown(field), field->text, describe(cell));
        if (cell != CELL_NUMBER) /* if the first label of a new map is a word, all are */
            return table_fail(&conversion->table, field->place, error,
                              "label '%.*s' is not a number, as %s", shown(field), field->text,
                              restores ? "those of the map are"
                                       : "the first one is; for labels that are words: "
                                         "--categorical of their column");
        conversion->fractions += value != floor(value);
        if (conversion->numbers.count <= MANY_CLASSES &&
            labels_number(&conversion->numbers, value, &class, error))
            return failure(error);
        write_number(conversion, stream, field->text, field->length);
        return HINGE_OK;
    }
    if (restores)
        class = dictionary_find(classes, field->text, field->length, "", 0);
    else if (dictionary_add(classes, field->text, field->length, "", 0, &class, error))
        return failure(error);
    conversion->first_class += class == 0;
    *unknown = class == DICTIONARY_NONE;
    if (!*unknown)
        fprintf(stream, "%lu", (unsigned long)class + 1);
    return HINGE_OK;
}

/* Writes the label of the record, which is in field k. k = width: there is no label. */
static enum hinge_status write_label(struct conversion *conversion, size_t k, FILE *stream,
                                     struct hinge_error *error)
{
    const struct table *table = &conversion->table;
    const int has_column = k < table->width;
    const struct field *field = has_column ? &table->field[k] : NULL;
    const int missing = !has_column || cell_is_missing(field->text, field->length);
    int unknown = missing;

    if (!missing && write_known(conversion, k, stream, &unknown, error))
        return failure(error);
    if (!unknown)
        return HINGE_OK;
    if (has_column && !conversion->settings->no_labels && missing)
        return table_fail(table, field->place, error, "the label is missing%s",
                          conversion->settings->restore ? "; with --no-labels it becomes 0" : "");
    if (has_column && !conversion->settings->no_labels)
        return table_fail(table, field->place, error,
                          "label '%.*s' is not in %s; with --no-labels it becomes 0", shown(field),
                          field->text, conversion->settings->restore);
    putc('0', stream);
    conversion->unlabelled++;
    return HINGE_OK;
}

/* ---- Features ---------------------------------------------------------- */

static void append(struct conversion *conversion, uint32_t feature, const char *text, size_t length)
{
    conversion->entry[conversion->entries++] = (struct entry){feature, text, length};
}

/* Appends the feature "COLUMN KIND TEXT". Without -r, a new feature gets the next index. */
static enum hinge_status append_other(struct conversion *conversion, long column, const char *kind,
                                      const struct field *field, struct hinge_error *error)
{
    struct map *map = &conversion->map;
    const size_t length = *kind == 'm' ? 0 : field->length;
    char first[32];
    const size_t first_length = (size_t)snprintf(first, sizeof first, "%ld %s", column + 1, kind);
    uint32_t number = dictionary_find(&map->others, first, first_length, field->text, length);

    if (number == DICTIONARY_NONE && conversion->settings->restore) {
        if (*kind == 'm')
            conversion->unmarked++;
        else
            conversion->unknown++;
        return HINGE_OK;
    }
    if (number == DICTIONARY_NONE) {
        if (map_features(map) >= LARGEST_INDEX)
            return table_fail(&conversion->table, field->place, error, "more than %d features",
                              LARGEST_INDEX);
        if (dictionary_add(&map->others, first, first_length, field->text, length, &number, error))
            return failure(error);
    }
    append(conversion, map->numbers + number + 1, "1", 1);
    return HINGE_OK;
}

/* Appends the value that --missing gives for the missing value of field k. */
static enum hinge_status append_missing(struct conversion *conversion, size_t k,
                                        struct hinge_error *error)
{
    const long to = conversion->to[k];
    const struct map_column *column = &conversion->map.column[to];
    const char *mean = conversion->sums[to].mean;

    conversion->missing++;
    switch (conversion->map.missing) {
    case MISSING_REFUSED:
        return fail_number(conversion, k, CELL_MISSING, error);
    case MISSING_COLUMN:
        return append_other(conversion, to, "missing", &conversion->table.field[k], error);
    case MISSING_MEAN:
        if (column->kind == COLUMN_NUMBER && column->mean != 0)
            append(conversion, column->feature, mean, strlen(mean));
        return HINGE_OK;
    case MISSING_ZERO:
        break;
    }
    return HINGE_OK;
}

static const double SMALL =
    1.0 / 18446744073709551616.0; /* 2^-64: sums of as many doubles are finite */

/* Adds a value to those of its column. */
static void add_value(struct conversion *conversion, long column, double value)
{
    sum_add(&conversion->sums[column].sum, value * SMALL);
    conversion->sums[column].values++;
}

/* Appends the value of field k if it belongs to a feature. */
static enum hinge_status append_field(struct conversion *conversion, size_t k,
                                      struct hinge_error *error)
{
    const struct field *field = &conversion->table.field[k];
    const long to = conversion->to[k];
    const struct map_column *column = &conversion->map.column[to];
    enum cell cell;
    double value;

    if (column->kind == COLUMN_CATEGORY)
        return cell_is_missing(field->text, field->length)
                   ? append_missing(conversion, k, error)
                   : append_other(conversion, to, "category ", field, error);
    if (column->kind != COLUMN_NUMBER)
        return HINGE_OK;
    cell = read_field(conversion, field, &value);
    if (cell == CELL_MISSING)
        return append_missing(conversion, k, error);
    if (cell != CELL_NUMBER)
        return fail_number(conversion, k, cell, error);
    add_value(conversion, to, value);
    if (value != 0)
        append(conversion, column->feature, field->text, field->length);
    return HINGE_OK;
}

static int compare(const void *one, const void *other)
{
    const uint32_t a = ((const struct entry *)one)->feature;
    const uint32_t b = ((const struct entry *)other)->feature;

    return (a > b) - (a < b);
}

/* Writes the row of the current record. */
static enum hinge_status write_row(struct conversion *conversion, FILE *stream,
                                   struct hinge_error *error)
{
    const struct table *table = &conversion->table;
    size_t label = table->width;

    conversion->entries = 0;
    for (size_t k = 0; k < table->fields; k++) {
        const long to = conversion->to[k];

        if (to == COLUMN_NONE)
            continue;
        if (conversion->map.column[to].kind == COLUMN_LABEL ||
            conversion->map.column[to].kind == COLUMN_WORDS)
            label = k;
        else if (append_field(conversion, k, error))
            return failure(error);
    }
    if (label < table->width && conversion->rows == 0 && !conversion->settings->restore) {
        struct map_column *column = &conversion->map.column[conversion->to[label]];
        const struct field *field = &table->field[label];
        double value;
        const enum cell cell = read_field(conversion, field, &value);

        if (column->kind == COLUMN_LABEL && cell == CELL_DATE)
            return table_fail(table, field->place, error,
                              "the label '%.*s' is a date or a time; --label COLUMN names another "
                              "column",
                              shown(field), field->text);
        if (column->kind == COLUMN_LABEL && cell == CELL_TEXT) /* the first label decides */
            column->kind = COLUMN_WORDS;
    }
    if (write_label(conversion, label, stream, error))
        return failure(error);
    for (size_t k = 1; k < conversion->entries; k++) /* they are mostly in order */
        if (conversion->entry[k].feature < conversion->entry[k - 1].feature) {
            qsort(conversion->entry, conversion->entries, sizeof *conversion->entry, compare);
            break;
        }
    for (size_t k = 0; k < conversion->entries; k++) {
        const struct entry *entry = &conversion->entry[k];

        fprintf(stream, " %lu:", (unsigned long)entry->feature);
        write_number(conversion, stream, entry->text, entry->length);
    }
    putc('\n', stream);
    conversion->rows++;
    return HINGE_OK;
}

/* ---- All rows ---------------------------------------------------------- */

/* Computes the means of the columns from their sums. */
static void set_means(struct conversion *conversion)
{
    for (size_t j = 0; j < conversion->map.columns; j++) {
        const struct column_sum *sum = &conversion->sums[j];

        if (sum->values > 0)
            conversion->map.column[j].mean = sum_value(&sum->sum) / (double)sum->values / SMALL;
    }
}

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

/* Reads all records for the means, and begins again. */
static enum hinge_status read_means(struct conversion *conversion, struct hinge_error *error)
{
    struct table *table = &conversion->table;

    while (conversion->found > 0) {
        for (size_t k = 0; k < table->fields; k++) {
            double value;
            enum cell cell;

            if (conversion->map.column[k].kind != COLUMN_NUMBER)
                continue;
            cell = read_field(conversion, &table->field[k], &value);
            if (cell == CELL_NUMBER)
                add_value(conversion, (long)k, value);
            else if (cell != CELL_MISSING)
                return fail_number(conversion, k, cell, error);
        }
        conversion->found = table_next(table, error);
    }
    if (conversion->found < 0)
        return failure(error);
    set_means(conversion);
    if (table_rewind(table, error) || read_record(conversion, "no rows", error))
        return failure(error);
    return skip_names(conversion, error);
}

/* Finds the columns from the first record, which is the current one. */
static enum hinge_status find_columns(struct conversion *conversion, struct hinge_error *error)
{
    const struct convert_settings *settings = conversion->settings;
    const struct table *table = &conversion->table;
    struct map *map = &conversion->map;

    conversion->header_seen = settings->header == HEADER_YES;
    if (settings->header == HEADER_AUTO &&
        columns_are_names(table, settings->restore ? map : NULL, &conversion->header_seen, error))
        return failure(error);
    if (!(conversion->to = array_new(table->width, sizeof *conversion->to, error)) ||
        !(conversion->entry = array_new(table->width, sizeof *conversion->entry, error)))
        return failure(error);
    if (settings->restore) {
        if (columns_match(map, settings, table, conversion->header_seen, conversion->to, error))
            return failure(error);
    } else {
        map->named = conversion->header_seen;
        map->separator = table->separator;
        map->decimal_comma = settings->decimal_comma;
        if (columns_choose(map, settings, table, error))
            return failure(error);
        for (size_t k = 0; k < table->width; k++)
            conversion->to[k] = (long)k;
    }
    if (settings->missing != MISSING_REFUSED)
        map->missing = settings->missing;
    conversion->sums = array_new(map->columns, sizeof *conversion->sums, error);
    return conversion->sums ? HINGE_OK : failure(error);
}

enum hinge_status conversion_begin(struct conversion *conversion,
                                   const struct convert_settings *settings,
                                   struct hinge_error *error)
{
    struct map *map = &conversion->map;
    const int twice = settings->missing == MISSING_MEAN && !settings->restore;
    char separator = settings->separator;

    conversion->settings = settings;
    if (settings->restore) {
        if (map_read(map, settings->restore, error))
            return failure(error);
        if (map->decimal_comma && separator == ',')
            return fail(error, HINGE_BAD_ARGUMENT, "--separator comma: %s has decimal commas",
                        settings->restore);
        if (!separator)
            separator = map->separator;
    }
    if (table_open(&conversion->table, settings->data, separator, settings->decimal_comma, twice,
                   error) ||
        read_record(conversion, "no rows", error) || find_columns(conversion, error) ||
        skip_names(conversion, error) || (twice && read_means(conversion, error)))
        return failure(error);
    for (size_t j = 0; j < map->columns; j++)
        number_print(conversion->sums[j].mean, map->column[j].mean);
    return HINGE_OK;
}

enum hinge_status conversion_write(void *context, FILE *stream, struct hinge_error *error)
{
    struct conversion *conversion = context;

    while (conversion->found > 0 && !was_interrupted()) {
        if (write_row(conversion, stream, error))
            return failure(error);
        conversion->found = table_next(&conversion->table, error);
    }
    if (conversion->found < 0)
        return failure(error);
    if (!conversion->settings->restore && conversion->settings->missing != MISSING_MEAN)
        set_means(conversion);
    return HINGE_OK;
}

void conversion_end(struct conversion *conversion)
{
    table_close(&conversion->table);
    map_free(&conversion->map);
    labels_free(&conversion->numbers);
    free(conversion->to);
    free(conversion->sums);
    free(conversion->entry);
}
