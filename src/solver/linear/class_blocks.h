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
    size_t order;             /* of each: the features that are in |W|^2; 0: there are none */
    double *factor;           /* [classes order^2] */
    double *part;             /* [order] */
    uint32_t *row;            /* [rows] those of a block, */
    double *weight;           /* [rows] and their weights */
    unsigned char *is_formed; /* [classes] */
};

/* The order that the blocks of such a problem have; 0: they would take too much. */
size_t class_blocks_order(const struct problem *problem);

/* Takes the arrays for a problem of that shape. */
void class_blocks_lay_out(struct class_blocks *blocks, struct arena *arena,
                          const struct problem *problem);

/* What blocks are formed of, besides the problem. list gives the rows that have a weight in a
 * class, ascending, and these; how many. mean[(order + 1) classes] has for each class what each
 * feature is taken from, the mean with these weights, and last their sum; or it is NULL. */
struct class_weights {
    uint32_t (*list)(const void *context, size_t m, uint32_t *row, double *weight);
    const void *context;
    const double *mean;
};

/* Forms and factors all, each by one of so many threads at most. 0, and they are not to be used, if
 * it was stopped. */
int class_blocks_form(struct class_blocks *blocks, const struct problem *problem,
                      const struct class_weights *weights, unsigned threads,
                      const struct stop *stop);

/* p[order classes] := the blocks' inverse times p */
void class_blocks_solve(const struct class_blocks *blocks, double *p);

#endif
