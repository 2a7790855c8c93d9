/* newton.h - what newton.c has at a point w: the function there, and the rows that matter near it.
 */
#ifndef HINGE_SOLVER_NEWTON_H
#define HINGE_SOLVER_NEWTON_H

#include "base/compiler.h"
#include "solver/engine.h"
#include "solver/normal.h"

struct newton {
    struct engine_run *run;
    const struct binary_problem *problem;
    struct normal *normal;
    uint32_t *row;      /* [rows] of the problem; those that are near in front */
    uint32_t near;      /* how many these are: all, or all that are not aside */
    double reach;       /* how far margins may move until the rows aside have to be looked at, */
    double moved;       /* have moved since they were, */
    double last_move;   /* and did in the last step, at most */
    double *memory;     /* the arrays below, those [rows] in the order of row */
    double *alpha;      /* [rows] alpha_i(z_i) */
    double *centre;     /* [rows] a_i */
    double *cost_near;  /* [near] C_i, where some are aside */
    const double *cost; /* [near] that, or the problem's */
    double *z;          /* [rows] y_i <w, x_i> */
    double *change;     /* [rows] of z along the step */
    double *weight;     /* [rows] of the normal matrix, until it has them; in the place of change */
    double *w;          /* [width] the iterate; run->w is the best of them */
    double *gradient;   /* [width] */
    double *step;       /* [width] p */
    double *combined;   /* [width] sum alpha_i y_i x_i, */
    double *aside;      /* [width] the part of the rows aside, */
    double sum_aside;   /* and sum alpha_i */
    double mu;
    double dearest; /* largest C_i, */
    double longest; /* and |x_i|, if there is the rule of -e */
    uint32_t free;  /* rows in F */
    double primal;  /* P at w */
    double lowest;  /* the lowest P so far, that of run->w */
    double smooth;  /* |grad|^2 / 2 */
    double rough;   /* the cost of mu in the gap */
    double dual;    /* the lowest D so far, that of run->alpha */
    double best;    /* lowest primal + dual so far, */
    unsigned vain;  /* and steps since it last fell by a tenth */
    double first;   /* |grad| at w = 0, for LIBLINEAR's rule */
};

/* Asks for all the memory there will be; w and z are yet to be filled in. newton_free on failure
 * too. */
enum hinge_status newton_new(struct newton *newton, struct engine_run *run,
                             struct hinge_error *error);
void newton_free(struct newton *newton);

/* Everything that the next step and the rules need, at the present w and z of the rows that are
 * near; keeps w and alpha if they are the best so far. */
void newton_evaluate(struct newton *newton);

/* The same for all rows, their z and all sums found anew: evaluations only add what changed. */
void newton_evaluate_all(struct newton *newton);

/* Takes all rows back, and finds all z anew. */
void newton_look_at_all(struct newton *newton);

/* All rows having been evaluated, sets aside those that the next steps will not bring near the end
 * of their bound, if they move the margins no farther than the last. Where that is the lesser part,
 * it does not pay. */
void newton_set_aside(struct newton *newton);

/* alpha times t, in the order of the problem. */
void newton_copy_alpha(const struct newton *newton, double t, double *alpha);

/* Where there are so many rows that a part of them has nearly the same solution, and the run is far
 * from it: finds that, and fills in w, and for the L1-loss mu and centre, to go on from there. 0 if
 * it does not, which leaves them alone. */
int newton_start_at_part(struct newton *newton);

/* newton_run; *mu is how small mu became. */
enum hinge_status newton_steps(struct engine_run *run, enum hinge_outcome *outcome, double *mu,
                               struct hinge_error *error);

/* ---- The function ------------------------------------------------------ */

/* What alpha_i(z) needs, the same for all rows. */
struct shape {
    enum loss loss;
    double inverse; /* 1/mu */
};

static inline struct shape shape_of(const struct newton *newton)
{
    const enum loss loss = newton->run->task->loss;

    return (struct shape){loss, loss == LOSS_L1 ? 1 / newton->mu : 0};
}

/* alpha_i(z), and minus its derivative: the curvature of phi_i. */
static ALWAYS_INLINE double alpha_at(struct shape shape, double cost, double centre, double z,
                                     double *curvature)
{
    const double alpha =
        shape.loss == LOSS_L2 ? 2 * cost * (1 - z) : centre + shape.inverse * (1 - z);

    *curvature = 0;
    if (alpha <= 0)
        return 0;
    if (shape.loss == LOSS_L1 && alpha >= cost)
        return cost;
    *curvature = shape.loss == LOSS_L2 ? 2 * cost : shape.inverse;
    return alpha;
}

/* The same without branches, for where the rows have just moved and half of them would be foretold
 * wrongly; along a step most stay where they are. */
static ALWAYS_INLINE double alpha_moved(struct shape shape, double cost, double centre, double z,
                                        double *curvature)
{
    const double alpha =
        shape.loss == LOSS_L2 ? 2 * cost * (1 - z) : centre + shape.inverse * (1 - z);
    const double positive = alpha > 0 ? alpha : 0;

    if (shape.loss == LOSS_L2) {
        *curvature = alpha > 0 ? 2 * cost : 0;
        return positive;
    }
    *curvature = shape.inverse * ((alpha > 0) & (alpha < cost));
    return positive < cost ? positive : cost;
}

#endif
