/* grid_gap.c - computes P(w) = 1/2 |w|^2 + C sum_i loss_i(<w, x_i>) of a model of any program. For
 * solvers 5 and 6, |w|_1 replaces 1/2 |w|^2.
 *
 * usage: grid_gap DATA MODEL C SOLVER [free]
 * SOLVER is a number of train -s: 0 to 7, or 11 to 13 with epsilon = 0.1. With "free", the bias is
 * not in the regulariser. Prints P for each problem, one a line. Each column of the model is a
 * problem, except that solver 4 has one problem. P + dual is the gap of a training. The sums are
 * compensated, over all rows, including those without a feature.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/matrix.h"
#include "model/model.h"

/* Neumaier's sum: `lost` is the sum of the rounding errors of `high`. */
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

/* Returns <w_c, x_i>. A feature that is not in the model has weight 0. */
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

/* The objective that a solver minimises. */
struct objective {
    int solver;
    double C;
    int free_bias;
};

static double squared(double x)
{
    return x * x;
}

/* Returns the loss of a classifier at z = y <w, x>, with y = +-1. */
static double loss_of_class(int solver, double z)
{
    double slack = fmax(0, 1 - z);

    if (solver == 0 || solver == 6 || solver == 7)
        return fmax(0, -z) + log1p(exp(-fabs(z)));
    return solver == 3 ? slack : squared(slack);
}

static double loss_of_target(int solver, double residual)
{
    double slack = fmax(0, fabs(residual) - 0.1);

    return solver == 13 ? slack : squared(slack);
}

/* Returns the loss of solver 4: max_m [1(m != y) + <w_m - w_y, x>]. */
static double loss_of_all(const struct hinge_model *model, const struct hinge_dataset *data,
                          size_t i)
{
    double own = 0, top = -HUGE_VAL, d;

    for (size_t c = 0; c < model->columns; c++) {
        d = decision(model, c, data, i);
        own = data->label[i] == model->label[c] ? d : own;
        top = fmax(top, d + (data->label[i] != model->label[c]));
    }
    return top - own;
}

/* Returns P for column c: its class, the first one of two, against all other rows. For solver 4, c
 * is 0, and P is over all columns. */
static double primal(const struct hinge_model *model, size_t c, const struct hinge_dataset *data,
                     const struct objective *what)
{
    size_t width = (size_t)model->features + (model->bias >= 0 && !what->free_bias);
    size_t end = what->solver == 4 ? model->columns : c + 1;
    const int absolute = what->solver == 5 || what->solver == 6;
    struct sum penalty = {0, 0}, loss = {0, 0};

    for (size_t j = 0; j < width; j++)
        for (size_t m = c; m < end; m++) {
            double w = model->weight[j * model->columns + m];

            add(&penalty, absolute ? fabs(w) : squared(w) / 2);
        }
    for (size_t i = 0; i < data->x.rows; i++) {
        double d = what->solver == 4 ? 0 : decision(model, c, data, i);

        if (what->solver == 4)
            add(&loss, loss_of_all(model, data, i));
        else if (what->solver > 10)
            add(&loss, loss_of_target(what->solver, d - data->label[i]));
        else
            add(&loss, loss_of_class(what->solver, data->label[i] == model->label[c] ? d : -d));
    }
    return total(&penalty) + what->C * total(&loss);
}

static int usage(void)
{
    fputs("usage: grid_gap DATA MODEL C SOLVER (0 to 7, 11 to 13) [free]\n", stderr);
    return HINGE_BAD_ARGUMENT;
}

static int print_primals(const char *data_path, const char *model_path,
                         const struct objective *what)
{
    struct hinge_format format = {0};
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_dataset *data = hinge_dataset_read(data_path, &format, &error);
    struct hinge_model *model = data ? hinge_model_read(model_path, &error) : NULL;

    if (model && (model->classes == 0) != (what->solver > 10)) {
        fprintf(stderr, "grid_gap: %s: solver %d did not train this\n", model_path, what->solver);
        error.status = HINGE_BAD_ARGUMENT;
    } else if (model) {
        for (size_t c = 0; c < (what->solver == 4 ? 1 : model->columns); c++)
            printf("%.17g\n", primal(model, c, data, what));
    } else {
        fprintf(stderr, "grid_gap: %s\n", error.message);
    }
    hinge_model_free(model);
    hinge_dataset_free(data);
    return (int)error.status;
}

/* Returns the number if it is the whole text, or else -1. */
static double number(const char *text)
{
    char *end;
    double x = strtod(text, &end);

    return end == text || *end ? -1 : x;
}

int main(int argc, char **argv)
{
    static const int known[] = {0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13};
    struct objective what = {-1, 0, argc == 6};

    if (argc < 5 || argc > 6 || (argc == 6 && strcmp(argv[5], "free") != 0))
        return usage();
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (number(argv[4]) == known[k])
            what.solver = known[k];
    what.C = number(argv[3]);
    if (what.solver < 0 || !(what.C > 0))
        return usage();
    return print_primals(argv[1], argv[2], &what);
}
