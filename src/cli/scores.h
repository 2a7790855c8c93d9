/* scores.h - metrics as text and as JSON. */
#ifndef HINGE_CLI_SCORES_H
#define HINGE_CLI_SCORES_H

#include <stdio.h>

#include "hinge.h"

/* Prints a line each for balanced accuracy, macro F1, and of two classes AUC. */
void scores_print(FILE *stream, const struct hinge_metrics *metrics);

/* Prints all there is behind the accuracy: means, a table by class, the confusion matrix; of
 * more than 100 classes those that some row has or was predicted to have, and the entries of the
 * matrix that are not 0. */
enum hinge_status scores_print_all(FILE *stream, const struct hinge_predictions *predictions,
                                   const struct hinge_metrics *metrics, struct hinge_error *error);

/* Prints all there is as one JSON object on a line. Before it, if C > 0, stands C. */
enum hinge_status scores_print_json(FILE *stream, double C,
                                    const struct hinge_predictions *predictions,
                                    const struct hinge_metrics *metrics, struct hinge_error *error);

#endif
