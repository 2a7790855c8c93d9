/* slow_table.c - one character after the other, into one long text. */
#include "slow_table.h"

#include <stdlib.h>
#include <string.h>

struct state {
    const char *p, *end;
    char separator;
    char *out;     /* the records so far */
    size_t length; /* length of out */
    size_t begin;  /* position of the current field in out */
    int bad;
};

static int at(const struct state *state, const char *set)
{
    return state->p < state->end && *state->p && strchr(set, *state->p) != NULL;
}

static int at_blank(const struct state *state)
{
    return at(state, state->separator == '\t' ? " " : " \t");
}

static int at_end(const struct state *state)
{
    return state->p == state->end || at(state, "\r\n");
}

static void put(struct state *state, char c)
{
    state->out[state->length++] = c;
    state->out[state->length] = '\0';
}

static void take(struct state *state)
{
    const unsigned char c = (unsigned char)*state->p++;

    if (c < ' ' && c != '\t' && c != '\n' && c != '\r')
        state->bad = 1;
    else
        put(state, (char)c);
}

static void skip_blanks(struct state *state)
{
    while (at_blank(state))
        state->p++;
}

static int at_separator(const struct state *state)
{
    return state->separator == ' ' ? at_blank(state)
                                   : state->p < state->end && *state->p == state->separator;
}

/* Reads a field; quoted is set if it was in quotes. */
static void read_field(struct state *state, int *quoted)
{
    skip_blanks(state);
    state->begin = state->length;
    *quoted = at(state, "\"");
    if (!*quoted)
        while (!state->bad && !at_end(state) && !at_separator(state))
            take(state);
    for (state->p += *quoted; *quoted && !state->bad;) {
        if (state->p == state->end) {
            state->bad = 1;
        } else if (*state->p != '"') {
            take(state);
        } else if (state->p + 1 < state->end && state->p[1] == '"') {
            put(state, '"');
            state->p += 2;
        } else {
            state->p++;
            if (state->separator != ' ')
                skip_blanks(state);
            state->bad |= !at_end(state) && !at_separator(state);
            break;
        }
    }
    while (state->length > state->begin && strchr(" \t", state->out[state->length - 1]))
        state->out[--state->length] = '\0';
    while (state->length > state->begin && strchr(" \t", state->out[state->begin])) {
        memmove(state->out + state->begin, state->out + state->begin + 1,
                state->length - state->begin);
        state->length--;
    }
    put(state, '\1');
}

static int at_label(const struct state *state)
{
    return state->end - state->p >= 9 && memcmp(state->p, "__label__", 9) == 0;
}

/* Reads a line that is one field, or two with a label. *width: fields of the first line, or 0. */
static void read_line(struct state *state, size_t *width)
{
    int labelled;
    size_t fields;

    skip_blanks(state);
    labelled = at_label(state);
    fields = labelled || *width == 2 ? 2 : 1;
    state->p += labelled ? 9 : 0;
    while (labelled && !state->bad && !at_end(state) && !at_blank(state))
        take(state);
    if (fields == 2)
        put(state, '\1');
    skip_blanks(state);
    state->bad |= at_label(state) || (*width > 0 && *width != fields);
    state->begin = state->length;
    while (!state->bad && !at_end(state))
        take(state);
    while (state->length > state->begin && strchr(" \t", state->out[state->length - 1]))
        state->out[--state->length] = '\0';
    put(state, '\1');
    put(state, '\2');
    *width = fields;
}

/* Returns the length of a first line such as sep=; or "sep=;", which sets the separator; 0 for
 * others. A quote at the end may be missing. */
static size_t separator_line(const char *begin, const char *end, char *separator)
{
    const char *p = begin + (begin < end && *begin == '"');

    if (end - p < 6 || memcmp(p, "sep=", 4) != 0 || p[4] == '\0' || !strchr("\t;,|", p[4]))
        return 0;
    if (p > begin && p[5] == '"' && end - p > 6 && (p[6] == '\n' || p[6] == '\r')) {
        *separator = p[4];
        return (size_t)(p + 7 - begin);
    }
    if (p[5] != '\n' && p[5] != '\r')
        return 0;
    *separator = p[4];
    return (size_t)(p + 6 - begin);
}

char *slow_table(const char *bytes, size_t size, char separator)
{
    struct state state = {bytes, bytes + size, separator, calloc(2 * size + 8, 1), 0, 0, 0};
    size_t width = 0;

    if (!state.out)
        abort();
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        state.p += 3;
    if (separator != '\n')
        state.p += separator_line(state.p, state.end, &state.separator);
    while (state.p < state.end && !state.bad) {
        const size_t before = state.length;
        size_t fields = 0;
        int quoted, more;

        if (separator == '\n')
            read_line(&state, &width);
        else
            do {
                read_field(&state, &quoted);
                fields++;
                if (state.separator == ' ')
                    skip_blanks(&state);
                more = !state.bad && !at_end(&state);
                if (more && state.separator != ' ')
                    state.p++;
            } while (more);
        if (separator == '\n') {
            /* an empty line counts */
        } else if (fields == 1 && state.out[before] == '\1' && !quoted) {
            state.out[state.length = before] = '\0'; /* a line without text */
        } else {
            for (; width > 0 && fields > width && state.out[state.length - 2] == '\1'; fields--)
                state.length--; /* an empty field after the last column */
            put(&state, '\2');
            state.bad |= width > 0 && fields != width;
            width = fields;
        }
        if (at(&state, "\r") && state.p + 1 < state.end && state.p[1] == '\n')
            state.p++;
        if (state.p < state.end)
            state.p++;
    }
    if (!state.bad)
        return state.out;
    free(state.out);
    return NULL;
}
