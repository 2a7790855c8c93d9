/* toy.c - drawing, P and D by dense loops, a dense interior-point method as the reference. */
#include "toy.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "slow_loss.h"

const char *const shape_names[SHAPES] = {
    "ordinary",          "wide",         "one feature", "one row",   "duplicate rows",
    "duplicate columns", "empty rows",   "all alike",   "separable", "no feature",
    "constant column",   "unlike norms", "one-sided",   "sparse"};

size_t random_index(uint64_t *state, size_t bound)
{
    return (size_t)(random_unit(state) * (double)bound);
}

double random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * random_unit(state);
}

/* Draws sizes of the dataset that suit the shape. */
static void draw_sizes(struct toy *toy, uint64_t *state)
{
    size_t rows = 2 + random_index(state, 14), features = 1 + random_index(state, 8);

    if (toy->draft.shape == WIDE) {
        rows = 1 + random_index(state, 8);
        features = rows + 1 + random_index(state, 10);
    } else if (toy->draft.shape == SPARSE) {
        features = MOST_FEATURES;
    } else if (toy->draft.shape == ONE_ROW) {
        rows = 1;
    } else if (toy->draft.shape == ONE_FEATURE) {
        features = 1;
    } else if (toy->draft.shape == NO_FEATURE) {
        features = 0;
    }
    toy->data.x.rows = rows;
    toy->data.features = (uint32_t)features;
}

static void draw_table(struct toy *toy, uint64_t *state)
{
    double density = toy->draft.shape == SPARSE ? 0.1 : random_between(state, 0.3, 1.2);
    double factor[MOST_FEATURES];

    for (size_t j = 0; j < toy->data.features; j++)
        factor[j] = pow(toy->draft.scale, random_between(state, -1, 1));
    for (size_t i = 0; i < toy->data.x.rows; i++)
        for (size_t j = 0; j < toy->data.features; j++) {
            double value = random_between(state, -1, 1) + random_between(state, -1, 1);

            toy->table[i][j] = random_unit(state) < density ? factor[j] * value : 0;
        }
}

static void scale_row(double *row, double factor)
{
    for (size_t j = 0; j < MOST_FEATURES; j++)
        row[j] *= factor;
}

/* Makes the table what its shape's name says. */
static void shape_table(struct toy *toy, uint64_t *state)
{
    size_t rows = toy->data.x.rows, features = toy->data.features;

    for (size_t i = 0; i < rows; i++) {
        if (toy->draft.shape == DUPLICATE_ROWS && i > 0 && random_unit(state) < 0.6)
            memcpy(toy->table[i], toy->table[random_index(state, i)], sizeof toy->table[i]);
        if (toy->draft.shape == ALL_ALIKE)
            memcpy(toy->table[i], toy->table[0], sizeof toy->table[i]);
        if (toy->draft.shape == EMPTY_ROWS && random_unit(state) < 0.4)
            memset(toy->table[i], 0, sizeof toy->table[i]);
        if (toy->draft.shape == UNLIKE_NORMS)
            scale_row(toy->table[i], pow(10, random_between(state, -3, 3)));
        if (toy->draft.shape == CONSTANT_COLUMN)
            toy->table[i][0] = 5;
    }
    for (size_t j = 1; j < features && toy->draft.shape == DUPLICATE_COLUMNS; j++)
        if (random_unit(state) < 0.6) {
            size_t other = random_index(state, j);

            for (size_t i = 0; i < rows; i++)
                toy->table[i][j] = toy->table[i][other];
        }
}

void compress_table(struct toy *toy)
{
    struct hinge_dataset *data = &toy->data;

    data->x.start = toy->start;
    data->x.index_kind = HINGE_INDEX_32;
    data->x.value_kind = HINGE_VALUE_DOUBLE;
    data->x.index = toy->index;
    data->x.value = toy->value;
    data->x.nonzeros = 0;
    for (size_t i = 0; i < data->x.rows; i++) {
        data->x.start[i] = data->x.nonzeros;
        for (uint32_t j = 0; j < data->features; j++)
            if (toy->table[i][j] != 0) {
                toy->index[data->x.nonzeros] = j;
                toy->value[data->x.nonzeros++] = toy->table[i][j];
            }
    }
    data->x.start[data->x.rows] = data->x.nonzeros;
}

