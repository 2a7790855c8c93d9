/* sums.c - sum = ((s_0 + s_1) + s_2) + ..., s_k the sum of shard k, each formed from 0. */
#include "problem/sums.h"

#include <string.h>

#include "base/parallel.h"
#include "base/sum.h"
#include "problem/class_loss.h"
#include "problem/outer.h"

/* ---- Shards ------------------------------------------------------------ */

enum { MOST_SHARDS = 64 };

/* Numbers of rows, entries and features, as double. */
struct sizes {
    double rows;
    double nonzeros;
    double features;
};

/* The largest power of 2, MOST_SHARDS at most, for which a shard has some rows, and so many
 * additions for each number of the sum that adding up the shards costs little beside them. */
static unsigned most_shards(struct sizes sizes, double additions, double fewest)
{
    enum { FEWEST_ROWS = 256 };
    unsigned count = 1;

    while (count < MOST_SHARDS && sizes.rows / (2 * count) >= FEWEST_ROWS &&
           additions / (2 * count) >= fewest)
        count *= 2;
    return count;
}

/* Whether X'WX may be formed of such data. */
static int is_narrow(struct sizes sizes)
{
    return sizes.features <= sizes.rows && sizes.features <= MOST_ORDER;
}

/* Where features are many, sums over few rows have a large share in a training: more shards cost
 * it little. */
static unsigned vector_shards(struct sizes sizes)
{
    enum { NARROW = 64, WIDE = 4 };

    return most_shards(sizes, sizes.nonzeros / fmax(sizes.features, 1),
                       is_narrow(sizes) ? NARROW : WIDE);
}

/* Additions for each number of X'WX, formed of all rows. */
static double product_additions(struct sizes sizes)
{
    const double width = fmax(sizes.features, 1);

    return sizes.nonzeros / width * (sizes.nonzeros / fmax(sizes.rows, 1) / width) / 2;
}

/* The number of parts that all sums divide the rows into, or into parts of these. Of X'WX they have
 * fewer additions than its shards: most of these sums are over few rows, and not divided. */
static unsigned count_parts(struct sizes sizes)
{
    enum { FEWEST = 4, MANY = 16, FEWEST_OF_MORE = 1024 };
    const unsigned vectors = vector_shards(sizes);
    const double additions = product_additions(sizes);
    const unsigned most = most_shards(sizes, additions, FEWEST);
    const unsigned more = most_shards(sizes, additions, FEWEST_OF_MORE);
    const unsigned parts = most <= MANY ? most : more > MANY ? more : MANY;

    return is_narrow(sizes) && parts < vectors ? parts : vectors;
}

/* Of X'WX over rows with so many additions. */
static unsigned product_shards(struct sizes sizes, double work, double length)
{
    enum { FEWEST = 64, FEW = 16 };
    const unsigned parts = count_parts(sizes), shards = most_shards(sizes, work / length, FEWEST);

    if (work < FEW * length)
        return 1;
    return shards > parts ? shards : parts;
}

struct shards shards_of(const struct problem *problem, enum summed what, double work, size_t length)
{
    const struct hinge_dataset *data = problem->whole ? problem->whole : problem->data;
    const struct hinge_matrix *x = &data->x;
    const struct sizes sizes = {(double)x->rows, (double)x->nonzeros, data->features};

    return (struct shards){.row = problem->whole ? problem->whole_row : problem->row,
                           .rows = (uint32_t)x->rows,
                           .count = what == SUM_OF_VECTORS
                                        ? vector_shards(sizes)
                                        : product_shards(sizes, work, (double)length),
                           .length = length,
                           .order = what == SUM_OF_PRODUCTS ? problem_width(problem) : 0,
                           .work = work,
                           .row_room = 4 * problem->classes};
}

void shards_use_threads(struct shards *shards, unsigned threads)
{
    static const double LITTLE = 2e5; /* additions, some tenth of a millisecond */

    shards->threads = shards->work < LITTLE ? 1 : threads;
}

