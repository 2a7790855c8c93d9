/* folds.c - each thread picks a fold, trains without it, and picks again. */
#include "learn/folds.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "learn/costs.h"

/* ---- Beginning and end -------------------------------------------------- */

void folds_share_threads(struct folds *folds, size_t count)
{
    struct path *path = &folds->path;
    const unsigned threads = path_threads(path);
    const int many_problems = path_problems(path) >= (size_t)2 * threads;
    const int one_by_one =
        path->team || (many_problems && path_training_threads(path, threads, 1) > 1);
    const unsigned most =
        one_by_one ? 1 : path_training_threads(path, threads, path->folds * count);

    folds->threads = path->folds < most ? (unsigned)path->folds : most;
    path->threads = path->threads_each = 1;
    if (folds->threads == 1)
        path_share_threads(path, threads);
}

/* Finds the classes that some fold does not train on, and the folds that train on one class. */
static void find_hidden_classes(struct folds *folds)
{
    const struct classes *classes = folds->path.classes;
    const size_t count = folds->path.folds;
    size_t present = classes->count;

    for (size_t c = 0; c < classes->count; c++)
        folds->only_fold[c] = classes->alike ? SIZE_MAX : count;
    for (size_t i = 0; i < folds->rows; i++) {
        size_t *only = &folds->only_fold[classes->of_row[folds->row[i]]];

        *only = *only == count || *only == folds->fold[i] ? folds->fold[i] : SIZE_MAX;
    }
    for (size_t c = 0; c < classes->count; c++) {
        folds->hides_classes |= folds->only_fold[c] < SIZE_MAX;
        if (folds->only_fold[c] < count)
            folds->only_class[folds->only_fold[c]]++; /* counts hidden classes for now */
        else
            present -= folds->only_fold[c] == count;
    }
    for (size_t fold = 0; fold < count; fold++) {
        size_t c = 0;

        if (folds->only_class[fold] + 1 == present && !classes->alike)
            while (folds->only_fold[c] == fold || folds->only_fold[c] == count)
                c++;
        else
            c = SIZE_MAX;
        folds->only_class[fold] = c;
    }
}

enum hinge_status folds_deal(struct folds *folds, struct hinge_error *error)
{
    const struct hinge_parameters *parameters = folds->path.parameters;
    const struct classes *all = folds->path.classes;
    const size_t rows = folds->path.data->x.rows, count = folds->path.folds, classes = all->count;

    folds->failed.job = SIZE_MAX;
    if (!(folds->row = array_new(rows, sizeof *folds->row, error)))
        return failure(error);
    for (size_t i = 0; i < rows; i++)
        if (costs_of_row(parameters, i) > 0)
            folds->row[folds->rows++] = (uint32_t)i;
    if (count < 2 || count > folds->rows)
        return fail(error, HINGE_BAD_ARGUMENT, "folds: not between 2 and the %lu rows",
                    (unsigned long)folds->rows);
    if (!(folds->fold = array_new(folds->rows, sizeof *folds->fold, error)) ||
        !(folds->only_fold = array_new(classes, sizeof *folds->only_fold, error)) ||
        !(folds->only_class = array_new(count, sizeof *folds->only_class, error)) ||
        !(folds->state = array_new(count, sizeof *folds->state, error)) ||
        !(folds->complete[0] = array_new(count, 1, error)) ||
        !(folds->complete[1] = array_new(count, 1, error)) ||
        !(folds->thread = array_new(folds->threads, sizeof *folds->thread, error)) ||
        (parameters->row_groups > 0 ? split_groups(folds->row, folds->rows, parameters->row_group,
                                                   count, parameters->seed, folds->fold, error)
                                    : split_folds(folds->row, folds->rows, all->of_row, classes,
                                                  count, parameters->seed, folds->fold, error)))
        return failure(error);
    find_hidden_classes(folds);
    for (unsigned t = 0; t < folds->threads; t++) {
        struct fold_thread *thread = &folds->thread[t];
        struct classes *own = &thread->classes; /* classes of the training rows */

        thread->folds = folds;
        if (!(thread->training = array_new(folds->rows, sizeof *thread->training, error)) ||
            !(thread->value = array_new(classes, sizeof *thread->value, error)) ||
            !(thread->global_class = array_new(classes, sizeof *thread->global_class, error)))
            return failure(error);
        if (team_is_shared(folds->path.team) &&
            (!(thread->held_out = array_new(folds->rows, sizeof *thread->held_out, error)) ||
             !(thread->decision = array_new(folds->rows, sizeof *thread->decision, error))))
            return failure(error);
        if (folds->hides_classes &&
            (!(thread->own_class = array_new(classes, sizeof *thread->own_class, error)) ||
             !(own->label = array_new(classes, sizeof *own->label, error)) ||
             !(own->of_row = array_new(rows, sizeof *own->of_row, error)) ||
             (all->column && !(own->column = array_new(classes, sizeof *own->column, error)))))
            return failure(error);
    }
    return HINGE_OK;
}

