/* sort.h - whole numbers, in place and in linear time; the order of doubles, for qsort. */
#ifndef HINGE_BASE_SORT_H
#define HINGE_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts the keys, ascending, in at most 16 passes over all of them, whatever they are. Asks stops,
 * which may be NULL, every few thousand keys; if that is not 0, returns 0 with the keys in any
 * order, else 1. */
int sort_keys(uint64_t *key, size_t count, int (*stops)(const void *context), const void *context);

/* Ascending. */
int compare_doubles(const void *left, const void *right);

#endif
