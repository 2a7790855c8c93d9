/* sequential_passes.h - the dual numbers of a row := the exact minimiser of D over them,  W += x
 * (their change)'.
 *
 * A pass of the sequential dual method for the hinge of several classes (Keerthi, Sundararajan,
 * Chang, Hsieh, Lin, KDD 2008) is over the rows in a fresh random order. With gains g_m = 1(m != y)
 * + z_m - z_y and shares q = C p, a = C e_y - q, the row's part of D is, but for a constant, |x|^2
 * |q - q0|^2 / 2 - <g, q>: its minimiser is the projection of q0 + g/|x|^2 on the q >= 0 whose sum
 * is C.
 *
 * A class without a share whose gain is below those of all that have one is shrunk: the row's
 * visits do without it; a row that has only one class left is not visited. All are taken back where
 * the largest violation of a pass has fallen below a limit, which is then halved.
 *
 * As in coordinate_descent.c, a row whose violation is less than a twentieth of the largest of the
 * pass before is skipped in the next pass, found so again in the next 3, 7, 15, but in at most a
 * quarter of those that there have been.
 */
#ifndef HINGE_SOLVER_SEQUENTIAL_PASSES_H
#define HINGE_SOLVER_SEQUENTIAL_PASSES_H

#include "base/memory.h"
#include "base/random.h"
#include "problem/problem.h"

struct sequential_passes {
    const struct problem *problem;
    size_t classes;
    double *w;       /* [width] sum x_i alpha_i' */
    double *alpha;   /* [rows classes] */
    double *square;  /* [rows] |x|^2 */
    uint32_t *list;  /* [rows classes] of each row its classes, those that are not shrunk first */
    uint32_t *count; /* [rows] how many these are */
    uint32_t *order; /* [active] the rows to visit */
    uint32_t active; /* how many: more than one class is left */
    struct wait {
        unsigned char passes; /* that the row is to be skipped in, */
        unsigned char last;   /* and was after its last visit */
    } * wait;                 /* [rows] */
    double *row_gap;          /* [rows] the gap terms of their last visits */
    unsigned most_wait;       /* passes, at present: 2^k - 1 */
    uint32_t solvable;        /* rows with a feature: all others are solved at the beginning */
    double *gain;     /* [classes] of the classes that are not shrunk, as the next three: g_m, */
    double *share;    /* [classes] q_m, */
    double *change;   /* [classes] and the change of a_m */
    uint32_t *member; /* [classes] */
    double *dense;    /* [classes] of all classes: z_m, or the change of a_m */
    double limit;     /* of the violation below which all classes are taken back */
    struct random_state random;
    uint64_t done; /* passes */

    /* Of the last pass. */
    int complete;    /* it was over all rows and classes */
    uint32_t visits; /* rows */
    double products; /* multiply-adds, those with columns one by one, */
    double whole;    /* and non-zeros of products with all columns */
    double largest;  /* violation, */
    double gap;      /* the gap terms, */
    double decrease; /* and of the dual */
};

/* Takes the arrays for a problem of that shape. */
void sequential_lay_out(struct sequential_passes *passes, struct arena *arena,
                        const struct problem *problem);

/* Sets it up after so many passes; w and alpha stay the caller's. Rows without a feature are
 * solved: whether alpha has changed so. */
int sequential_begin(struct sequential_passes *passes, const struct problem *problem, double *w,
                     double *alpha, uint64_t seed, uint64_t done);

/* Takes back all shrunk classes and rows; none is skipped. */
void sequential_reopen(struct sequential_passes *passes);

void sequential_pass(struct sequential_passes *passes);

/* Takes back what was shrunk where the rest is nearly solved; the limit does not fall below least.
 */
void sequential_keep_limit(struct sequential_passes *passes, double least);

/* What the last pass cost, in the unit of cost.h. */
double sequential_cost(const struct sequential_passes *passes);

#endif
