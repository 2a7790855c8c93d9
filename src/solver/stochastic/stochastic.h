/* stochastic.h - what the two stochastic methods share: samples, steps, checkpoints, stop rules.
 *
 * They minimise the averaged objective
 *
 *     F(w) = sigma P(w) = l1 |w|_1 + sigma/2 |w|^2 + 1/m sum_i v_i phi(z_i),   sigma = 1 / sum C_i,
 *
 * m rows, v_i = m C_i / sum C (1 if all costs are alike, and then sigma = 1/(C m)); the l1 of the
 * problem is that l1 over sigma. Step t takes a batch A_t of k rows, whose losses have the
 * subgradient g_t = 1/k sum v_i phi'(z_i) y_i x_i; the step size is a/(sigma (t + b)).
 */
#ifndef HINGE_SOLVER_STOCHASTIC_STOCHASTIC_H
#define HINGE_SOLVER_STOCHASTIC_STOCHASTIC_H

#include "solver/loop/method.h"
#include "solver/stochastic/sample.h"

/* The first member of a method's state. */
struct stochastic {
    void (*take)(void *state);                    /* step t, with the batch */
    void (*output)(const void *state, double *w); /* the iterate that would be returned now */

    struct training *training;
    const struct problem *problem;
    const struct schedule *schedule;
    size_t width; /* of w */
    double sigma;
    double weight_scale;        /* v_i = cost_i * weight_scale */
    double begin;               /* the t after which it starts, 0 unless it starts from a model */
    double end;                 /* the last t, begin + T */
    double t;                   /* the step being taken, from begin + 1; after it, the last taken */
    enum hinge_average average; /* never HINGE_AVERAGE_DEFAULT */
    double suffix_start;        /* first t whose w_t counts in a suffix average */
    double random_step;         /* r of a random iterate */
    struct sampler sampler;
    uint32_t *batch; /* [k] rows of step t */
    double *factor;  /* [k] for the method: what row adds; 0 if its loss is flat */
    uint32_t k;
    double epoch;        /* the last one that ended with a measurement for the rule of eps */
    double epoch_primal; /* what it found */
};

/* Which iterates count. */
enum hinge_average stochastic_average(const struct training *training);

/* Takes the arrays from the arena. */
void stochastic_lay_out(struct stochastic *run, struct arena *arena,
                        const struct training *training);

/* Everything before the first step. */
void stochastic_set_up(struct stochastic *run, struct training *training);

/* Step, stop rule and measuring of both methods. */
void stochastic_step(void *state);
enum verdict stochastic_met(void *state);
void stochastic_measure(void *state);

#endif
