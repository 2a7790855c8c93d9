/* proximal_newton_stage.c - costs that grow in stages, centres of the dual, and smoothed losses.
 *
 * At a large C the losses of the squared hinge are a small part of P, and a w near the minimum says
 * little about alpha, which is 2 C_i times small slacks. The proximal point method of the dual
 * (Rockafellar 1976; for P it is the method of multipliers) keeps the costs small:
 *
 *     max over alpha of -D(alpha) - sum_i (alpha_i - a_i)^2/(4 c_i),   a := that alpha, and again.
 *
 * For the squared hinge this is a problem of the same kind, with
 *
 *     1/cost_i = 1/C_i + 1/c_i   and targets larger by   shift_i = a_i/(2 c_i).
 *
 * From a = 0 its first solution is the solution of a stage with these costs. Each further centre a
 * divides the error of the dual point by a constant; stages would have to let the costs grow by as
 * much. The problems need not be solved to the end (Rockafellar; for the lasso Li, Sun and Toh,
 * SIAM J. Optim. 2018). A row that stays far from its target, as one that cannot be separated, gets
 * a larger c_i. If such rows make up nearly all of P, stages are better.
 *
 * If the rows can be separated and w has as many weights as rows have a loss, the kinks of the
 * squared hinge lie close together. The model knows only the rows with a positive slack s, and its
 * minimum lies far beyond the kinks of others, so steps are short. Then slopes are smoothed as by a
 * barrier for alpha_i > 0,
 *
 *     alpha_i = C_i (s + sqrt(s^2 + width^2)),   at a cost in P of about sum C_i width^2/2,
 *
 * and stages reduce that cost. (counts-6000x40000-synth, -s 5, C = 1: 3 s instead of more
 * than 60 s.)
 */
#include <math.h>

#include "base/elementary.h"
#include "solver/sparse/proximal_newton.h"

/* A stage ends at the relative gap STAGE_GAP, or after a step whose model promised less than
 * STAGE_PROMISE of P times the root of the target gap. (sst2 with uni- and bigrams, -s 5, C = 8:
 * 1.8 s instead of 2.4 s. phrases-67000x86000-synth, -s 5, C = 4096, to a gap of 1e-6: 18 s; more
 * than 60 s at 0.01 of P.) */
static const double STAGE_GAP = 0.1, STAGE_PROMISE = 0.3;

/* Smoothing begins after more than SHORT short steps at the same costs, if the losses are less than
 * FEW_LOSSES of P, the gap would not end a stage, and the model promises more than LEFT of P: short
 * steps near the minimum are no obstacle. A stage then ends at a gap of SMOOTH_GAP times the part
 * of P that smoothing costs, or after a step whose model promised less than SMOOTH_PROMISE of that
 * part. (-s 5 on counts-6000x40000-synth, C = 1/16, 16: 0.8, 3.4 s instead of 2.4, 5.1 s.) Where
 * the part is below the target gap, the promise ends no stage, because with less smoothing steps
 * are shorter. (C = 16: 8.5 s.) */
enum { SHORT = 4 };
static const double FEW_LOSSES = 0.5, LEFT = 3e-4;
static const double SMOOTHING = 0.05, LESS_SMOOTHING = 0.25, SMOOTH_STAGE = 4;
static const double SMOOTH_GAP = 3, SMOOTH_PROMISE = 0.001;

/* Conjugate gradients have a factor where the target gap is below this, because the last stages
 * smooth so little that they would be slow. (-s 5 on counts-6000x40000-synth, C = 1: 4.2 s with a
 * factor and 2.9 s without to a gap of 1e-3, 5.1 s with and 14 s without to 1e-6.) */
static const double FINE_GAP = 1e-4;

/* Centres replace the stages when the losses are at most twice this part of P. Until then, costs
 * grow by the factor that would make them this part, from LEAST_STAGE to STAGE. (sst2 with uni- and
 * bigrams, -s 5, C = 16, if the first stage has a fourth of its costs: 1.3 s; 9.8 s if costs always
 * grow by STAGE.) */
static const double LOSSES = 0.1, LEAST_STAGE = 1.5;

int proximal_newton_is_last(const struct proximal_newton *state)
{
    return state->share == 1 || state->is_centred;
}

void proximal_newton_set_costs(struct proximal_newton *state, double share)
{
    for (uint32_t i = 0; i < state->rows; i++)
        state->cost[i] = share * problem_cost(state->training->problem, i);
    state->share = share;
    state->short_steps = 0;
    state->promise = HUGE_VAL;
    state->dual = 0;
    state->best = HUGE_VAL;
}

void proximal_newton_set_share(struct proximal_newton *state, double share)
{
    proximal_newton_set_costs(state, share);
    proximal_newton_evaluate(state);
    proximal_newton_judge(state);
}

