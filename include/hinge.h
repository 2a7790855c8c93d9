/* hinge.h - linear support vector machines, trained to a certificate.
 *
 * Example: train on four rows of two features, then predict these rows.
 *
 *     const double x[] = {1, 0.5, -1, 2, 2, -1, -0.5, -2}, y[] = {1, -1, 1, -1};
 *     double decision[4];
 *     uint32_t predicted[4];
 *     struct hinge_error error;
 *     struct hinge_dataset *data = hinge_view_dense(4, 2, x, HINGE_VALUE_DOUBLE, y, &error);
 *     struct hinge_parameters *parameters = data ? hinge_parameters_new(&error) : NULL;
 *     struct hinge_model *model = parameters ? hinge_train(data, parameters, NULL, &error) : NULL;
 *
 *     if (!model || hinge_model_decisions(model, data, decision, predicted, &error))
 *         return fprintf(stderr, "%s\n", error.message), (int)error.status;
 *     for (int i = 0; i < 4; i++)
 *         printf("%g predicted as %g\n", y[i], hinge_model_value(model, "label", predicted[i]));
 *     hinge_model_free(model);
 *     hinge_parameters_free(parameters);
 *     hinge_view_free(data);
 *
 * Problem. The rows x_i have labels y_i = +1 or -1 and costs C_i > 0. A training minimises
 *
 *     P(w) = 1/2 |w|^2 + sum_i C_i loss(y_i <w, x_i>)
 *
 * over the weights w. Beside w it keeps a feasible point alpha of the dual problem, which minimises
 *
 *     D(alpha) = 1/2 |sum_i alpha_i y_i x_i|^2 + sum_i h_i(alpha_i).
 *
 *                 loss(z)           h_i(a)                                domain of a
 *     L1-loss     max(0, 1 - z)     -a                                    0 .. C_i
 *     L2-loss     max(0, 1 - z)^2   a^2/(4 C_i) - a                       0 ..
 *     logistic    ln(1 + e^-z)      C_i (p ln p + (1 - p) ln(1 - p)),     0 .. C_i
 *                                   p = a/C_i
 *
 * Certificate. By weak duality -D(alpha) is at most the minimum of P, so P(w) + D(alpha) bounds how
 * far P(w) is above its minimum. Each training computes this bound over all rows, from w and alpha
 * alone, and returns it.
 *
 * The other problems differ from this one as follows.
 *
 * |w|_1 alone (solvers 5, 6). |w|_1 replaces 1/2 |w|^2. D loses its first term; instead
 * |sum_i alpha_i y_i x_ij| <= 1 for each feature j. If rounding leaves a sum above 1, alpha is
 * scaled down until no sum is.
 *
 * |w|_1 beside 1/2 |w|^2 (parameter l1). P gains L |w|_1 with L = l1 sum_i C_i. In D, with
 * v = sum_i alpha_i y_i x_i, the sum of max(0, |v_j| - L)^2 / 2 replaces |v|^2 / 2.
 *
 * Free bias. The weight of the bias is not part of |w|^2. The dual point then satisfies
 * sum_i alpha_i y_i = 0; for regression sum_i beta_i = 0, for softmax sum_i alpha_i = 0.
 *
 * Regression. The labels are numbers t_i, and z = 1 + epsilon - |<w, x_i> - t_i| in the losses
 * above. With K_ij = <x_i, x_j>, the dual problem is
 *
 *     D(beta) = 1/2 beta'(K + diag(d)) beta - sum_i t_i beta_i + epsilon |beta|_1, |beta_i| <= U_i.
 *
 * d_i = 0 and U_i = C_i for the L1-loss; d_i = 1/(2 C_i) and no U_i for the L2-loss.
 *
 * Softmax. Each class m has a column w_m of weights. The loss of a row of class y and D are
 *
 *     ln sum_m exp(<w_m, x_i>) - <w_y, x_i>,
 *     D(alpha) = 1/2 |sum_i x_i alpha_i'|^2 + sum_i C_i sum_m p_im ln p_im.
 *
 * alpha_i = C_i (e_y - p_i) has a number for each class; p_i are probabilities.
 *
 * Crammer and Singer (JMLR 2, 2001). Each class has a column of weights. The loss and D are
 *
 *     max_m (1(m != y) + <w_m - w_y, x_i>),
 *     D(alpha) = 1/2 |sum_i x_i alpha_i'|^2 + sum_i sum_(m != y) a_im.
 *
 * alpha_i has a number a_im <= C_i 1(m = y) for each class; the numbers of a row add up to 0.
 *
 * One-class SVM (Schoelkopf et al., Neural Computation 13, 2001). The rows have no labels. With c_i
 * = C times the weight of row i,
 *
 *     P(w, rho) = 1/2 |w|^2 - nu (sum_i c_i) rho + sum_i c_i max(0, rho - <w, x_i>),
 *     D(alpha) = 1/2 |sum_i alpha_i x_i|^2,   0 <= alpha_i <= c_i,   sum_i alpha_i = nu sum_i c_i.
 *
 * Errors. A function that can fail takes a struct hinge_error *, which must not be NULL. On failure
 * it fills in a status and one line of text; on success it leaves the error unchanged. No function
 * prints or ends the process.
 *
 * Arguments. Parameters, counts, positions and values of C out of their range are refused with
 * HINGE_BAD_ARGUMENT. Pointers must not be NULL unless a comment allows it, and arrays must have
 * the stated length, which is written [length] below.
 *
 * Ownership. The caller owns what a function returns by pointer, unless it is const, and frees it
 * once, with the function named beside it. A const pointer lasts as long as the object it was asked
 * from. Each ..._free, ..._close and ..._clear accepts NULL. The library copies no array that is
 * passed to it, unless a comment says so.
 *
 * Threads. Calls that share no argument may run at the same time, and several calls may read the
 * same dataset or model. The library has no global state except what the processor can do, which is
 * asked when the library is loaded. A library with OpenMP also has a lock: it asks the monitors of
 * all calls one at a time, and a monitor must neither train nor wait for another training. With
 * threads > 1 it shortens, for the whole process, the time that OpenMP's waiting threads spin,
 * unless the environment has set that time.
 *
 * Reproducibility. The same data, parameters and seed give the same bytes for each number of
 * threads. Two versions of the library, or two machines whose double is not an IEEE 754 binary64
 * evaluated in its own precision, may differ.
 *
 * Other headers: hinge_metrics.h rates predictions; hinge_text.h makes features of texts;
 * hinge_team.h trains with several processes.
 * Names and arguments of functions stay from version to version, and enums keep their numbers. The
 * layouts of the structs that are defined here may change before version 1.0.
 */
