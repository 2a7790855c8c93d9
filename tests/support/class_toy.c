/* class_toy.c - dense loops, nothing that the library has. */
#include "class_toy.h"

#include <math.h>
#include <string.h>

#include "support.h"

static void draw_row(struct class_toy *toy, size_t i, int kind, uint64_t *random)
{
    size_t end = toy->start[i];

    for (size_t j = 0; j < toy->features; j++) {
        const double scale = kind == 5 ? pow(10, (double)(j % 9) - 4) : 1;

        if (random_unit(random) < 0.4)
            continue;
        toy->index[end] = (uint32_t)j;
        toy->value[end++] = scale * (2 * random_unit(random) - 1);
    }
    if (kind == 2 && i % 2) { /* the row before it again, of any class */
        const size_t before = toy->start[i - 1], count = toy->start[i] - before;

        end = toy->start[i] + count;
        memmove(toy->index + toy->start[i], toy->index + before, count * sizeof *toy->index);
        memmove(toy->value + toy->start[i], toy->value + before, count * sizeof *toy->value);
    }
    if (kind == 3 && i % 3 == 0)
        end = toy->start[i];
    toy->start[i + 1] = end;
}

void class_toy_draw(struct class_toy *toy, unsigned long number)
{
    static const double C[] = {1e-6, 1e-2, 1, 1e2, 1e6, 1e10};
    const int kind = (int)(number % TOY_KINDS);
    uint64_t random = number + 1;

    memset(toy, 0, sizeof *toy);
    toy->classes = 2 + draw_below(&random, TOY_CLASSES - 1);
    toy->rows = kind == 1 ? toy->classes + draw_below(&random, 6) : TOY_ROWS;
    toy->features = kind == 1 ? TOY_FEATURES : 1 + draw_below(&random, 6);
    for (size_t i = 0; i < toy->rows; i++) {
        const size_t c = i < toy->classes ? i : draw_below(&random, toy->classes);

        draw_row(toy, i, kind, &random);
        for (size_t e = toy->start[i]; e < toy->start[i + 1]; e++) {
            toy->value[e] = kind == 6 ? 1 : toy->value[e];
            toy->value[e] += kind == 7 && toy->index[e] == c % toy->features ? 2 : 0;
        }
        toy->label[i] = (double)c - 1;
        toy->row_weight[i] = kind == 4 ? (double)draw_below(&random, 4) : 1;
    }
    for (size_t c = 0; c < toy->classes; c++) {
        toy->class_label[c] = (double)c - 1;
        toy->class_weight[c] = 0.5 + random_unit(&random);
        toy->row_weight[c] += toy->row_weight[c] == 0;
    }
    toy->data = (struct hinge_dataset){.x = {.rows = toy->rows,
                                             .nonzeros = toy->start[toy->rows],
                                             .start = toy->start,
                                             .index_kind = HINGE_INDEX_32,
                                             .value_kind = HINGE_VALUE_DOUBLE,
                                             .index = toy->index,
                                             .value = toy->value},
                                       .features = (uint32_t)toy->features,
                                       .label = toy->label};
    toy->parameters = hinge_parameters_default();
    toy->parameters.solver = 4;
    toy->parameters.C = C[number / TOY_KINDS % COUNT(C)];
    toy->parameters.keep_alpha = 1;
    toy->parameters.bias = number / 3 % 2 ? 1 : -1;
    if (kind == 4) {
        toy->parameters.row_weight = toy->row_weight;
        toy->parameters.row_weights = toy->rows;
        toy->parameters.weight_label = toy->class_label;
        toy->parameters.weight = toy->class_weight;
        toy->parameters.weights = toy->classes;
    }
}

void class_toy_join(struct class_toy *toy)
{
    for (size_t i = 0; toy->classes > 2 && i < toy->rows; i++)
        toy->label[i] = toy->label[i] > 0 ? 0 : toy->label[i];
}

double class_toy_cost(const struct class_toy *toy, size_t i)
{
    const size_t c = (size_t)(toy->label[i] + 1);

    return toy->parameters.weights > 0
               ? toy->parameters.C * toy->class_weight[c] * toy->row_weight[i]
               : toy->parameters.C;
}

struct hinge_model *class_toy_train(const struct class_toy *toy)
{
    struct hinge_error error;
    struct hinge_model *model = hinge_train(&toy->data, &toy->parameters, NULL, &error);

    if (!model)
        fail_msg("%s", error.message);
    return model;
}

/* The column of the model for row i's class. */
static size_t class_of(const struct class_toy *toy, const struct hinge_model *model, size_t i)
{
    size_t c = 0;

    while (model->label[c] != toy->label[i])
        c++;
    return c;
}

/* g_m of row i */
static void find_gains(const struct class_toy *toy, const struct hinge_model *model,
                       const long double *w, size_t i, long double *gain)
{
    const size_t k = model->classes, y = class_of(toy, model, i);
    long double own;

    for (size_t m = 0; m < k; m++) {
        gain[m] = model->bias >= 0 ? model->bias * w[model->features * k + m] : 0;
        for (size_t e = toy->start[i]; e < toy->start[i + 1]; e++)
            gain[m] += toy->value[e] * w[toy->index[e] * k + m];
    }
    own = gain[y];
    for (size_t m = 0; m < k; m++)
        gain[m] += (m != y) - own;
}

static size_t width_of(const struct hinge_model *model)
{
    return (model->features + (model->bias >= 0)) * model->classes;
}

