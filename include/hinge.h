/* hinge.h - linear support vector machines, trained to a certificate.
 *
 * The library reads LIBSVM text files, minimises
 *
 *     P(w) = 1/2 |w|^2 + sum_i C_i loss(y_i <w, x_i>),
 *
 * and writes models in LIBLINEAR's format. Beside the weights it keeps a feasible
 * point alpha of the dual problem
 *
 *     D(alpha) = 1/2 |sum_i alpha_i y_i x_i|^2 + sum_i h_i(alpha_i),
 *
 *                 loss(z)           h_i(a)                                domain of a
 *     L1-loss     max(0, 1 - z)     -a                                    0 .. C_i
 *     L2-loss     max(0, 1 - z)^2   a^2/(4 C_i) - a                       0 ..
 *     logistic    ln(1 + e^-z)      C_i (p ln p + (1 - p) ln(1 - p)),     0 .. C_i
 *                                   p = a/C_i
 *
 * -D(alpha) is at most the minimum of P, so that P(w) + D(alpha) bounds how far
 * P(w) is above it: that number, computed over all rows from w and alpha alone,
 * is the certificate each training returns.
 *
 * The solvers l1r-l2loss and l1r-lr have |w|_1 in the place of |w|^2/2. Their D has no first term,
 * but the condition that no |sum_i alpha_i y_i x_ij| exceeds 1. If rounding leaves one above 1, D
 * is that of alpha scaled down until none is.
 *
 * A regression has numbers t_i for labels, and the same losses of 1 - z = |<w, x_i> - t_i| -
 * epsilon. Its alpha is the beta of
 *
 *     D(beta) = 1/2 beta'(K + diag(d)) beta - sum_i t_i beta_i + epsilon |beta|_1,
 *
 * K_ij = <x_i, x_j>, |beta_i| <= U_i: d_i = 0 and U_i = C_i of the loss itself, d_i = 1/(2 C_i) and
 * no U_i of its square.
 *
 * Softmax has a column w_m of weights for each class and, of row i of class y, the loss
 *
 *     ln sum_m exp(<w_m, x_i>) - <w_y, x_i>.
 *
 * Its alpha has a number for each class, C_i (e_y - p_i), p_i probabilities, and
 *
 *     D(alpha) = 1/2 |sum_i x_i alpha_i'|^2 + sum_i C_i sum_m p_im ln p_im.
 *
 * Crammer and Singer's problem has such columns and the loss
 *
 *     max_m (1(m != y) + <w_m - w_y, x_i>);
 *
 * its alpha has a number for each class, a_im <= C_i 1(m = y) whose sum is 0, and
 *
 *     D(alpha) = 1/2 |sum_i x_i alpha_i'|^2 + sum_i sum_(m != y) a_im.
 *
 * With an l1 term P has L |w|_1 more, L = l1 sum_i C_i, and D has, in the place of |v|^2 / 2,
 * v = sum_i alpha_i y_i x_i, the sum of max(0, |v_j| - L)^2 / 2.
 *
 * With a free bias a sum is 0: sum_i alpha_i y_i, of a regression sum_i beta_i, and of softmax
 * sum_i alpha_i.
 *
 * A one-class SVM has no labels. With weights c_i of rows, C times their weight,
 *
 *     P(w, rho) = 1/2 |w|^2 - nu (sum_i c_i) rho + sum_i c_i max(0, rho - <w, x_i>),
 *     D(alpha) = 1/2 |sum_i alpha_i x_i|^2,   0 <= alpha_i <= c_i,   sum_i alpha_i = nu sum_i c_i.
 *
 * Errors. A function that can fail takes a struct hinge_error *, never NULL.
 * A failing call fills it with a status and one line of text; a successful one
 * leaves it alone. Nothing here prints or ends the process.
 *
 * Arguments. Parameters, counts, positions and values of C that are out of their
 * range are refused: HINGE_BAD_ARGUMENT. Not checked is what a function would have
 * to trust in any case: pointers are not NULL unless NULL is said to be allowed,
 * arrays are as long as they are said to be, and a dataset or a row that the
 * caller fills in is as the comments on its fields have it. Models and predictions
 * are those of this library's functions, unchanged.
 *
 * Ownership. What a function returns by pointer belongs to the caller and is
 * freed, once, with the function named beside it; every ..._free, ..._close and
 * ..._clear accepts NULL.
 *
 * Threads. Calls that share no argument may run at the same time, and a dataset
 * or a model may be shared for reading. The only global state is what the processor
 * can do, which is asked when the library is loaded. A library with OpenMP also has a
 * lock: the monitors of all calls are asked one at a time, and must neither train nor
 * wait for another training. With threads > 1 it shortens, for the whole process, the
 * time that OpenMP's waiting threads spin, unless the environment has set that time.
 *
 * Not guaranteed: equal results of two versions, or of two machines whose
 * double is not an IEEE 754 binary64 evaluated in its own precision.
 */
#ifndef HINGE_H
#define HINGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HINGE_VERSION "0.2.0"

/* ---- Errors ------------------------------------------------------------ */

/* What went wrong; the numbers are the exit statuses of the programs. Theirs alone is 5, of
 * --strict: not certified. */
enum hinge_status {
    HINGE_OK = 0,
    HINGE_BAD_INPUT = 1,    /* a data or model file that cannot be used */
    HINGE_BAD_ARGUMENT = 2, /* a parameter out of its range */
    HINGE_FILE_ERROR = 3,   /* a file that cannot be opened, read or written */
    HINGE_NO_MEMORY = 4,    /* an allocation that failed */
    HINGE_TEAM_FAILED = 6   /* another process of the team has failed, or cannot be reached */
};

struct hinge_error {
    enum hinge_status status;
    char message[1024]; /* one line, control characters as \ooo; FILE:LINE:COLUMN: first where a
                           file is to blame */
};

/* ---- Data -------------------------------------------------------------- */

struct hinge_team;

/* How to understand a data file. All zero is the ordinary LIBSVM format. */
struct hinge_format {
    int zero_based;      /* indices in the file start at 0 instead of 1 */
    int optional_labels; /* a row may come without a label, which is 0 then */
    uint32_t threads;    /* that hinge_dataset_read shares its work out to; 0: one. The result is
                            the same for each number. Without OpenMP there is one. */

    /* Bytes of memory for what hinge_dataset_read reads and a training of it; 0: no limit. Labels,
     * starts of rows and the vectors of a training are taken off first; the non-zeros get the rest,
     * at least an eighth of all. If they need more, they are kept in a temporary file, and read
     * from it a part at a time, by one thread: see hinge_dataset_is_paged. HINGE_NO_MEMORY if two
     * rows do not fit in half of that rest. */
    size_t memory;
    const char *scratch; /* path of that file, which must not be there; it is removed as soon as it
                            is open, or, on systems that keep the names of open files, at the end.
                            NULL: the C library's tmpfile */

