/* test_interior_point.c - the interior-point method: the certificate recomputed, the minimum by
 * another one. */
#include "free_toy.h"
#include "methods.h"

static void test_free_bias(void **state)
{
    (void)state;
    free_toys_are_certified(60);
}

int main(void)
{
    static int solvers[] = {60, -1};
    const struct CMUnitTest tests[] = {TESTS_OF_METHODS(solvers), cmocka_unit_test(test_free_bias)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
