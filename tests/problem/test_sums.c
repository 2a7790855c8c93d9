/* test_sums.c - compares sums over rows with plain loops in long double, over all rows and over
 * some, in one shard and in several. Any thread or rank that adds the shards in their order has the
 * same bits.
 */
#include "problem/sums.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

static const struct stop nobody = {NULL, NULL};

/* ---- Vectors --------------------------------------------------------------- */

/* A sum in long double, and the size of its terms. */
struct slow {
    size_t length;
    long double *sum;
    long double *size;
};

static void slow_new(struct slow *slow, size_t length, const double *start)
{
    slow->length = length;
    slow->sum = sample_room(length, sizeof *slow->sum);
    slow->size = sample_room(length, sizeof *slow->size);
    for (size_t j = 0; j < length; j++) {
        slow->sum[j] = start[j];
        slow->size[j] = fabs(start[j]);
    }
}

static void slow_add(struct slow *slow, size_t j, long double term, long double size)
{
    slow->sum[j] += term;
    slow->size[j] += fabsl(size);
}

/* Checks a sum up to rounding, which grows with the rows of a shard and the number of shards. */
static void slow_check(struct slow *slow, const double *fast, uint32_t rows)
{
    const long double relative = DBL_EPSILON * (8 + (long double)rows / 8);

    for (size_t j = 0; j < slow->length; j++)
        if (!(fabsl(fast[j] - slow->sum[j]) <= relative * slow->size[j]))
            fail_msg("entry %lu of a sum over %lu rows: %.17g, not %.17g", (unsigned long)j,
                     (unsigned long)rows, fast[j], (double)slow->sum[j]);
    free(slow->sum);
    free(slow->size);
}

/* Computes row i, with the constant feature last. */
static void dense_row(const struct sample *sample, uint32_t i, double *x)
{
    const struct hinge_matrix *data = &sample->random.data.x;
    const size_t row = sample->problem.row[i];

    memset(x, 0, sample->width * sizeof *x);
    for (size_t k = data->start[row]; k < data->start[row + 1]; k++)
        x[hinge_index(data, k)] = hinge_value(data, k);
    if (sample->problem.bias_kind != BIAS_NONE)
        x[sample->width - 1] = sample->problem.bias;
}

static double *gathered(struct selection rows, const double *of_row)
{
    double *some = sample_room(rows.count, sizeof *some);

    for (uint32_t s = 0; s < rows.count; s++)
        some[s] = of_row[selected(&rows, s)];
    return some;
}

static void check_combine(const struct sample *sample, struct selection rows)
{
    const struct problem *problem = &sample->problem;
    double *alpha = gathered(rows, sample->factor), x[64];
    double *v = sample_room(sample->width, sizeof *v),
           *part = sample_room(sample->width, sizeof *v);
    const uint32_t first = rows.count / 3, end = rows.count - rows.count / 4;
    struct slow slow, slow_part;

    memcpy(v, sample->w, sample->width * sizeof *v);
    memcpy(part, sample->w, sample->width * sizeof *v);
    slow_new(&slow, sample->width, v);
    slow_new(&slow_part, sample->width, v);
    sums_combine(&sample->shards, problem, rows, alpha, -0.3, v);
    sums_combine_some(problem, rows, alpha + first, -0.3, first, end, part);
    for (uint32_t s = 0; s < rows.count; s++) {
        const uint32_t i = selected(&rows, s);

        dense_row(sample, i, x);
        for (size_t j = 0; j < sample->width; j++) {
            const long double term = -0.3L * alpha[s] * problem->sign[i] * x[j];

            slow_add(&slow, j, term, term);
            if (s >= first && s < end)
                slow_add(&slow_part, j, term, term);
        }
    }
    slow_check(&slow, v, rows.count);
    slow_check(&slow_part, part, rows.count);
    free(alpha);
    free(part);
    free(v);
}

static void test_combinations(void **state)
{
    (void)state;
    sample_each(check_combine);
}

static void check_margins(const struct sample *sample, struct selection rows)
{
    const struct problem *problem = &sample->problem;
    double *z = sample_room((size_t)rows.count + 1, sizeof *z), x[64];

    z[rows.count] = 7;
    sums_margins(&sample->shards, problem, rows, sample->w, z);
    assert_true(z[rows.count] == 7);
    for (uint32_t s = 0; s < rows.count; s++) {
        const uint32_t i = selected(&rows, s);
        long double slow = 0, size = 0;

        dense_row(sample, i, x);
        for (size_t j = 0; j < sample->width; j++) {
            slow += problem->sign[i] * (long double)x[j] * sample->w[j];
            size += fabs(x[j] * sample->w[j]);
        }
        assert_true(fabsl(z[s] - slow) <= 8 * DBL_EPSILON * size);
        assert_true(z[s] == problem->sign[i] * problem_decision(problem, i, sample->w));
    }
    free(z);
}

