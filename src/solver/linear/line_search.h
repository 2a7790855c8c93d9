/* line_search.h - a point near the minimum of a convex function along a line, and not beyond it. */
#ifndef HINGE_SOLVER_LINEAR_LINE_SEARCH_H
#define HINGE_SOLVER_LINEAR_LINE_SEARCH_H

/* Sets *first and *second to the derivatives of the function at t. */
typedef void line_derivatives(void *context, double t, double *first, double *second);

/* Returns a t where the first derivative, which ascends from -start < 0, is between -part start and
 * 1e-9 start. So the function falls all the way. Newton's method begins at t. After 60 steps,
 * returns the last t before the minimum. */
double line_search(line_derivatives *derive, void *context, double start, double part, double t);

#endif
