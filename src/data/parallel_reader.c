/* parallel_reader.c - take lines | parse | place in order | copy.
 *
 * A piece is a buffer full of lines. Any thread parses it. Its rows then get their place after
 * those of the file, in the order of the reader, and are copied there, after which next lines are
 * read into it. One thread at a time takes lines, and any number of them parse and copy. What
 * changes the arrays of the file, as more memory or another kind of values does, is rare, and done
 * when no thread copies or takes. No thread ever waits for another: one that has nothing to do
 * leaves, and is called back later. So little is lost where other programs use the processors.
 *
 * A piece does not know the number of its first line. What fails in one is done again in order,
 * from the same text, straight into the rows of the file: the error is then that of the first
 * faulty line, with its place.
 */
#include "data/parallel_reader.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/status.h"

enum {
    LARGEST = 8, /* chunks in a buffer; a row of more is read from the file, by one thread */
    READY = 3,   /* pieces that each thread has taken and not parsed: few, so that they are in its
                    cache */
    UNFINISHED = 8, /* pieces for each thread that one which the system has stopped may hold up */
    MOST_PIECES = 64,
    ABSENCE = 8, /* least pieces after which a thread that has left is called back */
    QUIET = 256  /* after so many that all threads have read, it leaves by chance */
};

struct piece {
    struct rows rows;
    enum taken taken;
    const char *text; /* where its lines begin */
    struct row_start at;
    unsigned thread; /* that took them: the others' caches do not have them */
    int begun;       /* to be parsed */
    int parsed;
    int failed; /* in parsing */
    struct hinge_error error;
};

/* Pieces are numbered in the order of their lines. Where nothing else is said, all of this is
 * changed, and looked at, by one thread at a time: see choose. */
struct parallel_reader {
    struct rows *whole; /* the rows of the file. Its source is that of the thread that takes; its
                           arrays are those of the threads that copy */
    uint64_t line;      /* number of the line after the rows that have their place */
    struct piece *piece;
    size_t threads, count;
    struct piece *queue[MOST_PIECES]; /* number k is queue[k % count] */
    size_t taken, begun, placed;      /* so many, from the first one on: read, parsed or about to
                                         be, with their rows in the file or about to be copied */
    size_t first;                     /* begun when all threads came */
    size_t last;                      /* where begun stops, so that those who left come back */
    size_t absence;                   /* pieces up to there when the next one leaves */
    int taking;                       /* a thread takes lines */
    size_t copying;                   /* so many threads copy */
    int appending;                    /* a thread changes the rows of the file: no other does so,
                                         copies or takes */
    struct piece *spare[MOST_PIECES]; /* no lines in them; the last one was used last */
    size_t spares;
    size_t most; /* of source_take */
    int waiting; /* nothing more is to be taken from the source, or not yet */
    enum hinge_status status;
};

/* What a thread does. */
struct step {
    struct parallel_reader *reader;
    unsigned thread;
    enum { NOTHING, TAKE, PARSE, COPY, APPEND } what;
    struct piece *piece;
    enum hinge_status status; /* of APPEND */
    struct hinge_error *error;
};

/* ---- The steps --------------------------------------------------------- */

/* Takes the next lines into a piece that was chosen for them. */
static void take(struct parallel_reader *reader, struct piece *piece)
{
    struct source *lines = &piece->rows.reader.source;

    if (piece->taken != TAKEN_FAILED)
        piece->taken =
            source_take(&reader->whole->reader.source, reader->most, lines, &piece->error);
    piece->text = lines->cursor;
}

static void parse(struct piece *piece)
{
    if (piece->taken == TAKEN_LINES)
        piece->failed = rows_read(&piece->rows, &piece->error) != HINGE_OK;
}

/* Parses the lines of the piece again, as the next ones of the file. */
static enum hinge_status parse_in_order(struct rows *whole, struct piece *piece,
                                        struct hinge_error *error)
{
    const struct source file = whole->reader.source;
    struct source *lines = &piece->rows.reader.source;
    enum hinge_status status;

    lines->cursor = piece->text;
    lines->line = file.line;
    lines->line_offset = lines->before + (uint64_t)(piece->text - lines->buffer);
    whole->reader.source = *lines;
    status = rows_read(whole, error);
    *lines = whole->reader.source;
    whole->reader.source = file;
    whole->reader.source.line = lines->line;
    return status;
}

