/* settings.c - options -> struct settings, or an error message of one line. */
#include "cli/settings.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/keys.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/text.h"
#include "data/number.h"
#include "solver/loop/solver.h"

void settings_usage(const char *program, FILE *stream)
{
    fprintf(stream,
            "usage: %s [options] data [model]\n"
            "Trains a linear SVM on a LIBSVM file (- is standard input) and proves how\n"
            "close to the optimum the model is.\n",
            program);
}

static void print_solvers(int all)
{
    const struct hinge_solver *solver;

    if (!all) {
        puts("\nSolvers: 1, 2 L2-loss; 3 L1-loss; 0, 7 logistic; 4, 62 all classes at once;\n"
             "5, 6 sparse weights; 11, 12, 13 regression; 21 one class; 50 free bias.");
        return;
    }
    puts("\nsolvers:");
    for (size_t k = 0; (solver = hinge_solver_at(k)); k++)
        printf("  %3d  %-10s %s\n", solver->number, solver->name, solver->summary);
}

/* Of train-mpi, whose options are train's. */
static void print_team_usage(const char *program, FILE *stream)
{
    fprintf(stream,
            "usage: mpirun -n PROCESSES %s [options] data [model]\n"
            "Trains a linear SVM on a LIBSVM file by several processes, which read it\n"
            "together: data are not standard input. Solvers 0-3, 7, 11-13 and 61; options are\n"
            "those of train, but for those of other solvers, --memory and --scratch.\n",
            program);
}

static enum hinge_status set_solver(struct settings *settings, const struct options *options,
                                    struct hinge_error *error)
{
    const struct solver *called = solver_called(options->value);
    const struct hinge_solver *solver;
    char known[512] = "";
    struct nearest nearest = nearest_begin(options->value, strlen(options->value));

    if (called) {
        settings->parameters.solver = called->info.number;
        return HINGE_OK;
    }
    for (size_t k = 0; (solver = hinge_solver_at(k)); k++) {
        const size_t length = strlen(known);

        nearest_try(&nearest, solver->name, solver->name);
        snprintf(known + length, sizeof known - length, "%s%d (%s)", k ? ", " : "", solver->number,
                 solver->name);
    }
    if (nearest.best)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: there is no solver '%s'; did you mean %s?",
                    options->given, options->value, nearest.best);
    return fail(error, HINGE_BAD_ARGUMENT, "%s: there is no solver '%s'; there are %s",
                options->given, options->value, known);
}

/* Reads "-w-1 2" or "--weight -1:2". */
static enum hinge_status add_weight(struct settings *settings, const struct options *options,
                                    struct hinge_error *error)
{
    size_t *count = &settings->parameters.weights;
    double *label = &settings->weight_label[*count], *weight = &settings->weight[*count];
    const char *label_text = options->more ? options->more : options->value;
    const char *label_end = number_parse(label_text, label);
    const char *weight_text = options->more ? options->value : label_end + 1;

    if (label_end == label_text || *label_end != (options->more ? '\0' : ':') ||
        !(fabs(*label) <= DBL_MAX))
        return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not %s", options->given, label_text,
                    options->more ? "a class label" : "a class label, ':' and a weight");
    if (!number_read(weight_text, weight) || *weight < 0)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not a finite number of at least 0",
                    options->given, weight_text);
    ++*count;
    return HINGE_OK;
}

/* Reads a whole number from 1 to most. */
static enum hinge_status set_count(const struct options *options, uint64_t most, uint64_t *count,
                                   struct hinge_error *error)
{
    if (option_count(options, count, error))
        return failure(error);
    if (*count < 1)
        return option_fail(options, error, "0 is too few");
    if (*count > most)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: at most %llu", options->given,
                    (unsigned long long)most);
    return HINGE_OK;
}

