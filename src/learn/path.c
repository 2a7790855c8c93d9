/* path.c - a problem at each C -> solver -> receiver; from one C to the next. */
#include "learn/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/status.h"
#include "learn/views.h"
#include "model/model.h"
#include "problem/bias.h"
#include "solver/linear/primal_system.h"

/* What the problems of one path use in turn, of one thread. */
struct run {
    const struct path *path;
    struct workers *workers;            /* that it is one of */
    int keeps_w;                        /* see the function */
    double C_before;                    /* of the training before; 0: there was none */
    struct hinge_parameters parameters; /* with the C of each training */
    size_t count;                       /* of C, as far as this thread knows */
    struct views views;                 /* of the rows: the problems */
    size_t outputs;                     /* of a problem with all classes these, else 1 */
    size_t width;                       /* (features + bias) outputs */
    double *point;                      /* [point_size] room for: */
    double *alpha;                      /* [views.count outputs] */
    double *w;                          /* [width] */
    struct last_point last;             /* of a problem whose R is |w|_1 */
    double *start;                      /* [width] the weights to start from; NULL: none */
    struct workspace *workspace;
    int own_workspace;
    struct max_row_norm max_row_norm; /* of all rows of the path */
};

/* The threads that train the problems of one path, and what they tell each other. */
struct workers {
    const struct path *path;
    path_receiver *take;
    void *context;
    struct run *run;              /* [path.threads] */
    struct shared shared;         /* of all problems */
    struct hinge_monitor monitor; /* in front of the path's: has another thread failed? */
    size_t count;                 /* of C, until a training is interrupted */
    int stopped;                  /* a monitor stopped a training */
    struct failed_job failed;
};

/* ---- A task ------------------------------------------------------------ */

/* The initial model's weight, in that line, of class c, whose two classes may be the other way
 * round. Columns for both of these have half of what a single one has. */
static double initial_weight(const struct run *run, size_t line, size_t c)
{
    const struct hinge_model *model = run->path->parameters->initial;
    const double *weight = model->weight + line * model->columns;
    const size_t column = run->path->classes->column[c];
    const double half = run->outputs > 1 ? 0.5 : 1;

    if (model->columns > 1)
        return weight[column];
    return column == 0 ? half * *weight : -half * *weight;
}

/* The weights to start from: of the initial model, whose features may be fewer or more. Those of
 * features that the data lack are 0 in any solution. */
static void choose_start(struct run *run, size_t c)
{
    const struct hinge_model *model = run->path->parameters->initial;
    const size_t features = run->path->data->features, outputs = run->outputs;

    for (size_t j = 0; j < features + (model->bias >= 0); j++) {
        const size_t line = j < features ? j : model->features;

        for (size_t m = 0; m < outputs; m++)
            run->start[j * outputs + m] =
                j < features && j >= model->features ? 0 : initial_weight(run, line, c + m);
    }
}

/* Class c against the others, as a task. */
static struct task task_of(struct run *run, const struct problem *problem, size_t c)
{
    const struct path *path = run->path;

