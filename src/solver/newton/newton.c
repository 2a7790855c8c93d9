/* newton.c - (I + sum_i B_i (x) x_i x_i') p = -gradient,  w += t p.
 *
 * The method minimises |w|^2 / 2 + sum_i phi_i(z_i) over the margins z_i of the rows. phi_i is the
 * loss, if that has a derivative everywhere, or else the loss smoothed by a proximal term:
 *
 *     phi_i(z) = max over a of -D_i(a) - <a, z> - mu/2 |a - centre_i|^2,
 *
 * where D_i(a) is the part of dual numbers a in D. The maximum is attained at alpha_i(z). The
 * function is convex and once differentiable, and its gradient is w - sum alpha_i y_i x_i. B_i,
 * minus the derivative of alpha_i by z_i, is 0 except for the free rows.
 *
 * For two classes, regression and one-class SVMs a row has one margin (loss_point() in loss.h), for
 * softmax and Crammer and Singer's hinge one for each class. With classes, w is a matrix W whose
 * columns sum to 0: no gradient has a part in which all columns are alike.
 *
 * For a smooth loss mu = 0, and the gap P(w) + D(alpha) is |gradient|^2 / 2. This gap may be a
 * thousand times the excess of P, unless the step before solved its system exactly and changed no
 * weight. So the dual point of a step is tried, too. For one margin, this happens before the step
 * is taken.
 *
 * For other losses mu > 0, and the centre is the last dual point. This is the proximal point method
 * on the dual. A step is a Newton step of the dual on its free rows, projected on the box. Its
 * matrix Q_FF + mu I is regular for any rank of Q_FF. (In the dual alone, this is the projected
 * Newton method of Bertsekas. Li, Sun and Toh, SIAM J. Optim. 2018, solve the proximal problem in
 * the primal as here.) The gap is |gradient|^2 / 2 plus the cost of mu, a sum over rows of terms of
 * at least 0. When |gradient|^2 / 2 has become the smaller part, the centre moves and mu falls.
 * Under the rule of -e, mu falls until no gradient mu (centre_i - alpha_i) can break the rule.
 *
 * A free bias b is not in |w|^2. At its best value sum alpha_i y_i = total, which makes alpha
 * feasible. The steps move b with w. For one margin, each evaluation moves b to its best value.
 *
 * On badly scaled data (see qr.h) rounding leaves a gradient that is larger than P, and changes of
 * z add up to a false z. On such data each step forms z anew. When the system's factor has lost its
 * digits, or steps win nothing, a step becomes a least squares problem, which does not use the
 * gradient. Its predicted decrease replaces |gradient|^2 / 2 in the rules. With more than
 * MOST_ORDER features there is no such step. If rows are few, none is needed, because the system
 * over rows keeps its digits.
 */
#include "solver/newton/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "problem/crammer_singer.h"
#include "solver/linear/cost.h"
#include "solver/linear/qr.h"
#include "solver/loop/method.h"

static const double FAR_FALL = 8; /* factor by which mu falls far from the minimum */

/* ---- The proximal term --------------------------------------------------- */

/* Returns a mu that is small enough for the rule of -e, because alpha and centre are in the box. */
static double smallest_mu(const struct newton *state)
{
    const double eps = state->training->eps;

    return eps > 0 ? state->kind->settled_mu * eps / state->largest_cost : HUGE_VAL;
}

/* True if the rest of the gap needs another centre and a smaller mu. No other centre is needed if
 * the gap will come below the target at this one and the rule of -e will hold, unless |gradient|^2
 * / 2 is nearly 0. With classes, W may have losses far above the minimum. Then prox_gap is due to
 * these losses, and alpha is not a good centre, so |gradient|^2 / 2 must be small beside D, too. */
