/* classes.c - label -> class through a hash table of the labels seen so far. */
#include "learn/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"

enum { EMPTY = 0 };

/* The entry of the label, or the empty one where it belongs. */
static uint32_t *find(const struct labels *labels, double label)
{
    uint64_t bits;
    size_t slot;

    memcpy(&bits, &label, sizeof bits);
    /* mixed, as whole numbers differ in a few high bits only */
    slot = (size_t)random_mix(bits) & labels->mask;
    while (labels->entry[slot] != EMPTY && labels->label[labels->entry[slot] - 1] != label)
        slot = (slot + 1) & labels->mask;
    return &labels->entry[slot];
}

/* Makes both arrays larger, and fills the table anew. */
static enum hinge_status grow(struct labels *labels, struct hinge_error *error)
{
    size_t size = labels->entry ? 2 * (labels->mask + 1) : 64;
    double *label = array_resize(labels->label, size / 2, sizeof *label, error);
    uint32_t *entry = label ? array_new(size, sizeof *entry, error) : NULL;

    if (label)
        labels->label = label;
    if (!entry)
        return failure(error);
    free(labels->entry);
    labels->entry = entry;
    labels->mask = size - 1;
    for (size_t c = 0; c < labels->count; c++)
        *find(labels, label[c]) = (uint32_t)c + 1;
    return HINGE_OK;
}

enum hinge_status labels_number(struct labels *labels, double label, uint32_t *number,
                                struct hinge_error *error)
{
    const double key = label + 0.0; /* -0 is 0 */
    uint32_t *entry;

    if (2 * labels->count >= labels->mask && grow(labels, error))
        return failure(error);
    entry = find(labels, key);
    if (*entry == EMPTY) {
        labels->label[labels->count] = key;
        *entry = (uint32_t)++labels->count;
    }
    *number = *entry - 1;
    return HINGE_OK;
}

void labels_free(struct labels *labels)
{
    free(labels->label);
    free(labels->entry);
}

enum hinge_status classes_find(struct classes *classes, const struct hinge_dataset *data,
                               struct hinge_error *error)
{
    struct labels labels = {NULL, 0, NULL, 0};
    enum hinge_status status = HINGE_OK;

    memset(classes, 0, sizeof *classes);
    if (!(classes->of_row = array_new(data->x.rows, sizeof *classes->of_row, error)))
        return failure(error);
    for (size_t i = 0; i < data->x.rows && status == HINGE_OK; i++)
        status = labels_number(&labels, data->label[i], &classes->of_row[i], error);
    classes->label = labels.label;
    classes->count = labels.count;
    free(labels.entry);
    if (status == HINGE_OK && classes->count == 2 && classes->label[0] == -1 &&
        classes->label[1] == 1) {
        /* LIBLINEAR's order, which its users count on for the sign of the weights */
        classes->label[0] = 1;
        classes->label[1] = -1;
        for (size_t i = 0; i < data->x.rows; i++)
            classes->of_row[i] = 1 - classes->of_row[i];
    }
    return status;
}

void classes_free(struct classes *classes)
{
    free(classes->label);
    free(classes->of_row);
    free(classes->column);
}
