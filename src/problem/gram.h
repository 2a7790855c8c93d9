/* gram.h - sums of outer products, X'WX, some rows at a time.
 */
#ifndef HINGE_PROBLEM_GRAM_H
#define HINGE_PROBLEM_GRAM_H

#include "problem/kernel.h"

enum {
    GRAM_ROWS = 16,  /* at most; a multiple of 4 */
    GRAM_LINES = 128 /* of the matrix */
};

/* Rows, their indices ascending, their weights, and the value of a feature that all of them have
 * after the others. */
struct gram_rows {
    size_t count;
    struct sparse x[GRAM_ROWS];
    double weight[GRAM_ROWS];
    double constant;
    int has_constant;
};

/* matrix[width^2] += sum_k weight[k] x_k x_k', upper triangle by rows: row after row, so that how
 * many are given at a time changes no bit. */
void gram_add(const struct gram_rows *rows, double *matrix, size_t width);

/* The same of the lines from first on, a multiple of GRAM_LINES, as many as that, or as there are:
 * lines[width] each. For rows that have most features. */
void gram_add_lines(const struct gram_rows *rows, size_t first, double *lines, size_t width);

#endif
