/* team_reader.c - read a part of the lines | agree on how entries are kept | send rows to their
 * owners.
 *
 * A rank reads the lines that begin in its share of the bytes, or its share of numbered files. How
 * many lines are before them is known only when all have read theirs: so where a rank finds a
 * fault, it reads its part once more, for a message with the right number. Of several faulty parts
 * the first one counts, as in one process.
 *
 * Which rows a rank owns depends on the rows, entries and features of all, see hinge_team_rows; so
 * rows move once more, most of them not far. Three arrays go one after the other: the lengths of
 * the rows, their indices, their values.
 */
#include "data/team_reader.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file_name.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/ranks.h"
#include "base/status.h"
#include "base/team.h"
#include "data/parallel_reader.h"

/* What the other ranks are told of a part. Machines of a team have the same kind of numbers. */
struct part_summary {
    uint64_t lines;
    enum hinge_status status;
    struct storage_kinds kinds;
};

struct team_reader {
    const struct hinge_team *team;
    const struct hinge_format *format;
    const char *path;
    size_t chunk;
    unsigned threads;
    uint64_t begin, end;          /* bytes of the file that are this rank's */
    size_t files;                 /* numbered ones; 0: there is one file */
    char *name;                   /* room for the name of one of them */
    struct rows rows;             /* of this rank's part */
    struct part_summary *summary; /* [ranks] */
    struct storage_kinds kinds;   /* of all parts */
};

/* The name of numbered file k. */
static const char *numbered(const struct team_reader *reader, size_t k)
{
    snprintf(reader->name, strlen(reader->path) + 24, "%s.%lu", reader->path, (unsigned long)k);
    return reader->name;
}

/* ---- The file, or the files, of a rank ----------------------------------- */

/* Where a part is, and what tells whether the file is that of another rank. */
struct place {
    enum hinge_status status; /* of finding it */
    int is_numbered;          /* there are numbered files instead */
    uint64_t size;
    uint64_t beginning; /* checksum of the first bytes */
    uint64_t begin, end;
};

/* Of the lines that begin at byte from or later, the first one begins at *begin. */
static enum hinge_status find_line(FILE *file, const char *path, uint64_t from, uint64_t *begin,
                                   struct hinge_error *error)
{
    int c = '\n';

    *begin = from;
    if (from == 0)
        return HINGE_OK;
    errno = 0;
    if (fseek(file, (long)(from - 1), SEEK_SET) != 0)
        return fail_file(error, "read", path);
    for (--*begin; (c = getc(file)) != EOF; ++*begin)
        if (c == '\n') {
            ++*begin;
            return HINGE_OK;
        }
    return ferror(file) ? fail_file(error, "read", path) : HINGE_OK;
}

/* Finds this rank's part of the file. */
static enum hinge_status find_in_file(const struct team_reader *reader, FILE *file,
                                      struct place *place, struct hinge_error *error)
{
    const size_t ranks = ranks_count(reader->team), rank = ranks_own(reader->team);
    char bytes[4096];
    size_t count;
    long size;

    errno = 0;
    count = fread(bytes, 1, sizeof bytes, file);
    if (ferror(file))
        return fail_file(error, "read", reader->path);
    place->beginning = checksum(CHECKSUM_NONE, bytes, count);
    size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size < 0 || size == LONG_MAX || (size == 0 && count > 0))
        return fail(error, HINGE_FILE_ERROR,
                    "cannot read %s in parts: its size is not known, or above 2^%u - 2 bytes",
                    reader->path, (unsigned)(sizeof size * CHAR_BIT - 1));
    place->size = (uint64_t)size;
    if (find_line(file, reader->path, part_begin(place->size, ranks, rank), &place->begin, error) ||
        find_line(file, reader->path, part_begin(place->size, ranks, rank + 1), &place->end, error))
        return failure(error);
    return HINGE_OK;
}

