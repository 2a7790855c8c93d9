/* objective.c - P(w) = R(w) + sum C_i phi(s_i),
 *               D(alpha) = R*(v) + sum C_i phi*(alpha_i/C_i) - t_i alpha_i.
 *
 * s_i = t_i - z_i and v = sum alpha_i y_i x_i. Because <w, v> = sum alpha_i z_i,
 *
 *     P + D = [R(w) + R*(v) - <w, v>]
 *             + sum_i [C_i phi(s_i) + C_i phi*(alpha_i/C_i) - alpha_i s_i],
 *
 * and no term is negative (Fenchel and Young), so nothing cancels. -D is at most the minimum of P,
 * so P + D bounds how far P is above its minimum. The violations of rows (loss.h) are another
 * measure of that distance, which LIBLINEAR's rules use.
 */
#include "problem/objective.h"

#include <math.h>

#include "base/parallel.h"
#include "base/sum.h"
#include "problem/class_loss.h"
#include "problem/loss_rows.h"
#include "problem/regulariser.h"

struct objective objective_primal(const struct shards *shards, const struct problem *problem,
                                  const double *w)
{
    const struct row_terms rows = sums_terms(shards, problem, w, NULL, NULL, NULL);
    const double value =
        regulariser_values(problem->l1, problem_l2(problem), w, problem_penalised(problem));

    return (struct objective){value + rows.value + problem_linear(problem, w), NAN, NAN,
                              dense_nonzeros(w, problem_width(problem))};
}

static struct objective measure(const struct problem *problem, const double *w, const double *v,
                                const struct row_terms *rows)
{
    const double l1 = problem->l1, l2 = problem_l2(problem);
    const size_t penalised = problem_penalised(problem);
    const double value = regulariser_values(l1, l2, w, penalised);
    const double conjugate = v == w ? value : regulariser_conjugates(l1, l2, v, penalised);
    const double rest = v == w ? 0 : regulariser_gaps(l1, l2, w, v, penalised);
    const double t = v == w ? 1 : objective_scale(problem, v);
    const double primal = value + rows->value + problem_linear(problem, w);
    const double gap = (1 - t) * primal + t * (rest + rows->gap);

    return (struct objective){primal, t * (conjugate + rows->conjugate),
                              gap / problem_scale(problem, primal),
                              dense_nonzeros(w, problem_width(problem))};
}

struct objective objective_measure(const struct shards *shards, const struct problem *problem,
                                   const double *w, const double *alpha, const double *v, double *z)
{
    const struct row_terms rows = sums_terms(shards, problem, w, alpha, z, NULL);

    return measure(problem, w, v, &rows);
}

struct objective objective_measure_and_combine(const struct shards *shards,
                                               const struct problem *problem, const double *w,
                                               const double *alpha, double *v, double *z)
{
    const struct row_terms rows = sums_terms(shards, problem, w, alpha, z, v);

    return measure(problem, w, v, &rows);
}

double objective_scale(const struct problem *problem, const double *v)
{
    return 1 / regulariser_excess(problem->l1, problem_l2(problem),
                                  dense_largest(v, problem_penalised(problem)));
}

double objective_dual(const struct shards *shards, const struct problem *problem,
                      const double *alpha, const double *v)
{
    const double conjugate =
        regulariser_conjugates(problem->l1, problem_l2(problem), v, problem_penalised(problem));

    return objective_scale(problem, v) * (conjugate + sums_conjugates(shards, problem, alpha));
}

double objective_at_zero(const struct problem *problem)
{
    const int has_targets = loss_has_targets(problem->loss);
    const double each = /* loss of a row with cost 1 */
        problem->classes > 0 ? class_value_at_zero(problem->loss, problem->classes, 1)
        : has_targets        ? 0
                             : loss_value(problem->loss, 1, loss_target(problem->loss));
    struct sum primal = {0, 0};

    for (uint32_t i = 0; i < problem->rows; i++)
        sum_add(&primal, has_targets ? loss_value(problem->loss, problem_cost(problem, i),
                                                  problem->target[i])
                                     : problem_cost(problem, i) * each);
    return sum_value(&primal);
}

/* ---- Violations of optimality -------------------------------------------- */

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

struct violations_run {
    const struct problem *problem;
    const double *w;
    const double *z; /* margins of w; NULL: they are not known */
    const double *alpha;
    struct violations found; /* largest and smallest violation of the shards so far */
};

static void add_violations(void *context, const struct shard *shard)
{
    struct violations_run *run = context;
    const struct problem *problem = run->problem;
    struct violations found = {-HUGE_VAL, HUGE_VAL, 0};
    double some[ROWS_AT_ONCE] = {0};
    int is_locked;

    for (uint32_t first = shard->first, end; first < shard->end; first = end) {
        const double *z = run->z ? run->z + first : some;

        end = block_end(first, shard->end);
        if (!run->z)
            sums_margins_some(problem, run->w, first, end, some);
        WITH_PHI(problem->loss, violations_as(problem, z, run->alpha, first, end, &found, LOSS));
    }
    shard->scalars[0] += found.total;
    is_locked = parallel_enter();
    run->found.largest = fmax(run->found.largest, found.largest);
    run->found.smallest = fmin(run->found.smallest, found.smallest);
    parallel_leave(is_locked);
}

struct violations violations_at(const struct shards *shards, const struct problem *problem,
                                const double *w, const double *z, const double *alpha)
{
    struct violations_run run = {problem, w, z, alpha, {-HUGE_VAL, HUGE_VAL, 0}};
    struct violations found = {0, 0, 0};
    double scalars[MOST_SCALARS], ends[2];
    const size_t k = problem->classes;

    for (uint32_t i = 0; k > 0 && i < problem->rows; i++) { /* no violation is negative */
        const struct sparse x = problem_row(problem, i);
        const uint32_t y = problem->class_of[i];
        double violation;

        problem_dots(problem, &x, w, shards->room);
        singer_gains(k, shards->room, y, shards->room);
        violation = singer_violation(k, problem_cost(problem, i), shards->room, y, alpha + i * k);
        found.largest = fmax(found.largest, violation);
        found.total += violation;
    }
    if (k > 0)
        return found;
    sums_run(shards, all_rows(problem), add_violations, &run, scalars, NULL);
    ends[0] = run.found.largest;
    ends[1] = -run.found.smallest;
    team_largest_each(shards->team, ends, 2);
    return (struct violations){ends[0], -ends[1], scalars[0]};
}
