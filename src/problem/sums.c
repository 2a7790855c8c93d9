/* sums.c - the sums over rows: what each shard adds. */
#include "problem/sums.h"

#include "base/sum.h"
#include "problem/class_loss.h"
#include "problem/gram.h"
#include "problem/loss_rows.h"

/* ---- Vectors ----------------------------------------------------------- */

/* v += the sum of change[k] x_i with i = member[k]. Overwrites member. */
static ALWAYS_INLINE void add_members(const struct problem *problem, uint32_t *member,
                                      const double *change, uint32_t members, double *v)
{
    const struct hinge_matrix *x = &problem->data->x;

    if (!has_whole_rows(x)) {
        for (uint32_t k = 0; k < members; k++) {
            const struct sparse row = problem_row(problem, member[k]);

            problem_add(problem, &row, change[k], v);
        }
        return;
    }
    for (uint32_t k = 0; k < members; k++)
        member[k] = problem->row[member[k]];
    whole_rows_add(x, member, members, change, v);
    for (uint32_t k = 0; problem->bias_kind != BIAS_NONE && k < members; k++)
        v[problem->data->features] += change[k] * problem->bias;
}

/* Adds the rows with alpha not 0. Branches on alpha would be mispredicted, so these rows are listed
 * first without a branch. */
static ALWAYS_INLINE void combine_some(const struct problem *problem, struct selection rows,
                                       const double *alpha, double factor, uint32_t first,
                                       uint32_t end, double *v)
{
    uint32_t member[ROWS_AT_ONCE];
    double change[ROWS_AT_ONCE];

    for (uint32_t s = first; s < end;) {
        uint32_t members = 0;

        for (const uint32_t stop = block_end(s, end); s < stop; s++) {
            member[members] = s;
            members += alpha[s - first] != 0 ? 1 : 0; /* ?: for the static analyser */
        }
        for (uint32_t k = 0; k < members; k++) {
            const uint32_t place = member[k];

            member[k] = selected(&rows, place);
            change[k] = factor * problem->sign[member[k]] * alpha[place - first];
        }
        add_members(problem, member, change, members, v);
    }
}

void sums_combine_some(const struct problem *problem, struct selection rows, const double *alpha,
                       double factor, uint32_t first, uint32_t end, double *v)
{
    WITH_ROWS(rows, combine_some(problem, ROWS, alpha, factor, first, end, v));
}

/* The arrays that sums over rows read and write. Each sum uses some of them. */
struct row_sum {
    const struct problem *problem;
    struct selection rows;
    const double *weight; /* [rows.count], with classes for each class: weights or alpha */
    double factor;
    const double *w; /* [width] */
    double *z;       /* [rows.count] gets the margins of w; NULL: not wanted */
    const struct stop *stop;
};

static void add_combination(void *context, const struct shard *shard)
{
    const struct row_sum *sum = context;

    sums_combine_some(sum->problem, sum->rows, sum->weight + shard->first, sum->factor,
                      shard->first, shard->end, shard->vector);
}

static void add_outer_products(void *context, const struct shard *shard)
{
    const struct row_sum *sum = context;
    const size_t classes = sum->problem->classes;

    if (!sum->rows.row) {
        problem_rows_add_outer(sum->problem, shard->first, shard->end - shard->first,
                               sum->weight + shard->first * classes, shard->vector);
        return;
    }
    for (uint32_t s = shard->first; s < shard->end; s++) {
        const struct sparse x = problem_row(sum->problem, selected(&sum->rows, s));

        problem_add_outer(sum->problem, &x, sum->weight + s * classes, shard->vector);
    }
}

void sums_combine(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *alpha, double factor, double *v)
{
    struct row_sum sum = {.problem = problem, .rows = rows, .weight = alpha, .factor = factor};

    sums_run(shards, rows, problem->classes > 0 ? add_outer_products : add_combination, &sum, NULL,
             v);
}

void sums_form(const struct shards *shards, const struct problem *problem, const double *alpha,
               double factor, double *v)
{
    memset(v, 0, problem_width(problem) * sizeof *v);
    sums_combine(shards, problem, all_rows(problem), alpha, factor, v);
}

