/* names.h - names of features: a list, one a line. */
#ifndef HINGE_CLI_NAMES_H
#define HINGE_CLI_NAMES_H

#include "hinge.h"

struct names {
    size_t count;  /* lines of the list */
    size_t kept;   /* names that are kept: of the features that are asked for */
    char *text;    /* the names, each ended by NUL */
    size_t *start; /* [kept] of a name in text */
};

/* Reads the names of the first so many features. Line 1 has that of the first one; "" is none.
 * Call names_free on failure, too. */
enum hinge_status names_read(struct names *names, const char *path, size_t features,
                             struct hinge_error *error);
void names_free(struct names *names);

/* The name of a feature, from 0; NULL: it has none. */
const char *names_of(const struct names *names, size_t feature);

#endif
