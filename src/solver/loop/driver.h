/* driver.h - the one loop: ask the monitors, step, check, measure, stop. */
#ifndef HINGE_SOLVER_LOOP_DRIVER_H
#define HINGE_SOLVER_LOOP_DRIVER_H

#include "solver/loop/method.h"

/* solver_train without regard to two classes; *mu becomes the training's mu at its end. */
enum hinge_status driver_train(const struct task *task, double *mu, struct hinge_result *result,
                               struct hinge_error *error);

/* training.train_part. A method calls it by that pointer, because the driver knows the methods. */
enum hinge_status driver_train_part(const struct training *whole, struct task part,
                                    enum first_method method, double gap, uint64_t most_passes,
                                    double *mu, struct hinge_result *result,
                                    struct hinge_error *error);

#endif