#ifndef HINGE_H
#define HINGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HINGE_VERSION "0.3.0"

/* Returns HINGE_VERSION of the library that is linked. */
const char *hinge_version(void);

/* ---- Errors ------------------------------------------------------------ */

/* The numbers are the exit statuses of the programs. 5 belongs to the programs alone: with --strict
 * it means that a model is not certified. */
enum hinge_status {
    HINGE_OK = 0,
    HINGE_BAD_INPUT = 1,    /* a data file, model file or array has unusable contents */
    HINGE_BAD_ARGUMENT = 2, /* a parameter or argument is out of its range */
    HINGE_FILE_ERROR = 3,   /* a file could not be opened, read or written */
    HINGE_NO_MEMORY = 4,    /* an allocation failed */
    HINGE_TEAM_FAILED = 6   /* another process of the team failed or cannot be reached */
};

struct hinge_error {
    enum hinge_status status;
    char message[1024]; /* one line, control characters as \ooo. It begins with FILE:LINE:COLUMN:
                           if a place in a file is the cause */
};

/* Functions for languages that cannot declare struct hinge_error. hinge_error_new returns NULL if
 * out of memory; free its result with hinge_error_free. */
struct hinge_error *hinge_error_new(void);
enum hinge_status hinge_error_status(const struct hinge_error *error);
const char *hinge_error_message(const struct hinge_error *error);
void hinge_error_free(struct hinge_error *error);

/* ---- Data -------------------------------------------------------------- */

/* Labelled rows, stored by rows without their zeros. */
struct hinge_dataset;

/* The type of an array of values. */
enum hinge_value_kind {
    HINGE_VALUE_ONE,   /* there is no array; each value is 1 */
    HINGE_VALUE_WHOLE, /* int32_t */
    HINGE_VALUE_FLOAT, /* float, converted to double before it is used */
    HINGE_VALUE_DOUBLE /* double */
};

/* Return a dataset over the caller's arrays, which must not change until hinge_view_free, the only
 * function that frees the dataset. Values and indices are not copied; start is. All entries are
 * checked: the message of HINGE_BAD_INPUT names the row and the column. NULL on failure.
 *
 * hinge_view_csr takes compressed rows: the entries of row i have the positions start[i] ..
 *   start[i + 1] - 1. start[rows + 1] has integers of start_size bytes, 4 or 8, and begins with 0.
 *   index[start[rows]] has columns from 0, strictly ascending within a row, below features.
 * hinge_view_dense takes value[rows * features], row by row. A zero is an entry, too.
 *
 * value has the type that kind names and finite numbers; NULL for HINGE_VALUE_ONE. Zeros are
 * allowed. label[rows] has finite numbers. It may be NULL for hinge_model_decisions and for a
 * one-class SVM; other trainings, cross-validation and hinge_least_C then return
 * HINGE_BAD_ARGUMENT. rows is in 1 .. 2^32 - 1, features at most 2^31 - 1. */
struct hinge_dataset *hinge_view_csr(size_t rows, size_t features, const void *start,
                                     size_t start_size, const int32_t *index, const void *value,
                                     enum hinge_value_kind kind, const double *label,
                                     struct hinge_error *error);
struct hinge_dataset *hinge_view_dense(size_t rows, size_t features, const void *value,
                                       enum hinge_value_kind kind, const double *label,
                                       struct hinge_error *error);
void hinge_view_free(struct hinge_dataset *view);

struct hinge_team;

/* Says how to read a data file in LIBSVM's format. All zero is the ordinary format. */
struct hinge_format {
    int zero_based;      /* 1: indices in the file start at 0 instead of 1 */
    int optional_labels; /* 1: a row may come without a label, which is 0 then */
    uint32_t threads;    /* threads of hinge_dataset_read; 0 means 1. The result is the same for
                            each number. A library without OpenMP uses one thread */

    /* Bytes of memory for a dataset and its training; 0: no limit. Labels, starts of rows and the
     * vectors of a training are taken off first. The non-zeros get the rest, at least an eighth of
     * the total. If they need more, they are kept in a temporary file and read a part at a time,
     * by one thread; see hinge_dataset_is_paged. Reading returns HINGE_NO_MEMORY if two rows do not
     * fit in half of the rest. */
    size_t memory;
    const char *scratch; /* path of the temporary file, which must not exist; NULL: the C library's
                            tmpfile. The file is removed as soon as it is open or, on systems that
                            keep the names of open files, at the end */

    /* The processes that read the file together, see hinge_team.h; NULL: one process alone. */
    const struct hinge_team *team;
};

/* Reads a whole file in one pass; path "-" is standard input. Indices and values get the smallest
 * types that hold them without loss. NULL on failure: HINGE_BAD_INPUT, HINGE_FILE_ERROR,
 * HINGE_NO_MEMORY. Free with hinge_dataset_free. */
