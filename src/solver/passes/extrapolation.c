/* extrapolation.c - alpha := alpha + t (alpha - alpha of some passes ago), clipped to the box.
 *
 * Where rows depend on each other, each pass moves alpha a little further in nearly the direction
 * of the pass before. (Extrapolating iterates of coordinate descent: Bertrand and Massias, AISTATS
 * 2021, from several of them.) As w = sum alpha_i y_i x_i, the change of w comes with that of
 * alpha, and D along it is a parabola in t, but for the conjugates of logistic regression: its
 * minimum, and D after clipping, cost O(rows + features), and the non-zeros of the rows that are
 * clipped.
 *
 * The point that is looked back to is a tenth of all passes old, sixteen passes at least: over
 * fewer the change is mostly that of the random order. Between 5 and 20 per cent there is little;
 * of 2 to 16 passes, all save as much where there are hundreds, on regressions of farm-ads, imdb
 * and svmlight-ex1, where passes halve, but below 16 trainings of 20 to 30 passes take longer.
 * Nor is it worth more than a fifth of the passes: where most rows are shrunk, it may cost as much
 * as ten of them.
 *
 * The certificate takes a point of such a line, too, apart from w: of a smooth loss the gap of w
 * and its own alpha may be three times the excess of P, the rest being that of D. (Dual
 * extrapolation: Massias, Gramfort and Salmon, ICML 2018.) It looks back to the point before that
 * one, as the last may be a pass old. Of fewer than 32 passes the line is that to where all
 * coordinate steps lead, which are most of what is left to do there.
 */
#include "solver/passes/extrapolation.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "solver/linear/line_search.h"
#include "solver/loop/cost.h"

/* Of D: a smaller decrease is near rounding errors. */
static const double LEAST_DECREASE = 1e-12;

/* The change of w has the rounding errors of the passes since, and w so many times these after. */
static const double MOST_TIMES = 64;

/* Not where w is more than the sum, nor of rows in a file, where clipping would read pages for a
 * few rows. */
static int is_applicable(const struct problem *problem)
{
    return problem->l1 == 0 && problem->bias_kind != BIAS_FREE && !problem_is_paged(problem);
}

static void lay_out_point(struct left_point *to, struct arena *arena,
                          const struct training *training)
{
    to->w = arena_take(arena, training->width, sizeof *to->w);
    to->alpha = arena_take(arena, training->rows, sizeof *to->alpha);
}

void extrapolation_lay_out(struct extrapolation *to, struct arena *arena,
                           const struct training *training)
{
    if (!is_applicable(training->problem))
        return;
    lay_out_point(&to->last, arena, training);
    if (!loss_is_smooth(training->problem->loss))
        return;
    lay_out_point(&to->before, arena, training);
    lay_out_point(&to->better, arena, training);
}

static double dual_of(const struct training *training)
{
    return dense_dot(training->w, training->w, training->width) / 2 +
           sums_conjugates(&training->shards, training->problem, training->alpha);
}

/* The change of alpha_i along the line. */
static inline double change_of(const struct left_point *from, const struct training *training,
                               uint32_t i)
{
    return training->alpha[i] - from->alpha[i];
}

/* alpha_i + t change in the domain; of the logistic loss, whose conjugate is steep at either end,
 * not nearer to it than by a factor. */
static inline double moved_to(enum loss loss, double cost, double alpha, double change)
{
    static const double NEAREST = 0.125;
    const double upper = loss_upper(loss, cost);
    const double low = loss_is_curved(loss) ? NEAREST * alpha : 0;
    const double high = loss_is_curved(loss) ? upper - NEAREST * (upper - alpha) : upper;

    return clamp(alpha + change, low, high);
}

struct line {
    const struct left_point *from;
    const struct training *training;
    double sign;      /* the way along it */
    double slope;     /* at t = 0, and */
    double curvature; /* of |w|^2 / 2 */
};

static struct line line_from(const struct left_point *from, const struct training *training)
{
    struct line line = {from, training, 1, 0, 0};

