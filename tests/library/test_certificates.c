/* test_certificates.c - compares certificates with exact arithmetic, and tests this arithmetic. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "certificate.h"
#include "exact.h"
#include "support.h"

/* ---- exact.c --------------------------------------------------------------- */

static double draw_double(uint64_t *state)
{
    const double value = random_unit(state) - 0.5;
    const int exponent = (int)draw_below(state, 2090) - 1070;

    if (draw_below(state, 20) == 0)
        return 0;
    return draw_below(state, 2) ? value : ldexp(value, exponent);
}

static void test_sums_cancel_exactly(void **state)
{
    struct exact sum;

    (void)state;
    exact_set(&sum, DBL_MAX);
    exact_add_product(&sum, DBL_MAX, DBL_MAX);
    exact_add_product(&sum, 0x1p-1074, 0x1p-1074);
    exact_add_product(&sum, DBL_MAX, -DBL_MAX);
    assert_int_equal(exact_against(&sum, DBL_MAX), 1);
    exact_add_product(&sum, -1, DBL_MAX);
    assert_int_equal(exact_sign(&sum), 1);
    assert_int_equal(exact_against(&sum, 0x1p-1074), -1);
    exact_add_product(&sum, -0x1p-1074, 0x1p-1074);
    assert_int_equal(exact_sign(&sum), 0);
}

/* (a + b)^2 = a (a + b) + b (a + b) = a a + 2 a b + b b, and a change of the last bit shows. */
static void test_products_are_exact(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (int k = 0; k < 20000; k++) {
        const double a = draw_double(&random), b = draw_double(&random), c = draw_double(&random);
        struct exact sum, square, terms, product;

        exact_set(&sum, a);
        exact_add_product(&sum, b, 1);
        exact_multiply(&square, &sum, &sum);
        exact_set(&terms, 0);
        exact_add_product(&terms, a, a);
        exact_add_product(&terms, a, b);
        exact_add_product(&terms, b, a);
        exact_add_product(&terms, b, b);
        assert_int_equal(exact_compare(&square, &terms), 0);
        exact_scale(&square, c);
        exact_set(&product, c);
        exact_multiply(&sum, &terms, &product);
        assert_int_equal(exact_compare(&square, &sum), 0);
        exact_add_product(&square, 0x1p-1074, 0x1p-1074);
        assert_int_equal(exact_compare(&square, &sum), 1);
        exact_add(&sum, &square, -1);
        assert_int_equal(exact_sign(&sum), -1);
    }
}

static void test_a_double_comes_back(void **state)
{
    uint64_t random = 2;
    struct exact number;

    (void)state;
    for (int k = 0; k < 20000; k++) {
        const double a = draw_double(&random), b = draw_double(&random);

        exact_set(&number, a);
        assert_true(exact_double(&number) == a);
        assert_int_equal(exact_against(&number, a), 0);
        assert_int_equal(exact_against(&number, b), (a > b) - (a < b));
        assert_int_equal(exact_sign(&number), (a > 0) - (a < 0));
    }
}

/* Quotients q satisfy 0 <= a^2 - c q <= 2^-127 c q. */
static void test_quotients_are_rounded_down(void **state)
{
    uint64_t random = 3;

    (void)state;
    for (int k = 0; k < 2000; k++) {
        const double a = fabs(draw_double(&random)), c = fabs(draw_double(&random));
        struct exact product, rest;

        if (c == 0)
            continue;
        exact_set(&product, 0);
        exact_add_quotient(&product, a, c);
        exact_scale(&product, c);
        exact_set(&rest, 0);
        exact_add_product(&rest, a, a);
        exact_add(&rest, &product, -1);
        assert_true(exact_sign(&rest) >= 0);
        exact_scale(&product, 0x1p-127);
        assert_true(exact_compare(&rest, &product) <= 0);
    }
}

/* ---- nasty.c --------------------------------------------------------------- */

