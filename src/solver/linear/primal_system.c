/* primal_system.c - (I + scale X'WX) p = r by preconditioned conjugate gradients.
 *
 * With another diagonal R = S^-2 it is (I + scale S X'WX S) p/S = S r.
 *
 * The preconditioner is a Cholesky factor of the present or an earlier H. The factor is over
 * features if features are few, and over rows if rows are few or far fewer rows have a weight.
 * Over features, rare ones are eliminated first if that is cheaper. Before there is a factor, the
 * preconditioner is the diagonal of H.
 *
 * A factor of the present H solves in one step. If its rounding errors are small enough, that is
 * the solution. Otherwise the solution is refined with H as the rows define it. So a factor spoilt
 * by badly scaled data, or one of an earlier H, costs steps but no accuracy. When the steps have
 * cost as much as a factor, a new factor is made. So the cost is at most twice that of the best
 * choice in hindsight.
 *
 * A free bias has a 0 in R, so H may be singular. The bias gets the constant feature B instead of
 * its own, b. With T = diag(1, .., 1, B/b) and e the last unit vector, the solved system is
 * T H T + e e', which replaces the 0 in R by (b/B)^2. B is so large that this changes a
 * ten-thousandth: because w = X'u, the pivot of b is at least 1/(|x|^2 + 1/sum weight) for rows no
 * longer than |x|.
 */
#include "solver/linear/primal_system.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/linear/cg.h"
#include "solver/linear/cost.h"
#include "solver/linear/primal_factor.h"
#include "solver/linear/qr.h"

struct primal_system {
    void *block;            /* the memory of all arrays */
    struct problem problem; /* the problem, with a free bias as a feature of value B */
    int has_free_bias;
    double free_bias;            /* B */
    double stretch;              /* B/b of a free bias, else 1 */
    double *right;               /* [width] T r */
    const double *unit;          /* [width] S; NULL: I; the caller's */
    double *in_units;            /* [width] S p; NULL only if S is always I */
    const struct shards *shards; /* of sums of [width] vectors; the caller's */
    size_t rows;
    size_t width;
    double scale;
    struct row_weights members; /* [rows + 1] */
    double all_members;         /* at least the number of members on all ranks */
    double nonzeros; /* estimated non-zeros of all members, from the mean length of a row */
    double entries;  /* nonzeros times their price, cost_share_of_entries */
    struct cg cg;
    double tolerance; /* tolerance of the present solution */
    double *diagonal; /* [width] 1/H_jj, while there is no factor */
    int has_diagonal; /* the diagonal belongs to the present H */
    int has_squares;  /* diagonal holds squares that the caller gave */

    int over_features;  /* a factor may be over features, of order width */
    size_t capacity;    /* largest order of a factor over rows; 0: none */
    int is_over_rows;   /* the factor is over rows */
    size_t order;       /* order of the factor; 0: there is none */
    int is_present;     /* the factor is of the present H */
    double spent;       /* cost of the steps since the factor was made */
    int next_over_rows; /* a new factor will be over rows */
    double factor_cost; /* cost of a new factor; infinite: this solution makes no more factors */

    struct feature_products products; /* X'WX of a factor over features */
    double *factor;                   /* [width^2] U of H = U'U, see cholesky.h */
    double trace;                     /* trace of H */
    int has_searched;                 /* an order was searched for, or sums without one exist */
    double search_cost;               /* cost of the search for an order; infinite: no search */
    struct problem whole; /* the problem of the order; in a team, with the rows of all ranks */
    struct gathered_rows gathered; /* the rows of all ranks for the order, in a team */
    struct row_factor by_rows;     /* the factor over rows */
    int has_qr;                    /* the data are badly scaled, and qr is used */
    struct qr qr;
};

/* ---- Setting up -------------------------------------------------------- */

int primal_over_features(const struct problem *problem)
{
    const size_t width = problem_width(problem);

    return width <= problem->rows && width <= MOST_ORDER;
}