/* Draws which rows the view has, and their order. */
static void draw_view(struct toy *toy, uint64_t *state)
{
    size_t rows = toy->data.x.rows;

    for (size_t i = 0; i < rows; i++)
        toy->row[i] = (uint32_t)i;
    toy->m = rows;
    if (!toy->draft.subset)
        return;
    for (size_t i = rows; i-- > 1;) {
        size_t other = random_index(state, i + 1);
        uint32_t moved = toy->row[i];

        toy->row[i] = toy->row[other];
        toy->row[other] = moved;
    }
    toy->m = 1 + random_index(state, rows);
    if (toy->m > 2 && random_unit(state) < 0.3)
        toy->row[0] = toy->row[1];
}

/* Draws signs by a random plane, one in five against it unless the rows must be separable. */
static void draw_signs(struct toy *toy, uint64_t *state)
{
    double plane[MOST_FEATURES], noise = toy->draft.shape == SEPARABLE ? 0 : 0.2;

    for (size_t j = 0; j < toy->data.features; j++)
        plane[j] = random_between(state, -1, 1);
    for (size_t i = 0; i < toy->m; i++) {
        double side = 0;

        for (size_t j = 0; j < toy->data.features; j++)
            side += plane[j] * toy->table[toy->row[i]][j];
        toy->sign[i] = (side > 0) != (random_unit(state) < noise) ? 1 : -1;
        if (toy->draft.shape == ALL_ALIKE)
            toy->sign[i] = i % 2 ? 1 : -1;
        if (toy->draft.shape == ONE_SIDED)
            toy->sign[i] = 1;
    }
}

void expand_view(struct toy *toy)
{
    size_t features = toy->data.features;

    toy->width = features + (toy->draft.bias >= 0);
    for (size_t i = 0; i < toy->m; i++) {
        memcpy(toy->x[i], toy->table[toy->row[i]], sizeof toy->table[0]);
        if (toy->draft.bias >= 0)
            toy->x[i][features] = toy->draft.bias;
    }
}

void toy_draw(struct toy *toy, const struct draft *draft, unsigned long number, size_t rows,
              size_t features)
{
    uint64_t state = 0x9e3779b97f4a7c15 * (number + 1);

    memset(toy, 0, sizeof *toy);
    toy->number = number;
    toy->draft = *draft;
    draw_sizes(toy, &state);
    if (rows) {
        toy->data.x.rows = rows;
        toy->data.features = (uint32_t)features;
    }
    draw_table(toy, &state);
    shape_table(toy, &state);
    compress_table(toy);
    draw_view(toy, &state);
    draw_signs(toy, &state);
    for (size_t i = 0; i < toy->m; i++)
        toy->cost[i] = draft->C * exp2(random_between(&state, -draft->spread, draft->spread));
    expand_view(toy);
    toy->problem = (struct problem){.data = &toy->data,
                                    .rows = (uint32_t)toy->m,
                                    .row = toy->row,
                                    .sign = toy->sign,
                                    .C = draft->C,
                                    .cost = toy->cost,
                                    .loss = draft->loss,
                                    .bias_kind = draft->bias < 0 ? BIAS_NONE : BIAS_REGULARISED,
                                    .bias = draft->bias};
}

struct draft draft_small(unsigned long number)
{
    static const double biases[] = {-1, 1, -0.5, 0, 0.1, 3};
    uint64_t state = 0xda942042e4dd58b5 * (number + 1);
    struct draft draft = {.shape = (enum shape)(number % SHAPES), .scale = 1};

