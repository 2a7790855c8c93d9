/* newton.h - the state of Newton's method, and the functions that its kinds of rows provide.
 *
 * A row has k margins: one for two classes, regression and one-class SVMs, or one for each class.
 * newton.c has the method and newton_point.c its present point, for any k. newton_continuation.c
 * has the continuation in C for one margin. newton_rows.c has the sums over rows of one margin, as
 * vector code, and newton_bias.c the free bias of such rows. newton_classes.c has the sums over
 * rows of k margins.
 */
#ifndef HINGE_SOLVER_NEWTON_NEWTON_H
#define HINGE_SOLVER_NEWTON_NEWTON_H

#include "problem/bias.h"
#include "problem/sums.h"
#include "solver/linear/class_system.h"
#include "solver/linear/primal_system.h"
#include "solver/loop/method.h"

/* The active rows: all rows that are not shrunk. */
struct active_rows {
    uint32_t count;       /* active rows of all ranks */
    uint32_t *row;        /* own active rows, ascending; unset while every row is active */
    uint32_t first, end;  /* places of own rows in arrays over active rows; while every row is
                             active, the place of a row is its number */
    double margin_slack;  /* shrunk rows stay settled while margins move less than this */
    double margin_moved;  /* largest margin change since the shrunk rows were last checked */
    double last_move;     /* largest change of own margins in the last step */
    double *shrunk;       /* [width] part of the shrunk rows in newton.combined */
    double shrunk_linear; /* part of the shrunk rows in newton.linear */
    double shrunk_total;  /* part of the shrunk rows in newton.total */
};

/* A step from the present point. */
struct newton_step {
    int is_known;              /* the fields below belong to the present point */
    double *direction;         /* [width] p */
    double *change;            /* [active k] change of the margins along p */
    double *ahead;             /* [active] dual point of the step, for k = 1 */
    double *centre;            /* [width] centre of the least squares problem; only for k = 1 */
    double fall;               /* minus the derivative of the minimised function along p */
    double largest;            /* largest change of own margins along p */
    double predicted_decrease; /* decrease of P that the Hessian predicts for the last step found */
    double tolerance;          /* part of the gradient that the system's solution may leave */
    double previous_half_gradient_sq; /* half_gradient_sq at the point of the step before */
    int has_old_weights;              /* the system has the weights of the step before */
    int is_last; /* the training ends at the present w; the step only gives its dual point */
};

struct newton {
    const struct newton_kind *kind;
    struct training *training;
    const struct problem *problem; /* the training's problem, or costed */
    struct problem costed;         /* copy of the training's problem with its own costs */
    double *cost;                  /* [rows] storage of costed.cost */
    double *target;                /* [rows] targets of a narrower tube; only in costed */
    double largest_cost;
    int is_raw;       /* the data are badly scaled: margins are formed anew after each step */
    int may_begin_qr; /* has_qr is 0, and may become 1 */
    int has_qr;       /* steps are solutions of least squares problems */
    int has_limits;   /* costs are limited, so that P is not the training's */
    enum loss loss;
    struct team *team;
    uint32_t rows;
    size_t k;                         /* margins of a row */
    struct primal_system *system;     /* for k = 1 */
    struct class_system class_system; /* for k classes */

    /* The function to be minimised. */
    double mu;            /* weight of the proximal term */
    double *centre;       /* [rows k] where the proximal term is 0; NULL for a smooth loss */
    double continuation;  /* factor by which C is too small, or mu too large; 1: there is none */
    int is_direct;        /* no continuation has begun, and one may */
    int has_start;        /* the first w was given, instead of the w of the dual point */
    double cost_fraction; /* fraction of C in phi_i; below 1 only for a smooth loss in a
                             continuation */

