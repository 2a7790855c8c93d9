/* table.c - record := field {separator field} end of line; field := text | "text""text"
 *
 * A record is scanned from its beginning. If the buffer ends before the record does, more is read
 * and the record is scanned again.
 */
#include "data/table.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/digits.h"
#include "data/guess.h"

enum { LONGEST_QUOTED = 1 << 20 }; /* bytes; a longer text lacks a quote */

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
        guess_explain(&source, GUESS_OTHER, error);
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
            table_error_fill(table, *p, error, "no quote ends the text that this one begins");
            return SCAN_BAD;
        } else if ((unsigned char)*q < ' ' && *q != '\t' && *q != '\n' && *q != '\r') {
            return scan_control(table, q, error);
        }
    }
    field->length = (size_t)(q - field->text);
    *p = q + 1;
    return SCAN_FOUND;
}

/* Scans the text at *p, and moves *p to its end. */
static enum scan scan_plain(const struct table *table, const char **p, struct field *field,
                            struct hinge_error *error)
{
    const char *q = *p;

    while (!ends_field(table, *q) && ((unsigned char)*q >= ' ' || *q == '\t'))
        q++;
    if (!ends_field(table, *q) ||
        (*q == '\0' && !(q == table->source.end && table->source.exhausted)))
        return scan_control(table, q, error);
    field->text = *p;
    field->length = (size_t)(q - *p);
    *p = q;
    while (field->length > 0 && is_space(table, q[-1]))
        field->length--, q--;
    return SCAN_FOUND;
}

/* Scans the field at *p, and moves *p to what ends it. */
static enum scan scan_field(const struct table *table, const char **p, struct field *field,
                            struct hinge_error *error)
{
    enum scan scan;

    while (is_space(table, **p))
        ++*p;
    *field = (struct field){NULL, 0, *p, 0};
    if (**p != '"')
        return scan_plain(table, p, field, error);
    if ((scan = scan_quoted(table, p, field, error)) != SCAN_FOUND)
        return scan;
    if (table->separator == ' ' && is_space(table, **p))
        return SCAN_FOUND;
    while (is_space(table, **p))
        ++*p;
    if (*p == table->source.end && !table->source.exhausted)
        return SCAN_MORE;
    if (ends_field(table, **p) && (**p != '\0' || *p == table->source.end))
        return SCAN_FOUND;
    table_error_fill(table, *p, error,
                     "text after a quoted field; a quote inside one must stand there twice");
    return SCAN_BAD;
}

/* Scans the record at the cursor. */
static enum scan scan_record(struct table *table, struct hinge_error *error)
{
    const struct source *source = &table->source;
    const char *p = source->cursor;
    struct field *field;
    enum scan scan;

    for (table->fields = 0;; p++) {
        if (table->fields == table->capacity) {
            if (!(field = array_reserve(table->field, &table->capacity, table->fields + 1,
                                        sizeof *field, error)))
                return SCAN_BAD;
            table->field = field;
        }
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
        if (*p != table->separator || *p == '\0')
            break;
    }
    if (*p == '\r' && p + 1 == source->end && !source->exhausted)
        return SCAN_MORE;
    p += *p == '\r' && p[1] == '\n';
    table->after = p + (*p != '\0');
    return SCAN_FOUND;
}

/* ---- Records ----------------------------------------------------------- */

/* Replaces doubled quotes by single ones, in a copy: the source may be scanned again. */
static enum hinge_status undouble(struct table *table, struct hinge_error *error)
{
    const size_t length = (size_t)(table->after - table->source.cursor);
    char *to = array_reserve(table->text, &table->room, length + 1, 1, error);

    if (!to)
        return failure(error);
    table->text = to;
    for (size_t k = 0; k < table->fields; k++) {
        struct field *field = &table->field[k];
        const char *text = to;

        if (!field->doubled)
            continue;
        for (size_t i = 0; i < field->length; i++) {
            *to++ = field->text[i];
            i += field->text[i] == '"';
        }
        field->text = text;
        field->length = (size_t)(to - text);
        *to++ = '\0'; /* there is room: a pair of quotes became one */
    }
    return HINGE_OK;
}

/* Completes the record that was scanned. Returns 1, 0 if there is no text on its line, -1 on
 * failure.
 */
static int finish(struct table *table, struct hinge_error *error)
{
    int doubled = 0;

    if (table->fields == 1 && table->field->length == 0 && *table->field->place != '"')
        return 0;
    for (size_t k = 0; k < table->fields; k++)
        doubled |= table->field[k].doubled;
    if (doubled && undouble(table, error))
        return -1;
    for (size_t k = 0; k < table->fields; k++) { /* blanks inside quotes go, too */
        struct field *field = &table->field[k];

        while (field->length > 0 && is_blank(field->text[field->length - 1]))
            field->length--;
        while (field->length > 0 && is_blank(*field->text))
            field->text++, field->length--;
    }
    if (table->width == 0)
        table->width = table->fields;
    if (table->fields != table->width) {
        const size_t last = table->fields > table->width ? table->width : table->fields - 1;

        table_error_fill(table, table->field[last].place, error,
                         "%lu columns where the first line has %lu", (unsigned long)table->fields,
                         (unsigned long)table->width);
        return -1;
    }
    table->records++;
    return 1;
}

/* Finds the separator of the first line with text, from the cursor on. SCAN_MORE if the end of that
 * line is not in the buffer. */