    for (size_t j = 0; j < training->width; j++) {
        const double change = training->w[j] - from->w[j];

        line.slope += change * training->w[j];
        line.curvature += change * change;
    }
    return line;
}

/* The derivatives of D at t, of a curved loss. What clipping does to w is left out. */
static void derive(void *context, double t, double *first, double *second)
{
    const struct line *line = context;
    const struct training *training = line->training;
    const struct problem *problem = training->problem;

    *first = line->sign * line->slope + t * line->curvature;
    *second = line->curvature;
    for (uint32_t i = 0; i < training->rows; i++) {
        const double cost = problem_cost(problem, i), alpha = training->alpha[i];
        const double change = line->sign * change_of(line->from, training, i);
        const double moved = moved_to(problem->loss, cost, alpha, t * change);
        const double weight = fmax(loss_point_weight(problem->loss, cost, moved), DBL_MIN);

        if (change == 0)
            continue;
        *first += change * loss_gradient(problem->loss, cost, moved, 0);
        *second += change * change / weight;
    }
}

static double find_length_curved(struct line *line, double *decrease)
{
    double slope, curvature, t;

    derive(line, 0, &slope, &curvature);
    *decrease = 0;
    if (slope == 0 || !(curvature > 0))
        return 0;
    line->sign = slope < 0 ? 1 : -1;
    t = line->sign * line_search(derive, line, fabs(slope), 0.1, fabs(slope) / curvature);
    t = clamp(t, -1, MOST_TIMES);
    *decrease = -t * slope / 2;
    return t;
}

/* The t where D along alpha + t (alpha - the point looked back to) is least, but for the box, and
 * by how much it is lower there, of a curved loss about. */
static double find_length(const struct left_point *from, const struct training *training,
                          double *decrease)
{
    const struct problem *problem = training->problem;
    struct line line = line_from(from, training);
    double slope = line.slope, curvature = line.curvature, t;

    if (loss_is_curved(problem->loss))
        return find_length_curved(&line, decrease);
    for (uint32_t i = 0; i < training->rows; i++) {
        const double change = change_of(from, training, i);
        const double scale = loss_scale(problem->loss, problem_cost(problem, i));

        slope += change * loss_gradient(problem->loss, scale, training->alpha[i],
                                        problem_target(problem, i, problem->loss));
        curvature += loss_dual_curvature(problem->loss, scale) * change * change;
    }
    if (curvature > 0)
        t = clamp(-slope / curvature, -1, MOST_TIMES);
    else
        t = slope < 0 ? MOST_TIMES : 0;
    *decrease = -t * (slope + t * curvature / 2);
    return t;
}

/* The point that is left becomes the one to look back to. */
static void go(struct left_point *from, struct training *training, double t)
{
    const struct problem *problem = training->problem;
    double *w = training->w, *alpha = training->alpha;

    for (size_t j = 0; j < training->width; j++) {
        const double now = w[j];

        w[j] += t * (now - from->w[j]);
        from->w[j] = now;
    }
    for (uint32_t i = 0; i < training->rows; i++) {
        const double now = alpha[i], change = t * change_of(from, training, i);

        alpha[i] = moved_to(problem->loss, problem_cost(problem, i), now, change);
        from->alpha[i] = now;
        if (alpha[i] != now + change) {
            const struct sparse x = problem_row(problem, i);

            problem_add(problem, &x, problem->sign[i] * (alpha[i] - (now + change)), w);
        }
    }
}

/* Where clipping makes D rise, the minimum on the way back is a point of the box, and D, which is
 * convex, is lower there than where the way began. Of a curved loss that minimum is known about,
 * and by how much D falls: where that turns out to be too little, all of the way is gone back. */
static int extrapolate_now(struct left_point *from, struct training *training)
{
    const int is_curved = loss_is_curved(training->problem->loss);
    const double before = training->dual, least = LEAST_DECREASE * fabs(before);
    double decrease, after, t = find_length(from, training, &decrease);

    if (!(decrease > least && decrease <= DBL_MAX))
        return 0;
    go(from, training, t);
    after = dual_of(training);
    if (!(after < before - (is_curved ? least : 0))) {
        t = is_curved ? -1 : find_length(from, training, &decrease);
        go(from, training, fmin(t, 0));
        after = dual_of(training);
    }
    training->dual = after;
    training_moved(training);
    return 1;
}

