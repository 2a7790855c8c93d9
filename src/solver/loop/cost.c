/* cost.c - prices: rates, which "make costs" measures, times numbers of steps, which methods took
 * on the data sets of tests/bench/RESULTS.md.
 */
#include "solver/loop/cost.h"

#include <float.h>
#include <math.h>

#include "problem/crammer_singer.h"
#include "solver/linear/cg.h"
#include "solver/linear/class_system.h"
#include "solver/linear/primal_system.h"

/* Rates are in the unit of cost.h, except VECTOR_ENTRY. The functions named in brackets are those
 * of tests/bench/costs.c, whose data have 20,000 rows of 14 or 140 non-zeros, 300 to 60,000
 * features, ones or whole numbers. The unit itself is measured by sums_margins over all rows
 * (measure_sums). */

/* A visit of coordinate descent to a row, and each of the row's non-zeros, fetched in random order:
 * a line through the times of six passes on rows of either length (measure_methods). */
static const double VISIT = 40;
static const double VISIT_ENTRY = 3;

/* The exponentials and logarithms of a visit with a curved loss: the gap, and two or three steps of
 * the equation that a coordinate step solves (a9a at C = 10, passes alone). */
static const double CURVED_VISIT = 240;

/* An extrapolation of passes, for each row and each entry of w: instructions on w8a and farm-ads,
 * at two a unit. */
static const double EXTRAPOLATED_ROW = 60;
static const double EXTRAPOLATED_ENTRY = 5;

/* The logarithms of an extrapolation with a curved loss, for each row: five points of the line, and
 * D at the last one (farm-ads at C = 4). */
static const double CURVED_EXTRAPOLATED_ROW = 400;

/* An entry of a column of products <x_i, x_j>, in addition to a unit for each non-zero: a line
 * through the times of rows of either length (seconds_of_column_entry). */
static const double COLUMN_ROW = 6;

/* A pair step of SMO, for each row: both selections and the update of F (breast-cancer at C = 256,
 * whose 569 columns are all in the cache). */
static const double PAIR_ROW = 2;

/* An evaluation of Newton's method, for each row (its dual number, the line search) and for each
 * non-zero (two margins, one sum, one product): a line through five steps without their system
 * (measure_methods). */
static const double EVALUATION = 80;
static const double EVALUATION_ENTRY = 4;

/* A non-zero multiplied with a vector or added to one: half of the time of sums_hessian over about
 * every other row (measure_sums). */
static const double HESSIAN_ENTRY = 1.6;

/* A solution with a factor, for each of its order^2 entries, in double and in single precision:
 * matrices of order 500 to 2,000 (measure_dense). */
static const double SOLVE_ENTRY = 0.7;
static const double SINGLE_SOLVE_ENTRY = 0.3;

/* A multiplication of a Cholesky factorisation, which has order^3 / 6 of them, in double and in
 * single precision: matrices of order 500 to 2,000 (measure_dense). */
static const double FACTOR_TERM = 0.14;
static const double SINGLE_FACTOR_TERM = 0.065;

/* X X' over features: a product of two entries added to the product of two rows, and a non-zero
 * listed by its feature (2,048 rows, measure_pairs). */
static const double PRODUCT = 1.5;
static const double TRANSPOSE = 4;

/* The dense vectors of a step of conjugate gradients, for each entry of w, in units of SOLVE_ENTRY:
 * a diagonal system of 300 to 60,000 features (measure_vectors). */
static const double VECTOR_ENTRY = 4;

/* The vectors over rows of a step of conjugate gradients, for each row: the system over 20,000 rows
 * of one non-zero (measure_dual). */
static const double MEMBER = 8;

/* Several classes: an evaluation, for each row and class (projections, the line search); a product
 * with the Hessian, for each non-zero of a row and each class with a share in the row (digits,
 * letter). */
static const double CLASS_EVALUATION = 40;
static const double CLASS_ENTRY = 3;

/* A product with the Hessian where all classes have shares: for each non-zero, and for each
 * non-zero and class (a9a, digits and letter, with 2, 10 and 26 classes). */
static const double SHARED_ENTRY = 4;
static const double SHARED_CLASS_ENTRY = 0.5;

/* An entry of rows that have every feature, in sums over rows in turn, relative to an entry of
 * sparse rows: such rows usually have no indices (Newton's steps on dense-20000x500-10-synth). In
 * visits, which wait for memory, the difference is small. */
static const double OF_WHOLE_ROWS = 0.4;