    draft.loss = random_unit(&state) < 0.5 ? LOSS_HINGE : LOSS_SQUARED_HINGE;
    draft.C = exp2(floor(random_between(&state, -10, 11)));
    if (random_unit(&state) < 0.3) {
        draft.C = 1;
        draft.spread = 10;
    }
    draft.bias = biases[random_index(&state, sizeof biases / sizeof *biases)];
    draft.subset = random_unit(&state) < 0.4;
    return draft;
}

void toy_small(struct toy *toy, unsigned long number)
{
    struct draft draft = draft_small(number);

    toy_draw(toy, &draft, number, 0, 0);
}

void toy_tame(struct toy *toy, unsigned long number)
{
    struct draft draft = draft_small(number);

    draft.C = exp2((double)(number % 11) - 5);
    draft.spread = 0;
    toy_draw(toy, &draft, number, 0, 0);
}

void toy_hard(struct toy *toy, enum loss loss, double C, double scale)
{
    struct draft draft = {ORDINARY, C, 0, 1, 0, scale, loss};

    toy_draw(toy, &draft, 1, MOST_ROWS, 12);
}

/* True if the shape fixes the number of rows or features. */
static int is_sized(enum shape shape)
{
    return shape == WIDE || shape == ONE_FEATURE || shape == ONE_ROW || shape == NO_FEATURE;
}

void toy_any(struct toy *toy, unsigned long number, enum loss loss)
{
    static const double scales[] = {1, 1, 1e3, 10};
    struct draft draft = draft_small(number);
    uint64_t state = number + 1;
    size_t rows = 0, features = draft.shape == SPARSE ? MOST_FEATURES : 1 + number / SHAPES % 12;

    draft.loss = loss;
    draft.scale = scales[number / SHAPES % 4];
    if (number % 41 == 0)
        draft.C = number % 2 ? 1e6 : 1e-6;
    if (number / SHAPES % 3 == 0 && !is_sized(draft.shape))
        rows = 16 + random_index(&state, 25);
    if (rows && draft.shape == UNLIKE_NORMS)
        draft.scale = 1; /* with 1e3 the reference finds no minimum to its eleven digits */
    toy_draw(toy, &draft, number, rows, features);
}

void toy_special(struct toy *toy, unsigned long number, enum loss loss)
{
    struct draft draft = draft_small(number);
    const unsigned long kind = number % 4;
    uint64_t state = number + 1;
    size_t rows = kind == 0 ? 2 : 2 * (1 + random_index(&state, 15));
    size_t features = kind == 3 ? 2 + random_index(&state, 7) : 1 + random_index(&state, 12);

    draft.shape = ORDINARY;
    draft.subset = 0;
    draft.loss = loss;
    toy_draw(toy, &draft, number, rows, features);
    for (size_t i = 0; i < rows; i++) {
        if (kind < 3)
            toy->sign[i] = i % 2 ? -1 : 1;
        for (size_t j = 0; j < features; j++)
            if (kind == 1)
                toy->table[i][j] = toy->sign[i] * toy->table[0][j];
            else if (kind == 2)
                toy->table[i][j] = toy->table[i / 2 * 2][j];
            else if (kind == 3)
                toy->table[i][j] *= pow(10, 3 - 6 * (double)j / ((double)features - 1));
    }
    compress_table(toy);
    expand_view(toy);
}

void toy_even(struct toy *toy, unsigned long number, enum loss loss)
{
    struct draft draft = draft_small(number);

    if (draft.shape == UNLIKE_NORMS)
        draft.shape = ORDINARY;
    draft.loss = loss;
    draft.C = exp2((double)(number % 11) - 5);
    draft.spread = 1;
    toy_draw(toy, &draft, number, 0, 0);
}

/* ---- The certificate, recomputed ---------------------------------------- */

double margin(const struct toy *toy, size_t i, const double *w)
{
    long double z = 0;

    for (size_t j = 0; j < toy->width; j++)
        z += (long double)w[j] * toy->x[i][j];
    return (double)(toy->sign[i] * z);
}

double loss_of(const struct toy *toy, double z)
{
    return (double)slow_loss(toy->draft.loss, 1, loss_target(toy->draft.loss) - z);
}

