/* loss_rows.c - loops without a branch, compiled for each loss. */
#include "problem/loss_rows.h"

#include "base/compiler.h"

static ALWAYS_INLINE void points(enum loss loss, size_t count, const double *restrict cost,
                                 const double *restrict slack, double *restrict value,
                                 double *restrict slope, double *restrict curvature)
{
    for (size_t k = 0; k < count; k++) {
        value[k] = loss_value(loss, cost[k], slack[k]);
        slope[k] = loss_point(loss, cost[k], slack[k], 0, 0, curvature + k);
    }
}

static ALWAYS_INLINE void loss_rows_points_as(enum loss loss, size_t count, const double *cost,
                                              const double *slack, double *value, double *slope,
                                              double *curvature)
{
    WITH_LOSS(loss, points(LOSS, count, cost, slack, value, slope, curvature));
}

static ALWAYS_INLINE void conjugates(enum loss loss, size_t count, const double *restrict cost,
                                     const double *restrict target, const double *restrict a,
                                     double *restrict conjugate)
{
    for (size_t k = 0; k < count; k++) {
        const double t = loss_has_targets(loss) ? target[k] : loss_target(loss);

        conjugate[k] = loss_conjugate(loss, cost[k], t, a[k]);
    }
}

static ALWAYS_INLINE void loss_rows_conjugates_as(enum loss loss, size_t count, const double *cost,
                                                  const double *target, const double *a,
                                                  double *conjugate)
{
    WITH_LOSS(loss, conjugates(LOSS, count, cost, target, a, conjugate));
}

VERSIONED(void, (void), loss_rows_points,
          (enum loss loss, size_t count, const double *cost, const double *slack, double *value,
           double *slope, double *curvature),
          (loss, count, cost, slack, value, slope, curvature))
VERSIONED(void, (void), loss_rows_conjugates,
          (enum loss loss, size_t count, const double *cost, const double *target, const double *a,
           double *conjugate),
          (loss, count, cost, target, a, conjugate))
