/* classes.h - labels -> classes 0 .. k-1. */
#ifndef HINGE_LEARN_CLASSES_H
#define HINGE_LEARN_CLASSES_H

#include "hinge.h"

struct classes {
    size_t count;
    double *label;    /* [count] in order of first appearance, but -1, +1 as +1, -1 */
    uint32_t *of_row; /* [rows of the dataset] class of each row */
};

/* Numbers the labels of a dataset; two labels are one class if they are equal as numbers.
 * On failure too, free with classes_free. */
enum hinge_status classes_find(struct classes *classes, const struct hinge_dataset *data,
                               struct hinge_error *error);
void classes_free(struct classes *classes);

#endif
