/* test_predictions.c - predictions keep their content while they grow. */
#include <stdlib.h>

#include "support.h"

/* The labels are copies, and what was added stays while the arrays grow. */
static void test_predictions_own_what_they_hold(void **state)
{
    struct hinge_error error = {HINGE_OK, ""};
    double *label = malloc(2 * sizeof *label);
    struct hinge_predictions *predictions;

    (void)state;
    assert_non_null(label);
    label[0] = 4;
    label[1] = 6;
    predictions = hinge_predictions_new(label, 2, &error);
    assert_non_null(predictions);
    label[0] = label[1] = -1;
    free(label);
    for (size_t i = 0; i < 20000; i++) /* with thousands of new labels */
        assert_int_equal(
            hinge_predictions_add(predictions, (double)(i % 5000), i % 2, (double)i, &error),
            HINGE_OK);
    assert_int_equal(predictions->classes, 5000);
    assert_int_equal(predictions->rows, 20000);
    for (size_t i = 0; i < 20000; i++) {
        assert_true(predictions->label[predictions->given[i]] == (double)(i % 5000));
        assert_int_equal(predictions->predicted[i], i % 2);
        assert_true(predictions->decision[i] == (double)i);
    }
    hinge_predictions_free(predictions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predictions_own_what_they_hold),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
