/* driver.c - until a rule holds: ask the monitors, let the policy choose a method, step.
 *
 * It owns monitors, limits, time, the best point, measuring and the result. Which method steps is
 * the policy's choice.
 */
#include "solver/driver.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "base/status.h"
#include "problem/bias.h"
#include "problem/certificate.h"
#include "solver/by_features.h"
#include "solver/linear/primal_system.h"
#include "solver/multiplier.h"
#include "solver/policy.h"

/* ---- What trainings keep for each other --------------------------------- */

struct workspace {
    struct computed computed; /* since the last reset, */
    int system_used;          /* but its system may be older: memory for another one */
    double *partial;          /* of the shards, */
    double *room;             /* and for a row of a problem with classes */
    void *spare;              /* the block of a method that has ended, for the next: memory from */
    size_t spare_size;        /* the system would have to be mapped anew */
};

struct workspace *workspace_new(struct hinge_error *error)
{
    return array_new(1, sizeof(struct workspace), error);
}

size_t computed_size(const struct computed *computed)
{
    return (computed->system ? primal_system_size(computed->system) : 0) +
           (computed->by_features ? computed->by_features->size : 0);
}

void computed_free(struct computed *computed)
{
    primal_system_free(computed->system);
    by_features_free(computed->by_features);
    *computed = (struct computed){NULL, NULL, 0};
}

void workspace_reset(struct workspace *workspace, struct computed *computed)
{
    struct computed *own = &workspace->computed;

    by_features_free(own->by_features);
    own->by_features = computed ? computed->by_features : NULL;
    own->system_needed = computed && computed->system_needed;
    workspace->system_used = computed && computed->system;
    if (workspace->system_used) {
        primal_system_free(own->system);
        own->system = computed->system;
    }
    if (computed)
        *computed = (struct computed){NULL, NULL, 0};
}

struct computed workspace_take(struct workspace *workspace, size_t most)
{
    struct computed *own = &workspace->computed;
    struct computed taken = {NULL, NULL, own->system_needed};

    if (workspace->system_used && primal_system_size(own->system) <= most) {
        taken.system = own->system;
        own->system = NULL;
        workspace->system_used = 0;
    }
    if (own->by_features && own->by_features->size <= most - computed_size(&taken)) {
        taken.by_features = own->by_features;
        own->by_features = NULL;
    }
    return taken;
}

void workspace_free(struct workspace *workspace)
{
    if (!workspace)
        return;
    computed_free(&workspace->computed);
    free(workspace->partial);
    free(workspace->room);
    free(workspace->spare);
    free(workspace);
}

int training_needed_system(const struct training *training)
{
    return training->task->workspace->computed.system_needed;
}

struct primal_system *training_system(struct training *training, struct hinge_error *error)
{
    struct workspace *workspace = training->task->workspace;
    struct computed *computed = &workspace->computed;

    if (!workspace->system_used && computed->system &&
        !primal_system_reset(computed->system, training->problem)) {
        primal_system_free(computed->system);
        computed->system = NULL;
    }
    if (!computed->system)
        computed->system = primal_system_new(training->problem, error);
    workspace->system_used = computed->system != NULL;
    computed->system_needed |= workspace->system_used;
    if (computed->system)
        primal_system_listen(computed->system, training_stop(training));
    return computed->system;
}

struct by_features *training_by_features(struct training *training, struct hinge_error *error)
{
    struct computed *computed = &training->task->workspace->computed;

    if (computed->by_features && !by_features_turn(computed->by_features, training->problem)) {
        by_features_free(computed->by_features);
        computed->by_features = NULL;
    }
    if (!computed->by_features)
        computed->by_features =
            by_features_new(training->problem, by_features_in_columns(training->problem), error);
    return computed->by_features;
}

/* A block of zeros for a method. */
static void *take_block(struct workspace *workspace, struct arena *arena, size_t *size,
                        struct hinge_error *error)
{
    void *block = workspace->spare;

    workspace->spare = NULL;
    *size = workspace->spare_size;
    if (block && *size >= arena->used) {
        arena_reuse(arena, block);
        return block;
    }
    free(block);
    *size = arena->used;
    return arena_new(arena, error);
}