static void test_margins(void **state)
{
    (void)state;
    sample_each(check_margins);
}

static void check_hessian(const struct sample *sample, struct selection rows)
{
    double *weight = gathered(rows, sample->factor), x[64];
    double *product = sample_room(sample->width, sizeof *product);
    struct slow slow;

    for (size_t j = 0; j < sample->width; j++)
        product[j] = (double)j;
    slow_new(&slow, sample->width, product);
    sums_hessian(&sample->shards, &sample->problem, rows, weight, sample->w, product);
    for (uint32_t s = 0; s < rows.count; s++) {
        long double dot = 0, size = 0;

        dense_row(sample, selected(&rows, s), x);
        for (size_t j = 0; j < sample->width; j++) {
            dot += (long double)x[j] * sample->w[j];
            size += fabs(x[j] * sample->w[j]);
        }
        for (size_t j = 0; j < sample->width; j++)
            slow_add(&slow, j, weight[s] * dot * x[j], weight[s] * size * x[j]);
    }
    slow_check(&slow, product, rows.count);
    free(weight);
    free(product);
}

static void test_hessian_products(void **state)
{
    (void)state;
    sample_each(check_hessian);
}

/* Checks sums of outer products. The matrix below the diagonal is unchanged. The sum has shards of
 * its own, because its length is width^2. */
static void check_outer(const struct sample *sample, struct selection rows)
{
    const size_t width = sample->width, length = width * width;
    double *weight = gathered(rows, sample->factor), x[64];
    double *matrix = sample_room(length, sizeof *matrix);
    struct shards shards =
        sample_shards(&sample->problem, SUM_OF_PRODUCTS, length, 1e4 * (double)length);
    struct slow slow;

    assert_int_equal(shards.order, width);
    assert_int_equal(shards.count > 1, sample->problem.rows >= 512);
    for (size_t k = 0; k < length; k++)
        matrix[k] = k % width < k / width ? -5 : sin((double)k);
    slow_new(&slow, length, matrix);
    sums_outer(&shards, &sample->problem, rows, weight, &nobody, matrix);
    for (size_t k = 0; k < length; k++)
        if (k % width < k / width) {
            assert_true(matrix[k] == -5);
        }
    for (uint32_t s = 0; s < rows.count; s++) {
        dense_row(sample, selected(&rows, s), x);
        for (size_t j = 0; j < width; j++)
            for (size_t k = j; x[j] != 0 && k < width; k++) {
                const long double term = (long double)weight[s] * x[j] * x[k];

                slow_add(&slow, j * width + k, term, term);
            }
    }
    slow_check(&slow, matrix, rows.count);
    free(shards.partial);
    free(weight);
    free(matrix);
}

static void test_outer_products(void **state)
{
    (void)state;
    sample_each(check_outer);
}

static void check_squares(const struct sample *sample, struct selection rows)
{
    double *weight = gathered(rows, sample->factor), x[64];
    double *diagonal = sample_room(sample->width, sizeof *diagonal);
    struct slow slow;

    for (size_t j = 0; j < sample->width; j++)
        diagonal[j] = (double)j;
    slow_new(&slow, sample->width, diagonal);
    sums_squares(&sample->shards, &sample->problem, rows, weight, diagonal);
    for (uint32_t s = 0; s < rows.count; s++) {
        dense_row(sample, selected(&rows, s), x);
        for (size_t j = 0; j < sample->width; j++) {
            const long double term = (long double)weight[s] * x[j] * x[j];

            slow_add(&slow, j, term, term);
        }
    }
    slow_check(&slow, diagonal, rows.count);
    free(weight);
    free(diagonal);
}

static void test_squares(void **state)
{
    (void)state;
    sample_each(check_squares);
}

/* ---- The same bits ---------------------------------------------------------- */

/* Returns shards for `threads` threads, with work that is enough for them. */
static struct shards shards_with(const struct sample *sample, enum summed what, size_t length,
                                 unsigned threads)
{
    struct shards shards = shards_of(&sample->problem, what, 1e4 * (double)length, length);

    shards.threads = threads;
    shards.work = shards.over * 1e9;
    assert_int_equal(shards_threads(&shards, 1), threads);
    shards.partial = sample_room(threads * length, sizeof(double));
    return shards;
}

