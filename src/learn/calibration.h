/* calibration.h - Platt's sigmoid: decision values -> probabilities. */
#ifndef HINGE_LEARN_CALIBRATION_H
#define HINGE_LEARN_CALIBRATION_H

#include "learn/path.h"

/* Fits p(f) = 1/(1 + exp(A f + B)) to the decision values of rows, value[rows], whose sign[rows] is
 * +1 or -1, and which count weight[rows] times (NULL: once). sigmoid[0] is A and sigmoid[1] is B,
 * both finite. Of values that are all the same A is 0. An infinite value counts as the largest
 * double, NaN as 0. */
void sigmoid_fit(size_t rows, const double *value, const signed char *sign, const double *weight,
                 double *sigmoid);

/* What fits sigmoids to models of a path. */
struct calibrator;

/* Deals the path's rows into 5 folds, or as many as there are rows, or groups of rows, that do not
 * weigh 0, and allocates what is needed: 8 bytes for each row and column, and 25 for each row. NULL
 * on failure. path_begin has been called for the path, which must last; free with calibrator_free.
 */
struct calibrator *calibrator_new(const struct path *path, struct hinge_error *error);
void calibrator_free(struct calibrator *calibrator);

/* Trains without each fold at C, and gives the model its sigmoids. If a monitor stops that, the
 * model gets none, and is marked. */
enum hinge_status calibrator_fit(struct calibrator *calibrator, double C, struct hinge_model *model,
                                 struct hinge_error *error);

/* Fills validation->probability from the decision values, if the solver has probabilities or the
 * parameters ask for some. row[validation->predictions->rows] are the numbers of the rows in the
 * data. */
enum hinge_status held_out_probabilities(const struct path *path, const uint32_t *row,
                                         struct hinge_validation *validation,
                                         struct hinge_error *error);

#endif
