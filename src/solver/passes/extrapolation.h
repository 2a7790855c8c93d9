/* extrapolation.h - passes of coordinate descent go on in the direction they have come from. */
#ifndef HINGE_SOLVER_PASSES_EXTRAPOLATION_H
#define HINGE_SOLVER_PASSES_EXTRAPOLATION_H

#include "solver/loop/method.h"

struct left_point {
    double *w;     /* [width] sum alpha_i y_i x_i */
    double *alpha; /* [rows] */
    int is_set;
};

struct extrapolation {
    struct left_point last;   /* point to look back to; w NULL: the problem allows none */
    struct left_point before; /* point before the last, for the certificate; w NULL: see better */
    struct left_point better; /* a better dual point than alpha; w NULL: the loss is not smooth */
    uint64_t next_pass;       /* extrapolate before this pass at the earliest */
    double next_spent;        /* extrapolate when the training has spent so much at the earliest */
};

void extrapolation_lay_out(struct extrapolation *to, struct arena *arena,
                           const struct training *training);

/* Replaces w of the points by its difference from the training's w; a second call restores it. To
 * be called before and after w is formed anew: otherwise the rounding errors that forming removes
 * would count as a change. */
void extrapolation_store_differences(struct extrapolation *state, const struct training *training);

/* Moves alpha and w = sum alpha_i y_i x_i of the training, if it is time and D falls. Returns 1 if
 * they moved. To be called before a pass. */
int extrapolate(struct extrapolation *state, struct training *training);

/* True if there is a point to look back to for a certificate. */
static inline int extrapolation_looks_back(const struct extrapolation *state)
{
    return state->before.is_set;
}

/* Returns room[rows] for another point in the place of that one; NULL if there is that one. */
double *extrapolation_room(const struct extrapolation *state);

/* Tries dual points on the line from the point to look back to. P and D of w and alpha must have
 * been measured. If the gap of w and a point with a lower D is at most the target, the point
 * becomes the training's, apart from w, and 1 is returned. Sets *left to the fraction of the gap
 * that the point would have left. */
int extrapolation_take_back(const struct extrapolation *state, struct training *training,
                            double target, double *left);

/* Does the same on the line to the point in the room. slope is that of D in the direction away from
 * it. */
int extrapolation_take_ahead(const struct extrapolation *state, struct training *training,
                             double slope, double target);

#endif
