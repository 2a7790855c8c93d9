/* row_products.c - rows that are new are multiplied with all that have slots: where those have no
 * indices and are long, several new ones with a few at a time, which stay in the cache for them.
 */
#include "solver/linear/row_products.h"

enum { LANES = 8, AT_ONCE = 16 };

void row_products_lay_out(struct row_products *to, struct arena *arena,
                          const struct problem *problem, size_t capacity)
{
    to->capacity = capacity;
    to->slot_of = arena_take(arena, problem->rows, sizeof *to->slot_of);
    to->row_in = arena_take(arena, capacity, sizeof *to->row_in);
    to->pairs = arena_take(arena, capacity * (capacity + 1) / 2, sizeof *to->pairs);
    to->lanes = has_whole_rows(&problem->data->x) ? LANES : 1;
    to->dense = arena_take(arena, problem_width(problem) * to->lanes, sizeof *to->dense);
    if (team_is_shared(problem->team))
        to->missing = arena_take(arena, capacity, sizeof *to->missing);
}

void row_products_free(struct row_products *products)
{
    gathered_rows_free(&products->lent);
}

void row_products_clear(struct row_products *products)
{
    products->slots = 0;
    gathered_rows_clear(&products->lent);
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
    return gathered_rows_append(&products->lent, problem, products->missing, missing);
}

/* A row that has a slot. */
static struct sparse row_in_slot(const struct row_products *products, const struct problem *problem,
                                 size_t slot)
{
    return products->missing ? sparse_row(&products->lent.data.x, slot)
                             : problem_row(problem, products->row_in[slot]);
}

/* product[k] := <the row in slot first + k, dense> */
static void multiply(const struct row_products *products, const struct problem *problem,
                     size_t first, size_t count, const double *dense, double *product)
{
    const struct hinge_matrix *x = &problem->data->x;
    uint32_t row[AT_ONCE];

    if (has_whole_rows(x) && !products->missing) {
        for (size_t k = 0; k < count; k++)
            row[k] = problem->row[products->row_in[first + k]];
        whole_rows_dot(x, row, count, dense, product);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        const struct sparse its = row_in_slot(products, problem, first + k);

        product[k] = sparse_dot(&its, dense);
    }
}

/* Gives so many rows, lanes at most, the next slots, and multiplies each with all that have one. */
static void add(struct row_products *products, const struct problem *problem, const uint32_t *row,
                size_t count)
{
    const double constant = problem_constant(problem);
    const double of_bias =
        constant != 0 ? constant * constant * square_of(products, problem_width(problem) - 1) : 0;
    const size_t width = problem_width(problem), begun = products->slots;

    for (size_t lane = 0; lane < count; lane++) {
        struct sparse x;

        products->row_in[products->slots] = row[lane];
        products->slot_of[row[lane]] = (uint32_t)products->slots;
        x = row_in_slot(products, problem, products->slots++);
        for (size_t k = 0; k < x.count; k++)
            products->dense[lane * width + index_at(&x, k)] =
                value_at(&x, k) * square_of(products, index_at(&x, k));
    }
    for (size_t first = 0; first < products->slots; first += AT_ONCE)
        for (size_t lane = 0; lane < count; lane++) {
            const size_t slot = begun + lane;
            double *const product = row_product_place(products, slot, first);
            const size_t others = first > slot ? 0 : slot + 1 - first;
            const size_t some = others < AT_ONCE ? others : AT_ONCE;

            multiply(products, problem, first, some, products->dense + lane * width, product);
            for (size_t k = 0; k < some; k++)
                product[k] += of_bias;
        }
    for (size_t lane = 0; lane < count; lane++) {
        const struct sparse x = row_in_slot(products, problem, begun + lane);

        for (size_t k = 0; k < x.count; k++)
            products->dense[lane * width + index_at(&x, k)] = 0;
    }
}

int row_products_form(struct row_products *products, const struct problem *problem,
                      const uint32_t *row, size_t count, const struct stop *stop)
{
    uint32_t some[LANES];
    size_t listed = 0;

    if (!prepare(products, problem, row, count))
        return 0;
    for (size_t k = 0; k < count; k++) {
        if (!has_slot(products, row[k]))
            some[listed++] = row[k];
        if (listed < products->lanes && k + 1 < count)
            continue;
        if (stop_is_asked(stop))
            return 0;
        add(products, problem, some, listed);
        listed = 0;
    }
    return 1;
}
