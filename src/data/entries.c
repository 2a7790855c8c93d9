/* entries.c - 1 or whole / 10^places or double: a value takes no, four or eight bytes; an index
 * none, one, two or four.
 *
 * Most files have short decimals, which are whole numbers of their last place. Stored as such they
 * take half the memory of doubles, and lose nothing: whole / 10^places, rounded once, is the double
 * nearest to the text.
 *
 * Where rows have all features, an index says nothing, and where they have half of them, a zero is
 * sooner added than an index followed. While rows are read there is none as long as each entry is
 * that of the next feature, or was, but for a few zeros that were left out. Those are stored, with
 * a mark, so that what has been read can still be told apart; at the end the number of entries
 * read decides, not in which order they came.
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
    const size_t size = value_size(x->value_kind);
    void *array;

    if (x->index_kind != HINGE_INDEX_NONE) {
        if (!(array = array_resize(x->index, capacity, (size_t)1 << x->index_kind, error)))
            return failure(error);
        x->index = array;
    }
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

void entries_expect(struct entries *entries, double times)
{
    const double count = times * (double)entries->x.nonzeros;
    struct hinge_error ignored;

    if (count > (double)entries->capacity && count < (double)(SIZE_MAX / sizeof(double)))
        resize(entries, (size_t)count, &ignored);
}

/* ---- Without indices ---------------------------------------------------- */

/* Whether so few zeros were left out that they are stored at once: with eight entries for each, no
 * index is longer than the zeros. */
static int is_few(uint64_t zeros, uint64_t entries)
{
    return zeros <= entries / 8;
}

/* Moves the value of entry k to entry at. */
static void move_value(struct hinge_matrix *x, size_t k, size_t at)
{
    if (x->value_kind == HINGE_VALUE_WHOLE)
        ((int32_t *)x->value)[at] = ((const int32_t *)x->value)[k];
    else if (x->value_kind == HINGE_VALUE_DOUBLE)
        ((double *)x->value)[at] = ((const double *)x->value)[k];
}

static void set_zero(struct hinge_matrix *x, size_t k)
{
    if (x->value_kind == HINGE_VALUE_WHOLE)
        ((int32_t *)x->value)[k] = 0;
    else
        ((double *)x->value)[k] = 0;
}

/* Makes the indices of what has been read, the row under way included, and drops the zeros. */
static enum hinge_status list_indices(struct entries *entries, struct hinge_error *error)
{
    struct hinge_matrix *x = &entries->x;
    const size_t longest =
        x->nonzeros - entries->row > entries->width ? x->nonzeros - entries->row : entries->width;
    const size_t end = x->nonzeros;

    x->index_kind = index_kind_of(longest);
    if (!(x->index = array_new(entries->capacity, (size_t)1 << x->index_kind, error))) {
        x->index_kind = HINGE_INDEX_NONE;
        return failure(error);
    }
    x->nonzeros = 0;
    for (size_t i = 0, k = 0; k < end; i++) {
        const size_t first = k, next = first < entries->row ? first + entries->width : end;

        x->start[i] = x->nonzeros;
        for (; k < next; k++)
            if (!entries_is_left_out(x, k)) {
                entries_store_index(entries, (uint32_t)(k - first));
                move_value(x, k, x->nonzeros++);
            }
    }
    if (entries->row == end) /* the row under way has none */
        x->start[x->rows] = x->nonzeros;
    entries->filled = 0;
    return HINGE_OK;
}

/* Stores a zero for the next feature, which the row leaves out; or makes the indices, if the row is
 * longer than others or there would be too many zeros: more than in files that are dense, even at
 * their beginning. */
static enum hinge_status fill_in(struct entries *entries, struct hinge_error *error)
{
    enum { AT_FIRST = 64 };
    struct hinge_matrix *x = &entries->x;

    if (x->value_kind == HINGE_VALUE_ONE ||
        (x->rows > 0 && x->nonzeros - entries->row >= entries->width) ||
        (entries->filled >= AT_FIRST && !is_few(entries->filled, x->nonzeros - entries->filled)))
        return list_indices(entries, error);
    if (x->value_kind == HINGE_VALUE_WHOLE)
        ((int32_t *)x->value)[x->nonzeros++] = LEFT_OUT_WHOLE;
    else
        ((double *)x->value)[x->nonzeros++] = LEFT_OUT_VALUE;
    entries->filled++;
    return HINGE_OK;
}

