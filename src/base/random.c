/* random.c - item[i] <-> item[j], j uniform in i .. count-1, for each i. */
#include "base/random.h"

void random_shuffle(struct random_state *random, uint32_t *item, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i++) {
        uint32_t j = i + random_below(random, count - i);
        uint32_t moved = item[i];

        item[i] = item[j];
        item[j] = moved;
    }
}
