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
 * LIBSVM's rule is m - M <= eps. Steps on pairs of rows are in pairs.c.
 *
 * When to stop. Because y'alpha = 0, for any b the duality gap is a sum over rows,
 *
 *     P(w, b) + D(alpha) = sum_i C_i max(0, -e_i) + alpha_i e_i,   e_i = y_i (F_i + b).
 *
 * No term is negative, and the term of a row that was shrunk correctly is 0. This estimate decides
 * when to measure. A measurement is over all rows, with w formed anew from alpha, and the best b.
 *
 * F_k is known only up to the rounding of sum K_kj alpha_j. When the remaining violations are
 * smaller than that, steps follow rounding errors, and D as measured falls no further.
 */
#include <float.h>
#include <math.h>

#include "base/status.h"
#include "problem/bias.h"
#include "solver/linear/cost.h"
#include "solver/passes/pass_rules.h"
#include "solver/passes/smo.h"

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

/* Begins at the training's alpha. Sets each alpha_i that is below its upper bound by rounding alone
 * to that bound. */
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
    s->stopping.ratio = 1;
    s->mean_length = problem_nonzeros(problem) / fmax(problem->rows, 1);
    s->begun = s->stopping.spent = training->spent;
    s->stopping.next_record = training->progress.passes + 1;
    s->stopping.least_gap = s->stopping.least_violation = HUGE_VAL;
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
        smo_update_sets(s, k);
    }
    if (!from_zero)
        smo_form_gradient(s);
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

    smo_copy_alpha(s);
    bias_balance(s->problem, training->point.alpha);
    training_form(training);
    training->point.w[s->problem->data->features] =
        bias_best(s->problem, training->point.w, s->points);
    training_measure(training);
}

/* ---- A step ------------------------------------------------------------- */

/* Returns the part of m - M that is rounding. */
static double noise(const struct smo *s)
{
    return 1e-14 * (2 + fabs(s->b_up) + fabs(s->b_low));
}

/* Returns the violation above which a step is worth taking: the eps to stop at, or the rounding
 * errors if eps was met and the gap was not. */
static double least_violation(const struct smo *s)
{
    const int eps_holds = s->training->progress.passes < s->stopping.next_check;

    return eps_holds ? noise(s) : fmax(s->training->parameters->eps, noise(s));
}

static double spent(const struct smo *s)
{
    return s->begun + COST_OF_PAIR_ROW * s->scanned +
           cost_of_columns((double)s->cache.products, s->mean_length);
}

/* Begins to count steps, entries and cost until the next checkpoint. */
static void begin_interval(struct smo *s)
{
    s->stopping.checked = s->training->progress.passes;
    s->stopping.computed = s->cache.products;
    s->stopping.spent = spent(s);
}

/* Steps until the next checkpoint, or until no pair is worth a step. A checkpoint is due every
 * thousand steps, as in LIBSVM, or sooner if rows are few, columns expensive or steps slow. */
static void step(void *state)
{
    enum { STEPS = 1000 };
    static const double LONG = 2e8; /* a tenth of a second */
    struct smo *s = state;
    struct smo_stopping *stopping = &s->stopping;
    struct hinge_progress *progress = &s->training->progress;
    const uint64_t products = s->cache.products;
    uint64_t steps;

    if (!stopping->settled)
        smo_shrink(s);
    stopping->settled = 0;
    do {
        if (!smo_pair_step(s, least_violation(s))) {
            stopping->settled = s->active == s->rows;
            smo_unshrink(s);
            if (!stopping->settled)
                begin_interval(s); /* nothing is shrunk before all rows had their steps */
        }
        steps = progress->passes - stopping->checked;
    } while (steps < STEPS && steps < s->rows &&
             s->cache.products - stopping->computed < (uint64_t)MOST_COLUMNS * s->rows &&
             spent(s) - stopping->spent < LONG && !stopping->settled &&
             progress->passes < s->training->most_passes);
    s->training->spent = spent(s);
    progress->row_visits += s->cache.products - products;
    progress->active = 0;
    for (uint32_t k = 0; k < s->active; k++)
        progress->active += s->sets[k] == IN_BOTH;
}

