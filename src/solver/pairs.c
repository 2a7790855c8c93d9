/* pairs.c - alpha_i += y_i t, alpha_j -= y_j t: sequential minimal optimisation.
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
 */
#include "solver/pairs.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/sum.h"

/* ---- Setting up -------------------------------------------------------- */

void pairs_free(struct pairs *pairs)
{
    free(pairs->own);
    free(pairs->memory);
    free(pairs->sign);
    free(pairs->may);
    free(pairs->from);
    free(pairs->points);
    columns_free(pairs->columns);
}

static enum hinge_status allocate(struct pairs *pairs, struct hinge_error *error)
{
    const size_t rows = pairs->rows;

    if (rows > SIZE_MAX / 6)
        return fail(error, HINGE_NO_MEMORY, "out of memory");
    if (!(pairs->own = array_new(pairs->task->alpha ? 0 : rows, sizeof(double), error)) ||
        !(pairs->memory = array_new(6 * rows, sizeof(double), error)) ||
        !(pairs->sign = array_new(rows, sizeof *pairs->sign, error)) ||
        !(pairs->may = array_new(rows, sizeof *pairs->may, error)) ||
        !(pairs->from = array_new(rows, sizeof *pairs->from, error)) ||
        !(pairs->points = array_new(rows, sizeof *pairs->points, error)) ||
        !(pairs->columns =
              columns_new(pairs->task->problem, pairs->task->parameters->cache, error)))
        return failure(error);
    pairs->alpha = pairs->memory;
    pairs->cost = pairs->alpha + rows;
    pairs->diagonal = pairs->cost + rows;
    pairs->F = pairs->diagonal + rows;
    pairs->F_bar = pairs->F + rows;
    pairs->copy = pairs->F_bar + rows;
    return HINGE_OK;
}

double *pairs_alpha(const struct pairs *pairs)
{
    return pairs->task->alpha ? pairs->task->alpha : pairs->own;
}

static int is_bounded(const struct pairs *pairs, uint32_t k)
{
    return pairs->alpha[k] == pairs->cost[k];
}

int pairs_is_free(const struct pairs *pairs, uint32_t k)
{
    return pairs->alpha[k] > 0 && !is_bounded(pairs, k);
}

static void note_room(struct pairs *pairs, uint32_t k)
{
    const int above = !is_bounded(pairs, k), below = pairs->alpha[k] > 0;

    pairs->may[k] = (unsigned char)(pairs->sign[k] > 0 ? above * MAY_RISE + below * MAY_FALL
                                                       : below * MAY_RISE + above * MAY_FALL);
}

static void copy_alpha(struct pairs *pairs)
{
    double *alpha = pairs_alpha(pairs);

    for (uint32_t k = 0; k < pairs->rows; k++)
        alpha[pairs->columns->row[k]] = pairs->alpha[k];
}

/* product[k] := <w, x_k> for w = sum alpha_i y_i x_i, alpha by rows of the problem. */
static void multiply_weights(struct pairs *pairs, const double *alpha, double *product)
{
    const struct binary_problem *problem = pairs->task->problem;

    binary_weights(problem, alpha, pairs->w);
    pairs->w[problem->data->features] = 0;
    for (uint32_t k = 0; k < pairs->rows; k++)
        product[k] = binary_decision(problem, pairs->columns->row[k], pairs->w);
}

