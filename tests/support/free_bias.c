/* free_bias.c - drawing, and a table of the rows. */
#include "free_bias.h"

#include <math.h>
#include <string.h>

static double random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * random_unit(state);
}

static void large_row(struct free_bias *large, size_t i, uint32_t features, enum entry entry,
                      uint64_t *state)
{
    size_t count = 0;

    for (uint32_t j = 0; j < features && count < features / 5 && count < IN_A_ROW; j++) {
        const size_t k = large->start[i] + count;

        if (random_unit(state) > 0.15)
            continue;
        large->index[k] = j;
        large->value[k] = entry == ENTRY_BYTE ? 1 : random_between(state, -3, 3);
        if (entry == ENTRY_FLOAT)
            large->value[k] = floor(large->value[k]);
        large->x[i][j] = large->value[k];
        count++;
    }
    large->start[i + 1] = large->start[i] + count;
}

void free_bias_draw_wide(struct free_bias *large, uint32_t features, enum entry entry, double C,
                         uint64_t seed)
{
    double plane[MOST_LARGE];

    memset(large, 0, sizeof *large);
    for (size_t j = 0; j < features; j++)
        plane[j] = random_between(&seed, -1, 1);
    for (size_t i = 0; i < ROWS; i++) {
        double side = 0;

        large_row(large, i, features, entry, &seed);
        for (size_t j = 0; j < features; j++)
            side += plane[j] * large->x[i][j];
        large->row[i] = (uint32_t)i;
        large->sign[i] = (side > 0) != (random_unit(&seed) < 0.2) ? 1 : -1;
        large->cost[i] = C * exp2(floor(random_between(&seed, -2, 3)));
    }
    large->data = (struct hinge_dataset){
        .x = {.rows = ROWS,
              .nonzeros = large->start[ROWS],
              .start = large->start,
              .index_kind = HINGE_INDEX_32,
              .value_kind = entry == ENTRY_BYTE ? HINGE_VALUE_ONE : HINGE_VALUE_DOUBLE,
              .index = large->index,
              .value = entry == ENTRY_BYTE ? NULL : large->value},
        .features = features};
    large->problem = (struct problem){.data = &large->data,
                                      .rows = ROWS,
                                      .row = large->row,
                                      .sign = large->sign,
                                      .cost = large->cost,
                                      .loss = LOSS_HINGE,
                                      .bias_kind = BIAS_FREE,
                                      .bias = 1};
}

void free_bias_draw(struct free_bias *large, enum entry entry, double C, uint64_t seed)
{
    free_bias_draw_wide(large, FEATURES, entry, C, seed);
}

long double product_of(const struct free_bias *large, size_t i, size_t j)
{
    long double product = 0;

    for (size_t k = large->start[i]; k < large->start[i + 1]; k++)
        product += (long double)large->value[k] * large->x[j][large->index[k]];
    return product;
}
