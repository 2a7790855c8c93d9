/* test_team.c - trainings by a team of ranks, which are threads of the test, give the same bytes as
 * one process. If one rank fails, all ranks end.
 */
#include "support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "refusal.h"
#include "threads_team.h"

static const int sizes[] = {2, 3, 4, 7}; /* tests call check with a team of 1 */

/* ---- Data ------------------------------------------------------------------ */

enum kind { ONES, DOUBLES, TENTHS, WHOLE_ROWS };

struct draft {
    const char *name;
    size_t rows;
    uint32_t features;
    size_t in_row; /* average number of non-zeros in a row */
    enum kind kind;
    size_t classes; /* 0: labels are numbers */
};

static void *array(size_t count, size_t size)
{
    void *made = calloc(count > 0 ? count : 1, size);

    assert_non_null(made);
    return made;
}

/* Draws data whose labels mostly follow a hidden w. One row in twenty is empty. */
static struct hinge_dataset *draw(const struct draft *draft)
{
    struct hinge_dataset *data = array(1, sizeof *data);
    struct hinge_matrix *x = &data->x;
    const size_t most = draft->rows * 2 * draft->in_row;
    uint64_t random = draft->rows + draft->features;
    double *hidden = array(draft->features, sizeof *hidden), *value = array(most, sizeof *value);
    int32_t *whole = array(most, sizeof *whole);
    uint32_t *index = array(most, sizeof *index);

    x->rows = draft->rows;
    x->start = array(x->rows + 1, sizeof *x->start);
    data->label = array(x->rows, sizeof *data->label);
    data->features = draft->features;
    for (uint32_t j = 0; j < draft->features; j++)
        hidden[j] = 2 * random_unit(&random) - 1;
    for (size_t i = 0; i < x->rows; i++) {
        const int all = draft->kind == WHOLE_ROWS;
        const size_t length = all ? draft->features
                              : random_unit(&random) < 1 / 20.0
                                  ? 0
                                  : 1 + draw_below(&random, 2 * draft->in_row - 1);
        const size_t step = draft->features / (length > 0 ? length : 1);
        double dot = 0;

        x->start[i] = x->nonzeros;
        for (size_t k = 0; k < length; k++) {
            const size_t at = x->nonzeros++;

            index[at] = all ? (uint32_t)k : (uint32_t)(k * step + draw_below(&random, step));
            whole[at] = (int32_t)draw_below(&random, 19) - 9;
            value[at] = draft->kind == ONES     ? 1
                        : draft->kind == TENTHS ? whole[at] / 10.0
                                                : 2 * random_unit(&random) - 1;
            dot += hidden[index[at]] * value[at];
        }
        if (draft->classes == 0)
            data->label[i] = dot + random_unit(&random);
        else if (random_unit(&random) < 0.1)
            data->label[i] = (double)draw_below(&random, draft->classes);
        else
            data->label[i] = draft->classes == 2 ? dot > 0 : dot < -0.5 ? 0 : dot < 0.5 ? 1 : 2;
    }
    x->start[x->rows] = x->nonzeros;
    x->index_kind = draft->kind == WHOLE_ROWS ? HINGE_INDEX_NONE : HINGE_INDEX_32;
    x->value_kind = draft->kind == ONES     ? HINGE_VALUE_ONE
                    : draft->kind == TENTHS ? HINGE_VALUE_WHOLE
                                            : HINGE_VALUE_DOUBLE;
    x->scale = 10;
    x->index = index;
    x->value = draft->kind == TENTHS ? (void *)whole : (void *)value;
    free(draft->kind == TENTHS ? (void *)value : (void *)whole);
    free(hidden);
    return data;
}

