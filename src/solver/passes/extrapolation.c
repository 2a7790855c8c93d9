/* extrapolation.c - alpha := alpha + t (alpha - alpha of some passes ago), clipped to the box.
 *
 * If rows depend on each other, each pass moves alpha a little further in nearly the direction of
 * the pass before. (Bertrand and Massias, AISTATS 2021, extrapolate coordinate descent from several
 * iterates.) Because w = sum alpha_i y_i x_i, w changes along with alpha. D along the line is a
 * parabola in t, except for the conjugates of logistic regression. Its minimum, and D after
 * clipping, cost O(rows + features) and the entries of the rows that are clipped.
 *
 * The point that the line looks back to is a tenth of all passes old, but at least 16 passes: over
 * fewer passes, the random order causes most of the change. An age of 5 to 20 % does about as well.
 * With hundreds of passes, any least age from 2 to 16 saves as much: on regressions of farm-ads,
 * imdb and svmlight-ex1, passes halve. With a least age below 16, trainings of 20 to 30 passes take
 * longer. Extrapolations take at most a fifth of the passes' cost, because one may cost as much as
 * ten passes if most rows are shrunk.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "solver/linear/cost.h"
#include "solver/linear/line_search.h"
#include "solver/passes/descent.h"

/* A smaller decrease of D, relative to D, is near rounding errors. */
static const double LEAST_DECREASE = 1e-12;

/* Largest t, because t multiplies the rounding errors that passes have left in the change of w. */
static const double MOST_TIMES = 64;

/* There is no extrapolation if w is not just the sum, or if rows are in a file, where clipping
 * would read whole pages for a few rows. */
void extrapolation_lay_out(struct extrapolation *to, struct arena *arena,
                           const struct training *training)
{
    const struct problem *problem = training->problem;

    if (problem->l1 > 0 || problem->bias_kind == BIAS_FREE || problem_is_paged(problem))
        return;
    to->w = arena_take(arena, training->width, sizeof *to->w);
    to->alpha = arena_take(arena, training->rows, sizeof *to->alpha);
}

static double dual_now(const struct training *training)
{
    return dense_dot(training->point.w, training->point.w, training->width) / 2 +
           sums_conjugates(&training->shards, training->problem, training->point.alpha);
}

/* Returns the change of alpha_i along the line. */
static inline double change_of(const struct extrapolation *from, const struct training *training,
                               uint32_t i)
{
    return training->point.alpha[i] - from->alpha[i];
}

/* Returns alpha_i plus the change, clipped to the domain. The conjugate of the logistic loss is
 * steep at either end, so there the distance to an end falls at most by a factor. */
static inline double moved_to(enum loss loss, double cost, double alpha, double change)
{
    static const double NEAREST = 0.125;
    const double upper = loss_upper(loss, cost);
    const double low = loss_is_curved(loss) ? NEAREST * alpha : 0;
    const double high = loss_is_curved(loss) ? upper - NEAREST * (upper - alpha) : upper;

    return clamp(alpha + change, low, high);
}

/* ---- The step ----------------------------------------------------------- */

struct line {
    const struct extrapolation *from;
    const struct training *training;
    double sign;      /* direction along the line */
    double slope;     /* slope of |w|^2 / 2 at t = 0 */
    double curvature; /* curvature of |w|^2 / 2 */
};

/* Finds the derivatives of D at t for a curved loss, without the effect of clipping on w. */
static void derive(void *context, double t, double *first, double *second)
{
    const struct line *line = context;
    const struct training *training = line->training;
    const struct problem *problem = training->problem;

    *first = line->sign * line->slope + t * line->curvature;
    *second = line->curvature;
    for (uint32_t i = 0; i < training->rows; i++) {
        const double cost = problem_cost(problem, i), alpha = training->point.alpha[i];
        const double change = line->sign * change_of(line->from, training, i);
        const double moved = moved_to(problem->loss, cost, alpha, t * change);
        const double weight = fmax(loss_point_weight(problem->loss, cost, moved), DBL_MIN);

        if (change == 0)
            continue;
        *first += change * loss_gradient(problem->loss, cost, moved, 0);
        *second += change * change / weight;
    }
}

