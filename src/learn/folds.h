/* folds.h - trainings that leave rows out: rows are dealt into folds, folds are handed to threads.
 *
 * The model of a fold has the classes of its training rows, as one trained by hand has. If a fold
 * has all rows of a class, its model cannot predict that class.
 * For each C there is a training without each fold. None depends on another, so the scores of a C
 * are the same whichever others are tried. A thread that finds no fold left of the present C begins
 * one of the next C. The thread that completes a C shows it to the owner while the others continue.
 * The result does not depend on the number of threads.
 */
#ifndef HINGE_LEARN_FOLDS_H
#define HINGE_LEARN_FOLDS_H

#include "base/parallel.h"
#include "learn/path.h"

struct folds;

/* State of one thread, which trains one fold after another. */
struct fold_thread {
    struct folds *folds;
    size_t fold;            /* the fold that is left out */
    size_t number;          /* position of the C */
    double C;               /* C = 1/(lambda m), m the weight of the rows to train on */
    uint32_t *training;     /* [rows] rows of the data to train on */
    struct classes classes; /* classes of the training rows; arrays only if hides_classes */
    uint32_t *global_class; /* [classes.count] the number of each among all classes */
    uint32_t *own_class;    /* [all classes] the inverse of global_class, for classes trained on */
    double *value;          /* [classes] decision values of a row */
    uint32_t *held_out;     /* [rows] in a team: rows of the data held out */
    double *decision;       /* [rows] in a team: decision values of the rows held out */
};

/* Progress of a fold. */
struct fold_state {
    size_t next; /* position of the C to train at next */
    int busy;    /* 1: a thread trains without it */
};

/* Trainings are at the present C and the next one. */
enum { PRESENT_VALUES = 2 };

/* Receives the owner of folds and the position of a C. No other thread notes anything meanwhile. */
typedef enum hinge_status folds_function(void *owner, size_t number, struct hinge_error *error);

/* Rows are positions among those that do not weigh 0. */
struct folds {
    struct path path; /* parameters, classes, folds, data and monitor */
    const double *C;  /* [count] values in this order; NULL: one, from lambda */
    size_t count;
    path_receiver *take;     /* receives trainings; its context is the fold_thread */
    void *owner;             /* context of prepare and see */
    folds_function *prepare; /* called before the first training at a C; may be NULL */
    folds_function *see;     /* called when the present C is complete; may be NULL */
    size_t rows;             /* rows that do not weigh 0 */
    uint32_t *row;           /* [rows] rows of the data */
    uint32_t *fold;          /* [rows] the fold of each row */
    size_t *only_fold;       /* [classes] the fold that has all rows of a class; path.folds: no
                                row weighs more than 0; SIZE_MAX: several folds have some */
    size_t *only_class;      /* [path.folds] the class of all training rows; SIZE_MAX: several */
    int hides_classes;       /* 1: some class is in less than two folds */

    struct fold_state *state;                /* [path.folds] */
    size_t prepared;                         /* number of C that prepare was called for */
    size_t present;                          /* position of the first C that is not complete */
    unsigned char *complete[PRESENT_VALUES]; /* [path.folds] 1: complete; C k is at k % 2 */
    size_t done[PRESENT_VALUES];             /* number of complete folds */
    int stopped;                             /* 1: a monitor ended a training */
    int ended;                               /* 1: no further C is wanted, trainings end */

    unsigned threads; /* folds trained at the same time. Sharing the sums of a running training
                         takes longer than it saves */
    int alone;        /* 1: the last fold runs alone and has all threads */
    struct fold_thread *thread; /* [threads] */
    struct failed_job failed;
};

/* Gives the threads to the folds, for trainings at count values of C. If there are many problems,
 * or the folds are too little work, the problems of one fold after another get the threads. */
void folds_share_threads(struct folds *folds, size_t count);

/* Deals the rows and allocates what threads need. The path must be set and the threads shared. Free
 * with folds_free, on failure too. */
enum hinge_status folds_deal(struct folds *folds, struct hinge_error *error);
void folds_free(struct folds *folds);

/* Sets the values of C. The first one becomes the present one. */
void folds_begin(struct folds *folds, const double *C, size_t count);

/* Trains at all values of C, until a monitor stops a training or the owner ends them. */
enum hinge_status folds_train(struct folds *folds, struct hinge_error *error);

/* Return the flags of complete folds of the present C, and their number. */
static inline const unsigned char *folds_complete(const struct folds *folds)
{
    return folds->complete[folds->present % PRESENT_VALUES];
}

static inline size_t folds_done(const struct folds *folds)
{
    return folds->done[folds->present % PRESENT_VALUES];
}

/* True if the model of a fold has no decision value for a class: none of its training rows has the
 * class, or all have one and the fold needs no training. */
static inline int folds_hides(const struct folds *folds, size_t fold, size_t c)
{
    return folds->only_class[fold] < SIZE_MAX || folds->only_fold[c] == fold ||
           folds->only_fold[c] == folds->path.folds;
}

/* Notes a training. Returns 1 if any training was stopped. */
int folds_note(struct fold_thread *thread, const struct trained *trained);

/* Receives value[count] of a row held out, at position i among the rows, for the columns
 * column[count] of a model of all classes. If a fold trains on two of several classes in one
 * column, the value of the second class is minus that of the first. */
typedef void held_out_function(void *context, uint32_t i, size_t count, const uint32_t *column,
                               const double *value);

/* Calls see for each row held out, in order, with its decision values. In a team each rank computes
 * the values of its own rows, and all ranks get all; the problem must not be joint there. */
void folds_each_held_out(struct fold_thread *thread, const struct trained *trained,
                         held_out_function *see, void *context);

#endif
