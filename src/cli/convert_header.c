/* convert_header.c - the first records of a table -> has it a line of names? How are its numbers
 * written? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/convert.h"

/* ---- Samples ----------------------------------------------------------- */

/* A column in the first records of the table, except the very first one. */
struct sampled {
    size_t numbers, texts; /* values that are not missing */
    size_t units;          /* numbers with a unit */
    double lowest, largest;
    size_t again; /* records that repeat the text of the very first one */
    struct notation_signs signs;
};

static int has_unit(const struct field *field)
{
    const char *text = field->text;
    size_t length = field->length;

    return cell_strip_unit(&text, &length) != NULL;
}

/* Adds up the columns of the sample, and sets *records to the number of records after the
 * first one. */
static enum hinge_status sample_columns(const struct conversion *conversion,
                                        struct sampled *columns, size_t *records,
                                        struct hinge_error *error)
{
    const struct table *table = &conversion->table;
    struct table sample;
    int found;

    *records = 0;
    table_sample(table, &sample);
    while ((found = table_next(&sample, error)) > 0) {
        if (sample.records == 1)
            continue;
        ++*records;
        for (size_t k = 0; k < sample.fields; k++) {
            const struct field *field = &sample.field[k], *first = &table->field[k];
            struct sampled *column = &columns[k];
            double value;
            const enum cell cell = conversion_cell(conversion, field, &value);

            cell_add_signs(&column->signs, field->text, field->length);
            if (cell == CELL_NUMBER && (column->numbers == 0 || value < column->lowest))
                column->lowest = value;
            if (cell == CELL_NUMBER && (column->numbers == 0 || value > column->largest))
                column->largest = value;
            column->numbers += cell == CELL_NUMBER;
            column->units += cell == CELL_NUMBER && has_unit(field);
            column->texts += cell != CELL_NUMBER && cell != CELL_MISSING && cell != CELL_COMMA;
            column->again += first->length > 0 && field->length == first->length &&
                             memcmp(field->text, first->text, first->length) == 0;
        }
    }
    table_close(&sample);
    return found < 0 ? failure(error) : HINGE_OK;
}

/* ---- A line of names --------------------------------------------------- */

/* The fields of the first record. */
struct line {
    size_t words, numbers;
    size_t words_again, numbers_again;  /* fields whose text comes again in the column */
    int is_distinct;                    /* no two fields are equal, and none is a date */
    int is_count;                       /* its numbers are 0, 1, 2, ... */
    int is_unlike;                      /* its numbers ascend and are far from those below them */
    struct dictionary words_of_columns; /* all fields with text */
};

static enum hinge_status read_line(const struct conversion *conversion,
                                   const struct sampled *columns, struct line *line,
                                   struct hinge_error *error)
{
    enum { ENOUGH = 3 }; /* numbers of a column that show how far they spread */
    const struct table *table = &conversion->table;
    double last = -1;

    *line = (struct line){.is_distinct = 1, .is_count = 1, .is_unlike = 1};
    for (size_t k = 0; k < table->fields; k++) {
        const struct field *field = &table->field[k];
        const struct sampled *column = &columns[k];
        const uint32_t before = line->words_of_columns.count;
        const double spread = column->largest - column->lowest;
        uint32_t number;
        double value;
        enum cell cell;

        if (field->length == 0)
            continue;
        if (dictionary_add(&line->words_of_columns, field->text, field->length, "", 0, &number,
                           error))
            return failure(error);
        cell = conversion_cell(conversion, field, &value);
        if (cell == CELL_NUMBER && column->units == 0 && has_unit(field))
            cell = CELL_TEXT; /* 25% is the name of a column of other numbers */
        line->is_distinct &=
            number == before && (cell == CELL_TEXT || cell == CELL_MISSING || cell == CELL_NUMBER);
        line->words += cell == CELL_TEXT;
        line->words_again += cell == CELL_TEXT && column->again > 0;
        if (cell != CELL_NUMBER)
            continue;
        line->is_count &= value == (double)line->numbers;
        line->is_unlike &= value == floor(value) && value > last && column->texts == 0 &&
                           column->numbers >= ENOUGH &&
                           (value < column->lowest - spread || value > column->largest + spread);
        last = value;
        line->numbers++;
        line->numbers_again += column->again > 0;
    }
    return HINGE_OK;
}

