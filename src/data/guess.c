/* guess.c - the first bytes, or else the columns of the first line -> the kind of the file. */
#include "data/guess.h"

#include <stdio.h>
#include <string.h>

#include "data/cell.h"
#include "data/number.h"
#include "data/token.h"

/* Beginnings of other kinds of files. */
static const struct {
    const char *bytes;
    const char *kind;
} beginnings[] = {
    {"\xff\xfe", "UTF-16 text: save it as plain text (UTF-8)"},
    {"\xfe\xff", "UTF-16 text: save it as plain text (UTF-8)"},
    {"solver_type ", "a model: is the order of the arguments right?"},
    {"hinge-map ", "a map of convert: is the order of the arguments right?"},
    {"svm_type ", "a model of LIBSVM: is the order of the arguments right?"},
    {"%%MatrixMarket ", "a Matrix Market file: in Python, dump_svmlight_file of sklearn.datasets "
                        "writes what scipy.io.mmread reads of it as data"},
};

/* True if the text begins with the word, which is in lower case; the text may be in capitals. */
static int begins_with(const char *text, const char *word)
{
    while (*word && (*text | ('a' <= *word && *word <= 'z' ? 0x20 : 0)) == *word)
        text++, word++;
    return *word == '\0';
}

static const char *skip_blanks(const char *p)
{
    while (is_blank(*p) || *p == '\r' || *p == '\n')
        p++;
    return p;
}

/* Returns the number of labels of a row of data: numbers with commas between them, and an
 * index:value pair after them. Returns 0 if it is no such row. */
static size_t count_labels(const char *p)
{
    size_t labels = 1;
    double value;

    for (const char *q = number_parse(p, &value); q > p; q = number_parse(p, &value), labels++) {
        if (is_blank(*q)) {
            while (is_blank(*q))
                q++;
            return cell_is_pair(q, (size_t)(token_end(q) - q)) ? labels : 0;
        }
        if (*q != ',')
            return 0;
        p = q + 1;
    }
    return 0;
}

/* True for Vowpal Wabbit's format: at most a label and a weight, then a bar with a name or with
 * features after it. */
static int is_vw(const char *p)
{
    const char *q = p;
    double value;

    for (int k = 0; k < 2; k++) {
        q = number_parse(q, &value);
        while (is_blank(*q))
            q++;
    }
    return *q == '|' && (q == p || is_blank(q[-1])) &&
           ((q[1] | 0x20) >= 'a' ? (q[1] | 0x20) <= 'z' : is_blank(q[1]) && q == p);
}

/* True for a file of ranges: a line x, or y, and two numbers in the next one. */
static int is_ranges(const char *p)
{
    double number;

    if ((*p != 'x' && *p != 'y') || (p[1] != '\n' && p[1] != '\r'))
        return 0;
    for (int k = 0; k < 2; k++) {
        const char *begin = skip_blanks(k == 0 ? p + 1 : p);

        if ((p = number_parse(begin, &number)) == begin)
            return 0;
    }
    return 1;
}

/* True for data of extreme classification: a line of three whole numbers, then rows of pairs. */
static int has_counts(const char *p)
{
    uint64_t count;

    for (int k = 0; k < 3; k++) {
        const char *begin = p;

        p = number_parse_whole(p, UINT32_MAX, &count);
        if (p == begin || (k < 2 && !is_blank(*p)))
            return 0;
        while (is_blank(*p) || *p == '\r')
            p++;
    }
    if (*p++ != '\n')
        return 0;
    while (is_blank(*p))
        p++;
    if (memchr(p, ':', (size_t)(token_end(p) - p)) == NULL)
        p = token_end(p);
    while (is_blank(*p))
        p++;
    return cell_is_pair(p, (size_t)(token_end(p) - p));
}

enum { ENOUGH = 1000 }; /* bytes of a line that tell as much as the whole line */

/* Returns what separates the columns of the line at p, the first with something on it. Returns NULL
 * if the line may as well be LIBSVM's format with a fault. Separators in quotes are text. */
