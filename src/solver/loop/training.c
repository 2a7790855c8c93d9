/* training.c - the training's point: forms, measures, compares and returns it.
 *
 * P(w) and D(alpha) of the point that is returned are measured here, on all rows, from w and alpha
 * alone, for every method. The relative gap (P + D)/max(P, ...) with bounds on all rounding errors
 * is the certificate (problem/certificate.h).
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem/bias.h"
#include "problem/certificate.h"
#include "solver/linear/qr.h"
#include "solver/loop/method.h"
#include "solver/loop/workspace.h"
#include "solver/passes/multiplier.h"

struct primal_system *training_system(struct training *training, struct hinge_error *error)
{
    return workspace_system(training->task->workspace, training->problem, training_stop(training),
                            error);
}

/* ---- The point ----------------------------------------------------------- */

void training_note(struct training *training, const struct objective *objective)
{
    struct hinge_progress *progress = &training->progress;

    progress->measured = 1;
    progress->primal = training->point.primal = objective->primal;
    progress->dual = training->point.dual = objective->dual;
    progress->relative_gap = objective->gap;
    progress->nonzeros = objective->nonzeros;
    progress->w = training->multiplier ? training->multiplier->w : training->point.w;
}

/* Sets v to sum alpha_i y_i x_i at alpha = 0, which is 0 except for the origin of a multiplier. */
static void clear(const struct training *training, double *v)
{
    memset(v, 0, training->width * sizeof *v);
    if (training->multiplier)
        v[training->width - 1] = training->multiplier->origin;
}

static void combine(const struct training *training, const double *alpha, double *v)
{
    clear(training, v);
    sums_combine(&training->shards, training->problem, all_rows(training->problem), alpha, 1, v);
}

/* True if w is not the point that v determines. */
static int is_apart(const struct training *training)
{
    return training->point.v &&
           !(problem_has_both_norms(training->problem) && training->point.is_formed);
}

/* Returns the storage of the sum that w is formed from. */
static double *sum_of(const struct training *training)
{
    return problem_has_both_norms(training->problem) ? training->point.v : training->point.w;
}

/* w := the point where R* is attained: the sum, or soft(sum, l1). */
static void form_weights(struct training *training)
{
    double *v = sum_of(training);

    combine(training, training->point.alpha, v);
    for (size_t j = 0; v != training->point.w && j < training->width; j++)
        training->point.w[j] = soft(v[j], training->problem->l1);
}

void training_keep_best(struct training *training)
{
    struct point *best = &training->best;
    struct hinge_error ignored;

    if (training->point.is_formed || !(training->point.primal <= DBL_MAX) ||
        (best->w && best->primal <= training->point.primal))
        return;
    if (!best->w)
        best->w = array_new(training->width, sizeof *best->w, &ignored);
    if (!best->w)
        return;
    memcpy(best->w, training->point.w, training->width * sizeof *training->point.w);
    best->primal = training->point.primal;
}

void training_keep_best_dual(struct training *training)
{
    const size_t duals = problem_duals(training->problem);
    struct point *best = &training->best;
    struct hinge_error ignored;

    if (best->alpha && best->dual <= training->progress.dual)
        return;
    if (!best->alpha)
        best->alpha = array_new(duals, sizeof *best->alpha, &ignored);
    if (!best->alpha)
        return;
    memcpy(best->alpha, training->point.alpha, duals * sizeof *best->alpha);
    best->dual = training->progress.dual;
}

void training_form(struct training *training)
{
    const struct problem *problem = training->problem;
    const struct multiplier *multiplier = training->multiplier;
    double *v = sum_of(training);
    int has_positive = 0;

    training_keep_best(training);
    for (size_t i = 0; i < problem_duals(problem) && !has_positive; i++)
        has_positive = training->point.alpha[i] > 0;
    training->point.dual = 0;
    if (has_positive) {
        form_weights(training);
        training->point.dual =
            objective_dual(&training->shards, problem, training->point.alpha, v) -
            (multiplier ? multiplier->origin * multiplier->origin / 2 : 0);
    } else {
        clear(training, training->point.w);
        clear(training, v);
    }
    training->point.primal = HUGE_VAL;
    training_moved(training);
    training->point.is_formed = 1;
    training->point.sums = SUMS_FRESH;
}

