/* cross_validation.c - for each C, for each fold: train on the others, from where the C before
 * ended, predict for it. */
#include "learn/cross_validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/status.h"
#include "base/sum.h"
#include "data/split.h"
#include "learn/calibration.h"
#include "learn/costs.h"
#include "learn/held_out.h"
#include "problem/regulariser.h"

/* Rows are positions among those that do not weigh 0, as in the predictions. */
struct fold_run {
    const struct hinge_parameters *parameters;
    struct classes classes;
    size_t rows;
    uint32_t *row;                       /* [rows] their numbers in the data */
    uint32_t *fold;                      /* [rows] */
    unsigned threads;                    /* folds at a time, */
    struct fold_thread *thread;          /* [threads] */
    struct workspace **workspace;        /* [threads], or of the problems at a time */
    unsigned char *complete;             /* [folds] */
    int stopped;                         /* a monitor ended a training */
    struct hinge_validation *validation; /* of the present C; NULL: of probabilities */
    double *decision;                    /* [columns * rows] of probabilities, else NULL */
};

/* What the folds of one thread use in turn. */
struct fold_thread {
    struct fold_run *run;
    uint32_t *training; /* [rows] numbers in the data of the rows to train on */
    double *value;      /* [columns] of a row, if they are of one problem */
    size_t held_out;    /* the fold to predict for */
    double C;           /* from lambda and the rows to train on */
};

void hinge_validation_clear(struct hinge_validation *validation)
{
    if (!validation)
        return;
    hinge_predictions_free(validation->predictions);
    free(validation->fold);
    free(validation->decision);
    free(validation->probability);
    validation->predictions = NULL;
    validation->fold = NULL;
    validation->decision = validation->probability = NULL;
}

/* ---- A fold ------------------------------------------------------------ */

static int is_stop(const struct hinge_result *result)
{
    return result->outcome == HINGE_INTERRUPTED || result->outcome == HINGE_TIME_LIMIT ||
           result->outcome == HINGE_NOT_BEGUN;
}

/* The largest of a row's decision values, and its column; of two classes the first. */
static double decide(const struct fold_thread *thread, const struct problem *problem, uint32_t i,
                     const double *w, uint32_t *column)
{
    const struct sparse x = problem_row(problem, i);
    const double *value = thread->value;

    problem_dots(problem, &x, w, thread->value);
    for (uint32_t c = 1; c < problem->classes && problem->classes > 2; c++)
        *column = value[c] > value[*column] ? c : *column;
    return value[*column];
}

/* 1 - R(w)/P(w). At another C' > C the same alpha is feasible, and D is not larger, as no loss is
 * negative: P + D grows by C'/C - 1 times the sum of losses at most. */
static double share_of_losses(const struct trained *trained)
{
    const struct problem *problem = trained->problem;
    const double primal = trained->result->primal;
    struct sum penalty = {0, 0};

    if (isnan(trained->result->dual) || (problem->l1 > 0 && !problem->only_l1))
        return NAN;
    for (size_t j = 0; j < problem_penalised(problem); j++)
        sum_add(&penalty, regulariser_value(problem->l1, problem_l2(problem), trained->w[j]));
    return primal > 0 ? fmax(0, 1 - sum_value(&penalty) / primal) : 0;
}

/* What a thread tells of a training, and whether any training was stopped. */
struct fold_note {
    const struct fold_thread *thread;
    const struct trained *trained;
    double losses;
    int stopped;
};

static void note_training(void *context)
{
    struct fold_note *note = context;
    struct fold_run *run = note->thread->run;
    struct hinge_validation *validation = run->validation;
    const struct hinge_result *result = note->trained->result;

    note->stopped = run->stopped |= is_stop(result);
    if (!validation)
        return;
    validation->trainings++;
    validation->certified += result->outcome == HINGE_CERTIFIED;
    if (validation->trainings == 1 || result->gap > validation->gap)
        validation->gap = result->gap;
    if (validation->trainings == 1 || note->losses > validation->losses || isnan(note->losses))
        validation->losses = note->losses;
}

/* Notes a training. Whether one was stopped, this or another: nobody will see what is predicted. */
static int note_and_ask(const struct fold_thread *thread, const struct trained *trained)
{
    struct fold_note note = {thread, trained, 0, 0};

    if (thread->run->validation)
        note.losses = share_of_losses(trained);
    parallel_alone(note_training, &note);
    return note.stopped;
}

