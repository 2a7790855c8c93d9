/* working_set.c - priority_j = (1 - |v_j|) / norm_j: how far the dual point may move, in the norm
 * in which the gap bounds that, before feature j can leave 0.
 *
 * D has a second derivative of at least 1/h_i by alpha_i, so that no solution of the dual is
 * farther from a point at gap g than sum_i (alpha_i - alpha*_i)^2 / h_i <= 2 g: |v*_j| is at most
 * |v_j| + sqrt(2 g) norm_j, and where that is below 1 feature j is 0 (Fercoq, Gramfort, Salmon,
 * ICML 2015; Ndiaye et al., JMLR 2017). The choice by priority is that of Johnson and Guestrin
 * (ICML 2015) and of Massias, Gramfort and Salmon (ICML 2018).
 */
#include "solver/working_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "data/transpose.h"

int working_set_pays(const struct problem *problem)
{
    enum { MOST = 512, LENGTH = 128 }; /* features, and non-zeros of a row on average */

    return problem_width(problem) > MOST ||
           problem_nonzeros(problem) > (double)LENGTH * problem->rows;
}

void working_set_lay_out(struct working_set *set, struct arena *arena,
                         const struct problem *problem)
{
    const size_t features = problem->data->features;

    set->member = arena_take(arena, features + 1, sizeof *set->member);
    set->candidate = arena_take(arena, features, sizeof *set->candidate);
    set->norm = arena_take(arena, features, sizeof *set->norm);
    set->signed_alpha = arena_take(arena, problem->rows, sizeof *set->signed_alpha);
    set->place = arena_take(arena, problem->rows, sizeof *set->place);
    set->root = arena_take(arena, problem->rows, sizeof *set->root);
    set->key = arena_take(arena, features, sizeof *set->key);
    set->sorted = arena_take(arena, features, sizeof *set->sorted);
}

/* ---- Columns ------------------------------------------------------------ */

static struct sparse column(const struct hinge_matrix *columns, size_t j)
{
    return sparse_part(columns, columns->start[j], columns->start[j + 1] - columns->start[j]);
}

static void find_norms(struct working_set *set)
{
    const struct problem *problem = set->problem;

    for (size_t j = 0; j < problem->data->features; j++) {
        const struct sparse x = column(set->columns, j);
        double square = 0;

        for (size_t k = 0; k < x.count; k++) {
            const double value = value_at(&x, k);

            square +=
                loss_most_curvature(problem->loss, problem->cost[index_at(&x, k)]) * value * value;
        }
        set->norm[j] = sqrt(square);
    }
}

/* sum y_i alpha_i, whose terms are left in signed_alpha. */
static double add_signs(struct working_set *set, const double *alpha)
{
    double sum = 0;

    for (uint32_t i = 0; i < set->problem->rows; i++)
        sum += set->signed_alpha[i] = set->problem->sign[i] * alpha[i];
    return sum;
}

void working_set_combine(struct working_set *set, const double *alpha, double *v)
{
    const struct problem *problem = set->problem;
    const double sum = add_signs(set, alpha);

    memset(v, 0, problem_width(problem) * sizeof *v);
    for (uint32_t c = 0; c < set->candidates; c++) {
        const struct sparse x = column(set->columns, set->candidate[c]);

        v[set->candidate[c]] = sparse_dot(&x, set->signed_alpha);
    }
    if (problem->bias_kind != BIAS_NONE)
        v[problem->data->features] = problem->bias * sum;
}

void working_set_combine_some(struct working_set *set, const double *alpha, double factor,
                              double *v)
{
    const double sum = add_signs(set, alpha);

    for (size_t c = 0; c < set->count; c++) {
        const struct sparse x = column(set->columns, set->member[c]);

        v[c] = factor * sparse_dot(&x, set->signed_alpha);
    }
    if (set->problem->bias_kind != BIAS_NONE)
        v[set->count] = factor * set->problem->bias * sum;
}

void working_set_margins(const struct working_set *set, const double *step, double *change)
{
    const struct problem *problem = set->problem;
    const double bias = problem->bias_kind != BIAS_NONE ? problem->bias * step[set->count] : 0;

    for (uint32_t i = 0; i < problem->rows; i++)
        change[i] = bias;
    for (size_t c = 0; c < set->count; c++)
        if (step[c] != 0) {
            const struct sparse x = column(set->columns, set->member[c]);

            sparse_add(&x, step[c], change);
        }
    for (uint32_t i = 0; i < problem->rows; i++)
        change[i] *= problem->sign[i];
}

/* Appends an entry to the columns of the model, if its row is in it. */
static ALWAYS_INLINE size_t append(const struct working_set *set, size_t at, uint32_t i,
                                   double value)
{
    if (set->scaled.index_kind == HINGE_INDEX_16)
        ((uint16_t *)set->scaled.index)[at] = (uint16_t)set->place[i];
    else
        ((uint32_t *)set->scaled.index)[at] = set->place[i];
    if (set->scaled.value_kind == HINGE_VALUE_FLOAT)
        ((float *)set->scaled.value)[at] = (float)(value * set->root[i]);
    else
        ((double *)set->scaled.value)[at] = value * set->root[i];
    return at + (set->root[i] > 0);
}

