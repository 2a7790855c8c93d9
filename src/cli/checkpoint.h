/* checkpoint.h - --checkpoint: the model as far as it is, now and then, for a run that goes on. */
#ifndef HINGE_CLI_CHECKPOINT_H
#define HINGE_CLI_CHECKPOINT_H

#include "cli/train_options.h"
#include "cli/watch.h"

struct checkpoint {
    const char *program;
    const char *path; /* NULL: none */
    int silent;
    double every; /* seconds between the end of one and the next */
    double next;
    struct stopwatch clock;
    struct progress_watch *progress; /* what stands on a terminal */
    int exists;                      /* there was one at the start, or one was written */
};

/* Whether there is one to go on from. */
int checkpoint_exists(const char *path);

void checkpoint_begin(struct checkpoint *checkpoint, const struct settings *settings,
                      struct progress_watch *progress);

/* The monitor; its context is a struct checkpoint. Where one cannot be written, a warning says so,
 * the last one stays, and the training goes on. */
enum hinge_answer checkpoint_watch(void *context, const struct hinge_progress *progress);

/* The model is written: of a training that was stopped it is the last checkpoint, too; else there
 * is no use for one any more, and it is removed. */
enum hinge_status checkpoint_end(struct checkpoint *checkpoint, const struct hinge_model *model,
                                 struct hinge_error *error);

#endif
