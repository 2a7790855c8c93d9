/* class_views.h - the problems of a path: class c against the others, all classes as one problem,
 * or targets of a regression. The data are stored once; a problem is a view of them. */
#ifndef HINGE_LEARN_CLASS_VIEWS_H
#define HINGE_LEARN_CLASS_VIEWS_H

#include "learn/path.h"

/* Data that all problems of a path read. It is computed before the first problem and then constant.
 * All NULL for a single training, which computes what it needs. */
struct shared {
    double *square;               /* [rows of the data] |x_i|^2, set for rows of the path */
    struct hinge_matrix *columns; /* the rows by features, for |w|_1 alone */
};

/* Fills shared. Free it with shared_free, on failure too. */
enum hinge_status shared_new(struct shared *shared, const struct path *path,
                             struct hinge_error *error);
void shared_free(struct shared *shared);

/* Storage for one problem at a time. */
struct class_views {
    const struct path *path;
    size_t count;         /* rows of a problem; twice the rows of the path for a regression */
    uint32_t *row;        /* [count] */
    signed char *sign;    /* [count] +1 or -1; NULL for a joint problem */
    uint32_t *class_of;   /* [count] class of a row of a joint problem; else NULL */
    double *cost;         /* [count] C_i; NULL: the sign tells the cost, for paged rows */
    double *target;       /* [count] targets of a regression; else NULL */
    double *class_weight; /* [classes] factors of C */
};

/* Allocates the arrays, finds the weights of the classes and checks the costs. Free with
 * class_views_free, on failure too. */
enum hinge_status class_views_new(struct class_views *views, const struct path *path,
                                  struct hinge_error *error);
void class_views_free(struct class_views *views);

/* Returns the problem of class c against the others, or the only problem of a joint solver. Rows of
 * the other classes cost C times their row weight; with two classes also times their class weight.
 * Rows that cost 0 are left out. The problem lasts until the next call. */
struct problem class_views_problem(struct class_views *views, const struct shared *shared, double C,
                                   size_t c);

#endif
