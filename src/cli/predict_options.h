/* predict_options.h - the options of predict by number. */
#ifndef HINGE_CLI_PREDICT_OPTIONS_H
#define HINGE_CLI_PREDICT_OPTIONS_H

#include "cli/options.h"

enum {
    PROBABILITY = OPTIONS_OWN,
    DECISION,
    OUTPUT_FORMAT,
    POSITIVE,
    THRESHOLD,
    METRICS,
    CALIBRATION,
    CURVE,
    NO_LABELS,
    ZERO_BASED,
    QUIET
};

#endif