/* Counts entries; the kind of storage must not change the model. */
double cost_share_of_entries(const struct problem *problem)
{
    const struct hinge_dataset *data = problem->data;

    return (double)data->x.nonzeros == (double)data->x.rows * data->features ? OF_WHOLE_ROWS : 1;
}

static double cube(double x)
{
    return x * x * x;
}

double cost_of_visits(double visits, double length, int is_curved)
{
    return visits * (VISIT + VISIT_ENTRY * length + (is_curved ? CURVED_VISIT : 0));
}

double cost_of_extrapolation(double rows, double width, int is_curved)
{
    return (EXTRAPOLATED_ROW + (is_curved ? CURVED_EXTRAPOLATED_ROW : 0)) * rows +
           EXTRAPOLATED_ENTRY * width;
}

double cost_of_pass(double nonzeros)
{
    return HESSIAN_ENTRY * nonzeros;
}

double cost_of_pairs(double rows)
{
    return PAIR_ROW * rows;
}

double cost_of_columns(double entries, double length)
{
    return entries * (COLUMN_ROW + length);
}

double cost_of_evaluation(double rows, double nonzeros)
{
    return EVALUATION_ENTRY * nonzeros + EVALUATION * rows;
}

/* A product of two features of a row added to X'WX in tiles, as for rows that have most features
 * (measure_outer). */
static const double TILED = 0.3;

/* Over features, forming X'WX takes about a unit for each product of two entries of a row, less in
 * tiles (measure_outer). Over rows, it takes a unit for each non-zero times a row. */
double cost_of_primal_factor(int over_features, double order, double members, double nonzeros)
{
    const double mean = nonzeros / fmax(members, 1);
    const double products =
        over_features ? fmin(nonzeros * mean, TILED * members * order * order) : nonzeros * order;

    return products / 2 + FACTOR_TERM * cube(order) / 6;
}

double cost_of_primal_step(int over_features, double order, double width, double nonzeros)
{
    const double times = order > 0 && !over_features ? 4 : 2;

    return times * HESSIAN_ENTRY * nonzeros + SOLVE_ENTRY * (order * order + VECTOR_ENTRY * width);
}

double cost_of_lines(double entries)
{
    return SOLVE_ENTRY * entries;
}

double cost_of_transpose(double nonzeros)
{
    return TRANSPOSE * nonzeros;
}

double cost_of_products(double products)
{
    return PRODUCT * products;
}

double cost_of_dual_factor(double order)
{
    return SINGLE_FACTOR_TERM * cube(order) / 6;
}

double cost_of_dual_step(double order, double members, double nonzeros, double width)
{
    return 2 * HESSIAN_ENTRY * nonzeros + SINGLE_SOLVE_ENTRY * order * order + MEMBER * members +
           width / 2; /* clearing a vector over all features (measure_dual) */
}

/* ---- Finishing --------------------------------------------------------- */

/* Numbers of support vectors and of their non-zeros. */
struct support {
    double rows;
    double nonzeros;
};

/* Counts the rows with alpha above 0 and, if inside, below its upper end. With a free bias, rows
 * that no step on a pair can have seen yet count as well. */
static ALWAYS_INLINE struct support count_support(const struct training *training, int inside)
{
    const struct problem *problem = training->problem;
    uint64_t nonzeros = 0;
    uint32_t rows = 0;

    for (uint32_t i = 0; i < problem->rows; i++) { /* a branch would be mispredicted */
        const double alpha = training->alpha[i];
        const unsigned counts =
            inside ? (unsigned)loss_is_free(problem->loss, problem_cost(problem, i), alpha)
                   : alpha > 0;

        rows += counts;
        nonzeros += counts * (uint64_t)problem_length(problem, i);
    }
    if (problem->bias_kind == BIAS_FREE) {
        const double unseen = problem->rows - 2 * (double)training->progress.passes;

        if (rows < unseen)
            return (struct support){unseen, problem_nonzeros(problem) * unseen / problem->rows};
    }
    return (struct support){rows, (double)nonzeros};
}

/* Returns the number of steps of Newton's method. A smooth loss takes 4 to 12. Other losses take 10
 * to 40 down to a gap of 1e-3, and three times as many down to 1e-6. LIBLINEAR's rule takes 15 to
 * 30 of them; most look at few rows, and together they cost as much as 8 to 12 over all rows. */
