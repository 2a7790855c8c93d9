/* weights.h - what a column of weights is like: non-zeros, norms, the largest weights. */
#ifndef HINGE_MODEL_WEIGHTS_H
#define HINGE_MODEL_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#include "hinge.h"

/* The weight of a feature. */
struct weight {
    double size; /* its magnitude */
    uint32_t feature;
};

/* Weights are added to a column one by one, in any order. */
struct weight_column {
    size_t nonzeros;
    double absolute; /* |w|_1 */
    double unit;     /* the largest magnitude */
    double squares;  /* |w|^2 / unit^2 */
    size_t most;     /* how many of the largest are kept */
    size_t kept;
    struct weight *largest; /* [most] those with the smallest features, of equal ones */
};

/* Columns that keep so many weights each; NULL on failure, free with weight_columns_free. */
struct weight_column *weight_columns_new(size_t columns, size_t most, struct hinge_error *error);
void weight_columns_free(struct weight_column *column);

void weight_column_add(struct weight_column *column, uint32_t feature, double weight);

/* |w|; infinite only if it is beyond the largest double. */
double weight_column_norm(const struct weight_column *column);

/* Sorts the weights that are kept, the largest first. No weight may be added afterwards. */
void weight_column_sort(struct weight_column *column);

#endif
