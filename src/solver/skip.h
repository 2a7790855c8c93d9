/* skip.h - in how many passes a row that violates little is skipped: after each visit that finds it
 * so in twice as many as before and one more, up to a limit that grows with the passes.
 */
#ifndef HINGE_SOLVER_SKIP_H
#define HINGE_SOLVER_SKIP_H

#include <stdint.h>

enum { MOST_SKIP = 15 }; /* passes; this and all limits are 2^k - 1 */

/* A violation below this share of the largest one of the pass before is little. */
static const double SKIP_BELOW = 0.05;

/* The passes after those, within the limit. */
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

#endif
