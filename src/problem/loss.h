/* loss.h - the losses of a row with one margin: values, slopes, conjugates, coordinate steps.
 *
 * A row with cost C, target t, margin z and slack s = t - z adds C phi(s) to the primal objective.
 * With its dual number a and the convex conjugate phi*, it adds C phi*(a/C) - t a to the dual
 * objective. By the Fenchel-Young inequality
 *
 *     C phi(s) + C phi*(a/C) - a s >= 0,   and 0 exactly where a is a slope of C phi at s.
 *
 *                      t   phi(s)        C phi*(a/C)   domain of a  C phi'(s)      C phi''(s)
 *     hinge            1   max(0, s)     0             0 .. C       none at s = 0  none
 *     squared hinge    1   max(0, s)^2   a^2/(4C)      0 ..         2C max(0, s)   2C, s > 0
 *     logistic         0   ln(1 + e^s)   C H(a/C)      0 .. C       C/(1 + e^-s)   a (C - a)/C
 *
 * with H(p) = p ln p + (1 - p) ln(1 - p); in the last column, a = C phi'(s).
 *
 * Regression has two rows for each number r: one with sign +1 and target r - epsilon, one with sign
 * -1 and target -r - epsilon. Each has half of the epsilon-insensitive loss, a hinge or its square.
 *
 * Each function is inlined. WITH_LOSS and WITH_PHI make its loss a compile-time constant, so that a
 * loop over rows is compiled once for each loss, or once for each phi. A new loss needs a case in
 * each function.
 */
#ifndef HINGE_PROBLEM_LOSS_H
#define HINGE_PROBLEM_LOSS_H

#include <float.h>
#include <math.h>

#include "base/elementary.h"

enum loss {
    LOSS_HINGE,
    LOSS_SQUARED_HINGE,
    LOSS_LOGISTIC,
    LOSS_ONE_CLASS,          /* the hinge at target 0; a free bias replaces t */
    LOSS_INSENSITIVE,        /* the hinge with a target for each row */
    LOSS_SQUARED_INSENSITIVE /* the squared hinge with a target for each row */
};

/* Makes the call with LOSS, the value as a compile-time constant. Does nothing for LOSS_ONE_CLASS,
 * which coordinate descent does not minimise. */
#define WITH_LOSS(value, call)                                                                     \
    do {                                                                                           \
        switch (value) {                                                                           \
        case LOSS_HINGE:                                                                           \
            WITH_CONSTANT_LOSS(LOSS_HINGE, call)                                                   \
        case LOSS_SQUARED_HINGE:                                                                   \
            WITH_CONSTANT_LOSS(LOSS_SQUARED_HINGE, call)                                           \
        case LOSS_LOGISTIC:                                                                        \
            WITH_CONSTANT_LOSS(LOSS_LOGISTIC, call)                                                \
        case LOSS_ONE_CLASS:                                                                       \
            break;                                                                                 \
        case LOSS_INSENSITIVE:                                                                     \
            WITH_CONSTANT_LOSS(LOSS_INSENSITIVE, call)                                             \
        case LOSS_SQUARED_INSENSITIVE:                                                             \
            WITH_CONSTANT_LOSS(LOSS_SQUARED_INSENSITIVE, call)                                     \
        }                                                                                          \
    } while (0)

/* Makes the call with LOSS, loss_phi(value) as a compile-time constant. The call may use phi but no
 * target. WITH_SMOOTH_PHI is for smooth losses only, and compiles one copy less. */
#define WITH_PHI(value, call)                                                                      \
    do {                                                                                           \
        switch (loss_phi(value)) {                                                                 \
        case LOSS_HINGE:                                                                           \
            WITH_CONSTANT_LOSS(LOSS_HINGE, call)                                                   \
        case LOSS_SQUARED_HINGE:                                                                   \
            WITH_CONSTANT_LOSS(LOSS_SQUARED_HINGE, call)                                           \
        default:                                                                                   \
            WITH_CONSTANT_LOSS(LOSS_LOGISTIC, call)                                                \
        }                                                                                          \
    } while (0)

