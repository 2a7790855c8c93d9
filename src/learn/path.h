/* path.h - trains on some rows: one problem, or one per class, each along a path of C. Also the
 * views of the data that define the problems, and the model of a running training. */
#ifndef HINGE_LEARN_PATH_H
#define HINGE_LEARN_PATH_H

#include "learn/classes.h"
#include "model/model.h"
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
    const double *C; /* [count] values, in the order of training; NULL: one, from the parameters */
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

/* Return the number of columns of weights, and the number of problems: 1 if the solver is joint,
 * else as many as columns. */
size_t path_columns(const struct path *path);
size_t path_problems(const struct path *path);

/* Returns the number of threads that the parameters allow; 1 if the rows are in a file. */
unsigned path_threads(const struct path *path);

/* Returns threads if training each problem so many times is long enough to share, else 1. */
unsigned path_training_threads(const struct path *path, unsigned threads, size_t times);

/* Gives threads to the problems, if their trainings at all values of C are long enough to share.
 * The rest of the threads share the sums of each problem. */
void path_share_threads(struct path *path, unsigned threads);

/* Fails with HINGE_NO_MEMORY if memory has no room for the weights of the trainings and of `kept`
 * more columns. */
enum hinge_status path_check_room(const struct path *path, size_t kept, struct hinge_error *error);

/* Sets w to the weights of the initial model from which the problem of class c starts. The problem
 * has `outputs` outputs. The model may have fewer or more features than the data. Weights of
 * features that the data lack are dropped, because they are 0 in each solution. */
void path_start(const struct path *path, size_t c, size_t outputs, double *w);

/* Trains all problems at all C. An interrupted training ends the path at its C. Sets *completed to
 * the number of C whose trainings ended or were interrupted. */
enum hinge_status path_run(const struct path *path, path_receiver *take, void *context,
                           size_t *completed, struct hinge_error *error);

/* ---- The problems of a path -------------------------------------------------- */

/* Data that all problems of a path read. It is computed before the first problem and then constant.
 * square and columns are NULL for a single training, which computes what it needs. */
struct shared {
    double *square;                  /* [rows of the data] |x_i|^2, set for rows of the path */
    double largest;                  /* largest |value| of the data; 0: unknown */
    struct feature_columns *columns; /* the rows by features, for |w|_1 alone */
};

/* Fills shared. Free it with shared_free, on failure too. */
enum hinge_status shared_new(struct shared *shared, const struct path *path,
                             struct hinge_error *error);
void shared_free(struct shared *shared);

/* Storage for one problem at a time. */
struct class_views {
    const struct path *path;
    size_t count;         /* rows of a problem; twice the rows of the path for regression */
    uint32_t *row;        /* [count] */
    signed char *sign;    /* [count] +1 or -1; NULL for a joint problem */
    uint32_t *class_of;   /* [count] class of a row of a joint problem; else NULL */
    double *cost;         /* [count] C_i; NULL: the sign tells the cost, for paged rows */
    double *target;       /* [count] targets for regression; else NULL */
    double *class_weight; /* [classes] factors of C */
};

/* Allocates the arrays, finds the weights of the classes and checks the costs. Free with
 * class_views_free, on failure too. */
enum hinge_status class_views_new(struct class_views *views, const struct path *path,
                                  struct hinge_error *error);
void class_views_free(struct class_views *views);

/* Returns the problem of class c against the others, or the only problem of a joint solver. Rows of
 * the other classes cost C times their row weight; with two classes also times their class weight.
 * Rows that cost 0 are left out. The problem lasts until the next call. */
struct problem class_views_problem(struct class_views *views, const struct shared *shared, double C,
                                   size_t c);

/* ---- The model of a running training ----------------------------------------- */

/* Copies w[outputs of each feature] to the columns of the model from c on. If w is NULL, sets them
 * to 0. */
void model_put_columns(struct hinge_model *model, size_t c, size_t outputs, const double *w);

/* True if the training of the result was stopped, and a monitor has seen the column with a lower P.
 */
int model_keeps_column(const struct hinge_model *model, size_t c,
                       const struct hinge_result *result);

/* All zero: no monitor wants the model. */
struct partial_model {
    struct hinge_model *model;
    struct hinge_model shown;  /* a copy of *model, which monitors see */
    double begin;              /* steps of the initial model */
    struct partial_view *view; /* [number of monitors] */
    struct hinge_monitor
        *monitor; /* [number of monitors] the list that is asked instead; NULL: none */
};

/* Begins to watch the training of a path at one C. The model has everything except weights and
 * results; its columns are filled in when the training measures them. Until then they are the
 * weights from which the training starts. Free with partial_model_end, on failure too. */
enum hinge_status partial_model_begin(struct partial_model *partial, struct hinge_model *model,
                                      const struct path *path, struct hinge_error *error);
void partial_model_end(struct partial_model *partial);

#endif
