/* method.h - a method is a step towards the optimum; the driver takes the steps.
 *
 * A method never prints, never asks a monitor, never looks at a clock and does not know which
 * method came before it or comes next: it improves the training's point until the driver stops it.
 */
#ifndef HINGE_SOLVER_LOOP_METHOD_H
#define HINGE_SOLVER_LOOP_METHOD_H

#include "base/memory.h"
#include "base/stop.h"
#include "problem/objective.h"
#include "solver/loop/solver.h"

/* One training: what the methods share, and hand over to each other by leaving it as it is. */
struct training {
    const struct task *task;
    const struct problem *problem; /* the task's, but see multiplier.h */
    const struct hinge_parameters *parameters;
    uint32_t rows;
    size_t width;
    uint64_t most_passes; /* stop at so many, UINT64_MAX: no limit */

    double *w;     /* [width] the best primal point */
    double *alpha; /* [problem_duals] the best dual point */
    double *v;     /* [width] sum alpha_i y_i x_i. NULL: w is that sum. Where R has both norms it is
                      never NULL, and as is_formed says; else of a method that keeps w apart, room
                      for it */
    double primal; /* P(w); infinite: not known */
    double *best_w;  /* [width] a better w that passes could not start from; NULL: there is none, */
    double best;     /* and its P */
    double dual;     /* D(alpha) */
    int is_formed;   /* w is that sum, and dual D(alpha), but for rounding */
    int is_fresh;    /* w, or v, was formed anew since the last step */
    int is_taken;    /* what was measured last came by training_take_measure, of the method's w */
    uint64_t moves;  /* how often steps between passes of coordinate descent changed alpha */
    double distance; /* logarithm of how many times too large the gap, or the violation, was at the
                        last estimate */
    double spent;    /* what the steps have cost, in the unit of cost.h */
    double eps;      /* of LIBLINEAR's rule of its dual solvers: the largest violation, of a
                        regression the mean one; 0: not a rule, or no row violates anything */
    double at_zero;  /* |gradient of P| at w = 0; 0: not known */
    double mu;       /* of Newton's method: the last weight of the proximal term; 0: it chooses */
    const double *start; /* [width] w that the next method starts from, and sets to NULL; NULL:
                            training.w */

    struct multiplier *multiplier; /* of passes with a free bias; NULL: none are at work */

    uint64_t rounds; /* of the team, and bytes sent, when the training began */
    uint64_t sent;

    int no_memory; /* what a method that stalled was in want of; else that was precision */

    struct shards shards; /* of sums of [width] vectors */
    struct hinge_progress progress;
};

/* How a method judges its last step. */
enum verdict {
    GOES_ON,
    MET,      /* the rules hold: of parameters.gap for what was measured, of eps for w and alpha */
    FINISHED, /* all steps taken, by a method without a certificate */
    DONE,     /* it is near the optimum, and knows nothing of the rule that is left */
    STALLED   /* double precision gives no further progress */
};

struct method {
    const char *name; /* in records; NULL: passes are not named, "": solver_newton */

    size_t size; /* of its state */

    /* Takes all arrays that the state needs from the arena. */
    void (*lay_out)(void *state, struct arena *arena, const struct training *training);

    /* Sets up the state at the training's point; all its other fields are 0, and so are its arrays
     * but those after arena_leave_rest. May fail with HINGE_NO_MEMORY, and then leaves the point as
     * it was. */
    enum hinge_status (*begin)(void *state, struct training *training, struct hinge_error *error);

    /* One step, a small multiple of a pass over the rows at most: counts itself in the training's
     * progress. */
    void (*step)(void *state);

    /* After begin and after each step. */
    enum verdict (*met)(void *state);

    /* Measures what would be returned now, changing nothing that the steps depend on. NULL:
     * training_measure. */
    void (*measure)(void *state);

    /* What finishing by this method from the training's point would cost, in the unit of cost.h.
     * NULL: nobody asks. */
    double (*price)(const struct training *training);

    /* Gives up what begin took, if that is more than the arena's memory; the training's point is
     * the best one. May be NULL. */
    void (*end)(void *state);
};

extern const struct method coordinate_descent, dual_newton, elastic_net, newton, softmax,
    sequential_dual, class_newton, interior_point, interior_curved, smo, proximal_newton, sgd,
    proximal;

/* ---- What methods ask of a training ------------------------------------- */

/* workspace_system of its problem. */
struct primal_system *training_system(struct training *training, struct hinge_error *error);

/* The monitors' answer to the training's progress; between: of those that are asked between
 * checkpoints, too. */
enum hinge_answer training_ask(const struct training *training, int between);

/* For what takes long in a step: whether a monitor that is asked between checkpoints, too, says
 * stop. */
