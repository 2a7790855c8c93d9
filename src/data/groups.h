/* groups.h - a name for each row -> groups of rows. */
#ifndef HINGE_DATA_GROUPS_H
#define HINGE_DATA_GROUPS_H

#include "hinge.h"

/* The groups by number, in order of first appearance. All zero is the empty one. */
struct groups {
    size_t count;
    uint32_t *of_row; /* [rows] group of each row */
    char *text;       /* the names, each ended by a NUL, */
    size_t *name;     /* [count] and where each of them begins */
    size_t capacity;  /* of name and node */
    size_t length;    /* of text, */
    size_t room;      /* and for how much there is room */
    struct group_node *node;
};

/* Reads a file of names for so many rows, one a line, without blanks; comments and lines with
 * nothing on them are skipped. Rows with the same name, letter by letter, are a group. Free with
 * groups_free, on failure too. */
enum hinge_status groups_read(struct groups *groups, const char *path, size_t rows,
                              struct hinge_error *error);
void groups_free(struct groups *groups);

static inline const char *groups_name(const struct groups *groups, size_t group)
{
    return groups->text + groups->name[group];
}

#endif
