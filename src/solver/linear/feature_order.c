/* feature_order.c - the order of minimum degree for X'X.
 *
 * Tables of categories have many features with few rows, and features that are equal. Two features
 * are neighbours if a row has both. Eliminating a feature makes its neighbours neighbours of each
 * other. So rare features go first, always one with the fewest neighbours, while that costs less
 * than a place in the dense block. (Grants, 1,845 features: 1,087 go first, 71 are equal to others,
 * and a factor takes 5.8e7 multiplications instead of 1.05e9.) Neighbours are bits of a row of
 * words, because sets of a few thousand features are small that way.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/feature_columns.h"
#include "solver/linear/primal_factor.h"

enum {
    RARE = 64,         /* most rows of a feature that may go first */
    LEAST_WIDTH = 256, /* a smaller factor is cheap */
    WORD = 64,         /* bits of a word */
    SPARSE = 4         /* a multiplication with a sparse line takes as long as SPARSE dense ones */
};

struct search {
    const struct problem *problem;
    size_t features; /* without the constant one */
    size_t words;    /* words of a set of features */
    uint32_t *count; /* [features] rows of the feature */
    uint32_t *first; /* [features] the first feature that is equal to this one */
    uint32_t *rare;  /* [rare_count] rare features; during elimination, those left */
    size_t rare_count;
    uint32_t *number;  /* [features] a rare feature's set; NO_PLACE for other features */
    uint64_t *sets;    /* [rare_count words] neighbours except those eliminated earlier */
    uint64_t *set;     /* [words] features of a row */
    uint32_t *degree;  /* [rare_count] sizes of the sets of rare[] */
    uint32_t *leading; /* [leading_count] eliminated features, in their order */
    size_t leading_count;
    size_t entries; /* entries of the leading lines */
    double products;
    size_t places; /* places that are not eliminated yet */
};

static void lay_out(struct search *to, struct arena *arena)
{
    const size_t features = to->features;

    to->count = arena_take(arena, features, sizeof *to->count);
    arena_leave_rest(arena);
    to->first = arena_take(arena, features, sizeof *to->first);
    to->rare = arena_take(arena, features, sizeof *to->rare);
    to->number = arena_take(arena, features, sizeof *to->number);
    to->degree = arena_take(arena, features, sizeof *to->degree);
    to->leading = arena_take(arena, features, sizeof *to->leading);
    to->set = arena_take(arena, to->words, sizeof *to->set);
    to->sets = arena_take(arena, features * to->words, sizeof *to->sets);
}

/* ---- Elimination --------------------------------------------------------- */

static uint64_t bit_of(size_t j)
{
    return UINT64_C(1) << (j % WORD);
}

/* Lists the rare features, and finds their neighbours in the rows. */
static void find_neighbours(struct search *search)
{
    for (uint32_t j = 0; j < search->features; j++) {
        const int is_rare = search->first[j] == j && search->count[j] <= RARE;

        search->number[j] = is_rare ? (uint32_t)search->rare_count : NO_PLACE;
        search->rare[search->rare_count] = j;
        search->rare_count += (size_t)is_rare;
        search->places += search->first[j] == j;
    }
    memset(search->sets, 0, search->rare_count * search->words * sizeof *search->sets);
    for (uint32_t i = 0; i < search->problem->rows; i++) {
        const struct sparse x = problem_row(search->problem, i);
        int any = 0;

        memset(search->set, 0, search->words * sizeof *search->set);
        for (size_t k = 0; k < x.count; k++) {
            const uint32_t j = index_at(&x, k);

            any |= search->number[j] != NO_PLACE;
            if (search->first[j] == j)
                search->set[j / WORD] |= bit_of(j);
        }
        for (size_t k = 0; any && k < x.count; k++) {
            const uint32_t number = search->number[index_at(&x, k)];

            for (size_t v = 0; number != NO_PLACE && v < search->words; v++)
                search->sets[number * search->words + v] |= search->set[v];
        }
    }
}

