/* held_out.h - probabilities of rows that were left out of the trainings. */
#ifndef HINGE_LEARN_HELD_OUT_H
#define HINGE_LEARN_HELD_OUT_H

#include "learn/path.h"

/* Fills validation->probability from the decision values, if the solver has probabilities or the
 * parameters ask for some. row[validation->predictions->rows] are the numbers of the rows in the
 * data. */
enum hinge_status held_out_probabilities(const struct path *path, const uint32_t *row,
                                         struct hinge_validation *validation,
                                         struct hinge_error *error);

#endif