#define WITH_SMOOTH_PHI(value, call)                                                               \
    do {                                                                                           \
        switch (loss_phi(value)) {                                                                 \
        case LOSS_SQUARED_HINGE:                                                                   \
            WITH_CONSTANT_LOSS(LOSS_SQUARED_HINGE, call)                                           \
        default:                                                                                   \
            WITH_CONSTANT_LOSS(LOSS_LOGISTIC, call)                                                \
        }                                                                                          \
    } while (0)

#define WITH_CONSTANT_LOSS(constant, ...)                                                          \
    {                                                                                              \
        const enum loss LOSS = constant;                                                           \
        __VA_ARGS__;                                                                               \
        break;                                                                                     \
    }

/* The terms of a row in P, D and the gap, or their sums over rows. */
struct row_terms {
    double value;     /* C phi(s) */
    double conjugate; /* C phi*(a/C) - t a */
    double gap;       /* value + conjugate + a z, from terms that are not negative */
};

/* Returns max(0, x), exactly. A branch on the sign of slacks would be mispredicted. */
static ALWAYS_INLINE double positive_part(double x)
{
    return (x + fabs(x)) / 2;
}

/* ---- Kinds of losses --------------------------------------------------- */

static ALWAYS_INLINE int loss_is_linear(enum loss loss)
{
    return loss == LOSS_HINGE || loss == LOSS_ONE_CLASS || loss == LOSS_INSENSITIVE;
}

static ALWAYS_INLINE int loss_is_squared(enum loss loss)
{
    return loss == LOSS_SQUARED_HINGE || loss == LOSS_SQUARED_INSENSITIVE;
}

/* True if phi has a derivative everywhere. Otherwise phi is piecewise linear, the domain of a is
 * bounded, and the conjugate is 0 there. */
static ALWAYS_INLINE int loss_is_smooth(enum loss loss)
{
    return !loss_is_linear(loss);
}

/* True if phi is curved everywhere, so that no dual number is ever at an end of its domain. */
static ALWAYS_INLINE int loss_is_curved(enum loss loss)
{
    return loss == LOSS_LOGISTIC;
}

/* True if each row has a target. */
static ALWAYS_INLINE int loss_has_targets(enum loss loss)
{
    return loss == LOSS_INSENSITIVE || loss == LOSS_SQUARED_INSENSITIVE;
}

/* Returns the common target of all rows of a loss without targets for each row. */
static ALWAYS_INLINE double loss_target(enum loss loss)
{
    return loss == LOSS_LOGISTIC || loss == LOSS_ONE_CLASS ? 0 : 1;
}

/* Returns the first loss with the same phi. */
static ALWAYS_INLINE enum loss loss_phi(enum loss loss)
{
    return loss_is_linear(loss) ? LOSS_HINGE : loss_is_squared(loss) ? LOSS_SQUARED_HINGE : loss;
}

/* Returns the loss with a target for each row that is the same function of the slack. */
static ALWAYS_INLINE enum loss loss_with_targets(enum loss loss)
{
    return loss_is_squared(loss) ? LOSS_SQUARED_INSENSITIVE : LOSS_INSENSITIVE;
}

/* ---- The loss ---------------------------------------------------------- */

/* ln(1 + e^s) */
static ALWAYS_INLINE double softplus(double s)
{
    return positive_part(s) + log1p_of(exp_of(-fabs(s)));
}

/* 1/(1 + e^-s); *curvature is its derivative. */
static ALWAYS_INLINE double sigmoid(double s, double *curvature)
{
    const double e = exp_of(-fabs(s)), p = 1 / (1 + e);

    *curvature = e * p * p;
    return (s > 0 ? 1 : e) * p;
}

