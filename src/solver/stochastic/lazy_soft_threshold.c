/* lazy_soft_threshold.c - loops without a branch, which are vector code; of sums that ended at 0,
 * which take a root and a division, there is a loop of their own. */
#include "solver/stochastic/lazy_soft_threshold.h"

#include "base/compiler.h"
#include "base/elementary.h"
#include "problem/loss.h"

double shrinkage_growth(const struct shrinkage *s, double a, double b)
{
    return s->quadratic ? (b - a) * (a + b + 1) : b - a;
}

static ALWAYS_INLINE double weight_of(int quadratic, double begin, double t)
{
    return (t - begin) * (quadratic ? (t + begin + 3) * 0.5 : 1);
}

double shrinkage_weight(const struct shrinkage *s, double t)
{
    return weight_of(s->quadratic, s->begin, t);
}

/* ---- Harmonic sums ------------------------------------------------------ */

/* E in 1/a + .. + 1/r = n/c (1 + E), n = r - a + 1, c = (a + r)/2, for r - a < a/PARTS: by the
 * moments of n points one apart. The first one left out, (n/2c)^6/7, is below 2^-56. */
static ALWAYS_INLINE double harmonic_excess(double n, double inverse)
{
    const double q = n * n, y = inverse * inverse;

    return (q - 1) * (1.0 / 12) * y * (1 + y * ((3 * q - 7) * (1.0 / 20)));
}

/* Where S is noted that serves a t, a whole number: of the last time noted that is not above it.
 * The exponent of t and the bits of its fraction that are kept number the places from t = 1 on, of
 * which those up to 2 PARTS are of all whole numbers. */
enum { DROPPED_BITS = 52 - PARTS_SHIFT };

static ALWAYS_INLINE uint64_t note_slot(double t)
{
    return (bits_of(t) >> DROPPED_BITS) - (UINT64_C(1023) << PARTS_SHIFT);
}

static ALWAYS_INLINE double note_time(double t)
{
    return double_of(bits_of(t) >> DROPPED_BITS << DROPPED_BITS);
}

static double note_after(double t)
{
    return t < 2 * PARTS ? t + 1 : double_of(((bits_of(t) >> DROPPED_BITS) + 1) << DROPPED_BITS);
}

/* S_t from that of t - 1. */
static void add_harmonic(struct shrinkage *s, double t)
{
    sum_add(&s->sum, 1 / t);
    s->harmonic = sum_value(&s->sum);
    if (t == s->next_note) {
        s->note[note_slot(t)] = s->harmonic;
        s->next_note = note_after(t);
    }
}

/* S_r, 1 <= r <= t. Before the first step it is 0, which is noted there. */
static ALWAYS_INLINE double harmonic_before(const double *restrict note, double begin, double r)
{
    const double noted = note_time(r), from = noted > begin ? noted : begin;
    const double n = r - from, inverse = 2 / (from + 1 + r);

    return note[note_slot(r)] + n * inverse * (1 + harmonic_excess(n, inverse));
}

void shrinkage_begin(struct shrinkage *s, double k, int quadratic, double begin, double *note)
{
    *s = (struct shrinkage){
        .note = note, .quadratic = quadratic, .k = k, .inverse_k = 1 / k, .begin = begin};
    s->next_note = note_after(begin);
}

void shrinkage_enter(struct shrinkage *s, double t)
{
    s->t = t;
    add_harmonic(s, t);
    s->now = s->k * shrinkage_growth(s, 0, t);
    s->next = s->k * shrinkage_growth(s, 0, t + 1);
    s->kq = s->k * shrinkage_weight(s, t);
}

/* ---- Coordinates -------------------------------------------------------- */

/* The last step, at least 1, at which u of a height of this size was not 0, or the one after it,
 * whose u is within rounding errors of 0. */
static ALWAYS_INLINE double last_step(double size, double inverse_k, int quadratic, double first,
                                      double t)
{
    const double g = size * inverse_k; /* G(r) at most */
    const double r = clamp(quadratic ? sqrt(g + 0.25) - 0.5 : g, first, t);
    const double near = r + 0x1p52 - 0x1p52; /* floor would be a call */
    const double whole = near > r ? near - 1 : near;

    return r < 0x1p52 ? whole : r;
}