/* Is the file of this rank that of the others? Its part begins where the one before ends. */
static enum hinge_status compare_places(const struct team_reader *reader, const struct place *all,
                                        size_t rank, struct hinge_error *error)
{
    const struct place *own = &all[rank];

    if (own->size != all->size)
        return fail(error, HINGE_BAD_INPUT, "%s:1:1: it has %llu bytes, and %llu for rank 0",
                    reader->path, (unsigned long long)own->size, (unsigned long long)all->size);
    if (own->beginning != all->beginning || (rank > 0 && own->begin != own[-1].end))
        return fail(error, HINGE_BAD_INPUT, "%s:1:1: it differs from the file of rank %lu",
                    reader->path, own->beginning != all->beginning ? 0UL : (unsigned long)rank - 1);
    return HINGE_OK;
}

/* The same of all ranks. */
static enum hinge_status compare_all(const struct team_reader *reader, const struct place *all,
                                     struct hinge_error *error)
{
    for (size_t q = 0; q < ranks_count(reader->team); q++)
        if (compare_places(reader, all, q, error)) /* which all ranks find: who says it? */
            return ranks_agree(reader->team,
                               compare_places(reader, all, ranks_own(reader->team), error), error);
    return HINGE_OK;
}

static int any_failed(const struct place *all, size_t count)
{
    size_t q = 0;

    while (q < count && !all[q].status)
        q++;
    return q < count;
}

/* Rank 0 knows whether there are numbered files; each rank may have its own alone. */
static enum hinge_status count_files(struct team_reader *reader, struct hinge_error *error)
{
    for (int has = 1; has;) {
        reader->files++;
        has = file_name_opens(numbered(reader, reader->files));
        if (ranks_any(reader->team, &has, error))
            return failure(error);
    }
    return HINGE_OK;
}

/* A pipe cannot be read from the middle, nor be opened twice: who writes to it would see its end,
 * and this process would then wait for another writer. */
static enum hinge_status refuse_pipe(const char *path, struct hinge_error *error)
{
    if (file_name_is_pipe(path))
        return fail(error, HINGE_FILE_ERROR,
                    "cannot read %s: it is a pipe, and several processes need a file", path);
    return HINGE_OK;
}

static enum hinge_status find_place(const struct team_reader *reader, struct place *place,
                                    struct hinge_error *error)
{
    enum hinge_status status;
    FILE *file;

    place->is_numbered = !file_name_opens(reader->path) && file_name_opens(numbered(reader, 0));
    if (place->is_numbered)
        return HINGE_OK;
    if (refuse_pipe(reader->path, error))
        return failure(error);
    errno = 0;
    if (!(file = fopen(reader->path, "rb")))
        return fail_file(error, "open", reader->path);
    status = find_in_file(reader, file, place, error);
    fclose(file);
    return status;
}

/* Finds what this rank is to read; begun is the status so far. */
static enum hinge_status find_part(struct team_reader *reader, enum hinge_status begun,
                                   struct hinge_error *error)
{
    const struct hinge_team *team = reader->team;
    struct hinge_error reason = *error;
    struct place own = {.status = begun}, *all;
    enum hinge_status status;

    if (!begun)
        own.status = find_place(reader, &own, &reason);
    if (!(all = ranks_gather_new(team, &own, sizeof own, error)))
        return failure(error);
    reader->begin = own.begin;
    reader->end = own.end;
    if (all->is_numbered) {
        status = ranks_agree(team, begun, error);
        if (!status)
            status = count_files(reader, error);
    } else if (any_failed(all, ranks_count(team))) {
        *error = reason;
        status = ranks_agree(team, own.status, error);
    } else {
        status = compare_all(reader, all, error);
    }
    free(all);
    return status;
}

/* ---- Reading ------------------------------------------------------------ */

/* Reads bytes begin .. end - 1 of a file, whose first line has that number. */
static enum hinge_status read_lines(struct team_reader *reader, const char *path, uint64_t begin,
                                    uint64_t end, uint64_t line, unsigned threads,
                                    struct hinge_error *error)
{
    struct rows *rows = &reader->rows;
    struct source *source = &rows->reader.source;