size_t primal_row_capacity(const struct problem *problem)
{
    enum { MANY = 512, PART = 2 };
    /* For |w|_1, the interior-point method finishes trainings that would stall, and needs the
     * factor. */
    const size_t most = problem->only_l1 ? 2 * MOST_ORDER : MOST_ORDER;
    const size_t width = problem_width(problem);

    if (problem_is_paged(problem))
        return 0; /* Rows that are far apart in a file would be read again and again. */
    if (primal_over_features(problem)) /* it pays while few rows have a weight, so less is enough */
        return width < MANY || problem->only_l1 ? 0 : width / PART;
    return problem->rows < most ? problem->rows : most;
}

int primal_has_factor(const struct problem *problem)
{
    return primal_over_features(problem) || primal_row_capacity(problem) >= problem->rows;
}

static void lay_out(struct primal_system *to, struct arena *arena, const struct problem *problem)
{
    const size_t rows = problem->rows, width = problem_width(problem);
    const size_t capacity = primal_row_capacity(problem);

    to->rows = rows;
    to->width = width;
    to->has_free_bias = problem->bias_kind == BIAS_FREE;
    to->over_features = primal_over_features(problem);
    to->capacity = capacity;
    to->members.row = arena_take(arena, rows + 1, sizeof *to->members.row);
    to->members.weight = arena_take(arena, rows + 1, sizeof *to->members.weight);
    to->diagonal = arena_take(arena, width, sizeof *to->diagonal);
    to->right = arena_take(arena, width, sizeof *to->right);
    cg_lay_out(&to->cg, arena, width);
    if (to->over_features || problem->only_l1)
        to->in_units = arena_take(arena, width, sizeof *to->in_units);
    if (to->over_features) {
        to->factor = arena_take(arena, width * width, sizeof *to->factor);
        feature_products_lay_out(&to->products, arena, problem);
    }
    if (!to->over_features || capacity > 0)
        row_factor_lay_out(&to->by_rows, arena, problem, capacity);
    if (to->has_qr)
        qr_lay_out(&to->qr, arena, problem);
}

void primal_system_free(struct primal_system *system)
{
    if (system) {
        feature_products_free(&system->products);
        gathered_rows_free(&system->gathered);
        row_factor_free(&system->by_rows);
        free(system->block);
    }
    free(system);
}

static struct selection member_rows(const struct primal_system *system)
{
    return (struct selection){system->members.row, system->members.count};
}

/* Returns S_j. */
static double unit_of(const struct primal_system *system, size_t j)
{
    return system->unit ? system->unit[j] : 1;
}

/* ---- The factor --------------------------------------------------------- */

/* Makes a factor of the present H. Partial sums over features are formed in the place of the old
 * factor. False if it was stopped, or the team failed. */
static int form_factor(struct primal_system *system)
{
    const struct products_work work = {&system->problem, system->all_members,
                                       system->nonzeros, system->shards->threads,
                                       system->factor,   &system->cg.stop};

    system->is_over_rows = system->next_over_rows;
    system->order = 0;
    if (system->is_over_rows) {
        if (!row_factor_form(&system->by_rows, &system->problem, member_rows(system),
                             system->members.weight, system->scale, &system->cg.stop))
            return 0;
        system->order = system->by_rows.order;
        return 1;
    }
    system->has_searched = 1; /* another order would need other sums */
    feature_products_form(&system->products, &work, member_rows(system), system->members.weight);
    if (system->products.order.block && team_is_shared(system->problem.team))
        shards_gather(&system->problem, system->products.summed);
    system->trace = feature_factor_form(&system->products, &system->whole, system->scale,
                                        system->unit, system->factor, &system->cg.stop);
    if (system->trace == 0)
        return 0;
    system->order = system->width;
    return 1;
}

/* True if the factor, of the present H, solves to the tolerance without refinement. Its rounding
 * errors are proportional to the trace of H. They count relative to the smallest eigenvalue, which
 * is at least 1. */
static int is_exact(const struct primal_system *system)
{
    return !system->is_over_rows &&
           system->trace * (double)system->width * DBL_EPSILON <= 1e-4 * system->tolerance;
}

/* ---- Solving ----------------------------------------------------------- */

