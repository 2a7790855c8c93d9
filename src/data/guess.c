/* guess.c - first bytes, or else the columns of the first line -> words for it. */
#include "data/guess.h"

#include <stdio.h>
#include <string.h>

#include "data/number.h"
#include "data/token.h"

/* How files of other kinds begin. */
static const struct {
    const char *bytes;
    const char *kind;
} beginnings[] = {
    {"\x1f\x8b", "data compressed by gzip: try zcat FILE | train - MODEL"},
    {"BZh", "data compressed by bzip2: try bzcat FILE | train - MODEL"},
    {"\xfd\x37zXZ", "data compressed by xz: try xzcat FILE | train - MODEL"},
    {"(\xb5/\xfd", "data compressed by zstd: try zstdcat FILE | train - MODEL"},
    {"PK\3\4", "a zip archive: try unzip -p FILE | train - MODEL"},
    {"\xff\xfe", "UTF-16 text: save it as plain text (UTF-8)"},
    {"\xfe\xff", "UTF-16 text: save it as plain text (UTF-8)"},
    {"solver_type ", "a model: is the order of the arguments right?"},
};

#define CONVERT                                                                                    \
    ": LIBSVM's format is 'label index:value ...', README and manual show how to make it"

/* Whether text begins with the word, whose letters are small, in small or capital ones. */
static int begins_with(const char *text, const char *word)
{
    while (*word && (*text | ('a' <= *word && *word <= 'z' ? 0x20 : 0)) == *word)
        text++, word++;
    return *word == '\0';
}

static const char *guess_by_bytes(const char *begin)
{
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++)
        if (strncmp(begin, beginnings[k].bytes, strlen(beginnings[k].bytes)) == 0)
            return beginnings[k].kind;
    return NULL;
}

/* What the first line consists of. */
struct line_counts {
    size_t commas;
    size_t semicolons;
    size_t colons;
    size_t tabs;
    size_t words;
    size_t numbers; /* words that are a number and no more */
    size_t pairs;   /* words that are index:value */
};

enum { ENOUGH = 1000 }; /* bytes of a line that tell as much as all of it */

/* Counts to the end of the line at *line, which is moved there. */
static struct line_counts count_line(const char **line)
{
    const char *p = *line;
    struct line_counts counts = {0, 0, 0, 0, 0, 0, 0};

    while (*p != '\n' && *p != '\0') {
        const char *end = token_end(p), *colon;
        double value;

        if (end == p) {
            counts.tabs += *p == '\t';
            p++;
            continue;
        }
        counts.words++;
        counts.numbers += number_parse(p, &value) == end;
        for (colon = p; is_digit(*colon); colon++)
            ;
        counts.pairs += colon > p && *colon == ':' && number_parse(colon + 1, &value) == end;
        for (; p < end; p++) {
            counts.commas += *p == ',';
            counts.semicolons += *p == ';';
            counts.colons += *p == ':';
        }
    }
    *line = p;
    return counts;
}

/* What is between the columns of the line at p, the first with something on it; NULL: it may as
 * well be LIBSVM's format with a fault in it. */
static const char *guess_separator(const char *p, const char *end, int whole)
{
    const char *line_end = p;
    const struct line_counts counts = count_line(&line_end);

    if (counts.pairs > 0 ||
        (*line_end != '\n' && !(line_end == end && whole) && line_end - p < ENOUGH))
        return NULL;
    if (counts.semicolons > counts.colons)
        return "';' between columns (CSV)";
    if (counts.commas > counts.colons)
        return "',' between columns (CSV)";
    if (counts.words > 2 && counts.numbers == counts.words)
        return counts.tabs > 0 ? "tabs between columns" : "blanks between columns";
    return NULL;
}

int guess_format(const char *begin, const char *end, int whole, char kind[GUESS_LENGTH])
{
    const char *p = begin, *known = guess_by_bytes(begin), *separator;

    while (p < end && (is_blank(*p) || *p == '\r' || *p == '\n' || *p == '#'))
        p += *p == '#' ? strcspn(p, "\n") : 1;
    if (!known && (*p == '%' || begins_with(p, "@relation") || begins_with(p, "@attribute")))
        known = "an ARFF file" CONVERT;
    if (!known && (begins_with(p, "<!doctype html") || begins_with(p, "<html")))
        known = "a web page (HTML)";
    if (known)
        snprintf(kind, GUESS_LENGTH, "%s", known);
    else if ((separator = guess_separator(p, end, whole)))
        snprintf(kind, GUESS_LENGTH, "a table with %s" CONVERT, separator);
    else
        return 0;
    return 1;
}
