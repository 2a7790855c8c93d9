/* pages.c - row -> page -> pinned, or in a frame, or read into the frame used longest ago. A page
 * is a part of one block that the reader put.
 *
 * The reader widens its kinds as it goes on. The kinds of the whole are known at the end, and are
 * those that block.c would have come to in memory. Rows get these kinds when they are loaded: as a
 * rule, only the first blocks have other ones. Places in the file are those of fgetpos, because an
 * offset may be larger than a long.
 */
#include "data/pages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_name.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/status.h"
#include "data/block.h"

enum {
    SHARE = 32,     /* a page takes this part of the memory */
    MOST_FRAMES = 8 /* which together have a quarter of the memory */
};

/* Consecutive rows, as they were put. */
struct stored_block {
    size_t first; /* row */
    enum hinge_index_kind index_kind;
    struct storage_kinds kinds;
    size_t width, filled; /* as in struct block */
    fpos_t index, value;
};

/* A temporary file of blocks, each in the kinds that the reader had for it. */
struct block_file {
    const char *path; /* NULL: where the C library puts temporary files */
    FILE *file;
    char *remove;   /* path to remove at the end, where the system keeps the name of an open file */
    char name[256]; /* for messages; a longer name is cut */
    size_t columns;
    unsigned places; /* HINGE_VALUE_WHOLE: the scale of the whole is 10^places */
    size_t count, capacity;
    struct stored_block *block; /* [count + 1]; the last one says where the rows end */
    double bytes;               /* bytes written */
    double read;                /* bytes read so far */
    size_t *listed;             /* [rows + 1] where a row begins in a list of the entries read; NULL
                                   if the start of the matrix says so */
    char *index, *value;        /* room for rows before a change of their kinds */
    size_t index_size, value_size; /* bytes of that room */
};

struct page {
    size_t first; /* row */
    size_t block;
};

struct frame {
    size_t page; /* SIZE_MAX: none */
    uint64_t used;
    char *index, *value;
};

struct hinge_pages {
    size_t memory; /* for entries */
    int is_short;  /* see pages_are_short */
    struct block_file file;

    size_t count, page_capacity;
    struct page *page; /* [count + 1]; the last one says where the rows end */
    size_t largest;    /* entries of a page */

    size_t pinned;      /* pages */
    size_t most_pinned; /* while no copy is lent */
    char *pinned_index, *pinned_value;

    unsigned frames;
    struct frame frame[MOST_FRAMES];
    struct frame *last; /* the frame used last */
    uint64_t clock;

    int failed; /* with this error */
    struct hinge_error error;
};

struct hinge_pages *pages_new(const char *scratch, struct hinge_error *error)
{
    struct hinge_pages *pages = array_new(1, sizeof *pages, error);

    if (pages)
        pages->file.path = scratch;
    return pages;
}

/* An error of closing the file is ignored, because the file is not needed any more. */
void pages_free(struct hinge_pages *pages)
{
    struct block_file *file = pages ? &pages->file : NULL;

    if (!pages)
        return;
    for (unsigned f = 0; f < MOST_FRAMES; f++) {
        free(pages->frame[f].index);
        free(pages->frame[f].value);
    }
    if (file->file)
        fclose(file->file);
    if (file->remove)
        remove(file->remove);
    free(file->remove);
    free(file->block);
    free(file->listed);
    free(file->index);
    free(file->value);
    free(pages->pinned_index);
    free(pages->pinned_value);
    free(pages->page);
    free(pages);
}

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

