/* training.c - command line -> data -> model.
 *
 * Of a team all ranks read the command line and the files, and make the same calls of the library.
 * Rank 0 alone prints, watches and writes; the others write where nothing is kept. Until the
 * training begins the ranks agree before they go on, and end in order where one has failed, with
 * one message. Within it a rank that fails cannot tell the others, which may be waiting for a sum:
 * it says why, and the whole team is ended.
 */
#include "cli/training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/parallel.h"
#include "base/path.h"
#include "base/ranks.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/checkpoint.h"
#include "cli/keys.h"
#include "cli/report.h"
#include "cli/settings.h"
#include "cli/text.h"
#include "cli/trace.h"
#include "cli/validate.h"
#include "cli/watch.h"
#include "data/groups.h"
#include "data/source.h"
#include "learn/agreement.h"
#include "learn/classes.h"
#include "learn/path.h"

/* One run of the program: its inputs and monitors. */
struct train_job {
    const struct settings *settings;
    const struct hinge_team *team; /* or NULL */
    int trained;                   /* nothing is left to do that needs the team */
    struct hinge_parameters parameters;
    struct hinge_dataset *data;
    struct hinge_model *initial;
    int from_checkpoint; /* initial is that of --checkpoint */
    double *row_weight;
    struct groups groups; /* of --folds */
    struct stopwatch start;
    double reading; /* seconds taken by reading */
    struct trace trace;
    struct progress_watch progress;
    struct result_watch results;
    struct time_watch time;
    struct checkpoint checkpoint;
    struct hinge_monitor monitor[6];
};

/* The gap at which a problem is certified. */
static double target(const struct settings *settings)
{
    return settings->parameters.gap > 0 ? settings->parameters.gap : HINGE_DEFAULT_GAP;
}

/* Makes the list of monitors. */
static void watch(struct train_job *job)
{
    const struct settings *settings = job->settings;
    const struct hinge_monitor all[] = {{watch_interrupt, NULL, NULL, 1},
                                        {watch_time, &job->time, NULL, 1},
                                        {checkpoint_watch, &job->checkpoint, NULL, 0},
                                        {trace_checkpoint, &job->trace, NULL, 0},
                                        {watch_progress, &job->progress, NULL, 0},
                                        {watch_results, &job->results, NULL, 0}};
    const int wanted[] = {1,
                          settings->time_limit > 0,
                          settings->checkpoint != NULL,
                          settings->trace != NULL,
                          !settings->quiet,
                          !settings->quiet && settings->metrics != METRICS_JSON};
    size_t count = 0;

    progress_begin(&job->progress, !settings->quiet);
    job->progress.data = job->data;
    job->progress.target = settings->parameters.gap;
    job->progress.epochs = settings->parameters.iterations > 0 ? 0 : settings->parameters.epochs;
    checkpoint_begin(&job->checkpoint, settings, &job->progress);
    job->results = (struct result_watch){.solver = hinge_solver_find(settings->parameters.solver),
                                         .target = target(settings),
                                         .progress = &job->progress};
    job->time = (struct time_watch){job->start, settings->time_limit, settings->folds > 0, 0};
    stopwatch_start(&job->trace.clock);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (wanted[k])
            job->monitor[count++] = all[k];
    for (size_t k = 0; k + 1 < count; k++)
        job->monitor[k].next = &job->monitor[k + 1];
}

/* Warns of class weights for labels that the data lack: such a label gets a new number after all
 * labels of the data have theirs. */
static enum hinge_status warn_unknown_weights(const struct train_job *job,
                                              struct hinge_error *error)
{
    const struct hinge_parameters *parameters = &job->parameters;
    const struct hinge_solver *solver = hinge_solver_find(parameters->solver);
    const size_t weights = job->settings->quiet ? 0 : parameters->weights;
    struct labels labels = {0};
    enum hinge_status status = HINGE_OK;
    uint32_t number;

    if (weights > 0 && (solver->regression || solver->one_class)) {
        fprintf(stderr, "%s: warning: %s has no classes: their weights are ignored\n",
                job->settings->program, solver->regression ? "a regression" : "a one-class SVM");
        return HINGE_OK;
    }
    for (size_t i = 0; weights > 0 && i < job->data->x.rows && !status; i++)
        status = labels_number(&labels, job->data->label[i], &number, error);
    for (size_t k = 0; k < weights && !status; k++) {
        const size_t known = labels.count;

        status = labels_number(&labels, parameters->weight_label[k], &number, error);
        if (labels.count > known)
            fprintf(stderr, "%s: warning: no row has the label %.17g that has a weight\n",
                    job->settings->program, parameters->weight_label[k]);
    }
    labels_free(&labels);
    return status;
}