enum hinge_status entries_end_row(struct entries *entries, struct hinge_error *error)
{
    struct hinge_matrix *x = &entries->x;
    enum hinge_status status = HINGE_OK;

    if (x->rows == 0)
        entries->width = x->nonzeros;
    if (x->index_kind == HINGE_INDEX_NONE && x->nonzeros - entries->row > entries->width)
        status = list_indices(entries, error);
    while (!status && x->index_kind == HINGE_INDEX_NONE &&
           x->nonzeros - entries->row < entries->width)
        status = x->nonzeros < entries->capacity
                     ? fill_in(entries, error)
                     : resize(entries, array_grown(entries->capacity, 1024), error);
    entries->row = x->nonzeros;
    return status;
}

/* Row i, from its last entry on, to where its values are in a row that has all columns and begins
 * at entry `at`, with zeros between them. */
static void spread_down(struct hinge_matrix *x, size_t i, size_t at, size_t columns)
{
    size_t k = x->start[i + 1];

    for (size_t j = columns; j-- > 0;) {
        if (k > x->start[i] && hinge_index(x, k - 1) == j)
            move_value(x, --k, at + j);
        else
            set_zero(x, at + j);
    }
}

/* Values are copied as so many bytes. */
static ALWAYS_INLINE void spread_as(const struct hinge_matrix *x, enum hinge_index_kind kind,
                                    size_t size, size_t first, size_t end, void *whole)
{
    const struct hinge_matrix from = *x; /* no store can change a copy */

    for (size_t k = first; k < end; k++) {
        const size_t column = kind == HINGE_INDEX_8    ? ((const uint8_t *)from.index)[k]
                              : kind == HINGE_INDEX_16 ? ((const uint16_t *)from.index)[k]
                                                       : ((const uint32_t *)from.index)[k];

        memcpy((char *)whole + column * size, (const char *)from.value + k * size, size);
    }
}

static ALWAYS_INLINE void spread_sized(const struct hinge_matrix *x, size_t size, size_t first,
                                       size_t end, void *whole)
{
    if (x->index_kind == HINGE_INDEX_8)
        spread_as(x, HINGE_INDEX_8, size, first, end, whole);
    else if (x->index_kind == HINGE_INDEX_16)
        spread_as(x, HINGE_INDEX_16, size, first, end, whole);
    else
        spread_as(x, HINGE_INDEX_32, size, first, end, whole);
}

void entries_spread(const struct hinge_matrix *x, size_t first, size_t end, void *whole)
{
    if (x->value_kind == HINGE_VALUE_DOUBLE)
        spread_sized(x, sizeof(double), first, end, whole);
    else
        spread_sized(x, sizeof(int32_t), first, end, whole);
}

/* Puts the values where they are in rows that have all columns, from the last row on, which none of
 * those before it reaches; and zeros between them. */
static enum hinge_status drop_indices(struct entries *entries, size_t columns,
                                      struct hinge_error *error)
{
    struct hinge_matrix *x = &entries->x;
    const size_t room = x->rows * columns;
    void *array = array_resize(x->value, room, value_size(x->value_kind), error);

    if (!array)
        return failure(error);
    x->value = array;
    x->start[x->rows] = x->nonzeros;
    for (size_t i = x->rows; i-- > 0;) {
        const size_t at = i * columns;

        if (x->start[i + 1] <= at) {
            char *row = (char *)x->value + value_bytes(x->value_kind, at);

            memset(row, 0, value_bytes(x->value_kind, columns));
            entries_spread(x, x->start[i], x->start[i + 1], row);
        } else {
            spread_down(x, i, at, columns);
        }
        x->start[i + 1] = at + columns;
    }
    x->nonzeros = room;
    free(x->index);
    x->index = NULL;
    x->index_kind = HINGE_INDEX_NONE;
    entries->capacity = room;
    return HINGE_OK;
}

/* Zeros that were left out are zeros from now on. */
static void keep_zeros(struct entries *entries)
{
    for (size_t k = 0; entries->filled > 0 && k < entries->x.nonzeros; k++)
        if (entries_is_left_out(&entries->x, k))
            set_zero(&entries->x, k);
    entries->filled = 0;
}