void folds_free(struct folds *folds)
{
    for (unsigned t = 0; t < folds->threads && folds->thread; t++) {
        free(folds->thread[t].training);
        free(folds->thread[t].global_class);
        free(folds->thread[t].own_class);
        free(folds->thread[t].value);
        classes_free(&folds->thread[t].classes);
        free(folds->thread[t].held_out);
        free(folds->thread[t].decision);
    }
    free(folds->thread);
    free(folds->row);
    free(folds->fold);
    free(folds->only_fold);
    free(folds->only_class);
    free(folds->state);
    free(folds->complete[0]);
    free(folds->complete[1]);
}

/* ---- Communication of threads --------------------------------------- */

int folds_note(struct fold_thread *thread, const struct trained *trained)
{
    struct folds *folds = thread->folds;
    const int is_locked = parallel_enter();
    int is_stopped;

    folds->stopped |= !folds->ended && outcome_is_stop(trained->result->outcome);
    is_stopped = folds->stopped || folds->ended;
    parallel_leave(is_locked);
    return is_stopped;
}

/* Calls the owner. Returns 0 and notes the error if the call failed. */
static int tell(struct folds *folds, folds_function *call, size_t number)
{
    struct hinge_error error;

    if (!call || call(folds->owner, number, &error) == HINGE_OK)
        return 1;
    failed_job_note(&folds->failed, number * folds->path.folds, &error);
    return 0;
}

static int is_over(const struct folds *folds)
{
    return folds->stopped || folds->ended || folds->failed.job < SIZE_MAX;
}

/* Picks the fold that is furthest behind among those that no thread has. No training is ahead of
 * the C after the present one. Returns 0 if there is none; the last fold is left if it would leave
 * all threads except one without work. */
static int pick_fold(struct fold_thread *thread)
{
    struct folds *folds = thread->folds;
    size_t best = SIZE_MAX, end = folds->present + PRESENT_VALUES;

    end = end < folds->count ? end : folds->count;
    if (is_over(folds))
        return 0;
    for (size_t fold = 0; fold < folds->path.folds; fold++)
        if (!folds->state[fold].busy && folds->state[fold].next < end &&
            (best == SIZE_MAX || folds->state[fold].next < folds->state[best].next))
            best = fold;
    if (best == SIZE_MAX || (folds->threads > 1 && folds->count <= 1 && !folds->alone &&
                             best == folds->path.folds - 1 && best % folds->threads == 0))
        return 0;
    thread->fold = best;
    thread->number = folds->state[best].next;
    if (thread->number == folds->prepared && !tell(folds, folds->prepare, folds->prepared++))
        return 0;
    return folds->state[best].busy = 1;
}

static void clear_value(struct folds *folds, size_t place)
{
    memset(folds->complete[place], 0, folds->path.folds);
    folds->done[place] = 0;
}

/* ---- Training ----------------------------------------------------------- */

void folds_begin(struct folds *folds, const double *C, size_t count)
{
    folds->C = C;
    folds->count = count;
    folds->prepared = folds->present = 0;
    folds->stopped = folds->ended = folds->alone = 0;
    memset(folds->state, 0, folds->path.folds * sizeof *folds->state);
    for (size_t place = 0; place < PRESENT_VALUES; place++)
        clear_value(folds, place);
}

static enum hinge_answer end_training(void *context, const struct hinge_progress *progress)
{
    const struct folds *folds = context;

    (void)progress;
    return folds->ended ? HINGE_INTERRUPT : HINGE_GO_ON;
}

