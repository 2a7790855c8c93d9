/* smo.c - alpha_i += y_i t, alpha_j -= y_j t: sequential minimal optimisation.
 *
 *     min D(alpha) = 1/2 alpha'Q alpha - sum alpha_i,   0 <= alpha_i <= C_i,   y'alpha = 0,
 *
 * Q_ij = y_i y_j K_ij, is the dual of the hinge with a free bias. Its gradient is G_i = sum_j Q_ij
 * alpha_j - 1; let F_i = y_i G_i. I_up are the rows whose y_i alpha_i may rise, I_low those whose
 * y_i alpha_i may fall. alpha is optimal if
 *
 *     -m(alpha) = min F_i over I_up = b_up  >=  b_low = max F_i over I_low = -M(alpha).
 *
 * LIBSVM's rule is m - M <= eps. A step (Fan, Chen, Lin, JMLR 2005, WSS 2) takes the i of b_up and
 * the j that promises the largest decrease (F_j - F_i)^2 / (2 (K_ii + K_jj - 2 K_ij)).
 *
 * A step changes F_k by K_ki y_i d_i + K_kj y_j d_j, where d are the changes of alpha: it needs two
 * columns of K, and no sum over all rows. Rows at a bound that point out of it are shrunk, and
 * their F is left as it was. For them, F_bar_i = y_i sum of C_j Q_ij over the j at their upper
 * bound is kept up to date, which changes only when a variable enters or leaves that bound.
 * Unshrinking sets F_i = F_bar_i - y_i + sum over free j of K_ij y_j alpha_j.
 *
 * When to stop. Because y'alpha = 0, for any b the duality gap is a sum over rows,
 *
 *     P(w, b) + D(alpha) = sum_i C_i max(0, -e_i) + alpha_i e_i,   e_i = y_i (F_i + b).
 *
 * No term is negative, and the term of a row that was shrunk correctly is 0. This estimate decides
 * when to measure. A measurement is over all rows, with w formed anew from alpha, and the best b.
 *
 * F_k is known only up to the rounding of sum K_kj alpha_j. When the violations that are left are
 * smaller, steps follow rounding errors, and D as measured falls no further.
 */
#include <float.h>
#include <math.h>

#include "base/elementary.h"
#include "base/status.h"
#include "problem/bias.h"
#include "solver/linear/cost.h"
#include "solver/loop/method.h"
#include "solver/passes/kernel_cache.h"
#include "solver/passes/pass_rules.h"

enum { IN_UP = 1, IN_LOW = 2, FREE = IN_UP + IN_LOW };

enum { MOST_COLUMNS = 64 }; /* that are computed between two checkpoints */

struct smo {
    struct training *training;
    const struct problem *problem;
    struct kernel_cache cache; /* allocates columns during steps; two calls cannot fail */
    uint32_t rows;
    uint32_t active;
    /* [rows] by position, the active ones first; cache.row[k] is the row at position k */
    double *alpha;
    double *cost;
    double *diagonal;          /* K_kk */
    double *F;                 /* not up to date for shrunk rows */
    double *F_bar;             /* up to date for all rows */
    signed char *sign;         /* y_k */
    unsigned char *sets;       /* IN_UP, IN_LOW */
    uint32_t *order;           /* the next order of positions */
    struct breakpoint *points; /* for the best bias */

    double b_up;            /* of the active rows, when last computed */
    double b_low;           /* of the active rows, when last computed */
    double dual;            /* D(alpha), kept up to date by the decreases */
    double decrease;        /* of D since F was last formed anew */
    double mean_length;     /* entries of a row */
    double begun;           /* cost of the training before the first step */
    double scanned;         /* rows that pair steps have looked at */
    uint64_t checked;       /* step of the last checkpoint */
    uint64_t computed;      /* entries of K computed until then */
    double spent;           /* cost of the training until then */
    uint64_t next_check;    /* measure the gap from this step on whatever its estimate */
    double ratio;           /* measured gap / estimate, 0.1 .. 2 */
    int unshrunk;           /* all rows were unshrunk when the end was first near */
    int settled;            /* no pair of all rows was worth a step */
    uint64_t next_record;   /* from this step on one of the next three must have fallen */
    double lowest_dual;     /* D, measured */
    double least_gap;       /* gap, measured */
    double least_violation; /* largest violation of the active rows */
    unsigned failures;      /* times in a row that none had fallen */
};

/* ---- Beginning and measuring -------------------------------------------- */

