/* dataset.c - all rows of a file. */
#include "data/dataset.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/status.h"
#include "data/pages.h"

struct hinge_dataset *dataset_read(const char *path, const struct hinge_format *format,
                                   size_t chunk, unsigned threads, uint64_t alone,
                                   struct hinge_error *error)
{
    struct hinge_dataset *data;
    struct hinge_reader reader;
    int is_read = 0; /* the dataset has its rows already */
    enum hinge_status status;

    if (format->team)
        return team_reader_read(path, format, chunk, threads, error);
    if (!(data = array_new(1, sizeof *data, error)))
        return NULL;
    status = reader_begin(&reader, format, error);
    if (!status)
        status = source_open_part(&reader.source, path, chunk, 0, UINT64_MAX, error);
    if (!status)
        status = format->memory > 0 ? paged_reader_read(&reader, data, &is_read, error)
                                    : parallel_reader_read(&reader, threads, alone, error);
    if (!status && !is_read) { /* moves the rows into the dataset */
        struct block *block = &reader.block;

        data->zeros = block_finish(block);
        data->x = block->x;
        data->x.start = array_cut(data->x.start, data->x.rows + 1, sizeof *data->x.start);
        data->label = array_cut(block->label, data->x.rows, sizeof *data->label);
        data->features = block->features;
        data->zero_based = format->zero_based;
        *block = (struct block){0};
    }
    reader_end(&reader);
    if (!status)
        return data;
    free(data);
    return NULL;
}

struct hinge_dataset *hinge_dataset_read(const char *path, const struct hinge_format *format,
                                         struct hinge_error *error)
{
    /* One thread reads these bytes in some 20 milliseconds. Starting a second thread and its
     * buffers takes 2 or 3, and as much again on busy processors. With a second thread, covtype-93k
     * (11 MB) took 1.08 times as long. */
    static const uint64_t ALONE = 1u << 23;
    const unsigned threads = format->threads > 1 ? parallel_threads(format->threads) : 1;

    return dataset_read(path, format, SOURCE_CHUNK, threads, ALONE, error);
}

struct hinge_dataset *hinge_dataset_read_file(const char *path, int zero_based, uint32_t threads,
                                              struct hinge_error *error)
{
    const struct hinge_format format = {.zero_based = zero_based,
                                        .threads = parallel_threads(threads)};

    return hinge_dataset_read(path, &format, error);
}

enum hinge_status hinge_dataset_copy(const struct hinge_dataset *data, int64_t *start,
                                     int32_t *index, double *value, struct hinge_error *error)
{
    const struct hinge_matrix *x = &data->x;
    size_t count = 0;

    if (x->pages)
        return fail(error, HINGE_BAD_ARGUMENT, "the data are in a temporary file");
    start[0] = 0;
    for (size_t i = 0; i < x->rows; i++) {
        for (size_t k = x->start[i]; k < x->start[i + 1]; k++) {
            const double v = hinge_value(x, k);

            if (v == 0)
                continue;
            index[count] =
                (int32_t)(x->index_kind == HINGE_INDEX_NONE ? k - x->start[i] : hinge_index(x, k));
            value[count++] = v;
        }
        start[i + 1] = (int64_t)count;
    }
    return HINGE_OK;
}

size_t hinge_dataset_rows(const struct hinge_dataset *data)
{
    return data->x.rows;
}

size_t hinge_dataset_features(const struct hinge_dataset *data)
{
    return data->features;
}

size_t hinge_dataset_entries(const struct hinge_dataset *data)
{
    return data->x.nonzeros;
}

const double *hinge_dataset_labels(const struct hinge_dataset *data)
{
    return data->label;
}

void hinge_dataset_free(struct hinge_dataset *data)
{
    if (!data)
        return;
    free(data->x.start);
    free(data->x.index);
    free(data->x.value);
    pages_free(data->x.pages);
    free(data->label);
    free(data);
}
