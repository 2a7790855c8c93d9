/* newton.c - (I + sum_i weight_i x_i x_i') p = -gradient,  w += t p.
 *
 * What is minimised is |w|^2 / 2 + sum_i phi_i(s_i), s_i = t_i - y_i <w, x_i>, where phi_i is the
 * loss C_i phi, or, if that has no derivative everywhere, the loss smoothed by a proximal term:
 *
 *     phi_i(s) = max over a of a s - C_i phi*(a/C_i) - mu/2 (a - centre_i)^2,
 *
 * attained at alpha_i(s) = loss_point(). The function is convex and once differentiable, gradient =
 * w - sum alpha_i y_i x_i; weight_i is the derivative of alpha_i by s_i, 0 but on the free rows.
 *
 * A smooth loss has mu = 0, and the gap P(w) + D(alpha) is |gradient|^2 / 2. That may be a thousand
 * times the excess of P, unless the step before solved its system exactly and changed no weight. So
 * the next step is found before the gap is looked at, and the dual point that comes with it is
 * looked at, too: see newton_step.c.
 *
 * Else mu > 0, and the centre is the last dual point: the proximal point method on the dual. It is
 * a Newton step of the dual on its free rows, projected on the box, whose matrix Q_FF + mu I is
 * regular whatever the rank of Q_FF is. (In the dual alone that is the projected Newton method of
 * Bertsekas; Li, Sun and Toh, SIAM J. Optim. 2018, solve the proximal problem in the primal as
 * here.) The gap is |gradient|^2 / 2 plus what mu costs, a sum over rows, each at least 0; when the
 * first has become the smaller, the centre moves and mu falls. Under the rule of -e it falls until
 * no gradient -s_i = mu (centre_i - alpha_i) can break it.
 *
 * A free bias b is not in |w|^2; at its best value sum alpha_i y_i = total, which makes alpha
 * feasible. The steps take it with w, and each evaluation moves it to that value.
 *
 * At a large C on rows that can be separated, the steps enter a polyhedron where |w|^2 is nearly
 * all of P, and find out one by one which rows are free. So where the first steps have not been
 * enough, or will not be, C falls to a share of it, or mu rises and the centre is 0, and both go
 * back by a factor whenever the minimum is near: the free rows change little from one to the next.
 *
 * Most rows are at a bound and far from leaving it. Until the steps may have brought one of them
 * near, they are shrunk: alpha_i is what it is, and their part of everything is linear in w.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "solver/loop/cost.h"
#include "solver/loop/primal_rule.h"
#include "solver/newton/newton.h"

static const double END_MU = 10;    /* times 1/C: mu at which every row is free at w = 0 */
static const double START_MU = 0.5; /* times 1/C: a row is free within a quarter of a margin */
static const double FAR_FALL = 8;   /* of mu, where the minimum is far */

/* Steps at C itself before a continuation, at least and at most. */
enum { EARLY = 4, DIRECT = 12 };

/* ---- The proximal term ------------------------------------------------- */

/* The mu that is small enough for the rule of -e, as alpha and centre are in the box. */
static double smallest_mu(const struct newton *state)
{
    const double eps = state->training->eps;

    return eps > 0 ? eps / (2 * state->largest_cost) : HUGE_VAL;
}

/* Whether the rest of the gap is for another centre and a smaller mu: not if it will come below the
 * target here, and the rule of -e be met, unless there is no rest. */
static int stage_is_over(const struct newton *state)
{
    const double gap = state->training->parameters->gap;
    const double enough =
        gap > 0 ? 0.5 * gap * problem_scale(state->problem, state->primal) : HUGE_VAL;

    return !loss_is_smooth(state->loss) && !state->unbalanced && state->continuation <= 1 &&
           state->smooth <= 2 * state->rough &&
           (state->rough > enough || state->mu > smallest_mu(state) ||
            state->smooth <= 1e-9 * state->rough);
}

/* Whether the gap is still a large part of D. The first alpha of a one-class SVM, rows up to the
 * sum that it is to have, may be far off, while its first mu is what that gap makes it. */
