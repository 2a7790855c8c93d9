/* class_toy.h - random problems of several classes, for Crammer and Singer's solver or multinomial
 * logistic regression, in long double. */
#ifndef HINGE_TESTS_CLASS_TOY_H
#define HINGE_TESTS_CLASS_TOY_H

#include "support.h"

enum { CRAMMER_SINGER = 4, SOFTMAX = 62 }; /* solvers */

enum { TOY_ROWS = 60, TOY_FEATURES = 40, TOY_CLASSES = 6, TOY_KINDS = 8 };

enum { TOY_WIDTH = (TOY_FEATURES + 1) * TOY_CLASSES };

/* A problem of a kind, number % TOY_KINDS: many rows, many features, duplicate rows, rows without
 * features, weights, features of any scale, 0 and 1, classes that planes separate. */
struct class_toy {
    size_t start[TOY_ROWS + 1];
    uint32_t index[TOY_ROWS * TOY_FEATURES];
    double value[TOY_ROWS * TOY_FEATURES], label[TOY_ROWS], row_weight[TOY_ROWS];
    double class_label[TOY_CLASSES], class_weight[TOY_CLASSES];
    size_t classes, rows, features;
    struct hinge_dataset data;
    struct hinge_parameters parameters; /* alpha is kept */
};

/* Draws a problem for the solver. Only SOFTMAX has free biases. */
void class_toy_draw(struct class_toy *toy, int solver, unsigned long number);

/* Returns the trained model, or fails the test. */
struct hinge_model *class_toy_train(const struct class_toy *toy);

/* Return C_i, and the column of the model for row i's class. */
double class_toy_cost(const struct class_toy *toy, size_t i);
size_t class_toy_class(const struct class_toy *toy, const struct hinge_model *model, size_t i);

/* Return the number of entries of w, and of those in |w|^2, which are all except free biases. */
size_t class_toy_width(const struct hinge_model *model);
size_t class_toy_penalised(const struct hinge_model *model);

/* Returns P at w[TOY_WIDTH], which has the model's layout. Sets gradient[width] unless it is NULL
 * or P has no gradient. */
long double class_toy_primal(const struct class_toy *toy, const struct hinge_model *model,
                             const long double *w, long double *gradient);

/* Copies the model's weights to w. Every weight must be a number. */
void class_toy_weights(const struct hinge_model *model, long double *w);

/* Returns D of the model's alpha, made feasible to all digits of long double. The alpha must be
 * feasible to the digits of double. */
long double class_toy_dual(const struct class_toy *toy, const struct hinge_model *model);

/* Returns the largest violation of a row by LIBLINEAR's rule for Crammer and Singer's problem, at
 * the sum of x alpha': the row's largest gain less its least gain of a class with a share. */
long double class_toy_violation(const struct class_toy *toy, const struct hinge_model *model);

/* Returns P within a millionth of its minimum, by exact steps on pairs of a row's dual numbers, in
 * long double. Sets *bound to a lower bound of P. */
long double class_toy_minimum(const struct class_toy *toy, const struct hinge_model *model,
                              long double *bound);

#endif
