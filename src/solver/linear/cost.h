/* cost.h - prices of methods and their parts, all in one unit.
 *
 * The unit is a multiply-add over the non-zeros of rows that stand in memory one after the other,
 * about half a nanosecond. Prices decide which method goes on and how long a factor is kept. No
 * certificate depends on their accuracy. "make costs" measures most rates, here and in cost.c,
 * again. Functions named in brackets are those of tests/bench/costs.c.
 */
#ifndef HINGE_SOLVER_LINEAR_COST_H
#define HINGE_SOLVER_LINEAR_COST_H

#include "problem/problem.h"

/* ---- Coordinate descent ------------------------------------------------ */

/* Returns the price of visits in random order to rows of that mean length in non-zeros. */
double cost_of_visits(double visits, double length, int is_curved);

/* Returns the price of an entry of the problem's rows in sums over rows in turn, relative to an
 * entry of sparse rows. */
double cost_share_of_entries(const struct problem *problem);

/* Returns the price of an extrapolation of passes. */
double cost_of_extrapolation(double rows, double width, int is_curved);

/* A non-zero of a row, multiplied with a vector or added to one: half of the time of sums_hessian
 * over about every other row (measure_sums). */
static const double COST_OF_NONZERO = 1.6;

/* ---- SMO --------------------------------------------------------------- */

/* A row in a pair step: both selections and the update of F (breast-cancer at C = 256, with all 569
 * columns in the cache). */
static const double COST_OF_PAIR_ROW = 2;

/* Returns the price of entries of columns of products, for rows of that mean length in
 * non-zeros. */
double cost_of_columns(double entries, double length);

/* ---- Newton's method --------------------------------------------------- */

/* Returns the price of a step that evaluates these numbers of rows and non-zeros, without the price
 * of its system. */
double cost_of_evaluation(double rows, double nonzeros);

/* ---- The system over features: I + scale X'WX -------------------------- */

/* Returns the price of a factor of that order, over features or over rows. members is the number of
 * rows with a positive weight, and nonzeros the number of their non-zeros. */
double cost_of_primal_factor(int over_features, double order, double members, double nonzeros);

/* Returns the price of a step of conjugate gradients with a factor of that order; 0: without a
 * factor. */
double cost_of_primal_step(int over_features, double order, double width, double nonzeros);

/* An entry of a dense matrix, multiplied with a vector or added to one. A solution with a factor
 * has order^2 of them (matrices of order 500 to 2,000, measure_dense). */
static const double COST_OF_LINE_ENTRY = 0.7;

/* ---- The system over rows: Q + diag(ridge) ------------------------------ */

/* A non-zero listed by its feature, and a product of two entries added to the product of two rows
 * (2,048 rows, measure_pairs). */
static const double COST_OF_TRANSPOSED = 4;
static const double COST_OF_PRODUCT = 1.5;

/* Returns the price of a factorisation, given the products of all pairs of rows. */
double cost_of_dual_factor(double order);

/* Returns the price of a step of conjugate gradients with a factor of that order. */
double cost_of_dual_step(double order, double members, double nonzeros, double width);

/* ---- Several classes ----------------------------------------------------- */

/* Returns the price of multiplying non-zeros of rows with the columns of all classes, or of adding
 * them to these columns. */
double cost_of_all_classes(double nonzeros, double classes);

/* Returns the price of a step of conjugate gradients with blocks of that order; 0: without
 * blocks. */
double cost_of_class_step(const struct problem *problem, double order);

/* Returns the price of a step of Newton's method for Crammer and Singer's hinge: an evaluation, the
 * factors of blocks of that order, and `gradients` steps of conjugate gradients. products is the
 * number of products of entries that form the blocks. shares is the sum over rows of non-zeros
 * times classes with a share. */
double cost_of_singer_step(const struct problem *problem, double order, double products,
                           double shares, double gradients);

#endif
