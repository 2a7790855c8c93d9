/* rows.c - compressed by rows: start[i] .. start[i+1] - 1 belong to row i. */
#include "data/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum hinge_status rows_new(struct rows *rows, const struct hinge_format *format,
                           struct hinge_error *error)
{
    memset(rows, 0, sizeof *rows);
    return reader_begin(&rows->reader, format, HINGE_INDEX_NONE, HINGE_VALUE_ONE, error);
}

void rows_free(struct rows *rows)
{
    reader_end(&rows->reader);
    free(rows->label);
    rows->label = NULL;
}

enum hinge_status rows_clear(struct rows *rows, const struct rows *like, struct hinge_error *error)
{
    rows->reader.entries.x.rows = 0;
    rows->reader.rows = like->reader.rows;
    rows->features = 0;
    return entries_clear(&rows->reader.entries, &like->reader.entries, error);
}

enum hinge_status rows_reserve(double **label, size_t **start, size_t *capacity, size_t rows,
                               struct hinge_error *error)
{
    const size_t grown = array_grown(*capacity, rows > 256 ? rows : 256);
    void *array;

    if (rows <= *capacity)
        return HINGE_OK;
    if (!(array = array_resize(*label, grown, sizeof **label, error)))
        return failure(error);
    *label = array;
    if (!(array = array_resize(*start, grown + 1, sizeof **start, error)))
        return failure(error);
    *start = array;
    *capacity = grown;
    return HINGE_OK;
}

static enum hinge_status reserve(struct rows *rows, size_t needed, struct hinge_error *error)
{
    return rows_reserve(&rows->label, &rows->reader.entries.x.start, &rows->capacity, needed,
                        error);
}

/* 1 + the index of the last entry of the last row, 0 if it has none. */
static uint32_t row_features(const struct hinge_matrix *x)
{
    const size_t count = x->nonzeros - x->start[x->rows];

    if (x->index_kind == HINGE_INDEX_NONE || count == 0)
        return (uint32_t)count;
    return hinge_index(x, x->nonzeros - 1) + 1;
}

int rows_next(struct rows *rows, struct hinge_error *error)
{
    struct hinge_reader *reader = &rows->reader;
    struct hinge_matrix *x = &reader->entries.x;
    int labelled, found;
    uint32_t features;
    double label;

    if (x->rows == rows->capacity && reserve(rows, x->rows + 1, error))
        return -1;
    x->start[x->rows] = x->nonzeros;
    found = reader_append_row(reader, &label, &labelled, error);
    if (found <= 0)
        return found;
    if (x->rows == UINT32_MAX) {
        source_error_fill(&reader->source, reader->source.cursor, error, "more than %lu rows",
                          (unsigned long)UINT32_MAX);
        return -1;
    }
    rows->label[x->rows] = label;
    if (entries_end_row(&reader->entries, error))
        return -1;
    features = row_features(x);
    if (features > rows->features)
        rows->features = features;
    x->rows++;
    return 1;
}

enum hinge_status rows_read(struct rows *rows, struct hinge_error *error)
{
    int found;

    do
        found = rows_next(rows, error);
    while (found > 0);
    return found < 0 ? failure(error) : HINGE_OK;
}

void rows_expect(struct rows *rows, double times)
{
    const double count = times * (double)rows->reader.entries.x.rows;
    struct hinge_error ignored;

    if (count < UINT32_MAX)
        reserve(rows, (size_t)count, &ignored);
    entries_expect(&rows->reader.entries, times);
}

/* Counts the rows of others in, whose entries are appended. */
static void count_in(struct rows *rows, const struct rows *others)
{
    rows->reader.rows += others->reader.entries.x.rows;
    if (others->features > rows->features)
        rows->features = others->features;
}

static void copy_labels(const struct rows *rows, const struct rows *others, size_t row)
{
    memcpy(rows->label + row, others->label, others->reader.entries.x.rows * sizeof *rows->label);
}

enum hinge_status rows_join(struct rows *rows, const struct rows *others, struct hinge_error *error)
{
    const size_t row = rows->reader.entries.x.rows;

    if (reserve(rows, row + others->reader.entries.x.rows, error))
        return failure(error);
    copy_labels(rows, others, row);
    if (entries_join(&rows->reader.entries, &others->reader.entries, error))
        return failure(error);
    count_in(rows, others);
    return HINGE_OK;
}

int rows_place(struct rows *rows, const struct rows *others, struct row_start *at)
{
    const size_t count = others->reader.entries.x.rows;

    if (!rows_fit(rows, others) || count > rows->capacity - rows->reader.entries.x.rows ||
        !entries_place(&rows->reader.entries, &others->reader.entries, at))
        return 0;
    count_in(rows, others);
    return 1;
}

void rows_copy(const struct rows *rows, const struct rows *others, const struct row_start *at)
{
    copy_labels(rows, others, at->row);
    entries_copy(&rows->reader.entries, &others->reader.entries, at);
}
