/* names.c - lines -> names, without the blanks around them. */
#include "cli/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/token.h"

/* A list that grows. */
struct list {
    struct names *names;
    size_t used; /* bytes of the text */
    size_t text_capacity;
    size_t capacity; /* of names->start */
};

/* Appends the name from p to end. */
static enum hinge_status append(struct list *list, const char *p, const char *end,
                                struct hinge_error *error)
{
    struct names *names = list->names;
    const size_t length = (size_t)(end - p), needed = list->used + length + 1;

    if (needed > list->text_capacity) {
        const size_t capacity = array_grown(list->text_capacity, needed);
        char *text = array_resize(names->text, capacity, 1, error);

        if (!text)
            return failure(error);
        names->text = text;
        list->text_capacity = capacity;
    }
    if (names->kept == list->capacity) {
        const size_t capacity = array_grown(list->capacity, 64);
        size_t *start = array_resize(names->start, capacity, sizeof *start, error);

        if (!start)
            return failure(error);
        names->start = start;
        list->capacity = capacity;
    }
    memcpy(names->text + list->used, p, length);
    names->text[list->used + length] = '\0';
    names->start[names->kept++] = list->used;
    list->used = needed;
    return HINGE_OK;
}

static enum hinge_status read_list(struct list *list, struct source *source, size_t features,
                                   struct hinge_error *error)
{
    for (;;) {
        const char *end, *p;

        if (!(end = source_line(source, error)))
            return failure(error);
        p = source->cursor;
        if (p == source->end)
            return HINGE_OK;
        while (end > p && (is_blank(end[-1]) || end[-1] == '\r'))
            end--;
        while (p < end && is_blank(*p))
            p++;
        if ((list->names->count++ < features && append(list, p, end, error)) ||
            source_skip_line(source, error))
            return failure(error);
    }
}

enum hinge_status names_read(struct names *names, const char *path, size_t features,
                             struct hinge_error *error)
{
    struct list list = {names, 0, 0, 0};
    struct source source;
    enum hinge_status status;

    memset(names, 0, sizeof *names);
    if (source_open(&source, path, error))
        return failure(error);
    status = read_list(&list, &source, features, error);
    source_close(&source);
    return status;
}

void names_free(struct names *names)
{
    free(names->text);
    free(names->start);
}

const char *names_of(const struct names *names, size_t feature)
{
    const char *name = feature < names->kept ? names->text + names->start[feature] : "";

    return *name ? name : NULL;
}
