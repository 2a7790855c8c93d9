/* train_page.h - the report of train: the data, the search or validation, the way to the model, the
 * model. */
#ifndef HINGE_CLI_TRAIN_PAGE_H
#define HINGE_CLI_TRAIN_PAGE_H

#include "base/clock.h"
#include "base/output.h"
#include "cli/names.h"
#include "cli/train_options.h"
#include "report/page.h"

struct search;

/* A measurement during the training of a model. */
struct page_point {
    size_t problem; /* from 0 */
    double seconds; /* since the training began */
    double passes;  /* over all rows */
    double gap;     /* relative; NaN for stochastic solvers */
    double primal;
    const char *method; /* NULL: coordinate descent alone */
};

/* The page, and the measurements for it. It is opened before the training, so that a name that
 * cannot be written is found at once. */
struct train_page {
    struct output output; /* stream is NULL: there is no report */
    struct page page;
    const struct names *names; /* of classes and features */
    double asked_gap; /* the relative gap that a certificate needs; 0: none was asked for */
    struct stopwatch clock;
    double next;         /* no measurement is requested before this time */
    double asked;        /* time of a request; negative: none */
    double spent;        /* by measurements that were requested */
    size_t problems;     /* of the training */
    size_t last_problem; /* of the last point */
    struct page_point *point;
    size_t count, capacity;
    struct hinge_error failed; /* memory was short for a point; HINGE_OK: for none */
};

/* Opens the page and prints what is known before the training. */
enum hinge_status train_page_begin(struct train_page *page, const struct settings *settings,
                                   const struct hinge_dataset *data, struct hinge_error *error);

/* Records measurements; this monitor's context is a struct train_page. */
enum hinge_answer train_page_watch(void *context, const struct hinge_progress *progress);

/* Adds the section about -v or -C. */
enum hinge_status train_page_search(struct train_page *page, const struct search *search,
                                    struct hinge_error *error);

/* Adds the sections about a trained model. */
enum hinge_status train_page_model(struct train_page *page, const struct hinge_model *model,
                                   struct hinge_error *error);

/* Completes the page. */
enum hinge_status train_page_commit(struct train_page *page, struct hinge_error *error);

/* Frees everything, and removes a page that was not completed. */
void train_page_end(struct train_page *page);

#endif
