/* folds.h - trainings that leave rows out: rows are dealt into folds, and folds handed out to
 * threads.
 *
 * For each value of C there is a training without each fold. A training begins where the one
 * before it, of the same fold, ended; folds do not depend on each other. So a thread that finds no
 * fold left of the present C begins one of the next. The thread that trains without the last fold
 * of a C shows it to whoever wants to see it, while the others go on. What is left does not depend
 * on the number of threads.
 */
#ifndef HINGE_LEARN_FOLDS_H
#define HINGE_LEARN_FOLDS_H

#include "base/parallel.h"
#include "learn/path.h"

struct folds;

/* What a thread uses for one fold after the other. */
struct fold_thread {
    struct folds *folds;
    size_t fold;        /* the one it trains without, */
    size_t number;      /* and the C */
    double C;           /* from lambda and the rows to train on */
    uint32_t *training; /* [rows] numbers in the data of the rows to train on */
    double *value;      /* [classes] room for decision values of a row */
    uint32_t *held_out; /* [rows] in a team: the rows held out, numbers in the data, */
    double *decision;   /* [rows] and their decision values */
};

/* A fold's share of the work. */
struct fold_state {
    size_t next; /* the number of the C to train at next */
    int busy;    /* a thread has it */
};

/* The present C, and the one after it. */
enum { PRESENT_VALUES = 2 };

/* Is called with an owner of folds and the number of a C, while no other thread notes anything. */
typedef enum hinge_status folds_function(void *owner, size_t number, struct hinge_error *error);

/* Rows are positions among those that do not weigh 0. */
struct folds {
    struct path path; /* of one C, with parameters, classes, folds, data and monitor */
    const double *C;  /* [count] in this order; NULL: one, from lambda */
    size_t count;
    path_receiver *take;     /* of trainings; its context is the fold_thread */
    void *owner;             /* who that belongs to, and these: */
    folds_function *prepare; /* is called before the first training at a C; may be NULL */
    folds_function *see;     /* is called when the present C is complete; may be NULL */
    size_t rows;
    uint32_t *row;  /* [rows] their numbers in the data */
    uint32_t *fold; /* [rows] */

    struct path_ends *ends;   /* [path.folds] where trainings go on; NULL: each starts from 0 */
    struct fold_state *state; /* [path.folds] */
    size_t prepared;          /* so many values of C, the first ones */
    size_t present;           /* the number of the first C that is not complete */
    unsigned char *complete[PRESENT_VALUES]; /* [path.folds] of C k at k % 2, */
    size_t done[PRESENT_VALUES];             /* and how many they are */
    int stopped;                             /* a monitor ended a training */
    int ended;                               /* no further C is wanted: trainings end */

    unsigned threads; /* that train side by side; none helps another with a fold that it is at:
                         that takes longer than it saves */
    int alone;        /* a fold that would be the only one at its time has all threads */
    struct fold_thread *thread;   /* [threads] */
    struct workspace **workspace; /* [threads], or of the problems at a time; NULL: their own */
    struct failed_job failed;
};

/* Gives the threads to the folds, for trainings at count values of C. Gives them to the problems of
 * one fold after the other if there are many problems, or if the folds are too little work. */
void folds_share_threads(struct folds *folds, size_t count);

/* Deals the rows, and allocates what threads need. The folds have a path, and threads are shared;
 * folds_free on failure, too. */
enum hinge_status folds_deal(struct folds *folds, struct hinge_error *error);
void folds_free(struct folds *folds);

/* Sets the values of C, of which the first is the present one. */
void folds_begin(struct folds *folds, const double *C, size_t count);

/* Trains at all values of C, until a monitor says stop or they are ended. */
enum hinge_status folds_train(struct folds *folds, struct hinge_error *error);

/* Which folds of the present C are complete, and how many. */
static inline const unsigned char *folds_complete(const struct folds *folds)
{
    return folds->complete[folds->present % PRESENT_VALUES];
}

static inline size_t folds_done(const struct folds *folds)
{
    return folds->done[folds->present % PRESENT_VALUES];
}

/* Notes a training, and what is to be noted of it by the call, which may be NULL, while no other
 * thread notes anything. Whether one was stopped, this or another. */
int folds_note(struct fold_thread *thread, const struct trained *trained,
               void (*note)(void *context), void *context);

/* Receives the decision values of a row held out, at position i among the rows: as many as the
 * problem has outputs. */
typedef void held_out_function(void *context, const struct trained *trained, uint32_t i,
                               const double *value);

/* Calls see for each row held out, in their order, with the decision values of the training. In a
 * team, whose ranks have some of these rows each, they are computed by all ranks together; there
 * the training is not one of all classes. */
void folds_each_held_out(struct fold_thread *thread, const struct trained *trained,
                         held_out_function *see, void *context);

#endif
