/* parallel_reader.c - take lines | parse | place in order | copy.
 *
 * A batch is a buffer full of lines. Any thread parses it, into the batch's own block. In the order
 * of the batches, the rows of these blocks get a place after the rows of the file, and are copied
 * there. Then other lines are read into the batch. One thread at a time takes lines; any number of
 * threads parse and copy. A change of the file's own block (more memory, other kinds) is rare, and
 * is made while no thread copies or takes. No thread ever waits for another: a thread that has
 * nothing to do leaves, and is called back later. So little is lost while other programs use the
 * processors.
 *
 * A batch does not know the number of its first line. If parsing one fails, its text is parsed
 * again in order, straight into the block of the file. The error is then about the first faulty
 * line, with its place.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/status.h"
#include "data/dataset.h"

enum {
    LARGEST = 8,    /* chunks in a buffer; one thread reads a longer row from the file itself */
    READY = 3,      /* batches that each thread has taken and not parsed: few, so that they are in
                       its cache */
    UNFINISHED = 8, /* batches for each thread, so that one stopped thread does not stop the rest */
    MOST_BATCHES = 64,
    ABSENCE = 8, /* a thread that has left is called back after this many batches at least */
    QUIET = 256  /* a thread that leaves after all have read so many batches leaves by chance */
};

struct batch {
    struct hinge_reader reader;
    enum taken taken;
    const char *text; /* where its lines begin */
    struct block_place place;
    unsigned thread; /* the thread that took the lines, which are in its cache alone */
    int begun;       /* a thread parses it or has parsed it */
    int parsed;
    int failed; /* parsing failed */
    struct hinge_error error;
};

/* Batches are numbered in the order of their lines. One thread at a time changes or reads these
 * fields, see choose, except where a field says something else. */
struct parallel_reader {
    struct hinge_reader *whole; /* the reader of the file. The thread that takes uses its source;
                                   the threads that copy use the arrays of its block */
    uint64_t line;              /* number of the line after the rows that have a place */
    struct batch *batch;        /* [count] */
    size_t threads, count;
    struct batch *queue[MOST_BATCHES]; /* batch number k is queue[k % count] */
    size_t taken;                      /* batches read; begun and placed count from the first on */
    size_t begun;                      /* batches that a thread parses or has parsed */
    size_t placed;                     /* batches whose rows have a place in the file's block */
    size_t first;                      /* value of begun when all threads last came */
    size_t last;                       /* begun stops here, so that absent threads come back */
    size_t absence;                    /* batches up to `last` when the next thread leaves */
    int taking;                        /* a thread takes lines */
    size_t copying;                    /* threads that copy */
    int appending;                     /* a thread changes the block of the file: no thread copies,
                                          takes, or changes it as well */
    struct batch *spare[MOST_BATCHES]; /* batches without lines, the latest one last */
    size_t spares;
    size_t most; /* argument of source_take */
    int waiting; /* nothing more can be taken from the source, or not yet */
    enum hinge_status status;
    struct hinge_error *error; /* gets the error of the thread that appends */
};

/* The next step of a thread. */
struct step {
    struct parallel_reader *reader;
    unsigned thread;
    enum { NOTHING, TAKE, PARSE, COPY, APPEND } what;
    struct batch *batch;
    enum hinge_status status; /* what APPEND returned */
};

/* ---- The steps --------------------------------------------------------- */

/* Returns the number of lines in a batch that was parsed. */
static uint64_t lines_of(const struct batch *batch)
{
    return batch->reader.source.line - 1;
}

/* Appends the rows of the batch to the rows of the file, whose source is already after them. If
 * parsing failed, or there are too many rows, parses the lines again as the next lines of the file.
 */
static enum hinge_status append(struct parallel_reader *reader, struct batch *batch,
                                struct hinge_error *error)
{
    struct hinge_reader *whole = reader->whole;
    struct block *part = &batch->reader.block;
    struct source *lines = &batch->reader.source;
    enum hinge_status status = HINGE_OK;

    whole->source.line = reader->line;
    if (batch->taken == TAKEN_LONG) {
        if (reader_next(whole, error) < 0)
            status = failure(error);
    } else if (batch->taken == TAKEN_FAILED) {
        *error = batch->error;
        status = failure(error);
    } else if (batch->failed || !block_has_numbers(&whole->block, part)) {
        const struct source file = whole->source;

        lines->cursor = batch->text;
        lines->line = file.line;
        lines->line_offset = lines->before + (uint64_t)(batch->text - lines->buffer);
        whole->source = *lines;
        status = reader_rest(whole, error);
        *lines = whole->source;
        whole->source = file;
        whole->source.line = lines->line;
    } else {
        whole->source.line += lines_of(batch);
        whole->rows += part->x.rows;
        status = block_join(&whole->block, part, error);
    }
    reader->line = whole->source.line;
    return status;
}