static void test_problems_are_read_as_drawn(void **state)
{
    struct hinge_error error;
    unsigned long kinds = 0;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        struct nasty nasty;
        struct hinge_dataset *data;

        assert_true(nasty_draw(&nasty, 1, number));
        kinds |= 1ul << nasty.kind;
        assert_non_null(data = certificate_read(&nasty, &error));
        assert_int_equal(data->x.rows, nasty.rows);
        for (size_t i = 0, k = 0; i < nasty.rows; i++) {
            assert_true(data->label[i] == nasty.label[i]);
            for (size_t l = data->x.start[i]; l < data->x.start[i + 1]; l++)
                if (k < nasty.start[i + 1] && hinge_index(&data->x, l) == nasty.index[k])
                    assert_true(hinge_value(&data->x, l) == nasty.value[k++]);
                else /* the entry is not in the file */
                    assert_true(data->x.index_kind == HINGE_INDEX_NONE &&
                                hinge_value(&data->x, l) == 0);
            assert_int_equal(k, nasty.start[i + 1]);
        }
        hinge_dataset_free(data);
        nasty_free(&nasty);
    }
    assert_int_equal(kinds, (1ul << KINDS) - 1);
}

/* ---- certificate.c ---------------------------------------------------------- */

/* The rows x = 1, 2 with y = 1, and x = -1 with y = -1. For the hinge with C = 1, P = 1/2 = -D at w
 * = 1, alpha = (1/2, 0, 1/2). */
struct known {
    size_t start[4];
    uint32_t index[3];
    double value[3], label[3], weight[2], alpha[6];
    struct hinge_result result;
    struct hinge_model model;
    struct nasty nasty;
};

static void set_known(struct known *known)
{
    *known = (struct known){.start = {0, 1, 2, 3},
                            .value = {1, 2, -1},
                            .label = {1, 1, -1},
                            .weight = {1, 0},
                            .alpha = {0.5, 0, 0.5},
                            .result = {.outcome = HINGE_CERTIFIED, .primal = 0.5, .dual = -0.5}};
    known->nasty = (struct nasty){.rows = 3,
                                  .features = 1,
                                  .start = known->start,
                                  .index = known->index,
                                  .value = known->value,
                                  .label = known->label,
                                  .class_weight = {1, 1},
                                  .C = 1,
                                  .bias = -1};
    known->model = (struct hinge_model){.features = 1,
                                        .bias = -1,
                                        .weight = known->weight,
                                        .alpha = known->alpha,
                                        .rows = 3,
                                        .columns = 1,
                                        .result = &known->result};
}

static struct finding judge(const struct known *known, int solver)
{
    struct finding finding = {.solver = solver, .target = 1e-3};

    certificate_judge(&known->nasty, &known->model, &finding);
    return finding;
}

static void test_a_true_certificate_is_accepted(void **state)
{
    struct known known;

    (void)state;
    set_known(&known);
    assert_int_equal(judge(&known, 3).faults, 0);
    assert_true(judge(&known, 3).true_value[0] == 0.5);
    assert_true(judge(&known, 3).true_value[1] == -0.5);
    known.model.bias = 1;
    assert_int_equal(judge(&known, 50).faults, 0);
    set_known(&known); /* the squared hinge at w = 3/4, alpha = (3/8, 0, 3/8): C = 3/4 */
    known.nasty.C = 0.75;
    known.weight[0] = 0.75;
    known.alpha[0] = known.alpha[2] = 0.375;
    known.result.primal = 0.375;
    known.result.dual = -0.375;
    assert_int_equal(judge(&known, 1).faults, 0);
}

static void test_lies_are_found(void **state)
{
    struct known known;

    (void)state;
    set_known(&known);
    known.result.primal = nextafter(0.5, 0);
    assert_int_equal(judge(&known, 3).faults, PRIMAL_ABOVE_REPORTED);
    set_known(&known);
    known.result.dual = nextafter(-0.5, -1);
    assert_int_equal(judge(&known, 3).faults, DUAL_ABOVE_REPORTED);
    set_known(&known);
    known.alpha[0] = 1 + DBL_EPSILON;
    assert_int_equal(judge(&known, 3).faults, INFEASIBLE);
    known.alpha[0] = -DBL_MIN;
    assert_int_equal(judge(&known, 3).faults, INFEASIBLE);
    set_known(&known);
    known.weight[0] = NAN;
    assert_int_equal(judge(&known, 3).faults, INFEASIBLE);
    set_known(&known);
    known.weight[0] = 1 + 0x1p-20; /* P and the gap grow by 2^-20 or more */
    assert_int_equal(judge(&known, 3).faults, PRIMAL_ABOVE_REPORTED | GAP_ABOVE_REPORTED);
    known.weight[0] = 1.25;
    assert_int_equal(judge(&known, 3).faults,
                     PRIMAL_ABOVE_REPORTED | GAP_ABOVE_REPORTED | GAP_ABOVE_TARGET);
    known.result.outcome = HINGE_STALLED;
    assert_int_equal(judge(&known, 3).faults, PRIMAL_ABOVE_REPORTED | GAP_ABOVE_REPORTED);
    known.weight[0] = -1;
    assert_int_equal(judge(&known, 3).faults,
                     PRIMAL_ABOVE_REPORTED | GAP_ABOVE_REPORTED | WORSE_THAN_ZERO);
}