    source_close(source);
    if (source_open_part(source, path, reader->chunk, begin, end, error))
        return failure(error);
    source->line = line;
    if (parallel_reader_read_all(rows, threads, 0, error))
        return failure(error);
    if (end < UINT64_MAX && source->left > 0)
        return fail(error, HINGE_FILE_ERROR, "cannot read %s: it has become shorter", path);
    return HINGE_OK;
}

/* Reads this rank's part, whose first line has that number in the file. */
static enum hinge_status read_part(struct team_reader *reader, uint64_t line, unsigned threads,
                                   struct hinge_error *error)
{
    const size_t ranks = ranks_count(reader->team), rank = ranks_own(reader->team);
    const size_t end = (size_t)part_begin(reader->files, ranks, rank + 1);
    enum hinge_status status;

    rows_free(&reader->rows);
    status = rows_new(&reader->rows, reader->format, error);
    reader->rows.reader.is_part = 1;
    if (!status) /* for the start after the last row, also where there is none */
        status = rows_reserve(&reader->rows.label, &reader->rows.reader.entries.x.start,
                              &reader->rows.capacity, 1, error);
    if (!status && reader->files == 0)
        status = read_lines(reader, reader->path, reader->begin, reader->end, line, threads, error);
    for (size_t k = (size_t)part_begin(reader->files, ranks, rank); k < end && !status; k++) {
        status = refuse_pipe(numbered(reader, k), error);
        if (!status)
            status = read_lines(reader, reader->name, 0, UINT64_MAX, 1, threads, error);
    }
    return status;
}

/* Reads all reader, and tells what is in them. */
static enum hinge_status read_parts(struct team_reader *reader, struct hinge_error *error)
{
    const struct entries *entries = &reader->rows.reader.entries;
    struct part_summary own = {.status = HINGE_OK};
    enum hinge_status status = read_part(reader, 1, reader->threads, error);
    uint64_t line = 1;
    size_t q = 0;

    own.lines = reader->rows.reader.source.line - 1;
    own.status = status;
    if (!status)
        own.kinds = entries_kinds(entries, reader->rows.features);
    if (ranks_gather(reader->team, &own, sizeof own, reader->summary, error))
        return failure(error);
    for (; q < ranks_own(reader->team) && !reader->summary[q].status; q++)
        line += reader->summary[q].lines;
    if (status == HINGE_BAD_INPUT && reader->files == 0 && q == ranks_own(reader->team)) {
        const struct hinge_error first = *error;

        if (line > 1 && !read_part(reader, line, 1, error))
            *error = first; /* what was wrong is gone: the file is being written */
    }
    for (q = 0; q < ranks_count(reader->team); q++)
        if (reader->summary[q].status)
            return ranks_agree(reader->team, status, error);
    reader->kinds = reader->summary->kinds;
    for (q = 1; q < ranks_count(reader->team); q++)
        reader->kinds = storage_kinds_join(&reader->kinds, &reader->summary[q].kinds);
    if (reader->kinds.rows == 0)
        return fail(error, HINGE_BAD_INPUT, "%s:1:1: no rows", reader->path);
    if (reader->kinds.rows > UINT32_MAX)
        return fail(error, HINGE_BAD_INPUT, "%s:1:1: more than %lu rows", reader->path,
                    (unsigned long)UINT32_MAX);
    return HINGE_OK;
}

/* ---- Rows to their owners ------------------------------------------------ */

/* How rows go from those who have read them to those who own them. */
struct move {
    const struct team_reader *reader;
    struct hinge_matrix *x;     /* this rank's part; */
    uint32_t *length;           /* [x->rows] entries of its rows */
    struct hinge_dataset *data; /* the dataset of this rank, whose rows first .. end - 1 */
    uint32_t first, end;        /* are its own */
    size_t *sent, *received;    /* [ranks] bytes */
    uint64_t before;            /* rows before this part */
};