    return (struct task){.problem = problem,
                         .solver = path->solver,
                         .parameters = &run->parameters,
                         .monitor = &run->workers->monitor,
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

/* Whether w and its objective are numbers. */
static enum hinge_status check_range(const struct path *path, const struct trained *trained,
                                     struct hinge_error *error)
{
    int finite = isfinite(trained->result->primal) &&
                 (path->solver->info.kind == HINGE_STOCHASTIC || isfinite(trained->result->dual));

    for (size_t j = 0; j < problem_width(trained->problem); j++)
        finite &= isfinite(trained->w[j]) != 0;
    return finite ? HINGE_OK
                  : fail(error, HINGE_BAD_INPUT,
                         "the training leaves the range of double precision; scale the data, or "
                         "choose a C nearer to 1");
}

/* ---- From one C to the next --------------------------------------------- */

void path_ends_clear(struct path_ends *ends)
{
    for (size_t c = 0; c < ends->problems; c++) {
        free(ends->of[c].point);
        computed_free(&ends->of[c].computed);
    }
    free(ends->of);
    *ends = (struct path_ends){0};
}

/* Whether w is kept beside alpha: where it is no function of it, and where Newton's steps, and no
 * passes before them, begin: with features of a large size, the w of an alpha that is not quite the
 * optimum has far other margins. */
static int keeps_w(const struct path *path)
{
    const struct solver *solver = path->solver;
    const struct problem all = {.data = path->data,
                                .rows = (uint32_t)path->rows,
                                .bias_kind = solver_bias_kind(solver, path->parameters)};

    return solver_is_only_l1(solver) ||
           (solver->primal_rule &&
            ((solver->info.joint && path->classes->count > 2) || primal_over_features(&all)));
}

/* The numbers of a point, and how many of them are kept: a dual point, and w, twice while it is
 * where the next training starts; and where it is no function of alpha the sums of both. */
static size_t point_size(const struct run *run)
{
    const size_t duals = run->views.count * run->outputs;

    return duals + run->width +
           (solver_is_only_l1(run->path->solver) ? 3 * run->views.count + 2 * run->width
            : run->keeps_w                       ? run->width
                                                 : 0);
}

static size_t kept_size(const struct run *run)
{
    return run->keeps_w ? point_size(run) : run->views.count * run->outputs;
}

/* Lays the run's arrays out in its room, or those that are kept in that of an end. */
static void lay_out(struct run *run, double *kept)
{
    double *next = run->keeps_w ? kept : run->point;

    run->alpha = kept;
    run->w = next + run->views.count * run->outputs;
    run->last = (struct last_point){0};
    if (!solver_is_only_l1(run->path->solver))
        return;
    next = run->w + run->width;
    run->last.margin = next;
    run->last.slope = next += run->views.count;
    run->last.curvature = next += run->views.count;
    run->last.v = next += run->views.count;
    run->last.w_before = next + run->width;
}

/* Where class c continues: at its end, or at 0. */
static enum hinge_status begin_column(struct run *run, size_t c, struct hinge_error *error)
{
    struct path_ends *ends = run->path->ends;
    struct path_end *end = ends && run->path->solver->info.kind == HINGE_DUAL ? &ends->of[c] : NULL;
    const size_t count = kept_size(run);
    const int goes_on = end && end->point && ends->C > 0;

    if (end && !end->point && count <= ends->points / sizeof *end->point &&
        !(end->point = array_new(count, sizeof *end->point, error)))
        return failure(error);
    lay_out(run, end && end->point ? end->point : run->point);
    workspace_reset(run->workspace, end ? &end->computed : NULL);
    run->C_before = goes_on ? ends->C : 0;
    if (!goes_on)
        memset(run->alpha, 0, run->views.count * run->outputs * sizeof *run->alpha);
    if (goes_on && solver_is_only_l1(run->path->solver))
        run->last = end->last;
    if (goes_on && run->width > 0)
        run->w[run->width - 1] = end->bias;
    return HINGE_OK;
}

/* Keeps what goes with the end of class c. */
static void keep_end(struct run *run, size_t c)
{
    struct path_ends *ends = run->path->ends;
    struct path_end *end = ends ? &ends->of[c] : NULL;

    if (!ends || run->path->solver->info.kind != HINGE_DUAL)
        return;
    end->last = run->last;
    end->bias = run->width > 0 ? run->w[run->width - 1] : 0;
    end->computed = workspace_take(run->workspace, ends->computed);
}

/* ---- A column ----------------------------------------------------------- */

/* What a thread tells the others of a training: what it ended with at the C of that number. */
struct note {
    struct run *run;
    size_t position;
    enum hinge_outcome outcome;
};

static void note_end(void *context)
{
    const struct note *note = context;
    struct workers *workers = note->run->workers;

    workers->stopped |= outcome_is_stop(note->outcome);
    if (note->outcome == HINGE_INTERRUPTED && note->position + 1 < workers->count)
        workers->count = note->position + 1;
    note->run->count = workers->count;
}

static void free_workspace(struct run *run)
{
    if (run->own_workspace)
        workspace_free(run->workspace);
    run->workspace = NULL;
}

/* Starts at the last C's solution: its bias, w if it is kept, and alpha, which stays at its bounds.
 */
static void go_on(struct run *run, struct task *task, double C)
{
    const struct problem *problem = task->problem;

    task->bias = run->width > 0 ? run->w[run->width - 1] : 0;
    if (problem->only_l1)
        task->start = run->w;
    else if (run->keeps_w) /* the training forms that of alpha in w */
        task->start = memcpy(run->w + run->width, run->w, run->width * sizeof *run->w);
    else if (run->path->solver->info.kind == HINGE_DUAL)
        task->start = NULL; /* alpha is nearer than the model to start from */
    for (size_t i = 0; !problem->only_l1 && i < problem_duals(problem); i++) {
        const double cost = problem_cost(problem, (uint32_t)(i / run->outputs));
        const double upper = loss_upper(problem->loss, cost);

        run->alpha[i] = clamp(run->alpha[i] * (C / run->C_before), -upper, upper);
    }
}

/* Trains class c for one C after the other. An interrupted one is the last. */
static enum hinge_status run_column(struct run *run, size_t c, struct hinge_error *error)
{
    const struct path *path = run->path;
    const double *C = path->C;

    if (begin_column(run, c, error))
        return failure(error);
    for (size_t k = 0; k < run->count; k++) {
        const struct problem problem = views_problem(&run->views, &run->workers->shared, C[k], c);
        struct task task = task_of(run, &problem, c);
        struct hinge_result result;
        const struct trained trained = {k, c, run->w, &problem, run->alpha, &result};
        struct note note = {run, k, HINGE_CERTIFIED};

        run->parameters.C = C[k];
        if (run->C_before > 0)
            go_on(run, &task, C[k]);
        if (problem.rows == 0) /* 0 is the optimum */
            task.start = NULL;
        else if (problem.only_l1)
            task.last = &run->last;
        bias_balance(&problem, run->alpha);
        if (solver_train(&task, &result, error) || check_range(path, &trained, error))
            return failure(error);
        if (k + 1 == run->count)
            keep_end(run, c);
        run->C_before = C[k];
        if (k + 1 == run->count && c + 1 == path_problems(path))
            free_workspace(run); /* the last one: its memory is for whoever takes w */
        if (run->workers->take(run->workers->context, &trained, error))
            return failure(error);
        note.outcome = result.outcome;
        parallel_alone(note_end, &note);
    }
    return HINGE_OK;
}

/* Asks before class c is begun, a training having been stopped before; if the answer is to stop,
 * leaves it where it would have started, for each C: there may be a million classes to come. */
static enum hinge_status skip_column(struct run *run, size_t c, int *skipped,
                                     struct hinge_error *error)
{
    const struct path *path = run->path;
    const struct problem none = {.data = path->data,
                                 .bias_kind = solver_bias_kind(path->solver, path->parameters),
                                 .bias = solver_bias(path->solver, path->parameters)};
    const struct task task = task_of(run, &none, c);
    enum hinge_answer answer;
    struct hinge_progress progress;
    struct hinge_result result;
    const double *w = run->start ? run->start : run->w;
    enum hinge_status status = HINGE_OK;

    run->parameters.C = *path->C;
    progress = progress_new(&task);
    answer = monitor_ask(task.monitor, &progress, path->team);
    *skipped = answer >= HINGE_OUT_OF_TIME;
    if (!*skipped)
        return HINGE_OK;
    memset(run->w, 0, run->width * sizeof *run->w);
    result = progress_result(&progress, HINGE_NOT_BEGUN);
    result.nonzeros = dense_nonzeros(w, run->width);
    for (size_t k = 0; k < run->count && status == HINGE_OK; k++) {
        const struct trained trained = {k, c, w, &none, NULL, &result};
        struct note note = {run, k,
                            answer == HINGE_INTERRUPT ? HINGE_INTERRUPTED : HINGE_TIME_LIMIT};

        status = run->workers->take(run->workers->context, &trained, error);
        parallel_alone(note_end, &note);
    }
    return status;
}

/* ---- The path ---------------------------------------------------------- */

static enum hinge_status run_new(struct run *run, struct workers *workers, unsigned thread,
                                 struct hinge_error *error)
{
    const struct path *path = workers->path;

    run->path = path;
    run->parameters = *path->parameters;
    run->parameters.threads = path->threads_each;
    run->keeps_w = keeps_w(path);
    run->outputs = path->solver->info.joint ? path->classes->count : 1;
    run->width = (size_t)path->data->features +
                 (solver_bias_kind(path->solver, path->parameters) != BIAS_NONE);
    if (run->width > SIZE_MAX / run->outputs || path->rows > SIZE_MAX / run->outputs)
        return fail(error, HINGE_NO_MEMORY, "out of memory: %lu features times %lu classes",
                    (unsigned long)run->width, (unsigned long)run->outputs);
    run->width *= run->outputs;
    run->max_row_norm = path->ends ? path->ends->max_row_norm : (struct max_row_norm){0};
    run->max_row_norm.row = path->row;
    run->max_row_norm.rows = path->rows;
    run->workspace = path->workspace ? path->workspace[thread] : NULL;
    run->own_workspace = run->workspace == NULL;
    if (views_new(&run->views, path, error) ||
        !(run->point = array_new(point_size(run), sizeof *run->point, error)) ||
        (run->own_workspace && !(run->workspace = workspace_new(error))) ||
        (path->parameters->initial &&
         !(run->start = array_new(run->width, sizeof *run->start, error))))
        return failure(error);
    lay_out(run, run->point); /* for columns that are skipped */
    return HINGE_OK;
}

static void run_free(struct run *run)
{
    views_free(&run->views);
    free(run->point);
    free(run->start);
    free_workspace(run);
}

/* What a thread finds before it begins a problem. */
struct beginning {
    struct run *run;
    int stopped;
};

static void look(void *context)
{
    struct beginning *beginning = context;

    beginning->run->count = beginning->run->workers->count;
    beginning->stopped = beginning->run->workers->stopped;
}

static void train_column(void *context, size_t c, unsigned thread)
{
    struct workers *workers = context;
    struct run *run = &workers->run[thread];
    struct beginning beginning = {run, 0};
    struct hinge_error error = {HINGE_OK, ""};
    enum hinge_status status = HINGE_OK;
    int skipped = 0;

    if (failed_job_any(&workers->failed))
        return;
    if (!run->path)
        status = run_new(run, workers, thread, &error);
    parallel_alone(look, &beginning);
    if (status == HINGE_OK && run->start)
        choose_start(run, c);
    if (status == HINGE_OK && beginning.stopped)
        status = skip_column(run, c, &skipped, &error);
    if (status == HINGE_OK && !skipped)
        status = run_column(run, c, &error);
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
    struct path_ends *ends = path->ends;
    const size_t problems = path_problems(path);

    *completed = 0;
    workers.monitor = failed_job_monitor(&workers.failed, path->monitor);
    if (ends && !ends->of && !(ends->of = array_new(problems, sizeof *ends->of, error)))
        return failure(error);
    if (ends)
        ends->problems = problems;
    if (shared_new(&workers.shared, path, error) ||
        !(workers.run = array_new(threads, sizeof *workers.run, error))) {
        shared_free(&workers.shared);
        return failure(error);
    }
    for (unsigned thread = 0; thread < threads; thread++)
        workers.run[thread].workers = &workers;
    parallel_run(threads, problems, train_column, NULL, &workers);
    if (ends && workers.count > 0)
        ends->C = path->C[workers.count - 1];
    for (unsigned thread = 0; thread < threads; thread++) {
        if (ends && workers.run[thread].max_row_norm.known)
            ends->max_row_norm = workers.run[thread].max_row_norm;
        run_free(&workers.run[thread]);
    }
    free(workers.run);
    shared_free(&workers.shared);
    *completed = workers.count;
    if (workers.failed.job == SIZE_MAX)
        return HINGE_OK;
    *error = workers.failed.error;
    return failure(error);
}
