/* convert_rows.c - "red,5.1,yes" -> "1 1:5.1 4:1", or -> "red,5.1,yes,PREDICTED" */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/convert.h"
#include "cli/report.h"
#include "cli/text.h"
#include "data/digits.h"
#include "data/number.h"
#include "data/reader.h"
#include "data/token.h"

/* ---- Labels ------------------------------------------------------------ */

/* Writes the label in field k as a number: the label itself, or the number of its class. If k is
 * the table's width, there is no label. */
static enum hinge_status write_label(struct conversion *conversion, size_t k, FILE *stream,
                                     struct hinge_error *error)
{
    const struct table *table = &conversion->table;
    const struct field *field = k < table->width ? &table->field[k] : NULL;
    const char *restore = conversion->settings->restore;
    struct dictionary *classes = &conversion->map.classes;
    uint32_t class = DICTIONARY_NONE;
    double value;

    if (!field || cell_is_missing(&conversion->map.notation, field->text, field->length, 1)) {
        if (field && !conversion->settings->no_labels)
            return table_fail(table, field->place, error, "the label is missing%s",
                              restore ? "; with --no-labels it becomes 0" : "");
    } else if (conversion->map.column[conversion->to[k]].kind == COLUMN_LABEL) {
        const enum cell cell = conversion_label_cell(conversion, field, &value);
        const char *fault = conversion_fault(conversion, field, cell);
        char words[80] = "";

        if (cell != CELL_NUMBER && !restore)
            snprintf(words, sizeof words, "; for labels that are words: --categorical %ld",
                     conversion->to[k] + 1);
        if (cell != CELL_NUMBER && fault)
            return table_fail(table, field->place, error, "label '%.*s' %s%s", field_shown(field),
                              field->text, fault, cell == CELL_PAIR ? words : "");
        if (cell != CELL_NUMBER) /* if the first label of a new map is a word, all are */
            return table_fail(table, field->place, error, "label '%.*s' is not a number, but %s%s",
                              field_shown(field), field->text,
                              restore ? "those of the map are" : "the first one is", words);
        conversion->fractions += value != floor(value);
        if (conversion->numbers.count <= MANY_CLASSES &&
            labels_number(&conversion->numbers, value, &class, error))
            return failure(error);
        cell_write_number(&conversion->map.notation, field->text, field->length, stream);
        return HINGE_OK;
    } else {
        if (restore)
            class = dictionary_find(classes, field->text, field->length, "", 0);
        else if (dictionary_add(classes, field->text, field->length, "", 0, &class, error))
            return failure(error);
        if (class != DICTIONARY_NONE) {
            conversion->first_class += class == 0;
            fprintf(stream, "%lu", (unsigned long)class + 1);
            return HINGE_OK;
        }
        if (!conversion->settings->no_labels)
            return table_fail(table, field->place, error,
                              "label '%.*s' is not in %s; with --no-labels it becomes 0",
                              field_shown(field), field->text, restore);
    }
    putc('0', stream);
    conversion->unlabelled++;
    return HINGE_OK;
}

/* ---- Features ---------------------------------------------------------- */

/* Appends a value to the row. field: the value as the table has it, or NULL. */
static enum hinge_status append(struct conversion *conversion, uint32_t feature, double value,
                                const struct field *field, struct hinge_error *error)
{
    if (ARRAY_RESERVE(&conversion->entry, &conversion->capacity, conversion->entries + 1, error))
        return failure(error);
    conversion->entry[conversion->entries++] =
        (struct entry){feature, value, field ? field->text : NULL, field ? field->length : 0};
    return HINGE_OK;
}

