/* classes.h - labels -> classes 0 .. k-1. */
#ifndef HINGE_LEARN_CLASSES_H
#define HINGE_LEARN_CLASSES_H

#include "hinge.h"

/* Labels by number, with a hash table that finds the number of a label. All zero: no labels. */
struct labels {
    double *label; /* [count] in the order of addition */
    size_t count;
    struct trie_node *node; /* [count] */
    uint32_t *root;         /* [2 capacity] the trie of each value of the hash function */
    size_t capacity;        /* length of label and node, a power of 2 */
};

/* Sets *number to the number of a label, which is added if no label equals it. Takes at most 64
 * steps, whatever the labels are. */
enum hinge_status labels_number(struct labels *labels, double label, uint32_t *number,
                                struct hinge_error *error);

/* Returns the number of a label; labels->count if there is none. */
size_t labels_find(const struct labels *labels, double label);
void labels_free(struct labels *labels);

/* Returns the position of a value in label[count]; count if it is not there. */
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
    uint32_t *of_row; /* [rows of the data] class of each row */
    int alike;        /* 1: all rows are of class 0, whatever their labels */
    uint32_t *column; /* [count] column of the initial model for each class; NULL: no model */
};

/* Numbers the labels of a dataset. Labels that are equal as numbers are one class. Free with
 * classes_free, on failure too. */
enum hinge_status classes_find(struct classes *classes, const struct hinge_dataset *data,
                               struct hinge_error *error);

/* Sets the classes of a solver that asks for no labels: label[count], all rows of the first. Free
 * with classes_free, on failure too. */
enum hinge_status classes_alike(struct classes *classes, size_t rows, const double *label,
                                size_t count, struct hinge_error *error);
void classes_free(struct classes *classes);

#endif
