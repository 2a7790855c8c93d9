/* sort.h - whole numbers, in place and in linear time; the order of doubles, for qsort. */
#ifndef HINGE_BASE_SORT_H
#define HINGE_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/stop.h"

/* Sorts the keys, ascending, in at most 16 passes over all of them, whatever they are. Asks stop,
 * which may be NULL, every few thousand keys; if it is to stop, returns 0 with the keys in any
 * order, else 1. */
int sort_keys(uint64_t *key, size_t count, const struct stop *stop);

/* Ascending. */
int compare_doubles(const void *left, const void *right);

#endif
