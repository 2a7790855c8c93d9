/* loop.h - the parts of the loop: what methods would cost (forecast.c), the methods at work and
 * which one steps next (policy.c), and the loop (driver.c): ask the monitors, step, check, measure,
 * stop.
 */
#ifndef HINGE_SOLVER_LOOP_LOOP_H
#define HINGE_SOLVER_LOOP_LOOP_H

#include "solver/loop/method.h"

/* ---- The methods at work ------------------------------------------------- */

/* A method at work. */
struct worker {
    const struct method *method; /* NULL: the worker is idle */
    void *state;                 /* the method's state */
    void *block;                 /* memory of the state's arrays */
    size_t size;                 /* bytes of the block */
    int is_new;                  /* the method has not stepped yet */
};

/* At most two methods are at work: passes, and steps on the free rows between them. */
struct run {
    struct training training;
    struct worker worker[2];
    double *v; /* [width] storage of training.point.v where R has both norms; else NULL */
};

/* Returns the worker that has the method, NULL if no worker has. With the method NULL, returns an
 * idle worker. */
struct worker *run_worker(struct run *run, const struct method *method);

/* Measures the point that the training would return if the method, at work or ended, were its last.
 * Ends a multiplier. */
void run_certify(struct run *run, const struct method *method);

/* Ends the methods at work. */
void run_end_methods(struct run *run);

/* ---- Forecasts ----------------------------------------------------------- */

/* Returns the price of the interior-point method with a factor, from any point. */
double cost_of_interior_point(const struct training *training);

/* The state of a training after some passes. */
struct trend_mark {
    double passes;   /* passes so far */
    double distance; /* see struct training */
    double spent;    /* cost of the training so far */
};

/* The fall of the distance with the passes, which predicts how many passes are to come. */
struct trend {
    struct trend_mark last;  /* state after the last pass */
    struct trend_mark mark;  /* state when the number of passes last was a power of 2 */
    struct trend_mark older; /* state at the power of 2 before the mark */
    double next_mark;        /* passes at which the next mark is set */
};

/* Notes a pass. Returns 1 if it set a mark: it is then time to ask for the prices of other
 * methods. */
int trend_note(struct trend *trend, const struct training *training);

/* Returns how many passes are to come. The distance has fallen at some rate over the last half of
 * the passes or more. The optimistic forecast keeps that rate. The other forecast lets the rate
 * fall as 1/sqrt(passes). */
double trend_passes(const struct trend *trend, int optimistic);

/* Returns the price of this number of passes, by the price of the passes since the older mark. */
double trend_price(const struct trend *trend, double passes);

/* Returns the factor, at least 1, by which another method must be cheaper than the passes. The
 * factor falls with the cost spent so far and is 1 once a fifth of the other method's price is
 * spent. */
double trend_doubt(const struct trend *trend, double price);

/* ---- The policy ---------------------------------------------------------- */

enum phase {
    PHASE_BEGIN,      /* no method has begun */
    PHASE_ALONE,      /* the solver's method takes all steps */
    PHASE_PROXIMAL,   /* proximal Newton steps, then perhaps the interior-point method */
    PHASE_PASSES,     /* coordinate descent, or pair steps */
    PHASE_FREE_ROWS,  /* passes, and Newton steps on the free rows between them */
    PHASE_NEWTON,     /* Newton's method on the primal */
    PHASE_INTERIOR,   /* the interior-point method */
    PHASE_LAST_PASSES /* passes again, after every other method has failed */
};

/* All zero at the beginning. */
struct policy {
    enum phase phase;
    struct trend trend;  /* fall of the distance by the passes */
    enum phase next;     /* phase that would take over from the passes */
    double price;        /* price of the phase that would take over */
    double limit;        /* most that steps on the free rows may cost in total */
    double step_price;   /* price of the last step on the free rows */
    double steps_spent;  /* cost of all steps on the free rows */
    double passes_spent; /* cost of the passes since the last step on the free rows */
    uint64_t last_step;  /* passes so far at the last step on the free rows */
    double spent;        /* the training's cost before the current step */
    uint64_t last_pass;  /* PHASE_LAST_PASSES ends with this pass; 0: no limit */
    const char *failure; /* reason why the last method could not continue; NULL: none failed */
    double *start;       /* [width] solution for a part of the rows; NULL: none. The driver frees
                            it. */

    /* The training's parameters if it goes on without LIBLINEAR's rule. */
    struct hinge_parameters without_rule;
};

/* Returns the method for the next step, which has begun. last and verdict tell how the previous
 * step ended; NULL and GOES_ON: there was none. Returns NULL if no method can continue, with *error
 * if there was no step. */
const struct method *policy_next(struct policy *policy, struct run *run, const struct method *last,
                                 enum verdict verdict, struct hinge_error *error);

/* ---- The loop ------------------------------------------------------------ */

/* Trains two classes of a joint solver as one problem of signs. See solver_train. */
enum hinge_status joint_as_binary_train(const struct task *task, struct hinge_result *result,
                                        struct hinge_error *error);

/* Trains a part, see training.train_part. A method calls it by that pointer, because the driver
 * depends on the methods. */
enum hinge_status driver_train_part(const struct training *whole, struct task part,
                                    enum first_method method, double gap, uint64_t most_passes,
                                    double *mu, struct hinge_result *result,
                                    struct hinge_error *error);

#endif
