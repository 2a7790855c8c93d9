/* advice.h - hints for new users, printed before and after a training. */
#ifndef HINGE_CLI_ADVICE_H
#define HINGE_CLI_ADVICE_H

#include "hinge.h"

struct settings;

/* Prints a line to standard error if the largest magnitudes of two features differ by more than a
 * factor of 1000. Looks at a sample of the rows only, which is fast. */
void advise_scaling(const struct settings *settings, const struct hinge_dataset *data);

/* Prints a warning to standard error if a classifier is asked for and the labels look like numbers
 * to predict, or a regression and there are only two labels. */
void advise_labels(const struct settings *settings, const struct hinge_dataset *data);

/* Prints the command that trains on the data just made. called is argv[0]. */
void advise_training(const char *called, const char *data);

/* Prints the command that converts a file if the error says that the file is a table: data, for
 * which a map is made, or new_rows, which need the map of the training data. Either may be NULL. */
void advise_converting(const char *called, const char *data, const char *new_rows,
                       const struct hinge_error *error);

/* Prints the command that predicts with the model just written. */
void advise_predicting(const struct settings *settings, const struct hinge_model *model);

#endif