/* Moves the centre to alpha. */
static void centre(struct proximal_newton *state)
{
    static const double FAR = 0.3, LESS = 0.25;
    const struct problem *whole = state->training->problem;

    for (uint32_t i = 0; i < state->rows; i++) {
        const double cost = problem_cost(whole, i), alpha = state->alpha[i];
        const double slack = loss_target(state->loss) - state->z[i];

        if (!(cost > 0))
            continue;
        if (slack - alpha / (2 * cost) > FAR)
            state->inverse[i] *= LESS;
        state->shift[i] = alpha * state->inverse[i] / 2;
        state->cost[i] = 1 / (1 / cost + state->inverse[i]);
    }
    state->since_centre = state->short_steps = 0;
    proximal_newton_evaluate(state);
    proximal_newton_judge(state);
}

/* Adds a proximal term whose centre is alpha. */
static void begin_centres(struct proximal_newton *state)
{
    const struct problem *whole = state->training->problem;

    for (uint32_t i = 0; i < state->rows; i++) {
        state->inverse[i] =
            state->cost[i] > 0 ? 1 / state->cost[i] - 1 / problem_cost(whole, i) : 0;
        state->shift[i] = 0;
    }
    state->is_centred = 1;
    state->best = HUGE_VAL;
    centre(state);
}

/* Begins smoothing that may cost this part of P, without centres. */
static void smooth(struct proximal_newton *state, double part)
{
    double costs = 0;

    state->is_centred = state->may_centre = 0;
    proximal_newton_set_costs(state, state->share);
    for (uint32_t i = 0; i < state->rows; i++)
        costs += state->cost[i];
    state->smoothing = part;
    state->by.has_factor = certified_gap(state->training->parameters) < FINE_GAP;
    state->width = 0;
    proximal_newton_evaluate(state);
    state->width = sqrt(2 * part * state->plain / costs);
    proximal_newton_evaluate(state);
    proximal_newton_judge(state);
}

/* Begins the next stage: larger costs, centres, or less smoothing. */
static void next_stage(struct proximal_newton *state)
{
    const double part = state->losses / problem_scale(state->problem, state->primal) / LOSSES;

    if (state->smoothing > 0) {
        const double less = state->share < 1 ? 1 : LESS_SMOOTHING;

        state->share = fmin(1, SMOOTH_STAGE * state->share);
        smooth(state, less * state->smoothing);
    } else if (state->may_centre && part <= 2) {
        begin_centres(state);
    } else {
        const double factor = state->may_centre ? clamp(part, LEAST_STAGE, STAGE) : STAGE;

        proximal_newton_set_share(state, fmin(1, factor * state->share));
    }
}

/* True if P is near its minimum for the costs and smoothing of the stage, or the last step promised
 * nothing. A model with a large ridge promises little at any w. */
static int is_stage_solved(const struct proximal_newton *state)
{
    static const double LARGE = 5e-4;
    const double target = certified_gap(state->training->parameters);
    double gap = STAGE_GAP, promise = STAGE_PROMISE * sqrt(target);

    if (state->smoothing > 0) {
        gap = SMOOTH_GAP * state->smoothing;
        promise = SMOOTH_PROMISE * state->smoothing;
    }
    if (state->smoothing > 0 && state->smoothing <= target)
        return state->gap < gap;
    return state->gap < gap || state->promise <= 0 ||
           (state->mu < LARGE && state->promise < promise * state->primal);
}

/* True if a dual value shows that |w|_1 is so small a part of P that stages are better. */
static int has_few_weights(const struct proximal_newton *state)
{
    static const double MOST = 16;

    return -state->training->point.dual > MOST * (state->primal - state->losses);
}

/* True if the step, which began at P = before, has gained little beside what the next centre may.
 */
static int is_settled(struct proximal_newton *state, double before)
{
    double distance = 0;

    if (++state->since_centre < 2) /* the first step may be far from the solution and find little */
        return 0;
    for (uint32_t i = 0; i < state->rows; i++)
        if (state->inverse[i] > 0) {
            const double inverse = state->inverse[i];
            const double moved = state->alpha[i] - 2 * state->shift[i] / inverse;

            distance += moved * moved * inverse / 4;
        }
    return before - state->primal <= distance / 2;
}

void proximal_newton_before_step(struct proximal_newton *state)
{
    if ((state->smoothing > 0 || !proximal_newton_is_last(state)) && is_stage_solved(state))
        next_stage(state);
    else if (state->may_smooth && state->smoothing == 0 && state->short_steps > SHORT &&
             state->losses < FEW_LOSSES * state->primal && state->gap > STAGE_GAP &&
             state->promise > LEFT * state->primal)
        smooth(state, SMOOTHING);
}

void proximal_newton_after_step(struct proximal_newton *state, double before)
{
    if (state->is_centred && has_few_weights(state)) { /* back to stages */
        state->is_centred = state->may_centre = 0;
        proximal_newton_set_share(state, fmin(1, STAGE * state->share));
    } else if (state->is_centred && is_settled(state, before)) {
        centre(state);
    }
}