    /* Processes that read the file together, see struct hinge_team; NULL: one process alone. Each
     * takes the lines that begin in its share of the bytes, and gets the dataset of its rank:
     * kinds, scale, numbers of rows, features and non-zeros are those of one process that reads the
     * file. Where there is no file of that name, but one with ".0" appended, each takes its share
     * of the files NAME.0, NAME.1, ... to the last one that any of them has. Fails on all ranks
     * alike; "rank R of N: " is before a message that is not that of all, and a line has its number
     * in the whole file. A file without a size, as a pipe, is refused, and so is memory. */
    const struct hinge_team *team;
};

/* One row as it was read. The arrays belong to the reader and last until its next call. */
struct hinge_row {
    int labelled;          /* 0: the row had no label (optional_labels only) */
    double label;          /* finite */
    size_t count;          /* non-zeros */
    const uint32_t *index; /* [count] features, from 0, strictly ascending, below 2^31 - 1 */
    const double *value;   /* [count] finite; NULL: all are 1 (never of a reader's row) */
};

/* Reads rows one at a time in constant memory, from any stream.
 *
 * hinge_reader_open: path "-" is standard input. NULL on failure.
 * hinge_reader_next: 1 and *row filled, 0 at the end of the data, -1 on failure; after 0 or -1
 *   the reader can only be closed.
 *   Numbers are read correctly rounded, bit for bit what strtod gives in the "C" locale.
 */
struct hinge_reader;
struct hinge_reader *hinge_reader_open(const char *path, const struct hinge_format *format,
                                       struct hinge_error *error);
int hinge_reader_next(struct hinge_reader *reader, struct hinge_row *row,
                      struct hinge_error *error);
void hinge_reader_close(struct hinge_reader *reader);

/* How the indices of a matrix are stored: unsigned integers of 1 << kind bytes; or not at all. */
enum hinge_index_kind {
    HINGE_INDEX_8,   /* uint8_t */
    HINGE_INDEX_16,  /* uint16_t */
    HINGE_INDEX_32,  /* uint32_t */
    HINGE_INDEX_NONE /* each row has an entry for every column, in their order; index is NULL */
};

/* How its values are stored. */
enum hinge_value_kind {
    HINGE_VALUE_ONE,   /* not at all: each is 1; value is NULL */
    HINGE_VALUE_WHOLE, /* int32_t: the value times scale */
    HINGE_VALUE_FLOAT, /* float; converted to double before it is used */
    HINGE_VALUE_DOUBLE /* double */
};

/* The entries of a matrix in a temporary file. */
struct hinge_pages;

/* A sparse matrix, compressed by rows: the entries of row i are hinge_index(x, k), hinge_value(x,
 * k) for start[i] <= k < start[i + 1]. */
struct hinge_matrix {
    size_t rows;
    size_t nonzeros; /* start[rows] */
    size_t *start;   /* [rows + 1] */
    enum hinge_index_kind index_kind;
    enum hinge_value_kind value_kind;
    void *index;               /* [nonzeros] columns, from 0, strictly ascending in a row */
    void *value;               /* [nonzeros] finite */
    double scale;              /* of HINGE_VALUE_WHOLE: a power of ten, 1 .. 1e9; else not used */
    struct hinge_pages *pages; /* where the entries are in a temporary file: index and value are
                                  NULL then, and neither of the functions below may be called. Else
                                  NULL */
};

/* The column of an entry. */
static inline uint32_t hinge_index(const struct hinge_matrix *x, size_t entry)
{
    if (x->index_kind == HINGE_INDEX_NONE)
        return (uint32_t)(entry % (x->nonzeros / x->rows));
    if (x->index_kind == HINGE_INDEX_32)
        return ((const uint32_t *)x->index)[entry];
    return x->index_kind == HINGE_INDEX_16 ? ((const uint16_t *)x->index)[entry]
                                           : ((const uint8_t *)x->index)[entry];
}

/* Its value. */
static inline double hinge_value(const struct hinge_matrix *x, size_t entry)
{
    if (x->value_kind == HINGE_VALUE_DOUBLE)
        return ((const double *)x->value)[entry];
    if (x->value_kind == HINGE_VALUE_WHOLE)
        return ((const int32_t *)x->value)[entry] / x->scale;
    return x->value_kind == HINGE_VALUE_FLOAT ? (double)((const float *)x->value)[entry] : 1;
}

/* Labelled rows. Reading a file chooses the smallest kinds that hold what it reads: of indices
 * HINGE_INDEX_NONE if every row has every feature, or if the rows have half of all features or
 * more and not all values are 1: each zero that is left out is an entry then; else by the largest
 * index; of values HINGE_VALUE_ONE if all are 1, HINGE_VALUE_WHOLE for the short decimals of most
 * files, else HINGE_VALUE_DOUBLE; the values decide, not how they are written. A caller who fills
 * in a dataset may use any kinds; no array is copied. The same values give the same model, bit for
 * bit, whatever their kind, except that HINGE_VALUE_WHOLE with a scale other than 1 rounds
 * differently: sums are of the whole numbers, and are multiplied by 1/scale. */
struct hinge_dataset {
    struct hinge_matrix x; /* the rows, at least 1, fewer than 2^32; its columns are the features */
    uint32_t features;     /* n = 1 + the largest index; 0 when no row has a feature */
    double *label;         /* [x.rows] finite; NULL: none, see hinge_view_csr */
    int zero_based;        /* the file's indices started at 0 */
    size_t zeros;          /* entries of x that the file leaves out; may be 0 otherwise */
};

/* Reads a whole file in one pass; path "-" is standard input. NULL on failure. */
struct hinge_dataset *hinge_dataset_read(const char *path, const struct hinge_format *format,
                                         struct hinge_error *error);
void hinge_dataset_free(struct hinge_dataset *data);

/* Whether the non-zeros are in a temporary file, as format.memory was too little for them. Such a
 * dataset may be trained on, also by cross-validation, by one thread, which
 * parameters.threads does not change, and for one call at a time: reading its rows changes what is
 * in memory. Solvers that need all rows at once are refused, HINGE_BAD_ARGUMENT. A failure to read
 * the file is one of the call that needed the rows, HINGE_FILE_ERROR, and of all calls after it.
 * Other functions do not take it. */
int hinge_dataset_is_paged(const struct hinge_dataset *data);

/* How many times its non-zeros have been read from that file, parts of them counted as such; 0 if
 * they are in memory. */
double hinge_dataset_reads(const struct hinge_dataset *data);

/* Reads a file of weights for so many rows, a number of at least 0 a line; comments and lines with
 * nothing on them are skipped. NULL on failure, also if there are fewer or more of them, or all are
 * 0. free() it. */
double *hinge_weights_read(const char *path, size_t rows, struct hinge_error *error);

/* ---- Training ---------------------------------------------------------- */

/* What a solver is like, which tells what parameters mean something to it. */
enum hinge_solver_kind {
    HINGE_DUAL,      /* has a dual point: stops by gap or eps, ends with a certificate */
    HINGE_STOCHASTIC /* takes a number of steps on a few rows each; knows no bound on its gap */
};

struct hinge_model;