static int is_far(const struct newton *state)
{
    const struct training *training = state->training;

    return state->problem->total != 0 && training->primal + training->dual > 0.3 * training->dual;
}

/* sum alpha_i^2, and the gap of the rows. */
static void add_first(void *context, const struct shard *shard)
{
    const struct newton *state = context;
    const double *alpha = state->training->alpha;
    double squares = 0, gap = 0;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const double scale = loss_scale(state->loss, state->problem->cost[i]);

        squares += alpha[i] * alpha[i];
        gap += loss_gap(state->loss, scale, alpha[i], slack_of(state, i, state->z[i]));
    }
    shard->scalars[0] += squares;
    shard->scalars[1] += gap;
}

/* D of the best multiple of alpha, whatever the box: on the ray it is t linear - t^2 square. */
static double best_multiple(const struct newton *state)
{
    const struct training *training = state->training;
    const double square =
        dense_dot(training->w, training->w, problem_penalised(state->problem)) / 2;
    const double linear = square - training->dual;

    return square > 0 ? linear * linear / (4 * square) : HUGE_VAL;
}

/* The first mu: such that it costs about as much as the gap is, or D where that is less, and a row
 * is free at least over a thousandth of a margin, where margins have a unit. The D of few pair
 * steps, as there are with a free bias, tells nothing. Without a dual point, so large that every
 * row is free. */
static double first_mu(const struct newton *state)
{
    struct training *training = state->training;
    const struct own_rows own = own_rows(state->problem);
    double scalars[MOST_SCALARS], largest = 0, gap, mu;

    sums_run(&training->shards, all_rows(state->problem), add_first, (void *)state, scalars, NULL);
    for (uint32_t i = own.first; i < own.end; i++)
        largest = fmax(largest, training->alpha[i]);
    largest = team_largest(state->team, largest);
    gap = scalars[1];
    if (state->problem->bias_kind != BIAS_FREE)
        gap = fmin(gap, best_multiple(state));
    mu = scalars[0] > 0 ? 3 * gap / scalars[0] : END_MU / state->largest_cost;
    if (scalars[0] > 0 && state->problem->total == 0)
        mu = fmax(mu, 1e-3 / largest);
    if (!(mu > DBL_MIN)) /* nothing is left to do */
        mu = 1;
    return training->parameters->gap > 0 ? mu : fmax(mu, smallest_mu(state));
}

/* ---- Continuation in C -------------------------------------------------- */

/* sum C_i |x_i|^2 */
static void add_curvature(void *context, const struct shard *shard)
{
    const struct problem *problem = context;
    double sum = 0;

    for (uint32_t i = shard->first; i < shard->end; i++)
        sum += problem->cost[i] * problem_square(problem, i);
    shard->scalars[0] += sum;
}

/* Begins where the curvature of a row in the direction of x_i is so many times that of |w|^2 / 2. A
 * loss that is not smooth needs it only where the steps at C have won nothing.
 *
 * What the system's solution leaves is the gradient after a full step. The larger C is, the more of
 * the gradient is in the span of the free rows; a residual of a third of it may be all that there
 * is in the other directions, in which |w|^2 is still to fall. */
static void begin_continuation(struct newton *state)
{
    static const double NEAR = 0.01; /* the minimum: a relative gap from which few steps are left */
    const double curvature = loss_is_smooth(state->loss) ? 100 : 100 * END_MU;
    const struct training *training = state->training;
    double scalars[MOST_SCALARS];

    if (state->problem->total != 0 || training->primal + training->dual < NEAR * training->primal ||
        (state->centre && training->primal + state->own_dual < state->primal / 2))
        return;
    sums_run(&state->training->shards, all_rows(state->problem), add_curvature,
             (void *)state->problem, scalars, NULL);
    if (!(scalars[0] <= DBL_MAX))
        return;
    state->continuation = fmax(1, scalars[0] / state->rows / curvature);
    state->tolerance = fmax(0.03, COARSE / sqrt(state->continuation));
}

