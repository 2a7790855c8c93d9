/* class_toy.c - loops in long double, independent of the library. */
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
    if (kind == 2 && i % 2) { /* repeats the row before it, with any class */
        const size_t before = toy->start[i - 1], count = toy->start[i] - before;

        end = toy->start[i] + count;
        memmove(toy->index + toy->start[i], toy->index + before, count * sizeof *toy->index);
        memmove(toy->value + toy->start[i], toy->value + before, count * sizeof *toy->value);
    }
    if (kind == 3 && i % 3 == 0)
        end = toy->start[i];
    toy->start[i + 1] = end;
}

void class_toy_draw(struct class_toy *toy, int solver, unsigned long number)
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
    toy->parameters = parameters_default();
    toy->parameters.solver = solver;
    toy->parameters.C = C[number / TOY_KINDS % COUNT(C)];
    toy->parameters.keep_alpha = 1;
    toy->parameters.bias = number / 3 % 2 ? 1 : -1;
    toy->parameters.free_bias = solver == SOFTMAX && number / 3 % 4 == 1;
    if (kind == 4) {
        toy->parameters.row_weight = toy->row_weight;
        toy->parameters.row_weights = toy->rows;
        toy->parameters.weight_label = toy->class_label;
        toy->parameters.weight = toy->class_weight;
        toy->parameters.weights = toy->classes;
    }
}

struct hinge_model *class_toy_train(const struct class_toy *toy)
{
    struct hinge_error error;
    struct hinge_model *model = hinge_train(&toy->data, &toy->parameters, NULL, &error);

    if (!model)
        fail_msg("%s", error.message);
    return model;
}

double class_toy_cost(const struct class_toy *toy, size_t i)
{
    const size_t c = (size_t)(toy->label[i] + 1);

    return toy->parameters.weights > 0
               ? toy->parameters.C * toy->class_weight[c] * toy->row_weight[i]
               : toy->parameters.C;
}

size_t class_toy_class(const struct class_toy *toy, const struct hinge_model *model, size_t i)
{
    size_t c = 0;

    while (model->label[c] != toy->label[i])
        c++;
    return c;
}

size_t class_toy_width(const struct hinge_model *model)
{
    return (model->features + (model->bias >= 0)) * model->classes;
}

size_t class_toy_penalised(const struct hinge_model *model)
{
    return (model->features + (model->bias >= 0 && !model->free_bias)) * model->classes;
}

/* z_m of row i */
static void find_margins(const struct class_toy *toy, const struct hinge_model *model,
                         const long double *w, size_t i, long double *z)
{
    const size_t k = model->classes;

    for (size_t m = 0; m < k; m++) {
        z[m] = model->bias >= 0 ? model->bias * w[model->features * k + m] : 0;
        for (size_t e = toy->start[i]; e < toy->start[i + 1]; e++)
            z[m] += toy->value[e] * w[toy->index[e] * k + m];
    }
}

/* g_m of row i */
static void find_gains(const struct class_toy *toy, const struct hinge_model *model,
                       const long double *w, size_t i, long double *gain)
{
    const size_t y = class_toy_class(toy, model, i);
    long double own;

    find_margins(toy, model, w, i, gain);
    own = gain[y];
    for (size_t m = 0; m < model->classes; m++)
        gain[m] += (m != y) - own;
}

/* A sum of products with twice the precision. */
struct precise_sum {
    long double high, low;
};

static void add_product(struct precise_sum *sum, long double a, long double b)
{
    const long double product = a * b, rest = fmal(a, b, -product);
    const long double high = sum->high + product, added = high - sum->high;

    sum->low += (sum->high - (high - added)) + (product - added) + rest;
    sum->high = high;
}

/* Returns g_m of row i to all digits, because C times the gain of a row at the margin counts, and
 * the gain may be less than the rounding of margins. */