static void add_outer(void *context, const struct shard *shard)
{
    static const double LONG = 1e7; /* additions, a few milliseconds */
    const struct row_sum *sum = context;
    const struct problem *problem = sum->problem;
    const size_t width = problem_width(problem);
    struct gram_rows some = {.constant = problem->bias,
                             .has_constant = problem->bias_kind != BIAS_NONE};
    double *const matrix = shard->vector;
    double additions = 0;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const size_t length = problem_length(problem, selected(&sum->rows, s));

        additions += (double)length * (double)length / 2;
        if (additions > LONG) {
            if (stop_is_asked(sum->stop))
                return;
            additions = 0;
        }
        if (some.count > 0 && problem_is_paged(problem) &&
            !pages_has(&problem->data->x, problem->row[selected(&sum->rows, s)])) {
            gram_add(&some, matrix, width); /* finding this row may overwrite the rows in `some` */
            some.count = 0;
        }
        some.x[some.count] = problem_row(problem, selected(&sum->rows, s));
        some.weight[some.count++] = sum->weight[s];
        if (some.count == GRAM_ROWS || s + 1 == shard->end) {
            gram_add(&some, matrix, width);
            some.count = 0;
        }
    }
}

void sums_outer(const struct shards *shards, const struct problem *problem, struct selection rows,
                const double *weight, const struct stop *stop, double *matrix)
{
    struct row_sum sum = {.problem = problem, .rows = rows, .weight = weight, .stop = stop};

    sums_run(shards, rows, add_outer, &sum, NULL, matrix);
}

void sums_add_squares(const struct problem *problem, uint32_t i, double weight, double *diagonal)
{
    const struct sparse x = problem_row(problem, i);

    sparse_add_squares(&x, weight, diagonal);
    if (problem->bias_kind != BIAS_NONE)
        diagonal[problem->data->features] += weight * problem->bias * problem->bias;
}

static void add_squares(void *context, const struct shard *shard)
{
    const struct row_sum *sum = context;

    for (uint32_t s = shard->first; s < shard->end; s++)
        sums_add_squares(sum->problem, selected(&sum->rows, s), sum->weight[s], shard->vector);
}

void sums_squares(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *weight, double *diagonal)
{
    struct row_sum sum = {.problem = problem, .rows = rows, .weight = weight};

    sums_run(shards, rows, add_squares, &sum, NULL, diagonal);
}

/* ---- Margins, and sums of what depends on them -------------------------- */

/* Returns the problem without its first rows, as far as margins need it. */
static struct problem problem_from(const struct problem *problem, uint32_t first)
{
    struct problem part = *problem;

    part.row += first;
    if (part.classes == 0)
        part.sign += first;
    return part;
}

/* Computes the margins of rows without indices. */
static ALWAYS_INLINE void whole_margins(const struct problem *problem, struct selection rows,
                                        const double *v, double *z)
{
    const int has_bias = problem->bias_kind != BIAS_NONE;
    const double constant = has_bias ? problem->bias * v[problem->data->features] : 0;
    uint32_t list[ROWS_AT_ONCE];

    for (uint32_t first = 0, end; first < rows.count; first = end) {
        const uint32_t *row = rows.row ? list : problem->row + first;

        end = block_end(first, rows.count);
        for (uint32_t s = first; rows.row && s < end; s++)
            list[s - first] = problem->row[rows.row[s]];
        whole_rows_dot(&problem->data->x, row, end - first, v, z + first);
        for (uint32_t s = first; s < end; s++)
            z[s] = problem->sign[selected(&rows, s)] * (has_bias ? z[s] + constant : z[s]);
    }
}

