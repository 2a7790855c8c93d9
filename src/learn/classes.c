/* classes.c - label -> class through a hash table of the classes seen so far. */
#include "learn/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"

enum { EMPTY = 0 };

/* Open addressing, at most half full; an entry is a class + 1 or EMPTY. */
struct table {
    uint32_t *entry;
    size_t mask; /* size - 1, the size a power of 2 */
};

static size_t hash(double label, size_t mask)
{
    uint64_t bits;

    memcpy(&bits, &label, sizeof bits);
    return (size_t)random_mix(bits) & mask; /* whole numbers differ in a few high bits only */
}

/* The slot of the label, or the empty one where it belongs. */
static uint32_t *find(const struct table *table, const double *labels, double label)
{
    size_t slot = hash(label, table->mask);

    while (table->entry[slot] != EMPTY && labels[table->entry[slot] - 1] != label)
        slot = (slot + 1) & table->mask;
    return &table->entry[slot];
}

/* Makes both arrays larger, and fills the table anew. */
static enum hinge_status grow(struct table *table, struct classes *classes,
                              struct hinge_error *error)
{
    size_t size = table->entry ? 2 * (table->mask + 1) : 64;
    double *label = array_resize(classes->label, size / 2, sizeof *label, error);
    uint32_t *entry = label ? array_new(size, sizeof *entry, error) : NULL;

    if (label)
        classes->label = label;
    if (!entry)
        return failure(error);
    free(table->entry);
    table->entry = entry;
    table->mask = size - 1;
    for (size_t c = 0; c < classes->count; c++)
        *find(table, label, label[c]) = (uint32_t)c + 1;
    return HINGE_OK;
}

/* LIBLINEAR's order, which its users count on for the sign of the weights. */
static void put_positive_first(struct classes *classes, size_t rows)
{
    if (classes->count != 2 || classes->label[0] != -1 || classes->label[1] != 1)
        return;
    classes->label[0] = 1;
    classes->label[1] = -1;
    for (size_t i = 0; i < rows; i++)
        classes->of_row[i] = 1 - classes->of_row[i];
}

static enum hinge_status number_rows(struct classes *classes, struct table *table,
                                     const struct hinge_dataset *data, struct hinge_error *error)
{
    for (size_t i = 0; i < data->rows; i++) {
        double label = data->label[i] + 0.0; /* -0 is 0 */
        uint32_t *entry;

        if (2 * classes->count >= table->mask && grow(table, classes, error))
            return failure(error);
        entry = find(table, classes->label, label);
        if (*entry == EMPTY) {
            classes->label[classes->count] = label;
            *entry = (uint32_t)++classes->count;
        }
        classes->of_row[i] = *entry - 1;
    }
    put_positive_first(classes, data->rows);
    return HINGE_OK;
}

enum hinge_status classes_find(struct classes *classes, const struct hinge_dataset *data,
                               struct hinge_error *error)
{
    struct table table = {NULL, 0};
    enum hinge_status status = HINGE_OK;

    memset(classes, 0, sizeof *classes);
    if (!(classes->of_row = array_new(data->rows, sizeof *classes->of_row, error)))
        return failure(error);
    status = number_rows(classes, &table, data, error);
    free(table.entry);
    return status;
}

void classes_free(struct classes *classes)
{
    free(classes->label);
    free(classes->of_row);
}
