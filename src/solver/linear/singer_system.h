/* singer_system.h - the system over features of the hinge of several classes, whose columns sum to
 * 0:
 *
 *     H = I + scale sum_i x_i x_i' (x) P_i
 *
 * over the free rows, P_i the projection on the vectors that sum to 0 and are 0 but for the row's
 * members, the classes with a share.
 */
#ifndef HINGE_SOLVER_LINEAR_SINGER_SYSTEM_H
#define HINGE_SOLVER_LINEAR_SINGER_SYSTEM_H

#include "problem/sums.h"
#include "solver/linear/cg.h"
#include "solver/linear/class_blocks.h"

struct singer_system {
    const struct problem *problem;
    const struct shards *shards; /* of sums of [width] vectors */
    size_t classes;
    size_t width;
    double scale;
    uint32_t free;    /* rows, */
    uint32_t *row;    /* [free] ascending, */
    size_t *first;    /* [free + 1] and where their members begin in */
    uint32_t *member; /* [rows classes], with room for one that is not counted */
    struct cg cg;
    struct class_blocks blocks; /* the preconditioner; there is none if they have no order */
};

/* Takes the arrays for a problem of that shape. */
void singer_system_lay_out(struct singer_system *system, struct arena *arena,
                           const struct problem *problem);

/* Sets it up; what is given stays the caller's. */
void singer_system_begin(struct singer_system *system, const struct problem *problem,
                         const struct shards *shards, struct stop stop);

/* Takes the free rows and their members that were filled in. */
void singer_system_form(struct singer_system *system, double scale);

/* p := H^-1 r, both [width], until |r - H p| <= tolerance |r| or so many steps of conjugate
 * gradients are taken. */
void singer_system_solve(struct singer_system *system, const double *r, double *p, double tolerance,
                         unsigned most);

#endif
