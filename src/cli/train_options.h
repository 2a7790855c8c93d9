/* train_options.h - the options and settings of train and train-mpi. */
#ifndef HINGE_CLI_TRAIN_OPTIONS_H
#define HINGE_CLI_TRAIN_OPTIONS_H

#include "cli/names.h"
#include "cli/options.h"
#include "solver/loop/parameters.h"

enum {
    SOLVER = OPTIONS_OWN,
    COST,
    LAMBDA,
    EPS,
    GAP,
    FREE_BIAS,
    BIAS,
    EPSILON,
    NU,
    CACHE,
    WEIGHT,
    ROW_WEIGHTS,
    BALANCED,
    PROBABILITY,
    MAX_ITER,
    PLAIN,
    STRICT,
    TIME_LIMIT,
    SEED,
    L1,
    BATCH,
    ITERATIONS,
    EPOCHS,
    SAMPLING,
    AVERAGE,
    SUFFIX,
    FOLDS,
    SEARCH,
    CRITERION,
    C_RANGE,
    ONE_SE,
    REFIT,
    PATH,
    METRICS,
    JSON,
    POSITIVE,
    PREDICTIONS,
    FOLD_NAMES,
    ALPHA,
    INITIAL,
    CHECKPOINT,
    CHECKPOINT_EVERY,
    REPORT,
    TRACE,
    TRACE_EVERY,
    TEST,
    ZERO_BASED,
    MAP,
    NO_RECORD,
    QUIET,
    THREADS,
    MEMORY,
    SCRATCH_FILE,
    KEYS_END
};

/* The score that -C maximises or minimises. */
enum criterion {
    CRITERION_ACCURACY,
    CRITERION_BALANCED,
    CRITERION_PRECISION,
    CRITERION_RECALL,
    CRITERION_F1,
    CRITERION_MCC,
    CRITERION_AUC,
    CRITERION_AVERAGE_PRECISION,
    CRITERION_LOG_LOSS,
    CRITERION_MSE, /* criteria from here on are for regression */
    CRITERION_MAE,
    CRITERION_R2
};

/* The name of a class in an option: its label, or its word in the map. */
struct class_name {
    const char *option; /* the option as it was written, for messages */
    const char *text;
    size_t length; /* characters of the class in text; more text follows in --weight L:W */
};

/* The settings of the command line. Names of files are NULL if not given. */
struct settings {
    const char *called;  /* argv[0] */
    const char *program; /* the last part of argv[0] */
    struct hinge_parameters parameters;
    struct hinge_format format;
    double time_limit;    /* seconds; 0: none */
    uint64_t trace_every; /* iterations between two lines of the trace; 0: each checkpoint */
    int sampling_given;
    int strict; /* exit with EXIT_NOT_CERTIFIED unless all problems are certified */
    int quiet;
    int json;   /* print the training, too, as JSON */
    int bare;   /* the model has no record */
    int silent; /* prints and writes nothing: a rank of a team that is not the first */
    const char *data;
    const char *model;
    const char *unwritten; /* a model that -v or -C accept but do not write, as in LIBLINEAR */
    const char *row_weights;
    const char *report; /* page of HTML */
    const char *trace;
    const char *test; /* data for the test error of the trace */
    uint64_t folds;   /* 0: no cross-validation; UINT64_MAX: each name of fold_names is a fold */
    int search;
    enum criterion criterion;
    int ranged;     /* --c-range was given */
    double lowest;  /* exponent of 2 of the first C of --c-range */
    double highest; /* exponent of 2 of the last C of --c-range */
    double stride;
    double least_C; /* start of -C without --c-range; 0: hinge_least_C */
    double most_p;  /* the largest epsilon of -C, for regression; negative: not given */
    int one_se;     /* take the smallest C within a standard error of the best score */
    int refit;
    int writes_model;
    uint64_t ignored; /* set of keys: options of LIBLINEAR that mean nothing to the solver */
    enum metrics_format metrics;
    const char *positive_name; /* a label or its word; NULL: not given */
    double positive;           /* the label; NaN: not given */
    const char *map;
    struct names names;     /* names of features and classes, from the map */
    struct model_map lines; /* lines of the map, for the record of the model */
    const char *fold_names;
    const char *predictions;
    const char *path;
    const char *alpha;
    const char *initial;
    const char *checkpoint;
    double checkpoint_minutes;
    struct class_name *weight_name; /* [number of arguments] */
    double *weight_label;           /* [number of arguments] */
    double *weight;                 /* [number of arguments] */
    char *command;                  /* the command line, as the model records it */
    char *default_model;            /* model points to it if the command line names no model */
};

/* Reads and checks the command line. Sets *ended to 1 if the program has nothing else to do. Call
 * settings_free on failure, too. */
enum hinge_status settings_read(struct settings *settings, int argc, char **argv, int *ended,
                                struct hinge_error *error);
void settings_free(struct settings *settings);

/* Returns train, or train-mpi if a team trains. */
const struct program *settings_program(const struct settings *settings);

/* Sets the values that depend on several options. Refuses options and combinations of them without
 * a meaning, parameters out of range, and a missing data file. given is a set of keys. */
enum hinge_status settings_check(void *settings, uint64_t given, struct hinge_error *error);

/* Fails because a class with a weight is no label. */
enum hinge_status class_name_fail(const struct class_name *name, struct hinge_error *error);

/* Returns the option that asks for the validation of the command line: -C, -v or --folds. */
const char *settings_scored_by(const struct settings *settings);

/* Returns the name of an option in messages. */
const char *option_called(int key);

/* The values of --criterion, by enum criterion, ended by NULL. */
extern const char *const criterion_words[];

#endif
