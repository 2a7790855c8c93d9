/* stochastic.h - what the two stochastic engines share: samples, steps, checkpoints, stop rules.
 *
 * They minimise the averaged objective
 *
 *     F(w) = l1 |w|_1 + sigma/2 |w|^2 + 1/m sum_i v_i max(0, 1 - z_i),   sigma = 1 / sum_i C_i,
 *
 * m rows, v_i = m C_i / sum C (1 if all costs are alike, and then sigma = 1/(C m)): P(w), and the
 * l1 term, divided by sum C. Step t takes a batch A_t of k rows; those with z < 1 give the
 * subgradient of the loss, g_t = -1/k sum v_i y_i x_i; the step size is a/(sigma (t + b)).
 */
#ifndef HINGE_SOLVER_STOCHASTIC_H
#define HINGE_SOLVER_STOCHASTIC_H

#include "solver/sample.h"
#include "solver/solver.h"

struct run {
    const struct solver_task *task;
    const struct binary_problem *problem;
    size_t width; /* of w */
    double sigma;
    double weight_scale;        /* v_i = cost_i * weight_scale */
    double begin;               /* the t behind which it starts, 0 unless it starts from a model */
    double end;                 /* the last t, begin + T */
    double t;                   /* the step being taken, from begin + 1; after it, the last taken */
    enum hinge_average average; /* never HINGE_AVERAGE_DEFAULT */
    double suffix_start;        /* first t whose w_t counts in a suffix average */
    double random_step;         /* r of a random iterate */
    struct sampler sampler;
    uint32_t *batch; /* [k] rows of step t */
    double *factor;  /* [k] for the engine: what row adds; 0 if its z >= 1 */
    uint32_t k;
    struct hinge_progress progress;
    double epoch;        /* the last one that ended with a measurement for the rule of eps */
    double epoch_primal; /* what it found */
};

/* An engine: a step with run->batch, and the iterate that would be returned now, put into w. */
struct engine {
    void (*step)(struct run *run, void *state);
    void (*output)(const struct run *run, const void *state, double *w);
};

/* Everything before the first step; run_free on failure too. */
enum hinge_status run_new(struct run *run, const struct solver_task *task,
                          struct hinge_error *error);
void run_free(struct run *run);

/* Takes the steps, and fills w and result. */
void run_steps(struct run *run, const struct engine *engine, void *state, double *w,
               struct hinge_result *result);

#endif