/* The first row held out from row i on, or as many as there are; asks for its features. */
static uint32_t next_held_out(const struct fold_thread *thread, const struct problem *all,
                              uint32_t i)
{
    enum { MOST = 512 }; /* features: a few of the longest rows are waited for */
    const struct fold_run *run = thread->run;

    while (i < run->rows && run->fold[i] != thread->held_out)
        i++;
    if (i < run->rows && !problem_is_paged(all)) {
        const struct sparse x = problem_row(all, i);

        sparse_prefetch(&x, MOST);
    }
    return i;
}

/* Decision values of some rows held out, the largest of those that are known. */
struct decided {
    struct fold_run *run;
    size_t count;
    uint32_t row[256];
    uint32_t column[256];
    double value[256];
};

/* The largest value of all classes decides, of equal ones the first class, in whatever order the
 * classes come. */
static void settle(void *context)
{
    const struct decided *decided = context;
    struct hinge_predictions *predictions = decided->run->validation->predictions;

    for (size_t s = 0; s < decided->count; s++) {
        const uint32_t i = decided->row[s], column = decided->column[s];
        const double value = decided->value[s];

        if (predictions->target)
            predictions->decision[i] = value;
        else if (decided->run->classes.count == 2)
            predictions->predicted[i] = value > 0 ? 0 : 1;
        else if (value > predictions->decision[i] ||
                 (value == predictions->decision[i] && column < predictions->predicted[i]))
            predictions->predicted[i] = column;
        else
            continue;
        predictions->decision[i] = value;
    }
}

/* Decision values of one class for the rows held out, or of all: the largest so far decides. */
static enum hinge_status predict_column(void *context, const struct trained *trained,
                                        struct hinge_error *error)
{
    struct fold_thread *thread = context;
    struct fold_run *run = thread->run;
    struct hinge_validation *validation = run->validation;
    struct decided decided = {.run = run};
    struct problem all = *trained->problem;
    const size_t kept = validation->decision ? problem_outputs(&all) : 0;

    (void)error;
    if (note_and_ask(thread, trained))
        return HINGE_OK;
    all.row = run->row;
    for (uint32_t i = next_held_out(thread, &all, 0), next; i < run->rows; i = next) {
        uint32_t column = (uint32_t)trained->column;
        double decision;

        next = next_held_out(thread, &all, i + 1);
        decision = all.classes > 0 ? decide(thread, &all, i, trained->w, &column)
                                   : problem_decision(&all, i, trained->w);
        for (size_t m = 0; m < kept; m++)
            validation->decision[i * validation->columns + trained->column + m] =
                all.classes > 0 ? thread->value[m] : decision;
        decided.row[decided.count] = i;
        decided.column[decided.count] = column;
        decided.value[decided.count++] = decision;
        if (next < run->rows && decided.count < sizeof decided.value / sizeof *decided.value)
            continue;
        parallel_alone(settle, &decided);
        decided.count = 0;
    }
    return HINGE_OK;
}

/* All decision values of one class for the rows held out, or of all classes. */
static enum hinge_status keep_column(void *context, const struct trained *trained,
                                     struct hinge_error *error)
{
    struct fold_thread *thread = context;
    struct fold_run *run = thread->run;
    struct problem all = *trained->problem;
    const size_t outputs = problem_outputs(&all);

    (void)error;
    if (note_and_ask(thread, trained))
        return HINGE_OK;
    all.row = run->row;
    for (uint32_t i = next_held_out(thread, &all, 0), next; i < run->rows; i = next) {
        const struct sparse x = problem_row(&all, i);

        next = next_held_out(thread, &all, i + 1);
        if (all.classes > 0)
            problem_dots(&all, &x, trained->w, thread->value);
        else
            *thread->value = problem_dot(&all, &x, trained->w);
        for (size_t m = 0; m < outputs; m++)
            run->decision[(trained->column + m) * run->rows + i] = thread->value[m];
    }
    return HINGE_OK;
}

/* ---- All of them ------------------------------------------------------- */

static void free_arrays(struct fold_run *run)
{
    for (unsigned t = 0; t < run->threads && run->thread; t++) {
        free(run->thread[t].training);
        free(run->thread[t].value);
    }
    free(run->thread);
    free(run->row);
    free(run->fold);
    free(run->complete);
    free(run->decision);
}

