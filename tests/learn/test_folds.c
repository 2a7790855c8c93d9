/* test_folds.c - each fold is left out once for each C, in the order of C, by any thread; a thread
 * is at most one C ahead; each complete C is reported; the state after a stop. */
#include "tables.h"

#include <string.h>

#include "learn/folds.h"

enum { FOLDS = 5, VALUES = 4, ALL = VALUES * FOLDS };

/* Folds of a table, and the trainings on them. */
struct fixture {
    struct folds folds;
    struct hinge_parameters parameters;
    struct classes classes;
    size_t trained[VALUES][FOLDS]; /* number of trainings */
    size_t order[ALL];             /* number * FOLDS + fold of each training */
    size_t trainings;
    size_t stop; /* number of the training that a monitor stops; SIZE_MAX: none */
    size_t prepared;
    size_t seen;
    size_t last; /* number of the C after which the folds are ended */
    size_t fail; /* number of the C whose report fails */
    int faults;
};

static const double costs[VALUES] = {0.25, 1, 4, 16};
static struct table table;

static void note(const struct fold_thread *thread)
{
    struct fixture *fixture = thread->folds->owner;
    const int is_locked = parallel_enter();

    fixture->faults += thread->number < thread->folds->present ||
                       thread->number > thread->folds->present + 1 || thread->number >= VALUES;
    if (fixture->faults == 0 && fixture->trainings < ALL)
        fixture->order[fixture->trainings] = thread->number * FOLDS + thread->fold;
    fixture->trained[thread->number % VALUES][thread->fold]++;
    fixture->trainings++;
    parallel_leave(is_locked);
}

/* The rows that one training leaves out. */
struct left_out {
    const struct folds *folds;
    const struct trained *trained;
    uint32_t rows;
    int faults;
};

static void see_left_out(void *context, uint32_t i, size_t count, const uint32_t *column,
                         const double *value)
{
    struct left_out *left_out = context;
    const struct trained *trained = left_out->trained;
    struct problem all = *trained->problem;

    all.row = left_out->folds->row;
    left_out->rows++;
    left_out->faults += count != 1 || *column != 0;
    left_out->faults += *value != problem_decision(&all, i, trained->w);
    for (uint32_t s = 0; s < trained->problem->rows; s++)
        left_out->faults += trained->problem->row[s] == all.row[i];
}

static enum hinge_status take(void *context, const struct trained *trained,
                              struct hinge_error *error)
{
    struct fold_thread *thread = context;
    struct fixture *fixture = thread->folds->owner;
    struct left_out left_out = {thread->folds, trained, 0, 0};

    (void)error;
    note(thread);
    if (folds_note(thread, trained))
        return HINGE_OK;
    folds_each_held_out(thread, trained, see_left_out, &left_out);
    fixture->faults += left_out.faults;
    fixture->faults += left_out.rows + trained->problem->rows != thread->folds->rows;
    return HINGE_OK;
}

static enum hinge_status prepare(void *owner, size_t number, struct hinge_error *error)
{
    struct fixture *fixture = owner;

    (void)error;
    fixture->faults += number != fixture->prepared++ || number > fixture->seen + 1;
    return HINGE_OK;
}

static enum hinge_status see(void *owner, size_t number, struct hinge_error *error)
{
    struct fixture *fixture = owner;
    struct folds *folds = &fixture->folds;

    fixture->faults += number != fixture->seen++ || folds->present != number ||
                       folds_done(folds) != FOLDS || number >= fixture->prepared;
    for (size_t fold = 0; fold < FOLDS; fold++)
        fixture->faults +=
            !folds->complete[number % PRESENT_VALUES][fold] || fixture->trained[number][fold] != 1;
    folds->ended = number == fixture->last;
    if (number == fixture->fail)
        *error = (struct hinge_error){HINGE_BAD_INPUT, "seen enough"};
    return number == fixture->fail ? HINGE_BAD_INPUT : HINGE_OK;
}

static enum hinge_answer stop_at(void *context, const struct hinge_progress *progress)
{
    const struct fixture *fixture = context;

    (void)progress;
    return fixture->trainings >= fixture->stop ? HINGE_INTERRUPT : HINGE_GO_ON;
}