/* Counts a value of a category that the map does not have, and names the first in its column. */
static void note_unknown(struct conversion *conversion, long column, const char *text,
                         size_t length)
{
    static const size_t MOST = 40; /* bytes of a column's name, and of a value */
    struct column_profile *profile = &conversion->profile[column];
    const size_t used = strlen(conversion->unknown_names);
    const size_t room = sizeof conversion->unknown_names - used;
    char name[100], value[100];

    conversion->unknown++;
    if (profile->has_unknown || room < 2 * MOST + sizeof ", =")
        return;
    profile->has_unknown = 1;
    map_column_name(&conversion->map, (size_t)column, name, sizeof name);
    snprintf(value, sizeof value, "%.*s", (int)(length < sizeof value ? length : sizeof value),
             text);
    snprintf(conversion->unknown_names + used, room, "%s%.*s=%.*s", used ? ", " : "",
             (int)text_cut(name, MOST), name, (int)text_cut(value, MOST), value);
}

/* Appends the feature "COLUMN KIND TEXT" of field k, KIND being "category " or "missing". Without
 * -r, a new feature gets the next index. */
static enum hinge_status append_other(struct conversion *conversion, size_t k, const char *kind,
                                      const char *text, size_t length, struct hinge_error *error)
{
    struct map *map = &conversion->map;
    char first[32];
    const size_t first_length =
        (size_t)snprintf(first, sizeof first, "%ld %s", conversion->to[k] + 1, kind);
    uint32_t number = dictionary_find(&map->others, first, first_length, text, length);

    if (number == DICTIONARY_NONE && conversion->settings->restore) {
        if (*kind == 'm')
            conversion->unmarked++;
        else
            note_unknown(conversion, conversion->to[k], text, length);
        return HINGE_OK;
    }
    if (number == DICTIONARY_NONE) {
        if (map_features(map) >= LARGEST_INDEX)
            return table_fail(&conversion->table, conversion->table.field[k].place, error,
                              "more than %d features", LARGEST_INDEX);
        if (dictionary_add(&map->others, first, first_length, text, length, &number, error))
            return failure(error);
        conversion->profile[conversion->to[k]].features++;
    }
    return append(conversion, map->numbers + map->words + number + 1, 1, NULL, error);
}

/* Appends the value that --missing gives for the missing value of field k. */
static enum hinge_status append_missing(struct conversion *conversion, size_t k,
                                        struct hinge_error *error)
{
    const long to = conversion->to[k];
    const struct map_column *column = &conversion->map.column[to];

    conversion->missing++;
    conversion->profile[to].missing += !conversion->is_profiled;
    switch (conversion->map.missing) {
    case MISSING_REFUSED:
        return conversion_fail_number(conversion, k, CELL_MISSING, error);
    case MISSING_COLUMN:
        return append_other(conversion, k, "missing", "", 0, error);
    case MISSING_MEAN:
    case MISSING_AUTO:
        if (column_has_number(column->kind) && column->mean != 0 &&
            append(conversion, column->feature, column->mean, NULL, error))
            return failure(error);
        return conversion->map.missing == MISSING_AUTO &&
                       (!column_has_number(column->kind) || conversion->profile[to].marks_missing)
                   ? append_other(conversion, k, "missing", "", 0, error)
                   : HINGE_OK;
    case MISSING_ZERO:
        break;
    }
    return HINGE_OK;
}

/* Appends the features of field k, in a column of this kind. The words of a text stay in its bag.
 */
static enum hinge_status append_field(struct conversion *conversion, size_t k,
                                      enum column_kind kind, struct hinge_error *error)
{
    const struct field *field = &conversion->table.field[k];
    const long to = conversion->to[k];
    const struct map_column *column = &conversion->map.column[to];
    char month[16], weekday[16];
    struct date date;
    enum cell cell;
    double value;

