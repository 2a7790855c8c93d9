/* class_blocks.h - what a system over features of a problem with classes has for each class alone,
 *
 *     I + sum_i weight_im x_i x_i',
 *
 * without what couples the classes: factored, the preconditioner of such systems.
 */
#ifndef HINGE_SOLVER_LINEAR_CLASS_BLOCKS_H
#define HINGE_SOLVER_LINEAR_CLASS_BLOCKS_H

#include "base/memory.h"
#include "base/stop.h"
#include "problem/sums.h"

struct class_blocks {
    size_t classes;
    size_t order;   /* of each: the features that are in |W|^2; 0: there are none */
    double *factor; /* [classes order^2] */
    double *part;   /* [order] */
};

/* The order that the blocks of such a problem have; 0: they would take too much. */
size_t class_blocks_order(const struct problem *problem);

/* Takes the arrays for a problem of that shape. */
void class_blocks_lay_out(struct class_blocks *blocks, struct arena *arena,
                          const struct problem *problem);

/* Forms and factors the block of class m, of rows with such weights. mean[order classes], unless it
 * is NULL, has in column m what each feature is taken from, the mean with these weights, which are
 * total together. 0, and no factor, if it was stopped. */
int class_blocks_factor(struct class_blocks *blocks, const struct problem *problem, size_t m,
                        struct selection rows, const double *weight, const double *mean,
                        double total, const struct stop *stop);

/* p[order classes] := the blocks' inverse times p */
void class_blocks_solve(const struct class_blocks *blocks, double *p);

#endif
