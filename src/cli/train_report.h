/* train_report.h - what train prints about a training. */
#ifndef HINGE_CLI_TRAIN_REPORT_H
#define HINGE_CLI_TRAIN_REPORT_H

#include "cli/names.h"

/* Returns the smallest number of three digits that is not below the gap, so that a printed bound is
 * a bound. */
double report_gap(double gap);

/* Prints LIBLINEAR's lines and the certificate of one of several binary problems: a label against
 * the rest. names has the words of labels, here and below. */
void report_class(const struct hinge_solver *solver, size_t problem, size_t problems,
                  const struct names *names, double label, const struct hinge_result *result,
                  size_t width, double target);

/* Prints LIBLINEAR's lines and the certificate of a model of one problem; for several problems, how
 * many were not begun. Prints the sigmoids in both cases. */
void report_results(const struct hinge_model *model, const struct names *names, double target);

/* Prints the training as one JSON object, with the words of labels that have names. path is the
 * name of the model; seconds[3] are for reading, training and writing. */
void report_json(const struct hinge_model *model, const struct hinge_dataset *data,
                 const struct names *names, const char *path, const double *seconds);

/* Prints how often the data were read, if they are in a temporary file. */
void report_reads(const struct hinge_dataset *data);

/* Prints a warning for each binary problem that did not reach the gap; if quiet, only for those
 * that double precision, and no limit, kept from it. */
void report_warnings(const char *program, const struct hinge_model *model,
                     const struct names *names, double target, int quiet);

#endif
