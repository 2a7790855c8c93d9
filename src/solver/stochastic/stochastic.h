/* stochastic.h - samples, steps, checkpoints and stop rules of both stochastic methods.
 *
 * Both methods minimise the averaged objective
 *
 *     F(w) = sigma P(w) = l1 |w|_1 + sigma/2 |w|^2 + 1/m sum_i v_i phi(z_i),   sigma = 1 / sum C_i,
 *
 * with m rows and v_i = m C_i / sum C. If all costs are equal, v_i = 1 and sigma = 1/(C m). The l1
 * of the problem is this l1 over sigma. Step t takes a batch A_t of k rows, whose losses have the
 * subgradient g_t = 1/k sum v_i phi'(z_i) y_i x_i. The step size is a/(sigma (t + b)).
 */
#ifndef HINGE_SOLVER_STOCHASTIC_STOCHASTIC_H
#define HINGE_SOLVER_STOCHASTIC_STOCHASTIC_H

#include "base/random.h"
#include "problem/paged_order.h"
#include "solver/loop/method.h"

/* ---- Samples ------------------------------------------------------------ */

enum { SAMPLES_AHEAD = 16 }; /* a power of 2 */

/* Draws rows either independently, as in the papers, or all in a fresh order each epoch: blocks of
 * rows in a random order, with the rows of a block as they are. Rows are drawn SAMPLES_AHEAD draws
 * early, so that they can be prefetched. */
struct sampler {
    const struct problem *problem;
    int is_fetching; /* rows are prefetched */
    struct random_state random;
    uint32_t *order;               /* [blocks] order of this epoch; NULL: independent rows */
    uint32_t blocks;               /* number of blocks */
    uint32_t size;                 /* rows of a block; the last block may have fewer */
    uint32_t position;             /* place of the next block in order */
    uint32_t row, end;             /* rows of the present block that are left */
    uint32_t drawn[SAMPLES_AHEAD]; /* ring of rows to come */
    uint32_t next;                 /* place in the ring */
    struct paged_order paged;      /* shuffles blocks of rows in a file */
};

/* Takes the sampler's arrays from the arena. */
void sampler_lay_out(struct sampler *sampler, struct arena *arena, const struct problem *problem,
                     enum hinge_sampling sampling);

/* Prepares to draw from all rows of the problem, of which there must be at least one. */
void sampler_begin(struct sampler *sampler, uint64_t seed);

/* Returns the next row of the problem. */
uint32_t sampler_next(struct sampler *sampler);

/* ---- A run of steps ----------------------------------------------------- */

/* The first member of a method's state. */
struct stochastic {
    void (*take)(void *state);                    /* takes step t with the batch */
    void (*output)(const void *state, double *w); /* writes the iterate to be returned now */

    struct training *training;
    const struct problem *problem;
    const struct schedule *schedule;
    size_t width;
    double sigma;
    double weight_scale;        /* v_i = cost_i * weight_scale */
    double begin;               /* the t before the first step; 0 without an initial model */
    double end;                 /* last t, begin + T */
    double t;                   /* step being taken, from begin + 1; between steps the last one */
    enum hinge_average average; /* never HINGE_AVERAGE_DEFAULT */
    double suffix_start;        /* first t whose w_t counts in a suffix average */
    double random_step;         /* r of a random iterate w_r */
    struct sampler sampler;
    uint32_t *batch;     /* [k] rows of step t */
    double *factor;      /* [k] multiple of the row that the step adds; 0: its loss is flat */
    uint32_t k;          /* rows of a batch */
    double epoch;        /* last epoch that was measured for the rule of eps */
    double epoch_primal; /* P at the end of that epoch */
};

/* Returns the kind of average, never HINGE_AVERAGE_DEFAULT. */
enum hinge_average stochastic_average(const struct training *training);

/* Takes the arrays of a run from the arena. */
void stochastic_lay_out(struct stochastic *run, struct arena *arena,
                        const struct training *training);

/* Prepares the first step. */
void stochastic_set_up(struct stochastic *run, struct training *training);

/* Step, stop rule and measuring of both methods. */
void stochastic_step(void *state);
enum verdict stochastic_met(void *state);
void stochastic_measure(void *state);

#endif
