/* dense_run.h - problems as dense tables, the stochastic solvers at work on them, and the papers'
 * loops over them. */
#ifndef HINGE_TESTS_DENSE_RUN_H
#define HINGE_TESTS_DENSE_RUN_H

#include "solver/loop/solver.h"
#include "solver/stochastic/stochastic.h"
#include "support.h"

enum { PEGASOS = 30, SGD = 31, SGD_W = 32, SGD_SUFFIX = 33, COMID = 40, HRMD_W = 41 };
enum { SOLVERS = 6 };

extern const int solvers[SOLVERS];

int has_l1(int solver);
int has_average(int solver, enum hinge_average average);

/* Returns zeros, as calloc does, or fails the test. */
void *zeros(size_t count, size_t size);

/* ---- Random problems ---------------------------------------------------- */

/* The parameters of the draw. A share `density` of the rows has the first feature, and a 40th of
 * this share the last one. So some features are in no row, and some rest for hundreds of steps.
 * Costs are C 2^u, u uniform in -1 .. 1. */
struct dense_draft {
    uint32_t rows, features;
    double density;
    double C;
    double bias;
    double empty; /* share of rows without a feature */
    double noise; /* share of signs turned */
    uint64_t seed;
};

extern const struct dense_draft ordinary_draft;

/* A binary problem twice: as the solver sees it, and dense for the reference. */
struct dense_problem {
    struct problem problem; /* points into this struct */
    struct hinge_dataset data;
    uint32_t *index; /* data.x.index */
    double *value;   /* data.x.value */
    uint32_t *row;
    signed char *sign;
    double *cost;
    double *x; /* [rows][width] the view's rows, the bias feature last */
    size_t width;
};

struct dense_problem *dense_problem_new(const struct dense_draft *draft);
void dense_problem_free(struct dense_problem *toy);
long double total_cost(const struct dense_problem *toy);

/* Returns the problem with the l1 of the parameters. */
struct problem dense_problem_of(const struct dense_problem *toy,
                                const struct hinge_parameters *parameters);

/* ---- Solving ------------------------------------------------------------ */

struct hinge_parameters dense_parameters(int solver, uint64_t iterations);
struct hinge_result dense_solve(const struct dense_problem *toy,
                                const struct hinge_parameters *parameters,
                                const struct hinge_monitor *monitor, double *w);

/* Returns P(w) with the l1 term, from the dense table. */
long double objective_of(const struct dense_problem *toy, double l1, const double *w);

/* Makes a sampler ready. Returns the block of its arrays, which the caller frees. */
void *sampler_new(struct sampler *sampler, const struct dense_problem *toy,
                  enum hinge_sampling sampling, uint64_t seed);

/* Returns a model of random weights of about that size, some of them 0, after so many steps. */
struct hinge_model random_model(const struct dense_problem *toy, double size, double steps,
                                uint64_t seed);

/* ---- The papers' loops -------------------------------------------------- */

/* All iterates of a run; the n-th is w_t with t = begin + n. */
struct dense_run {
    uint64_t steps;
    long double begin; /* t before the first step: 0, or what a model to start from says */
    size_t width;
    long double *w;      /* [steps + 1][width] */
    long double closest; /* smallest |z - 1| that decided whether a row counts */
    double unit;         /* random number that chooses the random iterate */
};

struct dense_run dense_run_new(const struct dense_problem *toy,
                               const struct hinge_parameters *parameters);
/* Returns the n-th iterate, from 1. */
const long double *iterate_at(const struct dense_run *run, uint64_t n);

/* Returns the number of zeros of w_T+1. */
size_t zeros_at_end(const struct dense_run *run);

/* Checks every coordinate to 1e-9 of its size, or of a thousandth of the largest one, w_T+1
 * included, if that is more: a coordinate that has only just moved averages 0 except for rounding.
 */
void check_output(const struct dense_problem *toy, const struct hinge_parameters *parameters,
                  const struct dense_run *run);

/* Runs the reference, and checks all outputs that the solver has for it. Returns the run. */
struct dense_run check_outputs(const struct dense_problem *toy, struct hinge_parameters parameters);

/* The combinations of batch, bias and sampling. */
enum { VARIANTS = 8 };

struct dense_problem *variant_toy(int variant);
struct hinge_parameters variant_parameters(int solver, int variant, uint64_t iterations);

/* ---- Tests of one solver ------------------------------------------------ */

/* The solver is the test's initial state. */
#define OF_SOLVER(test, s)                                                                         \
    {                                                                                              \
#test "(solvers[" #s "])", test, NULL, NULL, (void *)&solvers[s]                           \
    }
#define OF_EACH_SOLVER(test)                                                                       \
    OF_SOLVER(test, 0), OF_SOLVER(test, 1), OF_SOLVER(test, 2), OF_SOLVER(test, 3),                \
        OF_SOLVER(test, 4), OF_SOLVER(test, 5)

#endif
