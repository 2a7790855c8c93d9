/* team_reader.c - read a part of the lines | agree on the kinds | send rows to their owners.
 *
 * A rank reads the lines that begin in its share of the bytes, or its share of numbered files. The
 * number of lines before a share is known only when all ranks have read their shares. A rank that
 * finds a fault therefore reads its part once more, for a message with the correct line number. If
 * several parts are faulty, the first one counts, as in one process.
 *
 * The rows that a rank owns follow from the numbers of rows, entries and features of all parts, see
 * hinge_team_rows. So rows move once more, most of them not far, as three arrays: lengths, indices,
 * values.
 */
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
#include "data/dataset.h"

/* The summary of a part, which its rank sends to the others as bytes. All machines of a team
 * represent numbers alike. */
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
    uint64_t begin, end;          /* bytes of the file that this rank reads */
    size_t files;                 /* number of numbered files; 0: there is one file */
    char *name;                   /* room for the name of a numbered file */
    struct hinge_reader part;     /* reads the part of this rank */
    struct part_summary *summary; /* [ranks] */
    struct storage_kinds kinds;   /* kinds that hold the rows of all parts */
};

/* Returns the name of numbered file k. */
static const char *numbered(const struct team_reader *reader, size_t k)
{
    snprintf(reader->name, strlen(reader->path) + 24, "%s.%lu", reader->path, (unsigned long)k);
    return reader->name;
}

/* ---- The file, or the files, of a rank ----------------------------------- */

/* Place of a part in the file. Size and checksum tell whether ranks see the same file. */
struct part_place {
    enum hinge_status status; /* result of find_place */
    int is_numbered;          /* 1: there are numbered files, and no file of this name */
    uint64_t size;
    uint64_t beginning; /* checksum of the first bytes */
    uint64_t begin, end;
};

/* Finds the first line that begins at byte `from` or later. */
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

/* Fails if the file of a rank differs from the file of rank 0, or if its part does not begin where
 * the part of the previous rank ends. */
static enum hinge_status compare_places(const struct team_reader *reader,
                                        const struct part_place *all, size_t rank,
                                        struct hinge_error *error)
{
    const struct part_place *own = &all[rank];

    if (own->size != all->size)
        return fail(error, HINGE_BAD_INPUT, "%s:1:1: it has %llu bytes, and %llu for rank 0",
                    reader->path, (unsigned long long)own->size, (unsigned long long)all->size);
    if (own->beginning != all->beginning || (rank > 0 && own->begin != own[-1].end))
        return fail(error, HINGE_BAD_INPUT, "%s:1:1: it differs from the file of rank %lu",
                    reader->path, own->beginning != all->beginning ? 0UL : (unsigned long)rank - 1);
    return HINGE_OK;
}

/* True if the file, or its folder, may not be opened by this user. */
static int is_denied(const char *path)
{
#ifdef EACCES
    errno = 0;
    return !file_name_opens(path) && errno == EACCES;
#else
    return 0;
#endif
}

enum { NAMES = 64 }; /* bits of a word */

/* Returns a bit for each of the NAMES numbered files from `first` on, 1 if it is there. In a folder
 * that this user may not search, all bits are 0. */
static uint64_t find_files(const struct team_reader *reader, size_t first)
{
    const int is_hidden = is_denied(reader->path);
    uint64_t found = 0;

    for (size_t k = 0; k < NAMES; k++)
        if (file_name_is_taken(numbered(reader, first + k)) ||
            (!is_hidden && is_denied(reader->name)))
            found |= (uint64_t)1 << k;
    return found;
}

/* Counts the numbered files. Looks for NAMES at a time, until no rank has any of them. A rank may
 * have only its own files, so all ranks look. Refuses a gap in the numbers. */
static enum hinge_status count_files(struct team_reader *reader, struct hinge_error *error)
{
    size_t missing = SIZE_MAX;
    uint64_t found = 1;

    for (size_t first = 0; found > 0; first += NAMES) {
        found = find_files(reader, first);
        if (ranks_any(reader->team, &found, error))
            return failure(error);
        for (size_t k = 0; k < NAMES; k++)
            if (found >> k & 1)
                reader->files = first + k + 1;
            else if (missing == SIZE_MAX)
                missing = first + k;
    }
    if (missing < reader->files)
        return fail(error, HINGE_FILE_ERROR,
                    "cannot open %s.%lu: it is missing, but there is %s.%lu", reader->path,
                    (unsigned long)missing, reader->path, (unsigned long)reader->files - 1);
    return HINGE_OK;
}

/* Refuses a pipe. It cannot be read from the middle, nor be opened twice: its writer would see its
 * end, and this process would then wait for another writer. */
