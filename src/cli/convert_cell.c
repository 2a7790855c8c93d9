/* convert_cell.c - what a field of a table is. Says what is wrong with a field that is no number,
 * and which options help. */
#include <stdio.h>
#include <string.h>

#include "cli/convert.h"
#include "data/token.h"

enum cell conversion_cell(const struct conversion *conversion, const struct field *field,
                          double *value)
{
    enum cell cell = cell_read(&conversion->map.notation, field->text, field->length, value);

    /* in a table with blanks between columns, 1:30 is an index:value pair, not a time of day */
    return cell == CELL_DATE && conversion->table.separator == ' ' &&
                   cell_is_pair(field->text, field->length)
               ? CELL_PAIR
               : cell;
}

enum cell conversion_label_cell(const struct conversion *conversion, const struct field *field,
                                double *value)
{
    const enum cell cell = conversion_cell(conversion, field, value);

    return cell == CELL_MISSING &&
                   !cell_is_missing(&conversion->map.notation, field->text, field->length, 1)
               ? CELL_TEXT
               : cell;
}

/* ---- Saying what is wrong ---------------------------------------------- */

int field_shown(const struct field *field)
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
            conversion_cell(conversion, &conversion->table.field[k], &value) != CELL_TEXT)
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

const char *conversion_fault(const struct conversion *conversion, const struct field *field,
                             enum cell cell)
{
    const struct notation *notation = &conversion->map.notation;
    struct notation_signs signs = {0};

    if (cell == CELL_HUGE)
        return "is beyond the largest double";
    if (cell == CELL_PAIR)
        return "is an index:value pair";
    if (cell != CELL_COMMA)
        return NULL;
    cell_add_signs(&signs, field->text, field->length);
    if (conversion->settings->restore)
        return "has commas or points that the numbers of the map do not have; write it like "
               "them, or make the map anew: convert -s, with --decimal-comma or --thousands";
    if (notation->thousands)
        return "is not written like the other numbers, which have commas or points between "
               "thousands";
    if (notation->decimal_comma)
        return signs.comma_groups
                   ? "is not a number with a decimal comma"
                   : "has a point: --thousands reads points as separators of thousands; write a "
                     "decimal point as a comma";
    if (signs.decimal_commas)
        return "is not a number; --decimal-comma reads the comma as a point";
    if (signs.point_groups)
        return "is not a number; --decimal-comma --thousands reads the comma as a point, and "
               "points as separators of thousands";
    return signs.comma_groups
               ? "is not a number; --thousands reads commas as separators of thousands"
               : "is not a number; --thousands reads the comma as a separator of thousands, "
                 "--decimal-comma as a point";
}

/* The message names no option that the command line excludes: with -r none chooses columns. */
enum hinge_status conversion_fail_number(const struct conversion *conversion, size_t k,
                                         enum cell cell, struct hinge_error *error)
{
    const struct table *table = &conversion->table;
    const struct field *field = &table->field[k];
    const struct convert_settings *settings = conversion->settings;
    const long to = conversion->to[k], number = to + 1;
    const struct column_profile *profile = &conversion->profile[to];
    const char *name = conversion->map.column[to].name;
    const char *fault = conversion_fault(conversion, field, cell);
    const int may_be_names = table->records == 1 && settings->header == HEADER_AUTO;
    static const char names[] = "if the line has the names of columns: --header yes";
    char list[LIST], what[LIST + 200], options[140] = "";

    if (!settings->restore)
        snprintf(options, sizeof options,
                 "; for categories: --categorical %ld; to leave it out: --ignore %ld", number,
                 number);
    if (cell == CELL_MISSING) {
        snprintf(what, sizeof what, "the value is missing; --missing zero%s replaces it",
                 settings->restore ? " or mean" : ", mean or column");
    } else if (fault) {
        snprintf(what, sizeof what, "%s%s", fault, cell == CELL_PAIR ? options : "");
    } else if (cell == CELL_DATE) {
        snprintf(what, sizeof what,
                 "is a date or a time; write it as a number, such as days since a day%s", options);
    } else if (settings->restore) {
        snprintf(what, sizeof what, "is not a number%s%s", may_be_names ? "; " : "",
                 may_be_names ? names : "");
    } else if (may_be_names) {
        snprintf(what, sizeof what, "is not a number; %s; if it has categories: --categorical %ld",
                 names, number);
    } else if (profile->finding == FOUND_NUMBER && 10 * profile->numbers >= 9 * profile->values) {
        snprintf(
            what, sizeof what,
            "is not a number, but most values are; --missing-values takes it for a missing one; "
            "to leave the column out: --ignore %ld",
            number);
    } else {
        if (!list_texts(conversion, 1, list) && !list_texts(conversion, 0, list))
            snprintf(list, sizeof list, "%ld", number);
        snprintf(
            what, sizeof what,
            "is not a number; for categories: --categorical %s; to leave it out: --ignore %ld%s",
            list, number,
            settings->label || settings->no_labels ? "" : "; --label names the label");
    }
    return table_fail(table, field->place, error, "column %lu%s%.40s: %s%.*s%s%s",
                      (unsigned long)k + 1, name ? ", " : "", name ? name : "",
                      cell == CELL_MISSING ? "" : "'",
                      cell == CELL_MISSING ? 0 : field_shown(field), field->text,
                      cell == CELL_MISSING ? "" : "' ", what);
}
