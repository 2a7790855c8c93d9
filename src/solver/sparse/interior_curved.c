/* interior_curved.c - the interior-point method for |w|_1 and a loss that is curved everywhere.
 *
 * Rows need no multipliers, because alpha_i = C_i phi'(s_i) is inside its domain at any margin. The
 * multipliers of the features are in interior_features.h. Newton's method on v = sum alpha_i y_i
 * x_i and on the equations of the multipliers,
 *
 *     (R + X'WX) dw = R rest - (v - X'Y alpha),   W = C phi'',   R = unit^-2,
 *
 * is a descent method, for any v, for
 *
 *     B(plus, minus) = sum_i C_i phi(s_i) + sum_j plus_j + minus_j - mu (ln plus_j + ln minus_j),
 *
 * whose minimum satisfies these equations. A line search finds a part of the step. mu falls when
 * the minimum of B is near. A free bias has v = 0 and no R; it is the last row of the system.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "problem/bias.h"
#include "problem/loss_rows.h"
#include "solver/linear/line_search.h"
#include "solver/linear/primal_system.h"
#include "solver/loop/method.h"
#include "solver/sparse/interior_features.h"

/* The minimum of B is near if every |v_j - sum_j| is at most NEAR and every product differs from mu
 * by at most TIMES NEAR mu. mu is then multiplied by FALL. */
static const double FALL = 0.1, NEAR = 0.5, TIMES = 5;

/* The start: plus_j and minus_j exceed |w_j| by WIDE times the mean |w_j|, and the sum of the
 * products is OF_GAP times the gap at w. Smaller values make the first steps short, because w may
 * be far from the solution or far smaller. A larger OF_GAP takes more steps, and w = plus - minus
 * has larger rounding errors. Among 1e-6 .. 1, OF_GAP = 1e-4 takes the fewest steps on dependent
 * features.
 */
static const double WIDE = 10, OF_GAP = 1e-4;

/* If the predicted decrease of B is below SMALL mu and no margin moves by more than FAR, within
 * which a loss keeps its curvature, Newton's method converges without a line search. Rounding
 * errors of B could mislead a search. */
static const double SMALL = 1e-4, FAR = 1;

/* A step goes at most this part of the way to the point where a multiplier or a slack becomes 0. */
static const double MOST = 0.99;

struct interior_curved {
    struct training *training;
    const struct problem *problem;
    struct primal_system *system;
    struct interior_features features;
    double *z;         /* [rows] margins */
    double *dz;        /* [rows] steps of the margins */
    double *alpha;     /* [rows] C phi' at the margins, or at the last point of the line */
    double *curvature; /* [rows] C phi'' at the same point */
    double *settled;   /* [rows] the feasible dual point of alpha */
    double *sum;       /* [width] sum alpha_i y_i x_i */
    double *right;     /* [width] right hand side */
    double *v;         /* [width] for the training */
    double mu;         /* target of the products */
    double gap;        /* relative gap of w and the best dual point */
    double best;       /* lowest gap so far, up to a tenth */
    unsigned stall;    /* steps since best last fell by a tenth */
};

/* ---- The rows ----------------------------------------------------------- */

enum { VALUE, SLOPE, BEND };

/* A point on the line, a part t of the step. */
struct curved_point {
    struct interior_curved *state;
    double t;
    double most; /* largest t of the search */
};

static void add_rows(void *context, const struct shard *shard)
{
    const struct curved_point *at = context;
    struct interior_curved *state = at->state;
    const struct problem *problem = state->problem;
    double cost[ROWS_AT_ONCE], slack[ROWS_AT_ONCE], value[ROWS_AT_ONCE];

    for (uint32_t i = shard->first, count; i < shard->end; i += count) {
        const double *dz = state->dz + i, *alpha = state->alpha + i;
        const double *curvature = state->curvature + i;

        count = block_end(i, shard->end) - i;
        for (uint32_t k = 0; k < count; k++)
            slack[k] = loss_target(problem->loss) - (state->z[i + k] + at->t * dz[k]);
        loss_rows_points(problem->loss, count, problem_costs(problem, i, count, cost), slack, value,
                         state->alpha + i, state->curvature + i);
        for (uint32_t k = 0; k < count; k++) {
            shard->scalars[VALUE] += value[k];
            shard->scalars[SLOPE] -= alpha[k] * dz[k];
            shard->scalars[BEND] += curvature[k] * dz[k] * dz[k];
        }
    }
}