/* Warns of what LIBLINEAR takes and ignores. */
static void warn_ignored(const struct settings *settings)
{
    const char *solver = hinge_solver_find(settings->parameters.solver)->name;

    if (settings->parameters.threads != 1 && parallel_threads(2) == 1)
        fprintf(stderr,
                "%s: warning: %s is ignored: this program was built without OpenMP (make "
                "OPENMP=1)\n",
                settings->program, option_called(THREADS));
    for (int key = SOLVER; key < KEYS_END; key++)
        if (settings->ignored & BIT(key))
            fprintf(stderr, "%s: warning: %s is ignored: it has no meaning for --solver %s\n",
                    settings->program, option_called(key), solver);
    if (settings->model && !settings->writes_model)
        report_say(settings->program, "warning: %s writes no model%s: '%.200s' is not written",
                   settings_scored_by(settings), settings->search ? " without --refit" : "",
                   settings->model);
}

/* Says what data in a file change. */
static void adapt_to_file(struct train_job *job)
{
    const struct settings *settings = job->settings;
    const struct hinge_solver *solver = hinge_solver_find(job->parameters.solver);

    if (!hinge_dataset_is_paged(job->data))
        return;
    if (job->parameters.threads != 1 && parallel_threads(2) > 1 && !settings->quiet)
        fprintf(stderr, "%s: warning: %s is ignored: data in a temporary file have one thread\n",
                settings->program, option_called(THREADS));
    if (solver->kind != HINGE_STOCHASTIC || settings->samples)
        return;
    job->parameters.sampling = HINGE_PERMUTE;
    if (!settings->quiet)
        fprintf(stderr, "%s: warning: %s is permute: the data are in a temporary file\n",
                settings->program, option_called(SAMPLING));
}

static enum hinge_status check_outputs(const struct train_job *job, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    const struct files files = settings_files(settings);
    enum hinge_status status = HINGE_OK;

    catch_interrupts();
    for (const struct file *output = files.output; output->called && !settings->silent; output++)
        if (output->path && !status)
            status = hinge_model_check_writable(output->path, error);
    release_interrupts();
    return status;
}

/* Reads what comes before the data: initial is the model to start from, or NULL. */
static enum hinge_status prepare(struct train_job *job, const char *initial,
                                 struct hinge_format *format, struct hinge_error *error)
{
    const struct settings *settings = job->settings;

    if (initial && !(job->initial = hinge_model_read(initial, error)))
        return failure(error);
    format->zero_based |= job->initial && job->initial->zero_based;
    format->threads = parallel_threads(settings->parameters.threads);
    format->team = job->team;
    if (settings->test) {
        struct hinge_format alone = *format;

        alone.team = NULL;
        if (!(job->trace.test = hinge_dataset_read(settings->test, &alone, error)))
            return failure(error);
    }
    return HINGE_OK;
}

/* Refuses a single group of rows that do not weigh 0. */
static enum hinge_status check_groups(const struct train_job *job, struct hinge_error *error)
{
    const uint32_t *group = job->groups.of_row;
    const double *weight = job->row_weight;
    const size_t rows = job->data->x.rows;
    size_t first = 0, other;

    while (first < rows && weight && weight[first] == 0)
        first++;
    for (other = first; other < rows; other++)
        if ((!weight || weight[other] > 0) && group[other] != group[first])
            return HINGE_OK;
    if (first == rows)
        return HINGE_OK;
    return fail(error, HINGE_BAD_INPUT,
                "%s:1:1: each row%s has the name '%.200s': at least two names are needed",
                source_name(job->settings->fold_names), weight ? " that weighs more than 0" : "",
                dictionary_text(&job->groups.names, group[first]));
}

static enum hinge_status compare_files(const struct settings *settings, struct hinge_error *error)
{
    const struct files files = settings_files(settings);

    return files_check(&files, error) || files_compare(&files, error) ? failure(error) : HINGE_OK;
}

/* Refuses an output that is an input, now that the data are read. Those of a team may be numbered
 * files, which their name on the command line does not tell. */
static enum hinge_status compare_outputs(const struct train_job *job, struct hinge_error *error)
{
    struct settings settings = *job->settings;
    char name[FILENAME_MAX];
    enum hinge_status status = compare_files(&settings, error);

