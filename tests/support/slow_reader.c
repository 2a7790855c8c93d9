/* slow_reader.c - a reader of data files that is slow and plain; the real readers beside it. */
#include "slow_reader.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/dataset.h"

/* Stops the program if the condition fails, also with NDEBUG and without cmocka, as in a fuzzer. */
#define DEMAND(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* ---- The slow one ------------------------------------------------------ */

/* Reads a finite decimal number of exactly length characters. Returns 0 if there is none. */
static int slow_number(const char *text, size_t length, double *value)
{
    char *end;

    if (length == 0 || strspn(text, "0123456789+-.eE") < length)
        return 0;
    *value = strtod(text, &end);
    return end == text + length && fabs(*value) <= DBL_MAX;
}

/* Moves *p to the next word of a line. Returns its length, or 0 at the end of the line. */
static size_t next_word(const char **p)
{
    *p += strspn(*p, " \t");
    return strcspn(*p, " \t");
}

static int slow_features(const char *p, int first, struct content *content)
{
    double last = -1;
    size_t length;

    for (; (length = next_word(&p)); p += length) {
        size_t digits = strspn(p, "0123456789");
        double index = strtod(p, NULL), *value = &content->value[content->entries];

        if (digits == 0 || digits >= length || p[digits] != ':')
            return 0;
        if (index < first || index > 2147483646 || index <= last)
            return 0;
        p += digits + 1;
        length -= digits + 1;
        if (length == 0)
            length = next_word(&p);
        if (!slow_number(p, length, value))
            return 0;
        content->index[content->entries++] = (uint32_t)index - (uint32_t)first;
        last = index;
    }
    return 1;
}

/* Reads a line, which ends with a NUL. Returns 0 if it is refused. */
static int slow_line(char *line, const struct hinge_format *format, struct content *content)
{
    const char *p = line;
    size_t length;

    line[strcspn(line, "#")] = '\0';
    for (; *p; p++)
        if ((*p > 0 && *p < ' ' && *p != '\t') || *p == 127)
            return 0;
    p = line;
    if (!(length = next_word(&p)))
        return 1;
    if (!memchr(p, ':', length)) {
        if (!slow_number(p, length, &content->label[content->rows]))
            return 0;
        content->labelled[content->rows] = 1;
        p += length;
    } else if (!format->optional_labels) {
        return 0;
    }
    length = next_word(&p);
    if (strncmp(p, "qid:", 4) == 0) {
        double query;

        if (!slow_number(p + 4, length - 4, &query))
            return 0;
        p += length;
    }
    if (!slow_features(p, !format->zero_based, content))
        return 0;
    content->end[content->rows++] = content->entries;
    return 1;
}

void slow_read(const char *bytes, size_t length, const struct hinge_format *format,
               struct content *content)
{
    const char *end = bytes + length, *newline;
    char *line = malloc(length + 1);

    DEMAND(line);
    memset(content, 0, sizeof *content);
    if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        bytes += 3;
    for (content->line = 1; bytes < end; bytes = newline + 1, content->line++) {
        size_t size;

        newline = memchr(bytes, '\n', (size_t)(end - bytes));
        size = (size_t)((newline ? newline : end) - bytes);
        memcpy(line, bytes, size);
        if (size > 0 && line[size - 1] == '\r')
            size--;
        line[size] = '\0';
        if (strlen(line) < size || !slow_line(line, format, content))
            content->refused = 1;
        if (content->refused || !newline)
            break;
    }
    content->refused |= content->rows == 0;
    free(line);
}

/* ---- The real ones ----------------------------------------------------- */

void fast_rows(const char *path, const struct hinge_format *format, struct content *content)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_reader *reader = hinge_reader_open(path, format, &error);
    struct hinge_row row;
    int found = -1; /* compressed data are refused when they are opened */

    memset(content, 0, sizeof *content);
    while (reader && (found = hinge_reader_next(reader, &row, &error)) > 0) {
        DEMAND(content->rows < CONTENT_ROWS && content->entries + row.count <= CONTENT_ENTRIES);
        content->labelled[content->rows] = row.labelled;
        content->label[content->rows] = row.label;
        if (row.count > 0) {
            memcpy(content->index + content->entries, row.index, row.count * sizeof *row.index);
            memcpy(content->value + content->entries, row.value, row.count * sizeof *row.value);
        }
        content->entries += row.count;
        content->end[content->rows++] = content->entries;
    }
    hinge_reader_close(reader);
    if (found < 0) {
        DEMAND(error.status == HINGE_BAD_INPUT);
        content->refused = 1;
        content->line = strtoul(strchr(error.message, ':') + 1, NULL, 10);
    }
}