static const struct draft narrow = {"narrow", 3000, 40, 10, ONES, 2};
static const struct draft sparse = {"sparse", 4500, 60, 5, ONES, 2}; /* 2 parts of 2 shards each */
static const struct draft tenths = {"tenths", 5000, 12, 5, TENTHS, 2};
static const struct draft dense = {"dense", 1200, 25, 25, WHOLE_ROWS, 2};
static const struct draft wide = {"wide", 2100, 5000, 60, DOUBLES, 2};
static const struct draft wide_tenths = {"wide tenths", 1100, 3000, 40, TENTHS, 2};
static const struct draft small = {"small", 90, 30, 5, DOUBLES, 2};
static const struct draft few = {"few", 1100, 6, 3, ONES, 2};
static const struct draft few_wide = {"few, wide", 1030, 1100, 25, TENTHS, 2};
static const struct draft numbers = {"numbers", 2600, 20, 8, DOUBLES, 0};
static const struct draft three = {"three classes", 2500, 15, 6, DOUBLES, 3};

/* ---- Trainings ------------------------------------------------------------- */

struct request {
    const struct hinge_dataset *data;
    struct hinge_parameters parameters;
    double C[2];
    size_t count;
    struct hinge_model *model[MOST_RANKS][2];
};

static enum hinge_status train_as(void *context, const struct hinge_team *team,
                                  struct hinge_error *error)
{
    struct request *request = context;
    struct hinge_parameters parameters = request->parameters;
    struct hinge_dataset *own = rank_dataset_new(request->data, team);
    enum hinge_status status;

    parameters.team = team;
    status = hinge_train_path(own, &parameters, request->C, request->count, NULL,
                              request->model[team->rank], error);
    rank_dataset_free(own);
    return status;
}

static void same_bytes(const char *what, const char *name, int solver, int size, const void *one,
                       const void *other, size_t bytes)
{
    if (memcmp(one, other, bytes) != 0)
        fail_msg("%s, solver %d, %d ranks: another %s", name, solver, size, what);
}

static void check_same(const struct draft *draft, int size, const struct hinge_model *one,
                       const struct hinge_model *other)
{
    const size_t width = (one->features + (size_t)(one->bias >= 0)) * one->columns;
    const int solver = one->solver->number;

    assert_int_equal(one->columns, other->columns);
    same_bytes("w", draft->name, solver, size, one->weight, other->weight, width * sizeof(double));
    if (one->alpha)
        same_bytes("alpha", draft->name, solver, size, one->alpha, other->alpha,
                   one->rows * one->columns * sizeof(double));
    if (one->sigmoid)
        same_bytes("sigmoid", draft->name, solver, size, one->sigmoid, other->sigmoid,
                   2 * one->columns * sizeof(double));
    for (size_t c = 0; c < one->problems; c++) {
        const struct hinge_result *a = &one->result[c], *b = &other->result[c];

        assert_int_equal(a->outcome, b->outcome);
        same_bytes("P", draft->name, solver, size, &a->primal, &b->primal, sizeof a->primal);
        same_bytes("D", draft->name, solver, size, &a->dual, &b->dual, sizeof a->dual);
        same_bytes("gap", draft->name, solver, size, &a->relative_gap, &b->relative_gap,
                   sizeof a->relative_gap);
        same_bytes("rounding", draft->name, solver, size, &a->rounding, &b->rounding,
                   sizeof a->rounding);
        assert_int_equal(a->passes, b->passes);
        assert_int_equal(a->steps, b->steps);
        assert_string_equal(a->method, b->method);
        assert_int_equal(a->row_visits, b->row_visits);
        assert_int_equal(a->support_vectors, b->support_vectors);
    }
}

static void free_models(struct request *request, int size)
{
    for (int rank = 0; rank < size; rank++)
        for (size_t k = 0; k < request->count; k++) {
            hinge_model_free(request->model[rank][k]);
            request->model[rank][k] = NULL;
        }
}