static void lay_out(void *state, struct arena *arena, const struct training *training)
{
    const uint32_t rows = training->rows;
    struct smo *s = state;

    kernel_cache_lay_out(&s->cache, arena, training->problem);
    s->alpha = arena_take(arena, rows, sizeof *s->alpha);
    s->cost = arena_take(arena, rows, sizeof *s->cost);
    s->diagonal = arena_take(arena, rows, sizeof *s->diagonal);
    s->F = arena_take(arena, rows, sizeof *s->F);
    s->F_bar = arena_take(arena, rows, sizeof *s->F_bar);
    s->sign = arena_take(arena, rows, sizeof *s->sign);
    s->sets = arena_take(arena, rows, sizeof *s->sets);
    s->order = arena_take(arena, rows, sizeof *s->order);
    s->points = arena_take(arena, rows, sizeof *s->points);
}

static int is_at_upper(const struct smo *s, uint32_t k)
{
    return s->alpha[k] == s->cost[k];
}

static void update_sets(struct smo *s, uint32_t k)
{
    const int above = !is_at_upper(s, k), below = s->alpha[k] > 0;

    s->sets[k] = (unsigned char)(s->sign[k] > 0 ? above * IN_UP + below * IN_LOW
                                                : below * IN_UP + above * IN_LOW);
}

/* Copies alpha to the training, where it is by rows of the problem. */
static void copy_alpha(struct smo *s)
{
    for (uint32_t k = 0; k < s->rows; k++)
        s->training->point.alpha[s->cache.row[k]] = s->alpha[k];
}

/* product[k] := <w, x_k>, where w = sum alpha_i y_i x_i is formed of the training's alpha. */
static void multiply_weights(struct smo *s, double *product)
{
    training_form(s->training);
    s->training->point.w[s->problem->data->features] = 0;
    for (uint32_t k = 0; k < s->rows; k++)
        product[k] = problem_decision(s->problem, s->cache.row[k], s->training->point.w);
}

/* Forms F, F_bar and D from alpha alone, without the rounding errors of the steps. */
static void form_gradient(struct smo *s)
{
    for (uint32_t k = 0; k < s->rows; k++)
        s->training->point.alpha[s->cache.row[k]] = is_at_upper(s, k) ? s->alpha[k] : 0;
    multiply_weights(s, s->F_bar);
    copy_alpha(s);
    multiply_weights(s, s->F);
    for (uint32_t k = 0; k < s->rows; k++)
        s->F[k] -= s->sign[k];
    s->dual = s->training->point.dual;
    s->decrease = 0;
}

/* Begins at the training's alpha. Numbers that differ from their upper bound by rounding alone are
 * put there. */
static enum hinge_status begin(void *state, struct training *training, struct hinge_error *error)
{
    struct smo *s = state;
    const struct problem *problem = training->problem;
    int from_zero = 1;

    if (kernel_cache_begin(&s->cache, training->parameters->cache, error))
        return failure(error);
    s->training = training;
    s->problem = problem;
    s->rows = s->active = problem->rows;
    s->ratio = 1;
    s->mean_length = problem_nonzeros(problem) / fmax(problem->rows, 1);
    s->begun = s->spent = training->spent;
    s->next_record = training->progress.passes + 1;
    s->least_gap = s->least_violation = HUGE_VAL;
    for (uint32_t i = 0; i < s->rows; i++)
        if (training->point.alpha[i] >= problem->cost[i] * (1 - 1e-12))
            training->point.alpha[i] = problem->cost[i];
    bias_balance(problem, training->point.alpha);
    for (uint32_t k = 0; k < s->rows; k++) {
        s->alpha[k] = training->point.alpha[k];
        s->cost[k] = problem->cost[k];
        s->sign[k] = problem->sign[k];
        s->diagonal[k] = problem_square(problem, k);
        s->F[k] = -s->sign[k];
        from_zero &= s->alpha[k] == 0;
        update_sets(s, k);
    }
    if (!from_zero)
        form_gradient(s);
    return HINGE_OK;
}

static void end(void *state)
{
    kernel_cache_end(&((struct smo *)state)->cache);
}

static void measure(void *state)
{
    struct smo *s = state;
    struct training *training = s->training;

    copy_alpha(s);
    bias_balance(s->problem, training->point.alpha);
    training_form(training);
    training->point.w[s->problem->data->features] =
        bias_best(s->problem, training->point.w, s->points);
    training_measure(training);
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
    update_sets(s, k);
    *bounded = (is_at_upper(s, k) - was_at_upper) * s->sign[k] * s->cost[k];
    return s->sign[k] * (s->alpha[k] - before);
}

