/* train_run.c - command line -> data -> model.
 *
 * In a team, all ranks read the command line and the files and make the same calls of the library.
 * Rank 0 alone prints, watches and writes; the others write to /dev/null. Until the training
 * begins, the ranks agree before they continue. If one has failed, all end in order with one
 * message. Later, a rank that fails cannot tell the others, because they may be waiting for a sum.
 * It says why, and the whole team is ended. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file_name.h"
#include "base/parallel.h"
#include "base/ranks.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/monitors.h"
#include "cli/programs.h"
#include "cli/report.h"
#include "cli/search.h"
#include "cli/text.h"
#include "data/source.h"
#include "learn/agreement.h"
#include "learn/costs.h"
#include "learn/path.h"
#include "model/model.h"
#include "solver/loop/solver.h"

/* A run of train. */
struct train_job {
    struct settings *settings;
    const struct hinge_team *team; /* NULL: one process */
    int trained;                   /* nothing that needs the team is left to do */
    struct hinge_parameters parameters;
    struct hinge_dataset *data;
    struct hinge_model *initial; /* the model to start from; NULL: none */
    int from_checkpoint;         /* initial is the model of --checkpoint */
    double *row_weight;
    struct groups groups; /* the groups of --folds */
    struct stopwatch start;
    double reading; /* seconds taken by reading */
    struct monitors monitors;
};

/* ---- Reading ------------------------------------------------------------------ */

/* Refuses an output that is an input, now that the data are read. A team may have read the files
 * DATA.0, DATA.1, ..., which the command line does not name. */
static enum hinge_status compare_outputs(const struct train_job *job, struct hinge_error *error)
{
    struct settings settings = *job->settings;
    const struct program *program = settings_program(&settings);
    char name[FILENAME_MAX];
    enum hinge_status status = files_check(program, &settings, FILES_CONTENTS, error);

    if (!job->team || file_name_opens(settings.data))
        return status;
    settings.data = name;
    for (unsigned long k = 0; !status; k++) {
        const int length = snprintf(name, sizeof name, "%s.%lu", job->settings->data, k);

        if (length < 0 || (size_t)length >= sizeof name || !file_name_opens(name))
            break;
        if (files_check(program, &settings, FILES_NAMES, error) ||
            files_check(program, &settings, FILES_CONTENTS, error))
            status = failure(error);
    }
    return status;
}

/* Reads the files that come before the data. initial is the name of the model to start from, or
 * NULL. */
static enum hinge_status prepare(struct train_job *job, const char *initial,
                                 struct hinge_format *format, struct hinge_error *error)
{
    struct settings *settings = job->settings;

    if ((settings->map && names_read(&settings->names, settings->map,
                                     settings->report ? SIZE_MAX : 0, &settings->lines, error)) ||
        (initial && !(job->initial = hinge_model_read(initial, error))))
        return failure(error);
    /* the new model gets the map of the model to start from; a map counts features from 1 */
    if (initial && !settings->map && !settings->format.zero_based) {
        if (names_read_model(&settings->names, initial, job->initial,
                             settings->report ? SIZE_MAX : 1, error))
            return failure(error);
        settings->lines = job->initial->map;
        memset(&job->initial->map, 0, sizeof job->initial->map);
    }
    if ((settings->positive_name &&
         names_find_label(&settings->names, option_called(POSITIVE), settings->positive_name,
                          strlen(settings->positive_name), &settings->positive, error)))
        return failure(error);
    for (size_t k = 0; k < settings->parameters.weights; k++)
        if (names_find_label(&settings->names, settings->weight_name[k].option,
                             settings->weight_name[k].text, settings->weight_name[k].length,
                             &settings->weight_label[k], error))
            return failure(error);
    if (initial && settings->format.zero_based && !job->initial->zero_based)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "--zero-based: the features of %s count from 1, and a start needs the same",
                    initial);
    format->zero_based |= job->initial && job->initial->zero_based;
    format->threads = parallel_threads(settings->parameters.threads);
    format->team = job->team;
    if (settings->test) {
        struct hinge_format alone = *format;

        alone.team = NULL;
        if (!(job->monitors.trace.test = hinge_dataset_read(settings->test, &alone, error)))
            return failure(error);
    }
    return HINGE_OK;
}

/* Refuses data with a feature or a label that the map of --map does not have. The map of a model to
 * start from is left out instead. */
static enum hinge_status check_map(const struct train_job *job, struct hinge_error *error)
{
    struct settings *settings = job->settings;
    const struct hinge_dataset *data = job->data;
    const struct names *names = &settings->names;
    const struct hinge_solver *solver = hinge_solver_find(job->parameters.solver);
    const int has_words = names->map.classes.count > 0 && !solver->regression && !solver->one_class;
    size_t row = 0;

