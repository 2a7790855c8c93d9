/* pages.c - row -> page -> pinned, or in a frame, or read into the frame used longest ago. A page
 * is a part of one block of the file.
 */
#include "data/pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/block_file.h"

enum {
    SHARE = 32,     /* a page takes at most 1/SHARE of the memory, or has one row */
    MOST_FRAMES = 8 /* all frames take at most a quarter of the memory, unless two need more */
};

struct page {
    size_t first; /* first row */
    size_t block;
};

struct frame {
    size_t page;   /* SIZE_MAX: none */
    uint64_t used; /* clock when it was last used */
    char *index, *value;
};

struct hinge_pages {
    size_t memory; /* bytes that entries may take */
    int is_short;  /* see pages_are_short */
    struct block_file file;

    size_t count, page_capacity;
    struct page *page; /* [count + 1] the last one says where the rows end */
    size_t largest;    /* most entries of a page */

    size_t pinned;      /* pages pinned now */
    size_t most_pinned; /* pages pinned while no copy is lent */
    char *pinned_index, *pinned_value;

    unsigned frames;
    struct frame frame[MOST_FRAMES];
    struct frame *last; /* the frame used last */
    uint64_t clock;     /* counts the calls that used a frame */

    int failed;               /* a page could not be read */
    struct hinge_error error; /* the reason */
};

void pages_free(struct hinge_pages *pages)
{
    if (!pages)
        return;
    for (unsigned f = 0; f < MOST_FRAMES; f++) {
        free(pages->frame[f].index);
        free(pages->frame[f].value);
    }
    block_file_free(&pages->file);
    free(pages->pinned_index);
    free(pages->pinned_value);
    free(pages->page);
    free(pages);
}

/* Reads a page in the kinds of x. */
static enum hinge_status load(struct hinge_pages *pages, const struct hinge_matrix *x, size_t page,
                              void *index, void *value, struct hinge_error *error)
{
    const struct page *its = &pages->page[page];

    return block_file_load(&pages->file, x, its->block, its->first, its[1].first, index, value,
                           error);
}

/* ---- Making pages ------------------------------------------------------- */

/* Divides each block into pages of at most 1/SHARE of the memory, or of one row. */
static enum hinge_status divide(struct hinge_pages *pages, const struct hinge_matrix *x,
                                struct hinge_error *error)
{
    struct block_file *file = &pages->file;
    const size_t most = pages->memory / SHARE;

    for (size_t b = 0; b < file->count; b++) {
        const size_t end = file->block[b + 1].first;

        for (size_t row = file->block[b].first, next; row < end; row = next) {
            if (ARRAY_RESERVE(&pages->page, &pages->page_capacity, pages->count + 2, error))
                return failure(error);
            for (next = row + 1; next < end; next++)
                if (entry_bytes(x, x->start[next + 1] - x->start[row]) > most)
                    break;
            pages->page[pages->count++] = (struct page){row, b};
            if (x->start[next] - x->start[row] > pages->largest)
                pages->largest = x->start[next] - x->start[row];
            if (block_file_reserve(file, x, b, row, next, error))
                return failure(error);
        }
    }
    pages->page[pages->count] = (struct page){x->rows, 0};
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

enum hinge_status pages_finish(struct block_file *file, size_t memory, int is_short,
                               struct hinge_matrix *x, size_t columns, struct hinge_error *error)
{
    struct hinge_pages *pages;
    enum hinge_status status;

    if (block_file_finish(file, x, columns, error) || !(pages = array_new(1, sizeof *pages, error)))
        return failure(error);
    pages->memory = memory;
    pages->is_short = is_short;
    pages->file = *file;
    *file = (struct block_file){.path = NULL};
    status = divide(pages, x, error);
    if (!status && entry_bytes(x, x->nonzeros) > memory) {
        status = make_frames(pages, x, error);
        if (!status) {
            pages->most_pinned = pages_in(pages, x, pinned_room(pages, x));
            status = pin(pages, x, pages->most_pinned, error);
        }
        if (!status) {
            x->pages = pages;
            return HINGE_OK;
        }
    } else if (!status && !(status = pin(pages, x, pages->count, error))) {
        if (x->index_kind != HINGE_INDEX_NONE) {
            x->index = pages->pinned_index;
            pages->pinned_index = NULL;
        }
        if (x->value_kind != HINGE_VALUE_ONE) {
            x->value = pages->pinned_value;
            pages->pinned_value = NULL;
        }
    }
    pages_free(pages);
    return status;
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
        error.status == HINGE_NO_MEMORY) /* if memory is short, fewer pages stay pinned */
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