/* Arrays have room for a whole vector after their end, of two or four numbers. */
enum { VECTOR = 4, PADDED = SHRINKAGE_BLOCK + VECTOR };

/* E(h, r) of heights whose u has reached 0, r the last step before that. Two loops: a processor
 * works at more entries at a time where each has fewer operations that wait for one another. */
static ALWAYS_INLINE void ended_sums(const struct shrinkage *s, size_t count,
                                     const double *restrict height, double *restrict sum)
{
    const double k = s->k, inverse_k = s->inverse_k, begin = s->begin, t = s->t;
    const double first = begin + 1, *restrict note = s->note;
    const int quadratic = s->quadratic;
    double last[PADDED];

    for (size_t e = 0; e < count; e++)
        last[e] = last_step(fabs(height[e]), inverse_k, quadratic, first, t);
    for (size_t e = 0; e < count; e++)
        sum[e] = height[e] * harmonic_before(note, begin, last[e]) -
                 copysign(k * weight_of(quadratic, begin, last[e]), height[e]);
}

/* E(h, t) where u is not 0, and else 0. */
static ALWAYS_INLINE double lasting_sum(double height, double now, double harmonic, double kq)
{
    const double lasting = height * harmonic - copysign(kq, height);

    return fabs(height) > now ? lasting : 0;
}

static ALWAYS_INLINE uint64_t has_ended(double height, double now)
{
    return height != 0 && fabs(height) <= now ? 1 : 0;
}

/* Adds the sums of those that have ended, collected so that there are no more vectors of them than
 * needed. */
static ALWAYS_INLINE void add_ended(const struct shrinkage *s, size_t count, const double *height,
                                    const uint64_t *ended, double *sum)
{
    uint32_t place[SHRINKAGE_BLOCK + 1];
    double ended_height[PADDED], ended_sum[PADDED];
    size_t n = 0;

    for (size_t e = 0; e < count; e++) {
        place[n] = (uint32_t)e;
        n += ended[e];
    }
    if (n == 0)
        return;
    for (size_t e = 0; e < n; e++)
        ended_height[e] = height[place[e]];
    for (size_t e = n; e < n + VECTOR; e++)
        ended_height[e] = 0;
    ended_sums(s, (n + VECTOR - 1) / VECTOR * VECTOR, ended_height, ended_sum);
    for (size_t e = 0; e < n; e++)
        sum[place[e]] += ended_sum[e];
}

static ALWAYS_INLINE void shrinkage_sums_as(const struct shrinkage *s, size_t count,
                                            const double *restrict height, double *restrict sum)
{
    const double now = s->now, harmonic = s->harmonic, kq = s->kq;
    uint64_t ended[SHRINKAGE_BLOCK];

    for (size_t e = 0; e < count; e++) {
        sum[e] = lasting_sum(height[e], now, harmonic, kq);
        ended[e] = has_ended(height[e], now);
    }
    add_ended(s, count, height, ended, sum);
}

static ALWAYS_INLINE void shrinkage_move_as(const struct shrinkage *s, size_t count, double factor,
                                            const double *restrict value, double *restrict height,
                                            double *restrict rest)
{
    const struct shrinkage shared = *s;
    const double now = s->now, harmonic = s->harmonic, kq = s->kq;
    double before[SHRINKAGE_BLOCK];
    uint64_t ended[SHRINKAGE_BLOCK];

    for (size_t e = 0; e < count; e++) {
        const double h = height[e], after = shrinkage_next(&shared, h, factor * value[e]);

        rest[e] += lasting_sum(h, now, harmonic, kq) - lasting_sum(after, now, harmonic, kq);
        ended[e] = has_ended(h, now);
        before[e] = h;
        height[e] = after;
    }
    add_ended(s, count, before, ended, rest);
}

VERSIONED(void, (void), shrinkage_sums,
          (const struct shrinkage *s, size_t count, const double *height, double *sum),
          (s, count, height, sum))
VERSIONED(void, (void), shrinkage_move,
          (const struct shrinkage *s, size_t count, double factor, const double *value,
           double *height, double *rest),
          (s, count, factor, value, height, rest))