static enum hinge_status refuse_pipe(const char *path, struct hinge_error *error)
{
    if (file_name_is_pipe(path))
        return fail(error, HINGE_FILE_ERROR,
                    "cannot read %s: it is a pipe, and several processes need a file", path);
    return HINGE_OK;
}

/* Finds this rank's part of the file, or that there are numbered files. */
static enum hinge_status find_place(const struct team_reader *reader, struct part_place *place,
                                    struct hinge_error *error)
{
    const size_t ranks = ranks_count(reader->team), rank = ranks_own(reader->team);
    enum hinge_status status = HINGE_OK;
    char bytes[4096];
    FILE *file;
    size_t count;
    long size;

    place->is_numbered =
        !file_name_opens(reader->path) && !is_denied(reader->path) && find_files(reader, 0) > 0;
    if (place->is_numbered)
        return HINGE_OK;
    if (refuse_pipe(reader->path, error))
        return failure(error);
    errno = 0;
    if (!(file = fopen(reader->path, "rb")))
        return fail_file(error, "open", reader->path);
    errno = 0;
    count = fread(bytes, 1, sizeof bytes, file);
    if (ferror(file))
        status = fail_file(error, "read", reader->path);
    place->beginning = checksum(CHECKSUM_NONE, bytes, count);
    size = !status && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (!status && (size < 0 || size == LONG_MAX || (size == 0 && count > 0)))
        status = fail(error, HINGE_FILE_ERROR,
                      "cannot read %s in parts: its size is not known, or above 2^%u - 2 bytes",
                      reader->path, (unsigned)(sizeof size * CHAR_BIT - 1));
    place->size = (uint64_t)size;
    if (!status)
        status = find_line(file, reader->path, part_begin(place->size, ranks, rank), &place->begin,
                           error);
    if (!status)
        status = find_line(file, reader->path, part_begin(place->size, ranks, rank + 1),
                           &place->end, error);
    fclose(file);
    return status;
}

/* Finds the part that this rank reads. `begun` is the status so far. Rank 0 decides if there are
 * numbered files. */
static enum hinge_status find_part(struct team_reader *reader, enum hinge_status begun,
                                   struct hinge_error *error)
{
    const struct hinge_team *team = reader->team;
    const size_t ranks = ranks_count(team);
    struct hinge_error reason = *error;
    struct part_place own = {.status = begun}, *all;
    enum hinge_status status = HINGE_OK;
    size_t failed = 0, q = 0;

    if (!begun)
        own.status = find_place(reader, &own, &reason);
    if (!(all = ranks_gather_new(team, &own, sizeof own, error)))
        return failure(error);
    reader->begin = own.begin;
    reader->end = own.end;
    while (failed < ranks && !all[failed].status)
        failed++;
    if (all->is_numbered) {
        status = ranks_agree(team, begun, error);
        if (!status)
            status = count_files(reader, error);
    } else if (failed < ranks) {
        *error = reason;
        status = ranks_agree(team, own.status, error);
    } else {
        while (q < ranks && !compare_places(reader, all, q, error))
            q++;
        if (q < ranks) /* the first rank whose file differs gives the message */
            status = ranks_agree(team, compare_places(reader, all, ranks_own(team), error), error);
    }
    free(all);
    return status;
}

/* ---- Reading ------------------------------------------------------------ */

/* Reads bytes begin .. end - 1 of a file, whose first line has this number. */
static enum hinge_status read_lines(struct team_reader *reader, const char *path, uint64_t begin,
                                    uint64_t end, uint64_t line, unsigned threads,
                                    struct hinge_error *error)
{
    struct source *source = &reader->part.source;

    source_close(source);
    if (source_open_part(source, path, reader->chunk, begin, end, error))
        return failure(error);
    source->line = line;
    if (parallel_reader_read(&reader->part, threads, 0, error))
        return failure(error);
    if (end < UINT64_MAX && source->left > 0)
        return fail(error, HINGE_FILE_ERROR, "cannot read %s: it has become shorter", path);
    return HINGE_OK;
}

/* Reads this rank's part, whose first line has this number in the file. */
static enum hinge_status read_part(struct team_reader *reader, uint64_t line, unsigned threads,
                                   struct hinge_error *error)
{
    const size_t ranks = ranks_count(reader->team), rank = ranks_own(reader->team);
    const size_t end = (size_t)part_begin(reader->files, ranks, rank + 1);
    enum hinge_status status;

    reader_end(&reader->part);
    status = reader_begin(&reader->part, reader->format, error);
    reader->part.is_part = 1;
    if (!status) /* The start after the last row is needed even without any row. */
        status = block_reserve_rows(&reader->part.block, 1, error);
    if (!status && reader->files == 0)
        status = read_lines(reader, reader->path, reader->begin, reader->end, line, threads, error);
    for (size_t k = (size_t)part_begin(reader->files, ranks, rank); k < end && !status; k++) {
        status = refuse_pipe(numbered(reader, k), error);
        if (!status)
            status = read_lines(reader, reader->name, 0, UINT64_MAX, 1, threads, error);
    }
    return status;
}

