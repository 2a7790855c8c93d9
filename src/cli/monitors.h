/* monitors.h - what watches the trainings of train, with -v and -C too: interrupts, the time limit,
 * checkpoints, the trace, progress lines, and the results of each class. */
#ifndef HINGE_CLI_MONITORS_H
#define HINGE_CLI_MONITORS_H

#include "base/clock.h"
#include "base/output.h"
#include "cli/train_options.h"
#include "cli/train_page.h"

/* Stops the training when more than limit seconds have passed on its clock. */
struct time_watch {
    struct stopwatch clock;
    double limit;
    int is_for_folds; /* only trainings of folds are limited */
    int is_over;      /* kept, because a million classes would read the clock a million times */
};

/* Prints a line to standard error once a second, or less often if measuring takes long. A terminal
 * shows one line, which is cut at its width. With several trainings, the line begins with the share
 * that is done and the time that the others will take if each takes as long as those at this C and
 * the previous one. */
struct progress_watch {
    struct stopwatch clock;
    double next;         /* time of the next line */
    double asked;        /* time at which a measurement was requested; negative: no request */
    size_t width;        /* columns of the terminal; 0: standard error is no terminal */
    size_t shown;        /* characters of the line on the terminal */
    int is_broken;       /* a line was ended because of an interrupt */
    size_t values;       /* number of C in a search */
    size_t value;        /* number of C that are done */
    size_t trainings;    /* of the present work, which is another one if this number changes */
    double done[2];      /* trainings done when the previous C began, and when this one began */
    double since[2];     /* the times then */
    double most_done;    /* trainings done at any line, by any thread */
    double reads_before; /* reads of a temporary file when a single training began */
    double gap[2];   /* gaps at two lines of this training; [1] moves to [0] once reads double */
    double reads[2]; /* reads of this training at these two lines */
};

/* Writes a line of CSV for each checkpoint of a training. */
struct trace {
    struct output output;
    struct hinge_dataset *test; /* rows for the test error; NULL: none; monitors_end frees it */
    struct stopwatch clock;
    double asked;        /* time at which a measurement was requested; negative: no request */
    double spent;        /* seconds taken by measurements, which the trace leaves out */
    size_t problem;      /* problem of the last line, from 1 */
    uint64_t iterations; /* iterations at the last line */
};

/* Writes the model so far now and then. If that fails, the last checkpoint stays, a warning is
 * printed, and the training continues. */
struct checkpoints {
    struct stopwatch clock;
    double every; /* seconds from the end of a checkpoint to the next */
    double next;  /* time of the next one */
    int exists;   /* one was there at the start, or one was written */
};

/* Prints the results of each class, in the order of the classes. */
struct result_watch {
    int is_on;                /* 0: nothing is printed */
    size_t next;              /* the first class whose results are not printed */
    struct hinge_error error; /* the first result that could not be printed; HINGE_OK: none */
};

struct monitors {
    const struct settings *settings;
    const struct hinge_dataset
        *data; /* if it is in a file, progress lines show how often it is read */
    struct time_watch time;
    struct progress_watch progress;
    struct trace trace;
    struct checkpoints checkpoints;
    struct result_watch results;
    struct train_page page;
    struct hinge_monitor list[7]; /* linked, for the library */
};

/* Sets up the monitors that the settings ask for, and opens the trace. start is the clock that the
 * time limit refers to. Call monitors_end on failure too. */
enum hinge_status monitors_begin(struct monitors *monitors, const struct settings *settings,
                                 const struct hinge_dataset *data, struct stopwatch start,
                                 struct hinge_error *error);

/* Removes a trace that was not committed, and frees the test data. */
void monitors_end(struct monitors *monitors);

/* Removes the progress line from the terminal, because something else is to be printed. */
void progress_clear(struct progress_watch *progress);

/* Prints the results of the classes that are not printed yet. With threads, a class may end before
 * an earlier one; its results and all later ones are printed here. */
void results_end(const struct monitors *monitors, const struct hinge_model *model);

/* Completes the trace and the checkpoint of a training whose model is written. A training that was
 * stopped leaves its model as the last checkpoint. Otherwise the checkpoint has no use any more and
 * is removed. */
enum hinge_status monitors_commit(struct monitors *monitors, const struct hinge_model *model,
                                  struct hinge_error *error);

#endif