/* For the logistic loss, P = 3 ln 2 at w = 0. With alpha = (1/2, 0, 0), v = 1/2 and D = 1/8 - ln 2.
 */
static void test_logarithms_are_judged(void **state)
{
    const double log_of_2 = 0x1.62e42fefa39efp-1; /* rounded down */
    struct known known;

    (void)state;
    set_known(&known);
    known.weight[0] = known.alpha[2] = 0;
    known.result.outcome = HINGE_STALLED;
    known.result.primal = 3 * log_of_2 * (1 + 2 * DBL_EPSILON);
    known.result.dual = (0.125 - log_of_2) * (1 - 2 * DBL_EPSILON);
    known.result.relative_gap = 0.7271;
    assert_int_equal(judge(&known, 0).faults, 0);
    assert_int_equal(judge(&known, 7).faults, 0);
    assert_true(fabs(judge(&known, 0).true_value[0] - 3 * log_of_2) < 1e-15);
    assert_true(fabs(judge(&known, 0).true_value[1] - (0.125 - log_of_2)) < 1e-15);
    known.result.primal = 3 * log_of_2 * (1 - 2 * DBL_EPSILON);
    assert_int_equal(judge(&known, 7).faults, PRIMAL_ABOVE_REPORTED);
    known.result.primal = 3;
    known.result.dual = (0.125 - log_of_2) * (1 + 2 * DBL_EPSILON);
    assert_int_equal(judge(&known, 7).faults, DUAL_ABOVE_REPORTED);
    known.result.dual = 0;
    known.result.relative_gap = 0.7267;
    assert_int_equal(judge(&known, 0).faults, GAP_ABOVE_REPORTED);
    known.result.outcome = HINGE_CERTIFIED;
    assert_int_equal(judge(&known, 0).faults, GAP_ABOVE_REPORTED | GAP_ABOVE_TARGET);
    known.alpha[0] = 1 + DBL_EPSILON;
    assert_int_equal(judge(&known, 0).faults, INFEASIBLE);
}

/* For softmax, P = 3 ln 2 at W = 0. With alpha = (1/2, -1/2) in the first row, v = (1/2, -1/2) and
 * D = 1/4 - ln 2. At W = (1, 0) with C = 1e-300, P is 1/2. */
static void test_softmax_is_judged(void **state)
{
    const double log_of_2 = 0x1.62e42fefa39efp-1; /* rounded down */
    double label[2] = {1, -1};
    struct known known;

    (void)state;
    set_known(&known);
    memset(known.weight, 0, sizeof known.weight);
    memset(known.alpha, 0, sizeof known.alpha);
    known.alpha[0] = 0.5;
    known.alpha[1] = -0.5;
    known.model.columns = known.model.classes = 2;
    known.model.label = label;
    known.result.outcome = HINGE_STALLED;
    known.result.primal = 3 * log_of_2 * (1 + 2 * DBL_EPSILON);
    known.result.dual = (0.25 - log_of_2) * (1 - 4 * DBL_EPSILON);
    known.result.relative_gap = 0.788;
    assert_int_equal(judge(&known, 62).faults, 0);
    assert_true(fabs(judge(&known, 62).true_value[1] - (0.25 - log_of_2)) < 1e-15);
    known.result.dual = (0.25 - log_of_2) * (1 + 4 * DBL_EPSILON);
    assert_int_equal(judge(&known, 62).faults, DUAL_ABOVE_REPORTED);
    known.result.dual = 0;
    known.result.primal = 3 * log_of_2 * (1 - 2 * DBL_EPSILON);
    assert_int_equal(judge(&known, 62).faults, PRIMAL_ABOVE_REPORTED);
    known.result.primal = 3;
    known.alpha[1] = -0.25; /* the row does not sum to 0 */
    assert_int_equal(judge(&known, 62).faults, INFEASIBLE);
    known.alpha[0] = -0.5;
    known.alpha[1] = 0.5; /* the sign of the other class */
    assert_int_equal(judge(&known, 62).faults, INFEASIBLE);
    memset(known.alpha, 0, sizeof known.alpha);
    known.nasty.C = 1e-300;
    known.weight[0] = 1;
    known.result.primal = nextafter(0.5, 0);
    assert_true(judge(&known, 62).faults & PRIMAL_ABOVE_REPORTED);
    assert_true(fabs(judge(&known, 62).true_value[0] - 0.5) < 1e-15);
}

