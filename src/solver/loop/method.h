/* method.h - a method is a step towards the optimum; the driver takes the steps.
 *
 * A method never prints, never asks a monitor and never looks at a clock. It does not know which
 * method steps before or after it. It improves the training's point until the driver stops it.
 */
#ifndef HINGE_SOLVER_LOOP_METHOD_H
#define HINGE_SOLVER_LOOP_METHOD_H

#include "base/memory.h"
#include "base/stop.h"
#include "problem/objective.h"
#include "solver/loop/solver.h"

/* State of v = sum alpha_i y_i x_i, and of w where w is that sum. */
enum sums {
    SUMS_UPDATED,    /* changed since it was formed: has the rounding of steps */
    SUMS_FRESH,      /* formed anew since the last step */
    SUMS_FROM_METHOD /* formed anew by the method, see training_take_measure */
};

/* A primal and a dual point, and what is known about them. */
struct point {
    double *w;     /* [width] */
    double *alpha; /* [problem_duals] */
    double *v;     /* [width] sum alpha_i y_i x_i; NULL: w is that sum */
    double primal; /* P(w); infinite: unknown */
    double dual;   /* D(alpha) */
    enum sums sums;
    int is_formed; /* w is the point of v, and dual is D(alpha), up to rounding */
};

/* One training: the point that methods share and hand over to each other. */
struct training {
    const struct task *task;
    const struct problem *problem; /* the task's problem, or the multiplier's */
    const struct hinge_parameters *parameters;
    uint32_t rows;
    size_t width;
    uint64_t most_passes; /* most passes of the training; UINT64_MAX: no limit */

    struct point point; /* best w and best alpha, which methods share. Where R has both norms, v is
                           never NULL, and is_formed tells whether w = soft(v, l1). A method that
                           keeps w apart may lend its own memory for v. */
    struct point best;  /* point with a lower P, from which passes could not start; w NULL: none.
                           alpha is NULL until the last passes, for which alpha and dual are set */
    uint64_t alpha_version; /* number of steps of other methods that changed alpha between passes */
    double distance; /* log of the factor by which the gap, or the violation, exceeded its bound at
                        the last estimate */
    double spent;    /* cost of the steps so far, in the unit of cost.h */
    double eps; /* bound of LIBLINEAR's dual rule: on the largest violation; for regression, on the
                   mean violation; 0: no such rule, or no violation at alpha = 0 */
    double at_zero;        /* |gradient of P| at w = 0; 0: unknown */
    double primal_at_zero; /* P(0) */
    double mu; /* last weight of the proximal term of Newton's method; 0: the method chooses one */
    const double *start; /* [width] w that the next method starts from, and then sets to NULL; NULL:
                            training.point.w */

    struct multiplier *multiplier; /* multiplier of passes with a free bias; NULL: no such passes */

    uint64_t rounds; /* rounds of the team when the training began */
    uint64_t sent;   /* bytes the team had sent when the training began */

    int no_memory;       /* 1: the method that stalled lacked memory; 0: it lacked precision */
    int best_is_rounded; /* rounding errors have kept best.w and alpha from being certified */

    struct shards shards; /* for sums of [width] vectors */
    struct hinge_progress progress;

    /* Trains a part of this training by one method to that relative gap; most_passes 0: no limit.
     * If the monitors of the whole training stop it, it returns its best point so far. The solver,
     * the parameters and the monitors of the part's task are not read. */
    enum hinge_status (*train_part)(const struct training *whole, struct task part,
                                    enum first_method method, double gap, uint64_t most_passes,
                                    double *mu, struct hinge_result *result,
                                    struct hinge_error *error);
};

/* A method's verdict on its last step. */
enum verdict {
    GOES_ON,
    MET,      /* the rules hold: relative_gap for the measured gap, eps for w and alpha */
    FINISHED, /* all steps are taken, by a method without a certificate */
    DONE,     /* the point is near the optimum; the method cannot check the remaining rule */
    STALLED   /* rounding allows no further progress */
};

struct method {
    const char *name; /* in records; NULL: passes have no name; "": the loss decides */

    size_t size; /* bytes of the state */

    /* Takes all arrays that the state needs from the arena. */
    void (*lay_out)(void *state, struct arena *arena, const struct training *training);

