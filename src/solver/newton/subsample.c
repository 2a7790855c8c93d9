/* subsample.c - 1/2 |w|^2 + sum over a random part of the rows of 16 C_i phi(z_i).
 *
 * With many more rows than features, a random part of the rows, each at 16 times its cost, has
 * nearly the same solution, and its steps cost a sixteenth. All rows are needed only for the last
 * steps. A large part starts at a part of its own.
 */
#include "solver/loop/method.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/status.h"
#include "solver/linear/gathered_rows.h"

enum {
    ONE_OF = 16, /* one row in ONE_OF is in the part */
    ROWS = 15,   /* least rows of the part for each feature; the solution of a smaller part is too
                    far off */
    ROWS_IF_SMOOTH = 9 /* least rows for each feature for a smooth loss, whose last steps are few */
};

static const double NEAR = 0.01; /* the part is solved to this relative gap */
static const double FAR = 0.02;  /* relative gap above which the part's solution is likely nearer */

/* ---- When ---------------------------------------------------------------- */

/* True if the part is large enough. For a smooth loss it may be smaller, unless passes of
 * coordinate descent find the free rows for less. Passes do so for classification with a loss that
 * leaves some rows at a bound, if the rule is not about the gradient. A one-class SVM has no part:
 * its first dual point would be no better with one. */
static int has_part(const struct training *training)
{
    const enum loss loss = training->problem->loss;
    const uint32_t rows = training->rows / problem_views(training->problem);
    const int has_few_passes = loss_is_smooth(loss) && !loss_is_curved(loss) &&
                               !loss_has_targets(loss) && !training->task->solver->primal_rule;
    const uint32_t least = loss_is_smooth(loss) && !has_few_passes ? ROWS_IF_SMOOTH : ROWS;

    return training->problem->total == 0 && training->width > 0 &&
           rows / ONE_OF / least >= training->width;
}

/* Returns how many views of rows the part has. */
static uint32_t part_rows(const struct problem *problem)
{
    const uint32_t views = problem_views(problem);

    return problem->rows / views / ONE_OF * views;
}

/* Returns row s of the part: one of ONE_OF successive rows of the data, with all its views. *drawn
 * keeps that row for its other views. */
static uint32_t draw(const struct problem *problem, struct random_state *random, uint32_t s,
                     uint32_t *drawn)
{
    const uint32_t views = problem_views(problem), row = s / views, view = s % views;

    if (view == 0)
        *drawn = row * ONE_OF + random_below(random, ONE_OF);
    return *drawn * views + view;
}

/* Coordinate descent takes few passes if 1/|x_i|^2 is beyond C_i, because most rows are then at a
 * bound as soon as they are visited. For a smooth loss, fewer rows are at a bound, and Newton's
 * last steps are cheaper: Newton's method takes less time from a quarter of that C_i on (a9a,
 * covtype, dense rows; w8a from a third). For a loss that is curved everywhere, there is no
 * bound. */
int subsample_pays(const struct training *training)
{
    const struct problem *problem = training->problem;
    const double least = loss_is_smooth(problem->loss) ? 0.25 : 1; /* least mean C_i |x_i|^2 */
    struct random_state random = {training->parameters->seed};
    const uint32_t rows = part_rows(problem);
    uint32_t drawn = 0;
    double sum = 0;

    if (!has_part(training) || loss_is_curved(problem->loss))
        return has_part(training);
    for (uint32_t s = 0; s < rows; s++) {
        const uint32_t i = draw(problem, &random, s, &drawn);

        sum += problem_cost(problem, i) * problem_square(problem, i);
    }
    return sum > least * rows;
}

/* ---- The part ------------------------------------------------------------ */

struct part {
    struct problem problem;
    uint32_t *row;
    signed char *sign;
    double *cost;
    double *target; /* NULL unless the loss has targets */
    double *alpha;
    uint32_t *whole_row; /* rows of the data if the whole is a copy itself; else NULL */

    /* Copies of rows that are in a file or of other ranks. */
    uint32_t *copied;                /* rows to copy, without their views */
    uint32_t *copy_row;              /* rows of the copy */
    struct hinge_dataset *from_file; /* NULL if there was no memory */
    struct gathered_rows from_ranks;
    struct hinge_dataset of_ranks; /* the data of from_ranks with the counts of the whole data */
};

static void lay_out(struct part *part, struct arena *arena, const struct problem *problem)
{
    const uint32_t rows = part_rows(problem);
    const int has_targets = loss_has_targets(problem->loss);
    const int is_copied = problem_is_paged(problem) || team_is_shared(problem->team);

    part->row = arena_take(arena, rows, sizeof *part->row);
    part->sign = arena_take(arena, rows, sizeof *part->sign);
    part->cost = arena_take(arena, rows, sizeof *part->cost);
    part->target = arena_take(arena, has_targets ? rows : 0, sizeof *part->target);
    part->alpha = arena_take(arena, rows, sizeof *part->alpha);
    part->whole_row = arena_take(arena, problem->whole ? rows : 0, sizeof *part->whole_row);
    part->copied = arena_take(arena, is_copied ? rows : 0, sizeof *part->copied);
    part->copy_row = arena_take(arena, is_copied ? rows : 0, sizeof *part->copy_row);
}

