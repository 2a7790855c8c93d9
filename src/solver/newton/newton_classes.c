/* newton_classes.c - the sums of Newton's method over rows with a margin for each class.
 *
 * Softmax: alpha_i = C_i (e_y - p_i), where p_i are the probabilities at z_i, and the curvature of
 * a row is C_i (diag(p_i) - p_i p_i'). The dual point of a step is alpha_i and, to first order, its
 * change along the step, with negative shares cut off. Its sum x_i alpha_i' is W + p except for the
 * residual of the system's solution, and its gap is about as small as the excess of P(W + p). Free
 * biases give the dual the constraint sum_i alpha_i = 0. Each step moves the biases so that its
 * dual point meets the constraint to first order. bias_balance_classes does the rest. With free
 * biases, alpha_i itself is not a dual point.
 *
 * Crammer and Singer's hinge: z has the gains g_m = 1(m != y) + z_m - z_y. The smoothed loss is
 *
 *     max over shares q of <g, q> - mu/2 |q - centre_i|^2,
 *
 * attained at the projection of centre_i + g/mu on the simplex, and alpha_i = C_i e_y - q. Its
 * Hessian is 1/mu times the projection on the vectors that sum to 0 and are 0 outside the classes
 * with a share (the generalised Jacobian of the projection). It is 0 for a row with a single share,
 * so rows with two or more are free.
 *
 * If all margins of W are above 0, a multiple t W has no loss, and its P is |t W|^2 / 2. At a
 * solution, the shares of the classes other than the rows' own sum to |W|^2 plus the losses, so to
 * at most 2 P of any W. Larger costs can be lowered to this bound. The solution stays the same, and
 * W for the lower costs, scaled, is nearly a solution for all larger costs.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "problem/class_loss.h"
#include "solver/newton/newton.h"

/* The fields of a row that the sums need. */
struct class_row {
    uint32_t number;
    double cost;
    uint32_t y;
    double *alpha; /* [k] */
};

static ALWAYS_INLINE struct class_row row_at(const struct newton *state,
                                             const struct selection *rows, uint32_t s)
{
    const uint32_t i = selected(rows, s);

    return (struct class_row){i, state->problem->cost[i], state->problem->class_of[i],
                              state->alpha + i * state->k};
}

static void scale_alpha(const struct newton *state, const double *active, double t, double *to)
{
    const struct selection rows = all_rows(state->problem);
    const size_t k = state->k;

    (void)active;
    for (uint32_t i = 0; i < state->rows; i++, to += k) {
        const struct class_row row = row_at(state, &rows, i);
        double others = 0;

        for (size_t m = 0; m < k; m++) {
            to[m] = t * row.alpha[m];
            others -= m != row.y ? to[m] : 0;
        }
        to[row.y] = fmin(others, row.cost);
    }
}

/* ---- Softmax ------------------------------------------------------------- */

static void add_softmax_line(void *context, const struct shard *shard)
{
    const struct newton_line *line = context;
    const struct newton *state = line->state;
    const size_t k = state->k;
    double *const q = shard->room;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const double *z = state->z + i * k, *change = state->step.change + i * k;
        const double cost = state->problem->cost[i], base = change[state->problem->class_of[i]];
        double top = -HUGE_VAL, sum = 0, mean = 0, spread = 0;

        for (size_t m = 0; m < k; m++)
            top = fmax(top, q[m] = z[m] + line->t * change[m]);
        for (size_t m = 0; m < k; m++) {
            sum += q[m] = exp_of(q[m] - top);
            mean += q[m] * (change[m] - base);
        }
        mean /= sum;
        for (size_t m = 0; m < k; m++) {
            const double rest = change[m] - base - mean;

            spread += q[m] * rest * rest;
        }
        shard->scalars[0] -= cost * mean;
        shard->scalars[1] += cost * (spread / sum);
    }
}

/* Adds changes of alpha to combined for ROWS_TOGETHER rows at a time. The conjugate of a point at z
 * is <-alpha, z> - value. */