/* If sum alpha_i y_i is not 0, one row whose alpha can absorb it does so, and D changes
 * accordingly. */
static void test_a_free_bias_is_balanced(void **state)
{
    struct known known;
    struct finding finding;

    (void)state;
    set_known(&known);
    known.model.bias = 1;
    known.alpha[0] = nextafter(0.5, 1);
    finding = judge(&known, 50);
    assert_true(finding.unbalanced);
    assert_int_equal(finding.faults & INFEASIBLE, 0);
    known.alpha[0] = known.alpha[1] = known.alpha[2] = 1; /* one of the first two can become 0 */
    assert_int_equal(judge(&known, 50).faults & INFEASIBLE, 0);
    known.nasty.C = known.alpha[0] = known.alpha[1] = 2; /* 4 against 1: no single row can */
    finding = judge(&known, 50);
    assert_int_equal(finding.faults, INFEASIBLE);
}

/* ---- Trainings -------------------------------------------------------------- */

/* Problems of seed 1, one for each kind and solver, were once certified without being solved: P
 * used the computed 1 - z, although z was known only up to rounding. Now a certificate is true, and
 * no result is worse than w = 0. */
static void test_what_is_certified_is_true(void **state)
{
    enum { NEVER = INFEASIBLE | WORSE_THAN_ZERO };
    static const struct {
        int solver;
        unsigned long number;
    } once[] = {{3, 0},     {3, 8},     {50, 13},   {61, 61},  {3, 64},    {1, 71},   {3, 71},
                {50, 71},   {50, 89},   {3, 102},   {50, 138}, {61, 164},  {50, 252}, {1, 277},
                {2, 277},   {3, 400},   {50, 404},  {3, 423},  {61, 423},  {60, 457}, {2, 524},
                {61, 588},  {2, 592},   {50, 602},  {50, 606}, {60, 683},  {50, 942}, {61, 1047},
                {3, 1130},  {1, 1352},  {61, 1505}, {3, 1852}, {61, 1923}, {1, 2194}, {3, 2194},
                {61, 2812}, {60, 2893}, {3, 3129},  {1, 3232}, {1, 3498},  {3, 3950}, {3, 6009},
                {61, 6687}, {50, 6816}, {50, 7504}, {2, 9370}};
    unsigned untrue = 0;

    (void)state;
    for (size_t k = 0; k < COUNT(once); k++) {
        struct hinge_error error;
        struct hinge_dataset *data;
        struct finding finding;
        struct nasty nasty;

        assert_true(nasty_draw(&nasty, 1, once[k].number));
        assert_non_null(data = certificate_read(&nasty, &error));
        certificate_find(&nasty, data, once[k].solver, 10, NULL, NULL, &finding);
        if (finding.faults & (finding.outcome == HINGE_CERTIFIED ? ~0u : NEVER)) {
            print_error("problem %lu (%s), solver %d: gap %g, not %g\n", nasty.number,
                        kind_names[nasty.kind], finding.solver, finding.true_value[2],
                        finding.said[2]);
            untrue++;
        }
        hinge_dataset_free(data);
        nasty_free(&nasty);
    }
    assert_int_equal(untrue, 0);
}

/* For problems of every kind, the reported P, D and gap are true. Most problems that double
 * precision can represent are certified. */
static void test_certificates_of_all_kinds_are_true(void **state)
{
    enum { NEVER = INFEASIBLE | WORSE_THAN_ZERO, PROBLEMS = 600 };
    static const int solvers[] = {0, 7, 62, 4, 42};
    unsigned kinds[KINDS] = {0}, certified = 0, untrue = 0;

    (void)state;
    for (unsigned long number = 0; number < PROBLEMS; number++) {
        struct hinge_error error;
        struct hinge_dataset *data;
        struct nasty nasty;

        assert_true(nasty_draw(&nasty, 3, number));
        assert_non_null(data = certificate_read(&nasty, &error));
        for (size_t s = 0; s < COUNT(solvers); s++) {
            const int solver = solvers[s];
            struct finding finding;

            certificate_find(&nasty, data, solver, 10, NULL, NULL, &finding);
            certified += !finding.refused && finding.outcome == HINGE_CERTIFIED;
            if (!(finding.faults & (finding.outcome == HINGE_CERTIFIED ? ~0u : NEVER)))
                continue;
            print_error("problem %lu (%s), solver %d: gap %g, not %g\n", nasty.number,
                        kind_names[nasty.kind], solver, finding.true_value[2], finding.said[2]);
            untrue++;
        }
        kinds[nasty.kind]++;
        hinge_dataset_free(data);
        nasty_free(&nasty);
    }
    for (size_t k = 0; k < KINDS; k++)
        assert_true(kinds[k] > 0);
    assert_int_equal(untrue, 0);
    assert_true(certified > COUNT(solvers) * PROBLEMS * 85 / 100);
}

