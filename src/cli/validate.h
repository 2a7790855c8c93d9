/* validate.h - train -v and train -C: how good trainings are on rows they did not see. */
#ifndef HINGE_CLI_VALIDATE_H
#define HINGE_CLI_VALIDATE_H

#include "cli/settings.h"

/* Cross-validates with the parameters, and prints LIBLINEAR's line and metrics. *status is the exit
 * status that it calls for. */
enum hinge_status validate(const struct settings *settings, const struct hinge_dataset *data,
                           const struct hinge_parameters *parameters,
                           const struct hinge_monitor *monitor, int *status,
                           struct hinge_error *error);

/* Searches for the best C, prints LIBLINEAR's lines, and puts it into the parameters. */
enum hinge_status search(const struct settings *settings, const struct hinge_dataset *data,
                         struct hinge_parameters *parameters, const struct hinge_monitor *monitor,
                         int *status, struct hinge_error *error);

#endif
