/* working_set.c - priority_j = (1 - |v_j|) / norm_j: how far the dual point may move before feature
 * j can get a weight.
 *
 * Johnson and Guestrin (ICML 2015) and Massias, Gramfort and Salmon (ICML 2018) choose by this
 * priority.
 */
#include "solver/sparse/working_set.h"

#include <math.h>
#include <string.h>

#include "base/sum.h"

void working_set_lay_out(struct working_set *set, struct arena *arena,
                         const struct problem *problem)
{
    const size_t features = problem->data->features, rows = problem->rows;
    size_t most = rows + 1; /* entries of the model, including the bias and one beyond the last */

    for (uint32_t i = 0; i < rows; i++)
        most += problem_length(problem, i);
    /* data without indices: every row of the model has every feature, too */
    set->scaled.index_kind = problem->data->x.index_kind == HINGE_INDEX_NONE ? HINGE_INDEX_NONE
                             : rows <= UINT16_MAX                            ? HINGE_INDEX_16
                                                                             : HINGE_INDEX_32;
    set->member = arena_take(arena, features + 1, sizeof *set->member);
    set->signed_alpha = arena_take(arena, rows, sizeof *set->signed_alpha);
    set->row = arena_take(arena, rows, sizeof *set->row);
    set->place = arena_take(arena, rows, sizeof *set->place);
    set->root = arena_take(arena, rows, sizeof *set->root);
    set->key = arena_take(arena, features, sizeof *set->key);
    set->sorted = arena_take(arena, features, sizeof *set->sorted);
    set->scaled.start = arena_take(arena, features + 2, sizeof *set->scaled.start);
    if (set->scaled.index_kind != HINGE_INDEX_NONE)
        set->scaled.index = arena_take(arena, most, (size_t)1 << set->scaled.index_kind);
    set->scaled.value = arena_take(arena, most, sizeof(double)); /* or float */
    set->most = most;
}

/* ---- Columns ------------------------------------------------------------ */

/* Sets signed_alpha to y_i alpha_i, and returns the entry of the bias in their sum. */
static double add_signs(struct working_set *set, const double *alpha)
{
    const struct problem *problem = set->problem;
    struct sum sum = {0, 0};

    for (uint32_t i = 0; i < problem->rows; i++)
        set->signed_alpha[i] = problem->sign[i] * alpha[i];
    for (uint32_t i = 0; problem->bias_kind != BIAS_NONE && i < problem->rows; i++)
        sum_add(&sum, set->signed_alpha[i]);
    return problem->bias * sum_value(&sum);
}

/* Finds v_j of the features first .. end - 1 as a sum of sums of at most `most` entries. */
static void combine_range(const struct working_set *set, uint32_t first, uint32_t end, size_t most,
                          double *v)
{
    for (uint32_t j = first; j < end; j++) {
        const size_t start = set->columns->start[j], stop = set->columns->start[j + 1];
        double sum = 0;

        for (size_t k = start; k < stop; k += most) {
            const struct sparse x =
                sparse_slice(set->columns, j, k, stop - k < most ? stop : k + most);

            sum += sparse_dot(&x, set->signed_alpha);
        }
        v[j] = sum;
    }
}

void working_set_combine(struct working_set *set, const struct shards *shards, const double *alpha,
                         double *v)
{
    const struct problem *problem = set->problem;
    const double constant = add_signs(set, alpha);
    const size_t longest = shards->rows / shards->count + 1; /* a column has a sum per shard */

    combine_range(set, 0, problem->data->features, longest, v);
    if (problem->bias_kind != BIAS_NONE)
        v[problem->data->features] = constant;
}

void working_set_combine_some(struct working_set *set, const double *alpha, double factor,
                              double *v)
{
    const double constant = add_signs(set, alpha);

    for (size_t c = 0; c < set->count; c++) {
        const struct sparse x = sparse_row(set->columns, set->member[c]);

        v[c] = factor * sparse_dot(&x, set->signed_alpha);
    }
    if (set->problem->bias_kind != BIAS_NONE)
        v[set->count] = factor * constant;
}

void working_set_margins(const struct working_set *set, const double *u, double *z)
{
    const struct problem *problem = set->problem;
    const double bias = problem->bias_kind != BIAS_NONE ? problem->bias * u[set->count] : 0;

    memset(z, 0, problem->rows * sizeof *z);
    for (size_t c = 0; c < set->count; c++)
        if (u[c] != 0) {
            const struct sparse x = sparse_row(set->columns, set->member[c]);

            sparse_add(&x, u[c], z);
        }
    for (uint32_t i = 0; i < problem->rows; i++)
        z[i] = problem->sign[i] * (z[i] + bias);
}

/* Stores the entry of row i in a column of the model. */
static ALWAYS_INLINE void store_as(const struct working_set *set, enum hinge_value_kind kind,
                                   size_t at, uint32_t i, double value)
{
    if (kind == HINGE_VALUE_FLOAT)
        ((float *)set->scaled.value)[at] = (float)(value * set->root[i]);
    else
        ((double *)set->scaled.value)[at] = value * set->root[i];
}