/* Sets product := H p. */
static void multiply(void *context, const double *p, double *product)
{
    const struct primal_system *system = context;
    const double *in_units = system->unit ? system->in_units : p;

    for (size_t j = 0; system->unit && j < system->width; j++)
        system->in_units[j] = system->unit[j] * p[j];
    memset(product, 0, system->width * sizeof *product);
    sums_hessian(system->shards, &system->problem, member_rows(system), system->members.weight,
                 in_units, product);
    for (size_t j = 0; j < system->width; j++)
        product[j] = p[j] + system->scale * (unit_of(system, j) * product[j]);
}

static void precondition(void *context, const double *r, double *result)
{
    const struct primal_system *system = context;

    memcpy(result, r, system->width * sizeof *r);
    if (system->order == 0)
        for (size_t j = 0; j < system->width; j++)
            result[j] *= system->diagonal[j];
    else if (system->is_over_rows)
        row_factor_solve(&system->by_rows, system->shards, &system->problem, result);
    else
        feature_factor_solve(&system->products, system->factor, result);
}

/* Returns the cost of a step of conjugate gradients with a factor of this order, over rows with
 * this many non-zeros. */
static double cost_of_step(const struct primal_system *system, int over_rows, double order,
                           double nonzeros)
{
    const struct feature_order *features = &system->products.order;
    const int has_lines = !over_rows && order > 0 && features->block;

    return cost_of_primal_step(!over_rows, has_lines ? (double)features->dense : order,
                               (double)system->width, nonzeros) +
           COST_OF_LINE_ENTRY * (has_lines ? 2 * (double)features->start[features->leading] : 0);
}

/* Returns the cost of a factor of this order. */
static double cost_of_factor(const struct primal_system *system, int over_rows, double order)
{
    const struct feature_order *features = &system->products.order;
    const int has_lines = !over_rows && features->block;

    return cost_of_primal_factor(!over_rows, has_lines ? (double)features->dense : order,
                                 system->all_members, system->nonzeros) +
           (has_lines ? COST_OF_PRODUCT * features->products : 0);
}

/* Chooses the kind of the next factor by the cost of a factor and a step with it. */
static void choose_factor(struct primal_system *system)
{
    const double members = system->all_members, width = (double)system->width;
    double least = HUGE_VAL;

    system->factor_cost = HUGE_VAL;
    for (int over_rows = 0; over_rows <= 1; over_rows++) {
        const double order = over_rows ? members : width;
        const double factor = cost_of_factor(system, over_rows, order);
        const double cost = factor + cost_of_step(system, over_rows, order, system->entries);

        if ((over_rows ? members >= 1 && members <= (double)system->capacity
                       : system->over_features) &&
            cost < least) {
            least = cost;
            system->next_over_rows = over_rows;
            system->factor_cost = factor;
        }
    }
}

/* Finds the order of elimination, unless a search was made or sums without an order exist. In a
 * team, each rank searches the rows of all ranks. Badly scaled data get no order, because a factor
 * in that order would not notice lost digits. */
static void find_order(struct primal_system *system)
{
    const struct problem *problem = &system->problem;
    struct feature_order *order = &system->products.order;
    struct gathered_rows *gathered = &system->gathered;
    struct problem *whole = &system->whole;
    double without; /* ranks without the order */

    if (system->has_searched)
        return;
    system->has_searched = 1;
    *whole = *problem;
    if (system->search_cost > DBL_MAX || is_badly_scaled(problem))
        return;
    if (team_is_shared(problem->team)) {
        const struct own_rows own = own_rows(problem);
        struct hinge_error error;
        uint32_t *row = array_new(own.end - own.first, sizeof *row, &error);
        int is_there;

        for (uint32_t i = own.first; row && i < own.end; i++)
            row[i - own.first] = i;
        is_there = team_agrees(problem->team, row != NULL, &error) &&
                   gathered_rows_view(gathered, problem, row, NULL, own.end - own.first, whole);
        free(row);
        if (!is_there) /* the team has failed */
            return;
    }
    feature_order_find(order, whole);
    without = order->block == NULL;
    team_add(problem->team, &without, 1);
    if (without > 0) {
        feature_order_free(order);
        gathered_rows_free(gathered);
    }
}

