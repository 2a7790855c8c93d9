/* scratch.c - positions are those of fgetpos: offsets may be larger than a long. */
#include "data/scratch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_name.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/status.h"

/* A file at path that was not there. */
static enum hinge_status open_at(struct scratch *scratch, const char *path,
                                 struct hinge_error *error)
{
    const size_t size = strlen(path) + 1;

    if (file_name_opens(path))
        return fail(error, HINGE_FILE_ERROR, "cannot write %s: it is there already", path);
    if (!(scratch->path = array_new(size, 1, error)))
        return failure(error);
    memcpy(scratch->path, path, size);
    errno = 0;
    if (!(scratch->file = fopen(path, "w+b"))) {
        fail_file(error, "write", path);
        free(scratch->path);
        scratch->path = NULL;
        return failure(error);
    }
    if (remove(path) == 0) {
        free(scratch->path);
        scratch->path = NULL;
    }
    return HINGE_OK;
}

enum hinge_status scratch_open(struct scratch *scratch, const char *path, struct hinge_error *error)
{
    memset(scratch, 0, sizeof *scratch);
    snprintf(scratch->name, sizeof scratch->name, "%s", path ? path : "a temporary file");
    if (path)
        return open_at(scratch, path, error);
    errno = 0;
    scratch->file = tmpfile();
    return scratch->file ? HINGE_OK : fail_file(error, "write", scratch->name);
}

/* A buffer that is written late would hide that the disk is full. */
enum hinge_status scratch_append(struct scratch *scratch, const void *bytes, size_t size,
                                 fpos_t *at, struct hinge_error *error)
{
    errno = 0;
    if (fgetpos(scratch->file, at) != 0 || fwrite(bytes, 1, size, scratch->file) != size ||
        fflush(scratch->file) != 0)
        return fail_file(error, "write", scratch->name);
    return HINGE_OK;
}

enum hinge_status scratch_read(struct scratch *scratch, const fpos_t *at, size_t offset,
                               void *bytes, size_t size, struct hinge_error *error)
{
    enum { STEP = 1 << 30 };
    int failed;

    errno = 0;
    failed = fsetpos(scratch->file, at) != 0;
    for (; !failed && offset > STEP; offset -= STEP)
        failed = fseek(scratch->file, STEP, SEEK_CUR) != 0;
    if (failed || (offset > 0 && fseek(scratch->file, (long)offset, SEEK_CUR) != 0) ||
        fread(bytes, 1, size, scratch->file) != size)
        return fail_file(error, "read", scratch->name);
    return HINGE_OK;
}

/* Nothing of it is wanted any more: that it cannot be closed does no harm. */
void scratch_close(struct scratch *scratch)
{
    if (scratch->file)
        fclose(scratch->file);
    if (scratch->path)
        remove(scratch->path);
    free(scratch->path);
    memset(scratch, 0, sizeof *scratch);
}
