/* solver.h - what the solvers are to the rest of the program: a training of one problem, and a row
 * in registry.c for each solver.
 *
 * A training minimises P over w and proves with a dual point how far it got. It never prints, and
 * knows the world only through its monitor.
 */
#ifndef HINGE_SOLVER_LOOP_SOLVER_H
#define HINGE_SOLVER_LOOP_SOLVER_H

#include "problem/certificate.h"
#include "solver/loop/workspace.h"

/* What tells the stochastic solvers apart: w := (1 - eta sigma) w - eta g,
 * eta = step/(sigma (t + shift)). A proximal step without l1 is w := (w - eta' g)/(1 + sigma eta'),
 * eta' = step/(sigma t), which is the same with shift = step. */
struct schedule {
    double step;
    double shift;
    int projection;             /* onto |w| <= 1/sqrt(sigma) */
    enum hinge_average average; /* by default */
    double later;               /* weights of a weighted average are t + later */
};

/* The method that a solver begins with. Only policy.c refers to the methods' functions, so that a
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
    struct schedule schedule; /* of a stochastic solver */
    enum first_method method;
    enum loss loss;
    int primal_rule; /* eps means LIBLINEAR's rule for its primal solvers */
    int of_two; /* of a joint solver: the number of the one for two classes, see joint_as_binary.c
                 */
};

/* The solver of that number, or NULL. */
const struct solver *solver_find(int number);

/* The solver of that name, or NULL; and that of a text which is its number or its name. */
const struct solver *solver_named(const char *name, size_t length);
const struct solver *solver_called(const char *text);

/* The words for the values of enum hinge_sampling, and of enum hinge_average, ended by NULL. */
extern const char *const sampling_words[], *const average_words[];

/* Whether R is |w|_1. */
static inline int solver_is_only_l1(const struct solver *solver)
{
    return solver->info.l1 == 2;
}

/* What records call Newton's method for its loss. */
static inline const char *solver_newton(const struct solver *solver)
{
    return loss_is_smooth(solver->loss) ? "newton" : "pnewton";
}

/* Whether its model gives the probabilities of all classes at once. */
static inline int solver_is_softmax(const struct solver *solver)
{
    return solver->info.joint && loss_is_curved(solver->loss);
}

/* Whether a team can train by it: by Newton's method, whose passes are sums over rows. */
int solver_teams(const struct solver *solver);

/* Whether it goes through the rows in an order in which they can be read from a file. */
int solver_streams(const struct solver *solver);

/* What a training whose R is |w|_1 ended with, for the next C, where the costs are all the same
 * multiple of what they were: its task's w and alpha, too. */
struct last_point {
    double C;          /* 0: nothing is known */
    double losses;     /* sum C_i phi(s_i) at w, */
    double *margin;    /* [rows] and z_i, */
    double *slope;     /* [rows] C_i phi'(s_i), */
    double *curvature; /* [rows] C_i phi''(s_i) */
    double *v;         /* [width] sum alpha_i y_i x_i */
    double C_before;   /* of the training before; 0: there was none; */
    double *w_before;  /* [width] and what it ended with */
};

/* What a training is asked for. */
struct task {
    const struct problem *problem;
    const struct solver *solver;
    const struct hinge_parameters *parameters; /* C is that of this training */
    const struct hinge_monitor *monitor;       /* or NULL */
    size_t fold;                               /* for the monitor, like the next five */
    size_t folds;
    size_t position; /* of this problem */
    size_t problems;
    double positive;     /* label of the rows whose sign is +1, */
    const double *label; /* or [problem->classes] of all classes */
    double bias;         /* of a free bias, where it starts from if w does not start so */
    const double *start; /* [width] w to start from, if the solver starts so; NULL: from 0 */
    double *alpha; /* [problem_duals] a dual solver starts from this feasible point and leaves that
                      of its certificate here; of another solver it is left alone */
    struct last_point *last; /* of the training that ended with start and alpha; it leaves its own
                                there. NULL: not wanted */
    double *w;               /* [width] the weights */
    struct workspace *workspace;
    struct longest *longest; /* of rows that hold those of the problem; NULL: just of these */
};

/* The gap that "certified" stands for. */
static inline double certified_gap(const struct hinge_parameters *parameters)
{
    return parameters->gap > 0 ? parameters->gap : HINGE_DEFAULT_GAP;
}

/* Trains: fills w, *result and, of a dual solver, alpha. On failure (HINGE_NO_MEMORY, or of rows
 * that are in a file HINGE_FILE_ERROR) none of them has a meaning. */
enum hinge_status solver_train(const struct task *task, struct hinge_result *result,
                               struct hinge_error *error);

/* Whether a monitor ended the training, or did not let it begin. */
static inline int outcome_is_stop(enum hinge_outcome outcome)
{
    return outcome == HINGE_INTERRUPTED || outcome == HINGE_TIME_LIMIT ||
           outcome == HINGE_NOT_BEGUN;
}

/* The progress of a task that has not begun. */
struct hinge_progress progress_new(const struct task *task);

/* The result of a training that ends there. */
struct hinge_result progress_result(const struct hinge_progress *progress,
                                    enum hinge_outcome outcome);

/* Asks the monitors, and returns the strongest answer. If between, only the monitors with
 * HINGE_BETWEEN are asked. No other thread may ask them at the same time. */
enum hinge_answer monitors_answer(const struct hinge_monitor *monitor,
                                  const struct hinge_progress *progress, int between);

/* Asks the monitors about a task that is not trained, and returns their answer. In a team, the
 * first rank's monitors answer for all. */
enum hinge_answer monitor_ask(const struct hinge_monitor *monitor,
                              const struct hinge_progress *progress, struct team *team);

/* The t of the step sizes after which a stochastic solver starts: 0, or where the initial model
 * ended, or if that is not known as many steps as it will take itself. */
double stochastic_begin(const struct hinge_parameters *parameters, double rows);

/* What the constant feature of a solver's problems is. */
enum bias_kind solver_bias_kind(const struct solver *solver,
                                const struct hinge_parameters *parameters);

/* Its value; -1: there is none. */
double solver_bias(const struct solver *solver, const struct hinge_parameters *parameters);

#endif
