/* token.c - a token is complete when a byte that ends it is in the buffer, or nothing follows. */
#include "data/token.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "data/number.h"

int token_complete(struct source *source, const char *end, struct hinge_error *error)
{
    if (source->exhausted || end != source->end)
        return 0;
    return source_refill(source, error) ? -1 : 1;
}

enum hinge_status token_gather(struct source *source, struct hinge_error *error)
{
    int more;

    do {
        while (is_blank(*source->cursor))
            source->cursor++;
        more = token_complete(source, token_end(source->cursor), error);
    } while (more > 0);
    return more < 0 ? failure(error) : HINGE_OK;
}

enum hinge_status token_check(const struct source *source, const char *end,
                              struct hinge_error *error)
{
    const char *p = source->cursor;

    while (p < end && (unsigned char)*p >= ' ' && *p != 127)
        p++;
    if (p == end && end > source->cursor && (*end != '\0' || end == source->end))
        return HINGE_OK;
    if (*p == '\0')
        return source_fail(source, p, error, "NUL byte");
    if (*p == '\r')
        return source_fail(source, p, error, "carriage return inside a line");
    return source_fail(source, p, error, "byte 0x%02x: this is no text file", (unsigned char)*p);
}

int token_shown(const char *p, const char *end)
{
    return end - p > 40 ? 40 : (int)(end - p);
}

/* True for the names that strtod has for infinity and NaN, without a sign: nan(ind) is one. */
static int is_infinity_or_nan(const char *p, const char *end)
{
    static const char *const names[] = {"nan", "NaN", "NAN",      "inf",
                                        "Inf", "INF", "infinity", "Infinity"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const size_t length = strlen(names[k]);

        if (strncmp(p, names[k], length) == 0 && (p + length == end || p[length] == '('))
            return 1;
    }
    return 0;
}

enum hinge_status token_fail_number(const struct source *source, const char *what, const char *p,
                                    const char *end, struct hinge_error *error)
{
    double value = 0;
    const char *number_end = number_parse(p, &value), *unsigned_p = p + (*p == '-' || *p == '+');
    const char *reason = number_end == end ? "is beyond the largest double" : "is not a number";

    if (number_end != end && is_infinity_or_nan(unsigned_p, end))
        reason = "is not a finite number";
    if (number_end != p && number_end != end)
        return source_fail(
            source, number_end, error, "%s '%.*s' is not a number%s", what, token_shown(p, end), p,
            *number_end == ',' && strcmp(what, "value") == 0 ? ": the decimal sign is a point"
                                                             : "");
    return source_fail(source, p, error, "%s '%.*s' %s", what, token_shown(p, end), p, reason);
}

enum hinge_status token_number(struct source *source, const char *what, const char *p,
                               const char *end, double *value, struct hinge_error *error)
{
    if (number_parse(p, value) != end || !isfinite(*value))
        return token_fail_number(source, what, p, end, error);
    source->cursor = end;
    return HINGE_OK;
}

enum token token_in_line(struct source *source, struct hinge_error *error)
{
    for (;;) {
        const char *p = source->cursor;

        while (is_blank(*p))
            p++;
        source->cursor = p;
        if (*p == '#')
            return source_skip_line(source, error) ? TOKEN_ERROR : TOKEN_LINE_END;
        if (*p == '\r' && (p[1] == '\n' || (p + 1 == source->end && source->exhausted)))
            p++;
        if (*p == '\n') {
            source_next_line(source, p);
            return TOKEN_LINE_END;
        }
        if (p < source->end && !(*p == '\r' && p + 1 == source->end))
            return TOKEN_TEXT;
        if (source->exhausted)
            return TOKEN_END;
        if (source_refill(source, error))
            return TOKEN_ERROR;
    }
}

enum token token_seek_line(struct source *source, struct hinge_error *error)
{
    enum token token;

    do
        token = token_in_line(source, error);
    while (token == TOKEN_LINE_END);
    return token;
}

enum hinge_status token_seek(struct source *source, struct hinge_error *error)
{
    for (;;) {
        const char *p = source->cursor;

        while (is_blank(*p) || *p == '\r')
            p++;
        source->cursor = p;
        if (*p == '\n')
            source_next_line(source, p);
        else if (p < source->end || source->exhausted)
            return token_gather(source, error);
        else if (source_refill(source, error))
            return failure(error);
    }
}

const char *token_next(struct source *source, const char *expected, struct hinge_error *error)
{
    const char *end;

    if (token_seek(source, error))
        return NULL;
    end = token_end(source->cursor);
    if (end == source->cursor && (*end == '#' || end == source->end)) {
        source_error_fill(source, source->cursor, error, "%s expected", expected);
        return NULL;
    }
    return token_check(source, end, error) ? NULL : end;
}

enum hinge_status token_read_number(struct source *source, const char *what, double *value,
                                    struct hinge_error *error)
{
    const char *end = token_next(source, what, error);

    return end ? token_number(source, what, source->cursor, end, value, error) : failure(error);
}
