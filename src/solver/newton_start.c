/* newton_start.c - where newton.c starts: at the solution for a sixteenth of the rows.
 *
 * With many more rows than features a random part of them, each at so many times its cost, has
 * nearly the same solution, and a step towards it costs that much less. What remains to be done on
 * all rows are the last steps. A large part starts at a part of its own.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "solver/newton.h"

enum {
    SHARE = 16, /* one row of so many */
    ENOUGH = 15 /* such rows for each feature: with fewer the solution is too far off */
};

static const double NEAR = 0.01; /* relative gap that the part is solved to, */
static const double FAR = 0.02;  /* and from which on its solution is likely to be nearer */

static uint32_t part_rows(const struct binary_problem *problem)
{
    return problem->rows / SHARE;
}

static int has_part(const struct binary_problem *problem)
{
    const size_t width = binary_width(problem);

    return width > 0 && part_rows(problem) / ENOUGH >= width && normal_by_features(problem);
}

/* A row of the part, one of SHARE that follow each other. */
static uint32_t draw(struct random_state *random, uint32_t s)
{
    return s * SHARE + random_below(random, SHARE);
}

/* Coordinate descent takes few passes where 1/|x_i|^2 is beyond U_i: then most rows are at a bound
 * as soon as they are visited. */
int newton_comes_first(const struct solver_task *task)
{
    const struct binary_problem *problem = task->problem;
    struct random_state random = {task->parameters->seed};
    double sum = 0;

    if (!has_part(problem))
        return 0;
    for (uint32_t s = 0; s < part_rows(problem); s++) {
        const uint32_t i = draw(&random, s);

        sum += problem->cost[i] * binary_square(problem, i);
    }
    return sum > part_rows(problem);
}

/* ---- The part ---------------------------------------------------------- */

struct part {
    struct binary_problem problem;
    struct hinge_parameters parameters;
    struct solver_task task;
    struct engine_run run;
    uint32_t *row;
    signed char *sign;
    double *memory; /* the costs, and the arrays of the run */
};

static void part_free(struct part *part)
{
    free(part->row);
    free(part->sign);
    free(part->memory);
}

static void draw_all(struct part *part, const struct engine_run *whole, double *cost)
{
    const struct binary_problem *problem = whole->task->problem;
    struct random_state random = {whole->task->parameters->seed};

    for (uint32_t s = 0; s < part->problem.rows; s++) {
        const uint32_t i = draw(&random, s);

        part->row[s] = problem->row[i];
        part->sign[s] = problem->sign[i];
        cost[s] = SHARE * problem->cost[i];
        part->run.alpha[s] = SHARE * whole->alpha[i];
    }
}

/* part_free on failure too. */
static enum hinge_status part_new(struct part *part, const struct engine_run *whole,
                                  struct hinge_error *error)
{
    const size_t width = binary_width(whole->task->problem);
    const uint32_t rows = part_rows(whole->task->problem);

    *part = (struct part){.problem = *whole->task->problem,
                          .parameters = *whole->task->parameters,
                          .task = *whole->task};
    if (!(part->row = array_new(rows, sizeof *part->row, error)) ||
        !(part->sign = array_new(rows, sizeof *part->sign, error)) ||
        !(part->memory = array_new(2 * (size_t)rows + 2 * width, sizeof(double), error)))
        return failure(error);
    part->problem.rows = rows;
    part->problem.row = part->row;
    part->problem.sign = part->sign;
    part->problem.cost = part->memory;
    part->parameters.gap = fmax(NEAR, part->parameters.gap);
    part->parameters.eps = 0;
    part->parameters.max_passes = 0;
    part->task.problem = &part->problem;
    part->task.parameters = &part->parameters;
    part->task.monitor = NULL;
    part->task.kept = NULL;
    part->run.task = &part->task;
    part->run.alpha = part->memory + rows;
    part->run.w = part->run.alpha + rows;
    part->run.combined = part->run.w + width;
    part->run.progress = progress_new(&part->task);
    draw_all(part, whole, part->memory);
    binary_weights(&part->problem, part->run.alpha, part->run.w);
    return HINGE_OK;
}

/* Whether what the run has is farther off than a part's solution: by its gap, if that has been
 * measured. */
static int is_far(const struct engine_run *run)
{
    if (run->progress.gap >= 0)
        return run->progress.gap > FAR;
    for (uint32_t i = 0; i < run->task->problem->rows; i++)
        if (run->alpha[i] != 0)
            return 0;
    return 1;
}

int newton_start_at_part(struct newton *newton)
{
    struct engine_run *run = newton->run;
    enum hinge_outcome outcome;
    struct hinge_error ignored;
    struct part part;
    double mu;
    int found;

    if (!has_part(newton->problem) || !is_far(run))
        return 0;
    found = part_new(&part, run, &ignored) == HINGE_OK &&
            newton_steps(&part.run, &outcome, &mu, &ignored) == HINGE_OK;
    if (found) {
        memcpy(newton->w, part.run.w, binary_width(newton->problem) * sizeof *newton->w);
        newton->mu = SHARE * mu;
        for (uint32_t s = 0; s < newton->problem->rows && run->task->loss == LOSS_L1; s++)
            newton->centre[s] = newton->problem->cost[s] / 2;
    }
    part_free(&part);
    return found;
}
