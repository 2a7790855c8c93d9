/* criterion.h - the score that a search for C is about, and how much it differs from fold to fold.
 */
#ifndef HINGE_CLI_CRITERION_H
#define HINGE_CLI_CRITERION_H

#include "cli/train_options.h"
#include "hinge_metrics.h"

/* Its name in the line "Best C". */
const char *criterion_name(enum criterion criterion);

double criterion_score(enum criterion criterion, const struct hinge_metrics *metrics);

/* Whether a score is better than another one, and whether none can be. */
int criterion_is_better(enum criterion criterion, double score, double other);
int criterion_is_perfect(enum criterion criterion, double score);

/* *deviation: the standard deviation of the folds' scores; NaN of fewer than two folds that have
 * one. Takes 16 bytes for each row until it returns. */
enum hinge_status criterion_deviation(enum criterion criterion,
                                      const struct hinge_validation *validation,
                                      const struct hinge_monitor *monitor, double *deviation,
                                      struct hinge_error *error);

#endif
