/* proximal_newton.h - the state of the proximal Newton method: proximal_newton.c has its steps and
 * rules, proximal_newton_start.c its first point, proximal_newton_point.c P and the dual point,
 * proximal_newton_repair.c a better dual point, proximal_newton_stage.c the costs.
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
    const struct problem *problem; /* the training's problem with the costs of the stage */
    struct problem staged;         /* storage of *problem */
    double *cost;                  /* [rows] costs of the stage */
    double
        share; /* the stage's part of the training's costs; 1 in the last stage without centres */

    /* Centres of the dual, instead of more stages. */
    int may_centre;
    int is_centred; /* true: costs, targets and P are those of the proximal problem, but dual values
                       are the training's */
    double *inverse;       /* [rows] 1/c_i */
    double *shift;         /* [rows] centre_i/(2 c_i) */
    unsigned since_centre; /* steps since the last centre was chosen */

    /* Smoothing, where the kinks of the squared hinge make steps short. */
    int may_smooth;
    unsigned short_steps; /* steps below a half since the costs were set */
    double smoothing;     /* part of P that it may cost; 0: none */
    double width;         /* the losses have the second derivative of C (s + sqrt(s^2 + width^2)) */

    /* The point. */
    double *w;         /* [width] the iterate */
    double *z;         /* [rows] margins of w */
    int is_exact;      /* true: z was formed anew and has no rounding errors of steps */
    double *alpha;     /* [rows] C phi'(s) */
    double *curvature; /* [rows] C phi''(s) */
    double primal;     /* P(w) */
    double losses;     /* the sum C_i phi(s_i) in P(w) */
    double plain;      /* P(w) without smoothing */
    int is_estimate;   /* true: losses comes from the last C, times the factor between the two */
    int has_best_w;    /* true: w is the training's w */
    double *ahead;     /* [rows] the dual point of the step */
    double *combined;  /* [width] sum alpha_i y_i x_i of `ahead` */
    int has_best_dual; /* true: the training has alpha and v of `ahead` */
    double *v;         /* [width] storage of the training's v */

    /* By columns, the last dual point that a repair found, before it was scaled. */
    int has_repaired;
    double *repaired;          /* [rows] */
    double *repaired_combined; /* [width] its sum */

    /* The model. */
    int by_columns;         /* true: features are many, and the model is about a working set */
    struct working_set set; /* of a model by columns */
    struct column_lasso by;
    struct dense_lasso dense;          /* the model of all features by a matrix */
    struct lasso *lasso;               /* the common part of `by` or `dense` */
    struct column_cache *column_cache; /* the workspace's */
    double *weight;                    /* [rows] h_i in the model */
    double *difference; /* [rows + 1] how much the weights of the rows changed[] must grow */
    uint32_t *changed;  /* [rows + 1] */
    double mu; /* ridge of a feature, relative to the largest second derivative of L along it */

    /* The step. */
    double promise; /* minus the slope of P's bound where the last step began. Before the first step
                       at the costs HUGE_VAL, or 0 if w is the solution for similar costs. */
    double *step;   /* [width] w before the step, over the coordinates of the model */
    double *next;   /* [rows] margins of u */
    double *change; /* [rows] next - z */

    /* Until the rules hold. */
    double dual;     /* lowest D with the costs of the stage */
    double gap;      /* relative gap of w and `dual` with the costs of the stage; with centres, of
                        the training's point */
    double best;     /* lowest gap so far */
    unsigned stalls; /* steps since the gap last fell by a tenth */
    double first;    /* violation at w = 0, for LIBLINEAR's rule */
};

/* The factor by which the costs grow from a stage to the next. */
static const double STAGE = 8;

/* Sets the costs to that part of the training's; set_share also evaluates w with them. */
void proximal_newton_set_costs(struct proximal_newton *state, double share);
void proximal_newton_set_share(struct proximal_newton *state, double share);

/* Finds alpha, its derivative and the losses at margins z + t (next - z). Returns the losses, and
 * their slope and curvature along that line. */
double proximal_newton_losses(struct proximal_newton *state, double t, double *slope, double *bend);

/* Notes P(w), |w|_1 plus the losses, whose alpha is known. */
void proximal_newton_keep_primal(struct proximal_newton *state, double norm, double losses);

/* Returns |w|_1/P, by which the relative gap grows for each unit of a largest |v_j| above 1 that is
 * scaled away. */
double proximal_newton_norm_part(const struct proximal_newton *state);

/* Returns the sum |u_j| of the first coordinates. */
double proximal_newton_norm(const double *u, size_t penalised);

/* Finds alpha and P(w); evaluate_all first forms the margins anew. */
void proximal_newton_evaluate(struct proximal_newton *state);
void proximal_newton_evaluate_all(struct proximal_newton *state);

/* True if the last step promised so much that w is far from the minimum for the present costs, or
 * if there was no step with them. */
int proximal_newton_is_far(const struct proximal_newton *state);

/* True if points and gaps belong to the training's problem. */
int proximal_newton_is_last(const struct proximal_newton *state);

/* Changes costs, centre or smoothing where that is due. The step that ends began at P = before. */
void proximal_newton_before_step(struct proximal_newton *state);
void proximal_newton_after_step(struct proximal_newton *state, double before);

/* Begins at the weights, or at 0 if that is better or they are NULL. Merges the weights of equal
 * features. If goes_on, the sums of the last C are known. */
void proximal_newton_start(struct proximal_newton *state, double *start, int goes_on);

/* Returns the multiple of `ahead` with the lowest dual value among the feasible ones; scales. */
double proximal_newton_best_multiple(const struct proximal_newton *state);
void proximal_newton_scale_ahead(struct proximal_newton *state, double multiple);

/* Forms the sum of `ahead`. */
void proximal_newton_combine_ahead(struct proximal_newton *state);

/* Returns the losses' part of P + D of w and `ahead`; for a curved loss an estimate. */
double proximal_newton_losses_gap(const struct proximal_newton *state);

/* Scales `ahead`, whose sum is known, until it is feasible, and keeps it if it is the best dual
 * point. By columns, chooses another working set if a feature outside of it limits the scale or has
 * a |v_j| far above 1. With may_repair, moves `ahead` to a feasible point near it if that may end
 * the training. find_dual forms the sum first. */
void proximal_newton_use_ahead(struct proximal_newton *state, int may_repair);
void proximal_newton_find_dual(struct proximal_newton *state, int may_repair);

/* By columns, finds a dual point near `ahead` if that meets the target gap and `ahead` does not,
 * and renews the working set. */
void proximal_newton_improve_ahead(struct proximal_newton *state, int may_repair);

/* Chooses the working set by v, which is multiple times v of `ahead`. */
void proximal_newton_choose_set(struct proximal_newton *state, double multiple);

/* judge finds the gap of P(w) and the lowest D. judged_primal returns its P: with centres the
 * training's lowest, otherwise P(w) without smoothing. */
double proximal_newton_judged_primal(const struct proximal_newton *state);
void proximal_newton_judge(struct proximal_newton *state);

#endif
