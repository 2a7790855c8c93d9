/* sums.c - sum = ((s_0 + s_1) + s_2) + ..., s_k the sum of shard k, each formed from 0. */
#include "problem/sums.h"

#include <string.h>

#include "base/sum.h"
#include "problem/class_loss.h"

/* ---- Shards ------------------------------------------------------------ */

struct shards shards_of(const struct problem *problem, double work, size_t length)
{
    enum { MOST = 64, FEWEST_ROWS = 256, FEWEST_ADDITIONS = 64 };
    struct shards shards = {problem->rows, 1, length, NULL, NULL};

    while (shards.count < MOST && problem->rows / (2 * shards.count) >= FEWEST_ROWS &&
           work / (2 * shards.count) >= FEWEST_ADDITIONS * (double)length)
        shards.count *= 2;
    return shards;
}

/* The first place of the selection that is in shard k or a later one. */
static uint32_t place_of_shard(const struct shards *shards, struct selection rows, unsigned k)
{
    const uint32_t limit = (uint32_t)((uint64_t)shards->rows * k / shards->count);
    uint32_t low = 0, high = rows.count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (selected(&rows, middle) < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void sums_run(const struct shards *shards, struct selection rows, shard_function *add,
              void *context, double *scalars, double *vector)
{
    double total[MOST_SCALARS] = {0};
    double *partial = vector && shards->count > 1 ? shards->partial : vector;

    for (unsigned k = 0; k < shards->count; k++) {
        const uint32_t first = place_of_shard(shards, rows, k);
        const uint32_t end = place_of_shard(shards, rows, k + 1);
        double some[MOST_SCALARS] = {0};

        if (first == end)
            continue;
        if (partial != vector)
            memset(partial, 0, shards->length * sizeof *partial);
        add(context, first, end, some, partial);
        for (size_t j = 0; j < MOST_SCALARS; j++)
            total[j] += some[j];
        for (size_t j = 0; partial != vector && j < shards->length; j++)
            vector[j] += partial[j];
    }
    if (scalars)
        memcpy(scalars, total, sizeof total);
}

/* ---- Vectors ----------------------------------------------------------- */

/* Which alpha are 0 is as good as random, and would be mispredicted: those that are not are
 * gathered first, without a branch. */
static ALWAYS_INLINE void combine_some(const struct problem *problem, struct selection rows,
                                       const double *alpha, double factor, uint32_t first,
                                       uint32_t end, double *v)
{
    enum { BLOCK = 256 };
    uint32_t member[BLOCK] = {0};
    double change[BLOCK] = {0};

    for (uint32_t s = first; s < end;) {
        uint32_t members = 0;

        for (const uint32_t stop = end - s < BLOCK ? end : s + BLOCK; s < stop; s++) {
            member[members] = selected(&rows, s);
            change[members] = factor * problem->sign[member[members]] * alpha[s - first];
            members += change[members] != 0;
        }
        for (uint32_t k = 0; k < members; k++) {
            const struct sparse x = problem_row(problem, member[k]);

            problem_add(problem, &x, change[k], v);
        }
    }
}

void sums_combine_some(const struct problem *problem, struct selection rows, const double *alpha,
                       double factor, uint32_t first, uint32_t end, double *v)
{
    WITH_ROWS(rows, combine_some(problem, ROWS, alpha, factor, first, end, v));
}

/* What the sums of vectors are over. */
struct weighted_sum {
    const struct problem *problem;
    struct selection rows;
    const double *weight;
    double factor;
    const double *p;
    const struct stop *stop;
};

static void add_combination(void *context, uint32_t first, uint32_t end, double *scalars,
                            double *vector)
{
    const struct weighted_sum *sum = context;

    (void)scalars;
    sums_combine_some(sum->problem, sum->rows, sum->weight + first, sum->factor, first, end,
                      vector);
}

static void add_outer_products(void *context, uint32_t first, uint32_t end, double *scalars,
                               double *vector)
{
    const struct weighted_sum *sum = context;
    const size_t classes = sum->problem->classes;

    (void)scalars;
    for (uint32_t s = first; s < end; s++) {
        const struct sparse x = problem_row(sum->problem, selected(&sum->rows, s));

        problem_add_outer(sum->problem, &x, sum->weight + s * classes, vector);
    }
}

void sums_combine(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *alpha, double factor, double *v)
{
    struct weighted_sum sum = {problem, rows, alpha, factor, NULL, NULL};

    sums_run(shards, rows, problem->classes > 0 ? add_outer_products : add_combination, &sum, NULL,
             v);
}

static void add_hessian(void *context, uint32_t first, uint32_t end, double *scalars,
                        double *vector)
{
    const struct weighted_sum *sum = context;

    (void)scalars;
    for (uint32_t s = first; s < end; s++) {
        const struct sparse x = problem_row(sum->problem, selected(&sum->rows, s));
        const double dot = problem_dot(sum->problem, &x, sum->p);

        problem_add(sum->problem, &x, sum->weight[s] * dot, vector);
    }
}

void sums_hessian(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *weight, const double *p, double *product)
{
    struct weighted_sum sum = {problem, rows, weight, 1, p, NULL};

    sums_run(shards, rows, add_hessian, &sum, NULL, product);
}

static void add_outer(void *context, uint32_t first, uint32_t end, double *scalars, double *matrix)
{
    static const double LONG = 1e7; /* additions, a few milliseconds */
    const struct weighted_sum *sum = context;
    const size_t width = problem_width(sum->problem);
    const double bias = sum->problem->bias;
    double additions = 0;

    (void)scalars;
    for (uint32_t s = first; s < end; s++) {
        const struct sparse x = problem_row(sum->problem, selected(&sum->rows, s));
        const double weight = sum->weight[s];

        additions += (double)x.count * (double)x.count / 2;
        if (additions > LONG) {
            if (stop_is_asked(sum->stop))
                return;
            additions = 0;
        }
        sparse_outer(&x, weight, matrix, width);
        if (sum->problem->bias_kind == BIAS_NONE)
            continue;
        for (size_t k = 0; k < x.count; k++)
            matrix[(index_at(&x, k) + 1) * width - 1] += weight * value_at(&x, k) * bias;
        matrix[width * width - 1] += weight * bias * bias;
    }
}

void sums_outer(const struct shards *shards, const struct problem *problem, struct selection rows,
                const double *weight, const struct stop *stop, double *matrix)
{
    struct weighted_sum sum = {problem, rows, weight, 1, NULL, stop};

    sums_run(shards, rows, add_outer, &sum, NULL, matrix);
}

static void add_squares(void *context, uint32_t first, uint32_t end, double *scalars,
                        double *vector)
{
    const struct weighted_sum *sum = context;
    const double bias = sum->problem->bias;

    (void)scalars;
    for (uint32_t s = first; s < end; s++) {
        const struct sparse x = problem_row(sum->problem, selected(&sum->rows, s));

        for (size_t k = 0; k < x.count; k++)
            vector[index_at(&x, k)] += sum->weight[s] * value_at(&x, k) * value_at(&x, k);
        if (sum->problem->bias_kind != BIAS_NONE)
            vector[sum->problem->data->features] += sum->weight[s] * bias * bias;
    }
}

void sums_squares(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *weight, double *diagonal)
{
    struct weighted_sum sum = {problem, rows, weight, 1, NULL, NULL};

    sums_run(shards, rows, add_squares, &sum, NULL, diagonal);
}

/* ---- Margins, and sums of what depends on them -------------------------- */

static ALWAYS_INLINE void margins(const struct problem *problem, struct selection rows,
                                  const double *v, double *z)
{
    uint32_t last = UINT32_MAX;
    double dot = 0;

    for (uint32_t s = 0; s < rows.count; s++) {
        const uint32_t i = selected(&rows, s);

        if (problem->row[i] != last) { /* of a regression two rows that follow are the same */
            const struct sparse x = problem_row(problem, i);

            dot = problem_dot(problem, &x, v);
            last = problem->row[i];
        }
        z[s] = problem->sign[i] * dot;
    }
}

static void class_margins(const struct problem *problem, struct selection rows, const double *v,
                          double *z)
{
    for (uint32_t s = 0; s < rows.count; s++) {
        const struct sparse x = problem_row(problem, selected(&rows, s));

        problem_dots(problem, &x, v, z + s * problem->classes);
    }
}

void sums_margins(const struct problem *problem, struct selection rows, const double *v, double *z)
{
    if (problem->classes > 0)
        class_margins(problem, rows, v, z);
    else
        WITH_ROWS(rows, margins(problem, ROWS, v, z));
}

/* The point that sums over all rows are taken at. */
struct point {
    const struct problem *problem;
    const double *w;
    const double *alpha;
    double *room; /* of the shards */
};

enum { SOME_ROWS = 256 }; /* rows whose margins are computed before their terms are */

/* The margins of rows first .. end - 1. */
static void margins_of_some(const struct point *point, uint32_t first, uint32_t end, double *z)
{
    struct problem part = *point->problem;

    part.row += first;
    part.sign += first; /* margins have no targets */
    margins(&part, (struct selection){NULL, end - first}, point->w, z);
}

static ALWAYS_INLINE void add_terms_as(const struct point *point, uint32_t first, uint32_t end,
                                       double *scalars, enum loss loss)
{
    struct sum value = {0, 0}, conjugate = {0, 0};
    double z[SOME_ROWS], gap = 0;

    for (uint32_t start = first, stop; start < end; start = stop) {
        stop = end - start < SOME_ROWS ? end : start + SOME_ROWS;
        margins_of_some(point, start, stop, z);
        for (uint32_t i = start; i < stop; i++) {
            const double cost = point->problem->cost[i];
            const double target = problem_target(point->problem, i, loss);
            const double slack = target - z[i - start];

            sum_add(&value, loss_value(loss, cost, slack));
            if (!point->alpha)
                continue;
            sum_add(&conjugate, loss_conjugate(loss, cost, target, point->alpha[i]));
            gap += loss_gap(loss, loss_scale(loss, cost), point->alpha[i], slack);
        }
    }
    scalars[0] += sum_value(&value);
    scalars[1] += sum_value(&conjugate);
    scalars[2] += gap;
}

/* The same with classes. */
static void add_class_terms(const struct point *point, uint32_t first, uint32_t end,
                            double *scalars)
{
    const struct problem *problem = point->problem;
    const size_t k = problem->classes;
    struct sum value = {0, 0}, conjugate = {0, 0};
    double *const z = point->room;

    for (uint32_t i = first; i < end; i++) {
        const struct sparse x = problem_row(problem, i);
        struct class_terms terms;

        problem_dots(problem, &x, point->w, z);
        terms = class_terms(problem->loss, k, problem->cost[i], z, problem->class_of[i],
                            point->alpha ? point->alpha + i * k : NULL);
        sum_add(&value, terms.value);
        sum_add(&conjugate, terms.conjugate);
        scalars[2] += terms.gap;
    }
    scalars[0] += sum_value(&value);
    scalars[1] += sum_value(&conjugate);
}

static void add_terms(void *context, uint32_t first, uint32_t end, double *scalars, double *vector)
{
    const struct point *point = context;

    (void)vector;
    if (point->problem->classes > 0) {
        add_class_terms(point, first, end, scalars);
        return;
    }
    WITH_LOSS(point->problem->loss, add_terms_as(point, first, end, scalars, LOSS));
}

struct row_terms sums_terms(const struct shards *shards, const struct problem *problem,
                            const double *w, const double *alpha)
{
    struct point point = {problem, w, alpha, shards->room};
    double scalars[MOST_SCALARS];

    sums_run(shards, all_rows(problem), add_terms, &point, scalars, NULL);
    return (struct row_terms){scalars[0], scalars[1], scalars[2]};
}

static void add_conjugates(void *context, uint32_t first, uint32_t end, double *scalars,
                           double *vector)
{
    const struct point *point = context;
    const enum loss loss = point->problem->loss;
    const size_t k = point->problem->classes;
    struct sum total = {0, 0};

    (void)vector;
    for (uint32_t i = first; i < end; i++)
        sum_add(&total,
                k > 0 ? class_conjugate(loss, k, point->problem->cost[i],
                                        point->problem->class_of[i], point->alpha + i * k)
                      : loss_conjugate(loss, point->problem->cost[i],
                                       problem_target(point->problem, i, loss), point->alpha[i]));
    scalars[0] += sum_value(&total);
}

double sums_conjugates(const struct shards *shards, const struct problem *problem,
                       const double *alpha)
{
    struct point point = {problem, NULL, alpha, NULL};
    double scalars[MOST_SCALARS];

    sums_run(shards, all_rows(problem), add_conjugates, &point, scalars, NULL);
    return scalars[0];
}

static ALWAYS_INLINE struct violations violations_as(const struct point *point, enum loss loss)
{
    struct violations violations = {-HUGE_VAL, HUGE_VAL, 0};
    const uint32_t rows = point->problem->rows;
    double z[SOME_ROWS];

    for (uint32_t start = 0, stop; start < rows; start = stop) {
        stop = rows - start < SOME_ROWS ? rows : start + SOME_ROWS;
        margins_of_some(point, start, stop, z);
        for (uint32_t i = start; i < stop; i++) {
            const double scale = loss_scale(loss, point->problem->cost[i]);
            const double slack = problem_target(point->problem, i, loss) - z[i - start];
            const double violation = loss_violation(loss, scale, point->alpha[i], slack);

            violations.largest = fmax(violations.largest, violation);
            violations.smallest = fmin(violations.smallest, violation);
            violations.total += fabs(violation);
        }
    }
    return violations;
}

/* With classes, of the hinge: none is negative. */
static struct violations class_violations(const struct point *point)
{
    const struct problem *problem = point->problem;
    const size_t k = problem->classes;
    struct violations violations = {0, 0, 0};

    for (uint32_t i = 0; i < problem->rows; i++) {
        const struct sparse x = problem_row(problem, i);
        double violation;

        problem_dots(problem, &x, point->w, point->room);
        singer_gains(k, point->room, problem->class_of[i], point->room);
        violation = singer_violation(k, problem->cost[i], point->room, problem->class_of[i],
                                     point->alpha + i * k);
        violations.largest = fmax(violations.largest, violation);
        violations.total += violation;
    }
    return violations;
}

struct violations sums_violations(const struct shards *shards, const struct problem *problem,
                                  const double *w, const double *alpha)
{
    const struct point point = {problem, w, alpha, shards->room};
    struct violations violations;

    if (problem->classes > 0)
        return class_violations(&point);
    WITH_LOSS(problem->loss, violations = violations_as(&point, LOSS));
    return violations;
}
