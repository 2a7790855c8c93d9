/* memory.h - allocation of arrays with the size checked. */
#ifndef HINGE_BASE_MEMORY_H
#define HINGE_BASE_MEMORY_H

#include <stddef.h>

#include "hinge.h"

/* An array of count elements of size bytes, zeroed, free()d by the caller; NULL and *error
 * when memory is short or count * size is no size_t. A count of 0 gives an array all the same. */
void *array_new(size_t count, size_t size, struct hinge_error *error);

/* Resizes an array (NULL: a new one) to exactly count elements, contents kept. On failure the
 * array is untouched and still the caller's, and NULL is returned. */
void *array_resize(void *array, size_t count, size_t size, struct hinge_error *error);

/* One block of memory that several arrays are taken from. A function that lays arrays out is called
 * twice: first with an arena of zeros, which only counts, then after arena_new. */
struct arena {
    char *next;  /* NULL: arrays are counted, not given */
    size_t used; /* bytes counted; SIZE_MAX: more than a size_t holds */
};

/* The next array of so many elements, zeroed, in cache lines of its own; NULL while counting. */
void *arena_take(struct arena *arena, size_t count, size_t size);

/* Allocates what was counted; the block, free()d by the caller. NULL and *error on failure. */
void *arena_new(struct arena *arena, struct hinge_error *error);

/* The same in a block that arena_new has given for at least as many bytes. */
void arena_reuse(struct arena *arena, void *block);

/* The capacity to grow to from capacity so that needed fits: by half, so that growing element
 * by element costs O(1) each and leaves at most half of the array unused. */
size_t array_grown(size_t capacity, size_t needed);

/* Whether there is room for so many doubles for each feature, all at once: a system that grants
 * more than it has, piece by piece, would end the program when they are filled. HINGE_NO_MEMORY and
 * "the WHAT of N features take M MB" if there is none; little is not asked for. */
enum hinge_status memory_ask(const char *what, size_t features, size_t doubles,
                             struct hinge_error *error);

#endif
