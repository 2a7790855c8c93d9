/* objective.c - P(w) = R(w) + sum C_i phi(s_i),
 *               D(alpha) = R*(v) + sum C_i phi*(alpha_i/C_i) - t_i alpha_i.
 *
 * s_i = t_i - z_i and v = sum alpha_i y_i x_i. As <w, v> = sum alpha_i z_i,
 *
 *     P + D = [R(w) + R*(v) - <w, v>]
 *             + sum_i [C_i phi(s_i) + C_i phi*(alpha_i/C_i) - alpha_i s_i],
 *
 * and no term is negative (Fenchel and Young), so nothing cancels. -D is at most the minimum of P,
 * so P + D bounds how far P is above its minimum.
 */
#include "problem/objective.h"

#include "base/sum.h"
#include "problem/class_loss.h"
#include "problem/regulariser.h"

/* The parts of P, D and the gap that are sums over the coordinates of w and v. */
struct coordinate_terms {
    double value;
    double conjugate;
    double gap;
    double excess;   /* largest regulariser_excess of v */
    size_t nonzeros; /* non-zero entries of w */
};

static struct coordinate_terms add_coordinates(const struct problem *problem, const double *w,
                                               const double *v)
{
    const double l1 = problem->l1, l2 = problem_l2(problem);
    const size_t penalised = problem_penalised(problem);
    struct coordinate_terms terms = {0, 0, 0, 1, dense_nonzeros(w, problem_width(problem))};

    terms.value = terms.conjugate = regulariser_values(l1, l2, w, penalised);
    if (!v || v == w)
        return terms;
    terms.conjugate = regulariser_conjugates(l1, l2, v, penalised);
    terms.gap = regulariser_gaps(l1, l2, w, v, penalised);
    terms.excess = regulariser_excess(l1, l2, dense_largest(v, penalised));
    return terms;
}

struct objective objective_primal(const struct shards *shards, const struct problem *problem,
                                  const double *w)
{
    const struct coordinate_terms coordinates = add_coordinates(problem, w, NULL);
    const struct row_terms rows = sums_terms(shards, problem, w, NULL, NULL, NULL);

    return (struct objective){coordinates.value + rows.value + problem_linear(problem, w), NAN, NAN,
                              coordinates.nonzeros};
}

static struct objective measure(const struct problem *problem, const double *w, const double *v,
                                const struct row_terms *rows)
{
    const struct coordinate_terms coordinates = add_coordinates(problem, w, v);
    const double primal = coordinates.value + rows->value + problem_linear(problem, w);
    const double t = 1 / coordinates.excess;
    const double gap = (1 - t) * primal + t * (coordinates.gap + rows->gap);

    return (struct objective){primal, t * (coordinates.conjugate + rows->conjugate),
                              gap / problem_scale(problem, primal), coordinates.nonzeros};
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
