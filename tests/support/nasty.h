/* nasty.h - random problems of two classes on which rounding shows: what the oracle tries. */
#ifndef HINGE_TESTS_NASTY_H
#define HINGE_TESTS_NASTY_H

#include <stdio.h>

#include "hinge.h"

enum kind {
    FIXED,      /* found by hand or by earlier runs */
    GAUSSIAN,   /* nothing unusual except C */
    DUPLICATES, /* few different rows, some with both labels */
    RANK_ONE,
    NEAR_TWINS, /* pairs that differ in the last digits, with both labels */
    OFFSETS,    /* features far from 0, up to 1e10 */
    COLUMNS,    /* columns of scales 1e-8 .. 1e8 */
    RAW,        /* columns of scales 1e-37 .. 1e10, log-normal within */
    ROWS,       /* rows of scales 1e-10 .. 1e10 */
    COUNTS,     /* whole numbers of 0 .. 5e7, separable, most with C = 1 */
    DECIMALS,   /* short decimals, stored as whole numbers over a power of ten */
    ONES,
    TWO_ROWS,
    MANY_ROWS,  /* 5,000 rows, few features */
    LARGE,      /* values up to 1e120 */
    SMALL,      /* values down to the smallest double */
    OVERFLOWS,  /* |x_i|^2 near the largest double, or beyond */
    SLOW_PAIRS, /* a few rows unlike in length, on which pair steps win little */
    KINDS
};

extern const char *const kind_names[KINDS];

/* A problem, and how to train it. Arrays are its own. */
struct nasty {
    unsigned long number;
    uint64_t seed;
    enum kind kind;
    size_t rows;
    size_t features;
    size_t *start;          /* [rows + 1] */
    uint32_t *index;        /* from 0 */
    double *value;          /* finite, not 0 */
    double *label;          /* [rows] 1 or -1, both there */
    double *row_weight;     /* [rows] or NULL */
    double class_weight[2]; /* of 1 and -1; 1: none */
    double C;
    double bias; /* < 0: none; smo has its own */
    double gap;  /* 0: eps is the rule */
    double eps;
};

/* The number of fixed problems, which are the first ones of every seed. */
extern const unsigned long nasty_fixed;

/* Draws the number-th problem of a seed. Returns 0 without memory. Free it with nasty_free. */
int nasty_draw(struct nasty *nasty, uint64_t seed, unsigned long number);
void nasty_free(struct nasty *nasty);

/* Returns the cost of a row by hinge.h: C (class weight) (row weight), in this order. */
double nasty_cost(const struct nasty *nasty, size_t i);

/* Returns the weight of the l1 term for a solver that has one, sometimes 0. */
double nasty_l1(const struct nasty *nasty, int solver);

/* Returns parameters for a solver. label[2] and weight[2] have its class weights. */
struct hinge_parameters nasty_parameters(const struct nasty *nasty, int solver, const double *label,
                                         const double *weight);

/* Writes the problem as a LIBSVM file, with the command line that trains it. The weights of its
 * rows go to the data file's name with .weights appended. */
void nasty_write(const struct nasty *nasty, FILE *stream);
void nasty_write_weights(const struct nasty *nasty, FILE *stream);
void nasty_write_command(const struct nasty *nasty, int solver, const char *data, FILE *stream);

#endif
