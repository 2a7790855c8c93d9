/* line_search.h - a point near the minimum of a convex function along a line, and not beyond it. */
#ifndef HINGE_SOLVER_LINEAR_LINE_SEARCH_H
#define HINGE_SOLVER_LINEAR_LINE_SEARCH_H

/* Sets *first and *second to the derivatives of the function at t. */
typedef void line_derivatives(void *context, double t, double *first, double *second);

/* Returns a t where the first derivative, which ascends from -start < 0, is between -part start and
 * 0: the function has fallen all the way there. Newton's method begins at t. */
double line_search(line_derivatives *derive, void *context, double start, double part, double t);

#endif
