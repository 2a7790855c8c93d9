/* split.h - rows -> folds. */
#ifndef HINGE_LEARN_SPLIT_H
#define HINGE_LEARN_SPLIT_H

#include "hinge.h"

/* Deals rows into folds at random. Any two folds have the same number of rows of each class, and of
 * rows in total, give or take one. row[rows] says which rows; class_of has the class of each row of
 * the data, below `classes`. Fills fold[rows] with 0 .. folds - 1. */
enum hinge_status split_folds(const uint32_t *row, size_t rows, const uint32_t *class_of,
                              size_t classes, size_t folds, uint64_t seed, uint32_t *fold,
                              struct hinge_error *error);

/* Deals whole groups of rows into folds: the largest group first, groups of equal size in random
 * order, each into the fold with the fewest rows so far. With as many folds as groups, each group
 * is a fold, in the order of the group numbers. group_of has the group of each row of the data; the
 * other arguments are those of split_folds. HINGE_BAD_ARGUMENT if there are fewer groups than
 * folds.
 */
enum hinge_status split_groups(const uint32_t *row, size_t rows, const uint32_t *group_of,
                               size_t folds, uint64_t seed, uint32_t *fold,
                               struct hinge_error *error);

#endif
