/* loss.h - all that tells one loss from another.
 *
 * A row of cost C adds C phi(z) to the primal objective, z its margin, and C phi*(-a/C), phi* the
 * convex conjugate, to the dual one, a its dual number. By the Fenchel-Young inequality
 *
 *     C phi(z) + C phi*(-a/C) + a z >= 0,   and 0 exactly where -a is a slope of C phi at z.
 *
 *                    phi(z)            C phi*(-a/C)    domain of a   -C phi'(z)         C phi''(z)
 *     hinge          max(0, 1 - z)     -a              0 .. C        none at z = 1      none
 *     squared hinge  max(0, 1 - z)^2   a^2/(4C) - a    0 ..          2C max(0, 1 - z)   2C, z < 1
 *
 * Each function is inlined, and its loss a compile-time constant through WITH_LOSS, so that a loop
 * over rows is compiled once for each loss. To add a loss is to add a case to each of them.
 */
#ifndef HINGE_PROBLEM_LOSS_H
#define HINGE_PROBLEM_LOSS_H

#include <math.h>

#include "base/compiler.h"

enum loss { LOSS_HINGE, LOSS_SQUARED_HINGE };

/* Makes the call, in which LOSS is the value as a compile-time constant. */
#define WITH_LOSS(value, call)                                                                     \
    do {                                                                                           \
        if ((value) == LOSS_HINGE) {                                                               \
            const enum loss LOSS = LOSS_HINGE;                                                     \
            call;                                                                                  \
        } else {                                                                                   \
            const enum loss LOSS = LOSS_SQUARED_HINGE;                                             \
            call;                                                                                  \
        }                                                                                          \
    } while (0)

/* max(0, x), exactly, and without a branch: which margins are above 1 would be mispredicted. */
static ALWAYS_INLINE double positive_part(double x)
{
    return (x + fabs(x)) / 2;
}

/* ---- The loss ---------------------------------------------------------- */

/* Whether phi has a derivative everywhere. Else it is piecewise linear: its dual domain is bounded,
 * and its conjugate linear there. */
static ALWAYS_INLINE int loss_is_smooth(enum loss loss)
{
    return loss == LOSS_SQUARED_HINGE;
}

/* C phi(z + rest), rest too small to show in z. */
static ALWAYS_INLINE double loss_value_near(enum loss loss, double cost, double z, double rest)
{
    const double slack = positive_part((1 - z) - rest);

    return loss == LOSS_HINGE ? cost * slack : cost * slack * slack;
}

/* C phi(z) */
static ALWAYS_INLINE double loss_value(enum loss loss, double cost, double z)
{
    return loss_value_near(loss, cost, z, 0);
}

/* By how much sum C_i phi(z_i), at most total, can grow where each z_i moves by e_i at most;
 * first = sum C_i e_i, second = sum C_i e_i^2. */
static inline double loss_rise(enum loss loss, double total, double first, double second)
{
    return loss == LOSS_HINGE ? first : 2 * sqrt(total * second) + second;
}

/* -phi'(z); where phi has no derivative, the subgradient that leaves w alone. */
static ALWAYS_INLINE double loss_descent(enum loss loss, double z)
{
    if (!(z < 1))
        return 0;
    return loss == LOSS_HINGE ? 1 : 2 * (1 - z);
}

/* ---- Its dual ---------------------------------------------------------- */

/* C phi*(-a/C) */
static ALWAYS_INLINE double loss_conjugate(enum loss loss, double cost, double a)
{
    return loss == LOSS_HINGE ? -a : a / cost * a / 4 - a;
}

/* The largest a of the domain, which begins at 0. */
static ALWAYS_INLINE double loss_upper(enum loss loss, double cost)
{
    return loss == LOSS_HINGE ? cost : HUGE_VAL;
}

/* Whether a is inside the domain, and so may move both ways. */
static ALWAYS_INLINE int loss_is_free(enum loss loss, double cost, double a)
{
    return (a > 0) & (a < loss_upper(loss, cost));
}

/* How far a dual point may be multiplied: t a is in the domain for every t up to this. */
static ALWAYS_INLINE double loss_most_multiple(enum loss loss)
{
    return loss == LOSS_HINGE ? 1 : HUGE_VAL;
}

