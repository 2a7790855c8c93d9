/* table.c - record := field {separator field} end of line; field := text | "text""text"
 *
 * A record is scanned from its beginning. If the buffer ends before the record does, more is read
 * and the record is scanned again.
 */
#include "data/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/digits.h"
#include "data/guess.h"

enum { LONGEST_QUOTED = 1 << 30 }; /* bytes; a longer text lacks a quote */

/* ---- Places ------------------------------------------------------------ */

static int is_line_end(const char *p)
{
    return *p == '\n' || (*p == '\r' && p[1] != '\n');
}

/* Moves the cursor to p, and counts the lines on the way. */
static void advance(struct source *source, const char *p)
{
    for (const char *q = source->cursor; q < p; q++)
        if (is_line_end(q))
            source_next_line(source, q);
    source->cursor = p;
}

void table_error_fill(const struct table *table, const char *place, struct hinge_error *error,
                      const char *format, ...)
{
    enum { EARLY = 2 }; /* records: the first line of another kind of file may pass for names */
    struct source source = table->source;
    char reason[512];
    va_list arguments;

    va_start(arguments, format);
    text_format(reason, sizeof reason, format, arguments);
    va_end(arguments);
    for (char *p = reason; *p; p++) /* a field may have several lines, a message has one */
        if ((unsigned char)*p < ' ')
            *p = ' ';
    advance(&source, place);
    source_error_fill(&source, place, error, "%s", reason);
    if (table->records <= EARLY)
        guess_explain(&source, GUESS_DATA | GUESS_OTHER, error);
}

/* ---- Fields ------------------------------------------------------------ */

enum scan { SCAN_FOUND, SCAN_MORE, SCAN_BAD };

static int is_space(const struct table *table, char c)
{
    return c == ' ' || (c == '\t' && table->separator != '\t');
}

/* True if the character may follow a field. */
static int ends_field(const struct table *table, char c)
{
    return c == table->separator || c == '\n' || c == '\r' || c == '\0' ||
           (c == '\t' && table->separator == ' ');
}

/* Decides about the byte at p, which is NUL or another control character. */
static enum scan scan_control(const struct table *table, const char *p, struct hinge_error *error)
{
    if (p == table->source.end && !table->source.exhausted)
        return SCAN_MORE;
    if (*p == '\0')
        table_error_fill(table, p, error, "NUL byte");
    else
        table_error_fill(table, p, error, "byte 0x%02x: this is no text file", (unsigned char)*p);
    return SCAN_BAD;
}

/* Scans the quoted text at *p, and moves *p past its last quote. */
static enum scan scan_quoted(const struct table *table, const char **p, struct field *field,
                             struct hinge_error *error)
{
    const char *q = *p + 1, *const end = table->source.end;

    field->text = q;
    for (;; q++) {
        if (*q == '"' && q[1] == '"') {
            field->doubled = 1;
            q++;
        } else if (*q == '"') {
            if (q + 1 == end && !table->source.exhausted)
                return SCAN_MORE;
            break;
        } else if (q - field->text > LONGEST_QUOTED || (q == end && table->source.exhausted)) {
            table_error_fill(table, *p, error, "no quote ends the text that this one begins%s",
                             table->quotes_advice);
            return SCAN_BAD;
        } else if ((unsigned char)*q < ' ' && *q != '\t' && *q != '\n' && *q != '\r') {
            return scan_control(table, q, error);
        }
    }
    field->length = (size_t)(q - field->text);
    *p = q + 1;
    return SCAN_FOUND;
}

/* Scans the field at *p, and moves *p to what ends it. */
static enum scan scan_field(struct table *table, const char **p, struct field *field,
                            struct hinge_error *error)
{
    const char separator = table->separator, *q;
    enum scan scan;