/* A solver as the programs offer it. */
struct hinge_solver {
    int number; /* the -s number; LIBLINEAR's where LIBLINEAR has the problem */
    enum hinge_solver_kind kind;
    unsigned averages;      /* bit 1 << A: it has enum hinge_average A */
    int l1;                 /* 1: it has the l1 term of the parameters; 2: |w|_1 in the place of
                               |w|^2/2; else 0 */
    int descends;           /* it begins with coordinate descent or steps on pairs of rows (if its
                               own method is Newton's, only where the features are many), and
                               changes to a second-order method where that is predicted to end
                               sooner */
    int starts;             /* it can start from the weights of a model */
    int pairs;              /* its steps are on pairs of rows, so that its bias is free: a constant
                               feature of value 1 whose weight is not in |w|^2; and it keeps a cache
                               of columns of <x_i, x_j> */
    int regression;         /* labels are numbers to be predicted, not classes */
    int joint;              /* it trains all classes as one problem, and its models have a column of
                               weights for each class, for two, too */
    int one_class;          /* it learns where rows are, whatever their labels, and predicts +1
                               there and -1 elsewhere; it has nu and no C */
    const char *name;       /* the -s name */
    const char *summary;    /* one line for the usage text */
    const char *model_name; /* solver_type in model files: a name that LIBLINEAR knows */
};

/* The registered solvers, by position from 0; NULL after the last. */
const struct hinge_solver *hinge_solver_at(size_t position);

/* The solver of that number, or NULL. */
const struct hinge_solver *hinge_solver_find(int number);

/* HINGE_DEFAULT_GAP is what "certified" means when no gap was asked for. */
#define HINGE_DEFAULT_GAP 1e-3

/* How a stochastic solver draws rows. */
enum hinge_sampling {
    HINGE_IID,    /* each independently and uniformly, as the theory has it, to within rows/2^32 of
                     its probability */
    HINGE_PERMUTE /* each once an epoch: blocks of 8 in a fresh random order, inside a block as in
                     the data; below 8192 rows, single rows in a random order */
};

/* Which of its iterates w_1 .. w_T+1 a stochastic solver returns. */
enum hinge_average {
    HINGE_AVERAGE_DEFAULT,  /* the one its paper has */
    HINGE_AVERAGE_NONE,     /* w_T+1, the last */
    HINGE_AVERAGE_UNIFORM,  /* mean of w_1 .. w_T */
    HINGE_AVERAGE_WEIGHTED, /* weights t, of hrmd-w t + 1 */
    HINGE_AVERAGE_SUFFIX,   /* mean of the last suffix T of w_1 .. w_T */
    HINGE_AVERAGE_RANDOM    /* w_r, r uniform in 1 .. T (Pegasos, ICML 2007, Thm. 2) */
};

struct hinge_parameters {
    int solver;          /* number of a registered solver; default 1, dcd-l2 */
    double C;            /* weight of the sum of losses; 1e-100 .. 1e100; default 1 */
    double lambda;       /* 1e-100 .. 1e100: use C = 1/(lambda m) instead, m rows;
                            default 0, unused */
    double bias;         /* >= 0: append a constant feature of this value, regularised like
                            the others; default -1, none; not for a solver of pairs, which has its
                            own */
    int free_bias;       /* the weight of that feature, whose value must be 1, is not in |w|^2: a
                            threshold; not for stochastic solvers, crammer-singer, |w|_1 beside
                            |w|^2/2, nor pairs, which have their own; default 0 */
    double relative_gap; /* stop at relative duality gap <= relative_gap; > 0; default 1e-3;
                            0: not a stop rule, allowed when eps > 0 */
    double eps;          /* > 0: LIBLINEAR's rule, the largest projected gradient and its
                            spread <= eps over all rows, half as much on either side with a free
                            bias; of newton-l2, lr-newton, svr-newton and softmax the norm of the
                            gradient against that at 0; of other regressions and of |w|_1 alone
                            the sum of the violations against that at 0; of crammer-singer the
                            largest difference max_m g - min g over the m with a_im below its
                            bound, g_m = 1(m != y) + <w_m, x_i>; of smo and one-class LIBSVM's
                            rule m(alpha) - M(alpha) <= eps; with relative_gap > 0 both must hold; default
                            0, unused */
    double epsilon;      /* of a regression: residuals up to this cost nothing; 0 .. 1e100; default
                            0.1 */
    double nu;           /* of a one-class SVM: share of the rows, by weight, that may be outside
                            at most, and are support vectors at least; 1e-100 .. 1; default 0.5 */
    double cache;        /* of a solver of pairs: MiB for the columns of <x_i, x_j> that it keeps;
                            > 0; default 100. Two are kept even if they need more. */
    uint64_t max_passes; /* stop after so many passes and steps; default 0, no limit */
    uint64_t seed;       /* of the order of rows; any; default 1 */

    int single_method; /* the solver's own method takes all steps; default 0 */
    int keep_alpha;    /* solvers with a dual point: leave it in the model; default 0 */

    /* Give the model probabilities, model->sigmoid: after the training, train on all of 5 random
     * folds but one, as hinge_cross_validate does, but from 0 whatever is initial, and fit a
     * sigmoid to the decision values of the rows left out, each counting as often as its row weight
     * says. Logistic regression has probabilities in any case, and ignores it. Default 0. */
    int probability;

    /* Start from this model's weights; NULL, the default: from 0. It needs the same classes and the
     * same bias; its features may differ. A solver with a dual point starts from 0 all the same if
     * P is lower there. A stochastic solver goes on with the step sizes, and the weights of
     * averages, that follow model->steps steps or, if that is 0, as many as it is to take itself:
     * its first steps are so large that they would leave nothing of the start. */
    const struct hinge_model *initial;

    double l1; /* weight of |w|_1, that of the bias included, in the averaged objective P/s, of
                  solvers that have the term: s is the sum of all C_i of the problem, C m without
                  weights, so that P has l1 s |w|_1; 0 .. 1e100; default 0 */

    /* Stochastic solvers only; relative_gap and max_passes are for the others. eps is here the
     * relative improvement of the objective over an epoch below which they stop. */
    uint32_t batch;               /* k, rows a step; 1 .. 2^20; default 1 */
    uint64_t iterations;          /* T; default 0, epochs counts; at most 2^53 */
    double epochs;                /* T = epochs m / k; > 0; default 20 */
    uint64_t checkpoint;          /* steps between checkpoints; default 0, an epoch */
    enum hinge_sampling sampling; /* default HINGE_IID */
    enum hinge_average average;   /* default HINGE_AVERAGE_DEFAULT */
    double suffix; /* share of the iterates in a suffix average; 0 < .. 1; default 1/2 */

    uint32_t threads; /* the most that are used, up to HINGE_MOST_THREADS; 0: one for each
                         processor, or OMP_NUM_THREADS of the environment; default 1. Work of some
                         milliseconds is done by one thread. Models have the same bytes for each
                         number. Monitors are called by any of the threads, one at a time. A library
                         without OpenMP has one thread. */

