/* gram.c - (Q + diag(ridge)) p = r by preconditioned conjugate gradients over rows.
 *
 * A multiplication is p -> sum p_i y_i x_i -> y_i <., x_i>, two passes over the rows. The
 * preconditioner is a Cholesky factor of the matrix over the rows held, those of an earlier choice:
 * of its inverse the part over rows still chosen; for the others the diagonal. It is in single
 * precision: what it gets wrong, conjugate gradients mend, and at half the size it is read in half
 * the time. Their steps are the rent for its age. Either few will do, as few rows have come and
 * gone, or many will not: when they have added up to a quarter of the price of a new factor, there
 * is one.
 */
#include "solver/gram.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "problem/kernel.h"
#include "solver/cholesky.h"

enum { MOST_ORDER = 4096 }; /* of a factor: 64 MiB */

/* The place of a row that is not chosen. */
static const uint32_t NOWHERE = UINT32_MAX;

/* Prices in the unit of normal_price, measured on 100 to 2,000 rows. */
static const double factor_rate = 0.12; /* of factoring */
static const double solve_rate = 0.3;   /* of solving with a factor */
static const double scatter_rate = 1.5; /* of multiplying all pairs of rows */
static const double row_rate = 1.6;     /* of a pass over rows */

struct gram {
    const struct binary_problem *problem;
    size_t width;
    const double *ridge;    /* [rows] */
    const uint32_t *member; /* [members] */
    uint32_t members;
    size_t nonzeros;  /* of the members */
    uint32_t *place;  /* [rows] of a member among them, or NOWHERE */
    double *memory;   /* the arrays below */
    double *shift;    /* [width] */
    double *inverse;  /* [members], as those below; of the diagonal */
    double *residual; /* r - (Q + ridge) p */
    double *direction;
    double *product;
    double *corrected; /* the preconditioned residual */
    size_t capacity;   /* largest order of a factor */
    size_t order;      /* of the factor; 0: there is none */
    uint32_t *held;    /* [capacity] the rows that it is over */
    double *root;      /* [capacity] 1/sqrt(ridge) of them, then */
    double *line;      /* [capacity] */
    float *factor;     /* [capacity^2] */
    float *reduced;    /* [capacity] */
    size_t *from;      /* [width] where a feature's entries begin */
    size_t *end;       /* [width] and end */
    uint32_t *entry;   /* [non-zeros] the members that have it, and */
    double *value;     /* [non-zeros] x_ij; NULL: all are 1 */
    double spent;      /* all in all, */
    double rent;       /* and since the factor was made */
};

/* ---- Setting up -------------------------------------------------------- */

static size_t count_nonzeros(const struct binary_problem *problem)
{
    size_t count = 0;

    for (uint32_t i = 0; i < problem->rows; i++)
        count += binary_row(problem, i).count;
    return count;
}

static int all_ones(const struct gram *gram)
{
    return gram->problem->data->x.value_kind == HINGE_VALUE_ONE;
}

static int allocate(struct gram *gram, struct hinge_error *error)
{
    const size_t rows = gram->problem->rows, nonzeros = count_nonzeros(gram->problem);
    const size_t capacity = gram->capacity;

    return (gram->memory =
                array_new(gram->width + 5 * rows + 2 * capacity, sizeof(double), error)) &&
           (gram->place = array_new(rows, sizeof *gram->place, error)) &&
           (gram->held = array_new(capacity, sizeof *gram->held, error)) &&
           (gram->factor = array_new(capacity * capacity + capacity, sizeof(float), error)) &&
           (gram->from = array_new(2 * gram->width, sizeof *gram->from, error)) &&
           (gram->entry = array_new(nonzeros, sizeof *gram->entry, error)) &&
           (all_ones(gram) || (gram->value = array_new(nonzeros, sizeof *gram->value, error)));
}

struct gram *gram_new(const struct binary_problem *problem, struct hinge_error *error)
{
    struct gram *gram = array_new(1, sizeof *gram, error);
    const size_t rows = problem->rows;

    if (!gram)
        return NULL;
    gram->problem = problem;
    gram->width = binary_width(problem);
    gram->capacity = rows < MOST_ORDER ? rows : MOST_ORDER;
    if (!allocate(gram, error)) {
        gram_free(gram);
        return NULL;
    }
    gram->shift = gram->memory;
    gram->inverse = gram->shift + gram->width;
    gram->residual = gram->inverse + rows;
    gram->direction = gram->residual + rows;
    gram->product = gram->direction + rows;
    gram->corrected = gram->product + rows;
    gram->root = gram->corrected + rows;
    gram->line = gram->root + gram->capacity;
    gram->reduced = gram->factor + gram->capacity * gram->capacity;
    gram->end = gram->from + gram->width;
    memset(gram->place, 0xff, rows * sizeof *gram->place);
    return gram;
}

