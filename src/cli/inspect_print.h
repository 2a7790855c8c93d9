/* inspect_print.h - what inspect prints of a model, and of the difference of two. */
#ifndef HINGE_CLI_INSPECT_PRINT_H
#define HINGE_CLI_INSPECT_PRINT_H

#include <stdio.h>

#include "cli/names.h"
#include "hinge.h"

/* What is printed. */
struct inspection {
    const char *path[2]; /* of the models, as they were given */
    struct hinge_model *model[2];
    struct names names;
    size_t most; /* weights of a class to print */
    int json;
};

/* Prints the first model to standard output. */
enum hinge_status inspect_model(const struct inspection *inspection, struct hinge_error *error);

/* Prints what differs between the two. */
enum hinge_status inspect_difference(const struct inspection *inspection,
                                     struct hinge_error *error);

/* ---- What both print --------------------------------------------------- */

/* A property of a model that its file has before the weights. */
struct property {
    const char *name;
    void (*print)(const struct hinge_model *model);
    int (*same)(const struct hinge_model *one, const struct hinge_model *other);
};

/* Ended by name == NULL. */
extern const struct property inspect_properties[];

/* Prints the value of a note. */
void inspect_print_value(const struct hinge_note *note);

/* Prints a line for each note, but for the lists that are printed class by class. */
void inspect_print_notes(const struct hinge_model *model);

/* A list of the record that has a word for each class, and the word of the next one. */
struct cursor {
    const struct hinge_note *note;
    const char *word;
};

enum { MOST_LISTS = 7 }; /* keys that have lists */

/* Finds the lists, at most so many; how many they are. */
size_t inspect_find_lists(const struct hinge_model *model, struct cursor list[MOST_LISTS]);

/* Prints the words of a class, and moves on to the next one. */
void inspect_print_lists(struct cursor *list, size_t lists);

/* Prints what a column of the first model is for: "class 1 against -1", "class 3 against the rest",
 * "class 3", "weights". */
void inspect_print_class(const struct inspection *inspection, size_t column);

/* The constant in the decision value of a column. */
double inspect_bias_term(const struct hinge_model *model, size_t column);

/* The index in files of a feature. */
unsigned long inspect_index(const struct hinge_model *model, uint32_t feature);

/* Prints the record as a JSON object. */
void inspect_put_record(const struct hinge_model *model);

/* Prints the feature, and its name if it has one, as members of a JSON object. */
void inspect_put_feature(const struct inspection *inspection, uint32_t feature);

#endif