struct hinge_dataset *hinge_dataset_read(const char *path, const struct hinge_format *format,
                                         struct hinge_error *error);
void hinge_dataset_free(struct hinge_dataset *data);

/* hinge_dataset_rows returns the number of rows, m. hinge_dataset_features returns the number of
 * features, n = 1 + the largest index; 0 if no row has a feature. hinge_dataset_entries returns the
 * number of entries that are stored, hinge_dataset_labels label[m], or NULL if the dataset has no
 * labels. For a team, the numbers are those of all ranks. */
size_t hinge_dataset_rows(const struct hinge_dataset *data);
size_t hinge_dataset_features(const struct hinge_dataset *data);
size_t hinge_dataset_entries(const struct hinge_dataset *data);
const double *hinge_dataset_labels(const struct hinge_dataset *data);

/* Two functions for languages that cannot declare struct hinge_format. hinge_dataset_read_file
 * reads like hinge_dataset_read with a format that is all zero except for zero_based and threads.
 * Here threads = 0 stands for one per processor, or for OMP_NUM_THREADS.
 *
 * hinge_dataset_copy copies the values that are not 0, by rows: the values of row i get the
 * positions start[i] .. start[i + 1] - 1. start[m + 1] begins with 0. index and value have room for
 * hinge_dataset_entries numbers, and get start[m]: columns from 0, strictly ascending within a row,
 * and values. HINGE_BAD_ARGUMENT for paged data. */
struct hinge_dataset *hinge_dataset_read_file(const char *path, int zero_based, uint32_t threads,
                                              struct hinge_error *error);
enum hinge_status hinge_dataset_copy(const struct hinge_dataset *data, int64_t *start,
                                     int32_t *index, double *value, struct hinge_error *error);

/* True if the entries are in a temporary file because format.memory was too little for them. Such a
 * dataset can be used for training, cross-validation and hinge_least_C, by one thread and one call
 * at a time, because reading its rows changes what is in memory. Solvers that need all rows at
 * once, hinge_dataset_copy and hinge_model_decisions refuse it with HINGE_BAD_ARGUMENT. If the file
 * cannot be read, the call that needed the rows and all calls after it return HINGE_FILE_ERROR. */
int hinge_dataset_is_paged(const struct hinge_dataset *data);

/* Returns how many times the entries have been read from the temporary file, where parts count as
 * fractions; 0 if the entries are in memory. */
double hinge_dataset_reads(const struct hinge_dataset *data);

/* Reads weights for so many rows: one number of at least 0 in each line. Comments and empty lines
 * are skipped. Returns weight[rows]; free it with free(). NULL on failure; HINGE_BAD_INPUT if the
 * file has fewer or more numbers, or all are 0. */
double *hinge_weights_read(const char *path, size_t rows, struct hinge_error *error);

/* One row. */
struct hinge_row {
    int labelled;          /* 0: the row had no label (optional_labels only) */
    double label;          /* finite */
    size_t count;          /* number of entries */
    const uint32_t *index; /* [count] features from 0, strictly ascending, below 2^31 - 1 */
    const double *value;   /* [count] finite; NULL: each is 1 (a reader never gives NULL) */
};

/* Reads rows one at a time in constant memory. Numbers are rounded correctly: they have the bits
 * that strtod gives in the "C" locale.
 *
 * hinge_reader_open opens a file; path "-" is standard input. NULL on failure.
 * hinge_reader_next returns 1 and fills *row, whose arrays last until the next call; 0 at the end
 *   of the data; -1 on failure. After 0 or -1 the reader can only be closed. */
struct hinge_reader;
struct hinge_reader *hinge_reader_open(const char *path, const struct hinge_format *format,
                                       struct hinge_error *error);
int hinge_reader_next(struct hinge_reader *reader, struct hinge_row *row,
                      struct hinge_error *error);
void hinge_reader_close(struct hinge_reader *reader);

/* ---- Solvers ----------------------------------------------------------- */

enum hinge_solver_kind {
    HINGE_DUAL,      /* has a dual point: stops by the gap or eps, ends with a certificate */
    HINGE_STOCHASTIC /* takes a given number of steps on a few rows each; knows no gap */
};

/* The iterate, or average of iterates w_1 .. w_T+1, that a stochastic solver returns. */
enum hinge_average {
    HINGE_AVERAGE_DEFAULT,  /* the average of the solver's paper */
    HINGE_AVERAGE_NONE,     /* w_T+1, the last */
    HINGE_AVERAGE_UNIFORM,  /* mean of w_1 .. w_T */
    HINGE_AVERAGE_WEIGHTED, /* mean with weights t; for hrmd-w, t + 1 */
    HINGE_AVERAGE_SUFFIX,   /* mean of the last suffix T of w_1 .. w_T */
    HINGE_AVERAGE_RANDOM    /* w_r, r uniform in 1 .. T (Pegasos, ICML 2007, Thm. 2) */
};

/* Order in which a stochastic solver draws rows. */
enum hinge_sampling {
    HINGE_IID,    /* independently and uniformly, to within rows/2^32 of the probability */
    HINGE_PERMUTE /* each row once an epoch: blocks of 8 rows in a new random order, data order
                     within a block; below 8192 rows, single rows in a random order */
};

