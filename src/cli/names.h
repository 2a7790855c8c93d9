/* names.h - names of features and words of classes: from a map that convert wrote, from the map of
 * a model, or from a list with a name a line. */
#ifndef HINGE_CLI_NAMES_H
#define HINGE_CLI_NAMES_H

#include "cli/map.h"
#include "hinge.h"

struct names {
    struct map map;        /* empty if there is none */
    size_t count;          /* all names in the file */
    size_t kept;           /* kept names, of the features that the caller asked for */
    char *text;            /* the kept names, each with a NUL after it */
    size_t *start;         /* [kept] position of a name in text */
    size_t used;           /* bytes of text in use */
    size_t room, capacity; /* bytes of text and elements of start that are allocated */
};

/* Reads the names of the first `features` features. Line 1 of a list is the name of the first one;
 * an empty line is no name. copy gets the lines of a map. Unless copy is NULL, the file must be a
 * map. Call names_free on failure, too. */
enum hinge_status names_read(struct names *names, const char *path, size_t features,
                             struct model_map *copy, struct hinge_error *error);

/* Reads the names from the map of a model, which path names in messages. A model without a map has
 * no names. With 0 features, only the words of classes are read. */
enum hinge_status names_read_model(struct names *names, const char *path,
                                   const struct hinge_model *model, size_t features,
                                   struct hinge_error *error);
void names_free(struct names *names);

/* Returns the name of a feature, from 0, or NULL. */
const char *names_of(const struct names *names, size_t feature);

/* Returns the word that a label had in the table, or NULL. */
const char *names_of_label(const struct names *names, double label);

/* Prints the word of a label, without control characters and cut to fit. Prints the number of a
 * label without a word. */
enum { NAMES_LABEL = 64 };
void names_print_label(const struct names *names, double label, char text[NAMES_LABEL]);

/* Finds the label that a text of this length stands for: a word of a class, or a number. The
 * character after the text must not continue a number. The message begins with `option` and lists
 * the classes of the map. */
enum hinge_status names_find_label(const struct names *names, const char *option, const char *text,
                                   size_t length, double *label, struct hinge_error *error);

/* Appends a label to a command line, as --positive takes it. */
enum hinge_status names_append_label(char **line, const struct names *names, double label,
                                     struct hinge_error *error);

#endif
