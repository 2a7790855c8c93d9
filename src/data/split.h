/* split.h - rows -> folds. */
#ifndef HINGE_DATA_SPLIT_H
#define HINGE_DATA_SPLIT_H

#include "hinge.h"

/* Deals rows into folds at random, but so that of each class, and of all classes together, any two
 * folds have the same number of rows, give or take one.
 * row[rows] which they are, class_of their class, by row, below classes; fold[rows] is filled with
 * 0 .. folds - 1. */
enum hinge_status split_folds(const uint32_t *row, size_t rows, const uint32_t *class_of,
                              size_t classes, size_t folds, uint64_t seed, uint32_t *fold,
                              struct hinge_error *error);

/* Deals groups of rows into folds, each as a whole: the largest first, groups of equal size in
 * random order, each into the fold with the fewest rows so far. With as many folds as groups, each
 * group is the fold of its place among the group numbers, ascending.
 * group_of[rows of the data] a number for each row; the rest as above. HINGE_BAD_ARGUMENT if the
 * rows have fewer groups than folds. */
enum hinge_status split_groups(const uint32_t *row, size_t rows, const uint32_t *group_of,
                               size_t folds, uint64_t seed, uint32_t *fold,
                               struct hinge_error *error);

#endif
