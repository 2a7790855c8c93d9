/* test_storage_kinds.c - kinds of storage for parts that are put together. */
#include "data/storage_kinds.h"

#include <string.h>

#include "support.h"

/* Rows have no indices if half of the entries are there, or with ones alone, all of them. */
static void test_half_of_the_entries_decide(void **unused)
{
    (void)unused;
    for (uint64_t read = 0; read <= 35; read++)
        for (int kind = HINGE_VALUE_ONE; kind <= HINGE_VALUE_DOUBLE; kind++) {
            const struct storage_kinds kinds = {
                .rows = 5, .read = read, .columns = 7, .value_kind = (enum hinge_value_kind)kind};
            const int is_dense = kind == HINGE_VALUE_ONE ? read == 35 : read >= 18;

            assert_int_equal(storage_kinds_are_dense(&kinds), is_dense);
            assert_int_equal(storage_kinds_nonzeros(&kinds), is_dense ? 35 : read);
        }
}

static void test_the_whole_has_the_widest_kinds(void **unused)
{
    const struct storage_kinds ones = {.rows = 2, .read = 3, .columns = 9};
    const struct storage_kinds tenths = {4, 5, 7, HINGE_VALUE_WHOLE, 1, 300};
    const struct storage_kinds large = {1, 2, 3, HINGE_VALUE_WHOLE, 0, INT32_MAX / 10};
    const struct storage_kinds larger = {1, 2, 3, HINGE_VALUE_WHOLE, 0, INT32_MAX / 10 + 1};
    const struct storage_kinds doubles = {1, 1, 1, HINGE_VALUE_DOUBLE, 0, 0};
    struct storage_kinds both = storage_kinds_join(&ones, &tenths);

    (void)unused;
    assert_true(both.rows == 6 && both.read == 8 && both.columns == 9);
    assert_true(both.value_kind == HINGE_VALUE_WHOLE && both.places == 1 && both.largest == 300);
    both = storage_kinds_join(&tenths, &large);
    assert_true(both.value_kind == HINGE_VALUE_WHOLE && both.places == 1);
    assert_int_equal(both.largest, INT32_MAX / 10 * 10);
    assert_int_equal(storage_kinds_join(&larger, &tenths).value_kind, HINGE_VALUE_DOUBLE);
    assert_int_equal(storage_kinds_join(&ones, &doubles).value_kind, HINGE_VALUE_DOUBLE);
    assert_int_equal(storage_kinds_join(&ones, &ones).value_kind, HINGE_VALUE_ONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_of_the_entries_decide),
        cmocka_unit_test(test_the_whole_has_the_widest_kinds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
