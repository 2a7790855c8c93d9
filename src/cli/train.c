/* train.c - data -> model: train [options] data [model] */
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "cli/advice.h"
#include "cli/report.h"
#include "cli/settings.h"
#include "cli/trace.h"
#include "cli/validate.h"
#include "cli/watch.h"
#include "data/source.h"
#include "learn/classes.h"

/* What one run of the program has read, and who watches it. */
struct job {
    const struct settings *settings;
    struct hinge_parameters parameters;
    struct hinge_dataset *data;
    struct hinge_model *initial;
    double *row_weight;
    struct stopwatch start;
    double reading; /* seconds that it took */
    struct trace trace;
    struct progress_watch progress;
    struct time_watch time;
    struct hinge_monitor monitor[4];
};

/* Lets everything watch the trainings that is to. */
static void watch(struct job *job)
{
    const struct settings *settings = job->settings;
    const struct hinge_monitor all[] = {{watch_interrupt, NULL, NULL},
                                        {watch_time, &job->time, NULL},
                                        {trace_checkpoint, &job->trace, NULL},
                                        {watch_progress, &job->progress, NULL}};
    const int wanted[] = {1, settings->time_limit > 0, settings->trace != NULL, !settings->quiet};
    size_t count = 0;

    job->progress = (struct progress_watch){job->start, 1, -1};
    job->time = (struct time_watch){job->start, settings->time_limit, 0};
    stopwatch_start(&job->progress.clock);
    stopwatch_start(&job->trace.clock);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (wanted[k])
            job->monitor[count++] = all[k];
    for (size_t k = 0; k + 1 < count; k++)
        job->monitor[k].next = &job->monitor[k + 1];
    catch_interrupts();
}

/* Reads all files, after a look at what is to be written. */
static enum hinge_status begin(struct job *job, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    struct hinge_format format = settings->format;

    stopwatch_start(&job->start);
    job->parameters = settings->parameters;
    if ((settings->writes_model && hinge_model_check_writable(settings->model, error)) ||
        (settings->alpha && hinge_model_check_writable(settings->alpha, error)) ||
        (settings->path && hinge_model_check_writable(settings->path, error)) ||
        trace_open(&job->trace, settings, error) ||
        (settings->initial && !(job->initial = hinge_model_read(settings->initial, error))))
        return failure(error);
    format.zero_based |= job->initial && job->initial->zero_based;
    if (!(job->data = hinge_dataset_read(settings->data, &format, error)) ||
        (settings->row_weights &&
         !(job->row_weight = hinge_weights_read(settings->row_weights, job->data->rows, error))))
        return failure(error);
    job->parameters.initial = job->initial;
    job->parameters.row_weight = job->row_weight;
    job->parameters.row_weights = job->row_weight ? job->data->rows : 0;
    job->reading = stopwatch_processor(&job->start);
    if (!settings->quiet)
        advise_scaling(settings, job->data);
    watch(job);
    return HINGE_OK;
}

static void end(struct job *job)
{
    trace_close(&job->trace);
    free(job->row_weight);
    hinge_model_free(job->initial);
    hinge_dataset_free(job->data);
}

/* Labels that get a number only after all of the data's are not in the data. */
static enum hinge_status warn_unknown_weights(const struct job *job, struct hinge_error *error)
{
    const struct hinge_parameters *parameters = &job->parameters;
    const size_t weights = job->settings->quiet ? 0 : parameters->weights;
    struct labels labels = {NULL, 0, NULL, 0};
    enum hinge_status status = HINGE_OK;
    uint32_t number;

    for (size_t i = 0; weights > 0 && i < job->data->rows && !status; i++)
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

static int exit_status(const struct settings *settings, const struct hinge_model *model)
{
    int status = HINGE_OK;

    for (size_t c = 0; c < model->columns; c++) {
        if (model->result[c].outcome == HINGE_INTERRUPTED)
            return EXIT_INTERRUPTED;
        if (settings->strict && model->result[c].outcome != HINGE_CERTIFIED)
            status = EXIT_NOT_CERTIFIED;
    }
    return status;
}

/* What "certified" means. */
static double target(const struct settings *settings)
{
    return settings->parameters.gap > 0 ? settings->parameters.gap : HINGE_DEFAULT_GAP;
}

/* What --quiet and JSON leave out; seconds[3] are for reading, training, writing. */
static void report(const struct job *job, const struct hinge_model *model, const double *seconds)
{
    const struct hinge_dataset *data = job->data;

    if (job->settings->quiet || job->settings->metrics == METRICS_JSON)
        return;
    report_results(model, target(job->settings));
    printf("%lu rows, %lu features, %llu non-zeros, %lu classes\n", (unsigned long)data->rows,
           (unsigned long)data->features, (unsigned long long)data->nonzeros,
           (unsigned long)model->classes);
    printf("C = %g, lambda = %g\n", model->C, model->lambda);
    printf("read %.3f s, train %.3f s, write %.3f s\n", seconds[0], seconds[1], seconds[2]);
    advise_predicting(job->settings);
}

/* Trains, writes, reports. */
static enum hinge_status train(struct job *job, int *status, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    const double begun = stopwatch_processor(&job->start);
    double seconds[3] = {job->reading, 0, 0};
    struct hinge_model *model = hinge_train(job->data, &job->parameters, job->monitor, error);

    if (!model)
        return failure(error);
    seconds[1] = stopwatch_processor(&job->start) - begun;
    if ((settings->alpha && hinge_alpha_write(model, settings->alpha, error)) ||
        hinge_model_write(model, settings->model, error) || trace_commit(&job->trace, error)) {
        hinge_model_free(model);
        return failure(error);
    }
    seconds[2] = stopwatch_processor(&job->start) - begun - seconds[1];
    report(job, model, seconds);
    if (exit_status(settings, model))
        *status = exit_status(settings, model);
    *status = report_end(settings->program, *status);
    if (!settings->quiet)
        report_warnings(settings->program, model, target(settings));
    hinge_model_free(model);
    return HINGE_OK;
}

/* The data as a whole are to blame: no place in the file is better than another. */
static void place_error(const struct settings *settings, struct hinge_error *error)
{
    const struct hinge_error reason = *error;

    if (reason.status == HINGE_BAD_INPUT)
        error_fill(error, reason.status, "%s:1:1: %.900s", source_name(settings->data),
                   reason.message);
}

/* What the options ask for, one after the other. Results that cannot be printed end it. */
static enum hinge_status work(struct job *job, int *status, struct hinge_error *error)
{
    const struct settings *settings = job->settings;
    enum hinge_status failed = warn_unknown_weights(job, error);

    if (!failed && settings->folds > 0) {
        failed = validate(settings, job->data, &job->parameters, job->monitor, status, error);
        if (!failed)
            *status = report_end(settings->program, *status);
    }
    if (!failed && settings->writes_model && (*status == HINGE_OK || *status == EXIT_NOT_CERTIFIED))
        failed = train(job, status, error);
    if (failed)
        place_error(settings, error);
    return failed;
}

static int run(const struct settings *settings)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct job job = {.settings = settings};
    int status = HINGE_OK;

    if (begin(&job, &error) || work(&job, &status, &error))
        status = report_error(settings->program, &error);
    end(&job);
    return status;
}

int main(int argc, char **argv)
{
    struct settings settings = {.called = argv[0],
                                .program = program_name(argv[0]),
                                .parameters = hinge_parameters_default()};
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