/* Appends the entry of row i, if that row is in the model. */
static ALWAYS_INLINE size_t append(const struct working_set *set, size_t at, uint32_t i,
                                   double value)
{
    if (set->scaled.index_kind == HINGE_INDEX_16)
        ((uint16_t *)set->scaled.index)[at] = (uint16_t)set->place[i];
    else if (set->scaled.index_kind == HINGE_INDEX_32)
        ((uint32_t *)set->scaled.index)[at] = set->place[i];
    store_as(set, set->scaled.value_kind, at, i, value);
    return at + (set->root[i] > 0);
}

/* Stores a column that has an entry in every row. */
static ALWAYS_INLINE void store_whole_as(const struct working_set *set, const struct sparse *x,
                                         enum hinge_value_kind from, enum hinge_value_kind to,
                                         size_t rows, size_t at)
{
    for (size_t r = 0; r < rows; r++)
        store_as(set, to, at + r, set->row[r], value_as(x, from, set->row[r]));
}

static size_t append_column(const struct working_set *set, size_t at, const struct sparse *x,
                            size_t rows)
{
    if (x->index_kind != HINGE_INDEX_NONE) {
        for (size_t k = 0; k < x->count; k++)
            at = append(set, at, index_at(x, k), value_at(x, k));
        return at;
    }
    if (set->scaled.value_kind == HINGE_VALUE_FLOAT)
        WITH_VALUES(x, store_whole_as(set, x, KIND, HINGE_VALUE_FLOAT, rows, at));
    else
        WITH_VALUES(x, store_whole_as(set, x, KIND, HINGE_VALUE_DOUBLE, rows, at));
    return at + rows;
}

void working_set_model(struct working_set *set, const double *weight, struct column_lasso *by)
{
    const struct problem *problem = set->problem;
    struct hinge_matrix *to = &set->scaled;
    size_t rows = 0, at = 0;

    for (uint32_t i = 0; i < problem->rows; i++) {
        set->place[i] = (uint32_t)rows;
        set->row[rows] = i;
        set->root[i] = sqrt(weight[i]);
        rows += weight[i] > 0;
    }
    for (size_t c = 0; c < set->count; c++) {
        const struct sparse x = sparse_row(set->columns, set->member[c]);

        to->start[c] = at;
        at = append_column(set, at, &x, rows);
    }
    to->start[set->count] = at;
    to->rows = set->count;
    if (problem->bias_kind != BIAS_NONE) {
        for (size_t r = 0; r < rows; r++)
            at = append(set, at, set->row[r], problem->bias);
        to->start[++to->rows] = at;
    }
    to->nonzeros = at;
    by->columns = *to;
    by->rows = rows;
    by->lasso.order = to->rows;
    by->lasso.penalised = set->count + (problem->bias_kind == BIAS_REGULARISED);
}

/* ---- The choice --------------------------------------------------------- */

/* Returns the rank-th smallest number, from 0. Reorders the numbers. */
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

double working_set_median(struct working_set *set, const double *v)
{
    size_t count = 0;

    for (uint32_t j = 0; j < set->problem->data->features; j++)
        if (set->norm[j] > 0)
            set->sorted[count++] = fabs(v[j]);
    return count > 0 ? find_rank(set->sorted, count, count / 2) : 0;
}

void working_set_choose(struct working_set *set, size_t size, const double *w, const double *v,
                        double multiple)
{
    const uint32_t features = set->problem->data->features;
    double limit = HUGE_VAL;

    for (uint32_t j = 0; j < features; j++)
        set->key[j] = w[j] != 0           ? -HUGE_VAL
                      : set->norm[j] == 0 ? HUGE_VAL
                                          : (1 - fabs(multiple * v[j])) / set->norm[j];
    if (size < features) {
        memcpy(set->sorted, set->key, features * sizeof *set->key);
        limit = find_rank(set->sorted, features, size);
    }
    set->count = 0;
    for (uint32_t j = 0; j < features; j++)
        if (set->key[j] <= limit && set->key[j] < HUGE_VAL)
            set->member[set->count++] = j;
    set->member[set->count] = features;
}

/* ---- Beginning and end -------------------------------------------------- */

void working_set_begin(struct working_set *set, const struct problem *problem,
                       const struct column_cache *by)
{
    static const double LARGE = 1e15; /* floats leave room for weights far below the largest */

    set->problem = problem;
    set->columns = by->columns->x;
    set->norm = by->norm;
    set->count = 0;
    /* Sweeps read mostly the columns of the model, and a rounded H changes only the steps. */
    set->scaled.value_kind =
        by->most <= LARGE && by->least >= 1 / LARGE ? HINGE_VALUE_FLOAT : HINGE_VALUE_DOUBLE;
}
