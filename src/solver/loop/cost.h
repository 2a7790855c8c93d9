/* cost.h - what things cost: every price and rate, in one unit.
 *
 * The unit is a multiply-add over the non-zeros of rows that stand in memory one after the other,
 * about half a nanosecond. Prices only decide which method goes on, and how long a factor is kept:
 * no result depends on their being right. "make costs" measures the rates again.
 */
#ifndef HINGE_SOLVER_LOOP_COST_H
#define HINGE_SOLVER_LOOP_COST_H

#include "solver/loop/method.h"

/* ---- Coordinate descent ------------------------------------------------ */

/* Of visits to rows in random order, so many non-zeros each on average. */
double cost_of_visits(double visits, double length, int is_curved);

/* What an entry costs in sums over rows in turn, relative to one of a sparse row. */
double cost_share_of_entries(const struct problem *problem);

/* Of an extrapolation of passes. */
double cost_of_extrapolation(double rows, double width, int is_curved);

/* Of multiplying so many non-zeros with a vector, or adding them to one. */
double cost_of_pass(double nonzeros);

/* ---- SMO --------------------------------------------------------------- */

/* Of looking at so many rows in pair steps. */
double cost_of_pairs(double rows);

/* Of so many entries of columns of products, rows of so many non-zeros. */
double cost_of_columns(double entries, double length);

/* ---- Newton's method --------------------------------------------------- */

/* Of a step without its system: so many rows with so many non-zeros are evaluated. */
double cost_of_evaluation(double rows, double nonzeros);

/* ---- The system over features: I + scale X'WX -------------------------- */

/* Of a factor of that order, over features or over rows: so many rows of positive weight, and
 * non-zeros in them. */
double cost_of_primal_factor(int over_features, double order, double members, double nonzeros);

/* Of a step of conjugate gradients, with a factor of that order, or, if 0, none. */
double cost_of_primal_step(int over_features, double order, double width, double nonzeros);

/* Of adding lines of a matrix to a vector, or multiplying them with one: so many entries. */
double cost_of_lines(double entries);

/* ---- The system over rows: Q + diag(ridge) ------------------------------ */

/* Of listing the non-zeros of its rows by features. */
double cost_of_transpose(double nonzeros);

/* Of adding so many products of two entries to products of rows. */
double cost_of_products(double products);

/* Of factoring, once the products of all pairs of rows are there. */
double cost_of_dual_factor(double order);

/* Of a step of conjugate gradients, with a factor of that order. */
double cost_of_dual_step(double order, double members, double nonzeros, double width);

/* ---- Several classes ----------------------------------------------------- */

/* Of multiplying rows of so many non-zeros with the columns of all classes, or adding them to
 * these. */
double cost_of_all_classes(double nonzeros, double classes);

/* Of a step of conjugate gradients, with blocks of that order, or, if 0, none. */
double cost_of_class_step(const struct problem *problem, double order);

/* Of the factors of such blocks. */
double cost_of_class_blocks(const struct problem *problem, double order);

/* ---- Finishing --------------------------------------------------------- */

/* What the methods would take from the training's point until its distance is 0. */
double cost_of_newton(const struct training *training);
double cost_of_class_newton(const struct training *training);
double cost_of_dual_newton(const struct training *training);

/* What the interior-point method takes with a factor, from anywhere. */
double cost_of_interior_point(const struct training *training);

/* How the distance has fallen with the passes, to tell how many are to come. */
struct trend {
    struct trend_mark {
        double passes;
        double distance;
        double spent;
    } last, mark, older; /* now; at the last power of 2; and at the one before */
    double next_mark;    /* passes to set the next at */
};

/* Takes note of a pass. 1 if a mark was set: the time to ask what else would cost. */
int trend_note(struct trend *trend, const struct training *training);

/* How many passes are to come. The distance has fallen at some rate since about half of the passes
 * ago. Optimistic: that rate goes on; else it falls as the root of the passes. */
double trend_passes(const struct trend *trend, int optimistic);

/* What these cost, at the price of the passes since then. */
double trend_price(const struct trend *trend, double passes);

/* How much more clearly than by its price another method has to be cheaper: until a fifth of its
 * price is spent, the more the less has been. At least 1. */
double trend_doubt(const struct trend *trend, double price);

#endif
