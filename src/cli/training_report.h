/* training_report.h - what train prints about a training. */
#ifndef HINGE_CLI_TRAINING_REPORT_H
#define HINGE_CLI_TRAINING_REPORT_H

#include "hinge.h"

/* The smallest number of three digits that is not below a gap: what is printed of a bound is a
 * bound.
 */
double report_gap(double gap);

/* Prints LIBLINEAR's lines and the certificate of one of several binary problems, that of a label
 * against the rest, when it has ended. */
void report_class(const struct hinge_solver *solver, size_t problem, size_t problems, double label,
                  const struct hinge_result *result, size_t width, double target);

/* Prints the same of all others to standard output: of a single problem, and of several what
 * report_class did not know. */
void report_results(const struct hinge_model *model, double target);

/* Prints a warning for each binary problem that did not reach the gap; if quiet, only for those
 * that double precision, and no limit, kept from it. */
void report_warnings(const char *program, const struct hinge_model *model, double target,
                     int quiet);

#endif