static ALWAYS_INLINE void row_margins(const struct problem *problem, struct selection rows,
                                      const double *v, double *z)
{
    uint32_t last = UINT32_MAX;
    double dot = 0;

    if (has_whole_rows(&problem->data->x) && problem_views(problem) == 1) {
        whole_margins(problem, rows, v, z);
        return;
    }
    for (uint32_t s = 0; s < rows.count; s++) {
        const uint32_t i = selected(&rows, s);

        if (problem->row[i] != last) { /* for regression, two rows have the same x */
            const struct sparse x = problem_row(problem, i);

            dot = problem_dot(problem, &x, v);
            last = problem->row[i];
        }
        z[s] = problem->sign[i] * dot;
    }
}

static void find_margins(void *context, uint32_t first, uint32_t end)
{
    const struct row_sum *sum = context;
    const uint32_t *row = sum->rows.row;
    const struct selection some = {row ? row + first : NULL, end - first};
    const struct problem part = row ? *sum->problem : problem_from(sum->problem, first);
    double *z = sum->z + first * problem_outputs(sum->problem);

    if (part.classes == 0)
        WITH_ROWS(some, row_margins(&part, ROWS, sum->w, z));
    else if (!row)
        problem_rows_dots(&part, 0, some.count, sum->w, z);
    for (uint32_t s = 0; part.classes > 0 && row && s < some.count; s++) {
        const struct sparse x = problem_row(&part, some.row[s]);

        problem_dots(&part, &x, sum->w, z + s * part.classes);
    }
}

void sums_margins(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *v, double *z)
{
    const struct own_rows own = own_places(problem, rows);
    struct row_sum sum = {.problem = problem, .rows = rows, .w = v, .z = z};

    places_run(shards, own.first, own.end, find_margins, &sum);
}

void sums_margins_some(const struct problem *problem, const double *v, uint32_t first, uint32_t end,
                       double *z)
{
    const struct problem part = problem_from(problem, first);

    row_margins(&part, (struct selection){NULL, end - first}, v, z);
}

/* ---- Hessian times vector ----------------------------------------------- */

/* Rows without indices are added so few at a time that they are still in the cache for the second
 * product. */
static void add_hessian(void *context, const struct shard *shard)
{
    enum { FEW = 4 };
    const struct row_sum *sum = context;
    const struct problem *problem = sum->problem;
    const int is_whole = has_whole_rows(&problem->data->x);
    const int waits = is_whole && whole_rows_wait(&problem->data->x);
    uint32_t member[FEW];
    double change[FEW];

    for (uint32_t s = shard->first; s < shard->end && !is_whole; s++) {
        const struct sparse x = problem_row(problem, selected(&sum->rows, s));
        const double dot = problem_dot(problem, &x, sum->w);

        problem_add(problem, &x, sum->weight[s] * dot, shard->vector);
    }
    for (uint32_t s = shard->first, count; s < shard->end && is_whole; s += count) {
        count = shard->end - s < FEW ? shard->end - s : FEW;
        for (uint32_t k = 0; k < count; k++)
            member[k] = selected(&sum->rows, s + k);
        for (uint32_t k = s + count; waits && k < shard->end && k < s + count + FEW; k++) {
            const struct sparse later = problem_row(problem, selected(&sum->rows, k));

            sparse_prefetch(&later, SIZE_MAX);
        }
        whole_margins(problem, (struct selection){member, count}, sum->w, change);
        for (uint32_t k = 0; k < count; k++)
            change[k] *= problem->sign[member[k]] * sum->weight[s + k];
        add_members(problem, member, change, count, shard->vector);
    }
}

void sums_hessian(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *weight, const double *p, double *product)
{
    struct row_sum sum = {.problem = problem, .rows = rows, .weight = weight, .w = p};

    sums_run(shards, rows, add_hessian, &sum, NULL, product);
}