    switch (kind) {
    case COLUMN_TEXT:
        return column->bag->kept ? bag_weigh_kept(column->bag, error)
                                 : bag_weigh(column->bag, field->text, field->length, error);
    case COLUMN_CATEGORY:
        return cell_is_missing(&conversion->map.notation, field->text, field->length, 0)
                   ? append_missing(conversion, k, error)
                   : append_other(conversion, k, "category ", field->text, field->length, error);
    case COLUMN_DATE:
        if (cell_is_missing(&conversion->map.notation, field->text, field->length, 0))
            return append_missing(conversion, k, error);
        if (!date_read(field->text, field->length, column->order, &date)) {
            int is_date = 0;

            for (int order = 0; order < DATE_ORDERS; order++)
                is_date |= date_read(field->text, field->length, (enum date_order)order, &date);
            return table_fail(&conversion->table, field->place, error,
                              "column %zu: '%.*s' is not a date%s%s; "
                              "--missing-values takes it for a missing one",
                              k + 1, field_shown(field), field->text,
                              is_date ? " in the order of " : "",
                              is_date ? date_order_words[column->order] : "");
        }
        if (date.days != 0 && append(conversion, column->feature, date.days, NULL, error))
            return failure(error);
        if (date.month == 0)
            return HINGE_OK;
        snprintf(month, sizeof month, "month %d", date.month);
        snprintf(weekday, sizeof weekday, "weekday %d", date.weekday);
        return append_other(conversion, k, "category ", month, strlen(month), error) ||
                       append_other(conversion, k, "category ", weekday, strlen(weekday), error)
                   ? failure(error)
                   : HINGE_OK;
    case COLUMN_NUMBER:
        cell = conversion_cell(conversion, field, &value);
        if (cell == CELL_MISSING)
            return append_missing(conversion, k, error);
        if (cell != CELL_NUMBER)
            return conversion_fail_number(conversion, k, cell, error);
        if (!conversion->is_profiled)
            profile_add_number(&conversion->profile[to], value);
        return value != 0 ? append(conversion, column->feature, value, field, error) : HINGE_OK;
    default:
        return HINGE_OK;
    }
}

static int compare(const void *one, const void *other)
{
    const uint32_t a = ((const struct entry *)one)->feature;
    const uint32_t b = ((const struct entry *)other)->feature;

    return (a > b) - (a < b);
}

enum { INDEX_LENGTH = 12 };

/* Prints " 12:" for a feature from 1, at most INDEX_LENGTH characters. Returns the end. */
static char *print_index(char *text, uint32_t feature)
{
    enum { AT_ONCE = 8, MOST = 99999999 }; /* digits, and the largest number that has so many */

    *text++ = ' ';
    if (feature <= MOST) {
        const uint64_t digits = split_digits(feature);
        const unsigned zeros = LOWEST_BIT(digits ^ UINT64_C(0x3030303030303030)) / 8;

        store_eight(text, digits >> 8 * zeros);
        text += AT_ONCE - zeros;
    } else {
        text += sprintf(text, "%lu", (unsigned long)feature);
    }
    *text++ = ':';
    return text;
}

enum { WEIGHT_DIGITS = 13, ALL_DIGITS = 17 }; /* words have a relative error of 5e-13 at most */

/* Returns how many digits are printed of the values of a feature. */
static int digits_of(const struct map *map, uint32_t feature)
{
    return feature > map->numbers && feature <= map->numbers + map->words ? WEIGHT_DIGITS
                                                                          : ALL_DIGITS;
}

/* Text on its way to a stream, which is faster in blocks. */
struct line_text {
    FILE *stream;
    size_t length;
    char text[4096];
};

static void flush(struct line_text *line)
{
    fwrite(line->text, 1, line->length, line->stream);
    line->length = 0;
}

/* Makes room for an index and a number after the text. Returns the end of the text. */
static char *make_room(struct line_text *line)
{
    if (line->length + INDEX_LENGTH + NUMBER_LENGTH > sizeof line->text)
        flush(line);
    return line->text + line->length;
}

static void write_value(struct line_text *line, uint32_t feature, double value, int digits)
{
    char *end = print_index(make_room(line), feature);

    end += number_print_rounded(end, value, digits);
    line->length = (size_t)(end - line->text);
}

/* Writes the scaled value of a feature. The value is first rounded to the digits that data without
 * scales have, so that scaling them later gives the same number. */
