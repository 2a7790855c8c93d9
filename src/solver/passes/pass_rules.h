/* pass_rules.h - the rules that methods by passes over the rows share: how long a row that violates
 * little is skipped, how a pass estimates the gap, and when steps are rounding errors.
 */
#ifndef HINGE_SOLVER_PASSES_PASS_RULES_H
#define HINGE_SOLVER_PASSES_PASS_RULES_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "base/elementary.h"

/* ---- Skipping ----------------------------------------------------------- */

enum { MOST_SKIP = 15 }; /* passes; all limits have the form 2^k - 1 */

/* A violation is little if it is below this fraction of the largest one of the last pass. */
static const double SKIP_BELOW = 0.05;

/* Returns the passes that a row is skipped in after a visit that found little: one more than twice
 * as many as after the last such visit, within the limit. */
static inline unsigned char skip_next(unsigned skip, unsigned limit)
{
    return (unsigned char)((2 * skip + 1) & limit);
}

/* Returns the limit after this number of passes, given the limit before. It is at most a quarter of
 * the passes. */
static inline unsigned skip_limit(unsigned limit, uint64_t passes)
{
    const unsigned next = 2 * limit + 1;

    return limit < MOST_SKIP && passes >= 4 * (uint64_t)next ? next : limit;
}

/* ---- Stopping ----------------------------------------------------------- */

/* Returns the relative gap, given D and the sum of the rows' gap terms, which is P + D. */
static inline double gap_of_terms(double gap, double dual)
{
    return gap / fmax(gap - dual, DBL_MIN);
}

/* Returns the factor for later estimates, once the gap of an estimate has been measured. */
static inline double gap_correction(double measured, double estimate)
{
    return clamp(measured / fmax(estimate, DBL_MIN), 0.1, 10);
}

/* Returns the logarithm of how many times the gap and the violation exceed their targets. A target
 * of 0 is ignored. */
static inline double distance_to_targets(double gap, double target, double violation, double eps)
{
    double times = 1;

    if (target > 0)
        times = fmax(times, gap / target);
    if (eps > 0)
        times = fmax(times, violation / eps);
    return log(times);
}

/* True if steps on this number of rows lowered D by no more than rounding errors do. Each z_i is
 * uncertain by about 2^-53 |w| |x_i|. Steps that follow this error lower D by (2^-53 |w|)^2 for
 * each row, which is 1e-32 of the objective; the bound is a thousand times larger. */
static inline int is_rounding(double decrease, double rows, double dual)
{
    return !(decrease > 1e-29 * rows * fabs(dual));
}

#endif
