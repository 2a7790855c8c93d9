/* large.c - drawing, training, P and D row by row. */
#include "large.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "slow_loss.h"
#include "toy.h"

void large_draw(struct large *large, uint64_t random, size_t rows, size_t in_row, size_t strip,
                double C, enum loss loss, double bias)
{
    struct hinge_dataset *data = &large->data;

    assert_true(rows <= LARGE_ROWS && rows * in_row <= LARGE_NONZEROS &&
                in_row * strip < LARGE_WIDTH);
    memset(large, 0, sizeof *large);
    *data = (struct hinge_dataset){.x = {.rows = rows,
                                         .start = large->start,
                                         .index_kind = HINGE_INDEX_32,
                                         .value_kind = HINGE_VALUE_DOUBLE,
                                         .index = large->index,
                                         .value = large->value},
                                   .features = (uint32_t)(in_row * strip)};
    for (size_t i = 0; i < rows; i++) {
        data->x.start[i] = data->x.nonzeros;
        for (size_t k = 0; k < in_row; k++) {
            large->index[data->x.nonzeros] = (uint32_t)(k * strip + random_index(&random, strip));
            large->value[data->x.nonzeros++] = random_between(&random, -1, 1);
        }
        large->row[i] = (uint32_t)i;
        large->sign[i] =
            (large->value[data->x.start[i]] > 0) != (random_unit(&random) < 0.2) ? 1 : -1;
        large->cost[i] = C * exp2(random_unit(&random));
    }
    data->x.start[rows] = data->x.nonzeros;
    large->problem = (struct problem){.data = data,
                                      .rows = (uint32_t)rows,
                                      .row = large->row,
                                      .sign = large->sign,
                                      .cost = large->cost,
                                      .loss = loss,
                                      .bias_kind = bias < 0 ? BIAS_NONE : BIAS_REGULARISED,
                                      .bias = bias};
}

void large_number(struct large *large, unsigned long number, enum loss loss)
{
    const int full = number % 2 == 0;
    const size_t rows = number % 4 == 0 ? 4000 : full ? 300 : 30;

    large_draw(large, 0x9e3779b97f4a7c15 * (number + 1), rows, full ? 12 : 5, full ? 1 : 400,
               exp2((double)(number / 2 % 5) * 4 - 8), loss, number % 3 ? 1 : -1);
}

struct hinge_result large_solve(struct large *large, int solver,
                                const struct hinge_parameters *parameters,
                                const struct hinge_monitor *monitor)
{
    struct hinge_error error;
    struct hinge_result result;
    struct task task = {.problem = &large->problem,
                        .solver = solver_find(solver),
                        .parameters = parameters,
                        .monitor = monitor,
                        .problems = 1,
                        .positive = 1,
                        .alpha = large->alpha,
                        .w = large->w,
                        .workspace = workspace_new(&error)};

    assert_non_null(task.workspace);
    memset(large->alpha, 0, sizeof large->alpha);
    memset(large->w, 0xff, sizeof large->w);
    assert_int_equal(solver_train(&task, &result, &error), HINGE_OK);
    workspace_free(task.workspace);
    return result;
}

/* P(w), or D(alpha) if w is NULL. */
static double large_value(const struct large *large, const double *w)
{
    static long double v[LARGE_WIDTH];
    const enum loss loss = large->problem.loss;
    const size_t features = large->data.features;
    const long double bias = fmax(large->problem.bias, 0);
    long double total = 0;

    memset(v, 0, sizeof v);
    for (size_t j = 0; w && j < features + (bias > 0); j++)
        v[j] = w[j];
    for (size_t i = 0; i < large->data.x.rows; i++) {
        const long double alpha = large->alpha[i], cost = large->cost[i];
        long double slack = loss_target(loss) - large->sign[i] * v[features] * bias;

        for (size_t k = large->start[i]; k < large->start[i + 1]; k++) {
            slack -= large->sign[i] * v[large->index[k]] * large->value[k];
            if (!w)
                v[large->index[k]] += alpha * large->sign[i] * large->value[k];
        }
        if (w)
            total += slow_loss(loss, cost, slack);
        else
            total += slow_conjugate(loss, cost, alpha) - loss_target(loss) * alpha;
        if (!w)
            v[features] += alpha * large->sign[i] * bias;
    }
    for (size_t j = 0; j < LARGE_WIDTH; j++)
        total += v[j] * v[j] / 2;
    return (double)total;
}

double large_primal(const struct large *large)
{
    return large_value(large, large->w);
}

double large_dual(const struct large *large)
{
    return large_value(large, NULL);
}

int large_is_true(const struct large *large, const struct hinge_result *result)
{
    size_t support = 0;
    int feasible = 1;

    for (size_t i = 0; i < large->data.x.rows; i++) {
        const double most = loss_is_squared(large->problem.loss) ? DBL_MAX : large->cost[i];

        feasible &= large->alpha[i] >= 0 && large->alpha[i] <= most;
        support += large->alpha[i] > 0;
    }
    return feasible && result->support_vectors == support &&
           fabs(result->primal - large_primal(large)) <=
               (1e-11 + result->rounding) * result->primal &&
           fabs(result->dual - large_dual(large)) <= (1e-11 + result->rounding) * result->primal;
}