/* Checks that ranks have the models of one process. With `alone`, that process has no team. */
static void check(const struct draft *draft, struct hinge_parameters parameters, size_t count,
                  int alone)
{
    struct hinge_dataset *data = draw(draft);
    struct request one = {data, parameters, {parameters.C, 3 * parameters.C}, count, {{NULL}}};
    struct hinge_error error = {HINGE_OK, ""};

    parameters.keep_alpha = one.parameters.keep_alpha = 1;
    if (alone) {
        if (hinge_train_path(data, &parameters, one.C, count, NULL, one.model[0], &error))
            fail_msg("%s, solver %d: %s", draft->name, parameters.solver, error.message);
    } else {
        struct threads_team team = {.size = 1};

        threads_team_run(&team, train_as, &one);
        if (team.status[0])
            fail_msg("%s, solver %d: %s", draft->name, parameters.solver, team.error[0].message);
    }
    for (size_t c = 0; c < one.model[0][0]->problems; c++)
        if (one.model[0][0]->result[c].outcome != HINGE_CERTIFIED)
            fail_msg("%s, solver %d: %s, gap %g", draft->name, parameters.solver,
                     hinge_outcome_name(one.model[0][0]->result[c].outcome),
                     one.model[0][0]->result[c].relative_gap);
    for (size_t k = repeats(0, 1); k < COUNT(sizes); k += repeats(1, 2)) {
        struct threads_team team = {.size = sizes[k]};
        struct request some = {data, one.parameters, {one.C[0], one.C[1]}, count, {{NULL}}};

        threads_team_run(&team, train_as, &some);
        for (int rank = 0; rank < sizes[k]; rank++) {
            if (team.status[rank])
                fail_msg("%s, solver %d, %d ranks: %s", draft->name, parameters.solver, sizes[k],
                         team.error[rank].message);
            for (size_t c = 0; c < count; c++)
                check_same(draft, sizes[k], one.model[0][c], some.model[rank][c]);
        }
        free_models(&some, sizes[k]);
    }
    free_models(&one, 1);
    rank_dataset_free(data);
}

static struct hinge_parameters with(int solver)
{
    struct hinge_parameters parameters = parameters_default();

    parameters.solver = solver;
    return parameters;
}

static void test_few_features_as_in_one_process(void **state)
{
    static const struct draft *const drafts[] = {&narrow, &sparse, &tenths, &dense, &small};

    (void)state;
    for (size_t k = 0; k < COUNT(drafts); k++) {
        check(drafts[k], with(2), 1, 1);
        check(drafts[k], with(0), 1, 1);
        check(drafts[k], with(61), 1, 1);
        check(drafts[k], with(61), 1, 0); /* a team of one */
    }
    check(&numbers, with(11), 1, 1);
}

static void test_many_features_as_in_one_process(void **state)
{
    (void)state;
    check(&wide, with(61), 1, 1);
    check(&wide_tenths, with(61), 1, 1);
}

static void test_every_loss_as_by_one_rank(void **state)
{
    static const int solvers[] = {0, 1, 2, 3, 7, 61};

    (void)state;
    for (size_t k = 0; k < COUNT(solvers); k += repeats(1, 2)) {
        check(&narrow, with(solvers[k]), 1, 0);
        check(&wide, with(solvers[k]), 1, 0);
        check(&three, with(solvers[k]), 1, 0);
    }
    for (int solver = 11; solver <= 13; solver++)
        check(&numbers, with(solver), 1, 0);
}

static void test_options(void **state)
{
    static const int solvers[] = {2, 7, 61};
    double weights[3000];

    (void)state;
    for (size_t i = 0; i < COUNT(weights); i++)
        weights[i] = (double)(i % 4) * (i < 400 ? 0 : 0.5);
    for (size_t k = repeats(0, 2); k < COUNT(solvers); k++) {
        struct hinge_parameters parameters = with(solvers[k]);

        parameters.bias = 1;
        check(&narrow, parameters, 1, solvers[k] == 61);
        parameters.free_bias = 1;
        check(&narrow, parameters, 2, 0);
        check(&wide_tenths, parameters, 1, 0);
        parameters = with(solvers[k]);
        parameters.eps = 0.01;
        check(&narrow, parameters, 1, 0);
        parameters = with(solvers[k]);
        parameters.row_weights = narrow.rows;
        parameters.row_weight = weights;
        parameters.balanced = 1;
        check(&narrow, parameters, 2, 0);
        parameters = with(solvers[k]);
        parameters.relative_gap = 1e-7;
        parameters.C = 100;
        check(&narrow, parameters, 1, 0);
    }
}

