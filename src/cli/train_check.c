/* train_check.c - sets the values that depend on several options of train, and refuses
 * combinations without a meaning. */
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/train_options.h"
#include "solver/loop/parameters.h"
#include "solver/loop/solver.h"

static const uint64_t DUAL_ONLY =
    BIT(GAP) | BIT(MAX_ITER) | BIT(FREE_BIAS) | BIT(STRICT) | BIT(ALPHA) | BIT(CHECKPOINT);
static const uint64_t STOCHASTIC_ONLY =
    BIT(BATCH) | BIT(ITERATIONS) | BIT(EPOCHS) | BIT(SAMPLING) | BIT(AVERAGE) | BIT(SUFFIX);

/* LIBLINEAR for several processors sets the number of threads by -m or -n. */
#define THREADS_ADVICE "; the number of threads is -j"

/* Refuses options without a meaning for the solver. */
static enum hinge_status check_solver(const struct settings *settings, uint64_t given,
                                      struct hinge_error *error)
{
    const struct hinge_parameters *parameters = &settings->parameters;
    const struct hinge_solver *solver = hinge_solver_find(parameters->solver);
    const int is_dual = solver->kind == HINGE_DUAL;
    const int has_folds = settings->folds > 0 || parameters->probability;
    const int has_average =
        parameters->average == HINGE_AVERAGE_DEFAULT || solver->averages >> parameters->average & 1;
    const struct {
        int is_excluded;
        uint64_t keys;
    } rules[] = {
        {is_dual, STOCHASTIC_ONLY},
        {!is_dual, DUAL_ONLY},
        {!solver->descends, BIT(PLAIN)},
        {solver->regression, BIT(BALANCED) | BIT(PROBABILITY) | BIT(POSITIVE)},
        {solver->one_class,
         BIT(LAMBDA) | BIT(SEARCH) | BIT(BALANCED) | BIT(PROBABILITY) | BIT(POSITIVE)},
        {solver->regression != (settings->criterion >= CRITERION_MSE), BIT(CRITERION)},
        {solver->l1 == 1 || (solver->joint && solver->descends), BIT(FREE_BIAS)},
        {!solver->pairs, BIT(CACHE)},
        {solver->pairs || solver->one_class,
         BIT(FREE_BIAS) | (parameters->bias >= 0 ? BIT(BIAS) : 0)},
        {!solver->descends && is_dual && !has_folds, BIT(SEED)},
        {solver->l1 != 1, BIT(L1)},
        {!solver->starts, BIT(INITIAL) | BIT(CHECKPOINT)},
        {!has_average, BIT(AVERAGE)},
        {!(solver->averages >> HINGE_AVERAGE_SUFFIX & 1), BIT(SUFFIX)},
    };
    uint64_t useless = 0;

    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
        useless |= rules[k].is_excluded ? given & rules[k].keys : 0;
    for (int key = SOLVER; key < KEYS_END; key++)
        if (useless & BIT(key))
            return fail(error, HINGE_BAD_ARGUMENT, "%s%s%s has no meaning for --solver %s%s",
                        option_called(key), key == CRITERION ? " " : "",
                        key == CRITERION ? criterion_words[settings->criterion] : "", solver->name,
                        key == CACHE ? THREADS_ADVICE : "");
    if (settings->criterion == CRITERION_LOG_LOSS && !parameters->probability &&
        !strstr(solver->model_name, "_LR") && !solver_is_softmax(solver_find(solver->number)))
        return fail(error, HINGE_BAD_ARGUMENT,
                    "--criterion log-loss needs -b 1: --solver %s has no probabilities",
                    solver->name);
    if (given & BIT(NU) && parameters->nu > 1)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: NU is at most 1%s", option_called(NU),
                    THREADS_ADVICE);
    if (parameters->probability && given & BIT(INITIAL) && solver->kind == HINGE_STOCHASTIC)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "%s 1 and %s exclude each other for --solver %s: its folds start from 0",
                    option_called(PROBABILITY), option_called(INITIAL), solver->name);
    if (given & BIT(SUFFIX) && parameters->average == HINGE_AVERAGE_NONE)
        return fail(error, HINGE_BAD_ARGUMENT, "%s and %s none exclude each other",
                    option_called(SUFFIX), option_called(AVERAGE));
    return HINGE_OK;
}

const char *settings_scored_by(const struct settings *settings)
{
    const int is_named = settings->folds == 0 || settings->folds == UINT64_MAX;

    return option_called(settings->search ? SEARCH : is_named ? FOLD_NAMES : FOLDS);
}