double half_square(const struct toy *toy, const double *w)
{
    long double square = 0;

    for (size_t j = 0; j < toy->width; j++)
        square += (long double)w[j] * w[j];
    return (double)(square / 2);
}

double primal_of(const struct toy *toy, const double *w)
{
    long double primal = half_square(toy, w);

    for (size_t i = 0; i < toy->m; i++)
        primal += (long double)toy->cost[i] * loss_of(toy, margin(toy, i, w));
    return (double)primal;
}

void weights_of(const struct toy *toy, const double *alpha, double *w)
{
    for (size_t j = 0; j < toy->width; j++) {
        long double sum = 0;

        for (size_t i = 0; i < toy->m; i++)
            sum += (long double)alpha[i] * toy->sign[i] * toy->x[i][j];
        w[j] = (double)sum;
    }
}

double diagonal(const struct toy *toy, size_t i)
{
    return toy->draft.loss == LOSS_SQUARED_HINGE ? 1 / (2 * toy->cost[i]) : 0;
}

double quadratic(const struct toy *toy, size_t i, size_t j)
{
    double product = 0;

    for (size_t k = 0; k < toy->width; k++)
        product += toy->x[i][k] * toy->x[j][k];
    return toy->sign[i] * toy->sign[j] * product + (i == j ? diagonal(toy, i) : 0);
}

double dual_of(const struct toy *toy, const double *alpha)
{
    double w[MOST_WIDTH];
    long double dual;

    weights_of(toy, alpha, w);
    dual = half_square(toy, w);
    for (size_t i = 0; i < toy->m; i++)
        dual += slow_conjugate(toy->draft.loss, toy->cost[i], alpha[i]) -
                (long double)loss_target(toy->draft.loss) * alpha[i];
    return (double)dual;
}

double rounding(const struct toy *toy, const double *w)
{
    double total = 1e-12 * primal_of(toy, w);

    for (size_t i = 0; i < toy->m; i++) {
        double size = 1, z = margin(toy, i, w);

        for (size_t j = 0; j < toy->width; j++)
            size += fabs(w[j] * toy->x[i][j]);
        size *= (double)(toy->width + 1) * DBL_EPSILON;
        total += toy->cost[i] * size *
                 (loss_is_squared(toy->draft.loss) ? 2 * (z < 1 ? 1 - z : 0) + size : 1);
    }
    return total;
}

/* Returns a bound of the rounding errors in the terms of D. */
double dual_rounding(const struct toy *toy, const double *alpha)
{
    double total = 0, longest = 0;

    for (size_t i = 0; i < toy->m; i++) {
        total += loss_is_curved(toy->draft.loss) ? toy->cost[i]
                                                 : alpha[i] * (1 + diagonal(toy, i) * alpha[i]);
        longest += alpha[i] * sqrt(fmax(quadratic(toy, i, i) - diagonal(toy, i), 0));
    }
    return 1e-13 * (total + longest * longest);
}

/* ---- The reference: an interior-point method on the dense dual ---------- */

struct interior {
    const struct toy *toy;
    long double Q[MOST_ROWS][MOST_ROWS]; /* Q + diag(d) */
    long double alpha[MOST_ROWS];        /* strictly between its bounds */
    long double low[MOST_ROWS];          /* multiplier of alpha >= 0 */
    long double high[MOST_ROWS];         /* multiplier of alpha <= U, 0 for the L2-loss */
    long double mu;                      /* mean product of multipliers and distances */
};

/* Solves A x = b for a positive definite A by Cholesky's method; A is destroyed. */
static void solve_definite(long double A[MOST_ROWS][MOST_ROWS], size_t m, long double *b)
{
    for (size_t k = 0; k < m; k++) {
        A[k][k] = sqrtl(fmaxl(A[k][k], LDBL_MIN)); /* rounding may leave 0 */
        for (size_t i = k + 1; i < m; i++)
            A[i][k] /= A[k][k];
        for (size_t j = k + 1; j < m; j++)
            for (size_t i = j; i < m; i++)
                A[i][j] -= A[i][k] * A[j][k];
    }
    for (size_t i = 0; i < m; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= A[i][k] * b[k];
        b[i] /= A[i][i];
    }
    for (size_t i = m; i-- > 0;) {
        for (size_t k = i + 1; k < m; k++)
            b[i] -= A[k][i] * b[k];
        b[i] /= A[i][i];
    }
}

