/* train.c - data -> model: train [options] data [model] */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/watch.h"
#include "data/number.h"
#include "data/source.h"

static const char program[] = "train";

enum {
    SOLVER = 1,
    COST,
    LAMBDA,
    EPS,
    GAP,
    BIAS,
    WEIGHT,
    MAX_ITER,
    TIME_LIMIT,
    SEED,
    ZERO_BASED,
    QUIET,
    HELP,
    VERSION
};

static const struct option table[] = {
    {SOLVER, "-s", "--solver", "S", "solver, by number or name (default 1):"},
    {COST, "-c", "--cost", "C", "weight of the sum of losses (default 1)"},
    {LAMBDA, "-l", "--lambda", "X", "instead of -c: C = 1/(X m) for m rows"},
    {GAP, "-g", "--gap", "R", "stop at relative duality gap R (default 0.001)"},
    {EPS, "-e", "--eps", "E", "stop by LIBLINEAR's rule: largest violation E; with -g: both"},
    {BIAS, "-B", "--bias", "B", "append a feature of value B, if B >= 0 (default -1: none)"},
    {WEIGHT, "-w*", "--weight", "L:W", "multiply C by W for class L; short for class 1: -w1 W"},
    {MAX_ITER, "-i", "--max-iter", "N", "stop after N passes (default: no limit)"},
    {TIME_LIMIT, NULL, "--time-limit", "S", "stop S seconds after the start (default: no limit)"},
    {SEED, NULL, "--seed", "N", "of the random order of rows (default 1)"},
    {ZERO_BASED, NULL, "--zero-based", NULL, "indices in the data start at 0"},
    {QUIET, "-q", "--quiet", NULL, "print errors only"},
    {HELP, "-h", "--help", NULL, "print this text"},
    {VERSION, NULL, "--version", NULL, "print the version"},
    {0, NULL, NULL, NULL, NULL},
};

struct settings {
    struct hinge_parameters parameters;
    struct hinge_format format;
    double time_limit; /* seconds; 0: none */
    int quiet;
    const char *data;
    const char *model;
    double *weight_label; /* [number of arguments] */
    double *weight;       /* likewise */
    char *default_model;  /* what model points to if the command line names none */
};

/* ---- The command line -------------------------------------------------- */

static void print_usage(FILE *stream)
{
    fprintf(stream,
            "usage: %s [options] data [model]\n"
            "Trains a linear SVM on a LIBSVM file (- is standard input) and proves how\n"
            "close to the optimum it is.\n",
            program);
}

static void print_help(void)
{
    const struct hinge_solver *solver;

    print_usage(stdout);
    puts("\noptions:");
    options_print(table, stdout);
    puts("\nsolvers:");
    for (size_t k = 0; (solver = hinge_solver_at(k)); k++)
        printf("  %3d  %-10s %s\n", solver->number, solver->name, solver->summary);
    puts("\nThe model's default name is the data file's with .model behind it, in this folder.\n"
         "Exit status: 0 done, 1 bad data, 2 usage, 3 file not readable or writable,\n"
         "4 out of memory, 130 interrupted (model written).");
}

static enum hinge_status set_solver(struct settings *settings, const struct options *options,
                                    struct hinge_error *error)
{
    const struct hinge_solver *solver;
    char known[512] = "";
    double number;
    int by_number = parse_whole(options->value, &number);

    for (size_t k = 0; (solver = hinge_solver_at(k)); k++) {
        size_t length = strlen(known);

        if (by_number ? number == solver->number : strcmp(options->value, solver->name) == 0) {
            settings->parameters.solver = solver->number;
            return HINGE_OK;
        }
        snprintf(known + length, sizeof known - length, "%s%d (%s)", k ? ", " : "", solver->number,
                 solver->name);
    }
    return fail(error, HINGE_BAD_ARGUMENT, "%s: there is no solver '%s'; there are %s",
                options->given, options->value, known);
}

/* Takes "-w-1 2" or "--weight -1:2". */
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
    if (!parse_whole(weight_text, weight) || *weight < 0)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not a finite number of at least 0",
                    options->given, weight_text);
    ++*count;
    return HINGE_OK;
}