/* C phi(s) */
static ALWAYS_INLINE double loss_value(enum loss loss, double cost, double s)
{
    const double slack = positive_part(s);

    if (loss == LOSS_LOGISTIC)
        return cost * softplus(s);
    return loss_is_linear(loss) ? cost * slack : cost * slack * slack;
}

/* Returns an upper bound of C phi(s - rest), for a rest that is too small to show in s. For the
 * logistic loss, phi'' is at most 1/4, and at most phi' on either side. */
static inline double loss_value_near(enum loss loss, double cost, double s, double rest)
{
    double curvature;

    if (loss == LOSS_LOGISTIC)
        return cost * (softplus(s) - rest * sigmoid(s, &curvature) +
                       rest * rest / 2 * fmin(0.25, sigmoid(2 * fabs(rest) - fabs(s), &curvature)));
    return loss_value(loss, cost, s - rest);
}

/* Returns a bound on the growth of sum C_i phi(s_i), which is at most total, if each s_i moves by
 * at most e_i; first = sum C_i e_i, second = sum C_i e_i^2. */
static inline double loss_rise(enum loss loss, double total, double first, double second)
{
    return loss_is_squared(loss) ? 2 * sqrt(total * second) + second : first;
}

/* phi'(s); at a kink, the subgradient 0, which leaves w unchanged. */
static ALWAYS_INLINE double loss_slope(enum loss loss, double s)
{
    double curvature;

    if (loss == LOSS_LOGISTIC)
        return sigmoid(s, &curvature);
    if (!(s > 0))
        return 0;
    return loss_is_linear(loss) ? 1 : 2 * s;
}

/* ---- The dual ---------------------------------------------------------- */

/* Returns the smaller of p = a/C and 1 - p. */
static ALWAYS_INLINE double smaller_share(double cost, double a)
{
    return (a < cost - a ? a : cost - a) / cost;
}

/* Returns the s with C phi'(s) = a for the logistic loss; for a = C, the smallest s whose slope
 * rounds to C. */
static ALWAYS_INLINE double logit(double cost, double a)
{
    const double s = log_of(a / (a < cost ? cost - a : cost));

    return a < cost ? s : 37;
}

/* C phi*(a/C) - t a */
static ALWAYS_INLINE double loss_conjugate(enum loss loss, double cost, double t, double a)
{
    double p;

    if (loss_is_linear(loss))
        return -t * a;
    if (loss_is_squared(loss))
        return a / cost * a / 4 - t * a;
    p = smaller_share(cost, a);
    return cost * (p * log_of(p) - (1 - p) * log1p_of(p / (1 - p))) - t * a;
}

/* Returns the upper end of the domain of a, which begins at 0. */
static ALWAYS_INLINE double loss_upper(enum loss loss, double cost)
{
    return loss_is_squared(loss) ? HUGE_VAL : cost;
}

/* True if a is inside its domain, so that it can move both ways. */
static ALWAYS_INLINE int loss_is_free(enum loss loss, double cost, double a)
{
    return (a > 0) & (a < loss_upper(loss, cost));
}

/* Returns the largest t for which t a is in the domain for every a in the domain. */
static ALWAYS_INLINE double loss_most_multiple(enum loss loss)
{
    return loss_is_squared(loss) ? HUGE_VAL : 1;
}

/* Returns the scale that the coordinate functions take instead of C: C itself, or for a squared
 * loss the second derivative 1/(2C) of the conjugate, which saves a division in each visit. */
static ALWAYS_INLINE double loss_scale(enum loss loss, double cost)
{
    return loss_is_squared(loss) ? 1 / (2 * cost) : cost;
}

/* Returns the constant part of the second derivative of the conjugate. */
static ALWAYS_INLINE double loss_dual_curvature(enum loss loss, double scale)
{
    return loss_is_squared(loss) ? scale : 0;
}

/* Returns the derivative of the dual objective with respect to a, at slack s. */
static ALWAYS_INLINE double loss_gradient(enum loss loss, double scale, double a, double s)
{
    if (loss == LOSS_LOGISTIC)
        return logit(scale, a) - s;
    return loss_is_linear(loss) ? -s : scale * a - s;
}