/* Adds the members of other to set. Returns the size of set. */
STATIC_VERSIONED(uint32_t, return, unite,
                 (uint64_t *restrict set, const uint64_t *other, size_t words), (set, other, words))
{
    uint64_t size = 0;

    for (size_t v = 0; v < words; v++) {
        uint64_t bits = set[v] |= other[v];

        bits -= bits >> 1 & UINT64_C(0x5555555555555555);
        bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
        bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
        bits += bits >> 8;
        bits += bits >> 16;
        size += (bits + (bits >> 32)) & 0x7f;
    }
    return (uint32_t)size;
}

static void drop(uint64_t *set, size_t j)
{
    set[j / WORD] &= ~bit_of(j);
}

static int has(const uint64_t *set, size_t j)
{
    return (set[j / WORD] & bit_of(j)) != 0;
}

/* Eliminates rare features while that pays. The neighbours of an eliminated feature become
 * neighbours of each other. One place stays, because the sums of the dense block need one. */
static void eliminate_rare(struct search *search)
{
    const double constant = search->problem->bias_kind != BIAS_NONE;

    memset(search->set, 0, search->words * sizeof *search->set);
    for (size_t k = 0; k < search->rare_count; k++) {
        uint64_t *const set = search->sets + k * search->words;

        drop(set, search->rare[k]);
        search->degree[k] = unite(set, search->set, search->words);
    }
    for (size_t left = search->rare_count; left-- > 0 && search->places > 1;) {
        const uint64_t *own;
        size_t least = 0;
        double degree;
        uint32_t j;

        for (size_t k = 1; k <= left; k++)
            if (search->degree[k] < search->degree[least])
                least = k;
        j = search->rare[least];
        degree = search->degree[least] + constant;
        if (SPARSE * degree * degree > (double)search->places * (double)search->places)
            return;
        search->rare[least] = search->rare[left];
        search->degree[least] = search->degree[left];
        own = search->sets + search->number[j] * search->words;
        for (size_t k = 0; k < left; k++) {
            const uint32_t other = search->rare[k];
            uint64_t *const set = search->sets + search->number[other] * search->words;

            if (!has(own, other))
                continue;
            drop(set, j);
            search->degree[k] = unite(set, own, search->words) - 1;
            drop(set, other);
        }
        search->leading[search->leading_count++] = j;
        search->entries += (size_t)degree;
        search->products += degree * degree / 2;
        search->places--;
    }
}

/* ---- The order ----------------------------------------------------------- */

static void lay_out_order(struct feature_order *to, struct arena *arena,
                          const struct search *search)
{
    const size_t width = problem_width(search->problem), leading = to->leading,
                 places = leading + to->dense;
    size_t nonzeros = 0;

    for (size_t k = 0; k < leading; k++)
        nonzeros += search->count[search->leading[k]];
    to->start = arena_take(arena, leading + 1, sizeof *to->start);
    to->above = arena_take(arena, leading + 2, sizeof *to->above);
    to->first = arena_take(arena, leading + 2, sizeof *to->first);
    to->sum = arena_take(arena, places, sizeof *to->sum);
    arena_leave_rest(arena);
    to->tail = arena_take(arena, leading, sizeof *to->tail);
    to->place = arena_take(arena, width, sizeof *to->place);
    to->own_place = arena_take(arena, width, sizeof *to->own_place);
    to->column = arena_take(arena, search->entries, sizeof *to->column);
    to->line = arena_take(arena, search->entries, sizeof *to->line);
    to->entry = arena_take(arena, search->entries, sizeof *to->entry);
    to->row = arena_take(arena, nonzeros, sizeof *to->row);
    to->value = arena_take(arena, nonzeros, sizeof *to->value);
    to->diagonal = arena_take(arena, leading, sizeof *to->diagonal);
    to->norm = arena_take(arena, places, sizeof *to->norm);
    to->share = arena_take(arena, width, sizeof *to->share);
    to->folded = arena_take(arena, 2 * places, sizeof *to->folded);
}

/* Sets the places, and lists the entries of the leading lines, first by lines and then by
 * columns. */