    while (is_space(table, **p))
        ++*p;
    *field = (struct field){NULL, 0, *p, 0};
    if (**p != '"' || separator == TABLE_LINES || table->plain_quotes) {
        for (q = *p;; q++) {
            while ((unsigned char)*q > ' ' && *q != separator)
                q++;
            if (ends_field(table, *q) || (*q != ' ' && *q != '\t'))
                break;
        }
        if (!ends_field(table, *q) ||
            (*q == '\0' && !(q == table->source.end && table->source.exhausted)))
            return scan_control(table, q, error);
        field->text = *p;
        *p = q;
        while (q > field->text && is_space(table, q[-1]))
            q--;
        field->length = (size_t)(q - field->text);
        return SCAN_FOUND;
    }
    table->has_quotes = 1;
    if ((scan = scan_quoted(table, p, field, error)) != SCAN_FOUND)
        return scan;
    if (separator == ' ' && is_space(table, **p))
        return SCAN_FOUND;
    while (is_space(table, **p))
        ++*p;
    if (*p == table->source.end && !table->source.exhausted)
        return SCAN_MORE;
    if (ends_field(table, **p) && (**p != '\0' || *p == table->source.end))
        return SCAN_FOUND;
    table_error_fill(table, *p, error,
                     "text after a quoted field; a quote inside one must stand there twice%s",
                     table->quotes_advice);
    return SCAN_BAD;
}

/* Scans the record at the cursor. */
static enum scan scan_record(struct table *table, struct hinge_error *error)
{
    const struct source *source = &table->source;
    const char *p = source->cursor;
    enum scan scan;

    table->has_quotes = 0;
    for (table->fields = 0;; p++) {
        if (ARRAY_RESERVE(&table->field, &table->capacity, table->fields + 2, error))
            return SCAN_BAD; /* finish may insert a field */
        if ((scan = scan_field(table, &p, &table->field[table->fields], error)) != SCAN_FOUND)
            return scan;
        table->fields++;
        if (table->separator == ' ') {
            while (is_space(table, *p))
                p++;
            if (p == source->end && !source->exhausted)
                return SCAN_MORE;
            if (!ends_field(table, *p)) {
                p--;
                continue;
            }
        }
        if (*p != table->separator || *p == '\0' || *p == TABLE_LINES)
            break;
    }
    if (*p == '\r' && p + 1 == source->end && !source->exhausted)
        return SCAN_MORE;
    p += *p == '\r' && p[1] == '\n';
    table->after = p + (*p != '\0');
    return SCAN_FOUND;
}

/* ---- Records ----------------------------------------------------------- */

static const char label_mark[] = "__label__"; /* before the label on a line for fastText */

/* True if the text at p begins with label_mark. A NUL ends the text. */
static int is_marked(const char *p)
{
    return strncmp(p, label_mark, sizeof label_mark - 1) == 0;
}

/* Makes two fields of a line if it begins with a label, or the first line did. */
static enum hinge_status split_label(struct table *table, struct hinge_error *error)
{
    struct field *label = table->field, *rest = label + 1;
    const char *const end = label->text + label->length;

    if (!is_marked(label->text) && table->width != 2)
        return HINGE_OK;
    table->fields = 2;
    *rest = *label;
    label->length = 0;
    if (is_marked(label->text)) {
        label->text += sizeof label_mark - 1;
        for (rest->text = label->text; rest->text < end && !is_blank(*rest->text);)
            rest->text++;
        label->length = (size_t)(rest->text - label->text);
        while (rest->text < end && is_blank(*rest->text))
            rest->text++;
        rest->length = (size_t)(end - rest->text);
        rest->place = rest->text;
    }
    return is_marked(rest->text)
               ? table_fail(table, rest->place, error, "a second label; a row can have only one")
               : HINGE_OK;
}

/* Completes the record that was scanned. Returns 1, 0 if there is no text on its line, -1 on
 * failure.
 */