    size_t weights;             /* number of class weights; default 0 */
    const double *weight_label; /* [weights] class labels; one that no row has is ignored */
    const double *weight;       /* [weights] factors of C for the rows of that class; >= 0, finite;
                                   0 leaves them out of the loss. Of more than two classes, unless
                                   the solver is joint, only in the problem whose positive rows they
                                   are: as negative rows they have the factor 1, as in LIBLINEAR.
                                   Ignored by regressions and one-class SVMs */
    int balanced;               /* multiply each class's weight, which is used in the same problems,
                                   by what makes all classes weigh the same: the weight of all rows
                                   over (classes times the weight of its rows); default 0 */
    size_t row_weights;         /* number of row weights, that of the rows, or 0; default 0 */
    const double *row_weight;   /* [row_weights] factors of C for each row; >= 0, finite; 0 leaves
                                   the row out, 2 is as good as the row twice, in lambda too */
    size_t row_groups;          /* number of row groups, that of the rows, or 0; default 0 */
    const uint32_t *row_group;  /* [row_groups] any number for each row: where rows are dealt into
                                   folds, those with the same number stay together, and the folds
                                   have about the same number of rows, whatever their classes; with
                                   as many folds as groups, fold k is the k-th number, ascending */
    int store_decisions;        /* cross-validation: leave all decision values, and probabilities,
                                  in what it fills; default 0 */

    const struct hinge_team *team; /* the processes that train together; default NULL: alone */
};

/* Processes, "ranks", that train one model together, each with a part of the rows. All of them make
 * the same calls with the same parameters, else HINGE_BAD_ARGUMENT. Each has a dataset of all rows,
 * of which those that are not its own, see hinge_team_rows, have no entries; x.nonzeros is that of
 * all rows, and labels and numbers of features are those of the whole. So is x.scale, and then the
 * kind of values, if it is not 1. Some 70 bytes of memory for each row are the same on all ranks,
 * however many there are. All get the same results, whatever their number, but for the counts of
 * what they sent. Of solvers 0, 2 and 11, where the features are few, and of 61 they are to the
 * byte those of one process with all rows, unless Newton's method stalls. Monitors of rank 0 alone
 * are asked, at checkpoints only.
 *
 * hinge_train, hinge_train_path, cross-validation and hinge_least_C take a team, with solvers 0-3,
 * 7, 11-13 and 61: each trains by Newton's method alone. Where that stalls, the training ends as
 * HINGE_STALLED. Threads work on sums only. The data are in memory, not paged.
 *
 * What ranks send to each other goes through two functions of the caller's. The blocks of bytes
 * follow each other in the order of the ranks; a rank's own is among them. All ranks call them in
 * the same order. They return 0, or else a rank has failed or left the team, and the call of this
 * library ends with HINGE_TEAM_FAILED. Once it has failed, neither is called again. Where a rank
 * fails for a reason of its own, want of memory say, its call ends at once: the others may be
 * waiting for it, and whoever made it has to see to it that their calls of these functions fail. */
struct hinge_team {
    void *context;
    int rank; /* 0 .. size - 1 */
    int size; /* at least 1 */

    /* Sends send_bytes[q] bytes to each rank q, and receives receive_bytes[q] bytes from it. */
    int (*exchange)(void *context, const void *send, const size_t *send_bytes, void *receive,
                    const size_t *receive_bytes);

    /* Sends the same bytes[rank] bytes to every rank, and receives bytes[q] bytes from each. */
    int (*gather)(void *context, const void *send, void *receive, const size_t *bytes);
};

/* The rows that are a rank's own, first .. end - 1, which depends on the whole data's numbers of
 * rows, entries and features and on rank and size alone. A rank may have none. */
void hinge_team_rows(const struct hinge_team *team, size_t rows, size_t nonzeros, uint32_t features,
                     uint32_t *first, uint32_t *end);

enum { HINGE_MOST_THREADS = 256 };

/* Every field at its default. */
struct hinge_parameters hinge_parameters_default(void);

/* Checks every field, whether the solver uses it or not, but not against data; HINGE_BAD_ARGUMENT
 * and a message that names the field, or HINGE_OK. */
enum hinge_status hinge_parameters_check(const struct hinge_parameters *parameters,
                                         struct hinge_error *error);

/* How a training ended. Only the first says that the requested certificate holds. */
enum hinge_outcome {
    HINGE_CERTIFIED,     /* relative gap at most what was asked (HINGE_DEFAULT_GAP if nothing) */
    HINGE_TOLERANCE_MET, /* the rule of eps holds, the gap is larger */
    HINGE_PASS_LIMIT,    /* max_passes reached first */
    HINGE_TIME_LIMIT,    /* a monitor answered HINGE_OUT_OF_TIME */
    HINGE_INTERRUPTED,   /* a monitor answered HINGE_INTERRUPT */
    HINGE_STALLED,       /* no method lowers the gap further, mostly because of rounding errors */
    HINGE_FINISHED,      /* all steps taken, or eps met, by a solver without a certificate */
    HINGE_NOT_BEGUN      /* an earlier problem was stopped; primal, dual and gap are NaN: unknown */
};

/* A word for an outcome, as in model files: "certified", "tolerance", ... */
const char *hinge_outcome_name(enum hinge_outcome outcome);

/* One training, as a rule of a binary problem. Primal and dual are over all its rows, for the
 * returned weights. Where they certify, neither is smaller than its exact value for these weights,
 * this alpha, the features and the costs as doubles: no rounding error makes the certificate false.
 * One that was not begun has the weights it would have started from, 0 or those of
 * parameters.initial, and NaN for primal, dual and gap. */
struct hinge_result {
    enum hinge_outcome outcome;
    double primal;       /* P(w) */
    double dual;         /* D(alpha); -dual bounds the minimum of P from below. Of a
                            regression an upper bound of D(beta), with which the gap is valid but
                            may be larger: the solvers have beta_i as a - b, neither below 0, and
                            a + b stands for |beta_i|, a^2 + b^2 for the beta_i^2 of diag(d). At a
                            solution one of them is 0 */
    double relative_gap; /* (primal + dual) / max(|primal|, DBL_MIN), never negative; of a
                  one-class SVM, whose least P may be 0, at least 1/2 (nu sum_i c_i
                  r/1000)^2 stands for |primal|, r^2 the mean of |x_i|^2;
                  dual and gap are NaN for stochastic solvers */
    double rounding;     /* the part of gap that is bounds of rounding errors in primal and dual; 0:
                            none were added, as of stochastic solvers */
    uint64_t passes;     /* over active rows, and second-order steps; steps of a stochastic
                            solver */
    uint64_t steps;      /* how many of them were steps of method */
    const char *method;  /* "newton", "pnewton" or "ipm", "smo" if nothing took over from it; NULL:
                            coordinate descent alone */
    const char *fallback; /* why a second-order method could not go on and what had handed over did,
                             which may stall as well: a few words; NULL: no such thing happened */
    size_t nonzeros;      /* of w */
    uint64_t row_visits;  /* over all passes */
    size_t support_vectors; /* rows with alpha > 0, of a regression with beta not 0 */
    double seconds;         /* processor time */
    uint64_t rounds;        /* of a team: calls of its functions for this training, */
    uint64_t sent;          /* and bytes that this rank has sent to others in them; else 0 */
};

