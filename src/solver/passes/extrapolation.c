/* extrapolation.c - alpha := alpha + t d, clipped to the box, where d lies in the plane of the
 * present alpha and the alphas after the last two extrapolations.
 *
 * If rows depend on each other, each pass moves alpha a little further in nearly the direction of
 * the pass before. (Bertrand and Massias, AISTATS 2021, extrapolate coordinate descent from several
 * iterates.) Because w = sum alpha_i y_i x_i, w changes along with alpha. D is quadratic in the
 * plane, except for the conjugates of logistic regression. Its minimum there, and D after clipping,
 * cost O(rows + features) and the entries of the rows that are clipped.
 *
 * The plane holds the change by the last passes and the step before, as the plane does in which
 * conjugate gradients minimise. The change by the last passes alone is a direction of steepest
 * descent, along which steps zigzag. On 67,349 phrases at C = 4096, passes with -s 3 and -s 1 are
 * 37 and 34 thousand with the plane, 95 and 292 with the line, and a third point saves no time.
 * With a curved loss d is the change by the last passes, because few trainings need many passes.
 *
 * Passes between extrapolations are a tenth of all passes, but at least FEWEST: over fewer passes,
 * the random order causes most of the change, and trainings of 20 to 30 passes take longer. They
 * are at most MOST: ten trainings with many passes together take 1.1 to 1.4 times as long with
 * half, twice or four times as many, and the phrases take 72,000 passes instead of 21,000 (-s 3, C
 * = 512) without this limit. Extrapolations take at most a fifth of the passes' cost, because one
 * may cost as much as ten passes if most rows are shrunk.
 *
 * The certificate may take its dual point from such a line, too, apart from w. With a smooth loss,
 * the gap of w and its own alpha may be three times the excess of P, and the rest of the gap is the
 * excess of D. (Dual extrapolation: Massias, Gramfort and Salmon, ICML 2018.) This makes the gap
 * tight and saves no time: without it, the gap is 2.3 times the excess on imdb with -s 0, and 2.7
 * times on farm-ads with -s 2, after as many passes as with it. This line looks back to the point
 * after the last extrapolation but one, because the last may be only a pass old. With fewer than 32
 * passes there is no such point. The line then leads to where all coordinate steps lead, because
 * these are most of what is left to do.
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

static void lay_out_point(struct left_point *to, struct arena *arena,
                          const struct training *training)
{
    to->w = arena_take(arena, training->width, sizeof *to->w);
    to->alpha = arena_take(arena, training->rows, sizeof *to->alpha);
}

/* There is no extrapolation if w is not just the sum, or if rows are in a file, where clipping
 * would read whole pages for a few rows. */
void extrapolation_lay_out(struct extrapolation *to, struct arena *arena,
                           const struct training *training)
{
    const struct problem *problem = training->problem;

    if (problem->l1 > 0 || problem->bias_kind == BIAS_FREE || problem_is_paged(problem))
        return;
    lay_out_point(&to->last, arena, training);
    lay_out_point(&to->before, arena, training);
    if (loss_is_smooth(problem->loss))
        lay_out_point(&to->better, arena, training);
}

static double dual_now(const struct training *training)
{
    return dense_dot(training->point.w, training->point.w, training->width) / 2 +
           sums_conjugates(&training->shards, training->problem, training->point.alpha);
}

