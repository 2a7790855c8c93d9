/* train_job.c - outputs that can be written, then inputs, then monitors. */
#include "cli/train_job.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file_name.h"
#include "base/parallel.h"
#include "base/ranks.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/interrupt.h"
#include "cli/report.h"
#include "data/source.h"
#include "learn/agreement.h"
#include "learn/classes.h"
#include "model/model.h"
#include "solver/loop/solver.h"

/* Makes the list of monitors. */
static void watch(struct train_job *job)
{
    const struct settings *settings = job->settings;
    const struct hinge_monitor all[] = {{watch_interrupt, NULL, NULL, HINGE_BETWEEN},
                                        {watch_time, &job->time, NULL, HINGE_BETWEEN},
                                        {checkpoint_watch, &job->checkpoint, NULL, HINGE_MODEL},
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
    job->progress.target = settings->parameters.relative_gap;
    job->progress.epochs = settings->parameters.iterations > 0 ? 0 : settings->parameters.epochs;
    checkpoint_begin(&job->checkpoint, settings, &job->progress);
    job->results = (struct result_watch){.solver = hinge_solver_find(settings->parameters.solver),
                                         .target = certified_gap(&settings->parameters),
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
        fprintf(stderr, "%s: warning: %s is ignored: this program was built without OpenMP\n",
                settings->program, option_called(THREADS));
    for (int key = SOLVER; key < KEYS_END; key++)
        if (settings->ignored & BIT(key))
            fprintf(stderr, "%s: warning: %s is ignored: it has no meaning for --solver %s\n",
                    settings->program, option_called(key), solver);
    if (settings->unwritten)
        report_say(settings->program, "warning: %s writes no model%s: '%.200s' is not written",
                   settings_scored_by(settings), settings->search ? " without --refit" : "",
                   settings->unwritten);
}

/* Of data in a temporary file: chooses the sampling that suits them, and says what is different. */
static void adapt_to_file(struct train_job *job)
{
    const struct settings *settings = job->settings;
    const struct hinge_solver *solver = hinge_solver_find(job->parameters.solver);

    if (!hinge_dataset_is_paged(job->data))
        return;
    if (job->parameters.threads != 1 && parallel_threads(2) > 1 && !settings->quiet)
        fprintf(stderr, "%s: warning: %s is ignored: data in a temporary file have one thread\n",
                settings->program, option_called(THREADS));
    if (solver->kind != HINGE_STOCHASTIC || settings->sampling_given)
        return;
    job->parameters.sampling = HINGE_PERMUTE;
    if (!settings->quiet)
        fprintf(stderr, "%s: warning: %s is permute: the data are in a temporary file\n",
                settings->program, option_called(SAMPLING));
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

/* Refuses an output that is an input, now that the data are read. Those of a team may be numbered
 * files, which their name on the command line does not tell. */
static enum hinge_status compare_outputs(const struct train_job *job, struct hinge_error *error)
{
    struct settings settings = *job->settings;
    char name[FILENAME_MAX];
    enum hinge_status status = files_compare(settings_program(&settings), &settings, error);

    if (!job->team || file_name_opens(settings.data))
        return status;
    settings.data = name;
    for (unsigned long k = 0; !status; k++) {
        const int length = snprintf(name, sizeof name, "%s.%lu", job->settings->data, k);

        if (length < 0 || (size_t)length >= sizeof name || !file_name_opens(name))
            break;
        status = files_compare(settings_program(&settings), &settings, error);
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

enum hinge_status train_job_begin(struct train_job *job, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    struct hinge_format format = settings->format;
    const char *initial = NULL;
    enum hinge_status status;

    stopwatch_start(&job->start);
    job->parameters = settings->parameters;
    if (ranks_agree(job->team,
                    job->settings->silent ? HINGE_OK
                                          : files_check_writable(settings_program(job->settings),
                                                                 job->settings, error),
                    error) ||
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

void train_job_end(struct train_job *job)
{
    trace_close(&job->trace);
    free(job->row_weight);
    groups_free(&job->groups);
    hinge_model_free(job->initial);
    hinge_dataset_free(job->data);
}