/* Computes alpha and its derivatives at the point, and the losses with their first and second
 * derivative with respect to t. */
static void look_at(struct curved_point *at, double *sums)
{
    struct training *training = at->state->training;

    sums_run(&training->shards, all_rows(at->state->problem), add_rows, at, sums, NULL);
    training->progress.row_visits += at->state->problem->rows;
}

/* Computes the derivatives of B with respect to t. */
static void derive(void *context, double t, double *first, double *second)
{
    struct curved_point *at = context;
    double sums[MOST_SCALARS];

    if (t > at->most) {
        *first = HUGE_VAL;
        *second = 0;
        return;
    }
    at->t = t;
    look_at(at, sums);
    *first = sums[SLOPE];
    *second = sums[BEND];
    interior_features_derive(&at->state->features, at->state->mu, t, first, second);
    if (t == at->most && *first < 0)
        *first = 0;
}

/* ---- The point ---------------------------------------------------------- */

/* Computes P, D and the gap at w from alpha and the losses there, and hands the best points to the
 * training. */
static void evaluate(struct interior_curved *state, double losses)
{
    struct training *training = state->training;
    const struct problem *problem = state->problem;
    double norm, ignored, primal, dual;

    memcpy(state->settled, state->alpha, problem->rows * sizeof *state->alpha);
    bias_balance(problem, state->settled);
    training_form_feasible(training, state->settled, state->v);
    interior_features_evaluate(&state->features, state->v, &norm, &ignored, &ignored);
    primal = norm + losses;
    dual = sums_conjugates(&training->shards, problem, state->settled);
    training_keep_primal(training, state->features.w, primal);
    if (training_keeps_dual(training, dual))
        memcpy(training->point.alpha, state->settled, problem->rows * sizeof *state->alpha);
    state->gap = (primal + training->point.dual) / problem_scale(problem, primal);
    state->stall = gap_falls(primal + training->point.dual, &state->best) ? 0 : state->stall + 1;
    sums_form(&training->shards, problem, state->alpha, 1, state->sum);
}

/* ---- Beginning ---------------------------------------------------------- */

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct interior_curved *to = context;
    double **of_rows[] = {&to->z, &to->dz, &to->alpha, &to->curvature, &to->settled};
    double **of_width[] = {&to->sum, &to->right, &to->v};

    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++)
        *of_rows[k] = arena_take(arena, training->rows, sizeof(double));
    for (size_t k = 0; k < sizeof of_width / sizeof *of_width; k++)
        *of_width[k] = arena_take(arena, training->width, sizeof(double));
    interior_features_lay_out(&to->features, arena, training->problem);
}

/* Begins at the training's w, well away from all bounds. */
static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct interior_curved *state = context;
    struct curved_point here = {state, 0, 0};
    double sums[MOST_SCALARS];

    if (!(state->system = training_system(training, error)))
        return failure(error);
    state->training = training;
    state->problem = training->problem;
    training->point.v = state->v;
    training->start = NULL;
    state->best = HUGE_VAL;
    memcpy(state->features.w, training->point.w, training->width * sizeof *training->point.w);
    sums_margins(&training->shards, state->problem, all_rows(state->problem), state->features.w,
                 state->z);
    look_at(&here, sums);
    evaluate(state, sums[VALUE]);
    interior_features_begin_at(&state->features, WIDE, OF_GAP * state->gap * training->point.primal,
                               state->v);
    /* Without features, mu is 0, which ends the method. */
    state->mu = interior_features_products(&state->features, 0) /
                fmax(interior_features_count(&state->features), 1);
    return HINGE_OK;
}

/* ---- A step ------------------------------------------------------------- */