    if (!job->team || path_opens(settings.data))
        return status;
    settings.data = name;
    for (unsigned long k = 0; !status; k++) {
        const int length = snprintf(name, sizeof name, "%s.%lu", job->settings->data, k);

        if (length < 0 || (size_t)length >= sizeof name || !path_opens(name))
            break;
        status = compare_files(&settings, error);
    }
    return status;
}

/* Reads what goes with the rows of the data. */
static enum hinge_status complete(struct train_job *job, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    const size_t rows = job->data->x.rows;

    if ((settings->row_weights &&
         !(job->row_weight = hinge_weights_read(settings->row_weights, rows, error))) ||
        (settings->fold_names && (groups_read(&job->groups, settings->fold_names, rows, error) ||
                                  check_groups(job, error))) ||
        compare_outputs(job, error))
        return failure(error);
    job->parameters.initial = job->initial;
    job->parameters.row_weight = job->row_weight;
    job->parameters.row_weights = job->row_weight ? rows : 0;
    job->parameters.row_group = job->groups.of_row;
    job->parameters.row_groups = settings->fold_names ? rows : 0;
    return HINGE_OK;
}

/* Chooses the model to start from: the checkpoint, if rank 0 sees it. */
static enum hinge_status choose_initial(const struct train_job *job, const char **initial,
                                        struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    int exists = checkpoint_exists(settings->checkpoint);

    if (settings->checkpoint && ranks_follow(job->team, &exists, error))
        return failure(error);
    *initial = exists ? settings->checkpoint : settings->initial;
    if (exists && !settings->quiet)
        report_say(settings->program, "starts from the checkpoint %s", *initial);
    return HINGE_OK;
}

/* All ranks have read the same, so that what is wrong with it all of them find. */
static enum hinge_status compare_contents(const struct train_job *job, struct hinge_error *error)
{
    if (ranks_count(job->team) == 1)
        return HINGE_OK;
    return ranks_compare(job->team, agreement_sum(job->data, &job->parameters), HINGE_BAD_ARGUMENT,
                         "weights, groups of rows or the model to start from", error);
}

/* Reads all files, opens the trace. While files are read, which no monitor sees, nothing has been
 * created, and a signal ends the program. */
static enum hinge_status begin(struct train_job *job, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    struct hinge_format format = settings->format;
    const char *initial = NULL;
    enum hinge_status status;

    stopwatch_start(&job->start);
    job->parameters = settings->parameters;
    if (ranks_agree(job->team, check_outputs(job, error), error) ||
        choose_initial(job, &initial, error)) /* which waits where there is a named pipe */
        return failure(error);
    job->from_checkpoint = initial && initial == settings->checkpoint;
    if (ranks_agree(job->team, prepare(job, initial, &format, error), error) ||
        !(job->data = hinge_dataset_read(settings->data, &format, error)))
        return failure(error);
    status = complete(job, error);
    job->reading = stopwatch_processor(&job->start);
    adapt_to_file(job);
    if (!status && !settings->quiet) {
        warn_ignored(settings);
        if (!hinge_dataset_is_paged(job->data)) /* which would take a read of all of them */
            advise_scaling(settings, job->data);
        advise_labels(settings, job->data);
    }
    if (!status)
        status = warn_unknown_weights(job, error); /* while a signal ends the program at once */
    if (!status) {
        catch_interrupts();
        watch(job);
        status = trace_open(&job->trace, settings, error);
    }
    status = ranks_agree(job->team, status, error);
    return status ? status : compare_contents(job, error);
}

static void end(struct train_job *job)
{
    trace_close(&job->trace);
    free(job->row_weight);
    groups_free(&job->groups);
    hinge_model_free(job->initial);
    hinge_dataset_free(job->data);
}

static int exit_status(const struct settings *settings, const struct hinge_model *model)
{
    int status = HINGE_OK;

    if (model->uncalibrated && was_interrupted())
        return EXIT_INTERRUPTED;
    for (size_t c = 0; c < model->problems; c++) {
        if (model->result[c].outcome == HINGE_INTERRUPTED)
            return EXIT_INTERRUPTED;
        if (settings->strict && model->result[c].outcome != HINGE_CERTIFIED)
            status = EXIT_NOT_CERTIFIED;
    }
    return status;
}

/* What training took of the network. */
static void report_traffic(const struct train_job *job, const struct hinge_model *model)
{
    double rounds = 0, sent = 0;

    if (ranks_count(job->team) == 1)
        return;
    for (size_t c = 0; c < model->problems; c++) {
        rounds += (double)model->result[c].rounds;
        sent += (double)model->result[c].sent;
    }
    printf("%lu ranks, %.0f rounds, %.3g MB sent by rank 0\n",
           (unsigned long)ranks_count(job->team), rounds, sent / 1e6);
}

