/* advice.h - hints for new users, printed before and after a training. */
#ifndef HINGE_CLI_ADVICE_H
#define HINGE_CLI_ADVICE_H

#include <stdio.h>

#include "cli/names.h"
#include "hinge_metrics.h"

struct settings;

/* Prints the name of another program in the same folder: "./predict" for "./train",
 * "hinge-predict" for "hinge-train". */
void print_sibling(const char *called, const char *name, FILE *stream);

/* Prints a line to standard error if the largest magnitudes of two features differ by more than a
 * factor of 1000, or if a feature is far from 0. Looks at a sample of the rows only, which is fast.
 * is_scaling: the program divides by the largest magnitudes, and only features far from 0 matter.
 * wants_bias: the advice adds -B 1. map: the file that gets the scales; NULL: a file of their own.
 * called is argv[0]. */
void advise_scaling(const char *called, const struct hinge_dataset *data, const char *map,
                    int is_scaling, int wants_bias);

/* Prints a line to standard error if few features occur, and their indices are large. */
void advise_renumbering(const char *called, const struct hinge_dataset *data);

/* Prints a warning to standard error, with --quiet too, if the solver is a classifier and the
 * labels look like numbers to predict. Without --quiet, warns of regression with only two labels,
 * of 0 beside 1 and -1, and of classes that all weigh 0. */
void advise_labels(const struct settings *settings, const struct hinge_dataset *data);

/* Warns of classes whose rows all weigh 0, and of class weights for labels that the data lack. */
void advise_weights(const struct settings *settings, const struct hinge_parameters *parameters,
                    const struct hinge_dataset *data);

/* Warns of options that LIBLINEAR takes and ignores. */
void advise_ignored(const struct settings *settings);

/* Prints a line to standard error if all predictions for regression are far below the targets. */
void advise_regression(const struct settings *settings, const struct hinge_dataset *data,
                       const struct hinge_model *model);

/* Prints a line to standard error if all rows got one label, or if no row of a rare class is
 * recognised. label[classes] has the labels of the model; names has their words. is_balanced is set
 * if the model was trained with --balanced. */
void advise_classes(const char *program, const struct names *names, const double *label,
                    const struct hinge_class_metrics *by_class, size_t classes, int is_balanced);

enum { FEW_CLASSES = 10, MANY_CLASSES = 100 };

/* True if so many different labels of so many rows look like numbers to predict. They must be more
 * than FEW_CLASSES, and either more than MANY_CLASSES, or more than a fifth of the rows, or have
 * fractions in more than half of the rows. */
int are_numbers(size_t labels, uint64_t fractions, uint64_t rows);

/* Prints the command that trains a regression or a classifier on the data just made, with their map
 * unless that is NULL. called is argv[0]. */
void advise_training(const char *called, const char *data, const char *map, int has_weights,
                     uint32_t groups, int is_regression);

/* Prints the command that converts a file if the error says that the file is a table. The file is
 * data, for which a map is made, or new_rows, which need the map of the training data. Either may
 * be NULL. */
void advise_converting(const char *called, const char *data, const char *new_rows,
                       const struct hinge_error *error);

/* Prints the command that predicts with the model just written. */
void advise_predicting(const struct settings *settings, const struct hinge_model *model);

#endif
