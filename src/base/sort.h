/* sort.h - sorts whole numbers in place in linear time; compares doubles for qsort. */
#ifndef HINGE_BASE_SORT_H
#define HINGE_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/stop.h"

/* Sorts key[count] in ascending order, in at most 16 passes over all keys. Asks stop, which may be
 * NULL, every few thousand keys. Returns 1, or 0 with the keys in any order if it was stopped. */
int sort_keys(uint64_t *key, size_t count, const struct stop *stop);

/* Compares two doubles for qsort, in ascending order. */
int compare_doubles(const void *left, const void *right);

#endif