/* The first place of the selection that is in shard k or a later one. */
static uint32_t place_of_shard(const struct shards *shards, struct selection rows, unsigned k)
{
    const uint32_t limit = (uint32_t)((uint64_t)shards->rows * k / shards->count);
    uint32_t low = k < shards->count ? 0 : rows.count, high = k > 0 ? rows.count : 0;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (shards->row[selected(&rows, middle)] < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A sum at work. */
struct run {
    const struct shards *shards;
    struct selection rows;
    shard_function *add;
    void *context;
    double *vector;
    double scalars[MOST_SHARDS][MOST_SCALARS];
    unsigned char is_empty[MOST_SHARDS];
};

/* Where a thread sums a vector. */
static double *partial_of(const struct run *run, unsigned thread)
{
    const struct shards *shards = run->shards;

    return run->vector && shards->count > 1 ? shards->partial + thread * shards->length
                                            : run->vector;
}

/* Where the numbers of line i of a sum begin that are summed; a vector has one line. */
static size_t line_begin(const struct shards *shards, size_t i)
{
    return i * shards->order + i;
}

static size_t line_end(const struct shards *shards, size_t i)
{
    return shards->order > 0 ? (i + 1) * shards->order : shards->length;
}

static size_t lines(const struct shards *shards)
{
    return shards->order > 0 ? shards->order : 1;
}

static void clear_sum(const struct shards *shards, double *sum)
{
    for (size_t i = 0; i < lines(shards); i++)
        memset(sum + line_begin(shards, i), 0,
               (line_end(shards, i) - line_begin(shards, i)) * sizeof *sum);
}

static void add_sum(const struct shards *shards, const double *partial, double *sum)
{
    for (size_t i = 0; i < lines(shards); i++)
        for (size_t j = line_begin(shards, i); j < line_end(shards, i); j++)
            sum[j] += partial[j];
}

static void sum_shard(void *context, size_t k, unsigned thread)
{
    struct run *run = context;
    const struct shards *shards = run->shards;
    const struct shard shard = {place_of_shard(shards, run->rows, (unsigned)k),
                                place_of_shard(shards, run->rows, (unsigned)k + 1), run->scalars[k],
                                partial_of(run, thread),
                                shards->room ? shards->room + thread * shards->row_room : NULL};

    memset(shard.scalars, 0, sizeof run->scalars[k]);
    run->is_empty[k] = shard.first == shard.end;
    if (run->is_empty[k])
        return;
    if (shard.vector != run->vector)
        clear_sum(shards, shard.vector);
    run->add(run->context, &shard);
}

/* Once the shards before it have been added. */
static void add_shard(void *context, size_t k, unsigned thread)
{
    const struct run *run = context;
    const double *partial = partial_of(run, thread);

    if (!run->is_empty[k] && partial != run->vector)
        add_sum(run->shards, partial, run->vector);
}

void sums_run(const struct shards *shards, struct selection rows, shard_function *add,
              void *context, double *scalars, double *vector)
{
    struct run run;

    run.shards = shards;
    run.rows = rows;
    run.add = add;
    run.context = context;
    run.vector = vector;
    parallel_run(shards->threads, shards->count, sum_shard, vector ? add_shard : NULL, &run);
    for (size_t j = 0; scalars && j < MOST_SCALARS; j++) {
        scalars[j] = 0;
        for (unsigned k = 0; k < shards->count; k++)
            scalars[j] += run.is_empty[k] ? 0 : run.scalars[k][j];
    }
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

static void add_combination(void *context, const struct shard *shard)
{
    const struct weighted_sum *sum = context;

    sums_combine_some(sum->problem, sum->rows, sum->weight + shard->first, sum->factor,
                      shard->first, shard->end, shard->vector);
}

static void add_outer_products(void *context, const struct shard *shard)
{
    const struct weighted_sum *sum = context;
    const size_t classes = sum->problem->classes;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const struct sparse x = problem_row(sum->problem, selected(&sum->rows, s));

        problem_add_outer(sum->problem, &x, sum->weight + s * classes, shard->vector);
    }
}

void sums_combine(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *alpha, double factor, double *v)
{
    struct weighted_sum sum = {problem, rows, alpha, factor, NULL, NULL};

    sums_run(shards, rows, problem->classes > 0 ? add_outer_products : add_combination, &sum, NULL,
             v);
}

static void add_hessian(void *context, const struct shard *shard)
{
    const struct weighted_sum *sum = context;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const struct sparse x = problem_row(sum->problem, selected(&sum->rows, s));
        const double dot = problem_dot(sum->problem, &x, sum->p);

        problem_add(sum->problem, &x, sum->weight[s] * dot, shard->vector);
    }
}

void sums_hessian(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *weight, const double *p, double *product)
{
    struct weighted_sum sum = {problem, rows, weight, 1, p, NULL};

    sums_run(shards, rows, add_hessian, &sum, NULL, product);
}

static void add_outer(void *context, const struct shard *shard)
{
    static const double LONG = 1e7; /* additions, a few milliseconds */
    const struct weighted_sum *sum = context;
    const struct problem *problem = sum->problem;
    const size_t width = problem_width(problem);
    struct outer some = {.constant = problem->bias,
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
        if (problem_is_paged(problem) &&
            !pages_has(&problem->data->x, problem->row[selected(&sum->rows, s)])) {
            outer_add(&some, matrix, width); /* finding this row may move those */
            some.count = 0;
        }
        some.x[some.count] = problem_row(problem, selected(&sum->rows, s));
        some.weight[some.count++] = sum->weight[s];
        if (some.count == OUTER_ROWS || s + 1 == shard->end) {
            outer_add(&some, matrix, width);
            some.count = 0;
        }
    }
}

void sums_outer(const struct shards *shards, const struct problem *problem, struct selection rows,
                const double *weight, const struct stop *stop, double *matrix)
{
    struct weighted_sum sum = {problem, rows, weight, 1, NULL, stop};

    sums_run(shards, rows, add_outer, &sum, NULL, matrix);
}

static void add_squares(void *context, const struct shard *shard)
{
    const struct weighted_sum *sum = context;
    const double bias = sum->problem->bias;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const struct sparse x = problem_row(sum->problem, selected(&sum->rows, s));

        for (size_t k = 0; k < x.count; k++)
            shard->vector[index_at(&x, k)] += sum->weight[s] * value_at(&x, k) * value_at(&x, k);
        if (sum->problem->bias_kind != BIAS_NONE)
            shard->vector[sum->problem->data->features] += sum->weight[s] * bias * bias;
    }
}

