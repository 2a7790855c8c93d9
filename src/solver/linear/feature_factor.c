/* feature_factor.c - U_kj = (A_kj - sum over lines above of U_ik U_ij) / U_kk, line by line while
 * features are rare, then a dense block.
 *
 * X'WX is updated by the rows whose weights changed, or formed anew, whichever takes fewer rows.
 *
 * Features that are equal in all rows, with units s_j, are one feature in the direction of s, with
 * the unit q, q^2 = sum s_j^2. In the directions across s, X'WX is 0.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem/gram.h"
#include "solver/linear/cholesky.h"
#include "solver/linear/primal_factor.h"

/* ---- X'WX ---------------------------------------------------------------- */

void feature_products_lay_out(struct feature_products *to, struct arena *arena,
                              const struct problem *problem)
{
    const size_t rows = problem->rows, width = problem_width(problem);

    to->width = width;
    to->sum = arena_take(arena, width * width, sizeof *to->sum);
    to->summed = arena_take(arena, rows, sizeof *to->summed);
    to->holder = arena_take(arena, rows, sizeof *to->holder);
    to->most_changes = problem->rows / 4;
    to->changed = arena_take(arena, to->most_changes + (size_t)1, sizeof *to->changed);
    to->change = arena_take(arena, to->most_changes + (size_t)1, sizeof *to->change);
}

void feature_products_free(struct feature_products *products)
{
    feature_order_free(&products->order);
    gathered_rows_free(&products->gathered);
    free(products->partial);
}

static size_t order_of(const struct feature_products *products)
{
    return products->order.block ? products->order.dense : products->width;
}

void feature_products_clear(struct feature_products *products, size_t rows)
{
    memset(products->sum, 0, order_of(products) * order_of(products) * sizeof *products->sum);
    memset(products->summed, 0, rows * sizeof *products->summed);
    products->holders = 0;
    gathered_rows_clear(&products->gathered);
}

/* Outer products of the features in the dense block. */
struct dense_part {
    const struct problem *problem;
    const struct feature_order *order;
    struct selection rows;
    const double *weight;
    const struct stop *stop;
};

static void add_dense_part(void *context, const struct shard *shard)
{
    enum { MANY = 4096 }; /* rows, a few milliseconds */
    const struct dense_part *part = context;
    const struct feature_order *order = part->order;
    uint32_t index[MOST_ORDER];
    double value[MOST_ORDER];
    struct gram_rows some = {.constant = part->problem->bias,
                             .has_constant = part->problem->bias_kind != BIAS_NONE};
    size_t used = 0;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const struct sparse x = problem_row(part->problem, selected(&part->rows, s));
        size_t count = 0;

        if (s % MANY == 0 && stop_is_asked(part->stop))
            return;
        if (some.count == GRAM_ROWS || used + x.count > MOST_ORDER) {
            gram_add(&some, shard->vector, order->dense);
            some.count = used = 0;
        }
        for (size_t k = 0; k < x.count; k++) {
            const size_t place = order->own_place[index_at(&x, k)] - order->leading;

            index[used + count] = (uint32_t)place;
            value[used + count] = value_at(&x, k);
            count += place < order->dense;
        }
        some.x[some.count] = (struct sparse){.index_kind = HINGE_INDEX_32,
                                             .value_kind = HINGE_VALUE_DOUBLE,
                                             .index = index + used,
                                             .value = value + used,
                                             .unit = 1,
                                             .count = count};
        some.weight[some.count++] = part->weight[s];
        used += count;
    }
    gram_add(&some, shard->vector, order->dense);
}

/* Adds the outer products of rows to the sum. count is the number of these rows on all ranks. Each
 * of several threads needs memory for a partial sum. */
static void add(struct feature_products *products, const struct products_work *work,
                struct selection rows, double count, const double *weight)
{
    static const double MOST = 67108864; /* numbers of partial sums, 512 MB */
    const double mean = work->nonzeros / fmax(work->count, 1);
    const size_t order = order_of(products), numbers = order * order;
    struct gathered_rows *gathered = &products->gathered;
    struct problem all = *work->problem;
    struct shards shards =
        shards_of(work->problem, SUM_OF_PRODUCTS, count * mean * mean / 2, numbers);
    struct hinge_error ignored;

