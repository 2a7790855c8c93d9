/* sequential_passes.c - a visit to a row; a pass over them. */
#include "solver/sequential_passes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/class_loss.h"
#include "solver/cost.h"

static const double LITTLE = 0.05;   /* of the largest violation of the pass before */
static const double FIRST_LIMIT = 1; /* of the violation below which all classes are taken back */

/* ---- Setting up -------------------------------------------------------- */

void sequential_lay_out(struct sequential_passes *to, struct arena *arena,
                        const struct problem *problem)
{
    const size_t rows = problem->rows, classes = problem->classes;

    to->square = arena_take(arena, rows, sizeof *to->square);
    to->list = arena_take(arena, problem_duals(problem), sizeof *to->list);
    to->count = arena_take(arena, rows, sizeof *to->count);
    to->order = arena_take(arena, rows, sizeof *to->order);
    to->wait = arena_take(arena, rows, sizeof *to->wait);
    to->row_gap = arena_take(arena, rows, sizeof *to->row_gap);
    to->gain = arena_take(arena, classes, sizeof *to->gain);
    to->share = arena_take(arena, classes, sizeof *to->share);
    to->change = arena_take(arena, classes, sizeof *to->change);
    to->member = arena_take(arena, classes, sizeof *to->member);
    to->dense = arena_take(arena, classes, sizeof *to->dense);
}

void sequential_reopen(struct sequential_passes *passes)
{
    memset(passes->wait, 0, passes->problem->rows * sizeof *passes->wait);
    passes->active = 0;
    for (uint32_t i = 0; i < passes->problem->rows; i++) {
        passes->count[i] = (uint32_t)passes->classes;
        passes->order[passes->active] = i;
        passes->active += passes->square[i] > 0;
    }
    passes->solvable = passes->active;
}

/* The margins of a row without a feature are 0: all of its shares are those of another class. */
static void solve_empty(struct sequential_passes *passes, uint32_t i)
{
    const uint32_t y = passes->problem->class_of[i];
    double *alpha = passes->alpha + i * passes->classes;

    memset(alpha, 0, passes->classes * sizeof *alpha);
    alpha[y] = passes->problem->cost[i];
    alpha[y == 0] = -passes->problem->cost[i];
}

int sequential_begin(struct sequential_passes *passes, const struct problem *problem, double *w,
                     double *alpha, uint64_t seed, uint64_t done)
{
    const size_t k = problem->classes;

    passes->problem = problem;
    passes->classes = k;
    passes->w = w;
    passes->alpha = alpha;
    passes->random.counter = seed;
    passes->done = done;
    passes->limit = FIRST_LIMIT;
    passes->largest = 0;
    for (uint32_t i = 0; i < problem->rows; i++) {
        passes->square[i] = problem_square(problem, i);
        if (passes->square[i] == 0)
            solve_empty(passes, i);
        for (size_t m = 0; m < k; m++)
            passes->list[i * k + m] = (uint32_t)m;
    }
    sequential_reopen(passes);
    return passes->solvable < problem->rows;
}

/* ---- A visit ------------------------------------------------------------ */

/* What a row is to the loops below. */
struct visit {
    struct sparse x;
    uint32_t y;
    double cost;
    double square;
    double *alpha;  /* [classes] */
    uint32_t *list; /* [count] its classes that are not shrunk */
    size_t count;
    double top;   /* of the gains */
    double least; /* of those with a share */
};

/* gain[count] := the products with the columns of the row's classes. */
static void find_products(struct sequential_passes *passes, const struct visit *visit)
{
    if (2 * visit->count <= passes->classes) {
        problem_dots_of(passes->problem, &visit->x, passes->w, visit->count, visit->list,
                        passes->gain);
        passes->products += (double)(visit->x.count * visit->count);
        return;
    }
    passes->whole += (double)visit->x.count;
    problem_dots(passes->problem, &visit->x, passes->w,
                 passes->dense); /* all of them are cheaper */
    for (size_t s = 0; s < visit->count; s++)
        passes->gain[s] = passes->dense[visit->list[s]];
}

/* Gains but for a constant, which is z_y, and shares; the largest gain, and the least one of those
 * that have a share. */
static void examine(struct sequential_passes *passes, struct visit *visit)
{
    visit->top = -HUGE_VAL;
    visit->least = HUGE_VAL;
    find_products(passes, visit);
    for (size_t s = 0; s < visit->count; s++) {
        const uint32_t m = visit->list[s];

        passes->gain[s] += m != visit->y;
        passes->share[s] = singer_share(visit->cost, visit->y, visit->alpha, m);
        if (passes->gain[s] > visit->top)
            visit->top = passes->gain[s];
        if (passes->share[s] > 0 && passes->gain[s] < visit->least)
            visit->least = passes->gain[s];
    }
}

/* Shrinks the classes without a share whose gain is below those that have one. */
static void shrink(struct sequential_passes *passes, struct visit *visit)
{
    for (size_t s = 0; s < visit->count;) {
        const uint32_t m = visit->list[s];

        if (passes->share[s] > 0 || passes->gain[s] >= visit->least) {
            s++;
            continue;
        }
        visit->count--;
        visit->list[s] = visit->list[visit->count];
        visit->list[visit->count] = m;
        passes->gain[s] = passes->gain[visit->count];
        passes->share[s] = passes->share[visit->count];
    }
}

/* W += x (what changed)': of the classes in member[changed]. */
static void add_changes(struct sequential_passes *passes, const struct visit *visit, size_t changed)
{
    if (2 * changed <= passes->classes) {
        problem_add_outer_of(passes->problem, &visit->x, changed, passes->member, passes->change,
                             passes->w);
        passes->products += (double)(visit->x.count * changed);
        return;
    }
    passes->whole += (double)visit->x.count;
    memset(passes->dense, 0, passes->classes * sizeof *passes->dense);
    for (size_t s = 0; s < changed; s++)
        passes->dense[passes->member[s]] = passes->change[s];
    problem_add_outer(passes->problem, &visit->x, passes->dense, passes->w);
}

