/* storage_kinds.h - what some rows contain, as far as it decides how entries are stored. */
#ifndef HINGE_DATA_STORAGE_KINDS_H
#define HINGE_DATA_STORAGE_KINDS_H

#include "hinge.h"

/* What decides how the entries of some rows are kept; of all rows it is put together from what
 * their parts have. */
struct storage_kinds {
    uint64_t rows;
    uint64_t read; /* entries, but for zeros that were left out */
    uint32_t columns;
    enum hinge_value_kind value_kind;
    unsigned places; /* of HINGE_VALUE_WHOLE; and the largest of these, without its sign */
    int32_t largest;
};

/* Those of both. */
struct storage_kinds storage_kinds_join(const struct storage_kinds *one,
                                        const struct storage_kinds *other);

/* Whether rows of these kinds, one at least, are kept without indices. */
int storage_kinds_are_dense(const struct storage_kinds *kinds);

/* How many entries they then have: without indices, one for each column. */
size_t storage_kinds_nonzeros(const struct storage_kinds *kinds);

#endif
