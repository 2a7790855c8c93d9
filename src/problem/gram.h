/* gram.h - X'WX, the weighted sum of outer products of rows, some rows at a time. */
#ifndef HINGE_PROBLEM_GRAM_H
#define HINGE_PROBLEM_GRAM_H

#include "problem/kernel.h"

enum {
    GRAM_ROWS = 16,  /* most rows at a time; a multiple of 4 */
    GRAM_LINES = 128 /* lines of the matrix at a time */
};

/* Rows with ascending indices and their weights. With has_constant, each row has one more feature
 * of value constant, the last one. */
struct gram_rows {
    size_t count;
    struct sparse x[GRAM_ROWS];
    double weight[GRAM_ROWS];
    double constant;
    int has_constant;
};

/* Adds sum_k weight[k] x_k x_k' to the upper triangle of matrix[width^2], stored by rows. Rows are
 * added one after another, so their number at a time changes no bit. */
void gram_add(const struct gram_rows *rows, double *matrix, size_t width);

/* Does what gram_add does, for lines first .. first + GRAM_LINES - 1 of the matrix alone, or fewer
 * at its end. lines has width numbers for each line. first is a multiple of GRAM_LINES. The rows
 * should have most features. */
void gram_add_lines(const struct gram_rows *rows, size_t first, double *lines, size_t width);

#endif