static void give_block(struct workspace *workspace, void *block, size_t size)
{
    free(workspace->spare);
    workspace->spare = block;
    workspace->spare_size = size;
}

/* ---- Monitors ---------------------------------------------------------- */

struct hinge_progress progress_new(const struct task *task)
{
    struct hinge_progress progress = {0};

    progress.fold = task->fold;
    progress.folds = task->folds;
    progress.C = task->parameters->C;
    progress.problem = task->position;
    progress.problems = task->problems;
    progress.positive = task->positive;
    progress.outputs = problem_outputs(task->problem);
    progress.label = task->problem->classes > 0 ? task->label : NULL;
    progress.active = progress.rows = task->problem->rows;
    progress.features = task->problem->data->features;
    progress.bias = task->problem->bias_kind == BIAS_NONE ? -1 : task->problem->bias;
    progress.primal = progress.dual = progress.gap = NAN;
    return progress;
}

/* Counts of rows as monitors see them: of the data, not of views. */
static void count_in_data(const struct problem *problem, struct hinge_progress *progress)
{
    const uint32_t views = problem_views(problem);

    progress->rows /= views;
    progress->active = (progress->active + views - 1) / views;
    progress->row_visits /= views;
}

/* A question to all monitors, or to those that are asked between checkpoints, too. */
struct question {
    const struct hinge_monitor *monitor;
    const struct hinge_progress *progress;
    int between;
    enum hinge_answer strongest;
};

static void ask_each(void *context)
{
    struct question *question = context;

    for (const struct hinge_monitor *monitor = question->monitor; monitor; monitor = monitor->next)
        if (!question->between || monitor->between) {
            const enum hinge_answer answer =
                monitor->checkpoint(monitor->context, question->progress);

            question->strongest = answer > question->strongest ? answer : question->strongest;
        }
}

/* Of a team the monitors of the first rank are asked, and answer for all. */
static enum hinge_answer agree_on(struct team *team, enum hinge_answer answer)
{
    unsigned char byte = (unsigned char)answer;

    team_send_from(team, 0, &byte, 1);
    return (enum hinge_answer)byte;
}

enum hinge_answer monitor_ask(const struct hinge_monitor *monitor,
                              const struct hinge_progress *progress, struct team *team)
{
    struct question question = {monitor, progress, 0, HINGE_GO_ON};

    if (team_rank(team) == 0)
        parallel_alone(ask_each, &question);
    return agree_on(team, question.strongest);
}

/* The same of a training; of a team the first rank's. */
static enum hinge_answer ask_about(const struct training *training, int between)
{
    struct hinge_progress progress = training->progress;
    struct question question = {training->task->monitor, &progress, between, HINGE_GO_ON};

    count_in_data(training->problem, &progress);
    if (team_rank(training->problem->team) == 0)
        parallel_alone(ask_each, &question);
    return question.strongest;
}

enum hinge_answer training_ask(const struct training *training, int between)
{
    return agree_on(training->problem->team, ask_about(training, between));
}

static int is_stopped(const void *context)
{
    return training_ask(context, 1) > HINGE_MEASURE;
}

/* In a team nobody is asked within a step: the ranks do not come to the question at the same time.
 */
struct stop training_stop(const struct training *training)
{
    return team_is_shared(training->problem->team) ? (struct stop){NULL, NULL}
                                                   : (struct stop){is_stopped, training};
}

static enum hinge_answer ask_of_whole(void *context, const struct hinge_progress *progress)
{
    (void)progress;
    return training_ask(context, 0);
}

static enum hinge_answer ask_of_whole_between(void *context, const struct hinge_progress *progress)
{
    (void)progress;
    return training_ask(context, 1);
}

void driver_watch_part(const struct training *whole, struct hinge_monitor *monitor)
{
    monitor[0] = (struct hinge_monitor){ask_of_whole, (void *)whole, &monitor[1], 0};
    monitor[1] = (struct hinge_monitor){ask_of_whole_between, (void *)whole, NULL, 1};
}

/* ---- The training's point ----------------------------------------------- */

double training_target(const struct training *training)
{
    return training->parameters->gap > 0 ? training->parameters->gap : HINGE_DEFAULT_GAP;
}

