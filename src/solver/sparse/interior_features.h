/* interior_features.h - the regulariser's part of an interior point.
 *
 * v is a variable of its own, tied to sum alpha_i y_i x_i by an equation that the steps bring
 * about, and w is the derivative of R* at it. R = |w|^2/2 has w = v. R = |w|_1 has |v_j| <= 1, with
 * multipliers plus >= 0 of v <= 1 and minus >= 0 of v >= -1, of which the product with what they
 * are multipliers of is mu, like that of the rows' multipliers:
 *
 *     w_j = plus_j - minus_j,   plus_j (1 - v_j) = mu,   minus_j (1 + v_j) = mu.
 *
 * Their steps are eliminated, too: dw = rest + unit^2 dv, unit^2 = plus/(1 - v) + minus/(1 + v),
 * rest what dw is at dv = 0. A coordinate of a free bias has v = 0, and takes no part.
 */
#ifndef HINGE_SOLVER_SPARSE_INTERIOR_FEATURES_H
#define HINGE_SOLVER_SPARSE_INTERIOR_FEATURES_H

#include "solver/loop/method.h"

struct interior_features {
    size_t width;
    size_t penalised; /* these first coordinates are in R; a free bias is not */
    int is_l1;        /* R = |w|_1; else |w|^2/2, and of the arrays there is w alone */
    double *w;        /* [width], as those below */
    double *v;
    double *plus;
    double *minus;
    double *unit; /* of a free bias the largest of all */
    double *dw;
    double *dv;
    double *dplus;
    double *dminus;
};

void interior_features_lay_out(struct interior_features *to, struct arena *arena,
                               const struct problem *problem);

/* Of |w|_1: v = 0, w = 0, plus and minus of such a sum each. */
void interior_features_begin(struct interior_features *features, double norm);

/* The same at w: plus and minus larger than it needs by so many times the mean |w_j|, and by so
 * much that the products' sum is about what is given; v as much of sum as is inside. */
void interior_features_begin_at(struct interior_features *features, double times, double products,
                                const double *sum);

/* R at w, R* at sum = sum alpha_i y_i x_i, which is in its domain, and R + R* - <w, sum>. */
void interior_features_evaluate(const struct interior_features *features, const double *sum,
                                double *value, double *conjugate, double *gap);

/* The sum of the products after a part of the step, of so many. */
double interior_features_products(const struct interior_features *features, double part);
double interior_features_count(const struct interior_features *features);

/* The largest part of mu by which a product differs from it. */
double interior_features_deviation(const struct interior_features *features, double mu);

/* Adds the derivatives by t of sum_j plus_j + minus_j - mu (ln plus_j + ln minus_j) after a part t
 * of the step. */
void interior_features_derive(const struct interior_features *features, double mu, double t,
                              double *first, double *second);

/* Of |w|_1: finds the units. 0: a v_j was rounded to a bound, or a multiplier to 0. */
int interior_features_weigh(struct interior_features *features);

/* The parts of dplus and dminus that do not depend on dv, for products that are to become target;
 * and what these and v add to the right hand side of the system for dw. */
void interior_features_add_right(struct interior_features *features, double target, int corrector,
                                 double *right);

/* Takes v + dv from right, for dw as it is. */
void interior_features_take_moved(const struct interior_features *features, double *right);

/* dv, dplus and dminus, once dw is known. */
void interior_features_find_steps(struct interior_features *features);

/* How much of the step everything stays positive for; and takes a part of it. */
double interior_features_longest(const struct interior_features *features);
void interior_features_move(struct interior_features *features, double part);

/* w without the coordinates that a multiplier holds at 0: those whose share of the largest one is
 * less than what v_j lacks of 1, times 100^-level. With features of very different sizes small
 * weights count: more of them stay at a higher level, and all at the last. */
enum { SETTLING_LEVELS = 6 };
void interior_features_settle(const struct interior_features *features, int level, double *w);

/* Whether the gap is met with these weights, settled, and one of so many dual points: then they are
 * the training's. If it is late, they are settled as far as may be; else it will be met after a
 * step more. */
int interior_features_gap_is_met(const struct interior_features *features,
                                 struct training *training, const double *const *alpha, int points,
                                 int is_late);

#endif
