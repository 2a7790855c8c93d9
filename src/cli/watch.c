/* watch.c - three monitors: answer := measure and print | out of time | interrupt. */
#include "cli/watch.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>

#include "cli/report.h"

/* The only static variable of the program: a signal handler has access to nothing else. */
static volatile sig_atomic_t interrupted; /* the number of the signal; 0: none */

static void note_interrupt(int number)
{
    interrupted = number;
    signal(number, SIG_DFL);
}

/* Handles the signals even if they were ignored at the start, as a script's shell does for jobs in
 * the background: whoever sends one to a training wants its model. */
void catch_interrupts(void)
{
    signal(SIGINT, note_interrupt);
    signal(SIGTERM, note_interrupt);
}

void release_interrupts(void)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (interrupted)
        raise(interrupted);
}

int was_interrupted(void)
{
    return interrupted != 0;
}

enum hinge_answer watch_interrupt(void *context, const struct hinge_progress *progress)
{
    (void)context;
    (void)progress;
    return interrupted ? HINGE_INTERRUPT : HINGE_GO_ON;
}

enum hinge_answer watch_time(void *context, const struct hinge_progress *progress)
{
    struct time_watch *watch = context;

    (void)progress;
    watch->over = watch->over || stopwatch_elapsed(&watch->clock) > watch->limit;
    return watch->over ? HINGE_OUT_OF_TIME : HINGE_GO_ON;
}

/* The line of a second-order method also says how many more passes coordinate descent was predicted
 * to need. */
static void print_dual(const struct hinge_progress *progress)
{
    const char *method = progress->fallback ? NULL : progress->method;
    const uint64_t passes = progress->passes - progress->steps;

    if (passes > 0 || !method)
        fprintf(stderr, "pass %llu, ", (unsigned long long)passes);
    if (method && passes > 0 && progress->expected > 0)
        fprintf(stderr, "%.3g more expected: ", progress->expected);
    if (method)
        fprintf(stderr, "%s step %llu, ", method, (unsigned long long)progress->steps);
    fprintf(stderr, "primal %.8g, relative gap %.2e, %.3g%% of the rows %s\n", progress->primal,
            report_gap(progress->gap),
            100 * (double)progress->active / fmax((double)progress->rows, 1),
            method ? "free" : "active");
}

enum hinge_answer watch_progress(void *context, const struct hinge_progress *progress)
{
    struct progress_watch *watch = context;
    double now = stopwatch_elapsed(&watch->clock);
    double cost;

    if (now < watch->next)
        return HINGE_GO_ON;
    if (!progress->measured) {
        watch->asked = now;
        return HINGE_MEASURE;
    }
    cost = watch->asked < 0 ? 0 : now - watch->asked;
    watch->asked = -1;
    watch->next = now + fmax(1, 10 * cost); /* measuring takes a tenth of the time at most */
    if (progress->folds > 0)
        fprintf(stderr, "fold %lu of %lu, C = %g, ", (unsigned long)progress->fold + 1,
                (unsigned long)progress->folds, progress->C);
    if (progress->problems > 1)
        fprintf(stderr, "problem %lu of %lu: ", (unsigned long)progress->problem + 1,
                (unsigned long)progress->problems);
    if (isnan(progress->gap))
        fprintf(stderr, "epoch %.1f, objective %.8g\n",
                (double)progress->row_visits / fmax((double)progress->rows, 1), progress->primal);
    else
        print_dual(progress);
    return HINGE_GO_ON;
}