void training_note(struct training *training, const struct objective *objective)
{
    struct hinge_progress *progress = &training->progress;

    progress->measured = 1;
    progress->primal = training->primal = objective->primal;
    progress->dual = training->dual = objective->dual;
    progress->gap = objective->gap;
    progress->nonzeros = objective->nonzeros;
    progress->w = training->multiplier ? training->multiplier->w : training->w;
}

/* v := what alpha = 0 has */
static void clear(const struct training *training, double *v)
{
    memset(v, 0, training->width * sizeof *v);
    if (training->multiplier)
        v[training->width - 1] = training->multiplier->origin;
}

static void combine(struct training *training, const double *alpha, double *v)
{
    clear(training, v);
    sums_combine(&training->shards, training->problem, all_rows(training->problem), alpha, 1, v);
}

/* Whether w of a dual point is soft(v, l1), and not v itself. */
static int has_map(const struct problem *problem)
{
    return problem->l1 > 0 && !problem->only_l1;
}

/* Whether w is another point than that of v. */
static int is_apart(const struct training *training)
{
    return training->v && !(has_map(training->problem) && training->is_formed);
}

/* Where v is kept that w is formed from. */
static double *sum_of(const struct training *training)
{
    return has_map(training->problem) ? training->v : training->w;
}

/* w := what R* is attained at */
static void form_weights(struct training *training)
{
    double *v = sum_of(training);

    combine(training, training->alpha, v);
    for (size_t j = 0; v != training->w && j < training->width; j++)
        training->w[j] = soft(v[j], training->problem->l1);
}

/* Keeps w, whose P is known, where it is to become sum alpha_i y_i x_i. No memory, no copy. */
static void keep_best(struct training *training)
{
    struct hinge_error ignored;

    if (training->is_formed || !(training->primal <= DBL_MAX))
        return;
    if (!training->best_w)
        training->best_w = array_new(training->width, sizeof *training->best_w, &ignored);
    if (!training->best_w)
        return;
    memcpy(training->best_w, training->w, training->width * sizeof *training->w);
    training->best = training->primal;
}

void training_form(struct training *training)
{
    const struct problem *problem = training->problem;
    const struct multiplier *multiplier = training->multiplier;
    double *v = sum_of(training);
    double largest = 0;

    keep_best(training);
    for (size_t i = 0; i < problem_duals(training->problem); i++)
        largest = training->alpha[i] > largest ? training->alpha[i] : largest;
    training->dual = 0;
    if (largest > 0) {
        form_weights(training);
        training->dual = objective_dual(&training->shards, problem, training->alpha, v) -
                         (multiplier ? multiplier->origin * multiplier->origin / 2 : 0);
    } else {
        clear(training, training->w);
        clear(training, v);
    }
    training->primal = HUGE_VAL;
    training_moved(training);
    training->is_formed = training->is_fresh = 1;
}

/* What would be returned, when it is settled. */
struct point {
    const struct problem *problem;
    const double *w;
    const double *alpha;
};

static struct point point_of(const struct training *training)
{
    const struct multiplier *multiplier = training->multiplier;

    return multiplier ? (struct point){multiplier->free, multiplier->w, multiplier->alpha}
                      : (struct point){training->problem, training->w, training->alpha};
}

/* The bounds of what was measured instead of it, if its gap is at most that. */
static void bound(struct training *training, double target)
{
    const struct point point = point_of(training);
    struct hinge_progress *progress = &training->progress;
    const struct objective measured = {progress->primal, progress->dual, progress->gap,
                                       progress->nonzeros};
    struct longest own = {training->problem->row, training->rows, 0, 0, 0};
    struct objective bounds;

    progress->rounding = 0;
    if (!training->is_fresh || !(measured.gap <= target))
        return;
    if (training->problem->bias_kind == BIAS_FREE) /* alpha_i of all rows are added up there */
        shards_gather(training->problem, training->alpha);
    bounds = certificate_take(&training->shards, point.problem, point.w, point.alpha,
                              training->v ? training->v : point.w, &measured, target,
                              training->task->longest ? training->task->longest : &own);
    progress->primal = bounds.primal;
    progress->dual = bounds.dual;
    progress->gap = bounds.gap;
    progress->rounding =
        (fabs(bounds.primal - measured.primal) + fabs(bounds.dual - measured.dual)) /
        problem_scale(training->problem, bounds.primal);
}