void sums_squares(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *weight, double *diagonal)
{
    struct weighted_sum sum = {problem, rows, weight, 1, NULL, NULL};

    sums_run(shards, rows, add_squares, &sum, NULL, diagonal);
}

/* ---- Margins, and sums of what depends on them -------------------------- */

/* The problem without its first rows, of which margins need no more than this. */
static struct problem problem_from(const struct problem *problem, uint32_t first)
{
    struct problem part = *problem;

    part.row += first;
    if (part.classes == 0)
        part.sign += first;
    return part;
}

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

/* Margins at work, by blocks of rows. */
struct margins_run {
    const struct problem *problem;
    struct selection rows;
    const double *v;
    double *z;
    uint32_t block;
};

static void find_margins(void *context, size_t block, unsigned thread)
{
    const struct margins_run *run = context;
    const uint32_t first = (uint32_t)block * run->block;
    const uint32_t rest = run->rows.count - first;
    const struct selection some = {run->rows.row ? run->rows.row + first : NULL,
                                   rest < run->block ? rest : run->block};
    struct problem part = *run->problem;

    (void)thread;
    if (!some.row)
        part = problem_from(run->problem, first);
    if (part.classes > 0)
        class_margins(&part, some, run->v, run->z + first * part.classes);
    else
        WITH_ROWS(some, margins(&part, ROWS, run->v, run->z + first));
}

void sums_margins(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *v, double *z)
{
    enum { BLOCKS = 16 }; /* for each thread: rows are of different lengths */
    const uint32_t blocks = shards->threads > 1 ? BLOCKS * shards->threads : 1;
    struct margins_run run = {problem, rows, v, z, rows.count / blocks + 1};

    parallel_run(shards->threads, rows.count / run.block + 1, find_margins, NULL, &run);
}

/* The point that sums over all rows are taken at. */
struct point {
    const struct problem *problem;
    const double *w;
    const double *alpha;
    double *z; /* [rows] where the margins are left; NULL: nowhere */
};

enum { SOME_ROWS = 256 }; /* rows whose margins are computed before their terms are */

/* The margins of rows first .. end - 1. */
static void margins_of_some(const struct point *point, uint32_t first, uint32_t end, double *z)
{
    const struct problem part = problem_from(point->problem, first);

    margins(&part, (struct selection){NULL, end - first}, point->w, z);
}

