/* smo.c - alpha_i += y_i t, alpha_j -= y_j t: sequential minimal optimisation.
 *
 * min D(alpha) = 1/2 alpha'Q alpha - sum alpha_i, 0 <= alpha_i <= C_i, y'alpha = 0, the dual of the
 * L1-loss with a free bias b. Its gradient is G_i = sum_j Q_ij alpha_j - 1. With F_i = y_i G_i =
 * s_i - y_i, s_i = sum_j alpha_j y_j K_ij Joachims' quantity (seed 003), alpha is optimal when
 *
 *     -m = min F_i over those whose y_i alpha_i may rise  >=  max F_j over those that may fall =
 * -M;
 *
 * LIBSVM's rule is m - M <= eps. The step (Fan, Chen, Lin, JMLR 2005, WSS 2) is on the i of m and
 * the j that promises the largest decrease (F_j - F_i)^2 / (2 (K_ii + K_jj - 2 K_ij)).
 *
 * The incremental gradient. A step changes F_k by K_ki y_i d_i + K_kj y_j d_j, d the changes of
 * alpha: two columns of Q, no sum over all rows. Rows at a bound that point out of it are set aside
 * ("shrinking"), and their F left as it was. For them there is Gbar_i = sum of C_j Q_ij over the j
 * at their upper bound, which changes only when a variable enters or leaves that: when the rows are
 * taken back, G_i = Gbar_i + sum over free j of Q_ij alpha_j - 1.
 *
 * When to stop. As y'alpha = 0, for any b the duality gap is a sum over rows,
 *
 *     P(w, b) + D(alpha) = sum_i C_i max(0, -e_i) + alpha_i e_i,   e_i = y_i (F_i + b),
 *
 * each term at least 0, and 0 for a row rightly set aside. That is the estimate that decides when
 * to look; what is reported is measured on all rows, w formed anew from alpha and b the best for
 * it.
 */
#include "solver/smo.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/sum.h"

/* ---- Setting up -------------------------------------------------------- */

void smo_free(struct smo *smo)
{
    free(smo->own);
    free(smo->memory);
    free(smo->sign);
    free(smo->may);
    free(smo->from);
    free(smo->points);
    columns_free(smo->columns);
}

static enum hinge_status allocate(struct smo *smo, struct hinge_error *error)
{
    const size_t rows = smo->rows;

    if (rows > SIZE_MAX / 6)
        return fail(error, HINGE_NO_MEMORY, "out of memory");
    if (!(smo->own = array_new(smo->task->alpha ? 0 : rows, sizeof(double), error)) ||
        !(smo->memory = array_new(6 * rows, sizeof(double), error)) ||
        !(smo->sign = array_new(rows, sizeof *smo->sign, error)) ||
        !(smo->may = array_new(rows, sizeof *smo->may, error)) ||
        !(smo->from = array_new(rows, sizeof *smo->from, error)) ||
        !(smo->points = array_new(rows, sizeof *smo->points, error)) ||
        !(smo->columns = columns_new(smo->task->problem, smo->task->parameters->cache, error)))
        return failure(error);
    smo->alpha = smo->memory;
    smo->cost = smo->alpha + rows;
    smo->diagonal = smo->cost + rows;
    smo->F = smo->diagonal + rows;
    smo->F_bar = smo->F + rows;
    smo->copy = smo->F_bar + rows;
    return HINGE_OK;
}

/* alpha by rows of the problem. */
static double *result_alpha(const struct smo *smo)
{
    return smo->task->alpha ? smo->task->alpha : smo->own;
}

static int is_bounded(const struct smo *smo, uint32_t k)
{
    return smo->alpha[k] == smo->cost[k];
}

static int is_free(const struct smo *smo, uint32_t k)
{
    return smo->alpha[k] > 0 && !is_bounded(smo, k);
}

