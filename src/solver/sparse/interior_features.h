/* interior_features.h - the regulariser's part of an interior point.
 *
 * v is a separate variable. The steps bring about its equation with sum alpha_i y_i x_i, and w is
 * the derivative of R* at v. R = |w|^2/2 has w = v. R = |w|_1 has |v_j| <= 1, with multipliers plus
 * >= 0 for v <= 1 and minus >= 0 for v >= -1. Their products with the slacks are mu, like the
 * products of the rows:
 *
 *     w_j = plus_j - minus_j,   plus_j (1 - v_j) = mu,   minus_j (1 + v_j) = mu.
 *
 * Their steps are eliminated: dw = rest + unit^2 dv, unit^2 = plus/(1 - v) + minus/(1 + v), and
 * rest is dw at dv = 0. The coordinate of a free bias has v = 0 and takes no part.
 */
#ifndef HINGE_SOLVER_SPARSE_INTERIOR_FEATURES_H
#define HINGE_SOLVER_SPARSE_INTERIOR_FEATURES_H

#include "solver/linear/primal_system.h"
#include "solver/loop/method.h"

struct interior_features {
    size_t width;
    size_t penalised; /* these first coordinates are in R; a free bias is not */
    int is_l1;        /* R = |w|_1; else R = |w|^2/2, and w is the only array */
    double *w;        /* [width] */
    double *v;        /* [width] */
    double *plus;     /* [width] */
    double *minus;    /* [width] */
    double *unit;     /* [width] a free bias has the largest unit */
    double *dw;       /* [width] */
    double *dv;       /* [width] */
    double *dplus;    /* [width] */
    double *dminus;   /* [width] */

    /* Arrays of interior_features_mend. */
    double *margin;  /* [width] by which |v_j| should be below 1 */
    double *outside; /* [width] by which v differs from the v of the iterate within the margins */
    double *fit;     /* [width] the solution d */
    double *sums;    /* [3 width] room for certificate_combine */
    double *change;  /* [rows] X d */
    double *target;  /* [rows] 0 */
};

void interior_features_lay_out(struct interior_features *to, struct arena *arena,
                               const struct problem *problem);

/* For |w|_1: sets v = 0 and w = 0. plus and minus get the sum norm each, in equal parts. */
void interior_features_begin(struct interior_features *features, double norm);

/* Returns the sum of the products of multipliers and slacks after a part of the step. */
double interior_features_products(const struct interior_features *features, double part);

/* Returns the number of products of multipliers and slacks. */
double interior_features_count(const struct interior_features *features);

/* For |w|_1: finds the units. False if a v_j was rounded to a bound, or a multiplier to 0. */
int interior_features_weigh(struct interior_features *features);

/* Finds the parts of dplus and dminus that do not depend on dv, for products that become target.
 * Adds the terms of plus, minus and v to the right hand side of the system for dw. */
void interior_features_add_right(struct interior_features *features, double target, int corrector,
                                 double *right);

/* Subtracts v + dv from right, for the present dw. */
void interior_features_take_moved(const struct interior_features *features, double *right);

/* Finds dv, dplus and dminus from dw. */
void interior_features_find_steps(struct interior_features *features);

/* Returns the largest part of the step after which everything is positive. */
double interior_features_longest(const struct interior_features *features);

/* Takes a part of the step. */
void interior_features_move(struct interior_features *features, double part);

/* Copies w without the coordinates that a multiplier holds at 0. They have |w_j| / max |w| below
 * 100^-level (1 - |v_j|). With features of very different sizes, small weights matter. A higher
 * level keeps more of them, and the last level all. */
enum { SETTLING_LEVELS = 6 };
void interior_features_settle(const struct interior_features *features, int level, double *w);

/* True if the gap is met with the settled weights and one of the dual points, which then become the
 * training's point. If is_late, more levels of settling are tried; otherwise the next step will
 * meet the gap. */
int interior_features_gap_is_met(const struct interior_features *features,
                                 struct training *training, const double *const *alpha, int points,
                                 int is_late);

/* For |w|_1 on badly scaled data: moves alpha by about its rounding errors if they may have brought
 * v = sum alpha_i y_i x_i out of its domain, or else scales alpha into the domain. Sets v. Returns
 * the largest |v_j|, at least 1. D(alpha) divided by that is a bound. */
double interior_features_mend(const struct interior_features *features,
                              const struct training *training, struct primal_system *system,
                              double *alpha, double *v);

#endif