/* The rows that are both in from .. until - 1 and in first .. end - 1, counted from from. */
struct overlap {
    size_t begin, count;
};

static struct overlap overlap_of(uint64_t from, uint64_t until, uint64_t first, uint64_t end)
{
    const uint64_t lower = from > first ? from : first, upper = until < end ? until : end;

    return (struct overlap){(size_t)(lower - from), lower < upper ? (size_t)(upper - lower) : 0};
}

/* Sends an array of size bytes for each row, or, where the starts of rows are given, for each
 * entry: own is that of this part, all gets that of the rows that this rank owns. */
static enum hinge_status move_array(const struct move *move, const void *own, size_t size,
                                    const size_t *starts, void *all, struct hinge_error *error)
{
    const struct team_reader *reader = move->reader;
    const struct hinge_team *team = reader->team;
    const size_t *to = move->data->x.start;
    uint64_t before = 0;

    for (size_t q = 0; q < ranks_count(team); q++) {
        struct hinge_team other = *team;
        struct overlap rows;
        uint32_t first, end;

        other.rank = (int)q;
        hinge_team_rows(&other, move->data->x.rows, move->data->x.nonzeros, move->data->features,
                        &first, &end);
        rows = overlap_of(move->before, move->before + move->x->rows, first, end);
        move->sent[q] =
            size * (starts && rows.count > 0 ? starts[rows.begin + rows.count] - starts[rows.begin]
                                             : rows.count);
        rows = overlap_of(move->first, move->end, before, before + reader->summary[q].kinds.rows);
        move->received[q] =
            size * (starts && rows.count > 0
                        ? to[move->first + rows.begin + rows.count] - to[move->first + rows.begin]
                        : rows.count);
        before += reader->summary[q].kinds.rows;
    }
    return ranks_check(team->exchange(team->context, own, move->sent, all, move->received), error);
}

/* Labels, of all rows for all. */
static enum hinge_status gather_labels(const struct move *move, struct hinge_error *error)
{
    const struct team_reader *reader = move->reader;
    const struct hinge_team *team = reader->team;

    for (size_t q = 0; q < ranks_count(team); q++)
        move->received[q] = (size_t)reader->summary[q].kinds.rows * sizeof *reader->rows.label;
    return ranks_check(
        team->gather(team->context, reader->rows.label, move->data->label, move->received), error);
}

/* Where rows begin, from the lengths of this rank's own. */
static void set_starts(const struct move *move, const uint32_t *length)
{
    size_t *start = move->data->x.start;

    for (size_t i = 0; i < move->data->x.rows; i++)
        start[i + 1] = start[i] + (i >= move->first && i < move->end ? length[i - move->first] : 0);
}

/* Moves one of the arrays of entries, and frees the one it comes from. */
static enum hinge_status move_entries(const struct move *move, void **from, size_t size, void *to,
                                      struct hinge_error *error)
{
    const enum hinge_status status = move_array(move, *from, size, move->x->start, to, error);

    free(*from);
    *from = NULL;
    return status;
}

/* Allocates the arrays of entries, and moves them. */
static enum hinge_status move_all_entries(const struct move *move, struct hinge_error *error)
{
    struct hinge_matrix *x = move->x, *to = &move->data->x;
    const size_t entries = to->start[to->rows];
    const size_t index = index_bytes(x->index_kind, 1), value = value_bytes(x->value_kind, 1);
    enum hinge_status status = HINGE_OK;

    if ((index > 0 && !(to->index = array_new(entries, index, error))) ||
        (value > 0 && !(to->value = array_new(entries, value, error))))
        status = failure(error);
    status = ranks_agree(move->reader->team, status, error);
    if (!status && index > 0)
        status = move_entries(move, &x->index, index, to->index, error);
    if (!status && value > 0)
        status = move_entries(move, &x->value, value, to->value, error);
    return status;
}

