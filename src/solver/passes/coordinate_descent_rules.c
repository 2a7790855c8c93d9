/* coordinate_descent_rules.c - when to measure the gap, and when to stop.
 *
 * The duality gap is a sum over rows of loss_gap, because w = sum alpha_i y_i x_i. A pass computes
 * every z_i it needs for that anyway, so it adds the terms up: an estimate, as w moves meanwhile.
 * It decides only when to measure the gap.
 */
#include <float.h>
#include <math.h>

#include "base/elementary.h"
#include "solver/loop/primal_rule.h"
#include "solver/passes/coordinate_descent.h"

/* Whether the rows that were last examined keep LIBLINEAR's rule. */
static int violations_are_small(const struct descent *descent)
{
    const double eps = descent->training->eps;
    const struct pass *pass = &descent->pass;

    if (loss_has_targets(descent->problem->loss))
        return pass->total <= eps * descent->problem->rows;
    return descent->active == 0 || (pass->largest - pass->smallest <= eps && pass->largest <= eps &&
                                    pass->smallest >= -eps);
}

/* The rule is about all rows: where those of the pass keep it, all are examined. */
static int eps_rule(struct descent *descent)
{
    if (!violations_are_small(descent))
        return 0;
    if (!descent->pass.full)
        descent_scan(descent, 1);
    return violations_are_small(descent) &&
           (!descent->training->multiplier || training_settled_rule(descent->training));
}

/* The relative gap by what the last pass found. */
static double estimated_gap(const struct descent *descent)
{
    return gap_of_terms(descent->pass.gap, descent->training->dual);
}

/* Renews the estimate where the last pass skipped active rows, whose terms are old: by a pass over
 * them all, which is progress, too, or, where they are many, by a full scan. 0 if that pass is to
 * come. */
static int renew_estimate(struct descent *descent)
{
    if (descent->pass.visits >= descent->active)
        return 1;
    if (descent->active < descent->candidates / 2) {
        descent_take_all(descent);
        return 0;
    }
    descent_scan(descent, 1);
    return 1;
}

/* The relative gap that passes are to reach. At a tenth of -e the rule about the gradient holds or
 * is a few steps of Newton's method away. */
static double target_gap(const struct descent *descent)
{
    const double target = certified_gap(descent->training->parameters);

    return primal_rule_is_asked(descent->training)
               ? fmin(target, descent->training->parameters->eps / 10)
               : target;
}

/* Whether the gap may be that of w and a better dual point than its own: not where the rule of -e,
 * too, is to hold of both, nor of a loss that is not smooth: D is near its minimum there long
 * before P is. */
static int may_part(const struct descent *descent)
{
    return descent->extrapolation.better.w && descent->training->parameters->eps <= 0;
}

double *descent_margins(const struct descent *descent)
{
    return may_part(descent) ? extrapolation_room(&descent->extrapolation) : NULL;
}

/* The estimate from which on the gap is measured: larger than the target where a better dual point
 * that costs little is likely to make up for it. */
static double early_gap(const struct descent *descent, double target)
{
    static const double LEAST = 0.25;

    return may_part(descent) && extrapolation_looks_back(&descent->extrapolation)
               ? target / fmax(descent->part, LEAST)
               : target;
}

/* Whether w and a better dual point than its own have the gap; w need not be formed anew then. */
static int parts_well(struct descent *descent, double target)
{
    struct extrapolation *extrapolation = &descent->extrapolation;
    double *margins = descent_margins(descent);

    if (!may_part(descent))
        return 0;
    if (!margins)
        descent_certify(descent, NULL);
    else if (!descent->left_margins)
        training_measure_margins(descent->training, margins);
    if (margins)
        return extrapolation_take_ahead(extrapolation, descent->training,
                                        descent_find_steps(descent, margins), target);
    return extrapolation_take_back(extrapolation, descent->training, target, &descent->part);
}

/* Whether what would be returned has the gap. */
static int is_certified(struct descent *descent, double target)
{
    if (parts_well(descent, target))
        return 1;
    descent_certify(descent, NULL);
    return descent->training->progress.relative_gap <= target;
}

/* The relative gap, measured when the estimate says that it is small enough, and, as the estimate
 * may be wrong, each time the work has doubled. */
static int gap_rule(struct descent *descent)
{
    struct training *training = descent->training;
    const double target = target_gap(descent), early = early_gap(descent, target);
    const double estimate = estimated_gap(descent);

    if ((estimate * descent->correction > early &&
         training->progress.row_visits < descent->next_check) ||
        !renew_estimate(descent))
        return 0;
    if (estimated_gap(descent) <= early) {
        if (is_certified(descent, target))
            return 1;
        descent_scan(descent, 0);
        if (training->multiplier) /* the estimate lacks what a balanced alpha costs */
            descent->pass.gap = fmax(descent->pass.gap, training->primal + training->dual);
    } else if (descent->left_margins) {
        descent_certify(descent, NULL);
    }
    descent->correction = gap_correction(estimated_gap(descent), estimate);
    descent->next_check = 2 * training->progress.row_visits;
    return 0;
}

/* Whether the steps have come down to rounding errors, and that twice. */
static int has_stalled(struct descent *descent)
{
    if (!is_rounding(descent->pass.decrease + multiplier_rest(descent->training),
                     descent->candidates, descent->training->dual))
        descent->stalls = 0;
    else if (descent->pass.full && descent->stalls++ > 0)
        return 1;
    else
        descent_reopen(descent);
    return 0;
}

enum verdict descent_met(void *state)
{
    struct descent *descent = state;
    const struct hinge_parameters *parameters = descent->training->parameters;
    const struct pass *pass = &descent->pass;
    const int primal_rule = primal_rule_is_asked(descent->training);
    double times = 1;

    if (descent->training->progress.passes == descent->begun)
        return GOES_ON; /* there was no pass yet */
    if (primal_rule && gap_rule(descent))
        return primal_rule_holds(descent->training) ? MET : DONE;
    if (!primal_rule && (parameters->eps <= 0 || eps_rule(descent)) &&
        (parameters->relative_gap <= 0 || gap_rule(descent)))
        return MET;
    if (primal_rule || parameters->relative_gap > 0)
        times = fmax(times, estimated_gap(descent) / target_gap(descent));
    if (!primal_rule && parameters->eps > 0)
        times = fmax(times, (loss_has_targets(descent->problem->loss)
                                 ? pass->total / descent->problem->rows
                                 : fmax(pass->largest, -pass->smallest)) /
                                fmax(descent->training->eps, DBL_MIN));
    descent->distance = log(times);
    descent->training->distance = fmin(descent->distance, descent->most);
    return has_stalled(descent) ? STALLED : GOES_ON;
}
