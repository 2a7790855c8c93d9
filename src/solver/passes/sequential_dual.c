/* sequential_dual.c - a_i := the exact minimiser of D over the dual numbers of row i,  W += x_i
 * (its change)'.
 *
 * The sequential dual method for the hinge of several classes (Keerthi, Sundararajan, Chang, Hsieh,
 * Lin, KDD 2008). With gains g_m = 1(m != y) + z_m - z_y and shares q = C p, a = C e_y - q, the
 * row's part of D is |x|^2 |q - q0|^2 / 2 - <g, q> plus a constant. Its minimiser is the projection
 * of q0 + g/|x|^2 on the q >= 0 whose sum is C.
 *
 * A step is a pass over the rows in a fresh random order. A class without a share is shrunk if its
 * gain is below the gains of all classes with a share: the row's visits leave it out. A row with
 * only one class left is not visited. All classes and rows are taken back when the largest
 * violation of a pass falls below a limit, which is then halved.
 *
 * As in coordinate descent (visits.c), rows that violate little are skipped, and the terms that a
 * pass finds estimate the gap.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/random.h"
#include "problem/class_loss.h"
#include "solver/linear/cost.h"
#include "solver/loop/method.h"
#include "solver/passes/pass_rules.h"

struct skip {
    unsigned char passes; /* passes that the row is still skipped in */
    unsigned char last;   /* passes that it was skipped in after its last visit */
};

struct sequential {
    struct training *training;
    const struct problem *problem;
    size_t classes;
    double *w;
    double *alpha; /* [rows classes] */

    double *square;    /* [rows] |x|^2 */
    uint32_t *list;    /* [rows classes] each row's classes, those that are not shrunk first */
    uint32_t *count;   /* [rows] number of classes that are not shrunk */
    uint32_t *order;   /* [active] rows to visit */
    uint32_t active;   /* rows with more than one class left */
    uint32_t solvable; /* rows with a feature: all others were solved at the beginning */
    struct skip *skip; /* [rows] */
    double *row_gap;   /* [rows] gap terms of the last visit */
    unsigned most_skip;
    struct random_state random;

    /* [classes] a row's classes that are not shrunk, by their place in the list */
    double *gain;     /* g_m */
    double *share;    /* q_m */
    double *change;   /* the point to project, then the change of a_m of each class in member */
    uint32_t *member; /* classes whose a_m has changed */
    double *dense;    /* [classes] z_m, or the change of a_m, by class */

    /* Findings of the last pass. */
    int complete;    /* the pass was over all rows and classes */
    double largest;  /* largest violation */
    double gap;      /* sum of the gap terms */
    double decrease; /* decrease of D */
    double visits;   /* multiply-adds with columns one by one */
    double whole;    /* entries of rows multiplied with all columns */

    double limit;      /* below this largest violation, all classes are taken back */
    uint64_t begun;    /* passes before this method's first */
    unsigned stalls;   /* successive complete passes that changed nothing but rounding */
    double correction; /* measured gap / estimate, 0.1 .. 10 */
    double next_check; /* measure the gap at this cost of the training whatever the estimate */
};

/* ---- Beginning ---------------------------------------------------------- */

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct sequential *to = context;
    const size_t classes = training->problem->classes, duals = problem_duals(training->problem);

    to->square = arena_take(arena, training->rows, sizeof *to->square);
    to->list = arena_take(arena, duals, sizeof *to->list);
    to->count = arena_take(arena, training->rows, sizeof *to->count);
    to->order = arena_take(arena, training->rows, sizeof *to->order);
    to->skip = arena_take(arena, training->rows, sizeof *to->skip);
    to->row_gap = arena_take(arena, training->rows, sizeof *to->row_gap);
    to->gain = arena_take(arena, classes, sizeof *to->gain);
    to->share = arena_take(arena, classes, sizeof *to->share);
    to->change = arena_take(arena, classes, sizeof *to->change);
    to->member = arena_take(arena, classes, sizeof *to->member);
    to->dense = arena_take(arena, classes, sizeof *to->dense);
}

