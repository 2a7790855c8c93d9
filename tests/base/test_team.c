/* test_team.c - sums, maxima and copies over ranks, which are threads; the counts of rounds; the
 * calls after a failure.
 */
#include "base/team.h"

#include <string.h>

#include "base/status.h"
#include "support.h"
#include "threads_team.h"

static enum hinge_status use_all(void *context, const struct hinge_team *transport,
                                 struct hinge_error *error)
{
    struct team *team = team_new(transport, error);
    const unsigned rank = team_rank(team), size = team_size(team);
    double numbers[2] = {rank, 10}, each[MOST_RANKS];
    size_t bytes[MOST_RANKS] = {0};
    char word[8] = "", all[MOST_RANKS * MOST_RANKS];
    enum hinge_status status;

    (void)context;
    team_add(team, numbers, 2);
    assert_true(numbers[0] == size * (size - 1) / 2 && numbers[1] == 10 * size);
    assert_true(team_largest(team, -(double)rank - 1) == -1);
    numbers[0] = -(double)rank;
    numbers[1] = rank;
    team_largest_each(team, numbers, 2);
    assert_true(numbers[0] == 0 && numbers[1] == size - 1);
    assert_int_equal(team_any(team, rank == size - 1), 1);
    assert_int_equal(team_any(team, 0), 0);
    assert_int_equal(team_all(team, rank != size - 1), 0);
    assert_int_equal(team_all(team, 1), 1);
    numbers[0] = rank * 0.5;
    team_gather_each(team, numbers, sizeof *numbers, each);
    for (unsigned q = 0; q < size; q++)
        assert_true(each[q] == q * 0.5);
    if (rank == size / 2)
        strcpy(word, "hinge");
    team_send_from(team, size / 2, word, sizeof word);
    assert_string_equal(word, "hinge");
    if (size > 1) { /* rank q sends q + 1 bytes */
        memset(word, 'a' + (int)rank, sizeof word);
        for (unsigned q = 0; q < size; q++)
            bytes[q] = q + 1;
        team_gather(team, word, all, bytes);
        for (unsigned q = 0, at = 0; q < size; q++)
            for (unsigned k = 0; k <= q; k++)
                assert_int_equal(all[at++], 'a' + (int)q);
        assert_int_equal(team->rounds, 9 + 1);
        assert_true(team->sent >= (uint64_t)(size - 1) * (4 * 8 + 5 * 8 + 8 + rank + 1));
    }
    status = team_check(team, error);
    team_free(team);
    return status;
}

static void test_numbers_of_all_ranks(void **state)
{
    (void)state;
    for (int size = 1; size <= MOST_RANKS; size++) {
        struct threads_team team = {.size = size};

        threads_team_run(&team, use_all, NULL);
        for (int rank = 0; rank < size; rank++)
            assert_int_equal(team.status[rank], HINGE_OK);
        assert_int_equal(team.calls, size > 1 ? 10 : 0);
    }
}

/* After a failure, received values are 0 and the transport is not called. */
static enum hinge_status fail_then(void *context, const struct hinge_team *transport,
                                   struct hinge_error *error)
{
    struct team *team = team_new(transport, error);
    double number = 5;
    enum hinge_status status;

    (void)context;
    team_add(team, &number, 1);
    assert_true(number == 5 * team_size(team));
    for (int k = 0; k < 3; k++) {
        number = 5;
        team_add(team, &number, 1);
        assert_true(number == 0);
    }
    assert_int_equal(team->rounds, 1);
    status = team_check(team, error);
    team_free(team);
    return status;
}

static void test_no_call_follows_a_failure(void **state)
{
    struct threads_team team = {.size = 3, .fail_at = 2, .fail_rank = 1};

    (void)state;
    threads_team_run(&team, fail_then, NULL);
    for (int rank = 0; rank < 3; rank++)
        assert_int_equal(team.status[rank], HINGE_TEAM_FAILED);
    assert_int_equal(team.calls, 2);
    assert_int_equal(team.after_failure, 0);
}

/* A rank that fails itself reports its own failure. */
static enum hinge_status fail_alone(void *context, const struct hinge_team *transport,
                                    struct hinge_error *error)
{
    struct team *team = team_new(transport, error);
    const struct hinge_error own = {HINGE_NO_MEMORY, "out of memory: a test"};
    enum hinge_status status;

    (void)context;
    if (transport->rank == 1)
        team_fail(team, &own);
    if (transport->rank == 1)
        assert_null(team_room(team, 1000, 8));
    else
        team_all(team, 1);
    status = team_check(team, error);
    team_free(team);
    return status;
}

static void test_own_failures(void **state)
{
    struct threads_team team = {.size = 2};

    (void)state;
    threads_team_run(&team, fail_alone, NULL);
    assert_int_equal(team.status[0], HINGE_TEAM_FAILED);
    assert_int_equal(team.status[1], HINGE_NO_MEMORY);
    assert_string_equal(team.error[1].message, "out of memory: a test");
}

static void test_alone(void **state)
{
    struct hinge_error error = {HINGE_OK, ""};
    const struct hinge_team none = {NULL, 2, 2, NULL, NULL};
    double number = 3, copied;

    (void)state;
    team_add(NULL, &number, 1);
    assert_true(number == 3 && team_largest(NULL, 2) == 2);
    assert_true(team_all(NULL, 1) && !team_any(NULL, 0) && team_agrees(NULL, 1, &error));
    assert_int_equal(team_end(NULL, &error), HINGE_OK);
    team_gather_each(NULL, &number, sizeof number, &copied);
    assert_true(copied == 3);
    assert_null(team_new(&none, &error));
    assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
    assert_string_equal(error.message, "team: rank 2 of 2");
    team_free(NULL);
}

static void test_where_parts_begin(void **state)
{
    static const uint64_t most = UINT64_MAX, parts = UINT32_MAX;

    (void)state;
    for (uint64_t whole = 0; whole < 30; whole++)
        for (uint64_t count = 1; count < 20; count++)
            for (uint64_t k = 0; k <= count; k++)
                assert_true(part_begin(whole, count, k) == whole * k / count);
    assert_true(part_begin(most, parts, parts) == most);
    assert_true(part_begin(most, parts, parts - 1) == most - parts - 2); /* most/parts = 2^32 + 1 */
    assert_true(part_begin(most - 1, parts, parts) == most - 1);
    assert_true(part_begin(most, 1, 1) == most && part_begin(most, 2, 1) == most / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_all_ranks),
        cmocka_unit_test(test_no_call_follows_a_failure),
        cmocka_unit_test(test_own_failures),
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_where_parts_begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
