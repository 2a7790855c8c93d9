/* class_system.h - the system over features of a problem with classes, whose columns sum to 0:
 *
 *     H = I + sum_i C_i (diag(p_i) - p_i p_i') (x) x_i x_i',
 *
 * the Hessian of Newton's method. Free biases have a 0 in the place of their 1 in I.
 */
#ifndef HINGE_SOLVER_LINEAR_CLASS_SYSTEM_H
#define HINGE_SOLVER_LINEAR_CLASS_SYSTEM_H

#include "problem/sums.h"
#include "solver/linear/cg.h"
#include "solver/linear/class_blocks.h"

struct class_system {
    const struct problem *problem;
    const struct shards *shards; /* of sums of [width] vectors */
    const double *alpha;         /* [rows classes] C_i (e_y - p_i) */
    size_t width;
    size_t penalised; /* of them those with a 1 */
    struct cg cg;
    double *diagonal; /* [width] of H; with free biases, for features taken from their means */
    double *mean;     /* [width] of the features for each class, last the weights' sums; without */
    double *right;    /* free biases NULL, as [classes] what their margins are to change by */
    double *correction; /* [classes] */

    struct class_blocks blocks; /* of H, too, once they are formed: */
    int has_blocks;
    int is_present; /* not those of an earlier H */
    double spent;   /* on steps since then */
};

/* Takes the arrays for a problem of that shape. */
void class_system_lay_out(struct class_system *system, struct arena *arena,
                          const struct problem *problem);

/* Sets it up; what is given stays the caller's. */
void class_system_begin(struct class_system *system, const struct problem *problem,
                        const struct shards *shards, const double *alpha, struct stop stop);

/* From now on it is about the present alpha. */
void class_system_form(struct class_system *system);

/* p := H^-1 r, both [width], until |r - H p| <= tolerance |r| or so many steps of conjugate
 * gradients are taken. */
void class_system_solve(struct class_system *system, const double *r, double *p, double tolerance,
                        unsigned most);

/* Free biases: moves a step's, and with them the change[rows classes] of the margins, to where the
 * sums over the rows of alpha_i and its change, to first order, are 0. */
void class_system_settle(struct class_system *system, double *step, double *change);

#endif