/* For a result without a certificate: within a thousandth of what was measured, if possible. */
static void bound_result(struct training *training)
{
    if (training->progress.rounding == 0)
        bound(training, fmax(1.001 * training->progress.gap, training_target(training)));
}

static void measure_with_margins(struct training *training, double *z)
{
    const struct point point = point_of(training);
    struct objective objective;

    if (is_apart(training))
        combine(training, training->alpha, training->v);
    if (training->multiplier)
        multiplier_settle(training);
    training->is_fresh |= is_apart(training) || training->multiplier;
    objective = objective_measure_margins(&training->shards, point.problem, point.w, point.alpha,
                                          training->v ? training->v : point.w, z);
    training_note(training, &objective);
    bound(training, training_target(training));
}

void training_measure(struct training *training)
{
    measure_with_margins(training, NULL);
}

/* Whether w or v were formed anew and nothing has changed since they were measured. */
static int is_certain(const struct training *training)
{
    return training->progress.measured && training->is_fresh;
}

void training_take_measure(struct training *training, double primal, double conjugates)
{
    struct objective objective = {primal, conjugates, NAN, 0};

    for (size_t j = 0; j < training->width; j++)
        objective.nonzeros += training->w[j] != 0;
    objective.dual *= objective_scale(training->problem, training->v);
    objective.gap = (primal + objective.dual) / problem_scale(training->problem, primal);
    training->is_fresh = training->is_taken = 1;
    training_note(training, &objective);
    bound(training, training_target(training));
}

int training_gap_is_near(const struct training *training)
{
    const double gap = training->parameters->gap, primal = training->primal;

    return gap <= 0 || primal + training->dual <= gap * problem_scale(training->problem, primal);
}

int training_gap_is_met(struct training *training)
{
    if (training->parameters->gap > 0 && !is_certain(training))
        training_measure(training);
    return training->parameters->gap <= 0 || training->progress.gap <= training->parameters->gap;
}

void training_certify(struct training *training, double *z)
{
    if (is_certain(training) && !z)
        return;
    if (!is_apart(training) && !training->is_fresh)
        form_weights(training);
    training->is_fresh = 1;
    measure_with_margins(training, z);
}

int training_keep_primal(struct training *training, const double *w, double primal)
{
    if (!(primal < training->primal))
        return 0;
    training->primal = primal;
    memcpy(training->w, w, training->width * sizeof *w);
    training_moved(training);
    return 1;
}

int training_keeps_dual(struct training *training, double dual)
{
    if (!(dual < training->dual))
        return 0;
    training->dual = dual;
    training_moved(training);
    return 1;
}

static int are_small(const struct training *training, const struct violations *found)
{
    const struct problem *problem = training->problem;
    const double eps = training->eps, most = problem->bias_kind == BIAS_FREE ? eps / 2 : eps;

    return loss_has_targets(problem->loss) ? found->total <= eps * training->rows
                                           : found->largest <= most && found->smallest >= -most &&
                                                 found->largest - found->smallest <= eps;
}

int training_keeps_rule(struct training *training, const struct problem *problem, const double *w,
                        const double *alpha)
{
    const struct violations found = sums_violations(&training->shards, problem, w, alpha);

    training->progress.row_visits += training->rows;
    return are_small(training, &found);
}

int training_settled_rule(struct training *training)
{
    const struct point point = point_of(training);

    multiplier_settle(training);
    return training_keeps_rule(training, point.problem, point.w, point.alpha);
}