/* Returns the change of alpha_i along the line. */
static inline double change_of(const struct left_point *from, const struct training *training,
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

/* Parts of a direction. */
struct direction {
    double last;   /* of the change since the last extrapolation */
    double before; /* of the change since the extrapolation before */
};

/* ---- The step ----------------------------------------------------------- */

struct line {
    const struct left_point *from;
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
static double find_length(const struct left_point *from, const struct training *training,
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

/* Returns the direction in which the minimum of D in the plane lies, regardless of the box, as
 * parts of the changes since the last point and since the point before. The absolute values of the
 * parts add up to 1. */
static struct direction direction_in_plane(const struct extrapolation *state,
                                           const struct training *training)
{
    static const double INDEPENDENT = 1e-10;
    const struct problem *problem = training->problem;
    const enum loss loss = problem->loss;
    const double *w = training->point.w;
    struct direction direction = {1, 0};
    double slope = 0, slope_before = 0, curvature = 0, mixed = 0, curvature_before = 0, size;

    if (!state->before.is_set || loss_is_curved(loss))
        return direction;
    for (size_t j = 0; j < training->width; j++) {
        const double change = w[j] - state->last.w[j], before = w[j] - state->before.w[j];

        slope += change * w[j];
        slope_before += before * w[j];
        curvature += change * change;
        mixed += change * before;
        curvature_before += before * before;
    }
    for (uint32_t i = 0; i < training->rows; i++) {
        const double change = change_of(&state->last, training, i);
        const double before = change_of(&state->before, training, i);
        const double scale = loss_scale(loss, problem_cost(problem, i));
        const double gradient =
            loss_gradient(loss, scale, training->point.alpha[i], problem_target(problem, i, loss));
        const double bend = loss_dual_curvature(loss, scale);

        slope += change * gradient;
        slope_before += before * gradient;
        curvature += bend * change * change;
        mixed += bend * change * before;
        curvature_before += bend * before * before;
    }
    if (!(curvature * curvature_before - mixed * mixed >
          INDEPENDENT * curvature * curvature_before))
        return direction;
    direction.last = slope_before * mixed - slope * curvature_before;
    direction.before = slope * mixed - slope_before * curvature;
    size = fabs(direction.last) + fabs(direction.before);
    if (!(size > 0 && size <= DBL_MAX))
        return (struct direction){1, 0};
    return (struct direction){direction.last / size, direction.before / size};
}

/* Replaces the point before by one from which the direction leads to the present point. */
static void aim(struct extrapolation *state, const struct training *training)
{
    const struct direction direction = direction_in_plane(state, training);
    const double *w = training->point.w, *alpha = training->point.alpha;
    const struct left_point *last = &state->last, *before = &state->before;

    for (size_t j = 0; j < training->width; j++)
        before->w[j] =
            w[j] - direction.last * (w[j] - last->w[j]) - direction.before * (w[j] - before->w[j]);
    for (uint32_t i = 0; i < training->rows; i++)
        before->alpha[i] = alpha[i] - direction.last * change_of(last, training, i) -
                           direction.before * change_of(before, training, i);
}

/* Moves along the line from a point by t. The point that is left replaces that point. */
static void go(struct left_point *from, struct training *training, double t)
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

/* Moves to the minimum of D along the direction. If clipping makes D rise, moves back to the
 * minimum on the way back. That point is in the box, and D, which is convex, is lower there than at
 * the beginning. For a curved loss the minimum is approximate: if D falls too little, moves all the
 * way back. */
int extrapolate(struct extrapolation *state, struct training *training)
{
    enum { FEWEST = 16, MOST = 64, PART = 10, TIMES = 5 };
    const int is_curved = loss_is_curved(training->problem->loss);
    const double price = cost_of_extrapolation(training->rows, (double)training->width, is_curved);
    const double before = training->point.dual, least = LEAST_DECREASE * fabs(before);
    const uint64_t passes = training->progress.passes;
    struct left_point *from = &state->before, last;
    double decrease = 0, t = 0;
    int moved;

    if (!state->last.w || passes < FEWEST || passes < state->next_pass ||
        training->spent < state->next_spent)
        return 0;
    if (state->last.is_set) {
        aim(state, training);
        t = find_length(from, training, &decrease);
        training->spent += price;
    }
    moved = decrease > least && decrease <= DBL_MAX;
    if (moved) {
        go(from, training, t);
        training->point.dual = dual_now(training);
        if (!(training->point.dual < before - (is_curved ? least : 0))) {
            t = is_curved ? -1 : find_length(from, training, &decrease);
            go(from, training, fmin(t, 0));
            training->point.dual = dual_now(training);
        }
        training_moved(training);
    }
    last = state->before;
    state->before = state->last;
    state->last = last;
    state->last.is_set = 1;
    memcpy(state->last.w, training->point.w, training->width * sizeof *training->point.w);
    memcpy(state->last.alpha, training->point.alpha,
           training->rows * sizeof *training->point.alpha);
    state->next_pass = passes + (uint64_t)clamp((double)passes / PART, FEWEST, MOST);
    state->next_spent = training->spent + TIMES * price;
    return moved;
}

/* ---- The certificate ---------------------------------------------------- */

double *extrapolation_room(const struct descent *descent)
{
    const struct left_point *before = &descent->extrapolation.before;

    return descent->stopping.may_part && !before->is_set ? before->alpha : NULL;
}

/* Sets better := alpha + t (alpha - the point before), with its sum, and returns by how much D
 * falls. */
static double decrease_at(const struct extrapolation *state, const struct training *training,
                          double t)
{
    const struct problem *problem = training->problem;

    for (uint32_t i = 0; i < training->rows; i++)
        state->better.alpha[i] =
            moved_to(problem->loss, problem_cost(problem, i), training->point.alpha[i],
                     t * change_of(&state->before, training, i));
    return training->point.dual - training_dual_at(training, state->better.alpha, state->better.w);
}

/* Makes the better point the training's and returns 1 if the gap meets the target. If only rounding
 * prevents that, the steps go on from the better alpha. */
static int take(const struct extrapolation *state, struct training *training, double decrease,
                double target)
{
    const double gap = training->point.primal + training->point.dual - decrease;

    if (!(decrease > 0 && gap <= target * problem_scale(training->problem, training->point.primal)))
        return 0;
    memcpy(training->point.alpha, state->better.alpha,
           training->rows * sizeof *training->point.alpha);
    training->point.v = state->better.w;
    training->point.is_formed = 0;
    training_take_measure(training, training->point.primal, training->point.dual - decrease);
    if (training->progress.relative_gap <= target)
        return 1;
    training->point.v = NULL;
    training_form(training);
    return 0;
}

/* Tries the dual point with the least D on the line from the point before the last. P and D of w
 * and alpha must have been measured. If the gap of w and that point is at most the target, the
 * point becomes the training's, apart from w, and 1 is returned. Sets *left to the fraction of the
 * gap that the point leaves. */
static int take_back(const struct extrapolation *state, struct training *training, double target,
                     double *left)
{
    const double gap = training->point.primal + training->point.dual;
    double decrease, ignored;

    decrease = decrease_at(state, training, find_length(&state->before, training, &ignored));
    *left = gap > 0 ? fmin(1 - decrease / gap, 1) : 1;
    return take(state, training, decrease, target);
}

/* Tries dual points on the line to the point in extrapolation_room, and takes one under the
 * conditions of take_back. slope is the slope of D in the direction away from that point. D usually
 * falls most about half the way. If the parabola through the half-way point has a minimum where D
 * falls clearly more, the minimum is tried, too. */
static int take_ahead(const struct extrapolation *state, struct training *training, double slope,
                      double target)
{
    static const double HALF = -0.5, ENOUGH = 0.8;
    double decrease = decrease_at(state, training, HALF);
    const double bend = decrease + HALF * slope; /* below 0: the parabola has a minimum */
    const double best = bend < 0 && slope > 0 ? HALF * HALF * slope / (2 * bend) : 0;

    if (best < 0 && decrease < -ENOUGH * slope * best / 2)
        decrease = decrease_at(state, training, fmax(best, -1));
    return take(state, training, decrease, target);
}

/* Replaces w of the points by its difference from the training's w; a second call restores it. Must
 * be called before and after w is formed anew. Otherwise the rounding errors that forming removes
 * would count as a change. */
static void store_differences(struct extrapolation *state, const struct training *training)
{
    const struct left_point *const point[] = {&state->last, &state->before};

    for (int k = 0; k < 2; k++)
        for (size_t j = 0; point[k]->is_set && j < training->width; j++)
            point[k]->w[j] = training->point.w[j] - point[k]->w[j];
}

void extrapolation_certify(struct descent *descent, double *z)
{
    store_differences(&descent->extrapolation, descent->training);
    training_certify(descent->training, z);
    store_differences(&descent->extrapolation, descent->training);
}

/* The line leads to the dual variables that each coordinate step alone would lead to. These
 * overwrite the margins in extrapolation_room. */
int extrapolation_is_certified(struct descent *descent, double target)
{
    struct training *training = descent->training;
    struct extrapolation *extrapolation = &descent->extrapolation;
    const struct problem *problem = descent->problem;
    const enum loss loss = problem->loss;
    double *to = extrapolation_room(descent), slope = 0;

    if (to) {
        if (!descent->stopping.left_margins)
            training_measure_margins(training, to);
        for (uint32_t i = 0; i < problem->rows; i++) {
            const uint32_t k = i / problem_views(problem);
            const struct row *row = &descent->rows[k];
            const double alpha = descent->alpha[i];
            const double slack = problem_target(problem, i, loss) - to[i];
            const double gradient = loss_gradient(loss, row->scale, alpha, slack);

            to[i] = descent->skip[k] == SOLVED
                        ? alpha
                        : loss_step(loss, row->scale, row->curvature, alpha, slack, gradient);
            slope += gradient * (alpha - to[i]);
        }
        if (take_ahead(extrapolation, training, slope, target))
            return 1;
    } else if (descent->stopping.may_part) {
        extrapolation_certify(descent, NULL);
        if (take_back(extrapolation, training, target, &descent->stopping.left_fraction))
            return 1;
    }
    extrapolation_certify(descent, NULL);
    return training->progress.relative_gap <= target;
}
