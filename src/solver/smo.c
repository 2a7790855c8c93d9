/* smo.c - steps on pairs until a rule holds: sequential minimal optimisation.
 *
 * When to stop. As y'alpha = 0, for any b the duality gap is a sum over rows,
 *
 *     P(w, b) + D(alpha) = sum_i C_i max(0, -e_i) + alpha_i e_i,   e_i = y_i (F_i + b),
 *
 * each term at least 0, and 0 for a row rightly set aside. That is the estimate that decides when
 * to look; what is reported is measured on all rows, w formed anew from alpha and b the best for
 * it.
 */
#include "solver/pairs.h"

#include <float.h>
#include <math.h>

#include "base/clock.h"
#include "base/status.h"

/* ---- Stopping ---------------------------------------------------------- */

static double relative(double gap, double dual)
{
    return gap / fmax(gap - dual, DBL_MIN);
}

/* The relative gap by the F of the active rows, for the b in the middle of what these allow. */
static double estimate_gap(const struct pairs *smo)
{
    const double b = -(smo->lowest + smo->highest) / 2;
    double gap = 0;

    if (!(fabs(b) <= DBL_MAX)) /* rows of one sign: any b beyond theirs */
        return 0;
    for (uint32_t k = 0; k < smo->active; k++) {
        const double e = smo->sign[k] * (smo->F[k] + b);

        gap += e < 0 ? (smo->alpha[k] - smo->cost[k]) * e : smo->alpha[k] * e;
    }
    return relative(gap, smo->dual);
}

static int gap_holds(struct pairs *smo)
{
    if (!smo->progress.measured)
        pairs_measure(smo);
    return smo->progress.gap <= solver_target(smo->task->parameters);
}

/* The rule of the gap alone, looked at when the estimate says that it holds, and, as the estimate
 * may be wrong, each time the steps have doubled. A look in vain takes back what was set aside, as
 * does the estimate once when it comes near. */
static int gap_rule(struct pairs *smo)
{
    const double target = solver_target(smo->task->parameters);
    const double estimate = estimate_gap(smo);

    if (estimate * smo->trust > target && smo->progress.passes < smo->next_look) {
        if (!smo->was_near && estimate <= 10 * target) {
            smo->was_near = 1;
            pairs_unshrink(smo);
        }
        return 0;
    }
    if (gap_holds(smo))
        return 1;
    smo->trust = fmin(fmax(smo->progress.gap / estimate, 0.1), 2);
    smo->next_look = 2 * smo->progress.passes;
    pairs_unshrink(smo);
    return 0;
}

/* What of m - M is rounding. */
static double noise(const struct pairs *smo)
{
    return 1e-14 * (2 + fabs(smo->lowest) + fabs(smo->highest));
}

/* ---- The training ------------------------------------------------------ */

/* Every thousand steps, as LIBSVM does, or fewer where rows are few or columns dear. */
static int is_checkpoint(const struct pairs *smo)
{
    enum { STEPS = 1000, COLUMNS = 64 };
    const uint64_t steps = smo->progress.passes - smo->checked;

    return steps >= STEPS || steps >= smo->rows ||
           smo->columns->products - smo->computed >= (uint64_t)COLUMNS * smo->rows;
}

/* The steps and products that the next checkpoint comes after are counted from here. */
static void begin_interval(struct pairs *smo)
{
    smo->checked = smo->progress.passes;
    smo->computed = smo->columns->products;
}

static void note_progress(struct pairs *smo)
{
    smo->progress.row_visits = smo->columns->products;
    smo->progress.active = 0;
    for (uint32_t k = 0; k < smo->active; k++)
        smo->progress.active += pairs_is_free(smo, k) != 0;
}

/* Looks up from the steps. 1: the training ends so. */
static int checkpoint(struct pairs *smo, enum hinge_outcome *outcome)
{
    const struct hinge_parameters *parameters = smo->task->parameters;
    enum hinge_answer answer;

    note_progress(smo);
    answer = monitor_ask(smo->task->monitor, &smo->progress, pairs_measure, smo);
    *outcome = answer == HINGE_GO_ON ? HINGE_TOLERANCE_MET : outcome_of(answer);
    begin_interval(smo);
    if (answer != HINGE_GO_ON)
        return 1;
    pairs_find_extremes(smo);
    if (parameters->eps <= 0 && gap_rule(smo))
        return 1;
    if (!smo->was_near && parameters->eps > 0 &&
        smo->highest - smo->lowest <= 10 * parameters->eps) {
        smo->was_near = 1;
        pairs_unshrink(smo);
    }
    pairs_shrink(smo);
    return 0;
}

/* No active pair is worth a step. 1: nor is any other, and the training ends so. */
static int settle(struct pairs *smo, enum hinge_outcome *outcome)
{
    const struct hinge_parameters *parameters = smo->task->parameters;
    const double violation = smo->highest - smo->lowest;

    if (smo->active < smo->rows) {
        pairs_unshrink(smo);
        begin_interval(smo); /* nothing is set aside again before it has been looked at */
        return 0;
    }
    *outcome = HINGE_TOLERANCE_MET;
    if (parameters->gap <= 0 && violation <= parameters->eps)
        return 1;
    if (parameters->gap > 0 && gap_holds(smo) && violation <= fmax(parameters->eps, noise(smo)))
        return 1;
    smo->next_look = smo->progress.passes + 1000;
    if (violation > noise(smo))
        return 0;
    *outcome = HINGE_STALLED;
    if (!(smo->since > 1e-15 * fabs(smo->dual)))
        return 1;
    pairs_form_gradient(smo);
    return 0;
}

/* The violation above which a step is worth taking: the eps to stop at, or, when that holds and the
 * gap does not, what rounding leaves. */
static double least_violation(const struct pairs *smo)
{
    const double eps = smo->task->parameters->eps;

    return eps > 0 && smo->progress.passes >= smo->next_look ? fmax(eps, noise(smo)) : noise(smo);
}

static enum hinge_outcome iterate(struct pairs *smo)
{
    const uint64_t max_passes = smo->task->parameters->max_passes;
    enum hinge_outcome outcome = HINGE_STALLED;

    if (checkpoint(smo, &outcome))
        return outcome;
    for (;;) {
        if (max_passes > 0 && smo->progress.passes == max_passes)
            return HINGE_PASS_LIMIT;
        if (!pairs_step(smo, least_violation(smo)) && (smo->out_of_memory || settle(smo, &outcome)))
            return outcome;
        if (is_checkpoint(smo) && checkpoint(smo, &outcome))
            return outcome;
    }
}

enum hinge_status smo_solve(const struct solver_task *task, double *w, struct hinge_result *result,
                            struct hinge_error *error)
{
    enum hinge_status status = HINGE_OK;
    enum hinge_outcome outcome;
    struct stopwatch watch;
    struct pairs smo;

    stopwatch_start(&watch);
    *result = (struct hinge_result){0};
    if (pairs_new(&smo, task, w, error))
        return failure(error);
    outcome = iterate(&smo);
    if (smo.out_of_memory)
        status = fail(error, HINGE_NO_MEMORY, "out of memory: no room for %.0f bytes",
                      columns_least(smo.columns));
    if (status == HINGE_OK) {
        note_progress(&smo);
        if (!smo.progress.measured)
            pairs_measure(&smo);
        result_close(result, task, &smo.progress, outcome, pairs_alpha(&smo));
    }
    pairs_free(&smo);
    result->seconds = stopwatch_processor(&watch);
    return status;
}
