/* scale_options.h - the options of scale by number. */
#ifndef HINGE_CLI_SCALE_OPTIONS_H
#define HINGE_CLI_SCALE_OPTIONS_H

#include "cli/options.h"

enum { LOWER = OPTIONS_OWN, UPPER, SAVE, RESTORE, DIGITS, NO_LABELS, ZERO_BASED, QUIET };

#endif