    /* Sets up the state at the training's point. Fields that lay_out did not set are 0, and so are
     * the arrays except those after arena_leave_rest. HINGE_NO_MEMORY leaves the point unchanged.
     */
    enum hinge_status (*begin)(void *state, struct training *training, struct hinge_error *error);

    /* Takes one step, which costs at most a few passes over the rows, and counts it in the progress
     * of the training. */
    void (*step)(void *state);

    /* Judges the point after begin and after each step. */
    enum verdict (*met)(void *state);

    /* Measures the point that would be returned now, without an effect on the steps. NULL:
     * training_measure. */
    void (*measure)(void *state);

    /* Returns the cost of finishing by this method from the training's point, in the unit of
     * cost.h. NULL: the policy does not ask. */
    double (*price)(const struct training *training);

    /* Frees resources beyond the arena. The training already has the best point. May be NULL. */
    void (*end)(void *state);
};

extern const struct method coordinate_descent, dual_newton, elastic_net, newton, sequential_dual,
    class_newton, interior_point, smo, proximal_newton, sgd, proximal;

/* Return the price of each method from the training's point until its distance is 0 (forecast.c).
 */
double cost_of_newton(const struct training *training);
double cost_of_class_newton(const struct training *training);
double cost_of_dual_newton(const struct training *training);

/* ---- Where Newton's method starts: at the solution for a sixteenth of the rows ---- */

/* True if Newton's method is likely to end before coordinate descent, both from alpha = 0: the rows
 * have a part to start at, and C is not small. */
int subsample_pays(const struct training *training);

/* Minimises the problem of a part of the rows, if the part is large enough to have nearly the same
 * solution and the training is far from that solution. Returns w[width] of the part, which the
 * caller frees, and sets *mu to the mu to continue with; NULL if there is no such part. */
double *subsample_solve(const struct training *training, double *mu);

/* ---- Services of a training for its methods ------------------------------ */

/* Returns the workspace's system of the training's problem; NULL and *error: no memory. */
struct primal_system *training_system(struct training *training, struct hinge_error *error);

/* Returns the monitors' answer to the progress. If between, only the monitors with HINGE_BETWEEN
 * are asked. In a team, all ranks get the answer of the first rank's monitors. */
enum hinge_answer training_ask(const struct training *training, int between);

/* training_ask without a team: returns the answer of this process's own monitors. */
enum hinge_answer training_tell(const struct training *training, int between);

/* Returns the question that a long step asks now and then: does a monitor with HINGE_BETWEEN say
 * stop? */
struct stop training_stop(const struct training *training);

/* Fills in monitor[2] for a training of a part. Both ask the monitors of the whole about the whole,
 * so that the monitors of the whole can stop the part. */
void training_watch_part(const struct training *whole, struct hinge_monitor *monitor);

/* Notes that a step has changed the point. */
static inline void training_moved(struct training *training)
{
    training->progress.measured = 0;
    training->point.sums = SUMS_UPDATED;
}

/* Counts a step of a second-order method, which changes the point. */
static inline void training_count_step(struct training *training)
{
    training->progress.passes++;
    training->progress.steps++;
    training_moved(training);
}

/* True if a gap is below 0.9 of the best so far. It then becomes the best. A best gap that has
 * rounded to 0 or less cannot fall. */
static inline int gap_falls(double gap, double *best)
{
    if (*best > 0 && gap < 0.9 * *best) {
        *best = gap;
        return 1;
    }
    return 0;
}

/* w := sum alpha_i y_i x_i, dual := D(alpha); P becomes unknown. */
void training_form(struct training *training);

/* Copies w to training.best before another method steps, if w is not the sum and has the lowest P
 * so far. Without memory, there is no copy. */
void training_keep_best(struct training *training);

/* Copies alpha to training.best, too, if it has the lowest measured D so far. Without memory, there
 * is no copy. */
void training_keep_best_dual(struct training *training);

/* True if the gap between the lowest P that training_keep_best has kept and D of the training's
 * alpha is at most target. The point with that P then becomes the training's, with alpha. Not with
 * a multiplier. */
int training_best_is_certified(struct training *training, double target);

/* v := sum alpha_i y_i x_i; returns D(alpha). Not with a multiplier, whose origin it leaves out of
 * D. */
double training_dual_at(const struct training *training, const double *alpha, double *v);

/* Measures P, D and their gap over all rows from w and alpha alone, and notes them in the progress.
 * If the sums are fresh and the gap is a certificate, the progress has the bounds of certificate.h.
 */
