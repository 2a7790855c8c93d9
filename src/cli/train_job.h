/* train_job.h - one run of train: what it has read, and the monitors of its trainings. */
#ifndef HINGE_CLI_TRAIN_JOB_H
#define HINGE_CLI_TRAIN_JOB_H

#include "cli/checkpoint.h"
#include "cli/trace.h"
#include "cli/train_options.h"
#include "cli/watch.h"
#include "data/reader.h"
#include "solver/loop/parameters.h"

/* The inputs, and what watches the training. */
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

/* Checks that the outputs can be written, reads all files, opens the trace; settings and team are
 * set, all else is 0. All ranks fail alike. While files are read, which no monitor sees, nothing
 * has been created, and a signal ends the program. */
enum hinge_status train_job_begin(struct train_job *job, struct hinge_error *error);
void train_job_end(struct train_job *job);

#endif