long double class_toy_primal(const struct class_toy *toy, const struct hinge_model *model,
                             const long double *w)
{
    long double total = 0;

    for (size_t j = 0; j < width_of(model); j++)
        total += w[j] * w[j] / 2;
    for (size_t i = 0; i < toy->rows; i++) {
        long double gain[TOY_CLASSES] = {0}, top = 0;

        find_gains(toy, model, w, i, gain);
        for (size_t m = 0; m < model->classes; m++)
            top = fmaxl(top, gain[m]);
        total += class_toy_cost(toy, i) * top;
    }
    return total;
}

void class_toy_weights(const struct hinge_model *model, long double *w)
{
    for (size_t j = 0; j < width_of(model); j++) {
        assert_true(isfinite(model->weight[j]));
        w[j] = model->weight[j];
    }
}

static void add_row(const struct class_toy *toy, const struct hinge_model *model, size_t i,
                    size_t m, long double a, long double *v)
{
    for (size_t e = toy->start[i]; e < toy->start[i + 1]; e++)
        v[toy->index[e] * model->classes + m] += a * toy->value[e];
    if (model->bias >= 0)
        v[model->features * model->classes + m] += a * model->bias;
}

/* v := sum x alpha'; returns sum_(m != y) alpha. */
static long double combine(const struct class_toy *toy, const struct hinge_model *model,
                           long double *v)
{
    const size_t k = model->classes;
    long double linear = 0;

    memset(v, 0, TOY_WIDTH * sizeof *v);
    for (size_t i = 0; i < toy->rows; i++) {
        const size_t y = class_of(toy, model, i);
        const double cost = class_toy_cost(toy, i), *a = model->alpha + i * k;
        long double sum = 0, scale = 1;

        for (size_t m = 0; m < k; m++) {
            assert_true(m == y ? a[m] >= 0 && a[m] <= cost : a[m] <= 0 && a[m] >= -cost);
            sum -= m == y ? 0 : a[m];
        }
        assert_true(fabsl(sum - a[y]) <= 4e-15L * cost);
        if (sum > cost)
            scale = cost / sum;
        for (size_t m = 0; m < k; m++)
            add_row(toy, model, i, m, scale * (m == y ? sum : a[m]), v);
        linear -= scale * sum;
    }
    return linear;
}

long double class_toy_dual(const struct class_toy *toy, const struct hinge_model *model)
{
    long double v[TOY_WIDTH], total = combine(toy, model, v);

    for (size_t j = 0; j < TOY_WIDTH; j++)
        total += v[j] * v[j] / 2;
    return total;
}

long double class_toy_violation(const struct class_toy *toy, const struct hinge_model *model)
{
    const size_t k = model->classes;
    long double v[TOY_WIDTH], largest = 0;

    combine(toy, model, v);
    for (size_t i = 0; i < toy->rows; i++) {
        const double cost = class_toy_cost(toy, i), *a = model->alpha + i * k;
        long double gain[TOY_CLASSES] = {0}, top = 0, least = HUGE_VALL;

        find_gains(toy, model, v, i, gain);
        for (size_t m = 0; m < k; m++) {
            top = fmaxl(top, gain[m]);
            if (m == class_of(toy, model, i) ? a[m] < cost : a[m] < 0)
                least = fminl(least, gain[m]);
        }
        if (cost > 0)
            largest = fmaxl(largest, top - least);
    }
    return largest;
}

/* One step on each pair of classes of row i, whose shares are q; the change of D. */
static void solve_pairs(const struct class_toy *toy, const struct hinge_model *model, size_t i,
                        long double *q, long double *w)
{
    const size_t k = model->classes;
    long double square = model->bias >= 0 ? model->bias * model->bias : 0;

    for (size_t e = toy->start[i]; e < toy->start[i + 1]; e++)
        square += toy->value[e] * toy->value[e];
    for (size_t m = 0; m < k; m++)
        for (size_t l = 0; l < m; l++) {
            long double gain[TOY_CLASSES] = {0}, t;

            find_gains(toy, model, w, i, gain);
            t = square > 0 ? (gain[m] - gain[l]) / (2 * square) : gain[m] > gain[l] ? q[l] : -q[m];
            t = fmaxl(fminl(t, q[l]), -q[m]); /* moves from l to m */
            q[m] += t;
            q[l] -= t;
            add_row(toy, model, i, m, -t, w);
            add_row(toy, model, i, l, t, w);
        }
}

long double class_toy_minimum(const struct class_toy *toy, const struct hinge_model *model,
                              long double *bound)
{
    static long double q[TOY_ROWS][TOY_CLASSES], w[TOY_WIDTH];

    memset(q, 0, sizeof q);
    memset(w, 0, sizeof w);
    for (size_t i = 0; i < toy->rows; i++)
        q[i][class_of(toy, model, i)] = class_toy_cost(toy, i);
    for (int round = 1; round <= 20000; round++) {
        long double primal, dual = 0;

        for (size_t i = 0; i < toy->rows; i++)
            solve_pairs(toy, model, i, q[i], w);
        if (round % 50)
            continue;
        primal = class_toy_primal(toy, model, w);
        for (size_t j = 0; j < width_of(model); j++)
            dual += w[j] * w[j] / 2;
        for (size_t i = 0; i < toy->rows; i++)
            for (size_t m = 0; m < model->classes; m++)
                dual -= m == class_of(toy, model, i) ? 0 : q[i][m];
        *bound = -dual;
        if (primal + dual <= 1e-6L * primal)
            return primal;
    }
    fail_msg("no minimum");
    return 0;
}
