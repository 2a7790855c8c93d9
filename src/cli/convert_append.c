/* convert_append.c - a table with the output of predict as further columns. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/convert.h"
#include "cli/report.h"
#include "data/number.h"
#include "data/token.h"

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

/* Writes a separator and the field, in quotes if it has to be. A number has the table's decimal
 * sign. */
static void write_field(const struct conversion *conversion, const struct field *field,
                        FILE *stream)
{
    const char separator = separator_of(&conversion->table);
    double value;
    const int has_comma = conversion->map.notation.decimal_comma &&
                          number_parse(field->text, &value) == field->text + field->length;
    int is_quoted = 0;

    for (size_t i = 0; i < field->length; i++)
        is_quoted |= field->text[i] == separator || field->text[i] == '"' ||
                     field->text[i] == '\n' || field->text[i] == '\r' ||
                     (has_comma && field->text[i] == '.' && separator == ',');
    putc(separator, stream);
    if (is_quoted)
        putc('"', stream);
    for (size_t i = 0; i < field->length; i++) {
        if (field->text[i] == '"')
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
