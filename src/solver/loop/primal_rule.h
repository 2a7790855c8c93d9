/* primal_rule.h - LIBLINEAR's rule of its primal solvers, of which -e is the eps:
 * |gradient| <= eps max(min(#pos, #neg), 1)/m |that at w = 0|, of a regression
 * |gradient| <= eps |that at w = 0|.
 */
#ifndef HINGE_SOLVER_LOOP_PRIMAL_RULE_H
#define HINGE_SOLVER_LOOP_PRIMAL_RULE_H

#include "solver/loop/method.h"

/* Whether the training has that rule. */
int primal_rule_is_asked(const struct training *training);

/* Rows of the rarer sign, at least 1; a rule of features has that share of eps, too. */
double primal_rule_fewer(const struct problem *problem);

/* The most that |gradient of P| may be. The first time it takes a pass over the rows, and
 * room[width] for a gradient. */
double primal_rule_most(struct training *training, double *room);

/* Whether w keeps the rule, found by a pass over the rows; 0 too where that cannot be told: there
 * is no memory for a gradient, or the bias is free and not settled. */
int primal_rule_holds(struct training *training);

#endif