/* Copies the rows of the part, which its steps go through again and again, to the memory of this
 * process. In a team, each rank has the rows of all ranks, and does all of the training. The copy
 * has the counts of the whole, which prices depend on. Without memory for the rows of a file, the
 * steps read them again. */
static void copy_rows(struct part *part, const struct training *whole)
{
    struct problem *problem = &part->problem;
    struct gathered_rows *gathered = &part->from_ranks;
    const uint32_t views = problem_views(problem);
    const struct own_rows own = own_rows(problem);
    const struct hinge_matrix *x = &problem->data->x;
    const struct hinge_dataset *copy = &part->of_ranks;
    uint32_t count = 0;

    if (whole->task->max_row_norm) /* over all rows, while it is known where they are */
        max_row_norm_find(whole->problem, &whole->shards, whole->task->max_row_norm);
    if (problem_is_paged(problem)) {
        for (uint32_t s = 0; s < problem->rows; s += views)
            part->copied[count++] = part->row[s];
        if (!(copy = part->from_file = pages_lend(problem->data, part->copied, count)))
            return;
    } else {
        for (uint32_t s = own.first; s < own.end; s += views)
            part->copied[count++] = s;
        if (!gathered_rows_list(gathered, problem, part->copied, NULL, count) ||
            !gathered_rows_append(gathered, problem, NULL, gathered->listed))
            return;
        part->of_ranks = gathered->data;
        part->of_ranks.x.rows = x->rows;
        part->of_ranks.x.nonzeros = x->nonzeros;
    }
    problem->whole = problem->data;
    problem->whole_row = part->row;
    problem->data = copy;
    problem->row = part->copy_row;
    problem->team = NULL;
    problem->square = NULL;
    for (uint32_t s = 0; s < problem->rows; s++)
        part->copy_row[s] = s / views;
}

static void form_part(struct part *part, const struct training *whole)
{
    const struct problem *problem = whole->problem;
    struct random_state random = {whole->parameters->seed};
    uint32_t drawn = 0;

    part->problem = *problem;
    part->problem.columns = NULL;
    part->problem.trace_bound = 0;
    part->problem.rows = part_rows(problem);
    part->problem.row = part->row;
    part->problem.whole_row = problem->whole ? part->whole_row : NULL;
    part->problem.sign = part->sign;
    part->problem.cost = part->cost;
    part->problem.target = part->target;
    for (uint32_t s = 0; s < part->problem.rows; s++) {
        const uint32_t i = draw(problem, &random, s, &drawn);

        part->row[s] = problem->row[i];
        if (problem->whole)
            part->whole_row[s] = problem->whole_row[i];
        part->sign[s] = problem->sign[i];
        part->cost[s] = ONE_OF * problem_cost(problem, i);
        if (loss_has_targets(problem->loss))
            part->target[s] = problem->target[i];
        part->alpha[s] = ONE_OF * whole->point.alpha[i];
    }
    if (problem_is_paged(problem) || team_is_shared(problem->team))
        copy_rows(part, whole);
}

double *subsample_solve(const struct training *training, double *mu)
{
    struct arena arena = {NULL, 0, 0};
    struct hinge_error ignored;
    struct hinge_result result;
    struct part part = {.from_file = NULL};
    struct task task = *training->task;
    const struct own_rows own = own_rows(training->problem);
    double *w = NULL;
    struct workspace *workspace;
    void *block;
    int any = 0, solved = 0;

    if (!has_part(training))
        return NULL;
    /* The training must be farther off than a part's solution. Without a measured gap, it must be
     * at alpha = 0. */
    if (training->progress.relative_gap >= 0) {
        if (!(training->progress.relative_gap > FAR))
            return NULL;
    } else {
        for (uint32_t i = own.first; i < own.end && !any; i++)
            any = training->point.alpha[i] != 0;
        if (team_any(training->problem->team, any))
            return NULL;
    }
    lay_out(&part, &arena, training->problem);
    w = array_new(training->width, sizeof *w, &ignored);
    block = w ? arena_new(&arena, &ignored) : NULL;
    workspace = block ? workspace_new(&ignored) : NULL;
    if (team_agrees(training->problem->team, workspace != NULL, &ignored)) {
        lay_out(&part, &arena, training->problem);
        form_part(&part, training);
        task.problem = &part.problem;
        task.alpha = part.alpha;
        task.w = w;
        task.workspace = workspace;
        solved = training->train_part(training, task, METHOD_NEWTON,
                                      fmax(NEAR, training->parameters->relative_gap), 0, mu,
                                      &result, &ignored) == HINGE_OK;
        if (!solved) /* otherwise this rank would go on alone */
            team_fail(training->problem->team, &ignored);
    }
    workspace_free(workspace);
    if (part.from_file)
        pages_give_back(training->problem->data, part.from_file);
    gathered_rows_free(&part.from_ranks);
    free(block);
    if (solved) {
        *mu *= ONE_OF;
        return w;
    }
    *mu = 0;
    free(w);
    return NULL;
}
