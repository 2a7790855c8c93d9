/* normal_factor.c - A of a preconditioner I + A, over features or over rows, and its Cholesky
 * factor.
 */
#include "solver/normal_factor.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/kernel.h"
#include "solver/cholesky.h"

static const double factor_rate = 0.25; /* of factoring: four at a time share a load and a store */

/* ---- Over features ----------------------------------------------------- */

/* sum += change x_i x_i', the bias feature included. */
static void add_outer(struct normal *normal, uint32_t i, double change)
{
    const struct sparse row = binary_row(normal->problem, i);
    const double bias = normal->problem->bias;
    const size_t width = normal->width;

    sparse_outer(&row, change, normal->sum, width);
    if (bias < 0)
        return;
    for (size_t k = 0; k < row.count; k++)
        normal->sum[(index_at(&row, k) + 1) * width - 1] += change * value_at(&row, k) * bias;
    normal->sum[width * width - 1] += change * bias * bias;
}

/* Where a walk along the rows whose weight in sum is not the present one is. */
struct walk {
    size_t held;
    uint32_t member;
    uint32_t row;
    double change;
};

/* Both kinds of rows ascend, so that those that are of one kind only are found like this. */
static int next_change(const struct normal *normal, struct walk *walk)
{
    while (walk->held < normal->helds || walk->member < normal->members) {
        const int held = walk->held < normal->helds, member = walk->member < normal->members;
        const uint32_t a = held ? normal->held[walk->held] : UINT32_MAX;
        const uint32_t b = member ? normal->member[walk->member] : UINT32_MAX;

        walk->row = a < b ? a : b;
        walk->change = 0;
        if (b <= a)
            walk->change += normal->weight[walk->member++];
        if (a <= b)
            walk->change -= normal->summed[walk->held++];
        if (walk->change != 0)
            return 1;
    }
    return 0;
}

static size_t count_changes(const struct normal *normal)
{
    struct walk walk = {0, 0, 0, 0};
    size_t changes = 0;

    while (next_change(normal, &walk))
        changes++;
    return changes;
}

/* Brings sum from the weights in it to the new ones, by the rows that changed or afresh, whichever
 * are fewer; then factor := A. */
static void form_by_features(struct normal *normal)
{
    const size_t width = normal->width;
    struct walk walk = {0, 0, 0, 0};

    if (count_changes(normal) >= normal->members) {
        memset(normal->sum, 0, width * width * sizeof *normal->sum);
        normal->helds = 0;
    }
    while (next_change(normal, &walk))
        add_outer(normal, walk.row, walk.change);
    memcpy(normal->held, normal->member, normal->members * sizeof *normal->held);
    memcpy(normal->summed, normal->weight, normal->members * sizeof *normal->summed);
    normal->helds = normal->members;
    for (size_t i = 0; i < width; i++)
        for (size_t j = i; j < width; j++)
            normal->factor[i * width + j] = normal->scale * normal->sum[i * width + j];
    normal->order = width;
}

/* ---- Over rows --------------------------------------------------------- */

/* Writes value times x_i into a dense vector. */
static void spread(const struct sparse *row, double value, double *dense)
{
    for (size_t k = 0; k < row->count; k++)
        dense[index_at(row, k)] = value * value_at(row, k);
}

/* Where the product of the rows in two slots stands, other <= slot. */
static size_t pair(size_t slot, size_t other)
{
    return slot * (slot + 1) / 2 + other;
}

/* Gives a row the next slot, and multiplies it with all that have one. */
static void add_slot(struct normal *normal, uint32_t i)
{
    const double bias = normal->problem->bias > 0 ? normal->problem->bias : 0;
    const struct sparse row = binary_row(normal->problem, i);
    const size_t slot = normal->slots;

    normal->row_in[normal->slots++] = i;
    normal->slot_of[i] = (uint32_t)slot;
    spread(&row, 1, normal->product);
    for (size_t other = 0; other <= slot; other++) {
        const struct sparse its = binary_row(normal->problem, normal->row_in[other]);

        normal->sum[pair(slot, other)] = sparse_dot(&its, normal->product) + bias * bias;
    }
    spread(&row, 0, normal->product);
}