int training_dual_rule(struct training *training, const double *alpha, const double *w, double *z)
{
    const struct problem *problem = training->problem;
    const int is_free = problem->bias_kind == BIAS_FREE;
    const int is_final = z && !is_free; /* nothing is to be settled yet */
    double *v = training->v;
    struct objective objective;
    struct violations found;

    combine(training, alpha, v);
    if (is_free)
        v[training->width - 1] = w[training->width - 1];
    if (is_final) {
        objective = objective_measure_margins(&training->shards, problem, v, alpha, v, z);
        found = sums_violations_at(&training->shards, problem, z, alpha);
    } else {
        found = sums_violations(&training->shards, problem, v, alpha);
    }
    training->progress.row_visits += training->rows;
    if (!are_small(training, &found))
        return 0;
    memcpy(training->w, v, training->width * sizeof *v);
    if (alpha != training->alpha)
        memcpy(training->alpha, alpha, problem_duals(problem) * sizeof *alpha);
    bias_balance(problem, training->alpha);
    training_moved(training);
    if (is_final) {
        training->is_fresh = 1;
        training_note(training, &objective);
        bound(training, training_target(training));
    } else {
        training_measure(training);
    }
    return 1;
}

/* ---- Methods at work ---------------------------------------------------- */

static struct worker *find_worker(struct driver *driver, const struct method *method)
{
    return &driver->worker[driver->worker[0].method != method];
}

enum hinge_status driver_begin(struct driver *driver, const struct method *method,
                               struct hinge_error *error)
{
    struct worker *worker = find_worker(driver, NULL);
    struct training *training = &driver->training;
    struct arena arena = {NULL, 0, 0};
    int has_room;

    worker->block = NULL;
    worker->size = 0;
    if ((worker->state = array_new(1, method->size, error))) {
        method->lay_out(worker->state, &arena, training);
        worker->block = take_block(training->task->workspace, &arena, &worker->size, error);
    }
    has_room = team_agrees(training->problem->team, worker->block != NULL, error);
    if (has_room)
        method->lay_out(worker->state, &arena, training);
    if (!has_room || method->begin(worker->state, training, error)) {
        give_block(training->task->workspace, worker->block, worker->size);
        free(worker->state);
        return failure(error);
    }
    worker->method = method;
    worker->fresh = 1;
    if (method->name && !training->progress.fallback) /* else the one that failed is named */
        training->progress.method = *method->name ? method->name : training->task->solver->newton;
    return HINGE_OK;
}

void driver_end(struct driver *driver, const struct method *method)
{
    struct worker *worker = find_worker(driver, method);

    if (!method || worker->method != method)
        return;
    if (method->end)
        method->end(worker->state);
    give_block(driver->training.task->workspace, worker->block, worker->size);
    free(worker->state);
    worker->method = NULL;
}

void driver_certify(struct driver *driver, const struct method *method)
{
    struct training *training = &driver->training;

    if (!method->measure)
        training_certify(training, NULL);
    if (method->measure && !training->progress.measured)
        method->measure(find_worker(driver, method)->state);
    if (training->multiplier)
        multiplier_end(training);
}

/* ---- The loop ---------------------------------------------------------- */

/* For a monitor: what the steps depend on stays as it is. */
static void measure(struct driver *driver, const struct worker *worker)
{
    struct training *training = &driver->training;
    const double primal = training->primal, dual = training->dual;

    if (worker->method->measure) {
        worker->method->measure(worker->state);
        return;
    }
    training_measure(training);
    training->primal = primal; /* as the steps know them, with their rounding */
    training->dual = dual;
}

/* Asks the monitors, and measures if they want to know. */
static enum hinge_answer ask(struct driver *driver, const struct worker *worker)
{
    const struct training *training = &driver->training;
    enum hinge_answer answer = training_ask(training, 0);

    if (answer == HINGE_MEASURE && !training->progress.measured) {
        measure(driver, worker);
        answer = training_ask(training, 0);
    }
    return answer == HINGE_MEASURE ? HINGE_GO_ON : answer;
}

/* Steps until one of the ends there are. *last is the method whose point is to be returned. */
static enum hinge_status iterate(struct driver *driver, struct policy *policy,
                                 const struct method **last, enum hinge_outcome *outcome,
                                 struct hinge_error *error)
{
    const struct training *training = &driver->training;
    enum verdict verdict = GOES_ON;