/* State at a checkpoint: once a pass or second-order step, of a solver of pairs once in a thousand
 * steps or fewer, of a stochastic one as the parameters have it. primal, dual, gap, nonzeros and w
 * are of the moment when measured is 1, else of the last measurement (NaN, 0 and NULL before the
 * first), but for w, which may have changed since. */
struct hinge_progress {
    size_t fold;  /* of a cross-validation, from 0 */
    size_t folds; /* 0: none */
    double C;
    size_t problem;      /* from 0 */
    size_t problems;     /* how many there are */
    double positive;     /* label of its positive class; all other rows are negative; NaN of a
                            regression */
    size_t outputs;      /* numbers in w for each feature: 1, or that of the classes, */
    const double *label; /* [outputs] whose labels these are; NULL: 1 */
    uint64_t passes;     /* as in the result, like the next three */
    uint64_t steps;
    const char *method;
    const char *fallback;
    uint64_t row_visits;
    double expected; /* passes that coordinate descent was last predicted to need still; infinite if
                        it made no progress; 0: nothing was predicted, as of pairs of rows */
    size_t active;   /* rows with a feature that are not shrunk; of a second-order method those
                        that are not at a bound */
    size_t rows;     /* 0: whether to begin the problem, or to go on with metrics, is asked */
    int measured;
    double primal;
    double dual;
    double relative_gap;
    double rounding; /* as in the result; 0 where the gap is above what was asked */
    size_t nonzeros; /* of w */
    const double *w; /* [outputs for each feature and the bias] what would be returned now */
    size_t features;
    double bias;                       /* value of the constant feature; < 0: none */
    int last;                          /* the training ends here, */
    const struct hinge_result *result; /* with this but for its seconds; else NULL */
    const struct hinge_model *model; /* where measured is 1, of hinge_train, and a monitor wants it:
                                        what would be returned if it were interrupted now, as far
                                        as it is measured; else NULL. hinge_model_write writes a
                                        checkpoint, and parameters.initial starts from it */
};

/* A monitor's answer; where several monitors answer, the largest counts. */
enum hinge_answer {
    HINGE_GO_ON,
    HINGE_MEASURE,     /* measure the objectives and call again; changes no iterate */
    HINGE_OUT_OF_TIME, /* stop: outcome HINGE_TIME_LIMIT */
    HINGE_INTERRUPT    /* stop: outcome HINGE_INTERRUPTED */
};

/* What a monitor wants beside checkpoints. */
enum hinge_want {
    HINGE_BETWEEN = 1, /* to be asked between them, too, where steps are long: measured is 0 then,
                          as w may be changing, and an answer that is not a stop is ignored */
    HINGE_MODEL = 2    /* progress.model, which takes a copy of w at each checkpoint */
};

/* The only way to watch or stop a running training. Monitors form a list. */
struct hinge_monitor {
    enum hinge_answer (*checkpoint)(void *context, const struct hinge_progress *progress);
    void *context;
    const struct hinge_monitor *next; /* or NULL */
    int wants;                        /* 0, or a sum of enum hinge_want */
};

/* ---- Models ------------------------------------------------------------ */

/* A line "# key value" of the record of a model file. */
struct hinge_note {
    char *key;   /* no blanks */
    char *value; /* a line of text, or ""; freed with key */
};

struct hinge_model {
    size_t classes;    /* 0: a regression, whose decision value is the number predicted */
    double *label;     /* [classes], or NULL */
    uint32_t features; /* n, without the bias */
    double bias;       /* value of the constant feature; < 0: none */
    size_t columns;    /* weights per feature: 1 of a regression, or for two classes (positive
                          side: label[0]), else one per class, one against the rest; LIBLINEAR's
                          models of Crammer and Singer have one per class for two classes, too, as
                          joint solvers' */
    double *weight;    /* [(features + (bias >= 0)) * columns], feature by feature, bias last */
    double *sigmoid;   /* [2 columns] A and B of each column, finite: 1/(1 + exp(A f + B)) is the
                          probability of its class at the decision value f; NULL: there is none */
    int zero_based;    /* trained on a file whose indices start at 0 */
    int one_class;     /* of a one-class SVM: the classes are +1, inside, and -1, and the bias is a
                          feature of value 1 whose weight is -rho; in the file it is rho alone */
    int softmax; /* its probabilities are e^decision over the sum of these; else those of an L2R_LR
                    or L1R_LR model are 1/(1 + e^-decision), divided by their sum */
    const char *solver_type;           /* the name in the file */
    double steps;                      /* of a stochastic solver; 0: another one, or not known */
    const struct hinge_solver *solver; /* set by training, NULL in a model that was read */
    double C;                          /* set by training, as the fields below */
    double lambda;                     /* 1/(C m), m the weight of all rows */
    int free_bias;                     /* its weight was not regularised */
    double l1;
    double epsilon; /* of a regression */
    double nu;      /* of a one-class SVM */
    uint64_t seed;
    size_t problems;             /* columns, or 1 if all classes were trained as one problem */
    struct hinge_result *result; /* [problems] or NULL in a model that was read */
    size_t rows;                 /* of the data it was trained on */
    double *class_weight;        /* [classes] by what C was multiplied, in the problems in which the
                                    weight parameter is; NULL: by 1 */
    int balanced;                /* parameters.balanced was set */
    int row_weighted;            /* the rows had weights */
    double *alpha;               /* [rows * columns] row by row, if it was to be kept, of a
                                    regression beta; else NULL */
    unsigned threads; /* of the training: so many hinge_model_write uses for many weights; 0: 1 */
    int uncalibrated; /* it has no sigmoid that was asked for: a monitor stopped the training, or
                         those of the folds */
    size_t notes;
    struct hinge_note *note; /* [notes] of a model that was read: the lines of its record, but for
                                what is in the fields above; then what hinge_model_add_note added */
};

/* hinge_train: trains a classifier, or for a solver that is one a regression; two classes give one
 * binary problem, k > 2 give k of them, one class against the rest, or, where the solver is joint,
 * all one problem. Classes stand in order of first appearance, but -1 and +1 as +1, -1. monitor may
 * be NULL. Interrupted trainings return the model as far as it got; see result. A problem after one
 * that was stopped is begun only if the monitors then say so; else its outcome is HINGE_NOT_BEGUN.
 * NULL on failure: HINGE_BAD_ARGUMENT, HINGE_BAD_INPUT for fewer than two classes, HINGE_NO_MEMORY,
 * HINGE_FILE_ERROR of paged data, HINGE_TEAM_FAILED. Free with hinge_model_free. The same data,
 * parameters and seed give the same weights, whatever the monitors answer short of a stop. */
struct hinge_model *hinge_train(const struct hinge_dataset *data,
                                const struct hinge_parameters *parameters,
                                const struct hinge_monitor *monitor, struct hinge_error *error);

/* The same for each of C[count], none of them 0, in this order, instead of C and lambda of the
 * parameters; each training of a dual solver starts where the one before it ended, alpha scaled
 * with C, and keeps its matrices. Fills models[count], each freed by the caller; on failure all are
 * NULL. An interrupted training ends the path at its C: the models after it are NULL. */
