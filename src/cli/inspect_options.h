/* inspect_options.h - the options of inspect by number. */
#ifndef HINGE_CLI_INSPECT_OPTIONS_H
#define HINGE_CLI_INSPECT_OPTIONS_H

#include "cli/options.h"

enum { LARGEST = OPTIONS_OWN, NAMES, JSON, QUIET };

#endif