/* Reads all parts, and finds the kinds of all rows. */
static enum hinge_status read_parts(struct team_reader *reader, struct hinge_error *error)
{
    const struct hinge_team *team = reader->team;
    const struct part_summary *all = reader->summary;
    const size_t ranks = ranks_count(team), rank = ranks_own(team);
    struct part_summary own = {.status = HINGE_OK};
    enum hinge_status status = read_part(reader, 1, reader->threads, error);
    uint64_t line = 1;
    size_t q = 0;

    own.lines = reader->part.source.line - 1;
    own.status = status;
    if (!status)
        own.kinds = block_kinds(&reader->part.block);
    if (ranks_gather(team, &own, sizeof own, reader->summary, error))
        return failure(error);
    for (; q < rank && !all[q].status; q++)
        line += all[q].lines;
    if (status == HINGE_BAD_INPUT && reader->files == 0 && q == rank) {
        const struct hinge_error first = *error;

        if (line > 1 && !read_part(reader, line, 1, error))
            *error = first; /* the fault is gone: the file is being written */
    }
    for (q = 0; q < ranks; q++)
        if (all[q].status)
            return ranks_agree(team, status, error);
    reader->kinds = all->kinds;
    for (q = 1; q < ranks; q++)
        reader->kinds = storage_kinds_join(&reader->kinds, &all[q].kinds);
    if (reader->kinds.rows == 0)
        return fail(error, HINGE_BAD_INPUT, "%s:1:1: no rows", reader->path);
    if (reader->kinds.rows > UINT32_MAX)
        return fail(error, HINGE_BAD_INPUT, "%s:1:1: more than %lu rows", reader->path,
                    (unsigned long)UINT32_MAX);
    return HINGE_OK;
}

/* ---- Rows to their owners ------------------------------------------------ */

/* A transfer of rows from the ranks that have read them to the ranks that own them. */
struct move {
    const struct team_reader *reader;
    struct hinge_matrix *x;     /* rows that this rank has read */
    uint32_t *length;           /* [x->rows] entries of each row in x */
    struct hinge_dataset *data; /* the dataset of this rank */
    uint32_t first, end;        /* this rank owns rows first .. end - 1 of all */
    uint32_t *own_length;       /* [end - first] entries of each row that this rank owns */
    size_t *sent, *received;    /* [ranks] bytes */
    uint64_t before;            /* rows before those that this rank has read */
};

/* The rows that are both in from .. until - 1 and in first .. end - 1, counted from `from`. */
struct overlap {
    size_t begin, count;
};

static struct overlap overlap_of(uint64_t from, uint64_t until, uint64_t first, uint64_t end)
{
    const uint64_t lower = from > first ? from : first, upper = until < end ? until : end;

    return (struct overlap){(size_t)(lower - from), lower < upper ? (size_t)(upper - lower) : 0};
}

/* Moves an array with `size` bytes for each row or, if starts of rows are given, for each entry.
 * `read` is the array of the rows that this rank has read, `own` receives the array of the rows
 * that it owns. */
static enum hinge_status move_array(const struct move *move, const void *read, size_t size,
                                    const size_t *starts, void *own, struct hinge_error *error)
{
    const struct team_reader *reader = move->reader;
    const struct hinge_team *team = reader->team;
    const size_t *to = move->data->x.start + move->first;
    uint64_t before = 0;

    for (size_t q = 0; q < ranks_count(team); q++) {
        const uint64_t rows = reader->summary[q].kinds.rows;
        struct hinge_team other = *team;
        struct overlap part;
        uint32_t first, end;

        other.rank = (int)q;
        hinge_team_rows(&other, move->data->x.rows, move->data->x.nonzeros, move->data->features,
                        &first, &end);
        part = overlap_of(move->before, move->before + move->x->rows, first, end);
        if (starts && part.count > 0)
            part.count = starts[part.begin + part.count] - starts[part.begin];
        move->sent[q] = size * part.count;
        part = overlap_of(move->first, move->end, before, before + rows);
        if (starts && part.count > 0)
            part.count = to[part.begin + part.count] - to[part.begin];
        move->received[q] = size * part.count;
        before += rows;
    }
    return ranks_check(team->exchange(team->context, read, move->sent, own, move->received), error);
}