enum hinge_status hinge_train_path(const struct hinge_dataset *data,
                                   const struct hinge_parameters *parameters, const double *C,
                                   size_t count, const struct hinge_monitor *monitor,
                                   struct hinge_model **models, struct hinge_error *error);
void hinge_model_free(struct hinge_model *model);

/* Adds a line to the record that hinge_model_write writes, or gives one that is there another
 * value: where the data came from, say. HINGE_BAD_ARGUMENT if the key is empty or has a blank or a
 * control character, if it is "solver", "steps", "sigmoid" or "zero_based", which are fields, or if
 * the value has a control character. */
enum hinge_status hinge_model_add_note(struct hinge_model *model, const char *key,
                                       const char *value, struct hinge_error *error);

/* The value of the first note with that key; NULL: there is none. */
const char *hinge_model_note(const struct hinge_model *model, const char *key);

/* Writes LIBLINEAR's text format, followed by the training's record as lines "# key value".
 * The file appears under its name only when it is complete: it is written beside it and
 * renamed, also over a symbolic link; its owner and mode are those of a new file. Devices and
 * paths below /proc/ and /dev/, but not /dev/shm/, are written in place; a named pipe is refused.
 */
enum hinge_status hinge_model_write(const struct hinge_model *model, const char *path,
                                    struct hinge_error *error);

/* Writes the model's alpha: a line for each row of the data, on it a number for each column, 0 for
 * a row that is no support vector. Like hinge_model_write; HINGE_BAD_ARGUMENT if the model keeps
 * none. */
enum hinge_status hinge_alpha_write(const struct hinge_model *model, const char *path,
                                    struct hinge_error *error);

/* Fails if a model could not be written to path now; leaves what is there untouched. */
enum hinge_status hinge_model_check_writable(const char *path, struct hinge_error *error);

/* Reads a model of this library or of LIBLINEAR; memory is bounded by the size of the file,
 * whatever its header claims. NULL on failure. */
struct hinge_model *hinge_model_read(const char *path, struct hinge_error *error);

/* decision[columns] = <w_c, x> for each column c; features beyond the model's are ignored. Of a
 * regression, and where rounding decides the label, because the value of a single column is nearly
 * 0 or those of two are nearly equal, the values are LIBLINEAR's, bit for bit. */
void hinge_decision_values(const struct hinge_model *model, const struct hinge_row *row,
                           double *decision);

/* The class those decision values mean, label[...], as LIBLINEAR has it: with two classes the first
 * if decision[0] is positive, else the second, also where there are two columns; with more, the
 * first largest. */
size_t hinge_decide(const struct hinge_model *model, const double *decision);

/* Of two classes: class positive, 0 or 1, if the value for it, a decision value or a probability,
 * is above the threshold, else the other one. Where the value is the threshold, or no number, it is
 * class 1, as by hinge_decide for a decision value of 0. */
size_t hinge_decide_threshold(size_t positive, double value, double threshold);

/* Whether a model has probabilities: if it is of logistic regression or has sigmoids. */
int hinge_has_probabilities(const struct hinge_model *model);

/* probability[classes] of a model that has them, from the decision values of a row: of one column
 * 1/(1 + exp(-f)), or of the sigmoid, and what is left to 1; else those of all columns over their
 * sum. Returns the class with the largest; among equal ones that of hinge_decide, if it is one of
 * them, else the first. For logistic regression it is always that of hinge_decide. */
size_t hinge_probabilities(const struct hinge_model *model, const double *decision,
                           double *probability);

/* ---- Predictions and how good they are --------------------------------- */

/* How far the predictions of a regression are from the targets. All zero: of no row. */
struct hinge_residuals {
    uint64_t rows;
    double squares;   /* sum of (prediction - target)^2; over rows it is the mean squared error */
    double absolute;  /* sum of |prediction - target| */
    double largest;   /* of these */
    double mean[2];   /* of targets, of predictions; */
    double spread[2]; /* sum of the squares of their distances from it, */
    double product;   /* and of the products of these distances */
};

/* Takes a row more into account. */
void hinge_residuals_add(struct hinge_residuals *residuals, double target, double predicted);

/* The squared correlation coefficient of targets and predictions; NaN if those or these are all
 * equal. */
double hinge_squared_correlation(const struct hinge_residuals *residuals);

/* Rows with a label, and what was predicted for them: 16 bytes a row. */
struct hinge_predictions {
    size_t classes;   /* 0: of a regression */
    size_t known;     /* labels that the model has, a label that is there twice counted twice */
    double *label;    /* [classes] those of the model, then others in order of appearance */
    double positive;  /* label of the class that metrics and curve are about, the positive one; NaN
                         from hinge_predictions_new: of two classes that with the larger label, else
                         none. The caller may set it */
    double threshold; /* of hinge_predictions_cut; NaN: none */
    size_t rows;
    double *target;      /* [rows] of a regression; else NULL, */
    uint32_t *given;     /* [rows] class of the row's label; of a regression NULL, */
    uint32_t *predicted; /* [rows] like this */
    double *decision;    /* [rows] of a model of two classes: its first decision value, above 0 on
                            the side of label[0]; else that of the predicted class; of a regression
                            the number predicted */
};

/* No rows yet; the labels of a model are copied, no classes: a regression. NULL on failure. Free
 * with hinge_predictions_free. */
struct hinge_predictions *hinge_predictions_new(const double *label, size_t classes,
                                                struct hinge_error *error);
void hinge_predictions_free(struct hinge_predictions *predictions);

/* Appends a row, its predicted class a position among the labels of the model, of a regression 0;
 * HINGE_BAD_ARGUMENT if there is no such position, and no row is appended. */
enum hinge_status hinge_predictions_add(struct hinge_predictions *predictions, double label,
                                        size_t predicted, double decision,
                                        struct hinge_error *error);

/* Of one class against all others. What would be 0/0 is 0. */
struct hinge_class_metrics {
    uint64_t given;     /* rows with this label */
    uint64_t predicted; /* rows for which it was predicted */
    uint64_t correct;   /* rows that are both */
    double precision;   /* correct/predicted */
    double recall;      /* correct/given */
    double f1;          /* 2 correct/(given + predicted) */
};

/* Shares are in 0 .. 1. A mean over classes leaves out those that no row has and none was predicted
 * to have; the mean over all rows alike ("micro") of precision, recall and F1 is the accuracy. */
struct hinge_metrics {
    uint64_t rows;
    uint64_t correct;
    double accuracy;
    double balanced_accuracy; /* mean recall of the classes that some row has */
    double precision;         /* mean over classes, as the next two */
    double recall;
    double f1;
    size_t positive;    /* the positive class, a position in by_class; classes: there is none */
    double positive_f1; /* its F1; NaN: there is none */
    double auc;         /* of two classes: how often a row of the first has a larger decision value
                           than one of the second, equal ones counting half; NaN if there are more,
                           or no rows of one of them, or a monitor stopped the computation */
    double average_precision; /* of two classes: mean, over the rows of the positive one, of the
                           share of that class among the rows whose decision value for it is at
                           least the row's; NaN if there are more, or none of these rows, or a
                           monitor stopped the computation */
    int stopped;              /* it did */
    size_t classes;
    struct hinge_class_metrics *by_class; /* [classes] */
    struct hinge_residuals residuals;     /* of a regression, where the rest is 0 or NaN */
};