struct stop training_stop(const struct training *training);

/* The monitor[2] of a training that is a part of another: those of the whole are asked about the
 * whole, so that they can stop the part. */
void training_watch_part(const struct training *whole, struct hinge_monitor *monitor);

/* A step has changed the point. */
static inline void training_moved(struct training *training)
{
    training->progress.measured = training->is_fresh = training->is_taken = 0;
}

/* Counts a step of a second-order method, which changes the point. */
static inline void training_count_step(struct training *training)
{
    training->progress.passes++;
    training->progress.steps++;
    training_moved(training);
}

/* Whether a gap is lower than the best so far by a tenth, and then that is the best. One that has
 * rounded to 0 or less cannot fall any further. */
static inline int gap_falls(double gap, double *best)
{
    if (*best > 0 && gap < 0.9 * *best) {
        *best = gap;
        return 1;
    }
    return 0;
}

/* w := sum alpha_i y_i x_i, dual := D(alpha); P is not known. */
void training_form(struct training *training);

/* Keeps a copy of w, where it is not that sum and its P is the lowest so far: another method is to
 * step. No memory, no copy. */
void training_keep_best(struct training *training);

/* The end of a method that had w apart from that sum. */
static inline void training_leave(struct training *training)
{
    training->v = NULL;
    training->is_formed = training->is_fresh = 0;
}

/* v := sum alpha_i y_i x_i, without a multiplier or an l1 term; D(alpha). */
double training_dual_at(const struct training *training, const double *alpha, double *v);

/* P, D and their gap, of w and alpha alone, over all rows; noted in the progress. Where that gap is
 * a certificate, w or v being fresh, the progress has the bounds of certificate.h. */
void training_measure(struct training *training);

/* The same, with the margins of w left in z[rows]; not with classes. */
void training_measure_margins(struct training *training, double *z);

/* The same, of a method that has made the sums itself, in the shards, since w and alpha became what
 * they are: P of margins formed anew, D of alpha before it is scaled into the domain of R*, and the
 * training's v. */
void training_take_measure(struct training *training, double primal, double dual);

/* training_measure; where w is to be sum alpha_i y_i x_i it is formed anew, free of the rounding of
 * the steps. What was measured so needs no more. The margins of w are left in z[rows]; NULL: they
 * are not wanted, as with classes and with a multiplier. */
void training_certify(struct training *training, double *z);

/* v := sum alpha_i y_i x_i; where R has no square, alpha and v are divided by what puts v into the
 * domain of R*. */
void training_form_feasible(const struct training *training, double *alpha, double *v);

/* The rule of the gap, if there is one: whether P and D as the steps know them keep it, and whether
 * they do when they are measured. */
int training_gap_is_near(const struct training *training);
int training_gap_is_met(struct training *training);

/* The first of these, of a method that may begin at w = 0. There the training does not end, unless
 * the gradient, whose square is given, is 0, or LIBLINEAR's rule is asked for: at a small C w = 0
 * has the gap, but no direction, which signs, ranks and scores depend on. A step finds one. */
int training_may_end(const struct training *training, double square);

/* Notes what was measured of the training's point. */
void training_note(struct training *training, const struct objective *objective);

/* w becomes the training's if its P is the lowest so far; whether it did. */
int training_keep_primal(struct training *training, const double *w, double primal);

/* Whether a dual value is the lowest so far; then the caller writes its point to alpha. */
int training_keeps_dual(struct training *training, double dual);

/* The training's point, while another one is tried in its place. */
struct held_point {
    double *w, *alpha; /* as long as the training's */
    double primal, dual;
};

void training_hold(const struct training *training, struct held_point *held);
void training_put_back(struct training *training, const struct held_point *held);

/* LIBLINEAR's rule of its dual solvers at a point: the largest violation and minus the smallest,
 * and their difference, are at most eps; with a free bias each at most eps/2, which is LIBSVM's; of
 * a regression the mean violation is. */
int training_keeps_rule(struct training *training, const struct problem *problem, const double *w,
                        const double *alpha);

/* That rule for alpha, with the free bias of w. Where it holds, alpha and sum alpha_i y_i x_i
 * become the training's, and are measured. v is overwritten in any case, and so is z[rows], room
 * for margins; NULL with classes. */
int training_dual_rule(struct training *training, const double *alpha, const double *w, double *z);

/* Whether that rule holds for what passes with a free bias would return. */
int training_settled_rule(struct training *training);

/* What the driver ends with: the bounds of a measured point that is not certified, too; and no
 * point worse than the best there was, or than w = 0, alpha = 0. */
void training_return_best(struct training *training);

/* As training_ask, of this process alone: it has no answer but that of its own monitors. */
enum hinge_answer training_tell(const struct training *training, int between);

#endif
