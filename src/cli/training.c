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
#include "base/ranks.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/interrupt.h"
#include "cli/report.h"
#include "cli/text.h"
#include "cli/train_job.h"
#include "cli/training_report.h"
#include "cli/validate.h"
#include "data/source.h"
#include "learn/path.h"
#include "model/model.h"

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
    report_results(model, job->results.target);
    printf("%lu rows, %lu features, %llu non-zeros, ", (unsigned long)data->x.rows,
           (unsigned long)data->features, (unsigned long long)(data->x.nonzeros - data->zeros));
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
        status = hinge_model_add_note(model, "data", data, error);
    if (!status)
        status = hinge_model_add_note(model, "command", settings->command, error);
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

    job->results.is_on = !settings->quiet && settings->metrics != METRICS_JSON;
    model = hinge_train(job->data, &job->parameters, job->monitor, error);
    progress_clear(&job->progress);
    if (!model)
        return failure(error);
    job->trained = 1;
    results_end(&job->results, model);
    seconds[1] = stopwatch_processor(&job->start) - begun;
    if (note_origin(settings, model, error) ||
        (settings->alpha && hinge_alpha_write(model, settings->alpha, error)) ||
        hinge_model_write(model, settings->model, error) || trace_commit(&job->trace, error) ||
        checkpoint_end(&job->checkpoint, model, error)) {
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
        report_warnings(settings->program, model, job->results.target, settings->quiet);
    hinge_model_free(model);
    return HINGE_OK;
}

/* Prints how often data in a temporary file were read. */
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
    enum hinge_status failed = train_job_begin(&job, &error);

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
    train_job_end(&job);
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
                                : options_usage(settings_program(settings), settings->program);
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
                                .parameters = parameters_default(),
                                .positive = NAN,
                                .checkpoint_minutes = 10,
                                .silent = ranks_own(team) > 0};
    int status;

    forget_interrupt();
    settings.parameters.team = team;
    settings.parameters.threads = team ? 1 : parallel_default();
    status = start(&settings, argc, argv, team, rank_exit);
    settings_free(&settings);
    return status;
}