/* Sets the values that depend on several options. */
static void conclude(struct settings *settings, uint64_t given)
{
    struct hinge_parameters *parameters = &settings->parameters;
    const struct hinge_solver *solver = hinge_solver_find(parameters->solver);

    if (settings->json)
        settings->metrics = METRICS_JSON;
    settings->sampling_given = (given & BIT(SAMPLING)) != 0;
    settings->ignored =
        given & ((solver->regression ? 0 : BIT(EPSILON)) | (solver->one_class ? 0 : BIT(NU)));
    parameters->weight_label = settings->weight_label;
    parameters->weight = settings->weight;
    parameters->keep_alpha = settings->alpha != NULL;
    if (solver->one_class) /* LIBLINEAR takes -c, and ignores it */
        parameters->C = 1;
    if (solver->kind == HINGE_STOCHASTIC)
        parameters->checkpoint = settings->trace_every;
    else if (given & BIT(EPS) && !(given & BIT(GAP)))
        parameters->relative_gap = 0;
    if (settings->format.memory > 0 && !(given & BIT(THREADS))) /* each thread takes memory */
        parameters->threads = 1;
    if (settings->trace) /* the trace lists one problem after the other */
        parameters->threads = 1;
    parameters->store_decisions =
        settings->predictions || settings->report || settings->criterion == CRITERION_LOG_LOSS;
    if (settings->fold_names && settings->folds == 0)
        settings->folds = UINT64_MAX;
    if (settings->search && settings->folds == 0)
        settings->folds = 5;
    settings->writes_model = settings->folds == 0 || settings->refit;
    if (!settings->writes_model) {
        settings->unwritten = settings->model;
        settings->model = NULL;
    }
    settings->least_C = given & BIT(COST) ? parameters->C : 0;
    settings->most_p = given & BIT(EPSILON) ? parameters->epsilon : -1;
    if (solver->regression && !(given & BIT(CRITERION)))
        settings->criterion = CRITERION_MSE;
}

enum hinge_status class_name_fail(const struct class_name *name, struct hinge_error *error)
{
    return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not %s", name->option, name->text,
                name->text[name->length] || name->length == 0 ? "a class label, ':' and a weight"
                                                              : "a class label");
}

enum hinge_status settings_check(void *state, uint64_t given, struct hinge_error *error)
{
    static const int scores[] = {METRICS, POSITIVE};
    struct settings *settings = state;
    const int kept = given & BIT(ALPHA) ? ALPHA : given & BIT(NO_RECORD) ? NO_RECORD : PROBABILITY;
    const char *slash, *base;
    size_t size;

    conclude(settings, given);
    for (size_t k = 0; k < settings->parameters.weights && !settings->map && !settings->initial;
         k++)
        if (names_find_label(&settings->names, "", settings->weight_name[k].text,
                             settings->weight_name[k].length, &settings->weight_label[k], error))
            return class_name_fail(&settings->weight_name[k], error);
    /* options for scores need cross-validation */
    if (given & BIT(PREDICTIONS) && !(given & (BIT(FOLDS) | BIT(FOLD_NAMES))))
        return fail(error, HINGE_BAD_ARGUMENT, "%s needs %s or %s", option_called(PREDICTIONS),
                    option_called(FOLDS), option_called(FOLD_NAMES));
    for (size_t k = 0; k < sizeof scores / sizeof *scores; k++)
        if (given & BIT(scores[k]) && !(given & (BIT(FOLDS) | BIT(SEARCH) | BIT(FOLD_NAMES))))
            return fail(error, HINGE_BAD_ARGUMENT, "%s needs %s or %s", option_called(scores[k]),
                        option_called(FOLDS), option_called(SEARCH));
    if (check_solver(settings, given, error))
        return failure(error);
    if (given & BIT(FREE_BIAS) && settings->parameters.bias != 1)
        return fail(error, HINGE_BAD_ARGUMENT, "%s needs %s 1", option_called(FREE_BIAS),
                    option_called(BIAS));
    if (!settings->data)
        return fail(error, HINGE_BAD_ARGUMENT, "no data file given");
    /* these options need a model, except -b 1 for the predictions or the log loss of a validation
     */
    if (!settings->writes_model &&
        (kept != PROBABILITY || (settings->parameters.probability && !settings->predictions &&
                                 settings->criterion != CRITERION_LOG_LOSS)))
        return fail(error, HINGE_BAD_ARGUMENT, "%s and %s exclude each other%s",
                    settings_scored_by(settings), option_called(kept),
                    settings->search      ? " without --refit"
                    : kept == PROBABILITY ? " without --predictions"
                                          : "");
    if (hinge_parameters_check(&settings->parameters, error))
        return failure(error);
    if (settings->model || !settings->writes_model)
        return HINGE_OK;
    /* LIBLINEAR's default: the last part of the data's path and ".model", in the current folder */
    slash = strrchr(settings->data, '/');
    base = strcmp(settings->data, "-") == 0 ? "stdin" : slash ? slash + 1 : settings->data;
    size = strlen(base) + sizeof ".model";
    if (!(settings->default_model = array_new(size, 1, error)))
        return failure(error);
    snprintf(settings->default_model, size, "%s.model", base);
    settings->model = settings->default_model;
    return HINGE_OK;
}