/* Takes back all shrunk classes and rows, and all skipped rows. */
static void reopen(struct sequential *state)
{
    memset(state->skip, 0, state->problem->rows * sizeof *state->skip);
    state->active = 0;
    for (uint32_t i = 0; i < state->problem->rows; i++) {
        state->count[i] = (uint32_t)state->classes;
        state->order[state->active] = i;
        state->active += state->square[i] > 0;
    }
    state->solvable = state->active;
}

/* Sets when the gap is measured next. Measuring costs two products with all columns. */
static void set_check(struct sequential *state)
{
    const struct training *training = state->training;
    const double price =
        2 * cost_of_all_classes(problem_nonzeros(state->problem), (double)state->classes);

    state->next_check = training->spent + fmax(training->spent / 4, 4 * price);
}

static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct sequential *state = context;
    const struct problem *problem = training->problem;
    const double *w = training->start;

    (void)error;
    state->training = training;
    state->problem = problem;
    state->classes = problem->classes;
    state->w = training->point.w;
    state->alpha = training->point.alpha;
    state->random.counter = training->parameters->seed;
    state->begun = training->progress.passes;
    state->correction = state->limit = 1;
    /* alpha becomes the dual point of a given w, with the hinge smoothed over a quarter to half a
     * margin. */
    for (uint32_t i = 0; w && i < problem->rows; i++) {
        const struct sparse x = problem_row(problem, i);
        const double cost = problem->cost[i];

        problem_dots(problem, &x, w, state->dense);
        singer_gains(state->classes, state->dense, problem->class_of[i], state->dense);
        singer_point(state->classes, cost, state->dense, problem->class_of[i], NULL, 4 * cost,
                     state->alpha + i * state->classes, state->member);
    }
    if (w) {
        training->point.primal = objective_primal(&training->shards, problem, w).primal;
        memcpy(training->point.w, w, training->width * sizeof *w);
        training->point.is_formed = 0;
        training->start = NULL;
    }
    for (uint32_t i = 0; i < problem->rows; i++) {
        const uint32_t y = problem->class_of[i];
        double *alpha = state->alpha + i * state->classes;

        for (size_t m = 0; m < state->classes; m++)
            state->list[i * state->classes + m] = (uint32_t)m;
        state->square[i] = problem_square(problem, i);
        if (state->square[i] > 0)
            continue;
        /* The margins of a row without a feature are 0, so another class has all of its shares. */
        memset(alpha, 0, state->classes * sizeof *alpha);
        alpha[y] = problem->cost[i];
        alpha[y == 0] = -problem->cost[i];
        training->point.is_formed = 0;
    }
    if (!training->point.is_formed)
        training_form(training);
    reopen(state);
    set_check(state);
    return HINGE_OK;
}

/* ---- A visit ------------------------------------------------------------ */

/* A row during its visit. */
struct visit {
    struct sparse x;
    uint32_t y;
    double cost;
    double square;
    double *alpha;  /* [classes] */
    uint32_t *list; /* [count] its classes that are not shrunk */
    size_t count;
    double top;   /* largest gain */
    double least; /* least gain of a class with a share */
};

/* Moves the row's dual numbers to their minimiser. The point that is projected, times |x|^2, is as
 * large as the gains. To keep the digits of differences, the largest gain is subtracted first, and
 * the entry of the own class leaves out the cost. */
