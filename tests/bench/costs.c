/* costs.c - measures the rates of src/solver/linear/cost.c on this machine: make costs.
 *
 * usage: costs
 * Prints a Markdown table of each rate: its value in cost.c, and the median and range measured over
 * the data. The data are made here: 20,000 rows of 14 and of 140 non-zeros, with 300, 3,000 and
 * 60,000 features, all ones or whole numbers. Features with higher numbers are rarer. All times are
 * processor times. Exit status: 0 done, 1 out of memory.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "data/transpose.h"
#include "solver/linear/cg.h"
#include "solver/linear/cholesky.h"
#include "solver/linear/cost.h"
#include "solver/linear/dual_system.h"
#include "solver/linear/primal_system.h"
#include "solver/passes/smo.h"

/* Processor time in the system of Newton's method. Only the system differs from the library's: it
 * adds up its time, and its conjugate gradients end after 10 steps. */
static clock_t system_time;

static void timed_form(struct primal_system *system, const struct problem *problem,
                       const struct shards *shards, double scale, double of_all_ranks,
                       const double *squares)
{
    const clock_t start = clock();

    primal_system_form(system, problem, shards, scale, of_all_ranks, squares);
    system_time += clock() - start;
}

static void timed_solve(struct primal_system *system, const double *r, double *p, double tolerance,
                        unsigned most)
{
    enum { MOST = 10 };
    const clock_t start = clock();

    primal_system_solve(system, r, p, tolerance, most < MOST ? most : MOST);
    system_time += clock() - start;
}

#define newton              timed_newton
#define class_newton        timed_class_newton
#define newton_rows         timed_rows
#define primal_system_form  timed_form
#define primal_system_solve timed_solve
#include "solver/newton/newton.c"
#include "solver/newton/newton_rows.c"
#undef newton
#undef class_newton
#undef newton_rows
#undef primal_system_form
#undef primal_system_solve

static const struct stop nobody = {NULL, NULL};

/* ---- Measurements ------------------------------------------------------ */

enum { MOST_SAMPLES = 24 };

/* The measurement of a rate, in seconds. */
struct rate {
    double sample[MOST_SAMPLES];
    size_t samples;
};

/* A price in cost.c, in its units. */
struct price {
    const char *name;
    double price;
};

enum {
    UNIT,
    VISIT,
    VISIT_ENTRY,
    EVALUATION,
    EVALUATION_ENTRY,
    HESSIAN_ENTRY,
    OUTER,
    TRANSPOSE,
    PRODUCT,
    COLUMN_ROW,
    COLUMN_ENTRY,
    FACTOR_TERM,
    SINGLE_FACTOR_TERM,
    SOLVE_ENTRY,
    SINGLE_SOLVE_ENTRY,
    VECTOR_ENTRY,
    MEMBER,
    MEMBER_FEATURE,
    RATES
};