/* A solver and what distinguishes it. hinge-algorithms(7) names the paper of each. */
struct hinge_solver {
    int number; /* the -s number; LIBLINEAR's if LIBLINEAR has the problem */
    enum hinge_solver_kind kind;
    unsigned averages;      /* bit 1 << A is set if the solver has enum hinge_average A */
    int l1;                 /* 1: it has the parameter l1; 2: |w|_1 replaces |w|^2/2; else 0 */
    int descends;           /* 1: it begins with coordinate descent or steps on pairs of rows and
                               changes to a second-order method where that is predicted to end
                               sooner. A Newton solver does so only if the features are many */
    int starts;             /* 1: it can start from the weights of a model */
    int pairs;              /* 1: it steps on pairs of rows. Its bias is free, and it keeps a cache
                               of columns of <x_i, x_j> */
    int regression;         /* 1: labels are numbers to be predicted, not classes */
    int joint;              /* 1: it trains all classes as one problem; its models have one column
                               of weights per class, also for two classes */
    int one_class;          /* 1: it ignores labels and predicts +1 where the rows are, -1
                               elsewhere; it has nu and no C */
    const char *name;       /* the -s name */
    const char *summary;    /* one line for a usage text */
    const char *model_name; /* solver_type in model files, a name that LIBLINEAR knows */
};

/* Returns the solver at a position from 0; NULL after the last. */
const struct hinge_solver *hinge_solver_at(size_t position);

/* Returns the solver with that number; NULL if no solver has it. */
const struct hinge_solver *hinge_solver_find(int number);

/* ---- Parameters -------------------------------------------------------- */

/* The relative gap that "certified" means if no gap was asked for. */
#define HINGE_DEFAULT_GAP 1e-3

enum { HINGE_MOST_THREADS = 256 };

/* The parameters of a training. They are set by name. */
struct hinge_parameters;

/* Weights, classes, and the record of their training, which model files keep as lines "# key
 * value". */
struct hinge_model;

/* Returns parameters at their defaults; NULL on failure. Free with hinge_parameters_free. */
struct hinge_parameters *hinge_parameters_new(struct hinge_error *error);
void hinge_parameters_free(struct hinge_parameters *parameters);

/* Sets one parameter from text: a number, a word, or 0 or 1 for a switch. Names may be written with
 * "_" instead of "-". HINGE_BAD_ARGUMENT if no parameter has that name or its type does not admit
 * the text. Ranges are checked by hinge_parameters_check and by each training.
 *
 *   name             range            default  meaning
 *   solver           number or name   1        the solver; 1 is dcd-l2
 *   C, cost          1e-100 .. 1e100  1        weight of the sum of losses
 *   lambda           1e-100 .. 1e100  0        if > 0, C = 1/(lambda m), m the weight of all rows
 *   bias             any              -1       if >= 0, a constant feature of this value is
 *                                              appended, regularised like the others. Solvers of
 *                                              pairs have their own bias
 *   free-bias        0, 1             0        the weight of the bias, whose value must be 1, is
 *                                              not regularised. Not for stochastic solvers,
 *                                              crammer-singer, and |w|_1 beside |w|^2/2
 *   relative-gap,    >= 0             1e-3     the training stops at this relative duality gap; 0,
 *   gap                                        allowed if eps > 0, is no stopping rule
 *   eps              >= 0             0        if > 0, the training also has to meet a rule of
 *                                              LIBLINEAR or LIBSVM, see below
 *   epsilon          0 .. 1e100       0.1      regression: residuals up to this cost nothing
 *   nu               1e-100 .. 1      0.5      one-class SVM: at most this share of the rows, by
 *                                              weight, is outside, and at least this share are
 *                                              support vectors
 *   l1               0 .. 1e100       0        P gains l1 (sum_i C_i) |w|_1, the bias included
 *   max-iter         whole            0        the training stops after so many passes and steps;
 *                                              0: no limit
 *   seed             whole            1        seed of the order of rows
 *   cache            > 0              100      solvers of pairs: MiB for columns of <x_i, x_j>; two
 *                                              columns are kept even if they need more
 *   single-method,   0, 1             0        the solver's own method takes all steps
 *   plain
 *   balanced         0, 1             0        the weight of each class is multiplied by the weight
 *                                              of all rows over (classes times weight of its rows)
 *   probability      0, 1             0        the model gets sigmoids that turn its decision
 *                                              values into probabilities: 5 folds are trained from
 *                                              0, and a sigmoid is fitted to the values of the rows
 *                                              left out (Platt 1999; Lin, Lin and Weng 2007).
 *                                              Logistic regression ignores it
 *   keep-alpha       0, 1             0        the dual point stays in the model
 *   store-decisions  0, 1             0        cross-validation stores all decision values and
 *                                              probabilities
 *   threads          0 .. 256         1        the most threads; 0: one per processor, or
 *                                              OMP_NUM_THREADS. One thread does work of less than
 *                                              some milliseconds
 *
 * Stochastic solvers only; relative-gap and max-iter do not apply to them:
 *
 *   batch            1 .. 2^20        1        k, rows per step
 *   iterations       0 .. 2^53        0        T, steps; 0: epochs counts
 *   epochs           > 0              20       T = epochs m / k
 *   checkpoint       whole            0        steps between checkpoints; 0: an epoch
 *   sampling         iid, permute     iid      see enum hinge_sampling
 *   average          a word           default  none, uniform, weighted, suffix, random: see enum
 *                                              hinge_average
 *   suffix           0 < .. 1         0.5      share of the iterates in a suffix average
 *
 * The rule of eps depends on the solver. Dual solvers of classes: the largest projected gradient
 * and its spread over all rows are at most eps, with a free bias eps/2 on either side. newton-l2,
 * lr-newton, svr-newton, softmax: the norm of the gradient relative to that at 0. Other regressions
 * and |w|_1 alone: the sum of violations relative to that at 0. crammer-singer: the largest
 * max_m g - min g over the m with a_im below its bound, g_m = 1(m != y) + <w_m, x_i>. smo and
 * one-class: LIBSVM's m(alpha) - M(alpha) <= eps. Stochastic solvers: the relative improvement of
 * the objective over an epoch. */