static void test_probabilities(void **state)
{
    (void)state;
    for (int solver = (int)repeats(1, 2); solver <= 2; solver++) {
        struct hinge_parameters parameters = with(solver);

        parameters.probability = 1;
        check(&tenths, parameters, 1, solver == 2);
        check(&three, parameters, 2, solver == 2);
        check(&wide, parameters, 1, 0);
    }
}

/* ---- Cross-validation ------------------------------------------------------ */

struct validations {
    const struct hinge_dataset *data;
    struct hinge_parameters parameters;
    struct hinge_validation of_C[MOST_RANKS][2];
    double least[MOST_RANKS];
};

static enum hinge_status validate_as(void *context, const struct hinge_team *team,
                                     struct hinge_error *error)
{
    static const double C[] = {0.5, 2};
    struct validations *all = context;
    struct hinge_parameters parameters = all->parameters;
    struct hinge_dataset *own = rank_dataset_new(all->data, team);
    enum hinge_status status;
    int interrupted;

    parameters.team = team;
    all->least[team->rank] = hinge_least_C(own, &parameters, error);
    status = all->least[team->rank] > 0
                 ? hinge_cross_validate(own, &parameters, 3, C, 2, NULL, all->of_C[team->rank],
                                        &interrupted, error)
                 : error->status;
    rank_dataset_free(own);
    return status;
}

static void check_validations(const struct draft *draft, struct hinge_parameters parameters)
{
    struct hinge_dataset *data = draw(draft);
    struct validations one = {.data = data, .parameters = parameters};
    struct threads_team alone = {.size = 1};

    threads_team_run(&alone, validate_as, &one);
    assert_int_equal(alone.status[0], HINGE_OK);
    for (size_t k = repeats(0, 1); k < COUNT(sizes); k += repeats(1, 2)) {
        struct threads_team team = {.size = sizes[k]};
        struct validations some = {.data = data, .parameters = parameters};

        threads_team_run(&team, validate_as, &some);
        for (int rank = 0; rank < sizes[k]; rank++) {
            assert_int_equal(team.status[rank], HINGE_OK);
            assert_true(some.least[rank] == one.least[0]);
            for (int c = 0; c < 2; c++) {
                struct hinge_validation *a = &one.of_C[0][c], *b = &some.of_C[rank][c];
                const size_t rows = a->predictions->rows;

                assert_int_equal(rows, b->predictions->rows);
                assert_int_equal(a->certified, b->certified);
                assert_int_equal(a->trainings, b->trainings);
                assert_true(a->relative_gap == b->relative_gap && a->losses == b->losses);
                assert_memory_equal(a->predictions->decision, b->predictions->decision,
                                    rows * sizeof(double));
                assert_memory_equal(a->decision, b->decision, rows * a->columns * sizeof(double));
                if (a->probability)
                    assert_memory_equal(a->probability, b->probability,
                                        rows * a->predictions->classes * sizeof(double));
                hinge_validation_clear(b);
            }
        }
    }
    for (int c = 0; c < 2; c++)
        hinge_validation_clear(&one.of_C[0][c]);
    rank_dataset_free(data);
}

static void test_cross_validation(void **state)
{
    static const int solvers[] = {1, 7, 61};

    (void)state;
    for (size_t k = 0; k < COUNT(solvers); k++) {
        struct hinge_parameters parameters = with(solvers[k]);

        parameters.store_decisions = 1;
        check_validations(&few, parameters);
        check_validations(&dense, parameters);
        check_validations(&three, parameters);
        parameters.probability = 1;
        check_validations(&small, parameters);
    }
    {
        struct hinge_parameters parameters = with(11);

        parameters.store_decisions = 1;
        check_validations(&numbers, parameters);
    }
}

