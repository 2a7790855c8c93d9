/* subsample.c - 1/2 |w|^2 + sum over a random part of the rows of 16 C_i phi(z_i).
 *
 * With many more rows than features a random part of them, each at so many times its cost, has
 * nearly the same solution, and a step towards it costs that much less. What remains to be done on
 * all rows are the last steps. A large part starts at a part of its own.
 */
#include "solver/newton/subsample.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/status.h"
#include "solver/linear/gathered_rows.h"
#include "solver/linear/primal_system.h"

enum {
    SHARE = 16,       /* one row of so many */
    ENOUGH = 15,      /* such rows for each feature: with fewer the solution is too far off, */
    ENOUGH_SMOOTH = 9 /* and of a smooth loss, whose last steps are few */
};

static const double NEAR = 0.01; /* relative gap that the part is solved to, */
static const double FAR = 0.02;  /* and from which on its solution is likely to be nearer */

/* Whether passes of coordinate descent find for less which rows of a smooth loss are free: those of
 * a class, some of which never are, and where the rule is not about the gradient. */
static int passes_are_few(const struct training *training)
{
    const enum loss loss = training->problem->loss;

    return loss_is_smooth(loss) && !loss_is_curved(loss) && !loss_has_targets(loss) &&
           !training->task->solver->primal_rule;
}

/* Of a one-class SVM the first dual point is no better than the first of a part. */
static int has_part(const struct training *training)
{
    const uint32_t rows = training->rows / problem_views(training->problem);
    const int is_smooth = loss_is_smooth(training->problem->loss);
    const uint32_t enough = is_smooth && !passes_are_few(training) ? ENOUGH_SMOOTH : ENOUGH;

    return training->problem->total == 0 && training->width > 0 &&
           rows / SHARE / enough >= training->width;
}

/* Row s of the part, one of SHARE rows of the data that follow each other, with all its views:
 * *drawn, that row's, is kept for them. */
static uint32_t draw(const struct problem *problem, struct random_state *random, uint32_t s,
                     uint32_t *drawn)
{
    const uint32_t views = problem_views(problem), row = s / views, view = s % views;

    if (view == 0)
        *drawn = row * SHARE + random_below(random, SHARE);
    return *drawn * views + view;
}

/* How many views of rows the part has. */
static uint32_t part_rows(const struct problem *problem)
{
    const uint32_t views = problem_views(problem);

    return problem->rows / views / SHARE * views;
}

/* Coordinate descent takes few passes where 1/|x_i|^2 is beyond C_i: then most rows are at a bound
 * as soon as they are visited. Of a smooth loss fewer are, and Newton's last steps are cheaper:
 * there steps take less time from a quarter of that on (a9a, covtype, dense rows; w8a from a
 * third). Where the loss is curved there is none. */
int subsample_pays(const struct training *training)
{
    const struct problem *problem = training->problem;
    const double least = loss_is_smooth(problem->loss) ? 0.25 : 1; /* of the mean C_i |x_i|^2 */
    struct random_state random = {training->parameters->seed};
    const uint32_t rows = part_rows(problem);
    uint32_t drawn = 0;
    double sum = 0;

    if (!has_part(training))
        return 0;
    if (loss_is_curved(problem->loss))
        return 1;
    for (uint32_t s = 0; s < rows; s++) {
        const uint32_t i = draw(problem, &random, s, &drawn);

        sum += problem_cost(problem, i) * problem_square(problem, i);
    }
    return sum > least * rows;
}

/* Whether the training is farther off than a part's solution: by its gap, if that was measured. */
static int is_far(const struct training *training)
{
    const struct own_rows own = own_rows(training->problem);
    int any = 0;

    if (training->progress.relative_gap >= 0)
        return training->progress.relative_gap > FAR;
    for (uint32_t i = own.first; i < own.end && !any; i++)
        any = training->alpha[i] != 0;
    return !team_any(training->problem->team, any);
}

/* The part, and its arrays. */
struct part {
    struct problem problem;
    uint32_t *row;
    signed char *sign;
    double *cost;
    double *target; /* of a loss that has them */
    double *alpha;
    uint32_t *whole_row; /* of a part of a part that is a copy: which rows of the data they are */
    uint32_t *data_row;  /* of rows that are in a file, or of other ranks: which they are there, */
    struct hinge_dataset *lent;    /* a copy of those of a file; NULL: it has no room; */
    struct gathered_rows of_ranks; /* of those of ranks, */
    struct hinge_dataset ranks;    /* as rows of the whole data; */
    uint32_t *lent_row;            /* and the rows of the copy */
};