/* ---- Three classes ----------------------------------------------------------- */

enum { CLASSES = 3, CRAMMER_SINGER = 4 };

/* A problem of Crammer and Singer: the rows with other labels, without class weights. */
struct classes {
    const struct nasty *nasty;
    const struct hinge_model *model;
    struct exact *v; /* [features + 1][CLASSES] sum x alpha', the bias last */
};

static size_t class_of(const struct classes *classes, size_t i)
{
    size_t y = 0;

    while (classes->model->label[y] != classes->nasty->label[i])
        y++;
    return y;
}

static void add_product(const struct classes *classes, size_t i, size_t m, double factor,
                        struct exact *sum)
{
    const struct nasty *nasty = classes->nasty;
    const struct hinge_model *model = classes->model;

    for (size_t e = nasty->start[i]; e < nasty->start[i + 1]; e++)
        if (nasty->index[e] < model->features)
            exact_add_product(sum, factor * nasty->value[e],
                              model->weight[nasty->index[e] * CLASSES + m]);
    if (model->bias >= 0)
        exact_add_product(sum, factor * model->bias, model->weight[model->features * CLASSES + m]);
}

static void add_row(const struct classes *classes, size_t i, size_t m, double a)
{
    const struct nasty *nasty = classes->nasty;

    for (size_t e = nasty->start[i]; e < nasty->start[i + 1]; e++)
        exact_add_product(&classes->v[nasty->index[e] * CLASSES + m], a, nasty->value[e]);
    if (classes->model->bias >= 0)
        exact_add_product(&classes->v[nasty->features * CLASSES + m], a, classes->model->bias);
}

static void find_primal(const struct classes *classes, struct exact *primal)
{
    const struct hinge_model *model = classes->model;

    exact_set(primal, 0);
    for (size_t d = 0; d < (model->features + (model->bias >= 0)) * CLASSES; d++)
        exact_add_product(primal, model->weight[d] / 2, model->weight[d]);
    for (size_t i = 0; i < classes->nasty->rows; i++) {
        struct exact top, gain;

        exact_set(&top, 0);
        for (size_t m = 0; m < CLASSES; m++) {
            if (m == class_of(classes, i))
                continue;
            exact_set(&gain, 1);
            add_product(classes, i, m, 1, &gain);
            add_product(classes, i, class_of(classes, i), -1, &gain);
            if (exact_compare(&gain, &top) > 0)
                top = gain;
        }
        exact_scale(&top, nasty_cost(classes->nasty, i));
        exact_add(primal, &top, 1);
    }
}

/* Makes the shares of the classes other than y add up to at most the cost, exactly. The largest
 * share is reduced by the excess from rounding. */
static void make_feasible(size_t y, double cost, double *a)
{
    size_t largest = y == 0;
    struct exact sum;

    for (;;) {
        exact_set(&sum, 0);
        for (size_t m = 0; m < CLASSES; m++) {
            if (m != y)
                exact_add_product(&sum, -1, a[m]);
            largest = m != y && a[m] < a[largest] ? m : largest;
        }
        exact_add_product(&sum, -1, cost);
        if (exact_sign(&sum) <= 0)
            return;
        assert_true(exact_double(&sum) <= 4 * DBL_EPSILON * cost);
        a[largest] = nextafter(a[largest] + exact_double(&sum), 0);
    }
}

