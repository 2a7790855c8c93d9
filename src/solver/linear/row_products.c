/* row_products.c - a row that is new is multiplied with all that have slots. */
#include "solver/linear/row_products.h"

void row_products_lay_out(struct row_products *to, struct arena *arena,
                          const struct problem *problem, size_t capacity)
{
    to->capacity = capacity;
    to->slot_of = arena_take(arena, problem->rows, sizeof *to->slot_of);
    to->row_in = arena_take(arena, capacity, sizeof *to->row_in);
    to->pairs = arena_take(arena, capacity * (capacity + 1) / 2, sizeof *to->pairs);
    to->dense = arena_take(arena, problem_width(problem), sizeof *to->dense);
    if (team_is_shared(problem->team))
        to->missing = arena_take(arena, capacity, sizeof *to->missing);
}

void row_products_free(struct row_products *products)
{
    lent_rows_free(&products->lent);
}

void row_products_clear(struct row_products *products)
{
    products->slots = 0;
    lent_rows_clear(&products->lent);
}

void row_products_weigh(struct row_products *products, const double *square)
{
    row_products_clear(products);
    products->square = square;
}

/* square_k */
static double square_of(const struct row_products *products, size_t k)
{
    return products->square ? products->square[k] : 1;
}

static int has_slot(const struct row_products *products, uint32_t i)
{
    return products->slot_of[i] < products->slots && products->row_in[products->slot_of[i]] == i;
}

/* Makes room for rows that have no slot, and in a team gets them. 0: they are not to be had. */
static int prepare(struct row_products *products, const struct problem *problem,
                   const uint32_t *row, size_t count)
{
    uint32_t missing = 0;

    for (size_t k = 0; k < count; k++)
        missing += !has_slot(products, row[k]);
    if (products->slots + missing > products->capacity)
        row_products_clear(products);
    if (!products->missing)
        return 1;
    missing = 0;
    for (uint32_t k = 0; k < count; k++)
        if (!has_slot(products, row[k]))
            products->missing[missing++] = k;
    return lent_rows_append(&products->lent, problem, products->missing, missing);
}

/* A row that has a slot. */
static struct sparse row_in_slot(const struct row_products *products, const struct problem *problem,
                                 size_t slot)
{
    return products->missing ? sparse_row(&products->lent.data.x, slot)
                             : problem_row(problem, products->row_in[slot]);
}

/* Gives a row the next slot, and multiplies it with all that have one. */
static void add(struct row_products *products, const struct problem *problem, uint32_t i)
{
    const double constant = problem_constant(problem);
    const double of_bias =
        constant != 0 ? constant * constant * square_of(products, problem_width(problem) - 1) : 0;
    const size_t slot = products->slots++;
    struct sparse x;

    products->row_in[slot] = i;
    products->slot_of[i] = (uint32_t)slot;
    x = row_in_slot(products, problem, slot);
    for (size_t k = 0; k < x.count; k++)
        products->dense[index_at(&x, k)] = value_at(&x, k) * square_of(products, index_at(&x, k));
    for (size_t other = 0; other <= slot; other++) {
        const struct sparse its = row_in_slot(products, problem, other);

        products->pairs[slot * (slot + 1) / 2 + other] =
            sparse_dot(&its, products->dense) + of_bias;
    }
    for (size_t k = 0; k < x.count; k++)
        products->dense[index_at(&x, k)] = 0;
}

int row_products_form(struct row_products *products, const struct problem *problem,
                      const uint32_t *row, size_t count, const struct stop *stop)
{
    if (!prepare(products, problem, row, count))
        return 0;
    for (size_t k = 0; k < count; k++) {
        if (stop_is_asked(stop))
            return 0;
        if (!has_slot(products, row[k]))
            add(products, problem, row[k]);
    }
    return 1;
}