/* Allocates what has a known size. */
static enum hinge_status move_begin(struct move *move, uint32_t **own, struct hinge_error *error)
{
    const size_t ranks = ranks_count(move->reader->team), rows = move->data->x.rows;

    if (!(move->sent = array_new(ranks, sizeof *move->sent, error)) ||
        !(move->received = array_new(ranks, sizeof *move->received, error)) ||
        !(move->length = array_new(move->x->rows, sizeof *move->length, error)) ||
        !(*own = array_new(move->end - move->first, sizeof **own, error)) ||
        !(move->data->label = array_new(rows, sizeof *move->data->label, error)) ||
        !(move->data->x.start = array_new(rows + 1, sizeof *move->data->x.start, error)))
        return failure(error);
    for (size_t i = 0; i < move->x->rows; i++)
        move->length[i] = (uint32_t)(move->x->start[i + 1] - move->x->start[i]);
    return HINGE_OK;
}

/* Moves all rows of the parts into the datasets of their owners. */
static enum hinge_status move_rows(struct team_reader *reader, struct hinge_dataset *data,
                                   struct hinge_error *error)
{
    struct hinge_matrix *x = &reader->rows.reader.entries.x;
    struct move move = {.reader = reader, .x = x, .data = data};
    uint32_t *length = NULL;
    enum hinge_status status = entries_fit(&reader->rows.reader.entries, &reader->kinds, error);

    data->x.rows = (size_t)reader->kinds.rows;
    data->x.nonzeros = storage_kinds_nonzeros(&reader->kinds);
    data->zeros = data->x.nonzeros - (size_t)reader->kinds.read;
    data->x.index_kind = x->index_kind;
    data->x.value_kind = x->value_kind;
    data->x.scale = x->scale;
    data->features = reader->kinds.columns;
    data->zero_based = reader->format->zero_based;
    for (size_t q = 0; q < ranks_own(reader->team); q++)
        move.before += reader->summary[q].kinds.rows;
    hinge_team_rows(reader->team, data->x.rows, data->x.nonzeros, data->features, &move.first,
                    &move.end);
    if (!status)
        status = move_begin(&move, &length, error);
    status = ranks_agree(reader->team, status, error);
    if (!status)
        status = gather_labels(&move, error);
    if (!status)
        status = move_array(&move, move.length, sizeof *move.length, NULL, length, error);
    if (!status) {
        set_starts(&move, length);
        status = move_all_entries(&move, error);
    }
    free(move.sent);
    free(move.received);
    free(move.length);
    free(length);
    return status;
}

/* ---- All of it ---------------------------------------------------------- */

static enum hinge_status read_all(struct team_reader *reader, struct hinge_dataset *data,
                                  struct hinge_error *error)
{
    enum hinge_status status = HINGE_OK;

    if (strcmp(reader->path, "-") == 0)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "several processes cannot share standard input: name a file");
    if (reader->format->memory > 0)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "several processes keep their rows in memory, not in a temporary file");
    if (!data || !(reader->name = array_new(strlen(reader->path) + 24, 1, error)) ||
        !(reader->summary = array_new(ranks_count(reader->team), sizeof *reader->summary, error)))
        status = failure(error);
    if (find_part(reader, status, error) || read_parts(reader, error))
        return failure(error);
    return move_rows(reader, data, error);
}

struct hinge_dataset *team_reader_read(const char *path, const struct hinge_format *format,
                                       size_t chunk, unsigned threads, struct hinge_error *error)
{
    struct hinge_dataset *data = array_new(1, sizeof *data, error);
    struct team_reader reader = {
        .team = format->team, .format = format, .path = path, .chunk = chunk, .threads = threads};
    const enum hinge_status status = read_all(&reader, data, error);

    rows_free(&reader.rows);
    free(reader.name);
    free(reader.summary);
    if (!status)
        return data;
    hinge_dataset_free(data);
    return NULL;
}
