/* toy.h - small problems of every shape, their objectives recomputed densely, and their minimum by
 * an independent method. */
#ifndef HINGE_TESTS_TOY_H
#define HINGE_TESTS_TOY_H

#include "solver/loop/solver.h"
#include "support.h"

enum { MOST_ROWS = 64, MOST_FEATURES = 24, MOST_WIDTH = MOST_FEATURES + 1 };

/* ---- Small problems of every shape -------------------------------------- */

enum shape {
    ORDINARY,
    WIDE,
    ONE_FEATURE,
    ONE_ROW,
    DUPLICATE_ROWS,
    DUPLICATE_COLUMNS,
    EMPTY_ROWS,
    ALL_ALIKE,
    SEPARABLE,
    NO_FEATURE,
    CONSTANT_COLUMN,
    UNLIKE_NORMS, /* norms of rows from 1e-3 to 1e3 */
    ONE_SIDED,    /* all rows positive */
    SPARSE,       /* many features, few of them in a row */
    SHAPES
};

extern const char *const shape_names[SHAPES];

/* The parameters of the draw. Costs are C 2^u with u uniform in -spread .. spread. */
struct draft {
    enum shape shape;
    double C;
    double spread;
    double bias;
    int subset;   /* a view of some rows in any order, one perhaps twice */
    double scale; /* features are multiplied by scale^u, u uniform in -1 .. 1 */
    enum loss loss;
};

/* A binary problem twice: as the solver sees it, and dense for the reference. */
struct toy {
    unsigned long number; /* for messages */
    int solver;           /* solver to try; 0: dual coordinate descent for its loss */
    struct draft draft;
    struct problem problem; /* points into this struct */
    struct hinge_dataset data;
    size_t start[MOST_ROWS + 1];
    uint32_t index[MOST_ROWS * MOST_FEATURES];
    double value[MOST_ROWS * MOST_FEATURES];
    uint32_t row[MOST_ROWS];
    signed char sign[MOST_ROWS];
    double cost[MOST_ROWS];
    double table[MOST_ROWS][MOST_FEATURES]; /* the dataset's rows */
    double x[MOST_ROWS][MOST_WIDTH];        /* the view's rows, the bias feature last */
    size_t m, width;
};

#define CHECK(toy, condition)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("problem %lu (%s, L%d-loss, C = %g), solver %d: %s", (toy)->number,           \
                     shape_names[(toy)->draft.shape], (toy)->draft.loss == LOSS_HINGE ? 1 : 2,     \
                     (toy)->draft.C, (toy)->solver, #condition);                                   \
    } while (0)

size_t random_index(uint64_t *state, size_t bound);

double random_between(uint64_t *state, double low, double high);

void toy_draw(struct toy *toy, const struct draft *draft, unsigned long number, size_t rows,
              size_t features);

void toy_small(struct toy *toy, unsigned long number);

/* Draws as toy_small does, with costs of 1/32 .. 32, for checks that rounding errors times C would
 * spoil. */
void toy_tame(struct toy *toy, unsigned long number);

/* Draws every shape, a third of them with up to 40 rows. Features are alike, of 1e-3 to 1e3, or a
 * little unlike. C is 2^-10 .. 2^10, and in some problems 1e-6 or 1e6. */
void toy_any(struct toy *toy, unsigned long number, enum loss loss);

/* Draws what the shapes leave out: one row on each side; rows equal up to sign, all with one
 * margin; every row once with each label; columns that fall from 1e3 to 1e-3. */
void toy_special(struct toy *toy, unsigned long number, enum loss loss);

/* Draws well-scaled problems with costs that leave room for small gaps. */
void toy_even(struct toy *toy, unsigned long number, enum loss loss);

/* Draws overlapping classes, which take more than a handful of passes. */
void toy_hard(struct toy *toy, enum loss loss, double C, double scale);

/* Returns the draft of a small problem: every shape with every kind of cost, bias and view. */
struct draft draft_small(unsigned long number);

void compress_table(struct toy *toy);

void expand_view(struct toy *toy);

double margin(const struct toy *toy, size_t i, const double *w);

double loss_of(const struct toy *toy, double z);

double half_square(const struct toy *toy, const double *w);

double primal_of(const struct toy *toy, const double *w);

void weights_of(const struct toy *toy, const double *alpha, double *w);

double dual_of(const struct toy *toy, const double *alpha);

/* d_i */
double diagonal(const struct toy *toy, size_t i);

/* Q_ij + the diagonal's d_i */
double quadratic(const struct toy *toy, size_t i, size_t j);

/* Returns a bound of the change of P by rounding in z_i, a sum of width products in double. */
double rounding(const struct toy *toy, const double *w);

/* Returns a bound of the rounding errors in the terms of D. */
double dual_rounding(const struct toy *toy, const double *alpha);

/* Two numbers with the minimum of P between them: -D and P of feasible points. */
struct bracket {
    double lower;
    double upper;
};

/* Brackets the minimum of P; both numbers are proved by weak duality. */
struct bracket reference(const struct toy *toy);

#endif
