/* cost.h - prices of methods and their parts, all in one unit.
 *
 * The unit is a multiply-add over the non-zeros of rows that stand in memory one after the other,
 * about half a nanosecond. Prices decide which method goes on and how long a factor is kept. No
 * result depends on their accuracy. "make costs" measures the rates again.
 */
#ifndef HINGE_SOLVER_LOOP_COST_H
#define HINGE_SOLVER_LOOP_COST_H

#include "solver/loop/method.h"

/* ---- Coordinate descent ------------------------------------------------ */

/* Returns the price of visits to rows in random order, with a mean length in non-zeros. */
double cost_of_visits(double visits, double length, int is_curved);

/* Returns the price of an entry of the problem's rows in sums over rows in turn, relative to an
 * entry of sparse rows. */
double cost_share_of_entries(const struct problem *problem);

/* Returns the price of an extrapolation of passes. */
double cost_of_extrapolation(double rows, double width, int is_curved);

/* Returns the price of multiplying non-zeros with a vector, or of adding them to one. */
double cost_of_pass(double nonzeros);

/* ---- SMO --------------------------------------------------------------- */

/* Returns the price of looking at so many rows in pair steps. */
double cost_of_pairs(double rows);

/* Returns the price of entries of columns of products, with rows of a mean length in non-zeros. */
double cost_of_columns(double entries, double length);

/* ---- Newton's method --------------------------------------------------- */

/* Returns the price of a step without its system, which evaluates so many rows and non-zeros. */
double cost_of_evaluation(double rows, double nonzeros);

/* ---- The system over features: I + scale X'WX -------------------------- */

/* Returns the price of a factor of that order, over features or over rows; members is the number of
 * rows with a positive weight, nonzeros the number of their non-zeros. */
double cost_of_primal_factor(int over_features, double order, double members, double nonzeros);

/* Returns the price of a step of conjugate gradients with a factor of that order; 0: without one.
 */
double cost_of_primal_step(int over_features, double order, double width, double nonzeros);

/* Returns the price of adding lines of a matrix to a vector, or multiplying them with one. */
double cost_of_lines(double entries);

/* ---- The system over rows: Q + diag(ridge) ------------------------------ */

/* Returns the price of listing the non-zeros of rows by features. */
double cost_of_transpose(double nonzeros);

/* Returns the price of adding products of two entries to products of two rows. */
double cost_of_products(double products);

/* Returns the price of a factorisation, given the products of all pairs of rows. */
double cost_of_dual_factor(double order);

/* Returns the price of a step of conjugate gradients with a factor of that order. */
double cost_of_dual_step(double order, double members, double nonzeros, double width);

/* ---- Several classes ----------------------------------------------------- */

/* Returns the price of multiplying non-zeros of rows with the columns of all classes, or of adding
 * them to these columns. */
double cost_of_all_classes(double nonzeros, double classes);

/* Returns the price of a step of conjugate gradients with blocks of that order; 0: without blocks.
 */
double cost_of_class_step(const struct problem *problem, double order);

/* Returns the price of the factors of such blocks. */
double cost_of_class_blocks(const struct problem *problem, double order);

/* ---- Finishing --------------------------------------------------------- */

/* Return the price of each method from the training's point until its distance is 0. */
double cost_of_newton(const struct training *training);
double cost_of_class_newton(const struct training *training);
double cost_of_dual_newton(const struct training *training);

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