/* ---- Rounds ---------------------------------------------------------------- */

static void count_rounds(const struct draft *draft, int solver, double gap, double *rounds,
                         double *steps)
{
    struct hinge_dataset *data = draw(draft);
    struct request request = {data, with(solver), {1}, 1, {{NULL}}};
    struct threads_team team = {.size = 4};

    request.parameters.relative_gap = gap;
    threads_team_run(&team, train_as, &request);
    for (int rank = 0; rank < team.size; rank++)
        assert_int_equal(team.status[rank], HINGE_OK);
    *rounds = (double)team.calls;
    *steps = (double)request.model[0][0]->result[0].steps;
    free_models(&request, team.size);
    rank_dataset_free(data);
}

/* With few features, all vectors of a step fit in one message. A step takes six rounds: one for the
 * decision, one for the changed rows, at most two for their products, a line search, and the
 * evaluation. If Newton's method has few rows left, shrinking the others takes two more. The last
 * step is computed for its dual point and not taken. The rest of a training takes at most sixteen
 * rounds. */
static void test_rounds_of_a_step(void **state)
{
    static const struct draft *drafts[] = {&narrow, &tenths, &dense, &numbers};

    (void)state;
    for (size_t d = 0; d < COUNT(drafts); d++) {
        const int solver = drafts[d] == &numbers ? 11 : 2;
        double rounds[2], steps[2];

        count_rounds(drafts[d], solver, 0.5, &rounds[0], &steps[0]);
        count_rounds(drafts[d], solver, 1e-9, &rounds[1], &steps[1]);
        assert_true(steps[1] > steps[0]);
        assert_true(rounds[1] - rounds[0] <= 9 * (steps[1] - steps[0]));
        assert_true(rounds[0] - 9 * steps[0] <= 16 + 6);
    }
}

/* ---- Failures -------------------------------------------------------------- */

/* Checks that a failing call of any rank ends all ranks with one status, and without a model. Tries
 * one of `step` later calls. */
static void check_failures(const struct draft *draft, struct hinge_parameters parameters, int size,
                           long step)
{
    struct hinge_dataset *data = draw(draft);
    struct threads_team whole = {.size = size};
    struct request request = {data, parameters, {1, 4}, 2, {{NULL}}};

    threads_team_run(&whole, train_as, &request);
    assert_int_equal(whole.status[0], HINGE_OK);
    free_models(&request, size);
    for (long call = 1; call <= whole.calls; call += call < 8 ? 1 : step) {
        struct threads_team team = {.size = size, .fail_at = call, .fail_rank = (int)call % size};

        threads_team_run(&team, train_as, &request);
        for (int rank = 0; rank < size; rank++) {
            if (team.status[rank] != HINGE_TEAM_FAILED)
                fail_msg("%s, call %ld of %ld: rank %d has status %d", draft->name, call,
                         whole.calls, rank, (int)team.status[rank]);
            assert_string_equal(team.error[rank].message,
                                "another process of the team has failed, or cannot be reached");
            assert_null(request.model[rank][0]);
            assert_null(request.model[rank][1]);
        }
        assert_int_equal(team.after_failure, 0);
    }
    rank_dataset_free(data);
}

static void test_every_call_fails(void **state)
{
    struct hinge_parameters parameters = with(61);

    (void)state;
    check_failures(&few, with(2), 3, 1);
    check_failures(&few_wide, parameters, 2, 67);
    parameters.bias = 1;
    parameters.free_bias = 1;
    parameters.probability = 1;
    check_failures(&few, parameters, 2, 311);
}

/* ---- Memory ---------------------------------------------------------------- */

static pthread_key_t budget; /* unsigned long * of the thread; NULL: no budget */
static int has_budgets;

static unsigned long *calls_left(void)
{
    return has_budgets ? pthread_getspecific(budget) : NULL;
}

struct poor {
    struct request request;
    int rank;           /* the rank whose allocation is refused */
    unsigned long left; /* number of its allocations before */
};

