/* classes.c - label -> class, through a hash table of labels. Labels with the same value of the
 * hash function form a trie by the bits of the doubles, so that no choice of labels makes it slow.
 */
#include "learn/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "base/trie.h"
#include "data/matrix.h"

enum { BITS = 64 };

static unsigned test(const void *label, size_t bit)
{
    return (unsigned)(*(const uint64_t *)label >> (BITS - bit) & 1);
}

static uint32_t *root_of(const struct labels *labels, uint64_t bits)
{
    return &labels->root[random_mix(bits) & (2 * labels->capacity - 1)];
}

/* Adds the label of this number to its trie. */
static void insert(struct labels *labels, uint32_t number)
{
    const uint64_t bits = bits_of(labels->label[number]);
    uint32_t *root = root_of(labels, bits);
    const uint32_t like = trie_find(labels->node, root, test, &bits);
    size_t bit = 0;

    if (like > 0)
        bit = BITS - HIGHEST_BIT(bits ^ bits_of(labels->label[like - 1]));
    trie_insert(labels->node, root, test, &bits, number, bit);
}

size_t labels_find(const struct labels *labels, double label)
{
    const uint64_t bits = bits_of(label + 0.0); /* -0 is 0 */
    const uint32_t like =
        labels->count > 0 ? trie_find(labels->node, root_of(labels, bits), test, &bits) : 0;

    return like > 0 && bits_of(labels->label[like - 1]) == bits ? like - 1 : labels->count;
}

enum hinge_status labels_number(struct labels *labels, double label, uint32_t *number,
                                struct hinge_error *error)
{
    const size_t found = labels_find(labels, label);
    const size_t capacity = labels->capacity ? 2 * labels->capacity : 32;
    uint32_t *root;

    *number = (uint32_t)found;
    if (found < labels->count)
        return HINGE_OK;
    if (labels->count == labels->capacity) {
        if (ARRAY_RESIZE(&labels->label, capacity, error) ||
            ARRAY_RESIZE(&labels->node, capacity, error) ||
            !(root = array_new(2 * capacity, sizeof *root, error)))
            return failure(error);
        free(labels->root);
        labels->root = root;
        labels->capacity = capacity;
        for (size_t k = 0; k < labels->count; k++)
            insert(labels, (uint32_t)k);
    }
    labels->label[labels->count] = label + 0.0;
    insert(labels, (uint32_t)labels->count++);
    return HINGE_OK;
}

void labels_free(struct labels *labels)
{
    free(labels->label);
    free(labels->node);
    free(labels->root);
}

enum hinge_status classes_find(struct classes *classes, const struct hinge_dataset *data,
                               struct hinge_error *error)
{
    struct labels labels = {0};
    enum hinge_status status = HINGE_OK;

    memset(classes, 0, sizeof *classes);
    if (!(classes->of_row = array_new(data->x.rows, sizeof *classes->of_row, error)))
        return failure(error);
    for (size_t i = 0; i < data->x.rows && status == HINGE_OK; i++)
        if (i > 0 && data->label[i] == data->label[i - 1]) /* most rows of two classes */
            classes->of_row[i] = classes->of_row[i - 1];
        else
            status = labels_number(&labels, data->label[i], &classes->of_row[i], error);
    classes->label = labels.label;
    classes->count = labels.count;
    labels.label = NULL;
    labels_free(&labels);
    if (status == HINGE_OK && classes->count == 2 && classes->label[0] == -1 &&
        classes->label[1] == 1) {
        /* LIBLINEAR's order, on which users rely for the sign of the weights */
        classes->label[0] = 1;
        classes->label[1] = -1;
        for (size_t i = 0; i < data->x.rows; i++)
            classes->of_row[i] = 1 - classes->of_row[i];
    }
    return status;
}

enum hinge_status classes_alike(struct classes *classes, size_t rows, const double *label,
                                size_t count, struct hinge_error *error)
{
    memset(classes, 0, sizeof *classes);
    if (!(classes->of_row = array_new(rows, sizeof *classes->of_row, error)) ||
        !(classes->label = array_new(count, sizeof *classes->label, error)))
        return failure(error);
    classes->alike = 1;
    classes->count = count;
    memcpy(classes->label, label, count * sizeof *label);
    return HINGE_OK;
}

void classes_free(struct classes *classes)
{
    free(classes->label);
    free(classes->of_row);
    free(classes->column);
}
