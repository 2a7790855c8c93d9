/* test_model_batch.c - all rows at once give the same as one by one, in any kind of storage. */
#include "models.h"

#include <stdlib.h>
#include <string.h>

#define HEAD(type) "solver_type " type "\n"
#define THREE                                                                                      \
    "nr_class 3\nlabel 7 -2 5\nnr_feature 3\nbias 0.5\nw\n1 -1 0.5 \n-2 3 1 \n0.25 0 -1 \n1 2 3 \n"
#define TWO        "nr_class 2\nlabel 1 -1\nnr_feature 3\nbias -1\nw\n1 \n-2 \n0.25 \n"
#define REGRESSION "nr_class 2\nnr_feature 3\nbias -1\nw\n1 \n-2 \n0.25 \n"

static const char *const texts[] = {
    HEAD("L2R_L2LOSS_SVC_DUAL") THREE,
    HEAD("MCSVM_CS") THREE,
    HEAD("L2R_LR") THREE,
    HEAD("L2R_LR") TWO,
    HEAD("L2R_L1LOSS_SVC_DUAL") TWO,
    HEAD("L2R_L2LOSS_SVR") REGRESSION,
};

enum { ROWS = 4, ENTRIES = 6 };

/* The models do not know the last column. The second row has no entry. */
static const int32_t start[] = {0, 2, 2, 4, 6}, column[] = {0, 2, 1, 3, 0, 1};
static const double value[] = {1, 2, -3, 9, 1, 1};
static const float single[] = {1, 2, -3, 9, 1, 1};
static const int32_t whole[] = {1, 2, -3, 9, 1, 1};

static struct hinge_dataset stored(enum hinge_index_kind index, enum hinge_value_kind kind)
{
    static size_t starts[ROWS + 1];
    static uint8_t bytes[ENTRIES];
    static uint16_t shorts[ENTRIES];
    static uint32_t longs[ENTRIES];
    void *const indices[] = {bytes, shorts, longs};
    const void *const values[] = {NULL, whole, single, value};
    struct hinge_dataset data = {.features = 4};

    for (size_t k = 0; k < ENTRIES; k++) {
        bytes[k] = (uint8_t)column[k];
        shorts[k] = (uint16_t)column[k];
        longs[k] = (uint32_t)column[k];
    }
    for (size_t i = 0; i <= ROWS; i++)
        starts[i] = (size_t)start[i];
    data.x = (struct hinge_matrix){
        ROWS, ENTRIES, starts, index, kind, indices[index], (void *)values[kind], 1, NULL};
    return data;
}

static void batches_are_rows_one_by_one(void **unused)
{
    (void)unused;
    for (size_t t = 0; t < COUNT(texts); t++)
        for (int index = HINGE_INDEX_8; index <= HINGE_INDEX_32; index++)
            for (int kind = HINGE_VALUE_ONE; kind <= HINGE_VALUE_DOUBLE; kind++) {
                const struct hinge_dataset data =
                    stored((enum hinge_index_kind)index, (enum hinge_value_kind)kind);
                struct hinge_model *model = read_text(texts[t]);
                const int probable = hinge_has_probabilities(model);
                double decision[ROWS * 3], probability[ROWS * 3], one[3], own[3];
                uint32_t predicted[ROWS], likely[ROWS];
                struct hinge_error error;

                assert_int_equal(hinge_model_decisions(model, &data, decision, predicted, &error),
                                 HINGE_OK);
                assert_int_equal(
                    hinge_model_probabilities(model, ROWS, decision, probability, likely, &error),
                    probable ? HINGE_OK : HINGE_BAD_ARGUMENT);
                for (size_t i = 0; i < ROWS; i++) {
                    uint32_t columns[ENTRIES];
                    double values[ENTRIES];
                    const size_t first = (size_t)start[i];
                    const struct hinge_row row = {0, 0, (size_t)start[i + 1] - first, columns,
                                                  values};

                    for (size_t k = 0; k < row.count; k++) {
                        columns[k] = (uint32_t)column[first + k];
                        values[k] = kind ? value[first + k] : 1;
                    }
                    hinge_decision_values(model, &row, one);
                    assert_memory_equal(one, decision + i * model->columns,
                                        model->columns * sizeof *one);
                    if (model->classes)
                        assert_int_equal(predicted[i], hinge_decide(model, one));
                    if (probable) {
                        assert_int_equal(likely[i], hinge_probabilities(model, one, own));
                        assert_memory_equal(own, probability + i * model->classes,
                                            model->classes * sizeof *own);
                    }
                }
                hinge_model_free(model);
            }
}

static void classes_may_be_left_out(void **unused)
{
    const struct hinge_dataset data = stored(HINGE_INDEX_32, HINGE_VALUE_DOUBLE);
    struct hinge_model *model = read_text(texts[3]);
    double decision[ROWS], probability[ROWS * 2];
    struct hinge_error error;

    (void)unused;
    assert_int_equal(hinge_model_decisions(model, &data, decision, NULL, &error), HINGE_OK);
    assert_true(decision[0] == 1.5 && decision[1] == 0 && decision[2] == 6 && decision[3] == -1);
    assert_int_equal(hinge_model_probabilities(model, ROWS, decision, probability, NULL, &error),
                     HINGE_OK);
    assert_true(probability[2] == 0.5 && probability[3] == 0.5);
    hinge_model_free(model);
}

static void refuses_probabilities_that_there_are_not(void **unused)
{
    struct hinge_model *model = read_text(texts[4]);
    struct hinge_error error;

    (void)unused;
    assert_int_equal(hinge_model_probabilities(model, 0, NULL, NULL, NULL, &error),
                     HINGE_BAD_ARGUMENT);
    assert_string_equal(error.message, "the model has no probabilities: train with probability 1, "
                                       "or a solver of logistic regression");
    hinge_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_are_rows_one_by_one),
        cmocka_unit_test(classes_may_be_left_out),
        cmocka_unit_test(refuses_probabilities_that_there_are_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
