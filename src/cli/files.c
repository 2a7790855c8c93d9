/* files.c - is an output an input? By name: "d", "./d"; by content: links, "d" and "D". */
#include "cli/files.h"

#include <stdio.h>
#include <string.h>

#include "base/file_name.h"
#include "base/status.h"

static int is_stream(const struct file *file)
{
    return file->path && strcmp(file->path, "-") == 0;
}

static int is_file(const struct file *file)
{
    return file->path && !is_stream(file) && !file_name_is_device(file->path);
}

static enum hinge_status check_two(const struct file *one, const struct file *other,
                                   struct hinge_error *error)
{
    if (!is_file(one) || !is_file(other) || !file_name_same(one->path, other->path))
        return HINGE_OK;
    return fail(error, HINGE_BAD_ARGUMENT, "%s and %s are the same file, '%.200s'", one->called,
                other->called, one->path);
}

enum hinge_status files_check(const struct files *files, struct hinge_error *error)
{
    for (const struct file *output = files->output; output->called; output++) {
        if (is_stream(output) && !output->streams)
            return fail(error, HINGE_BAD_ARGUMENT, "%s cannot go to standard output",
                        output->called);
        for (const struct file *input = files->input; input->called; input++)
            if (check_two(output, input, error))
                return failure(error);
        for (const struct file *other = files->output; other < output; other++)
            if (check_two(other, output, error))
                return failure(error);
    }
    for (const struct file *input = files->input; input->called; input++)
        for (const struct file *other = files->input; other < input; other++)
            if (is_stream(input) && is_stream(other))
                return fail(error, HINGE_BAD_ARGUMENT, "%s and %s cannot both be standard input",
                            other->called, input->called);
    return HINGE_OK;
}

/* The size of a file, its position then at the beginning; 0 of what has none. */
static long measure(FILE *file)
{
    const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;

    rewind(file);
    return size;
}

static int streams_equal(FILE *one, FILE *other)
{
    char mine[4096], others[sizeof mine];
    size_t read;

    if (measure(one) <= 0 || measure(one) != measure(other))
        return 0;
    do {
        read = fread(mine, 1, sizeof mine, one);
        if (fread(others, 1, sizeof others, other) != read || memcmp(mine, others, read) != 0)
            return 0;
    } while (read == sizeof mine);
    return !ferror(one) && !ferror(other);
}

/* Opens for writing, too, although nothing is written: what may not be written is no output, and a
 * named pipe does not block. */
static int contents_equal(const char *one, const char *other)
{
    FILE *first = fopen(one, "r+b");
    FILE *second = first ? fopen(other, "r+b") : NULL;
    const int equal = second && streams_equal(first, second);

    if (first)
        fclose(first);
    if (second)
        fclose(second);
    return equal;
}

enum hinge_status files_compare(const struct files *files, struct hinge_error *error)
{
    for (const struct file *output = files->output; output->called; output++)
        for (const struct file *input = files->input; input->called; input++)
            if (is_file(output) && is_file(input) && contents_equal(output->path, input->path))
                return fail(error, HINGE_BAD_ARGUMENT,
                            "%s, '%.200s', has the content of %s, '%.200s', and may be the same "
                            "file; if it is a copy, remove it",
                            output->called, output->path, input->called, input->path);
    return HINGE_OK;
}
