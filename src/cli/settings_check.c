/* settings_check.c - refuses combinations of options without a meaning, and names both. */
#include <stddef.h>

#include "base/status.h"
#include "cli/keys.h"

static const uint64_t DUAL_ONLY =
    BIT(GAP) | BIT(MAX_ITER) | BIT(FREE_BIAS) | BIT(STRICT) | BIT(ALPHA) | BIT(CHECKPOINT);
static const uint64_t STOCHASTIC_ONLY =
    BIT(BATCH) | BIT(ITERATIONS) | BIT(EPOCHS) | BIT(SAMPLING) | BIT(AVERAGE) | BIT(SUFFIX);

/* Refuses options without a meaning for the solver. */
static enum hinge_status check_solver(const struct settings *settings, uint64_t given,
                                      struct hinge_error *error)
{
    const struct hinge_parameters *parameters = &settings->parameters;
    const struct hinge_solver *solver = hinge_solver_find(parameters->solver);
    uint64_t useless = given & (solver->kind == HINGE_DUAL ? STOCHASTIC_ONLY : DUAL_ONLY);

    if (!solver->descends)
        useless |= given & BIT(PLAIN);
    if (solver->regression)
        useless |= given & (BIT(BALANCED) | BIT(PROBABILITY) | BIT(POSITIVE));
    if (solver->one_class)
        useless |=
            given & (BIT(LAMBDA) | BIT(SEARCH) | BIT(BALANCED) | BIT(PROBABILITY) | BIT(POSITIVE));
    if (solver->regression != (settings->criterion == CRITERION_MSE))
        useless |= given & BIT(CRITERION);
    if (solver->l1 == 1)
        useless |= given & BIT(FREE_BIAS);
    if (!solver->pairs)
        useless |= given & BIT(CACHE);
    if (solver->pairs || solver->one_class)
        useless |= given & (BIT(FREE_BIAS) | (parameters->bias >= 0 ? BIT(BIAS) : 0));
    if (solver->joint && solver->descends)
        useless |= given & BIT(FREE_BIAS);
    if (!solver->descends && solver->kind == HINGE_DUAL && settings->folds == 0 &&
        !parameters->probability)
        useless |= given & BIT(SEED);
    if (solver->l1 != 1)
        useless |= given & BIT(L1);
    if (!solver->starts)
        useless |= given & (BIT(INITIAL) | BIT(CHECKPOINT));
    if (parameters->average != HINGE_AVERAGE_DEFAULT &&
        !(solver->averages >> parameters->average & 1))
        useless |= given & BIT(AVERAGE);
    if (!(solver->averages >> HINGE_AVERAGE_SUFFIX & 1))
        useless |= given & BIT(SUFFIX);
    for (int key = SOLVER; key < KEYS_END; key++)
        if (useless & BIT(key))
            return fail(error, HINGE_BAD_ARGUMENT, "%s%s%s has no meaning for --solver %s",
                        option_called(key), key == CRITERION ? " " : "",
                        key == CRITERION ? criterion_words[settings->criterion] : "", solver->name);
    if (parameters->probability && given & BIT(INITIAL) && solver->kind == HINGE_STOCHASTIC)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "%s 1 and %s exclude each other for --solver %s: its folds start from 0",
                    option_called(PROBABILITY), option_called(INITIAL), solver->name);
    if (given & BIT(SUFFIX) && parameters->average == HINGE_AVERAGE_NONE)
        return fail(error, HINGE_BAD_ARGUMENT, "%s and %s none exclude each other",
                    option_called(SUFFIX), option_called(AVERAGE));
    return HINGE_OK;
}

/* Refuses pairs of options. */
static enum hinge_status check_exclusive(uint64_t given, struct hinge_error *error)
{
    static const int pairs[][2] = {
        {COST, LAMBDA},      {ITERATIONS, EPOCHS},  {SEARCH, LAMBDA},         {C_RANGE, COST},
        {FOLDS, TRACE},      {FOLDS, INITIAL},      {SEARCH, TRACE},          {SEARCH, INITIAL},
        {FOLD_NAMES, TRACE}, {FOLD_NAMES, INITIAL}, {PREDICTIONS, SEARCH},    {MEMORY, TEST},
        {FOLDS, CHECKPOINT}, {SEARCH, CHECKPOINT},  {FOLD_NAMES, CHECKPOINT},
    };

