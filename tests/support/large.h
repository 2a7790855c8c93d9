/* large.h - problems larger than toys, and their P and D in long double. */
#ifndef HINGE_TESTS_LARGE_H
#define HINGE_TESTS_LARGE_H

#include "solver/loop/solver.h"
#include "support.h"

enum { LARGE_ROWS = 32000, LARGE_WIDTH = 5001, LARGE_NONZEROS = 160000 };

struct large {
    struct problem problem; /* points into this struct */
    struct hinge_dataset data;
    size_t start[LARGE_ROWS + 1];
    uint32_t index[LARGE_NONZEROS], row[LARGE_ROWS];
    double value[LARGE_NONZEROS], cost[LARGE_ROWS];
    signed char sign[LARGE_ROWS];
    double alpha[LARGE_ROWS], w[LARGE_WIDTH];
};

/* Draws rows that have one feature of each of in_row strips. A fifth of the signs is against the
 * plane, and costs are C to 2 C. */
void large_draw(struct large *large, uint64_t random, size_t rows, size_t in_row, size_t strip,
                double C, enum loss loss, double bias);

/* Draws problem `number`: 300 or 4000 rows with all of 12 features, or 30 rows with five of 2000. C
 * is 2^-8 .. 2^8. */
void large_number(struct large *large, unsigned long number, enum loss loss);

/* Trains from alpha = 0 and w = NaN, in a workspace of its own. */
struct hinge_result large_solve(struct large *large, int solver,
                                const struct hinge_parameters *parameters,
                                const struct hinge_monitor *monitor);

double large_primal(const struct large *large);
double large_dual(const struct large *large);

/* True if the result is true of w and alpha, and alpha is feasible. */
int large_is_true(const struct large *large, const struct hinge_result *result);

#endif