static void solve_row(struct sequential *state, struct visit *visit)
{
    const double mass = fmax(visit->square * visit->cost, DBL_MIN);
    double others = 0, own = visit->cost;
    size_t changed = 0, own_place = 0;

    while (own_place < visit->count && visit->list[own_place] != visit->y)
        own_place++;
    for (size_t s = 0; s < visit->count; s++) {
        state->gain[s] -= visit->top;
        state->change[s] = state->gain[s] + visit->square * state->share[s];
    }
    if (own_place < visit->count) {
        state->change[own_place] = state->gain[own_place] - visit->square * visit->alpha[visit->y];
        singer_project(visit->count, mass, own_place, state->change, state->member);
    } else {
        simplex_project(visit->count, mass, state->change, state->member);
    }
    for (size_t s = 0; s < visit->count; s++) {
        const double share = visit->cost * (state->change[s] / mass);

        state->share[s] = share;
        if (s == own_place)
            own = visit->cost + share;
        else
            others += share;
    }
    for (size_t s = 0; s < visit->count; s++) {
        const uint32_t m = visit->list[s];
        const double after = m != visit->y ? -state->share[s]
                             : own > 0     ? fmin(others, visit->cost)
                                           : visit->cost;
        const double change = after - visit->alpha[m];

        if (change == 0)
            continue;
        state->decrease -= change * (state->gain[s] + visit->square * change / 2);
        visit->alpha[m] = after;
        state->member[changed] = m;
        state->change[changed++] = change;
    }
    if (2 * changed <= state->classes) {
        problem_add_outer_of(state->problem, &visit->x, changed, state->member, state->change,
                             state->w);
        state->visits += (double)(visit->x.count * changed);
    } else { /* one product for all classes is cheaper */
        state->whole += (double)visit->x.count;
        memset(state->dense, 0, state->classes * sizeof *state->dense);
        for (size_t s = 0; s < changed; s++)
            state->dense[state->member[s]] = state->change[s];
        problem_add_outer(state->problem, &visit->x, state->dense, state->w);
    }
}

/* Visits row i. Returns 0 if only one class is left, so that the row is shrunk. */
static int visit_row(struct sequential *state, uint32_t i, double little)
{
    enum { OTHERS = 4 }; /* multiply-adds that take as long as the rest of the work for a class */
    struct skip *const skip = &state->skip[i];
    const struct problem *problem = state->problem;
    struct visit visit = {.x = problem_row(problem, i),
                          .y = problem->class_of[i],
                          .cost = problem->cost[i],
                          .square = state->square[i],
                          .alpha = state->alpha + i * state->classes,
                          .list = state->list + i * state->classes,
                          .count = state->count[i],
                          .top = -HUGE_VAL,
                          .least = HUGE_VAL};
    double gap = 0;

    if (2 * visit.count <= state->classes) {
        problem_dots_of(problem, &visit.x, state->w, visit.count, visit.list, state->gain);
        state->visits += (double)(visit.x.count * visit.count);
    } else { /* all products are cheaper */
        problem_dots(problem, &visit.x, state->w, state->dense);
        state->whole += (double)visit.x.count;
        for (size_t s = 0; s < visit.count; s++)
            state->gain[s] = state->dense[visit.list[s]];
    }
    for (size_t s = 0; s < visit.count; s++) { /* z_y is the same for all: it is left out */
        const uint32_t m = visit.list[s];

        state->gain[s] += m != visit.y;
        state->share[s] = singer_share(visit.cost, visit.y, visit.alpha, m);
        if (state->gain[s] > visit.top)
            visit.top = state->gain[s];
        if (state->share[s] > 0 && state->gain[s] < visit.least)
            visit.least = state->gain[s];
    }
    for (size_t s = 0; s < visit.count; s++)
        gap += state->share[s] * (visit.top - state->gain[s]);
    state->row_gap[i] = gap;
    state->gap += gap;
    state->visits += (double)(OTHERS * visit.count);
    state->largest = fmax(state->largest, visit.top - visit.least);
    skip->last = visit.top - visit.least < little ? skip_next(skip->last, state->most_skip) : 0;
    skip->passes = skip->last;

    for (size_t s = 0; s < visit.count;) { /* shrinks classes */
        const uint32_t m = visit.list[s];

        if (state->share[s] > 0 || state->gain[s] >= visit.least) {
            s++;
            continue;
        }
        visit.count--;
        visit.list[s] = visit.list[visit.count];
        visit.list[visit.count] = m;
        state->gain[s] = state->gain[visit.count];
        state->share[s] = state->share[visit.count];
    }
    state->count[i] = (uint32_t)visit.count;
    if (visit.top > visit.least)
        solve_row(state, &visit);
    return visit.count > 1;
}