/* NULL on failure, HINGE_BAD_ARGUMENT if there are no rows. Free with hinge_metrics_free. Of two
 * classes it takes 8 bytes for each row, until it returns. The monitors (or NULL) are asked
 * every few thousand rows or more, with a progress of zeros. */
struct hinge_metrics *hinge_metrics_new(const struct hinge_predictions *predictions,
                                        const struct hinge_monitor *monitor,
                                        struct hinge_error *error);
void hinge_metrics_free(struct hinge_metrics *metrics);

/* What comes of it if the rows whose decision value for the positive class is above a threshold are
 * predicted to be of that class. */
struct hinge_point {
    double threshold;   /* finite */
    uint64_t predicted; /* rows above it */
    uint64_t correct;   /* of these, rows of the class; correct/predicted is the precision */
};

/* This for each threshold that matters, of predictions of a model of two classes. The decision
 * value for label[1] is the negative of that for label[0]. Thresholds are half-way between two
 * neighbouring decision values, or next to one where there is no double between them; the last one
 * is below all of them. Classes are those of hinge_decide_threshold. */
struct hinge_curve {
    uint64_t rows;
    uint64_t given;            /* rows of the positive class; correct/given is the recall */
    int stopped;               /* a monitor stopped the computation: there are no points */
    size_t points;             /* as many as different decision values */
    struct hinge_point *point; /* [points] thresholds descend, both counts ascend */
    size_t best;               /* the first of those with the largest F1 */
};

/* Predicts all rows anew by hinge_decide_threshold, with a threshold on the decision value for the
 * positive class. HINGE_BAD_ARGUMENT where hinge_curve_new would fail so. */
enum hinge_status hinge_predictions_cut(struct hinge_predictions *predictions, double threshold,
                                        struct hinge_error *error);

/* NULL on failure, HINGE_BAD_ARGUMENT if there are no rows, or not two labels of a model, or the
 * positive class is none of these. Free with hinge_curve_free. Takes 8 bytes for each row until it
 * returns, and 24 for each point. Monitors are asked as by hinge_metrics_new. */
struct hinge_curve *hinge_curve_new(const struct hinge_predictions *predictions,
                                    const struct hinge_monitor *monitor, struct hinge_error *error);
void hinge_curve_free(struct hinge_curve *curve);

/* One cell of the confusion matrix: rows of class given that were predicted as class predicted. */
struct hinge_confused {
    uint32_t given;     /* position in predictions->label */
    uint32_t predicted; /* position in predictions->label */
    uint64_t rows;      /* at least 1 */
};

/* Returns the cells of the confusion matrix that are not 0, row by row, and sets *count to their
 * number, which is at most the number of rows. NULL on failure; HINGE_BAD_ARGUMENT for the
 * predictions of a regression. The caller frees the array with free(). */
struct hinge_confused *hinge_confusion_entries(const struct hinge_predictions *predictions,
                                               size_t *count, struct hinge_error *error);

/* Rows whose predicted probability is in the same tenth of 0 .. 1. */
struct hinge_bin {
    uint64_t rows;
    uint64_t observed; /* how many of them are of the class */
    double predicted;  /* mean probability; 0 of no rows */
};

enum { HINGE_BINS = 10 };

/* How good probabilities are; all zero: of no rows. */
struct hinge_calibration {
    uint64_t rows;
    double log_loss; /* mean of -ln p, p the probability of the row's own class; p below
                        DBL_EPSILON counts as that, so that one row counts for 36.04 at most */
    double brier;    /* mean of the squared error of the probability of the first class, of two;
                        of more, of the sum of these over all classes */
    struct hinge_bin bin[HINGE_BINS]; /* by the probability of the first class, of two; of more, by
                                         that of the predicted class */
};

/* Counts one more row, with the probability[classes] of each class, the predicted class, and the
 * row's own: classes, if it is none of them. */
void hinge_calibration_add(struct hinge_calibration *calibration, size_t classes,
                           const double *probability, size_t predicted, size_t given);

/* ---- Cross-validation -------------------------------------------------- */

/* What the trainings with all folds but one predict for that one. */
struct hinge_validation {
    double C;                              /* 0 where lambda is set */
    struct hinge_predictions *predictions; /* of all rows that do not weigh 0, in their order; if a
                                              monitor stopped it, of the complete folds; NULL: of
                                              no fold */
    uint32_t *fold;                        /* [predictions->rows] which one held the row out */
    size_t columns;                        /* as of a model */
    double
        *decision; /* [columns * predictions->rows] row by row, with store_decisions, else NULL */
    double *probability; /* [classes * predictions->rows] likewise, of logistic regression, and with
                            probability, where they are of sigmoids fitted to the decision values of
                            the rows of all other folds; else NULL. None if a monitor stopped it */
    size_t folds;        /* complete ones, those before are complete, too */
    size_t trainings;    /* folds times problems; if a monitor stopped it, those that had begun */
    size_t certified;    /* how many of them are HINGE_CERTIFIED */
    double relative_gap; /* the largest relative gap; NaN of stochastic solvers */
    double losses; /* the largest share of P that the sum of losses has in a training. Where it is
                      s, its w is a solution for any larger C' to within a relative gap of gap +
                      (C'/C - 1) s. NaN of stochastic solvers, and where the l1 term grows with C */
};

/* Deals the rows that do not weigh 0 into so many folds (from 2 to the number of these rows) at
 * random, as seed has it, so that each fold has as many rows of each class as any other, give or
 * take one, or, from 2 to the number of row groups, by these. Leaves out each fold in turn, trains
 * on the others for each of C[count] in this order as hinge_train_path does, and predicts for the
 * fold. All folds of a C come before the next C. With lambda > 0, count is 1, else it is refused,
 * and C may be NULL. Fills validation[count]; on failure none. *interrupted: a monitor ended it;
 * then that C has the predictions of its complete folds, and all after it are empty. Free each with
 * hinge_validation_clear, which leaves it empty, so that it may be called again. */
enum hinge_status hinge_cross_validate(const struct hinge_dataset *data,
                                       const struct hinge_parameters *parameters, size_t folds,
                                       const double *C, size_t count,
                                       const struct hinge_monitor *monitor,
                                       struct hinge_validation *validation, int *interrupted,
                                       struct hinge_error *error);
void hinge_validation_clear(struct hinge_validation *validation);

/* Sees the validation of C number k before the next C is begun, or with several threads while
 * others are at it. It may take what is in it, and leaves it empty then; else that is freed. It is
 * called in the order of C, by one thread at a time, no monitor being asked meanwhile by another.
 * Where a monitor has ended the validation, *stop is 1, and it has the complete folds; to have no
 * further C, set *stop to 1. */
typedef enum hinge_status (*hinge_validation_function)(void *context, size_t k,
                                                       struct hinge_validation *validation,
                                                       int *stop, struct hinge_error *error);

