/* cell.c - 5.1 | 5,1 | 2026-11-21 | 12:30 | NA | text */
#include "data/cell.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "data/digits.h"
#include "data/number.h"

enum { LONGEST = 400 }; /* characters of a number with a decimal comma */

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

/* Is all of the text a number? */
static int is_number(const char *text, size_t length, double *value)
{
    return length > 0 && number_parse(text, value) == text + length;
}

/* The same of a number with a decimal comma. */
static int is_comma_number(const char *text, size_t length, double *value)
{
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

/* Digits, one of - / . and digits or letters, the same character and digits; or digits, a colon and
 * two digits. */
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