static void note_room(struct smo *smo, uint32_t k)
{
    const int above = !is_bounded(smo, k), below = smo->alpha[k] > 0;

    smo->may[k] = (unsigned char)(smo->sign[k] > 0 ? above * MAY_RISE + below * MAY_FALL
                                                   : below * MAY_RISE + above * MAY_FALL);
}

static void copy_alpha(struct smo *smo)
{
    double *alpha = result_alpha(smo);

    for (uint32_t k = 0; k < smo->rows; k++)
        alpha[smo->columns->row[k]] = smo->alpha[k];
}

/* product[k] := <w, x_k> for w = sum alpha_i y_i x_i, alpha by rows of the problem. */
static void multiply_weights(struct smo *smo, const double *alpha, double *product)
{
    const struct binary_problem *problem = smo->task->problem;

    binary_weights(problem, alpha, smo->w);
    smo->w[problem->data->features] = 0;
    for (uint32_t k = 0; k < smo->rows; k++)
        product[k] = binary_decision(problem, smo->columns->row[k], smo->w);
}

/* F and F_bar of all rows from nothing but alpha, free of the rounding errors of the steps. */
static void form_gradient(struct smo *smo)
{
    double *alpha = result_alpha(smo);

    for (uint32_t k = 0; k < smo->rows; k++)
        alpha[smo->columns->row[k]] = is_bounded(smo, k) ? smo->alpha[k] : 0;
    multiply_weights(smo, alpha, smo->F_bar);
    copy_alpha(smo);
    multiply_weights(smo, alpha, smo->F);
    for (uint32_t k = 0; k < smo->rows; k++)
        smo->F[k] -= smo->sign[k];
    smo->dual = objective_dual(smo->task->problem, LOSS_L1, alpha, smo->w);
    smo->since = 0;
    smo->progress.measured = 0; /* w is another one now */
}

/* Makes sum alpha_i y_i 0 again where steps and scaling have rounded: free rows take the rest, and
 * only if they cannot those at a bound. */
static void balance(const struct binary_problem *problem, double *alpha)
{
    struct sum total = {0, 0};

    for (uint32_t i = 0; i < problem->rows; i++)
        sum_add(&total, problem->sign[i] * alpha[i]);
    for (int bounded = 0; bounded < 2; bounded++)
        for (uint32_t i = 0; i < problem->rows && sum_value(&total) != 0; i++) {
            const double before = alpha[i], after = before - problem->sign[i] * sum_value(&total);

            if (!bounded && (before <= 0 || before >= problem->cost[i]))
                continue;
            alpha[i] = fmin(fmax(after, 0), problem->cost[i]);
            sum_add(&total, problem->sign[i] * (alpha[i] - before));
        }
}

/* alpha as it was given; what is at its bound but for rounding is at its bound. */
static void start(struct smo *smo)
{
    const struct binary_problem *problem = smo->task->problem;
    double *alpha = result_alpha(smo);
    int from_zero = 1;

    for (uint32_t i = 0; i < smo->rows; i++)
        if (alpha[i] >= problem->cost[i] * (1 - 1e-12))
            alpha[i] = problem->cost[i];
    balance(problem, alpha);
    for (uint32_t k = 0; k < smo->rows; k++) {
        smo->cost[k] = problem->cost[k];
        smo->sign[k] = problem->sign[k] > 0 ? 1 : -1;
        smo->diagonal[k] = columns_diagonal(smo->columns, k);
        smo->alpha[k] = alpha[k];
        smo->F[k] = -smo->sign[k];
        from_zero &= alpha[k] == 0;
        note_room(smo, k);
    }
    if (!from_zero)
        form_gradient(smo);
}

enum hinge_status smo_new(struct smo *smo, const struct solver_task *task, double *w,
                          struct hinge_error *error)
{
    *smo = (struct smo){.task = task, .rows = task->problem->rows, .w = w, .trust = 1};
    smo->active = smo->rows;
    smo->progress = progress_new(task);
    smo->progress.engine = "smo";
    if (allocate(smo, error)) {
        smo_free(smo);
        return failure(error);
    }
    start(smo);
    return HINGE_OK;
}

