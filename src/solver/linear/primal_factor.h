/* primal_factor.h - the factors of H = I + scale S X'WX S, S = I or another diagonal matrix, that
 * precondition the system over features. One is over features, the other over few rows with a
 * weight.
 *
 * feature_order.c finds an order of elimination over features once for each system, if many are
 * rare or equal. feature_factor.c forms X'WX, factors and solves, with cholesky.h for the dense
 * block or, if no order pays, for all features.
 */
#ifndef HINGE_SOLVER_LINEAR_PRIMAL_FACTOR_H
#define HINGE_SOLVER_LINEAR_PRIMAL_FACTOR_H

#include "base/memory.h"
#include "base/stop.h"
#include "problem/sums.h"
#include "solver/linear/gathered_rows.h"

/* ---- The order of elimination: feature_order.c --------------------------- */

/* Features in the order of their elimination: first rare ones, whose lines of U are sparse, then
 * all others in a dense block. Features that are equal in every row have one place together, and
 * the first of them stands for all. Initialise it to 0. */
struct feature_order {
    void *block;         /* the memory of all arrays; NULL: there is no order */
    size_t leading;      /* places before the dense block */
    size_t dense;        /* places of the dense block, in the order of features */
    uint32_t *place;     /* [width] */
    uint32_t *own_place; /* [width] place; NO_PLACE for equal features except the first */

    /* The entries of U in its leading lines, without the diagonal: by lines, and by columns. */
    size_t *start;    /* [leading + 1] the first entry of a line */
    size_t *tail;     /* [leading] a line's first entry in the dense block */
    uint32_t *column; /* [start[leading]] ascending places; from the tail on, places in the block */
    size_t *above;    /* [leading + 2] where the entries above a place begin in line and entry */
    uint32_t *line;   /* [above[leading]] the line of an entry */
    size_t *entry;    /* [above[leading]] the number of the entry in column */
    double products;  /* multiplications before the dense block */

    /* The values of the leading features. */
    size_t *first; /* [leading + 2] the first entry of a feature in row and value */
    uint32_t *row; /* [first[leading]] rows of the problem */
    double *value; /* [first[leading]] */

    /* The last factor, and working storage. */
    double *diagonal; /* [leading] 1/U_kk */
    double *norm;   /* [leading + dense] q, q^2 is the sum of s_j^2 over the features of a place */
    double *share;  /* [width] s_j / q */
    double *sum;    /* [leading + dense] a line; 0 between uses */
    double *folded; /* [2 (leading + dense)] a vector over places before and after a solution */
};

#define NO_PLACE UINT32_MAX

/* Estimates the additions that feature_order_find takes for rows with this many non-zeros. Infinite
 * if there are too few features or too many non-zeros, or if the rows are in a file. */
double feature_order_cost(const struct problem *problem, double nonzeros);

/* Finds an order if it halves the work of a factor and memory suffices; otherwise block stays NULL.
 * In a team, the problem has copies of all rows. */
void feature_order_find(struct feature_order *order, const struct problem *problem);
void feature_order_free(struct feature_order *order);

/* ---- X'WX and its factor: feature_factor.c ------------------------------- */

/* X'WX, kept from one use to the next. */
struct feature_products {
    size_t width;               /* features, with the constant one */
    struct feature_order order; /* sum is over its dense block; without a block: over all */
    double *sum;                /* [width^2] upper triangle of X'WX, by rows */
    double *summed;             /* [rows] the weights in sum */
    uint32_t *holder;           /* [holders] rows with a weight in sum, ascending */
    uint32_t holders;
    double *partial; /* [partials] sums of shards, for several threads */
    size_t partials;
    uint32_t most_changes;         /* if more weights changed, the sum is formed anew */
    uint32_t *changed;             /* [most_changes + 1] rows whose weight is not the one in sum */
    double *change;                /* [most_changes + 1] weight of that row minus the one in sum */
    struct gathered_rows gathered; /* the rows of all ranks, if ranks do not share the sum */
};

void feature_products_lay_out(struct feature_products *to, struct arena *arena,
                              const struct problem *problem);