/* The row's minimum. |x|^2 times what is projected is as large as the gains, of which the largest
 * is taken away first, so that their differences keep their digits; what is projected of the own
 * class is without the cost, for the same reason. */
static void solve_row(struct sequential_passes *passes, struct visit *visit)
{
    const double mass = fmax(visit->square * visit->cost, DBL_MIN);
    double others = 0, own = visit->cost;
    size_t changed = 0, own_place = 0;

    while (own_place < visit->count && visit->list[own_place] != visit->y)
        own_place++;
    for (size_t s = 0; s < visit->count; s++) {
        passes->gain[s] -= visit->top;
        passes->change[s] = passes->gain[s] + visit->square * passes->share[s];
    }
    if (own_place < visit->count) {
        passes->change[own_place] =
            passes->gain[own_place] - visit->square * visit->alpha[visit->y];
        singer_project(visit->count, mass, own_place, passes->change, passes->member);
    } else {
        simplex_project(visit->count, mass, passes->change, passes->member);
    }
    for (size_t s = 0; s < visit->count; s++) {
        const double share = visit->cost * (passes->change[s] / mass);

        passes->share[s] = share;
        if (s == own_place)
            own = visit->cost + share;
        else
            others += share;
    }
    for (size_t s = 0; s < visit->count; s++) {
        const uint32_t m = visit->list[s];
        const double after = m != visit->y ? -passes->share[s]
                             : own > 0     ? fmin(others, visit->cost)
                                           : visit->cost;
        const double change = after - visit->alpha[m];

        if (change == 0)
            continue;
        passes->decrease -= change * (passes->gain[s] + visit->square * change / 2);
        visit->alpha[m] = after;
        passes->member[changed] = m;
        passes->change[changed++] = change;
    }
    add_changes(passes, visit, changed);
}

/* 0 if the row is to be shrunk. */
static int visit_row(struct sequential_passes *passes, uint32_t i, double little)
{
    enum { OTHERS = 4 }; /* as many multiply-adds as the rest takes for a class */
    struct wait *const wait = &passes->wait[i];
    const struct problem *problem = passes->problem;
    struct visit visit = {.x = problem_row(problem, i),
                          .y = problem->class_of[i],
                          .cost = problem->cost[i],
                          .square = passes->square[i],
                          .alpha = passes->alpha + i * passes->classes,
                          .list = passes->list + i * passes->classes,
                          .count = passes->count[i]};

    examine(passes, &visit);
    passes->row_gap[i] = 0;
    for (size_t s = 0; s < visit.count; s++)
        passes->row_gap[i] += passes->share[s] * (visit.top - passes->gain[s]);
    passes->gap += passes->row_gap[i];
    passes->products += (double)(OTHERS * visit.count);
    passes->largest = fmax(passes->largest, visit.top - visit.least);
    wait->last = visit.top - visit.least < little
                     ? (unsigned char)((2u * wait->last + 1) & passes->most_wait)
                     : 0;
    wait->passes = wait->last;
    shrink(passes, &visit);
    passes->count[i] = (uint32_t)visit.count;
    if (visit.top > visit.least)
        solve_row(passes, &visit);
    return visit.count > 1;
}

static void prefetch(const struct sequential_passes *passes, uint32_t s)
{
    enum { AHEAD = 4, ENTRIES = 256 };

    if (s + AHEAD < passes->active && passes->wait[passes->order[s + AHEAD]].passes == 0) {
        const struct sparse x = problem_row(passes->problem, passes->order[s + AHEAD]);

        sparse_prefetch(&x, ENTRIES);
    }
}

/* ---- A pass -------------------------------------------------------------- */

static int is_complete(const struct sequential_passes *passes)
{
    if (passes->active < passes->solvable)
        return 0;
    for (uint32_t s = 0; s < passes->active; s++)
        if (passes->count[passes->order[s]] < passes->classes ||
            passes->wait[passes->order[s]].passes > 0)
            return 0;
    return 1;
}

void sequential_pass(struct sequential_passes *passes)
{
    enum { MOST_WAIT = 15 };
    const double little = LITTLE * passes->largest;
    uint32_t left = 0;

    if (passes->most_wait < MOST_WAIT && passes->done >= 4 * (2 * (uint64_t)passes->most_wait + 1))
        passes->most_wait = 2 * passes->most_wait + 1;
    passes->complete = is_complete(passes);
    passes->visits = 0;
    passes->largest = passes->gap = passes->decrease = passes->products = passes->whole = 0;
    random_shuffle(&passes->random, passes->order, passes->active);
    for (uint32_t s = 0; s < passes->active; s++) {
        const uint32_t i = passes->order[s];

        prefetch(passes, s);
        if (passes->wait[i].passes > 0) {
            passes->wait[i].passes--;
            passes->gap += passes->row_gap[i];
            passes->order[left++] = i;
            continue;
        }
        passes->visits++;
        if (visit_row(passes, i, little))
            passes->order[left++] = i;
    }
    passes->active = left;
    passes->done++;
}

void sequential_keep_limit(struct sequential_passes *passes, double least)
{
    if (passes->active > 0 && passes->largest >= passes->limit)
        return;
    passes->limit = fmax(passes->limit / 2, least);
    sequential_reopen(passes);
}

double sequential_cost(const struct sequential_passes *passes)
{
    const double visits = passes->visits;

    return cost_of_visits(visits, passes->products / fmax(visits, 1), 0) +
           cost_of_all_classes(passes->whole, (double)passes->classes);
}
