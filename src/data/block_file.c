/* block_file.c - block -> its arrays, one after the other | rows -> a part of each array.
 *
 * The reader widens its kinds as it goes on. The kinds of the whole are those that block.c would
 * choose in memory. As a rule, only the first blocks have other kinds. Places in the file come from
 * fgetpos, because an offset may be larger than a long.
 */
#include "data/block_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_name.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/status.h"

/* ---- Writing ----------------------------------------------------------- */

/* Appends an array and sets *at to its place. Flushes the stream, because a buffer that is written
 * later would hide that the disk is full. */
static enum hinge_status append(struct block_file *file, const void *bytes, size_t size, fpos_t *at,
                                struct hinge_error *error)
{
    if (size == 0)
        return HINGE_OK;
    errno = 0;
    if (fgetpos(file->file, at) != 0 || fwrite(bytes, 1, size, file->file) != size ||
        fflush(file->file) != 0)
        return fail_file(error, "write", file->name);
    file->bytes += (double)size;
    return HINGE_OK;
}

enum hinge_status block_file_put(struct block_file *file, const struct block *block,
                                 struct hinge_error *error)
{
    const struct hinge_matrix *x = &block->x;
    const char *path = file->path;
    struct stored_block *stored;

    if (!file->file) {
        snprintf(file->name, sizeof file->name, "%s", path ? path : "a temporary file");
        if (path && file_name_is_taken(path)) /* data must not stay where a link leads */
            return fail(error, HINGE_FILE_ERROR, "cannot write %s: it is there already", path);
        if (path && !(file->remove = array_new(strlen(path) + 1, 1, error)))
            return failure(error);
        errno = 0;
        file->file = path ? fopen(path, "w+b") : tmpfile();
        if (!file->file)
            fail_file(error, "write", path ? path : file->name);
        else if (path)
            memcpy(file->remove, path, strlen(path));
        if (!file->file || (path && remove(path) == 0)) {
            free(file->remove);
            file->remove = NULL;
        }
        if (!file->file)
            return failure(error);
    }
    if (ARRAY_RESERVE(&file->block, &file->capacity, file->count + 2, error))
        return failure(error);
    stored = &file->block[file->count];
    *stored = (struct stored_block){.first = file->count > 0 ? stored->first : 0,
                                    .index_kind = x->index_kind,
                                    .kinds = block_kinds(block),
                                    .width = block->width,
                                    .filled = block->filled};
    if (append(file, x->index, index_bytes(x->index_kind, x->nonzeros), &stored->index, error) ||
        append(file, x->value, value_bytes(x->value_kind, x->nonzeros), &stored->value, error))
        return failure(error);
    file->count++;
    stored[1].first = stored->first + x->rows;
    return HINGE_OK;
}

enum hinge_status block_file_finish(struct block_file *file, struct hinge_matrix *x, size_t columns,
                                    struct hinge_error *error)
{
    struct storage_kinds all = file->block->kinds;
    size_t *start;

    for (size_t b = 1; b < file->count; b++)
        all = storage_kinds_join(&all, &file->block[b].kinds);
    all.columns = (uint32_t)columns;
    file->columns = columns;
    file->places = all.places;
    x->value_kind = all.value_kind;
    x->scale = value_scale(all.value_kind, all.places);
    x->index_kind = storage_kinds_are_dense(&all) ? HINGE_INDEX_NONE : index_kind_of(columns);
    if (x->index_kind == HINGE_INDEX_NONE) {
        if (!(start = array_new(x->rows + 1, sizeof *start, error)))
            return failure(error);
        for (size_t i = 0; i <= x->rows; i++)
            start[i] = i * columns;
        file->listed = x->start; /* blocks with indices need the old starts */
        x->start = start;
    }
    x->nonzeros = x->start[x->rows];
    return HINGE_OK;
}

/* An error of closing the file is ignored, because the file is not needed any more. */
void block_file_free(struct block_file *file)
{
    if (file->file)
        fclose(file->file);
    if (file->remove)
        remove(file->remove);
    free(file->remove);
    free(file->block);
    free(file->listed);
    free(file->index);
    free(file->value);
}

/* ---- Loading ----------------------------------------------------------- */