    while (has_words && row < data->x.rows && names_of_label(names, data->label[row]))
        row++;
    if (data->features <= names->count && (!has_words || row == data->x.rows))
        return HINGE_OK;
    if (!settings->map) {
        names_free(&settings->names);
        free(settings->lines.text);
        memset(&settings->names, 0, sizeof settings->names);
        memset(&settings->lines, 0, sizeof settings->lines);
        return HINGE_OK;
    }
    if (map_check_features(&names->map, settings->map, settings->data, data->features, error))
        return failure(error);
    return fail(error, HINGE_BAD_INPUT,
                "%s:1:1: row %lu has the label %.17g, and the classes of %s are 1 to %lu: "
                "give the map that convert made with these data",
                source_name(settings->data), (unsigned long)row + 1, data->label[row],
                source_name(settings->map), (unsigned long)names->map.classes.count);
}

/* Reads weights and groups of the rows, and completes the parameters. Data in a temporary file get
 * one thread and, by default, HINGE_PERMUTE, with a warning. Refuses groups if all rows that do not
 * weigh 0 are in one. */
static enum hinge_status complete(struct train_job *job, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    struct hinge_parameters *parameters = &job->parameters;
    const size_t rows = job->data->x.rows;
    size_t first;

    if (hinge_dataset_is_paged(job->data)) {
        if (parameters->threads != 1 && parallel_threads(2) > 1 && !settings->quiet)
            report_say(settings->program,
                       "warning: %s is ignored: data in a temporary file have one thread",
                       option_called(THREADS));
        if (hinge_solver_find(parameters->solver)->kind == HINGE_STOCHASTIC &&
            !settings->sampling_given) {
            parameters->sampling = HINGE_PERMUTE;
            if (!settings->quiet)
                report_say(settings->program,
                           "warning: %s is permute: the data are in a temporary file",
                           option_called(SAMPLING));
        }
    }
    if ((settings->row_weights &&
         !(job->row_weight = hinge_weights_read(settings->row_weights, rows, error))) ||
        (settings->fold_names && groups_read(&job->groups, settings->fold_names, rows, error)))
        return failure(error);
    parameters->initial = job->initial;
    parameters->row_weight = job->row_weight;
    parameters->row_weights = job->row_weight ? rows : 0;
    parameters->row_group = job->groups.of_row;
    parameters->row_groups = settings->fold_names ? rows : 0;
    if (settings->fold_names &&
        costs_in_one_part(parameters, parameters->row_group, rows, &first) && first < rows)
        return fail(error, HINGE_BAD_INPUT,
                    "%s:1:1: each row%s has the name '%.200s': at least two names are needed",
                    source_name(settings->fold_names),
                    job->row_weight ? " that weighs more than 0" : "",
                    dictionary_text(&job->groups.names, parameters->row_group[first]));
    return (settings->lines.text && check_map(job, error)) || compare_outputs(job, error)
               ? failure(error)
               : HINGE_OK;
}

/* Checks that the outputs can be written, reads all files, and begins to watch. All ranks fail
 * alike. Nothing has been created while files are read, so a signal then ends the program. */
static enum hinge_status begin(struct train_job *job, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    struct hinge_format format = settings->format;
    const char *initial = settings->initial;
    enum hinge_status status = HINGE_OK;

    stopwatch_start(&job->start);
    job->parameters = settings->parameters;
    if (!settings->silent)
        status = files_check(settings_program(settings), settings, FILES_WRITABLE, error);
    if (ranks_agree(job->team, status, error))
        return failure(error);
    if (settings->checkpoint) { /* opening a named pipe waits, so only now */
        job->from_checkpoint = file_name_exists(settings->checkpoint);
        if (ranks_follow(job->team, &job->from_checkpoint, error))
            return failure(error);
        initial = job->from_checkpoint ? settings->checkpoint : initial;
    }
    if (job->from_checkpoint && !settings->quiet)
        report_say(settings->program, "starts from the checkpoint %s", initial);
    if (ranks_agree(job->team, prepare(job, initial, &format, error), error) ||
        !(job->data = hinge_dataset_read(settings->data, &format, error)))
        return failure(error);
    status = complete(job, error);
    job->reading = stopwatch_elapsed(&job->start);
    if (!status && !settings->quiet) {
        const struct hinge_solver *solver = hinge_solver_find(settings->parameters.solver);

        advise_ignored(settings);
        advise_renumbering(settings->called, job->data);
        if (!hinge_dataset_is_paged(job->data)) /* advice would read all pages once more */
            advise_scaling(settings->called, job->data,
                           settings->names.map.in_model ? NULL : settings->map, 0,
                           settings->parameters.bias < 0 && !solver->pairs && !solver->one_class);
    }
    if (!status && !settings->silent)
        advise_labels(settings, job->data);
    if (!status && !settings->quiet)
        advise_weights(settings, &job->parameters, job->data);
    if (!status) {
        catch_interrupts();
        status = monitors_begin(&job->monitors, settings, job->data, job->start, error);
    }
    if (ranks_agree(job->team, status, error))
        return failure(error);
    /* all ranks have read the same files, so all of them find the faults of the files */
    return ranks_count(job->team) == 1
               ? HINGE_OK
               : ranks_compare(job->team, agreement_sum(job->data, &job->parameters),
                               HINGE_BAD_ARGUMENT,
                               "weights, groups of rows or the model to start from", error);
}