static enum hinge_status set_operand(struct settings *settings, const char *operand,
                                     struct hinge_error *error)
{
    if (!settings->data)
        settings->data = operand;
    else if (!settings->model)
        settings->model = operand;
    else
        return fail(error, HINGE_BAD_ARGUMENT, "too many arguments: '%s'", operand);
    return HINGE_OK;
}

static enum hinge_status set_option(struct settings *settings, int key, struct options *options,
                                    struct hinge_error *error)
{
    struct hinge_parameters *parameters = &settings->parameters;

    switch (key) {
    case OPTIONS_OPERAND:
        return set_operand(settings, options->value, error);
    case SOLVER:
        return set_solver(settings, options, error);
    case COST:
        return option_positive(options, &parameters->C, error);
    case LAMBDA:
        return option_positive(options, &parameters->lambda, error);
    case EPS:
        return option_positive(options, &parameters->eps, error);
    case GAP:
        return option_positive(options, &parameters->gap, error);
    case BIAS:
        return option_number(options, &parameters->bias, error);
    case WEIGHT:
        return add_weight(settings, options, error);
    case MAX_ITER:
        if (option_count(options, &parameters->max_passes, error))
            return failure(error);
        return parameters->max_passes ? HINGE_OK : option_fail(options, error, "0 is too few");
    case TIME_LIMIT:
        return option_positive(options, &settings->time_limit, error);
    case SEED:
        return option_count(options, &parameters->seed, error);
    case ZERO_BASED:
        settings->format.zero_based = 1;
        return HINGE_OK;
    default:
        settings->quiet = 1;
        return HINGE_OK;
    }
}

/* LIBLINEAR's default: the last part of the data's path, ".model" behind it, in this folder. */
static enum hinge_status choose_model(struct settings *settings, struct hinge_error *error)
{
    const char *slash = strrchr(settings->data, '/');
    const char *base = strcmp(settings->data, "-") == 0 ? "stdin"
                       : slash                          ? slash + 1
                                                        : settings->data;
    size_t size = strlen(base) + sizeof ".model";

    if (settings->model)
        return strcmp(settings->model, "-") == 0
                   ? fail(error, HINGE_BAD_ARGUMENT,
                          "a model cannot go to standard output, where the results go")
                   : HINGE_OK;
    if (!(settings->default_model = array_new(size, 1, error)))
        return failure(error);
    snprintf(settings->default_model, size, "%s.model", base);
    settings->model = settings->default_model;
    return HINGE_OK;
}

/* Reads the command line; *ended if nothing is left to do. */
static enum hinge_status parse(struct settings *settings, int argc, char **argv, int *ended,
                               struct hinge_error *error)
{
    struct options options = {table, argc, argv, 1, 0, NULL, NULL, NULL};
    unsigned seen = 0; /* bit k: option k was given */
    int key;

    if (!(settings->weight_label = array_new((size_t)argc, sizeof(double), error)) ||
        !(settings->weight = array_new((size_t)argc, sizeof(double), error)))
        return failure(error);
    while ((key = options_next(&options, error)) != OPTIONS_END) {
        if (key == HELP)
            print_help();
        if (key == VERSION)
            printf("hinge %s\n", HINGE_VERSION);
        if (key == HELP || key == VERSION) {
            *ended = 1;
            return HINGE_OK;
        }
        if (key == OPTIONS_BAD || set_option(settings, key, &options, error))
            return failure(error);
        seen |= 1u << key;
    }
    settings->parameters.weight_label = settings->weight_label;
    settings->parameters.weight = settings->weight;
    if (seen & 1u << COST && seen & 1u << LAMBDA)
        return fail(error, HINGE_BAD_ARGUMENT, "-c and -l exclude each other");
    if (seen & 1u << EPS && !(seen & 1u << GAP))
        settings->parameters.gap = 0;
    if (!settings->data)
        return fail(error, HINGE_BAD_ARGUMENT, "no data file given");
    if (hinge_parameters_check(&settings->parameters, error))
        return failure(error);
    return choose_model(settings, error);
}

/* ---- The work ---------------------------------------------------------- */

