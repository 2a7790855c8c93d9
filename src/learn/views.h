/* views.h - the problems of a path: its rows as class c against the others, as those of all
 * classes, or as targets.
 */
#ifndef HINGE_LEARN_VIEWS_H
#define HINGE_LEARN_VIEWS_H

#include "learn/shared.h"

/* Room for one problem at a time. */
struct views {
    const struct path *path;
    size_t count;         /* rows of a problem; of a regression two for each row of the path */
    uint32_t *row;        /* [count] */
    signed char *sign;    /* [count] but of a problem with all classes, */
    uint32_t *class_of;   /* [count] of which there is this */
    double *cost;         /* [count]; NULL: of rows in a file the sign tells the cost */
    double *target;       /* [count] of a regression */
    double *class_weight; /* [classes] */
};

/* Finds the weights of the classes, and checks the costs. views_free on failure, too. */
enum hinge_status views_new(struct views *views, const struct path *path,
                            struct hinge_error *error);
void views_free(struct views *views);

/* The view "class c against the others"; the others have the cost C each, or for two classes their
 * own weight times C. Or that of all classes. Rows that cost nothing are left out. */
struct problem views_problem(struct views *views, const struct shared *shared, double C, size_t c);

#endif
