/* sequential_dual.c - the dual numbers of a row := the exact minimiser of D over them,  W += x
 * (their change)'.
 *
 * The sequential dual method for the hinge of several classes (Keerthi, Sundararajan, Chang, Hsieh,
 * Lin, KDD 2008). With gains g_m = 1(m != y) + z_m - z_y and shares q = C p, a = C e_y - q, the
 * row's part of D is, but for a constant, |x|^2 |q - q0|^2 / 2 - <g, q>: its minimiser is the
 * projection of q0 + g/|x|^2 on the q >= 0 whose sum is C.
 *
 * A step is a pass over the rows in a fresh random order. A class without a share whose gain is
 * below those of all that have one is shrunk: the row's visits do without it; a row that has only
 * one class left is not visited. All are taken back where the largest violation of a pass has
 * fallen below a limit, which is then halved.
 *
 * As in coordinate_descent.c, a row whose violation is less than a twentieth of the largest of the
 * pass before is skipped in the next pass, found so again in the next 3, 7, 15, but in at most a
 * quarter of those that there have been.
 *
 * A pass adds up the rows' terms of the gap, as coordinate_descent.c does: an estimate, by which it
 * is decided when to measure.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/random.h"
#include "problem/class_loss.h"
#include "problem/violations.h"
#include "solver/loop/cost.h"
#include "solver/passes/pass_rules.h"

static const double FIRST_LIMIT = 1; /* of the violation below which all classes are taken back */

struct sequential {
    struct training *training;
    const struct problem *problem;
    size_t classes;
    double *w;
    double *alpha;   /* [rows classes] */
    double *square;  /* [rows] |x|^2 */
    uint32_t *list;  /* [rows classes] of each row its classes, those that are not shrunk first */
    uint32_t *count; /* [rows] how many these are */
    uint32_t *order; /* [active] the rows to visit */
    uint32_t active; /* how many: more than one class is left */
    struct skip {
        unsigned char passes; /* that the row is to be skipped in, */
        unsigned char last;   /* and was after its last visit */
    } * skip;                 /* [rows] */
    double *row_gap;          /* [rows] the gap terms of their last visits */
    unsigned most_skip;       /* passes, at present: 2^k - 1 */
    uint32_t solvable;        /* rows with a feature: all others were solved at the beginning */
    double *gain;     /* [classes] of the classes that are not shrunk, as the next three: g_m, */
    double *share;    /* [classes] q_m, */
    double *change;   /* [classes] and the change of a_m */
    uint32_t *member; /* [classes] */
    double *dense;    /* [classes] of all classes: z_m, or the change of a_m */
    double limit;     /* of the violation */
    int complete;     /* the last pass was over all rows and classes */
    double largest;   /* violation of the last pass, */
    double gap;       /* its gap terms, */
    double decrease;  /* and of the dual */
    double visits;    /* multiply-adds of the last pass, those with columns one by one, */
    double whole;     /* and non-zeros of its products with all columns */
    struct random_state random;
    uint64_t begun;    /* after so many passes */
    unsigned stalls;   /* complete passes that changed next to nothing, in a row */
    double correction; /* measured gap / estimated gap when it was last measured, 0.1 .. 10 */
    double next_check; /* measure the gap after so much work, whatever the estimate */
};

/* ---- Setting up -------------------------------------------------------- */

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

/* Takes back all shrunk classes and rows; none is skipped. */
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

/* The margins of a row without a feature are 0: all of its shares are those of another class. */
static void solve_empty(struct sequential *state, uint32_t i)
{
    const uint32_t y = state->problem->class_of[i];
    double *alpha = state->alpha + i * state->classes;

    memset(alpha, 0, state->classes * sizeof *alpha);
    alpha[y] = state->problem->cost[i];
    alpha[y == 0] = -state->problem->cost[i];
    state->training->is_formed = 0;
}

/* The dual point of a w that is given: that of the hinge smoothed over a quarter of a margin. */
static void start_at(struct sequential *state, const double *w)
{
    struct training *training = state->training;
    const struct problem *problem = state->problem;

    for (uint32_t i = 0; i < problem->rows; i++) {
        const struct sparse x = problem_row(problem, i);
        const double cost = problem->cost[i];

        problem_dots(problem, &x, w, state->dense);
        singer_gains(state->classes, state->dense, problem->class_of[i], state->dense);
        singer_point(state->classes, cost, state->dense, problem->class_of[i], NULL, 4 * cost,
                     state->alpha + i * state->classes, state->member);
    }
    training->primal = objective_primal(&training->shards, problem, w).primal;
    memcpy(training->w, w, training->width * sizeof *w);
    training->is_formed = 0;
}