void working_set_model(struct working_set *set, const double *weight, struct column_lasso *by)
{
    const struct problem *problem = set->problem;
    struct hinge_matrix *to = &set->scaled;
    size_t rows = 0, at = 0;

    for (uint32_t i = 0; i < problem->rows; i++) {
        set->place[i] = (uint32_t)rows;
        set->root[i] = sqrt(weight[i]);
        rows += weight[i] > 0;
    }
    for (size_t c = 0; c < set->count; c++) {
        const struct sparse x = column(set->columns, set->member[c]);

        to->start[c] = at;
        for (size_t k = 0; k < x.count; k++)
            at = append(set, at, index_at(&x, k), value_at(&x, k));
    }
    to->start[set->count] = at;
    to->rows = set->count;
    if (problem->bias_kind != BIAS_NONE) {
        for (uint32_t i = 0; i < problem->rows; i++)
            at = append(set, at, i, problem->bias);
        to->start[++to->rows] = at;
    }
    to->nonzeros = at;
    by->columns = *to;
    by->rows = rows;
    by->lasso.order = to->rows;
    by->lasso.penalised = set->count + (problem->bias_kind == BIAS_REGULARISED);
}

/* ---- The choice --------------------------------------------------------- */

/* The rank-th smallest number, from 0; they change places. */
static double find_rank(double *number, size_t count, size_t rank)
{
    size_t first = 0, end = count;

    while (end - first > 1) {
        const double pivot = number[first + (end - first) / 2];
        size_t low = first, high = end;

        for (size_t k = first; k < high;) {
            const double its = number[k];

            if (its < pivot) {
                number[k++] = number[low];
                number[low++] = its;
            } else if (its > pivot) {
                number[k] = number[--high];
                number[high] = its;
            } else {
                k++;
            }
        }
        if (rank < low)
            end = low;
        else if (rank >= high)
            first = high;
        else
            return pivot;
    }
    return number[first];
}

void working_set_choose(struct working_set *set, size_t size, const double *w, const double *v)
{
    const uint32_t candidates = set->candidates;
    double limit = HUGE_VAL;

    for (uint32_t c = 0; c < candidates; c++) {
        const uint32_t j = set->candidate[c];

        set->key[c] = w[j] != 0           ? -HUGE_VAL
                      : set->norm[j] == 0 ? HUGE_VAL
                                          : (1 - fabs(v[j])) / set->norm[j];
    }
    if (size < candidates) {
        memcpy(set->sorted, set->key, candidates * sizeof *set->key);
        limit = find_rank(set->sorted, candidates, size);
    }
    set->count = 0;
    for (uint32_t c = 0; c < candidates; c++)
        if (set->key[c] <= limit)
            set->member[set->count++] = set->candidate[c];
    set->member[set->count] = set->problem->data->features;
}

void working_set_screen(struct working_set *set, double gap, const double *w, const double *v)
{
    static const double MARGIN = 1e-9; /* for rounding */
    const double radius = sqrt(2 * fmax(gap, 0)) * (1 + MARGIN);
    uint32_t left = 0;

    for (uint32_t c = 0; c < set->candidates; c++) {
        const uint32_t j = set->candidate[c];

        if (w[j] != 0 || !(fabs(v[j]) + radius * set->norm[j] < 1 - MARGIN))
            set->candidate[left++] = j;
    }
    set->candidates = left;
}

void working_set_restore(struct working_set *set)
{
    set->candidates = set->problem->data->features;
    for (uint32_t j = 0; j < set->candidates; j++)
        set->candidate[j] = j;
}

/* ---- Beginning and end -------------------------------------------------- */

/* How the columns of the model are stored. Sweeps read little else, and they need not be exact: a
 * rounded H changes the steps alone. */
static void choose_kinds(struct working_set *set)
{
    static const double LARGE = 1e15; /* or the inverse: weights far from the largest must fit, too */
    const struct problem *problem = set->problem;

    set->scaled.index_kind = problem->rows <= UINT16_MAX ? HINGE_INDEX_16 : HINGE_INDEX_32;
    set->scaled.value_kind = HINGE_VALUE_FLOAT;
    for (size_t j = 0; j < problem->data->features; j++)
        if (set->norm[j] != 0 && !(set->norm[j] >= 1 / LARGE && set->norm[j] <= LARGE))
            set->scaled.value_kind = HINGE_VALUE_DOUBLE;
}

enum hinge_status working_set_begin(struct working_set *set, const struct problem *problem,
                                    struct hinge_error *error)
{
    struct hinge_matrix *scaled = &set->scaled;
    size_t nonzeros = 0, most;

    set->problem = problem;
    for (uint32_t i = 0; i < problem->rows; i++)
        nonzeros += problem_length(problem, i);
    most = nonzeros + problem->rows + 1; /* with the bias, and one that is not counted */
    if (!(set->columns = transpose_new(problem->data, nonzeros, error)))
        return failure(error);
    transpose_fill(set->columns, problem->data, problem->row, problem->rows);
    working_set_restore(set);
    find_norms(set);
    choose_kinds(set);
    if (!(scaled->start = array_new(problem->data->features + (size_t)2, sizeof(size_t), error)) ||
        !(scaled->index = array_new(most, (size_t)1 << scaled->index_kind, error)) ||
        !(scaled->value = array_new(most, (size_t)1 << value_shift(scaled->value_kind), error))) {
        working_set_end(set);
        return failure(error);
    }
    return HINGE_OK;
}

void working_set_end(struct working_set *set)
{
    transpose_free(set->columns);
    free(set->scaled.start);
    free(set->scaled.index);
    free(set->scaled.value);
}
