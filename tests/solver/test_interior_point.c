/* test_interior_point.c - the interior-point method: the certificate recomputed, the minimum by
 * another one. */
#include "methods.h"

int main(void)
{
    static int solvers[] = {60, 0};
    const struct CMUnitTest tests[] = {TESTS_OF_METHODS(solvers)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
