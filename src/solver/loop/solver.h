/* solver.h - the solvers, as the rest of the program sees them: a row in registry.c for each, and a
 * training of one problem.
 *
 * A training minimises P over w and proves by a dual point how far it got. It never prints; its
 * monitors are its only view of the outside.
 */
#ifndef HINGE_SOLVER_LOOP_SOLVER_H
#define HINGE_SOLVER_LOOP_SOLVER_H

#include "problem/certificate.h"
#include "solver/loop/parameters.h"
#include "solver/loop/workspace.h"

/* Step sizes and averages of a stochastic solver: w := (1 - eta sigma) w - eta g,
 * eta = step/(sigma (t + shift)). A proximal step without l1 is w := (w - eta' g)/(1 + sigma eta'),
 * eta' = step/(sigma t); that is the same step with shift = step. */
struct schedule {
    double step;
    double shift;
    int projection;             /* onto |w| <= 1/sqrt(sigma) */
    enum hinge_average average; /* the default */
    double later;               /* a weighted average has the weights t + later */
};

/* The method that a solver begins with. Only policy.c refers to the functions of methods, so that a
 * program that does not train is linked without them. */
enum first_method {
    METHOD_COORDINATE_DESCENT,
    METHOD_SEQUENTIAL_DUAL,
    METHOD_SMO,
    METHOD_NEWTON,
    METHOD_INTERIOR_POINT,
    METHOD_PROXIMAL_NEWTON,
    METHOD_SOFTMAX,
    METHOD_SGD,
    METHOD_PROXIMAL
};

struct solver {
    struct hinge_solver info;
    struct schedule schedule; /* for stochastic solvers */
    enum first_method method;
    enum loss loss;
    int primal_rule; /* eps means LIBLINEAR's rule for its primal solvers */
    int of_two;      /* number of the solver that trains two classes of a joint solver, by signs */
};

/* Returns the solver with that number, or NULL. */
const struct solver *solver_find(int number);

/* Returns the solver with that name of length characters, or NULL. */
const struct solver *solver_named(const char *name, size_t length);

/* Returns the solver whose number or name is the text, or NULL. */
const struct solver *solver_called(const char *text);

/* Writes the numbers and names of all solvers, for a message. */
void solver_list(char *list, size_t size);

/* The words for the values of enum hinge_sampling and of enum hinge_average; the last is NULL. */
extern const char *const sampling_words[], *const average_words[];

/* True if R is |w|_1. */
static inline int solver_is_only_l1(const struct solver *solver)
{
    return solver->info.l1 == 2;
}

/* True if the solver's model gives the probabilities of all classes at once. */
static inline int solver_is_softmax(const struct solver *solver)
{
    return solver->info.joint && loss_is_curved(solver->loss);
}

/* True if a team can train by the solver: by Newton's method, whose passes are sums over rows. */
int solver_teams(const struct solver *solver);

/* True if the solver visits rows in an order in which they can be read from a file. */
int solver_streams(const struct solver *solver);

/* The end of a training whose R is |w|_1, besides its w and alpha. It serves a later training whose
 * costs are all the same multiple of the costs here. */
struct last_point {
    double C;          /* 0: nothing is known */
    double losses;     /* sum C_i phi(s_i) at w */
    double *margin;    /* [rows] z_i */
    double *slope;     /* [rows] C_i phi'(s_i) */
    double *curvature; /* [rows] C_i phi''(s_i) */
    double *v;         /* [width] sum alpha_i y_i x_i */
};

/* A training to be done. */
struct task {
    const struct problem *problem;
    const struct solver *solver;
    const struct hinge_parameters *parameters; /* all except C, lambda and threads */
    const struct hinge_monitor *monitor;       /* NULL: none */
    unsigned threads;                          /* threads that share a sum; 0 means 1 */

    /* Shown to monitors. */
    size_t fold;
    size_t folds;
    size_t position; /* number of this problem among the problems */
    size_t problems;
    double positive;     /* label of the rows with sign +1 */
    const double *label; /* [problem->classes] labels of all classes; NULL without classes */

    double bias;         /* a free bias starts from this value, except if w has a start */
    const double *start; /* [width] w to start from, for solvers that can; NULL: 0 */
    double *alpha; /* [problem_duals] a dual solver starts from this feasible point, and leaves the
                      dual point of its certificate here; other solvers do not read it */
    struct last_point *last; /* end of the training that returned start and alpha; becomes the end
                                of this training; NULL: not wanted */
    double *w;               /* [width] becomes the weights */
    double *mu;              /* becomes the training's mu at its end; NULL: not wanted */
    struct workspace *workspace;

    /* Largest row norm of rows that include the problem's rows; NULL: unknown. */
    struct max_row_norm *max_row_norm;
};

/* Returns the relative gap that "certified" means. */
static inline double certified_gap(const struct hinge_parameters *parameters)
{
    return parameters->relative_gap > 0 ? parameters->relative_gap : HINGE_DEFAULT_GAP;
}

/* Trains: fills in w, *result and, for a dual solver, alpha. If P(0) is not finite,
 * it does not train: result->primal is HUGE_VAL, and w has no meaning. On failure (HINGE_NO_MEMORY;
 * with rows in a file also HINGE_FILE_ERROR), none of them has a meaning. */
enum hinge_status solver_train(const struct task *task, struct hinge_result *result,
                               struct hinge_error *error);

/* True if a monitor ended the training, or did not let it begin. */
static inline int outcome_is_stop(enum hinge_outcome outcome)
{
    return outcome == HINGE_INTERRUPTED || outcome == HINGE_TIME_LIMIT ||
           outcome == HINGE_NOT_BEGUN;
}

/* Returns the progress of a task that has not begun. */
struct hinge_progress progress_new(const struct task *task);

/* Returns the result of a training that ends with that progress. */
struct hinge_result progress_result(const struct hinge_progress *progress,
                                    enum hinge_outcome outcome);

/* Asks the monitors and returns the strongest answer. Monitors with HINGE_MODEL see the progress of
 * the point that would be returned now. If between, only the monitors with HINGE_BETWEEN are asked.
 * No other thread may ask them at the same time. */
enum hinge_answer monitors_answer(const struct hinge_monitor *monitor,
                                  const struct hinge_progress *progress,
                                  const struct hinge_progress *returned, int between);

/* Asks the monitors about a task that is not trained, and returns their answer. In a team, the
 * first rank's monitors answer for all ranks. */
enum hinge_answer monitor_ask(const struct hinge_monitor *monitor,
                              const struct hinge_progress *progress, struct team *team);

/* Returns the t of the step sizes after which a stochastic solver starts: 0, or the last t of the
 * initial model. If the latter is unknown, returns the number of steps of the training itself. */
double stochastic_begin(const struct hinge_parameters *parameters, double rows);

/* Returns the kind of the constant feature of a solver's problems. */
enum bias_kind solver_bias_kind(const struct solver *solver,
                                const struct hinge_parameters *parameters);

/* Returns the value of the constant feature; -1: there is none. */
double solver_bias(const struct solver *solver, const struct hinge_parameters *parameters);

#endif