/* The next measurement: it costs two products with all columns. */
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

    (void)error;
    state->training = training;
    state->problem = problem;
    state->classes = problem->classes;
    state->w = training->w;
    state->alpha = training->alpha;
    state->random.counter = training->parameters->seed;
    state->begun = training->progress.passes;
    state->correction = 1;
    state->limit = FIRST_LIMIT;
    if (training->start)
        start_at(state, training->start);
    training->start = NULL;
    for (uint32_t i = 0; i < problem->rows; i++) {
        state->square[i] = problem_square(problem, i);
        if (state->square[i] == 0)
            solve_empty(state, i);
        for (size_t m = 0; m < state->classes; m++)
            state->list[i * state->classes + m] = (uint32_t)m;
    }
    if (!training->is_formed)
        training_form(training);
    reopen(state);
    set_check(state);
    return HINGE_OK;
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
static void find_products(struct sequential *state, const struct visit *visit)
{
    if (2 * visit->count <= state->classes) {
        problem_dots_of(state->problem, &visit->x, state->w, visit->count, visit->list,
                        state->gain);
        state->visits += (double)(visit->x.count * visit->count);
        return;
    }
    state->whole += (double)visit->x.count;
    problem_dots(state->problem, &visit->x, state->w, state->dense); /* all of them are cheaper */
    for (size_t s = 0; s < visit->count; s++)
        state->gain[s] = state->dense[visit->list[s]];
}

/* Gains but for a constant, which is z_y, and shares; the largest gain, and the least one of those
 * that have a share. */
static void examine(struct sequential *state, struct visit *visit)
{
    visit->top = -HUGE_VAL;
    visit->least = HUGE_VAL;
    find_products(state, visit);
    for (size_t s = 0; s < visit->count; s++) {
        const uint32_t m = visit->list[s];

        state->gain[s] += m != visit->y;
        state->share[s] = singer_share(visit->cost, visit->y, visit->alpha, m);
        if (state->gain[s] > visit->top)
            visit->top = state->gain[s];
        if (state->share[s] > 0 && state->gain[s] < visit->least)
            visit->least = state->gain[s];
    }
}

/* Shrinks the classes without a share whose gain is below those that have one. */
static void shrink(struct sequential *state, struct visit *visit)
{
    for (size_t s = 0; s < visit->count;) {
        const uint32_t m = visit->list[s];

        if (state->share[s] > 0 || state->gain[s] >= visit->least) {
            s++;
            continue;
        }
        visit->count--;
        visit->list[s] = visit->list[visit->count];
        visit->list[visit->count] = m;
        state->gain[s] = state->gain[visit->count];
        state->share[s] = state->share[visit->count];
    }
}

/* W += x (what changed)': of the classes in member[changed]. */
static void add_changes(struct sequential *state, const struct visit *visit, size_t changed)
{
    if (2 * changed <= state->classes) {
        problem_add_outer_of(state->problem, &visit->x, changed, state->member, state->change,
                             state->w);
        state->visits += (double)(visit->x.count * changed);
        return;
    }
    state->whole += (double)visit->x.count;
    memset(state->dense, 0, state->classes * sizeof *state->dense);
    for (size_t s = 0; s < changed; s++)
        state->dense[state->member[s]] = state->change[s];
    problem_add_outer(state->problem, &visit->x, state->dense, state->w);
}

/* The row's minimum. |x|^2 times what is projected is as large as the gains, of which the largest
 * is taken away first, so that their differences keep their digits; what is projected of the own
 * class is without the cost, for the same reason. */
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
    add_changes(state, visit, changed);
}

/* 0 if the row is to be shrunk. */
static int visit_row(struct sequential *state, uint32_t i, double little)
{
    enum { OTHERS = 4 }; /* as many multiply-adds as the rest takes for a class */
    struct skip *const skip = &state->skip[i];
    const struct problem *problem = state->problem;
    struct visit visit = {.x = problem_row(problem, i),
                          .y = problem->class_of[i],
                          .cost = problem->cost[i],
                          .square = state->square[i],
                          .alpha = state->alpha + i * state->classes,
                          .list = state->list + i * state->classes,
                          .count = state->count[i]};

    examine(state, &visit);
    state->row_gap[i] = 0;
    for (size_t s = 0; s < visit.count; s++)
        state->row_gap[i] += state->share[s] * (visit.top - state->gain[s]);
    state->gap += state->row_gap[i];
    state->visits += (double)(OTHERS * visit.count);
    state->largest = fmax(state->largest, visit.top - visit.least);
    skip->last = visit.top - visit.least < little ? skip_next(skip->last, state->most_skip) : 0;
    skip->passes = skip->last;
    shrink(state, &visit);
    state->count[i] = (uint32_t)visit.count;
    if (visit.top > visit.least)
        solve_row(state, &visit);
    return visit.count > 1;
}

