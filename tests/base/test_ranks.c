/* test_ranks.c - whatever ranks pass, all return the same, or all fail. */
#include "base/ranks.h"

#include <stdio.h>
#include <string.h>

#include "support.h"
#include "threads_team.h"

/* The values that each rank sends, and its result. */
struct talk {
    enum hinge_status pass[MOST_RANKS];
    const char *message[MOST_RANKS];
    int value[MOST_RANKS];
    uint64_t any[MOST_RANKS];
    uint64_t sum[MOST_RANKS];
    enum hinge_status agreed[MOST_RANKS], followed[MOST_RANKS], asked[MOST_RANKS],
        compared[MOST_RANKS];
    struct hinge_error error[MOST_RANKS], difference[MOST_RANKS];
};

static enum hinge_status speak(void *context, const struct hinge_team *team,
                               struct hinge_error *error)
{
    struct talk *talk = context;
    const int r = team->rank;
    struct hinge_error ignored;

    (void)error;
    talk->error[r].status = talk->pass[r];
    snprintf(talk->error[r].message, sizeof talk->error[r].message, "%s",
             talk->message[r] ? talk->message[r] : "");
    talk->agreed[r] = ranks_agree(team, talk->pass[r], &talk->error[r]);
    if (talk->agreed[r] == HINGE_TEAM_FAILED)
        return HINGE_OK;
    talk->followed[r] = ranks_follow(team, &talk->value[r], &ignored);
    if (talk->followed[r] == HINGE_TEAM_FAILED)
        return HINGE_OK;
    talk->asked[r] = ranks_any(team, &talk->any[r], &ignored);
    if (talk->asked[r] == HINGE_TEAM_FAILED)
        return HINGE_OK;
    talk->compared[r] =
        ranks_compare(team, talk->sum[r], HINGE_BAD_INPUT, "the numbers", &talk->difference[r]);
    return HINGE_OK;
}

static void run(int size, struct talk *talk)
{
    struct threads_team team = {.size = size};

    threads_team_run(&team, speak, talk);
}

static void expect(const struct talk *talk, int size, enum hinge_status status, const char *message)
{
    for (int r = 0; r < size; r++) {
        assert_int_equal(talk->agreed[r], status);
        assert_int_equal(talk->error[r].status, status);
        assert_string_equal(talk->error[r].message, message);
        assert_int_equal(talk->followed[r], HINGE_OK);
        assert_int_equal(talk->value[r], talk->value[0]);
    }
}

static void test_all_is_well(void **state)
{
    (void)state;
    for (int size = 1; size <= 7; size += 3) {
        struct talk talk = {.value = {7, 1, 2, 3, 4, 5, 6}};

        run(size, &talk);
        expect(&talk, size, HINGE_OK, "");
        assert_int_equal(talk.value[size - 1], 7);
        assert_int_equal(talk.compared[size - 1], HINGE_OK);
    }
}

static void test_any(void **state)
{
    (void)state;
    for (int size = 1; size <= 7; size += 3)
        for (int one = 0; one <= size; one++) { /* size: no rank */
            struct talk talk = {.value = {0}};

            if (one < size)
                talk.any[one] = (uint64_t)5 << 40;
            run(size, &talk);
            for (int r = 0; r < size; r++) {
                assert_int_equal(talk.asked[r], HINGE_OK);
                assert_true(talk.any[r] == (one < size ? (uint64_t)5 << 40 : 0));
            }
        }
}

/* The message names the first rank that failed, except if all ranks have the same message. */
static void test_first_failure(void **state)
{
    struct talk some = {.pass = {0, 0, HINGE_FILE_ERROR, HINGE_NO_MEMORY},
                        .message = {NULL, NULL, "no such file", "none"}};
    struct talk all = {.pass = {1, 1, 1, 1}, .message = {"a", "a", "a", "a"}};
    struct talk differing = {.pass = {1, 1, 1, 1}, .message = {"a", "a", "b", "a"}};
    struct talk alone = {.pass = {HINGE_NO_MEMORY}, .message = {"a"}};

    (void)state;
    run(4, &some);
    expect(&some, 4, HINGE_FILE_ERROR, "rank 2 of 4: no such file");
    run(4, &all);
    expect(&all, 4, HINGE_BAD_INPUT, "a");
    run(4, &differing);
    expect(&differing, 4, HINGE_BAD_INPUT, "rank 0 of 4: a");
    run(1, &alone);
    expect(&alone, 1, HINGE_NO_MEMORY, "a");
    assert_int_equal(ranks_agree(NULL, HINGE_OK, NULL), HINGE_OK);
}

static void test_numbers_differ(void **state)
{
    struct talk talk = {.sum = {5, 5, 6, 7}};

    (void)state;
    run(4, &talk);
    for (int r = 0; r < 4; r++) {
        assert_int_equal(talk.compared[r], HINGE_BAD_INPUT);
        assert_string_equal(talk.difference[r].message,
                            "rank 2 of 4: the numbers differ from those of rank 0");
    }
}

/* A rank whose transport fails leaves, and the others do not wait for it. */
static void test_transports_fail(void **state)
{
    struct talk talk = {.value = {0}};
    struct threads_team whole = {.size = 3};

    (void)state;
    threads_team_run(&whole, speak, &talk);
    assert_int_equal(whole.calls, 4);
    for (int rank = 0; rank < 3; rank++)
        for (long call = 1; call <= whole.calls; call++) {
            struct threads_team team = {.size = 3, .fail_at = call, .fail_rank = rank};
            struct talk failing = {.value = {0}};

            threads_team_run(&team, speak, &failing);
            assert_int_equal(team.after_failure, 0);
            for (int r = 0; r < 3; r++)
                assert_int_equal(call == 1   ? failing.agreed[r]
                                 : call == 2 ? failing.followed[r]
                                 : call == 3 ? failing.asked[r]
                                             : failing.compared[r],
                                 HINGE_TEAM_FAILED);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_is_well),     cmocka_unit_test(test_any),
        cmocka_unit_test(test_first_failure),   cmocka_unit_test(test_numbers_differ),
        cmocka_unit_test(test_transports_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
