/* inspection.c - a model -> what is in it; two models -> what differs between them. */
#include <stdio.h>

#include "base/status.h"
#include "cli/files.h"
#include "cli/inspect_options.h"
#include "cli/inspect_print.h"
#include "cli/programs.h"
#include "cli/report.h"
#include "data/source.h"

struct inspect_settings {
    struct inspection inspection;
    const char *names; /* file; NULL: none */
    int compares;
    int quiet;
};

/* ---- The command line -------------------------------------------------- */

static void print_usage(const char *program, FILE *stream)
{
    fprintf(stream,
            "usage: %s [options] model\n"
            "       %s --diff [options] model model\n"
            "Prints what is in a model (- is standard input): classes, record, the largest\n"
            "weights; or what differs between two models.\n",
            program, program);
}

static enum hinge_status take(void *state, int key, const struct options *options,
                              struct hinge_error *error)
{
    struct inspect_settings *settings = state;
    struct inspection *inspection = &settings->inspection;
    const char **const operands[] = {&inspection->path[0], &inspection->path[1]};
    uint64_t most;

    switch (key) {
    case OPTIONS_OPERAND:
        return option_operand(options, operands, 2, error);
    case LARGEST:
        if (option_count(options, &most, error))
            return failure(error);
        inspection->most = most < SIZE_MAX ? (size_t)most : SIZE_MAX;
        return HINGE_OK;
    case NAMES:
        settings->names = options->value;
        return HINGE_OK;
    case DIFF:
        settings->compares = 1;
        return HINGE_OK;
    case JSON:
        inspection->json = 1;
        return HINGE_OK;
    default:
        settings->quiet = 1;
        return HINGE_OK;
    }
}

static enum hinge_status parse(struct inspect_settings *settings, int argc, char **argv, int *ended,
                               struct hinge_error *error)
{
    static const struct reading reading = {
        .table = inspect_options,
        .print_usage = print_usage,
        .take = take,
        .end = "\nExit status: 0 done, 1 bad model or names, 2 usage, 3 file not readable,\n"
               "or output not writable, 4 out of memory."};
    const char *const *path = settings->inspection.path;
    struct files files = {{{NULL, NULL, 0}}, {{NULL, NULL, 0}}};
    uint64_t given;

    if (options_read(&reading, argc, argv, settings, &given, ended, error))
        return failure(error);
    if (*ended)
        return HINGE_OK;
    if (!path[0])
        return fail(error, HINGE_BAD_ARGUMENT, "no model given");
    if (settings->compares && !path[1])
        return fail(error, HINGE_BAD_ARGUMENT, "--diff needs two models");
    if (!settings->compares && path[1])
        return fail(error, HINGE_BAD_ARGUMENT, "too many arguments: '%s'; --diff compares models",
                    path[1]);
    files.input[0] =
        (struct file){settings->compares ? "the first model" : "the model", path[0], 0};
    files.input[1] = (struct file){"the second model", path[1], 0};
    files.input[2] = (struct file){"--names", settings->names, 0};
    return files_check(&files, error);
}

/* ---- The work ---------------------------------------------------------- */

/* Reads the names, for all features of the models, and warns if they are fewer or more. */
static enum hinge_status read_names(struct inspect_settings *settings, const char *program,
                                    struct hinge_error *error)
{
    struct inspection *inspection = &settings->inspection;
    struct hinge_model *const *model = inspection->model;
    uint32_t features = model[0]->features;

    if (model[1] && model[1]->features > features)
        features = model[1]->features;
    if (names_read(&inspection->names, settings->names, features, error))
        return failure(error);
    if (inspection->names.count != features && !settings->quiet)
        report_say(program, "warning: %s has %lu names for %lu features",
                   source_name(settings->names), (unsigned long)inspection->names.count,
                   (unsigned long)features);
    return HINGE_OK;
}

static enum hinge_status work(struct inspect_settings *settings, const char *program,
                              struct hinge_error *error)
{
    struct inspection *inspection = &settings->inspection;

    for (int k = 0; k <= settings->compares; k++)
        if (!(inspection->model[k] = hinge_model_read(inspection->path[k], error)))
            return failure(error);
    if (settings->names && read_names(settings, program, error))
        return failure(error);
    return settings->compares ? inspect_difference(inspection, error)
                              : inspect_model(inspection, error);
}

int inspection_run(int argc, char **argv)
{
    struct inspect_settings settings = {.inspection = {.most = 10}};
    struct inspection *inspection = &settings.inspection;
    const char *program = program_name(argv[0]);
    struct hinge_error error = {HINGE_OK, ""};
    int ended = 0;

    if (argc < 2)
        return report_usage(program, print_usage);
    if (!parse(&settings, argc, argv, &ended, &error) && !ended)
        work(&settings, program, &error);
    names_free(&inspection->names);
    hinge_model_free(inspection->model[0]);
    hinge_model_free(inspection->model[1]);
    return error.status ? report_error(program, &error) : report_end(program, HINGE_OK);
}