/* The lines in the text of a piece that was parsed. */
static uint64_t lines_of(const struct piece *piece)
{
    return piece->rows.reader.source.line - 1;
}

/* Appends what the piece has to the rows of the file, whose source is after them. */
static enum hinge_status append_behind(struct rows *whole, struct piece *piece,
                                       struct hinge_error *error)
{
    switch (piece->taken) {
    case TAKEN_LONG:
        return rows_next(whole, error) < 0 ? failure(error) : HINGE_OK;
    case TAKEN_FAILED:
        *error = piece->error;
        return failure(error);
    default:
        if (piece->failed || !rows_fit(whole, &piece->rows))
            return parse_in_order(whole, piece, error);
        whole->reader.source.line += lines_of(piece);
        return rows_join(whole, &piece->rows, error);
    }
}

static enum hinge_status append(struct parallel_reader *reader, struct piece *piece,
                                struct hinge_error *error)
{
    struct rows *whole = reader->whole;
    enum hinge_status status;

    whole->reader.source.line = reader->line;
    status = append_behind(whole, piece, error);
    reader->line = whole->reader.source.line;
    return status;
}

static void do_step(struct step *step)
{
    switch (step->what) {
    case TAKE:
        take(step->reader, step->piece);
        return;
    case PARSE:
        parse(step->piece);
        return;
    case COPY:
        rows_copy(step->reader->whole, &step->piece->rows, &step->piece->at);
        return;
    default:
        step->status = append(step->reader, step->piece, step->error);
    }
}

/* ---- Who does what ----------------------------------------------------- */

/* Records what was taken into the piece. */
static void record_taken(struct parallel_reader *reader, struct piece *piece)
{
    reader->taking = 0;
    reader->waiting = piece->taken != TAKEN_LINES;
    if (piece->taken == TAKEN_NONE)
        reader->spare[reader->spares++] = piece;
    else
        reader->queue[reader->taken++ % reader->count] = piece;
}

/* Records that the piece is appended. */
static void record_appended(struct parallel_reader *reader, struct piece *piece,
                            enum hinge_status status)
{
    reader->appending = 0;
    reader->placed++;
    reader->spare[reader->spares++] = piece;
    reader->status = status;
    if (piece->taken != TAKEN_LONG)
        return;
    reader->waiting = 0;
    reader->last = reader->begun; /* others left because there was no work beside it */
    reader->absence = ABSENCE;
}

/* Records that the step is done. */
static void record(struct parallel_reader *reader, const struct step *step)
{
    switch (step->what) {
    case TAKE:
        record_taken(reader, step->piece);
        return;
    case PARSE:
        step->piece->parsed = 1;
        return;
    case COPY:
        reader->copying--;
        reader->spare[reader->spares++] = step->piece;
        return;
    case APPEND:
        record_appended(reader, step->piece, step->status);
        return;
    default:
        return;
    }
}

/* Pieces to be parsed that the thread has taken. */
static size_t own_ready(const struct parallel_reader *reader, unsigned thread)
{
    size_t count = 0;

    for (size_t k = reader->placed; k < reader->taken; k++) {
        const struct piece *piece = reader->queue[k % reader->count];

        count += piece->thread == thread && !piece->begun;
    }
    return count;
}

/* The piece to take lines into: one that the thread has used, if there is. */
static struct piece *pop_spare(struct parallel_reader *reader, unsigned thread)
{
    struct piece *piece;
    size_t k = reader->spares--;

    while (k > 0 && reader->spare[k - 1]->thread != thread)
        k--;
    if (k == 0)
        return reader->spare[reader->spares];
    piece = reader->spare[k - 1];
    for (; k <= reader->spares; k++)
        reader->spare[k - 1] = reader->spare[k];
    return piece;
}

/* Whether the thread is to take more lines: it has too few, or those that are called back next
 * would have none. */
static int lacks_lines(const struct parallel_reader *reader, unsigned thread)
{
    return own_ready(reader, thread) < READY ||
           (reader->begun >= reader->last && reader->taken - reader->begun < reader->threads);
}

