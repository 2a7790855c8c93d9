/* parallel.h - jobs that do not depend on each other, handed out to threads.
 *
 * The threads are OpenMP's. Without it (make OPENMP=), or for one thread, the caller's does one
 * job after the other. Nothing that a job leaves may depend on which thread did it, or when: then
 * the results have the same bytes for every number of threads.
 */
#ifndef HINGE_BASE_PARALLEL_H
#define HINGE_BASE_PARALLEL_H

#include <stddef.h>

#include "hinge.h"

/* Does a job; thread is 0 .. threads - 1, and no two jobs at the same time have the same one. */
typedef void job_function(void *context, size_t job, unsigned thread);

/* Returns the number of threads that a setting stands for. 0 stands for one for each processor, or
 * for OMP_NUM_THREADS of the environment, at most HINGE_MOST_THREADS. 1 without OpenMP. */
unsigned parallel_threads(unsigned threads);

/* Returns the setting for a program whose user gives none: 0, or 1 if waiting threads would spin
 * for milliseconds. */
unsigned parallel_default(void);

/* Returns threads if the work is long enough to share, else 1. The work is counted in additions,
 * the unit of solver/cost.h. */
unsigned parallel_threads_for(unsigned threads, double additions);

/* Does jobs 0 .. jobs - 1, begun in this order; no thread gets one after a later one. then, which
 * may be NULL, is called for each job when it is done and then of the one before has returned, in
 * its thread, before that takes another job: one at a time, in the order of the jobs. A job may
 * call this function, too. */
void parallel_run(unsigned threads, size_t jobs, job_function *work, job_function *then,
                  void *context);

/* Seconds since some moment, as a clock on the wall measures them; -1 without OpenMP, as C99 has no
 * such clock. */
double parallel_wall_time(void);

/* Makes the call while no other thread of parallel_run makes one. The call may make one itself. */
void parallel_alone(void (*call)(void *context), void *context);

/* The first of some jobs that has failed, which is the same for every number of threads.
 * failed_job_any tells the others that they need not go on, failed_job_monitor their trainings: it
 * is asked before the next monitor. */
struct failed_job {
    size_t job; /* SIZE_MAX: none */
    struct hinge_error error;
};

void failed_job_note(struct failed_job *failed, size_t job, const struct hinge_error *error);
int failed_job_any(struct failed_job *failed);
struct hinge_monitor failed_job_monitor(struct failed_job *failed,
                                        const struct hinge_monitor *next);

#endif