static enum hinge_status write_scaled(const struct conversion *conversion, struct line_text *line,
                                      uint32_t feature, double value, struct hinge_error *error)
{
    const int digits = digits_of(&conversion->map, feature);
    double scaled;

    if (digits < ALL_DIGITS) {
        char text[NUMBER_LENGTH];

        text[number_print_rounded(text, value, digits)] = '\0';
        number_parse(text, &value);
    }
    scaled = map_scaled(&conversion->map, feature, value);
    if (!isfinite(scaled))
        return table_fail(&conversion->table, conversion->table.field->place, error,
                          "feature %lu: %g is too far from the values of the map to be scaled",
                          (unsigned long)feature, value);
    if (scaled != 0)
        write_value(line, feature, scaled, ALL_DIGITS);
    return HINGE_OK;
}

/* Writes the values of the row, and the values of zeros that scaling changes. */
static enum hinge_status write_values(const struct conversion *conversion, FILE *stream,
                                      struct hinge_error *error)
{
    const struct map *map = &conversion->map;
    struct line_text line;
    size_t next = 0; /* position in map->filled */

    line.stream = stream;
    line.length = 0;
    for (size_t k = 0; k <= conversion->entries; k++) {
        const struct entry *entry = k < conversion->entries ? &conversion->entry[k] : NULL;
        const uint32_t feature = entry ? entry->feature : UINT32_MAX;

        for (; next < map->fills && map->filled[next] < feature; next++)
            if (write_scaled(conversion, &line, map->filled[next], 0, error))
                return failure(error);
        if (!entry)
            break;
        next += next < map->fills && map->filled[next] == feature;
        if (feature <= map->scales) {
            if (write_scaled(conversion, &line, feature, entry->value, error))
                return failure(error);
        } else if (entry->text) {
            line.length = (size_t)(print_index(make_room(&line), feature) - line.text);
            flush(&line);
            cell_write_number(&map->notation, entry->text, entry->length, stream);
        } else {
            write_value(&line, feature, entry->value, digits_of(map, feature));
        }
    }
    *make_room(&line) = '\n';
    line.length++;
    flush(&line);
    return HINGE_OK;
}

enum hinge_status conversion_write(void *context, FILE *stream, struct hinge_error *error)
{
    struct conversion *conversion = context;
    const struct map *map = &conversion->map;
    const struct table *table = &conversion->table;
    const int is_new = !conversion->settings->restore;

    for (; conversion->found > 0 && !was_interrupted();
         conversion->found = table_next(&conversion->table, error)) {
        const int is_test = conversion->settings->test && split_is_test(conversion);
        FILE *to_stream = is_test ? conversion->beside[BESIDE_TEST].stream : stream;
        size_t label = table->width;

        conversion->entries = 0;
        for (size_t k = 0; k < table->fields; k++) {
            const long to = conversion->to[k];
            enum column_kind kind;

            if (to == COLUMN_NONE)
                continue;
            kind = map->column[to].kind;
            if (kind == COLUMN_LABEL || kind == COLUMN_WORDS)
                label = k;
            else if (is_new && (kind == COLUMN_WEIGHT || kind == COLUMN_GROUP)
                         ? besides_write(conversion, k, is_test, error)
                         : append_field(conversion, k, kind, error))
                return failure(error);
        }
        for (size_t j = 0; j < map->columns; j++) {
            const struct bag *bag = map->column[j].bag;

            for (size_t k = 0; bag && k < bag->values; k++)
                if (append(conversion, map->column[j].feature + bag->value[k].feature,
                           bag->value[k].value, NULL, error))
                    return failure(error);
        }
        if (write_label(conversion, label, to_stream, error))
            return failure(error);
        for (size_t k = 1; k < conversion->entries; k++) /* most rows are in order */
            if (conversion->entry[k].feature < conversion->entry[k - 1].feature) {
                qsort(conversion->entry, conversion->entries, sizeof *conversion->entry, compare);
                break;
            }
        conversion->rows++;
        conversion->split.rows += (unsigned)is_test;
        if (write_values(conversion, to_stream, error))
            return failure(error);
    }
    if (conversion->found < 0)
        return failure(error);
    if (conversion->is_profiled)
        return HINGE_OK;
    conversion->rows_read = conversion->rows;
    return profiles_set_means(conversion, error);
}

