/* train.c - data -> model: train [options] data [model] */
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "cli/report.h"
#include "cli/settings.h"
#include "cli/trace.h"
#include "cli/watch.h"
#include "data/source.h"

static const char program[] = "train";

/* A training with everything that may watch it. */
static struct hinge_model *train(const struct settings *settings, const struct stopwatch *start,
                                 const struct hinge_dataset *data, const double *row_weight,
                                 struct trace *trace, struct hinge_error *error)
{
    struct hinge_parameters parameters = settings->parameters;
    struct progress_watch progress = {*start, 1, -1};
    struct time_watch time = {*start, settings->time_limit};
    struct hinge_monitor lines = {watch_progress, &progress, NULL};
    struct hinge_monitor tracing = {trace_checkpoint, trace, settings->quiet ? NULL : &lines};
    struct hinge_monitor limit = {watch_time, &time, settings->trace ? &tracing : tracing.next};
    struct hinge_monitor interrupt = {watch_interrupt, NULL,
                                      settings->time_limit > 0 ? &limit : limit.next};
    struct hinge_error reason;
    struct hinge_model *model;

    stopwatch_start(&progress.clock);
    stopwatch_start(&trace->clock);
    catch_interrupts();
    parameters.row_weight = row_weight;
    parameters.row_weights = row_weight ? data->rows : 0;
    model = hinge_train(data, &parameters, &interrupt, &reason);
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
    double *row_weight = NULL;
    struct trace trace = {0};
    struct stopwatch start;
    double seconds[3];
    int status = HINGE_OK;

    stopwatch_start(&start);
    if (hinge_model_check_writable(settings->model, &error) ||
        trace_open(&trace, settings, &error) ||
        !(data = hinge_dataset_read(settings->data, &settings->format, &error)) ||
        (settings->row_weights &&
         !(row_weight = hinge_weights_read(settings->row_weights, data->rows, &error))))
        goto done;
    seconds[0] = stopwatch_processor(&start);
    if (!(model = train(settings, &start, data, row_weight, &trace, &error)))
        goto done;
    seconds[1] = stopwatch_processor(&start);
    if (hinge_model_write(model, settings->model, &error) || trace_commit(&trace, &error))
        goto done;
    seconds[2] = stopwatch_processor(&start);
    report(settings, model, data, seconds);
    status = report_end(program, exit_status(settings, model));
    warn(settings, model);
done:
    if (error.status)
        status = report_error(program, &error);
    trace_close(&trace);
    hinge_model_free(model);
    free(row_weight);
    hinge_dataset_free(data);
    return status;
}

int main(int argc, char **argv)
{
    struct settings settings = {.parameters = hinge_parameters_default()};
    struct hinge_error error;
    int status, ended = 0;

    if (argc < 2) {
        settings_usage(stderr);
        fprintf(stderr, "Try '%s --help'.\n", program);
        return HINGE_BAD_ARGUMENT;
    }
    if (settings_read(&settings, argc, argv, &ended, &error))
        status = report_error(program, &error);
    else
        status = ended ? report_end(program, HINGE_OK) : run(&settings);
    settings_free(&settings);
    return status;
}