    /* The point. */
    struct active_rows active;
    double *w;        /* [width] */
    double *z;        /* [active k] margins; for Crammer and Singer's hinge, gains */
    double *alpha;    /* [rows k] alpha_i(z_i) */
    double *combined; /* [width] sum alpha_i y_i x_i, or sum x_i alpha_i' */
    double *squares;  /* [width] in a team, sums for primal_system_form, stored after combined; else
                         NULL */
    int sums_squares; /* the last or present evaluation also sums squares */
    double linear;    /* sum t_i alpha_i; for Crammer and Singer's hinge minus the conjugate */
    double total;     /* sum alpha_i, for k = 1 */
    double *gradient; /* [width] */
    double primal;    /* P(w) */
    double minimised; /* |w|^2 / 2 + sum phi_i(z_i) for k = 1, if the centre is 0 and no row is at
                         its C */
    double half_gradient_sq;   /* |gradient|^2 / 2 */
    double prox_gap;           /* the part of the gap that mu causes */
    double own_dual;           /* lowest D of an iterate's own alpha */
    double last_dual;          /* own_dual before the last step */
    double scaled_primal;      /* lowest P of a scaled w without losses, for k classes */
    uint32_t free;             /* rows of positive curvature, of all ranks */
    int is_unbalanced;         /* alpha misses the constraint of a free bias */
    struct breakpoint *points; /* [rows] for the best bias of a one-class SVM */
    double *v;                 /* [width] the training's point.v */
    struct newton_step step;

    /* Progress of the steps, and their rules. */
    unsigned steps;
    double best_gap; /* lowest P + D so far */
    unsigned stalls; /* steps since best_gap last fell by a tenth */
    double row_norm; /* largest |x_i|, for regression sqrt(mean |x_i|^2); set for the rule of -e */
    double most;     /* bound of LIBLINEAR's primal rule on |gradient| */
};

/* The minimised function along the direction, linear t + square t^2 / 2 + sum phi_i, at t. */
struct newton_line {
    const struct newton *state;
    double linear;
    double square;
    double t;
};

/* The scalars of an evaluation. */
enum { VALUE, CONJUGATE, LINEAR, TOTAL, GAP, FREE, OUTSIDE };

/* The functions that differ between rows of one margin, rows with classes, and their losses. The
 * context of a shard function is the struct newton. Its places are the places of active rows. */
struct newton_kind {
    double tolerance;   /* newton_step.tolerance outside a continuation; not for softmax */
    double start_mu;    /* mu at weights that were given, in units of 1/C */
    double settled_mu;  /* no mu below this can break the rule of -e, in units of eps/C */
    double reach;       /* margin_slack in units of the last step */
    double most_active; /* largest fraction of the rows to which shrinking pays */

    /* Adds sum alpha^2 to scalars[0] and the gap of the rows to scalars[1], for the training's
     * alpha. */
    shard_function *add_first;

    /* Adds the first derivative of -sum phi_i to scalars[0] and the second one of sum phi_i to
     * scalars[1]. The context is a struct newton_line. */
    shard_function *add_line;

    /* Sets alpha to the points at z, sums the scalars, and adds the change of combined. */
    shard_function *add_evaluation;

    /* Adds LINEAR, TOTAL and combined of the active rows. */
    shard_function *add_active;

    /* Lists own rows that may become free if margins move by margin_slack, at most `most` + 1 rows.
     * Returns how many. NULL if every row is always free. */
    uint32_t (*list_active)(const struct newton *state, uint32_t most, uint32_t *row);

    /* Sets direction := H^-1 gradient, to about the tolerance. */
    void (*solve)(struct newton *state);

    /* Completes the change of the margins. Returns the largest change of own margins. */
    double (*finish_change)(struct newton *state);

    /* Sets to[rows k] := t alpha, in the domain. With one margin, active rows have `active` in
     * place of alpha unless it is NULL. */
    void (*scale_alpha)(const struct newton *state, const double *active, double t, double *to);

    /* Moves a free bias to its best value before an evaluation. NULL: alpha misses its
     * constraint. */
    void (*settle_bias)(struct newton *state);

    /* Keeps a better primal point near w; square is |w|^2 / 2. May be NULL. */
    void (*improve_primal)(struct newton *state, double square);

    /* Keep the dual point of a step if its D is the lowest so far. keep_ahead_before is called
     * before the step, because the rules need the point, and keep_ahead_after after the step. Both
     * may be NULL. */
    void (*keep_ahead_before)(struct newton *state);
    void (*keep_ahead_after)(struct newton *state);
};