static double *all_sums(const struct sample *sample, struct selection rows, unsigned threads)
{
    const struct problem *problem = &sample->problem;
    const size_t width = sample->width;
    const struct shards shards = shards_with(sample, SUM_OF_VECTORS, width, threads);
    const struct shards large = shards_with(sample, SUM_OF_PRODUCTS, width * width, threads);
    double *sums = sample_room((3 + width) * width + rows.count + 4, sizeof *sums);
    double *weight = gathered(rows, sample->factor);
    double *scalars = sums + (3 + width) * width + rows.count;
    struct row_terms terms;

    sums_combine(&shards, problem, rows, weight, 0.7, sums);
    sums_hessian(&shards, problem, rows, weight, sample->w, sums + width);
    sums_squares(&shards, problem, rows, weight, sums + 2 * width);
    sums_outer(&large, problem, rows, weight, &nobody, sums + 3 * width);
    sums_margins(&shards, problem, rows, sample->w, sums + (3 + width) * width);
    terms = sums_terms(&shards, problem, sample->w, sample->alpha, NULL, NULL);
    scalars[0] = terms.value;
    scalars[1] = terms.conjugate;
    scalars[2] = terms.gap;
    scalars[3] = sums_conjugates(&shards, problem, sample->alpha);
    free(weight);
    free(shards.partial);
    free(large.partial);
    return sums;
}

static void check_threads(const struct sample *sample, struct selection rows)
{
    const size_t count = (3 + sample->width) * sample->width + rows.count + 4;
    double *one = all_sums(sample, rows, 1);

    for (unsigned threads = 2; threads <= 8; threads += 3) {
        double *other = all_sums(sample, rows, threads);

        assert_memory_equal(one, other, count * sizeof *one);
        free(other);
    }
    free(one);
}

static void test_threads_sum_to_the_same_bits(void **state)
{
    (void)state;
    sample_each(check_threads);
}

/* Checks that all rows give the same bits with and without a list. */
static void check_same_bits(const struct sample *sample, struct selection rows)
{
    const struct selection listed = {sample->list, rows.count};
    const size_t count = (3 + sample->width) * sample->width + rows.count + 4;
    double *one, *other;

    if (rows.row || rows.count == 0)
        return;
    one = all_sums(sample, rows, 1);
    other = all_sums(sample, listed, 1);
    assert_memory_equal(one, other, count * sizeof *one);
    free(one);
    free(other);
}

static void test_list_of_all_rows_has_the_same_bits(void **state)
{
    (void)state;
    sample_each(check_same_bits);
}

/* Sums shard by shard, as another thread or rank would: each shard is a view of its rows, summed
 * from 0. Then the shards are added in order. */
static void check_parts(const struct sample *sample, struct selection rows)
{
    const struct shards *shards = &sample->shards;
    const size_t width = sample->width, bytes = width * sizeof(double);
    const struct shards one = {.rows = sample->problem.rows, .count = 1, .length = width};
    double *v, *sum, *part, value = 0, gap = 0;
    struct row_terms whole;

    if (rows.row || rows.count == 0)
        return;
    v = sample_room(width, sizeof *v);
    sum = sample_room(width, sizeof *sum);
    part = sample_room(width, sizeof *part);
    sums_combine(shards, &sample->problem, rows, sample->factor, 0.7, v);
    whole = sums_terms(shards, &sample->problem, sample->w, sample->alpha, NULL, NULL);
    for (unsigned k = 0; k < shards->count; k++) {
        uint32_t first = 0, end = sample->problem.rows;
        struct problem view = sample->problem;
        struct row_terms some;

        while (sample_shard(shards, first) < k)
            first++;
        while (end > first && sample_shard(shards, end - 1) > k)
            end--;

        view.rows = end - first;
        view.row += first;
        view.sign += first;
        view.cost += first;
        memset(part, 0, bytes);
        sums_combine(&one, &view, all_rows(&view), sample->factor + first, 0.7, part);
        for (size_t j = 0; j < width; j++)
            sum[j] += part[j];
        some = sums_terms(&(struct shards){.rows = view.rows, .count = 1, .length = width}, &view,
                          sample->w, sample->alpha + first, NULL, NULL);
        value += some.value;
        gap += some.gap;
    }
    assert_memory_equal(v, sum, bytes);
    assert_true(value == whole.value && gap == whole.gap);
    free(v);
    free(sum);
    free(part);
}

