/* sequential_dual.c - the sequential dual method for the hinge of several classes: the passes of
 * sequential_passes.h, one a step.
 *
 * A pass adds up the rows' terms of the gap, as coordinate_descent.c does: an estimate, by which it
 * is decided when to measure.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "problem/class_loss.h"
#include "problem/violations.h"
#include "solver/cost.h"
#include "solver/method.h"
#include "solver/sequential_passes.h"

struct sequential {
    struct training *training;
    struct sequential_passes passes;
    uint64_t begun;    /* after so many passes */
    unsigned stalls;   /* complete passes that changed next to nothing, in a row */
    double correction; /* measured gap / estimated gap when it was last measured, 0.1 .. 10 */
    double next_check; /* measure the gap after so much work, whatever the estimate */
};

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct sequential *to = context;

    sequential_lay_out(&to->passes, arena, training->problem);
}

/* The dual point of a w that is given: that of the hinge smoothed over a quarter of a margin. */
static void start_at(struct sequential *state, const double *w)
{
    struct training *training = state->training;
    const struct problem *problem = training->problem;
    const size_t k = problem->classes;
    double *const gain = state->passes.dense;

    for (uint32_t i = 0; i < problem->rows; i++) {
        const struct sparse x = problem_row(problem, i);
        const double cost = problem->cost[i];

        problem_dots(problem, &x, w, gain);
        singer_gains(k, gain, problem->class_of[i], gain);
        singer_point(k, cost, gain, problem->class_of[i], NULL, 4 * cost, training->alpha + i * k,
                     state->passes.member);
    }
    training->primal = objective_primal(&training->shards, problem, w).primal;
    memcpy(training->w, w, training->width * sizeof *w);
    training->is_formed = 0;
}

/* The next measurement: it costs two products with all columns. */
static void set_check(struct sequential *state)
{
    const struct training *training = state->training;
    const double price = 2 * cost_of_all_classes(problem_nonzeros(training->problem),
                                                 (double)training->problem->classes);

    state->next_check = training->spent + fmax(training->spent / 4, 4 * price);
}

static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct sequential *state = context;

    (void)error;
    state->training = training;
    state->begun = training->progress.passes;
    state->correction = 1;
    if (training->start)
        start_at(state, training->start);
    training->start = NULL;
    if (sequential_begin(&state->passes, training->problem, training->w, training->alpha,
                         training->parameters->seed, training->progress.passes))
        training->is_formed = 0;
    if (!training->is_formed)
        training_form(training);
    set_check(state);
    return HINGE_OK;
}

static void step(void *context)
{
    struct sequential *state = context;
    struct training *training = state->training;

    sequential_pass(&state->passes);
    training->spent += sequential_cost(&state->passes);
    training->dual -= state->passes.decrease;
    training->progress.passes++;
    training->progress.row_visits += state->passes.visits;
    training->progress.active = state->passes.active;
    training_moved(training);
}

/* ---- Stop rules --------------------------------------------------------- */

static double estimated_gap(const struct sequential *state)
{
    return state->passes.gap / fmax(state->passes.gap - state->training->dual, DBL_MIN);
}

/* LIBLINEAR's rule: the largest violation of a pass that began with all rows and classes; and of
 * all rows at its end. */
static int eps_rule(const struct sequential *state)
{
    const struct training *training = state->training;

    return state->passes.complete && state->passes.largest <= training->eps &&
           violations_at_point(&training->shards, training->problem, training->w, training->alpha)
                   .largest <= training->eps;
}

/* The relative gap, measured when the estimate says that it is small enough, and, as the estimate
 * may be wrong, each time the work has grown by a quarter: see set_check. */
static int gap_rule(struct sequential *state)
{
    struct training *training = state->training;
    const double target = training_target(training), estimate = estimated_gap(state);

    if (estimate * state->correction > target && training->spent < state->next_check)
        return 0;
    training_certify(training, NULL);
    if (training->progress.gap <= target)
        return 1;
    state->correction = clamp(training->progress.gap / fmax(estimate, DBL_MIN), 0.1, 10);
    set_check(state);
    sequential_reopen(&state->passes);
    return 0;
}

/* Whether the steps have come down to rounding errors: see coordinate_descent.c. */
static int has_stalled(struct sequential *state)
{
    if (state->passes.decrease > 1e-29 * state->passes.solvable * fabs(state->training->dual))
        state->stalls = 0;
    else if (state->passes.complete && state->stalls++ > 0)
        return 1;
    else
        sequential_reopen(&state->passes);
    return 0;
}

static enum verdict met(void *context)
{
    struct sequential *state = context;
    struct training *training = state->training;
    const struct hinge_parameters *parameters = training->parameters;
    double times = 1;

    if (training->progress.passes == state->begun)
        return GOES_ON; /* there was no pass yet */
    if ((parameters->eps <= 0 || eps_rule(state)) && (parameters->gap <= 0 || gap_rule(state)))
        return MET;
    if (parameters->gap > 0)
        times = fmax(times, estimated_gap(state) / parameters->gap);
    if (parameters->eps > 0)
        times = fmax(times, state->passes.largest / fmax(training->eps, DBL_MIN));
    training->distance = log(times);
    sequential_keep_limit(&state->passes, parameters->gap > 0 ? 0 : training->eps);
    return has_stalled(state) ? STALLED : GOES_ON;
}

const struct method sequential_dual = {.size = sizeof(struct sequential),
                                       .lay_out = lay_out,
                                       .begin = begin,
                                       .step = step,
                                       .met = met};
