/* run.h - a training under way: its point and the methods at work. */
#ifndef HINGE_SOLVER_LOOP_RUN_H
#define HINGE_SOLVER_LOOP_RUN_H

#include "solver/loop/method.h"

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

/* Allocates a method's memory and begins the method. HINGE_NO_MEMORY leaves the point unchanged. */
enum hinge_status run_begin_method(struct run *run, const struct method *method,
                                   struct hinge_error *error);

/* Measures the point that the training would return if the method, at work or ended, were its last.
 */
void run_certify(struct run *run, const struct method *method);

/* Ends the methods at work. */
void run_end_methods(struct run *run);

#endif
