/* storage_kinds.c - the kinds of a whole from those of its parts: the widest of values, with the
 * most places if the largest number can have these.
 */
#include "data/storage_kinds.h"

#include <math.h>

#include "data/digits.h"

/* The largest whole number with more places; above INT32_MAX: it is none. */
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

    if (both.value_kind != HINGE_VALUE_WHOLE)
        return both;
    if (largest > INT32_MAX) {
        both.value_kind = HINGE_VALUE_DOUBLE;
        return both;
    }
    both.places = places;
    both.largest = (int32_t)largest;
    return both;
}

/* Of rows that have half of all columns. Loops over them then take less time than over indices, and
 * memory is at most 1.8 times that. */
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