void gram_free(struct gram *gram)
{
    if (!gram)
        return;
    free(gram->memory);
    free(gram->place);
    free(gram->held);
    free(gram->factor);
    free(gram->from);
    free(gram->entry);
    free(gram->value);
    free(gram);
}

void gram_choose(struct gram *gram, const uint32_t *member, uint32_t members, const double *ridge)
{
    for (uint32_t s = 0; s < gram->members; s++)
        gram->place[gram->member[s]] = NOWHERE;
    gram->member = member;
    gram->members = members;
    gram->ridge = ridge;
    gram->nonzeros = 0;
    for (uint32_t s = 0; s < members; s++) {
        gram->place[member[s]] = s;
        gram->nonzeros += binary_row(gram->problem, member[s]).count;
        gram->inverse[s] = 1 / (binary_square(gram->problem, member[s]) + ridge[member[s]]);
    }
    gram->spent += (double)gram->nonzeros;
}

static double cube(double x)
{
    return x * x * x;
}

/* ---- Passes over the rows ---------------------------------------------- */

void gram_combine(const struct gram *gram, const double *p, double *shift)
{
    const double bias = gram->problem->bias;

    memset(shift, 0, gram->width * sizeof *shift);
    for (uint32_t s = 0; s < gram->members; s++) {
        const struct sparse row = binary_row(gram->problem, gram->member[s]);
        const double factor = p[s] * gram->problem->sign[gram->member[s]];

        if (factor == 0)
            continue;
        sparse_add(&row, factor, shift);
        if (bias >= 0)
            shift[gram->width - 1] += factor * bias;
    }
}

void gram_margins(const struct gram *gram, const double *v, double *z)
{
    for (uint32_t s = 0; s < gram->members; s++)
        z[s] = gram->problem->sign[gram->member[s]] *
               binary_decision(gram->problem, gram->member[s], v);
}

/* product := (Q + ridge) p */
static void multiply(struct gram *gram, const double *p, double *product)
{
    gram_combine(gram, p, gram->shift);
    gram_margins(gram, gram->shift, product);
    for (uint32_t s = 0; s < gram->members; s++)
        product[s] += gram->ridge[gram->member[s]] * p[s];
}

/* ---- The factor -------------------------------------------------------- */

/* The members' non-zeros by features, the members ascending. */
static void transpose(struct gram *gram)
{
    size_t total = 0;

    memset(gram->end, 0, gram->width * sizeof *gram->end);
    for (uint32_t s = 0; s < gram->members; s++) {
        const struct sparse row = binary_row(gram->problem, gram->member[s]);

        for (size_t k = 0; k < row.count; k++)
            gram->end[index_at(&row, k)]++;
    }
    for (size_t j = 0; j < gram->width; j++) {
        gram->from[j] = total;
        total += gram->end[j];
        gram->end[j] = gram->from[j];
    }
    for (uint32_t s = 0; s < gram->members; s++) {
        const struct sparse row = binary_row(gram->problem, gram->member[s]);

        for (size_t k = 0; k < row.count; k++) {
            const size_t e = gram->end[index_at(&row, k)]++;

            gram->entry[e] = s;
            if (gram->value)
                gram->value[e] = value_at(&row, k);
        }
    }
    gram->spent += 4 * (double)gram->nonzeros;
}

/* line[t] := <x_s, x_t> for the members t >= s. Each of its features' first entry is that of s,
 * those of earlier members having been dropped; now it is, too. */
static void multiply_pairs(struct gram *gram, uint32_t s)
{
    const struct sparse row = binary_row(gram->problem, gram->member[s]);
    const double bias = gram->problem->bias > 0 ? gram->problem->bias : 0;

    for (uint32_t t = s; t < gram->members; t++)
        gram->line[t] = bias * bias;
    for (size_t k = 0; k < row.count; k++) {
        size_t e = gram->from[index_at(&row, k)];
        const size_t end = gram->end[index_at(&row, k)];
        const double factor = gram->value ? gram->value[e] : 1;

        gram->from[index_at(&row, k)]++;
        gram->spent += scatter_rate * (double)(end - e);
        if (gram->value)
            for (; e < end; e++)
                gram->line[gram->entry[e]] += factor * gram->value[e];
        else
            for (; e < end; e++)
                gram->line[gram->entry[e]] += 1;
    }
}

