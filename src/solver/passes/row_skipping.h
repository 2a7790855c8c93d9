/* row_skipping.h - what the passes of both methods of coordinate descent, and in part of smo, have
 * in common: in how many of them a row that violates little is skipped, the gap by what they found,
 * and when they end.
 */
#ifndef HINGE_SOLVER_PASSES_ROW_SKIPPING_H
#define HINGE_SOLVER_PASSES_ROW_SKIPPING_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "base/elementary.h"

/* ---- Skipping ----------------------------------------------------------- */

enum { MOST_SKIP = 15 }; /* passes; this and all limits are 2^k - 1 */

/* A violation below this share of the largest one of the pass before is little. */
static const double SKIP_BELOW = 0.05;

/* After each visit that finds that a row violates little it is skipped in twice as many passes as
 * before and one more, within the limit. */
static inline unsigned char skip_next(unsigned skip, unsigned limit)
{
    return (unsigned char)((2 * skip + 1) & limit);
}

/* The limit after so many passes, from that before. */
static inline unsigned skip_limit(unsigned limit, uint64_t passes)
{
    const unsigned next = 2 * limit + 1;

    return limit < MOST_SKIP && passes >= 4 * (uint64_t)next ? next : limit;
}

/* ---- The gap ------------------------------------------------------------ */

/* The relative gap, from the sum of the gap's terms and D: P is their difference. */
static inline double gap_of_terms(double gap, double dual)
{
    return gap / fmax(gap - dual, DBL_MIN);
}

/* What estimates are multiplied by, after the gap has been measured where one was made. */
static inline double gap_correction(double measured, double estimate)
{
    return clamp(measured / fmax(estimate, DBL_MIN), 0.1, 10);
}

/* Whether steps on so many rows have come down to rounding errors, having lowered D by that. These
 * make each z_i uncertain by some 2^-53 |w| |x_i|, and chasing that wins (2^-53 |w|)^2 a row: 1e-32
 * of the objective; a thousand times more for good measure. */
static inline int is_rounding(double decrease, double rows, double dual)
{
    return !(decrease > 1e-29 * rows * fabs(dual));
}

#endif
