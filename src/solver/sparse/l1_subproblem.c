/* l1_subproblem.c - counts the entries of the features with a place, copies these entries with
 * their new indices, and appends the rows k e_j. */
#include "solver/sparse/l1_subproblem.h"

#include <float.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"

/* True if the value can be stored in x. */
static int is_value(const struct hinge_matrix *x, double value)
{
    const double whole = value * x->scale;

    switch (x->value_kind) {
    case HINGE_VALUE_ONE:
        return value == 1;
    case HINGE_VALUE_WHOLE:
        return fabs(whole) <= INT32_MAX && whole == floor(whole);
    case HINGE_VALUE_FLOAT:
        return fabs(value) <= FLT_MAX && (float)value == value;
    case HINGE_VALUE_DOUBLE:
        break;
    }
    return 1;
}

/* Appends an entry to the last row. */
static void put(struct hinge_matrix *x, uint32_t index, double value)
{
    const size_t at = x->nonzeros++;

    ((uint32_t *)x->index)[at] = index;
    if (x->value_kind == HINGE_VALUE_DOUBLE)
        ((double *)x->value)[at] = value;
    else if (x->value_kind == HINGE_VALUE_FLOAT)
        ((float *)x->value)[at] = (float)value;
    else if (x->value_kind == HINGE_VALUE_WHOLE)
        ((int32_t *)x->value)[at] = (int32_t)rint(value * x->scale);
}

/* Sets the sizes, and the smallest kind of values that also holds k and the constant feature, which
 * has the place `bias`. */
static void set_sizes(struct l1_subproblem *part, const struct problem *whole,
                      const uint32_t *place, double length, uint32_t bias)
{
    const size_t width = problem_width(whole);
    struct hinge_matrix *x = &part->data.x;

    x->index_kind = HINGE_INDEX_32;
    x->value_kind = whole->data->x.value_kind;
    x->scale = whole->data->x.scale;
    if (x->value_kind == HINGE_VALUE_ONE &&
        !(is_value(x, length) && (bias == LEFT_OUT || is_value(x, whole->bias))))
        x->value_kind = HINGE_VALUE_FLOAT;
    if (!is_value(x, length) || (bias != LEFT_OUT && !is_value(x, whole->bias)))
        x->value_kind = HINGE_VALUE_DOUBLE;
    for (size_t j = 0; j < width; j++)
        part->data.features += place[j] != LEFT_OUT;
    x->rows = whole->rows + 2 * (size_t)part->data.features;
    x->nonzeros = 2 * (size_t)part->data.features + (bias != LEFT_OUT ? whole->rows : 0);
    for (uint32_t i = 0; i < whole->rows; i++) {
        const struct sparse row = problem_row(whole, i);

        for (size_t k = 0; k < row.count; k++)
            x->nonzeros += place[index_at(&row, k)] != LEFT_OUT;
    }
}

static void lay_out(struct l1_subproblem *part, struct arena *arena)
{
    struct hinge_matrix *x = &part->data.x;
    const size_t rows = x->rows, kind = x->value_kind;

    x->start = arena_take(arena, rows + 1, sizeof *x->start);
    x->index = arena_take(arena, x->nonzeros, sizeof(uint32_t));
    x->value = kind == HINGE_VALUE_ONE
                   ? NULL
                   : arena_take(arena, x->nonzeros,
                                kind == HINGE_VALUE_DOUBLE ? sizeof(double) : sizeof(float));
    part->row = arena_take(arena, rows, sizeof *part->row);
    part->sign = arena_take(arena, rows, sizeof *part->sign);
    part->cost = arena_take(arena, rows, sizeof *part->cost);
    part->target = arena_take(arena, rows, sizeof *part->target);
    part->alpha = arena_take(arena, rows + 1, sizeof *part->alpha);
    part->w = arena_take(arena, part->data.features, sizeof *part->w);
}

/* Ends the last row, which gets this sign, cost, target and alpha. */
static void end_row(struct l1_subproblem *part, int sign, double cost, double target, double alpha)
{
    const uint32_t i = part->problem.rows++;

    part->data.x.start[i + 1] = part->data.x.nonzeros;
    part->row[i] = i;
    part->sign[i] = (signed char)sign;
    part->cost[i] = cost;
    part->target[i] = target;
    part->alpha[i] = alpha;
}

enum hinge_status l1_subproblem_new(struct l1_subproblem *part, const struct problem *whole,
                                    const uint32_t *place, const double *alpha, const double *v,
                                    struct hinge_error *error)
{
    const uint32_t bias = whole->bias_kind == BIAS_NONE ? LEFT_OUT : place[whole->data->features];
    struct arena arena = {NULL, 0, 0};
    struct hinge_matrix *x = &part->data.x;
    double costs = 0, length, cost;

    *part = (struct l1_subproblem){.problem = *whole};
    for (uint32_t i = 0; i < whole->rows; i++)
        costs += whole->cost[i];
    /* k is a power of two, so that c is about the mean cost */
    length =
        exp2(clamp(rint(log2(whole->l1 / fmax(costs / fmax(whole->rows, 1), DBL_MIN))), -20, 20));
    cost = whole->l1 / length;
    set_sizes(part, whole, place, length, bias);
    if (x->rows >= UINT32_MAX)
        return fail(error, HINGE_NO_MEMORY, "%lu rows", (unsigned long)x->rows);
    lay_out(part, &arena);
    if (!(part->block = arena_new(&arena, error)))
        return failure(error);
    lay_out(part, &arena);
    part->problem.data = &part->data;
    part->problem.rows = 0;
    part->problem.square = NULL;
    part->problem.columns = NULL;
    part->problem.trace_bound = 0;
    part->problem.row = part->row;
    part->problem.sign = part->sign;
    part->problem.cost = part->cost;
    part->problem.target = part->target;
    part->problem.loss = loss_with_targets(whole->loss);
    part->problem.l1 = 0;
    part->problem.bias_kind = BIAS_NONE;
    x->nonzeros = 0;
    for (uint32_t i = 0; i < whole->rows; i++) {
        const struct sparse row = problem_row(whole, i);

        for (size_t k = 0; k < row.count; k++)
            if (place[index_at(&row, k)] != LEFT_OUT)
                put(x, place[index_at(&row, k)], value_at(&row, k));
        if (bias != LEFT_OUT)
            put(x, bias, whole->bias);
        end_row(part, whole->sign[i], whole->cost[i], problem_target(whole, i, whole->loss),
                alpha[i]);
    }
    for (size_t j = 0; j < problem_width(whole); j++)
        for (int sign = 1; sign >= -1 && place[j] != LEFT_OUT; sign -= 2) {
            put(x, place[j], length);
            end_row(part, sign, cost, 0, fmin(positive_part(-sign * v[j] / length), cost));
        }
    return HINGE_OK;
}

void l1_subproblem_free(struct l1_subproblem *part)
{
    free(part->block);
}
