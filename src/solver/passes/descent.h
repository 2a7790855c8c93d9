/* descent.h - the state of coordinate descent. visits.c changes alpha and w row by row,
 * extrapolation.c moves them on in the direction of their last changes, and descent.c begins and
 * decides when to stop.
 */
#ifndef HINGE_SOLVER_PASSES_DESCENT_H
#define HINGE_SOLVER_PASSES_DESCENT_H

#include "base/random.h"
#include "problem/paged_order.h"
#include "solver/loop/method.h"
#include "solver/passes/multiplier.h"
#include "solver/passes/pass_rules.h"

/* A row of the data, in half a cache line: all that a visit needs besides alpha and the entries. In
 * a regression, a row of the data is two rows of the problem with opposite signs. They share all
 * fields except the sign, which is the first row's. */
struct row {
    double curvature; /* curvature of D along alpha_i */
    double scale;     /* see loss_scale */
    size_t start;     /* first entry of the row in the dataset */
    uint32_t length;  /* number of entries */
    signed char sign; /* y_i */
};

/* Values of skip[] besides the number of passes that the row was skipped in after its last visit.
 */
enum { SHRUNK = MOST_SKIP + 1, SOLVED /* has no feature: solved at the beginning */ };

/* The skipped rows, in a bucket for each of the coming passes. Taking out the rows of a pass takes
 * time only for these rows, however many others wait. */
enum { BUCKETS = MOST_SKIP + 1, CHUNK_ROWS = 62 };

struct chunk {
    uint32_t next; /* chunk of the same bucket, or free chunk; 0: none */
    uint32_t count;
    uint32_t row[CHUNK_ROWS];
};

struct queue {
    struct chunk *chunk;     /* numbered from 1 */
    uint32_t first[BUCKETS]; /* a bucket's first chunk, the only one that may have room; 0: none */
    double gap[BUCKETS];     /* sum of the gap terms of a bucket's rows */
    uint32_t free;           /* first chunk that was given back; 0: none */
    uint32_t fresh;          /* chunks from this number on were never used */
};

/* The findings of one pass or full scan. */
struct pass {
    double largest;  /* largest violation */
    double smallest; /* smallest violation */
    double total;    /* for regression, sum of all |violations|; else 0 */
    double gap;      /* sum of the gap terms of rows that are not shrunk, at their last visits */
    double decrease; /* decrease of D */
    uint32_t visits; /* visits to rows of the data */
    int full;        /* every row that violates the KKT conditions was visited */
};

/* When to measure the gap and when to stop. */
struct stopping {
    uint64_t begun;       /* passes before this method's first */
    int may_part;         /* the certificate may take a dual point other than w's own */
    double left_fraction; /* fraction of the gap that the last other dual point would have left */
    int left_margins;     /* a scan since the last pass left margins in extrapolation_room */
    double correction;    /* measured gap / estimate, 0.1 .. 10 */
    uint64_t next_check;  /* measure after this number of visits whatever the estimate */
    unsigned stalls;      /* successive passes over all rows that changed nothing but rounding */
    double distance;      /* logarithm of gap/target after the last pass */
    double most_distance; /* most that the training's distance may be: the distance before the last
                             extrapolation, because the estimate rises for a while after one */
};

/* A point that alpha and w have left. */
struct left_point {
    double *w;     /* [width] sum alpha_i y_i x_i */
    double *alpha; /* [rows] */
    int is_set;
};

struct extrapolation {
    struct left_point last;   /* after the last extrapolation; w NULL: the problem allows none */
    struct left_point before; /* after the extrapolation before the last */
    struct left_point better; /* a better dual point than alpha; w NULL: the loss is not smooth */
    uint64_t next_pass;       /* extrapolate before this pass at the earliest */
    double next_spent; /* extrapolate when the training has spent this cost at the earliest */
};

struct descent {
    struct training *training;
    const struct problem *problem;
    double *w;
    double *v; /* [width] sum alpha_i y_i x_i where w is soft(v, l1); NULL: w is that sum */
    double *alpha;
    uint64_t alpha_version; /* the training's alpha_version at the last step */
    uint32_t count;         /* rows of the data */
    uint32_t candidates;    /* rows with a feature */
    uint32_t active;        /* candidates that are not shrunk */
    double mean_length;     /* entries of a candidate */
    struct row *rows;       /* [count]; NULL: rows are in a file and are formed at each visit */
    unsigned char *skip;    /* [count] passes skipped after the last visit, SHRUNK or SOLVED */
    double *z;              /* [problem->rows] margins of a full scan; shares memory with next */
    uint32_t *next;         /* [count] rows of the coming pass that do not wait in the queue */
    uint32_t next_count;
    struct queue queue;
    struct random_state random;
    struct paged_order order;
    double above;       /* shrink a row at 0 if its gradient is larger */
    double below;       /* shrink a row at its upper bound if its gradient is smaller */
    double little;      /* skip a row if its violation is smaller */
    unsigned most_skip; /* present limit of the passes that a row is skipped in */
    struct pass pass;   /* the last one */
    struct stopping stopping;
    struct multiplier multiplier; /* for a free bias */
    struct extrapolation extrapolation;
};

/* ---- The visits (visits.c) ---------------------------------------------- */

/* Takes the arrays of the rows, their queue and their order from the arena. */
void visits_lay_out(struct descent *descent, struct arena *arena, const struct training *training);

/* Forms all rows. The margin of a row without a feature is 0, so its dual numbers are known. */
void visits_begin(struct descent *descent);

/* Takes back all shrunk and skipped rows. */
void visits_reopen(struct descent *descent);

/* Moves all skipped rows to the next pass. */
void visits_take_skipped(struct descent *descent);

/* Takes a step of coordinate descent: an extrapolation, if it is time, and a pass, which minimises
 * D along the dual variables of each of its rows in turn. */
void visits_pass(void *state);

/* Examines all rows and changes no alpha. The violations and the gap of all rows at the present w
 * replace the findings of the last pass. The next pass gets the rows that violate the KKT
 * conditions. If this may be the end of the training (certifying), the scan is also the last
 * measurement: w is formed anew first, and its margins serve both. Not so with a free bias, where
 * the training would return another point. */
void visits_scan(struct descent *descent, int certifying);

/* ---- Extrapolations (extrapolation.c) ----------------------------------- */

/* Takes the points from the arena, or none if the problem allows no extrapolation. */
void extrapolation_lay_out(struct extrapolation *to, struct arena *arena,
                           const struct training *training);

/* Moves the training's alpha and w = sum alpha_i y_i x_i, if it is time and D falls. Returns 1 if
 * they moved. Must be called before a pass. */
int extrapolate(struct extrapolation *state, struct training *training);

/* Measures P, D and the gap with w formed anew. Leaves the margins of w in z, unless z is NULL. */
void extrapolation_certify(struct descent *descent, double *z);

/* Returns the array [problem->rows] in which margins of w are left for a dual point apart from w;
 * NULL if they are not needed. */
double *extrapolation_room(const struct descent *descent);

/* True if a point that can be returned meets the target: w with a dual point apart from w, or w
 * formed anew with its own dual point. In the first case, w need not be formed anew. */
int extrapolation_is_certified(struct descent *descent, double target);

#endif