void pairs_form_gradient(struct pairs *pairs)
{
    double *alpha = pairs_alpha(pairs);

    for (uint32_t k = 0; k < pairs->rows; k++)
        alpha[pairs->columns->row[k]] = is_bounded(pairs, k) ? pairs->alpha[k] : 0;
    multiply_weights(pairs, alpha, pairs->F_bar);
    copy_alpha(pairs);
    multiply_weights(pairs, alpha, pairs->F);
    for (uint32_t k = 0; k < pairs->rows; k++)
        pairs->F[k] -= pairs->sign[k];
    pairs->dual = objective_dual(pairs->task->problem, LOSS_L1, alpha, pairs->w);
    pairs->since = 0;
    pairs->progress.measured = 0; /* w is another one now */
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
static void start(struct pairs *pairs)
{
    const struct binary_problem *problem = pairs->task->problem;
    double *alpha = pairs_alpha(pairs);
    int from_zero = 1;

    for (uint32_t i = 0; i < pairs->rows; i++)
        if (alpha[i] >= problem->cost[i] * (1 - 1e-12))
            alpha[i] = problem->cost[i];
    balance(problem, alpha);
    for (uint32_t k = 0; k < pairs->rows; k++) {
        pairs->cost[k] = problem->cost[k];
        pairs->sign[k] = problem->sign[k] > 0 ? 1 : -1;
        pairs->diagonal[k] = columns_diagonal(pairs->columns, k);
        pairs->alpha[k] = alpha[k];
        pairs->F[k] = -pairs->sign[k];
        from_zero &= alpha[k] == 0;
        note_room(pairs, k);
    }
    if (!from_zero)
        pairs_form_gradient(pairs);
}

enum hinge_status pairs_new(struct pairs *pairs, const struct solver_task *task, double *w,
                            struct hinge_error *error)
{
    *pairs = (struct pairs){.task = task, .rows = task->problem->rows, .w = w, .trust = 1};
    pairs->active = pairs->rows;
    pairs->progress = progress_new(task);
    pairs->progress.engine = "smo";
    if (allocate(pairs, error)) {
        pairs_free(pairs);
        return failure(error);
    }
    start(pairs);
    return HINGE_OK;
}

/* ---- Measuring --------------------------------------------------------- */

void pairs_measure(void *state)
{
    struct pairs *pairs = state;
    const struct binary_problem *problem = pairs->task->problem;
    double *alpha = pairs_alpha(pairs);
    struct objective objective;

    copy_alpha(pairs);
    balance(problem, alpha);
    binary_weights(problem, alpha, pairs->w);
    pairs->w[problem->data->features] = bias_best(problem, pairs->w, pairs->points);
    objective = objective_measure(problem, LOSS_L1, pairs->w, alpha, pairs->w);
    progress_measured(&pairs->progress, &objective, pairs->w);
}

/* ---- A step ------------------------------------------------------------ */

/* F_k += K_ki di + K_kj dj */
static ALWAYS_INLINE void add_two(double *restrict F, uint32_t count, const void *restrict Ki,
                                  double di, const void *restrict Kj, double dj, enum entry entry)
{
    for (uint32_t k = 0; k < count; k++)
        F[k] += column_entry(Ki, entry, k) * di + column_entry(Kj, entry, k) * dj;
}

static void update_F(struct pairs *pairs, const void *Ki, double di, const void *Kj, double dj)
{
    if (pairs->columns->entry == ENTRY_BYTE)
        add_two(pairs->F, pairs->active, Ki, di, Kj, dj, ENTRY_BYTE);
    else if (pairs->columns->entry == ENTRY_FLOAT)
        add_two(pairs->F, pairs->active, Ki, di, Kj, dj, ENTRY_FLOAT);
    else
        add_two(pairs->F, pairs->active, Ki, di, Kj, dj, ENTRY_DOUBLE);
}

/* F_bar_k += C_i y_i K_ki if the variable at i has entered its upper bound, -= if it has left. */
static int update_F_bar(struct pairs *pairs, uint32_t i, int entered)
{
    const double change = (entered ? 1 : -1) * pairs->sign[i] * pairs->cost[i];
    const void *Ki = columns_get(pairs->columns, i, pairs->rows);

    if (!Ki)
        return 0;
    for (uint32_t k = 0; k < pairs->rows; k++)
        pairs->F_bar[k] += change * column_entry(Ki, pairs->columns->entry, k);
    return 1;
}

/* The least F of those that may rise, and where it is; active if there is none. */
static uint32_t find_lowest(struct pairs *pairs)
{
    uint32_t i = pairs->active;

    pairs->lowest = HUGE_VAL;
    for (uint32_t k = 0; k < pairs->active; k++)
        if (pairs->F[k] < pairs->lowest && pairs->may[k] & MAY_RISE) {
            pairs->lowest = pairs->F[k];
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
static ALWAYS_INLINE uint32_t find_partner_as(struct pairs *pairs, uint32_t i,
                                              const void *restrict Ki, enum entry entry)
{
    const double Fi = pairs->F[i], Kii = pairs->diagonal[i];
    double highest = -HUGE_VAL, best = 0, best_curvature = 1;
    uint32_t j = pairs->active;

    for (uint32_t k = 0; k < pairs->active; k++) {
        const double difference = pairs->F[k] - Fi;
        double square, bent;

        if (!(pairs->may[k] & MAY_FALL))
            continue;
        if (pairs->F[k] > highest)
            highest = pairs->F[k];
        if (difference <= 0)
            continue;
        square = difference * difference;
        bent = curvature(Kii, pairs->diagonal[k], column_entry(Ki, entry, k));
        if (square * best_curvature > best * bent) {
            best = square;
            best_curvature = bent;
            j = k;
        }
    }
    pairs->highest = highest;
    return j;
}

static uint32_t find_partner(struct pairs *pairs, uint32_t i, const void *Ki)
{
    if (pairs->columns->entry == ENTRY_BYTE)
        return find_partner_as(pairs, i, Ki, ENTRY_BYTE);
    if (pairs->columns->entry == ENTRY_FLOAT)
        return find_partner_as(pairs, i, Ki, ENTRY_FLOAT);
    return find_partner_as(pairs, i, Ki, ENTRY_DOUBLE);
}

/* How far y_k alpha_k can go up (direction 1) or down (-1). */
static double room(const struct pairs *pairs, uint32_t k, int direction)
{
    return pairs->sign[k] == direction ? pairs->cost[k] - pairs->alpha[k] : pairs->alpha[k];
}

/* Moves y_k alpha_k; the change that came of it. What goes all the way arrives at the bound. */
static double move(struct pairs *pairs, uint32_t k, int direction, double t)
{
    const double before = pairs->alpha[k];
    const int rises = pairs->sign[k] == direction;

    if (t >= room(pairs, k, direction))
        pairs->alpha[k] = rises ? pairs->cost[k] : 0;
    else
        pairs->alpha[k] = fmin(rises ? before + t : before - t, pairs->cost[k]);
    note_room(pairs, k);
    return pairs->sign[k] * (pairs->alpha[k] - before);
}

/* Minimises D over the pair, whose columns these are. */
static int step(struct pairs *pairs, uint32_t i, uint32_t j, const void *Ki, const void *Kj)
{
    const double bent = curvature(pairs->diagonal[i], pairs->diagonal[j],
                                  column_entry(Ki, pairs->columns->entry, j));
    const double slope = pairs->F[j] - pairs->F[i];
    const double t = fmin(slope / bent, fmin(room(pairs, i, 1), room(pairs, j, -1)));
    const int i_was = is_bounded(pairs, i), j_was = is_bounded(pairs, j);
    const double decrease = t * (slope - bent * t / 2);
    const double di = move(pairs, i, 1, t), dj = move(pairs, j, -1, t);

    update_F(pairs, Ki, di, Kj, dj);
    pairs->dual -= decrease;
    pairs->since += decrease;
    pairs->progress.passes++;
    pairs->progress.steps++;
    pairs->progress.measured = 0;
    return (is_bounded(pairs, i) == i_was || update_F_bar(pairs, i, !i_was)) &&
           (is_bounded(pairs, j) == j_was || update_F_bar(pairs, j, !j_was));
}

int pairs_step(struct pairs *pairs, double limit)
{
    const uint32_t i = find_lowest(pairs);
    const void *Ki, *Kj;
    uint32_t j;

    pairs->highest = -HUGE_VAL;
    if (i == pairs->active)
        return 0;
    if (!(Ki = columns_get(pairs->columns, i, pairs->active))) {
        pairs->out_of_memory = 1;
        return 0;
    }
    j = find_partner(pairs, i, Ki);
    if (j == pairs->active || pairs->highest - pairs->lowest <= limit)
        return 0;
    if (!(Kj = columns_get(pairs->columns, j, pairs->active)) || !step(pairs, i, j, Ki, Kj)) {
        pairs->out_of_memory = 1;
        return 0;
    }
    return 1;
}

/* ---- Shrinking --------------------------------------------------------- */

void pairs_find_extremes(struct pairs *pairs)
{
    find_lowest(pairs);
    pairs->highest = -HUGE_VAL;
    for (uint32_t k = 0; k < pairs->active; k++)
        if (pairs->F[k] > pairs->highest && pairs->may[k] & MAY_FALL)
            pairs->highest = pairs->F[k];
}

/* Whether no row that is left could make a pair with this one that violates anything. */
static int is_settled(const struct pairs *pairs, uint32_t k)
{
    if (pairs->may[k] == MAY_RISE)
        return pairs->F[k] > pairs->highest;
    if (pairs->may[k] == MAY_FALL)
        return pairs->F[k] < pairs->lowest;
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

static void reorder(struct pairs *pairs, uint32_t active)
{
    double *copy = pairs->copy;

    columns_reorder(pairs->columns, pairs->from, active);
    reorder_doubles(pairs->alpha, pairs->from, pairs->rows, copy);
    reorder_doubles(pairs->cost, pairs->from, pairs->rows, copy);
    reorder_doubles(pairs->diagonal, pairs->from, pairs->rows, copy);
    reorder_doubles(pairs->F, pairs->from, pairs->rows, copy);
    reorder_doubles(pairs->F_bar, pairs->from, pairs->rows, copy);
    reorder_bytes(pairs->sign, pairs->from, pairs->rows, copy);
    reorder_bytes(pairs->may, pairs->from, pairs->rows, copy);
    pairs->active = active;
}

/* Moving columns costs about what the steps between two checkpoints do: fewer than a tenth of the
 * rows are not worth it. */
void pairs_shrink(struct pairs *pairs)
{
    uint32_t kept = 0, k = 0, behind;

    pairs_find_extremes(pairs);
    for (k = 0; k < pairs->active; k++)
        kept += !is_settled(pairs, k);
    if (pairs->active - kept < (pairs->active + 9) / 10)
        return;
    behind = kept;
    kept = 0;
    for (k = 0; k < pairs->rows; k++)
        if (k < pairs->active && !is_settled(pairs, k))
            pairs->from[kept++] = k;
        else
            pairs->from[behind++] = k;
    reorder(pairs, kept);
}

/* F_k = F_bar_k - y_k + sum over free j of alpha_j y_j K_kj; free ones are never set aside. */
void pairs_unshrink(struct pairs *pairs)
{
    const uint32_t active = pairs->active;

    for (uint32_t k = active; k < pairs->rows; k++)
        pairs->F[k] = pairs->F_bar[k] - pairs->sign[k];
    for (uint32_t j = 0; j < active && active < pairs->rows; j++) {
        const double factor = pairs->sign[j] * pairs->alpha[j];
        const double *Kj;

        if (!pairs_is_free(pairs, j))
            continue;
        Kj = columns_rest(pairs->columns, j, active);
        for (uint32_t k = active; k < pairs->rows; k++)
            pairs->F[k] += factor * Kj[k - active];
    }
    pairs->active = pairs->rows;
}
