/* loss_rows.c - functions of losses at many rows: loops without a branch, compiled for each phi. */
#include "problem/loss_rows.h"

#include "problem/kernel.h"

#define FOUR(list) list, list, list, list

/* Arrays of targets for losses with one target for all rows. With them, one loop for each phi also
 * serves the losses with a target for each row. Filling an array before each loop would take 2 % of
 * a training of letter. */
static const double ONES[ROWS_AT_ONCE] = {FOUR(FOUR(FOUR(FOUR(1.0))))};
static const double ZEROS[ROWS_AT_ONCE] = {0};

typedef char table_is_full[ROWS_AT_ONCE == 256 ? 1 : -1];

/* Returns the targets of ROWS_AT_ONCE rows; target is read only if the loss has one for each. */
static ALWAYS_INLINE const double *targets_of(enum loss loss, const double *target)
{
    if (loss_has_targets(loss))
        return target;
    return loss_target(loss) > 0 ? ONES : ZEROS;
}

static ALWAYS_INLINE void points(enum loss loss, size_t count, const double *restrict cost,
                                 const double *restrict slack, double *restrict value,
                                 double *restrict slope, double *restrict curvature)
{
    for (size_t k = 0; k < count; k++) {
        value[k] = loss_value(loss, cost[k], slack[k]);
        slope[k] = loss_point(loss, cost[k], slack[k], 0, 0, curvature + k);
    }
}

VERSIONED(void, (void), loss_rows_points,
          (enum loss loss, size_t count, const double *cost, const double *slack, double *value,
           double *slope, double *curvature),
          (loss, count, cost, slack, value, slope, curvature))
{
    WITH_SMOOTH_PHI(loss, points(LOSS, count, cost, slack, value, slope, curvature));
}

static ALWAYS_INLINE void conjugates(enum loss loss, size_t count, const double *restrict cost,
                                     const double *restrict target, const double *restrict a,
                                     double *restrict conjugate)
{
    for (size_t k = 0; k < count; k++)
        conjugate[k] = loss_conjugate(loss, cost[k], target[k], a[k]);
}

VERSIONED(void, (void), loss_rows_conjugates,
          (enum loss loss, size_t count, const double *cost, const double *target, const double *a,
           double *conjugate),
          (loss, count, cost, target, a, conjugate))
{
    const double *t = targets_of(loss, target);

    WITH_PHI(loss, conjugates(LOSS, count, cost, t, a, conjugate));
}

static ALWAYS_INLINE void values(enum loss loss, size_t count, const double *restrict cost,
                                 const double *restrict target, const double *restrict z,
                                 double *restrict value)
{
    for (size_t k = 0; k < count; k++)
        value[k] = loss_value(loss, cost[k], target[k] - z[k]);
}

static ALWAYS_INLINE void gaps(enum loss loss, size_t count, const double *restrict cost,
                               const double *restrict target, const double *restrict z,
                               const double *restrict a, double *restrict gap)
{
    for (size_t k = 0; k < count; k++)
        gap[k] = loss_gap(loss, loss_scale(loss, cost[k]), a[k], target[k] - z[k]);
}

VERSIONED(void, (void), loss_rows_terms,
          (enum loss loss, size_t count, const double *cost, const double *target, const double *z,
           const double *a, double *value, double *conjugate, double *gap),
          (loss, count, cost, target, z, a, value, conjugate, gap))
{
    const double *t = targets_of(loss, target);

    WITH_PHI(loss, values(LOSS, count, cost, t, z, value));
    if (!a)
        return;
    WITH_PHI(loss, conjugates(LOSS, count, cost, t, a, conjugate));
    WITH_PHI(loss, gaps(LOSS, count, cost, t, z, a, gap));
}

/* ---- The functions of Newton's method ------------------------------------- */

static ALWAYS_INLINE double point_of(const struct loss_rows *rows, enum loss loss, size_t k,
                                     double slack, double *curvature)
{
    return loss_is_smooth(loss)
               ? loss_point(loss, rows->share * rows->cost[k], slack, 0, 0, curvature)
               : loss_point(loss, rows->cost[k], slack, rows->centre[k], rows->inverse, curvature);
}

static ALWAYS_INLINE void line(const struct loss_rows *from, enum loss loss,
                               const double *restrict target, const double *restrict z,
                               const double *restrict change, double t, double *restrict slope,
                               double *restrict bend)
{
    const struct loss_rows rows = *from; /* No store can change a copy. */

    for (size_t k = 0; k < rows.count; k++) {
        const double slack = target[k] - (z[k] + t * change[k]);
        double curvature;

        slope[k] = point_of(&rows, loss, k, slack, &curvature);
        bend[k] = curvature * change[k];
    }
}

VERSIONED(void, (void), loss_rows_line,
          (const struct loss_rows *rows, const double *z, const double *change, double t,
           double *sums),
          (rows, z, change, t, sums))
{
    double slope[ROWS_AT_ONCE], bend[ROWS_AT_ONCE];
    const double *target = targets_of(rows->loss, rows->target);

    WITH_PHI(rows->loss, line(rows, LOSS, target, z, change, t, slope, bend));
    sums[0] += dense_dot(slope, change, rows->count);
    sums[1] += dense_dot(bend, change, rows->count);
}

/* Sets alpha and its change, the value, the conjugate or the gap (other), and is_free of each row.
 */
static ALWAYS_INLINE void evaluate(const struct loss_rows *from, size_t count, enum loss loss,
                                   const double *restrict target, const double *restrict z,
                                   double *restrict alpha, double *restrict change,
                                   double *restrict value, double *restrict other,
                                   double *restrict is_free)
{
    const struct loss_rows rows = *from;

    for (size_t k = 0; k < count; k++) {
        const double slack = target[k] - z[k];
        double curvature;
        const double after = point_of(&rows, loss, k, slack, &curvature);

        change[k] = after - alpha[k];
        alpha[k] = after;
        value[k] = loss_value(loss, rows.cost[k], slack);
        other[k] = loss_is_smooth(loss)
                       ? loss_conjugate_at(loss, rows.cost[k], target[k], after, slack, value[k])
                       : loss_gap(loss, loss_scale(loss, rows.cost[k]), after, slack);
    }
    for (size_t k = 0; k < count; k++) { /* In the loop above, this would make alpha a branch. */
        const double cost = loss_is_smooth(loss) ? rows.share * rows.cost[k] : rows.cost[k];

        is_free[k] = loss_point_weight(loss, cost, alpha[k]) > 0 ? 1 : 0;
    }
}

VERSIONED(struct loss_sums, return, loss_rows_evaluate,
          (const struct loss_rows *rows, const double *z, double *alpha, double *change),
          (rows, z, alpha, change))
{
    const size_t count = rows->count;
    double value[ROWS_AT_ONCE], other[ROWS_AT_ONCE], is_free[ROWS_AT_ONCE], total, sum;
    const double *target = targets_of(rows->loss, rows->target);

    WITH_PHI(rows->loss,
             evaluate(rows, count, LOSS, target, z, alpha, change, value, other, is_free));
    total = dense_sum(alpha, count);
    sum = dense_sum(other, count);
    return (struct loss_sums){.value = dense_sum(value, count),
                              .conjugate = loss_is_smooth(rows->loss) ? sum : 0,
                              .gap = loss_is_smooth(rows->loss) ? 0 : sum,
                              .linear = loss_has_targets(rows->loss)
                                            ? dense_dot(rows->target, alpha, count)
                                            : loss_target(rows->loss) * total,
                              .total = total,
                              .free = dense_sum(is_free, count)};
}