/* What the coordinate functions below need of a row's cost, computed once: C itself, or the second
 * derivative 1/(2C) of the conjugate, which saves them a division. */
static ALWAYS_INLINE double loss_scale(enum loss loss, double cost)
{
    return loss == LOSS_HINGE ? cost : 1 / (2 * cost);
}

/* The second derivative of the conjugate. */
static ALWAYS_INLINE double loss_dual_curvature(enum loss loss, double scale)
{
    return loss == LOSS_HINGE ? 0 : scale;
}

/* The derivative of the dual objective with respect to a, at margin z. */
static ALWAYS_INLINE double loss_gradient(enum loss loss, double scale, double a, double z)
{
    return loss == LOSS_HINGE ? z - 1 : z - 1 + scale * a;
}

/* Whether a is the upper end of its domain. */
static ALWAYS_INLINE int loss_is_at_upper(enum loss loss, double scale, double a)
{
    return loss == LOSS_HINGE && a == scale;
}

/* That derivative without the part that leads out of the domain: the violation of optimality. */
static ALWAYS_INLINE double loss_violation(enum loss loss, double scale, double a, double z)
{
    const double gradient = loss_gradient(loss, scale, a, z);

    if (a == 0)
        return gradient < 0 ? gradient : 0;
    return loss_is_at_upper(loss, scale, a) && gradient < 0 ? 0 : gradient;
}

/* C phi(z) + C phi*(-a/C) + a z, a sum of terms of which none is negative. */
static ALWAYS_INLINE double loss_gap(enum loss loss, double scale, double a, double z)
{
    const double excess = z - 1, slack = positive_part(1 - z);
    double gradient;

    if (loss == LOSS_HINGE)
        return (scale - a) * slack + a * (slack + excess);
    gradient = excess + scale * a;
    return excess < 0 ? gradient * gradient / (2 * scale) : a * (excess + scale * a / 2);
}

/* The exact coordinate step: the a that minimises the dual objective along one coordinate, whose
 * second derivative is |x|^2 + loss_dual_curvature. */
static ALWAYS_INLINE double loss_step(enum loss loss, double scale, double curvature, double a,
                                      double gradient)
{
    const double moved = a - gradient / curvature;

    if (moved < 0)
        return 0;
    return loss == LOSS_HINGE && moved > scale ? scale : moved;
}

/* The best a of a row without a feature, whose margin is 0. */
static ALWAYS_INLINE double loss_featureless(enum loss loss, double cost)
{
    return loss == LOSS_HINGE ? cost : 2 * cost;
}

/* ---- The smoothed loss of Newton's method ------------------------------ */

/* The a that minimises C phi*(-a/C) + a z + mu/2 (a - centre)^2: of a smooth loss at mu = 0, which
 * is -C phi'(z); of the others at inverse = 1/mu. *curvature is minus its derivative by z. Without
 * a branch: at which end of the domain a row is would be mispredicted. */
static ALWAYS_INLINE double loss_point(enum loss loss, double cost, double z, double centre,
                                       double inverse, double *curvature)
{
    const double free = loss == LOSS_HINGE ? centre + inverse * (1 - z) : 2 * cost * (1 - z);
    const double positive = positive_part(free);

    if (loss != LOSS_HINGE) {
        *curvature = free > 0 ? 2 * cost : 0;
        return positive;
    }
    *curvature = free > 0 ? inverse : 0;
    *curvature = free < cost ? *curvature : 0;
    return positive < cost ? positive : cost;
}

/* That derivative over `inverse`, of a loss that is not smooth, from a itself. */
static ALWAYS_INLINE double loss_point_weight(enum loss loss, double cost, double a)
{
    return loss_is_free(loss, cost, a) * (loss == LOSS_HINGE ? 1 : 2 * cost);
}

/* How far z is from where that a leaves the end of its domain; negative inside the domain. */
static ALWAYS_INLINE double loss_distance(enum loss loss, double cost, double z, double centre,
                                          double mu)
{
    const double excess = z - 1;
    double below, above;

    if (loss != LOSS_HINGE)
        return excess;
    below = excess - mu * centre;
    above = -excess - mu * (cost - centre);
    return below > above ? below : above;
}

#endif
