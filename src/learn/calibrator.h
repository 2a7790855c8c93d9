/* calibrator.h - probabilities of a model, from trainings that leave rows out. */
#ifndef HINGE_LEARN_CALIBRATOR_H
#define HINGE_LEARN_CALIBRATOR_H

#include "learn/path.h"

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

#endif
