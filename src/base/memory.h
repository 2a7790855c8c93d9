/* memory.h - allocation of arrays with the size checked. */
#ifndef HINGE_BASE_MEMORY_H
#define HINGE_BASE_MEMORY_H

#include <stddef.h>
#include <string.h>

#include "hinge.h"

/* Allocates count elements of size bytes, all zero; the caller frees the array with free(). Returns
 * NULL and fills *error if memory is short or count * size overflows. A count of 0 is allowed. */
void *array_new(size_t count, size_t size, struct hinge_error *error);

/* Resizes an array (NULL: a new one) to exactly count elements and keeps its contents. On failure
 * returns NULL and leaves the array unchanged. */
void *array_resize(void *array, size_t count, size_t size, struct hinge_error *error);

/* Resizes the array at *place as array_resize does, and updates the pointer, which may be a pointer
 * to objects of any type: such a pointer has the representation of a void *. */
static inline enum hinge_status array_adjust(void *place, size_t count, size_t size,
                                             struct hinge_error *error)
{
    void *array;

    memcpy(&array, place, sizeof array);
    array = array_resize(array, count, size, error);
    if (!array)
        return HINGE_NO_MEMORY;
    memcpy(place, &array, sizeof array);
    return HINGE_OK;
}
#define ARRAY_RESIZE(place, count, error) array_adjust(place, count, sizeof **(place), error)

/* Resizes the array at *place if its capacity is below needed. The capacity grows by at least half,
 * so that adding an element costs O(1) on average. On failure leaves the array and *capacity
 * unchanged. */
enum hinge_status array_extend(void *place, size_t *capacity, size_t needed, size_t size,
                               struct hinge_error *error);
#define ARRAY_RESERVE(place, capacity, needed, error)                                              \
    ((needed) <= *(capacity) ? HINGE_OK                                                            \
                             : array_extend(place, capacity, needed, sizeof **(place), error))

/* Returns the capacity that array_extend chooses, at least needed. */
size_t array_grown(size_t capacity, size_t needed);

/* Cuts an array to count elements if possible. Returns the array. */
static inline void *array_cut(void *array, size_t count, size_t size)
{
    struct hinge_error ignored;
    void *cut = array_resize(array, count, size, &ignored);

    return cut ? cut : array;
}

/* One block of memory for several arrays. A function that lays arrays out is called twice: first
 * with an arena of zeros, which only counts, then after arena_new. */
struct arena {
    char *next;  /* NULL: arrays are counted, not allocated */
    size_t used; /* bytes counted; SIZE_MAX: more than a size_t holds */
    size_t zero; /* bytes that are zeroed, from the first on; 0: all */
};

/* Returns the next array, zeroed, in cache lines of its own; NULL while counting. */
void *arena_take(struct arena *arena, size_t count, size_t size);

/* Leaves the arrays that follow unzeroed. Their users must write before they read. */
void arena_leave_rest(struct arena *arena);

/* Allocates and returns the block whose bytes were counted. The caller frees it with free(). NULL
 * on failure. */
void *arena_new(struct arena *arena, struct hinge_error *error);

/* Uses a block that arena_new returned for at least as many bytes. */
void arena_reuse(struct arena *arena, void *block);

/* Checks that memory for so many doubles per feature can be allocated in one block. A system that
 * overcommits would grant it in pieces and kill the program when they are filled. Fails with
 * HINGE_NO_MEMORY and "the WHAT of N features take M MB". Less than a gigabyte is not checked. */
enum hinge_status memory_ask(const char *what, size_t features, size_t doubles,
                             struct hinge_error *error);

#endif
