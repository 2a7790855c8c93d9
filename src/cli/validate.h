/* validate.h - train -v and train -C: cross-validation, and the search for C by it. */
#ifndef HINGE_CLI_VALIDATE_H
#define HINGE_CLI_VALIDATE_H

#include "cli/train_options.h"
#include "cli/watch.h"
#include "data/reader.h"

/* Cross-validates with the parameters (-v), or for a range of C (-C), prints LIBLINEAR's lines and
 * the metrics, and stores the best C in the parameters; *chosen: it has. What a monitor stops ends
 * with the best so far. groups are those of --folds. *status is set to the exit status if it is not
 * HINGE_OK. */
enum hinge_status validate(const struct settings *settings, const struct hinge_dataset *data,
                           const struct groups *groups, struct hinge_parameters *parameters,
                           const struct hinge_monitor *monitor, struct progress_watch *progress,
                           int *status, int *chosen, struct hinge_error *error);

#endif
