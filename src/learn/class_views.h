/* views.h - the problems of a path: its rows as class c against the others, as those of all
 * classes, or as targets.
 */
#ifndef HINGE_LEARN_CLASS_VIEWS_H
#define HINGE_LEARN_CLASS_VIEWS_H

#include "learn/path.h"

/* Formed before the first problem, and not changed until the last one has ended; all NULL where
 * there is one training, which forms what it needs. */
struct shared {
    double *square;               /* [rows of the data] |x|^2 of those of the path */
    struct hinge_matrix *columns; /* its rows by features, of a solver that works by columns */
};

/* shared_free on failure, too. */
enum hinge_status shared_new(struct shared *shared, const struct path *path,
                             struct hinge_error *error);
void shared_free(struct shared *shared);

/* Room for one problem at a time. */
struct class_views {
    const struct path *path;
    size_t count;         /* rows of a problem; of a regression two for each row of the path */
    uint32_t *row;        /* [count] */
    signed char *sign;    /* [count] but of a problem with all classes, */
    uint32_t *class_of;   /* [count] of which there is this */
    double *cost;         /* [count]; NULL: of rows in a file the sign tells the cost */
    double *target;       /* [count] of a regression */
    double *class_weight; /* [classes] */
};

/* Finds the weights of the classes, and checks the costs. class_views_free on failure, too. */
enum hinge_status class_views_new(struct class_views *views, const struct path *path,
                                  struct hinge_error *error);
void class_views_free(struct class_views *views);

/* The view "class c against the others"; the others have the cost C each, or for two classes their
 * own weight times C. Or that of all classes. Rows that cost nothing are left out. */
struct problem class_views_problem(struct class_views *views, const struct shared *shared, double C,
                                   size_t c);

#endif