static void interior_start(struct interior *interior, const struct toy *toy)
{
    interior->toy = toy;
    interior->mu = 0;
    for (size_t i = 0; i < toy->m; i++) {
        for (size_t j = 0; j < toy->m; j++)
            interior->Q[i][j] = quadratic(toy, i, j);
        interior->alpha[i] = toy->cost[i] / 2;
        interior->low[i] = 1;
        interior->high[i] = toy->draft.loss == LOSS_HINGE;
        interior->mu += toy->cost[i] / 2 * (1 + interior->high[i]) / (long double)toy->m;
    }
}

/* Returns U_i - alpha_i, or 1 without U_i, because it divides the multiplier 0. */
static long double distance(const struct interior *interior, size_t i)
{
    return interior->toy->draft.loss == LOSS_HINGE ? interior->toy->cost[i] - interior->alpha[i]
                                                   : 1;
}

/* Returns how far to go along a change without making value negative, at most `longest`. */
static long double keep_positive(long double value, long double change, long double longest)
{
    return value + longest * change < 0.01 * value ? -0.99 * value / change : longest;
}

struct direction {
    long double alpha[MOST_ROWS];
    long double low[MOST_ROWS];
    long double high[MOST_ROWS];
};

/* Finds Newton's direction for: gradient = low - high, low alpha = high (U - alpha) = mu. */
static void newton_direction(const struct interior *interior, long double mu, struct direction *to)
{
    static long double A[MOST_ROWS][MOST_ROWS];
    size_t m = interior->toy->m;

    for (size_t i = 0; i < m; i++) {
        long double gap = distance(interior, i), gradient = -1;

        memcpy(A[i], interior->Q[i], sizeof A[i]);
        for (size_t j = 0; j < m; j++)
            gradient += interior->Q[i][j] * interior->alpha[j];
        A[i][i] += interior->low[i] / interior->alpha[i] + interior->high[i] / gap;
        to->alpha[i] = -gradient + mu / interior->alpha[i] - (interior->high[i] > 0 ? mu / gap : 0);
    }
    solve_definite(A, m, to->alpha);
    for (size_t i = 0; i < m; i++) {
        to->low[i] = (mu - interior->low[i] * to->alpha[i]) / interior->alpha[i] - interior->low[i];
        to->high[i] = interior->high[i] > 0
                          ? (mu + interior->high[i] * to->alpha[i]) / distance(interior, i) -
                                interior->high[i]
                          : 0;
    }
}

/* Takes a step. Returns 0 if rounding has put the point onto a bound. */
static int interior_step(struct interior *interior)
{
    size_t m = interior->toy->m;
    struct direction to;
    long double step = 1;
    int inside = 1;

    newton_direction(interior, interior->mu / 10, &to);
    for (size_t i = 0; i < m; i++) {
        step = keep_positive(interior->alpha[i], to.alpha[i], step);
        step = keep_positive(interior->low[i], to.low[i], step);
        if (interior->high[i] > 0) {
            step = keep_positive(distance(interior, i), -to.alpha[i], step);
            step = keep_positive(interior->high[i], to.high[i], step);
        }
    }
    interior->mu = 0;
    for (size_t i = 0; i < m; i++) {
        interior->alpha[i] += step * to.alpha[i];
        interior->low[i] += step * to.low[i];
        interior->high[i] += step * to.high[i];
        interior->mu +=
            (interior->low[i] * interior->alpha[i] + interior->high[i] * distance(interior, i)) /
            (long double)m;
        inside = inside && interior->alpha[i] > 0 && distance(interior, i) > 0;
    }
    return inside;
}

