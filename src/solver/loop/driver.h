/* driver.h - the one loop: ask the monitors, step, check, measure, stop. */
#ifndef HINGE_SOLVER_LOOP_DRIVER_H
#define HINGE_SOLVER_LOOP_DRIVER_H

#include "solver/loop/method.h"

/* A method that is at work, and its state. Two are at a time: passes, and steps between them. */
struct worker {
    const struct method *method; /* NULL: none */
    void *state;                 /* its state, */
    void *block;                 /* the memory of its arrays, */
    size_t size;                 /* and how many bytes that is */
    int fresh;                   /* it has not taken a step yet */
};

struct driver {
    struct training training;
    struct worker worker[2];
    double *v; /* [width] the training's, where R has both norms */
};

/* Allocates a method's memory and begins it. HINGE_NO_MEMORY leaves the point as it was. */
enum hinge_status driver_begin(struct driver *driver, const struct method *method,
                               struct hinge_error *error);

/* Measures what would be returned if that method, which is or was at work, were the last. */
void driver_certify(struct driver *driver, const struct method *method);

/* Ends the methods that are at work. */
void driver_end(struct driver *driver);

/* solver_train; *mu is the training's at the end. */
enum hinge_status driver_train(const struct task *task, double *mu, struct hinge_result *result,
                               struct hinge_error *error);

/* Trains a part of another training by one method, to that gap; most_passes 0: no limit. If the
 * monitors of the whole training stop it, the point is as good as it got. The solver, parameters
 * and monitors of the part's task are not read. */
enum hinge_status driver_train_part(const struct training *whole, struct task part,
                                    enum first_method method, double gap, uint64_t most_passes,
                                    double *mu, struct hinge_result *result,
                                    struct hinge_error *error);

#endif
