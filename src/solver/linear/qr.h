/* qr.h - a least squares problem over features whose columns may have any scale, solved by an
 * orthogonal factor.
 */
#ifndef HINGE_SOLVER_LINEAR_QR_H
#define HINGE_SOLVER_LINEAR_QR_H

#include "base/memory.h"
#include "base/stop.h"
#include "problem/sums.h"

struct qr {
    size_t width;
    double *unit;    /* [width] 1 over the length of a column; 0: the column is negligible */
    size_t *feature; /* [width] features of the columns that are not negligible, ascending */
    size_t *place;   /* [width] place of a feature in feature */
    double *length;  /* [width] room for lengths, and for products with the matrix */
    double *upper;   /* [width^2] R, by rows of the listed features */
    double *right;   /* [width] Q' times the right side, then the solution */
    double *block;   /* [width ROWS] rows of the matrix by columns, then reflectors */
    double *target;  /* [ROWS] the right side of the rows in block */
    double *rest;    /* [rows] residuals of the rows */
};

/* min over d of sum_j (d_j^2/unit_j^2 - 2 centre_j d_j) +
 * scale sum_s weight_s (y_s <x_s, d> - target_s)^2. A free bias has no square in the first sum. */
struct least_squares {
    const struct problem *problem;
    const struct shards *shards; /* of sums of [width] vectors */
    struct selection rows;
    const double *weight; /* [rows.count] */
    double scale;
    const double *target; /* [rows.count] */
    const double *centre; /* [width] */
    const double *unit;   /* [width] NULL: 1 */
    const struct stop *stop;
};

/* True if rows are so long that rounding errors of sum weight_s x_s x_s' may exceed the 1 of each
 * penalised feature, at weights up to the costs. False for a team and for rows in a file. */
int is_badly_scaled(const struct problem *problem);

/* True if the problem is badly scaled, has one margin for each row and one norm, and R has room. */
int qr_is_needed(const struct problem *problem);

/* Takes the arrays for a problem of that shape. */
void qr_lay_out(struct qr *to, struct arena *arena, const struct problem *problem);

/* Sets d[width] to the solution. False if it was stopped. */
int qr_solve(struct qr *qr, const struct least_squares *of, double *d);

#endif
