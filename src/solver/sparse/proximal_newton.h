/* proximal_newton.h - what the parts of the proximal Newton method share: proximal_newton.c, which
 * says what is minimised and when that is over, where it begins (proximal_newton_start.c), the
 * point it is at (proximal_newton_point.c), a step from there (proximal_newton_step.c), a better
 * dual point of the step (proximal_newton_repair.c) and the proximal term of the dual
 * (proximal_newton_centre.c).
 */
#ifndef HINGE_SOLVER_SPARSE_PROXIMAL_NEWTON_H
#define HINGE_SOLVER_SPARSE_PROXIMAL_NEWTON_H

#include "solver/loop/method.h"
#include "solver/sparse/working_set.h"

struct proximal_newton {
    struct training *training;
    enum loss loss;
    uint32_t rows;
    struct stop stop;

    /* The stage. */
    const struct problem *problem; /* the training's, with the costs of the stage */
    struct problem staged;
    double *cost; /* [rows] these: */
    double share; /* of the training's costs; 1 in the last stage without centres */

    /* Centres of the dual, instead of more stages. */
    int may_centre;
    int is_centred;  /* then costs and targets, and P, are those of the proximal problem, but the */
    double *inverse; /* dual values the training's; [rows] 1/c_i */
    double *shift;   /* [rows] centre_i/(2 c_i) */
    unsigned since_centre; /* steps since the last one was chosen */

    /* The point. */
    double *w;         /* [width] the iterate */
    double *z;         /* [rows] its margins, */
    int is_exact;      /* formed anew, free of the rounding of steps; */
    double *alpha;     /* [rows] C phi'(s) */
    double *curvature; /* [rows] C phi''(s) */
    double primal;     /* P(w), */
    double losses;     /* its sum C_i phi(s_i), */
    int is_estimate;   /* which is not a sum over these, but the last C's; */
    int has_best_w;    /* w is the training's */
    double *ahead;     /* [rows] the dual point of the step, */
    double *combined;  /* [width] its sum alpha_i y_i x_i, */
    double ahead_dual; /* and its D; 0: not known; */
    int has_best_dual; /* the training's alpha and v, formed anew, are those of `ahead` */
    double *reference; /* [rows] by columns a copy of `ahead`, */
    int has_reference; /* if there is one: the next sum is to be near */
    int outside;       /* a feature out of the set keeps the dual point from its domain */
    double *v;         /* [width] the training's */

    /* The model. */
    int by_columns;         /* the features are many: a step is about a working set of them; */
    struct working_set set; /* this one */
    struct column_lasso by;
    struct dense_lasso dense;          /* the model of all features */
    struct lasso *lasso;               /* that of either */
    struct column_cache *column_cache; /* the workspace's */
    double *guess;      /* [width] where the model's solution is looked for; NULL: at w */
    double *weight;     /* [rows] h_i, those in the model by columns, */
    double *difference; /* [rows + 1] or by how much those of the rows changed[] have to grow */
    uint32_t *changed;  /* [rows + 1] */
    double mu; /* the ridge of feature j, over the largest second derivative of L along it */

    /* The step. */
    double *step;   /* [width] w over the features of the model, before it */
    double *next;   /* [rows] the margins at its end, */
    double *change; /* [rows] and what they differ by */

    /* Until the rules hold. */
    double dual;     /* lowest D, */
    double gap;      /* and with it the relative gap, with the costs of the stage; with centres
                        that of the best points, with the training's */
    double best;     /* lowest gap so far, */
    unsigned stalls; /* and steps since it last fell by a tenth */
    double first;    /* violation at w = 0, for LIBLINEAR's rule */
};

/* By how much the costs grow from a stage to the next. */
static const double STAGE = 8;

/* Begins at the weights it is to start from, NULL: none, or at 0 where that is better; from what is
 * known of the last C if goes_on. */
void proximal_newton_start(struct proximal_newton *state, const double *start, int goes_on);

/* Goes on with other costs, and with so much of the training's. */
void proximal_newton_set_costs(struct proximal_newton *state, double share);
void proximal_newton_set_share(struct proximal_newton *state, double share);

/* Leaves the point for the next C, if all of it is known. */
void proximal_newton_leave_last(const struct proximal_newton *state);

/* Finds alpha, its derivative and the losses at margins z + t (next - z); slope and curvature along
 * that line. */
double proximal_newton_losses(struct proximal_newton *state, double t, double *slope, double *bend);

/* P(w), from |w|_1 and the losses, where alpha is that of w. */
void proximal_newton_keep_primal(struct proximal_newton *state, double norm, double losses);

/* sum |u_j| of so many */
double proximal_newton_norm(const double *u, size_t penalised);

/* Finds alpha and P(w); also the margins, anew. */
void proximal_newton_evaluate(struct proximal_newton *state);
void proximal_newton_evaluate_all(struct proximal_newton *state);

/* Goes on with a proximal term, whose centre is at alpha; and with another centre, there. */
void proximal_newton_begin_centres(struct proximal_newton *state);
void proximal_newton_centre(struct proximal_newton *state);

/* Back to stages; whether a dual value shows that |w|_1 is so small a part of P that these are
 * better. */
void proximal_newton_end_centres(struct proximal_newton *state);
int proximal_newton_has_few_weights(const struct proximal_newton *state);

/* Whether the step, which began at that P, has done little beside what the next centre may do. */
int proximal_newton_is_settled(struct proximal_newton *state, double before);

/* The multiple of `ahead` whose dual value is lowest, with its sum in the domain; that multiple. */
double proximal_newton_best_multiple(const struct proximal_newton *state);
void proximal_newton_scale_ahead(struct proximal_newton *state, double multiple);

/* The losses' part of P + D of w and `ahead`: of a curved loss an estimate. */
double proximal_newton_losses_gap(const struct proximal_newton *state);

/* By columns: moves `ahead` to where no feature of the working set keeps it from the domain, where
 * that may end the training. */
void proximal_newton_repair_ahead(struct proximal_newton *state);

/* The dual point that `ahead` is a multiple of. */
void proximal_newton_find_dual(struct proximal_newton *state);

/* Looks at how far P(w) is from the dual point. */
void proximal_newton_judge(struct proximal_newton *state);

/* Forms the model at w, finds its minimum u, and w += t (u - w); not if it promises no descent.
 * Then alpha is that of the new w. */
void proximal_newton_take_step(struct proximal_newton *state);

#endif
