/* feature_products.h - X'WX, kept from one use to the next. */
#ifndef HINGE_SOLVER_LINEAR_FEATURE_PRODUCTS_H
#define HINGE_SOLVER_LINEAR_FEATURE_PRODUCTS_H

#include "base/memory.h"
#include "base/stop.h"
#include "solver/linear/feature_factor.h"
#include "solver/linear/gathered_rows.h"

struct feature_products {
    size_t width;                      /* of the sum */
    double *sum;                       /* [width^2] upper triangle of X'WX, by rows */
    const struct feature_order *order; /* the sum is over its dense block; NULL: all features */
    double *summed;                    /* [rows] the weights in sum */
    uint32_t *holder;                  /* [holders] rows with a weight in sum, ascending */
    uint32_t holders;
    double *partial; /* [partials width^2] sums of shards, for several threads */
    unsigned partials;
    uint32_t most_changes;         /* if more weights changed, the sum is formed anew */
    uint32_t *changed;             /* [most_changes + 1] rows whose weight is not the one in sum */
    double *change;                /* [most_changes + 1] by how much they differ */
    struct gathered_rows gathered; /* all rows of a team whose ranks do not divide the sum */
};

void feature_products_lay_out(struct feature_products *to, struct arena *arena,
                              const struct problem *problem);

/* Frees what is not in the arena. */
void feature_products_free(struct feature_products *products);

/* Takes the order for the next sums; NULL: all features. The sum is 0. The order stays the
 * caller's.
 */
void feature_products_set_order(struct feature_products *products, const struct problem *problem,
                                const struct feature_order *order);

/* Sets X'WX := 0. */
void feature_products_clear(struct feature_products *products, size_t rows);

/* Input and memory of a sum of outer products, besides the weights. */
struct products_work {
    const struct problem *problem;
    double count;     /* at least the rows with a weight, of all ranks */
    double nonzeros;  /* about the non-zeros of these rows */
    unsigned threads; /* that may be used */
    double *room;     /* [width^2] */
    const struct stop *stop;
};

/* Brings sum to the weights of these rows, ascending. If stop is asked, sum becomes 0. */
void feature_products_form(struct feature_products *products, const struct products_work *work,
                           struct selection rows, const double *weight);

#endif