/* Minimises D over the most promising pair of active rows. Returns 0, and takes no step, if no pair
 * violates the conditions of optimality by more than the limit. */
static int pair_step(struct smo *s, double limit)
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

static void find_extremes(struct smo *s)
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

/* Shrinks rows if they are a tenth of the active ones or more: moving columns costs about as much
 * as the steps between two checkpoints. */
static void shrink(struct smo *s)
{
    double *const doubles[] = {s->alpha, s->cost, s->diagonal, s->F, s->F_bar};
    uint32_t *order = s->order, kept = 0, next = 0, after;

    find_extremes(s);
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

/* Makes all rows active. Free rows are never shrunk. If their columns are so many that they would
 * take long, F is formed from w. */
static void unshrink(struct smo *s)
{
    const uint32_t active = s->active;
    uint32_t free = 0;

    for (uint32_t j = 0; j < active && active < s->rows; j++)
        free += s->sets[j] == FREE;
    if (free > MOST_COLUMNS) {
        form_gradient(s);
        s->active = s->rows;
        return;
    }
    for (uint32_t k = active; k < s->rows; k++)
        s->F[k] = s->F_bar[k] - s->sign[k];
    for (uint32_t j = 0; j < active && active < s->rows; j++)
        if (s->sets[j] == FREE) {
            const double factor = s->sign[j] * s->alpha[j];
            const double *Kj = kernel_cache_rest(&s->cache, j, active);

            for (uint32_t k = active; k < s->rows; k++)
                s->F[k] += factor * Kj[k];
        }
    s->active = s->rows;
}

/* ---- A step ------------------------------------------------------------- */

/* Returns the part of m - M that is rounding. */
static double noise(const struct smo *s)
{
    return 1e-14 * (2 + fabs(s->b_up) + fabs(s->b_low));
}

/* Returns the violation above which a step is worth taking: the eps to stop at, or, after eps was
 * met and the gap was not, the rounding errors. */
static double least_violation(const struct smo *s)
{
    const int eps_holds = s->training->progress.passes < s->next_check;

    return eps_holds ? noise(s) : fmax(s->training->parameters->eps, noise(s));
}

static double spent(const struct smo *s)
{
    return s->begun + cost_of_pairs(s->scanned) +
           cost_of_columns((double)s->cache.products, s->mean_length);
}

/* True if a checkpoint is due: every thousand steps, as in LIBSVM, or sooner if rows are few,
 * columns expensive or steps slow. */
static int is_checkpoint(const struct smo *s)
{
    enum { STEPS = 1000 };
    static const double LONG = 2e8; /* a tenth of a second */
    const uint64_t steps = s->training->progress.passes - s->checked;

    return steps >= STEPS || steps >= s->rows ||
           s->cache.products - s->computed >= (uint64_t)MOST_COLUMNS * s->rows ||
           spent(s) - s->spent >= LONG;
}

/* Counts the steps and entries until the next checkpoint from here on. */
static void begin_interval(struct smo *s)
{
    s->checked = s->training->progress.passes;
    s->computed = s->cache.products;
    s->spent = spent(s);
}

/* Steps until the next checkpoint, or until no pair is worth a step. */
static void step(void *state)
{
    struct smo *s = state;
    struct hinge_progress *progress = &s->training->progress;
    const uint64_t products = s->cache.products;

    if (!s->settled)
        shrink(s);
    s->settled = 0;
    do {
        if (pair_step(s, least_violation(s)))
            continue;
        s->settled = s->active == s->rows;
        unshrink(s);
        if (!s->settled)
            begin_interval(s); /* nothing is shrunk before all rows had their steps */
    } while (!is_checkpoint(s) && !s->settled && progress->passes < s->training->most_passes);
    s->training->spent = spent(s);
    progress->row_visits += s->cache.products - products;
    progress->active = 0;
    for (uint32_t k = 0; k < s->active; k++)
        progress->active += s->sets[k] == FREE;
}

/* ---- Stopping ----------------------------------------------------------- */

static int gap_holds(struct smo *s)
{
    if (!s->training->progress.measured)
        measure(s);
    return s->training->progress.relative_gap <= certified_gap(s->training->parameters);
}

/* Returns the relative gap by the F of the active rows, for the b in the middle of b_up and b_low.
 */
static double estimate_gap(const struct smo *s)
{
    const double b = -(s->b_up + s->b_low) / 2;
    double gap = 0;

    if (!(fabs(b) <= DBL_MAX)) /* all rows have one sign: some b leaves no gap */
        return 0;
    for (uint32_t k = 0; k < s->active; k++) {
        const double e = s->sign[k] * (s->F[k] + b);

        gap += e < 0 ? (s->alpha[k] - s->cost[k]) * e : s->alpha[k] * e;
    }
    return gap_of_terms(gap, s->dual);
}

/* The rule of the gap alone at a checkpoint. The gap is measured if the estimate is small enough,
 * and each time the steps have doubled, because the estimate may be wrong. All rows are unshrunk if
 * the rule does not hold, and once when the estimate is within 10 times the target. */
static enum verdict met_by_gap(struct smo *s)
{
    const uint64_t passes = s->training->progress.passes;
    const double target = certified_gap(s->training->parameters), estimate = estimate_gap(s);

    if (estimate * s->ratio > target && passes < s->next_check) {
        if (!s->unshrunk && estimate <= 10 * target) {
            s->unshrunk = 1;
            unshrink(s);
        }
        return GOES_ON;
    }
    if (gap_holds(s))
        return MET;
    s->ratio = fmin(gap_correction(s->training->progress.relative_gap, estimate), 2);
    s->next_check = 2 * passes;
    unshrink(s);
    return GOES_ON;
}

/* True if rounding allows no further progress: neither D nor the gap nor the largest violation has
 * fallen while the steps doubled, nor after F was formed anew several times. */
static int has_stalled(struct smo *s)
{
    enum { MOST_FAILURES = 4 };
    struct training *training = s->training;
    const struct hinge_progress *progress = &training->progress;
    const uint64_t passes = progress->passes;
    const double violation = s->b_low - s->b_up;

    if (passes < s->next_record)
        return 0;
    if (!progress->measured)
        measure(s);
    if (progress->dual < s->lowest_dual - 1e-14 * fabs(s->lowest_dual) ||
        progress->relative_gap < 0.9 * s->least_gap || violation < 0.9 * s->least_violation)
        s->failures = 0;
    else
        s->failures++;
    s->lowest_dual = fmin(s->lowest_dual, progress->dual);
    s->least_gap = fmin(s->least_gap, progress->relative_gap);
    s->least_violation = fmin(s->least_violation, violation);
    s->next_record = s->failures > 0 ? passes + passes / 8 + 1000 : 2 * passes;
    if (s->failures > 0)
        form_gradient(s);
    return s->failures > MOST_FAILURES;
}

/* No pair of all rows was worth a step. Either the rules hold, or a smaller violation is worth one.
 * If F formed anew does not help either, no step ever will. */
static enum verdict met_when_settled(struct smo *s)
{
    const struct hinge_parameters *parameters = s->training->parameters;
    const int least = !(least_violation(s) > noise(s));

    if (parameters->relative_gap > 0 ? gap_holds(s) : s->b_low - s->b_up <= parameters->eps)
        return MET;
    s->next_check = s->training->progress.passes + 1000;
    if (!least)
        return GOES_ON;
    if (!(s->decrease > 1e-15 * fabs(s->dual)))
        return STALLED;
    form_gradient(s);
    return GOES_ON;
}

static enum verdict met(void *state)
{
    struct smo *s = state;
    const struct hinge_progress *progress = &s->training->progress;
    const double eps = s->training->parameters->eps;
    enum verdict verdict = GOES_ON;

    if (s->settled) {
        verdict = met_when_settled(s);
    } else {
        begin_interval(s);
        find_extremes(s);
        if (eps <= 0) {
            verdict = met_by_gap(s);
        } else if (!s->unshrunk && s->b_low - s->b_up <= 10 * eps) {
            s->unshrunk = 1;
            unshrink(s);
        }
    }
    if (verdict != GOES_ON)
        return verdict;
    /* The policy reads the distance to the end, and which rows are free. */
    s->training->distance =
        distance_to_targets(progress->measured ? progress->relative_gap : estimate_gap(s),
                            s->training->parameters->relative_gap, s->b_low - s->b_up, eps);
    copy_alpha(s);
    return has_stalled(s) ? STALLED : GOES_ON;
}

const struct method smo = {.name = "smo",
                           .size = sizeof(struct smo),
                           .lay_out = lay_out,
                           .begin = begin,
                           .step = step,
                           .met = met,
                           .measure = measure,
                           .end = end};