static int stage_is_over(const struct newton *state)
{
    static const double SMALL = 0.01;
    static const double LITTLE = 1e-5; /* rounding may keep the gradient large */
    const double gap = state->training->parameters->relative_gap;
    const double now = state->has_qr
                           ? fmin(state->half_gradient_sq, state->step.predicted_decrease / LITTLE)
                           : state->half_gradient_sq;
    const double enough =
        gap > 0 ? 0.5 * gap * problem_scale(state->problem, state->primal) : HUGE_VAL;
    const double rest = state->k > 1 ? fmin(state->prox_gap, SMALL * -state->training->point.dual)
                                     : state->prox_gap;

    return !loss_is_smooth(state->loss) && !state->is_unbalanced && state->continuation <= 1 &&
           now <= 2 * rest &&
           (state->prox_gap > enough || state->mu > smallest_mu(state) ||
            now <= 1e-9 * state->prox_gap);
}

/* Sets the centre of the proximal term to the dual point. At weights that were given, the centre is
 * the middle of the box or, with classes, the alpha of a small proximal term. Chooses the first mu
 * unless it is known. The proximal term then costs about as much as the gap, or as -D if that is
 * less. For one margin, D is taken at the best multiple of alpha, even outside the box: on the ray,
 * -D = t linear - t^2 square. With a free bias, D is ignored, because few pair steps leave it
 * meaningless. If margins have a unit, a row is free over at least a thousandth of a margin.
 * Without a dual point, every row is free. */
static void begin_prox(struct newton *state, int at_weights)
{
    struct training *training = state->training;
    const struct problem *problem = state->problem;
    const struct own_rows own = own_rows(problem);
    const double *alpha = training->point.alpha, *w = training->point.w;
    const size_t k = state->k;
    double scalars[MOST_SCALARS], largest = 0, gap, mu;

    if (!at_weights)
        memcpy(state->centre, alpha, state->rows * k * sizeof *state->centre);
    for (uint32_t i = 0; i < state->rows && at_weights; i++)
        if (k > 1)
            singer_point(k, problem->cost[i], state->z + i * k, problem->class_of[i], NULL,
                         4 * problem->cost[i], state->centre + i * k, state->class_system.member);
        else
            state->centre[i] = problem->cost[i] / 2;
    state->mu = training->mu > 0 ? training->mu : state->kind->start_mu / state->largest_cost;
    if (training->mu > 0 || at_weights)
        return;
    sums_run(&training->shards, all_rows(problem), state->kind->add_first, state, scalars, NULL);
    for (size_t i = own.first * k; i < own.end * k; i++)
        largest = fmax(largest, alpha[i]);
    largest = team_largest(state->team, largest);
    gap = scalars[1];
    if (problem->bias_kind != BIAS_FREE) {
        const double square = dense_dot(w, w, problem_penalised(problem)) / 2;
        const double linear = square - training->point.dual;
        const double multiple = square > 0 ? linear * linear / (4 * square) : HUGE_VAL;

        gap = fmin(gap, k > 1 ? -training->point.dual : multiple);
    }
    mu = scalars[0] > 0 ? 3 * gap / scalars[0] : NEWTON_END_MU / state->largest_cost;
    if (scalars[0] > 0 && problem->total == 0)
        mu = fmax(mu, 1e-3 / largest);
    if (!(mu > DBL_MIN)) /* nothing is left to do */
        mu = 1;
    state->mu = training->parameters->relative_gap > 0 ? mu : fmax(mu, smallest_mu(state));
}

/* ---- A step -------------------------------------------------------------- */