/* Answers "stop" from question `first` on. */
struct question {
    int asked;
    int last;
};

static int count_questions(const void *context)
{
    struct question *question = *(struct question *const *)context;

    return ++question->asked >= question->last;
}

/* The sum of products asks for a stop if rows have many features, and omits the rows after it. */
static void test_long_sum_of_products_can_be_stopped(void **state)
{
    enum { ROWS = 100, WIDTH = 1000 };
    struct question question = {0, INT_MAX}, *asked = &question;
    const struct stop stop = {count_questions, &asked};
    struct hinge_dataset data = {.features = WIDTH};
    struct problem problem = {.data = &data, .rows = ROWS};
    struct shards shards = {.rows = ROWS, .count = 1, .length = (size_t)WIDTH * WIDTH};
    uint16_t *index = sample_room((size_t)ROWS * WIDTH, sizeof *index);
    double *value = sample_room((size_t)ROWS * WIDTH, sizeof *value),
           *weight = sample_room(ROWS, sizeof *weight);
    double *matrix = sample_room((size_t)WIDTH * WIDTH, sizeof *matrix);
    uint32_t row[ROWS];
    size_t start[ROWS + 1];

    (void)state;
    for (size_t i = 0; i <= ROWS; i++)
        start[i] = i * WIDTH;
    for (uint32_t i = 0; i < ROWS; i++) {
        row[i] = i;
        weight[i] = 1;
    }
    for (size_t k = 0; k < (size_t)ROWS * WIDTH; k++) {
        index[k] = (uint16_t)(k % WIDTH);
        value[k] = 1;
    }
    data.x = (struct hinge_matrix){.rows = ROWS,
                                   .nonzeros = (size_t)ROWS * WIDTH,
                                   .start = start,
                                   .index_kind = HINGE_INDEX_16,
                                   .value_kind = HINGE_VALUE_DOUBLE,
                                   .index = index,
                                   .value = value};
    problem.row = row;
    sums_outer(&shards, &problem, all_rows(&problem), weight, &stop, matrix);
    assert_true(question.asked >= 2 && matrix[0] == ROWS);
    matrix[0] = 0;
    question = (struct question){0, 2};
    sums_outer(&shards, &problem, all_rows(&problem), weight, &stop, matrix);
    assert_int_equal(question.asked, 2);
    assert_true(matrix[0] > 0 && matrix[0] < ROWS);
    free(index);
    free(value);
    free(weight);
    free(matrix);
}

static void test_parts_add_up_to_the_same_bits(void **state)
{
    (void)state;
    sample_each(check_parts);
}

/* ---- Sums over all rows ------------------------------------------------------ */

/* The terms that row i adds to P and D, its margin, and their magnitude. */
struct row {
    long double value;
    long double conjugate;
    long double a;
    long double z;
    long double size;
};

static struct row measure_row(const struct sample *sample, uint32_t i)
{
    const enum loss loss = sample->problem.loss;
    const long double cost = sample->cost[i], a = sample->alpha[i];
    struct row row = {.a = a};
    long double slack, length = 1;
    double x[64];

    dense_row(sample, i, x);
    for (size_t j = 0; j < sample->width; j++) {
        row.z += sample->problem.sign[i] * (long double)x[j] * sample->w[j];
        length += fabs(x[j] * sample->w[j]);
    }
    slack = row.z < 1 ? 1 - row.z : 0;
    row.value = cost * (loss == LOSS_HINGE ? slack : slack * slack);
    row.conjugate = (loss == LOSS_HINGE ? 0 : a * a / (4 * cost)) - a;
    row.size = loss == LOSS_HINGE ? (cost + a) * length
                                  : cost * length * length + a * length + a * a / cost;
    return row;
}

static void check_terms(const struct sample *sample, struct selection rows)
{
    const struct problem *problem = &sample->problem;
    const struct shards *shards = &sample->shards;
    struct row_terms terms, value;
    long double primal = 0, dual = 0, gap = 0, size = 0;

    if (rows.row || rows.count == 0)
        return;
    terms = sums_terms(shards, problem, sample->w, sample->alpha, NULL, NULL);
    value = sums_terms(shards, problem, sample->w, NULL, NULL, NULL);
    for (uint32_t i = 0; i < problem->rows; i++) {
        const struct row row = measure_row(sample, i);

        primal += row.value;
        dual += row.conjugate;
        gap += row.value + row.conjugate + row.a * row.z;
        size += row.size;
    }
    assert_true(fabsl(terms.value - primal) <= 16 * DBL_EPSILON * size);
    assert_true(fabsl(terms.conjugate - dual) <= 16 * DBL_EPSILON * size);
    assert_true(fabsl(terms.gap - gap) <= 64 * DBL_EPSILON * size);
    assert_true(terms.gap >= 0);
    assert_true(value.value == terms.value && value.conjugate == 0 && value.gap == 0);
    assert_true(sums_conjugates(shards, problem, sample->alpha) == terms.conjugate);
}

