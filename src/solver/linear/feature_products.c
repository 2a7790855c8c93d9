/* feature_products.c - X'WX += sum of changes of weights, or X'WX anew, whichever has fewer rows.
 */
#include "solver/linear/feature_products.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem/gram.h"
#include "problem/sums.h"

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
    gathered_rows_free(&products->gathered);
    free(products->partial);
}

void feature_products_set_order(struct feature_products *products, const struct problem *problem,
                                const struct feature_order *order)
{
    free(products->partial); /* too small for a larger width */
    products->partial = NULL;
    products->partials = 0;
    products->order = order;
    products->width = order ? order->dense : problem_width(problem);
}

void feature_products_clear(struct feature_products *products, size_t rows)
{
    memset(products->sum, 0, products->width * products->width * sizeof *products->sum);
    memset(products->summed, 0, rows * sizeof *products->summed);
    products->holders = 0;
    gathered_rows_clear(&products->gathered);
}

/* Returns how many threads have memory for a partial sum each; 1 without memory for more. */
static unsigned partial_sums(struct feature_products *products, unsigned most)
{
    static const double MOST = 67108864; /* numbers, 512 MB */
    const size_t width = products->width;
    const unsigned threads = (unsigned)fmin(most, floor(MOST / ((double)width * (double)width)));
    struct hinge_error ignored;

    if (threads < 2 || products->partials >= threads)
        return threads;
    free(products->partial);
    products->partials = 0;
    products->partial = array_new(width * width, threads * sizeof(double), &ignored);
    if (products->partial)
        products->partials = threads;
    return products->partials;
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

/* Adds the outer products of so many rows, count of all ranks, to sum. */
static void add(struct feature_products *products, const struct products_work *work,
                struct selection rows, double count, const double *weight)
{
    const double mean = work->nonzeros / fmax(work->count, 1);
    struct gathered_rows *gathered = &products->gathered;
    struct problem all = *work->problem;
    struct shards shards = shards_of(work->problem, SUM_OF_PRODUCTS, count * mean * mean / 2,
                                     products->width * products->width);

    if (count == 0) /* a sum over no rows would still take rounds in a team */
        return;
    shards.order = products->width;
    shards.partial = work->room;
    shards.over = count;
    shards.threads = shards.count > 1 ? work->threads : 1;
    if (shards_threads(&shards, rows.count) > 1)
        shards.threads = partial_sums(products, work->threads);
    if (shards_threads(&shards, rows.count) > 1)
        shards.partial = products->partial;
    if (shards.team && shards.count == 1) { /* each rank adds the products of all ranks' rows */
        gathered_rows_clear(gathered);
        if (!gathered_rows_list(gathered, &all, rows.row, weight, rows.count) ||
            !gathered_rows_append(gathered, &all, NULL, gathered->listed))
            return;
        all.data = &gathered->data;
        all.row = gathered->number;
        all.rows = (uint32_t)gathered->listed;
        shards.team = all.team = NULL;
        rows = all_rows(&all);
        weight = gathered->weight;
    }
    if (products->order) {
        struct dense_part part = {&all, products->order, rows, weight, work->stop};

        sums_run(&shards, rows, add_dense_part, &part, NULL, products->sum);
    } else {
        sums_outer(&shards, &all, rows, weight, work->stop, products->sum);
    }
}

/* Lists rows whose weight changed, until there are too many. First come rows that have a weight,
 * which *came counts; their entry in summed becomes negative as a mark. Then come other rows that
 * had one. Which rows have changed is as good as random, so there is no branch. Returns how many.
 */
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
    double all[2] = {changes, came}; /* rows that changed, of all ranks; those that came */

    team_add(work->problem->team, all, 2);
    if (all[0] <= products->most_changes && all[0] < work->count) {
        add(products, work, (struct selection){products->changed, came}, all[1], products->change);
        add(products, work, (struct selection){products->changed + came, changes - came},
            all[0] - all[1], products->change + came);
    } else {
        memset(products->sum, 0, products->width * products->width * sizeof *products->sum);
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
