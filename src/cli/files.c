/* files.c - refuses an output that is an input. Names are compared as paths, so "d" is "./d".
 * Contents are compared to find links, and "D" beside "d" in file systems that ignore case. */
#include <stdio.h>
#include <string.h>

#include "base/file_name.h"
#include "base/output.h"
#include "base/status.h"
#include "cli/options.h"
#include "cli/report.h"

/* A file of a command line. */
struct file {
    const char *called; /* in messages: "--trace", "the data" */
    const char *path;
    int purpose; /* READ, WRITTEN or STREAMED */
};

enum { MOST = 16 }; /* files of a command line */

static const char *text_at(const void *settings, size_t offset)
{
    return *(const char *const *)(const void *)((const char *)settings + offset);
}

static int is_stream(const struct file *file)
{
    return strcmp(file->path, "-") == 0;
}

static int is_file(const struct file *file)
{
    return !is_stream(file) && !file_name_is_device(file->path);
}

/* Returns the size of a file, or 0 if it has none, and rewinds the file. */
static long measure(FILE *file)
{
    const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;

    rewind(file);
    return size;
}

/* Refuses an output with the content of an input. Opens both for writing, too, but writes nothing:
 * a file that cannot be written is no output, and opening a named pipe then does not block. */
static enum hinge_status compare_two(const struct file *output, const struct file *input,
                                     struct hinge_error *error)
{
    const int are_files = is_file(output) && is_file(input);
    FILE *one = are_files ? fopen(output->path, "r+b") : NULL;
    FILE *other = one ? fopen(input->path, "r+b") : NULL;
    char mine[4096], others[sizeof mine];
    int are_equal = other && measure(one) > 0 && measure(one) == measure(other);
    size_t read = sizeof mine;

    while (are_equal && read == sizeof mine) {
        read = fread(mine, 1, sizeof mine, one);
        are_equal =
            fread(others, 1, sizeof others, other) == read && memcmp(mine, others, read) == 0;
    }
    are_equal = are_equal && !ferror(one) && !ferror(other);
    if (one)
        fclose(one);
    if (other)
        fclose(other);
    if (!are_equal)
        return HINGE_OK;
    return fail(error, HINGE_BAD_ARGUMENT,
                "%s, '%.200s', has the content of %s, '%.200s', and may be the same file; if it is "
                "a copy, remove it",
                output->called, output->path, input->called, input->path);
}

enum hinge_status files_check(const struct program *program, const void *settings,
                              enum files_property property, struct hinge_error *error)
{
    struct file file[MOST];
    size_t count = 0;
    enum hinge_status status = HINGE_OK;

    for (const struct operand *operand = program->operands; operand->called; operand++) {
        const char *path = text_at(settings, operand->offset);

        if (path)
            file[count++] = (struct file){operand->called, path, (int)operand->purpose};
    }
    for (const struct option *option = program->options; option->key; option++) {
        const int is_input = option->value.kind == OPTION_INPUT;

        if ((is_input || option->value.kind == OPTION_OUTPUT) &&
            text_at(settings, option->value.offset))
            file[count++] =
                (struct file){option->letter ? option->letter : option->name,
                              text_at(settings, option->value.offset), is_input ? READ : WRITTEN};
    }

    if (property == FILES_WRITABLE)
        catch_interrupts();
    for (size_t k = 0; k < count && !status; k++) {
        if (property == FILES_WRITABLE && file[k].purpose == WRITTEN)
            status = output_check(file[k].path, error);
        if (property == FILES_NAMES && file[k].purpose == WRITTEN && is_stream(&file[k]))
            return fail(error, HINGE_BAD_ARGUMENT, "%s cannot go to standard output",
                        file[k].called);
        for (size_t other = 0; other < k && !status && property != FILES_WRITABLE; other++) {
            const int is_swapped = file[other].purpose == READ && file[k].purpose != READ;
            const struct file *one = &file[is_swapped ? k : other]; /* an output comes first */
            const struct file *two = &file[is_swapped ? other : k];

            if (property == FILES_CONTENTS) {
                if (one->purpose != READ && two->purpose == READ)
                    status = compare_two(one, two, error);
            } else if (one->purpose == READ) { /* both are inputs */
                if (is_stream(one) && is_stream(two))
                    status =
                        fail(error, HINGE_BAD_ARGUMENT, "%s and %s cannot both be standard input",
                             one->called, two->called);
            } else if (is_file(one) && is_file(two) && file_name_same(one->path, two->path)) {
                status = fail(error, HINGE_BAD_ARGUMENT, "%s and %s are the same file, '%.200s'",
                              one->called, two->called, one->path);
            }
        }
    }
    if (property == FILES_WRITABLE)
        release_interrupts();
    return status;
}
