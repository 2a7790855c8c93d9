/* advice.h - what a newcomer may want to know before a training and after it. */
#ifndef HINGE_CLI_ADVICE_H
#define HINGE_CLI_ADVICE_H

#include "cli/settings.h"

/* Prints a line to standard error if the features' largest magnitudes are far apart. Looks at a
 * sample of the data, so that it takes no time to speak of. */
void advise_scaling(const struct settings *settings, const struct hinge_dataset *data);

/* Prints the command that predicts with the model that was written. */
void advise_predicting(const struct settings *settings);

#endif
