/* folds.h - trainings that leave rows out: rows are dealt into folds, and folds handed to threads;
 * probabilities from the predictions of these trainings.
 *
 * The model of a fold has the classes of its training rows, as if they were all the data. If a fold
 * has all rows of a class, its model cannot predict that class. For each C there is a training
 * without each fold. No training depends on another one, so the scores of a C do not depend on the
 * other C that are tried. A thread that finds no fold left of the present C begins one of the next
 * C. The thread that completes a C shows it to the owner while the others continue. The result does
 * not depend on the number of threads.
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
    uint32_t *training;     /* [rows] rows of the data to train on */
    struct classes classes; /* classes of the training rows; arrays only if hides_classes */
    uint32_t *global_class; /* [classes.count] the position of each class among all classes */
    uint32_t *own_class; /* [all classes] the inverse of global_class, set for classes trained on */
    double *value;       /* [classes] decision values of a row */
    uint32_t *held_out;  /* [rows] in a team: rows of the data held out */
    double *decision;    /* [rows] in a team: decision values of the rows held out */
};

/* Progress of a fold. */
struct fold_state {
    size_t next; /* position of the C to train at next */
    int busy;    /* 1: a thread trains without the fold */
};

/* The number of C in work at the same time: the present one and the next. */
enum { PRESENT_VALUES = 2 };

/* Receives the owner of folds and the position of a C. No other thread records a result meanwhile.
 */
typedef enum hinge_status folds_function(void *owner, size_t number, struct hinge_error *error);

/* Positions of rows count only the rows that do not weigh 0. */
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

/* Gives the threads to the folds, for trainings at count values of C. In a team, with many
 * problems, or if the folds are too little work, the folds are trained one after another, and their
 * problems get the threads. */
void folds_share_threads(struct folds *folds, size_t count);

/* Deals the rows and allocates the arrays of threads. The path must be set and the threads shared.
 * Free with folds_free, on failure too. */
enum hinge_status folds_deal(struct folds *folds, struct hinge_error *error);
void folds_free(struct folds *folds);

/* Sets the values of C. The first one becomes the present one. */
void folds_begin(struct folds *folds, const double *C, size_t count);

/* Trains at all values of C, until a monitor stops a training or the owner ends them. */
enum hinge_status folds_train(struct folds *folds, struct hinge_error *error);

/* Returns the number of complete folds of the present C. */
static inline size_t folds_done(const struct folds *folds)
{
    return folds->done[folds->present % PRESENT_VALUES];
}

/* True if the model of a fold has no decision value for a class: none of its training rows has the
 * class, or all of them have the same class, and the fold needs no training. */
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

/* Calls see for each row held out, in order, with its decision values. In a team, each rank
 * computes the values of its own rows and receives those of all ranks. The problem must not be
 * joint then. */
void folds_each_held_out(struct fold_thread *thread, const struct trained *trained,
                         held_out_function *see, void *context);

/* ---- Dealing rows ------------------------------------------------------------ */

/* Deals rows into folds at random. Any two folds have the same number of rows of each class, and of
 * rows in total, give or take one. row[rows] says which rows; class_of has the class of each row of
 * the data, below `classes`. Fills fold[rows] with 0 .. folds - 1. */
enum hinge_status split_folds(const uint32_t *row, size_t rows, const uint32_t *class_of,
                              size_t classes, size_t folds, uint64_t seed, uint32_t *fold,
                              struct hinge_error *error);

/* Deals whole groups of rows into folds: the largest group first, groups of equal size in random
 * order, each into the fold with the fewest rows so far. With as many folds as groups, each group
 * is a fold, in the order of the group numbers. group_of has the group of each row of the data; the
 * other arguments are those of split_folds. HINGE_BAD_ARGUMENT if there are fewer groups than
 * folds.
 */
enum hinge_status split_groups(const uint32_t *row, size_t rows, const uint32_t *group_of,
                               size_t folds, uint64_t seed, uint32_t *fold,
                               struct hinge_error *error);

/* ---- Probabilities ----------------------------------------------------------- */

/* Fits p(f) = 1/(1 + exp(A f + B)) to the decision values value[rows] of rows with sign[rows], +1
 * or -1, and weight[rows]; NULL: all weigh 1. Sets sigmoid[0] = A and sigmoid[1] = B, both finite.
 * If all values are equal, A is 0. An infinite value counts as the largest double, NaN as 0. */
void sigmoid_fit(size_t rows, const double *value, const signed char *sign, const double *weight,
                 double *sigmoid);

/* Fits sigmoids to the models of a path. */
struct calibrator;

/* Deals the rows that do not weigh 0 into 5 folds, fewer if there are fewer rows or groups.
 * Allocates 8 bytes per row and column, 25 per row, and at least 4 per row and thread. path_begin
 * must have been called for the path, which must last. NULL on failure. Free with calibrator_free.
 */
struct calibrator *calibrator_new(const struct path *path, struct hinge_error *error);
void calibrator_free(struct calibrator *calibrator);

/* Trains without each fold at the C of the model, and gives it sigmoids. If a monitor stopped the
 * training of the model, or stops one of these, the model gets no sigmoids and is marked as
 * uncalibrated. */
enum hinge_status calibrator_fit(struct calibrator *calibrator, struct hinge_model *model,
                                 struct hinge_error *error);

/* Fills validation->probability from its decision values, if the solver has probabilities or the
 * parameters ask for them. A class that the model of a fold does not have gets 0 there. */
enum hinge_status held_out_probabilities(const struct folds *folds,
                                         struct hinge_validation *validation,
                                         struct hinge_error *error);

#endif
