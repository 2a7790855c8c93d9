/* cell.c - 5.1 | 5,1 | $1,234 | 12 % | 2026-11-21 | 12:30 | NA | text */
#include "data/cell.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "data/digits.h"

/* True if the text is one of the words. any_case ignores the case of the text; the words are then
 * in lower case. */
static int is_one_of(const char *text, size_t length, const char *const *words, int any_case)
{
    for (; *words; words++) {
        size_t i = 0;

        while (i < length && (*words)[i] &&
               (any_case ? lower_case(text[i]) : text[i]) == (*words)[i])
            i++;
        if (i == length && (*words)[i] == '\0')
            return 1;
    }
    return 0;
}

int cell_is_missing(const struct notation *notation, const char *text, size_t length, int is_word)
{
    static const char *const any_case[] = {"", "?", "na", "n/a", "nan", "null", NULL};
    static const char *const as_is[] = {"#N/A", "<NA>", "\\N", NULL};
    static const char *const unknown[] = {"unknown", NULL};
    static const char *const also_words[] = {"None", "-", ".", NULL};
    enum { LONGEST_SPELLING = sizeof "unknown" - 1 };

    if (length > LONGEST_SPELLING && notation->missing.count == 0) /* most texts */
        return 0;
    return is_one_of(text, length, any_case, 1) ||
           (notation->version != 1 && (is_one_of(text, length, as_is, 0) ||
                                       (!is_word && is_one_of(text, length, also_words, 0)))) ||
           (notation->version != 1 && notation->version != 2 && !is_word &&
            is_one_of(text, length, unknown, 1)) ||
           (notation->missing.count > 0 &&
            dictionary_find(&notation->missing, text, length, "", 0) != DICTIONARY_NONE);
}

/* ---- Numbers ----------------------------------------------------------- */

/* True if all of the text is a number. */
static int is_number(const char *text, size_t length, double *value)
{
    return length > 0 && number_parse(text, value) == text + length;
}

static size_t count_digits(const char *p, const char *end)
{
    const char *first = p;

    while (p < end && is_digit(*p))
        p++;
    return (size_t)(p - first);
}

/* Returns the end of a sign and of digits in groups: one to three that do not begin with 0, then
 * threes, each after the separator. Returns NULL if there are no two groups. */
static const char *skip_groups(const char *p, const char *end, char separator)
{
    size_t groups = 0, digits;

    p += p < end && (*p == '-' || *p == '+');
    if (p == end || *p == '0')
        return NULL;
    for (digits = count_digits(p, end); digits >= 1 && digits <= 3; groups++) {
        p += digits;
        if (p == end || *p != separator)
            return groups > 0 ? p : NULL;
        digits = count_digits(++p, end);
        if (digits != 3)
            return NULL;
    }
    return NULL;
}

enum { LONGEST = 400 }; /* characters of a number with commas or groups */

/* True if all of the text is a number with this decimal sign, and groups of digits that `group`
 * separates; group 0: no groups. */
static int is_written(const char *text, size_t length, char decimal, char group, double *value)
{
    const char *const end = text + length;
    const char *groups_end = group ? skip_groups(text, end, group) : NULL, *p = text;
    char plain[LONGEST + 1];
    size_t count = 0;

    if (length > LONGEST)
        return 0;
    for (; groups_end && p < groups_end; p++)
        if (*p != group)
            plain[count++] = *p;
    for (; p < end; p++) {
        if (*p != decimal && (*p == '.' || *p == ','))
            return 0;
        plain[count] = *p;
        if (*p == decimal)
            plain[count] = '.';
        count++;
    }
    plain[count] = '\0';
    return is_number(plain, count, value);
}

