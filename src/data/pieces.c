/* pieces.c - take lines | parse | append in order.
 *
 * A piece is a buffer full of lines. Any thread parses it. Its rows are then appended to those of
 * the file in the order of the pieces, and next lines are read into it: that takes about a fifth of
 * the time, one thread does it at a time, and the others go on parsing. No thread ever waits for
 * another: one that has nothing to do leaves, and is called back later. So little is lost where
 * other programs use the processors.
 *
 * A piece does not know the number of its first line. What fails in one is done again in order,
 * from the same text, straight into the rows of the file: the error is then that of the first
 * faulty line, with its place.
 */
#include "data/pieces.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/status.h"

enum {
    LARGEST = 8,    /* chunks in a buffer; a row of more is read from the file, by one thread */
    READY = 2,      /* pieces to be parsed for each thread: few, so that they are in its cache */
    UNFINISHED = 8, /* pieces for each thread that one which the system has stopped may hold up */
    MOST_PIECES = 64,
    ABSENCE = 128 /* pieces after which a thread that has left is called back, the first time */
};

struct piece {
    struct rows rows;
    enum taken taken;
    const char *text; /* where its lines begin */
    int parsed;
    int failed; /* in parsing */
    struct hinge_error error;
};

/* Pieces are numbered in the order of their lines. Where nothing else is said, all of this is
 * changed, and looked at, by one thread at a time: see choose. */
struct pieces {
    struct rows *whole; /* the rows of the file; its source, which is ahead of them, but
                           source.line is the number of the line after them */
    struct piece *piece;
    size_t threads, count;
    struct piece *queue[MOST_PIECES]; /* number k is queue[k % count] */
    size_t taken, begun, appended;    /* so many, from the first one on: read, parsed or about to
                                         be, appended */
    size_t last;                      /* where begun stops, so that those who left come back */
    size_t absence;                   /* pieces up to there when the next one leaves */
    int appending;                    /* a thread does; what follows is for that one alone */
    struct piece *spare[MOST_PIECES]; /* no lines in them; the last one was used last */
    size_t spares;
    size_t most; /* of source_take */
    int waiting; /* nothing more is to be taken from the source, or not yet */
    enum hinge_status status;
};

/* What a thread does. */
struct step {
    struct pieces *pieces;
    enum { NOTHING, PARSE, APPEND } what;
    struct piece *piece; /* to be parsed or appended; NULL: lines are to be taken, that is all */
    size_t take, taken;  /* so many pieces at most, so many it were */
    enum hinge_status status;
    struct hinge_error *error;
};

/* ---- The steps --------------------------------------------------------- */