void training_form_feasible(const struct training *training, double *alpha, double *v)
{
    double scale;

    combine(training, alpha, v);
    scale = objective_scale(training->problem, v);
    if (!(scale < 1))
        return;
    for (size_t i = 0; i < problem_duals(training->problem); i++)
        alpha[i] *= scale;
    for (size_t j = 0; j < training->width; j++)
        v[j] *= scale;
}

double training_dual_at(const struct training *training, const double *alpha, double *v)
{
    combine(training, alpha, v);
    return objective_dual(&training->shards, training->problem, alpha, v);
}

/* Returns the point that the training would return once a multiplier is settled. */
static struct primal_dual point_of(const struct training *training)
{
    const struct multiplier *multiplier = training->multiplier;

    return multiplier
               ? (struct primal_dual){multiplier->free, multiplier->w, multiplier->alpha}
               : (struct primal_dual){training->problem, training->point.w, training->point.alpha};
}

/* Replaces the measured P, D and gap by their bounds if the measured gap is at most target. */
static void bound(struct training *training, double target)
{
    const struct primal_dual point = point_of(training);
    struct hinge_progress *progress = &training->progress;
    const struct objective measured = {progress->primal, progress->dual, progress->relative_gap,
                                       progress->nonzeros};
    struct max_row_norm own = {training->problem->row, training->rows, 0, 0, 0};
    struct objective bounds;

    progress->rounding = 0;
    /* With |w|_1 on badly scaled data, rounding errors alone may move v out of the domain of R*. So
     * the gap may be met although the measured gap is too large. */
    if (training->point.sums == SUMS_UPDATED ||
        (!(measured.gap <= target) &&
         !(training->problem->only_l1 && is_badly_scaled(training->problem))))
        return;
    if (training->problem->bias_kind == BIAS_FREE) /* the bounds add up alpha_i of all rows */
        shards_gather(training->problem, training->point.alpha);
    bounds = certificate_take(&training->shards, &point,
                              training->point.v ? training->point.v : point.w, &measured, target,
                              training->task->max_row_norm ? training->task->max_row_norm : &own);
    progress->primal = bounds.primal;
    progress->dual = bounds.dual;
    progress->relative_gap = bounds.gap;
    progress->rounding =
        (fabs(bounds.primal - measured.primal) + fabs(bounds.dual - measured.dual)) /
        problem_scale(training->problem, bounds.primal);
}

/* Bounds a result without a certificate, within a thousandth of the measured gap if possible. */
static void bound_result(struct training *training)
{
    if (training->progress.rounding == 0)
        bound(training,
              fmax(1.001 * training->progress.relative_gap, certified_gap(training->parameters)));
}

void training_measure_margins(struct training *training, double *z)
{
    const struct primal_dual point = point_of(training);
    struct objective objective;

    if (is_apart(training)) { /* w and alpha stay as they are; there is no multiplier */
        clear(training, training->point.v);
        objective = objective_measure_and_combine(&training->shards, point.problem, point.w,
                                                  point.alpha, training->point.v, z);
    } else {
        if (training->multiplier)
            multiplier_settle(training);
        objective = objective_measure(&training->shards, point.problem, point.w, point.alpha,
                                      training->point.v ? training->point.v : point.w, z);
    }
    if (training->point.sums == SUMS_UPDATED && (is_apart(training) || training->multiplier))
        training->point.sums = SUMS_FRESH;
    training_note(training, &objective);
    bound(training, certified_gap(training->parameters));
}

void training_measure(struct training *training)
{
    training_measure_margins(training, NULL);
}

/* True if the measured values hold for the sums formed anew. */
static int is_certain(const struct training *training)
{
    return training->progress.measured && training->point.sums != SUMS_UPDATED;
}

void training_take_measure(struct training *training, double primal, double dual)
{
    struct objective objective = {primal, dual, NAN,
                                  dense_nonzeros(training->point.w, training->width)};

    objective.dual *= objective_scale(training->problem, training->point.v);
    objective.gap = (primal + objective.dual) / problem_scale(training->problem, primal);
    training->point.sums = SUMS_FROM_METHOD;
    training_note(training, &objective);
    bound(training, certified_gap(training->parameters));
}

int training_may_end(const struct training *training, double square)
{
    const double gap = training->parameters->relative_gap, primal = training->point.primal;
    const int is_near =
        gap <= 0 || primal + training->point.dual <= gap * problem_scale(training->problem, primal);
    const int is_at_zero = training->progress.passes == 0 && training->parameters->eps <= 0 &&
                           dense_is_zero(training->point.w, problem_penalised(training->problem));

    return is_near && !(is_at_zero && square > 0);
}