static long double precise_gain(const struct class_toy *toy, const struct hinge_model *model,
                                const long double *w, size_t i, size_t m)
{
    const size_t y = class_toy_class(toy, model, i), k = model->classes;
    struct precise_sum sum = {m != y, 0};

    for (size_t e = toy->start[i]; e < toy->start[i + 1]; e++) {
        add_product(&sum, toy->value[e], w[toy->index[e] * k + m]);
        add_product(&sum, -toy->value[e], w[toy->index[e] * k + y]);
    }
    if (model->bias >= 0) {
        add_product(&sum, model->bias, w[model->features * k + m]);
        add_product(&sum, -model->bias, w[model->features * k + y]);
    }
    return sum.high + sum.low;
}

static void add_row(const struct class_toy *toy, const struct hinge_model *model, size_t i,
                    size_t m, long double a, long double *v)
{
    for (size_t e = toy->start[i]; e < toy->start[i + 1]; e++)
        v[toy->index[e] * model->classes + m] += a * toy->value[e];
    if (model->bias >= 0)
        v[model->features * model->classes + m] += a * model->bias;
}

static long double hinge_of(const struct class_toy *toy, const struct hinge_model *model,
                            const long double *w, size_t i)
{
    long double top = 0;

    for (size_t m = 0; m < model->classes; m++)
        top = fmaxl(top, precise_gain(toy, model, w, i, m));
    return class_toy_cost(toy, i) * top;
}

static long double softmax_loss(const struct class_toy *toy, const struct hinge_model *model,
                                const long double *w, size_t i, long double *gradient)
{
    const size_t k = model->classes, y = class_toy_class(toy, model, i);
    const double cost = class_toy_cost(toy, i);
    long double z[TOY_CLASSES] = {0}, rest = 0;
    size_t top = 0;

    find_margins(toy, model, w, i, z);
    for (size_t m = 1; m < k; m++)
        top = z[m] > z[top] ? m : top;
    for (size_t m = 0; m < k; m++)
        rest += m == top ? 0 : expl(z[m] - z[top]);
    for (size_t m = 0; m < k && gradient; m++)
        add_row(toy, model, i, m, cost * (expl(z[m] - z[top]) / (1 + rest) - (m == y)), gradient);
    return cost * (z[top] - z[y] + log1pl(rest));
}

long double class_toy_primal(const struct class_toy *toy, const struct hinge_model *model,
                             const long double *w, long double *gradient)
{
    long double total = 0;

    for (size_t j = 0; j < class_toy_width(model); j++) {
        const long double own = j < class_toy_penalised(model) ? w[j] : 0;

        total += own * own / 2;
        if (gradient)
            gradient[j] = own;
    }
    for (size_t i = 0; i < toy->rows; i++)
        total += toy->parameters.solver == SOFTMAX ? softmax_loss(toy, model, w, i, gradient)
                                                   : hinge_of(toy, model, w, i);
    return total;
}

void class_toy_weights(const struct hinge_model *model, long double *w)
{
    for (size_t j = 0; j < class_toy_width(model); j++) {
        assert_true(isfinite(model->weight[j]));
        w[j] = model->weight[j];
    }
}

/* Copies alpha, with rows that sum to 0 and shares of at most the costs. */
static void feasible_alpha(const struct class_toy *toy, const struct hinge_model *model,
                           long double (*alpha)[TOY_CLASSES])
{
    const size_t k = model->classes;

    for (size_t i = 0; i < toy->rows; i++) {
        const size_t y = class_toy_class(toy, model, i);
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
            alpha[i][m] = scale * (m == y ? sum : a[m]);
    }
}

/* Makes the classes' sums 0 for free biases, by mixing in the point where all rows have equal
 * probabilities. The method already made them 0 except for rounding. */
