/* bias.h - the best free bias for given weights of the features. */
#ifndef HINGE_PROBLEM_BIAS_H
#define HINGE_PROBLEM_BIAS_H

#include "base/sum.h"
#include "problem/problem.h"

/* Where the slope of the sum of losses changes, and by how much. */
struct breakpoint {
    double at;
    double cost;
};

/* The b at which a convex function is least that is linear but for these corners, and has that
 * slope below all of them; the middle where an interval of them does, and its end where that is
 * unbounded; 0 without points, whose order is changed. Takes time as their number, on average. */
double bias_of_corners(struct breakpoint *points, uint32_t count, struct sum slope);

/* The b that minimises total b + sum_i C_i max(0, t - y_i (<w, x_i> + b)), t the loss's target, w
 * without its last entry and the value of the bias being 1; the middle where an interval of them
 * does, and its end where that is unbounded; 0 without rows. points[rows] is for its use. */
double bias_best(const struct problem *problem, const double *w, struct breakpoint *points);

/* Where the bias is free, makes sum alpha_i y_i its total again, 0 in most problems, that steps and
 * scaling have rounded. Of the hinge free rows take the rest, and only if they cannot those at a
 * bound; of a smooth loss the alpha of the class whose sum is larger are multiplied, which leaves a
 * rest of rounding. alpha[rows] is in its domain. With classes it is bias_balance_classes that
 * does. */
void bias_balance(const struct problem *problem, double *alpha);

/* The same with classes, whose biases are free: makes sum_i alpha_i 0 for each. Every row is moved
 * by the same share towards the same probabilities. Those of a class without rows become 0.
 * alpha[rows classes] is in its domain; room[4 classes] is for its use. */
void bias_balance_classes(const struct problem *problem, double *alpha, double *room);

#endif
