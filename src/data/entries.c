/* entries.c - 1 or whole / 10^places or double: a value takes 0, 4 or 8 bytes; an index 1, 2 or 4.
 *
 * Most files have short decimals, which are whole numbers of their last place. Stored as such they
 * take half the memory of doubles, and lose nothing: whole / 10^places, rounded once, is the double
 * nearest to the text.
 */
#include "data/entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

void entries_free(struct entries *entries)
{
    free(entries->x.start);
    free(entries->x.index);
    free(entries->x.value);
    memset(entries, 0, sizeof *entries);
}

static enum hinge_status resize(struct entries *entries, size_t capacity, struct hinge_error *error)
{
    struct hinge_matrix *x = &entries->x;
    void *array;

    if (!(array = array_resize(x->index, capacity, (size_t)1 << x->index_kind, error)))
        return failure(error);
    x->index = array;
    if (x->value_kind != HINGE_VALUE_ONE) {
        if (!(array = array_resize(x->value, capacity, value_size(x->value_kind), error)))
            return failure(error);
        x->value = array;
    }
    entries->capacity = capacity;
    return HINGE_OK;
}

enum hinge_status entries_new(struct entries *entries, enum hinge_index_kind index_kind,
                              enum hinge_value_kind value_kind, struct hinge_error *error)
{
    memset(entries, 0, sizeof *entries);
    entries->x.index_kind = index_kind;
    entries->x.value_kind = value_kind;
    return resize(entries, array_grown(0, 1024), error);
}

void entries_finish(struct entries *entries)
{
    const size_t capacity = entries->capacity;
    struct hinge_error ignored;

    /* an array that cannot be cut does no harm; capacity must then hold for both */
    if (resize(entries, entries->x.nonzeros, &ignored))
        entries->capacity = capacity;
    entries->x.scale = power_of_ten[entries->places];
}

/* ---- From one kind to the next ----------------------------------------- */

/* Copies the indices to an array of the next kind, which takes twice the bytes. */
static enum hinge_status widen(struct entries *entries, struct hinge_error *error)
{
    struct entries to = *entries;

    to.x.index_kind = to.x.index_kind == HINGE_INDEX_8 ? HINGE_INDEX_16 : HINGE_INDEX_32;
    if (!(to.x.index = array_new(to.capacity, (size_t)1 << to.x.index_kind, error)))
        return failure(error);
    for (to.x.nonzeros = 0; to.x.nonzeros < entries->x.nonzeros; to.x.nonzeros++)
        entries_store_index(&to, hinge_index(&entries->x, to.x.nonzeros));
    free(entries->x.index);
    *entries = to;
    return HINGE_OK;
}

/* Copies the values, which are no doubles yet, to an array of whole numbers of so many places, or
 * of doubles: also if one of them becomes too large as a whole number. */
static enum hinge_status convert(struct entries *entries, enum hinge_value_kind kind,
                                 unsigned places, struct hinge_error *error)
{
    struct entries to = *entries;

    to.places = places;
    to.x.value_kind = kind;
    if (!(to.x.value = array_new(to.capacity, value_size(kind), error)))
        return failure(error);
    for (to.x.nonzeros = 0; to.x.nonzeros < entries->x.nonzeros; to.x.nonzeros++) {
        struct decimal value = {.whole = 1};

        if (entries->x.value_kind == HINGE_VALUE_WHOLE) {
            value.whole = ((int32_t *)entries->x.value)[to.x.nonzeros];
            value.places = entries->places;
        }
        if (!entries_store(&to, &value)) {
            free(to.x.value);
            return convert(entries, HINGE_VALUE_DOUBLE, entries->places, error);
        }
    }
    free(entries->x.value);
    *entries = to;
    return HINGE_OK;
}

/* Writes the value with as few places as its double can be written with, if they are few
 * enough for a whole number: the kind depends on the values, not on how they are written. */
static void shorten(struct decimal *value)
{
    if (value->places == LONG) {
        for (unsigned places = 0; places <= MOST_PLACES; places++) {
            const double whole = floor(value->value * power_of_ten[places] + 0.5);

            if (fabs(whole) > INT32_MAX || (whole == 0 && signbit(value->value)))
                return;
            if (whole / power_of_ten[places] == value->value) {
                value->whole = (int64_t)whole;
                value->places = places;
                return;
            }
        }
    }
    while (value->places > 0 && value->places < LONG && value->whole % 10 == 0) {
        value->whole /= 10;
        value->places--;
    }
}

enum hinge_status entries_prepare(struct entries *entries, uint32_t index, struct decimal *value,
                                  struct hinge_error *error)
{
    if (entries->x.nonzeros == entries->capacity)
        return resize(entries, array_grown(entries->capacity, 1024), error);
    if (!entries_store_index(entries, index))
        return widen(entries, error);
    shorten(value);
    if (entries_store(entries, value))
        return HINGE_OK;
    /* the kind is not HINGE_VALUE_DOUBLE, which holds any value */
    if (value->places <= MOST_PLACES &&
        (entries->x.value_kind == HINGE_VALUE_ONE || value->places > entries->places))
        return convert(entries, HINGE_VALUE_WHOLE, value->places, error);
    return convert(entries, HINGE_VALUE_DOUBLE, entries->places, error);
}