static void add_softmax_evaluation(void *context, const struct shard *shard)
{
    struct newton *state = context;
    const struct selection rows = all_rows(state->problem);
    const size_t k = state->k;
    double *const scalars = shard->scalars;

    for (uint32_t first = shard->first, end; first < shard->end; first = end) {
        double *change = shard->room;

        end = shard->end - first < ROWS_TOGETHER ? shard->end : first + ROWS_TOGETHER;
        for (uint32_t i = first; i < end; i++, change += k) {
            const struct class_row row = row_at(state, &rows, i);
            const double *z = state->z + i * k;
            const struct softmax of = softmax_of(k, z);
            const double value = row.cost * softmax_value(&of, z, row.y);

            memcpy(change, row.alpha, k * sizeof *change);
            softmax_point(&of, k, row.cost, z, row.y, row.alpha);
            scalars[VALUE] += value;
            scalars[CONJUGATE] -= value;
            for (size_t m = 0; m < k; m++) {
                scalars[CONJUGATE] -= row.alpha[m] * (z[m] - z[row.y]);
                change[m] = row.alpha[m] - change[m];
            }
        }
        problem_rows_add_outer(state->problem, first, end - first, shard->room, shard->vector);
    }
    scalars[FREE] += shard->end - shard->first;
}

/* Solves with a residual, relative to the gradient, of the root of the relative excess of P. Like
 * an exact solution, this squares the excess, which the predicted decrease of the last step
 * estimates. The residual adds |residual|^2 / 2 to the gap, so it need not be smaller than the
 * target requires. Far from the optimum, few directions are enough. */
static void solve_softmax(struct newton *state)
{
    enum { FEW = 50, MOST = 500 };       /* directions */
    static const double TOLERANCE = 0.3; /* tolerance of the system's solution */
    const double target = certified_gap(state->training->parameters);
    const double excess =
        state->step.predicted_decrease / problem_scale(state->problem, state->primal);
    const double enough =
        sqrt(target * state->primal / (10 * fmax(state->half_gradient_sq, DBL_MIN)));
    const double tolerance = clamp(sqrt(excess), enough, TOLERANCE);

    class_system_form(&state->class_system, state->problem, all_rows(state->problem), state->alpha,
                      0);
    class_system_solve(&state->class_system, state->gradient, state->step.direction, tolerance,
                       tolerance < TOLERANCE ? MOST : FEW);
}

/* Settles free biases. All rows are free, so nothing reads the largest change. */
static double finish_softmax_change(struct newton *state)
{
    if (state->problem->bias_kind == BIAS_FREE)
        class_system_settle(&state->class_system, state->step.direction, state->step.change);
    return 0;
}

static void add_ahead(void *context, const struct shard *shard)
{
    const struct newton *state = context;
    const size_t k = state->k;
    const double *ahead = state->step.change;

    for (uint32_t i = shard->first; i < shard->end; i++)
        shard->scalars[0] += softmax_conjugate(k, state->problem->cost[i],
                                               state->problem->class_of[i], ahead + i * k);
    problem_rows_add_outer(state->problem, shard->first, shard->end - shard->first,
                           ahead + shard->first * k, shard->vector);
}

/* Keeps the dual point of the step that was taken. The point overwrites the change of the margins.
 */
static void keep_softmax_ahead(struct newton *state)
{
    struct training *training = state->training;
    const struct selection rows = all_rows(state->problem);
    const size_t k = state->k, penalised = problem_penalised(state->problem);
    double *const ahead = state->step.change, *const room = training->shards.room;
    double scalars[MOST_SCALARS];

    for (uint32_t i = 0; i < state->rows; i++) {
        const struct class_row row = row_at(state, &rows, i);

        memcpy(room, ahead + i * k, k * sizeof *room);
        softmax_ahead(k, row.cost, row.y, row.alpha, room, ahead + i * k);
    }
    if (state->problem->bias_kind == BIAS_FREE)
        bias_balance_classes(state->problem, ahead, room);
    memset(state->v, 0, training->width * sizeof *state->v);
    sums_run(&training->shards, rows, add_ahead, state, scalars, state->v);
    training->progress.row_visits += state->rows;
    if (training_keeps_dual(training, dense_dot(state->v, state->v, penalised) / 2 + scalars[0]))
        memcpy(training->point.alpha, ahead, state->rows * k * sizeof *ahead);
}

void newton_settle_biases(struct newton *state)
{
    enum { MOST = 30 };
    struct newton_step *step = &state->step;

    for (int n = 0; n < MOST && step->predicted_decrease > 1e-4 * state->primal; n++) {
        memset(step->direction, 0, state->training->width * sizeof *step->direction);
        memset(step->change, 0, state->rows * state->k * sizeof *step->change);
        class_system_form(&state->class_system, state->problem, all_rows(state->problem),
                          state->alpha, 0);
        class_system_settle(&state->class_system, step->direction, step->change);
        step->fall = -dense_dot(state->gradient, step->direction, state->training->width);
        step->predicted_decrease = step->fall / 2;
        step->is_known = 1;
        newton_take_step(state);
        newton_evaluate(state);
    }
    step->predicted_decrease = HUGE_VAL;
    state->stalls = 0;
}