/* Prints the results, unless --quiet or JSON; seconds[3] are for reading, training, writing. */
static void report(const struct train_job *job, const struct hinge_model *model,
                   const double *seconds)
{
    const struct hinge_dataset *data = job->data;

    if (job->settings->quiet || job->settings->metrics == METRICS_JSON)
        return;
    report_results(model, target(job->settings));
    printf("%lu rows, %lu features, %llu non-zeros, ", (unsigned long)data->x.rows,
           (unsigned long)data->features, (unsigned long long)data->x.nonzeros);
    if (model->one_class)
        printf("one class, nu = %g\n", model->nu);
    else if (model->classes > 0)
        printf("%lu classes\n", (unsigned long)model->classes);
    else
        printf("regression, p = %g\n", model->epsilon);
    if (!model->one_class)
        printf("C = %g, lambda = %g\n", model->C, model->lambda);
    printf("read %.3f s, train %.3f s, write %.3f s\n", seconds[0], seconds[1], seconds[2]);
    report_traffic(job, model);
    advise_predicting(job->settings, model);
}

/* Records where the model comes from: the command line, the data. */
static enum hinge_status note_origin(const struct settings *settings, struct hinge_model *model,
                                     struct hinge_error *error)
{
    char *data = NULL;
    enum hinge_status status = text_append_word(&data, settings->data, error);

    if (!status)
        status = hinge_model_note(model, "data", data, error);
    if (!status)
        status = hinge_model_note(model, "command", settings->command, error);
    free(data);
    return status;
}

/* Trains, writes, reports. */
static enum hinge_status train(struct train_job *job, int *status, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    const double begun = stopwatch_processor(&job->start);
    double seconds[3] = {job->reading, 0, 0};
    struct hinge_model *model;

    job->results.on = 1;
    model = hinge_train(job->data, &job->parameters, job->monitor, error);
    progress_clear(&job->progress);
    if (!model)
        return failure(error);
    job->trained = 1;
    seconds[1] = stopwatch_processor(&job->start) - begun;
    if (note_origin(settings, model, error) ||
        (settings->alpha && hinge_alpha_write(model, settings->alpha, error)) ||
        hinge_model_write(model, settings->model, error) ||
        checkpoint_end(&job->checkpoint, model, error) || trace_commit(&job->trace, error)) {
        hinge_model_free(model);
        return failure(error);
    }
    seconds[2] = stopwatch_processor(&job->start) - begun - seconds[1];
    report(job, model, seconds);
    if (exit_status(settings, model))
        *status = exit_status(settings, model);
    *status = job->results.error.status ? report_error(settings->program, &job->results.error)
                                        : report_end(settings->program, *status);
    if (!settings->silent)
        report_warnings(settings->program, model, target(settings), settings->quiet);
    hinge_model_free(model);
    return HINGE_OK;
}

/* How often data in a file were read. */
static void report_reads(const struct train_job *job, int *status)
{
    const struct settings *settings = job->settings;

    if (!hinge_dataset_is_paged(job->data) || settings->quiet ||
        settings->metrics == METRICS_JSON || *status == HINGE_FILE_ERROR)
        return;
    printf("data read %.1f times\n", hinge_dataset_reads(job->data));
    *status = report_end(settings->program, *status);
}

/* Adds a place to an error in the data as a whole: the beginning of the file. Calls a checkpoint
 * what it is: of the two models to start from it is the one that is taken. */
static void place_error(const struct train_job *job, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    const struct hinge_error reason = *error;
    const size_t length = strlen(INITIAL_MODEL);

    if (reason.status == HINGE_BAD_INPUT)
        error_fill(error, reason.status, "%s:1:1: %.900s", source_name(settings->data),
                   reason.message);
    else if (job->from_checkpoint && strncmp(reason.message, INITIAL_MODEL, length) == 0)
        error_fill(error, reason.status, "the checkpoint %s%.900s", settings->checkpoint,
                   reason.message + length);
}

/* Validates and trains, as the options say. No model is written if the scores of -v and -C cannot
 * be printed. */