/* ---- Stopping ----------------------------------------------------------- */

static int gap_holds(struct smo *s)
{
    if (!s->training->progress.measured)
        measure(s);
    return s->training->progress.relative_gap <= certified_gap(s->training->parameters);
}

/* Returns the relative gap estimated from the F of the active rows and the b halfway between -b_up
 * and -b_low. */
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

/* True if the gap's rule holds at a checkpoint. The gap is measured if the estimate is small
 * enough, and each time the steps have doubled, because the estimate may be wrong. All rows are
 * unshrunk if the rule does not hold, and once when the estimate is within 10 times the target. */
static int gap_rule(struct smo *s)
{
    struct smo_stopping *stopping = &s->stopping;
    const uint64_t passes = s->training->progress.passes;
    const double target = certified_gap(s->training->parameters), estimate = estimate_gap(s);

    if (estimate * stopping->ratio > target && passes < stopping->next_check) {
        if (!stopping->unshrunk && estimate <= 10 * target) {
            stopping->unshrunk = 1;
            smo_unshrink(s);
        }
        return 0;
    }
    if (gap_holds(s))
        return 1;
    stopping->ratio = fmin(gap_correction(s->training->progress.relative_gap, estimate), 2);
    stopping->next_check = 2 * passes;
    smo_unshrink(s);
    return 0;
}

/* True if rounding allows no further progress: neither D nor the gap nor the largest violation has
 * fallen while the steps doubled, nor after F was formed anew several times. */
static int has_stalled(struct smo *s)
{
    enum { MOST_FAILURES = 4 };
    struct smo_stopping *stopping = &s->stopping;
    const struct hinge_progress *progress = &s->training->progress;
    const uint64_t passes = progress->passes;
    const double violation = s->b_low - s->b_up;

    if (passes < stopping->next_record)
        return 0;
    if (!progress->measured)
        measure(s);
    if (progress->dual < stopping->lowest_dual - 1e-14 * fabs(stopping->lowest_dual) ||
        progress->relative_gap < 0.9 * stopping->least_gap ||
        violation < 0.9 * stopping->least_violation)
        stopping->failures = 0;
    else
        stopping->failures++;
    stopping->lowest_dual = fmin(stopping->lowest_dual, progress->dual);
    stopping->least_gap = fmin(stopping->least_gap, progress->relative_gap);
    stopping->least_violation = fmin(stopping->least_violation, violation);
    stopping->next_record = stopping->failures > 0 ? passes + passes / 8 + 1000 : 2 * passes;
    if (stopping->failures > 0)
        smo_form_gradient(s);
    return stopping->failures > MOST_FAILURES;
}

static enum verdict met(void *state)
{
    struct smo *s = state;
    const struct hinge_progress *progress = &s->training->progress;
    const double eps = s->training->parameters->eps, gap = s->training->parameters->relative_gap;

    if (s->stopping.settled) {
        /* Either the rules hold, or a smaller violation is worth a step. If F formed anew does not
         * help either, no step ever will. */
        const int is_least = !(least_violation(s) > noise(s));

        if (gap > 0 ? gap_holds(s) : s->b_low - s->b_up <= eps)
            return MET;
        s->stopping.next_check = progress->passes + 1000;
        if (is_least && !(s->decrease > 1e-15 * fabs(s->dual)))
            return STALLED;
        if (is_least)
            smo_form_gradient(s);
    } else {
        begin_interval(s);
        smo_find_extremes(s);
        if (eps <= 0) {
            if (gap_rule(s))
                return MET;
        } else if (!s->stopping.unshrunk && s->b_low - s->b_up <= 10 * eps) {
            s->stopping.unshrunk = 1;
            smo_unshrink(s);
        }
    }
    /* The policy reads the distance to the end, and which rows are free. */
    s->training->distance =
        distance_to_targets(progress->measured ? progress->relative_gap : estimate_gap(s), gap,
                            s->b_low - s->b_up, eps);
    smo_copy_alpha(s);
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
