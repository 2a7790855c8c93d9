/* paged_order.c - shuffle the pages; as many as fit in memory are a group; sort the items by group;
 * shuffle each group. */
#include "problem/paged_order.h"

#include <string.h>

void paged_order_lay_out(struct paged_order *order, struct arena *arena,
                         const struct problem *problem, uint32_t stride, uint32_t *sorted)
{
    const struct hinge_pages *paged = problem->data->x.pages;
    const size_t pages = paged ? pages_count(paged) : 0;

    *order = (struct paged_order){.problem = problem, .stride = stride, .sorted = sorted};
    order->page = arena_take(arena, pages, sizeof *order->page);
    order->group = arena_take(arena, pages, sizeof *order->group);
    order->end = arena_take(arena, pages + 1, sizeof *order->end);
    if (paged)
        order->groups = (uint32_t)((pages + pages_at_once(paged) - 1) / pages_at_once(paged));
}

static uint32_t group_of(const struct paged_order *order, uint32_t item)
{
    const struct problem *problem = order->problem;
    const uint32_t row = problem->row[(size_t)item * order->stride];

    return order->group[pages_of_row(problem->data->x.pages, row)];
}

void paged_order_shuffle(struct paged_order *order, struct random_state *random, uint32_t *item,
                         uint32_t count)
{
    const struct hinge_pages *paged = order->problem->data->x.pages;
    const uint32_t pages = (uint32_t)pages_count(paged);

    for (uint32_t p = 0; p < pages; p++)
        order->page[p] = p;
    random_shuffle(random, order->page, pages);
    for (uint32_t p = 0; p < pages; p++)
        order->group[order->page[p]] = (uint32_t)(p / pages_at_once(paged));

    memset(order->end, 0, (order->groups + (size_t)1) * sizeof *order->end);
    for (uint32_t s = 0; s < count; s++)
        order->end[group_of(order, item[s]) + 1]++;
    for (uint32_t g = 0; g < order->groups; g++)
        order->end[g + 1] += order->end[g];
    for (uint32_t s = 0; s < count; s++) /* end[g] moves from the beginning of group g to its end */
        order->sorted[order->end[group_of(order, item[s])]++] = item[s];
    for (uint32_t g = 0, first = 0; g < order->groups; first = order->end[g++])
        random_shuffle(random, order->sorted + first, order->end[g] - first);
    memcpy(item, order->sorted, count * sizeof *item);
}
