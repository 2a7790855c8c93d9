/* class_newton.h - what the parts of Newton's method with classes share: class_newton.c, which says
 * what is minimised and when that is over, the point it is at (class_newton_point.c) and a step
 * (class_newton_step.c).
 */
#ifndef HINGE_SOLVER_NEWTON_CLASS_NEWTON_H
#define HINGE_SOLVER_NEWTON_CLASS_NEWTON_H

#include "problem/class_loss.h"
#include "solver/linear/class_system.h"
#include "solver/loop/method.h"

struct class_newton {
    struct training *training;
    const struct problem *problem; /* the training's, or */
    struct problem limited;        /* it with costs that are limited, */
    double *cost;                  /* [rows] these */
    double scaled;                 /* lowest P of a W that was scaled */
    size_t classes;
    uint32_t rows;
    struct class_system system;
    uint32_t active;         /* rows that are not shrunk */
    uint32_t *row;           /* [active] which they are, ascending; not used while all are active */
    double reach;            /* how far gains may move until the shrunk rows have to be examined, */
    double moved;            /* have moved since they were, */
    double last_move;        /* and did in the last step, at most */
    double *alpha;           /* [rows classes] at the gains */
    double *centre;          /* [rows classes] the dual point of the proximal term */
    double *gain;            /* [active classes] g_m of the active rows, */
    double *change;          /* [active classes] and of these along the step */
    uint32_t *shares;        /* [active] classes with a share */
    double *w;               /* [width] the iterate */
    double *gradient;        /* [width] */
    double *step;            /* [width] s */
    double *combined;        /* [width] sum x_i alpha_i', */
    double *shrunk;          /* [width] the shrunk rows' part of it, */
    double shrunk_conjugate; /* and of conjugate */
    double conjugate;        /* -sum of all shares but those of the own class */
    double *v;               /* [width] the training's */
    double mu;
    double largest_cost;
    double longest;  /* largest |x_i| */
    double primal;   /* P at W */
    double smooth;   /* |gradient|^2 / 2 */
    double rough;    /* the cost of mu in the gap */
    double best;     /* lowest primal + dual so far, */
    unsigned stalls; /* and steps since it last fell by a tenth */
};

static inline struct selection active_rows(const struct class_newton *state)
{
    return (struct selection){state->active < state->rows ? state->row : NULL, state->active};
}

/* Everything that the next step and the rules need, at the present W and gains of the active rows.
 * Keeps W and alpha if they are the best so far. */
void class_newton_evaluate(struct class_newton *state);

/* That for all rows, and with all sums formed anew. */
void class_newton_evaluate_all(struct class_newton *state);

/* Takes back the shrunk rows, and finds all gains anew. */
void class_newton_activate_all(struct class_newton *state);

/* All rows having been evaluated, shrinks those that the next steps will not bring near a second
 * share, if they move the gains no farther than the last. Where that is the lesser part, it does
 * not pay. A smaller mu, and a centre moved to alpha, only make the distance larger. */
void class_newton_shrink(struct class_newton *state);

/* Where a step goes so far that shrunk rows may become free, they are taken back. */
void class_newton_take_step(struct class_newton *state);

#endif
