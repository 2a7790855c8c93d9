/* shared.h - what the problems of one path have in common. */
#ifndef HINGE_LEARN_SHARED_H
#define HINGE_LEARN_SHARED_H

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

#endif