static void prefetch(const struct sequential *state, uint32_t s)
{
    enum { AHEAD = 4, ENTRIES = 256 };

    if (s + AHEAD < state->active && state->skip[state->order[s + AHEAD]].passes == 0) {
        const struct sparse x = problem_row(state->problem, state->order[s + AHEAD]);

        sparse_prefetch(&x, ENTRIES);
    }
}

static int is_complete(const struct sequential *state)
{
    if (state->active < state->solvable)
        return 0;
    for (uint32_t s = 0; s < state->active; s++)
        if (state->count[state->order[s]] < state->classes ||
            state->skip[state->order[s]].passes > 0)
            return 0;
    return 1;
}

static void step(void *context)
{
    struct sequential *state = context;
    struct training *training = state->training;
    const double little = SKIP_BELOW * state->largest;
    uint32_t left = 0, visits = 0;

    state->most_skip = skip_limit(state->most_skip, training->progress.passes);
    state->complete = is_complete(state);
    state->largest = state->gap = state->decrease = state->visits = state->whole = 0;
    random_shuffle(&state->random, state->order, state->active);
    for (uint32_t s = 0; s < state->active; s++) {
        const uint32_t i = state->order[s];

        prefetch(state, s);
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
    training->dual -= state->decrease;
    training->progress.passes++;
    training->progress.row_visits += visits;
    training->progress.active = left;
    training_moved(training);
}

/* ---- Stop rules --------------------------------------------------------- */

static double estimated_gap(const struct sequential *state)
{
    return gap_of_terms(state->gap, state->training->dual);
}

/* LIBLINEAR's rule: the largest violation of a pass that began with all rows and classes; and of
 * all rows at its end. */
static int eps_rule(const struct sequential *state)
{
    const struct training *training = state->training;

    return state->complete && state->largest <= training->eps &&
           violations_at_point(&training->shards, state->problem, state->w, state->alpha).largest <=
               training->eps;
}

/* The relative gap, measured when the estimate says that it is small enough, and, as the estimate
 * may be wrong, each time the work has grown by a quarter: see set_check. */
static int gap_rule(struct sequential *state)
{
    struct training *training = state->training;
    const double target = certified_gap(training->parameters), estimate = estimated_gap(state);

    if (estimate * state->correction > target && training->spent < state->next_check)
        return 0;
    training_certify(training, NULL);
    if (training->progress.relative_gap <= target)
        return 1;
    state->correction = gap_correction(training->progress.relative_gap, estimate);
    set_check(state);
    reopen(state);
    return 0;
}

/* Takes back what was shrunk where the rest is nearly solved. */
static void keep_limit(struct sequential *state)
{
    const double eps = state->training->eps;

    if (state->active > 0 && state->largest >= state->limit)
        return;
    state->limit = fmax(state->limit / 2, state->training->parameters->relative_gap > 0 ? 0 : eps);
    reopen(state);
}

/* Whether the steps have come down to rounding errors, and that twice. */
static int has_stalled(struct sequential *state)
{
    if (!is_rounding(state->decrease, state->solvable, state->training->dual))
        state->stalls = 0;
    else if (state->complete && state->stalls++ > 0)
        return 1;
    else
        reopen(state);
    return 0;
}

static enum verdict met(void *context)
{
    struct sequential *state = context;
    struct training *training = state->training;
    const struct hinge_parameters *parameters = training->parameters;
    double times = 1;

    if (training->progress.passes == state->begun)
        return GOES_ON; /* there was no pass yet */
    if ((parameters->eps <= 0 || eps_rule(state)) &&
        (parameters->relative_gap <= 0 || gap_rule(state)))
        return MET;
    if (parameters->relative_gap > 0)
        times = fmax(times, estimated_gap(state) / parameters->relative_gap);
    if (parameters->eps > 0)
        times = fmax(times, state->largest / fmax(training->eps, DBL_MIN));
    training->distance = log(times);
    keep_limit(state);
    return has_stalled(state) ? STALLED : GOES_ON;
}

const struct method sequential_dual = {.size = sizeof(struct sequential),
                                       .lay_out = lay_out,
                                       .begin = begin,
                                       .step = step,
                                       .met = met};