/* ---- A table with the output of predict as further columns ------------ */

enum hinge_status appending_begin(struct conversion *conversion, struct hinge_error *error)
{
    if (conversion->header_seen) {
        const char *end;
        size_t length;
        const char *text = table_text(&conversion->table, &length, &end);

        if (!(conversion->names = array_new(length + 1, 1, error)))
            return failure(error);
        memcpy(conversion->names, text, length);
    }
    return table_open(&conversion->predictions, conversion->settings->append, ' ', 0, error);
}

/* Returns what separates predictions from the table. */
static char separator_of(const struct table *table)
{
    return (char)(table->separator == TABLE_LINES ? '\t' : table->separator);
}

/* Writes a separator and the field, in quotes if necessary. A number has the table's decimal sign.
 */
static void write_field(const struct conversion *conversion, const struct field *field,
                        FILE *stream)
{
    const char separator = separator_of(&conversion->table);
    double value;
    const int has_comma = conversion->map.notation.decimal_comma &&
                          number_parse(field->text, &value) == field->text + field->length;
    const int may_quote = !conversion->map.notation.plain_quotes;
    int is_quoted = 0;

    for (size_t i = 0; i < field->length && may_quote; i++)
        is_quoted |= field->text[i] == separator || field->text[i] == '"' ||
                     field->text[i] == '\n' || field->text[i] == '\r' ||
                     (has_comma && field->text[i] == '.' && separator == ',');
    putc(separator, stream);
    if (is_quoted)
        putc('"', stream);
    for (size_t i = 0; i < field->length; i++) {
        if (field->text[i] == '"' && may_quote)
            putc('"', stream);
        putc(has_comma && field->text[i] == '.' ? ',' : field->text[i], stream);
    }
    if (is_quoted)
        putc('"', stream);
}

/* Ends a line as the current record ends. */
static void write_end(const struct table *table, FILE *stream)
{
    const char *end;
    size_t length;

    table_text(table, &length, &end);
    if (end < table->after)
        fwrite(end, 1, (size_t)(table->after - end), stream);
    else
        putc('\n', stream);
}

enum hinge_status appending_write(void *context, FILE *stream, struct hinge_error *error)
{
    struct conversion *conversion = context;
    struct table *table = &conversion->table, *predictions = &conversion->predictions;
    int predicted = table_next(predictions, error);
    /* predictions have names of their own if their first line is "labels" and further words */
    const int are_names = predicted > 0 && predictions->fields > 1 &&
                          is_word(predictions->field->text,
                                  predictions->field->text + predictions->field->length, "labels");

    if (predicted > 0 && conversion->names) {
        const char separator = separator_of(table);

        fprintf(stream, "%s%cpredicted", conversion->names, separator);
        for (size_t k = 1; k < predictions->fields; k++)
            if (are_names)
                write_field(conversion, &predictions->field[k], stream);
            else
                fprintf(stream, "%cvalue %lu", separator, (unsigned long)k);
        write_end(table, stream);
    }
    if (are_names)
        predicted = table_next(predictions, error);
    while (conversion->found > 0 && predicted > 0 && !was_interrupted()) {
        const char *end;
        size_t length;
        const char *text = table_text(table, &length, &end);

        fwrite(text, 1, length, stream);
        for (size_t k = 0; k < predictions->fields; k++)
            write_field(conversion, &predictions->field[k], stream);
        write_end(table, stream);
        conversion->rows++;
        conversion->found = table_next(table, error);
        predicted = conversion->found < 0 ? 0 : table_next(predictions, error);
    }
    if (conversion->found < 0 || predicted < 0)
        return failure(error);
    if (!was_interrupted() && conversion->found != predicted)
        return table_fail(predictions, predictions->source.cursor, error,
                          "%s predictions than %s has rows; predict writes one for each row that "
                          "convert -r makes of that table",
                          predicted ? "more" : "fewer", conversion->settings->data);
    return HINGE_OK;
}