static double newton_steps(const struct training *training)
{
    if (loss_is_smooth(training->problem->loss))
        return 6 + training->distance / 2;
    return 5 + (training->parameters->eps > 0 ? 1.25 : 1.5) * training->distance;
}

/* Returns the steps of conjugate gradients without a factor. With fewer rows than features, they
 * reach their limit, with a curved loss about CURVED: farm-ads takes 7, 15, 26 and 55 at C = 1/4,
 * 4, 64 and 1024. With more rows, the condition of the scaled system is at most about the condition
 * of X'X for independent random rows, ((1 + r)/(1 - r))^2, r^2 = width/rows (Bai and Yin, Annals of
 * Probability 21, 1993). The steps are proportional to its root: synthetic rows of RCV1's shape
 * took 1.6 to 2 times the root, with 6 and 60 rows for each feature. */
static double gradient_steps(double width, double rows, int is_curved)
{
    static const double STEPS = 1.75, CURVED = 20;
    const double r = sqrt(width / fmax(rows, 1)), most = is_curved ? CURVED : MOST_GRADIENTS;

    return r < 1 ? fmin(most, STEPS * (1 + r) / (1 - r)) : most;
}

/* Returns the price of one solution of the system. Over features, most steps update the factor of
 * the step before. Over rows, one step in five makes a factor, and 40 steps of conjugate gradients
 * correct for its age. */
static double primal_solution(const struct problem *problem, struct support support)
{
    const double width = (double)problem_width(problem);
    const double entries = cost_share_of_entries(problem) * support.nonzeros;
    const double over_features =
        cost_of_primal_factor(1, width, support.rows / 4, support.nonzeros / 4) +
        cost_of_primal_step(1, width, width, entries);
    const double over_rows =
        cost_of_primal_factor(0, support.rows, support.rows, support.nonzeros) / 5 +
        40 * cost_of_primal_step(0, support.rows, width, entries);

    if (primal_over_features(problem)) /* with a curved loss, all rows have a weight */
        return support.rows <= (double)primal_row_capacity(problem) &&
                       !loss_is_curved(problem->loss)
                   ? fmin(over_features, over_rows)
                   : over_features;
    if (support.rows <= MOST_ORDER)
        return over_rows;
    return gradient_steps(width, support.rows, loss_is_curved(problem->loss)) *
           cost_of_primal_step(0, 0, width, entries);
}

double cost_of_newton(const struct training *training)
{
    const struct problem *problem = training->problem;
    const double entries = cost_share_of_entries(problem) * problem_nonzeros(problem);

    return newton_steps(training) * (cost_of_evaluation(problem->rows, entries) +
                                     primal_solution(problem, count_support(training, 0)));
}

/* The interior-point method takes 15 to 40 steps from anywhere. Each has a factor of all rows, two
 * solutions of one or two steps, and as many passes as two evaluations of Newton's method. */
double cost_of_interior_point(const struct training *training)
{
    enum { STEPS = 25, SOLUTIONS = 3, EVALUATIONS = 2 };
    const struct problem *problem = training->problem;
    const int over_features = primal_over_features(problem);
    const double width = (double)training->width, nonzeros = problem_nonzeros(problem);
    const double order = over_features ? width : problem->rows;
    const double entries = cost_share_of_entries(problem) * nonzeros;

    return STEPS * (cost_of_primal_factor(over_features, order, problem->rows, nonzeros) +
                    SOLUTIONS * cost_of_primal_step(over_features, order, width, entries) +
                    EVALUATIONS * cost_of_evaluation(problem->rows, entries));
}

/* Counts the rows in which two classes or more have shares, the non-zeros of these rows, and the
 * sum over the rows of non-zeros times shares. */
static void count_shares(const struct training *training, double *rows, double *nonzeros,
                         double *shares)
{
    const struct problem *problem = training->problem;
    const size_t k = problem->classes;

    *rows = *nonzeros = *shares = 0;
    for (uint32_t i = 0; i < problem->rows; i++) {
        const double *alpha = training->alpha + i * k;
        const uint32_t y = problem->class_of[i];
        const double length = (double)problem_length(problem, i);
        unsigned members = 0;

        for (size_t m = 0; m < k; m++)
            members += singer_share(problem_cost(problem, i), y, alpha, m) > 0;
        if (members < 2)
            continue;
        *rows += 1;
        *nonzeros += length;
        *shares += length * members;
    }
}

double cost_of_all_classes(double nonzeros, double classes)
{
    return (SHARED_ENTRY + SHARED_CLASS_ENTRY * classes) * nonzeros;
}