static void list_entries(struct feature_order *order, const struct search *search)
{
    const size_t width = problem_width(search->problem);
    const uint32_t leading = (uint32_t)order->leading;
    uint32_t next = leading;
    size_t end = 0;

    for (size_t j = 0; j < width; j++)
        order->place[j] = NO_PLACE;
    for (uint32_t k = 0; k < leading; k++)
        order->place[search->leading[k]] = k;
    for (size_t j = 0; j < width; j++) {
        const int is_first = j >= search->features || search->first[j] == j;

        if (is_first && order->place[j] == NO_PLACE)
            order->place[j] = next++;
        order->own_place[j] = is_first ? order->place[j] : NO_PLACE;
        if (!is_first)
            order->place[j] = order->place[search->first[j]];
    }
    for (size_t k = 0; k < leading; k++) {
        const uint64_t *set = search->sets + search->number[search->leading[k]] * search->words;

        order->start[k] = end;
        for (uint32_t l = (uint32_t)k + 1; l < leading; l++)
            if (has(set, search->leading[l])) {
                order->column[end++] = l;
                order->above[l + 2]++;
            }
        order->tail[k] = end;
        for (size_t j = 0; j < width; j++)
            if ((j >= search->features || has(set, j)) && order->own_place[j] >= leading)
                order->column[end++] = order->own_place[j] - leading;
    }
    order->start[leading] = end;
    for (size_t k = 2; k < leading + 2; k++)
        order->above[k] += order->above[k - 1];
    for (uint32_t k = 0; k < leading; k++)
        for (size_t e = order->start[k]; e < order->tail[k]; e++) {
            const size_t at = order->above[order->column[e] + 1]++;

            order->line[at] = k;
            order->entry[at] = e;
        }
}

double feature_order_cost(const struct problem *problem, double nonzeros)
{
    static const double VISIT = 16; /* price of an entry in all passes together */
    const double width = (double)problem_width(problem);

    return width >= LEAST_WIDTH && !problem_is_paged(problem) &&
                   SPARSE * nonzeros < width * problem->rows
               ? VISIT * nonzeros
               : HUGE_VAL;
}

void feature_order_find(struct feature_order *order, const struct problem *problem)
{
    struct search search = {.problem = problem, .features = problem->data->features};
    struct arena arena = {NULL, 0, 0};
    const size_t width = problem_width(problem);
    const double all = (double)width;
    double dense;
    struct hinge_error ignored;
    void *block;

    feature_order_free(order);
    search.words = (search.features + WORD - 1) / WORD;
    lay_out(&search, &arena);
    if (!(block = arena_new(&arena, &ignored)))
        return;
    lay_out(&search, &arena);
    search.places = width - search.features;
    if (feature_columns_guess(problem->data, problem->row, problem->rows, search.count,
                              search.first, &ignored)) {
        free(block);
        return;
    }
    find_neighbours(&search);
    eliminate_rare(&search);
    order->leading = search.leading_count;
    order->dense = search.places;
    order->products = search.products;
    dense = (double)search.places;
    if (SPARSE * search.products + dense * dense * dense / 6 < all * all * all / 12) {
        arena = (struct arena){NULL, 0, 0};
        lay_out_order(order, &arena, &search);
        order->block = arena_new(&arena, &ignored);
    }
    if (order->block) {
        lay_out_order(order, &arena, &search);
        list_entries(order, &search);
        for (size_t k = 0; k < order->leading; k++)
            order->first[k + 2] = order->first[k + 1] + search.count[search.leading[k]];
        for (uint32_t i = 0; i < problem->rows; i++) {
            const struct sparse x = problem_row(problem, i);

            for (size_t k = 0; k < x.count; k++) {
                const uint32_t place = order->own_place[index_at(&x, k)];

                if (place >= order->leading)
                    continue;
                order->row[order->first[place + 1]] = i;
                order->value[order->first[place + 1]++] = value_at(&x, k);
            }
        }
    }
    free(block);
}

void feature_order_free(struct feature_order *order)
{
    free(order->block);
    *order = (struct feature_order){.block = NULL};
}
