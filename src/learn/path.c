/* path.c - trains the problems of some rows, each at one C after another.
 *
 * A problem goes to the solver, its result to the receiver. Each training starts where the one at
 * the previous C ended, with alpha scaled by the ratio of the two C. Threads take one problem after
 * another; nothing depends on their number. */
#include "learn/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/status.h"
#include "learn/costs.h"
#include "problem/bias.h"
#include "problem/objective.h"
#include "solver/linear/primal_system.h"

/* ---- The threads ----------------------------------------------- */

/* State of one thread, which trains one problem after another. */
struct run {
    const struct path *path;
    struct workers *workers;  /* all threads of the path */
    int keeps_w;              /* 1: w is kept beside alpha from one C to the next */
    size_t count;             /* number of C that are still wanted */
    struct class_views views; /* makes the problems */
    size_t outputs;           /* classes of a joint problem, else 1 */
    size_t width;             /* (features + bias) outputs */
    double *alpha;            /* [views.count outputs]; the storage of w and last, too */
    double *w;                /* [width] */
    struct last_point last;   /* sums of the last point, with |w|_1 alone */
    double *start;            /* [width] weights of the initial model; NULL: none */
    struct workspace *workspace;
    struct max_row_norm max_row_norm; /* largest |x_i| of the path */
};

/* The threads of one path and their common state. */
struct workers {
    const struct path *path;
    path_receiver *take;
    void *context;
    struct run *run;              /* [path.threads] */
    struct shared shared;         /* what all problems read */
    struct hinge_monitor monitor; /* stops if another thread failed, then asks the path's */
    size_t count;                 /* number of C; less after an interruption */
    int stopped;                  /* 1: a monitor stopped a training */
    struct failed_job failed;
};

/* ---- A task ------------------------------------------------------------ */

/* The model's two classes may be in the other order. A joint problem has a column for both classes,
 * each with half of the single column. */
void path_start(const struct path *path, size_t c, size_t outputs, double *w)
{
    const struct hinge_model *model = path->parameters->initial;
    const size_t features = path->data->features, columns = model->columns;

    for (size_t j = 0; j < features + (model->bias >= 0); j++) {
        const double *weight = model->weight + (j < features ? j : model->features) * columns;

        for (size_t m = 0; m < outputs; m++) {
            const size_t column = path->classes->column[c + m];

            w[j * outputs + m] = j < features && j >= model->features ? 0
                                 : columns > 1                        ? weight[column]
                                 : column == 0                        ? *weight / (double)outputs
                                                                      : -*weight / (double)outputs;
        }
    }
}

/* Returns the task of training class c against the others. */
static struct task task_of(struct run *run, const struct problem *problem, size_t c)
{
    const struct path *path = run->path;

    return (struct task){.problem = problem,
                         .solver = path->solver,
                         .parameters = path->parameters,
                         .monitor = &run->workers->monitor,
                         .threads = path->threads_each,
                         .fold = path->fold,
                         .folds = path->folds,
                         .position = c,
                         .problems = path_problems(path),
                         .positive = path->classes->label[c],
                         .label = path->classes->label,
                         .start = run->start,
                         .alpha = run->alpha,
                         .w = run->w,
                         .workspace = run->workspace,
                         .max_row_norm = &run->max_row_norm};
}

/* ---- A column ----------------------------------------------------------- */

/* Tells the other threads the outcome of a training. */
static void note_end(struct run *run, size_t position, enum hinge_outcome outcome)
{
    struct workers *workers = run->workers;
    const int is_locked = parallel_enter();

    workers->stopped |= outcome_is_stop(outcome);
    if (outcome == HINGE_INTERRUPTED && position + 1 < workers->count)
        workers->count = position + 1;
    run->count = workers->count;
    parallel_leave(is_locked);
}

/* Sets the point from which training k of a class starts. The first one starts from alpha = 0 and
 * the initial model. Later ones start from the solution at the previous C: its bias, w if it is
 * kept, and alpha, scaled by the ratio of the C so that variables at a bound stay there. */