/* Chooses a piece to take lines into, if there are lines and the thread needs them. */
static int choose_take(struct parallel_reader *reader, struct step *step)
{
    struct piece *piece;

    if (reader->taking || reader->waiting || reader->spares == 0 ||
        !lacks_lines(reader, step->thread))
        return 0;
    piece = pop_spare(reader, step->thread);
    piece->thread = step->thread;
    piece->begun = piece->parsed = piece->failed = 0;
    piece->taken =
        rows_clear(&piece->rows, reader->whole, &piece->error) ? TAKEN_FAILED : TAKEN_NONE;
    reader->taking = 1;
    step->what = TAKE;
    step->piece = piece;
    return 1;
}

/* Chooses a piece to be parsed: the first one, if many are unfinished, or the first one that the
 * thread has taken, or that any has. */
static int choose_parse(struct parallel_reader *reader, struct step *step)
{
    const int in_order = reader->taken - reader->placed > reader->count / 4 * 3;
    struct piece *chosen = NULL;

    if (reader->begun >= reader->last)
        return 0;
    for (size_t k = reader->placed; k < reader->taken; k++) {
        struct piece *piece = reader->queue[k % reader->count];

        if (piece->begun)
            continue;
        if (!chosen)
            chosen = piece;
        if (in_order || piece->thread == step->thread) {
            chosen = piece;
            break;
        }
    }
    if (!chosen)
        return 0;
    chosen->begun = 1;
    reader->begun++;
    step->what = PARSE;
    step->piece = chosen;
    return 1;
}

/* The next piece of the file's order, if it is parsed; else NULL. */
static struct piece *next_in_order(const struct parallel_reader *reader)
{
    struct piece *piece = reader->queue[reader->placed % reader->count];

    return reader->placed < reader->taken && piece->parsed ? piece : NULL;
}

/* Gives the rows of the piece, which is the next one, their place; 0 if the rows of the file are to
 * be changed first. */
static int give_place(struct parallel_reader *reader, struct piece *piece)
{
    if (piece->taken != TAKEN_LINES || piece->failed ||
        !rows_place(reader->whole, &piece->rows, &piece->at))
        return 0;
    reader->line += lines_of(piece);
    reader->placed++;
    return 1;
}

/* Chooses what is to be done with the next piece of the file's order. */
static int choose_next(struct parallel_reader *reader, struct piece *piece, struct step *step)
{
    step->piece = piece;
    if (give_place(reader, piece)) {
        reader->copying++;
        step->what = COPY;
        return 1;
    }
    if (reader->taking || reader->copying > 0)
        return 0;
    reader->appending = 1;
    step->what = APPEND;
    return 1;
}

/* A thread has nothing to do. Where that happens soon after it came, the processors are busy with
 * other things: to call it may then take as long as many pieces do, and it is called less and less
 * often. */
static void leave(struct parallel_reader *reader)
{
    if (reader->last < SIZE_MAX)
        return;
    if (reader->begun - reader->first >= QUIET)
        reader->absence = reader->absence / 2 > ABSENCE ? reader->absence / 2 : ABSENCE;
    else if (reader->absence < (size_t)1 << 20)
        reader->absence *= 2;
    reader->last = reader->begun + reader->absence;
}

/* Chooses the next step of a thread, while no other does. Pieces to be appended come first: as
 * soon as no other thread takes or copies, which none then begins, one of them is free to. */
static void choose(void *context)
{
    struct step *step = context;
    struct parallel_reader *reader = step->reader;
    struct piece *next;

    record(reader, step);
    step->what = NOTHING;
    if (reader->status != HINGE_OK)
        return;
    next = reader->appending ? NULL : next_in_order(reader);
    if (next && choose_next(reader, next, step))
        return;
    if (!next && !reader->appending && choose_take(reader, step))
        return;
    if (!choose_parse(reader, step))
        leave(reader);
}

struct parsers {
    struct parallel_reader *reader;
    struct hinge_error *error;
};

/* The job of a thread. */
static void help(void *context, size_t job, unsigned thread)
{
    const struct parsers *parsers = context;
    struct step step = {
        .reader = parsers->reader, .thread = thread, .what = NOTHING, .error = parsers->error};

    (void)job;
    for (;;) {
        parallel_alone(choose, &step);
        if (step.what == NOTHING)
            return;
        do_step(&step);
    }
}

