/* contents.c - the kinds of a whole from those of its parts: the widest of values, with the most
 * places if the largest number can have these.
 */
#include "data/contents.h"

#include <math.h>

#include "data/digits.h"

/* The largest whole number with more places; above INT32_MAX: it is none. */
static double largest_with(const struct contents *contents, unsigned places)
{
    const double largest = contents->value_kind == HINGE_VALUE_ONE ? 1 : contents->largest;

    return largest * power_of_ten[places - contents->places];
}

struct contents contents_join(const struct contents *one, const struct contents *other)
{
    const unsigned places = one->places > other->places ? one->places : other->places;
    const double largest = fmax(largest_with(one, places), largest_with(other, places));
    struct contents both = {
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
int contents_is_dense(const struct contents *contents)
{
    if (contents->value_kind == HINGE_VALUE_ONE)
        return contents->read == contents->rows * contents->columns;
    return contents->rows * contents->columns - contents->read <= contents->read;
}

size_t contents_nonzeros(const struct contents *contents)
{
    return contents_is_dense(contents) ? (size_t)contents->rows * contents->columns
                                       : (size_t)contents->read;
}
