/* violations.c - the violation of each row (loss.h) -> of a shard -> of all rows. */
#include "problem/violations.h"

#include <math.h>

#include "problem/class_loss.h"
#include "problem/loss_rows.h"
#include "problem/sums.h"

/* Adds the violations of rows first .. end - 1 with margins z[end - first]. */
static ALWAYS_INLINE void violations_as(const struct problem *problem, const double *z,
                                        const double *alpha, uint32_t first, uint32_t end,
                                        struct violations *violations, enum loss loss)
{
    for (uint32_t i = first; i < end; i++) {
        const double scale = loss_scale(loss, problem_cost(problem, i));
        const double slack = problem_target(problem, i, problem->loss) - z[i - first];
        const double violation = loss_violation(loss, scale, alpha[i], slack);

        violations->largest = violation > violations->largest ? violation : violations->largest;
        violations->smallest = violation < violations->smallest ? violation : violations->smallest;
        violations->total += fabs(violation);
    }
}

/* The point: w, or the margins z if w is NULL. */
struct violations_run {
    const struct problem *problem;
    const double *w;
    const double *z;
    const double *alpha;
    double largest[MOST_SHARDS];
    double smallest[MOST_SHARDS];
};

static void add_violations(void *context, const struct shard *shard)
{
    struct violations_run *run = context;
    const struct problem *problem = run->problem;
    struct violations found = {-HUGE_VAL, HUGE_VAL, 0};
    double some[ROWS_AT_ONCE] = {0};

    for (uint32_t first = shard->first, end; first < shard->end; first = end) {
        const double *z = run->w ? some : run->z + first;

        end = block_end(first, shard->end);
        if (run->w)
            sums_margins_some(problem, run->w, first, end, some);
        WITH_PHI(problem->loss, violations_as(problem, z, run->alpha, first, end, &found, LOSS));
    }
    run->largest[shard->number] = found.largest;
    run->smallest[shard->number] = found.smallest;
    shard->scalars[0] += found.total;
}

static struct violations row_violations(const struct shards *shards, struct violations_run *run)
{
    struct violations found = {-HUGE_VAL, HUGE_VAL, 0};
    double scalars[MOST_SCALARS], ends[2];

    for (unsigned k = 0; k < shards->count; k++) {
        run->largest[k] = -HUGE_VAL;
        run->smallest[k] = HUGE_VAL;
    }
    sums_run(shards, all_rows(run->problem), add_violations, run, scalars, NULL);
    for (unsigned k = 0; k < shards->count; k++) {
        found.largest = fmax(found.largest, run->largest[k]);
        found.smallest = fmin(found.smallest, run->smallest[k]);
    }
    ends[0] = found.largest;
    ends[1] = -found.smallest;
    team_largest_each(shards->team, ends, 2);
    found.largest = ends[0];
    found.smallest = -ends[1];
    found.total = scalars[0];
    return found;
}

struct violations violations_at_point(const struct shards *shards, const struct problem *problem,
                                      const double *w, const double *alpha)
{
    struct violations_run run = {problem, w, NULL, alpha, {0}, {0}};
    struct violations found = {0, 0, 0};
    const size_t k = problem->classes;

    if (k == 0)
        return row_violations(shards, &run);
    for (uint32_t i = 0; i < problem->rows; i++) { /* no violation is negative */
        const struct sparse x = problem_row(problem, i);
        const uint32_t y = problem->class_of[i];
        double violation;

        problem_dots(problem, &x, w, shards->room);
        singer_gains(k, shards->room, y, shards->room);
        violation = singer_violation(k, problem_cost(problem, i), shards->room, y, alpha + i * k);
        found.largest = fmax(found.largest, violation);
        found.total += violation;
    }
    return found;
}

struct violations violations_at_margins(const struct shards *shards, const struct problem *problem,
                                        const double *z, const double *alpha)
{
    struct violations_run run = {problem, NULL, z, alpha, {0}, {0}};

    return row_violations(shards, &run);
}
