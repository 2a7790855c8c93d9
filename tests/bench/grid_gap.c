/* grid_gap.c - P(w) = 1/2 |w|^2 + C sum_i loss(y_i <w, x_i>) of a model, whoever has trained it.
 *
 * usage: grid_gap DATA MODEL C SOLVER
 * SOLVER is 1, L2-loss, 3, L1-loss, or 0, logistic, as in train -s. Prints P of each binary
 * problem, that is of each column of the model, one a line: against -dual it tells how far a
 * training has come. The sums are compensated and go over all rows, those without a feature, too.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hinge.h"

/* Neumaier's sum: lost is what rounding has taken from high so far. */
struct sum {
    double high;
    double lost;
};

static void add(struct sum *sum, double x)
{
    double next = sum->high + x;

    if (fabs(sum->high) >= fabs(x))
        sum->lost += (sum->high - next) + x;
    else
        sum->lost += (x - next) + sum->high;
    sum->high = next;
}

static double total(const struct sum *sum)
{
    return sum->high + sum->lost;
}

/* <w_c, x_i>; a feature the model has not is 0 in it. */
static double decision(const struct hinge_model *model, size_t c, const struct hinge_dataset *data,
                       size_t i)
{
    struct sum dot = {0, 0};

    for (size_t e = data->x.start[i]; e < data->x.start[i + 1]; e++)
        if (hinge_index(&data->x, e) < model->features)
            add(&dot, hinge_value(&data->x, e) *
                          model->weight[hinge_index(&data->x, e) * model->columns + c]);
    if (model->bias >= 0)
        add(&dot, model->bias * model->weight[(size_t)model->features * model->columns + c]);
    return total(&dot);
}

/* P of column c: its class, which is the first one of two, against all other rows. */
static double primal(const struct hinge_model *model, size_t c, const struct hinge_dataset *data,
                     double C, char solver)
{
    size_t width = (size_t)model->features + (model->bias >= 0);
    struct sum square = {0, 0}, loss = {0, 0};

    for (size_t j = 0; j < width; j++) {
        double w = model->weight[j * model->columns + c];

        add(&square, w * w);
    }
    for (size_t i = 0; i < data->x.rows; i++) {
        double y = data->label[i] == model->label[c] ? 1 : -1;
        double z = y * decision(model, c, data, i), xi = fmax(0, 1 - z);

        add(&loss, solver == '0'   ? fmax(0, -z) + log1p(exp(-fabs(z)))
                   : solver == '1' ? xi * xi
                                   : xi);
    }
    return total(&square) / 2 + C * total(&loss);
}

static int usage(void)
{
    fputs("usage: grid_gap DATA MODEL C SOLVER (0, 1 or 3)\n", stderr);
    return HINGE_BAD_ARGUMENT;
}

static int print_primals(const char *data_path, const char *model_path, double C, char solver)
{
    struct hinge_format format = {0, 0};
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_dataset *data = hinge_dataset_read(data_path, &format, &error);
    struct hinge_model *model = data ? hinge_model_read(model_path, &error) : NULL;

    if (model)
        for (size_t c = 0; c < model->columns; c++)
            printf("%.17g\n", primal(model, c, data, C, solver));
    else
        fprintf(stderr, "grid_gap: %s\n", error.message);
    hinge_model_free(model);
    hinge_dataset_free(data);
    return (int)error.status;
}

int main(int argc, char **argv)
{
    char *end;
    double C;

    if (argc != 5 || strlen(argv[4]) != 1 || !strchr("013", argv[4][0]))
        return usage();
    C = strtod(argv[3], &end);
    if (end == argv[3] || *end || !(C > 0))
        return usage();
    return print_primals(argv[1], argv[2], C, argv[4][0]);
}