static int has_slot(const struct normal *normal, uint32_t i)
{
    return normal->slot_of[i] < normal->slots && normal->row_in[normal->slot_of[i]] == i;
}

/* Products of all pairs of member rows; those of rows that were members once are kept as long as
 * there is room. */
static void multiply_members(struct normal *normal)
{
    size_t missing = 0;

    for (uint32_t s = 0; s < normal->members; s++)
        missing += !has_slot(normal, normal->member[s]);
    if (normal->slots + missing > normal->capacity)
        normal->slots = 0;
    memset(normal->product, 0, normal->width * sizeof *normal->product);
    for (uint32_t s = 0; s < normal->members; s++)
        if (!has_slot(normal, normal->member[s]))
            add_slot(normal, normal->member[s]);
}

/* factor := A over the member rows. */
static void form_by_rows(struct normal *normal)
{
    const size_t order = normal->members;

    multiply_members(normal);
    for (size_t k = 0; k < order; k++) {
        normal->held[k] = normal->member[k];
        normal->root[k] = sqrt(normal->scale * normal->weight[k]);
    }
    for (size_t k = 0; k < order; k++) {
        const size_t slot = normal->slot_of[normal->held[k]];

        for (size_t l = k; l < order; l++) {
            const size_t other = normal->slot_of[normal->held[l]];
            const double product =
                normal->sum[slot < other ? pair(other, slot) : pair(slot, other)];

            normal->factor[k * order + l] = normal->root[k] * normal->root[l] * product;
        }
    }
    normal->order = order;
}

/* ---- Either ------------------------------------------------------------ */

double normal_factor_price(int by_features, double order, double members, double nonzeros)
{
    const double form = nonzeros * (by_features ? nonzeros / fmax(members, 1) : order) / 2;

    return form + factor_rate * order * order * order / 6;
}

double normal_factor_price_now(const struct normal *normal)
{
    const double order = normal->by_features ? (double)normal->width : normal->members;

    if (order < 1 || order > (double)normal->capacity)
        return HUGE_VAL;
    return normal_factor_price(normal->by_features, order, normal->members,
                               (double)normal->nonzeros);
}

void normal_factor_renew(struct normal *normal)
{
    if (normal->by_features)
        form_by_features(normal);
    else
        form_by_rows(normal);
    cholesky_factor(normal->factor, normal->order);
    normal->spent = 0;
}

/* p := r - X'D (I + A)^-1 D X r */
static void apply_by_rows(struct normal *normal, const double *r, double *p)
{
    const double bias = normal->problem->bias;
    const size_t last = normal->width - 1;

    for (size_t k = 0; k < normal->order; k++) {
        const struct sparse row = binary_row(normal->problem, normal->held[k]);

        normal->reduced[k] = sparse_dot(&row, r);
        if (bias >= 0)
            normal->reduced[k] += bias * r[last];
        normal->reduced[k] *= normal->root[k];
    }
    cholesky_solve(normal->factor, normal->order, normal->reduced);
    memcpy(p, r, normal->width * sizeof *p);
    for (size_t k = 0; k < normal->order; k++) {
        const struct sparse row = binary_row(normal->problem, normal->held[k]);
        const double factor = -normal->root[k] * normal->reduced[k];

        sparse_add(&row, factor, p);
        if (bias >= 0)
            p[last] += factor * bias;
    }
}

void normal_factor_solve(struct normal *normal, const double *r, double *p)
{
    if (normal->by_features) {
        memcpy(p, r, normal->width * sizeof *p);
        cholesky_solve(normal->factor, normal->order, p);
    } else {
        apply_by_rows(normal, r, p);
    }
}

int normal_factor_is_exact(const struct normal *normal, double tolerance)
{
    const size_t width = normal->width;
    double trace = 0;

    if (!normal->by_features)
        return 0;
    for (size_t j = 0; j < width; j++)
        trace += 1 + normal->scale * normal->sum[j * (width + 1)];
    return trace * (double)width * DBL_EPSILON <= 1e-4 * tolerance;
}
