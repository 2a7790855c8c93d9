/* policy.h - chooses the method that takes the next step. */
#ifndef HINGE_SOLVER_LOOP_POLICY_H
#define HINGE_SOLVER_LOOP_POLICY_H

#include "solver/loop/forecast.h"
#include "solver/loop/run.h"

enum phase {
    PHASE_BEGIN,
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
    double price;        /* price of that phase */
    double limit;        /* steps on the free rows may cost so much in total */
    double step_price;   /* price of the last step on the free rows */
    double steps_spent;  /* cost of all steps on the free rows */
    double passes_spent; /* cost of the passes since the last step on the free rows */
    uint64_t last_step;  /* passes so far at the last step on the free rows */
    double spent;        /* the training's cost before the current step */
    uint64_t last_pass;  /* PHASE_LAST_PASSES ends with this pass; 0: no limit */
    const char *failure; /* reason why the last method could not continue; NULL: none failed */
    double *start;       /* [width] solution for a part of the rows; NULL: none */
};

/* Returns the method for the next step, which has begun. last and verdict tell how the step before
 * ended; NULL and GOES_ON: there was none. Returns NULL if no method can continue, with *error if
 * there was no step. */
const struct method *policy_next(struct policy *policy, struct run *run, const struct method *last,
                                 enum verdict verdict, struct hinge_error *error);

void policy_end(struct policy *policy);

#endif
