/* by_hand.h - trainings of problems that a test has made itself. */
#ifndef HINGE_TESTS_BY_HAND_H
#define HINGE_TESTS_BY_HAND_H

#include "solver/loop/solver.h"
#include "support.h"

/* A problem as the solver of these parameters has it, without rows yet. */
struct problem problem_for(const struct hinge_dataset *data,
                           const struct hinge_parameters *parameters, const uint32_t *row,
                           const signed char *sign, const double *cost);

/* Trains it, from w = 0 or the weights given: fills w. */
struct hinge_result solve_problem(const struct problem *problem,
                                  const struct hinge_parameters *parameters, const double *start,
                                  double *w);

#endif