/* Takes the next lines into a piece; 0 if there are none, or a long line is to be read before. */
static int take(struct pieces *pieces, size_t number)
{
    struct piece *piece;
    struct rows *rows;

    if (pieces->waiting)
        return 0;
    piece = pieces->spare[pieces->spares - 1];
    rows = &piece->rows;
    piece->parsed = piece->failed = 0;
    piece->taken = rows_clear(rows, pieces->whole, &piece->error)
                       ? TAKEN_FAILED
                       : source_take(&pieces->whole->reader.source, pieces->most,
                                     &rows->reader.source, &piece->error);
    piece->text = rows->reader.source.cursor;
    pieces->waiting = piece->taken != TAKEN_LINES;
    if (piece->taken == TAKEN_NONE)
        return 0;
    pieces->spares--;
    pieces->queue[number % pieces->count] = piece;
    return 1;
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

/* Appends what the piece has to the rows of the file. */
static enum hinge_status append(struct pieces *pieces, struct piece *piece,
                                struct hinge_error *error)
{
    struct rows *whole = pieces->whole;

    switch (piece->taken) {
    case TAKEN_LONG:
        pieces->waiting = 0;
        return rows_next(whole, error) < 0 ? failure(error) : HINGE_OK;
    case TAKEN_FAILED:
        *error = piece->error;
        return failure(error);
    default:
        if (piece->failed || !rows_fit(whole, &piece->rows))
            return parse_in_order(whole, piece, error);
        whole->reader.source.line += piece->rows.reader.source.line - 1;
        return rows_join(whole, &piece->rows, error);
    }
}

static void append_and_take(struct step *step)
{
    struct pieces *pieces = step->pieces;

    step->status = HINGE_OK;
    if (step->piece) {
        step->status = append(pieces, step->piece, step->error);
        pieces->spare[pieces->spares++] = step->piece;
    }
    for (step->taken = 0; !step->status && step->taken < step->take; step->taken++)
        if (!take(pieces, pieces->taken + step->taken))
            break;
}

/* ---- Who does what ----------------------------------------------------- */

/* Records that the step is done. */
static void record(struct pieces *pieces, const struct step *step)
{
    if (step->what == PARSE)
        step->piece->parsed = 1;
    if (step->what != APPEND)
        return;
    pieces->appending = 0;
    pieces->appended += step->piece != NULL;
    pieces->taken += step->taken;
    pieces->status = step->status;
    if (step->piece && step->piece->taken == TAKEN_LONG) { /* beside which there was no work */
        pieces->last = pieces->begun;
        pieces->absence = ABSENCE;
    }
}

/* How many more pieces are to be taken, if there are so many to take lines into. */
static size_t wanted(const struct pieces *pieces, size_t spares)
{
    const size_t ready = pieces->taken - pieces->begun, enough = READY * pieces->threads;
    const size_t lacking = ready < enough ? enough - ready : 0;

    if (pieces->waiting)
        return 0;
    return lacking < spares ? lacking : spares;
}

/* A thread has nothing to do. Where that happens again and again the processors are busy with other
 * things, and it pays to call it back less and less often. */
static void leave(struct pieces *pieces)
{
    if (pieces->last < SIZE_MAX)
        return;
    pieces->last = pieces->begun + pieces->absence;
    if (pieces->absence < (size_t)1 << 20)
        pieces->absence *= 2;
}

/* Whether there is something to append, or a lack of lines; then the step is that. */
static int choose_append(struct pieces *pieces, struct step *step)
{
    if (pieces->appending)
        return 0;
    step->piece = pieces->queue[pieces->appended % pieces->count];
    if (pieces->appended == pieces->begun || !step->piece->parsed)
        step->piece = NULL;
    step->take = wanted(pieces, pieces->spares + (step->piece != NULL));
    return step->piece || (step->take > 0 && pieces->taken - pieces->begun < pieces->threads);
}

/* Chooses the next step of a thread, while no other does. */
static void choose(void *context)
{
    struct step *step = context;
    struct pieces *pieces = step->pieces;

    record(pieces, step);
    step->what = NOTHING;
    if (pieces->status != HINGE_OK)
        return;
    if (choose_append(pieces, step)) {
        step->what = APPEND;
        pieces->appending = 1;
    } else if (pieces->begun < pieces->taken && pieces->begun < pieces->last) {
        step->what = PARSE;
        step->piece = pieces->queue[pieces->begun++ % pieces->count];
    } else {
        leave(pieces);
    }
}

struct crew {
    struct pieces *pieces;
    struct hinge_error *error;
};

/* The job of a thread. */
static void help(void *context, size_t job, unsigned thread)
{
    const struct crew *crew = context;
    struct step step = {.pieces = crew->pieces, .what = NOTHING, .error = crew->error};

    (void)job;
    (void)thread;
    for (;;) {
        parallel_alone(choose, &step);
        if (step.what == NOTHING)
            return;
        if (step.what == PARSE)
            parse(step.piece);
        else
            append_and_take(&step);
    }
}

static void pieces_free(struct pieces *pieces)
{
    for (size_t k = 0; pieces->piece && k < pieces->count; k++)
        rows_free(&pieces->piece[k].rows);
    free(pieces->piece);
}

/* Makes the pieces, and takes lines into the first ones. */
static enum hinge_status pieces_new(struct pieces *pieces, struct hinge_error *error)
{
    if (!(pieces->piece = array_new(pieces->count, sizeof *pieces->piece, error)))
        return failure(error);
    for (size_t k = 0; k < pieces->count; k++)
        if (rows_new(&pieces->piece[k].rows, &pieces->whole->reader.format, error))
            return failure(error);
    for (size_t k = pieces->count; k-- > 0;)
        pieces->spare[pieces->spares++] = &pieces->piece[k];
    for (size_t k = wanted(pieces, pieces->spares); k > 0 && take(pieces, pieces->taken); k--)
        pieces->taken++;
    return HINGE_OK;
}

enum hinge_status pieces_read(struct rows *rows, unsigned threads, struct hinge_error *error)
{
    const unsigned most = MOST_PIECES / UNFINISHED;
    struct pieces pieces = {.whole = rows,
                            .threads = threads < most ? threads : most,
                            .most = LARGEST * rows->reader.source.capacity,
                            .absence = ABSENCE};
    struct crew crew = {&pieces, error};

    pieces.count = UNFINISHED * pieces.threads;
    pieces.status = pieces_new(&pieces, error);
    while (!pieces.status && pieces.appended < pieces.taken) {
        const size_t ready = pieces.taken - pieces.begun;

        pieces.last = SIZE_MAX;
        parallel_run((unsigned)pieces.threads, ready < pieces.threads ? ready : pieces.threads,
                     help, NULL, &crew);
    }
    pieces_free(&pieces);
    return pieces.status;
}

enum hinge_status pieces_read_all(struct rows *rows, unsigned threads, uint64_t alone,
                                  struct hinge_error *error)
{
    const struct source *source = &rows->reader.source;
    const uint64_t end = source->line_offset + alone;
    int found = threads > 1 ? rows_next(rows, error) : 0;

    while (found > 0 && !source->exhausted && source->line_offset < end)
        found = rows_next(rows, error);
    if (found < 0 || (found > 0 && !source->exhausted && pieces_read(rows, threads, error)))
        return failure(error);
    return rows_read(rows, error);
}