/* Computes D of alpha, where the share of a row's own class balances the others. */
static void find_dual(const struct classes *classes, struct exact *dual)
{
    const struct nasty *nasty = classes->nasty;

    exact_set(dual, 0);
    for (size_t d = 0; d < (nasty->features + 1) * CLASSES; d++)
        exact_set(&classes->v[d], 0);
    for (size_t i = 0; i < nasty->rows; i++) {
        const size_t y = class_of(classes, i);
        const double cost = nasty_cost(nasty, i);
        double a[CLASSES];

        memcpy(a, classes->model->alpha + i * CLASSES, sizeof a);
        for (size_t m = 0; m < CLASSES; m++)
            assert_true(m == y ? a[m] >= 0 && a[m] <= cost : a[m] <= 0 && a[m] >= -cost);
        make_feasible(y, cost, a);
        for (size_t m = 0; m < CLASSES; m++)
            if (m != y) {
                exact_add_product(dual, 1, a[m]);
                add_row(classes, i, m, a[m]);
                add_row(classes, i, y, -a[m]);
            }
    }
    for (size_t d = 0; d < (nasty->features + 1) * CLASSES; d++) {
        struct exact square;

        exact_multiply(&square, &classes->v[d], &classes->v[d]);
        exact_scale(&square, 0.5);
        exact_add(dual, &square, 1);
    }
}

/* True if the reported P, D and gap of the model hold in exact arithmetic. */
static int is_true(const struct nasty *nasty, const struct hinge_model *model, double target)
{
    const struct hinge_result *result = model->result;
    struct classes classes = {nasty, model, NULL};
    struct exact primal, dual, gap, allowed;

    classes.v = malloc((nasty->features + 1) * CLASSES * sizeof *classes.v);
    assert_non_null(classes.v);
    find_primal(&classes, &primal);
    find_dual(&classes, &dual);
    free(classes.v);
    gap = allowed = primal;
    exact_add(&gap, &dual, 1);
    exact_scale(&allowed, fmin(result->relative_gap, target));
    return exact_against(&primal, result->primal) <= 0 && exact_against(&dual, result->dual) <= 0 &&
           exact_compare(&gap, &allowed) <= 0;
}

/* Repeats the test with three classes for solvers that step on all classes at once. With two
 * classes they train a binary problem. */
static void test_certificates_of_three_classes_are_true(void **state)
{
    enum { PROBLEMS = 300 };
    unsigned certified = 0, trained = 0, untrue = 0;

    (void)state;
    for (unsigned long number = 0; number < PROBLEMS; number++) {
        struct hinge_parameters parameters;
        struct hinge_error error;
        struct hinge_dataset *data;
        struct hinge_model *model;
        struct nasty nasty;

        assert_true(nasty_draw(&nasty, 4, number));
        nasty.class_weight[0] = nasty.class_weight[1] = 1;
        for (size_t i = 0; i < nasty.rows; i++)
            nasty.label[i] = i % CLASSES == 2 ? 3 : nasty.label[i];
        parameters = nasty_parameters(&nasty, CRAMMER_SINGER, NULL, NULL);
        parameters.weights = 0;
        parameters.max_passes = 20000;
        assert_non_null(data = certificate_read(&nasty, &error));
        model = hinge_train(data, &parameters, NULL, &error);
        if (model && model->classes == CLASSES) {
            const double target = nasty.gap > 0 ? nasty.gap : HINGE_DEFAULT_GAP;

            trained++;
            certified += model->result->outcome == HINGE_CERTIFIED;
            if (model->result->outcome == HINGE_CERTIFIED && !is_true(&nasty, model, target)) {
                print_error("problem %lu (%s)\n", number, kind_names[nasty.kind]);
                untrue++;
            }
        }
        hinge_model_free(model);
        hinge_dataset_free(data);
        nasty_free(&nasty);
    }
    assert_int_equal(untrue, 0);
    assert_true(trained > PROBLEMS / 2 && certified > trained * 3 / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_cancel_exactly),
        cmocka_unit_test(test_products_are_exact),
        cmocka_unit_test(test_a_double_comes_back),
        cmocka_unit_test(test_quotients_are_rounded_down),
        cmocka_unit_test(test_problems_are_read_as_drawn),
        cmocka_unit_test(test_a_true_certificate_is_accepted),
        cmocka_unit_test(test_lies_are_found),
        cmocka_unit_test(test_logarithms_are_judged),
        cmocka_unit_test(test_softmax_is_judged),
        cmocka_unit_test(test_a_free_bias_is_balanced),
        cmocka_unit_test(test_what_is_certified_is_true),
        cmocka_unit_test(test_certificates_of_all_kinds_are_true),
        cmocka_unit_test(test_certificates_of_three_classes_are_true),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