/* Makes a new factor when the steps have cost as much as one, or one costs less than 8 steps.
 * Before the first factor, forms the diagonal. With an order, a factor is cheap, and comes first if
 * the tolerance is at most TIGHT: if weights have changed much, as in the interior-point method,
 * steps with the old one cost more. (grants, -s 5, C = 64: 14 ms a solution without this, 7 with
 * it.) */
static enum preconditioner prepare(void *context)
{
    static const double TIGHT = 1e-6;
    struct primal_system *system = context;
    const double order = (double)system->order;
    double *const diagonal = system->diagonal;
    int comes_first;

    if (system->is_present && is_exact(system))
        return EXACT;
    system->spent += cost_of_step(system, system->is_over_rows, order, system->entries);
    if (!system->has_searched && !system->is_present && system->spent >= system->search_cost) {
        find_order(system);
        choose_factor(system);
    }
    comes_first = system->products.order.block && !system->is_present && system->tolerance <= TIGHT;
    if (comes_first || system->spent > system->factor_cost ||
        system->factor_cost <
            8 * cost_of_step(system, system->is_over_rows, order, system->nonzeros)) {
        if (!form_factor(system))
            return STOPPED;
        system->is_present = 1;
        system->spent = 0;
        system->factor_cost = HUGE_VAL;
        return is_exact(system) ? EXACT : RENEWED;
    }
    if (system->order > 0 || system->has_diagonal)
        return UNCHANGED;
    if (!system->has_squares) {
        memset(diagonal, 0, system->width * sizeof *diagonal);
        sums_squares(system->shards, &system->problem, member_rows(system), system->members.weight,
                     diagonal);
    }
    for (size_t j = 0; j < system->width; j++)
        diagonal[j] =
            1 / (1 + system->scale * diagonal[j] * unit_of(system, j) * unit_of(system, j));
    system->has_diagonal = 1;
    return UNCHANGED;
}

/* Prepares the system for the problem's rows. B must suit all weights that methods give them. The
 * smallest sum of weights is taken to be the sum of the costs or, for a one-class SVM, whose
 * margins have no unit, 1/|x|^2. Forgets the order of elimination, and prices a search by the rows
 * of all ranks. */
static void renew(struct primal_system *system, const struct problem *problem)
{
    static const double TIMES = 1e4;
    const struct own_rows own = own_rows(problem);
    double longest = 0, costs = 0, nonzeros = 0;

    if (system->has_free_bias) {
        for (uint32_t i = 0; i < problem->rows; i++)
            costs += problem_cost(problem, i);
        for (uint32_t i = own.first; i < own.end; i++)
            longest = fmax(longest, problem_square(problem, i));
        longest = team_largest(problem->team, longest);
    }
    if (problem->total == 0 && costs > 0)
        longest += 1 / costs;
    system->free_bias = costs > 0 && longest > 0 ? sqrt(TIMES * longest) : 1;
    for (uint32_t i = own.first; system->over_features && i < own.end; i++)
        nonzeros += (double)problem_length(problem, i);
    team_add(problem->team, &nonzeros, 1);
    system->search_cost = system->over_features ? feature_order_cost(problem, nonzeros) : HUGE_VAL;
    feature_order_free(&system->products.order);
    system->has_searched = 0;
}

struct primal_system *primal_system_new(const struct problem *problem, struct hinge_error *error)
{
    struct primal_system *system = array_new(1, sizeof *system, error);
    struct arena arena = {NULL, 0, 0};

    if (system) {
        system->has_qr = qr_is_needed(problem);
        lay_out(system, &arena, problem);
        if (!(system->block = arena_new(&arena, error))) {
            primal_system_free(system);
            system = NULL;
        }
    }
    if (!team_agrees(problem->team, system != NULL, error) || !system) {
        primal_system_free(system);
        return NULL;
    }
    lay_out(system, &arena, problem);
    renew(system, problem);
    system->cg.context = system;
    system->cg.multiply = multiply;
    system->cg.precondition = precondition;
    system->cg.prepare = prepare;
    return system;
}

