/* pairs.h - steps on pairs of rows with a free bias, and what they keep up to date.
 *
 * Rows stand at positions, the active ones first; columns->row tells which row of the problem is
 * at one. All arrays but own and points are by position.
 */
#ifndef HINGE_SOLVER_PAIRS_H
#define HINGE_SOLVER_PAIRS_H

#include "problem/bias.h"
#include "solver/columns.h"
#include "solver/solver.h"

struct pairs {
    const struct solver_task *task;
    uint32_t rows;
    uint32_t active;
    double *w;
    double *own;    /* what the task's alpha is if it has none */
    double *memory; /* what the next five and copy point into */
    double *alpha;
    double *cost;
    double *diagonal;   /* K_kk */
    double *F;          /* y_k G_k = sum_j alpha_j y_j K_kj - y_k; stale behind the active ones */
    double *F_bar;      /* y_k Gbar_k = sum over alpha_j = C_j of C_j y_j K_kj; of all rows */
    signed char *sign;  /* y_k */
    unsigned char *may; /* MAY_RISE, MAY_FALL: alpha_k y_k has room above, below */
    uint32_t *from;     /* the order to come */
    double *copy;       /* [rows] */
    struct breakpoint *points;
    struct columns *columns;
    double lowest;     /* least F of those that may rise, -m(alpha), */
    double highest;    /* largest F of those that may fall, -M(alpha): of the active rows, at the
                          last look at them */
    double dual;       /* D(alpha), kept up to date by the decreases */
    double since;      /* its decrease since F was last formed anew */
    uint64_t checked;  /* the step of the last checkpoint, */
    uint64_t computed; /* and how many products there had been */
    uint64_t next_look;
    double trust; /* measured gap / estimated gap at the last look, 0.1 .. 2 */
    int was_near; /* all rows have been taken back once as the end came near */
    int out_of_memory;
    struct hinge_progress progress;
};

enum { MAY_RISE = 1, MAY_FALL = 2 };

enum hinge_status pairs_new(struct pairs *pairs, const struct solver_task *task, double *w,
                            struct hinge_error *error);
void pairs_free(struct pairs *pairs);

/* Takes one step on the most promising pair of active rows. 0, and no step, if no pair violates the
 * conditions of optimality by more than limit, or there is no memory. */
int pairs_step(struct pairs *pairs, double limit);

/* Sets rows at a bound aside that point out of it by more than any violation; takes all back. */
void pairs_shrink(struct pairs *pairs);
void pairs_unshrink(struct pairs *pairs);

/* alpha by rows of the problem, as pairs_form_gradient or pairs_measure last left it. */
double *pairs_alpha(const struct pairs *pairs);

/* Whether the row at a position is inside its box. */
int pairs_is_free(const struct pairs *pairs, uint32_t k);

/* Looks for lowest and highest among the active rows. */
void pairs_find_extremes(struct pairs *pairs);

/* F and F_bar of all rows from nothing but alpha, free of the rounding errors of the steps. */
void pairs_form_gradient(struct pairs *pairs);

/* Measures both objectives over all rows, w formed anew and the bias the best for it; changes
 * nothing that the steps depend on. The state is the struct pairs: this is for monitor_ask. */
void pairs_measure(void *state);

#endif
