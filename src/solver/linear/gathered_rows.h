/* gathered_rows.h - rows of all ranks of a team, copied to each of them.
 *
 * Where a sum is over few rows, or is of products of any two of them, each rank does all of it.
 */
#ifndef HINGE_SOLVER_LINEAR_GATHERED_ROWS_H
#define HINGE_SOLVER_LINEAR_GATHERED_ROWS_H

#include "problem/shards.h"

/* A row, and a number that goes with it. */
struct lent_row {
    uint32_t row;    /* of the problem */
    uint32_t length; /* its entries */
    double weight;
};

/* All zero: none. */
struct gathered_rows {
    struct hinge_dataset data; /* the rows, one after the other */
    uint32_t *number;          /* [data.x.rows] 0, 1, 2, .. */
    struct lent_row *list;     /* [listed] of all ranks, ascending */
    uint32_t *row;             /* [listed] and in arrays of their own these, */
    double *weight;            /* [listed] and these */
    size_t listed;
    size_t list_room; /* so many fit, */
    size_t row_room;  /* and so many rows, */
    size_t room;      /* and entries */
};

/* The list of all ranks' rows: row[count] and weight[count] are the own ones, ascending; weight
 * NULL: 0. 0: there is none, and the team has failed. */
int gathered_rows_list(struct gathered_rows *lent, const struct problem *problem,
                       const uint32_t *row, const double *weight, uint32_t count);

/* Appends rows of the list to the data: those at[count], ascending places in it, or the first ones
 * if it is NULL. 0: they are not there, and the team has failed. */
int gathered_rows_append(struct gathered_rows *lent, const struct problem *problem,
                         const uint32_t *at, size_t count);

/* Forgets the data, not the list. */
void gathered_rows_clear(struct gathered_rows *lent);

void gathered_rows_free(struct gathered_rows *lent);

#endif
