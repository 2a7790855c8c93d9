/* search.h - what the parts of cross-validation share: validate.c, the values of C and epsilon
 * (search_points.c), their results (search_report.c), and a training for each (search_path.c).
 */
#ifndef HINGE_CLI_SEARCH_H
#define HINGE_CLI_SEARCH_H

#include "base/output.h"
#include "cli/validate.h"
#include "hinge_metrics.h"
#include "solver/loop/parameters.h"

/* A value of C, of a regression with an epsilon: its score, and with --path the result of training
 * on all rows. */
struct path_point {
    double epsilon;
    int rated; /* it has been validated with all folds, or as many as were complete: */
    double score;
    double deviation; /* over the folds; NaN of fewer than two */
    double accuracy;
    double primal; /* sum over the binary problems, like the next one */
    double dual;
    double gap; /* the largest of the binary problems */
    size_t nonzeros;
    uint64_t passes;
    double seconds;
    struct hinge_residuals residuals; /* of a regression */
};

/* -v has one C, -C several, of a regression for each epsilon one after the other. */
struct search {
    const struct settings *settings;
    const struct hinge_dataset *data;
    const struct groups *groups; /* of --folds */
    int named;                   /* each of these with a row that does not weigh 0 is a fold */
    struct hinge_parameters parameters; /* with the epsilon of the present part of the points */
    const struct hinge_monitor *monitor;
    struct progress_watch *progress;
    int regression;
    size_t folds;
    size_t count;
    size_t first, end;                   /* the points of an epsilon */
    double *C;                           /* [count] ascending for each epsilon */
    struct hinge_validation *validation; /* [count] */
    struct path_point *point;            /* [count] */
    struct output output;                /* of --path */
    struct output rows;                  /* of --predictions */
    size_t rated;                        /* points */
    unsigned settled;              /* C in succession whose solution is one for the next C, too */
    size_t best;                   /* of these */
    struct hinge_metrics *metrics; /* of the best one */
    int uncertified;               /* at least one training of --path is not certified */
    int stopped;                   /* by the limit of time, or an interrupt: */
    int interrupted;               /* which ends --path, too */
};

/* What there is before any training. Like LIBLINEAR: with fewer rows, or groups of rows, than folds
 * each is a fold. */
enum hinge_status search_count_folds(struct search *search, struct hinge_error *error);

/* Has any row the label of --positive? */
enum hinge_status search_check_positive(const struct search *search, struct hinge_error *error);

/* Before any training of -C: can the data be trained on, and are there two classes if the criterion
 * is the area under the curve? */
enum hinge_status search_check_classes(const struct search *search, struct hinge_error *error);

/* The points: of -v the C of the parameters. */
enum hinge_status search_choose(struct search *search, struct hinge_error *error);

/* The points of the next epsilon; 0: there are no more. To begin with, the last one ends at 0. */
int search_next_epsilon(struct search *search);

/* Trains on all rows for each point that has a score, and writes the file of --path. */
enum hinge_status search_write_path(struct search *search, struct hinge_error *error);

/* Whether all trainings are. */
int search_all_certified(const struct search *search);

/* All results but the rates; the metrics are those of the best C. */
enum hinge_status search_report(const struct search *search, struct hinge_error *error);

/* The file of --predictions. */
enum hinge_status search_write_rows(struct search *search, struct hinge_error *error);

/* Says on standard error what was not done. */
void search_warn(const struct search *search);

#endif
