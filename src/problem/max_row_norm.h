/* max_row_norm.h - the norm and length of the longest row: margins, and so bounds of P and D, are
 * uncertain by rounding errors that grow with them. */
#ifndef HINGE_PROBLEM_MAX_ROW_NORM_H
#define HINGE_PROBLEM_MAX_ROW_NORM_H

#include "problem/shards.h"

/* The largest |x|^2 and the largest number of features of some rows of a dataset. Problems of these
 * rows or fewer, with the same bias, may share them. */
struct max_row_norm {
    const uint32_t *row; /* [rows] the rows; NULL: the first ones of the dataset */
    size_t rows;
    int known; /* the next two are set */
    double square;
    double features;
};

/* Finds them if they are not known, using the threads of the shards. The rows are of the problem's
 * data. */
void max_row_norm_find(const struct problem *problem, const struct shards *shards,
                       struct max_row_norm *norm);

#endif