static void set_start(struct run *run, struct task *task, size_t k)
{
    const struct path *path = run->path;
    const struct problem *problem = task->problem;
    const double factor = k > 0 ? problem->C / costs_C(path, k - 1) : 0;

    if (k == 0) {
        memset(run->alpha, 0, run->views.count * run->outputs * sizeof *run->alpha);
        run->last.C = 0; /* nothing is known */
    } else {
        task->bias = run->width > 0 ? run->w[run->width - 1] : 0;
        if (problem->only_l1)
            task->start = run->w;
        else if (run->keeps_w) /* the training overwrites w with the w of alpha */
            task->start = memcpy(run->w + run->width, run->w, run->width * sizeof *run->w);
        else if (path->solver->info.kind == HINGE_DUAL)
            task->start = NULL; /* alpha is nearer than the model to start from */
    }
    for (size_t i = 0; k > 0 && !problem->only_l1 && i < problem_duals(problem); i++) {
        const double cost = problem_cost(problem, (uint32_t)(i / run->outputs));
        const double upper = loss_upper(problem->loss, cost);

        run->alpha[i] = clamp(run->alpha[i] * factor, -upper, upper);
    }
    if (problem->rows == 0) /* 0 is the optimum */
        task->start = NULL;
    else if (problem->only_l1)
        task->last = &run->last;
    bias_balance(problem, run->alpha);
}

/* Asks whether to begin class c after a stopped training. If not, hands over the point where the
 * class would have started, for each C. A question per class is enough: there may be a million
 * classes. */
static enum hinge_status skip_column(struct run *run, size_t c, int *skipped,
                                     struct hinge_error *error)
{
    const struct path *path = run->path;
    const struct problem none = {.data = path->data,
                                 .C = costs_C(path, 0),
                                 .bias_kind = solver_bias_kind(path->solver, path->parameters),
                                 .bias = solver_bias(path->solver, path->parameters)};
    const struct task task = task_of(run, &none, c);
    const struct hinge_progress progress = progress_new(&task);
    const enum hinge_answer answer = monitor_ask(task.monitor, &progress, path->team);
    const double *w = run->start ? run->start : run->w;
    struct hinge_result result;
    enum hinge_status status = HINGE_OK;

    *skipped = answer >= HINGE_OUT_OF_TIME;
    if (!*skipped)
        return HINGE_OK;
    memset(run->w, 0, run->width * sizeof *run->w);
    result = progress_result(&progress, HINGE_NOT_BEGUN);
    result.nonzeros = dense_nonzeros(w, run->width);
    for (size_t k = 0; k < run->count && status == HINGE_OK; k++) {
        const struct trained trained = {k, c, w, &none, NULL, &result};

        status = run->workers->take(run->workers->context, &trained, error);
        note_end(run, k, answer == HINGE_INTERRUPT ? HINGE_INTERRUPTED : HINGE_TIME_LIMIT);
    }
    return status;
}

/* Allocates the arrays of a thread. Its column is 0 until it trains one.
 *
 * w is kept beside alpha if w is no function of alpha (|w|_1 alone), and if Newton's steps begin
 * without passes before them. With large features, the w that belongs to an alpha near the optimum
 * has margins far from the optimal ones. */
static enum hinge_status run_new(struct run *run, struct workers *workers,
                                 struct hinge_error *error)
{
    const struct path *path = workers->path;
    const struct solver *solver = path->solver;
    const struct problem all = {.data = path->data,
                                .rows = (uint32_t)path->rows,
                                .bias_kind = solver_bias_kind(solver, path->parameters)};
    const int only_l1 = solver_is_only_l1(solver);
    size_t duals, size;

    run->path = path;
    run->workers = workers;
    run->keeps_w =
        only_l1 || (solver->primal_rule && ((solver->info.joint && path->classes->count > 2) ||
                                            primal_over_features(&all)));
    run->outputs = solver->info.joint ? path->classes->count : 1;
    run->width = (size_t)path->data->features + (all.bias_kind != BIAS_NONE);
    if (run->width > SIZE_MAX / run->outputs || path->rows > SIZE_MAX / run->outputs)
        return fail(error, HINGE_NO_MEMORY, "out of memory: %lu features times %lu classes",
                    (unsigned long)run->width, (unsigned long)run->outputs);
    run->width *= run->outputs;
    run->max_row_norm.row = path->row;
    run->max_row_norm.rows = path->rows;
    if (class_views_new(&run->views, path, error))
        return failure(error);
    duals = run->views.count * run->outputs;
    size = duals + run->width;
    if (only_l1)
        size += 3 * run->views.count + run->width; /* the sums of the point */
    else if (run->keeps_w)
        size += run->width; /* the next training starts from a copy of w */
    if (!(run->alpha = array_new(size, sizeof *run->alpha, error)) ||
        !(run->workspace = workspace_new(error)) ||
        (path->parameters->initial &&
         !(run->start = array_new(run->width, sizeof *run->start, error))))
        return failure(error);
    run->w = run->alpha + duals;
    if (only_l1) {
        run->last.margin = run->w + run->width;
        run->last.slope = run->last.margin + run->views.count;
        run->last.curvature = run->last.slope + run->views.count;
        run->last.v = run->last.curvature + run->views.count;
    }
    return HINGE_OK;
}

