/* lazy_soft_threshold.h - coordinates that each step shrinks, brought up to date when a gradient
 * reaches them.
 *
 * On paper each step moves every coordinate,
 *
 *     w_j := sign(v) max(|v| - l1 eta, 0) / (1 + sigma eta),  v = w_j - eta g_j.
 *
 * Let G(t) = t for comid (eta = 1/(sigma t)), t (t + 1) for hrmd-w (eta = 2/(sigma t)), K =
 * l1/sigma, the problem's l1, soft(u, c) = sign(u) max(|u| - c, 0). Then u_t = G(t) w_t obeys
 *
 *     u_{t+1} = soft(u_t - g_j D/sigma, K D),     D = G(t+1) - G(t),
 *
 * and the height h = sign(u_t) (|u_t| + K G(t)) stays as it is until the next gradient: u_t =
 * soft(h, K G(t)). Both averages are sums of u_t/t: the weights are 1 = G(t)/t and t + 1 = G(t)/t.
 * With
 *
 *     S_t = 1/1 + .. + 1/t,    Q_t = G(1)/1 + .. + G(t)/t,    E(h, t) = h S_t - sign(h) K Q_t
 *
 * such a sum over steps with the same h, from a to b, is E(h, b) - E(h, a - 1) where u does not
 * reach 0, else E(h, r) - E(h, a - 1), r the last step with K G(r) < |h|. So a coordinate is h and
 * a rest: all earlier sums, less E(h, a - 1). S_t is known where h changes; S_r, of an r that has
 * passed, is found from one of the sums noted along the way.
 */
#ifndef HINGE_SOLVER_STOCHASTIC_LAZY_SOFT_THRESHOLD_H
#define HINGE_SOLVER_STOCHASTIC_LAZY_SOFT_THRESHOLD_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/sum.h"
#include "problem/loss.h"

/* S is noted at every t up to 2 PARTS, then PARTS times between a power of 2 and the next: from a
 * noted t to the next it is t/PARTS steps at most. There are places for t from 1 to below 2^54. */
enum { PARTS_SHIFT = 8, PARTS = 1 << PARTS_SHIFT, NOTES = PARTS * 54 };

/* Coordinates are taken so many at a time. */
enum { SHRINKAGE_BLOCK = 64 };

struct shrinkage {
    double *note;     /* [NOTES] S where noted; 0 at first */
    double next_note; /* the t of the next one */
    struct sum sum;   /* of 1/t, without those of the steps before the first */
    double harmonic;  /* its value, S_t */
    int quadratic;    /* G(t) = t (t + 1), else t */
    double k;         /* K > 0 */
    double inverse_k; /* 1/K */
    double begin;     /* the t before the first step */
    double t;         /* the step being taken */
    double now;       /* K G(t) */
    double next;      /* K G(t + 1) */
    double kq;        /* K Q_t */
};

/* K, what G is, and the t before the first step; note is all 0. */
void shrinkage_begin(struct shrinkage *s, double k, int quadratic, double begin, double *note);

/* Step t begins, one after the other. */
void shrinkage_enter(struct shrinkage *s, double t);

/* G(b) - G(a) */
double shrinkage_growth(const struct shrinkage *s, double a, double b);

/* Q_t, of the steps from the first one on: the sum of the weights. */
double shrinkage_weight(const struct shrinkage *s, double t);

/* u_t of a height, t the step being taken; 0 may have a sign. */
static ALWAYS_INLINE double shrinkage_current(const struct shrinkage *s, double height)
{
    return copysign(positive_part(fabs(height) - s->now), height);
}

/* The height after that step, in which u_t changes by push before it is shrunk. */
static ALWAYS_INLINE double shrinkage_next(const struct shrinkage *s, double height, double push)
{
    const double u = shrinkage_current(s, height) + push, size = fabs(u) + s->now;

    return size > s->next ? copysign(size, u) : 0;
}

/* What makes a coordinate's sum u_1/1 + .. + u_t/t of its rest: sum = rest + sum[e]. */
void shrinkage_sums(const struct shrinkage *s, size_t count, const double *height, double *sum);

/* The same step of at most SHRINKAGE_BLOCK coordinates and their rests, push = factor value[e]. */
void shrinkage_move(const struct shrinkage *s, size_t count, double factor, const double *value,
                    double *height, double *rest);

#endif