static void test_terms_of_the_objectives(void **state)
{
    (void)state;
    sample_each(check_terms);
}

/* A sum of a hundred thousand terms is as exact as its largest term. */
static void test_terms_are_compensated(void **state)
{
    enum { ROWS = 100000 };
    struct sample sample;
    struct shards one;
    struct row_terms terms;
    long double costs = 0;

    (void)state;
    sample_new(&sample, ROWS, 2, 1, BIAS_NONE, LOSS_HINGE);
    memset(sample.w, 0, sample.width * sizeof *sample.w);
    sample.cost[0] = 1e9;
    for (uint32_t i = 0; i < ROWS; i++) {
        sample.alpha[i] = sample.cost[i];
        costs += sample.cost[i];
    }
    one = (struct shards){.rows = ROWS, .count = 1, .length = sample.width};
    terms = sums_terms(&one, &sample.problem, sample.w, sample.alpha, NULL, NULL);
    assert_true(fabsl(terms.value - costs) <= DBL_EPSILON * costs);
    assert_true(fabsl(terms.conjugate + costs) <= DBL_EPSILON * costs);
    assert_true(sums_conjugates(&one, &sample.problem, sample.alpha) == terms.conjugate);
    sample_free(&sample);
}

/* Checks that the sums of terms also return the margins and the sum of rows, with the same bits as
 * these alone. */
static void check_what_terms_leave(const struct sample *sample, struct selection rows)
{
    const struct problem *problem = &sample->problem;
    struct row_terms terms, same;
    double *z, *left, *v, *combined;

    if (rows.row || rows.count == 0)
        return;
    z = sample_room(problem->rows, sizeof *z);
    left = sample_room(problem->rows, sizeof *left);
    v = sample_room(sample->width, sizeof *v);
    combined = sample_room(sample->width, sizeof *combined);
    terms = sums_terms(&sample->shards, problem, sample->w, sample->alpha, NULL, NULL);
    sums_margins(&sample->shards, problem, all_rows(problem), sample->w, z);
    for (size_t j = 0; j < sample->width; j++)
        v[j] = combined[j] = (double)j;
    sums_combine(&sample->shards, problem, all_rows(problem), sample->alpha, 1, v);
    same = sums_terms(&sample->shards, problem, sample->w, sample->alpha, left, combined);
    assert_memory_equal(z, left, problem->rows * sizeof *z);
    assert_memory_equal(v, combined, sample->width * sizeof *v);
    assert_true(same.value == terms.value && same.conjugate == terms.conjugate &&
                same.gap == terms.gap);
    free(z);
    free(left);
    free(v);
    free(combined);
}

static void test_terms_leave_margins_and_sums(void **state)
{
    (void)state;
    sample_each(check_what_terms_leave);
}

static void test_no_rows_have_no_terms(void **state)
{
    struct sample sample;
    struct row_terms terms;

    (void)state;
    sample_new(&sample, 3, 4, 2, BIAS_REGULARISED, LOSS_HINGE);
    sample.problem.rows = 0;
    terms = sums_terms(&sample.shards, &sample.problem, sample.w, sample.alpha, NULL, NULL);
    assert_true(terms.value == 0 && terms.conjugate == 0 && terms.gap == 0);
    assert_true(sums_conjugates(&sample.shards, &sample.problem, sample.alpha) == 0);
    sample_free(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_combinations),
        cmocka_unit_test(test_margins),
        cmocka_unit_test(test_hessian_products),
        cmocka_unit_test(test_outer_products),
        cmocka_unit_test(test_squares),
        cmocka_unit_test(test_list_of_all_rows_has_the_same_bits),
        cmocka_unit_test(test_threads_sum_to_the_same_bits),
        cmocka_unit_test(test_parts_add_up_to_the_same_bits),
        cmocka_unit_test(test_long_sum_of_products_can_be_stopped),
        cmocka_unit_test(test_terms_of_the_objectives),
        cmocka_unit_test(test_terms_are_compensated),
        cmocka_unit_test(test_terms_leave_margins_and_sums),
        cmocka_unit_test(test_no_rows_have_no_terms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
