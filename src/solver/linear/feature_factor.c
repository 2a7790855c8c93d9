/* feature_factor.c - U_kj = (A_kj - sum over lines above of U_ik U_ij) / U_kk, line by line while
 * features are rare, then a dense block.
 *
 * Features that are equal in all rows, with units s_j, are one feature with the unit q, q^2 = sum
 * s_j^2, in the direction of s, and have no part in X'WX in the directions across it.
 */
#include <math.h>
#include <string.h>

#include "problem/gram.h"
#include "solver/linear/cholesky.h"
#include "solver/linear/feature_factor.h"

/* Sets norms and shares. */
static void set_units(struct feature_order *order, const double *unit)
{
    const size_t places = order->leading + order->dense;

    memset(order->norm, 0, places * sizeof *order->norm);
    for (size_t j = 0; j < order->width; j++)
        order->norm[order->place[j]] += unit ? unit[j] * unit[j] : 1;
    for (size_t p = 0; p < places; p++)
        order->norm[p] = sqrt(order->norm[p]);
    for (size_t j = 0; j < order->width; j++) {
        const double norm = order->norm[order->place[j]];

        order->share[j] = norm > 0 ? (unit ? unit[j] : 1) / norm : 0;
    }
}

/* Sets the sum to line k of scale X'WX with units, from place k on. */
static void add_line(struct feature_order *order, const struct problem *problem,
                     const double *weight, double scale, size_t k)
{
    const size_t places = order->leading + order->dense;
    const double of_line = scale * order->norm[k];

    for (size_t e = order->first[k]; e < order->first[k + 1]; e++) {
        const struct sparse x = problem_row(problem, order->row[e]);
        const double multiple = of_line * weight[order->row[e]] * order->value[e];

        for (size_t l = 0; l < x.count && multiple != 0; l++) {
            const uint32_t place = order->own_place[index_at(&x, l)];

            if (place >= k && place != NO_PLACE)
                order->sum[place] += multiple * value_at(&x, l) * order->norm[place];
        }
        if (problem->bias_kind != BIAS_NONE)
            order->sum[places - 1] += multiple * problem->bias * order->norm[places - 1];
    }
}

/* Sets line k of U from the sum, which becomes 0. */
static void finish_line(struct feature_order *order, size_t k, double *entries)
{
    double *const sum = order->sum, *const dense_sum = sum + order->leading;
    double factor;

    for (size_t a = order->above[k]; a < order->above[k + 1]; a++) {
        const size_t line = order->line[a];
        const double multiple = entries[order->entry[a]];

        for (size_t e = order->entry[a]; e < order->tail[line]; e++)
            sum[order->column[e]] -= multiple * entries[e];
        for (size_t e = order->tail[line]; e < order->start[line + 1]; e++)
            dense_sum[order->column[e]] -= multiple * entries[e];
    }
    factor = 1 / sqrt(fmax(1 + sum[k], 1));
    order->diagonal[k] = factor;
    sum[k] = 0;
    for (size_t e = order->start[k]; e < order->start[k + 1]; e++) {
        double *const at = (e < order->tail[k] ? sum : dense_sum) + order->column[e];

        entries[e] = factor * *at;
        *at = 0;
    }
}

double feature_factor_form(struct feature_order *order, const struct problem *problem,
                           const double *products, const double *weight, double scale,
                           const double *unit, double *factor, const struct stop *stop)
{
    const size_t dense = order->dense, leading = order->leading;
    double *const entries = factor + dense * dense, *const norm = order->norm + leading;
    double trace = (double)order->width;

    set_units(order, unit);
    for (size_t i = 0; i < dense; i++) {
        for (size_t j = i; j < dense; j++)
            factor[i * dense + j] = scale * norm[i] * norm[j] * products[i * dense + j];
        trace += factor[i * (dense + 1)];
    }
    for (size_t k = 0; k < leading; k++) {
        const size_t tail = order->tail[k], end = order->start[k + 1];
        struct gram_rows line = {.count = 1, .weight = {-1}};

        add_line(order, problem, weight, scale, k);
        trace += order->sum[k];
        finish_line(order, k, entries);
        line.x[0] = (struct sparse){.index_kind = HINGE_INDEX_32,
                                    .value_kind = HINGE_VALUE_DOUBLE,
                                    .index = order->column + tail,
                                    .value = entries + tail,
                                    .unit = 1,
                                    .count = end - tail};
        gram_add(&line, factor, dense);
    }
    return cholesky_factor(factor, dense, stop) ? trace : 0;
}

void feature_factor_solve(const struct feature_order *order, const double *factor, double *p)
{
    const size_t dense = order->dense, leading = order->leading;
    const double *const entries = factor + dense * dense;
    double *const folded = order->folded, *const y = folded + leading + dense;
    double *const dense_y = y + leading;

    memset(folded, 0, (leading + dense) * sizeof *folded);
    for (size_t j = 0; j < order->width; j++)
        folded[order->place[j]] += order->share[j] * p[j];
    memcpy(y, folded, (leading + dense) * sizeof *y);
    for (size_t k = 0; k < leading; k++) {
        y[k] *= order->diagonal[k];
        for (size_t e = order->start[k]; e < order->tail[k]; e++)
            y[order->column[e]] -= y[k] * entries[e];
        for (size_t e = order->tail[k]; e < order->start[k + 1]; e++)
            dense_y[order->column[e]] -= y[k] * entries[e];
    }
    cholesky_solve(factor, dense, dense_y);
    for (size_t k = leading; k-- > 0;) {
        double rest = y[k];

        for (size_t e = order->start[k]; e < order->tail[k]; e++)
            rest -= y[order->column[e]] * entries[e];
        for (size_t e = order->tail[k]; e < order->start[k + 1]; e++)
            rest -= dense_y[order->column[e]] * entries[e];
        y[k] = rest * order->diagonal[k];
    }
    for (size_t j = 0; j < order->width; j++) {
        const double share = order->share[j];

        p[j] = share * y[order->place[j]] + (p[j] - share * folded[order->place[j]]);
    }
}
