/* test_agreement.c - whatever ranks pass, all of them return the same, or all fail. */
#include "base/agreement.h"

#include <stdio.h>
#include <string.h>

#include "ranks.h"

/* What each rank passes, and what it returns. */
struct talk {
    enum hinge_status pass[MOST_RANKS];
    const char *message[MOST_RANKS];
    int value[MOST_RANKS];
    uint64_t sum[MOST_RANKS];
    enum hinge_status agreed[MOST_RANKS], followed[MOST_RANKS], compared[MOST_RANKS];
    struct hinge_error error[MOST_RANKS], difference[MOST_RANKS];
};

static void speak(void *context, const struct hinge_team *team)
{
    struct talk *talk = context;
    const int r = team->rank;
    struct hinge_error ignored;

    talk->error[r].status = talk->pass[r];
    snprintf(talk->error[r].message, sizeof talk->error[r].message, "%s",
             talk->message[r] ? talk->message[r] : "");
    talk->agreed[r] = agree(team, talk->pass[r], &talk->error[r]);
    if (talk->agreed[r] == HINGE_TEAM_FAILED)
        return;
    talk->followed[r] = agreement_follow(team, &talk->value[r], &ignored);
    if (talk->followed[r] == HINGE_TEAM_FAILED)
        return;
    talk->compared[r] =
        agreement_compare(team, talk->sum[r], HINGE_BAD_INPUT, "the numbers", &talk->difference[r]);
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

        ranks_run(size, speak, &talk, NULL, NULL);
        expect(&talk, size, HINGE_OK, "");
        assert_int_equal(talk.value[size - 1], 7);
        assert_int_equal(talk.compared[size - 1], HINGE_OK);
    }
}

/* The first rank that failed is named, but where all say the same. */
static void test_first_failure(void **state)
{
    struct talk some = {.pass = {0, 0, HINGE_FILE_ERROR, HINGE_NO_MEMORY},
                        .message = {NULL, NULL, "no such file", "none"}};
    struct talk all = {.pass = {1, 1, 1, 1}, .message = {"a", "a", "a", "a"}};
    struct talk differing = {.pass = {1, 1, 1, 1}, .message = {"a", "a", "b", "a"}};
    struct talk alone = {.pass = {HINGE_NO_MEMORY}, .message = {"a"}};

    (void)state;
    ranks_run(4, speak, &some, NULL, NULL);
    expect(&some, 4, HINGE_FILE_ERROR, "rank 2 of 4: no such file");
    ranks_run(4, speak, &all, NULL, NULL);
    expect(&all, 4, HINGE_BAD_INPUT, "a");
    ranks_run(4, speak, &differing, NULL, NULL);
    expect(&differing, 4, HINGE_BAD_INPUT, "rank 0 of 4: a");
    ranks_run(1, speak, &alone, NULL, NULL);
    expect(&alone, 1, HINGE_NO_MEMORY, "a");
    assert_int_equal(agree(NULL, HINGE_OK, NULL), HINGE_OK);
}

static void test_numbers_differ(void **state)
{
    struct talk talk = {.sum = {5, 5, 6, 7}};

    (void)state;
    ranks_run(4, speak, &talk, NULL, NULL);
    for (int r = 0; r < 4; r++) {
        assert_int_equal(talk.compared[r], HINGE_BAD_INPUT);
        assert_string_equal(talk.difference[r].message,
                            "rank 2 of 4: the numbers differ from those of rank 0");
    }
    /* FNV-1a's published value */
    assert_true(agreement_sum(AGREEMENT_NOTHING, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    assert_true(agreement_sum(agreement_sum(AGREEMENT_NOTHING, "foo", 3), "bar", 3) ==
                UINT64_C(0x85944171f73967e8));
}

/* A rank whose transport fails leaves; the others do not wait for it. */
static void test_transports_fail(void **state)
{
    struct talk talk = {.value = {0}};
    const unsigned long calls = ranks_run(3, speak, &talk, NULL, NULL);

    (void)state;
    assert_int_equal(calls, 4);
    for (int rank = 0; rank < 3; rank++)
        for (unsigned long call = 1; call <= calls; call++) {
            const struct rank_failure failure = {rank, call};
            struct talk failing = {.value = {0}};
            unsigned long late;

            ranks_run(3, speak, &failing, &failure, &late);
            assert_int_equal(late, 0);
            for (int r = 0; r < 3; r++)
                assert_int_equal(call == 1   ? failing.agreed[r]
                                 : call == 2 ? failing.followed[r]
                                             : failing.compared[r],
                                 HINGE_TEAM_FAILED);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_is_well),
        cmocka_unit_test(test_first_failure),
        cmocka_unit_test(test_numbers_differ),
        cmocka_unit_test(test_transports_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
