/* team_rows.c - equal shares of the rows. */
#include "hinge.h"

void hinge_team_rows(const struct hinge_team *team, size_t rows, size_t nonzeros, uint32_t features,
                     uint32_t *first, uint32_t *end)
{
    const size_t size = (size_t)team->size, rank = (size_t)team->rank;

    (void)nonzeros;
    (void)features;
    *first = (uint32_t)(rows * rank / size);
    *end = (uint32_t)(rows * (rank + 1) / size);
}
