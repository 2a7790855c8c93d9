/* pairs.c - alpha_i += y_i t, alpha_j -= y_j t;  F += t (K_i - K_j).
 *
 * A step (Fan, Chen, Lin, JMLR 2005, WSS 2) takes the i of b_up and the j that promises the largest
 * decrease (F_j - F_i)^2 / (2 (K_ii + K_jj - 2 K_ij)).
 *
 * A step changes F_k by K_ki y_i d_i + K_kj y_j d_j, where d are the changes of alpha. It needs two
 * columns of K, and no sum over all rows. Rows at a bound that make no violating pair are shrunk,
 * and their F is left as it was. To restore it, F_bar_i = y_i sum of C_j Q_ij over the j at their
 * upper bound is kept up to date for all rows. It changes only when a variable enters or leaves its
 * upper bound. Unshrinking sets F_i = F_bar_i - y_i + sum over free j of K_ij y_j alpha_j.
 */
#include <float.h>
#include <math.h>

#include "solver/passes/smo.h"

static int is_at_upper(const struct smo *s, uint32_t k)
{
    return s->alpha[k] == s->cost[k];
}

void smo_update_sets(struct smo *s, uint32_t k)
{
    const int above = !is_at_upper(s, k), below = s->alpha[k] > 0;

    s->sets[k] = (unsigned char)(s->sign[k] > 0 ? above * IN_UP + below * IN_LOW
                                                : below * IN_UP + above * IN_LOW);
}

void smo_copy_alpha(struct smo *s)
{
    for (uint32_t k = 0; k < s->rows; k++)
        s->training->point.alpha[s->cache.row[k]] = s->alpha[k];
}

/* product[k] := <w, x_k>, where w = sum alpha_i y_i x_i is formed from the training's alpha. */
static void multiply_weights(struct smo *s, double *product)
{
    training_form(s->training);
    s->training->point.w[s->problem->data->features] = 0;
    for (uint32_t k = 0; k < s->rows; k++)
        product[k] = problem_decision(s->problem, s->cache.row[k], s->training->point.w);
}

void smo_form_gradient(struct smo *s)
{
    for (uint32_t k = 0; k < s->rows; k++)
        s->training->point.alpha[s->cache.row[k]] = is_at_upper(s, k) ? s->alpha[k] : 0;
    multiply_weights(s, s->F_bar);
    smo_copy_alpha(s);
    multiply_weights(s, s->F);
    for (uint32_t k = 0; k < s->rows; k++)
        s->F[k] -= s->sign[k];
    s->dual = s->training->point.dual;
    s->decrease = 0;
}

/* ---- A pair step -------------------------------------------------------- */

/* Computes b_up, and returns the position that attains it; `active` if there is none. */
static uint32_t select_i(struct smo *s)
{
    uint32_t i = s->active;

    s->b_up = HUGE_VAL;
    for (uint32_t k = 0; k < s->active; k++)
        if (s->F[k] < s->b_up && s->sets[k] & IN_UP) {
            s->b_up = s->F[k];
            i = k;
        }
    return i;
}

/* Returns |x_i - x_j|^2 = K_ii + K_jj - 2 K_ij, and at least the rounding error of 0. */
static ALWAYS_INLINE double curvature_of(double Kii, double Kjj, double Kij)
{
    const double least = 1e-14 * (Kii + Kjj) + DBL_MIN, square = Kii + Kjj - 2 * Kij;

    return square > least ? square : least;
}

/* Computes b_low, and returns the position that promises the largest decrease with i; `active` if
 * none does. Two quotients are compared without dividing. */
static ALWAYS_INLINE uint32_t select_j(struct smo *s, uint32_t i, const void *restrict Ki,
                                       enum entry entry)
{
    const double Fi = s->F[i], Kii = s->diagonal[i];
    double b_low = -HUGE_VAL, best = 0, best_curvature = 1;
    uint32_t j = s->active;

    for (uint32_t k = 0; k < s->active; k++) {
        const double slope = s->F[k] - Fi;
        double square, curvature;

        if (!(s->sets[k] & IN_LOW))
            continue;
        if (s->F[k] > b_low)
            b_low = s->F[k];
        if (slope <= 0)
            continue;
        square = slope * slope;
        curvature = curvature_of(Kii, s->diagonal[k], kernel_entry(Ki, entry, k));
        if (square * best_curvature > best * curvature) {
            best = square;
            best_curvature = curvature;
            j = k;
        }
    }
    s->b_low = b_low;
    return j;
}

/* Returns how far y_k alpha_k can rise (direction 1) or fall (-1). */
static double room(const struct smo *s, uint32_t k, int direction)
{
    return s->sign[k] == direction ? s->cost[k] - s->alpha[k] : s->alpha[k];
}

/* F_k += K_ki di + K_kj dj */
static ALWAYS_INLINE void add_two(double *restrict F, uint32_t count, const void *restrict Ki,
                                  double di, const void *restrict Kj, double dj, enum entry entry)
{
    for (uint32_t k = 0; k < count; k++)
        F[k] += kernel_entry(Ki, entry, k) * di + kernel_entry(Kj, entry, k) * dj;
}

/* F_bar_k += change K_ki */
static ALWAYS_INLINE void add_one(double *restrict F_bar, uint32_t count, const void *restrict Ki,
                                  double change, enum entry entry)
{
    for (uint32_t k = 0; k < count; k++)
        F_bar[k] += change * kernel_entry(Ki, entry, k);
}

