/* path.h - the problems of some rows, one or one per class, each along a path of C. */
#ifndef HINGE_LEARN_PATH_H
#define HINGE_LEARN_PATH_H

#include "learn/classes.h"
#include "solver/loop/solver.h"

/* What a problem's last training leaves for the next. */
struct path_end {
    double *point; /* [kept_size of path.c]; NULL: it is not kept */
    struct last_point last;
    double bias; /* the last weight, where a free bias starts */
    struct computed computed;
};

/* What the trainings of a path ended with, for another path of the same rows to continue from, all
 * zero but for the bytes: nothing yet. Of each problem the dual variables, where R is |w|_1 with
 * the weights and the sums of both, and what was computed of its rows: the matrices of a
 * second-order method, the columns of X. Points without room are not kept: the problem starts from
 * 0 each time; matrices and columns without room are computed anew. */
struct path_ends {
    double C;            /* of the last training of each; 0: none */
    struct path_end *of; /* [problems] */
    size_t problems;
    struct max_row_norm max_row_norm; /* of the rows */
    size_t points;                    /* bytes that a problem may keep of its point, */
    size_t computed;                  /* and of what was computed */
};

void path_ends_clear(struct path_ends *ends);

/* How messages about parameters.initial begin. */
#define INITIAL_MODEL "the initial model"

struct path {
    const struct hinge_dataset *data;
    const struct hinge_parameters *parameters; /* but for C and lambda */
    const struct hinge_monitor *monitor;
    const struct solver *solver;   /* path_begin finds it */
    const struct classes *classes; /* of all rows of the data */
    const uint32_t *row;           /* [rows] the rows to train on; NULL: all of the data */
    size_t rows;
    const double *C; /* [count] in this order */
    size_t count;
    struct path_ends *ends; /* where it continues, and leaves its own; NULL: it starts from 0 */
    unsigned threads;       /* that train problems side by side, and those of each training; 0: 1 */
    unsigned threads_each;
    struct team *team;            /* of the parameters, with the rows of the data; NULL: alone */
    struct workspace **workspace; /* [threads]; NULL: it takes its own */
    size_t fold;                  /* for the monitors; 0 and 0: none */
    size_t folds;
};

/* What one training ended with; nothing of it lasts. */
struct trained {
    size_t position; /* of its C */
    size_t column;   /* class, 0 alone if there are two, or if all are in one problem */
    const double *w; /* [problem_width(problem)] */
    const struct problem *problem; /* the rows with a cost; none, of a training not begun */
    const double *alpha;           /* [problem_duals(problem)] of a solver with a dual point */
    const struct hinge_result *result;
};

/* Takes what a training ended with to where it is wanted. Called by several threads at a time, for
 * different columns. */
typedef enum hinge_status path_receiver(void *context, const struct trained *trained,
                                        struct hinge_error *error);

/* Refuses data without labels; only a one-class SVM is trained without, but for a fold. The
 * parameters are checked. */
enum hinge_status path_check_labels(const struct path *path, struct hinge_error *error);

/* Finds the solver, checks what can be checked before any work, and finds the classes;
 * classes_free on failure too. The path has data and parameters. */
enum hinge_status path_begin(struct path *path, struct classes *classes, struct hinge_error *error);

/* The row of the data that is the path's i-th. */
static inline uint32_t path_row(const struct path *path, size_t i)
{
    return path->row ? path->row[i] : (uint32_t)i;
}

/* How many columns of weights there are, and how many problems: one for each column, or one. */
size_t path_columns(const struct path *path);
size_t path_problems(const struct path *path);

/* Returns how many threads the parameters allow; one if the rows are in a file. */
unsigned path_threads(const struct path *path);

/* Returns threads if training each problem so many times is long enough to share, else 1. */
unsigned path_training_threads(const struct path *path, unsigned threads, size_t times);

/* Gives threads to the problems, if their trainings at all values of C are long enough to share.
 * The rest of the threads share the sums of each problem. */
void path_share_threads(struct path *path, unsigned threads);

/* Whether there is room for the weights of each feature up to the largest index: those that the
 * trainings work with, and as many columns as are to be kept. */
enum hinge_status path_check_room(const struct path *path, size_t kept, struct hinge_error *error);

/* Trains; an interrupted training ends the path at its C, and *completed says how many of them are
 * left whole or interrupted. */
enum hinge_status path_run(const struct path *path, path_receiver *take, void *context,
                           size_t *completed, struct hinge_error *error);

#endif
