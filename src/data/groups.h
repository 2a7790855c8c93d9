/* groups.h - a name for each row -> groups of rows. */
#ifndef HINGE_DATA_GROUPS_H
#define HINGE_DATA_GROUPS_H

#include "base/dictionary.h"
#include "hinge.h"

/* All zero is the empty one. */
struct groups {
    struct dictionary names; /* of the groups, which have their numbers */
    uint32_t *of_row;        /* [rows] group of each row */
};

/* Reads a file of names for so many rows, one a line, without blanks; comments and lines with
 * nothing on them are skipped. Rows with the same name, letter by letter, are a group. Free with
 * groups_free, on failure too. */
enum hinge_status groups_read(struct groups *groups, const char *path, size_t rows,
                              struct hinge_error *error);
void groups_free(struct groups *groups);

#endif
