/* map_words.c - the words of a line of a map. */
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/map_read.h"
#include "data/number.h"
#include "data/reader.h"

/* Returns the next word of the line, and skips the blank after it; NULL if there is no word. */
static const char *next_word(struct map_reader *reader, const char **end, const char *expected,
                             struct hinge_error *error)
{
    const char *begin = reader->p;

    for (*end = begin; *end < reader->end && **end != ' ';)
        ++*end;
    reader->p = *end + (*end < reader->end);
    if (*end > begin)
        return begin;
    source_error_fill(&reader->source, begin, error, "%s expected", expected);
    return NULL;
}

int map_take_word(struct map_reader *reader, const char *const *words, const char *expected,
                  struct hinge_error *error)
{
    const char *end, *begin = next_word(reader, &end, expected, error);

    for (int k = 0; begin && words[k]; k++)
        if (is_word(begin, end, words[k]))
            return k;
    if (begin)
        source_error_fill(&reader->source, begin, error, "'%.*s' where a map has %s",
                          token_shown(begin, end), begin, expected);
    return -1;
}

enum hinge_status map_take_number(struct map_reader *reader, size_t least, size_t most,
                                  const char *expected, size_t *number, struct hinge_error *error)
{
    const char *end, *begin = next_word(reader, &end, expected, error);
    uint64_t value;

    if (!begin)
        return failure(error);
    if (number_parse_whole(begin, most, &value) != end || value < least)
        return source_fail(&reader->source, begin, error, "'%.*s' is no %s",
                           token_shown(begin, end), begin, expected);
    *number = (size_t)value;
    return HINGE_OK;
}

enum hinge_status map_take_double(struct map_reader *reader, const char *what, double *value,
                                  struct hinge_error *error)
{
    const char *end, *begin = next_word(reader, &end, what, error);

    return begin ? token_number(&reader->source, what, begin, end, value, error) : failure(error);
}

enum hinge_status map_take_next(struct map_reader *reader, size_t wanted, const char *what,
                                struct hinge_error *error)
{
    const char *begin = reader->p;
    size_t number;

    if (map_take_number(reader, 1, LARGEST_INDEX, what, &number, error))
        return failure(error);
    return number == wanted
               ? HINGE_OK
               : source_fail(&reader->source, begin, error, "%s %lu where %lu is the next one",
                             what, (unsigned long)number, (unsigned long)wanted);
}

enum hinge_status map_take_text(struct map_reader *reader, struct hinge_error *error)
{
    static const char escaped[] = "\\nr";
    const size_t length = (size_t)(reader->end - reader->p);
    char *to;

    if (ARRAY_RESERVE(&reader->text, &reader->room, length + 1, error))
        return failure(error);
    to = reader->text;
    for (; reader->p < reader->end; reader->p++)
        if (*reader->p != '\\')
            *to++ = *reader->p;
        else if (++reader->p < reader->end && strchr(escaped, *reader->p))
            *to++ = "\\\n\r"[strchr(escaped, *reader->p) - escaped];
        else
            return source_fail(&reader->source, reader->p - 1, error,
                               "a backslash without n, r or a backslash after it");
    *to = '\0';
    return HINGE_OK;
}
