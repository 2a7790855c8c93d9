/* parallel.c - the only file with threads in it. */
#include "base/parallel.h"

#include <stdint.h>

#include "base/compiler.h"

#ifdef _OPENMP

unsigned parallel_threads(unsigned threads)
{
    const unsigned most = (unsigned)omp_get_max_threads();

    if (threads > 0)
        return threads;
    return most < HINGE_MOST_THREADS ? most : HINGE_MOST_THREADS;
}

/* True if the time that waiting threads spin can be shortened. By default they spin for
 * milliseconds. On a busy machine they then hold the processor that the working thread needs: two
 * trainings at a time took 1.2 to 1.6 times as long as with one thread each. OpenMP itself has no
 * call that shortens the time. libomp has a call, and libgomp a variable, which only a static
 * program reaches. */
static int can_sleep(void)
{
#if defined(OPENMP_SET_BLOCKTIME)
    return 1;
#elif defined(OPENMP_SPINS)
    return &OPENMP_SPINS != NULL;
#else
    return 0;
#endif
}

static void sleep_soon(void)
{
#if defined(OPENMP_SET_BLOCKTIME)
    OPENMP_SET_BLOCKTIME(0);
#elif defined(OPENMP_SPINS)
    enum { DEFAULT_SPINS = 300000, SPINS = 1000 }; /* 1000 take some 20 microseconds */

    /* Any other value was set by the user, by OMP_WAIT_POLICY or GOMP_SPINCOUNT. */
    if (can_sleep() && OPENMP_SPINS == DEFAULT_SPINS)
        OPENMP_SPINS = SPINS;
#endif
}

double parallel_wall_time(void)
{
    return omp_get_wtime();
}

unsigned parallel_default(void)
{
    return can_sleep() ? 0 : 1;
}

/* A lock that its holder may take again. */
static omp_nest_lock_t lock;

/* A thread outside of the loops takes no lock, because it may wait for another such thread: the
 * ranks of a team may be threads of one process. */
int parallel_enter(void)
{
    static int is_made;

    if (!omp_in_parallel())
        return 0;
    OPENMP(critical(hinge))
    if (!is_made) {
        omp_init_nest_lock(&lock);
        is_made = 1;
    }
    omp_set_nest_lock(&lock);
    return 1;
}

void parallel_leave(int is_locked)
{
    if (is_locked)
        omp_unset_nest_lock(&lock);
}

#else

int parallel_enter(void)
{
    return 0;
}

void parallel_leave(int is_locked)
{
    (void)is_locked;
}

unsigned parallel_threads(unsigned threads)
{
    (void)threads;
    return 1;
}

unsigned parallel_default(void)
{
    return 1;
}

double parallel_wall_time(void)
{
    return -1;
}

#endif

/* Waking a thread and waiting for it takes up to a third of a millisecond on a virtual machine; 7e6
 * additions take 3.5 milliseconds. If the other processors are busy, threads lose more on less work
 * than they may gain: sharing the only product of covtype-93k, -s 0, made the training 1.05 times
 * as long. */
unsigned parallel_threads_for(unsigned threads, double additions)
{
    static const double LEAST = 7e6;

    return additions < LEAST ? 1 : threads;
}

void parallel_run(unsigned threads, size_t jobs, job_function *work, job_function *then,
                  void *context)
{
#ifdef _OPENMP
    if (threads >= 2 && jobs >= 2) {
        enum { LEVELS = 2 }; /* jobs may have jobs themselves */
        const int team = (int)(jobs < threads ? jobs : threads);

        OPENMP(critical(hinge))
        sleep_soon();
        if (omp_get_max_active_levels() < LEVELS)
            omp_set_max_active_levels(LEVELS);
        if (!then) { /* monotonic: no thread gets a job after a later one */
            OPENMP(parallel for schedule(monotonic : dynamic, 1) num_threads(team))
            for (size_t k = 0; k < jobs; k++)
                work(context, k, (unsigned)omp_get_thread_num());
            return;
        }
        OPENMP(parallel for ordered schedule(dynamic, 1) num_threads(team))
        for (size_t k = 0; k < jobs; k++) {
            const unsigned thread = (unsigned)omp_get_thread_num();

            work(context, k, thread);
            OPENMP(ordered)
            then(context, k, thread);
        }
        return;
    }
#else
    (void)threads;
#endif
    for (size_t k = 0; k < jobs; k++) {
        work(context, k, 0);
        if (then)
            then(context, k, 0);
    }
}

void parallel_end(void)
{
    OPENMP_END_THREADS();
}

/* ---- Failures ----------------------------------------------------------- */

void failed_job_note(struct failed_job *failed, size_t job, const struct hinge_error *error)
{
    const int is_locked = parallel_enter();

    if (job < failed->job)
        *failed = (struct failed_job){job, *error};
    parallel_leave(is_locked);
}

int failed_job_any(struct failed_job *failed)
{
    const int is_locked = parallel_enter();
    const int any = failed->job < SIZE_MAX;

    parallel_leave(is_locked);
    return any;
}

/* Takes no lock: monitors and notes are serialised already. */
static enum hinge_answer watch(void *context, const struct hinge_progress *progress)
{
    const struct failed_job *failed = context;

    (void)progress;
    return failed->job < SIZE_MAX ? HINGE_INTERRUPT : HINGE_GO_ON;
}

struct hinge_monitor failed_job_monitor(struct failed_job *failed, const struct hinge_monitor *next)
{
    return (struct hinge_monitor){watch, failed, next, HINGE_BETWEEN};
}