static void do_step(struct step *step)
{
    struct batch *batch = step->batch;
    struct source *lines = &batch->reader.source;

    switch (step->what) {
    case TAKE:
        if (batch->taken != TAKEN_FAILED)
            batch->taken =
                source_take(&step->reader->whole->source, step->reader->most, lines, &batch->error);
        batch->text = lines->cursor;
        return;
    case PARSE:
        if (batch->taken == TAKEN_LINES)
            batch->failed = reader_rest(&batch->reader, &batch->error) != HINGE_OK;
        return;
    case COPY:
        block_copy(&step->reader->whole->block, &batch->reader.block, &batch->place);
        return;
    default:
        step->status = append(step->reader, batch, step->reader->error);
    }
}

/* ---- Who does what ----------------------------------------------------- */

/* Records that the step is done. */
static void record(struct parallel_reader *reader, const struct step *step)
{
    struct batch *batch = step->batch;

    switch (step->what) {
    case TAKE:
        reader->taking = 0;
        reader->waiting = batch->taken != TAKEN_LINES;
        if (batch->taken == TAKEN_NONE)
            reader->spare[reader->spares++] = batch;
        else
            reader->queue[reader->taken++ % reader->count] = batch;
        return;
    case PARSE:
        batch->parsed = 1;
        return;
    case COPY:
        reader->copying--;
        reader->spare[reader->spares++] = batch;
        return;
    case APPEND:
        reader->appending = 0;
        reader->placed++;
        reader->spare[reader->spares++] = batch;
        reader->status = step->status;
        if (batch->taken == TAKEN_LONG) {
            reader->waiting = 0;
            reader->last = reader->begun; /* others left because there was no work beside it */
            reader->absence = ABSENCE;
        }
        return;
    default:
        return;
    }
}

/* Chooses a batch to take lines into, if there are lines and the thread lacks some: it has taken
 * few that are not parsed, or the threads that are called back next would have none. Takes a batch
 * that the thread has used before, if there is one. */
static int choose_take(struct parallel_reader *reader, struct step *step)
{
    struct batch *batch;
    size_t own = 0, k;

    if (reader->taking || reader->waiting || reader->spares == 0)
        return 0;
    for (k = reader->placed; k < reader->taken; k++) {
        batch = reader->queue[k % reader->count];
        own += batch->thread == step->thread && !batch->begun;
    }
    if (own >= READY &&
        (reader->begun < reader->last || reader->taken - reader->begun >= reader->threads))
        return 0;
    for (k = reader->spares; k > 0 && reader->spare[k - 1]->thread != step->thread;)
        k--;
    k = k > 0 ? k - 1 : reader->spares - 1;
    batch = reader->spare[k];
    for (reader->spares--; k < reader->spares; k++)
        reader->spare[k] = reader->spare[k + 1];
    batch->thread = step->thread;
    batch->begun = batch->parsed = batch->failed = 0;
    batch->taken =
        reader_clear(&batch->reader, reader->whole, &batch->error) ? TAKEN_FAILED : TAKEN_NONE;
    reader->taking = 1;
    step->what = TAKE;
    step->batch = batch;
    return 1;
}

/* Chooses a batch to parse: the first one, if many are unfinished; else the first one that this
 * thread has taken; else the first one. */
static int choose_parse(struct parallel_reader *reader, struct step *step)
{
    const int in_order = reader->taken - reader->placed > reader->count / 4 * 3;
    struct batch *chosen = NULL;

    if (reader->begun >= reader->last)
        return 0;
    for (size_t k = reader->placed; k < reader->taken; k++) {
        struct batch *batch = reader->queue[k % reader->count];

        if (batch->begun)
            continue;
        if (!chosen)
            chosen = batch;
        if (in_order || batch->thread == step->thread) {
            chosen = batch;
            break;
        }
    }
    if (!chosen)
        return 0;
    chosen->begun = 1;
    reader->begun++;
    step->what = PARSE;
    step->batch = chosen;
    return 1;
}

/* Chooses the next step of a thread, between parallel_enter and parallel_leave. The next batch in
 * the order of the file comes first, if it is parsed: its rows get their place and are copied or,
 * if the block of the file must be changed before, appended. While a batch waits to be appended, no
 * thread begins to take or to copy, so one thread is soon free to append. */
