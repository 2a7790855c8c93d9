/* forecast.h - what methods would cost from the training's point to its end, and how soon passes
 * end.
 */
#ifndef HINGE_SOLVER_LOOP_FORECAST_H
#define HINGE_SOLVER_LOOP_FORECAST_H

#include "solver/linear/cost.h"
#include "solver/loop/method.h"

/* Returns the price of the interior-point method with a factor, from anywhere. */
double cost_of_interior_point(const struct training *training);

/* The state of a training after some passes. */
struct trend_mark {
    double passes;
    double distance;
    double spent;
};

/* The fall of the distance with the passes, which predicts how many passes are to come. */
struct trend {
    struct trend_mark last;  /* now */
    struct trend_mark mark;  /* at the last power of 2 */
    struct trend_mark older; /* at the power of 2 before */
    double next_mark;        /* passes at which the next mark is set */
};

/* Notes a pass. True if it set a mark; then it is time to ask for the prices of other methods. */
int trend_note(struct trend *trend, const struct training *training);

/* Returns how many passes are to come. The distance has fallen at some rate since about half of the
 * passes ago. The optimistic forecast continues that rate; the other one lets it fall as the root
 * of the passes. */
double trend_passes(const struct trend *trend, int optimistic);

/* Returns the price of so many passes, by the price of the passes since the older mark. */
double trend_price(const struct trend *trend, double passes);

/* Returns the factor, at least 1, by which another method must be cheaper than the passes. It falls
 * with the cost spent so far and is 1 once a fifth of the other method's price is spent. */
double trend_doubt(const struct trend *trend, double price);

#endif
