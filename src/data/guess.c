/* guess.c - first bytes, or else the columns of the first line -> what kind of file it is. */
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

/* Whether text begins with the word, which is in lower case; the text may be in capitals. */
static int begins_with(const char *text, const char *word)
{
    while (*word && (*text | ('a' <= *word && *word <= 'z' ? 0x20 : 0)) == *word)
        text++, word++;
    return *word == '\0';
}

enum { ENOUGH = 1000 }; /* bytes of a line that tell as much as all of it */

/* What is between the columns of the line at p, the first with something on it; NULL: it may as
 * well be LIBSVM's format with a fault in it. */
static const char *guess_separator(const char *p, const char *end, int whole)
{
    size_t commas = 0, semicolons = 0, colons = 0, tabs = 0, words = 0;
    size_t numbers = 0; /* words that are a number and no more */
    const char *first = p;

    while (*p != '\n' && *p != '\0') {
        const char *word_end = token_end(p), *colon = p;
        double value;

        if (word_end == p) {
            tabs += *p++ == '\t';
            continue;
        }
        words++;
        numbers += number_parse(p, &value) == word_end;
        while (is_digit(*colon))
            colon++;
        if (colon > p && *colon == ':' && number_parse(colon + 1, &value) == word_end)
            return NULL; /* index:value */
        for (; p < word_end; p++) {
            commas += *p == ',';
            semicolons += *p == ';';
            colons += *p == ':';
        }
    }
    if (*p != '\n' && !(p == end && whole) && p - first < ENOUGH)
        return NULL;
    if (semicolons > colons)
        return "';' between columns (CSV)";
    if (commas > colons)
        return "',' between columns (CSV)";
    if (words > 2 && numbers == words)
        return tabs > 0 ? "tabs between columns" : "blanks between columns";
    return NULL;
}

int guess_format(const char *begin, const char *end, int whole, char kind[GUESS_LENGTH])
{
    const char *p = begin, *known = NULL, *separator;

    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings && !known; k++)
        if (strncmp(begin, beginnings[k].bytes, strlen(beginnings[k].bytes)) == 0)
            known = beginnings[k].kind;
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
