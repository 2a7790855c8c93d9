/* costs.h - what rows and classes weigh: C_i = C (class weight) (row weight). */
#ifndef HINGE_LEARN_COSTS_H
#define HINGE_LEARN_COSTS_H

#include "learn/path.h"
#include "solver/loop/parameters.h"

/* The weight of a row of the data. */
static inline double costs_of_row(const struct hinge_parameters *parameters, size_t row)
{
    return row < parameters->row_weights ? parameters->row_weight[row] : 1;
}

/* The weights given for labels, of which there may be as many as classes: for each label the
 * product of all of its own. Free on failure, too. */
struct label_weights {
    struct labels labels;
    double *product; /* [labels.count] */
};

enum hinge_status label_weights_find(struct label_weights *given,
                                     const struct hinge_parameters *parameters,
                                     struct hinge_error *error);
void label_weights_free(struct label_weights *given);

/* What the path's rows weigh together: how many they are, unless they have weights. */
double costs_total(const struct path *path);

/* The weights of all classes, weight[classes] being 0 before. */
enum hinge_status costs_weigh_classes(const struct path *path, double *weight,
                                      struct hinge_error *error);

/* Refuses any cost that the solvers cannot work with. */
enum hinge_status costs_check(const struct path *path, const double *class_weight,
                              struct hinge_error *error);

#endif