    if (count == 0) /* a sum over no rows would still take rounds in a team */
        return;
    shards.order = order;
    shards.partial = work->room;
    shards.over = count;
    shards.threads = shards.count > 1 ? work->threads : 1;
    if (shards_threads(&shards, rows.count) > 1) {
        shards.threads = (unsigned)fmin(work->threads, floor(MOST / (double)numbers));
        if (shards.threads > 1 && products->partials < shards.threads * numbers) {
            free(products->partial);
            products->partial = array_new(numbers, shards.threads * sizeof(double), &ignored);
            shards.threads = products->partial ? shards.threads : 0;
            products->partials = shards.threads * numbers;
        }
    }
    if (shards_threads(&shards, rows.count) > 1)
        shards.partial = products->partial;
    if (shards.team && shards.count == 1) { /* each rank adds the products of all ranks' rows */
        if (!gathered_rows_view(gathered, work->problem, rows.row, weight, rows.count, &all))
            return;
        shards.team = NULL;
        rows = all_rows(&all);
        weight = gathered->weight;
    }
    if (products->order.block) {
        struct dense_part part = {&all, &products->order, rows, weight, work->stop};

        sums_run(&shards, rows, add_dense_part, &part, NULL, products->sum);
    } else {
        sums_outer(&shards, &all, rows, weight, work->stop, products->sum);
    }
}

/* Lists the rows whose weight changed, until there are too many, and returns their number. The
 * first *came rows have a weight. The others had one before. A negative entry in summed marks a row
 * with a weight. The loops have no branch for a change, because it would be mispredicted. */
static uint32_t list_changes(struct feature_products *products, struct selection rows,
                             const double *weight, uint32_t *came)
{
    const uint32_t most = products->most_changes;
    double *summed = products->summed;
    uint32_t changes = 0;

    if (products->holders == 0 && rows.count > most) /* all have changed */
        return most + 1;
    for (uint32_t s = 0; s < rows.count && changes <= most; s++) {
        const uint32_t i = rows.row[s];

        products->changed[changes] = i;
        products->change[changes] = weight[s] - summed[i];
        changes += products->change[changes] != 0;
        summed[i] = -weight[s];
    }
    *came = changes;
    for (uint32_t s = 0; s < products->holders && changes <= most; s++) {
        const uint32_t i = products->holder[s];
        const double before = summed[i];

        products->changed[changes] = i;
        products->change[changes] = -before;
        changes += before > 0;
        summed[i] = before > 0 ? 0 : before;
    }
    return changes;
}

void feature_products_form(struct feature_products *products, const struct products_work *work,
                           struct selection rows, const double *weight)
{
    uint32_t came = 0;
    const uint32_t changes = list_changes(products, rows, weight, &came);
    double all[2] = {changes, came}; /* changed rows of all ranks; those with a weight */

    team_add(work->problem->team, all, 2);
    if (all[0] <= products->most_changes && all[0] < work->count) {
        add(products, work, (struct selection){products->changed, came}, all[1], products->change);
        add(products, work, (struct selection){products->changed + came, changes - came},
            all[0] - all[1], products->change + came);
    } else {
        memset(products->sum, 0, order_of(products) * order_of(products) * sizeof *products->sum);
        add(products, work, rows, work->count, weight);
        for (uint32_t s = 0; s < products->holders; s++)
            products->summed[products->holder[s]] = 0;
    }
    if (stop_is_asked(work->stop)) { /* the sum may lack rows, and the next training uses it */
        feature_products_clear(products, work->problem->rows);
        return;
    }
    products->holders = rows.count;
    for (uint32_t s = 0; s < rows.count; s++) {
        products->holder[s] = rows.row[s];
        products->summed[rows.row[s]] = weight[s];
    }
}

/* ---- The factor ---------------------------------------------------------- */

