/* contents.h - what some rows contain, as far as it decides how entries are stored. */
#ifndef HINGE_DATA_CONTENTS_H
#define HINGE_DATA_CONTENTS_H

#include "hinge.h"

/* What decides how the entries of some rows are kept; of all rows it is put together from what
 * their parts have. */
struct contents {
    uint64_t rows;
    uint64_t read; /* entries, but for zeros that were left out */
    uint32_t columns;
    enum hinge_value_kind value_kind;
    unsigned places; /* of HINGE_VALUE_WHOLE; and the largest of these, without its sign */
    int32_t largest;
};

/* Those of both. */
struct contents contents_join(const struct contents *one, const struct contents *other);

/* Whether rows of these contents, one at least, are kept without indices. */
int contents_is_dense(const struct contents *contents);

/* How many entries they then have: without indices, one for each column. */
size_t contents_nonzeros(const struct contents *contents);

#endif
