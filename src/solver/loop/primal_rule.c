/* primal_rule.c - |grad P(w)| <= eps max(min(#pos, #neg), 1)/m |grad P(0)|, where
 * grad P(w) = w - sum C_i phi'(s_i) y_i x_i.
 */
#include "solver/loop/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "problem/loss_rows.h"
#include "problem/sums.h"
#include "solver/passes/multiplier.h"

int primal_rule_is_asked(const struct training *training)
{
    return training->parameters->eps > 0 && training->task->solver->primal_rule;
}

struct slopes {
    const struct problem *problem;
    const double *w; /* [width]; NULL: 0 */
};

/* Adds the shard's part of sum C_i phi'(s_i) y_i x_i, for a smooth loss. */
static void add_slopes(void *context, const struct shard *shard)
{
    const struct slopes *slopes = context;
    const struct problem *problem = slopes->problem;
    const enum loss loss = problem->loss;
    double z[ROWS_AT_ONCE] = {0}, room[ROWS_AT_ONCE], slack[ROWS_AT_ONCE];
    double value[ROWS_AT_ONCE], slope[ROWS_AT_ONCE], curvature[ROWS_AT_ONCE];

    for (uint32_t first = shard->first, count; first < shard->end; first += count) {
        count = block_end(first, shard->end) - first;
        if (slopes->w)
            sums_margins_some(problem, slopes->w, first, first + count, z);
        for (uint32_t k = 0; k < count; k++)
            slack[k] = problem_target(problem, first + k, loss) - z[k];
        loss_rows_points(loss, count, problem_costs(problem, first, count, room), slack, value,
                         slope, curvature);
        sums_combine_some(problem, all_rows(problem), slope, 1, first, first + count,
                          shard->vector);
    }
}

/* Returns |grad P| at w; w NULL: at 0. Overwrites v[width]. */
static double gradient(const struct training *training, const struct problem *problem,
                       const double *w, double *v)
{
    const size_t penalised = problem_penalised(problem); /* not a free bias */
    struct slopes slopes = {problem, w};
    double square = 0;

    memset(v, 0, training->width * sizeof *v);
    sums_run(&training->shards, all_rows(problem), add_slopes, &slopes, NULL, v);
    for (size_t j = 0; j < training->width; j++) {
        const double slope = (w && j < penalised ? w[j] : 0) - v[j];

        square += slope * slope;
    }
    return sqrt(square);
}

double primal_rule_fewer(const struct problem *problem)
{
    double positive = 0;

    for (uint32_t i = 0; i < problem->rows; i++)
        positive += problem->sign[i] > 0;
    return fmax(fmin(positive, problem->rows - positive), 1);
}

double primal_rule_most(struct training *training, double *room)
{
    const struct problem *problem =
        training->multiplier ? training->multiplier->free : training->problem;
    const double fewer =
        loss_has_targets(problem->loss) ? problem->rows : primal_rule_fewer(problem);

    if (training->at_zero == 0)
        training->at_zero = gradient(training, problem, NULL, room);
    return training->parameters->eps * fewer / fmax(problem->rows, 1) * training->at_zero;
}

int primal_rule_holds(struct training *training)
{
    const struct multiplier *multiplier = training->multiplier;
    const struct problem *problem = multiplier ? multiplier->free : training->problem;
    struct hinge_error ignored;
    double *room = array_new(training->width, sizeof *room, &ignored);
    int holds;

    if (!room)
        return 0;
    if (multiplier)
        multiplier_settle(training);
    holds = gradient(training, problem, multiplier ? multiplier->w : training->point.w, room) <=
            primal_rule_most(training, room);
    free(room);
    return holds;
}