static void step(void *context)
{
    enum { AHEAD = 4, ENTRIES = 256 };
    struct sequential *state = context;
    struct training *training = state->training;
    const double little = SKIP_BELOW * state->largest;
    uint32_t left = 0, visits = 0;

    state->most_skip = skip_limit(state->most_skip, training->progress.passes);
    state->complete = state->active == state->solvable;
    for (uint32_t s = 0; state->complete && s < state->active; s++)
        state->complete = state->count[state->order[s]] == state->classes &&
                          state->skip[state->order[s]].passes == 0;
    state->largest = state->gap = state->decrease = state->visits = state->whole = 0;
    random_shuffle(&state->random, state->order, state->active);
    for (uint32_t s = 0; s < state->active; s++) {
        const uint32_t i = state->order[s];

        if (s + AHEAD < state->active && state->skip[state->order[s + AHEAD]].passes == 0) {
            const struct sparse x = problem_row(state->problem, state->order[s + AHEAD]);

            sparse_prefetch(&x, ENTRIES);
        }
        if (state->skip[i].passes > 0) {
            state->skip[i].passes--;
            state->gap += state->row_gap[i];
            state->order[left++] = i;
            continue;
        }
        visits++;
        if (visit_row(state, i, little))
            state->order[left++] = i;
    }
    training->spent += cost_of_visits(visits, state->visits / fmax(visits, 1), 0) +
                       cost_of_all_classes(state->whole, (double)state->classes);
    state->active = left;
    training->point.dual -= state->decrease;
    training->progress.passes++;
    training->progress.row_visits += visits;
    training->progress.active = left;
    training_moved(training);
}

/* ---- Stopping ----------------------------------------------------------- */

static enum verdict met(void *context)
{
    struct sequential *state = context;
    struct training *training = state->training;
    const double gap = training->parameters->relative_gap, eps = training->parameters->eps;
    const double target = certified_gap(training->parameters);
    const double estimate = gap_of_terms(state->gap, training->point.dual);
    int holds;

    if (training->progress.passes == state->begun)
        return GOES_ON; /* there was no pass yet */
    /* LIBLINEAR's rule, for the violations that a complete pass met and for all violations after it
     */
    holds =
        eps <= 0 ||
        (state->complete && state->largest <= training->eps &&
         violations_at(&training->shards, state->problem, state->w, NULL, state->alpha).largest <=
             training->eps);
    if (holds && gap <= 0)
        return MET;
    /* The gap is measured if the estimate is small enough, and each time the work has grown by a
     * quarter, because the estimate may be wrong. */
    if (holds && !(estimate * state->correction > target && training->spent < state->next_check)) {
        training_certify(training, NULL);
        if (training->progress.relative_gap <= target)
            return MET;
        state->correction = gap_correction(training->progress.relative_gap, estimate);
        set_check(state);
        reopen(state);
    }
    training->distance =
        distance_to_targets(gap_of_terms(state->gap, training->point.dual), gap, state->largest,
                            eps > 0 ? fmax(training->eps, DBL_MIN) : 0);
    if (state->active == 0 || state->largest < state->limit) {
        state->limit = fmax(state->limit / 2, gap > 0 ? 0 : training->eps);
        reopen(state);
    }
    if (!is_rounding(state->decrease, state->solvable, training->point.dual))
        state->stalls = 0;
    else if (state->complete && state->stalls++ > 0)
        return STALLED;
    else
        reopen(state);
    return GOES_ON;
}

const struct method sequential_dual = {.size = sizeof(struct sequential),
                                       .lay_out = lay_out,
                                       .begin = begin,
                                       .step = step,
                                       .met = met};
