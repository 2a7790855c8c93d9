/* class_toy.h - random problems of several classes: that of Crammer and Singer, or of multinomial
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

/* Fails the test where training does. */
struct hinge_model *class_toy_train(const struct class_toy *toy);

/* C_i, and the column of the model for row i's class. */
double class_toy_cost(const struct class_toy *toy, size_t i);
size_t class_toy_class(const struct class_toy *toy, const struct hinge_model *model, size_t i);

/* Entries of w, and of them those in |w|^2: without free biases. */
size_t class_toy_width(const struct hinge_model *model);
size_t class_toy_penalised(const struct hinge_model *model);

/* P of weights of the model's layout, w[TOY_WIDTH]; where it has one, gradient[width], unless it is
 * NULL. */
long double class_toy_primal(const struct class_toy *toy, const struct hinge_model *model,
                             const long double *w, long double *gradient);

/* Copies the model's weights to w. Every weight must be a number. */
void class_toy_weights(const struct hinge_model *model, long double *w);

/* D of the model's alpha, made feasible to all digits of long double; it has to be so to those of
 * double. */
long double class_toy_dual(const struct class_toy *toy, const struct hinge_model *model);

/* Returns the largest violation of a row by LIBLINEAR's rule for Crammer and Singer's problem, at
 * the sum of x alpha': its largest gain less the least gain of a class with a share. */
long double class_toy_violation(const struct class_toy *toy, const struct hinge_model *model);

/* P within a millionth of its minimum, by exact steps on pairs of a row's dual numbers, in long
 * double, and a bound that no P is below. */
long double class_toy_minimum(const struct class_toy *toy, const struct hinge_model *model,
                              long double *bound);

#endif