static void step(void *context)
{
    enum { PATIENCE = 4, MORE_PATIENCE = 40 };
    struct newton *state = context;
    struct training *training = state->training;
    /* The first steps for the hinge win little (raw-2000x300-synth -s 3: 0.35 s with a patience of
     * 4, 0.11 s with 40). */
    const unsigned patience = loss_is_smooth(state->loss) ? PATIENCE : MORE_PATIENCE;

    training_count_step(training);
    if (state->may_begin_qr && state->stalls >= patience)
        newton_begin_qr(state);
    newton_continue(state);
    state->steps++;
    if (stage_is_over(state)) {
        /* The centre moves and mu falls. A faster fall leaves too few rows free, and they come back
         * one by one. For a one-class SVM, mu falls faster while the gap is a large part of D: the
         * first alpha may be far off, and its gap has set the first mu. */
        const double dual = training->point.dual, gap = training->point.primal + dual;
        const int is_far = state->problem->total != 0 && gap > 0.3 * dual;

        memcpy(state->centre,
               state->has_qr && state->step.is_known ? state->step.ahead : state->alpha,
               state->rows * state->k * sizeof *state->centre);
        state->mu /= is_far ? FAR_FALL : 2;
        if (newton_limit_costs(state))
            newton_evaluate_all(state);
        else
            newton_evaluate(state);
    }
    newton_take_step(state);
    if (state->is_raw) {
        newton_evaluate_all(state);
    } else if (state->stalls % 8 == 0) {
        /* Steps add up rounding errors in z, which change the gap. */
        training_measure(training);
        newton_evaluate_all(state);
    } else {
        newton_evaluate(state);
    }
    if (state->active.count == state->rows && !state->is_raw)
        newton_shrink(state);
}

/* ---- Rules --------------------------------------------------------------- */

/* True if the rule of LIBLINEAR's dual solvers holds. The training then has the w of the rule.
 * Before that, z_i is uncertain by |x_i| |gradient|. While this bound is large, the rule is not
 * worth its passes. The distance from the largest violation to the smallest is 1.4 to 1.8 times the
 * bound (a9a, covtype, digits). The rule for regression is about the mean of all rows, which is a
 * tenth of the bound or less. */
static int dual_rule(struct newton *state)
{
    const double uncertain = sqrt(2 * state->half_gradient_sq) * state->row_norm;
    const double worth = loss_has_targets(state->loss) ? 8 : 0.6; /* in units of eps */
    double *const z = state->k > 1 ? NULL : state->step.ahead;

    if (uncertain > worth * state->training->eps && state->stalls % 8 != 7)
        return 0;
    if (training_dual_rule(state->training, state->alpha, state->w, z))
        return 1;
    newton_evaluate_all(state);
    return 0;
}

/* Finds the next step for its dual point before the gap is judged. Nearly all of the gap of w and
 * its own alpha, or of the dual point of the step before, is due to the dual point. Nothing is lost
 * unless the training ends here, so a start that has the gap needs no step. With many features, the
 * last step's solution is expensive, and the squared hinge and losses that are not smooth do
 * without it. */
static void look_ahead(struct newton *state)
{
    static const double LITTLE = 1e-9; /* a relative gap that needs no more */
    const struct training *training = state->training;
    const int has_ended = state->steps == 0 && training_may_end(training, state->half_gradient_sq);
    const int pays = state->has_qr || primal_over_features(state->problem) ||
                     loss_is_curved(state->loss) ||
                     (loss_has_targets(state->loss) && loss_is_squared(state->loss));

    if (pays && !has_ended && training->parameters->relative_gap > 0 && state->continuation <= 1 &&
        (state->has_qr || !stage_is_over(state)) &&
        training->point.primal + training->point.dual >
            LITTLE * problem_scale(state->problem, training->point.primal))
        newton_prepare_step(state);
}

