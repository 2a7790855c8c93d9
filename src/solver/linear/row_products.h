/* row_products.h - <x_i, x_j> of some rows, or sum_k square_k x_ik x_jk, kept from one use to the
 * next.
 */
#ifndef HINGE_SOLVER_LINEAR_ROW_PRODUCTS_H
#define HINGE_SOLVER_LINEAR_ROW_PRODUCTS_H

#include "base/memory.h"
#include "base/stop.h"
#include "solver/linear/gathered_rows.h"

/* Each row has a slot. */
struct row_products {
    size_t capacity;      /* rows at most */
    size_t slots;         /* how many are taken */
    uint32_t *slot_of;    /* [rows of the problem] slot of a row that has one */
    uint32_t *row_in;     /* [capacity] the row in a slot */
    double *pairs;        /* [capacity (capacity + 1)/2] products of the rows in two slots */
    double *dense;        /* [width lanes] rows one after the other; 0 between uses */
    size_t lanes;         /* so many */
    const double *square; /* [width] NULL: 1; the caller's */

    /* In a team, whose ranks have the rows of all, in the order of their slots: */
    struct gathered_rows lent;
    uint32_t *missing; /* [capacity] which of a list have no slot; NULL: no team */
};

void row_products_lay_out(struct row_products *to, struct arena *arena,
                          const struct problem *problem, size_t capacity);

/* Frees what is not in the arena. */
void row_products_free(struct row_products *products);

/* Forgets all rows. */
void row_products_clear(struct row_products *products);

/* Forgets all rows, and weighs the features of those to come. */
void row_products_weigh(struct row_products *products, const double *square);

/* Forms the products of these rows of the problem, capacity at most, that are not there; rows that
 * are not among them are kept as long as there is room. In a team row is the list of lent. 0: stop
 * has been asked, or rows of other ranks are not to be had, and the team has failed. */
int row_products_form(struct row_products *products, const struct problem *problem,
                      const uint32_t *row, size_t count, const struct stop *stop);

/* Where the product of the rows in two slots is, the first of which is not the lower one. */
static inline double *row_product_place(const struct row_products *products, size_t slot,
                                        size_t other)
{
    return products->pairs + slot * (slot + 1) / 2 + other;
}

/* The product of two of these rows; with a bias that of their constants, too. */
static inline double row_product(const struct row_products *products, uint32_t i, uint32_t j)
{
    const size_t slot = products->slot_of[i], other = products->slot_of[j];

    return slot < other ? *row_product_place(products, other, slot)
                        : *row_product_place(products, slot, other);
}

#endif