/* True if the kind of indices is the expected one: none if half of the entries are there, or all of
 * them if all values are 1; else the smallest kind. */
static int indices_fit(const struct hinge_matrix *x, uint32_t features)
{
    if (x->index_kind == HINGE_INDEX_NONE) {
        for (size_t i = 0; i < x->rows; i++)
            if (x->start[i + 1] - x->start[i] != features)
                return 0;
        return !x->index;
    }
    return x->index &&
           features * x->rows >
               x->nonzeros + (x->value_kind == HINGE_VALUE_ONE ? 0 : x->nonzeros) &&
           x->index_kind == (features <= 256     ? HINGE_INDEX_8
                             : features <= 65536 ? HINGE_INDEX_16
                                                 : HINGE_INDEX_32);
}

int totals_hold(const struct hinge_dataset *data, const struct hinge_format *format)
{
    uint32_t features = 0;

    if (data->x.rows == 0 || data->x.start[0] != 0)
        return 0;
    for (size_t i = 0; i < data->x.rows; i++) {
        size_t end = data->x.start[i + 1];

        if (data->x.start[i] > end)
            return 0;
        if (data->x.start[i] < end && hinge_index(&data->x, end - 1) >= features)
            features = hinge_index(&data->x, end - 1) + 1;
    }
    return data->x.start[data->x.rows] == data->x.nonzeros && data->features == features &&
           data->zero_based == format->zero_based && indices_fit(&data->x, features) &&
           data->x.value_kind != HINGE_VALUE_FLOAT &&
           (data->x.value == NULL) == (data->x.value_kind == HINGE_VALUE_ONE);
}

/* Copies the dataset to content, and frees it. If it is NULL, stores the line that the message
 * names. */
static void take_content(struct hinge_dataset *data, const struct hinge_format *format,
                         const struct hinge_error *error, struct content *content)
{
    memset(content, 0, sizeof *content);
    if (!data) {
        DEMAND(error->status == HINGE_BAD_INPUT);
        content->refused = 1;
        content->line = strtoul(strchr(error->message, ':') + 1, NULL, 10);
        return;
    }
    DEMAND(totals_hold(data, format));
    DEMAND(data->x.rows <= CONTENT_ROWS && data->x.nonzeros <= CONTENT_ENTRIES);
    content->rows = data->x.rows;
    content->entries = data->x.nonzeros;
    content->is_whole = data->x.index_kind == HINGE_INDEX_NONE;
    for (size_t i = 0; i < data->x.rows; i++) {
        content->labelled[i] = 1;
        content->end[i] = data->x.start[i + 1];
    }
    memcpy(content->label, data->label, data->x.rows * sizeof *data->label);
    for (size_t k = 0; k < data->x.nonzeros; k++) {
        content->index[k] = hinge_index(&data->x, k);
        content->value[k] = hinge_value(&data->x, k);
    }
    hinge_dataset_free(data);
}

void fast_dataset(const char *path, const struct hinge_format *format, struct content *content)
{
    struct hinge_error error = {HINGE_OK, ""};

    take_content(hinge_dataset_read(path, format, &error), format, &error, content);
}

void fast_pieces(const char *path, const struct hinge_format *format, size_t chunk,
                 unsigned threads, struct content *content)
{
    struct hinge_error error = {HINGE_OK, ""};

    take_content(dataset_read(path, format, chunk, threads, 0, &error), format, &error, content);
}

static int same_entry(const struct content *a, size_t k, const struct content *b, size_t l)
{
    return a->index[k] == b->index[l] &&
           memcmp(&a->value[k], &b->value[l], sizeof a->value[k]) == 0;
}

/* True if a and b have the same entries, except for zeros that b has in addition. */
static int same_entries(const struct content *a, const struct content *b)
{
    const double zero = 0;
    size_t k = 0, l = 0;

    for (size_t i = 0; i < a->rows; i++) {
        for (; l < b->end[i]; l++)
            if (k < a->end[i] && same_entry(a, k, b, l))
                k++;
            else if (!b->is_whole || memcmp(&b->value[l], &zero, sizeof zero) != 0)
                return 0;
        if (k != a->end[i])
            return 0;
    }
    return l == b->entries && l - k <= k;
}

int same_content(const struct content *a, const struct content *b)
{
    if (a->refused || b->refused)
        return a->refused == b->refused && a->line == b->line;
    return a->rows == b->rows &&
           memcmp(a->labelled, b->labelled, a->rows * sizeof a->labelled[0]) == 0 &&
           memcmp(a->label, b->label, a->rows * sizeof a->label[0]) == 0 && same_entries(a, b);
}
