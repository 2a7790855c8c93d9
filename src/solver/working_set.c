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

/* Beyond these a set is chosen: of all features, and non-zeros of a row on average. */
enum { MOST_ALL = 512, MOST_LENGTH = 128 };

/* Features of a set: 128 MiB for a matrix over them. */
enum { MOST = 4096 };

static int takes_all(const struct problem *problem)
{
    return problem_width(problem) <= MOST_ALL &&
           problem_nonzeros(problem) <= (double)MOST_LENGTH * problem->rows;
}

void working_set_lay_out(struct working_set *set, struct arena *arena,
                         const struct problem *problem)
{
    const size_t features = problem->data->features;

    if (takes_all(problem)) {
        set->most = 0;
        set->count = features;
        return;
    }
    set->most = features < MOST ? features : MOST;
    set->member = arena_take(arena, set->most + 1, sizeof *set->member);
    set->row = arena_take(arena, problem->rows, sizeof *set->row);
    set->candidate = arena_take(arena, features, sizeof *set->candidate);
    set->norm = arena_take(arena, features, sizeof *set->norm);
    set->signed_alpha = arena_take(arena, problem->rows, sizeof *set->signed_alpha);
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
    const struct problem *problem = set->whole;

    for (size_t j = 0; j < problem->data->features; j++) {
        const struct sparse x = column(set->columns, j);
        double square = 0;

        for (size_t k = 0; k < x.count; k++) {
            const double value = value_at(&x, k);

            square += loss_most_curvature(problem->loss, problem->cost[index_at(&x, k)]) * value *
                      value;
        }
        set->norm[j] = sqrt(square);
    }
}

void working_set_combine(struct working_set *set, const double *alpha, double *v)
{
    const struct problem *problem = set->whole;
    double sum = 0;

    for (uint32_t i = 0; i < problem->rows; i++)
        sum += set->signed_alpha[i] = problem->sign[i] * alpha[i];
    memset(v, 0, problem_width(problem) * sizeof *v);
    for (uint32_t c = 0; c < set->candidates; c++) {
        const struct sparse x = column(set->columns, set->candidate[c]);

        v[set->candidate[c]] = sparse_dot(&x, set->signed_alpha);
    }
    if (problem->bias_kind != BIAS_NONE)
        v[problem->data->features] = problem->bias * sum;
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

/* Copies the columns of the set, row by row. */
static void copy_columns(struct working_set *set)
{
    struct hinge_matrix *x = &set->data.x;
    size_t *next = x->start + 1;
    const size_t rows = x->rows;

    memset(x->start, 0, (rows + 2) * sizeof *x->start);
    for (size_t c = 0; c < set->count; c++) {
        const struct sparse its = column(set->columns, set->member[c]);

        for (size_t k = 0; k < its.count; k++)
            next[index_at(&its, k) + 1]++;
    }
    for (size_t i = 0; i < rows; i++)
        next[i + 1] += next[i];
    for (size_t c = 0; c < set->count; c++) {
        const struct sparse its = column(set->columns, set->member[c]);

        for (size_t k = 0; k < its.count; k++) {
            const size_t at = next[index_at(&its, k)]++;

            ((uint16_t *)x->index)[at] = (uint16_t)c;
            if (x->value_kind == HINGE_VALUE_DOUBLE)
                ((double *)x->value)[at] = ((const double *)its.value)[k];
            else if (x->value_kind != HINGE_VALUE_ONE)
                memcpy((char *)x->value + 4 * at, (const char *)its.value + 4 * k, 4);
        }
    }
    x->nonzeros = x->start[rows];
    set->data.features = (uint32_t)set->count;
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
    if (size > set->most)
        size = set->most;
    if (size < candidates) {
        memcpy(set->sorted, set->key, candidates * sizeof *set->key);
        limit = find_rank(set->sorted, candidates, size);
    }
    set->count = 0;
    for (uint32_t c = 0; c < candidates && set->count < set->most; c++)
        if (set->key[c] <= limit)
            set->member[set->count++] = set->candidate[c];
    set->member[set->count] = set->whole->data->features;
    copy_columns(set);
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
    set->candidates = set->whole->data->features;
    for (uint32_t j = 0; j < set->candidates; j++)
        set->candidate[j] = j;
}

/* ---- Beginning and end -------------------------------------------------- */

enum hinge_status working_set_begin(struct working_set *set, const struct problem *problem,
                                    struct hinge_error *error)
{
    const struct hinge_matrix *from = &problem->data->x;
    struct hinge_matrix *x = &set->data.x;
    size_t nonzeros = 0;

    set->problem = *problem;
    set->whole = problem;
    if (set->most == 0)
        return HINGE_OK;
    for (uint32_t i = 0; i < problem->rows; i++) {
        nonzeros += problem_length(problem, i);
        set->row[i] = i;
    }
    *x = (struct hinge_matrix){.rows = problem->rows,
                               .index_kind = HINGE_INDEX_16,
                               .value_kind = from->value_kind,
                               .scale = from->scale};
    /* one number more than other matrices have, as in transpose_fill */
    if (!(set->columns = transpose_new(problem->data, nonzeros, error)) ||
        !(x->start = array_new(problem->rows + (size_t)2, sizeof *x->start, error)) ||
        !(x->index = array_new(nonzeros, sizeof(uint16_t), error)) ||
        (x->value_kind != HINGE_VALUE_ONE &&
         !(x->value = array_new(
               nonzeros, x->value_kind == HINGE_VALUE_DOUBLE ? sizeof(double) : sizeof(float),
               error)))) {
        working_set_end(set);
        return failure(error);
    }
    transpose_fill(set->columns, problem->data, problem->row, problem->rows);
    set->problem.data = &set->data;
    set->problem.row = set->row;
    working_set_restore(set);
    find_norms(set);
    return HINGE_OK;
}

void working_set_end(struct working_set *set)
{
    transpose_free(set->columns);
    free(set->data.x.start);
    free(set->data.x.index);
    free(set->data.x.value);
}
