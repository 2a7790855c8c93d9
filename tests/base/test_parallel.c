/* test_parallel.c - every job is done once, each thread has one job at a time, and the calls after
 * jobs come in the order of the jobs. */
#include "support.h"

#include <stdint.h>
#include <string.h>

#include "base/parallel.h"

enum { MOST_JOBS = 200, MOST_THREADS = 9 };

struct counts {
    unsigned done[MOST_JOBS];  /* number of times that each job was done */
    int busy[MOST_THREADS];    /* 1: the thread has a job */
    size_t next[MOST_THREADS]; /* first job that the thread may have */
    int faults;
    size_t order[MOST_JOBS]; /* order of the calls after jobs */
    size_t followed;
    double sum; /* depends on the order of additions */
};

static void note_fault(struct counts *counts)
{
    const int is_locked = parallel_enter();

    counts->faults++;
    parallel_leave(is_locked);
}

static void take_job(void *context, size_t job, unsigned thread)
{
    struct counts *counts = context;

    if (job >= MOST_JOBS || thread >= MOST_THREADS || counts->busy[thread] ||
        job < counts->next[thread])
        note_fault(counts);
    counts->busy[thread] = 1;
    counts->next[thread] = job + 1;
    counts->done[job]++;
    for (volatile int rest = job % 3 == 0 ? 3000 : 30; rest > 0; rest--) /* times differ */
        ;
    counts->busy[thread] = 0;
}

static void follow(void *context, size_t job, unsigned thread)
{
    struct counts *counts = context;

    (void)thread;
    if (counts->done[job] != 1)
        note_fault(counts);
    counts->order[counts->followed++] = job;
    counts->sum += 1 / (double)(job + 3);
}

static void each_job_is_done_once_and_followed_in_order(void **unused)
{
    double expected = 0;

    (void)unused;
    for (size_t jobs = 0; jobs <= MOST_JOBS; jobs += jobs < 12 ? 1 : 47) {
        if (jobs > 0)
            expected = 0;
        for (size_t k = 0; k < jobs; k++)
            expected += 1 / (double)(k + 3);
        for (unsigned threads = 1; threads <= MOST_THREADS; threads++) {
            static struct counts counts;

            memset(&counts, 0, sizeof counts);
            parallel_run(threads, jobs, take_job, follow, &counts);
            assert_int_equal(counts.faults, 0);
            assert_int_equal(counts.followed, jobs);
            assert_true(counts.sum == expected);
            for (size_t k = 0; k < MOST_JOBS; k++)
                assert_int_equal(counts.done[k], k < jobs);
            for (size_t k = 0; k < jobs; k++)
                assert_int_equal(counts.order[k], k);
            memset(counts.next, 0, sizeof counts.next);
            parallel_run(threads, jobs, take_job, NULL, &counts);
            assert_int_equal(counts.faults, 0);
            for (size_t k = 0; k < jobs; k++)
                assert_int_equal(counts.done[k], 2);
        }
    }
}

/* Jobs inside jobs: [outer][inner]. */
static unsigned grid[6][10];

static void take_inner(void *context, size_t job, unsigned thread)
{
    unsigned *line = context;

    (void)thread;
    line[job]++;
}

static void take_outer(void *context, size_t job, unsigned thread)
{
    (void)context;
    (void)thread;
    parallel_run(3, sizeof grid[0] / sizeof grid[0][0], take_inner, NULL, grid[job]);
}

static void jobs_may_have_jobs(void **unused)
{
    (void)unused;
    memset(grid, 0, sizeof grid);
    parallel_run(2, sizeof grid / sizeof grid[0], take_outer, NULL, NULL);
    for (size_t k = 0; k < sizeof grid / sizeof grid[0]; k++)
        for (size_t l = 0; l < sizeof grid[0] / sizeof grid[0][0]; l++)
            assert_int_equal(grid[k][l], 1);
}

static void zero_threads_are_those_of_the_machine(void **unused)
{
    (void)unused;
    assert_true(parallel_threads(0) >= 1);
#ifdef _OPENMP
    assert_int_equal(parallel_threads(5), 5);
#else
    assert_int_equal(parallel_threads(5), 1);
#endif
}

static void threads_are_for_much_work(void **unused)
{
    (void)unused;
    for (unsigned threads = 1; threads <= 8; threads++) {
        assert_int_equal(parallel_threads_for(threads, 7e6), threads);
        assert_int_equal(parallel_threads_for(threads, 6.9e6), 1);
        assert_int_equal(parallel_threads_for(threads, 0), 1);
    }
}

/* If jobs fail in any order, the failure of the first job is kept. Then trainings end. */
static void the_first_failure_is_kept(void **unused)
{
    struct failed_job failed = {.job = SIZE_MAX};
    const struct hinge_error third = {HINGE_NO_MEMORY, "third"}, first = {HINGE_BAD_INPUT, "first"};
    struct hinge_monitor next = {0};
    const struct hinge_monitor monitor = failed_job_monitor(&failed, &next);

    (void)unused;
    assert_ptr_equal(monitor.next, &next);
    assert_int_equal(monitor.wants, HINGE_BETWEEN);
    assert_false(failed_job_any(&failed));
    assert_int_equal(monitor.checkpoint(monitor.context, NULL), HINGE_GO_ON);
    failed_job_note(&failed, 3, &third);
    failed_job_note(&failed, 1, &first);
    failed_job_note(&failed, 2, &third);
    assert_true(failed_job_any(&failed));
    assert_int_equal(monitor.checkpoint(monitor.context, NULL), HINGE_INTERRUPT);
    assert_int_equal(failed.job, 1);
    assert_int_equal(failed.error.status, HINGE_BAD_INPUT);
    assert_string_equal(failed.error.message, "first");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_job_is_done_once_and_followed_in_order),
        cmocka_unit_test(jobs_may_have_jobs),
        cmocka_unit_test(zero_threads_are_those_of_the_machine),
        cmocka_unit_test(threads_are_for_much_work),
        cmocka_unit_test(the_first_failure_is_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
