/* coordinate_descent.h - what coordinate_descent.c and its stop rules share. */
#ifndef HINGE_SOLVER_PASSES_COORDINATE_DESCENT_H
#define HINGE_SOLVER_PASSES_COORDINATE_DESCENT_H

#include "base/random.h"
#include "solver/loop/multiplier.h"
#include "solver/passes/bucket_queue.h"
#include "solver/passes/extrapolation.h"
#include "solver/passes/paged_order.h"

/* All that a visit to a row needs but alpha and the non-zeros: half a cache line. Both rows that a
 * row of a regression is have all of it in common but the sign, of which y_i is the first one's. */
struct row {
    double curvature;   /* of D along alpha_i */
    double scale;       /* see loss_scale */
    size_t start;       /* of the non-zeros in the dataset */
    uint32_t length;    /* how many they are */
    signed char sign;   /* y_i */
    unsigned char skip; /* passes that it was skipped in after its last visit; or SHRUNK, SOLVED */
};

enum { SHRUNK = MOST_SKIP + 1, SOLVED /* without a feature: solved from the start */ };

enum { MOST_VIEWS = 2 }; /* rows of the problem that a row of the data is */

/* What one pass found. */
struct pass {
    double largest;  /* violation */
    double smallest; /* violation */
    double total;    /* of a regression, the sum of all violations */
    double gap;      /* sum of the gap terms of rows that are not shrunk, each of its last visit */
    double decrease; /* of the dual */
    uint32_t visits; /* to rows of the data */
    int full;        /* every row that violates the KKT conditions was visited */
};

struct descent {
    struct multiplier multiplier; /* of a free bias */
    struct training *training;
    const struct problem *problem;
    double *w;
    double *v; /* [width] sum alpha_i y_i x_i where w is soft(v, l1); NULL: w is that sum */
    double *alpha;
    uint32_t count;      /* of rows of the data */
    struct row *rows;    /* [count]; NULL: the rows are in a file, each is formed anew, */
    unsigned char *skip; /* [count] but for this */
    double *z;           /* [problem->rows] margins of a full scan, */
    int left_margins;    /* a full scan since the last pass left them to the extrapolation */
    uint32_t *next;      /* [count] in the same memory: the rows to visit in the coming pass, */
    uint32_t next_count; /* but for those that leave the queue then */
    struct bucket_queue queue;   /* the skipped rows, by pass, */
    double skipped_gap[BUCKETS]; /* and the sums of their gap terms */
    uint32_t candidates;         /* rows with a feature */
    uint32_t active;             /* of these, not shrunk */
    double mean_length;          /* of these, in non-zeros */
    double above;                /* shrink a row at 0 when its gradient is larger */
    double below;                /* shrink a row at its upper bound when its gradient is smaller */
    double little;               /* skip a row for a while when its violation is smaller, */
    unsigned most_skip;          /* in no more passes than this, at present */
    struct random_state random;
    struct paged_order order; /* of rows that are not all in memory */
    struct extrapolation extrapolation;
    uint64_t begun;       /* after so many passes */
    struct pass pass;     /* the last one */
    uint64_t more_visits; /* of the last pass, to rows that had to be read for it */
    uint64_t moves;       /* the training's, when alpha and w were last known */
    unsigned stalls;      /* passes over all rows that changed next to nothing, in a row */
    double correction;    /* measured gap / estimated gap when it was last measured, 0.1 .. 10 */
    double part;          /* of the gap, that a better dual point would have left */
    double distance;      /* ln(gap/target) after the last pass */
    double most;          /* limit of the training's distance: that before the last extrapolation,
                             after which the estimate rises for a while */
    uint64_t next_check;  /* measure the gap after so many visits, whatever the estimate */
};

/* Takes back all shrunk and skipped rows. */
void descent_reopen(struct descent *descent);

/* Takes all skipped rows into the next pass. */
void descent_take_all(struct descent *descent);

/* Examines all rows and changes no alpha: largest, smallest and gap of the last pass are then those
 * of all rows at the present w, and the next pass has the rows that violate the KKT conditions. Or,
 * certifying, those of w formed anew, with its objective; what passes with a free bias would return
 * is another point. */
void descent_scan(struct descent *descent, int certifying);

/* Measures with w formed anew, which a full scan that leaves its margins does not. */
void descent_certify(struct descent *descent, double *z);

/* Replaces the margins in to[rows] by the dual variables to which each coordinate step leads, taken
 * alone. Returns the slope of D in the direction from there to alpha. */
double descent_find_steps(const struct descent *descent, double *to);

/* Where a measurement is to leave the margins of w for that; NULL: it is not. */
double *descent_margins(const struct descent *descent);

/* The stop rules. */
enum verdict descent_met(void *state);

#endif
