/* keys.h - the options of train by number, and sets of them. */
#ifndef HINGE_CLI_KEYS_H
#define HINGE_CLI_KEYS_H

#include "cli/options.h"
#include "cli/settings.h"

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
    POSITIVE,
    PREDICTIONS,
    FOLD_NAMES,
    ALPHA,
    INITIAL,
    CHECKPOINT,
    CHECKPOINT_EVERY,
    TRACE,
    TRACE_EVERY,
    TEST,
    ZERO_BASED,
    QUIET,
    THREADS,
    MEMORY,
    SCRATCH_FILE,
    KEYS_END
};

/* The values of --criterion, by enum criterion, ended by NULL. */
extern const char *const criterion_words[];

/* The name of an option in the usage text. */
const char *option_called(int key);

/* Refuses options and combinations of them without a meaning, parameters out of range, and a
 * missing data file; given is a set of keys. */
enum hinge_status settings_check(const struct settings *settings, uint64_t given,
                                 struct hinge_error *error);

#endif