/* Whether it is to begin before DIRECT steps. Where hardly a loss is left at the minimum, D rises
 * slowly, of the hinge with alpha as mu falls: doubling with each step, it would be below half of P
 * after all of them. Else it rises by far more in one of the first; after a start, in one of the
 * last. Of a loss that is curved everywhere it tells nothing. */
static int is_slow(const struct newton *state)
{
    static const double MUCH = 4;
    const double half = state->primal / 2;

    return !loss_is_curved(state->loss) && !state->has_start && state->steps >= EARLY &&
           state->own_dual > MUCH * state->last_dual &&
           -state->own_dual < ldexp(half, (int)state->steps - DIRECT);
}

/* It goes on before the minimum is found: only the free rows count. Of badly scaled data rounding
 * errors leave a gradient that does not fall; there the last step has won little. */
static void continue_in_C(struct newton *state)
{
    static const double LITTLE = 0.1; /* half of it what the step was to win, of the minimised */
    const double before = state->continuation;

    if (state->is_direct && (state->steps == DIRECT || is_slow(state))) {
        state->is_direct = 0;
        begin_continuation(state);
    } else if (state->smooth <= 10 * state->minimised ||
               (loss_is_curved(state->loss) && state->start <= LITTLE * state->minimised)) {
        state->continuation = fmax(1, before / 8);
    }
    state->last_dual = state->own_dual;
    if (state->continuation == before)
        return;
    state->promise = HUGE_VAL;
    if (loss_is_curved(state->loss))
        state->stalls = 0; /* P, which is that of C, may be far above what it was before */
    if (state->centre) {
        memset(state->centre, 0, state->rows * sizeof *state->centre);
        state->mu = state->continuation * END_MU / state->largest_cost;
    } else {
        state->share = 1 / state->continuation;
    }
    if (state->continuation > before)
        newton_evaluate_all(state); /* a larger mu can free shrunk rows */
    else
        newton_evaluate(state);
}

static void step(void *context)
{
    struct newton *state = context;
    struct training *training = state->training;

    training_count_step(training);
    continue_in_C(state);
    state->steps++;
    if (stage_is_over(state)) {
        /* a larger fall of mu leaves too few rows free, and they come back one by one */
        memcpy(state->centre, state->alpha, state->rows * sizeof *state->centre);
        state->mu /= is_far(state) ? FAR_FALL : 2;
        newton_evaluate(state);
    }
    newton_take_step(state);
    if (state->stalls % 8 == 0) {
        /* the steps add up z, and with it rounding errors, which change the gap */
        training_measure(training);
        newton_evaluate_all(state);
    } else {
        newton_evaluate(state);
    }
    if (state->active == state->rows)
        newton_shrink(state);
}

/* ---- Rules ------------------------------------------------------------- */

static int primal_rule(const struct newton *state)
{
    return state->continuation <= 1 && /* else the gradient is not that of P */
           sqrt(2 * state->smooth) <= state->most;
}

/* The rule of LIBLINEAR's dual solvers; where it holds, the training has the w that it is about.
 * z_i there is uncertain by |x_i| |gradient|, and not worth the passes while that is much. From the
 * largest violation to the smallest it is 1.4 to 1.8 times that bound (a9a, covtype, digits); the
 * mean of all rows, which a regression's rule is about, is a tenth of it and less. */
static int dual_rule(struct newton *state)
{
    const double uncertain = sqrt(2 * state->smooth) * state->longest;
    const double worth = loss_has_targets(state->loss) ? 8 : 0.6; /* so much of eps */

    if (uncertain > worth * state->training->eps && state->stalls % 8 != 7)
        return 0;
    if (training_dual_rule(state->training, state->alpha, state->w, state->ahead))
        return 1;
    newton_evaluate_all(state);
    return 0;
}

/* Finds the next step before the gap is looked at, for its dual point: nearly all of the gap of w
 * and its own alpha, or of those of the step before, is the dual point's. Unless the training ends
 * here, nothing is lost; so a start that has the gap does without. With many features the last
 * step's solution is expensive: the squared hinge, and losses that are not smooth, do without. */