/* Allocates the arrays of entries, moves them, and frees the arrays they come from. */
static enum hinge_status move_entries(const struct move *move, struct hinge_error *error)
{
    struct hinge_matrix *x = move->x, *y = &move->data->x;
    void **const from[2] = {&x->index, &x->value}, **const to[2] = {&y->index, &y->value};
    const size_t size[2] = {index_bytes(x->index_kind, 1), value_bytes(x->value_kind, 1)};
    enum hinge_status status = HINGE_OK;

    for (int k = 0; k < 2 && !status; k++)
        if (size[k] > 0 && !(*to[k] = array_new(y->start[y->rows], size[k], error)))
            status = failure(error);
    status = ranks_agree(move->reader->team, status, error);
    for (int k = 0; k < 2 && !status; k++) {
        if (size[k] == 0)
            continue;
        status = move_array(move, *from[k], size[k], x->start, *to[k], error);
        free(*from[k]);
        *from[k] = NULL;
    }
    return status;
}

/* Sends the labels of all rows to all ranks, and the length and the entries of each row to the rank
 * that owns it. */
static enum hinge_status move_rows(struct team_reader *reader, struct hinge_dataset *data,
                                   struct hinge_error *error)
{
    const struct hinge_team *team = reader->team;
    const struct storage_kinds *kinds = &reader->kinds;
    const size_t ranks = ranks_count(team);
    struct hinge_matrix *x = &reader->part.block.x;
    struct move move = {.reader = reader, .x = x, .data = data};
    enum hinge_status status = block_fit(&reader->part.block, kinds, error);

    data->x.rows = (size_t)kinds->rows;
    data->x.nonzeros = storage_kinds_nonzeros(kinds);
    data->zeros = data->x.nonzeros - (size_t)kinds->read;
    data->x.index_kind = x->index_kind;
    data->x.value_kind = x->value_kind;
    data->x.scale = x->scale;
    data->features = kinds->columns;
    data->zero_based = reader->format->zero_based;
    for (size_t q = 0; q < ranks_own(team); q++)
        move.before += reader->summary[q].kinds.rows;
    hinge_team_rows(team, data->x.rows, data->x.nonzeros, data->features, &move.first, &move.end);
    if (!status &&
        (!(move.sent = array_new(ranks, sizeof *move.sent, error)) ||
         !(move.received = array_new(ranks, sizeof *move.received, error)) ||
         !(move.length = array_new(x->rows, sizeof *move.length, error)) ||
         !(move.own_length = array_new(move.end - move.first, sizeof *move.own_length, error)) ||
         !(data->label = array_new(data->x.rows, sizeof *data->label, error)) ||
         !(data->x.start = array_new(data->x.rows + 1, sizeof *data->x.start, error))))
        status = failure(error);
    for (size_t i = 0; !status && i < x->rows; i++)
        move.length[i] = (uint32_t)(x->start[i + 1] - x->start[i]);
    status = ranks_agree(team, status, error);
    for (size_t q = 0; !status && q < ranks; q++)
        move.received[q] = (size_t)reader->summary[q].kinds.rows * sizeof *data->label;
    if (!status)
        status = ranks_check(
            team->gather(team->context, reader->part.block.label, data->label, move.received),
            error);
    if (!status)
        status = move_array(&move, move.length, sizeof *move.length, NULL, move.own_length, error);
    for (size_t i = 0; !status && i < data->x.rows; i++)
        data->x.start[i + 1] =
            data->x.start[i] +
            (i >= move.first && i < move.end ? move.own_length[i - move.first] : 0);
    if (!status)
        status = move_entries(&move, error);
    free(move.sent);
    free(move.received);
    free(move.length);
    free(move.own_length);
    return status;
}

/* ---- All of it ---------------------------------------------------------- */

struct hinge_dataset *team_reader_read(const char *path, const struct hinge_format *format,
                                       size_t chunk, unsigned threads, struct hinge_error *error)
{
    struct hinge_dataset *data = array_new(1, sizeof *data, error);
    struct team_reader reader = {
        .team = format->team, .format = format, .path = path, .chunk = chunk, .threads = threads};
    enum hinge_status status = HINGE_OK;

    if (!data || !(reader.name = array_new(strlen(path) + 24, 1, error)) ||
        !(reader.summary = array_new(ranks_count(format->team), sizeof *reader.summary, error)))
        status = failure(error);
    if (strcmp(path, "-") == 0)
        status = fail(error, HINGE_BAD_ARGUMENT,
                      "several processes cannot share standard input: name a file");
    else if (format->memory > 0)
        status = fail(error, HINGE_BAD_ARGUMENT,
                      "several processes keep their rows in memory, not in a temporary file");
    else if (find_part(&reader, status, error) || status || read_parts(&reader, error) ||
             move_rows(&reader, data, error))
        status = failure(error);
    reader_end(&reader.part);
    free(reader.name);
    free(reader.summary);
    if (!status)
        return data;
    hinge_dataset_free(data);
    return NULL;
}