/* The options of the stochastic solvers. */
static enum hinge_status set_stochastic(struct settings *settings, int key,
                                        const struct options *options, struct hinge_error *error)
{
    struct hinge_parameters *parameters = &settings->parameters;
    uint64_t batch = 0;
    int word;

    switch (key) {
    case ITERATIONS:
        return set_count(options, UINT64_C(1) << 53, &parameters->iterations, error);
    case EPOCHS:
        return option_positive(options, &parameters->epochs, error);
    case BATCH:
        if (set_count(options, 1u << 20, &batch, error))
            return failure(error);
        parameters->batch = (uint32_t)batch;
        return HINGE_OK;
    case L1:
        return option_not_negative(options, &parameters->l1, error);
    case SAMPLING:
        word = option_word(options, error);
        parameters->sampling = word == 1 ? HINGE_PERMUTE : HINGE_IID;
        return word >= 0 ? HINGE_OK : failure(error);
    case AVERAGE:
        word = option_word(options, error);
        parameters->average = word >= 0 ? (enum hinge_average)word : HINGE_AVERAGE_DEFAULT;
        return word >= 0 ? HINGE_OK : failure(error);
    default:
        return option_positive(options, &parameters->suffix, error);
    }
}

/* Reads "-10:10:2" or "-10:10". */
static enum hinge_status set_range(struct settings *settings, const struct options *options,
                                   struct hinge_error *error)
{
    double *part[] = {&settings->lowest, &settings->highest, &settings->stride};
    const char *text = options->value;
    int parts = 0;

    settings->stride = 1;
    while (parts < 3) {
        const char *end = number_parse(text, part[parts]);

        if (end == text || (parts == 2 && !(settings->stride <= DBL_MAX)))
            break;
        parts++;
        text = *end == ':' && parts < 3 ? end + 1 : end;
        if (text == end)
            break;
    }
    if (parts < 2 || *text != '\0' || text[-1] == ':')
        return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not LO:HI or LO:HI:STEP",
                    options->given, options->value);
    if (!(fabs(settings->lowest) <= 332 && fabs(settings->highest) <= 332))
        return option_fail(options, error, "the exponents of 2 are not between -332 and 332");
    if (!(settings->highest >= settings->lowest) || !(settings->stride >= 0.001))
        return option_fail(options, error, "HI is below LO, or STEP is below 0.001");
    settings->ranged = 1;
    return HINGE_OK;
}

/* The options of cross-validation and search. */
static enum hinge_status set_validation(struct settings *settings, int key,
                                        const struct options *options, struct hinge_error *error)
{
    int word;

    switch (key) {
    case FOLDS:
        if (set_count(options, UINT32_MAX, &settings->folds, error))
            return failure(error);
        return settings->folds > 1 ? HINGE_OK : option_fail(options, error, "1 is too few");
    case SEARCH:
        settings->search = 1;
        return HINGE_OK;
    case CRITERION:
        word = option_word(options, error);
        settings->criterion = word >= 0 ? (enum criterion)word : CRITERION_ACCURACY;
        return word >= 0 ? HINGE_OK : failure(error);
    case C_RANGE:
        return set_range(settings, options, error);
    case ONE_SE:
        settings->one_se = 1;
        return HINGE_OK;
    case REFIT:
        settings->refit = 1;
        return HINGE_OK;
    case PATH:
        settings->path = options->value;
        return HINGE_OK;
    case POSITIVE:
        return option_number(options, &settings->positive, error);
    case PREDICTIONS:
        settings->predictions = options->value;
        return HINGE_OK;
    case FOLD_NAMES:
        settings->fold_names = options->value;
        return HINGE_OK;
    default:
        return option_metrics(options, &settings->metrics, error);
    }
}

/* Adds the current option or operand to the command line that the model records: all but those that
 * change nothing in a model, so that the same training makes the same file. */
static enum hinge_status record(struct settings *settings, int key, const struct options *options,
                                struct hinge_error *error)
{
    const uint64_t unrecorded = BIT(STRICT) | BIT(QUIET) | BIT(METRICS) | BIT(PATH) | BIT(ALPHA) |
                                BIT(TRACE) | BIT(TRACE_EVERY) | BIT(TEST) | BIT(PREDICTIONS) |
                                BIT(CHECKPOINT) | BIT(CHECKPOINT_EVERY) | BIT(THREADS) |
                                BIT(MEMORY) | BIT(SCRATCH_FILE);
    const int last = options->position - 1;
    const int separate = options->arguments[last] != options->given; /* "-c 1" */