int training_needs_dual(const struct training *training)
{
    const double primal = training->point.primal;

    return training->parameters->relative_gap <= 0 &&
           primal + training->point.dual >
               certified_gap(training->parameters) * problem_scale(training->problem, primal);
}

int training_gap_is_met(struct training *training)
{
    if (training->parameters->relative_gap > 0 && !is_certain(training))
        training_measure(training);
    return training->parameters->relative_gap <= 0 ||
           training->progress.relative_gap <= training->parameters->relative_gap;
}

void training_certify(struct training *training, double *z)
{
    if (is_certain(training) && !z)
        return;
    if (!is_apart(training) && training->point.sums == SUMS_UPDATED) {
        training_keep_best(training);
        form_weights(training);
    }
    if (training->point.sums == SUMS_UPDATED)
        training->point.sums = SUMS_FRESH;
    training_measure_margins(training, z);
}

int training_keep_primal(struct training *training, const double *w, double primal)
{
    if (!(primal < training->point.primal))
        return 0;
    training->point.primal = primal;
    memcpy(training->point.w, w, training->width * sizeof *w);
    training_moved(training);
    return 1;
}

int training_keeps_dual(struct training *training, double dual)
{
    if (!(dual < training->point.dual))
        return 0;
    training->point.dual = dual;
    training_moved(training);
    return 1;
}

void training_hold(const struct training *training, struct point *held)
{
    memcpy(held->w, training->point.w, training->width * sizeof *held->w);
    memcpy(held->alpha, training->point.alpha,
           problem_duals(training->problem) * sizeof *held->alpha);
    held->primal = training->point.primal;
    held->dual = training->point.dual;
}

void training_put_back(struct training *training, const struct point *held)
{
    memcpy(training->point.w, held->w, training->width * sizeof *held->w);
    memcpy(training->point.alpha, held->alpha,
           problem_duals(training->problem) * sizeof *held->alpha);
    training->point.primal = held->primal;
    training->point.dual = held->dual;
    training_moved(training);
}

static int are_small(const struct training *training, const struct violations *found)
{
    const struct problem *problem = training->problem;
    const double eps = training->eps, most = problem->bias_kind == BIAS_FREE ? eps / 2 : eps;

    return loss_has_targets(problem->loss) ? found->total <= eps * training->rows
                                           : found->largest <= most && found->smallest >= -most &&
                                                 found->largest - found->smallest <= eps;
}

int training_keeps_rule(struct training *training, const struct problem *problem, const double *w,
                        const double *alpha)
{
    const struct violations found = violations_at(&training->shards, problem, w, NULL, alpha);

    training->progress.row_visits += training->rows;
    return are_small(training, &found);
}

int training_settled_rule(struct training *training)
{
    const struct primal_dual point = point_of(training);

    multiplier_settle(training);
    return training_keeps_rule(training, point.problem, point.w, point.alpha);
}

int training_dual_rule(struct training *training, const double *alpha, const double *w, double *z)
{
    const struct problem *problem = training->problem;
    const int is_free = problem->bias_kind == BIAS_FREE;
    const int is_final = z && !is_free; /* no bias has to be settled */
    double *v = training->point.v;
    struct objective objective;
    struct violations found;

    combine(training, alpha, v);
    if (is_free)
        v[training->width - 1] = w[training->width - 1];
    if (is_final)
        objective = objective_measure(&training->shards, problem, v, alpha, v, z);
    found = violations_at(&training->shards, problem, v, is_final ? z : NULL, alpha);
    training->progress.row_visits += training->rows;
    if (!are_small(training, &found))
        return 0;
    memcpy(training->point.w, v, training->width * sizeof *v);
    if (alpha != training->point.alpha)
        memcpy(training->point.alpha, alpha, problem_duals(problem) * sizeof *alpha);
    bias_balance(problem, training->point.alpha);
    training_moved(training);
    if (is_final) {
        training->point.sums = SUMS_FRESH;
        training_note(training, &objective);
        bound(training, certified_gap(training->parameters));
    } else {
        training_measure(training);
    }
    return 1;
}

/* ---- The returned point -------------------------------------------------- */