static const char *guess_separator(const char *p, const char *end, int whole)
{
    size_t commas = 0, semicolons = 0, colons = 0, tabs = 0, words = 0, quotes = 0;
    size_t numbers = 0; /* words that are a number and nothing else */
    const char *first = p;

    while (*p != '\n' && *p != '\0') {
        const char *word_end = token_end(p);
        double value;

        if (*p == '"' && (p == first || strchr(",; \t", p[-1]))) {
            const char *quote = strchr(p + 1, '"');

            if (!quote)
                break;
            quotes++;
            p = quote + 1;
            continue;
        }
        if (word_end == p) {
            tabs += *p++ == '\t';
            continue;
        }
        words++;
        numbers += number_parse(p, &value) == word_end;
        if (cell_is_pair(p, (size_t)(word_end - p)))
            return NULL;
        for (; p < word_end; p++) {
            if (*p == '"' && strchr(",;", p[-(p > first)]))
                break;
            commas += *p == ',';
            semicolons += *p == ';';
            colons += *p == ':';
        }
    }
    if (*p != '\n' && !(p == end && whole) && p - first < ENOUGH && quotes == 0)
        return NULL;
    if (semicolons > colons)
        return quotes ? "quoted columns, ';' between them (CSV)" : "';' between columns (CSV)";
    if (commas > colons)
        return quotes ? "quoted columns, ',' between them (CSV)" : "',' between columns (CSV)";
    if (tabs > 0 && colons == 0)
        return quotes ? "quoted columns, tabs between them" : "tabs between columns";
    return words > 2 && numbers == words ? "blanks between columns" : NULL;
}

enum guess guess_format(const char *begin, const char *end, int whole, char kind[GUESS_LENGTH])
{
    const char *p = begin, *next, *known = NULL;

    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++)
        if (strncmp(begin, beginnings[k].bytes, strlen(beginnings[k].bytes)) == 0) {
            snprintf(kind, GUESS_LENGTH, "%s", beginnings[k].kind);
            return GUESS_OTHER;
        }
    while (p < end && (is_blank(*p) || *p == '\r' || *p == '\n' || *p == '#'))
        p += *p == '#' ? strcspn(p, "\n") : 1;
    next = skip_blanks(p + (*p != '\0'));
    if (*p == '%' || begins_with(p, "@relation") || begins_with(p, "@attribute"))
        known = "an ARFF file: the lines after @data are a table (CSV), which convert reads";
    else if (begins_with(p, "<!doctype html") || begins_with(p, "<html"))
        known = "a web page (HTML)";
    else if (is_ranges(p))
        known = "ranges of scale: scale -r RANGES DATA SCALED takes them";
    else if (has_counts(p))
        known = "data with the numbers of rows, features and labels in the first line: tail -n +2 "
                "FILE > DATA leaves it out";
    else if ((*p == '{' && (*next == '"' || *next == '}')) || /* an object with or without names, */
             (*p == '[' && *next && /* or a list of objects, lists, numbers or texts */
              (strchr("{[\"-", *next) || is_digit(*next))))
        known = "JSON: save it as a table (CSV), which convert reads";
    else if (count_labels(p) > 1)
        known = "multi-label data: keep one label a row, or make a file for each label, with "
                "labels 1 and -1";
    else if (is_vw(p))
        known = "Vowpal Wabbit's format: LIBSVM's is 'label index:value ...', without bars";
    if (known) {
        snprintf(kind, GUESS_LENGTH, "%s", known);
        return GUESS_OTHER;
    }
    if ((known = guess_separator(p, end, whole))) {
        snprintf(kind, GUESS_LENGTH, "a table with %s: " GUESS_CONVERT, known);
        return GUESS_TABLE;
    }
    if (count_labels(p) == 0)
        return GUESS_NOTHING;
    snprintf(kind, GUESS_LENGTH, "LIBSVM's format, which train reads: train FILE");
    return GUESS_DATA;
}

enum guess guess_explain(const struct source *source, unsigned wanted, struct hinge_error *error)
{
    const size_t length = strlen(error->message);
    char kind[GUESS_LENGTH];
    const enum guess guess =
        source->before == 0 ? guess_format(source->buffer, source->end, source->exhausted, kind)
                            : GUESS_NOTHING;

    if (!(guess & wanted))
        return GUESS_NOTHING;
    snprintf(error->message + length, sizeof error->message - length, "; the file looks like %s",
             kind);
    return guess;
}