static void balance(const struct class_toy *toy, const struct hinge_model *model,
                    long double (*alpha)[TOY_CLASSES])
{
    const size_t k = model->classes;
    long double sum[TOY_CLASSES] = {0}, costs[TOY_CLASSES] = {0}, total = 0, share = 0;

    for (size_t i = 0; i < toy->rows; i++) {
        costs[class_toy_class(toy, model, i)] += class_toy_cost(toy, i);
        total += class_toy_cost(toy, i);
        for (size_t m = 0; m < k; m++)
            sum[m] += alpha[i][m];
    }
    for (size_t m = 0; m < k; m++) {
        assert_true(costs[m] > 0 || sum[m] == 0);
        share = fmaxl(share, costs[m] > 0 ? -sum[m] / costs[m] : 0);
    }
    assert_true(share <= 1e-13L);
    for (size_t i = 0; i < toy->rows; i++)
        for (size_t m = 0; m < k; m++) {
            const int own = m == class_toy_class(toy, model, i);

            alpha[i][m] += (long double)class_toy_cost(toy, i) *
                           (share * own - (share * costs[m] + sum[m] * (share > 0)) / total);
            alpha[i][m] /= 1 + share;
        }
}

/* Returns the part of D that a row adds beside v. */
static long double conjugate(const struct class_toy *toy, size_t k, size_t y, double cost,
                             const long double *a)
{
    long double total = 0;

    for (size_t m = 0; m < k && cost > 0; m++) {
        const long double p = (m == y ? cost - a[m] : -a[m]) / cost;

        assert_true(p >= -1e-19L && p <= 1 + 1e-15L);
        if (toy->parameters.solver == CRAMMER_SINGER)
            total += m == y ? 0 : a[m];
        else if (p > 0)
            total += cost * p * (m == y ? log1pl(-a[m] / cost) : logl(p));
    }
    return total;
}

/* Sets v to sum x alpha' for alpha made feasible. Returns the rest of D. */
static long double combine(const struct class_toy *toy, const struct hinge_model *model,
                           long double *v)
{
    static long double alpha[TOY_ROWS][TOY_CLASSES];
    const size_t k = model->classes;
    long double total = 0;

    memset(v, 0, TOY_WIDTH * sizeof *v);
    feasible_alpha(toy, model, alpha);
    if (model->free_bias)
        balance(toy, model, alpha);
    for (size_t i = 0; i < toy->rows; i++) {
        for (size_t m = 0; m < k; m++)
            add_row(toy, model, i, m, alpha[i][m], v);
        total +=
            conjugate(toy, k, class_toy_class(toy, model, i), class_toy_cost(toy, i), alpha[i]);
    }
    return total;
}

long double class_toy_dual(const struct class_toy *toy, const struct hinge_model *model)
{
    long double v[TOY_WIDTH], total = combine(toy, model, v);

    for (size_t j = 0; j < class_toy_penalised(model); j++)
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
            if (m == class_toy_class(toy, model, i) ? a[m] < cost : a[m] < 0)
                least = fminl(least, gain[m]);
        }
        if (cost > 0)
            largest = fmaxl(largest, top - least);
    }
    return largest;
}

/* Takes one step on each pair of classes of row i, whose shares are q. */
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
        q[i][class_toy_class(toy, model, i)] = class_toy_cost(toy, i);
    for (int round = 1; round <= 20000; round++) {
        long double primal, dual = 0;

        for (size_t i = 0; i < toy->rows; i++)
            solve_pairs(toy, model, i, q[i], w);
        if (round % 50)
            continue;
        primal = class_toy_primal(toy, model, w, NULL);
        for (size_t j = 0; j < class_toy_width(model); j++)
            dual += w[j] * w[j] / 2;
        for (size_t i = 0; i < toy->rows; i++)
            for (size_t m = 0; m < model->classes; m++)
                dual -= m == class_toy_class(toy, model, i) ? 0 : q[i][m];
        *bound = -dual;
        if (primal + dual <= 1e-6L * primal)
            return primal;
    }
    fail_msg("no minimum");
    return 0;
}