size_t entries_finish(struct entries *entries, size_t columns)
{
    struct hinge_matrix *x = &entries->x;
    const size_t read = x->nonzeros - entries->filled, capacity = entries->capacity;
    const struct storage_kinds kinds = {
        .rows = x->rows, .read = read, .columns = (uint32_t)columns, .value_kind = x->value_kind};
    const int is_dense = storage_kinds_are_dense(&kinds);
    struct hinge_error ignored; /* without memory for it, the other storage does as well */

    if (x->index_kind == HINGE_INDEX_NONE && !is_dense)
        list_indices(entries, &ignored);
    /* ones that have all columns never had indices */
    if (x->index_kind != HINGE_INDEX_NONE && x->value_kind != HINGE_VALUE_ONE && is_dense)
        drop_indices(entries, columns, &ignored);
    keep_zeros(entries);
    /* an array that cannot be cut does no harm; capacity must then hold for both */
    if (resize(entries, x->nonzeros, &ignored))
        entries->capacity = capacity;
    x->scale = value_scale(x->value_kind, entries->places);
    return x->nonzeros - read;
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
        value[k] =
            entries_is_left_out(&entries->x, k) ? LEFT_OUT_VALUE : hinge_value(&entries->x, k);
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
        if ((whole[k] > most || whole[k] < -most) && !entries_is_left_out(&entries->x, k))
            return 0;
    for (size_t k = 0; k < entries->x.nonzeros; k++)
        if (!entries_is_left_out(&entries->x, k))
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
        return entries->x.index_kind == HINGE_INDEX_NONE ? fill_in(entries, error)
                                                         : widen(entries, error);
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

/* ---- From one array to another ----------------------------------------- */

static int have_same_kinds(const struct entries *a, const struct entries *b)
{
    return a->x.index_kind == b->x.index_kind && a->x.value_kind == b->x.value_kind;
}

/* The value as it may have been read. */
static struct decimal decimal_of(const struct entries *entries, size_t k)
{
    switch (entries->x.value_kind) {
    case HINGE_VALUE_ONE:
        return (struct decimal){1, 0, 0};
    case HINGE_VALUE_WHOLE:
        return (struct decimal){((const int32_t *)entries->x.value)[k], entries->places, 0};
    default:
        return (struct decimal){0, LONG, ((const double *)entries->x.value)[k]};
    }
}

/* Whether the entries of b can follow those of a as they are. */
static int can_follow(const struct entries *a, const struct entries *b)
{
    return have_same_kinds(a, b) && a->places == b->places &&
           (a->x.index_kind != HINGE_INDEX_NONE || a->width == b->width);
}

/* Appends row i of another, as if it were read. */
static enum hinge_status append_row(struct entries *entries, const struct entries *other, size_t i,
                                    struct hinge_error *error)
{
    struct hinge_matrix *x = &entries->x;
    const struct hinge_matrix *y = &other->x;

    x->start[x->rows] = x->nonzeros;
    for (size_t k = y->start[i]; k < y->start[i + 1]; k++) {
        struct decimal value = decimal_of(other, k);
        const size_t index =
            y->index_kind == HINGE_INDEX_NONE ? k - y->start[i] : hinge_index(y, k);

        if (!entries_is_left_out(y, k) && entries_append(entries, (uint32_t)index, &value, error))
            return failure(error);
    }
    if (entries_end_row(entries, error))
        return failure(error);
    x->rows++;
    return HINGE_OK;
}

/* Counts the rows of another in, which follow. */
static struct row_start count_in(struct entries *entries, const struct entries *other)
{
    struct hinge_matrix *x = &entries->x;
    const struct row_start at = {x->rows, x->nonzeros};

    x->rows += other->x.rows;
    x->nonzeros += other->x.nonzeros;
    entries->row = x->nonzeros;
    entries->filled += other->filled;
    return at;
}

int entries_place(struct entries *entries, const struct entries *other, struct row_start *at)
{
    if (!can_follow(entries, other) || other->x.nonzeros > entries->capacity - entries->x.nonzeros)
        return 0;
    *at = count_in(entries, other);
    return 1;
}

void entries_copy(const struct entries *entries, const struct entries *other,
                  const struct row_start *at)
{
    const struct hinge_matrix *x = &entries->x, *y = &other->x;
    const size_t size = value_size(x->value_kind);

    if (x->index_kind != HINGE_INDEX_NONE)
        memcpy((char *)x->index + (at->entry << x->index_kind), y->index,
               y->nonzeros << x->index_kind);
    if (x->value_kind != HINGE_VALUE_ONE)
        memcpy((char *)x->value + at->entry * size, y->value, y->nonzeros * size);
    for (size_t i = 0; i < y->rows; i++)
        x->start[at->row + i] = at->entry + y->start[i];
}

enum hinge_status entries_join(struct entries *entries, const struct entries *other,
                               struct hinge_error *error)
{
    const size_t needed = entries->x.nonzeros + other->x.nonzeros;
    struct row_start at;

    if (!can_follow(entries, other)) {
        for (size_t i = 0; i < other->x.rows; i++)
            if (append_row(entries, other, i, error))
                return failure(error);
        return HINGE_OK;
    }
    if (needed > entries->capacity &&
        resize(entries, array_grown(entries->capacity, needed), error))
        return failure(error);
    at = count_in(entries, other);
    entries_copy(entries, other, &at);
    return HINGE_OK;
}

enum hinge_status entries_clear(struct entries *entries, const struct entries *like,
                                struct hinge_error *error)
{
    struct hinge_matrix *x = &entries->x;

    x->nonzeros = 0;
    entries->row = entries->width = entries->filled = 0;
    if (!have_same_kinds(entries, like)) {
        free(x->index);
        free(x->value);
        x->index = x->value = NULL;
        x->index_kind = like->x.index_kind;
        x->value_kind = like->x.value_kind;
        entries->capacity = 0;
        if (resize(entries, array_grown(0, 1024), error))
            return failure(error);
    }
    entries->places = like->places;
    entries->signs = like->signs;
    return HINGE_OK;
}

/* ---- A part of the rows ------------------------------------------------- */

struct storage_kinds entries_kinds(const struct entries *entries, uint32_t columns)
{
    const struct hinge_matrix *x = &entries->x;
    struct storage_kinds kinds = {.rows = x->rows,
                                  .read = x->nonzeros - entries->filled,
                                  .columns = columns,
                                  .value_kind = x->value_kind};

    if (x->value_kind != HINGE_VALUE_WHOLE)
        return kinds;
    kinds.places = entries->places;
    for (size_t k = 0; k < x->nonzeros; k++)
        if (!entries_is_left_out(x, k)) {
            const int32_t whole = ((const int32_t *)x->value)[k];
            const int32_t size = whole < 0 ? -whole : whole;

            kinds.largest = size > kinds.largest ? size : kinds.largest;
        }
    return kinds;
}

/* Each row gets an entry for each column. */
static enum hinge_status fill_columns(struct entries *entries, size_t columns,
                                      struct hinge_error *error)
{
    struct hinge_matrix *x = &entries->x;

    if (x->index_kind == HINGE_INDEX_NONE && entries->width < columns &&
        list_indices(entries, error))
        return failure(error);
    if (x->index_kind != HINGE_INDEX_NONE && drop_indices(entries, columns, error))
        return failure(error);
    keep_zeros(entries);
    entries->width = columns;
    entries->row = x->nonzeros;
    return HINGE_OK;
}

enum hinge_status entries_fit(struct entries *entries, const struct storage_kinds *kinds,
                              struct hinge_error *error)
{
    const enum hinge_index_kind index_kind = index_kind_of(kinds->columns);
    struct hinge_matrix *x = &entries->x;

    if (x->value_kind == HINGE_VALUE_ONE && kinds->value_kind != HINGE_VALUE_ONE &&
        to_wholes(entries, error))
        return failure(error);
    if (x->value_kind != kinds->value_kind && to_doubles(entries, error))
        return failure(error);
    if (x->value_kind == HINGE_VALUE_WHOLE && entries->places < kinds->places)
        refine(entries, kinds->places);
    if (storage_kinds_are_dense(kinds)) {
        /* ones have all columns already */
        if (x->rows > 0 && x->value_kind != HINGE_VALUE_ONE &&
            fill_columns(entries, kinds->columns, error))
            return failure(error);
    } else if (x->index_kind == HINGE_INDEX_NONE && list_indices(entries, error)) {
        return failure(error);
    }
    while (x->index_kind < index_kind)
        if (widen(entries, error))
            return failure(error);
    x->scale = value_scale(x->value_kind, entries->places);
    return HINGE_OK;
}