static void renew_factor(struct gram *gram)
{
    const size_t order = gram->members;
    const signed char *sign = gram->problem->sign;

    transpose(gram);
    for (uint32_t s = 0; s < order; s++) {
        gram->held[s] = gram->member[s];
        gram->root[s] = 1 / sqrt(gram->ridge[gram->held[s]]);
    }
    for (uint32_t s = 0; s < order; s++) {
        const double root = gram->root[s] * sign[gram->held[s]];

        multiply_pairs(gram, s);
        for (size_t t = s; t < order; t++)
            gram->factor[s * order + t] =
                (float)(root * gram->root[t] * sign[gram->held[t]] * gram->line[t]);
    }
    single_cholesky_factor(gram->factor, order);
    gram->order = order;
    gram->spent += factor_rate * cube((double)order) / 6;
    gram->rent = 0;
}

/* What a factor costs; infinite where there is no room for it. The products of the rows come on
 * top, how much is not known: they cost the less the sparser the rows are. */
static double factor_price(const struct gram *gram)
{
    const double order = gram->members;

    return order <= (double)gram->capacity ? factor_rate * cube(order) / 6 : HUGE_VAL;
}

/* ---- Conjugate gradients ----------------------------------------------- */

/* c := about (Q + ridge)^-1 r */
static void precondition(struct gram *gram, const double *r, double *c)
{
    for (uint32_t s = 0; s < gram->members; s++)
        c[s] = gram->inverse[s] * r[s];
    for (size_t k = 0; k < gram->order; k++) {
        const uint32_t s = gram->place[gram->held[k]];

        gram->reduced[k] = s == NOWHERE ? 0 : (float)(gram->root[k] * r[s]);
    }
    single_cholesky_solve(gram->factor, gram->order, gram->reduced);
    for (size_t k = 0; k < gram->order; k++) {
        const uint32_t s = gram->place[gram->held[k]];

        if (s != NOWHERE)
            c[s] = gram->root[k] * (double)gram->reduced[k];
    }
}

/* What a step of conjugate gradients costs. */
static double step_price(double order, double members, double nonzeros, double width)
{
    return 2 * row_rate * nonzeros + solve_rate * order * order + 8 * members + width / 2;
}

/* One step; 0 if rounding errors leave no direction. old is r'c of the step before, 0 in the first.
 */
static int step(struct gram *gram, double *p, double *old)
{
    const size_t members = gram->members;
    double now, length;

    precondition(gram, gram->residual, gram->corrected);
    now = dense_dot(gram->residual, gram->corrected, members);
    for (size_t s = 0; s < members; s++)
        gram->direction[s] = gram->corrected[s] + (*old > 0 ? now / *old * gram->direction[s] : 0);
    multiply(gram, gram->direction, gram->product);
    length = now / dense_dot(gram->direction, gram->product, members);
    if (!(now > 0 && length > 0 && length <= DBL_MAX))
        return 0;
    for (size_t s = 0; s < members; s++) {
        p[s] += length * gram->direction[s];
        gram->residual[s] -= length * gram->product[s];
    }
    *old = now;
    return 1;
}

void gram_solve(struct gram *gram, const double *r, double *p, double tolerance, unsigned most)
{
    const size_t members = gram->members;
    const double enough = tolerance * tolerance * dense_dot(r, r, members);
    double price = factor_price(gram), old = 0;

    memset(p, 0, members * sizeof *p);
    memcpy(gram->residual, r, members * sizeof *r);
    for (unsigned k = 0; k < most; k++) {
        const double rent = step_price((double)gram->order, (double)members, (double)gram->nonzeros,
                                       (double)gram->width);

        if (dense_dot(gram->residual, gram->residual, members) <= enough) {
            return;
        }
        gram->spent += rent;
        gram->rent += rent;
        if (gram->rent > 0.25 * price || price < 8 * rent) {
            renew_factor(gram);
            price = HUGE_VAL;
            old = 0;
        }
        if (!step(gram, p, &old))
            return;
    }
}

double gram_spent(const struct gram *gram)
{
    return gram->spent;
}

double gram_price(double members, double nonzeros, double width)
{
    const double order = members <= MOST_ORDER ? members : 0;

    return factor_rate * cube(order) / 12 + 30 * step_price(order, members, nonzeros, width);
}
