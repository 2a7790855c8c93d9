/* output.c - writes a temporary file in the same folder, then renames it. */
#include "base/output.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file_name.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"

enum hinge_status fail_file(struct hinge_error *error, const char *action, const char *path)
{
    return fail(error, HINGE_FILE_ERROR, "cannot %s %s: %s", action, path,
                errno ? strerror(errno) : "input/output error");
}

enum target { REPLACEABLE, DEVICE, PIPE, LOCKED };

/* Returns what is at path now. LOCKED: it cannot be opened, for the reason in errno. A file of size
 * 0 may be a device, which a rename would destroy. The file is neither read nor written, because
 * another process may be filling it. Systems other than Linux know a device by its name alone. */
static enum target classify(const char *path)
{
    enum target target = REPLACEABLE;
    FILE *file;

    if (file_name_is_device(path))
        return DEVICE;
    errno = 0;
    if (!(file = fopen(path, "r+b"))) {
        int reason = errno;

        target = *path == '\0' || file_name_exists(path) ? LOCKED : REPLACEABLE;
        errno = reason;
        return target;
    }
    setvbuf(file, NULL, _IONBF, 0); /* with a buffer, a seek may read */
    if (fseek(file, 0, SEEK_END) != 0)
        target = PIPE;
    else if (ftell(file) == 0 && (fseek(file, 1, SEEK_SET) != 0 || ftell(file) != 1))
        target = DEVICE; /* Linux leaves the position in a device at 0 */
    fclose(file);
    return target;
}

/* Closes the stream unless it is stdout or stderr. */
static int close_stream(const struct output *output)
{
    return output->stream == stdout || output->stream == stderr ? 0 : fclose(output->stream);
}

enum { SUFFIX = sizeof ".tmp-00000000" - 1 };

/* Creates a file whose name is the first characters of path and a suffix. C99 has neither process
 * numbers nor exclusive creation; the time and an address make a collision of processes unlikely.
 */
static FILE *create(char *name, size_t size, const char *path, size_t first)
{
    struct random_state random = {(uint64_t)time(NULL) << 32 ^ (uint64_t)clock() ^
                                  (uint64_t)(uintptr_t)&size ^ (uint64_t)(uintptr_t)name};

    do
        snprintf(name, size, "%.*s.tmp-%08x", (int)first, path,
                 (unsigned)(random_next(&random) >> 32));
    while (file_name_opens(name));
    errno = 0;
    return fopen(name, "wb");
}

static void release(struct output *output)
{
    free(output->path);
    free(output->temporary);
    memset(output, 0, sizeof *output);
}

/* If a stream of this program goes to a file, opening it by the name of the stream would empty the
 * file, and two positions would overwrite each other. If the suffix makes the name of the temporary
 * file too long for the system, it replaces the last characters of path. */
enum hinge_status output_open(struct output *output, const char *path, struct hinge_error *error)
{
    static const char *const streams[][3] = {{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"},
                                             {"/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"}};
    const size_t length = strlen(path), size = length + SUFFIX + 1;
    const char *slash = strrchr(path, '/');
    enum target target = classify(path);

    memset(output, 0, sizeof *output);
    if (target == PIPE) /* opening it for the check has already ended its reader's input */
        return fail(error, HINGE_FILE_ERROR, "cannot write %s: it is a named pipe; redirect to it",
                    path);
    if (target == LOCKED) /* opened again it might work, but writing in place is not safe */
        return fail_file(error, "write", path);
    if (!(output->path = array_new(size, 1, error)) ||
        (target == REPLACEABLE && !(output->temporary = array_new(size, 1, error)))) {
        release(output);
        return failure(error);
    }
    memcpy(output->path, path, length);
    errno = 0;
    if (output->temporary) {
        output->stream = create(output->temporary, size, path, length);
        if (!output->stream && (slash ? strlen(slash + 1) : length) >= SUFFIX)
            output->stream = create(output->temporary, size, path, length - SUFFIX);
    } else {
        for (size_t k = 0; k < sizeof streams[0] / sizeof *streams[0]; k++)
            if (file_name_same(path, streams[0][k]))
                output->stream = stdout;
            else if (file_name_same(path, streams[1][k]))
                output->stream = stderr;
        if (!output->stream)
            output->stream = fopen(path, "wb");
    }
    if (output->stream)
        return HINGE_OK;
    fail_file(error, "write", path);
    release(output);
    return failure(error);
}

enum hinge_status output_check(const char *path, struct hinge_error *error)
{
    struct output output;

    if (classify(path) == DEVICE)
        return HINGE_OK;
    if (output_open(&output, path, error))
        return failure(error);
    output_abandon(&output);
    return HINGE_OK;
}

enum hinge_status output_commit(struct output *output, struct hinge_error *error)
{
    int failed;

    errno = 0;
    failed = fflush(output->stream) != 0 || ferror(output->stream) != 0;
    if (close_stream(output) != 0)
        failed = 1;
    if (!failed && output->temporary)
        failed = rename(output->temporary, output->path) != 0;
    if (failed) {
        fail_file(error, "write", output->path);
        if (output->temporary)
            remove(output->temporary);
    }
    release(output);
    return failed ? failure(error) : HINGE_OK;
}

void output_abandon(struct output *output)
{
    if (!output->stream)
        return;
    close_stream(output);
    if (output->temporary)
        remove(output->temporary);
    release(output);
}
