/* path.h - the problems of some rows, one or one per class, each along a path of C. */
#ifndef HINGE_LEARN_PATH_H
#define HINGE_LEARN_PATH_H

#include "learn/classes.h"
#include "solver/loop/solver.h"

/* The beginning of messages about parameters.initial. */
#define INITIAL_MODEL "the initial model"

struct path {
    const struct hinge_dataset *data;
    const struct hinge_parameters *parameters; /* all except C and lambda */
    const struct hinge_monitor *monitor;
    const struct solver *solver;   /* set by path_begin */
    const struct classes *classes; /* classes of all rows of the data */
    const uint32_t *row;           /* [rows] rows to train on; NULL: all rows */
    size_t rows;
    const double *C; /* [count] values, in the order of training */
    size_t count;
    unsigned threads;      /* problems trained at the same time; 0 means 1 */
    unsigned threads_each; /* threads of each training */
    struct team *team;     /* the ranks that share the rows; NULL: alone */
    size_t fold;           /* fold of folds, shown to monitors; 0 of 0: no cross-validation */
    size_t folds;
};

/* The result of one training. The pointers are valid during the call that receives them. */
struct trained {
    size_t position;               /* position of C in the path */
    size_t column;                 /* class; 0 for two classes or a joint problem */
    const double *w;               /* [problem_width(problem)] */
    const struct problem *problem; /* rows with a cost; no rows if not begun */
    const double *alpha;           /* [problem_duals(problem)]; NULL without a dual point */
    const struct hinge_result *result;
};

/* Receives the result of a training. Several threads may call it at the same time, for different
 * columns. */
typedef enum hinge_status path_receiver(void *context, const struct trained *trained,
                                        struct hinge_error *error);

/* Refuses data without labels, except for a one-class SVM outside cross-validation. The parameters
 * must have been checked. */
enum hinge_status path_check_labels(const struct path *path, struct hinge_error *error);

/* Sets the solver, makes all checks that need no training, and finds the classes. Free these with
 * classes_free, on failure too. The path must have data and parameters. */
enum hinge_status path_begin(struct path *path, struct classes *classes, struct hinge_error *error);

/* Returns the row of the data that is row i of the path. */
static inline uint32_t path_row(const struct path *path, size_t i)
{
    return path->row ? path->row[i] : (uint32_t)i;
}

/* Return the number of columns of weights and the number of problems: as many, or 1. */
size_t path_columns(const struct path *path);
size_t path_problems(const struct path *path);

/* Returns the number of threads that the parameters allow; 1 if the rows are in a file. */
unsigned path_threads(const struct path *path);

/* Returns threads if training each problem so many times is long enough to share, else 1. */
unsigned path_training_threads(const struct path *path, unsigned threads, size_t times);

/* Gives threads to the problems, if their trainings at all values of C are long enough to share.
 * The rest of the threads share the sums of each problem. */
void path_share_threads(struct path *path, unsigned threads);

/* Refuses a largest index for which memory has no room: the weights of the trainings and kept
 * columns more. */
enum hinge_status path_check_room(const struct path *path, size_t kept, struct hinge_error *error);

/* Sets w to the weights from which the problem of class c starts, with so many outputs: those of
 * the initial model, which may have fewer or more features. Features that the data lack have weight
 * 0 in each solution. */
void path_start(const struct path *path, size_t c, size_t outputs, double *w);

/* Trains all problems at all C. An interrupted training ends the path at its C. Sets *completed to
 * the number of C whose trainings ended or were interrupted. */
enum hinge_status path_run(const struct path *path, path_receiver *take, void *context,
                           size_t *completed, struct hinge_error *error);

#endif
