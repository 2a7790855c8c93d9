/* objective.c - P(w) = R(w) + sum C_i phi(s_i),
 *               D(alpha) = R*(v) + sum C_i phi*(alpha_i/C_i) - t_i alpha_i.
 *
 * s_i = t_i - z_i and v = sum alpha_i y_i x_i. As <w, v> = sum alpha_i z_i,
 *
 *     P + D = [R(w) + R*(v) - <w, v>]
 *             + sum_i [C_i phi(s_i) + C_i phi*(alpha_i/C_i) - alpha_i s_i],
 *
 * and no term of it is negative (Fenchel and Young): nothing cancels. -D is at most the minimum of
 * P, so that P + D bounds how far P is above it.
 */
#include "problem/objective.h"

#include "base/sum.h"
#include "problem/class_loss.h"
#include "problem/regulariser.h"

/* What the coordinates of w and v add to P, D and the gap. */
struct coordinate_terms {
    double value;
    double conjugate;
    double gap;
    double excess;   /* of v, see regulariser_excess */
    size_t nonzeros; /* of w */
};

enum { CHAINS = 4 }; /* of coordinates, which the compiler takes side by side */

/* R(w) and the nonzeros of w alone. As sum.h's the sum of each chain has what its additions lose
 * added at the end; Knuth's way of finding that needs no branch. */
static struct coordinate_terms add_values(const struct problem *problem, const double *w)
{
    const double l1 = problem->l1, l2 = problem_l2(problem);
    const size_t width = problem_width(problem), penalised = problem_penalised(problem);
    const size_t whole = penalised - penalised % CHAINS;
    double total[CHAINS] = {0}, lost[CHAINS] = {0};
    struct coordinate_terms terms = {0, 0, 0, 1, 0};
    struct sum value = {0, 0};

    for (size_t j = 0; j < whole; j += CHAINS)
        for (size_t u = 0; u < CHAINS; u++) {
            const double term = regulariser_value(l1, l2, w[j + u]), before = total[u];
            const double after = before + term, of_term = after - before;

            lost[u] += (before - (after - of_term)) + (term - of_term);
            total[u] = after;
        }
    for (size_t u = 0; u < CHAINS; u++) {
        sum_add(&value, total[u]);
        sum_add(&value, fabs(total[u]) <= DBL_MAX ? lost[u] : 0);
    }
    for (size_t j = whole; j < penalised; j++)
        sum_add(&value, regulariser_value(l1, l2, w[j]));
    for (size_t j = 0; j < width; j++)
        terms.nonzeros += w[j] != 0;
    terms.value = terms.conjugate = sum_value(&value);
    return terms;
}

static struct coordinate_terms add_coordinates(const struct problem *problem, const double *w,
                                               const double *v)
{
    struct coordinate_terms terms = add_values(problem, w);
    struct sum conjugate = {0, 0};
    const double l1 = problem->l1, l2 = problem_l2(problem);

    if (!v || v == w)
        return terms;
    for (size_t j = 0; j < problem_penalised(problem); j++) {
        sum_add(&conjugate, regulariser_conjugate(l1, l2, v[j]));
        terms.gap += regulariser_gap(l1, l2, w[j], v[j]);
        terms.excess = fmax(terms.excess, regulariser_excess(l1, l2, v[j]));
    }
    terms.conjugate = sum_value(&conjugate);
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
    struct sum conjugate = {0, 0};

    for (size_t j = 0; j < problem_penalised(problem); j++)
        sum_add(&conjugate, regulariser_conjugate(problem->l1, problem_l2(problem), v[j]));
    return objective_scale(problem, v) *
           (sum_value(&conjugate) + sums_conjugates(shards, problem, alpha));
}

double objective_at_zero(const struct problem *problem)
{
    const int has_targets = loss_has_targets(problem->loss);
    const double each = /* the same of all rows at the same cost */
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
