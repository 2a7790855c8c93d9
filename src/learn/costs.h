/* costs.h - what rows and classes weigh: C_i = C (class weight) (row weight). */
#ifndef HINGE_LEARN_COSTS_H
#define HINGE_LEARN_COSTS_H

#include "learn/path.h"

/* The weight of a row of the data. */
static inline double costs_of_row(const struct path *path, uint32_t row)
{
    const struct hinge_parameters *parameters = path->parameters;

    return row < parameters->row_weights ? parameters->row_weight[row] : 1;
}

/* The product of all weights given for the label; 1 for none. */
double costs_of_label(const struct hinge_parameters *parameters, double label);

/* What the path's rows weigh together: how many they are, unless they have weights. */
double costs_total(const struct path *path);

/* The weights of all classes, weight[classes] being 0 before. */
void costs_weigh_classes(const struct path *path, double *weight);

/* Refuses any cost that the solvers cannot work with. */
enum hinge_status costs_check(const struct path *path, const double *class_weight,
                              struct hinge_error *error);

#endif