/* True if a is the upper end of its domain. */
static ALWAYS_INLINE int loss_is_at_upper(enum loss loss, double scale, double a)
{
    return !loss_is_squared(loss) && a == scale;
}

/* Returns the violation of optimality: the derivative without the part that leads out of the
 * domain. For the logistic loss, it also leaves out the possible effect of rounding a near C. A
 * double near C, or near 0, stands for all numbers between it and its neighbours. */
static ALWAYS_INLINE double loss_violation(enum loss loss, double scale, double a, double s)
{
    const double gradient = loss_gradient(loss, scale, a, s);

    if (loss == LOSS_LOGISTIC) {
        const double rest = fabs(gradient) - (a < scale ? DBL_EPSILON * scale / (scale - a) : 1);
        const int is_end = gradient > 0 ? a <= DBL_MIN * fmax(scale, 1) : !(a < scale);

        return rest > 0 && !is_end ? copysign(rest, gradient) : 0;
    }
    if (a == 0)
        return gradient < 0 ? gradient : 0;
    return loss_is_at_upper(loss, scale, a) && gradient < 0 ? 0 : gradient;
}

/* Returns loss_gap for the logistic loss: C (p ln(p/q) + (1 - p) ln((1 - p)/(1 - q))), q = phi'(s).
 * If the slacks of p and q differ by a small g, it sums a series in g. p is the smaller share, so
 * that the terms that cancel are as small as p. */
static ALWAYS_INLINE double logistic_gap(double cost, double a, double s)
{
    const int is_lower = a < cost - a;
    const double p = smaller_share(cost, a), w = p * (1 - p);
    const double own = is_lower ? logit(cost, a) : -logit(cost, a);
    const double slack = is_lower ? s : -s, g = own - slack;

    const double series =
        w * g * g *
        (0.5 - g * ((1 - 2 * p) / 6 * (1 + g * g * (1 - 12 * w) / 20) - g * (1 - 6 * w) / 24));
    const double whole = positive_part(softplus(slack) - log1p_of(p / (1 - p)) + p * g);

    return cost * (((fabs(g) < 1e-2) & (p > 0)) ? series : whole);
}

/* Returns C phi(s) + C phi*(a/C) - a s as a sum of terms that are not negative. */
static ALWAYS_INLINE double loss_gap(enum loss loss, double scale, double a, double s)
{
    const double slack = positive_part(s);
    double gradient;

    if (loss == LOSS_LOGISTIC)
        return logistic_gap(scale, a, s);
    if (loss_is_linear(loss))
        return (scale - a) * slack + a * (slack - s);
    gradient = scale * a - s;
    return s > 0 ? gradient * gradient / (2 * scale) : a * (scale * a / 2 - s);
}

/* Returns C/(1 + e^-u) at the root of h(u) = u - s + curvature (C/(1 + e^-u) - a). The root is
 * between the slack of a and s, where h has different signs; h' is at least 1. Newton's method
 * starts at the slack of a and stays inside the bracket. If a step does not reduce h to a quarter,
 * the next one halves the bracket, because far up the slope of e^u a step divides h by e at best.
 */
static inline double logistic_step(double cost, double curvature, double a, double s)
{
    enum { MOST = 40 };
    const double own = logit(cost, a), enough = 1e-3 * fmin(fabs(own - s), 1);
    double low = own < s ? own : s, high = own < s ? s : own;
    double u = own, value = own - s, reached = a, bend = a / cost * ((cost - a) / cost);
    int is_falling = 1;

    for (int k = 0; k < MOST && fabs(value) > enough; k++) {
        const double before = fabs(value);

        u -= value / (1 + curvature * cost * bend);
        if (!is_falling || !(u > low && u < high))
            u = low + (high - low) / 2;
        reached = cost * sigmoid(u, &bend);
        value = u - s + curvature * (reached - a);
        if (value > 0)
            high = u;
        else
            low = u;
        is_falling = fabs(value) <= before / 4;
    }
    return reached;
}

