/* train.c - data -> model: train [options] data [model] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/keys.h"
#include "cli/report.h"
#include "cli/settings.h"
#include "cli/text.h"
#include "cli/trace.h"
#include "cli/validate.h"
#include "cli/watch.h"
#include "data/groups.h"
#include "data/source.h"
#include "learn/classes.h"

/* One run of the program: its inputs and monitors. */
struct train_job {
    const struct settings *settings;
    struct hinge_parameters parameters;
    struct hinge_dataset *data;
    struct hinge_model *initial;
    double *row_weight;
    struct groups groups; /* of --folds */
    struct stopwatch start;
    double reading; /* seconds taken by reading */
    struct trace trace;
    struct progress_watch progress;
    struct result_watch results;
    struct time_watch time;
    struct hinge_monitor monitor[5];
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
                                        {trace_checkpoint, &job->trace, NULL, 0},
                                        {watch_progress, &job->progress, NULL, 0},
                                        {watch_results, &job->results, NULL, 0}};
    const int wanted[] = {1, settings->time_limit > 0, settings->trace != NULL, !settings->quiet,
                          !settings->quiet && settings->metrics != METRICS_JSON};
    size_t count = 0;

    progress_begin(&job->progress, !settings->quiet);
    job->progress.data = job->data;
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
        fprintf(stderr, "%s: warning: %s has no classes: their weights count for nothing\n",
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
                "%s: warning: %s counts for nothing: this program was built without OpenMP (make "
                "OPENMP=1)\n",
                settings->program, option_called(THREADS));
    for (int key = SOLVER; key < KEYS_END; key++)
        if (settings->ignored & BIT(key))
            fprintf(stderr,
                    "%s: warning: %s counts for nothing: it has no meaning for --solver %s\n",
                    settings->program, option_called(key), solver);
    if (settings->model && !settings->writes_model)
        fprintf(stderr, "%s: warning: %s writes no model%s: '%.200s' is not written\n",
                settings->program, option_called(settings->search ? SEARCH : FOLDS),
                settings->search ? " without --refit" : "", settings->model);
}

/* Says what data in a file change. */
static void adapt_to_file(struct train_job *job)
{
    const struct settings *settings = job->settings;
    const struct hinge_solver *solver = hinge_solver_find(job->parameters.solver);

    if (!hinge_dataset_is_paged(job->data))
        return;
    if (job->parameters.threads != 1 && parallel_threads(2) > 1 && !settings->quiet)
        fprintf(stderr,
                "%s: warning: %s counts for nothing: data in a temporary file have one thread\n",
                settings->program, option_called(THREADS));
    if (solver->kind != HINGE_STOCHASTIC || settings->samples)
        return;
    job->parameters.sampling = HINGE_PERMUTE;
    if (!settings->quiet)
        fprintf(stderr, "%s: warning: %s is permute: the data are in a temporary file\n",
                settings->program, option_called(SAMPLING));
}

/* Checks that the outputs can be written, reads all files, opens the trace. While files are read,
 * which no monitor sees, nothing has been created, and a signal ends the program. */
