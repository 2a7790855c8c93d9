/* joint_as_binary.c - two classes: min 1/2 |w_1|^2 + 1/2 |w_2|^2 + C sum loss(w_1, w_2)
 *                      = half of min 1/2 |u|^2 + 2 C sum phi(y u'x), with w_1 = u/2 = -w_2.
 *
 * A joint solver (Crammer and Singer, softmax) trains two classes as one problem of signs, by the
 * methods of the binary solver with the same loss. Weights, dual points, objectives and what
 * monitors see are halved on the way back.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "solver/loop/loop.h"

enum { COLUMNS = 2 };

/* The problem of signs and its arrays. */
struct joint_as_binary {
    const struct task *task; /* the joint task */
    struct problem problem;
    size_t width;                  /* length of u */
    signed char *sign;             /* [rows] +1: the first class */
    double *cost;                  /* [rows] */
    double *alpha;                 /* [rows] */
    double *u;                     /* [width] */
    double *start;                 /* [width] u to start from; unused if the task has no start */
    struct monitor_view *view;     /* [monitors] */
    struct hinge_monitor *monitor; /* [monitors] list that shows halved values to the task's list */
    size_t monitors;
};

/* Context of a monitor in front of a monitor of the task. */
struct monitor_view {
    const struct hinge_monitor *monitor; /* the task's monitor */
    const struct joint_as_binary *two;
};

static void lay_out(struct joint_as_binary *two, struct arena *arena)
{
    const size_t rows = two->problem.rows;

    two->sign = arena_take(arena, rows, sizeof *two->sign);
    two->cost = arena_take(arena, rows, sizeof *two->cost);
    two->alpha = arena_take(arena, rows, sizeof *two->alpha);
    two->u = arena_take(arena, two->width, sizeof *two->u);
    two->start = arena_take(arena, two->task->start ? two->width : 0, sizeof *two->start);
    two->view = arena_take(arena, two->monitors, sizeof *two->view);
    two->monitor = arena_take(arena, two->monitors, sizeof *two->monitor);
}

/* ---- Back to both columns ------------------------------------------------ */

static void put_weights(const struct joint_as_binary *two, const double *u)
{
    double *w = two->task->w;

    for (size_t j = 0; j < two->width; j++) {
        w[COLUMNS * j] = u[j] / 2;
        w[COLUMNS * j + 1] = -w[COLUMNS * j];
    }
}

static void halve_result(struct hinge_result *result)
{
    result->primal /= 2;
    result->dual /= 2;
    result->nonzeros *= COLUMNS;
}

/* Shows a monitor of the task the progress of both columns (the checkpoint of a monitor_view). */
static enum hinge_answer show(void *context, const struct hinge_progress *progress)
{
    const struct monitor_view *view = context;
    const struct task *task = view->two->task;
    struct hinge_progress shown = *progress;
    struct hinge_result result;

    shown.outputs = COLUMNS;
    shown.label = task->label;
    shown.primal /= 2;
    shown.dual /= 2;
    shown.nonzeros *= COLUMNS;
    if (progress->w)
        shown.w = task->w;
    if (progress->w && progress->measured)
        put_weights(view->two, progress->w);
    if (progress->result) {
        result = *progress->result;
        halve_result(&result);
        shown.result = &result;
    }
    return view->monitor->checkpoint(view->monitor->context, &shown);
}

/* ---- The training -------------------------------------------------------- */

enum hinge_status joint_as_binary_train(const struct task *task, struct hinge_result *result,
                                        struct hinge_error *error)
{
    struct joint_as_binary two = {
        .task = task, .problem = *task->problem, .width = problem_width(task->problem) / COLUMNS};
    const struct hinge_monitor *next = task->monitor;
    struct task of_signs = *task;
    struct arena arena = {NULL, 0, 0};
    enum hinge_status status;
    void *block;

    for (; next; next = next->next)
        two.monitors++;
    lay_out(&two, &arena);
    if (!(block = arena_new(&arena, error)))
        return failure(error);
    lay_out(&two, &arena);
    for (uint32_t i = 0; i < two.problem.rows; i++) {
        const uint32_t class = task->problem->class_of[i];

        two.sign[i] = class == 0 ? 1 : -1;
        two.cost[i] = COLUMNS * problem_cost(task->problem, i);
        two.alpha[i] = COLUMNS * task->alpha[(size_t)COLUMNS * i + class];
    }
    for (size_t j = 0; task->start && j < two.width; j++)
        two.start[j] = task->start[COLUMNS * j] - task->start[COLUMNS * j + 1];
    two.problem.classes = 0;
    two.problem.class_of = NULL;
    two.problem.sign = two.sign;
    two.problem.cost = two.cost;
    two.problem.trace_bound *= COLUMNS;
    next = task->monitor;
    for (size_t k = 0; k < two.monitors; k++, next = next->next) {
        two.view[k] = (struct monitor_view){next, &two};
        two.monitor[k] = (struct hinge_monitor){
            show, &two.view[k], k + 1 < two.monitors ? &two.monitor[k + 1] : NULL, next->wants};
    }
    of_signs.problem = &two.problem;
    of_signs.solver = solver_find(task->solver->of_two);
    of_signs.monitor = two.monitors > 0 ? two.monitor : NULL;
    of_signs.label = NULL;
    of_signs.bias = -COLUMNS * task->bias; /* the bias of the second column is -u/2 */
    of_signs.start = task->start ? two.start : NULL;
    of_signs.alpha = two.alpha;
    of_signs.w = two.u;
    status = solver_train(&of_signs, result, error);
    if (status == HINGE_OK) {
        put_weights(&two, two.u);
        for (uint32_t i = 0; i < two.problem.rows; i++) {
            const uint32_t class = task->problem->class_of[i];
            double *a = task->alpha + (size_t)COLUMNS * i;

            a[class] = two.alpha[i] / 2;
            a[1 - class] = -a[class];
        }
        halve_result(result);
    }
    free(block);
    return status;
}
