/* agreement.h - checks that all ranks of a team make the same call. */
#ifndef HINGE_LEARN_AGREEMENT_H
#define HINGE_LEARN_AGREEMENT_H

#include "problem/shards.h"

/* Returns a hash of what all ranks must have in common: sizes and labels of the data, without the
 * entries, and the parameters with the arrays that they point to. */
uint64_t agreement_sum(const struct hinge_dataset *data, const struct hinge_parameters *parameters);

/* Sets *team to the team of the parameters, for the data; NULL if they have none. Fails on all
 * ranks if two of them have different data, parameters, folds or C[count] (or NULL), or if a rank
 * has entries of rows that are not its own. Free with team_free. */
enum hinge_status agreement_find(const struct hinge_dataset *data,
                                 const struct hinge_parameters *parameters, size_t folds,
                                 const double *C, size_t count, struct team **team,
                                 struct hinge_error *error);

#endif
