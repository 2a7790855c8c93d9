/* calibration.h - decision values -> probabilities, by Platt's sigmoid. */
#ifndef HINGE_LEARN_CALIBRATION_H
#define HINGE_LEARN_CALIBRATION_H

#include "learn/folds.h"

/* Fits p(f) = 1/(1 + exp(A f + B)) to the decision values value[rows] of rows with sign[rows], +1
 * or -1, and weight[rows]; NULL: all weigh 1. Sets sigmoid[0] = A and sigmoid[1] = B, both finite.
 * If all values are equal, A is 0. An infinite value counts as the largest double, NaN as 0. */
void sigmoid_fit(size_t rows, const double *value, const signed char *sign, const double *weight,
                 double *sigmoid);

/* Fits sigmoids to the models of a path. */
struct calibrator;

/* Deals the rows that do not weigh 0 into 5 folds, fewer if there are fewer rows or groups, and
 * allocates 8 bytes per row and column and 25 per row. path_begin must have been called for the
 * path, which must last. NULL on failure. Free with calibrator_free. */
struct calibrator *calibrator_new(const struct path *path, struct hinge_error *error);
void calibrator_free(struct calibrator *calibrator);

/* Trains without each fold at C and gives the model its sigmoids. If a monitor stops that, the
 * model gets no sigmoids and is marked as uncalibrated. */
enum hinge_status calibrator_fit(struct calibrator *calibrator, double C, struct hinge_model *model,
                                 struct hinge_error *error);

/* Fills validation->probability from its decision values, if the solver has probabilities or the
 * parameters ask for them. A class that the model of a fold does not have gets 0 there. */
enum hinge_status held_out_probabilities(const struct folds *folds,
                                         struct hinge_validation *validation,
                                         struct hinge_error *error);

#endif
