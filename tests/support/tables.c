/* tables.c - small data sets and the models trained on them, checked against sums by hand. */
#include "tables.h"

#include <math.h>
#include <string.h>

#include "slow_loss.h"
#include "solver/loop/solver.h"

const double four_labels[4] = {2.5, -1, 1, 7};

void table_fill(struct table *table, size_t rows, size_t features, const double *value,
                const double *label)
{
    struct hinge_dataset *data = &table->data;

    memset(table, 0, sizeof *table);
    *data = (struct hinge_dataset){.x = {.rows = rows,
                                         .start = table->start,
                                         .index_kind = HINGE_INDEX_32,
                                         .value_kind = HINGE_VALUE_DOUBLE,
                                         .index = table->index,
                                         .value = table->value},
                                   .features = (uint32_t)features,
                                   .label = table->label};
    for (size_t i = 0; i < rows; i++) {
        table->label[i] = label[i];
        for (size_t j = 0; j < features; j++)
            if (value[i * features + j] != 0) {
                table->index[data->x.nonzeros] = (uint32_t)j;
                table->value[data->x.nonzeros++] = value[i * features + j];
            }
        table->start[i + 1] = data->x.nonzeros;
    }
}

void table_draw(struct table *table, size_t classes, const double *labels, uint64_t seed)
{
    double value[MOST_ROWS * MOST_FEATURES], label[MOST_ROWS];
    uint64_t state = 0x9e3779b97f4a7c15 * (seed + 1);

    for (size_t i = 0; i < MOST_ROWS; i++) {
        size_t c = i < classes ? i : (size_t)(random_unit(&state) * (double)classes);

        label[i] = labels[c];
        for (size_t j = 0; j < MOST_FEATURES; j++) {
            double centre = (double)((c + 1) * (j + 3) % 7) / 7 - 0.5;
            double at = random_unit(&state) + random_unit(&state) - 1 + centre;

            value[i * MOST_FEATURES + j] = random_unit(&state) < 0.7 ? at : 0;
        }
    }
    table_fill(table, MOST_ROWS, MOST_FEATURES, value, label);
}

struct hinge_model *train(const struct table *table, const struct hinge_parameters *parameters)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model = hinge_train(&table->data, parameters, NULL, &error);

    if (!model)
        fail_msg("%s", error.message);
    return model;
}

size_t width(const struct hinge_model *model)
{
    return (size_t)model->features + (model->bias >= 0);
}

int same_column(const struct hinge_model *one, size_t a, const struct hinge_model *other, size_t b)
{
    assert_int_equal(width(one), width(other));
    for (size_t j = 0; j < width(one); j++)
        if (memcmp(&one->weight[j * one->columns + a], &other->weight[j * other->columns + b],
                   sizeof(double)) != 0)
            return 0;
    return 1;
}

double column_primal(const struct table *table, const struct hinge_model *model, size_t c,
                     const double *cost)
{
    const enum loss loss = solver_find(model->solver->number)->loss;
    long double primal = 0;

    for (size_t j = 0; j < width(model); j++)
        primal += (long double)model->weight[j * model->columns + c] *
                  model->weight[j * model->columns + c] / 2;
    for (size_t i = 0; i < table->data.x.rows; i++) {
        long double z = 0;

        for (size_t k = table->start[i]; k < table->start[i + 1]; k++)
            z += (long double)table->value[k] * model->weight[table->index[k] * model->columns + c];
        if (model->bias >= 0)
            z += (long double)model->bias * model->weight[(width(model) - 1) * model->columns + c];
        z = table->label[i] == model->label[c] ? -z : z;
        primal += slow_loss(loss, cost[i], loss_target(loss) + z);
    }
    return (double)primal;
}

void check_result(const struct table *table, const struct hinge_model *model, size_t c,
                  const double *cost)
{
    const struct hinge_result *result = &model->result[c];
    const double primal = column_primal(table, model, c, cost);

    assert_true(fabs(result->primal - primal) <= 1e-12 * primal);
    assert_true(result->primal + result->dual >= -1e-12 * primal);
    assert_true(fabs(result->relative_gap * result->primal - (result->primal + result->dual)) <=
                1e-12 * primal);
}

void check_results(const struct table *table, const struct hinge_model *model, const double *cost)
{
    for (size_t c = 0; c < model->columns; c++)
        check_result(table, model, c, cost);
}

void expect_refusal(const struct table *table, const struct hinge_parameters *parameters,
                    const char *message)
{
    struct hinge_error error = {HINGE_OK, ""};

    assert_null(hinge_train(&table->data, parameters, NULL, &error));
    assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
    assert_string_equal(error.message, message);
}

struct hinge_parameters weighted(size_t weights, const double *label, const double *weight)
{
    struct hinge_parameters parameters = parameters_default();

    parameters.C = 0.5;
    parameters.weights = weights;
    parameters.weight_label = label;
    parameters.weight = weight;
    return parameters;
}