    if (unrecorded & BIT(key) || (key == OPTIONS_OPERAND && settings->data))
        return HINGE_OK;
    if (key == OPTIONS_OPERAND && options->operands_only &&
        text_append_word(&settings->command, "--", error))
        return failure(error);
    for (int k = last - separate; k <= last; k++)
        if (text_append_word(&settings->command, options->arguments[k], error))
            return failure(error);
    return HINGE_OK;
}

static const double LEAST_MEMORY = 1.0 / 16; /* MiB */

static enum hinge_status take(void *state, int key, const struct options *options,
                              struct hinge_error *error)
{
    struct settings *settings = state;
    struct hinge_parameters *parameters = &settings->parameters;
    const char **const operands[] = {&settings->data, &settings->model};
    uint64_t threads;
    double mebibytes;

    if (record(settings, key, options, error))
        return failure(error);
    switch (key) {
    case OPTIONS_OPERAND:
        return option_operand(options, operands, 2, error);
    case SOLVER:
        return set_solver(settings, options, error);
    case COST:
        return option_positive(options, &parameters->C, error);
    case LAMBDA:
        return option_positive(options, &parameters->lambda, error);
    case EPS:
        return option_positive(options, &parameters->eps, error);
    case GAP:
        return option_positive(options, &parameters->relative_gap, error);
    case BIAS:
        return option_number(options, &parameters->bias, error);
    case FREE_BIAS:
        parameters->free_bias = 1;
        return HINGE_OK;
    case EPSILON:
        return option_not_negative(options, &parameters->epsilon, error);
    case NU:
        if (option_positive(options, &parameters->nu, error))
            return failure(error);
        return parameters->nu <= 1 ? HINGE_OK : option_fail(options, error, "above 1");
    case CACHE:
        return option_positive(options, &parameters->cache, error);
    case WEIGHT:
        return add_weight(settings, options, error);
    case MAX_ITER:
        return set_count(options, UINT64_MAX, &parameters->max_passes, error);
    case TIME_LIMIT:
        return option_positive(options, &settings->time_limit, error);
    case SEED:
        return option_count(options, &parameters->seed, error);
    case ZERO_BASED:
        settings->format.zero_based = 1;
        return HINGE_OK;
    case ROW_WEIGHTS:
        settings->row_weights = options->value;
        return HINGE_OK;
    case BALANCED:
        parameters->balanced = 1;
        return HINGE_OK;
    case PROBABILITY:
        return option_switch(options, &parameters->probability, error);
    case PLAIN:
        parameters->single_method = 1;
        return HINGE_OK;
    case STRICT:
        settings->strict = 1;
        return HINGE_OK;
    case QUIET:
        settings->quiet = 1;
        return HINGE_OK;
    case THREADS:
        if (option_count(options, &threads, error))
            return failure(error);
        if (threads > HINGE_MOST_THREADS)
            return option_fail(options, error, "more than 256");
        parameters->threads = (uint32_t)threads;
        return HINGE_OK;
    case MEMORY:
        if (option_positive(options, &mebibytes, error))
            return failure(error);
        if (mebibytes < LEAST_MEMORY)
            return option_fail(options, error, "less than 1/16");
        settings->format.memory =
            mebibytes < (double)(SIZE_MAX >> 21) ? (size_t)(mebibytes * (1 << 20)) : SIZE_MAX >> 1;
        return HINGE_OK;
    case SCRATCH_FILE:
        settings->format.scratch = options->value;
        return HINGE_OK;
    case FOLDS:
    case SEARCH:
    case CRITERION:
    case C_RANGE:
    case ONE_SE:
    case REFIT:
    case PATH:
    case POSITIVE:
    case PREDICTIONS:
    case FOLD_NAMES:
    case METRICS:
        return set_validation(settings, key, options, error);
    case ALPHA:
        settings->alpha = options->value;
        return HINGE_OK;
    case INITIAL:
        settings->initial = options->value;
        return HINGE_OK;
    case CHECKPOINT:
        settings->checkpoint = options->value;
        return HINGE_OK;
    case CHECKPOINT_EVERY:
        return option_positive(options, &settings->checkpoint_minutes, error);
    case TRACE:
        settings->trace = options->value;
        return HINGE_OK;
    case TRACE_EVERY:
        return set_count(options, UINT64_C(1) << 53, &settings->trace_every, error);
    case TEST:
        settings->test = options->value;
        return HINGE_OK;
    default:
        return set_stochastic(settings, key, options, error);
    }
}

