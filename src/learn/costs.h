/* costs.h - costs of rows: C_i = C (class weight) (row weight). */
#ifndef HINGE_LEARN_COSTS_H
#define HINGE_LEARN_COSTS_H

#include "learn/path.h"
#include "solver/loop/parameters.h"

/* Returns the weight of a row of the data. */
static inline double costs_of_row(const struct hinge_parameters *parameters, size_t row)
{
    return row < parameters->row_weights ? parameters->row_weight[row] : 1;
}

/* The weights that the parameters give to labels. A label that is given several times has the
 * product of its weights. */
struct label_weights {
    struct labels labels;
    double *product; /* [labels.count] */
};

/* Finds the weights. Free with label_weights_free, on failure too. */
enum hinge_status label_weights_find(struct label_weights *given,
                                     const struct hinge_parameters *parameters,
                                     struct hinge_error *error);
void label_weights_free(struct label_weights *given);

/* True if the rows that weigh more than 0 are all in one part, a class or a group. *first becomes
 * the first of these rows, or `rows` if there is none. */
int costs_in_one_part(const struct hinge_parameters *parameters, const uint32_t *part_of,
                      size_t rows, size_t *first);

/* Returns the sum of the row weights of the path. */
double costs_total(const struct path *path);

/* Returns C of training k of the path: C[k], or, if C is NULL, C = 1/(lambda m) for rows that weigh
 * m, or C of the parameters if their lambda is 0. */
double costs_C(const struct path *path, size_t k);

/* Sets weight[classes], which is 0 before the call, to the factors of C. */
enum hinge_status costs_weigh_classes(const struct path *path, double *weight,
                                      struct hinge_error *error);

/* Refuses costs, at any C of the path, outside 1e-100 .. 1e100. A cost of 0 leaves a row out. */
enum hinge_status costs_check(const struct path *path, const double *class_weight,
                              struct hinge_error *error);

#endif
