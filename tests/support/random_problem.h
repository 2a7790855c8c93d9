/* random_problem.h - a random sparse problem of any size. */
#ifndef HINGE_TESTS_RANDOM_PROBLEM_H
#define HINGE_TESTS_RANDOM_PROBLEM_H

#include "problem/problem.h"
#include "support.h"

struct random_problem {
    struct problem problem;
    struct hinge_dataset data;
    double *value; /* [data.x.nonzeros] */
    uint64_t random;
};

/* Draws a problem in which each row has that many features. bias is the value of the constant
 * feature, < 0 for none. The caller sets random first. */
void random_problem_new(struct random_problem *random, size_t rows, size_t features, size_t in_row,
                        double bias);
void random_problem_free(struct random_problem *random);

/* Returns <x_i, p>, the constant feature included. */
long double random_problem_dot(const struct random_problem *random, uint32_t i,
                               const long double *p);

/* p += factor x_i */
void random_problem_add(const struct random_problem *random, uint32_t i, long double factor,
                        long double *p);

#endif