enum hinge_status hinge_parameters_set(struct hinge_parameters *parameters, const char *name,
                                       const char *text, struct hinge_error *error);

/* Checks the range of each parameter, even if the solver does not use it, but nothing against data.
 * Returns HINGE_OK, or HINGE_BAD_ARGUMENT with a message that names the parameter. */
enum hinge_status hinge_parameters_check(const struct hinge_parameters *parameters,
                                         struct hinge_error *error);

/* The next functions store pointers: arrays and models must last until the training is done. */

/* Multiplies C for the rows of a class: label[count], weight[count] >= 0 and finite. A weight of 0
 * leaves the class out of the loss; a label that no row has is ignored. With more than two classes
 * and a solver that is not joint, a weight applies only in the problem where its class is positive;
 * negative rows have weight 1, as in LIBLINEAR. Regressions and one-class SVMs ignore the weights.
 */
void hinge_parameters_weigh_classes(struct hinge_parameters *parameters, size_t count,
                                    const double *label, const double *weight);

/* Multiplies C for each row: weight[rows] >= 0 and finite. A weight of 0 leaves the row out, and a
 * weight of 2 has the effect of the row twice, in lambda too. */
void hinge_parameters_weigh_rows(struct hinge_parameters *parameters, size_t rows,
                                 const double *weight);

/* Keeps rows with the same number in group[rows] in the same fold. The folds have about the same
 * number of rows, whatever their classes. With as many folds as groups, fold k is the k-th number
 * in ascending order. */
void hinge_parameters_group_rows(struct hinge_parameters *parameters, size_t rows,
                                 const uint32_t *group);

/* Starts the training from the weights of a model; NULL: from 0. The model must have the same bias
 * and all classes of the data; its features may differ. If the data lack some of its classes, the
 * new model has them, too, in its order. A dual solver starts from 0 if P is lower there. A
 * stochastic solver continues with the step sizes and weights of averages that follow the model's
 * hinge_model_steps. If hinge_model_steps is 0, the solver assumes as many steps as it will take,
 * because its first steps are so large that nothing of the start would remain. */
void hinge_parameters_start(struct hinge_parameters *parameters, const struct hinge_model *initial);

/* ---- Progress ---------------------------------------------------------- */

/* End of a training. Only HINGE_CERTIFIED says that the requested certificate holds. */
enum hinge_outcome {
    HINGE_CERTIFIED,     /* the relative gap is at most relative-gap, or HINGE_DEFAULT_GAP if that
                            is 0 */
    HINGE_TOLERANCE_MET, /* the rule of eps holds, the gap is larger */
    HINGE_PASS_LIMIT,    /* max-iter was reached first */
    HINGE_TIME_LIMIT,    /* a monitor answered HINGE_OUT_OF_TIME */
    HINGE_INTERRUPTED,   /* a monitor answered HINGE_INTERRUPT */
    HINGE_STALLED,       /* no method lowers the gap further, mostly because of rounding errors */
    HINGE_FINISHED,      /* a stochastic solver took all steps or met eps */
    HINGE_NOT_BEGUN      /* an earlier problem was stopped; primal, dual and gap are NaN */
};

/* Returns the word for an outcome in model files: "certified", "tolerance", ...; "unknown" for
 * other numbers. The text is constant. */
const char *hinge_outcome_name(enum hinge_outcome outcome);

/* The training of one problem. primal and dual are sums over all rows for the returned w and alpha.
 * In a certificate they are upper bounds of the exact values for these w and alpha, with features
 * and costs as doubles: no rounding error makes the certificate false. A problem that was not begun
 * has the weights it would have started from. */
struct hinge_result {
    enum hinge_outcome outcome;
    double primal;       /* P(w) */
    double dual;         /* D(alpha); -dual is a lower bound of the minimum of P. For regression it
                            is an upper bound of D(beta): solvers keep beta_i = a - b, a and b >= 0;
                            a + b, a^2 + b^2 replace |beta_i|, beta_i^2. At a solution a or b is 0.
                            NaN for stochastic solvers */
    double relative_gap; /* (primal + dual) / max(|primal|, DBL_MIN) >= 0. For a one-class SVM,
                            whose least P may be 0, the divisor is at least (nu sum_i c_i r/1000)^2
                            / 2, where r^2 is the mean of |x_i|^2. A divisor below 1e-300 leaves a
                            gap of at least 1, unless w = 0 has no loss. NaN for stochastic solvers
                          */
    double rounding;    /* the part of relative_gap that bounds rounding errors; 0 if no bounds were
                           added, as for stochastic solvers */
    uint64_t passes;    /* passes over active rows, and second-order steps; steps of a stochastic
                           solver */
    uint64_t steps;     /* how many of the passes were steps of method */
    const char *method; /* "newton", "pnewton" or "ipm"; "smo" if no method took over from it; NULL:
                           coordinate descent alone */
    const char *fallback;   /* a few words why a second-order method failed and the method before it
                               continued; else NULL */
    size_t nonzeros;        /* non-zero weights */
    uint64_t row_visits;    /* visits of rows over all passes */
    size_t support_vectors; /* rows with alpha > 0; for regression, beta not 0 */
    double seconds;         /* processor time */
    uint64_t rounds;        /* team: calls of its functions in this training; else 0 */
    uint64_t sent;          /* team: bytes that this rank sent to others; else 0 */
};

/* The state at a checkpoint: after each pass or second-order step, after at most a thousand steps
 * on pairs, and as the parameters say for stochastic solvers. If measured is 1, then primal, dual,
 * relative_gap, nonzeros and w are current. Otherwise they are from the last measurement (NaN, 0
 * and NULL before the first), except that w may have changed since. */