static enum hinge_status train_poorly(void *context, const struct hinge_team *team,
                                      struct hinge_error *error)
{
    struct poor *poor = context;

    if (team->rank == poor->rank)
        pthread_setspecific(budget, &poor->left);
    return train_as(&poor->request, team, error);
}

/* Refuses each allocation of one rank in turn. Either the rank reports it and the others report
 * that a rank has failed, or the rank needs no such memory and all have their models. */
static void check_memory(const struct draft *draft, struct hinge_parameters parameters)
{
    struct hinge_dataset *data = draw(draft);
    int ended = 0;

    for (unsigned long k = 1; !ended; k++) {
        struct threads_team team = {.size = 3};
        struct poor poor = {{data, parameters, {1, 4}, 2, {{NULL}}}, (int)(k % 3), k};
        const int rank = poor.rank;

        threads_team_run(&team, train_poorly, &poor);
        ended = poor.left > 0;
        for (int q = 0; q < 3; q++) {
            if (team.status[rank] == HINGE_OK) {
                assert_int_equal(team.status[q], HINGE_OK);
                check_same(draft, 3, poor.request.model[0][1], poor.request.model[q][1]);
            } else {
                assert_int_equal(team.status[q], q == rank ? HINGE_NO_MEMORY : HINGE_TEAM_FAILED);
                assert_null(poor.request.model[q][0]);
            }
        }
        free_models(&poor.request, 3);
    }
    rank_dataset_free(data);
}

static void test_a_rank_runs_out_of_memory(void **state)
{
    struct hinge_parameters parameters = with(1);

    (void)state;
    pthread_key_create(&budget, NULL);
    has_budgets = 1;
    check_memory(&few, parameters);
    check_memory(&few_wide, parameters);
    parameters.probability = 1;
    parameters.bias = parameters.free_bias = 1;
    check_memory(&few, parameters);
    has_budgets = 0;
    pthread_key_delete(budget);
}

/* ---- Refusals --------------------------------------------------------------- */

struct refusal {
    int solver;
    int plain;
    const char *message;
};

static enum hinge_status refuse_as(void *context, const struct hinge_team *team,
                                   struct hinge_error *error)
{
    const struct refusal *refusal = context;
    struct hinge_dataset *data = draw(&small), *own = rank_dataset_new(data, team);
    struct hinge_parameters parameters = with(refusal->solver);
    struct hinge_model *model;

    parameters.team = team;
    parameters.single_method = refusal->plain;
    model = hinge_train(own, &parameters, NULL, error);
    hinge_model_free(model);
    rank_dataset_free(own);
    rank_dataset_free(data);
    return model ? HINGE_OK : error->status;
}

static void test_what_a_team_cannot_do_is_refused(void **state)
{
    static const int others[] = {4, 5, 6, 21, 30, 31, 32, 33, 40, 41, 42, 50, 62};

    (void)state;
    for (size_t k = 0; k < COUNT(others) + 1; k++) {
        struct refusal refusal = {k < COUNT(others) ? others[k] : 3, k == COUNT(others), NULL};
        struct threads_team team = {.size = 2};

        threads_team_run(&team, refuse_as, &refusal);
        for (int rank = 0; rank < 2; rank++) {
            assert_int_equal(team.status[rank], HINGE_BAD_ARGUMENT);
            assert_non_null(strstr(team.error[rank].message, "not for several processes"));
        }
        assert_int_equal(team.calls, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_features_as_in_one_process),
        cmocka_unit_test(test_many_features_as_in_one_process),
        cmocka_unit_test(test_every_loss_as_by_one_rank),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_probabilities),
        cmocka_unit_test(test_cross_validation),
        cmocka_unit_test(test_rounds_of_a_step),
        cmocka_unit_test(test_every_call_fails),
        cmocka_unit_test(test_a_rank_runs_out_of_memory),
        cmocka_unit_test(test_what_a_team_cannot_do_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
