/* settings.h - the command line of train, read and checked before any work. */
#ifndef HINGE_CLI_SETTINGS_H
#define HINGE_CLI_SETTINGS_H

#include <stdio.h>

#include "cli/files.h"
#include "cli/options.h"
#include "hinge.h"

/* The score that -C maximises. */
enum criterion {
    CRITERION_ACCURACY,
    CRITERION_BALANCED,
    CRITERION_F1,
    CRITERION_AUC,
    CRITERION_MSE /* of a regression; it is minimised */
};

struct settings {
    const char *called;  /* argv[0] */
    const char *program; /* its last part */
    struct hinge_parameters parameters;
    struct hinge_format format;
    double time_limit;    /* seconds; 0: none */
    uint64_t trace_every; /* iterations between two lines of the trace; 0: each checkpoint */
    int sampling_given;   /* --sampling was given */
    int strict;           /* exit with EXIT_NOT_CERTIFIED unless all problems are certified */
    int quiet;
    int silent; /* prints and writes nothing: a rank of a team that is not the first */
    const char *data;
    const char *model;       /* LIBLINEAR takes one with -v and -C, too, and writes none */
    const char *row_weights; /* file; NULL: none */
    const char *trace;       /* NULL: none */
    const char *test;        /* data for the test error of the trace; NULL: none */
    uint64_t folds; /* 0: no cross-validation; UINT64_MAX: each name of fold_names is one */
    int search;
    enum criterion criterion;
    int ranged; /* --c-range was given; exponents of 2: */
    double lowest;
    double highest;
    double stride;
    double least_C; /* start of -C without --c-range; 0: hinge_least_C */
    double most_p;  /* of a regression the largest epsilon of -C; negative: not given */
    int one_se;     /* the smallest C within a standard error of the best score */
    int refit;
    int writes_model;
    uint64_t ignored; /* options of LIBLINEAR that mean nothing to the solver: a set of keys */
    enum metrics_format metrics;
    double positive;        /* label; NaN: not given */
    const char *fold_names; /* file; NULL: none, like the next five */
    const char *predictions;
    const char *path;
    const char *alpha;
    const char *initial;
    const char *checkpoint;
    double checkpoint_minutes; /* between two of them */
    double *weight_label;      /* [number of arguments] */
    double *weight;            /* likewise */
    char *command;             /* the command line, as the model records it */
    char *default_model;       /* model points to it if the command line names no model */
};

/* Reads and checks the command line. *ended: the program has nothing else to do. Call settings_free
 * on failure too. */
enum hinge_status settings_read(struct settings *settings, int argc, char **argv, int *ended,
                                struct hinge_error *error);
void settings_free(struct settings *settings);

/* The files that are read and written. */
struct files settings_files(const struct settings *settings);

/* The option that asks for a validation, of a command line with one: -C, -v or --folds. */
const char *settings_scored_by(const struct settings *settings);

/* Prints the usage: three lines. */
void settings_usage(const char *program, FILE *stream);

#endif
