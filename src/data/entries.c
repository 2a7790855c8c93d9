/* entries.c - 1 or whole / 10^places or double: a value costs no, four or eight bytes; an index
 * one, two or four.
 *
 * Most files have short decimals, which are whole numbers of their last place. Kept as such they
 * are a third less memory to read, to fill and to go through than as doubles, and no less exact:
 * whole / 10^places, rounded once, is the double nearest to the text.
 */
#include "data/entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

void entries_free(struct entries *entries)
{
    free(entries->tiny);
    free(entries->narrow);
    free(entries->index);
    free(entries->whole);
    free(entries->value);
    *entries = (struct entries){.kind = KIND_ONE};
}

/* ---- Indices ----------------------------------------------------------- */

/* Bytes of an index; none yet: what they begin with. */
static size_t index_size(const struct entries *entries)
{
    if (!entries->tiny && !entries->narrow && entries->kind == KIND_DOUBLE)
        return sizeof *entries->index;
    return entries_index_size(entries);
}

/* Room for so many of that size, in the place of those there are; NULL, and no change, if there is
 * none. */
static unsigned char *resize_indices(struct entries *entries, size_t capacity, size_t size,
                                     struct hinge_error *error)
{
    void *present = entries->index    ? (void *)entries->index
                    : entries->narrow ? (void *)entries->narrow
                                      : (void *)entries->tiny;
    void *array = array_resize(present, capacity, size, error);

    if (!array)
        return NULL;
    entries->tiny = size == sizeof *entries->tiny ? array : NULL;
    entries->narrow = size == sizeof *entries->narrow ? array : NULL;
    entries->index = size == sizeof *entries->index ? array : NULL;
    return array;
}

/* Indices of twice the size, in the memory of those there are. The last ones first, as each takes
 * the place of two; by bytes, as no type may be read where another has been written. */
static enum hinge_status widen(struct entries *entries, struct hinge_error *error)
{
    const size_t size = index_size(entries);
    unsigned char *bytes = resize_indices(entries, entries->capacity, 2 * size, error);

    if (!bytes)
        return failure(error);
    for (size_t k = entries->count; k-- > 0;) {
        uint16_t narrow;
        uint32_t index;

        if (size == sizeof *entries->tiny) {
            narrow = bytes[k];
            memcpy(bytes + k * sizeof narrow, &narrow, sizeof narrow);
        } else {
            memcpy(&narrow, bytes + k * sizeof narrow, sizeof narrow);
            index = narrow;
            memcpy(bytes + k * sizeof index, &index, sizeof index);
        }
    }
    return HINGE_OK;
}

/* ---- Both arrays ------------------------------------------------------- */

static enum hinge_status resize(struct entries *entries, size_t capacity, struct hinge_error *error)
{
    void *array;

    if (!resize_indices(entries, capacity, index_size(entries), error))
        return failure(error);
    if (entries->kind == KIND_WHOLE) {
        if (!(array = array_resize(entries->whole, capacity, sizeof *entries->whole, error)))
            return failure(error);
        entries->whole = array;
    }
    if (entries->kind == KIND_DOUBLE) {
        if (!(array = array_resize(entries->value, capacity, sizeof *entries->value, error)))
            return failure(error);
        entries->value = array;
    }
    entries->capacity = capacity;
    return HINGE_OK;
}

enum hinge_status entries_new(struct entries *entries, enum kind kind, struct hinge_error *error)
{
    *entries = (struct entries){.kind = kind};
    return resize(entries, array_grown(0, 1024), error);
}

void entries_cut(struct entries *entries)
{
    const size_t capacity = entries->capacity;
    struct hinge_error ignored;

    /* if one array cannot be cut, which does no harm, all are said to be as they were */
    if (resize(entries, entries->count, &ignored))
        entries->capacity = capacity;
}

/* ---- From one kind to the next ----------------------------------------- */

static enum hinge_status to_wholes(struct entries *entries, struct hinge_error *error)
{
    if (!(entries->whole = array_new(entries->capacity, sizeof *entries->whole, error)))
        return failure(error);
    for (size_t k = 0; k < entries->count; k++)
        entries->whole[k] = 1;
    entries->places = 0;
    entries->kind = KIND_WHOLE;
    return HINGE_OK;
}

static enum hinge_status to_doubles(struct entries *entries, struct hinge_error *error)
{
    const double scale = power_of_ten[entries->places];

    if (!(entries->value = array_new(entries->capacity, sizeof *entries->value, error)))
        return failure(error);
    for (size_t k = 0; k < entries->count; k++)
        entries->value[k] = entries->kind == KIND_ONE ? 1 : entries->whole[k] / scale;
    free(entries->whole);
    entries->whole = NULL;
    entries->kind = KIND_DOUBLE;
    return HINGE_OK;
}

/* Writes the value with as few places as its double can be written with, few enough to be kept as a
 * whole number: how values are kept shall depend on what they are, not on how they were written. */
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

/* Counts in units of 10^-places, more places than before; 0 if a number becomes too large. */
static int refine(struct entries *entries, unsigned places)
{
    const int32_t factor = (int32_t)power_of_ten[places - entries->places];
    const int32_t most = INT32_MAX / factor;

    for (size_t k = 0; k < entries->count; k++)
        if (entries->whole[k] > most || entries->whole[k] < -most)
            return 0;
    for (size_t k = 0; k < entries->count; k++)
        entries->whole[k] *= factor;
    entries->places = places;
    return 1;
}

enum hinge_status entries_prepare(struct entries *entries, uint32_t index, struct decimal *value,
                                  struct hinge_error *error)
{
    if (entries->count == entries->capacity)
        return resize(entries, array_grown(entries->capacity, 1024), error);
    if (!entries_store_index(entries, index))
        return widen(entries, error);
    shorten(value);
    if (entries_store(entries, value))
        return HINGE_OK;
    if (entries->kind == KIND_ONE && value->places <= MOST_PLACES)
        return to_wholes(entries, error);
    if (entries->kind == KIND_WHOLE && value->places > entries->places &&
        value->places <= MOST_PLACES && refine(entries, value->places))
        return HINGE_OK;
    return to_doubles(entries, error);
}