/* Replaces w by better->w (NULL: 0) and measures it, if better->primal is lower than the measured P
 * by more than rounding errors. Takes better->alpha, too, if its D is lower. The measured P may be
 * NaN. With a small C, the bounds of its rounding errors may exceed what the training has won over
 * w = 0. */
static void return_better(struct training *training, const struct point *better)
{
    static const double ROUNDING = 1e-13; /* relative to P */
    struct hinge_error ignored;

    if (training->progress.primal <= (1 + ROUNDING) * better->primal)
        return;
    if (better->alpha && better->dual < training->progress.dual)
        memcpy(training->point.alpha, better->alpha,
               problem_duals(training->problem) * sizeof *better->alpha);
    for (size_t j = 0; j < training->width; j++)
        training->point.w[j] = better->w ? better->w[j] : 0;
    if (!training->point.v && !training->best.w) {
        training->best.w = array_new(training->width, sizeof *training->best.w, &ignored);
        if (!training->best.w) {
            team_fail(training->problem->team, &ignored);
            memset(training->point.alpha, 0,
                   problem_duals(training->problem) * sizeof *training->point.alpha);
        }
    }
    if (!training->point.v)
        training->point.v = training->best.w; /* w has its values, so its memory is free */
    training->point.is_formed = 0;
    training->point.sums = SUMS_UPDATED;
    training_measure(training);
    bound_result(training);
}

int training_best_is_certified(struct training *training, double target)
{
    struct point *point = &training->point, *best = &training->best;

    if (!best->w || training->multiplier || training->best_is_rounded ||
        !(problem_gap(training->problem, best->primal, point->dual) <= target))
        return 0;
    training_certify(training, NULL);
    return_better(training, best);
    if (training->progress.relative_gap <= target) {
        best->primal = HUGE_VAL; /* its w is the training's, and its memory may be that of v */
        return 1;
    }
    training->best_is_rounded = 1;
    if (point->v == best->w) {
        memcpy(best->w, point->w, training->width * sizeof *point->w);
        point->v = NULL;
    }
    training_form(training);
    return 0;
}

void training_return_best(struct training *training)
{
    const struct problem *problem = training->problem;
    struct hinge_progress *progress = &training->progress;
    const struct point zero = {.primal = training->primal_at_zero};
    double low = -HUGE_VAL, high = HUGE_VAL, *b;

    bound_result(training);
    if (training->best.w)
        return_better(training, &training->best);
    return_better(training, &zero);
    if (problem->total == 0 && !(progress->dual <= 0)) {
        memset(training->point.alpha, 0, problem_duals(problem) * sizeof *training->point.alpha);
        progress->dual = 0;
        progress->relative_gap = problem_gap(problem, progress->primal, 0);
    }
    /* If a regression has no loss at w = 0, its free bias is often at an end of the interval
     * without a loss, where the rounding of targets makes the certificate fail. So the bias moves
     * to the middle. */
    if (!loss_has_targets(problem->loss) || problem->bias_kind != BIAS_FREE ||
        progress->relative_gap <= certified_gap(training->parameters) ||
        !dense_is_zero(training->point.w, training->width - 1) ||
        !dense_is_zero(training->point.alpha, problem_duals(problem)))
        return;
    b = &training->point.w[training->width - 1];
    for (uint32_t i = 0; i < problem->rows; i++)
        if (problem->sign[i] > 0)
            low = fmax(low, problem->target[i]);
        else
            high = fmin(high, -problem->target[i]);
    if (low <= *b && *b <= high) {
        *b = low + (high - low) / 2;
        training_measure(training);
    }
}

struct hinge_progress training_returned(const struct training *training,
                                        const struct hinge_progress *progress)
{
    const struct problem *problem = point_of(training).problem;
    const struct point zero = {.primal = training->primal_at_zero}, *const best = &training->best;
    const struct point *const lowest = best->w && best->primal <= zero.primal ? best : &zero;
    struct hinge_progress returned = *progress;

    if (progress->last || training->task->solver->info.kind != HINGE_DUAL ||
        progress->primal <= lowest->primal)
        return returned;
    returned.w = lowest->w;
    returned.primal = lowest->primal;
    returned.nonzeros = lowest->w ? dense_nonzeros(lowest->w, training->width) : 0;
    returned.relative_gap = problem_gap(problem, returned.primal, returned.dual);
    return returned;
}
