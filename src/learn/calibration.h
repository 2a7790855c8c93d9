/* calibration.h - Platt's sigmoid: decision values -> probabilities. */
#ifndef HINGE_LEARN_CALIBRATION_H
#define HINGE_LEARN_CALIBRATION_H

#include <stddef.h>

/* Fits p(f) = 1/(1 + exp(A f + B)) to the decision values of rows, value[rows], whose sign[rows] is
 * +1 or -1, and which count weight[rows] times (NULL: once). sigmoid[0] is A and sigmoid[1] is B,
 * both finite. Of values that are all the same A is 0. An infinite value counts as the largest
 * double, NaN as 0. */
void sigmoid_fit(size_t rows, const double *value, const signed char *sign, const double *weight,
                 double *sigmoid);

#endif
