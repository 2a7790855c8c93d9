/* nasty.c - draws a kind, then sizes, values, labels and parameters that go with it. */
#include "nasty.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "solver/loop/parameters.h"

const char *const kind_names[KINDS] = {
    "fixed",    "gaussian",   "duplicates", "rank one", "near twins", "offsets",
    "columns",  "raw",        "rows",       "counts",   "decimals",   "ones",
    "two rows", "5,000 rows", "large",      "small",    "overflows",  "slow pairs"};

/* ---- Random numbers ----------------------------------------------------- */

static double unit(struct random_state *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

static double between(struct random_state *random, double low, double high)
{
    return low + unit(random) * (high - low);
}

static size_t whole(struct random_state *random, size_t low, size_t high)
{
    return low + random_below(random, (uint32_t)(high - low + 1));
}

static int chance(struct random_state *random, double probability)
{
    return unit(random) < probability;
}

/* Returns a nearly normal number, a sum of twelve uniform ones, which is the same with any libm. */
static double normal(struct random_state *random)
{
    double sum = -6;

    for (int k = 0; k < 12; k++)
        sum += unit(random);
    return sum;
}

/* Returns 10^u, u uniform. */
static double power(struct random_state *random, double low, double high)
{
    return pow(10, between(random, low, high));
}

/* ---- Values -------------------------------------------------------------- */

enum { MOST_FEATURES = 32 };

/* The properties that all rows of a problem share. */
struct plan {
    enum kind kind;
    double density;
    double scale;
    double u[MOST_FEATURES];      /* the direction of rank one, which also separates the classes */
    double offset[MOST_FEATURES]; /* offset or scale of a column */
};

static void draw_plan(struct plan *plan, struct random_state *random, enum kind kind)
{
    const double density[] = {1, 0.5, 0.2};
    const double common = power(random, 0, 10);
    const int alike = chance(random, 0.5);

    plan->kind = kind;
    plan->density = density[random_below(random, 3)];
    plan->scale = 1;
    if (kind == LARGE)
        plan->scale = power(random, 0, 120);
    else if (kind == SMALL)
        plan->scale = chance(random, 0.5) ? power(random, -160, 0) : power(random, -310, -160);
    else if (kind == OVERFLOWS)
        plan->scale = power(random, 150, 155);
    else if (kind == SLOW_PAIRS)
        plan->scale = power(random, 0, 5);
    else if (kind == COUNTS)
        plan->scale = chance(random, 0.5) ? 5e7 : power(random, 2, 7.7);
    else if (kind == DECIMALS)
        plan->scale = pow(10, floor(between(random, 0, 6)));
    else if (kind == TWO_ROWS)
        plan->scale = power(random, -10, 10);
    for (size_t j = 0; j < MOST_FEATURES; j++) {
        plan->u[j] = normal(random);
        plan->offset[j] = kind == COLUMNS ? power(random, -8, 8)
                          : kind == RAW   ? power(random, -37, 10)
                          : alike         ? common
                                          : power(random, 0, 10);
    }
}

/* Returns the value of a feature in a row of that scale. */
static double draw_value(const struct plan *plan, struct random_state *random, size_t j,
                         double scale)
{
    switch (plan->kind) {
    case RANK_ONE:
        return scale * plan->u[j];
    case OFFSETS:
        return plan->offset[j] + normal(random);
    case COLUMNS:
        return plan->offset[j] * normal(random);
    case RAW:
        return plan->offset[j] * exp(normal(random));
    case COUNTS:
        return floor(between(random, 0, scale));
    case ONES:
        return 1;
    case DECIMALS:
        return floor(normal(random) * 1000 + 0.5) / plan->scale;
    case SLOW_PAIRS:
        return floor(scale * normal(random));
    case TWO_ROWS:
        return chance(random, 0.5) ? floor(scale * between(random, 0, 1)) : scale * normal(random);
    default:
        return scale * normal(random);
    }
}

/* Returns the unit of which a row's values are multiples. */
static double draw_scale(const struct plan *plan, struct random_state *random)
{
    if (plan->kind == ROWS)
        return power(random, -10, 10);
    if (plan->kind == RANK_ONE)
        return normal(random);
    if (plan->kind == SLOW_PAIRS || plan->kind == LARGE)
        return plan->scale * power(random, -1, 0);
    return plan->scale;
}

/* ---- Rows ---------------------------------------------------------------- */

static void append(struct nasty *nasty, size_t i, uint32_t j, double value)
{
    if (value == 0 || !isfinite(value))
        return;
    nasty->index[nasty->start[i + 1]] = j;
    nasty->value[nasty->start[i + 1]++] = value;
}

static double along(const struct nasty *nasty, size_t i, const double *u)
{
    double sum = 0;

    for (size_t k = nasty->start[i]; k < nasty->start[i + 1]; k++)
        sum += nasty->value[k] * u[nasty->index[k]];
    return sum;
}

/* Repeats the row `source`, perhaps with other last digits. */
static void repeat_row(struct nasty *nasty, struct random_state *random, size_t i, size_t source,
                       double difference)
{
    for (size_t k = nasty->start[source]; k < nasty->start[source + 1]; k++)
        append(nasty, i, nasty->index[k], nasty->value[k] * (1 + difference * normal(random)));
}

static void draw_rows(struct nasty *nasty, struct random_state *random, const struct plan *plan)
{
    const double noise = chance(random, 0.5) ? 0 : between(random, 0, 0.5);
    const size_t different = whole(random, 1, 5);
    const double difference = power(random, -16, -6);

    for (size_t i = 0; i < nasty->rows; i++) {
        const double scale = draw_scale(plan, random);

        nasty->start[i + 1] = nasty->start[i];
        if (plan->kind == DUPLICATES && i >= different)
            repeat_row(nasty, random, i, random_below(random, (uint32_t)different), 0);
        else if (plan->kind == NEAR_TWINS && i % 2 == 1)
            repeat_row(nasty, random, i, i - 1, difference);
        else
            for (uint32_t j = 0; j < nasty->features; j++)
                if (plan->kind == MANY_ROWS ? random_below(random, 3) == 0
                                            : chance(random, plan->density))
                    append(nasty, i, j, draw_value(plan, random, j, scale));
        nasty->label[i] = along(nasty, i, plan->u) < 0 ? -1 : 1;
        if (plan->kind == NEAR_TWINS && i % 2 == 1)
            nasty->label[i] = -nasty->label[i - 1];
        else if (plan->kind != COUNTS && chance(random, noise))
            nasty->label[i] = -nasty->label[i];
    }
    /* both classes; a separable problem remains one if the only row of a class changes sides */
    nasty->label[0] = -nasty->label[nasty->rows - 1];
    if (plan->kind == COUNTS)
        for (size_t i = 1; i + 1 < nasty->rows; i++)
            if (nasty->label[i] != nasty->label[nasty->rows - 1])
                nasty->label[0] = along(nasty, 0, plan->u) < 0 ? -1 : 1;
}

/* ---- Parameters ---------------------------------------------------------- */

static int draw_weights(struct nasty *nasty, struct random_state *random)
{
    if (chance(random, 0.15))
        for (int c = 0; c < 2; c++)
            nasty->class_weight[c] =
                chance(random, 0.5) ? power(random, -3, 3) : (double)whole(random, 1, 20);
    if (!chance(random, 0.15))
        return 1;
    if (!(nasty->row_weight = malloc(nasty->rows * sizeof *nasty->row_weight)))
        return 0;
    for (size_t i = 0; i < nasty->rows; i++)
        nasty->row_weight[i] = chance(random, 0.1) ? 0 : power(random, -2, 2);
    return 1;
}

static int draw_parameters(struct nasty *nasty, struct random_state *random)
{
    const double gaps[] = {1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-6, 1e-6, 1e-9};
    const double biases[] = {-1, -1, -1, -1, -1, 1, 1, 1, 100, 0.5};

    nasty->C =
        chance(random, 0.5) ? power(random, -8, 12) : pow(10, (double)whole(random, 0, 20) - 8);
    if (chance(random, nasty->kind == COUNTS ? 0.75 : 0.2))
        nasty->C = 1;
    nasty->bias = biases[random_below(random, 10)];
    nasty->gap = gaps[random_below(random, 10)];
    if (chance(random, 0.05)) {
        nasty->gap = 0;
        nasty->eps = power(random, -6, -1);
    }
    return draw_weights(nasty, random);
}

/* ---- Problems ------------------------------------------------------------ */

/* Draws a kind by its share in %. MANY_ROWS has the rest. */
static enum kind draw_kind(struct random_state *random)
{
    const struct {
        enum kind kind;
        unsigned share;
    } share[] = {{GAUSSIAN, 8}, {DUPLICATES, 8}, {RANK_ONE, 8},  {NEAR_TWINS, 8},
                 {OFFSETS, 10}, {COLUMNS, 5},    {RAW, 10},      {ROWS, 5},
                 {COUNTS, 10},  {DECIMALS, 6},   {ONES, 2},      {TWO_ROWS, 8},
                 {LARGE, 3},    {SMALL, 3},      {OVERFLOWS, 2}, {SLOW_PAIRS, 2}};
    unsigned place = random_below(random, 100), k = 0;

    while (k < sizeof share / sizeof share[0] && place >= share[k].share)
        place -= share[k++].share;
    return k < sizeof share / sizeof share[0] ? share[k].kind : MANY_ROWS;
}

struct fixed {
    const char *text; /* label, index:value ... */
    double C;
};

static const struct fixed fixed[] = {
    {"1 1:1321012652 2:1906784170\n-1 1:1441773731 2:702416762\n", 1},
    {"1 1:1e154\n-1 1:-1e154\n", 1},
    {"1 1:20000\n-1 1:-10000\n1 1:-30000\n-1 1:5000 2:1\n", 1},
};

const unsigned long nasty_fixed = sizeof fixed / sizeof fixed[0];

static void read_fixed(struct nasty *nasty, const struct fixed *source)
{
    const char *at = source->text;
    char *end;

    nasty->C = source->C;
    for (; *at; at++, nasty->rows++) {
        nasty->start[nasty->rows + 1] = nasty->start[nasty->rows];
        nasty->label[nasty->rows] = strtod(at, &end);
        for (at = end; *at == ' '; at = end) {
            const unsigned long index = strtoul(at, &end, 10);

            append(nasty, nasty->rows, (uint32_t)index - 1, strtod(end + 1, &end));
            nasty->features = index > nasty->features ? index : nasty->features;
        }
    }
}

static int allocate(struct nasty *nasty, size_t rows, size_t features)
{
    nasty->start = calloc(rows + 1, sizeof *nasty->start);
    nasty->label = calloc(rows, sizeof *nasty->label);
    nasty->index = calloc(rows * features, sizeof *nasty->index);
    nasty->value = calloc(rows * features, sizeof *nasty->value);
    return nasty->start && nasty->label && nasty->index && nasty->value;
}

int nasty_draw(struct nasty *nasty, uint64_t seed, unsigned long number)
{
    enum { FIXED_ROWS = 16, FIXED_FEATURES = 8 };
    struct random_state random = {random_mix(seed) + random_mix(~(uint64_t)number)};
    struct plan plan;

    *nasty = (struct nasty){.number = number,
                            .seed = seed,
                            .class_weight = {1, 1},
                            .C = 1,
                            .bias = -1,
                            .gap = HINGE_DEFAULT_GAP};
    if (number < nasty_fixed) {
        if (!allocate(nasty, FIXED_ROWS, FIXED_FEATURES))
            return 0;
        read_fixed(nasty, &fixed[number]);
        return 1;
    }
    nasty->kind = draw_kind(&random);
    nasty->rows = whole(&random, 2, chance(&random, 0.5) ? 10 : 60);
    nasty->features = whole(&random, 1, chance(&random, 0.5) ? 4 : 20);
    if (nasty->kind == TWO_ROWS)
        nasty->rows = 2;
    if (nasty->kind == SLOW_PAIRS)
        nasty->rows = whole(&random, 3, 12), nasty->features = whole(&random, 1, 3);
    if (nasty->kind == MANY_ROWS)
        nasty->rows = 5000, nasty->features = whole(&random, 1, 8);
    if (!allocate(nasty, nasty->rows, nasty->features))
        return 0;
    draw_plan(&plan, &random, nasty->kind);
    draw_rows(nasty, &random, &plan);
    return draw_parameters(nasty, &random);
}

void nasty_free(struct nasty *nasty)
{
    free(nasty->start);
    free(nasty->index);
    free(nasty->value);
    free(nasty->label);
    free(nasty->row_weight);
}

double nasty_cost(const struct nasty *nasty, size_t i)
{
    const double own = nasty->C * nasty->class_weight[nasty->label[i] < 0];

    return nasty->row_weight ? own * nasty->row_weight[i] : own;
}

double nasty_l1(const struct nasty *nasty, int solver)
{
    static const double weights[] = {1e-2, 0, 1e-6, 1e-4, 0.1};

    return hinge_solver_find(solver)->l1 == 1 ? weights[nasty->number % 5] : 0;
}

struct hinge_parameters nasty_parameters(const struct nasty *nasty, int solver, const double *label,
                                         const double *weight)
{
    struct hinge_parameters parameters = parameters_default();

    parameters.solver = solver;
    parameters.C = nasty->C;
    parameters.l1 = nasty_l1(nasty, solver);
    parameters.bias = hinge_solver_find(solver)->pairs ? -1 : nasty->bias;
    parameters.relative_gap = nasty->gap;
    parameters.eps = nasty->eps;
    parameters.keep_alpha = 1;
    parameters.weights = 2;
    parameters.weight_label = label;
    parameters.weight = weight;
    parameters.row_weights = nasty->row_weight ? nasty->rows : 0;
    parameters.row_weight = nasty->row_weight;
    return parameters;
}

/* ---- Writing ------------------------------------------------------------- */

void nasty_write(const struct nasty *nasty, FILE *stream)
{
    for (size_t i = 0; i < nasty->rows; i++) {
        fprintf(stream, "%g", nasty->label[i]);
        for (size_t k = nasty->start[i]; k < nasty->start[i + 1]; k++)
            fprintf(stream, " %lu:%.17g", (unsigned long)nasty->index[k] + 1, nasty->value[k]);
        putc('\n', stream);
    }
}

void nasty_write_weights(const struct nasty *nasty, FILE *stream)
{
    for (size_t i = 0; nasty->row_weight && i < nasty->rows; i++)
        fprintf(stream, "%.17g\n", nasty->row_weight[i]);
}

void nasty_write_command(const struct nasty *nasty, int solver, const char *data, FILE *stream)
{
    fprintf(stream, "train -s %d -c %.17g", solver, nasty->C);
    if (nasty->eps > 0)
        fprintf(stream, " -e %.17g", nasty->eps);
    else
        fprintf(stream, " -g %.17g", nasty->gap);
    if (nasty->bias >= 0 && !hinge_solver_find(solver)->pairs)
        fprintf(stream, " -B %.17g", nasty->bias);
    for (int c = 0; c < 2; c++)
        if (nasty->class_weight[c] != 1)
            fprintf(stream, " -w%d %.17g", c ? -1 : 1, nasty->class_weight[c]);
    if (nasty_l1(nasty, solver) > 0)
        fprintf(stream, " --l1 %.17g", nasty_l1(nasty, solver));
    if (nasty->row_weight)
        fprintf(stream, " -W %s.weights", data);
    fprintf(stream, " %s", data);
}