static enum hinge_status choose_folds(struct fold_run *run, const struct hinge_dataset *data,
                                      size_t folds, struct hinge_error *error)
{
    const struct hinge_parameters *parameters = run->parameters;

    if (!(run->row = array_new(data->x.rows, sizeof *run->row, error)))
        return failure(error);
    for (size_t i = 0; i < data->x.rows; i++)
        if (parameters->row_weights == 0 || parameters->row_weight[i] > 0)
            run->row[run->rows++] = (uint32_t)i;
    if (parameters->row_groups > 0 && parameters->row_groups != data->x.rows)
        return fail(error, HINGE_BAD_ARGUMENT, "row_groups: %lu for %lu rows",
                    (unsigned long)parameters->row_groups, (unsigned long)data->x.rows);
    if (folds < 2 || folds > run->rows)
        return fail(error, HINGE_BAD_ARGUMENT, "folds: not between 2 and the %lu rows",
                    (unsigned long)run->rows);
    if (!(run->fold = array_new(run->rows, sizeof *run->fold, error)) ||
        !(run->complete = array_new(folds, sizeof *run->complete, error)) ||
        !(run->thread = array_new(run->threads, sizeof *run->thread, error)))
        return failure(error);
    for (unsigned t = 0; t < run->threads; t++) {
        struct fold_thread *thread = &run->thread[t];

        thread->run = run;
        if (!(thread->training = array_new(run->rows, sizeof *thread->training, error)) ||
            !(thread->value = array_new(run->classes.count, sizeof *thread->value, error)))
            return failure(error);
    }
    if (parameters->row_groups > 0)
        return split_groups(run->row, run->rows, parameters->row_group, folds, parameters->seed,
                            run->fold, error);
    return split_folds(run->row, run->rows, run->classes.of_row, run->classes.count, folds,
                       parameters->seed, run->fold, error);
}

/* Room for the predictions of a C, the given labels in it, and the folds. */
static enum hinge_status prepare(struct fold_run *run, const struct path *path,
                                 struct hinge_error *error)
{
    const struct hinge_dataset *data = path->data;
    const int regression = hinge_solver_find(run->parameters->solver)->regression;
    struct hinge_validation *validation = run->validation;

    validation->columns = path_columns(path);
    validation->predictions =
        hinge_predictions_new(run->classes.label, regression ? 0 : run->classes.count, error);
    if (!validation->predictions ||
        !(validation->fold = array_new(run->rows, sizeof *validation->fold, error)) ||
        (run->parameters->keep_decisions &&
         !(validation->decision =
               array_new(run->rows, validation->columns * sizeof *validation->decision, error))))
        return failure(error);
    memcpy(validation->fold, run->fold, run->rows * sizeof *validation->fold);
    for (size_t i = 0; i < run->rows; i++)
        if (hinge_predictions_add(validation->predictions, data->label[run->row[i]], 0, -HUGE_VAL,
                                  error))
            return failure(error);
    return HINGE_OK;
}

/* Leaves the predictions of the complete folds, which get the first numbers. */
static void keep_complete(const struct fold_run *run, size_t folds)
{
    struct hinge_validation *validation = run->validation;
    struct hinge_predictions *predictions = validation->predictions;
    const size_t columns = validation->decision ? validation->columns : 0;
    uint32_t next = 0;
    size_t kept = 0;

    for (size_t fold = 0; fold < folds; fold++) {
        if (!run->complete[fold])
            continue;
        for (size_t i = 0; i < run->rows; i++)
            if (run->fold[i] == fold)
                validation->fold[i] = next;
        next++;
    }
    for (size_t i = 0; i < predictions->rows; i++) {
        if (!run->complete[run->fold[i]])
            continue;
        validation->fold[kept] = validation->fold[i];
        for (size_t c = 0; c < columns; c++)
            validation->decision[kept * columns + c] = validation->decision[i * columns + c];
        if (predictions->target)
            predictions->target[kept] = predictions->target[i];
        if (predictions->given)
            predictions->given[kept] = predictions->given[i];
        if (predictions->predicted)
            predictions->predicted[kept] = predictions->predicted[i];
        predictions->decision[kept++] = predictions->decision[i];
    }
    predictions->rows = kept;
    if (kept == 0)
        hinge_validation_clear(validation);
}