static void reader_free(struct parallel_reader *reader)
{
    for (size_t k = 0; reader->piece && k < reader->count; k++)
        rows_free(&reader->piece[k].rows);
    free(reader->piece);
}

/* Makes the reader, and takes lines into the first ones. */
static enum hinge_status reader_new(struct parallel_reader *reader, struct hinge_error *error)
{
    struct step step = {.reader = reader};

    if (!(reader->piece = array_new(reader->count, sizeof *reader->piece, error)))
        return failure(error);
    for (size_t k = 0; k < reader->count; k++)
        if (rows_new(&reader->piece[k].rows, &reader->whole->reader.format, error))
            return failure(error);
    for (size_t k = reader->count; k-- > 0;)
        reader->spare[reader->spares++] = &reader->piece[k];
    for (; reader->taken < reader->threads && choose_take(reader, &step); step.thread++) {
        do_step(&step);
        record(reader, &step);
    }
    return HINGE_OK;
}

enum hinge_status parallel_reader_read(struct rows *rows, unsigned threads,
                                       struct hinge_error *error)
{
    const unsigned most = MOST_PIECES / UNFINISHED;
    struct parallel_reader reader = {.whole = rows,
                                     .line = rows->reader.source.line,
                                     .threads = threads < most ? threads : most,
                                     .most = LARGEST * rows->reader.source.capacity,
                                     .absence = ABSENCE};
    struct parsers parsers = {&reader, error};

    reader.count = UNFINISHED * reader.threads;
    reader.status = reader_new(&reader, error);
    while (!reader.status && reader.placed < reader.taken) {
        const size_t ready = reader.taken - reader.begun;

        reader.first = reader.begun;
        reader.last = SIZE_MAX;
        parallel_run((unsigned)reader.threads, ready < reader.threads ? ready : reader.threads,
                     help, NULL, &parsers);
    }
    rows->reader.source.line = reader.line;
    reader_free(&reader);
    return reader.status;
}

/* Reads on up to so many bytes after the first row, with one thread; as rows_next. */
static int read_alone(struct rows *rows, uint64_t bytes, struct hinge_error *error)
{
    const struct source *source = &rows->reader.source;
    const uint64_t start = source->line_offset;
    int found = 1;

    while (found > 0 && !source->exhausted && source->line_offset - start < bytes)
        found = rows_next(rows, error);
    return found;
}

/* How many bytes one thread is to read, of so many. Where these are known, others come after a
 * sample for an estimate, or never if the first one would have read half of them before. */
static uint64_t bytes_alone(uint64_t alone, uint64_t bytes)
{
    static const uint64_t SAMPLE = 1u << 19;

    if (bytes / 2 < alone)
        return UINT64_MAX;
    return bytes != SOURCE_UNKNOWN && alone > SAMPLE ? SAMPLE : alone;
}

/* Makes room for the rows up to byte end of the file, of which those from start on were read, if
 * the others are like these. */
static void expect(struct rows *rows, uint64_t start, uint64_t end)
{
    static const double LONGER = 1.05;
    const uint64_t here = rows->reader.source.line_offset;

    if (end > here)
        rows_expect(rows, 1 + LONGER * (double)(end - here) / (double)(here - start));
}

enum hinge_status parallel_reader_read_all(struct rows *rows, unsigned threads, uint64_t alone,
                                           struct hinge_error *error)
{
    struct source *source = &rows->reader.source;
    const uint64_t start = source->line_offset;
    uint64_t end = SOURCE_UNKNOWN;
    int found = threads > 1 ? rows_next(rows, error) : 0;

    if (found > 0 && !source->exhausted) {
        if (source_find_end(source, &end, error))
            return failure(error);
        alone = bytes_alone(alone, end == SOURCE_UNKNOWN ? end : end - source->line_offset);
        found = read_alone(rows, alone, error);
    }
    if (found > 0 && !source->exhausted) {
        if (end != SOURCE_UNKNOWN)
            expect(rows, start, end);
        if (parallel_reader_read(rows, threads, error))
            return failure(error);
    }
    return found < 0 ? failure(error) : rows_read(rows, error);
}