static void look_ahead(struct newton *state)
{
    static const double LITTLE = 1e-9; /* a relative gap that needs no more */
    const struct training *training = state->training;
    const int has_ended = state->steps == 0 && training_may_end(training, state->smooth);
    const int pays = primal_over_features(state->problem) || loss_is_curved(state->loss) ||
                     (loss_has_targets(state->loss) && loss_is_squared(state->loss));

    if (pays && !has_ended && training->parameters->gap > 0 && state->continuation <= 1 &&
        !stage_is_over(state) &&
        training->primal + training->dual >
            LITTLE * problem_scale(state->problem, training->primal))
        newton_prepare_step(state);
}

/* Whether the gap is more than twice the excess of P, which is what the next step is to win: of a
 * squared loss that is where rows come or leave. Taking that step is cheap with few features, and
 * tells much more. A hundredth of the gap that was asked for needs no more, nor does a start that
 * has it. */
static int is_loose(const struct newton *state)
{
    const struct training *training = state->training;
    const double gap = training->primal + training->dual;

    return state->has_step && state->steps > 0 && loss_is_squared(state->loss) &&
           primal_over_features(state->problem) && gap > 2 * state->promise &&
           gap > 0.01 * certified_gap(training->parameters) *
                     problem_scale(state->problem, state->primal);
}

/* Whether the rules hold; of the gap, for what was measured. */
static int rules_hold(struct newton *state)
{
    struct training *training = state->training;
    const int by_dual = training->parameters->eps > 0 && !primal_rule_is_asked(training);

    if (!by_dual)
        look_ahead(state);
    if (!training_may_end(training, state->smooth))
        return 0;
    if (training->parameters->eps > 0 && !(by_dual ? dual_rule(state) : primal_rule(state)))
        return 0;
    if (by_dual) /* which has taken a dual point of its own */
        look_ahead(state);
    else if (is_loose(state))
        return 0;
    if (training->parameters->gap > 0 &&
        state->problem->total != 0) { /* of all rows, which nu is about */
        training->w[training->width - 1] = bias_best(state->problem, training->w, state->points);
        training_moved(training);
    }
    if (training_gap_is_met(training))
        return 1;
    newton_evaluate_all(state);
    return 0;
}

static enum verdict met(void *context)
{
    enum { PATIENCE = 100 };
    struct newton *state = context;

    if (rules_hold(state))
        return MET;
    return state->stalls > PATIENCE || !(state->primal <= DBL_MAX) ? STALLED : GOES_ON;
}

/* ---- Beginning and end ------------------------------------------------- */

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct newton *to = context;
    const size_t rows = training->rows, width = training->width;
    const int is_one_class = training->problem->total != 0;
    const int is_shared = team_is_shared(training->problem->team);

    to->combined = arena_take(arena, is_shared ? 2 * width : width, sizeof *to->combined);
    to->squares = is_shared && to->combined ? to->combined + width : NULL;
    to->gradient = arena_take(arena, width, sizeof *to->gradient);
    arena_leave_rest(arena);
    to->alpha = arena_take(arena, rows, sizeof *to->alpha);
    to->row = arena_take(arena, rows, sizeof *to->row);
    to->centre = loss_is_smooth(training->problem->loss)
                     ? NULL
                     : arena_take(arena, rows, sizeof *to->centre);
    to->ahead = arena_take(arena, rows, sizeof *to->ahead);
    to->z = arena_take(arena, rows, sizeof *to->z);
    to->change = arena_take(arena, rows, sizeof *to->change);
    to->cost = arena_take(arena, training->problem->cost ? 0 : rows, sizeof *to->cost);
    to->points = arena_take(arena, is_one_class ? rows : 0, sizeof *to->points);
    to->w = arena_take(arena, width, sizeof *to->w);
    to->step = arena_take(arena, width, sizeof *to->step);
    to->shrunk = arena_take(arena, width, sizeof *to->shrunk);
    to->v = arena_take(arena, width, sizeof *to->v);
}

