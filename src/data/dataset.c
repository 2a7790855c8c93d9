/* dataset.c - all rows of a file, compressed by rows: start[i] .. start[i+1] - 1 belong to row i.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/reader.h"

/* Makes room for one more row. */
static enum hinge_status reserve_row(struct hinge_dataset *data, struct hinge_matrix *x,
                                     size_t *capacity, struct hinge_error *error)
{
    size_t grown = array_grown(*capacity, 256);
    void *array;

    if (x->rows < *capacity)
        return HINGE_OK;
    if (!(array = array_resize(data->label, grown, sizeof *data->label, error)))
        return failure(error);
    data->label = array;
    if (!(array = array_resize(x->start, grown + 1, sizeof *x->start, error)))
        return failure(error);
    x->start = array;
    *capacity = grown;
    return HINGE_OK;
}

/* Reads all rows into the matrix of the reader, labels into data. */
static enum hinge_status read_rows(struct hinge_dataset *data, struct hinge_reader *reader,
                                   struct hinge_error *error)
{
    struct hinge_matrix *x = &reader->entries.x;
    size_t capacity = 0;

    for (;;) {
        int labelled, found;
        double label;

        if (reserve_row(data, x, &capacity, error))
            return failure(error);
        x->start[x->rows] = x->nonzeros;
        found = reader_append_row(reader, &label, &labelled, error);
        if (found < 0)
            return failure(error);
        if (!found)
            return HINGE_OK;
        if (x->rows == UINT32_MAX)
            return source_fail(&reader->source, reader->source.cursor, error, "more than %lu rows",
                               (unsigned long)UINT32_MAX);
        data->label[x->rows] = label;
        if (x->nonzeros > x->start[x->rows] && hinge_index(x, x->nonzeros - 1) >= data->features)
            data->features = hinge_index(x, x->nonzeros - 1) + 1;
        x->rows++;
    }
}

struct hinge_dataset *hinge_dataset_read(const char *path, const struct hinge_format *format,
                                         struct hinge_error *error)
{
    struct hinge_dataset *data = array_new(1, sizeof *data, error);
    struct hinge_reader *reader =
        data ? reader_open(path, format, HINGE_INDEX_8, HINGE_VALUE_ONE, error) : NULL;

    if (!reader || read_rows(data, reader, error)) {
        hinge_dataset_free(data);
        data = NULL;
    } else {
        struct hinge_error ignored; /* an array that cannot be cut to its length does as well */
        void *array;

        entries_finish(&reader->entries);
        data->x = reader->entries.x;
        reader->entries.x = (struct hinge_matrix){.rows = 0};
        data->zero_based = format->zero_based;
        if ((array = array_resize(data->label, data->x.rows, sizeof *data->label, &ignored)))
            data->label = array;
        if ((array =
                 array_resize(data->x.start, data->x.rows + 1, sizeof *data->x.start, &ignored)))
            data->x.start = array;
    }
    hinge_reader_close(reader);
    return data;
}

void hinge_dataset_free(struct hinge_dataset *data)
{
    if (!data)
        return;
    free(data->x.start);
    free(data->x.index);
    free(data->x.value);
    free(data->label);
    free(data);
}
