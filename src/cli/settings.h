/* settings.h - the command line of train, read and checked before any work. */
#ifndef HINGE_CLI_SETTINGS_H
#define HINGE_CLI_SETTINGS_H

#include <stdio.h>

#include "cli/options.h"
#include "hinge.h"

/* What the best C is best in. */
enum criterion { CRITERION_ACCURACY, CRITERION_BALANCED, CRITERION_F1, CRITERION_AUC };

struct settings {
    const char *called;  /* argv[0] */
    const char *program; /* its last part */
    struct hinge_parameters parameters;
    struct hinge_format format;
    double time_limit;    /* seconds; 0: none */
    uint64_t trace_every; /* checkpoints a line of the trace; 0: each */
    int strict;           /* not certified is an exit status */
    int quiet;
    const char *data;
    const char *model;
    const char *row_weights; /* file; NULL: none */
    const char *trace;       /* NULL: none */
    const char *test;        /* data for the trace's test error; NULL: none */
    uint64_t folds;          /* 0: no cross-validation */
    int search;
    enum criterion criterion;
    int ranged; /* there is a range: exponents of 2 */
    double lowest;
    double highest;
    double stride;
    double least_C; /* where to begin without a range; 0: not given */
    int refit;
    int writes_model;
    enum metrics_format metrics;
    const char *path; /* NULL: none, as the next two */
    const char *alpha;
    const char *initial;
    double *weight_label; /* [number of arguments] */
    double *weight;       /* likewise */
    char *default_model;  /* what model points to if the command line names none */
};

/* Reads the command line; *ended if nothing is left to do. settings_free on failure too. */
enum hinge_status settings_read(struct settings *settings, int argc, char **argv, int *ended,
                                struct hinge_error *error);
void settings_free(struct settings *settings);

/* What the program is and how it is called, in short. */
void settings_usage(const char *program, FILE *stream);

#endif