    *last = NULL;
    for (;;) {
        const struct method *method = policy_next(policy, driver, *last, verdict, error);
        struct worker *worker = find_worker(driver, method);

        *outcome = HINGE_STALLED;
        if (pages_check(&training->problem->data->x, error) ||
            team_check(training->problem->team, error))
            return failure(error);
        if (!method)
            return *last ? HINGE_OK : failure(error);
        *last = method;
        verdict = worker->fresh ? method->met(worker->state) : GOES_ON;
        worker->fresh = 0;
        if (verdict == GOES_ON) {
            const enum hinge_answer answer = ask(driver, worker);

            *outcome = answer == HINGE_INTERRUPT ? HINGE_INTERRUPTED : HINGE_TIME_LIMIT;
            if (answer != HINGE_GO_ON)
                return HINGE_OK;
            *outcome = HINGE_PASS_LIMIT;
            if (training->progress.passes >= training->most_passes)
                return HINGE_OK;
            method->step(worker->state);
            verdict = method->met(worker->state);
        }
        *outcome = verdict == MET ? HINGE_TOLERANCE_MET : HINGE_FINISHED;
        if (verdict == MET || verdict == FINISHED)
            return HINGE_OK;
    }
}

/* ---- Beginning and end -------------------------------------------------- */

/* Of a regression LIBLINEAR bounds the sum of all violations, relative to that at alpha = 0, where
 * row i has max(0, t_i): here its mean. */
static double eps_of(const struct task *task)
{
    const struct problem *problem = task->problem;
    double total = 0;

    if (!loss_has_targets(problem->loss))
        return task->parameters->eps;
    for (uint32_t i = 0; i < problem->rows; i++)
        total += positive_part(problem->target[i]);
    return task->parameters->eps * (total / fmax(problem->rows, 1));
}

static enum hinge_status begin(struct driver *driver, const struct task *task,
                               struct hinge_error *error)
{
    struct training *training = &driver->training;
    struct workspace *workspace = task->workspace;
    const struct team *team = task->problem->team;
    double *partial = workspace->partial, *room;
    const size_t classes = task->problem->classes;
    const double nonzeros = problem_nonzeros(task->problem);
    const unsigned threads = task->parameters->threads > 0 ? task->parameters->threads : 1;

    *training = (struct training){.task = task,
                                  .problem = task->problem,
                                  .parameters = task->parameters,
                                  .rows = task->problem->rows,
                                  .width = problem_width(task->problem),
                                  .w = task->w,
                                  .alpha = task->alpha,
                                  .start = task->start,
                                  .primal = HUGE_VAL,
                                  .eps = eps_of(task),
                                  .rounds = team ? team->rounds : 0,
                                  .sent = team ? team->sent : 0,
                                  .progress = progress_new(task)};
    training->most_passes =
        task->parameters->max_passes > 0 ? task->parameters->max_passes : UINT64_MAX;
    training->shards =
        shards_of(task->problem, SUM_OF_VECTORS, nonzeros * (double)problem_outputs(task->problem),
                  training->width);
    shards_use_threads(&training->shards, task->parameters->threads);
    if (training->shards.count > 1 &&
        !(partial = array_resize(partial, training->width, threads * sizeof *partial, error)))
        return failure(error);
    training->shards.partial = workspace->partial = partial;
    if (!(room = array_resize(workspace->room, classes, (size_t)threads * 4 * sizeof *room, error)))
        return failure(error);
    training->shards.room = workspace->room = room;
    if (task->solver->info.kind != HINGE_DUAL)
        return HINGE_OK;
    if (has_map(task->problem) &&
        !(training->v = driver->v = array_new(training->width, sizeof *driver->v, error)))
        return failure(error);
    if (!task->problem->only_l1)
        training_form(training);
    if (training->start && !task->problem->only_l1 &&
        !(objective_primal(&training->shards, task->problem, task->start).primal <
          objective_at_zero(task->problem)))
        training->start = NULL; /* 0 is nearer */
    return HINGE_OK;
}

/* A better w, all 0 if NULL, in the place of the present one, whose P may be no number. It is
 * measured as any other: what was known of it may have rounding errors. */
