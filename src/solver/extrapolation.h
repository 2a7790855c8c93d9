/* extrapolation.h - passes of coordinate descent go on in the direction they have come from. */
#ifndef HINGE_SOLVER_EXTRAPOLATION_H
#define HINGE_SOLVER_EXTRAPOLATION_H

#include "solver/method.h"

struct extrapolation {
    double *w;          /* [width] of the point to look back to; NULL: not for this problem */
    double *alpha;      /* [rows] */
    int is_set;         /* there is such a point */
    uint64_t next_pass; /* the pass to extrapolate before, */
    double next_spent;  /* if the training has spent so much by then */
};

void extrapolation_lay_out(struct extrapolation *to, struct arena *arena,
                           const struct training *training);

/* To be called before w is formed anew, and after it: w of the point becomes its difference from
 * that of the training, and is made from it again. Else the rounding errors that forming w takes
 * away would count as a change. */
void extrapolation_turn(struct extrapolation *state, const struct training *training);

/* Before a pass: moves alpha and w = sum alpha_i y_i x_i of the training, if it is time and D
 * falls: whether it did. */
int extrapolate(struct extrapolation *state, struct training *training);

#endif
