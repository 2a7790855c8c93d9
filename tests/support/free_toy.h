/* free_toy.h - small problems with a free bias: trainings, the certificate recomputed, the minimum
 * by an independent method. */
#ifndef HINGE_TESTS_FREE_TOY_H
#define HINGE_TESTS_FREE_TOY_H

#include "toy.h"

enum { SMO = 50 };

struct free_answer {
    double w[MOST_WIDTH + 1]; /* the bias last, at [features] */
    double alpha[MOST_ROWS];
    struct hinge_result result;
};

/* Draws as toy_draw does, with a free bias. */
void free_toy_draw(struct toy *toy, const struct draft *draft, unsigned long number, size_t rows,
                   size_t features);

/* Draw the number-th small problem, and the same one with costs of 1/32 .. 32. */
void free_toy_small(struct toy *toy, unsigned long number, enum loss loss);
void free_toy_tame(struct toy *toy, unsigned long number, enum loss loss);

struct hinge_parameters free_parameters_for(double gap, double eps);

/* Trains; alpha and w are the caller's. */
struct hinge_result free_train(const struct problem *problem, const struct solver *solver,
                               const struct hinge_parameters *parameters,
                               const struct hinge_monitor *monitor, double *alpha, double *w);

/* Train from alpha = 0, and from the alpha of the answer. */
void free_toy_train(const struct toy *toy, const struct solver *solver,
                    const struct hinge_parameters *parameters, const struct hinge_monitor *monitor,
                    struct free_answer *answer);
void free_toy_train_from(const struct toy *toy, const struct solver *solver,
                         const struct hinge_parameters *parameters,
                         const struct hinge_monitor *monitor, struct free_answer *answer);

/* Returns a bound of the rounding errors in P, D and their sum. */
double free_rounding(const struct toy *toy, const struct free_answer *answer);

/* Checks that alpha is feasible, and that primal, dual and gap belong to the point. */
void free_check(const struct toy *toy, const struct free_answer *answer);

/* Brackets the minimum of P with the L1-loss. The width depends on the problem. */
struct bracket free_reference(const struct toy *toy);

/* Checks that small problems of every shape with a free bias, except one, are certified by that
 * solver's method alone, from 0 and from the solution at another C. With the L1-loss, checks that
 * LIBSVM's rule holds if it is asked for. */
void free_toys_are_certified(int number);

/* Returns m(alpha) - M(alpha) over all rows. */
long double free_violation(const struct toy *toy, const double *alpha);

#endif
