/* primal_rule.h - LIBLINEAR's rule for its primal solvers, with the eps of -e:
 * |grad P(w)| <= eps max(min(#pos, #neg), 1)/m |grad P(0)|; for regression,
 * |grad P(w)| <= eps |grad P(0)|.
 */
#ifndef HINGE_SOLVER_LOOP_PRIMAL_RULE_H
#define HINGE_SOLVER_LOOP_PRIMAL_RULE_H

#include "solver/loop/method.h"

/* True if the training has that rule. */
int primal_rule_is_asked(const struct training *training);

/* Returns the number of rows with the rarer sign, at least 1. */
double primal_rule_fewer(const struct problem *problem);

/* Returns the rule's bound on |grad P(w)|. The first call takes a pass over the rows, and
 * overwrites room[width]. */
double primal_rule_most(struct training *training, double *room);

/* True if the w that would be returned keeps the rule, by a pass over the rows; with a multiplier,
 * the settled w. False also without memory for a gradient. */
int primal_rule_holds(struct training *training);

#endif