/* Sets line k of U from line k of A = scale S X'WX S, and adds A_kk to the trace. */
static void eliminate(struct feature_order *order, const struct problem *problem,
                      const double *weight, double scale, size_t k, double *entries, double *trace)
{
    double *const sum = order->sum, *const dense_sum = sum + order->leading;
    const size_t last = order->leading + order->dense - 1;
    const double of_line = scale * order->norm[k];
    double factor;

    for (size_t e = order->first[k]; e < order->first[k + 1]; e++) {
        const struct sparse x = problem_row(problem, order->row[e]);
        const double multiple = of_line * weight[order->row[e]] * order->value[e];

        for (size_t l = 0; l < x.count && multiple != 0; l++) {
            const uint32_t place = order->own_place[index_at(&x, l)];

            if (place >= k && place != NO_PLACE)
                sum[place] += multiple * value_at(&x, l) * order->norm[place];
        }
        if (problem->bias_kind != BIAS_NONE)
            sum[last] += multiple * problem->bias * order->norm[last];
    }
    *trace += sum[k];
    for (size_t a = order->above[k]; a < order->above[k + 1]; a++) {
        const size_t above = order->line[a];
        const double multiple = entries[order->entry[a]];

        for (size_t e = order->entry[a]; e < order->tail[above]; e++)
            sum[order->column[e]] -= multiple * entries[e];
        for (size_t e = order->tail[above]; e < order->start[above + 1]; e++)
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

double feature_factor_form(struct feature_products *products, const struct problem *problem,
                           double scale, const double *unit, double *factor,
                           const struct stop *stop)
{
    struct feature_order *order = &products->order;
    const size_t width = products->width, dense = order->dense, leading = order->leading;
    const double *sum = products->sum;
    double trace = (double)width, *entries, *norm;

    if (!order->block) {
        for (size_t i = 0; i < width; i++) {
            for (size_t j = i; j < width; j++)
                factor[i * width + j] = scale * sum[i * width + j];
            for (size_t j = i; unit && j < width; j++)
                factor[i * width + j] *= unit[i] * unit[j];
            trace += factor[i * (width + 1)];
        }
        return cholesky_factor(factor, width, stop) ? trace : 0;
    }
    entries = factor + dense * dense;
    norm = order->norm + leading;
    memset(order->norm, 0, (leading + dense) * sizeof *order->norm);
    for (size_t j = 0; j < width; j++)
        order->norm[order->place[j]] += unit ? unit[j] * unit[j] : 1;
    for (size_t p = 0; p < leading + dense; p++)
        order->norm[p] = sqrt(order->norm[p]);
    for (size_t j = 0; j < width; j++) {
        const double of_place = order->norm[order->place[j]];

        order->share[j] = of_place > 0 ? (unit ? unit[j] : 1) / of_place : 0;
    }
    for (size_t i = 0; i < dense; i++) {
        for (size_t j = i; j < dense; j++)
            factor[i * dense + j] = scale * norm[i] * norm[j] * sum[i * dense + j];
        trace += factor[i * (dense + 1)];
    }
    for (size_t k = 0; k < leading; k++) {
        const size_t tail = order->tail[k], end = order->start[k + 1];
        struct gram_rows line = {.count = 1, .weight = {-1}};

        eliminate(order, problem, products->summed, scale, k, entries, &trace);
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

void feature_factor_solve(const struct feature_products *products, const double *factor, double *p)
{
    const struct feature_order *order = &products->order;
    const size_t dense = order->dense, leading = order->leading;
    const double *entries;
    double *const folded = order->folded, *y, *dense_y;

    if (!order->block) {
        cholesky_solve(factor, products->width, p);
        return;
    }
    entries = factor + dense * dense;
    y = folded + leading + dense;
    dense_y = y + leading;
    memset(folded, 0, (leading + dense) * sizeof *folded);
    for (size_t j = 0; j < products->width; j++)
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
    for (size_t j = 0; j < products->width; j++) {
        const double share = order->share[j];

        p[j] = share * y[order->place[j]] + (p[j] - share * folded[order->place[j]]);
    }
}
