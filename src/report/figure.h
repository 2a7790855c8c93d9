/* figure.h - pictures of a report: curves, points, areas and bars over two axes, in SVG. */
#ifndef HINGE_REPORT_FIGURE_H
#define HINGE_REPORT_FIGURE_H

#include <stddef.h>

#include "report/page.h"

enum mark {
    MARK_LINE,
    MARK_POINTS,
    MARK_STEPS, /* a histogram: y[k] from x[k] to x[k + 1]; x has count + 1 values */
    MARK_BAND   /* the area from low[k] to y[k] */
};

/* A value that is not finite, or is not positive on a logarithmic axis, is left out. */
struct series {
    const char *name; /* name in the legend */
    enum mark mark;
    size_t count;
    const double *x, *y;
    const double *low; /* lower edge of a MARK_BAND */
};

struct axis {
    const char *label; /* label with the unit */
    int is_log;
    int has_zero; /* begins at 0 if all values are positive */
};

/* A vertical line with a name, such as the choice that was made. */
struct rule {
    double x;
    const char *name;
};

struct figure {
    const char *title;   /* says what is seen */
    const char *reading; /* a sentence on how to read it */
    struct axis x, y;
    const struct series *series;
    size_t series_count;
    const struct rule *rule;
    size_t rule_count;
    int has_diagonal; /* the line y = x */
};

/* A picture draws at most FIGURE_POINTS points of a series, and the table beneath lists at most
 * FIGURE_TABLE_ROWS. The points left out are neither first nor last nor extreme among their
 * neighbours. */
enum { FIGURE_POINTS = 2000, FIGURE_TABLE_ROWS = 200 };

void page_figure(struct page *page, const struct figure *figure);

/* Horizontal bars from 0, each with a name, in the given order. */
struct bars {
    const char *title;
    const char *reading;
    const char *name_label, *value_label;
    size_t count;
    const char *const *name;
    const double *value;
    const unsigned char
        *is_bound; /* [count] the true value is larger, which an arrow shows; NULL: none is */
};
void page_bars(struct page *page, const struct bars *bars);

#endif
