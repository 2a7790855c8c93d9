/* feature_columns.h - some rows of a dataset by features, and features that are equal in all of
 * these rows.
 */
#ifndef HINGE_DATA_FEATURE_COLUMNS_H
#define HINGE_DATA_FEATURE_COLUMNS_H

#include "data/matrix.h"

struct feature_columns {
    struct hinge_matrix *x; /* the transpose; features with first[j] < j have no entry */
    uint32_t *first;        /* [features] the first feature equal to feature j, or j itself */
};

/* Returns the columns of the rows row[count]. Rows without indices are not searched for equal
 * features. NULL and *error if memory is short. */
struct feature_columns *feature_columns_new(const struct hinge_dataset *data, const uint32_t *row,
                                            uint32_t count, struct hinge_error *error);
void feature_columns_free(struct feature_columns *columns);

/* Counts the entries of each feature in the rows row[count] in length[features]. Sets
 * first[features] to the first feature whose rows and values have the same sum of 64-bit hashes.
 * The two features are equal, unless their sums are the same by chance. A feature without an entry
 * is its own first. */
enum hinge_status feature_columns_guess(const struct hinge_dataset *data, const uint32_t *row,
                                        uint32_t count, uint32_t *length, uint32_t *first,
                                        struct hinge_error *error);

#endif