struct hinge_progress {
    size_t fold;  /* cross-validation: the fold, from 0 */
    size_t folds; /* cross-validation: the number of folds; else 0 */
    double C;
    size_t problem;       /* number of the problem, from 0 */
    size_t problems;      /* number of problems */
    double positive;      /* label of the positive class, against all others; NaN for regression */
    size_t outputs;       /* numbers in w per feature: 1, or the number of classes */
    const double *label;  /* [outputs] labels of the columns of w; NULL if outputs is 1 */
    uint64_t passes;      /* as in struct hinge_result */
    uint64_t steps;       /* as in struct hinge_result */
    const char *method;   /* as in struct hinge_result */
    const char *fallback; /* as in struct hinge_result */
    uint64_t row_visits;  /* as in struct hinge_result */
    double expected; /* passes that coordinate descent was last predicted to need still; infinite if
                        it made no progress; 0: no prediction, as for pairs of rows */
    size_t active; /* rows with a feature that are not shrunk; for a second-order method, rows that
                      are not at a bound */
    size_t rows;   /* 0: the monitor is asked whether to begin the problem, or to continue with
                      metrics */
    int measured;
    double primal;
    double dual;
    double relative_gap;
    double rounding; /* as in struct hinge_result; 0 while the gap is above what was asked */
    size_t nonzeros; /* non-zero weights */
    const double *w; /* [outputs * (features + (bias >= 0))] weights, feature by feature */
    size_t features;
    double bias;                       /* value of the constant feature; < 0: none */
    int last;                          /* 1: the training ends here */
    const struct hinge_result *result; /* if last is 1, the result except its seconds; else NULL */
    const struct hinge_model *model;   /* in hinge_train, if measured is 1 and the monitor wants it:
                                          the model that a stop would return now; else NULL. While
                                          a problem is trained, its primal value never rises from
                                          one such model to the next. hinge_model_write makes it a
                                          checkpoint for hinge_parameters_start */
};

/* A monitor's answer. The largest answer of several monitors counts. */
enum hinge_answer {
    HINGE_GO_ON,
    HINGE_MEASURE,     /* measure the objectives and ask again; changes no iterate */
    HINGE_OUT_OF_TIME, /* stop with outcome HINGE_TIME_LIMIT */
    HINGE_INTERRUPT    /* stop with outcome HINGE_INTERRUPTED */
};

/* Wishes of a monitor besides checkpoints. */
enum hinge_want {
    HINGE_BETWEEN = 1, /* also be asked between checkpoints if steps are long. measured is 0 then
                          because w may be changing, and only a stop has an effect. A monitor that
                          stops there must stop again each time until the training ends */
    HINGE_MODEL = 2 /* progress.model. If measured is 1, then primal, relative_gap, nonzeros and w
                       (NULL: all 0) are those that an interruption would return now */
};

/* Watches or stops a running training. Monitors form a list. They may be called by any thread of
 * the training, one at a time. */
struct hinge_monitor {
    enum hinge_answer (*checkpoint)(void *context, const struct hinge_progress *progress);
    void *context;
    const struct hinge_monitor *next; /* or NULL */
    int wants;                        /* 0, or a sum of enum hinge_want */
};

/* For languages that cannot declare these structs: hinge_monitor_new returns a monitor that calls
 * checkpoint, or NULL if out of memory; free it with hinge_monitor_free. hinge_progress_value
 * returns a number of the progress by the name of its member: "problem", "problems", "positive",
 * "passes", "steps", "active", "rows", "measured", "primal", "dual", "relative_gap", "nonzeros" or
 * "last"; NaN for other names. */
struct hinge_monitor *hinge_monitor_new(
    enum hinge_answer (*checkpoint)(void *context, const struct hinge_progress *progress),
    void *context, int wants, struct hinge_error *error);
void hinge_monitor_free(struct hinge_monitor *monitor);
double hinge_progress_value(const struct hinge_progress *progress, const char *name);

/* ---- Training ---------------------------------------------------------- */

/* Trains a model. Two classes give one binary problem. More than two give one problem per class
 * against the rest, except that a joint solver has one problem for all. Classes are in the order in
 * which they first appear, except that -1 and +1 are always in the order +1, -1. monitor may be
 * NULL. A stopped training returns the model as far as it got. Its remaining problems are begun
 * only if the monitors then answer HINGE_GO_ON, otherwise their outcome is HINGE_NOT_BEGUN. The
 * answers of monitors change no weight unless they stop the training. NULL on failure:
 * HINGE_BAD_ARGUMENT, HINGE_BAD_INPUT for fewer than two classes, unless the training starts from a
 * model, HINGE_NO_MEMORY, HINGE_FILE_ERROR for paged data, HINGE_TEAM_FAILED. Free with
 * hinge_model_free. */
struct hinge_model *hinge_train(const struct hinge_dataset *data,
                                const struct hinge_parameters *parameters,
                                const struct hinge_monitor *monitor, struct hinge_error *error);

/* Trains like hinge_train with one monitor that is also asked between checkpoints: ask, which
 * returns an enum hinge_answer and may be NULL. */
struct hinge_model *hinge_train_until(const struct hinge_dataset *data,
                                      const struct hinge_parameters *parameters,
                                      int (*ask)(void *context), void *context,
                                      struct hinge_error *error);

/* Trains for each of C[count] in turn, instead of C and lambda of the parameters; if C is NULL, for
 * C or lambda of the parameters. A dual solver starts each training where the previous one ended,
 * with alpha scaled by the ratio of the C, and keeps its matrices. Fills models[count]; free each
 * with hinge_model_free. On failure all are NULL. A stopped training ends the path: the models
 * after it are NULL. */
