/* predict_options.h - the options and settings of predict. */
#ifndef HINGE_CLI_PREDICT_OPTIONS_H
#define HINGE_CLI_PREDICT_OPTIONS_H

#include "cli/options.h"

/* The parts of the line that is written for a row. DECISIONS is 1, as -d stores it. */
enum content { LABELS, DECISIONS, BOTH };

/* The threshold between two labels: 0, a number, or the number with the largest F1. */
enum cut { CUT_AT_ZERO, CUT_AT_NUMBER, CUT_AT_MAX_F1 };

struct predict_settings {
    int probability;
    enum content content;
    const char *positive; /* a label or its word; NULL: not given */
    enum cut cut;
    double threshold; /* the number of CUT_AT_NUMBER */
    enum metrics_format metrics;
    int words; /* labels are written as words */
    struct hinge_format format;
    int quiet;
    const char *data;
    const char *model;
    const char *output;
    const char *calibration; /* NULL: none */
    const char *curve;       /* NULL: none */
    const char *ranges;      /* the file of --scale-back; NULL: none */
    const char *report;      /* NULL: none */
};

/* The options store into a struct predict_settings. */
extern const struct program predict_program;

#endif