static enum hinge_status work(struct train_job *job, int *status, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    enum hinge_status failed = HINGE_OK;
    int chosen = 1;

    if (settings->folds > 0) {
        failed = validate(settings, job->data, &job->groups, &job->parameters, job->monitor,
                          &job->progress, status, &chosen, error);
        progress_clear(&job->progress);
        if (!failed) {
            *status = report_end(settings->program, *status);
            failed = ranks_follow(job->team, status, error);
        }
        job->time.limit = HUGE_VAL; /* of the search alone; the folds of -b 1 may follow */
        job->time.over = 0;
    }
    if (!failed && settings->writes_model && chosen &&
        (*status == HINGE_OK || *status == EXIT_NOT_CERTIFIED))
        failed = train(job, status, error);
    job->trained |= !failed;
    if (!failed)
        report_reads(job, status);
    if (failed)
        place_error(job, error);
    return failed;
}

/* Says why all ranks end, in one line. */
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

/* Says why this rank ends, while others are in the midst of something. */
static int report_alone(const struct train_job *job, struct hinge_error *error,
                        struct rank_exit *rank_exit)
{
    rank_exit->alone = 1;
    rank_exit->wait(job->team, error->status);
    report_say(job->settings->program, "rank %lu of %lu: %s", (unsigned long)ranks_own(job->team),
               (unsigned long)ranks_count(job->team), error->message);
    return (int)error->status;
}

/* Whether all ranks find it: it comes of the options, or of the data. */
static int is_common(enum hinge_status failed)
{
    return failed == HINGE_BAD_INPUT || failed == HINGE_BAD_ARGUMENT;
}

static int run(const struct settings *settings, const struct hinge_team *team,
               struct rank_exit *rank_exit)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct train_job job = {.settings = settings, .team = team};
    int status = HINGE_OK, has_begun = 0;
    enum hinge_status failed = begin(&job, &error);

    if (!failed) {
        has_begun = 1;
        failed = work(&job, &status, &error);
        progress_clear(&job.progress);
    }
    if (has_begun && (job.trained || ranks_count(team) == 1))
        failed = ranks_agree_and_follow(team, failed, &status, &error);
    if (failed && ranks_count(team) > 1 &&
        (failed == HINGE_TEAM_FAILED || (has_begun && !job.trained && !is_common(failed))))
        status = report_alone(&job, &error, rank_exit);
    else if (failed)
        status = report_common(&job, &error);
    end(&job);
    return status;
}

/* Only rank 0 speaks and writes. */
static void silence(struct settings *settings)
{
    static const char nowhere[] = "/dev/null";
    const char **const outputs[] = {&settings->model, &settings->alpha, &settings->trace,
                                    &settings->path, &settings->predictions};

    settings->silent = settings->quiet = 1;
    settings->test = NULL;
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++)
        if (*outputs[k])
            *outputs[k] = nowhere;
}

/* All ranks have the same words on their command lines. */
static enum hinge_status compare_words(int argc, char **argv, const struct hinge_team *team,
                                       struct hinge_error *error)
{
    uint64_t sum = CHECKSUM_NONE;

    for (int k = 1; k < argc; k++)
        sum = checksum(sum, argv[k], strlen(argv[k]) + 1);
    return ranks_compare(team, sum, HINGE_BAD_ARGUMENT, "the words of the command line", error);
}

static int start(struct settings *settings, int argc, char **argv, const struct hinge_team *team,
                 struct rank_exit *rank_exit)
{
    const struct train_job nothing = {.settings = settings, .team = team};
    struct hinge_error error = {HINGE_OK, ""};
    int ended = 0;

    if (compare_words(argc, argv, team, &error))
        return error.status == HINGE_TEAM_FAILED ? report_alone(&nothing, &error, rank_exit)
                                                 : report_common(&nothing, &error);
    if (argc < 2)
        return settings->silent ? HINGE_BAD_ARGUMENT
                                : report_usage(settings->program, settings_usage);
    if (settings_read(settings, argc, argv, &ended, &error))
        return settings->silent ? (int)error.status : report_error(settings->program, &error);
    if (settings->silent)
        silence(settings);
    return ended ? report_end(settings->program, HINGE_OK) : run(settings, team, rank_exit);
}

int training_run(int argc, char **argv, const struct hinge_team *team, struct rank_exit *rank_exit)
{
    struct settings settings = {.called = argv[0],
                                .program = program_name(argv[0]),
                                .parameters = hinge_parameters_default(),
                                .positive = NAN,
                                .checkpoint_minutes = 10,
                                .silent = ranks_own(team) > 0};
    int status;

    settings.parameters.team = team;
    status = start(&settings, argc, argv, team, rank_exit);
    settings_free(&settings);
    return status;
}
