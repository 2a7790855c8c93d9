/* monitors.h - the monitors of train, which also watch the trainings of -v and -C: interrupts, the
 * time limit, checkpoints, the trace, progress lines, the results of each class, the report. Also
 * the functions that print the results of a training. */
#ifndef HINGE_CLI_MONITORS_H
#define HINGE_CLI_MONITORS_H

#include "base/clock.h"
#include "base/output.h"
#include "cli/emit.h"
#include "cli/train_options.h"
#include "report/page.h"

/* Stops the training when more than `limit` seconds have passed on its clock. */
struct time_watch {
    struct stopwatch clock;
    double limit;
    int is_for_folds; /* only trainings of folds are limited */
    int is_over; /* set once, so that a million classes do not read the clock a million times */
};

/* Prints a line to standard error once a second, or less often if measuring takes long. A terminal
 * shows one line, which is cut at its width. With several trainings, the line begins with the share
 * that is done and the time that the others will take. The time assumes that each of them takes as
 * long as the trainings at this C and the previous one. */
struct progress_watch {
    struct stopwatch clock;
    double next;         /* time of the next line */
    double asked;        /* time at which a measurement was requested; negative: no request */
    size_t width;        /* columns of the terminal; 0: standard error is no terminal */
    size_t shown;        /* characters of the line on the terminal */
    int is_broken;       /* a line was ended because of an interrupt */
    size_t values;       /* number of C in a search */
    size_t value;        /* number of C that are done */
    size_t trainings;    /* trainings of the present work; a change means new work */
    double done[2];      /* trainings done when the previous C and this one began */
    double since[2];     /* seconds of the clock when the previous C and this one began */
    double most_done;    /* trainings done at any line, by any thread */
    double reads_before; /* reads of a temporary file when a single training began */
    double gap[2];   /* gaps at two lines of this training; [1] moves to [0] once reads double */
    double reads[2]; /* reads of this training at the two lines of gap */
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

/* Writes the model so far at intervals. If a write fails, the last checkpoint stays, a warning is
 * printed, and the training continues. */
struct checkpoints {
    struct stopwatch clock;
    double every; /* seconds from the end of a checkpoint to the next */
    double next;  /* time of the next checkpoint */
    int exists;   /* a checkpoint was there at the start, or was written */
};

/* Prints the results of each class, in the order of the classes. */
struct result_watch {
    int is_on;                /* results are printed */
    size_t next;              /* the first class whose results are not printed yet */
    struct hinge_error error; /* error of the first result not printed; HINGE_OK: none */
};

/* A measurement during the training of a model. */
struct page_point {
    size_t problem; /* number of the problem, from 0 */
    double seconds; /* seconds since the training began */
    double passes;  /* passes over all rows */
    double gap;     /* relative gap; NaN for stochastic solvers */
    double primal;
    const char *method; /* NULL: coordinate descent alone */
};

/* The page, and the measurements for it. The page is opened before the training, so that a file
 * that cannot be written is found at once. */
struct train_page {
    struct output output; /* stream is NULL: there is no report */
    struct page page;
    const struct names *names; /* names of classes and features */
    double asked_gap; /* the relative gap that a certificate needs; 0: none was asked for */
    struct stopwatch clock;
    double next;         /* no measurement is requested before this time */
    double asked;        /* time of a request; negative: none */
    double spent;        /* seconds taken by measurements that were requested */
    size_t problems;     /* problems of the training */
    size_t last_problem; /* problem of the last point */
    struct page_point *point;
    size_t count, capacity;
    struct hinge_error failed; /* the first point without memory; HINGE_OK: none */
};

struct monitors {
    const struct settings *settings;
    const struct hinge_dataset *data;
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

/* Removes a trace or a page that was not completed, and frees the test data. */
void monitors_end(struct monitors *monitors);

/* Starts the clock of the progress line. */
void progress_begin(struct progress_watch *watch);

/* Prints the progress line; this monitor's context is a struct monitors. */
enum hinge_answer progress_print(void *context, const struct hinge_progress *progress);

/* Removes the progress line from the terminal, before other text is printed. */
void progress_clear(struct progress_watch *watch);

/* Prints the results of the classes that are not printed yet. With threads, a class may end before
 * an earlier one. Its results and those of all later classes are then printed here. */
void results_end(const struct monitors *monitors, const struct hinge_model *model);

/* Completes the trace and the checkpoint of a training whose model is written. A training that was
 * stopped leaves its model as the last checkpoint. The checkpoint of a completed training has no
 * use any more and is removed. */
enum hinge_status monitors_commit(struct monitors *monitors, const struct hinge_model *model,
                                  struct hinge_error *error);

/* ---- Results of a training ---------------------------------------------------- */

/* Returns the smallest number of three digits that is not below the gap, so that a printed bound is
 * a bound. */
double report_gap(double gap);

/* Emits the result of one of several binary problems, a label against the rest, or of the only one:
 * LIBLINEAR's lines and the certificate. width is the number of weights. rho is NULL unless the
 * problem is a one-class SVM. */
void emit_problem(struct emitter *emitter, const struct settings *settings, size_t problem,
                  size_t problems, double label, const struct hinge_result *result, size_t width,
                  const double *rho);

/* Prints the results of a training as one JSON object (--json), or as text unless --quiet or the
 * JSON of --metrics is on. seconds[3] are for reading, training and writing. */
void report_training(const struct settings *settings, const struct hinge_team *team,
                     const struct hinge_dataset *data, const struct hinge_model *model,
                     const double *seconds);

/* Prints how often the data were read, if they are in a temporary file. */
void report_reads(const struct hinge_dataset *data);

/* Prints a warning for each binary problem that did not reach the gap `target`. If quiet is set,
 * only problems that stalled have one, because the options asked for all other ends. */
void report_warnings(const char *program, const struct hinge_model *model,
                     const struct names *names, double target, int quiet);

/* ---- The report of train ----------------------------------------------------- */

/* Opens the page and prints what is known before the training. */
enum hinge_status train_page_begin(struct train_page *page, const struct settings *settings,
                                   const struct hinge_dataset *data, struct hinge_error *error);

/* Records measurements; this monitor's context is a struct train_page. */
enum hinge_answer train_page_watch(void *context, const struct hinge_progress *progress);

struct search;

/* Adds the section about -v or -C. */
enum hinge_status train_page_search(struct train_page *page, const struct search *search,
                                    struct hinge_error *error);

/* Adds the sections about a trained model. */
enum hinge_status train_page_model(struct train_page *page, const struct hinge_model *model,
                                   struct hinge_error *error);

enum hinge_status train_page_commit(struct train_page *page, struct hinge_error *error);

/* Frees everything, and removes a page that was not completed. */
void train_page_end(struct train_page *page);

#endif