/* The same for whoever wants to look at one C after the other. A solver with a dual point starts a
 * C where the one before it ended. For that 8 bytes for each row, fold but one, and column are
 * kept, of solvers 5 and 6 instead 32 bytes for each row and 24 for each feature, of 0, 2 and 11
 * where features are few, and of 62, 16 more for each feature, and the matrices of second-order
 * methods or, of these solvers, a copy of the rows by features: 2^28 bytes of each at most. Where
 * that is not enough, problems start from 0, or compute their matrices anew. With several threads
 * those that find no fold left begin trainings of the C after it: monitors see them, and room is
 * taken for the predictions of both. */
enum hinge_status hinge_cross_validate_each(const struct hinge_dataset *data,
                                            const struct hinge_parameters *parameters, size_t folds,
                                            const double *C, size_t count,
                                            const struct hinge_monitor *monitor,
                                            hinge_validation_function see, void *context,
                                            struct hinge_error *error);

/* A power of 2 below which no C is worth a try: there every row has a loss, so that the solutions
 * for all smaller C are multiples of one another (L1-loss), or nearly so (L2-loss, logistic loss).
 * Where |w|_1 is in the place of |w|^2/2, the least whose solution is not 0, but for a free bias;
 * at most 1. 0 on failure. */
double hinge_least_C(const struct hinge_dataset *data, const struct hinge_parameters *parameters,
                     struct hinge_error *error);

/* ---- For other languages ----------------------------------------------- */

/* What follows needs the layout of no structure, only pointers, numbers, text and arrays, so that a
 * binding that uses it, and functions above whose arguments are of these kinds, works with later
 * versions of the library, too: names and arguments stay, and enums keep their numbers. */

/* HINGE_VERSION of the library itself. */
const char *hinge_version(void);

/* An error for the calls below; NULL: out of memory. Free with hinge_error_free. */
struct hinge_error *hinge_error_new(void);
enum hinge_status hinge_error_status(const struct hinge_error *error);
const char *hinge_error_message(const struct hinge_error *error);
void hinge_error_free(struct hinge_error *error);

/* A dataset over the caller's arrays, which must not change before hinge_view_free, the only
 * function to free it with. Values are not copied, nor are the indices of compressed rows. All are
 * checked: HINGE_BAD_INPUT names the row and the column. Entries of value 0 are allowed. NULL on
 * failure.
 *
 * hinge_view_csr: compressed rows. start[rows + 1], integers of start_size bytes, 4 or 8, is
 *   copied; index[start[rows]] are columns, from 0, strictly ascending in a row.
 * hinge_view_dense: value[rows * features], row by row; zeros are entries, too.
 *
 * kind: HINGE_VALUE_DOUBLE, HINGE_VALUE_FLOAT, HINGE_VALUE_WHOLE, with a scale of 1, or
 * HINGE_VALUE_ONE, with value NULL. label[rows] are finite; NULL if the view is for
 * hinge_model_decisions or the training of a one-class SVM: all other trainings,
 * cross-validation and hinge_least_C refuse it, HINGE_BAD_ARGUMENT. rows: 1 .. 2^32 - 1, features:
 * at most 2^31 - 1.
 */
struct hinge_dataset *hinge_view_csr(size_t rows, size_t features, const void *start,
                                     size_t start_size, const int32_t *index, const void *value,
                                     enum hinge_value_kind kind, const double *label,
                                     struct hinge_error *error);
struct hinge_dataset *hinge_view_dense(size_t rows, size_t features, const void *value,
                                       enum hinge_value_kind kind, const double *label,
                                       struct hinge_error *error);
void hinge_view_free(struct hinge_dataset *view);

/* Parameters at their defaults; NULL on failure. Free with hinge_parameters_free. */
struct hinge_parameters *hinge_parameters_new(struct hinge_error *error);
void hinge_parameters_free(struct hinge_parameters *parameters);

/* Sets the parameter that has the name of train's option without "--": "cost", "max-iter", which
 * may be written "max_iter", ...; "C" is "cost". text is what the option takes: a number, a word,
 * the name or number of a solver; of a switch 0 or 1. Ranges are checked by the training.
 * HINGE_BAD_ARGUMENT if there is no such parameter, or the text is none of its values. */
enum hinge_status hinge_parameters_set(struct hinge_parameters *parameters, const char *name,
                                       const char *text, struct hinge_error *error);

/* Weights of classes, or of rows, and a model to start from (NULL: none). Neither arrays nor model
 * are copied: they must last until the training is done. */
void hinge_parameters_weigh_classes(struct hinge_parameters *parameters, size_t count,
                                    const double *label, const double *weight);
void hinge_parameters_weigh_rows(struct hinge_parameters *parameters, size_t rows,
                                 const double *weight);
void hinge_parameters_start(struct hinge_parameters *parameters, const struct hinge_model *initial);

/* hinge_train, where ask is called whenever a monitor would be, also between checkpoints, and
 * answers an enum hinge_answer. NULL: nothing is asked. */
struct hinge_model *hinge_train_until(const struct hinge_dataset *data,
                                      const struct hinge_parameters *parameters,
                                      int (*ask)(void *context), void *context,
                                      struct hinge_error *error);

/* The decision values of all rows, decision[rows * columns], as by hinge_decision_values; of a
 * model of classes also the position of each row's class among the labels, predicted[rows], as by
 * hinge_decide (NULL: not wanted). */
enum hinge_status hinge_model_decisions(const struct hinge_model *model,
                                        const struct hinge_dataset *data, double *decision,
                                        uint32_t *predicted, struct hinge_error *error);

/* From these decision values, probability[rows * classes] and the classes (NULL: not wanted), as by
 * hinge_probabilities; HINGE_BAD_ARGUMENT if the model has none. */
enum hinge_status hinge_model_probabilities(const struct hinge_model *model, size_t rows,
                                            const double *decision, double *probability,
                                            uint32_t *predicted, struct hinge_error *error);

/* A number of the model by its name; NaN: there is none, or it is not known. Where nothing is said
 * of a position, it is 0: there is none at others.
 *
 * Of each model: "classes", "label" (of the class at that position), "features", "columns", "bias"
 *   (below 0: none), "one_class", "probabilities" (0 or 1).
 * Of a model that was trained here, or that was read with its record: "solver", "problems", "rows",
 *   "C", "lambda", "nu", "l1", "epsilon", "seed", "steps"; of the problem at that position
 *   "outcome" (an enum hinge_outcome), "iterations", "primal", "dual", "relative_gap".
 * Only of a model that was read: other lines of its record, of several numbers the one at that
 *   position.
 * Only of a model that was trained here, of that problem: "nonzeros", "support_vectors", "seconds".
 */
double hinge_model_value(const struct hinge_model *model, const char *name, size_t position);

/* value[k] := that of position k, for each k < count. Of a model that was read, asking position by
 * position takes time with their square. */
void hinge_model_values(const struct hinge_model *model, const char *name, size_t count,
                        double *value);

/* [(features + (bias >= 0)) * columns], feature by feature, bias last; they last as long as the
 * model. */
const double *hinge_model_weights(const struct hinge_model *model);

#ifdef __cplusplus
}
#endif
#endif