const char *option_called(int key)
{
    return options_called(train_options, key);
}

/* LIBLINEAR's default: the last part of the data's path with ".model" appended, in this folder. */
static enum hinge_status choose_model(struct settings *settings, struct hinge_error *error)
{
    const char *slash = strrchr(settings->data, '/');
    const char *base = strcmp(settings->data, "-") == 0 ? "stdin"
                       : slash                          ? slash + 1
                                                        : settings->data;
    size_t size = strlen(base) + sizeof ".model";

    if (settings->model)
        return HINGE_OK;
    if (!(settings->default_model = array_new(size, 1, error)))
        return failure(error);
    snprintf(settings->default_model, size, "%s.model", base);
    settings->model = settings->default_model;
    return HINGE_OK;
}

/* Sets what depends on several options. */
static void conclude(struct settings *settings, uint64_t given)
{
    struct hinge_parameters *parameters = &settings->parameters;
    const struct hinge_solver *solver = hinge_solver_find(parameters->solver);

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
    if (settings->trace) /* it lists one problem after the other */
        parameters->threads = 1;
    parameters->store_decisions = settings->predictions != NULL;
    if (settings->fold_names && settings->folds == 0)
        settings->folds = UINT64_MAX;
    if (settings->search && settings->folds == 0)
        settings->folds = 5;
    settings->writes_model = settings->folds == 0 || settings->refit;
    settings->least_C = given & BIT(COST) ? parameters->C : 0;
    settings->most_p = given & BIT(EPSILON) ? parameters->epsilon : -1;
    if (solver->regression && !(given & BIT(CRITERION)))
        settings->criterion = CRITERION_MSE;
}

const char *settings_scored_by(const struct settings *settings)
{
    const int is_named = settings->folds == 0 || settings->folds == UINT64_MAX;

    return option_called(settings->search ? SEARCH : is_named ? FOLD_NAMES : FOLDS);
}

enum hinge_status settings_read(struct settings *settings, int argc, char **argv, int *ended,
                                struct hinge_error *error)
{
    static const char end[] =
        "\nThe default model is the name of the data file with .model appended, in the current folder.\n"
        "Exit status: 0 done, 1 bad data, 2 usage, 3 file not readable or writable,\n"
        "4 out of memory, 5 not certified (--strict), or no score before --time-limit,\n"
        "6 another of several processes has failed, 130 interrupted (model written).";
    const int is_team = settings->parameters.team != NULL;
    const struct reading reading = {.table = train_options,
                                    .print_usage = is_team ? print_team_usage : settings_usage,
                                    .print_more = is_team ? NULL : print_solvers,
                                    .take = take,
                                    .end = end};
    struct files files;
    uint64_t given;

    if (text_append_word(&settings->command, "train", error))
        return failure(error);
    if (!(settings->weight_label = array_new((size_t)argc, sizeof(double), error)) ||
        !(settings->weight = array_new((size_t)argc, sizeof(double), error)))
        return failure(error);
    if (options_read(&reading, argc, argv, settings, &given, ended, error))
        return failure(error);
    if (*ended)
        return HINGE_OK;
    conclude(settings, given);
    if (settings_check(settings, given, error))
        return failure(error);
    if (settings->writes_model && choose_model(settings, error))
        return failure(error);
    files = settings_files(settings);
    return files_check(&files, error);
}

void settings_free(struct settings *settings)
{
    free(settings->weight_label);
    free(settings->weight);
    free(settings->default_model);
    free(settings->command);
}
