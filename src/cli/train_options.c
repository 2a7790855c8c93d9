/* train_options.c - the options of train, in the order of --help and of the manual page. */
#include "cli/train_options.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/text.h"
#include "data/number.h"
#include "solver/loop/solver.h"

/* ---- Values that are read by a function ---------------------------------- */

static enum hinge_status read_solver(void *state, const struct given *given,
                                     struct hinge_error *error)
{
    struct settings *settings = state;
    const struct solver *called = solver_called(given->value);
    const struct hinge_solver *solver;
    char known[512];
    struct nearest nearest = nearest_begin(given->value, strlen(given->value));

    if (called) {
        settings->parameters.solver = called->info.number;
        return HINGE_OK;
    }
    for (size_t k = 0; (solver = hinge_solver_at(k)); k++)
        nearest_try(&nearest, solver->name, solver->name);
    if (nearest.best)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: there is no solver '%s'; did you mean %s?",
                    given->spelling, given->value, nearest.best);
    solver_list(known, sizeof known);
    return fail(error, HINGE_BAD_ARGUMENT, "%s: there is no solver '%s'; there are %s",
                given->spelling, given->value, known);
}

/* Reads "-w-1 2" or "--weight -1:2". The class may be a word, which only the map knows. */
static enum hinge_status add_weight(void *state, const struct given *given,
                                    struct hinge_error *error)
{
    struct settings *settings = state;
    size_t *count = &settings->parameters.weights;
    double *weight = &settings->weight[*count];
    const char *text = given->more ? given->more : given->value;
    const char *end = given->more ? text + strlen(text) : strrchr(text, ':');
    const struct class_name name = {given->spelling, text, end ? (size_t)(end - text) : 0};
    const char *weight_text = given->more || !end ? given->value : end + 1;

    if (name.length == 0)
        return class_name_fail(&name, error);
    if (!number_read(weight_text, weight) || *weight < 0)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not a finite number of at least 0",
                    given->spelling, weight_text);
    settings->weight_name[(*count)++] = name;
    return HINGE_OK;
}

/* Reads "-10:10:2" or "-10:10". */
static enum hinge_status read_range(void *state, const struct given *given,
                                    struct hinge_error *error)
{
    struct settings *settings = state;
    double *part[] = {&settings->lowest, &settings->highest, &settings->stride};
    const char *text = given->value;
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
                    given->spelling, given->value);
    if (!(fabs(settings->lowest) <= 332 && fabs(settings->highest) <= 332))
        return option_fail(given, error, "the exponents of 2 are not between -332 and 332");
    if (!(settings->highest >= settings->lowest) || !(settings->stride >= 0.001))
        return option_fail(given, error, "HI is below LO, or STEP is below 0.001");
    settings->ranged = 1;
    return HINGE_OK;
}

/* Reads MiB, as bytes. */
static enum hinge_status read_memory(void *state, const struct given *given,
                                     struct hinge_error *error)
{
    struct settings *settings = state;
    double mebibytes;

    if (!number_read(given->value, &mebibytes) || mebibytes <= 0)
        return option_fail_value(given, "a positive finite number", error);
    if (mebibytes < 1.0 / 16)
        return option_fail(given, error, "less than 1/16");
    settings->format.memory =
        mebibytes < (double)(SIZE_MAX >> 21) ? (size_t)(mebibytes * (1 << 20)) : SIZE_MAX >> 1;
    return HINGE_OK;
}

/* ---- The table ------------------------------------------------------------ */

#define SETTINGS struct settings

#define TWO_TO_53 9007199254740992.0

const char *const criterion_words[] = {[CRITERION_ACCURACY] = "accuracy",
                                       [CRITERION_BALANCED] = "balanced-accuracy",
                                       [CRITERION_PRECISION] = "precision",
                                       [CRITERION_RECALL] = "recall",
                                       [CRITERION_F1] = "f1",
                                       [CRITERION_MCC] = "mcc",
                                       [CRITERION_AUC] = "auc",
                                       [CRITERION_AVERAGE_PRECISION] = "average-precision",
                                       [CRITERION_LOG_LOSS] = "log-loss",
                                       [CRITERION_MSE] = "mse",
                                       [CRITERION_MAE] = "mae",
                                       [CRITERION_R2] = "r2",
                                       NULL};

static const char problem[] = "the problem";
static const char stop[] = "solvers with a certificate";
static const char steps[] = "stochastic solvers";
static const char scores[] = "cross-validation and search";
static const char files[] = "files";
static const char general[] = "general";