/* True if the minimum of B is near enough for the next mu. */
static int is_near(const struct interior_curved *state)
{
    const struct interior_features *features = &state->features;
    double most = interior_features_deviation(features, state->mu) / TIMES;

    for (size_t j = 0; j < features->penalised; j++)
        most = fmax(most, fabs(state->sum[j] - features->v[j]));
    return most <= NEAR;
}

static void form_system(struct interior_curved *state)
{
    struct row_weights *weights = primal_system_weights(state->system);

    weights->count = 0;
    for (uint32_t i = 0; i < state->problem->rows; i++) {
        weights->row[weights->count] = i;
        weights->weight[weights->count] = state->curvature[i];
        weights->count += state->curvature[i] > 0;
    }
    primal_system_form(state->system, state->problem, &state->training->shards, 1, weights->count);
    primal_system_set_units(state->system, state->features.unit);
}

/* Moves the margins by t dz. Steps add up rounding errors, so a step without progress computes the
 * margins anew. */
static void move_margins(struct interior_curved *state, double t)
{
    add_multiple(state->problem->rows, t, state->dz, state->z);
    if (state->stall % 8 == 7)
        sums_margins(&state->training->shards, state->problem, all_rows(state->problem),
                     state->features.w, state->z);
}

static int is_far(const struct interior_curved *state)
{
    double most = 0;

    for (uint32_t i = 0; i < state->problem->rows; i++)
        most = fmax(most, fabs(state->dz[i]));
    return most > FAR;
}

static void step(void *context)
{
    struct interior_curved *state = context;
    struct training *training = state->training;
    const struct selection all = all_rows(state->problem);
    struct curved_point at = {.state = state};
    double start, t, sums[MOST_SCALARS], ignored;

    training_count_step(training);
    if (is_near(state))
        state->mu *= FALL;
    if (!interior_features_weigh(&state->features)) {
        state->mu = 0; /* rounded to a bound: met ends the method */
        return;
    }
    form_system(state);
    memcpy(state->right, state->sum, training->width * sizeof *state->right);
    interior_features_add_right(&state->features, state->mu, 0, state->right);
    primal_system_solve(state->system, state->right, state->features.dw, 1e-10, 200);
    interior_features_find_steps(&state->features);
    sums_margins(&training->shards, state->problem, all, state->features.dw, state->dz);
    training->progress.row_visits += 2 * (uint64_t)all.count;
    at.most = fmin(1, MOST * interior_features_longest(&state->features));
    derive(&at, 0, &start, &ignored);
    if (fabs(start) <= SMALL * state->mu && !is_far(state)) {
        t = at.most;
    } else if (start < 0 && start >= -DBL_MAX) {
        t = line_search(derive, &at, -start, 0.9, at.most);
    } else {
        state->mu = 0; /* the step is rounding: met ends the method */
        return;
    }
    interior_features_move(&state->features, t);
    move_margins(state, t);
    memset(state->dz, 0, all.count * sizeof *state->dz);
    look_at(&at, sums);
    evaluate(state, sums[VALUE]);
}

/* ---- Rules -------------------------------------------------------------- */

static enum verdict met(void *context)
{
    enum { PATIENCE = 3, MOST_STALLED = 100 };
    struct interior_curved *state = context;
    struct training *training = state->training;
    struct point best = {.w = state->right, .alpha = state->dz};
    const double *const points[] = {best.alpha};
    const int is_over = !(state->mu > DBL_MIN && state->mu <= DBL_MAX);

    if (state->gap <= training->parameters->relative_gap) {
        training_hold(training, &best);
        if (interior_features_gap_is_met(&state->features, training, points, 1,
                                         state->stall >= PATIENCE || is_over))
            return MET;
        training_put_back(training, &best);
    }
    return state->stall > MOST_STALLED || is_over ? STALLED : GOES_ON;
}

const struct method interior_curved = {
    .name = "ipm",
    .size = sizeof(struct interior_curved),
    .lay_out = lay_out,
    .begin = begin,
    .step = step,
    .met = met,
};