double cost_of_class_step(const struct problem *problem, double order)
{
    const double k = (double)problem->classes, width = (double)problem_width(problem);

    return 2 * cost_of_all_classes(problem_nonzeros(problem), k) +
           SOLVE_ENTRY * (k * order * order + VECTOR_ENTRY * width);
}

double cost_of_class_blocks(const struct problem *problem, double order)
{
    return (double)problem->classes *
           cost_of_primal_factor(1, order, problem->rows, problem_nonzeros(problem));
}

/* The number of steps is that on digits, letter and 10,000 images at C = 1 to 100, where about 10
 * steps of conjugate gradients solve the system with blocks. A step has on average a fifth of the
 * shares that exist when passes end (times of 20 trainings with 3 to 500 classes). Without blocks,
 * all shares stay, and conjugate gradients take about the root of the order of the space that the
 * shares span (4,000 images of 3,072 values). With rare features they take many hundred steps, and
 * passes are never slower (20news, C = 100 and more). */
double cost_of_class_newton(const struct training *training)
{
    static const double LEFT = 0.2, WITH_BLOCKS = 10;
    const struct problem *problem = training->problem;
    const double k = (double)problem->classes, order = (double)class_system_order(problem);
    const double width = (double)problem_width(problem);
    double rows, nonzeros, shares, length, gradients, product;

    if (order == 0 && cost_share_of_entries(problem) == 1)
        return HUGE_VAL;
    count_shares(training, &rows, &nonzeros, &shares);
    length = nonzeros / fmax(rows, 1);
    gradients = order > 0 ? WITH_BLOCKS : sqrt(shares / fmax(length, 1) - rows);
    shares *= order > 0 ? LEFT : 1;
    product = 2 * CLASS_ENTRY * cost_share_of_entries(problem) * shares +
              SOLVE_ENTRY * (k * order * order + VECTOR_ENTRY * width);
    return (3 + 3 * training->distance) *
           (cost_of_all_classes(problem_nonzeros(problem), k) +
            CLASS_EVALUATION * problem->rows * k + (order > 0 ? shares * length / 2 : 0) +
            FACTOR_TERM * k * cube(order) / 6 + gradients * product);
}

/* The number of steps is that on farm-ads, down to a gap of 1e-3. LIBLINEAR's rule, which concerns
 * every row, takes twice as many if alpha is bounded. Every other step makes a factor. A step has
 * 30 steps of conjugate gradients, without a factor up to their limit, and a line search of ten
 * passes over the support vectors. */
double cost_of_dual_newton(const struct training *training)
{
    const struct problem *problem = training->problem;
    const struct support support = count_support(training, 1);
    const double times = training->parameters->eps > 0 && !loss_is_smooth(problem->loss) ? 2 : 1;
    const double order = support.rows <= MOST_ORDER ? support.rows : 0;
    const double gradients = support.rows <= MOST_ORDER ? 30 : MOST_GRADIENTS;

    return times * (4 + 0.6 * training->distance) *
           (cost_of_dual_factor(order) / 2 +
            gradients *
                cost_of_dual_step(order, support.rows, support.nonzeros, (double)training->width) +
            10 * HESSIAN_ENTRY * support.nonzeros);
}

/* ---- The trend of the passes ------------------------------------------- */

int trend_note(struct trend *trend, const struct training *training)
{
    const struct trend_mark now = {(double)training->progress.passes, training->distance,
                                   training->spent};

    trend->last = now;
    if (now.passes < trend->next_mark)
        return 0;
    trend->older = trend->mark.passes > 0 ? trend->mark : now; /* at 1, 2, 4, 8, ... */
    trend->mark = now;
    trend->next_mark = 2 * now.passes;
    return 1;
}

double trend_passes(const struct trend *trend, int optimistic)
{
    const double passes = trend->last.passes, now = trend->last.distance;
    const double since = fmax(passes - trend->older.passes, DBL_MIN);
    const double fall = (trend->older.distance - now) / since;
    const double steady = fall > 0 ? now / fall : HUGE_VAL;

    return optimistic ? steady : steady + steady * steady / (4 * passes);
}

double trend_price(const struct trend *trend, double passes)
{
    return passes * (trend->last.spent - trend->older.spent) /
           fmax(trend->last.passes - trend->older.passes, DBL_MIN);
}

double trend_doubt(const struct trend *trend, double price)
{
    return fmax(0.2 * price / fmax(trend->last.spent, DBL_MIN), 1);
}
