/* names.h - names of features: of a map that convert wrote, or of a list, one a line. */
#ifndef HINGE_CLI_NAMES_H
#define HINGE_CLI_NAMES_H

#include "cli/map.h"
#include "hinge.h"

struct names {
    struct map map; /* of a list: empty */
    size_t count;   /* names that there are */
    size_t kept;    /* those of the features that are asked for */
    char *text;     /* each of these, with a NUL after it */
    size_t *start;  /* [kept] of a name in text */
};

/* Reads the names of the first so many features. Line 1 of a list has that of the first one; "" is
 * none. Call names_free on failure, too. */
enum hinge_status names_read(struct names *names, const char *path, size_t features,
                             struct hinge_error *error);
void names_free(struct names *names);

/* The name of a feature, from 0; NULL: it has none. */
const char *names_of(const struct names *names, size_t feature);

/* The word that stood for a label in the table; NULL: none. */
const char *names_of_label(const struct names *names, double label);

#endif