void training_measure(struct training *training);

/* Does what training_measure does, and leaves the margins of w in z[rows], which may be NULL and
 * must be NULL with classes. */
void training_measure_margins(struct training *training, double *z);

/* Takes a measurement from a method that has itself formed all sums by shards, for the present w
 * and alpha: P from new margins, D of alpha before alpha is scaled into the domain of R*, and the
 * training's v. */
void training_take_measure(struct training *training, double primal, double dual);

/* Does what training_measure does, with fresh sums: if w is sum alpha_i y_i x_i, first forms w
 * anew, free of the rounding of the steps. Does nothing if the measured point was fresh and z is
 * NULL. Leaves the margins of w in z[rows]; z must be NULL with classes and with a multiplier. */
void training_certify(struct training *training, double *z);

/* v := sum alpha_i y_i x_i; if R has no square, scales alpha and v so that v is in the domain of
 * R*. */
void training_form_feasible(const struct training *training, double *alpha, double *v);

/* True if parameters.relative_gap is 0, or at least the measured gap. Measures if necessary. */
int training_gap_is_met(struct training *training);

/* True if parameters.relative_gap is 0, or at least the gap of P and D as the steps know them. With
 * a small C the gap can already be met at w = 0. That model predicts nothing, so at least one step
 * is taken, except if the square of the gradient is 0 or LIBLINEAR's rule is asked for. */
int training_may_end(const struct training *training, double square);

/* True if a primal rule of -e alone has chosen w, and D is not low enough to certify it. One more
 * step that leaves w as it is then gives a far better dual point. (a9a, -s 2 -e 0.01: the gap is
 * 7.4e-3 without it, 2.7e-6 with it.) */
int training_needs_dual(const struct training *training);

/* Notes a measurement of the training's point. */
void training_note(struct training *training, const struct objective *objective);

/* True if w has the lowest P so far. It is then copied to the training. */
int training_keep_primal(struct training *training, const double *w, double primal);

/* True if a dual value is the lowest so far; the caller then writes its point to alpha. */
int training_keeps_dual(struct training *training, double dual);

/* Copies the training's point, with its values, before another one is tried. */
void training_hold(const struct training *training, struct point *held);

/* Restores a held point. */
void training_put_back(struct training *training, const struct point *held);

/* True if LIBLINEAR's rule for its dual solvers holds at a point: no violation is above eps or
 * below -eps, and the largest minus the smallest is at most eps. With a free bias, the first two
 * bounds are eps/2 (LIBSVM). For regression, only the mean |violation| must be at most eps. */
int training_keeps_rule(struct training *training, const struct problem *problem, const double *w,
                        const double *alpha);

/* True if the rule of training_keeps_rule holds for alpha, sum alpha_i y_i x_i and the free bias of
 * w. Alpha and that sum then become the training's point, and are measured. Overwrites point.v and
 * z[rows], room for margins; z is NULL with classes. */
int training_dual_rule(struct training *training, const double *alpha, const double *w, double *z);

/* True if the rule of training_keeps_rule holds for the settled point of passes with a free bias.
 */
int training_settled_rule(struct training *training);

/* True if the training has LIBLINEAR's rule for its primal solvers, with the eps of -e:
 * |grad P(w)| <= eps max(min(#pos, #neg), 1)/m |grad P(0)|; for regression, |grad P(w)| <= eps
 * |grad P(0)|. */
int primal_rule_is_asked(const struct training *training);

/* Returns the number of rows with the rarer sign, at least 1. */
double primal_rule_fewer(const struct problem *problem);

/* Returns the primal rule's bound on |grad P(w)|. The first call takes a pass over the rows, and
 * overwrites room[width]. */
double primal_rule_most(struct training *training, double *room);

/* True if the w that would be returned, with a multiplier the settled w, keeps the primal rule.
 * Takes a pass over the rows. False also without memory for a gradient. */
int primal_rule_holds(struct training *training);

/* Chooses the point to be returned. Its P is no higher than at training.best or w = 0. Replaces its
 * measured values by bounds, also without a certificate. */
void training_return_best(struct training *training);

/* Returns a progress of the training with P, gap and w of the point that would be returned now. Its
 * w is NULL if that point is 0. */
struct hinge_progress training_returned(const struct training *training,
                                        const struct hinge_progress *progress);

#endif
