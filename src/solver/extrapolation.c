/* extrapolation.c - alpha := alpha + t (alpha - alpha of some passes ago), clipped to the box.
 *
 * Where rows depend on each other, each pass moves alpha a little further in nearly the direction
 * of the pass before. (Extrapolating iterates of coordinate descent: Bertrand and Massias, AISTATS
 * 2021, from several of them.) As w = sum alpha_i y_i x_i, the change of w comes with that of
 * alpha, and D is a parabola in t: its minimum, and D after clipping, cost O(rows + features), and
 * the non-zeros of the rows that are clipped.
 *
 * The point that is looked back to is a tenth of all passes old, sixteen passes at least: over
 * fewer the change is mostly that of the random order. Between 5 and 20 per cent there is little;
 * of 2 to 16 passes, all save as much where there are hundreds, on regressions of farm-ads, imdb
 * and svmlight-ex1, where passes halve, but below 16 trainings of 20 to 30 passes take longer.
 * Nor is it worth more than a fifth of the passes: where most rows are shrunk, it may cost as much
 * as ten of them.
 */
#include "solver/extrapolation.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/cost.h"

/* Of D: a smaller decrease is near rounding errors. */
static const double LEAST_DECREASE = 1e-12;

/* The change of w has the rounding errors of the passes since, and w so many times these after. */
static const double MOST_TIMES = 64;

/* Not of logistic regression, whose D is no parabola, nor where w is more than the sum, nor of rows
 * in a file, where clipping would read pages for a few rows. */
static int is_applicable(const struct problem *problem)
{
    return !loss_is_curved(problem->loss) && problem->l1 == 0 && problem->bias_kind != BIAS_FREE &&
           !problem_is_paged(problem);
}

void extrapolation_lay_out(struct extrapolation *to, struct arena *arena,
                           const struct training *training)
{
    if (!is_applicable(training->problem))
        return;
    to->w = arena_take(arena, training->width, sizeof *to->w);
    to->alpha = arena_take(arena, training->rows, sizeof *to->alpha);
}

static double dual_of(const struct training *training)
{
    return dense_dot(training->w, training->w, training->width) / 2 +
           sums_conjugates(&training->shards, training->problem, training->alpha);
}

/* The t where D along alpha + t (alpha - the point looked back to) is least, but for the box, and
 * by how much it is lower there: D is a parabola. */
static double find_length(const struct extrapolation *state, const struct training *training,
                          double *decrease)
{
    const struct problem *problem = training->problem;
    double slope = 0, curvature = 0, t;

    for (size_t j = 0; j < training->width; j++) {
        const double change = training->w[j] - state->w[j];

        slope += change * training->w[j];
        curvature += change * change;
    }
    for (uint32_t i = 0; i < training->rows; i++) {
        const double alpha = training->alpha[i], change = alpha - state->alpha[i];
        const double bend =
            loss_dual_curvature(problem->loss, loss_scale(problem->loss, problem->cost[i]));

        slope += change * (bend * alpha - problem_target(problem, i, problem->loss));
        curvature += bend * change * change;
    }
    if (curvature > 0)
        t = fmin(fmax(-slope / curvature, -1), MOST_TIMES);
    else
        t = slope < 0 ? MOST_TIMES : 0;
    *decrease = -t * (slope + t * curvature / 2);
    return t;
}

/* The point that is left becomes the one to look back to. */
static void go(struct extrapolation *state, struct training *training, double t)
{
    const struct problem *problem = training->problem;
    double *w = training->w, *alpha = training->alpha;

    for (size_t j = 0; j < training->width; j++) {
        const double now = w[j];

        w[j] += t * (now - state->w[j]);
        state->w[j] = now;
    }
    for (uint32_t i = 0; i < training->rows; i++) {
        const double now = alpha[i], moved = now + t * (now - state->alpha[i]);

        alpha[i] = fmin(positive_part(moved), loss_upper(problem->loss, problem->cost[i]));
        state->alpha[i] = now;
        if (alpha[i] != moved) {
            const struct sparse x = problem_row(problem, i);

            problem_add(problem, &x, problem->sign[i] * (alpha[i] - moved), w);
        }
    }
}

/* Where clipping makes D rise, the minimum on the way back is a point of the box, and D, which is
 * convex, is lower there than where the way began. */
static int extrapolate_now(struct extrapolation *state, struct training *training)
{
    const double before = training->dual;
    double decrease, after, t = find_length(state, training, &decrease);

    if (!(decrease > LEAST_DECREASE * fabs(before) && decrease <= DBL_MAX))
        return 0;
    go(state, training, t);
    after = dual_of(training);
    if (!(after < before)) {
        t = find_length(state, training, &decrease);
        go(state, training, fmin(t, 0));
        after = dual_of(training);
    }
    training->dual = after;
    training_moved(training);
    return 1;
}

void extrapolation_turn(struct extrapolation *state, const struct training *training)
{
    for (size_t j = 0; state->is_set && j < training->width; j++)
        state->w[j] = training->w[j] - state->w[j];
}

int extrapolate(struct extrapolation *state, struct training *training)
{
    enum { FEWEST = 16, PART = 10, TIMES = 5 };
    const double price = cost_of_extrapolation(training->rows, (double)training->width);
    const uint64_t passes = training->progress.passes;
    int moved;

    if (!state->w || passes < FEWEST || passes < state->next_pass ||
        training->spent < state->next_spent)
        return 0;
    moved = state->is_set && extrapolate_now(state, training);
    training->spent += state->is_set ? price : 0;
    state->is_set = 1;
    memcpy(state->w, training->w, training->width * sizeof *state->w);
    memcpy(state->alpha, training->alpha, training->rows * sizeof *state->alpha);
    state->next_pass = passes + (passes / PART > FEWEST ? passes / PART : FEWEST);
    state->next_spent = training->spent + TIMES * price;
    return moved;
}