/* All folds of the path's C. */
struct fold_jobs {
    struct fold_run *run;
    const struct path *path;
    struct path_ends *ends; /* [folds]; NULL: each starts from 0 */
    path_receiver *take;
    struct hinge_monitor monitor; /* in front of the path's: has another fold failed? */
    struct failed_job failed;
};

static enum hinge_answer watch_failure(void *context, const struct hinge_progress *progress)
{
    const struct fold_jobs *jobs = context;

    (void)progress;
    return jobs->failed.job < SIZE_MAX ? HINGE_INTERRUPT : HINGE_GO_ON;
}

static void see_stopped(void *context)
{
    struct fold_note *note = context;

    note->stopped = note->thread->run->stopped;
}

static int is_any_stopped(const struct fold_thread *thread)
{
    struct fold_note note = {.thread = thread};

    parallel_alone(see_stopped, &note);
    return note.stopped;
}

/* Threads that the sums of a fold's trainings may share: where the last folds leave threads without
 * one, these help. */
static unsigned threads_of_fold(const struct fold_jobs *jobs, size_t fold)
{
    const size_t all = path_threads(jobs->path);
    const size_t folds = jobs->path->folds, rest = folds % all;

    if (jobs->run->threads == 1)
        return jobs->path->threads_each;
    return (unsigned)(rest > 0 && fold >= folds - rest ? all / rest : 1);
}

static void train_fold(void *context, size_t fold, unsigned number)
{
    struct fold_jobs *jobs = context;
    struct fold_run *run = jobs->run;
    struct fold_thread *thread = &run->thread[number];
    struct path path = *jobs->path;
    const double lambda = run->parameters->lambda;
    struct hinge_error error = {HINGE_OK, ""};
    size_t completed;

    if (failed_job_any(&jobs->failed) || is_any_stopped(thread))
        return;
    thread->held_out = path.fold = fold;
    path.monitor = &jobs->monitor;
    path.ends = jobs->ends ? &jobs->ends[fold] : NULL;
    path.workspace = run->workspace ? run->workspace + number : NULL;
    path.threads_each = threads_of_fold(jobs, fold);
    path.row = thread->training;
    path.rows = 0;
    for (size_t i = 0; i < run->rows; i++)
        if (run->fold[i] != fold)
            thread->training[path.rows++] = run->row[i];
    if (lambda > 0) {
        thread->C = 1 / (lambda * costs_total(&path));
        path.C = &thread->C;
    }
    if (path_run(&path, jobs->take, thread, &completed, &error))
        failed_job_note(&jobs->failed, fold, &error);
    run->complete[fold] = !is_any_stopped(thread);
}

static enum hinge_status run_folds(struct fold_run *run, const struct path *path,
                                   struct path_ends *ends, path_receiver *take,
                                   struct hinge_error *error)
{
    struct fold_jobs jobs = {
        .run = run, .path = path, .ends = ends, .take = take, .failed = {.job = SIZE_MAX}};

    jobs.monitor = (struct hinge_monitor){watch_failure, &jobs, path->monitor, 1};
    memset(run->complete, 0, path->folds);
    parallel_run(run->threads, path->folds, train_fold, NULL, &jobs);
    for (size_t fold = 0; run->validation && fold < path->folds; fold++)
        run->validation->folds += run->complete[fold];
    if (jobs.failed.job == SIZE_MAX)
        return HINGE_OK;
    *error = jobs.failed.error;
    return failure(error);
}

/* Hands the threads out: to the problems of a fold where they are many, else to the folds. */
static void share_threads(struct fold_run *run, struct path *path)
{
    const unsigned threads = path_threads(path);

    run->threads = 1;
    path->threads = path->threads_each = 1;
    if (threads > 1 && path_problems(path) < (size_t)2 * threads)
        run->threads = path->folds < threads ? (unsigned)path->folds : threads;
    else
        path_share_threads(path, threads);
}

struct hinge_folds {
    struct fold_run run;
    struct path path; /* of a C */
    struct hinge_parameters parameters;
    const double *C;        /* of the next, NULL with lambda */
    struct path_ends *ends; /* [path.folds]; NULL: there is one C */
};

/* Whether all values of C can be trained at, with all rows. */
static enum hinge_status check_costs(const struct path *path, struct hinge_error *error)
{
    double *weight = array_new(path->classes->count, sizeof *weight, error);
    enum hinge_status status = weight ? costs_weigh_classes(path, weight, error) : failure(error);