double newton_class_rule(struct newton *state)
{
    const struct problem *problem = state->problem;
    double *const count = state->training->shards.room, fewest = problem->rows;

    memset(count, 0, state->k * sizeof *count);
    for (uint32_t i = 0; i < problem->rows; i++)
        count[problem->class_of[i]]++;
    for (size_t m = 0; m < state->k; m++)
        fewest = fmin(fewest, count[m]);
    memset(state->z, 0, state->rows * state->k * sizeof *state->z);
    memset(state->v, 0, state->training->width * sizeof *state->v);
    sums_run(&state->training->shards, all_rows(problem), add_softmax_evaluation, state, NULL,
             state->v);
    memset(state->alpha, 0, state->rows * state->k * sizeof *state->alpha);
    return state->training->parameters->eps * fmax(fewest, 1) / fmax(problem->rows, 1) *
           sqrt(dense_dot(state->v, state->v, state->training->width));
}

const struct newton_kind newton_softmax = {.add_line = add_softmax_line,
                                           .add_evaluation = add_softmax_evaluation,
                                           .solve = solve_softmax,
                                           .finish_change = finish_softmax_change,
                                           .scale_alpha = scale_alpha,
                                           .keep_ahead_after = keep_softmax_ahead};

/* ---- Crammer and Singer's hinge ------------------------------------------ */

static void add_singer_first(void *context, const struct shard *shard)
{
    const struct newton *state = context;
    const size_t k = state->k;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const double *alpha = state->training->point.alpha + i * k, *gain = state->z + i * k;

        shard->scalars[0] += dense_dot(alpha, alpha, k);
        shard->scalars[1] += singer_gap(k, state->problem->cost[i], singer_top(k, gain), gain,
                                        state->problem->class_of[i], alpha);
    }
}

static void add_singer_line(void *context, const struct shard *shard)
{
    const struct newton_line *line = context;
    const struct newton *state = line->state;
    const struct selection rows = newton_active(state);
    const size_t k = state->k;
    double *const g = shard->room, *const a = g + k;
    uint32_t *const member = (uint32_t *)(void *)(a + k);
    double slope = 0, bend = 0;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const struct class_row row = row_at(state, &rows, s);
        const double *change = state->step.change + s * k;
        double sum = 0, squares = 0;
        size_t members;

        for (size_t m = 0; m < k; m++)
            g[m] = state->z[s * k + m] + line->t * change[m];
        members = singer_point(k, row.cost, g, row.y, state->centre + row.number * k, 1 / state->mu,
                               a, member);
        for (size_t m = 0; m < k; m++)
            slope += a[m] * change[m];
        for (size_t u = 0; u < members; u++)
            sum += change[member[u]];
        for (size_t u = 0; u < members; u++) {
            const double rest = change[member[u]] - sum / (double)members;

            squares += rest * rest;
        }
        bend += squares;
    }
    shard->scalars[0] += slope;
    shard->scalars[1] += bend / state->mu;
}

static void add_singer_evaluation(void *context, const struct shard *shard)
{
    struct newton *state = context;
    const struct selection rows = newton_active(state);
    const size_t k = state->k;
    double *const a = shard->room, *const scalars = shard->scalars;
    uint32_t *const member = (uint32_t *)(void *)(a + k);

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const struct class_row row = row_at(state, &rows, s);
        const double *gain = state->z + s * k, top = singer_top(k, gain);
        const size_t members = singer_point(
            k, row.cost, gain, row.y, state->centre + row.number * k, 1 / state->mu, a, member);
        size_t changed = 0;

        scalars[VALUE] += row.cost * top;
        scalars[LINEAR] -= singer_conjugate(k, row.y, a);
        scalars[GAP] += singer_gap(k, row.cost, top, gain, row.y, a);
        scalars[FREE] += members > 1;
        for (size_t m = 0; m < k; m++) {
            const double change = a[m] - row.alpha[m];

            row.alpha[m] = a[m];
            member[changed] = (uint32_t)m;
            a[changed] = change;
            changed += change != 0;
        }
        if (changed > 0) {
            const struct sparse x = problem_row(state->problem, row.number);

            problem_add_outer_of(state->problem, &x, changed, member, a, shard->vector);
        }
    }
}

