/* test_gathered_rows.c - each rank gets the rows that all ranks have listed, in order. Ranks are
 * threads of the test.
 */
#include "solver/linear/gathered_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/team.h"
#include "data/storage_kinds.h"
#include "random_problem.h"
#include "threads_team.h"

enum { ROWS = 900, FEATURES = 40, IN_ROW = 4 };

struct trial {
    struct random_problem random;
    uint32_t step; /* every step-th row is listed */
    int ones;      /* the values of all entries are 1 */
};

/* True for every second listed row. Before all rows, these rows are appended alone. */
static int is_appended(const struct trial *trial, uint32_t row)
{
    return row / trial->step % 2 == 1;
}

static void check_row(const struct trial *trial, uint32_t row, const struct gathered_rows *gathered,
                      size_t at)
{
    const struct hinge_matrix *x = &gathered->data.x;
    const struct sparse one = problem_row(&trial->random.problem, row);
    const struct sparse other = sparse_part(x, x->start[at], x->start[at + 1] - x->start[at]);

    assert_int_equal(other.count, one.count);
    for (size_t k = 0; k < one.count; k++) {
        assert_int_equal(index_at(&other, k), index_at(&one, k));
        assert_true(value_at(&other, k) == value_at(&one, k));
    }
}

static enum hinge_status lend(void *context, const struct hinge_team *transport,
                              struct hinge_error *error)
{
    struct trial *trial = context;
    struct hinge_dataset *own = rank_dataset_new(&trial->random.data, transport);
    struct team *team = shards_team(transport, own, error);
    struct problem problem = trial->random.problem;
    struct gathered_rows gathered;
    struct own_rows mine;
    uint32_t *row = calloc(ROWS, sizeof *row), *at = calloc(ROWS, sizeof *at);
    uint32_t count = 0, listed = 0, appended = 0;
    double *weight = calloc(ROWS, sizeof *weight);

    assert_true(team && row && at && weight);
    memset(&gathered, 0, sizeof gathered);
    team->all_ones = trial->ones;
    problem.data = own;
    problem.team = team;
    mine = own_rows(&problem);
    for (uint32_t i = mine.first; i < mine.end; i++)
        if (i % trial->step == 0) {
            weight[count] = 1.5 * i;
            row[count++] = i;
        }
    for (int again = 0; again < 2; again++) { /* the second time there is room for all */
        listed = appended = 0;
        gathered_rows_clear(&gathered);
        assert_true(gathered_rows_list(&gathered, &problem, row, weight, count));
        for (uint32_t i = 0; i < ROWS; i += trial->step, listed++) {
            assert_int_equal(gathered.row[listed], i);
            assert_int_equal(gathered.list[listed].row, i);
            assert_true(gathered.weight[listed] == 1.5 * i);
            if (is_appended(trial, i))
                at[appended++] = listed;
        }
        assert_int_equal(gathered.listed, listed);
        assert_true(gathered_rows_append(&gathered, &problem, at, appended));
        assert_int_equal(gathered.data.x.rows, appended);
        assert_true(gathered_rows_append(&gathered, &problem, NULL, listed));
        assert_int_equal(gathered.data.x.rows, appended + listed);
        assert_int_equal(gathered.data.features, FEATURES);
        for (size_t s = 0; s < appended; s++)
            check_row(trial, gathered.list[at[s]].row, &gathered, s);
        for (size_t s = 0; s < listed; s++) {
            assert_int_equal(gathered.number[s], s);
            check_row(trial, gathered.list[s].row, &gathered, appended + s);
        }
    }
    gathered_rows_free(&gathered);
    team_free(team);
    rank_dataset_free(own);
    free(row);
    free(at);
    free(weight);
    return HINGE_OK;
}

static void try(int size, uint32_t step, int ones)
{
    static double label[ROWS + 1]; /* the problem leaves out a row of the data */
    struct threads_team team = {.size = size};
    struct trial trial = {.random = {.random = 7}, .step = step, .ones = ones};

    random_problem_new(&trial.random, ROWS, FEATURES, IN_ROW, -1);
    trial.random.data.label = label;
    for (size_t i = 1; i <= ROWS; i += 3) /* rows have different lengths */
        trial.random.data.x.start[i] += 2;
    if (ones)
        trial.random.data.x.value_kind = HINGE_VALUE_ONE;
    threads_team_run(&team, lend, &trial);
    for (int r = 0; r < size; r++)
        assert_int_equal(team.status[r], HINGE_OK);
    trial.random.data.x.value_kind = HINGE_VALUE_DOUBLE;
    random_problem_free(&trial.random);
}

static void test_all_ranks_have_the_rows(void **state)
{
    static const uint32_t steps[] = {1, 3, 100, ROWS}; /* with step ROWS, some ranks list no row */

    (void)state;
    for (int size = 1; size <= 7; size += 2)
        for (size_t k = 0; k < COUNT(steps); k++)
            for (int ones = 0; ones < 2; ones++)
                try(size, steps[k], ones);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_ranks_have_the_rows)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
