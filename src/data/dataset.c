/* dataset.c - all rows of a file, compressed by rows: start[i] .. start[i+1] - 1 belong to row i.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/reader.h"

/* Makes room for one more row. */
static enum hinge_status reserve_row(struct hinge_dataset *data, size_t *capacity,
                                     struct hinge_error *error)
{
    size_t grown = array_grown(*capacity, 256);
    void *array;

    if (data->rows < *capacity)
        return HINGE_OK;
    if (!(array = array_resize(data->label, grown, sizeof *data->label, error)))
        return failure(error);
    data->label = array;
    if (!(array = array_resize(data->start, grown + 1, sizeof *data->start, error)))
        return failure(error);
    data->start = array;
    *capacity = grown;
    return HINGE_OK;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static enum hinge_status read_rows(struct hinge_dataset *data, struct hinge_reader *reader,
                                   struct hinge_error *error)
{
    const struct entries *entries = &reader->entries;
    size_t capacity = 0;

    for (;;) {
        int labelled, found;
        double label;

        if (reserve_row(data, &capacity, error))
            return failure(error);
        data->start[data->rows] = entries->count;
        found = reader_append_row(reader, &label, &labelled, error);
        if (found < 0)
            return failure(error);
        if (!found)
            return HINGE_OK;
        if (data->rows == UINT32_MAX)
            return source_fail(&reader->source, reader->source.cursor, error, "more than %lu rows",
                               (unsigned long)UINT32_MAX);
        data->label[data->rows++] = label;
        if (entries->count > data->start[data->rows - 1])
            data->features = larger(data->features, entries_last(entries) + 1);
    }
}

/* Gives the arrays to data, cut to their length. Cutting cannot fail in a way that matters: the
 * longer array does as well. */
static void take_entries(struct hinge_dataset *data, struct entries *entries)
{
    struct hinge_error ignored;
    void *array;

    entries_cut(entries);
    data->nonzeros = entries->count;
    data->index = entries->index;
    data->narrow = entries->narrow;
    data->tiny = entries->tiny;
    data->whole = entries->whole;
    data->scale = power_of_ten[entries->places];
    data->value = entries->value;
    entries->index = NULL;
    entries->narrow = NULL;
    entries->tiny = NULL;
    entries->whole = NULL;
    entries->value = NULL;
    if ((array = array_resize(data->label, data->rows, sizeof *data->label, &ignored)))
        data->label = array;
    if ((array = array_resize(data->start, data->rows + 1, sizeof *data->start, &ignored)))
        data->start = array;
}

struct hinge_dataset *hinge_dataset_read(const char *path, const struct hinge_format *format,
                                         struct hinge_error *error)
{
    struct hinge_dataset *data = array_new(1, sizeof *data, error);
    struct hinge_reader *reader = data ? reader_open(path, format, KIND_ONE, error) : NULL;

    if (!reader || read_rows(data, reader, error)) {
        hinge_dataset_free(data);
        data = NULL;
    } else {
        data->zero_based = format->zero_based;
        take_entries(data, &reader->entries);
    }
    hinge_reader_close(reader);
    return data;
}

void hinge_dataset_free(struct hinge_dataset *data)
{
    if (!data)
        return;
    free(data->start);
    free(data->index);
    free(data->narrow);
    free(data->tiny);
    free(data->whole);
    free(data->value);
    free(data->label);
    free(data);
}