/* ---- How numbers are written ------------------------------------------- */

/* Chooses how numbers are written, if the commas and points in columns of numbers leave no doubt.
 * 1,234 alone leaves no doubt if another column has points. In a table with commas between columns,
 * it also leaves none if its column has whole numbers below 1000 and no larger ones without a
 * comma. */
static void choose_notation(struct conversion *conversion, struct sampled *columns)
{
    const struct table *table = &conversion->table;
    struct map *map = &conversion->map;
    struct notation_signs all = {0};
    size_t settled = 0; /* columns in which 1,234 can only be a thousand */

    for (size_t k = 0; k < table->fields; k++) {
        struct notation_signs *signs = &columns[k].signs;

        if (map->column[k].kind != COLUMN_NUMBER && map->column[k].kind != COLUMN_LABEL)
            continue;
        if (!map->named)
            cell_add_signs(signs, table->field[k].text, table->field[k].length);
        all.decimal_commas += signs->decimal_commas;
        all.comma_groups += signs->comma_groups;
        all.comma_or_groups += signs->comma_or_groups;
        all.points += signs->points;
        all.point_groups += signs->point_groups;
        settled += table->separator == ',' && signs->comma_or_groups > 0 &&
                   signs->below_thousand > 0 && signs->thousand_plain == 0;
    }
    if (all.decimal_commas + all.point_groups > 0) {
        map->notation.decimal_comma = all.comma_groups + all.points == 0;
        map->notation.thousands = map->notation.decimal_comma && all.point_groups > 0;
    } else {
        map->notation.thousands =
            all.comma_groups > 0 || (all.comma_or_groups > 0 && (all.points > 0 || settled > 0));
    }
}

/* With a known map, the first record is a line of names if it has the names of all columns of
 * numbers and categories, or some names and only different words. In a new table, it is one if a
 * word of it does not come again in its column. Numbers are names if they count the columns or are
 * unlike all numbers below them. Fewer than MANY that count are a row if half of them come again.
 */
enum hinge_status columns_choose(struct conversion *conversion, struct hinge_error *error)
{
    enum { MANY = 5 }; /* a row hardly has 0, 1, 2, 3, 4 */
    const struct convert_settings *settings = conversion->settings;
    const struct table *table = &conversion->table;
    struct map *map = &conversion->map;
    struct sampled *columns = array_new(table->fields, sizeof *columns, error);
    struct line line = {0};
    const struct dictionary *words = &line.words_of_columns;
    const int is_auto = settings->header == HEADER_AUTO;
    size_t records, found = 0, absent = 0;
    int looks = 0;
    enum hinge_status status = HINGE_OK;

    if (!columns || sample_columns(conversion, columns, &records, error) ||
        read_line(conversion, columns, &line, error)) {
        status = failure(error);
    } else if (settings->restore) {
        for (size_t j = 0; j < map->columns && map->named; j++) {
            const struct map_column *column = &map->column[j];

            if (!column->name)
                continue;
            if (dictionary_find(words, column->name, strlen(column->name), "", 0) !=
                DICTIONARY_NONE)
                found++;
            else
                absent += column->kind == COLUMN_NUMBER || column->kind == COLUMN_CATEGORY;
        }
        looks = found > 0 && (absent == 0 || (line.numbers == 0 && line.is_distinct));
    } else if (table->separator != TABLE_LINES && line.is_distinct) {
        if (line.words + line.numbers == 0)
            looks = words->count > 0;
        else if (line.numbers == 0)
            looks = line.words_again < line.words;
        else
            looks = records > 0 && line.words_again == 0 && line.numbers >= 2 &&
                    words->count >= 3 &&
                    ((line.is_count &&
                      (line.numbers >= MANY || 2 * line.numbers_again < line.numbers)) ||
                     line.is_unlike);
    }
    conversion->header_seen = is_auto ? looks : settings->header != HEADER_NO;
    if (!status && !settings->restore) {
        conversion->header_doubtful =
            is_auto && looks &&
            (line.numbers > 0 || (line.words_again > 1 && 2 * line.words_again >= line.words));
        map->named = conversion->header_seen;
        status = columns_fill_map(conversion, error);
        if (!status && !settings->decimal_comma && !settings->thousands)
            choose_notation(conversion, columns);
    }
    dictionary_free(&line.words_of_columns);
    free(columns);
    return status;
}
