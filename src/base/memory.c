/* memory.c - allocates arrays and checks that their sizes do not overflow. */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static int too_large(size_t count, size_t size)
{
    return count > SIZE_MAX / size;
}

static void *out_of_memory(size_t count, size_t size, struct hinge_error *error)
{
    error_fill(error, HINGE_NO_MEMORY, "out of memory: no room for %.0f bytes",
               (double)count * (double)size);
    return NULL;
}

void *array_new(size_t count, size_t size, struct hinge_error *error)
{
    void *array = too_large(count, size) ? NULL : calloc(count ? count : 1, size);

    return array ? array : out_of_memory(count, size, error);
}

void *array_resize(void *array, size_t count, size_t size, struct hinge_error *error)
{
    void *resized = too_large(count, size) ? NULL : realloc(array, (count ? count : 1) * size);

    return resized ? resized : out_of_memory(count, size, error);
}

size_t array_grown(size_t capacity, size_t needed)
{
    size_t grown = capacity > SIZE_MAX / 2 ? SIZE_MAX : capacity + capacity / 2 + 16;

    return grown > needed ? grown : needed;
}

enum hinge_status array_extend(void *place, size_t *capacity, size_t needed, size_t size,
                               struct hinge_error *error)
{
    const size_t grown = array_grown(*capacity, needed);

    if (needed <= *capacity)
        return HINGE_OK;
    if (array_adjust(place, grown, size, error))
        return failure(error);
    *capacity = grown;
    return HINGE_OK;
}

enum { CACHE_LINE = 64 };

void *arena_take(struct arena *arena, size_t count, size_t size)
{
    const size_t bytes = too_large(count, size)
                             ? SIZE_MAX
                             : (count * size + CACHE_LINE - 1) & ~(size_t)(CACHE_LINE - 1);
    void *array = arena->next;

    if (array)
        arena->next += bytes;
    else if (too_large(count, size) || bytes < count * size || arena->used > SIZE_MAX - bytes)
        arena->used = SIZE_MAX;
    else
        arena->used += bytes;
    return array;
}

void arena_leave_rest(struct arena *arena)
{
    if (!arena->next && arena->zero == 0)
        arena->zero = arena->used;
}

/* Sets the next array to the block's first cache line. */
static void align(struct arena *arena, char *block)
{
    arena->next = block + (CACHE_LINE - (uintptr_t)block % CACHE_LINE) % CACHE_LINE;
}

void *arena_new(struct arena *arena, struct hinge_error *error)
{
    char *block = arena->used > SIZE_MAX - CACHE_LINE
                      ? out_of_memory(SIZE_MAX, 1, error)
                      : array_new(arena->used + CACHE_LINE, 1, error);

    if (block)
        align(arena, block);
    return block;
}

void arena_reuse(struct arena *arena, void *block)
{
    align(arena, block);
    memset(arena->next, 0, arena->zero > 0 ? arena->zero : arena->used);
}

enum hinge_status memory_ask(const char *what, size_t features, size_t doubles,
                             struct hinge_error *error)
{
    enum { WORTH_ASKING = 1 << 27 };
    void *volatile room = NULL; /* volatile: a compiler may otherwise drop the allocation */

    if (features < WORTH_ASKING / doubles)
        return HINGE_OK;
    if (features <= SIZE_MAX / doubles)
        room = array_new(features * doubles, sizeof(double), error);
    free(room);
    return room ? HINGE_OK
                : fail(error, HINGE_NO_MEMORY, "out of memory: the %s of %lu features take %.0f MB",
                       what, (unsigned long)features,
                       (double)features * (double)doubles * sizeof(double) / (1 << 20));
}