static void add_singer_active(void *context, const struct shard *shard)
{
    const struct newton *state = context;
    const struct selection rows = newton_active(state);

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const struct class_row row = row_at(state, &rows, s);
        const struct sparse x = problem_row(state->problem, row.number);

        shard->scalars[LINEAR] -= singer_conjugate(state->k, row.y, row.alpha);
        problem_add_outer(state->problem, &x, row.alpha, shard->vector);
    }
}

/* Lists rows in which two classes have a share, or will before gains move by more than
 * margin_slack. distance is how far gains may move until then. While the row's own class has the
 * whole share, its term leaves out the cost, beside which the rest would lose its digits. */
static uint32_t list_singer_active(const struct newton *state, uint32_t most, uint32_t *list)
{
    const struct selection rows = all_rows(state->problem);
    const size_t k = state->k;
    uint32_t count = 0;

    for (uint32_t i = 0; i < state->rows && count <= most; i++) {
        const struct class_row row = row_at(state, &rows, i);
        const double *gain = state->z + i * k, *centre = state->centre + i * k;
        const double all = state->mu * row.cost, own = -state->mu * centre[row.y];
        double top = -HUGE_VAL, second = -HUGE_VAL, distance;
        unsigned shares = 0;

        for (size_t m = 0; m < k; m++) {
            const double d = m == row.y ? -HUGE_VAL : gain[m] - state->mu * centre[m];

            shares += singer_share(row.cost, row.y, row.alpha, m) > 0;
            second = fmax(second, fmin(d, top));
            top = fmax(top, d);
        }
        distance = own > top ? (own - top) / 2 : (top - fmax(second, own + all) - all) / 2;
        if (shares > 1 || !(distance > state->active.margin_slack))
            list[count++] = i;
    }
    return count;
}

/* Solves far more exactly on badly scaled data, where a fraction of |gradient| says nothing about
 * features of small values. */
static void solve_singer(struct newton *state)
{
    static const double RAW_TOLERANCE = 1e-9;

    class_system_form(&state->class_system, state->problem, newton_active(state), state->alpha,
                      1 / state->mu);
    class_system_solve(&state->class_system, state->gradient, state->step.direction,
                       state->is_raw ? RAW_TOLERANCE : state->step.tolerance, MOST_GRADIENTS);
}

/* Turns changes of margins into changes of gains. */
static double finish_singer_change(struct newton *state)
{
    const struct selection rows = newton_active(state);
    const size_t k = state->k;
    double largest = 0;

    for (uint32_t s = 0; s < state->active.count; s++) {
        double *const change = state->step.change + s * k;
        const double own = change[state->problem->class_of[selected(&rows, s)]];

        for (size_t m = 0; m < k; m++) {
            change[m] -= own;
            largest = fabs(change[m]) > largest ? fabs(change[m]) : largest;
        }
    }
    return largest;
}

/* Keeps a multiple of W without a loss, if there is one. */
static void keep_scaled(struct newton *state, double square)
{
    struct training *training = state->training;
    double largest = 0, times, primal;

    if (state->active.shrunk_linear != 0)
        return; /* a shrunk row has a loss */
    for (size_t d = 0; d < state->active.count * state->k; d++)
        largest = fmax(largest, state->z[d]);
    times = largest < 1 ? 1 / (1 - largest) : HUGE_VAL;
    primal = times * times * square;
    state->scaled_primal = fmin(state->scaled_primal, primal);
    if (training_keep_primal(training, state->w, primal))
        for (size_t j = 0; j < training->width; j++)
            training->point.w[j] *= times;
}

int newton_limit_costs(struct newton *state)
{
    static const double WORTH = 4; /* smallest factor between old and new costs that gains much */
    const double *cost = state->training->problem->cost;
    const double most = 2 * state->scaled_primal;

    if (!(WORTH * most < state->largest_cost))
        return 0;
    for (uint32_t i = 0; i < state->rows; i++)
        state->cost[i] = fmin(cost[i], most);
    state->costed = *state->training->problem;
    state->costed.cost = state->cost;
    state->problem = &state->costed;
    state->largest_cost = most;
    state->has_limits = 1;
    return 1;
}

const struct newton_kind newton_singer = {.tolerance = 0.1,
                                          .start_mu = 0.1,
                                          .settled_mu = 0.25,
                                          .reach = 4,
                                          .most_active = 2.0 / 3,
                                          .add_first = add_singer_first,
                                          .add_line = add_singer_line,
                                          .add_evaluation = add_singer_evaluation,
                                          .add_active = add_singer_active,
                                          .list_active = list_singer_active,
                                          .solve = solve_singer,
                                          .finish_change = finish_singer_change,
                                          .scale_alpha = scale_alpha,
                                          .improve_primal = keep_scaled};
