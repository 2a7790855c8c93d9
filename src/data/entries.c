/* entries.c - 1 or whole / 10^places or double: a value takes no, four or eight bytes; an index
 * one, two or four.
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
    const size_t size = x->value_kind == HINGE_VALUE_DOUBLE ? sizeof(double) : sizeof(int32_t);
    void *array;

    if (!(array = array_resize(x->index, capacity, (size_t)1 << x->index_kind, error)))
        return failure(error);
    x->index = array;
    if (x->value_kind != HINGE_VALUE_ONE) {
        if (!(array = array_resize(x->value, capacity, size, error)))
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

/* Indices of twice the size, in the same memory. From the last one, as each takes the place of two;
 * by bytes, as no type may be read where another has been written. */
static enum hinge_status widen(struct entries *entries, struct hinge_error *error)
{
    struct hinge_matrix *x = &entries->x;
    unsigned char *bytes =
        array_resize(x->index, entries->capacity, (size_t)2 << x->index_kind, error);

    if (!bytes)
        return failure(error);
    x->index = bytes;
    for (size_t k = x->nonzeros; k-- > 0;) {
        uint16_t narrow;
        uint32_t wide;

        if (x->index_kind == HINGE_INDEX_8) {
            narrow = bytes[k];
            memcpy(bytes + k * sizeof narrow, &narrow, sizeof narrow);
        } else {
            memcpy(&narrow, bytes + k * sizeof narrow, sizeof narrow);
            wide = narrow;
            memcpy(bytes + k * sizeof wide, &wide, sizeof wide);
        }
    }
    x->index_kind = x->index_kind == HINGE_INDEX_8 ? HINGE_INDEX_16 : HINGE_INDEX_32;
    return HINGE_OK;
}

static enum hinge_status to_wholes(struct entries *entries, struct hinge_error *error)
{
    int32_t *whole = array_new(entries->capacity, sizeof *whole, error);

    if (!whole)
        return failure(error);
    for (size_t k = 0; k < entries->x.nonzeros; k++)
        whole[k] = 1;
    entries->places = 0;
    entries->x.value = whole;
    entries->x.value_kind = HINGE_VALUE_WHOLE;
    return HINGE_OK;
}

static enum hinge_status to_doubles(struct entries *entries, struct hinge_error *error)
{
    double *value = array_new(entries->capacity, sizeof *value, error);

    if (!value)
        return failure(error);
    entries->x.scale = power_of_ten[entries->places];
    for (size_t k = 0; k < entries->x.nonzeros; k++)
        value[k] = hinge_value(&entries->x, k);
    free(entries->x.value);
    entries->x.value = value;
    entries->x.value_kind = HINGE_VALUE_DOUBLE;
    return HINGE_OK;
}

/* Writes the value with as few places as its double can be written with, if they are few
 * enough for a whole number: the kind depends on the values, not on how they are written. A
 * negative zero is no whole number. */
static void shorten(struct decimal *value)
{
    if (value->places == LONG && (value->value != 0 || !signbit(value->value))) {
        for (unsigned places = 0; places <= MOST_PLACES; places++) {
            const double whole = floor(value->value * power_of_ten[places] + 0.5);

            if (fabs(whole) > INT32_MAX)
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

/* Changes the scale to 10^places, which is larger; 0 if a number becomes too large. */
static int refine(struct entries *entries, unsigned places)
{
    const int32_t factor = (int32_t)power_of_ten[places - entries->places];
    const int32_t most = INT32_MAX / factor;
    int32_t *whole = entries->x.value;

    for (size_t k = 0; k < entries->x.nonzeros; k++)
        if (whole[k] > most || whole[k] < -most)
            return 0;
    for (size_t k = 0; k < entries->x.nonzeros; k++)
        whole[k] *= factor;
    entries->places = places;
    return 1;
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
    if (entries->x.value_kind == HINGE_VALUE_ONE && value->places <= MOST_PLACES)
        return to_wholes(entries, error);
    if (entries->x.value_kind == HINGE_VALUE_WHOLE && value->places > entries->places &&
        value->places <= MOST_PLACES && refine(entries, value->places))
        return HINGE_OK;
    return to_doubles(entries, error);
}