static void turn(const struct left_point *point, const struct training *training)
{
    for (size_t j = 0; point->is_set && j < training->width; j++)
        point->w[j] = training->w[j] - point->w[j];
}

void extrapolation_store_differences(struct extrapolation *state, const struct training *training)
{
    turn(&state->last, training);
    turn(&state->before, training);
}

int extrapolate(struct extrapolation *state, struct training *training)
{
    enum { FEWEST = 16, PART = 10, TIMES = 5 };
    const double price = cost_of_extrapolation(training->rows, (double)training->width,
                                               loss_is_curved(training->problem->loss));
    const uint64_t passes = training->progress.passes;
    const struct left_point free = state->before;
    int moved;

    if (!state->last.w || passes < FEWEST || passes < state->next_pass ||
        training->spent < state->next_spent)
        return 0;
    moved = state->last.is_set && extrapolate_now(&state->last, training);
    training->spent += state->last.is_set ? price : 0;
    if (state->before.w) {
        state->before = state->last;
        state->last = free;
    }
    state->last.is_set = 1;
    memcpy(state->last.w, training->w, training->width * sizeof *training->w);
    memcpy(state->last.alpha, training->alpha, training->rows * sizeof *training->alpha);
    state->next_pass = passes + (passes / PART > FEWEST ? passes / PART : FEWEST);
    state->next_spent = training->spent + TIMES * price;
    return moved;
}

/* ---- The certificate ---------------------------------------------------- */

double *extrapolation_room(const struct extrapolation *state)
{
    return state->before.is_set ? NULL : state->before.alpha;
}

/* better := alpha + t (alpha - the point before), with its sum; by how much D falls. */
static double decrease_at(const struct extrapolation *state, const struct training *training,
                          double t)
{
    const struct problem *problem = training->problem;

    for (uint32_t i = 0; i < training->rows; i++)
        state->better.alpha[i] =
            moved_to(problem->loss, problem_cost(problem, i), training->alpha[i],
                     t * change_of(&state->before, training, i));
    return training->dual - training_dual_at(training, state->better.alpha, state->better.w);
}

/* Where rounding takes what that point is better by, the steps go on from there. */
static int take(const struct extrapolation *state, struct training *training, double decrease,
                double target)
{
    const double gap = training->primal + training->dual - decrease;

    if (!(decrease > 0 && gap <= target * problem_scale(training->problem, training->primal)))
        return 0;
    memcpy(training->alpha, state->better.alpha, training->rows * sizeof *training->alpha);
    training->v = state->better.w;
    training->is_formed = 0;
    training_take_measure(training, training->primal, training->dual - decrease);
    if (training->progress.relative_gap <= target)
        return 1;
    training->v = NULL;
    training_form(training);
    return 0;
}

int extrapolation_take_back(const struct extrapolation *state, struct training *training,
                            double target, double *part)
{
    const double gap = training->primal + training->dual;
    double decrease, ignored;

    decrease = decrease_at(state, training, find_length(&state->before, training, &ignored));
    *part = gap > 0 ? fmin(1 - decrease / gap, 1) : 1;
    return take(state, training, decrease, target);
}

/* D falls most about half the way. Where it falls by less there than it would elsewhere, by the
 * parabola through it, that is looked at, too. */
int extrapolation_take_ahead(const struct extrapolation *state, struct training *training,
                             double slope, double target)
{
    static const double HALF = -0.5, ENOUGH = 0.8;
    double decrease = decrease_at(state, training, HALF);
    const double bend = decrease + HALF * slope; /* below 0: the parabola has a minimum */
    const double best = bend < 0 && slope > 0 ? HALF * HALF * slope / (2 * bend) : 0;

    if (best < 0 && decrease < -ENOUGH * slope * best / 2)
        decrease = decrease_at(state, training, fmax(best, -1));
    return take(state, training, decrease, target);
}