    if (status == HINGE_OK && path->C)
        status = costs_check(path, weight, error);
    free(weight);
    return status;
}

static enum hinge_status begin_folds(struct hinge_folds *all, size_t count,
                                     struct hinge_error *error)
{
    enum { MOST_KEPT = 1 << 28 }; /* bytes */
    const struct hinge_dataset *data = all->path.data;
    struct path path = all->path;
    size_t kept;

    path.C = all->C;
    path.count = count;
    path.rows = data->x.rows;
    if (path_begin(&path, &all->run.classes, error))
        return failure(error);
    all->path.solver = path.solver;
    all->path.classes = path.classes;
    share_threads(&all->run, &all->path);
    path.threads = all->path.threads * all->run.threads;
    if (path_check_room(&path, 0, error) || check_costs(&path, error) ||
        choose_folds(&all->run, data, path.folds, error))
        return failure(error);
    if (count < 2)
        return HINGE_OK;
    if (!(all->run.workspace = array_new(path.threads, sizeof(void *), error)))
        return failure(error);
    for (unsigned t = 0; t < path.threads; t++)
        if (!(all->run.workspace[t] = workspace_new(error)))
            return failure(error);
    if (!(all->ends = array_new(path.folds, sizeof *all->ends, error)))
        return failure(error);
    kept = MOST_KEPT / path.folds / path_problems(&path);
    for (size_t fold = 0; fold < path.folds; fold++)
        all->ends[fold].points = all->ends[fold].computed = kept;
    return HINGE_OK;
}

struct hinge_folds *hinge_folds_new(const struct hinge_dataset *data,
                                    const struct hinge_parameters *parameters, size_t folds,
                                    const double *C, size_t count,
                                    const struct hinge_monitor *monitor, struct hinge_error *error)
{
    struct hinge_folds *all;

    if (parameters->lambda > 0 && count != 1) {
        error_fill(error, HINGE_BAD_ARGUMENT, "count: with lambda there is one C, not %lu",
                   (unsigned long)count);
        return NULL;
    }
    if (!(all = array_new(1, sizeof *all, error)))
        return NULL;
    all->parameters = *parameters;
    all->run.parameters = &all->parameters;
    all->path = (struct path){.data = data,
                              .parameters = &all->parameters,
                              .monitor = monitor,
                              .count = 1,
                              .folds = folds};
    all->C = parameters->lambda > 0 ? NULL : C; /* from each fold's rows */
    if (begin_folds(all, count, error)) {
        hinge_folds_free(all);
        return NULL;
    }
    return all;
}

enum hinge_status hinge_folds_next(struct hinge_folds *folds, struct hinge_validation *validation,
                                   int *interrupted, struct hinge_error *error)
{
    enum hinge_status status = HINGE_OK;

    *validation = (struct hinge_validation){.C = folds->C ? *folds->C : 0};
    folds->run.validation = validation;
    folds->path.C = folds->C;
    if (prepare(&folds->run, &folds->path, error) ||
        run_folds(&folds->run, &folds->path, folds->ends, predict_column, error) ||
        (validation->decision && !folds->run.stopped &&
         held_out_probabilities(&folds->path, folds->run.row, validation, error)) ||
        pages_check(&folds->path.data->x, error))
        status = failure(error);
    if (folds->C)
        folds->C++;
    *interrupted = folds->run.stopped;
    if (status)
        hinge_validation_clear(validation);
    else if (folds->run.stopped)
        keep_complete(&folds->run, folds->path.folds);
    return status;
}

void hinge_folds_free(struct hinge_folds *folds)
{
    if (!folds)
        return;
    for (size_t fold = 0; folds->ends && fold < folds->path.folds; fold++)
        path_ends_clear(&folds->ends[fold]);
    free(folds->ends);
    for (unsigned t = 0; folds->run.workspace && t < folds->path.threads * folds->run.threads; t++)
        workspace_free(folds->run.workspace[t]);
    free(folds->run.workspace);
    classes_free(&folds->run.classes);
    free_arrays(&folds->run);
    free(folds);
}

