/* example.c - a program that uses the public headers alone: the example at the top of hinge.h, and
 * a training that a monitor watches. */
#include <stdio.h>

#include "hinge.h"
#include "hinge_metrics.h"

/* Runs the example of hinge.h. test_library.c checks that the two texts agree. */
static int first_example(void)
{
    const double x[] = {1, 0.5, -1, 2, 2, -1, -0.5, -2}, y[] = {1, -1, 1, -1};
    double decision[4];
    uint32_t predicted[4];
    struct hinge_error error;
    struct hinge_dataset *data = hinge_view_dense(4, 2, x, HINGE_VALUE_DOUBLE, y, &error);
    struct hinge_parameters *parameters = data ? hinge_parameters_new(&error) : NULL;
    struct hinge_model *model = parameters ? hinge_train(data, parameters, NULL, &error) : NULL;

    if (!model || hinge_model_decisions(model, data, decision, predicted, &error))
        return fprintf(stderr, "%s\n", error.message), (int)error.status;
    for (int i = 0; i < 4; i++)
        printf("%g predicted as %g\n", y[i], hinge_model_value(model, "label", predicted[i]));
    hinge_model_free(model);
    hinge_parameters_free(parameters);
    hinge_view_free(data);
    return 0;
}

/* The rows (1, 0.5, 0), (-1, 0, 2), (2, -1, 0), (-0.5, -2, 0), without their zeros. */
static const int32_t start[] = {0, 2, 4, 6, 8}, feature[] = {0, 1, 0, 2, 0, 1, 0, 1};
static const double value[] = {1, 0.5, -1, 2, 2, -1, -0.5, -2};
static const double label[] = {1, -1, 1, -1};

enum { ROWS = 4, FEATURES = 3 };

static enum hinge_answer tell(void *context, const struct hinge_progress *progress)
{
    (void)context;
    if (progress->measured)
        printf("pass %llu: P = %g\n", (unsigned long long)progress->passes, progress->primal);
    return HINGE_GO_ON;
}

/* Predicts the rows with the model. Returns the number of wrong predictions, or -1 on failure. */
static int count_wrong(const struct hinge_model *model, const struct hinge_dataset *data,
                       struct hinge_error *error)
{
    double names[2], decision[ROWS];
    uint32_t predicted[ROWS];
    struct hinge_predictions *predictions;
    struct hinge_metrics *metrics = NULL;
    int wrong = -1;

    hinge_model_values(model, "label", 2, names);
    if (hinge_model_decisions(model, data, decision, predicted, error) ||
        !(predictions = hinge_predictions_new(names, 2, error)))
        return -1;
    for (size_t i = 0; i < hinge_dataset_rows(data); i++) {
        const double given = hinge_dataset_labels(data)[i];

        printf("row %d: label %g, predicted %g, decision value %.3f\n", (int)i + 1, given,
               names[predicted[i]], decision[i]);
        if (hinge_predictions_add(predictions, given, predicted[i], decision[i], error))
            break;
    }
    if (predictions->rows == ROWS && (metrics = hinge_metrics_new(predictions, NULL, error)))
        wrong = (int)(metrics->rows - metrics->correct);
    hinge_metrics_free(metrics);
    hinge_predictions_free(predictions);
    return wrong;
}

int main(void)
{
    static const char *const option[][2] = {
        {"solver", "dcd-l1"}, {"C", "10"}, {"relative_gap", "1e-6"}, {"keep_alpha", "1"}};
    const struct hinge_monitor monitor = {tell, NULL, NULL, 0};
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_dataset *data = hinge_view_csr(ROWS, FEATURES, start, sizeof *start, feature,
                                                value, HINGE_VALUE_DOUBLE, label, &error);
    struct hinge_parameters *parameters = hinge_parameters_new(&error);
    struct hinge_model *model = NULL;
    int wrong = first_example();

    for (size_t k = 0; parameters && k < sizeof option / sizeof *option; k++)
        if (hinge_parameters_set(parameters, option[k][0], option[k][1], &error))
            wrong++;
    if (data && parameters && wrong == 0)
        model = hinge_train(data, parameters, &monitor, &error);
    if (model) {
        const struct hinge_result *result = hinge_model_result(model, 0);

        printf("%s, relative gap %g, first alpha %g\n", hinge_outcome_name(result->outcome),
               result->relative_gap, hinge_model_alpha(model)[0]);
        wrong = count_wrong(model, data, &error);
    }
    if (error.status != HINGE_OK)
        fprintf(stderr, "%s\n", error.message);
    hinge_model_free(model);
    hinge_parameters_free(parameters);
    hinge_view_free(data);
    return !model || wrong != 0;
}