static ALWAYS_INLINE void add_terms_as(const struct point *point, uint32_t first, uint32_t end,
                                       double *scalars, enum loss loss)
{
    struct sum value = {0, 0}, conjugate = {0, 0};
    double some[SOME_ROWS] = {0}, gap = 0;

    for (uint32_t start = first, stop; start < end; start = stop) {
        double *z = point->z ? point->z + start : some;

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
static void add_class_terms(const struct point *point, const struct shard *shard)
{
    double *const scalars = shard->scalars;
    const struct problem *problem = point->problem;
    const size_t k = problem->classes;
    struct sum value = {0, 0}, conjugate = {0, 0};
    double *const z = shard->room;

    for (uint32_t i = shard->first; i < shard->end; i++) {
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

static void add_terms(void *context, const struct shard *shard)
{
    const struct point *point = context;

    if (point->problem->classes > 0) {
        add_class_terms(point, shard);
        return;
    }
    WITH_LOSS(point->problem->loss,
              add_terms_as(point, shard->first, shard->end, shard->scalars, LOSS));
}

struct row_terms sums_terms(const struct shards *shards, const struct problem *problem,
                            const double *w, const double *alpha)
{
    return sums_terms_margins(shards, problem, w, alpha, NULL);
}

struct row_terms sums_terms_margins(const struct shards *shards, const struct problem *problem,
                                    const double *w, const double *alpha, double *z)
{
    struct point point = {problem, w, alpha, z};
    double scalars[MOST_SCALARS];

    sums_run(shards, all_rows(problem), add_terms, &point, scalars, NULL);
    return (struct row_terms){scalars[0], scalars[1], scalars[2]};
}

static void add_conjugates(void *context, const struct shard *shard)
{
    const struct point *point = context;
    const enum loss loss = point->problem->loss;
    const size_t k = point->problem->classes;
    struct sum total = {0, 0};

    for (uint32_t i = shard->first; i < shard->end; i++)
        sum_add(&total,
                k > 0 ? class_conjugate(loss, k, point->problem->cost[i],
                                        point->problem->class_of[i], point->alpha + i * k)
                      : loss_conjugate(loss, point->problem->cost[i],
                                       problem_target(point->problem, i, loss), point->alpha[i]));
    shard->scalars[0] += sum_value(&total);
}

double sums_conjugates(const struct shards *shards, const struct problem *problem,
                       const double *alpha)
{
    struct point point = {problem, NULL, alpha, NULL};
    double scalars[MOST_SCALARS];

    sums_run(shards, all_rows(problem), add_conjugates, &point, scalars, NULL);
    return scalars[0];
}

/* Of rows first .. end - 1, z[end - first]. */
static ALWAYS_INLINE void violations_as(const struct problem *problem, const double *z,
                                        const double *alpha, uint32_t first, uint32_t end,
                                        struct violations *violations, enum loss loss)
{
    for (uint32_t i = first; i < end; i++) {
        const double scale = loss_scale(loss, problem->cost[i]);
        const double slack = problem_target(problem, i, loss) - z[i - first];
        const double violation = loss_violation(loss, scale, alpha[i], slack);

        violations->largest = violation > violations->largest ? violation : violations->largest;
        violations->smallest = violation < violations->smallest ? violation : violations->smallest;
        violations->total += fabs(violation);
    }
}

struct violations sums_violations_at(const struct problem *problem, const double *z,
                                     const double *alpha)
{
    struct violations violations = {-HUGE_VAL, HUGE_VAL, 0};

    WITH_LOSS(problem->loss, violations_as(problem, z, alpha, 0, problem->rows, &violations, LOSS));
    return violations;
}

static struct violations row_violations(const struct point *point)
{
    struct violations violations = {-HUGE_VAL, HUGE_VAL, 0};
    const struct problem *problem = point->problem;
    double z[SOME_ROWS];

    for (uint32_t start = 0, stop; start < problem->rows; start = stop) {
        stop = problem->rows - start < SOME_ROWS ? problem->rows : start + SOME_ROWS;
        margins_of_some(point, start, stop, z);
        WITH_LOSS(problem->loss,
                  violations_as(problem, z, point->alpha, start, stop, &violations, LOSS));
    }
    return violations;
}

/* With classes, of the hinge: none is negative. */
static struct violations class_violations(const struct point *point, double *room)
{
    const struct problem *problem = point->problem;
    const size_t k = problem->classes;
    struct violations violations = {0, 0, 0};

    for (uint32_t i = 0; i < problem->rows; i++) {
        const struct sparse x = problem_row(problem, i);
        double violation;

        problem_dots(problem, &x, point->w, room);
        singer_gains(k, room, problem->class_of[i], room);
        violation =
            singer_violation(k, problem->cost[i], room, problem->class_of[i], point->alpha + i * k);
        violations.largest = fmax(violations.largest, violation);
        violations.total += violation;
    }
    return violations;
}

struct violations sums_violations(const struct shards *shards, const struct problem *problem,
                                  const double *w, const double *alpha)
{
    const struct point point = {problem, w, alpha, NULL};

    return problem->classes > 0 ? class_violations(&point, shards->room) : row_violations(&point);
}