/* Returns the t where D along alpha + t (alpha - the point looked back to) is least, regardless of
 * the box, and sets *decrease to how much lower D is there. For a curved loss both are approximate.
 */
static double find_length(const struct extrapolation *from, const struct training *training,
                          double *decrease)
{
    const struct problem *problem = training->problem;
    const enum loss loss = problem->loss;
    double slope = 0, curvature = 0, t;

    for (size_t j = 0; j < training->width; j++) {
        const double change = training->point.w[j] - from->w[j];

        slope += change * training->point.w[j];
        curvature += change * change;
    }
    if (loss_is_curved(loss)) {
        struct line line = {from, training, 1, slope, curvature};

        derive(&line, 0, &slope, &curvature);
        *decrease = 0;
        if (slope == 0 || !(curvature > 0))
            return 0;
        line.sign = slope < 0 ? 1 : -1;
        t = line.sign * line_search(derive, &line, fabs(slope), 0.1, fabs(slope) / curvature);
        t = clamp(t, -1, MOST_TIMES);
        *decrease = -t * slope / 2;
        return t;
    }
    for (uint32_t i = 0; i < training->rows; i++) {
        const double change = change_of(from, training, i);
        const double scale = loss_scale(loss, problem_cost(problem, i));

        slope += change * loss_gradient(loss, scale, training->point.alpha[i],
                                        problem_target(problem, i, loss));
        curvature += loss_dual_curvature(loss, scale) * change * change;
    }
    if (curvature > 0)
        t = clamp(-slope / curvature, -1, MOST_TIMES);
    else
        t = slope < 0 ? MOST_TIMES : 0;
    *decrease = -t * (slope + t * curvature / 2);
    return t;
}

/* Moves along the line by t. The point that is left becomes the one to look back to. */
static void go(struct extrapolation *from, struct training *training, double t)
{
    const struct problem *problem = training->problem;
    double *w = training->point.w, *alpha = training->point.alpha;

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

/* Moves to the minimum of D along the line. If clipping makes D rise, moves back to the minimum on
 * the way back. That point is in the box, and D, which is convex, is lower there than at the
 * beginning. For a curved loss the minimum is approximate: if D falls too little, moves all the way
 * back. */
int extrapolate(struct extrapolation *state, struct training *training)
{
    enum { FEWEST = 16, PART = 10, TIMES = 5 };
    const int is_curved = loss_is_curved(training->problem->loss);
    const double price = cost_of_extrapolation(training->rows, (double)training->width, is_curved);
    const double before = training->point.dual, least = LEAST_DECREASE * fabs(before);
    const uint64_t passes = training->progress.passes;
    double decrease = 0, t = 0;
    int moved;

    if (!state->w || passes < FEWEST || passes < state->next_pass ||
        training->spent < state->next_spent)
        return 0;
    if (state->is_set) {
        t = find_length(state, training, &decrease);
        training->spent += price;
    }
    moved = decrease > least && decrease <= DBL_MAX;
    if (moved) {
        go(state, training, t);
        training->point.dual = dual_now(training);
        if (!(training->point.dual < before - (is_curved ? least : 0))) {
            t = is_curved ? -1 : find_length(state, training, &decrease);
            go(state, training, fmin(t, 0));
            training->point.dual = dual_now(training);
        }
        training_moved(training);
    }
    state->is_set = 1;
    memcpy(state->w, training->point.w, training->width * sizeof *training->point.w);
    memcpy(state->alpha, training->point.alpha, training->rows * sizeof *training->point.alpha);
    state->next_pass = passes + (passes / PART > FEWEST ? passes / PART : FEWEST);
    state->next_spent = training->spent + TIMES * price;
    return moved;
}

/* ---- The certificate ---------------------------------------------------- */

/* Replaces w of the last point by its difference from the training's w; a second call restores it.
 * Must be called before and after w is formed anew. Otherwise the rounding errors that forming
 * removes would count as a change. */
static void store_differences(struct extrapolation *state, const struct training *training)
{
    for (size_t j = 0; state->is_set && j < training->width; j++)
        state->w[j] = training->point.w[j] - state->w[j];
}

void extrapolation_certify(struct descent *descent, double *z)
{
    store_differences(&descent->extrapolation, descent->training);
    training_certify(descent->training, z);
    store_differences(&descent->extrapolation, descent->training);
}