static void lay_out(struct part *part, struct arena *arena, const struct problem *problem)
{
    const uint32_t rows = part_rows(problem);
    const int has_targets = loss_has_targets(problem->loss);
    const int is_lent = problem_is_paged(problem) || team_is_shared(problem->team);

    part->row = arena_take(arena, rows, sizeof *part->row);
    part->sign = arena_take(arena, rows, sizeof *part->sign);
    part->cost = arena_take(arena, rows, sizeof *part->cost);
    part->target = arena_take(arena, has_targets ? rows : 0, sizeof *part->target);
    part->alpha = arena_take(arena, rows, sizeof *part->alpha);
    part->whole_row = arena_take(arena, problem->whole ? rows : 0, sizeof *part->whole_row);
    part->data_row =
        arena_take(arena, is_lent ? rows / problem_views(problem) : 0, sizeof *part->data_row);
    part->lent_row = arena_take(arena, is_lent ? rows : 0, sizeof *part->row);
}

/* A copy of the part's rows that are in a file; NULL: it has no room. */
static const struct hinge_dataset *lent_by_pages(struct part *part)
{
    const uint32_t views = problem_views(&part->problem);

    for (uint32_t s = 0; s < part->problem.rows; s += views)
        part->data_row[s / views] = part->row[s];
    part->lent = pages_lend(part->problem.data, part->data_row, part->problem.rows / views);
    return part->lent;
}

/* A copy of the part's rows of all ranks, each of which then does all of the training; NULL: the
 * team has failed. Its counts are those of the whole, which prices depend on. */
static const struct hinge_dataset *lent_by_ranks(struct part *part)
{
    const struct hinge_matrix *x = &part->problem.data->x;
    const struct own_rows own = own_rows(&part->problem);
    const uint32_t views = problem_views(&part->problem);
    struct gathered_rows *lent = &part->of_ranks;
    uint32_t count = 0;

    for (uint32_t s = own.first; s < own.end; s += views)
        part->data_row[count++] = s;
    if (!gathered_rows_list(lent, &part->problem, part->data_row, NULL, count) ||
        !gathered_rows_append(lent, &part->problem, NULL, lent->listed))
        return NULL;
    part->ranks = lent->data;
    part->ranks.x.rows = x->rows;
    part->ranks.x.nonzeros = x->nonzeros;
    return &part->ranks;
}

/* Takes the rows of the part, which its steps go through again and again, into the memory of this
 * process. */
static void borrow(struct part *part, const struct training *whole)
{
    const uint32_t views = problem_views(whole->problem);
    const struct hinge_dataset *copy;

    if (whole->task->max_row_norm) /* of all rows, and nobody else knows where these are */
        max_row_norm_find(whole->problem, &whole->shards, whole->task->max_row_norm);
    copy = problem_is_paged(whole->problem) ? lent_by_pages(part) : lent_by_ranks(part);
    if (!copy)
        return;
    part->problem.whole = part->problem.data;
    part->problem.whole_row = part->row;
    part->problem.data = copy;
    part->problem.row = part->lent_row;
    part->problem.team = NULL;
    part->problem.square = NULL;
    for (uint32_t s = 0; s < part->problem.rows; s++)
        part->lent_row[s] = s / views;
}

static void form_part(struct part *part, const struct training *whole)
{
    const struct problem *problem = whole->problem;
    struct random_state random = {whole->parameters->seed};
    uint32_t drawn = 0;

    part->problem = *problem;
    part->problem.columns = NULL;
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
        part->cost[s] = SHARE * problem_cost(problem, i);
        if (loss_has_targets(problem->loss))
            part->target[s] = problem->target[i];
        part->alpha[s] = SHARE * whole->alpha[i];
    }
    if (problem_is_paged(problem) || team_is_shared(problem->team))
        borrow(part, whole);
}

double *subsample_solve(const struct training *training, double *mu)
{
    struct arena arena = {NULL, 0, 0};
    struct hinge_error ignored;
    struct hinge_result result;
    struct part part = {.lent = NULL};
    struct task task = *training->task;
    double *w = NULL;
    struct workspace *workspace;
    void *block;
    int solved = 0;

    if (!has_part(training) || !is_far(training))
        return NULL;
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
        if (!solved) /* this rank would go on by itself */
            team_fail(training->problem->team, &ignored);
    }
    workspace_free(workspace);
    if (part.lent)
        pages_give_back(training->problem->data, part.lent);
    gathered_rows_free(&part.of_ranks);
    free(block);
    if (solved) {
        *mu *= SHARE;
        return w;
    }
    *mu = 0;
    free(w);
    return NULL;
}
