/* test_compiler.c - the instructions that are chosen at each call are there. */
#include "base/compiler.h"

#include "support.h"

static void test_avx2_is_found(void **state)
{
    (void)state;
#if HAS_VERSIONS
    assert_int_equal(compiler_has_avx2, __builtin_cpu_supports("avx2") != 0);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_avx2_is_found)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
