/* guess.c - first bytes, or else the columns of the first line -> words for a message. */
#include "data/guess.h"

#include <stdio.h>
#include <string.h>

#include "data/number.h"
#include "data/token.h"

/* How files of other kinds begin. */
static const struct {
    const char *bytes;
    const char *kind;
    const char *remedy; /* of compressed ones the program that decompresses; else NULL */
} beginnings[] = {
    {"\x1f\x8b", "compressed by gzip", "zcat"},
    {"BZh", "compressed by bzip2", "bzcat"},
    {"\xfd"
     "7zXZ",
     "compressed by xz", "xzcat"},
    {"(\xb5/\xfd", "compressed by zstd", "zstdcat"},
    {"PK\3\4", "a zip archive", "unzip -p"},
    {"\xff\xfe", "UTF-16 text; save it as plain text (UTF-8)", NULL},
    {"\xfe\xff", "UTF-16 text; save it as plain text (UTF-8)", NULL},
    {"solver_type ", "a model, where data are expected; is the order of the arguments right?",
     NULL},
};

#define CONVERT "LIBSVM's format is 'label index:value ...', as README and manual show how to make"

/* Whether text begins with the word, whose letters are small, in small or capital ones. */
static int begins_with(const char *text, const char *word)
{
    while (*word && (*text | ('a' <= *word && *word <= 'z' ? 0x20 : 0)) == *word)
        text++, word++;
    return *word == '\0';
}

static int guess_by_bytes(const char *begin, char *reason)
{
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++) {
        if (strncmp(begin, beginnings[k].bytes, strlen(beginnings[k].bytes)) != 0)
            continue;
        if (beginnings[k].remedy)
            snprintf(reason, GUESS_LENGTH,
                     "%s; let it come through a pipe: %s FILE | train - MODEL", beginnings[k].kind,
                     beginnings[k].remedy);
        else
            snprintf(reason, GUESS_LENGTH, "%s", beginnings[k].kind);
        return 1;
    }
    return 0;
}

/* What the first line consists of. */
struct columns {
    size_t commas;
    size_t semicolons;
    size_t colons;
    size_t tabs;
    size_t words;
    size_t numbers; /* words that are a number and no more */
    size_t pairs;   /* words that are index:value */
};

static struct columns count_columns(const char *p)
{
    struct columns columns = {0, 0, 0, 0, 0, 0, 0};

    while (*p != '\n' && *p != '\0') {
        const char *end = token_end(p), *colon;
        double value;

        if (end == p) {
            columns.tabs += *p == '\t';
            p++;
            continue;
        }
        columns.words++;
        columns.numbers += number_parse(p, &value) == end;
        for (colon = p; is_digit(*colon); colon++)
            ;
        columns.pairs += colon > p && *colon == ':' && number_parse(colon + 1, &value) == end;
        for (; p < end; p++) {
            columns.commas += *p == ',';
            columns.semicolons += *p == ';';
            columns.colons += *p == ':';
        }
    }
    return columns;
}

/* The line at p is the first with something on it. */
static int guess_by_columns(const char *p, char *reason)
{
    const struct columns columns = count_columns(p);
    const char *separator = NULL;

    if (columns.pairs > 0)
        return 0;
    if (columns.semicolons > columns.colons)
        separator = "';' between columns (CSV)";
    else if (columns.commas > columns.colons)
        separator = "',' between columns (CSV)";
    else if (columns.words > 2 && columns.numbers == columns.words)
        separator = columns.tabs > 0 ? "tabs between columns" : "blanks between columns";
    if (!separator)
        return 0;
    snprintf(reason, GUESS_LENGTH, "a table with %s; " CONVERT, separator);
    return 1;
}

int guess_format(const char *begin, const char *end, char reason[GUESS_LENGTH])
{
    const char *p = begin;

    if (guess_by_bytes(begin, reason))
        return 1;
    while (p < end && (is_blank(*p) || *p == '\r' || *p == '\n' || *p == '#'))
        p += *p == '#' ? strcspn(p, "\n") : 1;
    if (*p == '%' || begins_with(p, "@relation") || begins_with(p, "@attribute")) {
        snprintf(reason, GUESS_LENGTH, "an ARFF file; " CONVERT);
        return 1;
    }
    if (begins_with(p, "<!doctype html") || begins_with(p, "<html")) {
        snprintf(reason, GUESS_LENGTH, "a web page (HTML)");
        return 1;
    }
    return guess_by_columns(p, reason);
}