/* Some rows of a block, in the kinds of the block. */
struct stored_rows {
    const struct stored_block *block;
    size_t from;      /* their first entry in the block */
    struct block raw; /* the rows as they were put, in the room of the file */
    int is_final;     /* the rows have the kinds of the whole */
};

static struct stored_rows rows_of(const struct block_file *file, const struct hinge_matrix *x,
                                  size_t block, size_t first, size_t end)
{
    const struct stored_block *stored = &file->block[block];
    size_t *start = file->listed ? file->listed : x->start;
    const int is_dense = stored->index_kind == HINGE_INDEX_NONE;

    return (struct stored_rows){
        .block = stored,
        .from = is_dense ? (first - stored->first) * stored->width
                         : start[first] - start[stored->first],
        .raw = {.x = {.rows = end - first,
                      .nonzeros =
                          is_dense ? (end - first) * stored->width : start[end] - start[first],
                      .start = start + first,
                      .index_kind = stored->index_kind,
                      .value_kind = stored->kinds.value_kind,
                      .index = file->index,
                      .value = file->value},
                .places = stored->kinds.places,
                .width = stored->width,
                .filled = stored->filled},
        .is_final = stored->index_kind == x->index_kind &&
                    stored->kinds.value_kind == x->value_kind &&
                    stored->kinds.places == file->places &&
                    (!is_dense || (stored->filled == 0 && stored->width == file->columns))};
}

/* Reads bytes from the place `offset` bytes after `at`. */
static enum hinge_status read_at(struct block_file *file, const fpos_t *at, size_t offset,
                                 void *bytes, size_t size, struct hinge_error *error)
{
    enum { STEP = 1 << 30 };
    int failed;

    if (size == 0)
        return HINGE_OK;
    errno = 0;
    failed = fsetpos(file->file, at) != 0;
    for (; !failed && offset > STEP; offset -= STEP)
        failed = fseek(file->file, STEP, SEEK_CUR) != 0;
    if (failed || (offset > 0 && fseek(file->file, (long)offset, SEEK_CUR) != 0) ||
        fread(bytes, 1, size, file->file) != size)
        return fail_file(error, "read", file->name);
    file->read += (double)size;
    return HINGE_OK;
}

enum hinge_status block_file_reserve(struct block_file *file, const struct hinge_matrix *x,
                                     size_t block, size_t first, size_t end,
                                     struct hinge_error *error)
{
    const struct stored_rows rows = rows_of(file, x, block, first, end);
    const struct hinge_matrix *raw = &rows.raw.x;
    const size_t index = index_bytes(raw->index_kind, raw->nonzeros);
    const size_t value = value_bytes(raw->value_kind, raw->nonzeros);

    if (rows.is_final)
        return HINGE_OK;
    if ((index > file->index_size && ARRAY_RESIZE(&file->index, index, error)) ||
        (value > file->value_size && ARRAY_RESIZE(&file->value, value, error)))
        return failure(error);
    file->index_size = index > file->index_size ? index : file->index_size;
    file->value_size = value > file->value_size ? value : file->value_size;
    return HINGE_OK;
}

enum hinge_status block_file_load(struct block_file *file, const struct hinge_matrix *x,
                                  size_t block, size_t first, size_t end, void *index, void *value,
                                  struct hinge_error *error)
{
    const struct stored_rows rows = rows_of(file, x, block, first, end);
    const struct hinge_matrix *raw = &rows.raw.x;
    const struct block to = {.x = {.index_kind = x->index_kind,
                                   .value_kind = x->value_kind,
                                   .index = index,
                                   .value = value},
                             .places = file->places,
                             .width = file->columns};

    if (read_at(file, &rows.block->index, index_bytes(raw->index_kind, rows.from),
                rows.is_final ? index : raw->index, index_bytes(raw->index_kind, raw->nonzeros),
                error) ||
        read_at(file, &rows.block->value, value_bytes(raw->value_kind, rows.from),
                rows.is_final ? value : raw->value, value_bytes(raw->value_kind, raw->nonzeros),
                error))
        return failure(error);
    if (!rows.is_final)
        block_convert(&rows.raw, &to, 0);
    return HINGE_OK;
}