static void end(void *context)
{
    struct newton *state = context;

    state->training->mu = state->mu;
}

/* Sets the costs, alpha = 0, and where the proximal term is centred. */
static void begin_rows(struct newton *state, int at_start)
{
    const struct problem *problem = state->problem;

    for (uint32_t i = 0; i < state->rows; i++) {
        if (problem->cost[i] > state->largest_cost)
            state->largest_cost = problem->cost[i];
        state->alpha[i] = 0; /* a page that is read before it is written is fetched twice */
        if (state->centre)
            state->centre[i] = at_start ? problem->cost[i] / 2 : state->training->alpha[i];
    }
}

/* sum |x_i|^2, by which longest is found of a regression. */
static void add_squares(void *context, const struct shard *shard)
{
    const struct newton *state = context;

    for (uint32_t i = shard->first; i < shard->end; i++)
        shard->scalars[0] += problem_square(state->problem, i);
}

static double find_longest(struct newton *state)
{
    const struct own_rows own = own_rows(state->problem);
    double scalars[MOST_SCALARS], longest = 0;

    if (loss_has_targets(state->loss)) {
        sums_run(&state->training->shards, all_rows(state->problem), add_squares, state, scalars,
                 NULL);
        return sqrt(scalars[0] / fmax(state->rows, 1));
    }
    for (uint32_t i = own.first; i < own.end; i++)
        longest = fmax(longest, problem_square(state->problem, i));
    return sqrt(team_largest(state->team, longest));
}

/* Weights that are given, as they are: an evaluation moves a free bias to the best one for the loss
 * as it is smoothed, by which P may rise. Of a one-class SVM it finds the best one for P itself. */
static void keep_start(const struct newton *state)
{
    const struct problem *problem = state->problem;

    if (problem->bias_kind != BIAS_FREE || loss_is_smooth(state->loss) || problem->total != 0)
        return;
    training_keep_primal(state->training, state->w,
                         objective_primal(&state->training->shards, problem, state->w).primal);
}

/* At w as it is given, or at that of the dual point. */
static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct newton *state = context;
    const struct problem *problem = &state->with_costs;
    const double *start = training->start;

    if (!(state->system = training_system(training, error)))
        return failure(error);
    state->training = training;
    state->with_costs = *training->problem; /* loops would be slower by what problem_cost asks */
    state->with_costs.cost = problem_costs(training->problem, 0, training->rows, state->cost);
    state->problem = problem;
    state->team = problem->team;
    state->loss = problem->loss;
    state->largest_cost = DBL_MIN; /* there may be no row */
    state->rows = training->rows;
    state->best = state->promise = state->earlier = HUGE_VAL;
    state->own_dual = training->dual;
    state->share = 1;
    state->tolerance = COARSE;
    state->continuation = 1;
    state->is_direct = 1;
    state->has_start = start != NULL;
    memcpy(state->w, start ? start : training->w, training->width * sizeof *state->w);
    training->start = NULL;
    if (problem->total != 0 && !start) /* of the margins nothing is known but this */
        state->w[training->width - 1] = bias_best(problem, state->w, state->points);
    begin_rows(state, start && problem->total == 0);
    training->v = state->v;
    if (primal_rule_is_asked(training))
        state->most = primal_rule_most(training, state->v);
    else if (training->parameters->eps > 0)
        state->longest = find_longest(state);
    newton_activate_all(state);
    if (start)
        keep_start(state);
    if (state->centre)
        state->mu = training->mu > 0               ? training->mu
                    : start && problem->total == 0 ? START_MU / state->largest_cost
                                                   : first_mu(state);
    newton_evaluate(state);
    return HINGE_OK;
}

const struct method newton = {.name = "",
                              .size = sizeof(struct newton),
                              .lay_out = lay_out,
                              .begin = begin,
                              .step = step,
                              .met = met,
                              .price = cost_of_newton,
                              .end = end};
