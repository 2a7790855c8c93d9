/* paged_order.h - a random order of rows that are in a temporary file: some pages, drawn at random,
 * that are in memory together; their rows, shuffled; the next pages.
 *
 * Shuffled over all pages, nearly each row would have to be read by itself. As pages are drawn
 * anew each time, data that are sorted do no harm.
 */
#ifndef HINGE_SOLVER_PASSES_PAGED_ORDER_H
#define HINGE_SOLVER_PASSES_PAGED_ORDER_H

#include "base/memory.h"
#include "base/random.h"
#include "problem/problem.h"

struct paged_order {
    const struct problem *problem;
    uint32_t stride;  /* rows of the problem that an item is, which follow each other */
    uint32_t *page;   /* [pages] in random order, */
    uint32_t *group;  /* [pages] and that of a page */
    uint32_t *sorted; /* [items] the caller's */
    uint32_t groups;
    uint32_t *end; /* [groups] items up to there belong to it and those before */
};

/* Takes its arrays from the arena, none if the rows of the problem are all in memory; sorted[items]
 * is overwritten in each shuffle, and free between them. */
void paged_order_lay_out(struct paged_order *order, struct arena *arena,
                         const struct problem *problem, uint32_t stride, uint32_t *sorted);

/* Puts items, of which each begins at row item * stride, into such an order, and sets end. */
void paged_order_shuffle(struct paged_order *order, struct random_state *random, uint32_t *item,
                         uint32_t count);

#endif