enum hinge_status pages_put(struct hinge_pages *pages, const struct block *block,
                            struct hinge_error *error)
{
    struct block_file *file = &pages->file;
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

/* ---- Loading ----------------------------------------------------------- */

/* Some rows of a block, in the kinds of the block. */
struct stored_rows {
    const struct stored_block *block;
    size_t from;      /* their first entry in the block */
    struct block raw; /* in the room for them */
    int is_final;     /* they have the kinds of the whole */
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

/* Reads a page in the kinds of x. */
static enum hinge_status load(struct hinge_pages *pages, const struct hinge_matrix *x, size_t page,
                              void *index, void *value, struct hinge_error *error)
{
    struct block_file *file = &pages->file;
    const struct page *its = &pages->page[page];
    const struct stored_rows rows = rows_of(file, x, its->block, its->first, its[1].first);
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

/* ---- Making pages ------------------------------------------------------- */

/* Divides each block into pages that take a share of the memory, or one row. Makes room for the
 * largest page whose kinds are changed. */
static enum hinge_status divide(struct hinge_pages *pages, const struct hinge_matrix *x,
                                struct hinge_error *error)
{
    struct block_file *file = &pages->file;
    const size_t most = pages->memory / SHARE;

    for (size_t b = 0; b < file->count; b++) {
        const size_t end = file->block[b + 1].first;

        for (size_t row = file->block[b].first, next; row < end; row = next) {
            struct stored_rows rows;
            size_t index, value;

            if (ARRAY_RESERVE(&pages->page, &pages->page_capacity, pages->count + 2, error))
                return failure(error);
            for (next = row + 1; next < end; next++)
                if (entry_bytes(x, x->start[next + 1] - x->start[row]) > most)
                    break;
            pages->page[pages->count++] = (struct page){row, b};
            if (x->start[next] - x->start[row] > pages->largest)
                pages->largest = x->start[next] - x->start[row];
            rows = rows_of(file, x, b, row, next);
            if (rows.is_final)
                continue;
            index = index_bytes(rows.raw.x.index_kind, rows.raw.x.nonzeros);
            value = value_bytes(rows.raw.x.value_kind, rows.raw.x.nonzeros);
            file->index_size = index > file->index_size ? index : file->index_size;
            file->value_size = value > file->value_size ? value : file->value_size;
        }
    }
    pages->page[pages->count] = (struct page){x->rows, 0};
    if (!(file->index = array_new(file->index_size, 1, error)) ||
        !(file->value = array_new(file->value_size, 1, error)))
        return failure(error);
    return HINGE_OK;
}

/* Makes as many frames as fit beside the pinned pages, at least two. */
static enum hinge_status make_frames(struct hinge_pages *pages, const struct hinge_matrix *x,
                                     struct hinge_error *error)
{
    const size_t each = entry_bytes(x, pages->largest), room = pages->memory / 4;

    if (each > pages->memory / 2 / FEWEST_FRAMES)
        return fail(
            error, HINGE_NO_MEMORY,
            "out of memory: a row of %.0f bytes is too much for the %.0f bytes that are left "
            "for non-zeros",
            (double)each, (double)pages->memory);
    pages->frames = room / each < FEWEST_FRAMES ? FEWEST_FRAMES
                    : room / each < MOST_FRAMES ? (unsigned)(room / each)
                                                : MOST_FRAMES;
    for (unsigned f = 0; f < pages->frames; f++) {
        struct frame *frame = &pages->frame[f];

        frame->page = SIZE_MAX;
        if (!(frame->index = array_new(index_bytes(x->index_kind, pages->largest), 1, error)) ||
            !(frame->value = array_new(value_bytes(x->value_kind, pages->largest), 1, error)))
            return failure(error);
    }
    pages->last = &pages->frame[0];
    return HINGE_OK;
}

/* Changes the number of pinned pages to count. */
static enum hinge_status pin(struct hinge_pages *pages, const struct hinge_matrix *x, size_t count,
                             struct hinge_error *error)
{
    const size_t entries = x->start[pages->page[count].first];

    if (count < pages->pinned)
        pages->pinned = count;
    if (ARRAY_RESIZE(&pages->pinned_index, index_bytes(x->index_kind, entries), error) ||
        ARRAY_RESIZE(&pages->pinned_value, value_bytes(x->value_kind, entries), error))
        return failure(error);
    for (; pages->pinned < count; pages->pinned++) {
        const size_t at = x->start[pages->page[pages->pinned].first];

        if (load(pages, x, pages->pinned, pages->pinned_index + index_bytes(x->index_kind, at),
                 pages->pinned_value + value_bytes(x->value_kind, at), error))
            return failure(error);
    }
    return HINGE_OK;
}

/* Returns how many pages, from the first one on, fit into this many bytes. */
static size_t pages_in(const struct hinge_pages *pages, const struct hinge_matrix *x, size_t bytes)
{
    size_t count = 0;

    while (count < pages->count && entry_bytes(x, x->start[pages->page[count + 1].first]) <= bytes)
        count++;
    return count;
}

/* Returns the bytes that pinned pages may take. */
static size_t pinned_room(const struct hinge_pages *pages, const struct hinge_matrix *x)
{
    const size_t others = pages->frames * entry_bytes(x, pages->largest) + pages->file.index_size +
                          pages->file.value_size;

    return pages->memory > others ? pages->memory - others : 0;
}

enum hinge_status pages_finish(struct hinge_pages *pages, size_t memory, int is_short,
                               struct hinge_matrix *x, size_t columns, struct hinge_error *error)
{
    struct block_file *file = &pages->file;
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
        file->listed = x->start; /* blocks with indices need it */
        x->start = start;
    }
    x->nonzeros = x->start[x->rows];
    pages->memory = memory;
    pages->is_short = is_short;
    if (divide(pages, x, error))
        return failure(error);
    if (entry_bytes(x, x->nonzeros) > pages->memory) {
        if (make_frames(pages, x, error))
            return failure(error);
        pages->most_pinned = pages_in(pages, x, pinned_room(pages, x));
        if (pin(pages, x, pages->most_pinned, error))
            return failure(error);
        x->pages = pages;
        return HINGE_OK;
    }
    if (pin(pages, x, pages->count, error))
        return failure(error);
    if (x->index_kind != HINGE_INDEX_NONE) {
        x->index = pages->pinned_index;
        pages->pinned_index = NULL;
    }
    if (x->value_kind != HINGE_VALUE_ONE) {
        x->value = pages->pinned_value;
        pages->pinned_value = NULL;
    }
    return HINGE_OK;
}

/* ---- At work ----------------------------------------------------------- */

size_t pages_count(const struct hinge_pages *pages)
{
    return pages->count;
}

int pages_are_short(const struct hinge_pages *pages)
{
    return pages->is_short;
}

size_t pages_at_once(const struct hinge_pages *pages)
{
    return pages->frames;
}

size_t pages_of_row(const struct hinge_pages *pages, size_t row)
{
    size_t low = 0, high = pages->count;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (pages->page[middle].first <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Returns the frame that has the row, NULL if there is none. The frame used last comes first. */
static struct frame *frame_with(struct hinge_pages *pages, size_t row)
{
    struct frame *frame = pages->last;

    for (unsigned f = 0;; frame = &pages->frame[f++]) {
        if (frame->page != SIZE_MAX && row >= pages->page[frame->page].first &&
            row < pages->page[frame->page + 1].first)
            return frame;
        if (f == pages->frames)
            return NULL;
    }
}

/* Reads the page that has the row into the frame used longest ago. If the page cannot be read, the
 * frame gets indices that are in range and ascend in each row, and zeros. */
static struct frame *load_frame(struct hinge_pages *pages, const struct hinge_matrix *x, size_t row)
{
    struct frame *frame = &pages->frame[0];
    size_t first, end, begin;

    for (unsigned f = 1; f < pages->frames; f++)
        if (pages->frame[f].used < frame->used)
            frame = &pages->frame[f];
    frame->page = pages_of_row(pages, row);
    if (!pages->failed)
        pages->failed =
            load(pages, x, frame->page, frame->index, frame->value, &pages->error) != HINGE_OK;
    if (!pages->failed)
        return frame;
    first = pages->page[frame->page].first;
    end = pages->page[frame->page + 1].first;
    begin = x->start[first];
    memset(frame->value, 0, value_bytes(x->value_kind, x->start[end] - begin));
    for (size_t i = first; i < end && x->index_kind != HINGE_INDEX_NONE; i++)
        for (size_t k = x->start[i]; k < x->start[i + 1]; k++)
            store_index(x->index_kind, frame->index, k - begin, (uint32_t)(k - x->start[i]));
    return frame;
}

struct pages_row pages_find(const struct hinge_matrix *x, size_t row)
{
    struct hinge_pages *pages = x->pages;
    const char *index = pages->pinned_index, *value = pages->pinned_value;
    size_t at = x->start[row];
    struct frame *frame;

    if (row >= pages->page[pages->pinned].first) {
        frame = frame_with(pages, row);
        if (!frame)
            frame = load_frame(pages, x, row);
        frame->used = ++pages->clock;
        pages->last = frame;
        index = frame->index;
        value = frame->value;
        at -= x->start[pages->page[frame->page].first];
    }
    return (struct pages_row){index ? index + index_bytes(x->index_kind, at) : NULL,
                              value ? value + value_bytes(x->value_kind, at) : NULL};
}

int pages_has(const struct hinge_matrix *x, size_t row)
{
    return row < x->pages->page[x->pages->pinned].first || frame_with(x->pages, row) != NULL;
}

enum hinge_status pages_check(const struct hinge_matrix *x, struct hinge_error *error)
{
    if (!x->pages || !x->pages->failed)
        return HINGE_OK;
    *error = x->pages->error;
    return failure(error);
}

/* ---- Copies of rows ---------------------------------------------------- */

struct hinge_dataset *pages_lend(const struct hinge_dataset *data, const uint32_t *row,
                                 uint32_t count)
{
    const struct hinge_matrix *x = &data->x;
    struct hinge_pages *pages = x->pages;
    const size_t room = pinned_room(pages, x);
    struct hinge_error ignored;
    struct hinge_dataset *copy;
    size_t entries = 0, at = 0, bytes;

    for (uint32_t s = 0; s < count; s++)
        entries += x->start[row[s] + (size_t)1] - x->start[row[s]];
    bytes = entry_bytes(x, entries);
    if (pages->failed || bytes > room)
        return NULL;
    if (pin(pages, x, pages_in(pages, x, room - bytes), &ignored) ||
        !(copy = array_new(1, sizeof *copy, &ignored))) {
        pages_give_back(data, NULL);
        return NULL;
    }
    *copy = *data;
    copy->x.pages = NULL;
    copy->x.index = copy->x.value = NULL;
    copy->label = NULL;
    if (!(copy->x.start = array_new((size_t)count + 1, sizeof *copy->x.start, &ignored)) ||
        (x->index_kind != HINGE_INDEX_NONE &&
         !(copy->x.index = array_new(index_bytes(x->index_kind, entries), 1, &ignored))) ||
        (x->value_kind != HINGE_VALUE_ONE &&
         !(copy->x.value = array_new(value_bytes(x->value_kind, entries), 1, &ignored)))) {
        pages_give_back(data, copy);
        return NULL;
    }
    for (uint32_t s = 0; s < count; s++) {
        const size_t length = x->start[row[s] + (size_t)1] - x->start[row[s]];
        const struct pages_row its = pages_find(x, row[s]);

        if (its.index && copy->x.index)
            memcpy((char *)copy->x.index + index_bytes(x->index_kind, at), its.index,
                   index_bytes(x->index_kind, length));
        if (its.value && copy->x.value)
            memcpy((char *)copy->x.value + value_bytes(x->value_kind, at), its.value,
                   value_bytes(x->value_kind, length));
        copy->x.start[s + 1] = at += length;
    }
    return copy;
}

void pages_give_back(const struct hinge_dataset *data, struct hinge_dataset *copy)
{
    struct hinge_pages *pages = data->x.pages;
    struct hinge_error error;

    hinge_dataset_free(copy);
    if (pages->failed || pin(pages, &data->x, pages->most_pinned, &error) == HINGE_OK ||
        error.status == HINGE_NO_MEMORY) /* fewer are pinned then */
        return;
    pages->failed = 1;
    pages->error = error;
}

/* ---- For callers of the library ---------------------------------------- */

int hinge_dataset_is_paged(const struct hinge_dataset *data)
{
    return data->x.pages != NULL;
}

double hinge_dataset_reads(const struct hinge_dataset *data)
{
    return data->x.pages ? data->x.pages->file.read / data->x.pages->file.bytes : 0;
}
