/* predict_settings.h - the command line of predict, read and checked before any work. */
#ifndef HINGE_CLI_PREDICT_SETTINGS_H
#define HINGE_CLI_PREDICT_SETTINGS_H

#include <stdio.h>

#include "cli/files.h"
#include "cli/options.h"

/* What is written for a row. */
enum content { LABELS, DECISIONS, BOTH };

/* What decides between two labels: 0, a number, or the number with the largest F1. */
enum cut { CUT_AT_ZERO, CUT_AT_NUMBER, CUT_AT_MAX_F1 };

struct predict_settings {
    int probability;
    enum content content;
    double positive; /* label; NaN: not given */
    enum cut cut;
    double threshold; /* of CUT_AT_NUMBER */
    enum metrics_format metrics;
    struct hinge_format format;
    int quiet;
    const char *data;
    const char *model;
    const char *output;
    const char *calibration; /* NULL: none, like the next one */
    const char *curve;
};

/* Reads and checks the command line. *ended: the program has nothing else to do. */
enum hinge_status predict_settings_read(struct predict_settings *settings, int argc, char **argv,
                                        int *ended, struct hinge_error *error);

/* The files that are read and written. */
struct files predict_files(const struct predict_settings *settings);

/* Prints the usage. */
void predict_usage(const char *program, FILE *stream);

#endif