/* Moves y_k alpha_k by t, exactly to the bound if t is all the way, and returns its change. Sets
 * *bounded to the change of the sum of y alpha over rows at their upper bound. */
static double move(struct smo *s, uint32_t k, int direction, double t, double *bounded)
{
    const double before = s->alpha[k];
    const int rises = s->sign[k] == direction, was_at_upper = is_at_upper(s, k);

    if (t >= room(s, k, direction))
        s->alpha[k] = rises ? s->cost[k] : 0;
    else
        s->alpha[k] = fmin(rises ? before + t : before - t, s->cost[k]);
    smo_update_sets(s, k);
    *bounded = (is_at_upper(s, k) - was_at_upper) * s->sign[k] * s->cost[k];
    return s->sign[k] * (s->alpha[k] - before);
}

int smo_pair_step(struct smo *s, double limit)
{
    const enum entry entry = s->cache.entry;
    const uint32_t i = select_i(s);
    const void *Ki, *Kj;
    double slope, curvature, t, change[2], bounded[2];
    uint32_t j;

    s->b_low = -HUGE_VAL;
    if (i == s->active)
        return 0;
    Ki = kernel_cache_get(&s->cache, i, s->active);
    WITH_ENTRY(entry, j = select_j(s, i, Ki, ENTRY_KIND));
    if (j == s->active || s->b_low - s->b_up <= limit)
        return 0;
    Kj = kernel_cache_get(&s->cache, j, s->active);

    slope = s->F[j] - s->F[i];
    curvature = curvature_of(s->diagonal[i], s->diagonal[j], kernel_entry(Ki, entry, j));
    t = fmin(slope / curvature, fmin(room(s, i, 1), room(s, j, -1)));
    change[0] = move(s, i, 1, t, &bounded[0]);
    change[1] = move(s, j, -1, t, &bounded[1]);
    WITH_ENTRY(entry, add_two(s->F, s->active, Ki, change[0], Kj, change[1], ENTRY_KIND));
    s->dual -= t * (slope - curvature * t / 2);
    s->decrease += t * (slope - curvature * t / 2);
    s->scanned += s->active;
    s->training->progress.passes++;
    s->training->progress.steps += !s->training->progress.fallback; /* passes after a failure */
    training_moved(s->training);

    for (int k = 0; k < 2; k++)
        if (bounded[k] != 0) {
            Ki = kernel_cache_get(&s->cache, k ? j : i, s->rows);
            WITH_ENTRY(entry, add_one(s->F_bar, s->rows, Ki, bounded[k], ENTRY_KIND));
        }
    return 1;
}

/* ---- Shrinking ---------------------------------------------------------- */

void smo_find_extremes(struct smo *s)
{
    select_i(s);
    s->b_low = -HUGE_VAL;
    for (uint32_t k = 0; k < s->active; k++)
        if (s->F[k] > s->b_low && s->sets[k] & IN_LOW)
            s->b_low = s->F[k];
}

/* True if the row is at a bound and makes no violating pair with any active row. */
static int is_to_shrink(const struct smo *s, uint32_t k)
{
    if (s->sets[k] == IN_UP)
        return s->F[k] > s->b_low;
    if (s->sets[k] == IN_LOW)
        return s->F[k] < s->b_up;
    return 0;
}

void smo_shrink(struct smo *s)
{
    double *const doubles[] = {s->alpha, s->cost, s->diagonal, s->F, s->F_bar};
    uint32_t *order = s->order, kept = 0, next = 0, after;

    smo_find_extremes(s);
    for (uint32_t k = 0; k < s->active; k++)
        kept += !is_to_shrink(s, k);
    if (s->active - kept < (s->active + 9) / 10)
        return;
    after = kept;
    for (uint32_t k = 0; k < s->rows; k++)
        if (k < s->active && !is_to_shrink(s, k))
            order[next++] = k;
        else
            order[after++] = k;
    kernel_cache_reorder(&s->cache, order, kept);
    for (int k = 0; k < 5; k++)
        kernel_cache_permute(&s->cache, doubles[k], sizeof *doubles[k], order);
    kernel_cache_permute(&s->cache, s->sign, sizeof *s->sign, order);
    kernel_cache_permute(&s->cache, s->sets, sizeof *s->sets, order);
    s->active = kept;
}

void smo_unshrink(struct smo *s)
{
    const uint32_t active = s->active;
    uint32_t free = 0;

    for (uint32_t j = 0; j < active && active < s->rows; j++)
        free += s->sets[j] == IN_BOTH;
    if (free > MOST_COLUMNS) {
        smo_form_gradient(s);
        s->active = s->rows;
        return;
    }
    for (uint32_t k = active; k < s->rows; k++)
        s->F[k] = s->F_bar[k] - s->sign[k];
    for (uint32_t j = 0; j < active && active < s->rows; j++)
        if (s->sets[j] == IN_BOTH) {
            const double factor = s->sign[j] * s->alpha[j];
            const double *Kj = kernel_cache_rest(&s->cache, j, active);

            for (uint32_t k = active; k < s->rows; k++)
                s->F[k] += factor * Kj[k];
        }
    s->active = s->rows;
}