const char *cell_strip_unit(const char **text, size_t *length)
{
    static const char *const units[] = {"%", "$", "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5"};

    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        const char *const unit = units[k];
        const size_t size = strlen(unit);
        const int fits = *length > size;
        const int leads = fits && *unit != '%' && memcmp(*text, unit, size) == 0;

        if (!leads && (!fits || memcmp(*text + *length - size, unit, size) != 0))
            continue;
        *length -= size;
        *text += leads ? size : 0;
        for (; leads && *length > 0 && **text == ' '; ++*text)
            --*length;
        while (!leads && *length > 0 && (*text)[*length - 1] == ' ')
            --*length;
        return unit;
    }
    return NULL;
}

/* True if the text is a number in the notation. A table with decimal commas may have numbers with
 * points, too, unless three digits after the point can be thousands. */
static int is_number_of(const struct notation *notation, const char *text, size_t length,
                        double *value)
{
    if (!notation->decimal_comma)
        return is_number(text, length, value) ||
               (notation->thousands && is_written(text, length, '.', ',', value));
    if (is_written(text, length, ',', notation->thousands ? '.' : '\0', value))
        return 1;
    return !notation->thousands && !skip_groups(text, text + length, '.') &&
           is_number(text, length, value);
}

void cell_write_number(const struct notation *notation, const char *text, size_t length,
                       FILE *stream)
{
    const char decimal = notation->decimal_comma ? ',' : '.';

    cell_strip_unit(&text, &length);
    if (!notation->decimal_comma && !notation->thousands) {
        fwrite(text, 1, length, stream);
        return;
    }
    for (size_t k = 0; k < length; k++)
        if (text[k] == decimal)
            putc('.', stream);
        else if (!notation->thousands || (text[k] != '.' && text[k] != ','))
            putc(text[k], stream);
}

void cell_add_signs(struct notation_signs *signs, const char *text, size_t length)
{
    int comma, point;
    double value;

    cell_strip_unit(&text, &length);
    comma = memchr(text, ',', length) != NULL;
    point = memchr(text, '.', length) != NULL;
    if (!comma && !point) {
        if (is_number(text, length, &value) && value == floor(value))
            ++*(fabs(value) < 1000 ? &signs->below_thousand : &signs->thousand_plain);
        return;
    }
    if (comma) {
        const int groups = is_written(text, length, '.', ',', &value);
        const int decimal = is_written(text, length, ',', '.', &value);

        signs->comma_or_groups += groups && decimal;
        signs->comma_groups += groups && !decimal;
        signs->point_groups += !groups && decimal && point;
        signs->decimal_commas += !groups && decimal && !point;
    } else if (!skip_groups(text, text + length, '.')) {
        signs->points += (size_t)is_number(text, length, &value);
    } else if (!is_number(text, length, &value)) {
        signs->point_groups += (size_t)is_written(text, length, ',', '.', &value);
    }
}

/* ---- Other texts ------------------------------------------------------- */

/* True for 2026-11-21, 21/11/26, 21.Nov.2026 and the like, and for times such as 12:30. */
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
        while (p + second < end && lower_case(p[second]) >= 'a' && lower_case(p[second]) <= 'z')
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

enum cell cell_read(const struct notation *notation, const char *text, size_t length, double *value)
{
    double other;

    if (notation->missing.count > 0 && cell_is_missing(notation, text, length, 0))
        return CELL_MISSING;
    if (is_number_of(notation, text, length, value))
        return fabs(*value) <= DBL_MAX ? CELL_NUMBER : CELL_HUGE;
    if (cell_is_missing(notation, text, length, 0))
        return CELL_MISSING;
    if (cell_strip_unit(&text, &length) && is_number_of(notation, text, length, value))
        return fabs(*value) <= DBL_MAX ? CELL_NUMBER : CELL_HUGE;
    if (is_written(text, length, '.', ',', &other) || is_written(text, length, ',', '.', &other))
        return CELL_COMMA;
    if (is_date(text, text + length))
        return CELL_DATE;
    return cell_is_pair(text, length) ? CELL_PAIR : CELL_TEXT;
}