/* Frees what is not in the arena. */
void feature_products_free(struct feature_products *products);

/* Sets X'WX := 0. The order may change after that. */
void feature_products_clear(struct feature_products *products, size_t rows);

/* Input and memory of a sum of outer products, besides the weights. */
struct products_work {
    const struct problem *problem;
    double count;     /* at least the rows with a weight, of all ranks */
    double nonzeros;  /* about the non-zeros of these rows */
    unsigned threads; /* threads that may be used */
    double *room;     /* [width^2] */
    const struct stop *stop;
};

/* Updates sum to the weights of these rows, ascending. If stopped, sum becomes 0. */
void feature_products_form(struct feature_products *products, const struct products_work *work,
                           struct selection rows, const double *weight);

/* Forms the factor[width^2] of H from sum and S = diag(unit), NULL: I. With an order, the problem
 * has the rows of all ranks, and summed has their weights. Returns the trace of H, or 0 if
 * stopped. */
double feature_factor_form(struct feature_products *products, const struct problem *problem,
                           double scale, const double *unit, double *factor,
                           const struct stop *stop);

/* Sets p[width] := (U'U)^-1 p. */
void feature_factor_solve(const struct feature_products *products, const double *factor, double *p);

/* ---- The factor over rows: row_factor.c ---------------------------------- */

struct row_factor {
    size_t order;       /* number of rows of the factor; 0: there is no factor */
    uint32_t *row;      /* [capacity] the rows of the factor */
    double *root;       /* [capacity] diagonal of D Y */
    double *factor;     /* [capacity^2] U of I + A = U'U, see cholesky.h */
    double *reduced;    /* [capacity] */
    double *border;     /* [capacity] h of a free bias, see row_factor.c; else NULL */
    double pivot;       /* 1 + <u, h> */
    const double *unit; /* [width] S; NULL: I; the caller's */
    double *in_units;   /* [width] S p; NULL unless the problem has only_l1 */

    /* Products of rows, kept from one factor to the next. A row with kept products has a slot. */
    size_t capacity;
    size_t slots;      /* slots taken */
    uint32_t *slot_of; /* [rows of the problem] slot of a row that has one */
    uint32_t *row_in;  /* [capacity] the row in a slot */
    double *pairs;     /* [capacity (capacity + 1)/2] <S x_i, S x_j> of the rows in two slots */
    size_t lanes;      /* rows that get a slot together */
    double *dense;     /* [width lanes] S^2 times the rows that get a slot; 0 between uses */

    /* In a team, copies of the rows of all ranks. */
    struct gathered_rows gathered; /* in the order of their slots */
    uint32_t *missing;             /* [capacity] places of a list without a slot; NULL: no team */
    struct problem view;           /* the rows of the factor as a problem of copies */
    uint32_t *copy_row;            /* [capacity] slot of a row of view */
    uint32_t *whole_row;           /* [capacity] row of the data of a row of view */
    signed char *sign;             /* [capacity] sign of a row of view */
};

/* Takes the arrays for a problem of that shape in which at most capacity rows have a weight. If its
 * bias is free, the problems of row_factor_form and row_factor_solve must have a large bias. */
void row_factor_lay_out(struct row_factor *to, struct arena *arena, const struct problem *problem,
                        size_t capacity);

/* Frees what is not in the arena. */
void row_factor_free(struct row_factor *factor);

/* Forgets the rows. */
void row_factor_clear(struct row_factor *factor);

/* Forgets the rows, and sets S. */
void row_factor_set_units(struct row_factor *factor, const double *unit);

/* Forms the factor of these rows, ascending, and their weights. All ranks together have at most
 * capacity rows. Other rows keep their products while there is room. False, without a factor, if
 * stopped or if the team failed. */
int row_factor_form(struct row_factor *factor, const struct problem *problem, struct selection rows,
                    const double *weight, double scale, const struct stop *stop);

/* Sets p[width] := H^-1 p. The problem may have the same rows at another C. */
void row_factor_solve(const struct row_factor *factor, const struct shards *shards,
                      const struct problem *problem, double *p);

#endif
