/* groups.c - a word a row -> numbers. */
#include "data/groups.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/reader.h"

static enum hinge_status take_name(void *context, struct source *source, const char *end,
                                   size_t row, struct hinge_error *error)
{
    struct groups *groups = context;

    return dictionary_add(&groups->names, source->cursor, (size_t)(end - source->cursor), "", 0,
                          &groups->of_row[row], error);
}

enum hinge_status groups_read(struct groups *groups, const char *path, size_t rows,
                              struct hinge_error *error)
{
    *groups = (struct groups){0};
    if (!(groups->of_row = array_new(rows, sizeof *groups->of_row, error)))
        return failure(error);
    return reader_words(path, rows, "fold name", take_name, groups, error);
}

void groups_free(struct groups *groups)
{
    free(groups->of_row);
    dictionary_free(&groups->names);
}