const struct option train_options[] = {
    {SOLVER, BRIEF, "-s", "--solver", "S", STORE_BY(read_solver, parameters.solver, option_solvers),
     problem, "solver, by number or name (default 1: dcd-l2)"},
    {COST, BRIEF, "-c", "--cost", "C", STORE(POSITIVE, parameters.C), problem,
     "weight of the sum of losses (default 1)"},
    {LAMBDA, FULL, "-l", "--lambda", "X", STORE(POSITIVE, parameters.lambda), problem,
     "instead of -c: C = 1/(X m) for m rows"},
    {BIAS, BRIEF, "-B", "--bias", "B", STORE(NUMBER, parameters.bias), problem,
     "append a feature of value B >= 0 (default -1: none)"},
    {FREE_BIAS, FULL, "-R", "--free-bias", NULL, STORE(FLAG, parameters.free_bias), problem,
     "with -B 1: do not regularise the bias; solvers 0-3, 5-7, 11-13, 60-62"},
    {L1, FULL, NULL, "--l1", "X", STORE(NOT_NEGATIVE, parameters.l1), problem,
     "enet, comid, hrmd-w: weight of |w|_1 in the averaged objective (default 0)"},
    {EPSILON, BRIEF, "-p", "--epsilon", "P", STORE(NOT_NEGATIVE, parameters.epsilon), problem,
     "regression: no loss up to residual P (default 0.1)"},
    {NU, FULL, "-n", "--nu", "NU", STORE(POSITIVE, parameters.nu), problem,
     "one-class: share of the rows that may be outside (default 0.5)"},
    {CACHE, FULL, "-m", "--cache", "MIB", STORE(POSITIVE, parameters.cache), problem,
     "smo: MiB of memory for columns of <x_i, x_j> (default 100)"},
    {WEIGHT, BRIEF, "-w*", "--weight", "L:W", STORE_BY(add_weight, weight, NULL), problem,
     "multiply C by W for class L"},
    {ROW_WEIGHTS, FULL, "-W", "--row-weights", "FILE", STORE(INPUT, row_weights), problem,
     "multiply C by the row's weight; FILE has one weight per line"},
    {BALANCED, BRIEF, NULL, "--balanced", NULL, STORE(FLAG, parameters.balanced), problem,
     "multiply C so that all classes weigh the same"},
    {PROBABILITY, BRIEF, "-b", "--probability", "0|1", STORE_SWITCH(parameters.probability),
     problem, "1: fit probabilities for predict -b 1 (default 0)"},
    {INITIAL, FULL, NULL, "--initial-model", "M", STORE(INPUT, initial), problem,
     "start from the weights of a model; not smo"},

    {GAP, BRIEF, "-g", "--gap", "R", STORE(POSITIVE, parameters.relative_gap), stop,
     "stop at relative duality gap R (default 0.001)"},
    {EPS, BRIEF, "-e", "--eps", "E", STORE(POSITIVE, parameters.eps), stop,
     "stop by LIBLINEAR's rule with violation E; with -g, both rules must hold"},
    {MAX_ITER, FULL, "-i", "--max-iter", "N", STORE_COUNT(parameters.max_passes, 1, 0), stop,
     "stop after N passes and steps (default: no limit)"},
    {PLAIN, FULL, NULL, "--plain", NULL, STORE(FLAG, parameters.single_method), stop,
     "use one method only: dcd, smo or Newton's, by the solver"},
    {STRICT, FULL, NULL, "--strict", NULL, STORE(FLAG, strict), stop,
     "exit status 5 if the model is not certified"},
    {ALPHA, FULL, NULL, "--alpha", "FILE", STORE(OUTPUT, alpha), stop,
     "write the dual variables, one line per row"},
    {CHECKPOINT, FULL, NULL, "--checkpoint", "FILE", STORE(OUTPUT, checkpoint), stop,
     "write the model so far from time to time; start from FILE if it exists"},
    {CHECKPOINT_EVERY, FULL, NULL, "--checkpoint-every", "MINUTES",
     STORE(POSITIVE, checkpoint_minutes), stop,
     "with --checkpoint: minutes between two checkpoints (default 10)"},

    {ITERATIONS, FULL, "-T", "--iterations", "N", STORE_COUNT(parameters.iterations, 1, TWO_TO_53),
     steps, "take N steps"},
    {EPOCHS, FULL, NULL, "--epochs", "X", STORE(POSITIVE, parameters.epochs), steps,
     "take X m/k steps (default 20); -e E: stop at a gain of less than E P"},
    {BATCH, FULL, "-k", "--batch", "K", STORE_COUNT(parameters.batch, 1, 1 << 20), steps,
     "use K rows in a step (default 1)"},
    {SAMPLING, FULL, NULL, "--sampling", "S",
     STORE_WORD(parameters.sampling, sampling_words, HINGE_IID), steps,
     "iid or permute (default iid)"},
    {AVERAGE, FULL, NULL, "--average", "A",
     STORE_WORD(parameters.average, average_words, HINGE_AVERAGE_DEFAULT), steps,
     "none, uniform, weighted, suffix or random"},
    {SUFFIX, FULL, NULL, "--suffix", "X", STORE(POSITIVE, parameters.suffix), steps,
     "sgd-suffix: share of the steps to average (default 0.5)"},

    {FOLDS, BRIEF, "-v", "--cross-validation", "N", STORE_COUNT(folds, 2, UINT32_MAX), scores,
     "print the scores of N folds, write no model"},
    {FOLD_NAMES, FULL, NULL, "--folds", "FILE", STORE(INPUT, fold_names), scores,
     "rows with the same name in FILE are in the same fold"},
    {SEARCH, BRIEF, "-C", "--search", NULL, STORE(FLAG, search), scores,
     "find the best C by cross-validation; folds of -v, or 5"},
    {CRITERION, FULL, NULL, "--criterion", "M",
     STORE_WORD(criterion, criterion_words, CRITERION_ACCURACY), scores,
     "-C: accuracy, f1, auc, log-loss, mse ...: the score to choose by"},
    {C_RANGE, FULL, NULL, "--c-range", "LO:HI:STEP", STORE_BY(read_range, lowest, NULL), scores,
     "-C: exponents of 2 (default: from -c, or where C matters, to 10)"},
    {ONE_SE, FULL, NULL, "--one-se", NULL, STORE(FLAG, one_se), scores,
     "-C: the smallest C within one standard error of the best"},
    {REFIT, BRIEF, NULL, "--refit", NULL, STORE(FLAG, refit), scores,
     "-C: train with the best C and write the model"},
    {PATH, FULL, NULL, "--path", "FILE", STORE(OUTPUT, path), scores,
     "-C: write score, objective, gap for each C as CSV"},
    {POSITIVE, FULL, NULL, "--positive", "LABEL", STORE(TEXT, positive_name), scores,
     "-v, -C: the class of precision, recall, F1, average precision"},
    {PREDICTIONS, FULL, NULL, "--predictions", "FILE", STORE(OUTPUT, predictions), scores,
     "-v: write fold, label, decision value, probability of each row"},
    {METRICS, BRIEF, NULL, "--metrics", "[=json]", STORE_BY(option_metrics, metrics, option_json),
     scores, "-v, -C: print more scores; precision, recall, F1, AUC, confusion matrix, errors"},

    {REPORT, FULL, NULL, "--report", "FILE", STORE(OUTPUT, report), files,
     "write a page of HTML with pictures: gap, weights, scores of -v and -C"},
    {TRACE, FULL, NULL, "--trace", "FILE", STORE(OUTPUT, trace), files,
     "write objective, gap, time of each checkpoint as CSV"},
    {TRACE_EVERY, FULL, NULL, "--trace-every", "N", STORE_COUNT(trace_every, 1, TWO_TO_53), files,
     "with --trace: one line for N passes or steps"},
    {TEST, FULL, NULL, "--test", "FILE", STORE(INPUT, test), files,
     "with --trace: also the error on these rows"},
    {ZERO_BASED, FULL, NULL, "--zero-based", NULL, STORE(FLAG, format.zero_based), files,
     "indices in the data start at 0"},
    {MAP, FULL, NULL, "--map", "MAP", STORE(INPUT, map), files,
     "put the map that convert -s has saved into the model, with its words"},
    {NO_RECORD, FULL, NULL, "--no-record", NULL, STORE(FLAG, bare), files,
     "write no record of the training, the lines that begin with #, into the model"},

    {TIME_LIMIT, FULL, NULL, "--time-limit", "S", STORE(POSITIVE, time_limit), general,
     "stop S seconds after the start (default: no limit)"},
    {THREADS, BRIEF, "-j", "--threads", "N", STORE_COUNT(parameters.threads, 0, HINGE_MOST_THREADS),
     general, "use at most N threads (default: one per processor); the model is the same"},
    {MEMORY, FULL, NULL, "--memory", "MIB", STORE_BY(read_memory, format.memory, NULL), general,
     "keep larger data in a temporary file (default: in memory)"},
    {SCRATCH_FILE, FULL, NULL, "--scratch", "FILE", STORE(FILE, format.scratch), general,
     "with --memory: the temporary file (default: the system's)"},
    {SEED, FULL, NULL, "--seed", "N", STORE_COUNT(parameters.seed, 0, 0), general,
     "seed of the order of rows and of the folds (default 1)"},
    {JSON, FULL, NULL, "--json", NULL, STORE(FLAG, json), general,
     "print results as one JSON object: scores of -v and -C, or the training"},
    {QUIET, BRIEF, "-q", "--quiet", NULL, STORE(FLAG, quiet), general,
     "print only errors, scores and stalled trainings"},
    OPTIONS_LAST(general),
};

