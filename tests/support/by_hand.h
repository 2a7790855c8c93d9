/* by_hand.h - trainings of problems that a test has made itself. */
#ifndef HINGE_TESTS_BY_HAND_H
#define HINGE_TESTS_BY_HAND_H

#include "solver/loop/solver.h"
#include "support.h"

/* Returns a problem for the solver of these parameters, without rows yet. */
struct problem problem_for(const struct hinge_dataset *data,
                           const struct hinge_parameters *parameters, const uint32_t *row,
                           const signed char *sign, const double *cost);

/* Trains the problem from start, or from w = 0 if start is NULL. Fills w. */
struct hinge_result solve_problem(const struct problem *problem,
                                  const struct hinge_parameters *parameters, const double *start,
                                  double *w);

#endif
