/* scale_options.h - the options of scale by number. */
#ifndef HINGE_CLI_SCALE_OPTIONS_H
#define HINGE_CLI_SCALE_OPTIONS_H

enum { LOWER = 1, UPPER, SAVE, RESTORE, DIGITS, NO_LABELS, ZERO_BASED, QUIET, HELP, VERSION };

#endif