/* ---- Measuring --------------------------------------------------------- */

/* Measures both objectives over all rows; changes nothing that the iterates depend on. */
static void measure(void *state)
{
    struct smo *smo = state;
    const struct binary_problem *problem = smo->task->problem;
    double *alpha = result_alpha(smo);
    struct objective objective;

    copy_alpha(smo);
    balance(problem, alpha);
    binary_weights(problem, alpha, smo->w);
    smo->w[problem->data->features] = bias_best(problem, smo->w, smo->points);
    objective = objective_measure(problem, LOSS_L1, smo->w, alpha, smo->w);
    progress_measured(&smo->progress, &objective, smo->w);
}

/* ---- A step ------------------------------------------------------------ */

/* F_k += K_ki di + K_kj dj */
static ALWAYS_INLINE void add_two(double *restrict F, uint32_t count, const void *restrict Ki,
                                  double di, const void *restrict Kj, double dj, enum entry entry)
{
    for (uint32_t k = 0; k < count; k++)
        F[k] += column_entry(Ki, entry, k) * di + column_entry(Kj, entry, k) * dj;
}

static void update_F(struct smo *smo, const void *Ki, double di, const void *Kj, double dj)
{
    if (smo->columns->entry == ENTRY_BYTE)
        add_two(smo->F, smo->active, Ki, di, Kj, dj, ENTRY_BYTE);
    else if (smo->columns->entry == ENTRY_FLOAT)
        add_two(smo->F, smo->active, Ki, di, Kj, dj, ENTRY_FLOAT);
    else
        add_two(smo->F, smo->active, Ki, di, Kj, dj, ENTRY_DOUBLE);
}

/* F_bar_k += C_i y_i K_ki if the variable at i has entered its upper bound, -= if it has left. */
static int update_F_bar(struct smo *smo, uint32_t i, int entered)
{
    const double change = (entered ? 1 : -1) * smo->sign[i] * smo->cost[i];
    const void *Ki = columns_get(smo->columns, i, smo->rows);

    if (!Ki)
        return 0;
    for (uint32_t k = 0; k < smo->rows; k++)
        smo->F_bar[k] += change * column_entry(Ki, smo->columns->entry, k);
    return 1;
}

/* The least F of those that may rise, and where it is; active if there is none. */
static uint32_t find_lowest(struct smo *smo)
{
    uint32_t i = smo->active;

    smo->lowest = HUGE_VAL;
    for (uint32_t k = 0; k < smo->active; k++)
        if (smo->F[k] < smo->lowest && smo->may[k] & MAY_RISE) {
            smo->lowest = smo->F[k];
            i = k;
        }
    return i;
}

/* K_ii + K_jj - 2 K_ij = |x_i - x_j|^2, at least what rounding leaves of 0. */
static ALWAYS_INLINE double curvature(double Kii, double Kjj, double Kij)
{
    const double least = 1e-14 * (Kii + Kjj) + DBL_MIN, square = Kii + Kjj - 2 * Kij;

    return square > least ? square : least;
}

/* The partner of i that promises the largest decrease; active if none does. Two quotients are
 * compared without dividing. */
static ALWAYS_INLINE uint32_t find_partner_as(struct smo *smo, uint32_t i, const void *restrict Ki,
                                              enum entry entry)
{
    const double Fi = smo->F[i], Kii = smo->diagonal[i];
    double highest = -HUGE_VAL, best = 0, best_curvature = 1;
    uint32_t j = smo->active;

    for (uint32_t k = 0; k < smo->active; k++) {
        const double difference = smo->F[k] - Fi;
        double square, bent;

        if (!(smo->may[k] & MAY_FALL))
            continue;
        if (smo->F[k] > highest)
            highest = smo->F[k];
        if (difference <= 0)
            continue;
        square = difference * difference;
        bent = curvature(Kii, smo->diagonal[k], column_entry(Ki, entry, k));
        if (square * best_curvature > best * bent) {
            best = square;
            best_curvature = bent;
            j = k;
        }
    }
    smo->highest = highest;
    return j;
}