    return options_exclude(train_options, given, pairs, sizeof pairs / sizeof *pairs, error);
}

static enum hinge_status check_needs(uint64_t given, struct hinge_error *error)
{
    static const int scores[] = {METRICS, POSITIVE}; /* of cross-validation */
    static const int pairs[][2] = {
        {TRACE_EVERY, TRACE}, {TEST, TRACE},          {CRITERION, SEARCH},
        {C_RANGE, SEARCH},    {ONE_SE, SEARCH},       {REFIT, SEARCH},
        {PATH, SEARCH},       {SCRATCH_FILE, MEMORY}, {CHECKPOINT_EVERY, CHECKPOINT}};

    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (given & BIT(pairs[k][0]) && !(given & BIT(pairs[k][1])))
            return fail(error, HINGE_BAD_ARGUMENT, "%s needs %s", option_called(pairs[k][0]),
                        option_called(pairs[k][1]));
    if (given & BIT(PREDICTIONS) && !(given & (BIT(FOLDS) | BIT(FOLD_NAMES))))
        return fail(error, HINGE_BAD_ARGUMENT, "%s needs %s or %s", option_called(PREDICTIONS),
                    option_called(FOLDS), option_called(FOLD_NAMES));
    for (size_t k = 0; k < sizeof scores / sizeof *scores; k++)
        if (given & BIT(scores[k]) && !(given & (BIT(FOLDS) | BIT(SEARCH) | BIT(FOLD_NAMES))))
            return fail(error, HINGE_BAD_ARGUMENT, "%s needs %s or %s", option_called(scores[k]),
                        option_called(FOLDS), option_called(SEARCH));
    return HINGE_OK;
}

/* Refuses options for a model where none is written. */
static enum hinge_status check_model(const struct settings *settings, uint64_t given,
                                     struct hinge_error *error)
{
    const char *reason = settings_scored_by(settings);
    const int alpha = given & BIT(ALPHA) ? 1 : 0;
    const char *but = settings->search ? " without --refit" : alpha ? "" : " without --predictions";

    if (settings->writes_model)
        return HINGE_OK;
    if (alpha || (settings->parameters.probability && !settings->predictions))
        return fail(error, HINGE_BAD_ARGUMENT, "%s and %s exclude each other%s", reason,
                    option_called(alpha ? ALPHA : PROBABILITY), but);
    return HINGE_OK;
}

struct files settings_files(const struct settings *settings)
{
    const char *model = settings->writes_model ? settings->model : NULL;
    const struct files files = {{{option_called(ROW_WEIGHTS), settings->row_weights, 0},
                                 {option_called(INITIAL), settings->initial, 0},
                                 {option_called(TEST), settings->test, 0},
                                 {option_called(FOLD_NAMES), settings->fold_names, 0},
                                 {"the data", settings->data, 0}},
                                {{option_called(ALPHA), settings->alpha, 0},
                                 {option_called(TRACE), settings->trace, 0},
                                 {option_called(CHECKPOINT), settings->checkpoint, 0},
                                 {option_called(PATH), settings->path, 0},
                                 {option_called(PREDICTIONS), settings->predictions, 0},
                                 {"the model", model, 0}}};

    return files;
}

enum hinge_status settings_check(const struct settings *settings, uint64_t given,
                                 struct hinge_error *error)
{
    if (check_exclusive(given, error) || check_needs(given, error) ||
        check_solver(settings, given, error))
        return failure(error);
    if (given & BIT(FREE_BIAS) && settings->parameters.bias != 1)
        return fail(error, HINGE_BAD_ARGUMENT, "%s needs %s 1", option_called(FREE_BIAS),
                    option_called(BIAS));
    if (!settings->data)
        return fail(error, HINGE_BAD_ARGUMENT, "no data file given");
    if (check_model(settings, given, error))
        return failure(error);
    return hinge_parameters_check(&settings->parameters, error);
}