static void add_row_terms(void *context, const struct shard *shard)
{
    const struct row_sum *point = context;
    const struct problem *problem = point->problem;
    const double *targets = loss_has_targets(problem->loss) ? problem->target : NULL;
    struct sum total_value = {0, 0}, total_conjugate = {0, 0};
    double some[ROWS_AT_ONCE] = {0}, room[ROWS_AT_ONCE], total_gap = 0;
    double value[ROWS_AT_ONCE], conjugate[ROWS_AT_ONCE], gap[ROWS_AT_ONCE];

    for (uint32_t first = shard->first, count; first < shard->end; first += count) {
        const double *alpha = point->weight ? point->weight + first : NULL;
        double *z = point->z ? point->z + first : some;

        count = block_end(first, shard->end) - first;
        sums_margins_some(problem, point->w, first, first + count, z);
        if (alpha && shard->vector) /* the rows are in the cache */
            sums_combine_some(problem, all_rows(problem), alpha, 1, first, first + count,
                              shard->vector);
        loss_rows_terms(problem->loss, count, problem_costs(problem, first, count, room),
                        targets ? targets + first : NULL, z, alpha, value, conjugate, gap);
        sum_add_all(&total_value, value, count);
        if (alpha) {
            sum_add_all(&total_conjugate, conjugate, count);
            total_gap += dense_sum(gap, count);
        }
    }
    shard->scalars[0] += sum_value(&total_value);
    shard->scalars[1] += sum_value(&total_conjugate);
    shard->scalars[2] += total_gap;
}

static void add_class_terms(void *context, const struct shard *shard)
{
    const struct row_sum *point = context;
    double *const scalars = shard->scalars;
    const struct problem *problem = point->problem;
    const size_t k = problem->classes;
    struct sum value = {0, 0}, conjugate = {0, 0};
    double *const z = shard->room;

    for (uint32_t i = shard->first, count; i < shard->end; i += count) {
        count = shard->end - i < ROWS_TOGETHER ? shard->end - i : ROWS_TOGETHER;
        problem_rows_dots(problem, i, count, point->w, z);
        for (uint32_t row = i; row < i + count; row++) {
            const struct row_terms terms =
                class_terms(problem->loss, k, problem_cost(problem, row), z + (row - i) * k,
                            problem->class_of[row], point->weight ? point->weight + row * k : NULL);

            sum_add(&value, terms.value);
            sum_add(&conjugate, terms.conjugate);
            scalars[2] += terms.gap;
        }
        if (point->weight && shard->vector)
            problem_rows_add_outer(problem, i, count, point->weight + i * k, shard->vector);
    }
    scalars[0] += sum_value(&value);
    scalars[1] += sum_value(&conjugate);
}

struct row_terms sums_terms(const struct shards *shards, const struct problem *problem,
                            const double *w, const double *alpha, double *z, double *v)
{
    struct row_sum point = {.problem = problem, .weight = alpha, .w = w, .z = z};
    double scalars[MOST_SCALARS];

    sums_run(shards, all_rows(problem), problem->classes > 0 ? add_class_terms : add_row_terms,
             &point, scalars, v);
    return (struct row_terms){scalars[0], scalars[1], scalars[2]};
}

static void add_conjugates(void *context, const struct shard *shard)
{
    const struct row_sum *point = context;
    const struct problem *problem = point->problem;
    const size_t k = problem->classes;
    struct sum total = {0, 0};
    double cost[ROWS_AT_ONCE], some[ROWS_AT_ONCE];

    for (uint32_t i = shard->first; k > 0 && i < shard->end; i++)
        sum_add(&total, class_conjugate(problem->loss, k, problem_cost(problem, i),
                                        problem->class_of[i], point->weight + i * k));
    for (uint32_t i = shard->first, count; k == 0 && i < shard->end; i += count) {
        count = block_end(i, shard->end) - i;
        loss_rows_conjugates(problem->loss, count, problem_costs(problem, i, count, cost),
                             loss_has_targets(problem->loss) ? problem->target + i : NULL,
                             point->weight + i, some);
        sum_add_all(&total, some, count);
    }
    shard->scalars[0] += sum_value(&total);
}

double sums_conjugates(const struct shards *shards, const struct problem *problem,
                       const double *alpha)
{
    struct row_sum point = {.problem = problem, .weight = alpha};
    double scalars[MOST_SCALARS];

    sums_run(shards, all_rows(problem), add_conjugates, &point, scalars, NULL);
    return scalars[0];
}