static uint32_t find_partner(struct smo *smo, uint32_t i, const void *Ki)
{
    if (smo->columns->entry == ENTRY_BYTE)
        return find_partner_as(smo, i, Ki, ENTRY_BYTE);
    if (smo->columns->entry == ENTRY_FLOAT)
        return find_partner_as(smo, i, Ki, ENTRY_FLOAT);
    return find_partner_as(smo, i, Ki, ENTRY_DOUBLE);
}

/* How far y_k alpha_k can go up (direction 1) or down (-1). */
static double room(const struct smo *smo, uint32_t k, int direction)
{
    return smo->sign[k] == direction ? smo->cost[k] - smo->alpha[k] : smo->alpha[k];
}

/* Moves y_k alpha_k; the change that came of it. What goes all the way arrives at the bound. */
static double move(struct smo *smo, uint32_t k, int direction, double t)
{
    const double before = smo->alpha[k];
    const int rises = smo->sign[k] == direction;

    if (t >= room(smo, k, direction))
        smo->alpha[k] = rises ? smo->cost[k] : 0;
    else
        smo->alpha[k] = fmin(rises ? before + t : before - t, smo->cost[k]);
    note_room(smo, k);
    return smo->sign[k] * (smo->alpha[k] - before);
}

/* Minimises D over the pair, whose columns these are. */
static int step(struct smo *smo, uint32_t i, uint32_t j, const void *Ki, const void *Kj)
{
    const double bent =
        curvature(smo->diagonal[i], smo->diagonal[j], column_entry(Ki, smo->columns->entry, j));
    const double slope = smo->F[j] - smo->F[i];
    const double t = fmin(slope / bent, fmin(room(smo, i, 1), room(smo, j, -1)));
    const int i_was = is_bounded(smo, i), j_was = is_bounded(smo, j);
    const double decrease = t * (slope - bent * t / 2);
    const double di = move(smo, i, 1, t), dj = move(smo, j, -1, t);

    update_F(smo, Ki, di, Kj, dj);
    smo->dual -= decrease;
    smo->since += decrease;
    smo->progress.passes++;
    smo->progress.steps++;
    smo->progress.measured = 0;
    return (is_bounded(smo, i) == i_was || update_F_bar(smo, i, !i_was)) &&
           (is_bounded(smo, j) == j_was || update_F_bar(smo, j, !j_was));
}

int smo_step(struct smo *smo, double limit)
{
    const uint32_t i = find_lowest(smo);
    const void *Ki, *Kj;
    uint32_t j;

    smo->highest = -HUGE_VAL;
    if (i == smo->active)
        return 0;
    if (!(Ki = columns_get(smo->columns, i, smo->active))) {
        smo->out_of_memory = 1;
        return 0;
    }
    j = find_partner(smo, i, Ki);
    if (j == smo->active || smo->highest - smo->lowest <= limit)
        return 0;
    if (!(Kj = columns_get(smo->columns, j, smo->active)) || !step(smo, i, j, Ki, Kj)) {
        smo->out_of_memory = 1;
        return 0;
    }
    return 1;
}

/* ---- Shrinking --------------------------------------------------------- */

/* Looks at all active rows. */
static void find_extremes(struct smo *smo)
{
    find_lowest(smo);
    smo->highest = -HUGE_VAL;
    for (uint32_t k = 0; k < smo->active; k++)
        if (smo->F[k] > smo->highest && smo->may[k] & MAY_FALL)
            smo->highest = smo->F[k];
}

/* Whether no row that is left could make a pair with this one that violates anything. */
static int is_settled(const struct smo *smo, uint32_t k)
{
    if (smo->may[k] == MAY_RISE)
        return smo->F[k] > smo->highest;
    if (smo->may[k] == MAY_FALL)
        return smo->F[k] < smo->lowest;
    return 0;
}