/* ---- The command line ------------------------------------------------------- */

/* Adds the current option or operand to the command line that the model records. Options that
 * change nothing in a model are left out, so that the same training makes the same file. */
static enum hinge_status record(void *state, const struct given *given, struct hinge_error *error)
{
    const uint64_t unrecorded =
        BIT(STRICT) | BIT(QUIET) | BIT(METRICS) | BIT(JSON) | BIT(PATH) | BIT(ALPHA) | BIT(TRACE) |
        BIT(REPORT) | BIT(TRACE_EVERY) | BIT(TEST) | BIT(PREDICTIONS) | BIT(CHECKPOINT) |
        BIT(CHECKPOINT_EVERY) | BIT(THREADS) | BIT(MEMORY) | BIT(SCRATCH_FILE);
    struct settings *settings = state;

    if (given->option ? (unrecorded & BIT(given->option->key)) != 0 : settings->data != NULL)
        return HINGE_OK;
    if (!given->option && given->operands_only && text_append_word(&settings->command, "--", error))
        return failure(error);
    for (int k = 0; k < given->word_count; k++)
        if (text_append_word(&settings->command, given->words[k], error))
            return failure(error);
    return HINGE_OK;
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

static const struct operand operands[] = {{"the data", READ, offsetof(SETTINGS, data)},
                                          {"the model", WRITTEN, offsetof(SETTINGS, model)},
                                          {NULL, READ, 0}};

static const struct option_pair exclusive[] = {
    {COST, LAMBDA},        {ITERATIONS, EPOCHS},  {SEARCH, LAMBDA},
    {C_RANGE, COST},       {FOLDS, TRACE},        {FOLDS, INITIAL},
    {SEARCH, TRACE},       {SEARCH, INITIAL},     {FOLD_NAMES, TRACE},
    {FOLD_NAMES, INITIAL}, {PREDICTIONS, SEARCH}, {MEMORY, TEST},
    {FOLDS, CHECKPOINT},   {SEARCH, CHECKPOINT},  {FOLD_NAMES, CHECKPOINT},
    {MAP, ZERO_BASED},     {METRICS, JSON},       {0, 0},
};

static const struct option_pair needs[] = {{TRACE_EVERY, TRACE},
                                           {TEST, TRACE},
                                           {CRITERION, SEARCH},
                                           {C_RANGE, SEARCH},
                                           {ONE_SE, SEARCH},
                                           {REFIT, SEARCH},
                                           {PATH, SEARCH},
                                           {SCRATCH_FILE, MEMORY},
                                           {CHECKPOINT_EVERY, CHECKPOINT},
                                           {0, 0}};

static const char end[] =
    "\nThe default model is the name of the data file with .model appended, in the current folder.\n"
    "Exit status: 0 done, 1 bad data, 2 usage, 3 file not readable or writable,\n"
    "4 out of memory, 5 not certified (--strict), or no score before --time-limit,\n"
    "6 another of several processes has failed, 130 interrupted (the training writes its model,\n"
    "-v and -C write none).";

/* The part of the description that train and train-mpi share. */
#define SHARED                                                                                     \
    .options = train_options, .operands = operands, .exclusive = exclusive, .needs = needs,        \
    .end = end, .note = record, .check = settings_check

static const struct program train_program = {
    .usage = "usage: @ [options] data [model]\n"
             "Trains a linear SVM on a LIBSVM file (-: standard input), with a certificate.\n",
    .print_more = print_solvers,
    SHARED};

static const struct program train_mpi_program = {
    .usage = "usage: mpirun -n PROCESSES @ [options] data [model]\n"
             "Trains a linear SVM on a LIBSVM file by several processes, which read the\n"
             "file together, so it cannot be standard input. Solvers are 0-3, 7, 11-13 and 61;\n"
             "options are those of train, except --memory, --scratch and those of other solvers.\n",
    SHARED};

const struct program *settings_program(const struct settings *settings)
{
    return settings->parameters.team ? &train_mpi_program : &train_program;
}

const char *option_called(int key)
{
    return options_called(train_options, key);
}

enum hinge_status settings_read(struct settings *settings, int argc, char **argv, int *ended,
                                struct hinge_error *error)
{
    if (text_append_word(&settings->command, settings->program, error) ||
        !(settings->weight_name = array_new((size_t)argc, sizeof *settings->weight_name, error)) ||
        !(settings->weight_label = array_new((size_t)argc, sizeof(double), error)) ||
        !(settings->weight = array_new((size_t)argc, sizeof(double), error)))
        return failure(error);
    return options_read(settings_program(settings), settings, argc, argv, ended, error);
}

void settings_free(struct settings *settings)
{
    free(settings->weight_name);
    free(settings->weight_label);
    free(settings->weight);
    free(settings->default_model);
    free(settings->command);
    free(settings->lines.text);
    names_free(&settings->names);
}