static void return_better(struct training *training, const double *w, double primal)
{
    struct hinge_progress *progress = &training->progress;
    struct hinge_error ignored;

    if (progress->primal <= primal)
        return;
    for (size_t j = 0; j < training->width; j++)
        training->w[j] = w ? w[j] : 0;
    if (!training->v && !training->best_w) {
        training->best_w = array_new(training->width, sizeof *training->best_w, &ignored);
        if (!training->best_w)
            team_fail(training->problem->team, &ignored);
    }
    if (!training->v)
        training->v = training->best_w;
    training->is_formed = training->is_fresh = training->is_taken = 0;
    training_measure(training);
    bound_result(training);
}

/* No training returns a point worse than the best it had, or than w = 0, alpha = 0. */
static void return_best(struct training *training)
{
    struct hinge_progress *progress = &training->progress;

    if (training->best_w)
        return_better(training, training->best_w, training->best);
    return_better(training, NULL, objective_at_zero(training->problem));
    if (training->problem->total == 0 && !(progress->dual <= 0)) {
        memset(training->alpha, 0, problem_duals(training->problem) * sizeof *training->alpha);
        progress->dual = 0;
        progress->gap = progress->primal / problem_scale(training->problem, progress->primal);
    }
}

/* The last measurement, and the result. */
static void close_training(struct driver *driver, const struct method *last,
                           enum hinge_outcome outcome, struct hinge_result *result)
{
    struct training *training = &driver->training;
    struct hinge_progress *progress = &training->progress;
    const int dual = training->task->solver->info.kind == HINGE_DUAL;
    const struct team *team = training->problem->team;
    struct hinge_error unread;

    driver_certify(driver, last);
    shards_gather(training->problem, training->alpha);
    if (dual) {
        bound_result(training);
        return_best(training);
    }
    if (dual && outcome != HINGE_INTERRUPTED && training->is_fresh &&
        progress->gap <= training_target(training))
        outcome = HINGE_CERTIFIED;
    *result = (struct hinge_result){.outcome = outcome,
                                    .primal = progress->primal,
                                    .dual = progress->dual,
                                    .gap = progress->gap,
                                    .rounding = progress->rounding,
                                    .passes = progress->passes,
                                    .steps = progress->steps,
                                    .method = progress->method,
                                    .fallback = progress->fallback,
                                    .nonzeros = progress->nonzeros,
                                    .row_visits =
                                        progress->row_visits / problem_views(training->problem)};
    if (team) {
        result->rounds = team->rounds - training->rounds;
        result->sent = team->sent - training->sent;
    }
    for (size_t i = 0, views = problem_views(training->problem);
         dual && i < problem_duals(training->problem); i += views)
        result->support_vectors +=
            views > 1 ? training->alpha[i] != training->alpha[i + 1] : training->alpha[i] > 0;
    progress->last = 1;
    progress->result = result;
    if (pages_check(&training->problem->data->x, &unread) == HINGE_OK &&
        team_check(training->problem->team, &unread) == HINGE_OK)
        ask_about(training, 0);
}

enum hinge_status driver_train(const struct task *task, double *mu, struct hinge_result *result,
                               struct hinge_error *error)
{
    struct driver driver = {{0}, {{0}}, NULL};
    struct policy policy = {0};
    const struct method *last = NULL;
    enum hinge_outcome outcome;
    enum hinge_status status;
    struct stopwatch watch;

    stopwatch_start(&watch);
    status = begin(&driver, task, error);
    if (status == HINGE_OK)
        status = iterate(&driver, &policy, &last, &outcome, error);
    if (status == HINGE_OK)
        close_training(&driver, last, outcome, result);
    if (status == HINGE_OK) /* what was measured last may have needed rows that are not to be had */
        status = pages_check(&task->problem->data->x, error);
    if (status == HINGE_OK)
        status = team_check(task->problem->team, error);
    for (int k = 0; k < 2; k++)
        driver_end(&driver, driver.worker[k].method);
    policy_end(&policy);
    free(driver.training.best_w);
    free(driver.v);
    *mu = driver.training.mu;
    result->seconds = stopwatch_processor(&watch);
    return status;
}

enum hinge_status solver_train(const struct task *task, struct hinge_result *result,
                               struct hinge_error *error)
{
    double ignored;

    return driver_train(task, &ignored, result, error);
}