enum hinge_status hinge_cross_validate(const struct hinge_dataset *data,
                                       const struct hinge_parameters *parameters, size_t folds,
                                       const double *C, size_t count,
                                       const struct hinge_monitor *monitor,
                                       struct hinge_validation *validation, int *interrupted,
                                       struct hinge_error *error)
{
    struct hinge_folds *all;
    enum hinge_status status;

    *interrupted = 0;
    for (size_t k = 0; k < count; k++)
        validation[k] = (struct hinge_validation){0};
    all = hinge_folds_new(data, parameters, folds, C, count, monitor, error);
    status = all ? HINGE_OK : failure(error);
    for (size_t k = 0; k < count && !status && !*interrupted; k++)
        status = hinge_folds_next(all, &validation[k], interrupted, error);
    hinge_folds_free(all);
    for (size_t k = 0; k < count && status; k++)
        hinge_validation_clear(&validation[k]);
    return status;
}

/* ---- Probabilities ----------------------------------------------------- */

struct calibrator {
    struct fold_run run;
    struct path path;
    struct hinge_parameters parameters; /* those of the path, but for lambda and initial */
    signed char *sign;                  /* [rows] */
    double *weight;                     /* [rows] */
};

/* The number of folds: 5, or as many as there are rows, or groups of rows, that do not weigh 0. */
static size_t count_folds(const struct path *path)
{
    enum { FOLDS = 5 };
    const struct hinge_parameters *parameters = path->parameters;
    uint32_t group[FOLDS];
    size_t count = 0;

    for (uint32_t i = 0; i < path->data->x.rows && count < FOLDS; i++) {
        size_t known = 0;

        if (!(costs_of_row(path, i) > 0))
            continue;
        group[count] = i < parameters->row_groups ? parameters->row_group[i] : i;
        while (group[known] != group[count])
            known++;
        count += known == count;
    }
    return count;
}

struct calibrator *calibrator_new(const struct path *path, struct hinge_error *error)
{
    const size_t columns = path_columns(path);
    struct calibrator *calibrator = array_new(1, sizeof *calibrator, error);
    struct fold_run *run;

    if (!calibrator)
        return NULL;
    run = &calibrator->run;
    calibrator->parameters = *path->parameters;
    calibrator->parameters.lambda = 0;
    calibrator->parameters.initial = NULL;
    calibrator->path = *path;
    calibrator->path.parameters = run->parameters = &calibrator->parameters;
    calibrator->path.count = 1;
    run->classes = *path->classes;
    calibrator->path.folds = count_folds(path);
    share_threads(run, &calibrator->path);
    if (choose_folds(run, path->data, calibrator->path.folds, error) ||
        !(calibrator->sign = array_new(run->rows, sizeof *calibrator->sign, error)) ||
        !(calibrator->weight = array_new(run->rows, sizeof *calibrator->weight, error)) ||
        !(run->decision = array_new(run->rows, columns * sizeof *run->decision, error))) {
        calibrator_free(calibrator);
        return NULL;
    }
    return calibrator;
}

void calibrator_free(struct calibrator *calibrator)
{
    if (!calibrator)
        return;
    free_arrays(&calibrator->run);
    free(calibrator->sign);
    free(calibrator->weight);
    free(calibrator);
}

enum hinge_status calibrator_fit(struct calibrator *calibrator, double C, struct hinge_model *model,
                                 struct hinge_error *error)
{
    struct fold_run *run = &calibrator->run;
    struct path path = calibrator->path;

    run->stopped = 0;
    for (size_t c = 0; c < model->problems; c++)
        run->stopped |= is_stop(&model->result[c]);
    path.C = &C;
    if (!run->stopped && run_folds(run, &path, NULL, keep_column, error))
        return failure(error);
    if (run->stopped) {
        model->uncalibrated = 1;
        return HINGE_OK;
    }
    if (!(model->sigmoid = array_new(2 * model->columns, sizeof *model->sigmoid, error)))
        return failure(error);
    for (size_t c = 0; c < model->columns; c++) {
        for (size_t i = 0; i < run->rows; i++) {
            calibrator->sign[i] = run->classes.of_row[run->row[i]] == c ? 1 : -1;
            calibrator->weight[i] = costs_of_row(&calibrator->path, run->row[i]);
        }
        sigmoid_fit(run->rows, run->decision + c * run->rows, calibrator->sign, calibrator->weight,
                    model->sigmoid + 2 * c);
    }
    return HINGE_OK;
}
