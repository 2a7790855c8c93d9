/* transpose.h - some rows of a dataset, by features. */
#ifndef HINGE_DATA_TRANSPOSE_H
#define HINGE_DATA_TRANSPOSE_H

#include "data/matrix.h"

/* Room for the transpose of rows with at most so many non-zeros together: a row for each feature,
 * indices HINGE_INDEX_32, of data without indices none, values of the same kind as the data's. No
 * row has an entry yet. NULL and *error if there is no memory. */
struct hinge_matrix *transpose_new(const struct hinge_dataset *data, size_t nonzeros,
                                   struct hinge_error *error);
void transpose_free(struct hinge_matrix *transpose);

/* Fills it from the rows row[count] of the same data, any of them in any order, in the place of
 * what it holds: row j lists the positions s, ascending, of the rows row[s] that have feature j,
 * and their values. Allocates nothing. Time: that of two passes over these rows, and features. */
void transpose_fill(struct hinge_matrix *transpose, const struct hinge_dataset *data,
                    const uint32_t *row, uint32_t count);

#endif