static struct hinge_model *train(const struct settings *settings, const struct stopwatch *start,
                                 const struct hinge_dataset *data, struct hinge_error *error)
{
    struct progress_watch progress = {*start, 1, -1};
    struct time_watch time = {*start, settings->time_limit};
    struct hinge_monitor lines = {watch_progress, &progress, NULL};
    struct hinge_monitor limit = {watch_time, &time, NULL};
    struct hinge_monitor interrupt = {watch_interrupt, NULL, NULL};
    struct hinge_error reason;
    struct hinge_model *model;

    stopwatch_start(&progress.clock);
    if (settings->time_limit > 0)
        interrupt.next = &limit;
    if (!settings->quiet)
        (settings->time_limit > 0 ? &limit : &interrupt)->next = &lines;
    catch_interrupts();
    model = hinge_train(data, &settings->parameters, &interrupt, &reason);
    if (!model && reason.status == HINGE_BAD_INPUT) /* the data as a whole: no place is better */
        error_fill(error, reason.status, "%s:1:1: %.900s", source_name(settings->data),
                   reason.message);
    else if (!model)
        *error = reason;
    return model;
}

static void warn_unknown_weights(const struct settings *settings, const struct hinge_model *model)
{
    for (size_t k = 0; k < settings->parameters.weights; k++) {
        size_t c = 0;

        while (c < model->classes && model->label[c] != settings->weight_label[k])
            c++;
        if (c == model->classes)
            fprintf(stderr, "%s: warning: no row has the label %.17g that has a weight\n", program,
                    settings->weight_label[k]);
    }
}

static int exit_status(const struct hinge_model *model)
{
    for (size_t c = 0; c < model->columns; c++)
        if (model->result[c].outcome == HINGE_INTERRUPTED)
            return EXIT_INTERRUPTED;
    return HINGE_OK;
}

/* What "certified" means. */
static double target(const struct settings *settings)
{
    return settings->parameters.gap > 0 ? settings->parameters.gap : HINGE_DEFAULT_GAP;
}

static void report(const struct settings *settings, const struct hinge_model *model,
                   const struct hinge_dataset *data, const double *seconds)
{
    if (settings->quiet)
        return;
    report_results(model, target(settings));
    printf("%lu rows, %lu features, %llu non-zeros, %lu classes\n", (unsigned long)data->rows,
           (unsigned long)data->features, (unsigned long long)data->nonzeros,
           (unsigned long)model->classes);
    printf("C = %g, lambda = %g\n", model->C, model->lambda);
    printf("read %.3f s, train %.3f s, write %.3f s\n", seconds[0], seconds[1] - seconds[0],
           seconds[2] - seconds[1]);
}

static void warn(const struct settings *settings, const struct hinge_model *model)
{
    if (settings->quiet)
        return;
    warn_unknown_weights(settings, model);
    report_warnings(program, model, target(settings));
}

static int run(const struct settings *settings)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_dataset *data = NULL;
    struct hinge_model *model = NULL;
    struct stopwatch start;
    double seconds[3];
    int status = HINGE_OK;

    stopwatch_start(&start);
    if (hinge_model_check_writable(settings->model, &error))
        goto done;
    if (!(data = hinge_dataset_read(settings->data, &settings->format, &error)))
        goto done;
    seconds[0] = stopwatch_processor(&start);
    if (!(model = train(settings, &start, data, &error)))
        goto done;
    seconds[1] = stopwatch_processor(&start);
    if (hinge_model_write(model, settings->model, &error))
        goto done;
    seconds[2] = stopwatch_processor(&start);
    report(settings, model, data, seconds);
    status = report_end(program, exit_status(model));
    warn(settings, model);
done:
    if (error.status)
        status = report_error(program, &error);
    hinge_model_free(model);
    hinge_dataset_free(data);
    return status;
}

int main(int argc, char **argv)
{
    struct settings settings = {.parameters = hinge_parameters_default()};
    struct hinge_error error;
    int status, ended = 0;

    if (argc < 2) {
        print_usage(stderr);
        fprintf(stderr, "Try '%s --help'.\n", program);
        return HINGE_BAD_ARGUMENT;
    }
    if (parse(&settings, argc, argv, &ended, &error))
        status = report_error(program, &error);
    else
        status = ended ? report_end(program, HINGE_OK) : run(&settings);
    free(settings.weight_label);
    free(settings.weight);
    free(settings.default_model);
    return status;
}
