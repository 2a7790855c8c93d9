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
    struct left_point last;   /* the point to look back to; w NULL: not for this problem */
    struct left_point before; /* the one before that, for the certificate, */
    struct left_point better; /* and a better dual point than alpha; w NULL: not for this loss */
    uint64_t next_pass;       /* the pass to extrapolate before, */
    double next_spent;        /* if the training has spent so much by then */
};

void extrapolation_lay_out(struct extrapolation *to, struct arena *arena,
                           const struct training *training);

/* To be called before w is formed anew, and after it: w of the points becomes its difference from
 * that of the training, and is made from it again. Else the rounding errors that forming w takes
 * away would count as a change. */
void extrapolation_store_differences(struct extrapolation *state, const struct training *training);

/* Before a pass: moves alpha and w = sum alpha_i y_i x_i of the training, if it is time and D
 * falls: whether it did. */
int extrapolate(struct extrapolation *state, struct training *training);

/* Whether there is a point to look back to for a certificate. */
static inline int extrapolation_looks_back(const struct extrapolation *state)
{
    return state->before.is_set;
}

/* Room for another point than that, [rows]; NULL where there is one. */
double *extrapolation_room(const struct extrapolation *state);

/* Where P and D of w and alpha have been measured: a dual point of which D is lower becomes the
 * training's, apart from w, if its gap with w is at most so much; whether it did. It is on the line
 * from that point; *part is what part of the gap would have been left. */
int extrapolation_take_back(const struct extrapolation *state, struct training *training,
                            double target, double *part);

/* The same on the line to a point that has been left in the room; slope: of D in the direction away
 * from it. */
int extrapolation_take_ahead(const struct extrapolation *state, struct training *training,
                             double slope, double target);

#endif
