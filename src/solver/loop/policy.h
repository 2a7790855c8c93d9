/* policy.h - which method takes the next step. */
#ifndef HINGE_SOLVER_LOOP_POLICY_H
#define HINGE_SOLVER_LOOP_POLICY_H

#include "solver/loop/cost.h"
#include "solver/loop/run.h"

enum phase {
    PHASE_BEGIN,
    PHASE_ALONE,      /* the solver's method, which nothing takes over from */
    PHASE_PASSES,     /* coordinate descent */
    PHASE_FREE_ROWS,  /* passes, and Newton steps on the free rows between them */
    PHASE_NEWTON,     /* Newton's method on the primal */
    PHASE_INTERIOR,   /* the interior-point method */
    PHASE_LAST_PASSES /* passes again, after every other method has failed */
};

/* All zero is the beginning. */
struct policy {
    enum phase phase;
    struct trend trend;  /* of the passes */
    enum phase next;     /* what would take over from the passes, */
    double price;        /* and what it would cost */
    double limit;        /* most that steps on the free rows may cost */
    double step_price;   /* cost of the last such step */
    double steps_spent;  /* cost of all of them */
    double passes_spent; /* cost of the passes since the last one */
    uint64_t last_step;  /* passes so far when it was taken */
    double spent;        /* the training's cost before the step under way */
    uint64_t last_pass;  /* PHASE_LAST_PASSES ends with this pass; 0: it has no such limit */
    const char *failure; /* why the last method that could not go on could not */
    double *start;       /* of Newton's method, where it starts at the solution of a part */
};

/* The method to take the next step, which has been begun; last and verdict tell how the step before
 * ended (NULL, GOES_ON: there was none). NULL: no method can go on; if there was no step, *error.
 */
const struct method *policy_next(struct policy *policy, struct run *run, const struct method *last,
                                 enum verdict verdict, struct hinge_error *error);

void policy_end(struct policy *policy);

#endif