static void reorder_doubles(double *array, const uint32_t *from, uint32_t rows, double *copy)
{
    memcpy(copy, array, rows * sizeof *copy);
    for (uint32_t k = 0; k < rows; k++)
        array[k] = copy[from[k]];
}

static void reorder_bytes(void *array, const uint32_t *from, uint32_t rows, void *copy)
{
    unsigned char *to = array, *old = copy;

    memcpy(old, to, rows);
    for (uint32_t k = 0; k < rows; k++)
        to[k] = old[from[k]];
}

static void reorder(struct smo *smo, uint32_t active)
{
    double *copy = smo->copy;

    columns_reorder(smo->columns, smo->from, active);
    reorder_doubles(smo->alpha, smo->from, smo->rows, copy);
    reorder_doubles(smo->cost, smo->from, smo->rows, copy);
    reorder_doubles(smo->diagonal, smo->from, smo->rows, copy);
    reorder_doubles(smo->F, smo->from, smo->rows, copy);
    reorder_doubles(smo->F_bar, smo->from, smo->rows, copy);
    reorder_bytes(smo->sign, smo->from, smo->rows, copy);
    reorder_bytes(smo->may, smo->from, smo->rows, copy);
    smo->active = active;
}

/* Moving columns costs about what the steps between two checkpoints do: fewer than a tenth of the
 * rows are not worth it. */
void smo_shrink(struct smo *smo)
{
    uint32_t kept = 0, k = 0, behind;

    find_extremes(smo);
    for (k = 0; k < smo->active; k++)
        kept += !is_settled(smo, k);
    if (smo->active - kept < (smo->active + 9) / 10)
        return;
    behind = kept;
    kept = 0;
    for (k = 0; k < smo->rows; k++)
        if (k < smo->active && !is_settled(smo, k))
            smo->from[kept++] = k;
        else
            smo->from[behind++] = k;
    reorder(smo, kept);
}

/* F_k = F_bar_k - y_k + sum over free j of alpha_j y_j K_kj; free ones are never set aside. */
void smo_unshrink(struct smo *smo)
{
    const uint32_t active = smo->active;

    for (uint32_t k = active; k < smo->rows; k++)
        smo->F[k] = smo->F_bar[k] - smo->sign[k];
    for (uint32_t j = 0; j < active && active < smo->rows; j++) {
        const double factor = smo->sign[j] * smo->alpha[j];
        const double *Kj;

        if (!is_free(smo, j))
            continue;
        Kj = columns_rest(smo->columns, j, active);
        for (uint32_t k = active; k < smo->rows; k++)
            smo->F[k] += factor * Kj[k - active];
    }
    smo->active = smo->rows;
}

/* ---- Stopping ---------------------------------------------------------- */

static double relative(double gap, double dual)
{
    return gap / fmax(gap - dual, DBL_MIN);
}

/* The relative gap by the F of the active rows, for the b in the middle of what these allow. */
static double estimate_gap(const struct smo *smo)
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

static int gap_holds(struct smo *smo)
{
    if (!smo->progress.measured)
        measure(smo);
    return smo->progress.gap <= solver_target(smo->task->parameters);
}

/* The rule of the gap alone, looked at when the estimate says that it holds, and, as the estimate
 * may be wrong, each time the steps have doubled. A look in vain takes back what was set aside, as
 * does the estimate once when it comes near. */
static int gap_rule(struct smo *smo)
{
    const double target = solver_target(smo->task->parameters);
    const double estimate = estimate_gap(smo);

    if (estimate * smo->trust > target && smo->progress.passes < smo->next_look) {
        if (!smo->was_near && estimate <= 10 * target) {
            smo->was_near = 1;
            smo_unshrink(smo);
        }
        return 0;
    }
    if (gap_holds(smo))
        return 1;
    smo->trust = fmin(fmax(smo->progress.gap / estimate, 0.1), 2);
    smo->next_look = 2 * smo->progress.passes;
    smo_unshrink(smo);
    return 0;
}

