/* source.h - the bytes of a file or a pipe, a chunk at a time, with their place.
 *
 * The text at cursor is contiguous up to end, where NULs stand: a scanner may run without
 * looking for the end, and only when it stops at end does it ask source_refill for more, keeping
 * what it has begun. Memory is one chunk, or twice the longest piece kept.
 */
#ifndef HINGE_DATA_SOURCE_H
#define HINGE_DATA_SOURCE_H

#include <stdint.h>
#include <stdio.h>

#include "base/compiler.h"
#include "hinge.h"

/* NULs that stand at end: a scanner may look at so many characters from anywhere in the text. */
enum { PAD = 8 };

struct source {
    FILE *file;
    const char *name; /* for messages */
    char *buffer;
    size_t capacity;      /* of buffer, the NULs at end apart */
    const char *cursor;   /* next byte to scan */
    const char *end;      /* after the last byte; *end == 0 */
    int exhausted;        /* the file has no more bytes */
    uint64_t line;        /* number of the line at cursor, from 1 */
    uint64_t before;      /* bytes of the file before buffer */
    uint64_t line_offset; /* bytes of the file before the current line */
    uint64_t left;        /* bytes that may still be read: all of the file, or of a part of it */
    long start;           /* of source_keep: where the file began; -1: all of it is in buffer */
};

/* What messages call the file: path, or words for "-". */
const char *source_name(const char *path);

/* Larger ones leave the second-level cache, smaller ones cost calls. A buffer of 128 KB or more
 * many C libraries map anew each time, and its pages take as long as reading them. */
enum { SOURCE_CHUNK = (1 << 17) - (1 << 12) };

/* Opens path, "-" being standard input; a byte order mark at the start is skipped. Compressed data
 * are refused. */
enum hinge_status source_open(struct source *source, const char *path, struct hinge_error *error);

/* The same with a buffer of chunk bytes, at least 1, instead of SOURCE_CHUNK. */
enum hinge_status source_open_chunks(struct source *source, const char *path, size_t chunk,
                                     struct hinge_error *error);

/* The same of a part of the file, bytes begin .. end - 1: end is where a line ends, or at least the
 * size of the file; begin is where one begins, the number of which is not known, so that the first
 * is number 1. */
enum hinge_status source_open_part(struct source *source, const char *path, size_t chunk,
                                   uint64_t begin, uint64_t end, struct hinge_error *error);

/* Closes the file; a source that was never opened, all zero, is fine. */
void source_close(struct source *source);

/* Reads on, so that the text from cursor on is longer than it was; cursor and end move. Call only
 * when not exhausted. On return either there are more bytes or exhausted is set. */
enum hinge_status source_refill(struct source *source, struct hinge_error *error);

/* Where the source will end, in bytes of the file as `before` counts them; SOURCE_UNKNOWN of one
 * without a position, such as a pipe. An estimate: files grow. */
enum hinge_status source_find_end(struct source *source, uint64_t *end, struct hinge_error *error);

#define SOURCE_UNKNOWN UINT64_MAX

/* What source_take found. */
enum taken {
    TAKEN_LINES,
    TAKEN_NONE,   /* the end of the data */
    TAKEN_LONG,   /* a line that the buffer does not hold: read it from the source itself */
    TAKEN_FAILED, /* *error says why */
};

/* Moves the lines at cursor, where one begins, to a source of their own: a buffer full of them, of
 * which the last one ends there or with the data. They have their place in the file, but for the
 * line number, which counts from 1; that of source does not change. lines is all zero or was given
 * lines before; it is to be closed. The buffer grows up to most bytes, or twice as many, where it
 * does not hold a line. */
enum taken source_take(struct source *source, size_t most, struct source *lines,
                       struct hinge_error *error);

/* Call it after source_open if the file is to be read twice. A file without a position, such as a
 * pipe, is read into memory. */
enum hinge_status source_keep(struct source *source, struct hinge_error *error);

/* Begins again, after source_keep. */
enum hinge_status source_rewind(struct source *source, struct hinge_error *error);

/* Moves cursor past the line end at p. */
static inline void source_next_line(struct source *source, const char *p)
{
    source->cursor = p + 1;
    source->line++;
    source->line_offset = source->before + (uint64_t)(p + 1 - source->buffer);
}

/* Makes sure that all of the line at cursor is in the buffer: 1, and *end at the '\n' or at the end
 * of the data; 0 at the end of the data, -1 on failure. HINGE_BAD_INPUT if there is a NUL in it. */
int source_line(struct source *source, const char **end, struct hinge_error *error);

/* Skips the rest of the line, its end included, in constant memory. HINGE_BAD_INPUT if there is
 * a NUL in it. */
enum hinge_status source_skip_line(struct source *source, struct hinge_error *error);

/* Fills error with HINGE_BAD_INPUT, "NAME:LINE:COLUMN: " of the byte at p, and the message; its
 * value is HINGE_BAD_INPUT. */
#define source_fail(source, p, error, ...)                                                         \
    (source_error_fill((source), (p), (error), __VA_ARGS__), HINGE_BAD_INPUT)

void source_error_fill(const struct source *source, const char *p, struct hinge_error *error,
                       const char *format, ...) PRINTF_LIKE(4, 5);

#endif
