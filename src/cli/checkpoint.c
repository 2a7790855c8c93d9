/* checkpoint.c - measure, write, wait. */
#include "cli/checkpoint.h"

#include <errno.h>
#include <stdio.h>

#include "base/file_name.h"
#include "base/output.h"
#include "base/status.h"
#include "cli/report.h"
#include "model/model.h"
#include "solver/loop/solver.h"

int checkpoint_exists(const char *path)
{
    return path && file_name_exists(path);
}

void checkpoint_begin(struct checkpoint *checkpoint, const struct settings *settings,
                      struct progress_watch *progress)
{
    const double every = 60 * settings->checkpoint_minutes;

    *checkpoint = (struct checkpoint){.program = settings->program,
                                      .path = settings->checkpoint,
                                      .silent = settings->silent,
                                      .every = every,
                                      .next = every,
                                      .progress = progress,
                                      .exists = checkpoint_exists(settings->checkpoint)};
    stopwatch_start(&checkpoint->clock);
}

enum hinge_answer checkpoint_watch(void *context, const struct hinge_progress *progress)
{
    struct checkpoint *checkpoint = context;
    struct hinge_error error;

    if (progress->rows == 0 || progress->folds > 0 ||
        stopwatch_elapsed(&checkpoint->clock) < checkpoint->next)
        return HINGE_GO_ON;
    if (!progress->model)
        return HINGE_MEASURE;
    if (!hinge_model_write(progress->model, checkpoint->path, &error)) {
        checkpoint->exists = 1;
    } else {
        progress_clear(checkpoint->progress);
        report_say(checkpoint->program, "warning: no checkpoint: %s", error.message);
    }
    checkpoint->next = stopwatch_elapsed(&checkpoint->clock) + checkpoint->every;
    return HINGE_GO_ON;
}

enum hinge_status checkpoint_end(struct checkpoint *checkpoint, const struct hinge_model *model,
                                 struct hinge_error *error)
{
    int stopped = model->uncalibrated;

    if (!checkpoint->path || checkpoint->silent)
        return HINGE_OK;
    for (size_t c = 0; c < model->problems; c++)
        stopped |= outcome_is_stop(model->result[c].outcome);
    if (stopped)
        return hinge_model_write(model, checkpoint->path, error);
    errno = 0;
    if (checkpoint->exists && remove(checkpoint->path) != 0)
        return fail_file(error, "remove", checkpoint->path);
    return HINGE_OK;
}
