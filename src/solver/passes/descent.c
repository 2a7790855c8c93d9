/* descent.c - alpha_i := the exact minimiser of D along alpha_i,  w += (its change) y_i x_i.
 *
 * Dual coordinate descent (Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008, Alg. 3). A step is
 * a pass over the rows in a fresh random order.
 *
 * No rule counts as met before all rows were examined. A full scan does that for a fraction of the
 * price of a pass: it reads the rows in the order of memory and changes none. It leaves the rows
 * that violate the KKT conditions to the next pass.
 *
 * The duality gap is a sum over rows of loss_gap, because w = sum alpha_i y_i x_i. A pass knows
 * every z_i that the terms need, so it adds them up. The sum is an estimate, because w moves during
 * the pass. The estimate decides only when the gap is measured.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/passes/descent.h"

static void lay_out(void *state, struct arena *arena, const struct training *training)
{
    struct descent *descent = state;

    visits_lay_out(descent, arena, training);
    extrapolation_lay_out(&descent->extrapolation, arena, training);
    if (training->problem->bias_kind == BIAS_FREE)
        multiplier_lay_out(&descent->multiplier, arena, training);
}

static enum hinge_status begin(void *state, struct training *training, struct hinge_error *error)
{
    struct descent *descent = state;
    struct stopping *stopping = &descent->stopping;
    const struct problem *problem = training->problem;
    const double *w = training->start;
    double ignored;

    (void)error;
    descent->training = training;
    descent->w = training->point.w;
    descent->v = training->point.v;
    descent->alpha = training->point.alpha;
    descent->random.counter = training->parameters->seed;
    if (w) { /* alpha := the slopes of the loss; a corner is smoothed over half a margin */
        for (uint32_t i = 0; i < training->rows; i++) {
            const double cost = problem_cost(problem, i);
            const double slack = problem_target(problem, i, problem->loss) -
                                 problem->sign[i] * problem_decision(problem, i, w);

            training->point.alpha[i] =
                loss_point(problem->loss, cost, slack, cost / 2, 2 * cost, &ignored);
        }
        training->point.primal = objective_primal(&training->shards, problem, w).primal;
        memcpy(training->point.w, w, training->width * sizeof *w);
        training->point.is_formed = 0;
        training->start = NULL;
    }
    if (training->problem->bias_kind == BIAS_FREE)
        multiplier_begin(&descent->multiplier, training);
    descent->problem = training->problem;
    visits_begin(descent);
    if (!training->point.is_formed)
        training_form(training);
    descent->alpha_version = training->alpha_version;
    visits_reopen(descent);
    stopping->begun = training->progress.passes;
    stopping->may_part = descent->extrapolation.better.w && training->parameters->eps <= 0;
    stopping->left_fraction = 0.5;
    stopping->correction = 1;
    stopping->next_check = training->progress.row_visits +
                           4 * (uint64_t)descent->candidates * problem_views(training->problem);
    stopping->distance = stopping->most_distance = HUGE_VAL;
    return HINGE_OK;
}

/* ---- Stopping ----------------------------------------------------------- */

/* True if the rows that were examined last keep LIBLINEAR's rule. */
static int violations_are_small(const struct descent *descent)
{
    const double eps = descent->training->eps;
    const struct pass *pass = &descent->pass;

    if (loss_has_targets(descent->problem->loss))
        return pass->total <= eps * descent->problem->rows;
    return descent->active == 0 || (pass->largest - pass->smallest <= eps && pass->largest <= eps &&
                                    pass->smallest >= -eps);
}

/* Returns the last pass's estimate of the relative gap. */
static double estimated_gap(const struct descent *descent)
{
    return gap_of_terms(descent->pass.gap, descent->training->point.dual);
}

/* True if the gap has reached the target, of w or of a w with a lower P that another method has
 * left. The gap is measured if its estimate is small enough, and each time the work has doubled,
 * because the estimate may be wrong. */
static int gap_rule(struct descent *descent, double target)
{
    static const double LEAST = 0.25;
    struct stopping *stopping = &descent->stopping;
    struct training *training = descent->training;
    const double estimate = estimated_gap(descent);
    double early = target;

    if (training_best_is_certified(training, target))
        return 1;
    /* A dual point apart from w is likely to make up for a gap that is somewhat too large. */
    if (stopping->may_part && descent->extrapolation.before.is_set)
        early = target / fmax(stopping->left_fraction, LEAST);
    if (estimate * stopping->correction > early &&
        training->progress.row_visits < stopping->next_check)
        return 0;
    /* The terms of skipped rows are old. A pass over all active rows renews them and is progress,
     * too. If many rows are active, a full scan costs less. */
    if (descent->pass.visits < descent->active) {
        if (descent->active < descent->candidates / 2) {
            visits_take_skipped(descent);
            return 0;
        }
        visits_scan(descent, 1);
    }
    if (estimated_gap(descent) <= early) {
        if (extrapolation_is_certified(descent, target))
            return 1;
        visits_scan(descent, 0);
        if (training->multiplier) /* the estimate lacks what a balanced alpha costs */
            descent->pass.gap =
                fmax(descent->pass.gap, training->point.primal + training->point.dual);
    } else if (stopping->left_margins) {
        extrapolation_certify(descent, NULL);
    }
    stopping->correction = gap_correction(estimated_gap(descent), estimate);
    stopping->next_check = 2 * training->progress.row_visits;
    return 0;
}

/* Returns the verdict on the last pass. If the rule is about the gradient of P, passes must reach a
 * gap of a tenth of eps. Then the rule holds or is a few steps of Newton's method away. */
static enum verdict met(void *state)
{
    struct descent *descent = state;
    struct stopping *stopping = &descent->stopping;
    struct training *training = descent->training;
    const struct hinge_parameters *parameters = training->parameters;
    const int primal_rule = primal_rule_is_asked(training);
    const int has_gap = primal_rule || parameters->relative_gap > 0;
    const int has_eps = !primal_rule && parameters->eps > 0;
    const struct pass *pass = &descent->pass;
    double target = certified_gap(parameters), violation;
    int holds;

    if (primal_rule)
        target = fmin(target, parameters->eps / 10);
    if (training->progress.passes == stopping->begun)
        return GOES_ON; /* there was no pass yet */
    holds = !has_eps || violations_are_small(descent);
    if (has_eps && holds) { /* so far for the rows of the pass alone */
        if (!pass->full)
            visits_scan(descent, 1);
        holds = violations_are_small(descent) &&
                (!training->multiplier || training_settled_rule(training));
    }
    if (holds && (!has_gap || gap_rule(descent, target)))
        return !primal_rule || primal_rule_holds(training) ? MET : DONE;

    violation = loss_has_targets(descent->problem->loss) ? pass->total / descent->problem->rows
                                                         : fmax(pass->largest, -pass->smallest);
    stopping->distance = distance_to_targets(estimated_gap(descent), has_gap ? target : 0,
                                             violation, has_eps ? fmax(training->eps, DBL_MIN) : 0);
    training->distance = fmin(stopping->distance, stopping->most_distance);
    if (!is_rounding(pass->decrease + multiplier_rest(training), descent->candidates,
                     training->point.dual))
        stopping->stalls = 0;
    else if (pass->full && stopping->stalls++ > 0)
        return STALLED;
    else
        visits_reopen(descent);
    return GOES_ON;
}

const struct method coordinate_descent = {.size = sizeof(struct descent),
                                          .lay_out = lay_out,
                                          .begin = begin,
                                          .step = visits_pass,
                                          .met = met};
