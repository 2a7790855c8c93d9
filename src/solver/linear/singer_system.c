/* singer_system.c - conjugate gradients; a product is two passes over the free rows, and their
 * members alone. The preconditioner has the blocks of H for each class, which leave out what
 * couples the classes. With many features there is none: H is 1 but for what few rows span, and
 * with its diagonal it took more steps. */
#include "solver/linear/singer_system.h"

#include <string.h>

#include "base/parallel.h"
#include "solver/loop/cost.h"

/* ---- Products ------------------------------------------------------------ */

struct product {
    const struct singer_system *system;
    const double *p;
};

static void add_product(void *context, const struct shard *shard)
{
    const struct product *product = context;
    const struct singer_system *system = product->system;
    double *const d = shard->room;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const struct sparse x = problem_row(system->problem, system->row[s]);
        const uint32_t *member = system->member + system->first[s];
        const size_t members = system->first[s + 1] - system->first[s];
        double mean = 0;

        problem_dots_of(system->problem, &x, product->p, members, member, d);
        for (size_t u = 0; u < members; u++)
            mean += d[u] / (double)members;
        for (size_t u = 0; u < members; u++)
            d[u] = (d[u] - mean) * system->scale;
        problem_add_outer_of(system->problem, &x, members, member, d, shard->vector);
    }
}

static void multiply(void *context, const double *p, double *result)
{
    const struct singer_system *system = context;
    const struct selection free_rows = {system->row, system->free};
    struct product product = {system, p};

    memcpy(result, p, system->width * sizeof *p);
    sums_run(system->shards, free_rows, add_product, &product, NULL, result);
}

/* ---- The preconditioner -------------------------------------------------- */

/* What scale P_i has on its diagonal for each member. */
static double diagonal_weight(const struct singer_system *system, uint32_t s)
{
    return (1 - 1 / (double)(system->first[s + 1] - system->first[s])) * system->scale;
}

/* The rows that have the class among their members. */
static uint32_t list_weights(const void *context, size_t m, uint32_t *row, double *weight)
{
    const struct singer_system *system = context;
    uint32_t count = 0;

    for (uint32_t s = 0; s < system->free; s++)
        for (size_t u = system->first[s]; u < system->first[s + 1]; u++)
            if (system->member[u] == m) {
                row[count] = system->row[s];
                weight[count++] = diagonal_weight(system, s);
            }
    return count;
}

void singer_system_form(struct singer_system *system, double scale)
{
    const struct class_weights weights = {list_weights, system, NULL};
    const double order = (double)system->blocks.order;

    system->scale = scale;
    if (order > 0) /* where it was stopped, the solution is not begun */
        class_blocks_form(&system->blocks, system->problem, &weights,
                          parallel_threads_for(system->shards->threads,
                                               cost_of_class_blocks(system->problem, order)),
                          &system->cg.stop);
}

static void precondition(void *context, const double *r, double *result)
{
    const struct singer_system *system = context;

    memcpy(result, r, system->width * sizeof *r);
    if (system->blocks.order > 0)
        class_blocks_solve(&system->blocks, result);
    problem_centre(system->problem, result);
}

/* ---- The solution -------------------------------------------------------- */

void singer_system_lay_out(struct singer_system *system, struct arena *arena,
                           const struct problem *problem)
{
    const size_t rows = problem->rows, width = problem_width(problem);

    class_blocks_lay_out(&system->blocks, arena, problem);
    system->row = arena_take(arena, rows, sizeof *system->row);
    system->first = arena_take(arena, rows + 1, sizeof *system->first);
    system->member = arena_take(arena, problem_duals(problem) + 1, sizeof *system->member);
    cg_lay_out(&system->cg, arena, width);
}

void singer_system_begin(struct singer_system *system, const struct problem *problem,
                         const struct shards *shards, struct stop stop)
{
    system->problem = problem;
    system->shards = shards;
    system->classes = problem->classes;
    system->width = problem_width(problem);
    system->cg.context = system;
    system->cg.multiply = multiply;
    system->cg.precondition = precondition;
    system->cg.stop = stop;
}

void singer_system_solve(struct singer_system *system, const double *r, double *p, double tolerance,
                         unsigned most)
{
    cg_solve(&system->cg, system->width, r, p, tolerance, most);
    problem_centre(system->problem, p);
}
