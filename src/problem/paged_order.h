/* paged_order.h - a random order of rows in a temporary file: the shuffled rows of some pages drawn
 * at random, which are in memory together, then the rows of the next pages.
 *
 * In a shuffle over all pages, nearly each row would have to be read by itself. Pages are drawn
 * anew each time, so sorted data do no harm.
 */
#ifndef HINGE_PROBLEM_PAGED_ORDER_H
#define HINGE_PROBLEM_PAGED_ORDER_H

#include "base/memory.h"
#include "base/random.h"
#include "problem/problem.h"

struct paged_order {
    const struct problem *problem;
    uint32_t stride;  /* consecutive rows of the problem that one item stands for */
    uint32_t *page;   /* [pages] in random order */
    uint32_t *group;  /* [pages] group of a page */
    uint32_t *sorted; /* [items] the caller's */
    uint32_t groups;  /* number of groups */
    uint32_t *end;    /* [groups + 1] ends of the groups' items while they are sorted */
};

/* Takes the order's arrays from the arena; none if all rows are in memory. sorted[items] is
 * overwritten by each shuffle, and free in between. */
void paged_order_lay_out(struct paged_order *order, struct arena *arena,
                         const struct problem *problem, uint32_t stride, uint32_t *sorted);

/* Puts items, each of which begins at row item * stride, into a random order by pages. */
void paged_order_shuffle(struct paged_order *order, struct random_state *random, uint32_t *item,
                         uint32_t count);

#endif