static void train_fold(struct fold_thread *thread)
{
    struct folds *folds = thread->folds;
    struct path path = folds->path;
    const struct hinge_monitor end = {end_training, folds, path.monitor, HINGE_BETWEEN};
    const struct hinge_monitor monitor = failed_job_monitor(&folds->failed, &end);
    const struct classes *all = folds->path.classes;
    struct classes *own = &thread->classes; /* those of the training rows, in the order of all */
    struct hinge_error error = {HINGE_OK, ""};
    size_t completed;

    if (folds->only_class[thread->fold] < SIZE_MAX) /* predicted without a training */
        return;
    own->count = 0;
    for (uint32_t c = 0; c < all->count; c++)
        if (!folds_hides(folds, thread->fold, c))
            thread->global_class[own->count++] = c;
    for (uint32_t c = 0; c < own->count && folds->hides_classes; c++) {
        const uint32_t number = thread->global_class[c];

        thread->own_class[number] = c;
        own->label[c] = all->label[number];
        if (all->column)
            own->column[c] = all->column[number];
    }
    path.classes = folds->hides_classes ? own : all;
    path.fold = thread->fold;
    path.monitor = &monitor;
    path.threads_each = folds->alone ? folds->threads : path.threads_each;
    path.C = folds->C ? &folds->C[thread->number] : NULL;
    path.row = thread->training;
    path.rows = 0;
    for (size_t i = 0; i < folds->rows; i++) {
        const uint32_t row = folds->row[i];

        if (folds->fold[i] == thread->fold)
            continue;
        thread->training[path.rows++] = row;
        if (folds->hides_classes)
            own->of_row[row] = thread->own_class[all->of_row[row]];
    }
    if (path_run(&path, folds->take, thread, &completed, &error))
        failed_job_note(&folds->failed, thread->number * path.folds + thread->fold, &error);
}

/* Trains without one fold after another. Each C that is complete is shown to the owner. */
static void work(void *context, size_t job, unsigned number)
{
    struct folds *folds = context;
    struct fold_thread *thread = &folds->thread[number];
    int is_locked = parallel_enter();

    (void)job;
    while (pick_fold(thread)) {
        const size_t place = thread->number % PRESENT_VALUES;

        parallel_leave(is_locked);
        train_fold(thread);
        is_locked = parallel_enter();
        folds->state[thread->fold].busy = 0;
        folds->state[thread->fold].next++;
        if (is_over(folds))
            continue;
        folds->complete[place][thread->fold] = 1;
        folds->done[place]++;
        while (folds_done(folds) == folds->path.folds && !folds->ended &&
               tell(folds, folds->see, folds->present)) {
            clear_value(folds, folds->present % PRESENT_VALUES);
            folds->present++;
        }
    }
    parallel_leave(is_locked);
}

enum hinge_status folds_train(struct folds *folds, struct hinge_error *error)
{
    parallel_run(folds->threads, folds->threads, work, NULL, folds);
    folds->alone = 1;
    work(folds, 0, 0);
    if (folds->failed.job == SIZE_MAX)
        return HINGE_OK;
    *error = folds->failed.error;
    return failure(error);
}

/* ---- Rows held out ------------------------------------------------------ */

/* Returns the first row held out from row i on and prefetches its entries; folds->rows: none. */
static uint32_t next_held_out(const struct fold_thread *thread, const struct problem *all,
                              uint32_t i)
{
    enum { MOST = 512 }; /* entries; the rest of a longer row is not prefetched */
    const struct folds *folds = thread->folds;

    while (i < folds->rows && folds->fold[i] != thread->fold)
        i++;
    if (i < folds->rows && !problem_is_paged(all)) {
        const struct sparse x = problem_row(all, i);

        sparse_prefetch(&x, MOST);
    }
    return i;
}

void folds_each_held_out(struct fold_thread *thread, const struct trained *trained,
                         held_out_function *see, void *context)
{
    const struct folds *folds = thread->folds;
    const double *gathered = NULL; /* in a team: values of the rows held out, in order */
    const uint32_t *column = thread->global_class + trained->column;
    struct problem all = *trained->problem;
    const int is_pair =
        all.classes == 0 && thread->classes.count == 2 && folds->path.classes->count > 2;
    const size_t count = is_pair ? 2 : problem_outputs(&all);
    double pair[2] = {0, 0}, *value = all.classes > 0
                                          ? thread->value
                                          : pair; /* threads of columns may share thread->value */

    if (team_is_shared(folds->path.team)) {
        struct problem held_out = all;
        struct own_rows own;

        held_out.row = thread->held_out;
        held_out.rows = 0;
        for (size_t i = 0; i < folds->rows; i++)
            if (folds->fold[i] == thread->fold)
                thread->held_out[held_out.rows++] = folds->row[i];
        own = own_rows(&held_out);
        for (uint32_t i = own.first; i < own.end; i++)
            thread->decision[i] = problem_decision(&held_out, i, trained->w);
        shards_gather(&held_out, thread->decision);
        gathered = thread->decision;
    }
    all.row = folds->row;
    for (uint32_t i = next_held_out(thread, &all, 0), next; i < folds->rows; i = next) {
        next = next_held_out(thread, &all, i + 1);
        if (gathered)
            *value = *gathered++;
        else if (all.classes > 0)
            problem_rows_dots(&all, i, 1, trained->w, value);
        else
            *value = problem_decision(&all, i, trained->w);
        if (is_pair)
            pair[1] = 0 - pair[0];
        see(context, i, count, column, value);
    }
}