/* ---- Training ------------------------------------------------------------------- */

/* Trains, writes and reports. Sets *status for an interrupt, or for --strict without a certificate.
 */
static enum hinge_status train(struct train_job *job, int *status, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    const double begun = stopwatch_elapsed(&job->start);
    double seconds[3] = {job->reading, 0, 0};
    struct hinge_model *model;
    char *data = NULL; /* the name, quoted as in a command */
    int failed, was_stopped;

    job->monitors.results.is_on = !settings->quiet && settings->metrics != METRICS_JSON;
    hinge_train_path(job->data, &job->parameters, NULL, 1, job->monitors.list, &model, error);
    progress_clear(&job->monitors.progress);
    if (!model)
        return failure(error);
    job->trained = 1;
    results_end(&job->monitors, model);
    seconds[1] = stopwatch_elapsed(&job->start) - begun;
    model->is_bare = settings->bare;
    model->map = settings->lines;
    job->settings->lines.text = NULL;
    failed = text_append_word(&data, settings->data, error) ||
             hinge_model_add_note(model, "data", data, error) ||
             hinge_model_add_note(model, "command", settings->command, error) ||
             hinge_model_write(model, settings->model, error);
    free(data);
    model->is_bare = 0; /* a checkpoint has the record */
    /* the model comes first, so that it is not lost if another file cannot be written */
    if (failed || (settings->alpha && hinge_alpha_write(model, settings->alpha, error)) ||
        monitors_commit(&job->monitors, model, error) ||
        (settings->report && (train_page_model(&job->monitors.page, model, error) ||
                              train_page_commit(&job->monitors.page, error)))) {
        hinge_model_free(model);
        return failure(error);
    }
    seconds[2] = stopwatch_elapsed(&job->start) - begun - seconds[1];
    report_training(settings, job->team, job->data, model, seconds);
    was_stopped = model->uncalibrated && was_interrupted();
    for (size_t c = 0; c < model->problems; c++) {
        was_stopped |= model->result[c].outcome == HINGE_INTERRUPTED;
        if (settings->strict && model->result[c].outcome != HINGE_CERTIFIED)
            *status = EXIT_NOT_CERTIFIED;
    }
    if (was_stopped)
        *status = EXIT_INTERRUPTED;
    *status = job->monitors.results.error.status
                  ? report_error(settings->program, &job->monitors.results.error)
                  : report_end(settings->program, *status);
    if (!settings->silent)
        report_warnings(settings->program, model, &settings->names,
                        certified_gap(&settings->parameters), settings->quiet);
    if (!settings->quiet)
        advise_regression(settings, job->data, model);
    hinge_model_free(model);
    return HINGE_OK;
}

/* ---- Beginning and end ---------------------------------------------------------- */

/* Prints in one line why all ranks end. */
static int report_common(const struct train_job *job, struct hinge_error *error)
{
    const struct settings *settings = job->settings;

    if (ranks_count(job->team) == 1) {
        const int status = report_error(settings->program, error);

        advise_converting(settings->called, settings->data, settings->test, error);
        return status;
    }
    if (!settings->silent)
        report_say(settings->program, "%s", error->message);
    return (int)error->status;
}

/* Prints why this rank ends while others are at work. */
static int report_alone(const struct train_job *job, struct hinge_error *error,
                        struct rank_exit *rank_exit)
{
    rank_exit->alone = 1;
    rank_exit->wait(job->team, error->status);
    report_say(job->settings->program, "rank %lu of %lu: %s", (unsigned long)ranks_own(job->team),
               (unsigned long)ranks_count(job->team), error->message);
    return (int)error->status;
}

