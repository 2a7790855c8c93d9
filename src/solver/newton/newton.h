/* newton.h - what the parts of Newton's method share: newton.c, which says what is minimised and
 * when that is over, the point it is at (newton_point.c), a line from there (newton_line.c) and a
 * step along it (newton_step.c).
 */
#ifndef HINGE_SOLVER_NEWTON_NEWTON_H
#define HINGE_SOLVER_NEWTON_NEWTON_H

#include "problem/bias.h"
#include "problem/loss_rows.h"
#include "problem/sums.h"
#include "solver/linear/primal_system.h"
#include "solver/loop/method.h"

struct newton {
    struct training *training;
    const struct problem *problem; /* the training's, */
    struct problem with_costs;     /* as which it has costs, */
    double *cost;                  /* [rows] these, if it has no others */
    struct primal_system *system;
    enum loss loss;
    struct team *team;
    uint32_t rows;

    /* What is minimised. */
    double mu;           /* of the proximal term, and */
    double *centre;      /* [rows] where it is 0; NULL: of a smooth loss there is none */
    double continuation; /* how many times C is too small, or mu too large; 1: no more */
    int is_direct;       /* it has not been more, */
    int has_start;       /* and w was not the dual point's at first */
    double share;        /* of C in phi_i; 1 but for a smooth loss in a continuation */
    double largest_cost;

    /* The active rows, those that are not shrunk. */
    uint32_t active;  /* how many, of all ranks, */
    uint32_t *row;    /* [active] which they are, own ones, ascending; not used while all are; */
    uint32_t first;   /* own ones are at places first .. end - 1 of arrays over them; while all */
    uint32_t end;     /* are active, these are the rows */
    double reach;     /* how far margins may move until the shrunk rows have to be examined, */
    double moved;     /* have moved since they were, */
    double last_move; /* and those of own rows did in the last step, at most */
    double *shrunk;   /* [width] the shrunk rows' part of combined, */
    double shrunk_linear;
    double shrunk_total; /* of linear and of total */

    /* The point. */
    double *w;        /* [width] the iterate */
    double *z;        /* [active] margins */
    double *alpha;    /* [rows] alpha_i(z_i) */
    double *combined; /* [width] sum alpha_i y_i x_i, */
    double *squares;  /* [width] behind it, in a team: for primal_system_give_squares */
    int with_squares; /* the evaluation under way sums these, too */
    double linear;    /* sum t_i alpha_i, */
    double total;     /* sum alpha_i */
    double *gradient; /* [width] */
    double primal;    /* P(w) */
    double minimised; /* |w|^2 / 2 + sum phi_i(z_i), if the centre is 0 and no row at its C */
    double smooth;    /* |gradient|^2 / 2 */
    double earlier;   /* that where the step before was found */
    double rough;     /* the cost of mu in the gap */
    double own_dual;  /* lowest D of alpha at an iterate, */
    double last_dual; /* and before the last step */
    uint32_t free;    /* rows of positive weight, of all ranks */
    int unbalanced;   /* sum alpha_i y_i is not its total, though the bias is free */
    struct breakpoint *points; /* [rows] for the best bias, where it has a linear term */

    /* The step. */
    double *step;     /* [width] p */
    double *change;   /* [active] of the margins along it */
    double *ahead;    /* [active] its dual point */
    double *v;        /* [width] the training's */
    double tolerance; /* of the system's solution, relative to the gradient, at most */
    double promise;   /* by how much the last step was to lower P, as the Hessian has it */
    int is_old;       /* whether it was found with the weights of the step before */
    int has_step;     /* from the present point, with its change and */
    double start;     /* - the derivative along it, and */
    double largest;   /* the largest change of own rows */

    /* Until the rules hold. */
    unsigned steps;  /* so far */
    double best;     /* lowest primal + dual so far, */
    unsigned stalls; /* and steps since it last fell by a tenth */
    double longest;  /* largest |x_i|, of a regression the root of the mean |x_i|^2, if there is the
                        rule of -e */
    double most;     /* |gradient| of LIBLINEAR's rule of its primal solvers */
};

/* The tolerance of a system's solution, but in a continuation. */
static const double COARSE = 0.3;

/* What an evaluation adds up. */
enum { VALUE, CONJUGATE, LINEAR, TOTAL, ROUGH, FREE, OUTSIDE };

static inline struct selection active_rows(const struct newton *state)
{
    return state->active < state->rows ? (struct selection){state->row, state->end}
                                       : (struct selection){NULL, state->rows};
}

/* The slack of row i at margin z. */
static inline double slack_of(const struct newton *state, uint32_t i, double z)
{
    return problem_target(state->problem, i, state->loss) - z;
}

/* The cost of row i in what the steps minimise. */
static ALWAYS_INLINE double step_cost(const struct newton *state, uint32_t i, enum loss loss)
{
    return state->problem->cost[i] * (loss_is_smooth(loss) ? state->share : 1);
}

/* Room for what some of the active rows have, where it is not in one piece. */
struct row_room {
    double cost[ROWS_AT_ONCE];
    double target[ROWS_AT_ONCE];
    double centre[ROWS_AT_ONCE];
};

/* The active rows at places first .. end - 1, ROWS_AT_ONCE at most. */
struct loss_rows newton_rows(const struct newton *state, uint32_t first, uint32_t end,
                             struct row_room *room);

/* How much of the step to take, first at t. Near the minimum is a part of the derivative at 0,
 * -start. */
double newton_length(const struct newton *state, double start, double part, double t);

/* z := z + t change */
void newton_move_margins(struct newton *state, double t);

/* Moves a free bias to its best value for the weights: sum alpha_i y_i is its total there. Its step
 * takes no data. Where it would leave no row with a loss, it is left to the steps: they would not
 * know what limits w. */
void newton_settle_bias(struct newton *state);

/* Everything that the next step and the rules need, at the present w and z of the active rows;
 * evaluations only add what changed. Keeps w and alpha if they are the best so far. */
void newton_evaluate(struct newton *state);

/* That for all rows, and with all sums formed anew. */
void newton_evaluate_all(struct newton *state);

/* Takes back the shrunk rows, and finds all z anew. */
void newton_activate_all(struct newton *state);

/* All rows having been evaluated, shrinks those that the next steps will not bring near the end of
 * their bound, if they move the margins no farther than the last. Where that is the lesser part, it
 * does not pay. A smaller mu, and a centre moved to alpha, only make the distance larger. */
void newton_shrink(struct newton *state);

/* Keeps alpha, `active` being what the active rows have instead if it is not NULL, or a multiple of
 * it, if its dual value is the lowest so far. On the ray D(t alpha) = t^2 square - t linear, for a
 * loss whose conjugate is quadratic. */
void newton_keep_dual(struct newton *state, const double *active, double dual, double linear);

/* Finds the step from the present point, unless it is known, and near the minimum keeps its dual
 * point. */
void newton_prepare_step(struct newton *state);

/* Moves w and z. Where a step goes so far that shrunk rows may become free, they are taken back. */
void newton_take_step(struct newton *state);

#endif