static void begin(struct fixture *fixture, const struct hinge_monitor *monitor, unsigned threads)
{
    static const double labels[] = {1, 2};
    struct hinge_error error;
    struct path path;

    memset(fixture, 0, sizeof *fixture);
    fixture->stop = fixture->last = fixture->fail = SIZE_MAX;
    table_draw(&table, 2, labels, 7);
    fixture->parameters = parameters_default();
    fixture->parameters.solver = 3;
    path = (struct path){.data = &table.data,
                         .parameters = &fixture->parameters,
                         .monitor = monitor,
                         .rows = table.data.x.rows,
                         .C = costs,
                         .count = 1,
                         .folds = FOLDS};
    fixture->folds.take = take;
    fixture->folds.prepare = prepare;
    fixture->folds.see = see;
    fixture->folds.owner = fixture;
    assert_int_equal(path_begin(&path, &fixture->classes, &error), HINGE_OK);
    path.classes = &fixture->classes;
    fixture->folds.path = path;
    folds_share_threads(&fixture->folds, VALUES);
    assert_int_equal(fixture->folds.threads, 1); /* little work */
    fixture->folds.threads = parallel_threads(threads < FOLDS ? threads : FOLDS);
    assert_int_equal(folds_deal(&fixture->folds, &error), HINGE_OK);
    folds_begin(&fixture->folds, costs, VALUES);
}

static void end(struct fixture *fixture)
{
    classes_free(&fixture->classes);
    folds_free(&fixture->folds);
}

static void test_each_fold_is_left_out_once_for_each_C(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 7; threads++) {
        struct fixture fixture;
        struct hinge_error error;

        begin(&fixture, NULL, threads);
        assert_int_equal(folds_train(&fixture.folds, &error), HINGE_OK);
        assert_int_equal(fixture.folds.present, VALUES);
        assert_int_equal(fixture.seen, VALUES);
        assert_int_equal(fixture.faults, 0);
        assert_int_equal(fixture.trainings, ALL);
        for (size_t t = 0; threads == 1 && t < ALL; t++)
            assert_int_equal(fixture.order[t], t);
        end(&fixture);
    }
}

/* After a stop, no fold counts as complete and no training begins. Trainings of other threads may
 * still end. */
static void test_a_stop_ends_all(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++)
        for (size_t stop = 0; stop < ALL - FOLDS; stop++) {
            struct fixture fixture;
            struct hinge_monitor monitor = {stop_at, &fixture, NULL, HINGE_BETWEEN};
            struct hinge_error error;
            size_t complete, trainings;

            begin(&fixture, &monitor, threads);
            fixture.stop = stop;
            assert_int_equal(folds_train(&fixture.folds, &error), HINGE_OK);
            complete = FOLDS * fixture.seen + folds_done(&fixture.folds);
            assert_true(fixture.folds.stopped);
            assert_true(fixture.folds.present == fixture.seen && fixture.seen < VALUES);
            assert_true(complete < stop + threads && (threads > 1 || complete == stop));
            trainings = fixture.trainings;
            assert_int_equal(folds_train(&fixture.folds, &error), HINGE_OK);
            assert_int_equal(fixture.trainings, trainings);
            assert_int_equal(fixture.faults, 0);
            end(&fixture);
        }
}

/* After the last wanted C, or after a C whose report fails, no more C is reported. Trainings of
 * other threads end. */
static void test_what_sees_ends_them(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++)
        for (size_t last = 0; last < 2 * VALUES; last++) {
            struct fixture fixture;
            struct hinge_error error;
            const int fails = last >= VALUES;

            begin(&fixture, NULL, threads);
            *(fails ? &fixture.fail : &fixture.last) = last % VALUES;
            assert_int_equal(folds_train(&fixture.folds, &error),
                             fails ? HINGE_BAD_INPUT : HINGE_OK);
            if (fails)
                assert_string_equal(error.message, "seen enough");
            assert_int_equal(fixture.seen, last % VALUES + 1);
            assert_true(fails || !fixture.folds.stopped);
            assert_int_equal(fixture.faults, 0);
            if (threads == 1)
                assert_int_equal(fixture.trainings, fixture.seen * FOLDS);
            end(&fixture);
        }
}

static void test_folds_can_begin_again(void **state)
{
    struct fixture fixture;
    struct hinge_error error;

    (void)state;
    begin(&fixture, NULL, 2);
    for (size_t k = 0; k < VALUES; k++) {
        folds_begin(&fixture.folds, &costs[k], 1);
        fixture.trainings = fixture.prepared = fixture.seen = 0;
        memset(fixture.trained, 0, sizeof fixture.trained);
        assert_int_equal(folds_train(&fixture.folds, &error), HINGE_OK);
        assert_int_equal(fixture.seen, 1);
        assert_int_equal(fixture.trainings, FOLDS);
    }
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_fold_is_left_out_once_for_each_C),
        cmocka_unit_test(test_a_stop_ends_all),
        cmocka_unit_test(test_what_sees_ends_them),
        cmocka_unit_test(test_folds_can_begin_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
