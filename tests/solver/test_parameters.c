/* test_parameters.c - what is out of range is refused by name. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "dense_run.h"

/* ---- Of stochastic solvers ----------------------------------------------- */

static void check_refused(const struct hinge_parameters *parameters, const char *field)
{
    struct hinge_error error = {HINGE_OK, ""};
    size_t length = strlen(field);

    assert_int_equal(hinge_parameters_check(parameters, &error), HINGE_BAD_ARGUMENT);
    assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
    if (strncmp(error.message, field, length) != 0 || error.message[length] != ':')
        fail_msg("\"%s\" does not name %s", error.message, field);
}

static void check_accepted(const struct hinge_parameters *parameters)
{
    struct hinge_error error = {HINGE_OK, ""};

    if (hinge_parameters_check(parameters, &error) != HINGE_OK)
        fail_msg("refused: %s", error.message);
}

/* Sets a field of a copy of good and expects its name in the refusal. */
#define REFUSED(good, field, ...)                                                                  \
    do {                                                                                           \
        struct hinge_parameters bad = (good);                                                      \
        bad.field = __VA_ARGS__;                                                                   \
        check_refused(&bad, #field);                                                               \
    } while (0)

#define ACCEPTED(good, field, ...)                                                                 \
    do {                                                                                           \
        struct hinge_parameters other = (good);                                                    \
        other.field = __VA_ARGS__;                                                                 \
        check_accepted(&other);                                                                    \
    } while (0)

static void test_numbers_out_of_range_are_named(void **state)
{
    const double wrong[] = {-1, -DBL_MIN, NAN, INFINITY, -INFINITY};

    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        struct hinge_parameters good = parameters_for(solvers[s], 0);

        for (size_t n = 0; n < 5; n++) {
            REFUSED(good, l1, wrong[n]);
            REFUSED(good, epochs, wrong[n]);
            REFUSED(good, suffix, wrong[n]);
            REFUSED(good, eps, wrong[n]);
        }
        REFUSED(good, l1, 1.01e100);
        REFUSED(good, epochs, 0);
        REFUSED(good, suffix, 0);
        REFUSED(good, suffix, 1 + DBL_EPSILON);
        REFUSED(good, batch, 0);
        REFUSED(good, batch, (1u << 20) + 1);
        REFUSED(good, batch, UINT32_MAX);
        REFUSED(good, iterations, (UINT64_C(1) << 53) + 1);
        REFUSED(good, iterations, UINT64_MAX);
    }
}

static void test_numbers_at_the_ends_are_accepted(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        struct hinge_parameters good = parameters_for(solvers[s], 0);

        check_accepted(&good);
        ACCEPTED(good, batch, 1u << 20);
        ACCEPTED(good, iterations, UINT64_C(1) << 53);
        ACCEPTED(good, checkpoint, UINT64_MAX);
        ACCEPTED(good, epochs, DBL_MIN);
        ACCEPTED(good, epochs, DBL_MAX);
        ACCEPTED(good, suffix, DBL_MIN);
        ACCEPTED(good, suffix, 1);
        ACCEPTED(good, gap, 0); /* no rule of theirs */
        ACCEPTED(good, sampling, HINGE_PERMUTE);
        if (has_l1(solvers[s])) {
            ACCEPTED(good, l1, DBL_MIN);
            ACCEPTED(good, l1, 1e100);
        } else {
            REFUSED(good, l1, DBL_MIN);
            REFUSED(good, l1, 1e100);
        }
    }
}

/* The averages each solver has, as the README's table lists them. */
static void test_averages_are_those_of_the_table(void **state)
{
    static const char *const table[SOLVERS] = {"ndu w r", "nduw", "nduw", "nds", "ndu", "ndw"};
    static const char letter[] = "dnuwsr"; /* in the order of enum hinge_average */

    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int average = HINGE_AVERAGE_DEFAULT; average <= HINGE_AVERAGE_RANDOM; average++) {
            struct hinge_parameters good = parameters_for(solvers[s], 0);

            if (strchr(table[s], letter[average]))
                ACCEPTED(good, average, (enum hinge_average)average);
            else
                REFUSED(good, average, (enum hinge_average)average);
        }
}

/* Numbers that are no enumerator; 33 and 34 are none modulo 32. */
static void test_unknown_choices_are_named(void **state)
{
    static const unsigned unknown[] = {6, 31, 32, 33, 34, 35, 64, 65, 1000, 0x7fffffff};

    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        struct hinge_parameters good = parameters_for(solvers[s], 0);

        REFUSED(good, sampling, (enum hinge_sampling)2);
        for (size_t u = 0; u < sizeof unknown / sizeof *unknown; u++) {
            REFUSED(good, sampling, (enum hinge_sampling)unknown[u]);
            REFUSED(good, average, (enum hinge_average)unknown[u]);
        }
    }
}

/* ---- Of a solver of pairs ------------------------------------------------- */

static void test_parameters_of_pairs_are_checked(void **state)
{
    static const double bad[] = {0, -1, -0.0, NAN, INFINITY};
    struct hinge_parameters parameters = parameters_for(50, 0);
    struct hinge_error error;

    (void)state;
    assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_OK);
    parameters.bias = 1;
    assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_BAD_ARGUMENT);
    assert_string_equal(error.message, "bias: that of solver smo is free");
    parameters.bias = -1;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        parameters.cache = bad[k];
        assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_BAD_ARGUMENT);
        assert_string_equal(error.message, "cache: not a positive finite number");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_out_of_range_are_named),
        cmocka_unit_test(test_numbers_at_the_ends_are_accepted),
        cmocka_unit_test(test_averages_are_those_of_the_table),
        cmocka_unit_test(test_unknown_choices_are_named),
        cmocka_unit_test(test_parameters_of_pairs_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