static int finish(struct table *table, struct hinge_error *error)
{
    const int has_blanks = table->has_quotes || table->separator == TABLE_LINES;
    char *to = NULL;

    if (table->separator == TABLE_LINES) {
        if (split_label(table, error))
            return -1;
    } else if (table->fields == 1 && table->field->length == 0 && *table->field->place != '"') {
        return 0;
    }
    for (size_t k = 0; k < table->fields && has_blanks; k++) { /* blanks inside quotes go, too */
        struct field *field = &table->field[k];

        if (field->doubled) { /* single quotes, in a copy: the source may be scanned again */
            const char *text;

            if (!to && ARRAY_RESERVE(&table->text, &table->room,
                                     (size_t)(table->after - table->source.cursor) + 1, error))
                return -1;
            text = to = to ? to : table->text;
            for (size_t i = 0; i < field->length; i++) {
                *to++ = field->text[i];
                i += field->text[i] == '"';
            }
            field->text = text;
            field->length = (size_t)(to - text);
            *to++ = '\0'; /* there is room: a pair of quotes became one */
        }
        if (table->separator == '\t' && table->long_field == 0 &&
            memchr(field->text, '\n', field->length))
            table->long_field = table->source.line;
        while (field->length > 0 && is_blank(field->text[field->length - 1]))
            field->length--;
        while (field->length > 0 && is_blank(*field->text))
            field->text++, field->length--;
    }
    if (table->row_names && table->records == 0 && table->fields + 1 == table->width) {
        memmove(table->field + 1, table->field, table->fields++ * sizeof *table->field);
        table->field->length = 0;
    }
    if (table->width == 0)
        table->width = table->fields;
    table->dropped = 0;
    if (!table->any_width && table->separator != TABLE_LINES)
        while (table->fields > table->width && table->field[table->fields - 1].length == 0)
            table->fields--, table->dropped++;
    if (table->fields != table->width && !table->any_width &&
        !(table->first_is_free && table->records == 0)) {
        const size_t last = table->fields > table->width ? table->width : table->fields - 1;

        table_error_fill(table, table->field[last].place, error,
                         "%lu column%s where the %s line has %lu", (unsigned long)table->fields,
                         table->fields == 1 ? "" : "s", table->first_is_free ? "second" : "first",
                         (unsigned long)table->width);
        return -1;
    }
    table->records++;
    return 1;
}

static const char separators[] = "\t;,|"; /* in the order in which they are preferred */

/* Skips a first line such as sep=; and takes its separator. SCAN_MORE if its end is not in the
 * buffer. */
static enum scan skip_separator_line(struct table *table)
{
    const struct source *source = &table->source;
    const char *p = source->cursor;
    const int quoted = *p == '"';
    char separator;

    if (source->end - p < PAD && !source->exhausted)
        return SCAN_MORE;
    p += quoted;
    if (table->separator == TABLE_LINES || strncmp(p, "sep=", 4) != 0 || p[4] == '\0' ||
        !strchr(separators, p[4]))
        return SCAN_FOUND;
    separator = p[4];
    p += 5;
    p += quoted && *p == '"';
    p += *p == '\r' && p[1] == '\n';
    if (*p != '\n' && *p != '\r')
        return SCAN_FOUND;
    table->separator = separator;
    advance(&table->source, p + 1);
    return SCAN_FOUND;
}

/* Finds the separator of the first line, or of the first one with text, from the cursor on.
 * SCAN_MORE if the end of that line is not in the buffer. */
static enum scan find_separator(struct table *table)
{
    const struct source *source = &table->source;
    size_t seen[sizeof separators - 1] = {0};
    int quoted = 0, begins = 1, text = 0;

    if (source->end - source->cursor < (ptrdiff_t)sizeof label_mark && !source->exhausted)
        return SCAN_MORE;
    if (is_marked(source->cursor))
        table->separator = TABLE_LINES;
    for (const char *p = source->cursor; !table->separator; p++) {
        const char *found = *p ? strchr(separators, *p) : NULL;

        if (p == source->end && !source->exhausted && p - source->cursor < LONGEST_QUOTED)
            return SCAN_MORE;
        if (*p == '\0' || (!quoted && text && (*p == '\n' || *p == '\r')))
            break;
        if (*p == '\n' && !text)
            memset(seen, 0, sizeof seen);
        if (*p == '"' && !table->plain_quotes)
            quoted = !quoted && begins;
        else if (found && !quoted)
            seen[found - separators] +=
                *p != ',' || !table->decimal_comma || begins || !is_digit(p[-1]) || !is_digit(p[1]);
        begins = found || is_blank(*p);
        text |= !is_blank(*p) && *p != '\n' && *p != '\r';
    }
    for (size_t k = 0; separators[k] && !table->separator; k++)
        if (seen[k] > 0)
            table->separator = separators[k];
    if (!table->separator)
        table->separator = ' ';
    return SCAN_FOUND;
}