/* What of m - M is rounding. */
static double noise(const struct smo *smo)
{
    return 1e-14 * (2 + fabs(smo->lowest) + fabs(smo->highest));
}

/* ---- The training ------------------------------------------------------ */

/* Every thousand steps, as LIBSVM does, or fewer where rows are few or columns dear. */
static int is_checkpoint(const struct smo *smo)
{
    enum { STEPS = 1000, COLUMNS = 64 };
    const uint64_t steps = smo->progress.passes - smo->checked;

    return steps >= STEPS || steps >= smo->rows ||
           smo->columns->products - smo->computed >= (uint64_t)COLUMNS * smo->rows;
}

/* The steps and products that the next checkpoint comes after are counted from here. */
static void begin_interval(struct smo *smo)
{
    smo->checked = smo->progress.passes;
    smo->computed = smo->columns->products;
}

static void note_progress(struct smo *smo)
{
    smo->progress.row_visits = smo->columns->products;
    smo->progress.active = 0;
    for (uint32_t k = 0; k < smo->active; k++)
        smo->progress.active += is_free(smo, k) != 0;
}

/* Looks up from the steps. 1: the training ends so. */
static int checkpoint(struct smo *smo, enum hinge_outcome *outcome)
{
    const struct hinge_parameters *parameters = smo->task->parameters;
    enum hinge_answer answer;

    note_progress(smo);
    answer = monitor_ask(smo->task->monitor, &smo->progress, measure, smo);
    *outcome = answer == HINGE_GO_ON ? HINGE_TOLERANCE_MET : outcome_of(answer);
    begin_interval(smo);
    if (answer != HINGE_GO_ON)
        return 1;
    find_extremes(smo);
    if (parameters->eps <= 0 && gap_rule(smo))
        return 1;
    if (!smo->was_near && parameters->eps > 0 &&
        smo->highest - smo->lowest <= 10 * parameters->eps) {
        smo->was_near = 1;
        smo_unshrink(smo);
    }
    smo_shrink(smo);
    return 0;
}

/* No active pair is worth a step. 1: nor is any other, and the training ends so. */
static int settle(struct smo *smo, enum hinge_outcome *outcome)
{
    const struct hinge_parameters *parameters = smo->task->parameters;
    const double violation = smo->highest - smo->lowest;

    if (smo->active < smo->rows) {
        smo_unshrink(smo);
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
    form_gradient(smo);
    return 0;
}

/* The violation above which a step is worth taking: the eps to stop at, or, when that holds and the
 * gap does not, what rounding leaves. */
static double least_violation(const struct smo *smo)
{
    const double eps = smo->task->parameters->eps;

    return eps > 0 && smo->progress.passes >= smo->next_look ? fmax(eps, noise(smo)) : noise(smo);
}

static enum hinge_outcome iterate(struct smo *smo)
{
    const uint64_t max_passes = smo->task->parameters->max_passes;
    enum hinge_outcome outcome = HINGE_STALLED;

    if (checkpoint(smo, &outcome))
        return outcome;
    for (;;) {
        if (max_passes > 0 && smo->progress.passes == max_passes)
            return HINGE_PASS_LIMIT;
        if (!smo_step(smo, least_violation(smo)) && (smo->out_of_memory || settle(smo, &outcome)))
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
    struct smo smo;

    stopwatch_start(&watch);
    *result = (struct hinge_result){0};
    if (smo_new(&smo, task, w, error))
        return failure(error);
    outcome = iterate(&smo);
    if (smo.out_of_memory)
        status = fail(error, HINGE_NO_MEMORY, "out of memory: no room for %.0f bytes",
                      columns_least(smo.columns));
    if (status == HINGE_OK) {
        note_progress(&smo);
        if (!smo.progress.measured)
            measure(&smo);
        result_close(result, task, &smo.progress, outcome, result_alpha(&smo));
    }
    smo_free(&smo);
    result->seconds = stopwatch_processor(&watch);
    return status;
}