/* Trains class c at one C after another, up to an interruption. */
static void train_column(void *context, size_t c, unsigned thread)
{
    struct workers *workers = context;
    struct run *run = &workers->run[thread];
    const struct path *path = workers->path;
    struct hinge_error error = {HINGE_OK, ""};
    enum hinge_status status = HINGE_OK;
    int skipped = 0, is_stopped, is_locked;

    if (failed_job_any(&workers->failed))
        return;
    if (!run->path)
        status = run_new(run, workers, &error);
    is_locked = parallel_enter();
    run->count = workers->count;
    is_stopped = workers->stopped;
    parallel_leave(is_locked);
    if (status == HINGE_OK && run->start)
        path_start(path, c, run->outputs, run->start);
    if (status == HINGE_OK && is_stopped)
        status = skip_column(run, c, &skipped, &error);
    for (size_t k = 0; k < run->count && status == HINGE_OK && !skipped; k++) {
        const struct problem problem =
            class_views_problem(&run->views, &workers->shared, costs_C(path, k), c);
        struct task task = task_of(run, &problem, c);
        struct hinge_result result;
        const struct trained trained = {k, c, run->w, &problem, run->alpha, &result};
        int is_finite;

        if (k == 0)
            workspace_reset(run->workspace);
        set_start(run, &task, k);
        if ((status = solver_train(&task, &result, &error)))
            break;
        is_finite = isfinite(result.primal) &&
                    (path->solver->info.kind == HINGE_STOCHASTIC || isfinite(result.dual));
        for (size_t j = 0; j < run->width && is_finite; j++)
            is_finite = isfinite(run->w[j]) != 0;
        if (k + 1 == run->count && c + 1 == path_problems(path)) {
            workspace_free(run->workspace); /* the last training: leaves room for the receiver */
            run->workspace = NULL;
        }
        if (is_finite)
            status = workers->take(workers->context, &trained, &error);
        else
            status = fail(&error, HINGE_BAD_INPUT,
                          "the training leaves the range of double precision; scale the data, or "
                          "choose a C nearer to 1");
        if (status == HINGE_OK)
            note_end(run, k, result.outcome);
    }
    if (status)
        failed_job_note(&workers->failed, c, &error);
}

enum hinge_status path_run(const struct path *path, path_receiver *take, void *context,
                           size_t *completed, struct hinge_error *error)
{
    const unsigned threads = path->threads > 0 ? path->threads : 1;
    struct workers workers = {.path = path,
                              .take = take,
                              .context = context,
                              .count = path->count,
                              .failed = {.job = SIZE_MAX}};
    const size_t problems = path_problems(path);

    *completed = 0;
    workers.monitor = failed_job_monitor(&workers.failed, path->monitor);
    if (shared_new(&workers.shared, path, error) ||
        !(workers.run = array_new(threads, sizeof *workers.run, error))) {
        shared_free(&workers.shared);
        return failure(error);
    }
    if (problems == 1)
        train_column(&workers, 0, 0);
    else
        parallel_run(threads, problems, train_column, NULL, &workers);
    for (unsigned thread = 0; thread < threads; thread++) {
        struct run *run = &workers.run[thread];

        class_views_free(&run->views);
        free(run->alpha);
        free(run->start);
        workspace_free(run->workspace);
    }
    free(workers.run);
    shared_free(&workers.shared);
    *completed = workers.count;
    if (workers.failed.job == SIZE_MAX)
        return HINGE_OK;
    *error = workers.failed.error;
    return failure(error);
}
