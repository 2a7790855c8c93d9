/* dataset.c - all rows of a file. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "data/pages.h"
#include "data/team_reader.h"
#include "data/parallel_reader.h"
#include "data/paged_reader.h"

/* Moves the rows into the dataset. */
static void finish(struct hinge_dataset *data, struct rows *rows)
{
    struct entries *entries = &rows->reader.entries;

    data->zeros = entries_finish(entries, rows->features);
    data->x = entries->x;
    data->label = array_cut(rows->label, data->x.rows, sizeof *data->label);
    data->features = rows->features;
    data->zero_based = rows->reader.format.zero_based;
    entries->x = (struct hinge_matrix){.rows = 0};
    rows->label = NULL;
    data->x.start = array_cut(data->x.start, data->x.rows + 1, sizeof *data->x.start);
}

/* *is_read: the dataset has what was read; else the rows have it. */
static enum hinge_status read_rows(struct rows *rows, unsigned threads, uint64_t alone,
                                   struct hinge_dataset *data, int *is_read,
                                   struct hinge_error *error)
{
    *is_read = 0;
    return rows->reader.format.memory > 0 ? paged_reader_read(rows, data, is_read, error)
                                          : parallel_reader_read_all(rows, threads, alone, error);
}

/* As dataset_read; the first so many bytes are read by one thread. */
static struct hinge_dataset *read_file(const char *path, const struct hinge_format *format,
                                       size_t chunk, unsigned threads, uint64_t alone,
                                       struct hinge_error *error)
{
    struct hinge_dataset *data;
    struct rows rows;
    int is_read;

    if (format->team)
        return team_reader_read(path, format, chunk, threads, error);
    if (!(data = array_new(1, sizeof *data, error)))
        return NULL;
    if (rows_new(&rows, format, error) ||
        source_open_chunks(&rows.reader.source, path, chunk, error) ||
        read_rows(&rows, threads, alone, data, &is_read, error)) {
        free(data);
        data = NULL;
    } else if (!is_read) {
        finish(data, &rows);
    }
    rows_free(&rows);
    return data;
}

struct hinge_dataset *dataset_read(const char *path, const struct hinge_format *format,
                                   size_t chunk, unsigned threads, struct hinge_error *error)
{
    return read_file(path, format, chunk, threads, 0, error);
}

struct hinge_dataset *hinge_dataset_read(const char *path, const struct hinge_format *format,
                                         struct hinge_error *error)
{
    /* One thread reads these bytes in some 20 milliseconds. The start of a second thread and its
     * buffers take 2 or 3, and as much again if the processors are busy: covtype-93k, 11 MB, was
     * then read in 1.08 times the time. */
    static const uint64_t ALONE = 1u << 23;
    const unsigned threads = format->threads > 1 ? parallel_threads(format->threads) : 1;

    return read_file(path, format, SOURCE_CHUNK, threads, ALONE, error);
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
