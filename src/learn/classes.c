/* classes.c - label -> class through a hash table of the labels seen so far.
 *
 * Any fixed hash function can be inverted: labels with one value of it would make a chain
 * quadratic. So those that share a value form a trie by the bits of the doubles, which is never
 * deeper than these are many. It is Morrison's (PATRICIA, J. ACM 15(4), 1968): the node of a label
 * tests one bit, the first that tells the label from one added before. A link that leads to no
 * later bit leads to the only label that may be the one looked for.
 */
#include "learn/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"

enum { NONE = 0, BITS = 64 };

/* Links are a label's number + 1, or NONE in the root of an empty trie. */
struct label_node {
    uint32_t link[2]; /* by the bit tested */
    uint32_t bit;     /* from 1, the highest, to BITS; 0: of the first label of a trie, no test */
};

static unsigned test(uint64_t bits, uint32_t bit)
{
    return (unsigned)(bits >> (BITS - bit) & 1);
}

/* The link that these bits lead to by the tests of bits before `end`. */
static uint32_t *descend(const struct labels *labels, uint64_t bits, uint32_t end)
{
    uint32_t *link = &labels->root[random_mix(bits) & (2 * labels->capacity - 1)], bit = 0;

    while (*link != NONE) {
        struct label_node *node = &labels->node[*link - 1];

        if (node->bit <= bit || node->bit >= end)
            break;
        bit = node->bit;
        link = &node->link[test(bits, bit)];
    }
    return link;
}

/* Links the label of this number, which no link leads to. */
static void insert(struct labels *labels, uint32_t number)
{
    const uint64_t bits = bits_of(labels->label[number]);
    struct label_node *node = &labels->node[number];
    uint32_t *link = descend(labels, bits, BITS + 1);

    *node = (struct label_node){{NONE, NONE}, 0};
    if (*link != NONE) {
        const uint64_t differ = bits ^ bits_of(labels->label[*link - 1]);

        do
            node->bit++;
        while (!test(differ, node->bit));
        link = descend(labels, bits, node->bit);
        node->link[test(bits, node->bit)] = number + 1;
        node->link[!test(bits, node->bit)] = *link;
    }
    *link = number + 1;
}

/* Makes the arrays larger, and links all labels anew. */
static enum hinge_status grow(struct labels *labels, struct hinge_error *error)
{
    const size_t capacity = labels->capacity ? 2 * labels->capacity : 32;
    double *label = array_resize(labels->label, capacity, sizeof *label, error);
    struct label_node *node = NULL;
    uint32_t *root = NULL;

    if (label) {
        labels->label = label;
        node = array_resize(labels->node, capacity, sizeof *node, error);
    }
    if (node) {
        labels->node = node;
        root = array_new(2 * capacity, sizeof *root, error);
    }
    if (!root)
        return failure(error);
    free(labels->root);
    labels->root = root;
    labels->capacity = capacity;
    for (size_t k = 0; k < labels->count; k++)
        insert(labels, (uint32_t)k);
    return HINGE_OK;
}

size_t labels_find(const struct labels *labels, double label)
{
    const uint64_t bits = bits_of(label + 0.0); /* -0 is 0 */
    const uint32_t like = labels->count > 0 ? *descend(labels, bits, BITS + 1) : NONE;

    return like != NONE && bits_of(labels->label[like - 1]) == bits ? like - 1 : labels->count;
}

enum hinge_status labels_number(struct labels *labels, double label, uint32_t *number,
                                struct hinge_error *error)
{
    const size_t found = labels_find(labels, label);

    *number = (uint32_t)found;
    if (found < labels->count)
        return HINGE_OK;
    if (labels->count == labels->capacity && grow(labels, error))
        return failure(error);
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
        if (i > 0 && data->label[i] == data->label[i - 1]) /* of two classes most are */
            classes->of_row[i] = classes->of_row[i - 1];
        else
            status = labels_number(&labels, data->label[i], &classes->of_row[i], error);
    classes->label = labels.label;
    classes->count = labels.count;
    labels.label = NULL;
    labels_free(&labels);
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
