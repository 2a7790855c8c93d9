/* parallel.h - hands independent jobs to threads.
 *
 * The threads are OpenMP's. Without OpenMP (make OPENMP=), or with one thread, the caller's thread
 * does one job after another. The result of a job must not depend on its thread or time, so that
 * the results have the same bytes for every number of threads.
 */
#ifndef HINGE_BASE_PARALLEL_H
#define HINGE_BASE_PARALLEL_H

#include <stddef.h>

#include "hinge.h"

/* Does a job. thread is in 0 .. threads - 1 and differs for jobs at the same time. */
typedef void job_function(void *context, size_t job, unsigned thread);

/* Returns the number of threads that a setting stands for. 0 stands for one for each processor, or
 * for OMP_NUM_THREADS of the environment, at most HINGE_MOST_THREADS. 1 without OpenMP. */
unsigned parallel_threads(unsigned threads);

/* Returns the setting for a program whose user gives none: 0, or 1 if waiting threads would spin
 * for milliseconds. */
unsigned parallel_default(void);

/* Returns threads if the work is long enough to share, else 1. The work is counted in additions,
 * the unit of solver/linear/cost.h. */
unsigned parallel_threads_for(unsigned threads, double additions);

/* Does jobs 0 .. jobs - 1, begun in this order. then, which may be NULL, is called for one job at a
 * time, in the order of the jobs. The thread of a job makes this call after the job, and before it
 * takes another one. A job may call this function. */
void parallel_run(unsigned threads, size_t jobs, job_function *work, job_function *then,
                  void *context);

/* Ends waiting threads, if GCC 9 or later compiled this. Each function of hinge.h that has jobs
 * calls this at its end. A child of fork() lacks the threads of its parent, and without this call
 * OpenMP would wait for them for ever. */
void parallel_end(void);

/* Returns wall-clock seconds since some moment; -1 without OpenMP, because C99 has no precise
 * clock. */
double parallel_wall_time(void);

/* Between these calls a thread of parallel_run is alone: each other thread waits in parallel_enter.
 * The pairs of calls may be nested. parallel_leave takes what parallel_enter returned. */
int parallel_enter(void);
void parallel_leave(int is_locked);

/* The failed job with the least number, which is the same for every number of threads.
 * failed_job_any tells other jobs that they need not continue. failed_job_monitor returns a monitor
 * that stops their trainings, with `next` after it. */
struct failed_job {
    size_t job; /* SIZE_MAX: none */
    struct hinge_error error;
};

void failed_job_note(struct failed_job *failed, size_t job, const struct hinge_error *error);
int failed_job_any(struct failed_job *failed);
struct hinge_monitor failed_job_monitor(struct failed_job *failed,
                                        const struct hinge_monitor *next);

#endif
