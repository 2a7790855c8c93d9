/* longest.h - the longest row, by which margins are uncertain, and so bounds of P and D. */
#ifndef HINGE_PROBLEM_LONGEST_H
#define HINGE_PROBLEM_LONGEST_H

#include "problem/shards.h"

/* The largest |x|^2 and number of features of some rows of a dataset, which problems of these rows
 * or fewer, with the same bias, may share. */
struct longest {
    const uint32_t *row; /* [rows]; NULL: the first ones */
    size_t rows;
    int known;
    double square;
    double features;
};

/* Finds them, by the threads of the shards, if they are not known; the rows are of the problem's
 * data. */
void longest_find(const struct problem *problem, const struct shards *shards,
                  struct longest *longest);

#endif
