/* source.h - the bytes of a file or a pipe, a chunk at a time, with their place.
 *
 * The text at cursor is contiguous up to end, where NULs stand. A scanner need not look for the
 * end. If it stops there, it asks source_refill for more, which keeps the text from cursor on.
 * Memory is one chunk, or twice the longest text kept.
 */
#ifndef HINGE_DATA_SOURCE_H
#define HINGE_DATA_SOURCE_H

#include <stdint.h>
#include <stdio.h>

#include "base/compiler.h"
#include "hinge.h"

/* NULs at end: a scanner may look at this many characters from anywhere in the text. */
enum { PAD = 8 };

struct source {
    FILE *file;
    const char *name; /* for messages */
    char *buffer;
    size_t capacity;      /* bytes of buffer, without the NULs at end */
    const char *cursor;   /* next byte to scan */
    const char *end;      /* after the last byte; *end == 0 */
    int exhausted;        /* the file has no more bytes */
    uint64_t line;        /* number of the line at cursor, from 1 */
    uint64_t before;      /* bytes of the file before buffer */
    uint64_t line_offset; /* bytes of the file before the current line */
    uint64_t left;        /* bytes of the file, or of the part to be read, that were not read */
    long start;           /* for source_rewind: where the file began */
};

/* Returns the name of the file in messages: its path, or "(standard input)" for "-". */
const char *source_name(const char *path);

/* Bytes of a chunk. Larger chunks leave the second-level cache, smaller ones cost calls. Many C
 * libraries map a buffer of 128 KB or more anew each time, and its pages take as long as reading.
 */
enum { SOURCE_CHUNK = (1 << 17) - (1 << 12) };

/* Opens path; "-" is standard input. Skips a byte order mark at the start, and refuses compressed
 * data. */
enum hinge_status source_open(struct source *source, const char *path, struct hinge_error *error);

/* Opens bytes begin .. end - 1 of the file, with a buffer of chunk bytes, at least 1. A line begins
 * at begin and has number 1, because the number of lines before it is unknown. A line ends at end,
 * or end is at least the size of the file. */
enum hinge_status source_open_part(struct source *source, const char *path, size_t chunk,
                                   uint64_t begin, uint64_t end, struct hinge_error *error);

/* Closes the file. The source may be all zero: never opened. */
void source_close(struct source *source);

/* Reads on, so that the text from cursor on grows; cursor and end move. Call it only while not
 * exhausted. Afterwards either there are more bytes or exhausted is set. */
enum hinge_status source_refill(struct source *source, struct hinge_error *error);

/* Finds where the source will end, in bytes of the file as `before` counts them. *end is
 * SOURCE_UNKNOWN for a file without a position, such as a pipe. The answer is an estimate: files
 * grow. */
enum hinge_status source_find_end(struct source *source, uint64_t *end, struct hinge_error *error);

#define SOURCE_UNKNOWN UINT64_MAX

enum taken {
    TAKEN_LINES,
    TAKEN_NONE,   /* the end of the data */
    TAKEN_LONG,   /* a line that the buffer does not hold: read it from the source itself */
    TAKEN_FAILED, /* *error says why */
};

/* Moves a buffer full of lines from source to lines. A line begins at cursor; the last one moved
 * ends in the buffer or with the data. Places in lines are places in the file, except that line
 * numbers count from 1. The line number of source does not change. lines is all zero or was given
 * lines before; close it in the end. If the buffer does not hold a line, it grows, up to `most`
 * bytes or twice as many. */
enum taken source_take(struct source *source, size_t most, struct source *lines,
                       struct hinge_error *error);

/* Prepares source_rewind; call it while the buffer has the beginning of the file. A file without a
 * position, such as a pipe, is copied to a temporary file. */
enum hinge_status source_keep(struct source *source, struct hinge_error *error);

/* Moves the cursor back to the beginning of the file. */
enum hinge_status source_rewind(struct source *source, struct hinge_error *error);

/* Moves cursor past the line end at p. */
static inline void source_next_line(struct source *source, const char *p)
{
    source->cursor = p + 1;
    source->line++;
    source->line_offset = source->before + (uint64_t)(p + 1 - source->buffer);
}

/* Makes sure that all of the line at cursor is in the buffer. Returns 1 and sets *end to the '\n'
 * or the end of the data; 0 at the end of the data; -1 on failure, also for a NUL in the line. */
int source_line(struct source *source, const char **end, struct hinge_error *error);

/* Skips the rest of the line and its end, in constant memory. A NUL in it is HINGE_BAD_INPUT. */
enum hinge_status source_skip_line(struct source *source, struct hinge_error *error);

/* Fills error with HINGE_BAD_INPUT, "NAME:LINE:COLUMN: " of the byte at p, and the message. The
 * value of source_fail is HINGE_BAD_INPUT. */
#define source_fail(source, p, error, ...)                                                         \
    (source_error_fill((source), (p), (error), __VA_ARGS__), HINGE_BAD_INPUT)

void source_error_fill(const struct source *source, const char *p, struct hinge_error *error,
                       const char *format, ...) PRINTF_LIKE(4, 5);

#endif
