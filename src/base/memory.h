/* memory.h - allocation of arrays with the size checked. */
#ifndef HINGE_BASE_MEMORY_H
#define HINGE_BASE_MEMORY_H

#include <stddef.h>

#include "hinge.h"

/* Allocates count elements of size bytes, all zero; the caller frees the array with free(). Returns
 * NULL and fills *error if memory is short or count * size overflows. A count of 0 is allowed. */
void *array_new(size_t count, size_t size, struct hinge_error *error);

/* Resizes an array (NULL: a new one) to exactly count elements and keeps its contents. On failure
 * returns NULL and leaves the array unchanged. */
void *array_resize(void *array, size_t count, size_t size, struct hinge_error *error);

/* The same of an array that grows, if it has no room for so many elements yet: by half at least, so
 * that adding an element costs O(1) on average. On failure *capacity is as it was, too. */
void *array_reserve(void *array, size_t *capacity, size_t needed, size_t size,
                    struct hinge_error *error);

/* The next capacity of an array that grows so, at least needed. */
size_t array_grown(size_t capacity, size_t needed);

/* Cuts an array to so many elements, or leaves it as it was; the array. */
static inline void *array_cut(void *array, size_t count, size_t size)
{
    struct hinge_error ignored;
    void *cut = array_resize(array, count, size, &ignored);

    return cut ? cut : array;
}

/* One block of memory that several arrays are taken from. A function that lays arrays out is called
 * twice: first with an arena of zeros, which only counts, then after arena_new. */
struct arena {
    char *next;  /* NULL: arrays are counted, not given */
    size_t used; /* bytes counted; SIZE_MAX: more than a size_t holds */
    size_t zero; /* of which so many are zeroed; 0: all */
};

/* The next array of so many elements, zeroed, in cache lines of its own; NULL while counting. */
void *arena_take(struct arena *arena, size_t count, size_t size);

/* The arrays that follow are not zeroed: whoever takes them writes before reading. */
void arena_leave_rest(struct arena *arena);

/* Allocates what was counted; the block, free()d by the caller. NULL and *error on failure. */
void *arena_new(struct arena *arena, struct hinge_error *error);

/* The same in a block that arena_new has given for at least as many bytes. */
void arena_reuse(struct arena *arena, void *block);

/* Checks that memory for so many doubles per feature can be allocated in one block. A system that
 * overcommits would grant it in pieces and kill the program when they are filled. Fails with
 * HINGE_NO_MEMORY and "the WHAT of N features take M MB". Less than a gigabyte is not checked. */
enum hinge_status memory_ask(const char *what, size_t features, size_t doubles,
                             struct hinge_error *error);

#endif