static enum hinge_status begin(struct train_job *job, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    const struct files files = settings_files(settings);
    struct hinge_format format = settings->format;

    stopwatch_start(&job->start);
    job->parameters = settings->parameters;
    catch_interrupts();
    for (const struct file *output = files.output; output->called; output++)
        if (output->path && hinge_model_check_writable(output->path, error))
            return failure(error);
    release_interrupts();
    if (settings->initial && !(job->initial = hinge_model_read(settings->initial, error)))
        return failure(error);
    format.zero_based |= job->initial && job->initial->zero_based;
    format.threads = parallel_threads(settings->parameters.threads);
    if ((settings->test &&
         !(job->trace.test = hinge_dataset_read(settings->test, &format, error))) ||
        !(job->data = hinge_dataset_read(settings->data, &format, error)) ||
        (settings->row_weights && !(job->row_weight = hinge_weights_read(
                                        settings->row_weights, job->data->x.rows, error))) ||
        (settings->fold_names &&
         groups_read(&job->groups, settings->fold_names, job->data->x.rows, error)) ||
        files_compare(&files, error))
        return failure(error);
    job->parameters.initial = job->initial;
    job->parameters.row_weight = job->row_weight;
    job->parameters.row_weights = job->row_weight ? job->data->x.rows : 0;
    job->parameters.row_group = job->groups.of_row;
    job->parameters.row_groups = settings->fold_names ? job->data->x.rows : 0;
    job->reading = stopwatch_processor(&job->start);
    adapt_to_file(job);
    if (!settings->quiet) {
        warn_ignored(settings);
        if (!hinge_dataset_is_paged(job->data)) /* which would take a read of all of them */
            advise_scaling(settings, job->data);
        advise_labels(settings, job->data);
    }
    if (warn_unknown_weights(job, error)) /* while a signal still ends the program at once */
        return failure(error);
    catch_interrupts();
    watch(job);
    return trace_open(&job->trace, settings, error);
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
    seconds[1] = stopwatch_processor(&job->start) - begun;
    if (note_origin(settings, model, error) ||
        (settings->alpha && hinge_alpha_write(model, settings->alpha, error)) ||
        hinge_model_write(model, settings->model, error) || trace_commit(&job->trace, error)) {
        hinge_model_free(model);
        return failure(error);
    }
    seconds[2] = stopwatch_processor(&job->start) - begun - seconds[1];
    report(job, model, seconds);
    if (exit_status(settings, model))
        *status = exit_status(settings, model);
    *status = job->results.error.status ? report_error(settings->program, &job->results.error)
                                        : report_end(settings->program, *status);
    report_warnings(settings->program, model, target(settings), settings->quiet);
    hinge_model_free(model);
    return HINGE_OK;
}

/* How often data in a file were read. */
static void report_reads(const struct train_job *job)
{
    if (hinge_dataset_is_paged(job->data) && !job->settings->quiet &&
        job->settings->metrics != METRICS_JSON)
        printf("data read %.1f times\n", hinge_dataset_reads(job->data));
}

/* Adds a place to an error in the data as a whole: the beginning of the file. */
static void place_error(const struct settings *settings, struct hinge_error *error)
{
    const struct hinge_error reason = *error;

    if (reason.status == HINGE_BAD_INPUT)
        error_fill(error, reason.status, "%s:1:1: %.900s", source_name(settings->data),
                   reason.message);
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
        if (!failed)
            *status = report_end(settings->program, *status);
    }
    if (!failed && settings->writes_model && chosen &&
        (*status == HINGE_OK || *status == EXIT_NOT_CERTIFIED))
        failed = train(job, status, error);
    if (!failed)
        report_reads(job);
    if (failed)
        place_error(settings, error);
    return failed;
}

static int run(const struct settings *settings)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct train_job job = {.settings = settings};
    int status = HINGE_OK;

    if (begin(&job, &error) || work(&job, &status, &error)) {
        progress_clear(&job.progress);
        status = report_error(settings->program, &error);
        advise_converting(settings->called, settings->data, &error);
    }
    end(&job);
    return status;
}

static int start(int argc, char **argv)
{
    struct settings settings = {.called = argv[0],
                                .program = program_name(argv[0]),
                                .parameters = hinge_parameters_default(),
                                .positive = NAN};
    struct hinge_error error;
    int status, ended = 0;

    if (argc < 2)
        return report_usage(settings.program, settings_usage);
    if (settings_read(&settings, argc, argv, &ended, &error))
        status = report_error(settings.program, &error);
    else
        status = ended ? report_end(settings.program, HINGE_OK) : run(&settings);
    settings_free(&settings);
    return status;
}

int main(int argc, char **argv)
{
    return report_run(argc, argv, start);
}
