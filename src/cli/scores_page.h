/* scores_page.h - the section of a report about predictions: how good they are, where they err. */
#ifndef HINGE_CLI_SCORES_PAGE_H
#define HINGE_CLI_SCORES_PAGE_H

#include "cli/names.h"
#include "hinge_metrics.h"
#include "report/page.h"

/* The predictions of all rows, and their scores. */
struct scored {
    const struct hinge_predictions *predictions;
    const struct hinge_metrics *metrics;         /* NULL: the rows have no labels */
    const struct hinge_calibration *calibration; /* NULL: there are no probabilities */
    const struct names *names;                   /* the words of classes */
};

/* Adds the section to a page. It takes 56 bytes for each row until it returns. */
enum hinge_status scores_page(struct page *page, const struct scored *scored,
                              struct hinge_error *error);

#endif
