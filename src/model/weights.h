/* weights.h - describes a column of weights: non-zeros, norms, the largest weights. */
#ifndef HINGE_MODEL_WEIGHTS_H
#define HINGE_MODEL_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* The weight of a feature. */
struct weight {
    double size; /* |weight| */
    uint32_t feature;
};

/* A column, to which weights are added one by one in any order. */
struct weight_column {
    size_t nonzeros;
    double absolute;        /* |w|_1 */
    double unit;            /* the largest magnitude */
    double squares;         /* |w|^2 / unit^2 */
    size_t most;            /* largest weights to keep */
    size_t kept;            /* weights in largest */
    struct weight *largest; /* [most] of equal weights, those with the smallest features */
};

/* Allocates columns that keep `most` weights each. NULL on failure. Free with weight_columns_free.
 */
struct weight_column *weight_columns_new(size_t columns, size_t most, struct hinge_error *error);
void weight_columns_free(struct weight_column *column);

/* Returns the columns of a model, each with its `most` largest weights; the bias is none of them.
 * NULL on failure. */
struct weight_column *weight_columns_of(const struct hinge_model *model, uint64_t most,
                                        struct hinge_error *error);

void weight_column_add(struct weight_column *column, uint32_t feature, double weight);

/* Returns |w|; infinite only if it exceeds the largest double. */
double weight_column_norm(const struct weight_column *column);

/* Sorts the weights that are kept, the largest first. No weight may be added afterwards. */
void weight_column_sort(struct weight_column *column);

#endif