int table_next(struct table *table, struct hinge_error *error)
{
    struct source *source = &table->source;
    enum scan scan;
    int found;

    do {
        if (table->after && !table->has_quotes && is_line_end(table->after - 1))
            source_next_line(source, table->after - 1);
        else if (table->after)
            advance(source, table->after);
        table->after = NULL;
        while (source->cursor == source->end && !source->exhausted)
            if (source_refill(source, error))
                return -1;
        if (source->cursor == source->end)
            return 0;
        for (;;) {
            scan = table->records == 0 ? skip_separator_line(table) : SCAN_FOUND;
            if (scan == SCAN_FOUND && !table->separator)
                scan = find_separator(table);
            if (scan == SCAN_FOUND)
                scan = scan_record(table, error);
            if (scan != SCAN_MORE)
                break;
            if (source_refill(source, error))
                return -1;
        }
        if (table->is_cut && table->after == source->end)
            return 0;
        found = scan == SCAN_FOUND ? finish(table, error) : -1;
    } while (found == 0);
    return found < 0 && table->is_sample && error->status == HINGE_BAD_INPUT ? 0 : found;
}

void table_sample(const struct table *table, struct table *sample)
{
    *sample = *table;
    sample->field = NULL;
    sample->text = NULL;
    sample->after = NULL;
    sample->capacity = sample->room = 0;
    sample->records = 0;
    sample->is_sample = 1;
    sample->is_cut = !table->source.exhausted;
    sample->source.exhausted = 1;
}

enum hinge_status table_survey(struct table *table, size_t least, int can_lack_name,
                               struct hinge_error *error)
{
    enum { ENOUGH = 10, MOST_BYTES = 1 << 24 };
    struct source *source = &table->source;

    for (;;) {
        size_t first = 0, first_filled = 0, second = 0, filled = 0, longer = 0, numbers = 0;
        struct table sample;
        uint64_t records;
        char separator;
        double value;
        int found;

        table_sample(table, &sample);
        sample.any_width = 1;
        while ((found = table_next(&sample, error)) > 0) {
            size_t count = sample.fields; /* up to the last one with text */

            while (count > 0 && sample.field[count - 1].length == 0)
                count--;
            if (sample.records == 1) {
                first = sample.fields;
                first_filled = count;
                for (size_t k = 0; k < count; k++)
                    numbers += number_parse(sample.field[k].text, &value) ==
                               sample.field[k].text + sample.field[k].length;
                continue;
            }
            if (sample.records == 2)
                second = sample.fields;
            longer += sample.fields == first + 1;
            filled = count > filled ? count : filled;
        }
        records = sample.records;
        separator = sample.separator;
        table_close(&sample);
        if (found < 0)
            return failure(error);
        if (separator == TABLE_LINES)
            return HINGE_OK;
        if (records <= ENOUGH && !source->exhausted && source->end - source->cursor < MOST_BYTES) {
            if (source_refill(source, error))
                return failure(error);
            continue;
        }
        if (records < 2) {
            table->width = table->first_is_free ? least : 0;
            return HINGE_OK;
        }
        table->row_names =
            can_lack_name && numbers == 0 && longer + 1 == records && filled == first + 1;
        if (table->first_is_free && !table->row_names)
            first = second;
        else
            filled = filled > first_filled ? filled : first_filled;
        filled = filled > least ? filled : least;
        table->width = table->row_names ? first + 1 : filled < first ? filled : first;
        return HINGE_OK;
    }
}

enum hinge_status table_open(struct table *table, const char *path, char separator,
                             int decimal_comma, struct hinge_error *error)
{
    memset(table, 0, sizeof *table);
    table->separator = separator;
    table->decimal_comma = decimal_comma;
    table->quotes_advice = "";
    return source_open(&table->source, path, error);
}

enum hinge_status table_rewind(struct table *table, struct hinge_error *error)
{
    table->after = NULL;
    table->records = 0;
    return source_rewind(&table->source, error);
}

const char *table_text(const struct table *table, size_t *length, const char **end)
{
    const char *text = table->source.cursor, *last = table->after;

    last -= last > text && last[-1] == '\n';
    last -= last > text && last[-1] == '\r';
    *end = last;
    for (size_t k = 0; k < table->dropped; k++)
        while (*--last != table->separator)
            ;
    *length = (size_t)(last - text);
    return text;
}

void table_close(struct table *table)
{
    if (!table->is_sample)
        source_close(&table->source);
    free(table->field);
    free(table->text);
    memset(table, 0, sizeof *table);
}