/* Newton's method on the primal for the logistic loss, in long double. The slopes are
 * the dual point, whose gap is |gradient|^2 / 2. */
struct primal {
    const struct toy *toy;
    long double w[MOST_WIDTH];
    double alpha[MOST_ROWS];
};

/* Returns P(w), and sets all alpha. */
static long double primal_at(struct primal *at)
{
    const struct toy *toy = at->toy;
    long double total = 0;

    for (size_t j = 0; j < toy->width; j++)
        total += at->w[j] * at->w[j] / 2;
    for (size_t i = 0; i < toy->m; i++) {
        long double s = 0;

        for (size_t j = 0; j < toy->width; j++)
            s -= toy->sign[i] * at->w[j] * toy->x[i][j];
        total += slow_loss(LOSS_LOGISTIC, toy->cost[i], s);
        at->alpha[i] = toy->cost[i] * (double)slow_slope(LOSS_LOGISTIC, s);
    }
    return total;
}

/* Takes a step, halved until P falls. Returns 0 if P falls no more. */
static int primal_step(struct primal *at)
{
    static long double A[MOST_ROWS][MOST_ROWS];
    const struct toy *toy = at->toy;
    const long double before = primal_at(at);
    long double start[MOST_WIDTH], to[MOST_WIDTH], step = 1;

    for (size_t j = 0; j < toy->width; j++) {
        memset(A[j], 0, sizeof A[j]);
        A[j][j] = 1;
        to[j] = -at->w[j];
        start[j] = at->w[j];
    }
    for (size_t i = 0; i < toy->m; i++) {
        const long double a = at->alpha[i], bend = a * (toy->cost[i] - a) / toy->cost[i];

        for (size_t j = 0; j < toy->width; j++) {
            to[j] += a * toy->sign[i] * toy->x[i][j];
            for (size_t k = 0; k < toy->width; k++)
                A[j][k] += bend * toy->x[i][j] * toy->x[i][k];
        }
    }
    solve_definite(A, toy->width, to);
    for (int k = 0; k < 60; k++, step /= 2) {
        for (size_t j = 0; j < toy->width; j++)
            at->w[j] = start[j] + step * to[j];
        if (primal_at(at) < before)
            return 1;
    }
    memcpy(at->w, start, toy->width * sizeof *start);
    return 0;
}

static struct bracket logistic_reference(const struct toy *toy)
{
    static struct primal at;
    struct bracket bracket = {0, DBL_MAX};
    double w[MOST_WIDTH];

    at = (struct primal){.toy = toy};
    for (int k = 0; k < 200 && primal_step(&at); k++)
        continue;
    bracket.upper = (double)primal_at(&at);
    bracket.lower = -dual_of(toy, at.alpha);
    weights_of(toy, at.alpha, w);
    CHECK(toy, bracket.upper - bracket.lower <=
                   1e-11 * bracket.upper + dual_rounding(toy, at.alpha) + rounding(toy, w));
    return bracket;
}

struct bracket reference(const struct toy *toy)
{
    static struct interior interior;
    struct bracket bracket = {0, DBL_MAX};
    double w[MOST_WIDTH], alpha[MOST_ROWS];

    if (loss_is_curved(toy->draft.loss))
        return logistic_reference(toy);
    interior_start(&interior, toy);
    for (int k = 0; k < 100 && bracket.upper - bracket.lower > 1e-13 * bracket.upper; k++) {
        if (!interior_step(&interior))
            break;
        for (size_t i = 0; i < toy->m; i++)
            alpha[i] = (double)interior.alpha[i];
        weights_of(toy, alpha, w);
        bracket.upper = fmin(bracket.upper, primal_of(toy, w));
        bracket.lower = fmax(bracket.lower, -dual_of(toy, alpha));
    }
    CHECK(toy, bracket.upper - bracket.lower <=
                   1e-11 * bracket.upper + dual_rounding(toy, alpha) + rounding(toy, w));
    return bracket;
}
