/* gathered_rows.h - rows of all ranks of a team, copied to each of them.
 *
 * With these copies, each rank by itself computes a sum over few rows or over products of two rows.
 */
#ifndef HINGE_SOLVER_LINEAR_GATHERED_ROWS_H
#define HINGE_SOLVER_LINEAR_GATHERED_ROWS_H

#include "problem/shards.h"

struct gathered_row {
    uint32_t row;    /* row of the problem */
    uint32_t length; /* entries of the row */
    double weight;
};

/* A list of rows of all ranks, and copies of some of them. Initialise it to 0. */
struct gathered_rows {
    struct gathered_row *list; /* [listed] ascending */
    uint32_t *row;             /* [listed] the rows of the list */
    double *weight;            /* [listed] weights of the rows of the list */
    size_t listed;
    struct hinge_dataset data; /* copies, one after the other */
    uint32_t *number;          /* [data.x.rows] 0, 1, 2, .. */
    size_t list_room;          /* room of list, row and weight */
    size_t row_room;           /* room of data.x.start and number */
    size_t entry_room;         /* entries that data.x has room for */
};

/* Lists rows of all ranks. row[count], ascending, and weight[count] are this rank's rows and
 * weights; weight NULL: all 0. False if there is no list; then the team has failed. */
int gathered_rows_list(struct gathered_rows *gathered, const struct problem *problem,
                       const uint32_t *row, const double *weight, uint32_t count);

/* Appends rows of the list to the data. at[count] are their places in the list, ascending; NULL:
 * the first ones. False if the rows could not be copied; then the team has failed. */
int gathered_rows_append(struct gathered_rows *gathered, const struct problem *problem,
                         const uint32_t *at, size_t count);

/* Sets *view to the problem with copies of these rows of all ranks, as if this process alone had
 * all rows. False if the rows could not be copied; then the team has failed. */
int gathered_rows_view(struct gathered_rows *gathered, const struct problem *problem,
                       const uint32_t *row, const double *weight, uint32_t count,
                       struct problem *view);

/* Forgets the copies, and keeps the list. */
void gathered_rows_clear(struct gathered_rows *gathered);

void gathered_rows_free(struct gathered_rows *gathered);

#endif
