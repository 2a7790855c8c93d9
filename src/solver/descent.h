/* descent.h - passes of coordinate descent over the dual, and what they keep up to date. */
#ifndef HINGE_SOLVER_DESCENT_H
#define HINGE_SOLVER_DESCENT_H

#include "base/random.h"
#include "solver/calendar.h"
#include "solver/solver.h"

/* All that a visit to a row needs but its non-zeros, in one place in memory. */
struct row {
    double alpha;     /* 0 <= alpha <= U_i */
    double curvature; /* Qbar_ii */
    double limit;     /* U_i = C_i with the L1-loss, d_i = 1 / (2 C_i) with the L2-loss */
    size_t start;     /* of the non-zeros in the dataset */
    uint32_t length;
    signed char sign;   /* y_i */
    unsigned char rest; /* how many passes it was left out after its last visit; ASIDE, CLOSED */
};

/* A row's rest at most; it is set aside; it has no feature and was solved from the start. */
enum { MOST_REST = DAYS - 1, ASIDE, CLOSED };

/* What one pass over the active rows that were due found. */
struct pass {
    double largest;  /* projected gradient */
    double smallest; /* projected gradient */
    double gap;      /* sum of the active rows' terms, each at the time of its last visit */
    double decrease; /* of the dual */
    uint32_t visits; /* rows that were due */
    int full;        /* these were all that a look at all rows did not find right where they are */
};

struct descent {
    const struct solver_task *task;
    const struct hinge_dataset *data;
    double *w;
    struct row *rows;         /* [problem rows] */
    double *own;              /* what alpha is if the task has none */
    double *alpha;            /* [problem rows] copy of the rows' alpha, to measure with */
    uint32_t *due;            /* [problem rows] the active rows of the coming pass, */
    uint32_t awake;           /* so many of them: those that the last one did not leave out; */
    struct calendar calendar; /* the other ones, by passes, */
    double waiting[DAYS];     /* and the sums of their gap terms */
    uint32_t open;            /* rows with a feature: the others are solved from the start */
    uint32_t active;          /* of these, not set aside */
    size_t nonzeros;          /* of all rows */
    double above;             /* set a row at 0 aside when its gradient is larger */
    double below;             /* set a row at U aside when its gradient is smaller */
    double little;      /* leave a row out for a while when its projected gradient is smaller, */
    unsigned most_rest; /* of no more passes than this, at present: 2^k - 1 */
    struct random_state random;
    struct pass pass; /* the last one */
    double dual;      /* D(alpha), kept up to date by the decreases */
    struct hinge_progress progress;
    int certified; /* measured since the last pass, for w formed anew */
};

/* Begins at the task's alpha, paused: without what only passes need, most of its memory.
 * descent_free on failure too. */
enum hinge_status descent_new(struct descent *descent, const struct solver_task *task, double *w,
                              struct hinge_error *error);
void descent_free(struct descent *descent);

/* Whether no alpha is above 0. */
int descent_is_at_zero(const struct descent *descent);

/* Sets up what passes need, from alpha as it is, and gives it up again. */
enum hinge_status descent_resume(struct descent *descent, struct hinge_error *error);
void descent_pause(struct descent *descent);

/* One pass over the active rows that are due. */
void descent_pass(struct descent *descent);

/* Looks at all rows, in the order of memory and changing no alpha, for a fraction of the price of a
 * pass: the largest and smallest projected gradient and the gap of the last pass are then those of
 * all rows at the present w, and due in the next one are the rows that are not right where they
 * are. */
void descent_survey(struct descent *descent);

/* Makes all active rows due. */
void descent_wake(struct descent *descent);

/* Takes back all rows that were set aside, and makes all due. */
void descent_reopen(struct descent *descent);

/* The rows' alpha -> alpha, nothing while paused; and back, w being known. */
void descent_copy_alpha(struct descent *descent);
void descent_take_alpha(struct descent *descent);

/* Measures both objectives over all rows; changes nothing that the iterates depend on. The state
 * is the struct descent: this is for monitor_ask. */
void descent_measure(void *state);

/* The same for w formed anew from alpha, free of the rounding errors of the steps. */
void descent_certify(struct descent *descent);

#endif