extern const struct newton_kind newton_rows, newton_softmax, newton_singer;

/* Returns the active rows as a selection. */
static inline struct selection newton_active(const struct newton *state)
{
    return state->active.count < state->rows
               ? (struct selection){state->active.row, state->active.end}
               : (struct selection){NULL, state->rows};
}

/* Returns the slack of row i at margin z, for k = 1. */
static inline double newton_slack(const struct newton *state, uint32_t i, double z)
{
    return problem_target(state->problem, i, state->loss) - z;
}

/* ---- The point: newton_point.c ------------------------------------------- */

/* Makes every row active, and forms all margins anew. */
void newton_activate_all(struct newton *state);

/* Finds everything that the next step and the rules need at the present w and z. Adds the changes
 * of the active rows to the sums. Keeps w and alpha if they are the best so far. */
void newton_evaluate(struct newton *state);

/* Evaluates all rows, and forms all sums anew. */
void newton_evaluate_all(struct newton *state);

/* Shrinks rows that stay at a bound while margins move less than kind->reach times the last step.
 * All rows have been evaluated. A smaller mu, or a centre moved to alpha, only takes rows farther
 * from becoming free. */
void newton_shrink(struct newton *state);

/* Keeps alpha, or a multiple of it, if its dual value is the lowest so far. Active rows have
 * `active` in place of alpha unless it is NULL. If the conjugate is linear or quadratic,
 * D(t alpha) = t^2 square - t linear. */
void newton_keep_dual(struct newton *state, const double *active, double dual, double linear);

/* Finds steps by least squares problems from now on. Goes back to the best w unless in a
 * continuation. */
void newton_begin_qr(struct newton *state);

/* Finds the step from the present point, unless it is known. */
void newton_prepare_step(struct newton *state);

/* Moves w and z by the step. If the step goes so far that shrunk rows may become free, makes every
 * row active. */
void newton_take_step(struct newton *state);

/* Returns the part of the direction to take, where the derivative is between -part times fall and
 * 0. The search begins at t. */
double newton_length(const struct newton *state, double fall, double part, double t);

/* Sets z := z + t change. */
void newton_move_margins(struct newton *state, double t);

/* ---- Continuation in C: newton_continuation.c ---------------------------- */

/* The mu at which every row is free at w = 0, in units of 1/C. */
static const double NEWTON_END_MU = 10;

/* Begins a continuation, or goes on with it. Goes on before the minimum is found, because only the
 * free rows count. On badly scaled data, where rounding keeps the gradient from falling, goes on
 * when the last step has won little. */
void newton_continue(struct newton *state);

/* Adds C_i |x_i|^2 to scalars[0] and |x_i|^2 to scalars[1]. The context is the problem. */
shard_function newton_add_squares;

/* ---- Rows of one margin: newton_bias.c ----------------------------------- */

/* Moves the free bias to its best value for the weights, where sum alpha_i y_i = total. Does not
 * move it if no row would have a loss, because the next step would not know what limits w. */
void newton_settle_bias(struct newton *state);

/* For a one-class SVM, keeps w with its best bias. On badly scaled data, keeps w with the loss of
 * the whole tube, or the multiple of w that leaves no hinge loss, if P is lower. If |w|^2 is tiny,
 * as with large features that separate the rows, C times the rounding errors of margins would
 * exceed P. square is |w|^2 / 2. */
void newton_improve_primal(struct newton *state, double square);

/* ---- Rows with classes: newton_classes.c --------------------------------- */

/* Lowers costs that are far above any possible dual number. True if costs were lowered. */
int newton_limit_costs(struct newton *state);

/* Takes steps of the free biases alone, until they predict little decrease of P. */
void newton_settle_biases(struct newton *state);

/* Returns the bound of LIBLINEAR's primal rule for two classes, extended to more classes: eps
 * max(rows of the smallest class, 1)/rows |gradient at w = 0|. */
double newton_class_rule(struct newton *state);

#endif