static enum scan find_separator(struct table *table)
{
    static const char order[] = "\t;,|";
    const struct source *source = &table->source;
    size_t seen[sizeof order - 1] = {0};
    int quoted = 0, begins = 1, text = 0;

    for (const char *p = source->cursor;; p++) {
        const char *found = *p && (*p != ',' || !table->decimal_comma) ? strchr(order, *p) : NULL;

        if (p == source->end && !source->exhausted && p - source->cursor < LONGEST_QUOTED)
            return SCAN_MORE;
        if (*p == '\0' || (!quoted && text && (*p == '\n' || *p == '\r')))
            break;
        if (*p == '\n' && !text)
            memset(seen, 0, sizeof seen);
        if (*p == '"')
            quoted = !quoted && begins;
        else if (found && !quoted)
            seen[found - order]++;
        begins = found || is_blank(*p);
        text |= !is_blank(*p) && *p != '\n' && *p != '\r';
    }
    for (size_t k = 0; order[k] && !table->separator; k++)
        if (seen[k] > 0)
            table->separator = order[k];
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
        if (table->after)
            advance(source, table->after);
        table->after = NULL;
        while (source->cursor == source->end && !source->exhausted)
            if (source_refill(source, error))
                return -1;
        if (source->cursor == source->end)
            return 0;
        for (;;) {
            scan = table->separator ? SCAN_FOUND : find_separator(table);
            if (scan == SCAN_FOUND)
                scan = scan_record(table, error);
            if (scan != SCAN_MORE)
                break;
            if (source_refill(source, error))
                return -1;
        }
        found = scan == SCAN_FOUND ? finish(table, error) : -1;
    } while (found == 0);
    return found;
}

enum hinge_status table_open(struct table *table, const char *path, char separator,
                             int decimal_comma, int twice, struct hinge_error *error)
{
    memset(table, 0, sizeof *table);
    table->separator = separator;
    table->decimal_comma = decimal_comma;
    if (source_open(&table->source, path, error))
        return failure(error);
    return twice ? source_keep(&table->source, error) : HINGE_OK;
}

enum hinge_status table_rewind(struct table *table, struct hinge_error *error)
{
    table->after = NULL;
    table->records = 0;
    return source_rewind(&table->source, error);
}

void table_close(struct table *table)
{
    source_close(&table->source);
    free(table->field);
    free(table->text);
    memset(table, 0, sizeof *table);
}

/* ---- Texts of fields: 5.1 | 5,1 | 2026-11-21 | 12:30 | NA | text --------- */

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

int cell_is_missing(const char *text, size_t length)
{
    static const char *const words[] = {"", "?", "na", "n/a", "nan", "null"};

    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        size_t i = 0;

        while (i < length && words[k][i] && lower(text[i]) == words[k][i])
            i++;
        if (i == length && words[k][i] == '\0')
            return 1;
    }
    return 0;
}

/* True if all of the text is a number. */
static int is_number(const char *text, size_t length, double *value)
{
    return length > 0 && number_parse(text, value) == text + length;
}

/* True if all of the text is a number with a decimal comma. */
static int is_comma_number(const char *text, size_t length, double *value)
{
    enum { LONGEST = 400 }; /* characters */
    const char *comma = memchr(text, ',', length);
    char point[LONGEST + 1];

    if (!comma || length > LONGEST || memchr(text, '.', length))
        return 0;
    memcpy(point, text, length);
    point[comma - text] = '.';
    point[length] = '\0';
    return is_number(point, length, value);
}

static size_t count_digits(const char *p, const char *end)
{
    const char *first = p;

    while (p < end && is_digit(*p))
        p++;
    return (size_t)(p - first);
}

/* True for 2026-11-21, 21/11/26, 21.Nov.2026 and the like, and for times as 12:30. */
static int is_date(const char *p, const char *end)
{
    const size_t first = count_digits(p, end);
    size_t second;
    char between;

    p += first;
    if (first < 1 || first > 4 || p == end)
        return 0;
    between = *p++;
    second = count_digits(p, end);
    if (between == ':')
        return first <= 2 && second == 2;
    if (!strchr("-/.", between))
        return 0;
    if (second == 0)
        while (p + second < end && lower(p[second]) >= 'a' && lower(p[second]) <= 'z')
            second++;
    p += second;
    return second >= 1 && second <= 9 && p < end && *p == between && count_digits(p + 1, end) > 0;
}

int cell_is_pair(const char *text, size_t length)
{
    const size_t digits = count_digits(text, text + length);
    double value;

    return digits > 0 && digits < length && text[digits] == ':' &&
           is_number(text + digits + 1, length - digits - 1, &value);
}

enum cell cell_read(const char *text, size_t length, char decimal, double *value)
{
    const int comma = decimal == ',', point = memchr(text, '.', length) != NULL;
    double other;

    if (comma ? is_comma_number(text, length, value) || (!point && is_number(text, length, value))
              : is_number(text, length, value))
        return fabs(*value) <= DBL_MAX ? CELL_NUMBER : CELL_HUGE;
    if (cell_is_missing(text, length))
        return CELL_MISSING;
    if (!comma && is_comma_number(text, length, &other))
        return CELL_COMMA;
    if (is_date(text, text + length))
        return CELL_DATE;
    return cell_is_pair(text, length) ? CELL_PAIR : CELL_TEXT;
}