static void note(struct rate *rate, double seconds)
{
    rate->sample[rate->samples++] = seconds;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Returns the median, and sorts the samples. */
static double median(double *sample, size_t samples)
{
    qsort(sample, samples, sizeof *sample, compare);
    return (sample[(samples - 1) / 2] + sample[samples / 2]) / 2;
}

static double median_of(struct rate *rate)
{
    return median(rate->sample, rate->samples);
}

static double seconds_since(clock_t start)
{
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

typedef void job(void *context);

/* Returns the seconds of a call: the median of five runs, each with calls for at least 4 ms. */
static double seconds_of(job *call, void *context)
{
    enum { RUNS = 5 };
    static const double LONG_ENOUGH = 4e-3;
    double run[RUNS];

    call(context);
    for (int k = 0; k < RUNS; k++) {
        const clock_t start = clock();
        unsigned calls = 0;

        do {
            call(context);
            calls++;
            run[k] = seconds_since(start) / calls;
        } while (run[k] * calls < LONG_ENOUGH);
    }
    return median(run, RUNS);
}

/* ---- Data -------------------------------------------------------------- */

enum { ROWS = 20000, SHORT = 14, LONG = 140 };

static void check(int succeeded, const struct hinge_error *error)
{
    if (succeeded)
        return;
    fprintf(stderr, "costs: %s\n", error->message);
    exit(1);
}

static void *array(size_t count, size_t size)
{
    struct hinge_error error;
    void *made = array_new(count, size, &error);

    check(made != NULL, &error);
    return made;
}

static double uniform(struct random_state *random)
{
    return (double)(random_next(random) >> 11) / 9007199254740992.0;
}

/* A problem, and vectors for it. */
struct set {
    struct hinge_dataset data;
    struct problem problem;
    struct shards shards;
    struct selection half; /* about half of the rows */
    double *alpha;         /* [ROWS] dual variables of a training */
    double *weight;        /* [ROWS] */
    double *z;             /* [ROWS] */
    double *w;             /* [width] */
    double *sum;           /* [width] */
};

/* Draws a row with one feature from each of `length` strips of features, the first the narrowest.
 * So the share of rows with feature j is proportional to j^(-2/3), as for words. Whole values are
 * 1 .. 10000, in ten-thousandths. */
static void draw_row(struct set *set, size_t length, uint32_t width, struct random_state *random)
{
    struct hinge_matrix *x = &set->data.x;
    uint32_t least = 0;

    for (size_t k = 0; k < length; k++) {
        const double place = ((double)k + uniform(random)) / (double)length;
        const uint32_t drawn = (uint32_t)(place * place * place * width);
        const uint32_t j = drawn > least ? drawn : least;

        ((uint16_t *)x->index)[x->nonzeros] = (uint16_t)j;
        if (x->value)
            ((int32_t *)x->value)[x->nonzeros] = 1 + (int32_t)random_below(random, 10000);
        x->nonzeros++;
        least = j + 1;
    }
}

/* Returns the class by a linear function, which is wrong for a tenth of the rows. */
static signed char draw_sign(const struct set *set, size_t i, struct random_state *random)
{
    const struct hinge_matrix *x = &set->data.x;
    double score = 0;

    for (size_t k = x->start[i]; k < x->start[i + 1]; k++)
        score += hinge_value(x, k) * (random_mix(hinge_index(x, k)) & 1 ? 1 : -1);
    return (score > 0) == (random_below(random, 10) > 0) ? 1 : -1;
}

/* Makes rows of `length` non-zeros among the first `used` of `width` features. */
static void set_new(struct set *set, enum hinge_value_kind kind, size_t length, uint32_t used,
                    uint32_t width)
{
    struct random_state random = {1};
    struct hinge_matrix *x = &set->data.x;
    uint32_t *row = array(ROWS, sizeof *row), *half = array(ROWS, sizeof *half);
    signed char *sign = array(ROWS, sizeof *sign);
    double *cost = array(ROWS, sizeof *cost);

    *set = (struct set){.data = {.features = width}};
    *x = (struct hinge_matrix){.rows = ROWS,
                               .start = array(ROWS + 1, sizeof *x->start),
                               .index_kind = HINGE_INDEX_16,
                               .value_kind = kind,
                               .scale = 10000};
    x->index = array(ROWS * length, sizeof(uint16_t));
    x->value = kind == HINGE_VALUE_ONE ? NULL : array(ROWS * length, sizeof(int32_t));
    set->alpha = array(ROWS, sizeof *set->alpha);
    set->weight = array(ROWS, sizeof *set->weight);
    set->z = array(ROWS, sizeof *set->z);
    set->w = array(width, sizeof *set->w);
    set->sum = array(width, sizeof *set->sum);
    set->half.row = half;
    for (uint32_t i = 0; i < ROWS; i++) {
        draw_row(set, length, used, &random);
        x->start[i + 1] = x->nonzeros;
        sign[i] = draw_sign(set, i, &random);
        row[i] = i;
        cost[i] = 1;
        set->weight[i] = uniform(&random);
        half[set->half.count] = i;
        set->half.count += random_below(&random, 2);
    }
    for (uint32_t j = 0; j < width; j++)
        set->w[j] = uniform(&random) - 0.5;
    set->problem = (struct problem){.data = &set->data,
                                    .rows = ROWS,
                                    .row = row,
                                    .sign = sign,
                                    .cost = cost,
                                    .loss = LOSS_HINGE,
                                    .bias_kind = BIAS_NONE};
    set->shards = shards_of(&set->problem, SUM_OF_VECTORS, (double)x->nonzeros, width);
    set->shards.partial = array(width, sizeof *set->shards.partial);
}

static void set_free(struct set *set)
{
    free((void *)set->problem.row);
    free((void *)set->problem.sign);
    free((void *)set->problem.cost);
    free((void *)set->half.row);
    free(set->data.x.start);
    free(set->data.x.index);
    free(set->data.x.value);
    free(set->shards.partial);
    free(set->alpha);
    free(set->weight);
    free(set->z);
    free(set->w);
    free(set->sum);
}

/* ---- Sums over rows ---------------------------------------------------- */

static void margins_job(void *context)
{
    struct set *set = context;

    sums_margins(&set->shards, &set->problem, all_rows(&set->problem), set->w, set->z);
}

static void hessian_job(void *context)
{
    struct set *set = context;

    memset(set->sum, 0, set->data.features * sizeof *set->sum);
    sums_hessian(&set->shards, &set->problem, set->half, set->weight, set->w, set->sum);
}

static void measure_sums(struct rate *rates, struct set *set, size_t length)
{
    note(&rates[UNIT], seconds_of(margins_job, set) / (double)set->data.x.nonzeros);
    note(&rates[HESSIAN_ENTRY],
         seconds_of(hessian_job, set) / (2 * set->half.count * (double)length));
}

/* X'WX over half of the rows. */
struct outer {
    struct set *set;
    struct shards shards;
    double *matrix;
};

static void outer_job(void *context)
{
    struct outer *outer = context;

    sums_outer(&outer->shards, &outer->set->problem, outer->set->half, outer->set->weight, &nobody,
               outer->matrix);
}

/* Measures the products of two entries in one shard. If the matrix does not fit in the cache, as
 * with 3,000 features, they take several times as long as with 300. */
static void measure_outer(struct rate *rates, struct set *set, size_t length)
{
    const size_t width = set->data.features;
    struct outer outer = {set, {.rows = ROWS, .count = 1, .length = width * width}, NULL};
    const double products = set->half.count * (double)(length * length) / 2;

    outer.matrix = array(width * width, sizeof *outer.matrix);
    note(&rates[OUTER], seconds_of(outer_job, &outer) / products);
    free(outer.matrix);
}

/* ---- X X' through the transpose ---------------------------------------- */

enum { PAIRED = 2048 }; /* rows whose products are formed */

struct pairs {
    struct set *set;
    struct hinge_matrix *transpose;
    uint32_t *row; /* [PAIRED] every ninth row */
    size_t *first; /* [features] */
    double *line;  /* [PAIRED] */
    double products;
};

static void transpose_job(void *context)
{
    struct pairs *pairs = context;

    transpose_fill(pairs->transpose, &pairs->set->data, pairs->row, PAIRED);
}

/* Forms the products as dual_system.c does. */
static void products_job(void *context)
{
    struct pairs *pairs = context;
    const struct hinge_matrix *transpose = pairs->transpose;

    pairs->products = 0;
    memcpy(pairs->first, transpose->start, pairs->set->data.features * sizeof *pairs->first);
    for (size_t s = 0; s < PAIRED; s++) {
        const struct sparse x = problem_row(&pairs->set->problem, pairs->row[s]);

        memset(pairs->line + s, 0, (PAIRED - s) * sizeof *pairs->line);
        for (size_t k = 0; k < x.count; k++) {
            const uint32_t j = index_at(&x, k);
            const size_t first = pairs->first[j]++;
            const struct sparse column = sparse_slice(transpose, j, first, transpose->start[j + 1]);

            sparse_add(&column, value_at(&x, k), pairs->line);
            pairs->products += (double)column.count;
        }
    }
}

static void measure_pairs(struct rate *rates, struct set *set, size_t length)
{
    struct hinge_error error;
    struct pairs pairs = {.set = set};
    double seconds;

    pairs.row = array(PAIRED, sizeof *pairs.row);
    pairs.first = array(set->data.features, sizeof *pairs.first);
    pairs.line = array(PAIRED, sizeof *pairs.line);
    for (uint32_t s = 0; s < PAIRED; s++)
        pairs.row[s] = s * (ROWS / PAIRED);
    pairs.transpose = transpose_new(&set->data, PAIRED * length, &error);
    check(pairs.transpose != NULL, &error);
    note(&rates[TRANSPOSE], seconds_of(transpose_job, &pairs) / (double)(PAIRED * length));
    seconds = seconds_of(products_job, &pairs);
    note(&rates[PRODUCT], seconds / pairs.products);
    transpose_free(pairs.transpose);
    free(pairs.row);
    free(pairs.first);
    free(pairs.line);
}

static double seconds_of_column_entry(struct set *set)
{
    enum { COLUMNS = 40 };
    struct kernel_cache cache;
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    double seconds;
    clock_t start;
    void *block;

    kernel_cache_lay_out(&cache, &arena, &set->problem);
    check((block = arena_new(&arena, &error)) != NULL, &error);
    kernel_cache_lay_out(&cache, &arena, &set->problem);
    check(kernel_cache_begin(&cache, 1, &error) == HINGE_OK, &error);
    start = clock();
    for (uint32_t k = 0; k < COLUMNS; k++)
        kernel_cache_get(&cache, k * (ROWS / COLUMNS), ROWS);
    seconds = seconds_since(start);
    kernel_cache_end(&cache);
    free(block);
    return seconds / ((double)COLUMNS * ROWS);
}

/* ---- Methods at work --------------------------------------------------- */

/* Returns the seconds for a counted visit to a row, over `steps` steps of a method from alpha = 0.
 * Leaves out the time in the system of Newton's method. */
static double seconds_of_visit(struct set *set, const struct method *method,
                               const struct solver *solver, unsigned steps)
{
    struct hinge_error error;
    struct hinge_parameters parameters = parameters_default();
    struct workspace *workspace = workspace_new(&error);
    struct task task = {.problem = &set->problem,
                        .solver = solver,
                        .parameters = &parameters,
                        .alpha = set->alpha,
                        .workspace = workspace};
    struct training training = {.task = &task,
                                .problem = &set->problem,
                                .parameters = &parameters,
                                .rows = ROWS,
                                .width = set->data.features,
                                .most_passes = UINT64_MAX,
                                .point.alpha = set->alpha,
                                .shards = set->shards};
    struct arena arena = {NULL, 0, 0};
    void *block, *state;
    double seconds;
    uint64_t before;
    clock_t start;

    set->problem.loss = solver->loss;
    task.w = training.point.w = array(set->data.features, sizeof *training.point.w);
    memset(set->alpha, 0, ROWS * sizeof *set->alpha);
    state = array_new(1, method->size, &error);
    check(state != NULL, &error);
    method->lay_out(state, &arena, &training);
    block = arena_new(&arena, &error);
    if (block)
        method->lay_out(state, &arena, &training);
    check(workspace && block, &error);
    training_form(&training);
    check(method->begin(state, &training, &error) == HINGE_OK, &error);
    system_time = 0;
    before = training.progress.row_visits;
    start = clock();
    for (unsigned k = 0; k < steps; k++)
        method->step(state);
    seconds = seconds_since(start) - (double)system_time / CLOCKS_PER_SEC;
    if (method->end)
        method->end(state);
    free(block);
    free(state);
    free(training.point.w);
    workspace_free(workspace);
    return seconds / (double)(training.progress.row_visits - before);
}

/* Measures the median seconds for a visit, and for a row of an evaluation. Newton's method counts
 * two visits for such a row: for its margin along the step, and for its dual variable. */
static void measure_methods(struct set *set, const struct solver *solver, double *visit,
                            double *evaluation)
{
    enum { RUNS = 3, PASSES = 6, STEPS = 5 };
    double visits[RUNS], evaluations[RUNS];

    for (int k = 0; k < RUNS; k++) {
        visits[k] = seconds_of_visit(set, &coordinate_descent, solver, PASSES);
        evaluations[k] = 2 * seconds_of_visit(set, &timed_newton, solver, STEPS);
    }
    *visit = median(visits, RUNS);
    *evaluation = median(evaluations, RUNS);
}

/* Notes the line through the times of a row at two lengths. */
static void note_line(struct rate *row, struct rate *entry, const double *seconds)
{
    const double slope = (seconds[1] - seconds[0]) / (LONG - SHORT);

    note(entry, slope);
    note(row, seconds[0] - SHORT * slope);
}

static void measure_data(struct rate *rates, enum hinge_value_kind kind, uint32_t width)
{
    static const size_t lengths[] = {SHORT, LONG};
    static const int losses[] = {1, 3};
    double visit[2][2], evaluation[2][2]; /* [loss][length] */
    double column[2];                     /* [length] */

    for (int l = 0; l < 2; l++) {
        struct set set;

        set_new(&set, kind, lengths[l], width, width);
        measure_sums(rates, &set, lengths[l]);
        measure_pairs(rates, &set, lengths[l]);
        column[l] = seconds_of_column_entry(&set);
        if (width <= MOST_ORDER)
            measure_outer(rates, &set, lengths[l]);
        for (int k = 0; k < 2; k++)
            measure_methods(&set, solver_find(losses[k]), &visit[k][l], &evaluation[k][l]);
        set_free(&set);
    }
    note_line(&rates[COLUMN_ROW], &rates[COLUMN_ENTRY], column);
    for (int k = 0; k < 2; k++) {
        note_line(&rates[VISIT], &rates[VISIT_ENTRY], visit[k]);
        note_line(&rates[EVALUATION], &rates[EVALUATION_ENTRY], evaluation[k]);
    }
}

/* ---- Dense matrices ---------------------------------------------------- */

struct dense {
    size_t order;
    double *whole, *matrix, *p;
    float *single_whole, *single_matrix, *single_p;
};

static void factor_job(void *context)
{
    const struct dense *dense = context;

    memcpy(dense->matrix, dense->whole, dense->order * dense->order * sizeof *dense->matrix);
    cholesky_factor(dense->matrix, dense->order, &nobody);
}

static void single_factor_job(void *context)
{
    const struct dense *dense = context;

    memcpy(dense->single_matrix, dense->single_whole,
           dense->order * dense->order * sizeof *dense->single_matrix);
    single_cholesky_factor(dense->single_matrix, dense->order, &nobody);
}

static void solve_job(void *context)
{
    const struct dense *dense = context;

    for (size_t j = 0; j < dense->order; j++)
        dense->p[j] = 1;
    cholesky_solve(dense->matrix, dense->order, dense->p);
}

static void single_solve_job(void *context)
{
    const struct dense *dense = context;

    for (size_t j = 0; j < dense->order; j++)
        dense->single_p[j] = 1;
    single_cholesky_solve(dense->single_matrix, dense->order, dense->single_p);
}

static void measure_dense(struct rate *rates, size_t order)
{
    struct random_state random = {1};
    const double entries = (double)order * (double)order, terms = entries * (double)order / 6;
    struct dense dense = {.order = order};

    dense.whole = array(order * order, sizeof *dense.whole);
    dense.matrix = array(order * order, sizeof *dense.matrix);
    dense.single_whole = array(order * order, sizeof *dense.single_whole);
    dense.single_matrix = array(order * order, sizeof *dense.single_matrix);
    dense.p = array(order, sizeof *dense.p);
    dense.single_p = array(order, sizeof *dense.single_p);
    for (size_t i = 0; i < order; i++)
        for (size_t j = i; j < order; j++) { /* the diagonal dominates */
            const double entry = i == j ? 1 : (uniform(&random) - 0.5) / (double)order;

            dense.whole[i * order + j] = entry;
            dense.single_whole[i * order + j] = (float)entry;
        }
    note(&rates[FACTOR_TERM], seconds_of(factor_job, &dense) / terms);
    note(&rates[SOLVE_ENTRY], seconds_of(solve_job, &dense) / entries);
    note(&rates[SINGLE_FACTOR_TERM], seconds_of(single_factor_job, &dense) / terms);
    note(&rates[SINGLE_SOLVE_ENTRY], seconds_of(single_solve_job, &dense) / entries);
    free(dense.whole);
    free(dense.matrix);
    free(dense.p);
    free(dense.single_whole);
    free(dense.single_matrix);
    free(dense.single_p);
}

/* ---- The vectors of conjugate gradients -------------------------------- */

enum { GRADIENTS = 30 }; /* steps of a solution */

/* A diagonal system, which is the system over features without rows and without a factor. */
struct vectors {
    struct cg cg;
    size_t width;
    double *eigenvalue, *inverse, *r, *p;
};

static void multiply(void *context, const double *p, double *product)
{
    const struct vectors *vectors = context;

    memset(product, 0, vectors->width * sizeof *product);
    for (size_t j = 0; j < vectors->width; j++)
        product[j] += vectors->eigenvalue[j] * p[j];
}

static void precondition(void *context, const double *r, double *result)
{
    const struct vectors *vectors = context;

    memcpy(result, r, vectors->width * sizeof *r);
    for (size_t j = 0; j < vectors->width; j++)
        result[j] *= vectors->inverse[j];
}

static enum preconditioner prepare(void *context)
{
    (void)context;
    return UNCHANGED;
}

static void gradients_job(void *context)
{
    const struct vectors *vectors = context;

    cg_solve(&vectors->cg, vectors->width, vectors->r, vectors->p, 0, GRADIENTS);
}

/* Measures the time for an entry of the vectors. The eigenvalues are so far apart that no solution
 * ends before GRADIENTS steps. */
static void measure_vectors(struct rate *rates, size_t width)
{
    struct random_state random = {1};
    struct vectors vectors = {.width = width};
    double *room = array(8 * width, sizeof *room);

    vectors.eigenvalue = room;
    vectors.inverse = room + width;
    vectors.r = room + 2 * width;
    vectors.p = room + 3 * width;
    vectors.cg = (struct cg){.context = &vectors,
                             .multiply = multiply,
                             .precondition = precondition,
                             .prepare = prepare,
                             .residual = room + 4 * width,
                             .direction = room + 5 * width,
                             .product = room + 6 * width,
                             .corrected = room + 7 * width};
    for (size_t j = 0; j < width; j++) {
        vectors.eigenvalue[j] = exp(14 * uniform(&random));
        vectors.inverse[j] = vectors.r[j] = 1;
    }
    note(&rates[VECTOR_ENTRY], seconds_of(gradients_job, &vectors) / (GRADIENTS * (double)width));
    free(room);
}

/* ---- Rows of conjugate gradients over rows ------------------------------ */

struct dual {
    struct set *set;
    struct dual_system *system;
};

static void dual_job(void *context)
{
    const struct dual *dual = context;

    dual_system_solve(dual->system, dual->set->weight, dual->set->z, 0, GRADIENTS);
}

enum { FEW = 300, MANY = 600000 };

/* Returns the seconds for a step on rows of one non-zero, too many for a factor. */
static double seconds_of_dual(uint32_t width)
{
    struct hinge_error error;
    struct set set;
    struct dual dual = {&set, NULL};
    double *ridge = array(ROWS, sizeof *ridge), seconds;

    set_new(&set, HINGE_VALUE_ONE, 1, FEW, width);
    for (uint32_t i = 0; i < ROWS; i++)
        ridge[i] = exp(-7 * set.weight[i]);
    dual.system = dual_system_new(&set.problem, &set.shards, (struct stop){NULL, NULL}, &error);
    check(dual.system != NULL, &error);
    dual_system_choose(dual.system, all_rows(&set.problem), ridge);
    seconds = seconds_of(dual_job, &dual) / GRADIENTS;
    dual_system_free(dual.system);
    set_free(&set);
    free(ridge);
    return seconds;
}

/* Measures the time for a member and for a feature of the dual system. Features after the first FEW
 * are in no row, so only the vectors take time for them. */
static void measure_dual(struct rate *rates)
{
    const double few = seconds_of_dual(FEW), many = seconds_of_dual(MANY);
    const double entries = 2 * median_of(&rates[HESSIAN_ENTRY]);

    note(&rates[MEMBER], few / ROWS - entries);
    note(&rates[MEMBER_FEATURE], (many - few) / (MANY - FEW));
}

/* ---- The table --------------------------------------------------------- */

/* Prints a line of the table. Returns the factor by which the rate of cost.c is wrong. */
static double print_rate(const struct price *price, struct rate *rate, double unit)
{
    const double measured = median_of(rate) / unit;

    printf("| %s | %.2g | %.2g", price->name, price->price, measured);
    if (rate->samples > 1)
        printf(" (%.2g .. %.2g)", rate->sample[0] / unit, rate->sample[rate->samples - 1] / unit);
    printf(" |\n");
    return measured > 0 ? fmax(measured / price->price, price->price / measured) : HUGE_VAL;
}

static void print(const struct price *prices, struct rate *rates)
{
    const double unit = median_of(&rates[UNIT]);
    const char *name = "";
    double largest = 0;

    printf("The unit is %.2g ns.\n\n| rate | in cost.c | measured here |\n|---|---|---|\n",
           1e9 * unit);
    for (int k = 0; k < RATES; k++) {
        const double ratio = print_rate(&prices[k], &rates[k], unit);

        name = ratio > largest ? prices[k].name : name;
        largest = fmax(ratio, largest);
    }
    printf("\nThe largest ratio is %.2g: %s.\n", largest, name);
}

int main(void)
{
    static const enum hinge_value_kind kinds[] = {HINGE_VALUE_ONE, HINGE_VALUE_WHOLE};
    static const uint32_t widths[] = {300, 3000, 60000};
    static const size_t orders[] = {500, 1000, 2000};
    const struct price prices[RATES] = {
        [UNIT] = {"the unit: a multiply-add over the non-zeros of successive rows", 1},
        [VISIT] = {"a visit of coordinate descent", cost_of_visits(1, 0, 0)},
        [VISIT_ENTRY] = {"a non-zero of a visit",
                         cost_of_visits(1, 1, 0) - cost_of_visits(1, 0, 0)},
        [EVALUATION] = {"a row of an evaluation of Newton's method", cost_of_evaluation(1, 0)},
        [EVALUATION_ENTRY] = {"a non-zero of an evaluation", cost_of_evaluation(0, 1)},
        [HESSIAN_ENTRY] = {"a non-zero of a product with the Hessian: each of two times",
                           COST_OF_NONZERO},
        [OUTER] = {"a product of two entries of a row, added to X'WX",
                   2 * (cost_of_primal_factor(1, 4, 1, 1) - cost_of_primal_factor(1, 4, 0, 0))},
        [TRANSPOSE] = {"a transposed non-zero", COST_OF_TRANSPOSED},
        [PRODUCT] = {"a product of two entries of a column, added to X X'", COST_OF_PRODUCT},
        [COLUMN_ROW] = {"an entry of a column of products", cost_of_columns(1, 0)},
        [COLUMN_ENTRY] = {"a non-zero of the row it is of",
                          cost_of_columns(1, 1) - cost_of_columns(1, 0)},
        [FACTOR_TERM] = {"a multiplication of a Cholesky factor",
                         6 * cost_of_primal_factor(1, 1, 0, 0)},
        [SINGLE_FACTOR_TERM] = {"a multiplication of a factor in single precision",
                                6 * cost_of_dual_factor(1)},
        [SOLVE_ENTRY] = {"an entry of a factor, to solve with it", cost_of_primal_step(1, 1, 0, 0)},
        [SINGLE_SOLVE_ENTRY] = {"an entry of a factor in single precision, to solve with it",
                                cost_of_dual_step(1, 0, 0, 0)},
        [VECTOR_ENTRY] = {"an entry of w in a step of conjugate gradients over features",
                          cost_of_primal_step(1, 0, 1, 0)},
        [MEMBER] = {"a row in a step of conjugate gradients over rows",
                    cost_of_dual_step(0, 1, 0, 0)},
        [MEMBER_FEATURE] = {"an entry of w in that step", cost_of_dual_step(0, 0, 0, 1)}};
    struct rate rates[RATES] = {{{0}, 0}};

    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 3; j++)
            measure_data(rates, kinds[k], widths[j]);
    for (int k = 0; k < 3; k++) {
        measure_dense(rates, orders[k]);
        measure_vectors(rates, widths[k]);
    }
    measure_dual(rates);
    print(prices, rates);
    return 0;
}