int primal_system_reset(struct primal_system *system, const struct problem *problem)
{
    if (problem->rows != system->rows || problem_width(problem) != system->width ||
        (problem->bias_kind == BIAS_FREE) != system->has_free_bias ||
        qr_is_needed(problem) != system->has_qr)
        return 0;
    system->order = 0;
    system->is_present = 0;
    system->spent = 0;
    if (system->over_features)
        feature_products_clear(&system->products, system->rows);
    if (system->capacity > 0)
        row_factor_clear(&system->by_rows);
    renew(system, problem);
    return 1;
}

void primal_system_listen(struct primal_system *system, struct stop stop)
{
    system->cg.stop = stop;
}

struct row_weights *primal_system_weights(struct primal_system *system)
{
    return &system->members;
}

int primal_system_needs_squares(const struct primal_system *system, double of_all_ranks)
{
    return system->order == 0 && of_all_ranks > (double)system->capacity && !system->over_features;
}

void primal_system_form(struct primal_system *system, const struct problem *problem,
                        const struct shards *shards, double scale, double of_all_ranks,
                        const double *squares)
{
    system->problem = *problem;
    system->stretch = 1;
    if (problem->bias_kind == BIAS_FREE) {
        system->stretch = system->free_bias / problem->bias;
        system->problem.bias_kind = BIAS_REGULARISED;
        system->problem.bias = system->free_bias;
    }
    system->shards = shards;
    system->scale = scale;
    system->all_members = of_all_ranks;
    system->nonzeros = of_all_ranks * problem_nonzeros(problem) / fmax(problem->rows, 1);
    system->entries = cost_share_of_entries(problem) * system->nonzeros;
    system->has_diagonal = system->is_present = 0;
    system->has_squares = squares != NULL;
    if (squares)
        memcpy(system->diagonal, squares, system->width * sizeof *squares);
    primal_system_set_units(system, NULL);
}

void primal_system_set_units(struct primal_system *system, const double *unit)
{
    if (!system->over_features && (unit || system->unit)) {
        row_factor_set_units(&system->by_rows, unit);
        system->order = 0;
        if (unit)
            system->spent = HUGE_VAL; /* conjugate gradients do not end without a factor */
    }
    system->unit = unit;
}

void primal_system_solve(struct primal_system *system, const double *r, double *p, double tolerance,
                         unsigned most)
{
    if (system->width == 0)
        return;
    system->tolerance = tolerance;
    system->factor_cost = HUGE_VAL;
    if (!system->is_present)
        choose_factor(system);
    for (size_t j = 0; j < system->width; j++)
        system->right[j] = unit_of(system, j) * r[j];
    system->right[system->width - 1] *= system->stretch;
    cg_solve(&system->cg, system->width, system->right, p, tolerance, most);
    for (size_t j = 0; j < system->width; j++)
        p[j] *= unit_of(system, j);
    p[system->width - 1] *= system->stretch;
}

double primal_system_ordered_price(struct primal_system *system, const struct problem *problem,
                                   unsigned steps)
{
    system->problem = *problem;
    find_order(system);
    if (!system->products.order.block)
        return 0;
    system->all_members = problem->rows;
    system->nonzeros = problem_nonzeros(problem);
    return cost_of_factor(system, 0, (double)system->width) +
           steps * cost_of_step(system, 0, (double)system->width, system->nonzeros);
}

int primal_system_has_qr(const struct primal_system *system)
{
    return system->has_qr;
}

void primal_system_fit(struct primal_system *system, const struct problem *problem,
                       const struct shards *shards, double scale, const double *centre,
                       const double *target, double *d)
{
    const struct least_squares of = {
        problem, shards, member_rows(system), system->members.weight, scale,
        target,  centre, system->unit,        &system->cg.stop};

    if (!qr_solve(&system->qr, &of, d))
        memset(d, 0, system->width * sizeof *d);
}

const double *primal_system_residual(const struct primal_system *system)
{
    return system->cg.residual;
}
