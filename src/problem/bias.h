/* bias.h - the best free bias for given weights of the features. */
#ifndef HINGE_PROBLEM_BIAS_H
#define HINGE_PROBLEM_BIAS_H

#include "base/sum.h"
#include "problem/problem.h"

/* A corner of the sum of losses. */
struct breakpoint {
    double at;
    double cost; /* change of the slope */
};

/* Returns the minimiser of a convex, piecewise linear function with these corners and that slope
 * below all corners. If an interval minimises, returns its middle, or its finite end if it is
 * unbounded; 0 without corners. Changes the order of the points. Takes time proportional to count
 * on average. */
double bias_of_corners(struct breakpoint *points, uint32_t count, struct sum slope);

/* Returns the b that minimises total b + sum_i C_i max(0, t - y_i (<w, x_i> + b)) as
 * bias_of_corners does. t is the loss's target, and w is used without its last entry. The value of
 * the bias is 1. points[rows] is working storage. */
double bias_best(const struct problem *problem, const double *w, struct breakpoint *points);

/* Restores sum_i alpha_i y_i = total for a free bias after steps and scaling have rounded it. For
 * the hinge, free rows absorb the difference, and rows at a bound only if free rows cannot. For a
 * smooth loss, the alpha of the sign with the larger sum are multiplied, which leaves a rounding
 * error. alpha[rows] is in its domain. Does nothing without a free bias or with classes. */
void bias_balance(const struct problem *problem, double *alpha);

/* Restores sum_i alpha_i = 0 for each class. Every row moves by the same fraction towards the same
 * probabilities. The alpha of a class without rows become 0. alpha[rows classes] is in its domain;
 * room[4 classes] is working storage. */
void bias_balance_classes(const struct problem *problem, double *alpha, double *room);

#endif
