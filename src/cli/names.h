/* names.h - names of features, from a map that convert wrote or from a list with a name a line. */
#ifndef HINGE_CLI_NAMES_H
#define HINGE_CLI_NAMES_H

#include "cli/map.h"
#include "hinge.h"

struct names {
    struct map map; /* empty if the names are from a list */
    size_t count;   /* of all names in the file */
    size_t kept;    /* names of features that are asked for */
    char *text;     /* the kept names, each with a NUL after it */
    size_t *start;  /* [kept] position of a name in text */
};

/* Reads the names of the first `features` features. Line 1 of a list is the name of the first one;
 * an empty line is no name. Call names_free on failure, too. */
enum hinge_status names_read(struct names *names, const char *path, size_t features,
                             struct hinge_error *error);
void names_free(struct names *names);

/* Returns the name of a feature, from 0, or NULL. */
const char *names_of(const struct names *names, size_t feature);

/* Returns the word that a label had in the table, or NULL. */
const char *names_of_label(const struct names *names, double label);

#endif
