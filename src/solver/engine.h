/* engine.h - a second-order engine: what finishes where coordinate descent would take too long.
 *
 * It starts from any dual point, takes steps that each cost many passes, and ends in the same
 * certificate. An engine is one function and needs a good deal of memory, which it asks for at
 * once when it begins.
 */
#ifndef HINGE_SOLVER_ENGINE_H
#define HINGE_SOLVER_ENGINE_H

#include "solver/solver.h"

/* One binary problem on its way through an engine. */
struct engine_run {
    const struct solver_task *task;
    double *w;                      /* [width] on return the best point found */
    double *alpha;                  /* [rows] feasible; on return the best dual point found */
    double *combined;               /* [width] sum alpha_i y_i x_i, when measured */
    int primal_rule;                /* eps means LIBLINEAR's rule for its primal solvers */
    int broke_down;                 /* rounding errors stopped an engine */
    struct hinge_progress progress; /* carried on from where it stands */
};

/* Improves w and alpha until the task's rules are met or it cannot go on; outcome HINGE_STALLED if
 * it cannot. Where the progress tells their gap, it ends no worse. HINGE_NO_MEMORY leaves w and
 * alpha as they were. */
typedef enum hinge_status engine_function(struct engine_run *run, enum hinge_outcome *outcome,
                                          struct hinge_error *error);

engine_function newton_run, interior_point_run;

/* Whether newton_run is likely to be done from alpha = 0 before coordinate descent would be: it
 * starts at a part of the rows, and C is not small. */
int newton_comes_first(const struct solver_task *task);

/* What the steps of an engine have in common. */
struct engine_method {
    int (*solved)(void *state);        /* the rules hold for the run's w and alpha */
    int (*stalled)(const void *state); /* further steps lead nowhere */
    void (*step)(void *state);
};

/* Steps until one of the ends there are. */
enum hinge_outcome engine_iterate(struct engine_run *run, const struct engine_method *method,
                                  void *state);

/* Measures w and alpha over all rows, and notes it in the progress. */
void engine_measure(void *run);

/* z[rows] := y_i <v, x_i> */
void engine_margins(struct engine_run *run, const double *v, double *z);

/* LIBLINEAR's rule of its dual solvers for alpha and w = sum alpha_i y_i x_i. Where it holds, the
 * run has these two; else it has what it had. */
int engine_dual_rule(struct engine_run *run, const double *alpha);

/* What finishing by an engine costs, in the unit of normal.c's prices: about half a nanosecond.
 * logarithm is that of how many times too large the gap (or violation) is; support the rows with
 * alpha > 0, and nonzeros how many they have. The steps are about what the engines took on the
 * data sets of the README: 4 to 12 for the L2-loss; 10 to 40 for the L1-loss down to a gap of 1e-3,
 * three times as many down to 1e-6. To LIBLINEAR's rule they are 15 to 30, but most of them look at
 * few rows, and cost as much as 8 to 12 that look at all. */
double engine_price(const struct solver_task *task, double logarithm, double support,
                    double nonzeros);

/* Goes on with the engines for the loss, the next where one cannot. 1 if one of them came to an
 * end, which has been measured; 0, and the progress says why, if none did. */
int engines_run(struct engine_run *run, enum hinge_outcome *outcome);

/* The normal matrix that the task has kept, or a new one, or NULL and *error; and its return. */
struct normal *engine_take_normal(struct engine_run *run, struct hinge_error *error);
void engine_return_normal(struct engine_run *run, struct normal *normal);

/* A training by an engine alone. */
enum hinge_status engine_solve(const struct solver_task *task, engine_function *engine, double *w,
                               struct hinge_result *result, struct hinge_error *error);

#endif