enum hinge_status hinge_train_path(const struct hinge_dataset *data,
                                   const struct hinge_parameters *parameters, const double *C,
                                   size_t count, const struct hinge_monitor *monitor,
                                   struct hinge_model **models, struct hinge_error *error);

/* Returns a power of 2 below which no C is worth a try. For a smaller C each row has a loss, so the
 * solutions are multiples of one another (L1-loss), or nearly so (L2-loss, logistic loss). If
 * |w|_1 replaces |w|^2/2, it is the least power of 2 whose solution is not 0, except for a free
 * bias. The result is at most 1; 0 on failure. */
double hinge_least_C(const struct hinge_dataset *data, const struct hinge_parameters *parameters,
                     struct hinge_error *error);

/* ---- Models ------------------------------------------------------------ */

void hinge_model_free(struct hinge_model *model);

/* Returns a number of the model by name and position; NaN if it does not exist or is unknown. A
 * name without a position below has only position 0.
 *
 * Each model: "classes" (0: a regression), "label" (position: class), "features", "columns", "bias"
 *   (below 0: none), "one_class" (0, 1), "probabilities" (0, 1).
 * Models that were trained by this process, or read with their record: "solver", "problems",
 * "rows", "C", "lambda", "nu", "l1", "epsilon", "seed", "steps"; by problem: "outcome" (an enum
 *   hinge_outcome), "iterations", "primal", "dual", "relative_gap".
 * Models that were trained by this process, by problem: "nonzeros", "support_vectors", "seconds".
 * Models that were read: each other key of the record; position counts the numbers of its line. */
double hinge_model_value(const struct hinge_model *model, const char *name, size_t position);

/* Sets value[k] to the number at position k, for each k < count. For a model that was read, this
 * takes linear time; hinge_model_value for each position takes quadratic time. */
void hinge_model_values(const struct hinge_model *model, const char *name, size_t count,
                        double *value);

/* Returns the weights [(features + (bias >= 0)) * columns], feature by feature, the bias last.
 * There is one column for regression or two classes, whose label 0 is on the positive side, and
 * otherwise one per class. Models of joint solvers, and LIBLINEAR's models of Crammer and Singer,
 * have two columns for two classes. */
const double *hinge_model_weights(const struct hinge_model *model);

/* Returns the steps of the training by a stochastic solver, from which hinge_parameters_start
 * continues; 0 for other solvers, or if they are not known. */
double hinge_model_steps(const struct hinge_model *model);

/* Returns alpha [rows * columns], row by row, beta for regression, if keep-alpha was set; else
 * NULL. */
const double *hinge_model_alpha(const struct hinge_model *model);

/* Returns the result of one problem; NULL if the model was read or has no such problem. */
const struct hinge_result *hinge_model_result(const struct hinge_model *model, size_t problem);

/* Returns the text of the first note with that key, or NULL if the model has no such note. A note
 * is a line of the record that has no other place in the model, or one that was added. */
const char *hinge_model_note(const struct hinge_model *model, const char *key);

/* Adds a note that hinge_model_write writes, or replaces the value of the note with that key.
 * HINGE_BAD_ARGUMENT if the key is empty, if key or value has a control character, or if the key
 * has a blank. The keys "solver", "steps", "sigmoid", "zero_based" and "map" are refused in the
 * same way, because hinge_model_read gives them a meaning. */
enum hinge_status hinge_model_add_note(struct hinge_model *model, const char *key,
                                       const char *value, struct hinge_error *error);

/* Writes LIBLINEAR's text format, followed by the record of the training. The file appears under
 * its name when it is complete: it is written beside that name and renamed, also over a symbolic
 * link. Its owner and mode are those of a new file. Devices, and paths below /proc/ and /dev/
 * except /dev/shm/, are written in place. A named pipe is refused. HINGE_FILE_ERROR on failure. */
enum hinge_status hinge_model_write(const struct hinge_model *model, const char *path,
                                    struct hinge_error *error);

/* Writes alpha as hinge_model_write writes a model: one line per row of the data, one number per
 * column. HINGE_BAD_ARGUMENT if the model keeps no alpha. */
enum hinge_status hinge_alpha_write(const struct hinge_model *model, const char *path,
                                    struct hinge_error *error);

/* Fails if a model could not be written to path now. Leaves a file at path untouched. */
enum hinge_status hinge_model_check_writable(const char *path, struct hinge_error *error);

/* Reads a model of this library, of LIBLINEAR, or of LIBSVM with a linear kernel and at most two
 * classes. Memory is bounded by the size of the file, whatever its header claims; a model of LIBSVM
 * also takes memory for features up to its largest index. NULL on failure: HINGE_BAD_INPUT,
 * HINGE_FILE_ERROR, HINGE_NO_MEMORY. Free with hinge_model_free. */
struct hinge_model *hinge_model_read(const char *path, struct hinge_error *error);

/* ---- Prediction -------------------------------------------------------- */

/* Fills decision[rows * columns], row by row, as hinge_decision_values does, and predicted[rows]
 * with the positions of the classes among the labels, as hinge_decide does. predicted may be NULL;
 * for regression it gets zeros. HINGE_BAD_ARGUMENT for paged data. */
enum hinge_status hinge_model_decisions(const struct hinge_model *model,
                                        const struct hinge_dataset *data, double *decision,
                                        uint32_t *predicted, struct hinge_error *error);

/* Fills probability[rows * classes] from decision[rows * columns], as hinge_probabilities does, and
 * predicted[rows] with the positions of the most probable classes. predicted may be NULL.
 * HINGE_BAD_ARGUMENT if the model has no probabilities. */
