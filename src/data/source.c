/* source.c - [.. kept | fresh ..] NUL: the text from the cursor on moves to the front of the
 * buffer, and the file is read behind it. */
#include "data/source.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/status.h"

const char *source_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "(standard input)" : path;
}

/* Beginnings of compressed files. No text begins in this way: the bytes are no UTF-8, are control
 * characters, or are the ten bytes of bzip2, whose fourth byte is a digit, the size of its blocks.
 */
static const struct {
    const char *bytes;
    const char *kind;
    const char *program; /* unpacks it */
} compressed[] = {
    {"\x1f\x8b", "data compressed by gzip", "zcat"},
    {"BZh", "data compressed by bzip2", "bzcat"},
    {"\xfd\x37zXZ", "data compressed by xz", "xzcat"},
    {"(\xb5/\xfd", "data compressed by zstd", "zstdcat"},
    {"PK\3\4", "a zip archive", "unzip -p"},
};

enum { BEGINNING = 10 }; /* bytes that tell the kind */

/* Refuses compressed data, and skips a byte order mark. */
static enum hinge_status begin_text(struct source *source, struct hinge_error *error)
{
    const char *p;

    while (source->end - source->cursor < BEGINNING && !source->exhausted)
        if (source_refill(source, error))
            return failure(error);
    p = source->cursor;
    for (size_t k = 0; k < sizeof compressed / sizeof *compressed; k++)
        if (strncmp(p, compressed[k].bytes, strlen(compressed[k].bytes)) == 0 &&
            (*p != 'B' || strncmp(p + 4, "1AY&SY", 6) == 0))
            return source_fail(source, p, error, "the file looks like %s: try %s FILE > PLAIN",
                               compressed[k].kind, compressed[k].program);
    if (strncmp(source->cursor, "\xef\xbb\xbf", 3) == 0) {
        source->cursor += 3;
        source->line_offset = 3;
    }
    return HINGE_OK;
}

enum hinge_status source_open(struct source *source, const char *path, struct hinge_error *error)
{
    return source_open_part(source, path, SOURCE_CHUNK, 0, UINT64_MAX, error);
}

enum hinge_status source_open_part(struct source *source, const char *path, size_t chunk,
                                   uint64_t begin, uint64_t end, struct hinge_error *error)
{
    memset(source, 0, sizeof *source);
    source->name = source_name(path);
    source->line = 1;
    source->capacity = chunk;
    source->left = end - begin;
    if (!(source->buffer = array_new(chunk + PAD, 1, error)))
        return failure(error);
    source->cursor = source->end = source->buffer;
    errno = 0;
    source->file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    source->before = source->line_offset = begin;
    if (!source->file)
        fail_file(error, "open", path);
    else if (begin > 0 && (begin > LONG_MAX || fseek(source->file, (long)begin, SEEK_SET) != 0))
        fail_file(error, "read", source->name);
    else if (begin > 0 || !begin_text(source, error))
        return HINGE_OK;
    source_close(source);
    return failure(error);
}

void source_close(struct source *source)
{
    if (source->file && source->file != stdin)
        fclose(source->file);
    free(source->buffer);
    memset(source, 0, sizeof *source);
}

enum hinge_status source_refill(struct source *source, struct hinge_error *error)
{
    size_t kept = (size_t)(source->end - source->cursor);
    size_t wanted, read;

    source->before += (uint64_t)(source->cursor - source->buffer);
    memmove(source->buffer, source->cursor, kept);
    if (kept > source->capacity / 2) {
        size_t capacity = array_grown(source->capacity, 2 * kept);
        char *grown = array_resize(source->buffer, capacity + PAD, 1, error);

        source->cursor = source->buffer;
        source->end = source->buffer + kept;
        if (!grown)
            return failure(error);
        source->buffer = grown;
        source->capacity = capacity;
    }
    errno = 0;
    wanted = source->capacity - kept;
    read = fread(source->buffer + kept, 1, wanted < source->left ? wanted : (size_t)source->left,
                 source->file);
    source->left -= read;
    source->cursor = source->buffer;
    source->end = source->buffer + kept + read;
    memset(source->buffer + kept + read, '\0', PAD);
    if (read < wanted) {
        if (ferror(source->file))
            return fail_file(error, "read", source->name);
        source->exhausted = 1;
    }
    return HINGE_OK;
}

enum hinge_status source_find_end(struct source *source, uint64_t *end, struct hinge_error *error)
{
    const long position = ftell(source->file);
    uint64_t unread;
    long last;

    *end = SOURCE_UNKNOWN;
    if (position < 0 || fseek(source->file, 0, SEEK_END) != 0)
        return HINGE_OK;
    last = ftell(source->file);
    errno = 0;
    if (fseek(source->file, position, SEEK_SET) != 0)
        return fail_file(error, "read", source->name);
    if (last < position)
        return HINGE_OK;
    unread = (uint64_t)(last - position);
    *end = source->before + (uint64_t)(source->end - source->buffer) +
           (unread < source->left ? unread : source->left);
    return HINGE_OK;
}

/* Exchanges the buffers of source and lines. The source keeps its text from `from` on. */
static enum hinge_status exchange(struct source *source, const char *from, struct source *lines,
                                  struct hinge_error *error)
{
    const size_t kept = (size_t)(source->end - from), capacity = source->capacity;
    char *buffer = source->buffer, *other = lines->buffer;

