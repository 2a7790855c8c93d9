/* classes.h - labels -> classes 0 .. k-1. */
#ifndef HINGE_LEARN_CLASSES_H
#define HINGE_LEARN_CLASSES_H

#include "hinge.h"

/* Labels by number, and a hash table to find the number of a label. All zero is the empty one. */
struct labels {
    double *label; /* [count] in the order they were added */
    size_t count;
    struct trie_node *node; /* [count] */
    uint32_t *root;         /* [2 capacity] a binary trie for each value of the hash function */
    size_t capacity;        /* of label and node; a power of 2 */
};

/* The number of a label, which is added if it is new; labels are the same if they are equal as
 * numbers. Takes at most 64 steps, whatever the labels are. */
enum hinge_status labels_number(struct labels *labels, double label, uint32_t *number,
                                struct hinge_error *error);

/* Its number, or labels->count if it is not there. */
size_t labels_find(const struct labels *labels, double label);
void labels_free(struct labels *labels);

/* The position of a label among a few; count if it is not there. */
static inline size_t label_position(const double *label, size_t count, double value)
{
    size_t c = 0;

    while (c < count && label[c] != value)
        c++;
    return c;
}

struct classes {
    size_t count;
    double *label;    /* [count] in order of first appearance, but -1, +1 as +1, -1 */
    uint32_t *of_row; /* [rows of the dataset] class of each row */
    int alike;        /* all rows are of class 0, whatever their labels */
    uint32_t *column; /* [count] of the initial model, for each class; NULL: there is none */
};

/* Numbers the labels of a dataset; two labels are one class if they are equal as numbers.
 * On failure too, free with classes_free. */
enum hinge_status classes_find(struct classes *classes, const struct hinge_dataset *data,
                               struct hinge_error *error);

/* Those of a solver that asks for no labels: all rows are of the first of these. */
enum hinge_status classes_alike(struct classes *classes, size_t rows, const double *label,
                                size_t count, struct hinge_error *error);
void classes_free(struct classes *classes);

#endif
