/* multiplier.c - origin := u. */
#include "solver/passes/multiplier.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "problem/bias.h"

void multiplier_lay_out(struct multiplier *multiplier, struct arena *arena,
                        const struct training *training)
{
    multiplier->w = arena_take(arena, training->width, sizeof *multiplier->w);
    multiplier->alpha = arena_take(arena, training->rows, sizeof *multiplier->alpha);
}

/* With a larger value of the constant feature, a pass leaves less of the constraint's violation,
 * but steps along a coordinate are shorter by |x_i|^2/(|x_i|^2 + value^2). On text with C = 1/256
 * .. 256, half of this PART to twice this PART takes the fewest passes. If C is so small that all
 * alpha together are less than the value, the bias must still move by about 1, a margin, in a pass.
 */
void multiplier_begin(struct multiplier *multiplier, struct training *training)
{
    static const double PART = 0.02; /* relative to the mean |x_i|^2 */
    struct problem *problem = &multiplier->problem;
    double squares = 0, costs = 0;

    for (uint32_t i = 0; i < training->rows; i++) {
        squares += problem_square(training->problem, i);
        costs += problem_cost(training->problem, i);
    }
    multiplier->free = training->problem;
    *problem = *training->problem;
    problem->bias_kind = BIAS_REGULARISED;
    problem->bias = costs > 0 ? sqrt(PART * squares / problem->rows + 1 / costs) : 1;
    multiplier->origin = (training->point.is_formed ? training->task->bias
                                                    : training->point.w[training->width - 1]) *
                         multiplier->free->bias / problem->bias;
    training->problem = problem;
    training->multiplier = multiplier;
    training->point.is_formed = 0;
}

void multiplier_end(struct training *training)
{
    const struct multiplier *multiplier = training->multiplier;

    memcpy(training->point.w, multiplier->w, training->width * sizeof *training->point.w);
    memcpy(training->point.alpha, multiplier->alpha,
           training->rows * sizeof *training->point.alpha);
    training->progress.w = training->point.w;
    training->problem = multiplier->free;
    training->multiplier = NULL;
}

/* The change of u by a pass, as a function of the origin, is 0 at the solution. The secant through
 * the last two changes finds that origin. Far from the minimum, changes of u say little, so the
 * origin moves by 1 to 10 times the last change. */
void multiplier_move(struct training *training)
{
    static const double LEAST_SLOPE = 0.1;
    struct multiplier *multiplier = training->multiplier;
    double *u = &training->point.w[training->width - 1];
    const double change = *u - multiplier->origin;
    const double slope =
        multiplier->moved != 0 ? (multiplier->change - change) / multiplier->moved : 1;
    const double move = change / clamp(slope, LEAST_SLOPE, 1);

    multiplier->change = change;
    multiplier->moved = move;
    multiplier->origin += move;
    *u += move;
    training->point.dual += move * change;
}

double multiplier_rest(const struct training *training)
{
    const double change =
        training->multiplier ? training->point.w[training->width - 1] - training->multiplier->origin
                             : 0;

    return change * change;
}

void multiplier_settle(struct training *training)
{
    const struct multiplier *multiplier = training->multiplier;
    const struct problem *problem = multiplier->free;
    const size_t last = training->width - 1;

    memcpy(multiplier->alpha, training->point.alpha,
           training->rows * sizeof *training->point.alpha);
    bias_balance(problem, multiplier->alpha);
    sums_form(&training->shards, problem, multiplier->alpha, 1, multiplier->w);
    multiplier->w[last] = training->point.w[last] * multiplier->problem.bias / problem->bias;
}