    if (!other || lines->capacity < capacity) {
        if (ARRAY_RESIZE(&lines->buffer, capacity + PAD, error))
            return failure(error);
        other = lines->buffer;
        lines->capacity = capacity;
    }
    memcpy(other, from, kept);
    memset(other + kept, '\0', PAD);
    source->before += (uint64_t)(from - buffer);
    source->cursor = source->buffer = other;
    source->end = other + kept;
    source->capacity = lines->capacity;
    lines->buffer = buffer;
    lines->capacity = capacity;
    return HINGE_OK;
}

/* First reads into the buffer that lines have had, which may be in this processor's cache. Then the
 * source gets the other buffer, with the text after the last whole line. */
enum taken source_take(struct source *source, size_t most, struct source *lines,
                       struct hinge_error *error)
{
    struct source whole;
    const char *end;

    if (exchange(source, source->cursor, lines, error))
        return TAKEN_FAILED;
    for (;;) {
        for (end = source->end; end > source->cursor && end[-1] != '\n';)
            end--;
        if (end > source->cursor || source->exhausted)
            break;
        if ((size_t)(source->end - source->cursor) > source->capacity / 2 &&
            source->capacity >= most)
            return TAKEN_LONG;
        if (source_refill(source, error))
            return TAKEN_FAILED;
    }
    if (end == source->cursor)
        end = source->end;
    if (end == source->cursor)
        return TAKEN_NONE;
    whole = *source;
    if (exchange(source, end, lines, error))
        return TAKEN_FAILED;
    source->line_offset = source->before;
    *lines = whole;
    lines->file = NULL;
    lines->exhausted = 1;
    lines->line = 1;
    lines->end = end;
    memset(lines->buffer + (end - lines->buffer), '\0', PAD);
    return TAKEN_LINES;
}

enum hinge_status source_keep(struct source *source, struct hinge_error *error)
{
    const size_t begun = (size_t)(source->end - source->buffer);
    const long position = ftell(source->file);
    FILE *copy;
    char *chunk;
    size_t read;
    int failed;

    source->start = position < 0 ? 0 : position - (long)begun;
    if (position >= 0)
        return HINGE_OK;
    errno = 0;
    if (!(copy = tmpfile()))
        return fail_file(error, "open", "a temporary file");
    if (!(chunk = array_new(SOURCE_CHUNK, 1, error))) {
        fclose(copy);
        return failure(error);
    }
    failed = fwrite(source->buffer, 1, begun, copy) != begun;
    while (!failed && (read = fread(chunk, 1, SOURCE_CHUNK, source->file)) > 0)
        failed = fwrite(chunk, 1, read, copy) != read;
    free(chunk);
    if (failed || fflush(copy) != 0 || fseek(copy, (long)begun, SEEK_SET) != 0)
        fail_file(error, "write", "a temporary file");
    else if (ferror(source->file))
        fail_file(error, "read", source->name);
    else {
        if (source->file != stdin)
            fclose(source->file);
        source->file = copy;
        return HINGE_OK;
    }
    fclose(copy);
    return failure(error);
}

enum hinge_status source_rewind(struct source *source, struct hinge_error *error)
{
    source->line = 1;
    source->before = source->line_offset = 0;
    source->cursor = source->end = source->buffer;
    source->exhausted = 0;
    errno = 0;
    return fseek(source->file, source->start, SEEK_SET) != 0
               ? fail_file(error, "read", source->name)
               : begin_text(source, error);
}

int source_line(struct source *source, const char **end, struct hinge_error *error)
{
    for (;;) {
        const size_t length = (size_t)(source->end - source->cursor);
        const char *newline = memchr(source->cursor, '\n', length), *zero;

        if (newline || source->exhausted) {
            *end = newline ? newline : source->end;
            zero = memchr(source->cursor, '\0', (size_t)(*end - source->cursor));
            if (zero)
                source_error_fill(source, zero, error, "NUL byte");
            return zero ? -1 : *end > source->cursor || newline;
        }
        if (source_refill(source, error))
            return -1;
    }
}

enum hinge_status source_skip_line(struct source *source, struct hinge_error *error)
{
    for (;;) {
        size_t length = (size_t)(source->end - source->cursor);
        const char *newline = memchr(source->cursor, '\n', length);
        const char *zero =
            memchr(source->cursor, '\0', newline ? (size_t)(newline - source->cursor) : length);

        if (zero)
            return source_fail(source, zero, error, "NUL byte");
        if (newline) {
            source_next_line(source, newline);
            return HINGE_OK;
        }
        source->cursor = source->end;
        if (source->exhausted)
            return HINGE_OK;
        if (source_refill(source, error))
            return failure(error);
    }
}

void source_error_fill(const struct source *source, const char *p, struct hinge_error *error,
                       const char *format, ...)
{
    uint64_t column = source->before + (uint64_t)(p - source->buffer) - source->line_offset + 1;
    char reason[512];
    va_list arguments;

    va_start(arguments, format);
    text_format(reason, sizeof reason, format, arguments);
    va_end(arguments);
    error_fill(error, HINGE_BAD_INPUT, "%s:%llu:%llu: %s", source->name,
               (unsigned long long)source->line, (unsigned long long)column, reason);
}