/* Reads the files, validates and trains as the options say, and frees everything. If the scores of
 * -v and -C cannot be printed, no model is written. */
static int run(struct settings *settings, const struct hinge_team *team,
               struct rank_exit *rank_exit)
{
    const size_t initial = strlen(INITIAL_MODEL);
    struct hinge_error error = {HINGE_OK, ""}, reason;
    struct train_job job = {.settings = settings, .team = team};
    int status = HINGE_OK, chosen = 1;
    enum hinge_status failed = begin(&job, &error);
    const int has_begun = !failed;

    if (!failed && settings->folds > 0)
        failed = validate(settings, job.data, &job.groups, &job.parameters, &job.monitors, &status,
                          &chosen, &error);
    if (!failed && settings->writes_model && chosen &&
        (status == HINGE_OK || status == EXIT_NOT_CERTIFIED))
        failed = train(&job, &status, &error);
    if (has_begun && failed && settings->json && settings->folds > 0 && chosen)
        puts("}"); /* the object with the scores of the folds ends here */
    job.trained |= !failed;
    reason = error;
    /* a fault of the data as a whole is reported at their beginning */
    if (has_begun && failed == HINGE_BAD_INPUT)
        error_fill(&error, failed, "%s:1:1: %.900s", source_name(settings->data), reason.message);
    else if (has_begun && failed && job.from_checkpoint &&
             strncmp(reason.message, INITIAL_MODEL, initial) == 0)
        error_fill(&error, failed, "the checkpoint %s%.900s", settings->checkpoint,
                   reason.message + initial);
    else if (!failed && settings->report && !settings->writes_model && status != EXIT_INTERRUPTED)
        failed = train_page_commit(&job.monitors.page, &error);
    progress_clear(&job.monitors.progress);

    if (has_begun && (job.trained || ranks_count(team) == 1))
        failed = ranks_agree_and_follow(team, failed, &status, &error);
    if (failed && ranks_count(team) > 1 &&
        (failed == HINGE_TEAM_FAILED || /* all ranks find what is wrong with options and data */
         (has_begun && !job.trained && failed != HINGE_BAD_INPUT && failed != HINGE_BAD_ARGUMENT)))
        status = report_alone(&job, &error, rank_exit);
    else if (failed)
        status = report_common(&job, &error);
    monitors_end(&job.monitors);
    free(job.row_weight);
    groups_free(&job.groups);
    hinge_model_free(job.initial);
    hinge_dataset_free(job.data);
    return status;
}

int training_run_team(int argc, char **argv, const struct hinge_team *team,
                      struct rank_exit *rank_exit)
{
    struct settings settings = {.called = argv[0],
                                .program = program_name(argv[0]),
                                .parameters = parameters_default(),
                                .positive = NAN,
                                .checkpoint_minutes = 10,
                                .silent = ranks_own(team) > 0};
    const struct train_job nothing = {.settings = &settings, .team = team};
    const char **const outputs[] = {&settings.model, &settings.alpha,       &settings.trace,
                                    &settings.path,  &settings.predictions, &settings.report};
    struct hinge_error error = {HINGE_OK, ""};
    uint64_t words = CHECKSUM_NONE;
    int ended = 0, status;

    forget_interrupt();
    settings.parameters.team = team;
    settings.parameters.threads = team ? 1 : parallel_default();
    for (int k = 1; k < argc; k++)
        words = checksum(words, argv[k], strlen(argv[k]) + 1);
    if (team &&
        ranks_compare(team, words, HINGE_BAD_ARGUMENT, "the words of the command line", &error))
        status = error.status == HINGE_TEAM_FAILED ? report_alone(&nothing, &error, rank_exit)
                                                   : report_common(&nothing, &error);
    else if (argc < 2)
        status = settings.silent ? HINGE_BAD_ARGUMENT
                                 : options_usage(settings_program(&settings), settings.program);
    else if (settings_read(&settings, argc, argv, &ended, &error))
        status = settings.silent ? (int)error.status : report_error(settings.program, &error);
    else if (ended)
        status = report_end(settings.program, HINGE_OK);
    else {
        settings.quiet |= settings.silent;
        settings.test = settings.silent ? NULL : settings.test;
        for (size_t k = 0; settings.silent && k < sizeof outputs / sizeof *outputs; k++)
            if (*outputs[k])
                *outputs[k] = "/dev/null";
        status = run(&settings, team, rank_exit);
    }
    settings_free(&settings);
    return status;
}

int training_run(int argc, char **argv)
{
    return training_run_team(argc, argv, NULL, NULL);
}
