/* search.h - train -v and -C: cross-validation, and with it the search for C, for regression also
 * for epsilon. search.c has the work from the first point to the last, search_score.c the scores,
 * search_path.c a training for each point, and search_report.c what is printed and written. */
#ifndef HINGE_CLI_SEARCH_H
#define HINGE_CLI_SEARCH_H

#include "base/output.h"
#include "cli/monitors.h"
#include "cli/scores.h"
#include "data/reader.h"

/* A value of C, with a value of epsilon for regression: its score, and with --path the result of
 * the training on all rows. */
struct path_point {
    double epsilon;
    int is_rated; /* it was validated with all folds, or with those that were complete */
    double score;
    double deviation; /* deviation over the folds; NaN if fewer than two have a score */
    double accuracy;
    double primal;  /* sum over the binary problems */
    double dual;    /* sum over the binary problems */
    double gap;     /* the largest of the binary problems */
    double norm;    /* the largest |w| of the folds' trainings */
    double weights; /* the largest number of weights that are not 0, of the folds' trainings */
    size_t nonzeros;
    uint64_t passes;
    double seconds;
    double validation_seconds;            /* wall time of the folds */
    struct hinge_residuals residuals;     /* errors for regression */
    struct hinge_calibration calibration; /* quality of the probabilities, or no rows */
};

/* A validation (-v), which has one point, or a search (-C), which has several. A search for
 * regression lists all C of one epsilon, then all C of the next. */
struct search {
    const struct settings *settings;
    const struct hinge_dataset *data;
    const struct groups *groups;        /* the groups of --folds */
    int has_named_folds;                /* each group with a row that does not weigh 0 is a fold */
    struct hinge_parameters parameters; /* parameters of the points first .. end - 1 */
    const struct hinge_monitor *monitor;
    struct progress_watch *progress;
    struct train_page *page;
    double seen; /* time at which the previous point was validated */
    int is_regression;
    size_t folds;
    size_t count;                        /* number of points */
    size_t first, end;                   /* the points of the present epsilon */
    double *C;                           /* [count] ascending for each epsilon */
    struct hinge_validation *validation; /* [count] */
    struct path_point *point;            /* [count] */
    struct output output;                /* the file of --path */
    struct output rows;                  /* the file of --predictions */
    size_t rated_count;
    unsigned settled_count;        /* C in succession whose solution also solves the next C */
    size_t best;                   /* the point with the best score */
    struct hinge_metrics *metrics; /* metrics of the best point */
    int is_uncertified;            /* at least one training of --path is not certified */
    int is_stopped;                /* the limit of time or an interrupt has ended the validation */
    int is_interrupted;            /* a signal has ended the search or --path */
};

/* Cross-validates with the parameters (-v) or for a range of C (-C), and prints LIBLINEAR's lines
 * and the metrics. Stores the best C in the parameters and sets *chosen, or clears it if no model
 * can be trained. If a monitor stops the search, it ends with the best point so far. Sets *status
 * to the exit status if it is not HINGE_OK; all ranks get rank 0's status. The limit of time ends
 * with the search. */
enum hinge_status validate(const struct settings *settings, const struct hinge_dataset *data,
                           const struct groups *groups, struct hinge_parameters *parameters,
                           struct monitors *monitors, int *status, int *chosen,
                           struct hinge_error *error);

/* Moves first and end to the points of the next epsilon. Returns 0 if there are no more. Before
 * the first call, end must be 0. */
int search_next_epsilon(struct search *search);

/* Trains on all rows for each point that has a score, and writes the file of --path. */
enum hinge_status search_write_path(struct search *search, struct hinge_error *error);

/* ---- Scores ------------------------------------------------------------- */

/* How the scores of a criterion are printed and compared. */
struct criterion_kind {
    const char *name;          /* in the line "Best C = X  CV NAME = Y" */
    const char *rate;          /* in the line "log2c= X  RATE=Y" */
    unsigned is_share : 1;     /* printed in % */
    unsigned is_minimised : 1; /* 1: minimised, at best 0; 0: maximised, at best 1 */
    unsigned is_ranked : 1;    /* depends on the order of decision values; for two classes */
};

const struct criterion_kind *criterion_kind(enum criterion criterion);

/* Returns the score of rows with these metrics. row[rows] has their positions in the validation, or
 * is NULL for all rows. Returns NaN if they have no score, such as an area under the curve with one
 * class. */
double criterion_score(enum criterion criterion, const struct hinge_metrics *metrics,
                       const struct hinge_validation *validation, const size_t *row, size_t rows);

/* Rates the probabilities of these rows, or of all if row is NULL. Without probabilities no row is
 * rated, and the log loss is NaN. */
struct hinge_calibration rate_probabilities(const struct hinge_validation *validation,
                                            const size_t *row, size_t rows);

/* True if a score is better than another one. */
int criterion_is_better(enum criterion criterion, double score, double other);

/* True if no score can be better. */
int criterion_is_perfect(enum criterion criterion, double score);

/* Sets *mean and *deviation to the mean and the standard deviation of the folds' scores. *mean is
 * NaN if no fold has a score, *deviation if fewer than two folds have one. Takes 16 bytes for each
 * row until it returns. */
enum hinge_status criterion_of_folds(enum criterion criterion,
                                     const struct hinge_validation *validation,
                                     const struct hinge_monitor *monitor, double *mean,
                                     double *deviation, struct hinge_error *error);

/* ---- Results ------------------------------------------------------------- */

/* True if all trainings are certified. */
int search_all_certified(const struct search *search);

/* Returns the standard error of the best score, 0 if fewer than two folds have a score. */
double search_standard_error(const struct search *search);

/* Returns the predictions of the best point, and their scores. */
struct scored search_scored(const struct search *search);

/* Prints all results except the line of each C. The metrics belong to the best point. */
enum hinge_status search_report(const struct search *search, struct hinge_error *error);

/* Writes the file of --predictions. */
enum hinge_status search_write_rows(struct search *search, struct hinge_error *error);

/* Prints warnings to standard error: which part was not done, which classes are in one fold only or
 * are not recognised, and which range of C to try next. */
enum hinge_status search_warn(const struct search *search, struct hinge_error *error);

#endif
