/* certificate.h - bounds of P and D that hold in exact arithmetic. */
#ifndef HINGE_PROBLEM_CERTIFICATE_H
#define HINGE_PROBLEM_CERTIFICATE_H

#include "problem/objective.h"

/* The largest |x|^2 and the largest number of features of some rows of a dataset. The rounding
 * errors of margins, and so of P and D, grow with both. Problems of these rows or fewer, with the
 * same bias, may share them. */
struct max_row_norm {
    const uint32_t *row; /* [rows] the rows; NULL: the first ones of the dataset */
    size_t rows;
    int known; /* square and features are set */
    double square;
    double features;
};

/* Finds square and features if they are not known, using the threads of the shards. The rows are of
 * the problem's data. */
void max_row_norm_find(const struct problem *problem, const struct shards *shards,
                       struct max_row_norm *norm);

/* A primal and a dual point of a problem. */
struct primal_dual {
    const struct problem *problem;
    const double *w;
    const double *alpha;
};

/* Returns upper bounds of the exact P(w) and D(alpha), and their gap. Exact values take w, alpha,
 * costs and features as the doubles that they are, where a feature is the double next to its
 * decimal number. With a free bias, alpha is replaced by the point whose larger class is scaled so
 * that sum_i alpha_i y_i is exactly 0. measured and v are from objective_measure and sums_combine
 * with these shards. Sets *max_row_norm if it is not known. If the gap of the bounds exceeds the
 * target, or the bound of P exceeds the measured P by more than a thousandth, the values are
 * computed again with twice the precision, which takes as long as about twenty passes. If there is
 * no memory for that, the first bounds are returned. */
struct objective certificate_take(const struct shards *shards, const struct primal_dual *point,
                                  const double *v, const struct objective *measured, double target,
                                  struct max_row_norm *max_row_norm);

/* Sets v[width] to sum_i alpha_i y_i x_i, computed with twice the precision and then rounded; not
 * with classes. room[3 width] is working storage. */
void certificate_combine(const struct shards *shards, const struct problem *problem,
                         const double *alpha, double *room, double *v);

#endif