/* Returns the a that minimises the dual objective along one coordinate, at slack s and the given
 * gradient. curvature is |x|^2 + loss_dual_curvature. */
static ALWAYS_INLINE double loss_step(enum loss loss, double scale, double curvature, double a,
                                      double s, double gradient)
{
    const double moved = a - gradient / curvature;

    if (loss == LOSS_LOGISTIC)
        return logistic_step(scale, curvature, a, s);
    if (moved < 0)
        return 0;
    return loss_is_linear(loss) && moved > scale ? scale : moved;
}

/* Returns the decrease of the dual objective by the step of loss_step from a to after. For the
 * logistic loss and a small step, it is an approximation to second order. */
static ALWAYS_INLINE double loss_decrease(enum loss loss, double scale, double curvature, double a,
                                          double after, double gradient)
{
    const double change = after - a;

    if (loss != LOSS_LOGISTIC)
        return -change * (gradient + curvature * change / 2);
    if (fabs(gradient) < 0.1)
        return -change * gradient / 2;
    return curvature * change * change / 2 +
           logistic_gap(scale, a, logit(scale, a) - gradient - curvature * change);
}

/* ---- The function that Newton's method minimises ------------------------ */

/* Returns the slope a at s of the function that Newton's method minimises, and sets *curvature to
 * the derivative of a with respect to s. For a smooth loss, the function is C phi (centre =
 * mu = 0). Other losses are smoothed by a proximal term: the function is the maximum over a of a s
 * - C phi*(a/C) - mu/2 (a - centre)^2, with inverse = 1/mu. A branch on the end of the domain at
 * which a row is would be mispredicted. */
static ALWAYS_INLINE double loss_point(enum loss loss, double cost, double s, double centre,
                                       double inverse, double *curvature)
{
    const double free = loss_is_linear(loss) ? centre + inverse * s : 2 * cost * s;
    const double positive = positive_part(free);

    if (loss == LOSS_LOGISTIC) {
        const double p = sigmoid(s, curvature);

        *curvature *= cost;
        return cost * p;
    }
    if (loss_is_squared(loss)) {
        *curvature = free > 0 ? 2 * cost : 0;
        return positive;
    }
    *curvature = free > 0 ? inverse : 0;
    *curvature = free < cost ? *curvature : 0;
    return positive < cost ? positive : cost;
}

/* Returns the curvature of loss_point as a function of its a, divided by inverse if the loss is not
 * smooth. */
static ALWAYS_INLINE double loss_point_weight(enum loss loss, double cost, double a)
{
    if (loss == LOSS_LOGISTIC)
        return a / cost * (cost - a);
    return loss_is_free(loss, cost, a) * (loss_is_linear(loss) ? 1 : 2 * cost);
}

/* Returns the largest value of C phi'' for a smooth loss. */
static ALWAYS_INLINE double loss_most_curvature(enum loss loss, double cost)
{
    return loss == LOSS_LOGISTIC ? cost / 4 : 2 * cost;
}

/* Returns loss_conjugate of a smooth loss at a = C phi'(s), given value = C phi(s). */
static ALWAYS_INLINE double loss_conjugate_at(enum loss loss, double cost, double t, double a,
                                              double s, double value)
{
    return loss == LOSS_LOGISTIC ? a * s - value - t * a : loss_conjugate(loss, cost, t, a);
}

/* Returns how far z must move until a leaves the end of its domain; negative if a is inside. */
static ALWAYS_INLINE double loss_distance(enum loss loss, double cost, double s, double centre,
                                          double mu)
{
    double below, above;

    if (loss_is_curved(loss))
        return -HUGE_VAL;
    if (loss_is_squared(loss))
        return -s;
    below = -s - mu * centre;
    above = s - mu * (cost - centre);
    return below > above ? below : above;
}

#endif