static void choose(struct step *step)
{
    struct parallel_reader *reader = step->reader;
    struct hinge_reader *whole = reader->whole;
    struct batch *next = NULL;

    record(reader, step);
    step->what = NOTHING;
    if (reader->status != HINGE_OK)
        return;
    if (!reader->appending && reader->placed < reader->taken)
        next = reader->queue[reader->placed % reader->count];
    if (next && next->parsed) {
        step->batch = next;
        if (next->taken == TAKEN_LINES && !next->failed &&
            block_reserve_place(&whole->block, &next->reader.block, &next->place)) {
            whole->rows += next->reader.block.x.rows;
            reader->line += lines_of(next);
            reader->placed++;
            reader->copying++;
            step->what = COPY;
            return;
        }
        if (!reader->taking && reader->copying == 0) {
            reader->appending = 1;
            step->what = APPEND;
            return;
        }
    } else if (!reader->appending && choose_take(reader, step)) {
        return;
    }
    if (choose_parse(reader, step) || reader->last < SIZE_MAX)
        return;
    /* The thread leaves. If it came only a short time ago, other programs use the processors.
     * Calling it back may then take as long as many batches, so it is called less and less often.
     */
    if (reader->begun - reader->first >= QUIET)
        reader->absence = reader->absence / 2 > ABSENCE ? reader->absence / 2 : ABSENCE;
    else if (reader->absence < (size_t)1 << 20)
        reader->absence *= 2;
    reader->last = reader->begun + reader->absence;
}

/* Works as one of the threads. */
static void help(void *context, size_t job, unsigned thread)
{
    struct step step = {.reader = context, .thread = thread, .what = NOTHING};

    (void)job;
    for (;;) {
        const int is_locked = parallel_enter();

        choose(&step);
        parallel_leave(is_locked);
        if (step.what == NOTHING)
            return;
        do_step(&step);
    }
}

/* ---- The whole file ------------------------------------------------------ */

/* Appends the rows that follow, by several threads. A row precedes them, and the source is after a
 * line end. */
static enum hinge_status read_side_by_side(struct hinge_reader *whole, unsigned threads,
                                           struct hinge_error *error)
{
    const unsigned most = MOST_BATCHES / UNFINISHED;
    struct parallel_reader reader = {.whole = whole,
                                     .line = whole->source.line,
                                     .threads = threads < most ? threads : most,
                                     .most = LARGEST * whole->source.capacity,
                                     .absence = ABSENCE,
                                     .error = error};
    struct step step = {.reader = &reader};

    reader.count = UNFINISHED * reader.threads;
    if (!(reader.batch = array_new(reader.count, sizeof *reader.batch, error)))
        reader.status = failure(error);
    for (size_t k = reader.count; k-- > 0 && !reader.status;) {
        reader.status = reader_begin(&reader.batch[k].reader, &whole->format, error);
        reader.spare[reader.spares++] = &reader.batch[k];
    }
    for (; !reader.status && reader.taken < reader.threads && choose_take(&reader, &step);
         step.thread++) { /* lines for each thread */
        do_step(&step);
        record(&reader, &step);
    }
    while (!reader.status && reader.placed < reader.taken) {
        const size_t ready = reader.taken - reader.begun;

        reader.first = reader.begun;
        reader.last = SIZE_MAX;
        parallel_run((unsigned)reader.threads, ready < reader.threads ? ready : reader.threads,
                     help, NULL, &reader);
    }
    parallel_end();
    whole->source.line = reader.line;
    for (size_t k = 0; reader.batch && k < reader.count; k++)
        reader_end(&reader.batch[k].reader);
    free(reader.batch);
    return reader.status;
}

enum hinge_status parallel_reader_read(struct hinge_reader *reader, unsigned threads,
                                       uint64_t alone, struct hinge_error *error)
{
    static const uint64_t SAMPLE = 1u << 19; /* bytes that tell how long rows are */
    static const double LONGER = 1.05;       /* the rest may have 5 % more entries for its bytes */
    struct source *source = &reader->source;
    const uint64_t start = source->line_offset;
    uint64_t end = SOURCE_UNKNOWN, from, here;
    int found = threads > 1 ? reader_next(reader, error) : 0;

    if (found > 0 && !source->exhausted) {
        if (source_find_end(source, &end, error))
            return failure(error);
        from = source->line_offset;
        if (end != SOURCE_UNKNOWN && (end - from) / 2 < alone)
            alone = UINT64_MAX;
        else if (end != SOURCE_UNKNOWN && alone > SAMPLE)
            alone = SAMPLE;
        while (found > 0 && !source->exhausted && source->line_offset - from < alone)
            found = reader_next(reader, error);
    }
    if (found > 0 && !source->exhausted) {
        here = source->line_offset;
        if (end != SOURCE_UNKNOWN && end > here)
            block_expect(&reader->block,
                         1 + LONGER * (double)(end - here) / (double)(here - start));
        if (read_side_by_side(reader, threads, error))
            return failure(error);
    }
    return found < 0 ? failure(error) : reader_rest(reader, error);
}
