/* watch.h - the monitors of train: results, progress lines, time limit. */
#ifndef HINGE_CLI_WATCH_H
#define HINGE_CLI_WATCH_H

#include "base/clock.h"
#include "hinge.h"

/* Prints a line to standard error once a second, or less often where it takes long to measure, the
 * first after a second; on a terminal always the same one, which is cut where the terminal ends. Of
 * several trainings it begins with the share that is done, and the time that the others will take,
 * if each takes as long as those at this C and the one before. */
struct progress_watch {
    struct stopwatch clock;
    double next;  /* time of the next line */
    double asked; /* time at which its measurement was requested; negative: no request */
    size_t width; /* of the terminal; 0: it is none */
    size_t shown; /* characters of the line that stands there */
    const struct hinge_dataset *data; /* NULL: not known; where it is in a file, reads are shown, */
    double target;                    /* and those to come: until the gap is this, or after so */
    double epochs;                    /* many; 0: nobody knows */
    double before;                    /* reads when it began, */
    double gap[2];                    /* the gap at two lines since, */
    double reads[2];  /* and the reads then; [1] becomes [0] when they have doubled */
    size_t values;    /* of C in a search, */
    size_t value;     /* how many are done */
    size_t trainings; /* of the present work: it is another one if their number changes */
    double done[2];   /* trainings done at the start of the last C and of this one; */
    double since[2];  /* and the time then */
    double most;      /* trainings that were done at any line, of any thread */
};

/* shows: the watch will be asked to show progress. */
void progress_begin(struct progress_watch *watch, int shows);

/* Takes the line away, if one stands there: something else is to be printed. */
void progress_clear(struct progress_watch *watch);

/* Prints the results of each class, in the order of the classes. */
struct result_watch {
    const struct hinge_solver *solver;
    double target;                   /* of the gap */
    struct progress_watch *progress; /* its line is removed before results are printed */
    int is_on;                       /* 0: nothing is printed */
    size_t next;                     /* the first class whose results are not printed */
    struct hinge_error error;        /* the first result that could not be printed; status HINGE_OK:
                                        there is none */
};

/* Prints the results of the classes that watch_results has left out. With threads, a class may end
 * before an earlier one; its results and all later ones are printed here. */
void results_end(const struct result_watch *watch, const struct hinge_model *model);

/* Stops the training when more than limit seconds have passed on its clock. */
struct time_watch {
    struct stopwatch clock;
    double limit;
    int folds; /* only trainings of folds are limited */
    int over;  /* 1 from then on: reading the clock a million times, once for each class, is slow */
};

/* Monitors. The contexts are a struct result_watch, a struct progress_watch and a struct
 * time_watch.
 */
enum hinge_answer watch_results(void *context, const struct hinge_progress *progress);
enum hinge_answer watch_progress(void *context, const struct hinge_progress *progress);
enum hinge_answer watch_time(void *context, const struct hinge_progress *progress);

#endif
