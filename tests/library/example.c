/* example.c - a program that uses the library: it trains from arrays in memory and predicts. */
#include <stdio.h>

#include "hinge.h"

/* Rows by rows, without the zeros: (1, 0.5, 0), (-1, 0, 2), (2, -1, 0), (-0.5, -2, 0). */
static size_t start[] = {0, 2, 4, 6, 8};
static uint32_t feature[] = {0, 1, 0, 2, 0, 1, 0, 1};
static double value[] = {1, 0.5, -1, 2, 2, -1, -0.5, -2};
static double label[] = {1, -1, 1, -1};

static enum hinge_answer tell(void *context, const struct hinge_progress *progress)
{
    (void)context;
    if (progress->measured)
        printf("pass %llu: P = %g\n", (unsigned long long)progress->passes, progress->primal);
    return HINGE_GO_ON;
}

int main(void)
{
    const struct hinge_dataset data = {.x = {.rows = 4,
                                             .nonzeros = 8,
                                             .start = start,
                                             .index_kind = HINGE_INDEX_32,
                                             .value_kind = HINGE_VALUE_DOUBLE,
                                             .index = feature,
                                             .value = value},
                                       .features = 3,
                                       .label = label};
    const struct hinge_monitor monitor = {tell, NULL, NULL, 0};
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_error error;
    struct hinge_model *model;
    double decision;
    int wrong = 0;

    parameters.solver = 3;
    parameters.C = 10;
    parameters.relative_gap = 1e-6;
    model = hinge_train(&data, &parameters, &monitor, &error);
    if (!model) {
        fprintf(stderr, "%s\n", error.message);
        return (int)error.status;
    }
    printf("%s, relative gap %g\n", hinge_outcome_name(model->result->outcome),
           model->result->relative_gap);
    for (size_t i = 0; i < data.x.rows; i++) {
        const struct hinge_row row = {1, label[i], start[i + 1] - start[i], feature + start[i],
                                      value + start[i]};

        hinge_decision_values(model, &row, &decision);
        wrong += model->label[hinge_decide(model, &decision)] != label[i];
        printf("row %d: label %g, predicted %g, decision value %.3f\n", (int)i + 1, label[i],
               model->label[hinge_decide(model, &decision)], decision);
    }
    hinge_model_free(model);
    return wrong;
}
