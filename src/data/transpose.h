/* transpose.h - some rows of a dataset, by features. */
#ifndef HINGE_DATA_TRANSPOSE_H
#define HINGE_DATA_TRANSPOSE_H

#include "data/matrix.h"

/* Makes room for the transpose of rows with at most `nonzeros` entries together. The transpose has
 * a row for each feature, values of the kind of the data, and indices HINGE_INDEX_32, or none if
 * the data have none. No row has an entry yet. NULL if memory is short. */
struct hinge_matrix *transpose_new(const struct hinge_dataset *data, size_t nonzeros,
                                   struct hinge_error *error);
void transpose_free(struct hinge_matrix *transpose);

/* Replaces the entries by those of the rows row[count] of the same data, any rows in any order. Row
 * j of the transpose lists the positions s, ascending, of the rows row[s] that have feature j, and
 * their values. Allocates nothing. Takes two passes over these rows, and one over the features. */
void transpose_fill(struct hinge_matrix *transpose, const struct hinge_dataset *data,
                    const uint32_t *row, uint32_t count);

#endif
