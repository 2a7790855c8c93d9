/* test_checksum.c - compares the checksum with its authors' values. */
#include "base/checksum.h"

#include "support.h"

static void test_published_values(void **state)
{
    (void)state;
    assert_true(checksum(CHECKSUM_NONE, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(checksum(CHECKSUM_NONE, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(checksum(CHECKSUM_NONE, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

static void test_bytes_may_come_in_pieces(void **state)
{
    (void)state;
    assert_true(checksum(checksum(CHECKSUM_NONE, "foo", 3), "bar", 3) ==
                checksum(CHECKSUM_NONE, "foobar", 6));
    assert_true(checksum(CHECKSUM_NONE, NULL, 0) == CHECKSUM_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_published_values),
                                       cmocka_unit_test(test_bytes_may_come_in_pieces)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