/* True if the rules hold. The rule of the gap is about the measured gap. */
static int rules_hold(struct newton *state)
{
    struct training *training = state->training;
    const struct hinge_parameters *parameters = training->parameters;
    const int by_dual = parameters->eps > 0 && !primal_rule_is_asked(training);
    const int looks_ahead = state->kind->keep_ahead_before != NULL;
    double gap;

    if (looks_ahead && !by_dual)
        look_ahead(state);
    if (!training_may_end(training, state->half_gradient_sq))
        return 0;
    if (by_dual && !dual_rule(state))
        return 0;
    if (parameters->eps > 0 && !by_dual && /* in a continuation, the gradient is not that of P */
        !(state->continuation <= 1 && sqrt(2 * state->half_gradient_sq) <= state->most))
        return 0;
    gap = training->point.primal + training->point.dual;
    if (looks_ahead && by_dual) { /* The rule has taken a dual point of its own. */
        look_ahead(state);
    } else if (looks_ahead && training_needs_dual(training)) {
        state->step.is_last = 1;
        newton_prepare_step(state);
    } else if (state->step.is_known && state->steps > 0 && !state->has_qr &&
               loss_is_squared(state->loss) && primal_over_features(state->problem) &&
               gap > 2 * state->step.predicted_decrease &&
               gap > 0.01 * certified_gap(parameters) *
                         problem_scale(state->problem, state->primal)) {
        /* The gap is more than twice the excess of P, which the next step should win. This happens
         * with a squared loss while rows come or leave. With few features the step is cheap, and
         * its gap tells much more. A gap of a hundredth of the target needs no further step, nor
         * does a start that has the gap. */
        return 0;
    }
    if (parameters->relative_gap > 0 && state->problem->total != 0) {
        /* nu is about all rows, so the bias becomes the best one for all rows. */
        training->point.w[training->width - 1] =
            bias_best(state->problem, training->point.w, state->points);
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

/* ---- Beginning and end --------------------------------------------------- */

/* True for regression with a loss that is linear outside its tube. */
static int has_linear_tube(const struct problem *problem)
{
    return loss_has_targets(problem->loss) && loss_is_linear(problem->loss);
}

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct newton *to = context;
    const struct problem *problem = training->problem;
    const size_t rows = training->rows, width = training->width, duals = problem_duals(problem);
    const int is_shared = team_is_shared(problem->team);
    const int has_classes = problem->classes > 0, is_smooth = loss_is_smooth(problem->loss);

    to->combined = arena_take(arena, is_shared ? 2 * width : width, sizeof *to->combined);
    to->squares = is_shared && to->combined ? to->combined + width : NULL;
    to->gradient = arena_take(arena, width, sizeof *to->gradient);
    arena_leave_rest(arena);
    if (has_classes)
        class_system_lay_out(&to->class_system, arena, problem);
    to->alpha = arena_take(arena, duals, sizeof *to->alpha);
    to->active.row = arena_take(arena, rows, sizeof *to->active.row);
    to->centre = is_smooth ? NULL : arena_take(arena, duals, sizeof *to->centre);
    to->step.ahead = arena_take(arena, has_classes ? 0 : rows, sizeof *to->step.ahead);
    to->step.centre = arena_take(arena, has_classes ? 0 : width, sizeof *to->step.centre);
    to->z = arena_take(arena, duals, sizeof *to->z);
    to->step.change = arena_take(arena, duals, sizeof *to->step.change);
    to->cost = arena_take(arena, has_classes || !problem->cost ? rows : 0, sizeof *to->cost);
    to->target = arena_take(arena, has_linear_tube(problem) ? rows : 0, sizeof *to->target);
    to->points = arena_take(arena, problem->total != 0 ? rows : 0, sizeof *to->points);
    to->w = arena_take(arena, width, sizeof *to->w);
    to->step.direction = arena_take(arena, width, sizeof *to->step.direction);
    to->active.shrunk = arena_take(arena, width, sizeof *to->active.shrunk);
    to->v = arena_take(arena, width, sizeof *to->v);
}

/* Finds costs and the system of the rows. False, with *error, if there is no memory. */
static int begin_problem(struct newton *state, struct hinge_error *error)
{
    static const double ROUNDING = 1e-12; /* relative to the largest target */
    static const double MOST = 0.01;      /* relative to epsilon */
    struct training *training = state->training;
    const struct problem *problem = training->problem;

    state->problem = problem;
    state->team = problem->team;
    state->loss = problem->loss;
    state->rows = training->rows;
    state->k = problem_outputs(problem);
    state->largest_cost = DBL_MIN; /* there may be no row */
    if (problem->classes > 0) {
        state->kind = loss_is_smooth(problem->loss) ? &newton_softmax : &newton_singer;
        class_system_begin(&state->class_system, problem, &training->shards,
                           training_stop(training));
    } else {
        state->kind = &newton_rows;
        if (!(state->system = training_system(training, error)))
            return 0;
        state->costed = *problem; /* an array of costs makes loops faster than problem_cost */
        state->costed.cost = problem_costs(problem, 0, training->rows, state->cost);
        state->problem = &state->costed;
        if (state->is_raw && has_linear_tube(problem)) {
            /* The tube is narrower by more than rounding errors of margins. Where |w|^2 is tiny, as
             * with large features, C times these errors would exceed P. */
            const double by = fmin(MOST * training->parameters->epsilon,
                                   ROUNDING * dense_largest(problem->target, state->rows));

            for (uint32_t i = 0; i < state->rows; i++)
                state->target[i] = problem->target[i] + by;
            state->costed.target = state->target;
        }
    }
    for (uint32_t i = 0; i < state->rows; i++)
        if (state->problem->cost[i] > state->largest_cost)
            state->largest_cost = state->problem->cost[i];
    return 1;
}

/* Begins at the w that is given, or at the w of the dual point. */
static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct newton *state = context;
    const double *start = training->start;
    const struct problem *problem;
    struct own_rows own;
    double scalars[MOST_SCALARS], largest = 0;
    int at_weights;

    state->training = training;
    state->is_raw = is_badly_scaled(training->problem);
    if (!begin_problem(state, error))
        return failure(error);
    problem = state->problem;
    own = own_rows(problem);
    at_weights = start && problem->total == 0;
    state->best_gap = state->scaled_primal = HUGE_VAL;
    state->step.predicted_decrease = state->step.previous_half_gradient_sq = HUGE_VAL;
    state->own_dual = training->point.dual;
    state->cost_fraction = state->continuation = 1;
    state->step.tolerance = state->kind->tolerance;
    state->is_direct = state->k == 1;
    state->has_start = start != NULL;
    memcpy(state->w, start ? start : training->point.w, training->width * sizeof *state->w);
    training->start = NULL;
    if (problem->classes > 0)
        problem_centre(problem, state->w);
    if (problem->total != 0 && !start) /* no margin is known yet */
        state->w[training->width - 1] = bias_best(problem, state->w, state->points);
    memset(state->alpha, 0, state->rows * state->k * sizeof *state->alpha);
    training->point.v = state->v;
    if (primal_rule_is_asked(training)) {
        state->most =
            state->k > 1 ? newton_class_rule(state) : primal_rule_most(training, state->v);
    } else if (training->parameters->eps > 0 && loss_has_targets(problem->loss)) {
        sums_run(&training->shards, all_rows(problem), newton_add_squares, (void *)problem, scalars,
                 NULL);
        state->row_norm = sqrt(scalars[1] / fmax(state->rows, 1));
    } else if (training->parameters->eps > 0) {
        for (uint32_t i = own.first; i < own.end; i++)
            largest = fmax(largest, problem_square(problem, i));
        state->row_norm = sqrt(team_largest(state->team, largest));
    }
    newton_activate_all(state);
    /* An evaluation moves a free bias to the best one for the smoothed loss, so P may rise above P
     * of the start. For a one-class SVM, the evaluation finds the best bias for P itself. */
    if (start && problem->bias_kind == BIAS_FREE && state->centre && problem->total == 0)
        training_keep_primal(training, state->w,
                             objective_primal(&training->shards, problem, state->w).primal);
    if (state->centre)
        begin_prox(state, at_weights);
    newton_evaluate(state);
    state->may_begin_qr = state->system && primal_system_has_qr(state->system);
    if (state->may_begin_qr && !primal_over_features(problem))
        newton_begin_qr(state);
    if (newton_limit_costs(state))
        newton_evaluate_all(state);
    if (state->k > 1 && problem->bias_kind == BIAS_FREE)
        newton_settle_biases(state);
    return HINGE_OK;
}

static void end(void *context)
{
    struct newton *state = context;

    state->training->mu = state->mu;
}

const struct method newton = {.name = "",
                              .size = sizeof(struct newton),
                              .lay_out = lay_out,
                              .begin = begin,
                              .step = step,
                              .met = met,
                              .price = cost_of_newton,
                              .end = end};

const struct method class_newton = {.name = "",
                                    .size = sizeof(struct newton),
                                    .lay_out = lay_out,
                                    .begin = begin,
                                    .step = step,
                                    .met = met,
                                    .price = cost_of_class_newton,
                                    .end = end};
