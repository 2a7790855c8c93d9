/* storage_kinds.c - kinds of the parts -> kinds of the whole: the widest kind of value, with the
 * most places if the largest number has room for them.
 */
#include "data/storage_kinds.h"

#include <math.h>

/* Returns the largest stored number after a change to more places. Above INT32_MAX, it does not
 * fit. */
static double largest_with(const struct storage_kinds *kinds, unsigned places)
{
    const double largest = kinds->value_kind == HINGE_VALUE_ONE ? 1 : kinds->largest;

    return largest * power_of_ten[places - kinds->places];
}

struct storage_kinds storage_kinds_join(const struct storage_kinds *one,
                                        const struct storage_kinds *other)
{
    const unsigned places = one->places > other->places ? one->places : other->places;
    const double largest = fmax(largest_with(one, places), largest_with(other, places));
    struct storage_kinds both = {
        .rows = one->rows + other->rows,
        .read = one->read + other->read,
        .columns = one->columns > other->columns ? one->columns : other->columns,
        .value_kind = one->value_kind > other->value_kind ? one->value_kind : other->value_kind};

    if (both.value_kind == HINGE_VALUE_WHOLE && largest > INT32_MAX) {
        both.value_kind = HINGE_VALUE_DOUBLE;
    } else if (both.value_kind == HINGE_VALUE_WHOLE) {
        both.places = places;
        both.largest = (int32_t)largest;
    }
    return both;
}

/* Rows that have at least half of all columns are dense. A loop over columns is then faster than
 * one over indices, and memory is at most 1.8 times as much. */
int storage_kinds_are_dense(const struct storage_kinds *kinds)
{
    if (kinds->value_kind == HINGE_VALUE_ONE)
        return kinds->read == kinds->rows * kinds->columns;
    return kinds->rows * kinds->columns - kinds->read <= kinds->read;
}

size_t storage_kinds_nonzeros(const struct storage_kinds *kinds)
{
    return storage_kinds_are_dense(kinds) ? (size_t)kinds->rows * kinds->columns
                                          : (size_t)kinds->read;
}