enum hinge_status hinge_model_probabilities(const struct hinge_model *model, size_t rows,
                                            const double *decision, double *probability,
                                            uint32_t *predicted, struct hinge_error *error);

/* Sets decision[columns] to <w_c, x> for each column c. Features beyond the model's are ignored.
 * The decision value for regression is the number predicted, and has the same bits as LIBLINEAR's.
 * The values of a classifier have the same bits where rounding decides the label: a single value is
 * nearly 0, or two values are nearly equal. */
void hinge_decision_values(const struct hinge_model *model, const struct hinge_row *row,
                           double *decision);

/* Returns the position of the class that decision[columns] means, as in LIBLINEAR. For two classes
 * it is 0 if decision[0] is positive, else 1, also if there are two columns. For more classes it is
 * the first largest value. */
size_t hinge_decide(const struct hinge_model *model, const double *decision);

/* Returns the class of a row for two classes: positive, which is 0 or 1, if the value is above the
 * threshold, else the other class. The value is the decision value or the probability of the class
 * positive. If it equals the threshold or is NaN, the class is 1, as for hinge_decide at 0. */
size_t hinge_decide_threshold(size_t positive, double value, double threshold);

/* True if the model has probabilities: it is a logistic regression or softmax, or has sigmoids. */
int hinge_has_probabilities(const struct hinge_model *model);

/* Sets probability[classes] from decision[columns] of one row, for a model that has probabilities.
 * One column: 1/(1 + exp(-f)), or the sigmoid 1/(1 + exp(A f + B)), and its complement. Softmax:
 * e^f over the sum. Several columns: the values of all columns over their sum. Returns the class
 * with the largest probability; among equal ones the class of hinge_decide, if it is one of them,
 * else the first. For logistic regression it always is the class of hinge_decide. */
size_t hinge_probabilities(const struct hinge_model *model, const double *decision,
                           double *probability);

/* ---- Cross-validation -------------------------------------------------- */

struct hinge_predictions; /* see hinge_metrics.h */

/* The predictions for each fold by the model of all other folds. After a stop by a monitor, the
 * predictions are those of the complete folds. */
struct hinge_validation {
    double C;                              /* 0 if lambda is set */
    struct hinge_predictions *predictions; /* rows that do not weigh 0, in their order; NULL if no
                                              fold is complete */
    uint32_t *fold;                        /* [predictions->rows] the fold of the row */
    size_t columns;                        /* columns of the models */
    double *decision; /* [columns * predictions->rows] row by row with store-decisions; else NULL.
                         -infinity for a class that the training rows of the fold do not have */
    double *probability; /* [classes * predictions->rows] row by row with store-decisions, for
                            logistic regression, softmax, or with probability; else NULL. Sigmoids
                            are fitted to the decision values of all other folds. NULL after a stop
                          */
    size_t folds;        /* complete folds; all folds before them are complete, too */
    size_t trainings;    /* over all folds, problems of the classes of their training rows; after a
                            stop, the trainings that had begun */
    size_t certified;    /* trainings with outcome HINGE_CERTIFIED */
    double relative_gap; /* the largest one; NaN for stochastic solvers */
    double losses;       /* the largest share s of P that the sum of losses has in a training. Its w
                            solves the problem for a larger C' to within relative_gap +
                            (C'/C - 1) s. NaN for stochastic solvers, and if the l1 term grows with
                            C */
    double norm;         /* the largest |w| of a training */
    double nonzeros;     /* the largest number of weights of a training that are not 0 */
};

/* Deals the rows that do not weigh 0 into folds, at random by the seed. The numbers of rows of a
 * class in two folds differ by at most 1. Row groups are dealt as hinge_parameters_group_rows says.
 * folds is in 2 .. the number of these rows or groups. Leaves out each fold in turn, trains on the
 * others for each of C[count] as hinge_train does, and predicts the fold. A model has the classes
 * of the rows it is trained on; if these rows have one class, that class is predicted. All folds of
 * one C come before the next C. If lambda > 0, count must be 1, and C may be NULL. Fills
 * validation[count]; on failure all are empty. Sets *interrupted to 1 if a monitor stopped the
 * validation: then the C at hand has its complete folds, and all later ones are empty. Free each
 * with hinge_validation_clear, which leaves it empty and may be called again. Errors are those of
 * hinge_train. */
enum hinge_status hinge_cross_validate(const struct hinge_dataset *data,
                                       const struct hinge_parameters *parameters, size_t folds,
                                       const double *C, size_t count,
                                       const struct hinge_monitor *monitor,
                                       struct hinge_validation *validation, int *interrupted,
                                       struct hinge_error *error);
void hinge_validation_clear(struct hinge_validation *validation);

/* Receives the validation of C[k]. It may take the contents and leave the validation empty;
 * otherwise the contents are freed. Calls come in the order of C, one at a time, while no monitor
 * is asked. *stop is 1 if a monitor stopped the validation. Setting *stop to 1 ends it without
 * another C. */
typedef enum hinge_status (*hinge_validation_function)(void *context, size_t k,
                                                       struct hinge_validation *validation,
                                                       int *stop, struct hinge_error *error);

/* Cross-validates like hinge_cross_validate and hands each result to see. A thread that finds no
 * fold left begins the next C: monitors see its trainings, and the predictions of both take room.
 */
enum hinge_status hinge_cross_validate_each(const struct hinge_dataset *data,
                                            const struct hinge_parameters *parameters, size_t folds,
                                            const double *C, size_t count,
                                            const struct hinge_monitor *monitor,
                                            hinge_validation_function see, void *context,
                                            struct hinge_error *error);

#ifdef __cplusplus
}
#endif
#endif
