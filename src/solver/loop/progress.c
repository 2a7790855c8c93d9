/* progress.c - tells monitors the progress of a training and collects their answers. */
#include "solver/loop/method.h"

#include <math.h>

#include "base/parallel.h"

struct hinge_progress progress_new(const struct task *task)
{
    struct hinge_progress progress = {0};

    progress.fold = task->fold;
    progress.folds = task->folds;
    progress.C = task->problem->C;
    progress.problem = task->position;
    progress.problems = task->problems;
    progress.positive = task->positive;
    progress.outputs = problem_outputs(task->problem);
    progress.label = task->problem->classes > 0 ? task->label : NULL;
    progress.active = progress.rows = task->problem->rows;
    progress.features = task->problem->data->features;
    progress.bias = task->problem->bias_kind == BIAS_NONE ? -1 : task->problem->bias;
    progress.primal = progress.dual = progress.relative_gap = NAN;
    return progress;
}

struct hinge_result progress_result(const struct hinge_progress *progress,
                                    enum hinge_outcome outcome)
{
    return (struct hinge_result){.outcome = outcome,
                                 .primal = progress->primal,
                                 .dual = progress->dual,
                                 .relative_gap = progress->relative_gap,
                                 .rounding = progress->rounding,
                                 .passes = progress->passes,
                                 .steps = progress->steps,
                                 .method = progress->method,
                                 .fallback = progress->fallback,
                                 .nonzeros = progress->nonzeros,
                                 .row_visits = progress->row_visits};
}

/* Asks the monitors while no other thread does. */
static enum hinge_answer ask(const struct hinge_monitor *monitor,
                             const struct hinge_progress *progress,
                             const struct hinge_progress *returned, int between)
{
    const int is_locked = parallel_enter();
    const enum hinge_answer answer = monitors_answer(monitor, progress, returned, between);

    parallel_leave(is_locked);
    return answer;
}

/* Returns the answer of the first rank's monitors to all ranks of a team. */
static enum hinge_answer agree_on(struct team *team, enum hinge_answer answer)
{
    unsigned char byte = (unsigned char)answer;

    team_send_from(team, 0, &byte, 1);
    return (enum hinge_answer)byte;
}

enum hinge_answer monitor_ask(const struct hinge_monitor *monitor,
                              const struct hinge_progress *progress, struct team *team)
{
    return agree_on(team, team_rank(team) > 0 ? HINGE_GO_ON : ask(monitor, progress, progress, 0));
}

enum hinge_answer training_tell(const struct training *training, int between)
{
    const struct hinge_monitor *const list = training->task->monitor;
    const uint32_t views = problem_views(training->problem);
    struct hinge_progress progress = training->progress, returned;
    const struct hinge_progress *shown = &progress;

    progress.measured = progress.measured && !between; /* within a step w may be changing */
    progress.rows /= views;                            /* counts rows of the data */
    progress.active = (progress.active + views - 1) / views;
    progress.row_visits /= views;
    for (const struct hinge_monitor *next = list; progress.measured && next; next = next->next)
        if (next->wants & HINGE_MODEL && shown == &progress) {
            returned = training_returned(training, &progress);
            shown = &returned;
        }
    if (team_rank(training->problem->team) > 0)
        return HINGE_GO_ON; /* only the first rank has monitors */
    return ask(list, &progress, shown, between);
}

enum hinge_answer training_ask(const struct training *training, int between)
{
    return agree_on(training->problem->team, training_tell(training, between));
}

static int is_stopped(const void *context)
{
    return training_ask(context, 1) > HINGE_MEASURE;
}

/* In a team there are no questions within a step, because ranks do not reach them at the same time.
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

/* In a team every question takes a round, so only one is asked in each step. */
void training_watch_part(const struct training *whole, struct hinge_monitor *monitor)
{
    struct hinge_monitor *between = team_is_shared(whole->problem->team) ? NULL : &monitor[1];

    monitor[0] = (struct hinge_monitor){ask_of_whole, (void *)whole, between, 0};
    monitor[1] = (struct hinge_monitor){ask_of_whole_between, (void *)whole, NULL, HINGE_BETWEEN};
}
