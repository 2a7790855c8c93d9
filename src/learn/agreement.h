/* agreement.h - whether the ranks of a team have been asked for the same. */
#ifndef HINGE_LEARN_AGREEMENT_H
#define HINGE_LEARN_AGREEMENT_H

#include "problem/shards.h"

/* A sum of all that the ranks of a team are to have alike: of the rows' labels and numbers, not of
 * their entries, and of the parameters with what they point to. */
uint64_t agreement_sum(const struct hinge_dataset *data, const struct hinge_parameters *parameters);

/* The team of the parameters, for the data; *team is NULL where they have none. Fails, on all
 * ranks, where these have different data, parameters, folds or values of C (NULL: none), or rows of
 * each other. */
enum hinge_status agreement_find(const struct hinge_dataset *data,
                                 const struct hinge_parameters *parameters, size_t folds,
                                 const double *C, size_t count, struct team **team,
                                 struct hinge_error *error);

#endif
