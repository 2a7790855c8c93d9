/* fuzz_solve.c - any bytes as a solver, parameters and a small table of extreme values. Training
 * under sanitizers gives finite weights, or is refused. */
#include "fuzz.h"

#include <float.h>
#include <math.h>

enum { ROWS = 8, FEATURES = 6, HEADER = 6 };

/* Returns 0, or a number whose exponent is anywhere in the range of double. */
static double number_of(uint8_t byte)
{
    static const double ends[] = {0, 1, -1, 2, 4.9e-324, 1e-308, 1.7e308, -1.7e308};

    if (byte < 32)
        return ends[byte % 8];
    return byte < 144 ? (byte - 88) / 16.0 : (byte & 1 ? 1 : -1) * pow(10, (byte - 200) * 5.5);
}

static void set(struct hinge_parameters *parameters, const char *name, double value)
{
    struct hinge_error error;
    char text[32];

    snprintf(text, sizeof text, "%.17g", value);
    DEMAND(hinge_parameters_set(parameters, name, text, &error) == HINGE_OK);
}

static void train(const struct hinge_dataset *data, const struct hinge_parameters *parameters)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model = hinge_train(data, parameters, NULL, &error);

    DEMAND(model || (error.status == HINGE_BAD_ARGUMENT || error.status == HINGE_BAD_INPUT));
    if (!model)
        return;
    for (size_t j = 0; j < (size_t)hinge_model_value(model, "features", 0) *
                               (size_t)hinge_model_value(model, "columns", 0);
         j++)
        DEMAND(fabs(hinge_model_weights(model)[j]) <= DBL_MAX);
    hinge_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const double C[] = {1, 21, 1e-100, 1e100, 1e-20, 1e20, 1e-3, 1e3};
    static const double gaps[] = {1e-3, 1e-12, 1e-300, 1};
    const struct hinge_solver *solver;
    double value[ROWS * FEATURES], label[ROWS];
    size_t solvers = 0, features, rows;
    struct hinge_parameters *parameters;
    struct hinge_dataset *data;
    struct hinge_error error;

    if (size < HEADER + 3)
        return 0;
    while (hinge_solver_at(solvers))
        solvers++;
    solver = hinge_solver_at(bytes[0] % solvers);
    features = bytes[1] % (FEATURES + 1);
    rows = (size - HEADER) / (features + 1);
    rows = rows < ROWS ? rows : ROWS;
    if (rows == 0)
        return 0;
    for (size_t i = 0; i < rows; i++) {
        const uint8_t *row = bytes + HEADER + i * (features + 1);

        label[i] = solver->regression ? number_of(row[0]) : row[0] % (bytes[2] & 1 ? 3 : 2);
        for (size_t j = 0; j < features; j++)
            value[i * features + j] = number_of(row[1 + j]);
    }
    data = hinge_view_dense(rows, features, value, HINGE_VALUE_DOUBLE, label, &error);
    parameters = hinge_parameters_new(&error);
    DEMAND(data && parameters);
    set(parameters, "solver", solver->number);
    set(parameters, "C", C[bytes[3] % 8]);
    set(parameters, "relative-gap", gaps[bytes[4] % 4]);
    set(parameters, "max-iter", 200);
    set(parameters, "iterations", 200);
    set(parameters, "l1", bytes[5] & 1 ? 0.1 : 0);
    set(parameters, "bias", bytes[5] & 2 ? 1 : -1);
    set(parameters, "free-bias", (bytes[5] & 6) == 6);
    set(parameters, "probability", (bytes[5] & 24) == 24);
    train(data, parameters);
    hinge_parameters_free(parameters);
    hinge_view_free(data);
    return 0;
}
