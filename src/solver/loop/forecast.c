/* forecast.c - steps to come times the price of a step. The numbers of steps were counted on the
 * data sets of tests/bench/RESULTS.md.
 */
#include "solver/loop/loop.h"

#include <float.h>
#include <math.h>

#include "problem/crammer_singer.h"
#include "solver/linear/cg.h"
#include "solver/linear/class_system.h"
#include "solver/linear/cost.h"
#include "solver/linear/dual_system.h"
#include "solver/linear/primal_system.h"
#include "solver/loop/workspace.h"

/* Numbers of support vectors and of their non-zeros. */
struct support {
    double rows;
    double nonzeros;
};

/* Counts the rows with alpha above 0 and, if inside, below its upper end. With a free bias, returns
 * at least the number of rows that no step on a pair can have seen yet. */
static ALWAYS_INLINE struct support count_support(const struct training *training, int inside)
{
    const struct problem *problem = training->problem;
    uint64_t nonzeros = 0;
    uint32_t rows = 0;

    for (uint32_t i = 0; i < problem->rows; i++) { /* a branch would be mispredicted */
        const double alpha = training->point.alpha[i];
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

/* Returns the price of one solution of the system of Newton's method. Over features, most steps
 * update the factor of the step before. Over rows, one step in five makes a factor, and 40 steps of
 * conjugate gradients correct for its age.
 *
 * Without a factor and with fewer rows than features, conjugate gradients reach their limit. With a
 * curved loss they take about CURVED steps: farm-ads takes 7, 15, 26 and 55 at C = 1/4, 4, 64 and
 * 1024. With more rows, the condition of the scaled system is at most about the condition of X'X
 * for independent random rows, ((1 + r)/(1 - r))^2, r^2 = width/rows (Bai and Yin, Annals of
 * Probability 21, 1993). The steps are proportional to the root of the condition: synthetic rows of
 * RCV1's shape took 1.6 to 2 times the root, with 6 and 60 rows for each feature. */
static double primal_solution(const struct problem *problem, struct support support)
{
    static const double STEPS = 1.75, CURVED = 20;
    const int is_curved = loss_is_curved(problem->loss);
    const double width = (double)problem_width(problem);
    const double entries = cost_share_of_entries(problem) * support.nonzeros;
    const double over_features =
        cost_of_primal_factor(1, width, support.rows / 4, support.nonzeros / 4) +
        cost_of_primal_step(1, width, width, entries);
    const double over_rows =
        cost_of_primal_factor(0, support.rows, support.rows, support.nonzeros) / 5 +
        40 * cost_of_primal_step(0, support.rows, width, entries);
    const double r = sqrt(width / fmax(support.rows, 1)),
                 most = is_curved ? CURVED : MOST_GRADIENTS;

    if (primal_over_features(problem)) /* with a curved loss, all rows have a weight */
        return support.rows <= (double)primal_row_capacity(problem) && !is_curved
                   ? fmin(over_features, over_rows)
                   : over_features;
    if (support.rows <= MOST_ORDER)
        return over_rows;
    return (r < 1 ? fmin(most, STEPS * (1 + r) / (1 - r)) : most) *
           cost_of_primal_step(0, 0, width, entries);
}

/* True if a system over the free rows has no factor, and its condition grows with C. Conjugate
 * gradients then end at their limit with much of the residual left, and passes are faster. So it is
 * if there are more than twice as many features as free rows. For the hinge of a classification,
 * and for steps on the free rows of one, passes are faster even with fewer features than that.
 * (67,000 phrases, 48,000 free rows, 86,000 features, -s 3, C = 512: 6 s of passes alone, 15 s if
 * steps take turns with them.) They are not with Newton's method for a smooth loss (-s 12, C = 64:
 * 1.7 s of passes, 0.9 s with it), nor for a regression whose rows are nearly all free (-s 13, C =
 * 4096: 54 s in all with steps; passes alone are not certified in 300 s). `free` is the support of
 * the free rows, for steps on these. If it is NULL, the support is counted here, unless the sizes
 * alone decide. */
static int is_beyond_gradients(const struct training *training, const struct support *free)
{
    const struct problem *problem = training->problem;
    const int is_smooth = !free && loss_is_smooth(problem->loss);
    const double times = loss_has_targets(problem->loss) || is_smooth ? 2 : 1;
    const double width = (double)training->width;
    struct support counted;

    if (training->rows <= MOST_ORDER || width <= times * MOST_ORDER ||
        loss_is_curved(problem->loss) || primal_over_features(problem))
        return 0;
    counted = free ? *free : count_support(training, 1);
    return counted.rows > MOST_ORDER && width > times * counted.rows;
}

/* A smooth loss takes 4 to 12 steps. Other losses take 10 to 40 down to a gap of 1e-3, and three
 * times as many down to 1e-6. LIBLINEAR's rule takes 15 to 30 steps. Most of them look at few rows,
 * so together they cost as much as 8 to 12 steps over all rows. */
double cost_of_newton(const struct training *training)
{
    const struct problem *problem = training->problem;
    const double entries = cost_share_of_entries(problem) * problem_nonzeros(problem);
    const double rate = training->parameters->eps > 0 ? 1.25 : 1.5;
    const double steps =
        loss_is_smooth(problem->loss) ? 6 + training->distance / 2 : 5 + rate * training->distance;

    if (is_beyond_gradients(training, NULL))
        return HUGE_VAL;
    return steps * (cost_of_evaluation(problem->rows, entries) +
                    primal_solution(problem, count_support(training, 0)));
}

/* The interior-point method takes 15 to 40 steps from anywhere. Each has a factor of all rows, two
 * solutions of one or two steps, and as many passes as two evaluations of Newton's method. A factor
 * that eliminates rare features first may be much cheaper, but solutions with it take MORE further
 * steps. Such a factor is looked for once the training has spent the fraction LATE of the price
 * without it. (grants, C = 64: -s 5 takes 0.5 s instead of 1.38 s, -s 6 0.5 s instead of 1.37 s.)
 */
double cost_of_interior_point(const struct training *training)
{
    enum { STEPS = 25, SOLUTIONS = 3, EVALUATIONS = 2, MORE = 9 };
    static const double LATE = 0.125;
    const struct problem *problem = training->problem;
    const int over_features = primal_over_features(problem);
    const double width = (double)training->width, nonzeros = problem_nonzeros(problem);
    const double order = over_features ? width : problem->rows;
    const double entries = cost_share_of_entries(problem) * nonzeros;
    const double evaluations = EVALUATIONS * cost_of_evaluation(problem->rows, entries);
    const double price =
        STEPS *
        (cost_of_primal_factor(over_features, order, problem->rows, nonzeros) +
         SOLUTIONS * cost_of_primal_step(over_features, order, width, entries) + evaluations);
    double ordered = 0;

    if (over_features && training->spent > LATE * price)
        ordered = workspace_ordered_price(training->task->workspace, problem, SOLUTIONS + MORE);
    return ordered > 0 ? STEPS * (ordered + evaluations) : price;
}

/* The number of steps was counted on digits, letter and 10,000 images at C = 1 to 100. There, about
 * 10 steps of conjugate gradients solve the system with blocks. A step has on average a fifth of
 * the shares that exist when passes end (times of 20 trainings with 3 to 500 classes). Without
 * blocks, all shares stay, and conjugate gradients take about as many steps as the root of the
 * dimension of the space that the shares span (4,000 images of 3,072 values). With rare features
 * they take many hundred steps, and passes are never slower (20news, C = 100 and more). */
double cost_of_class_newton(const struct training *training)
{
    static const double LEFT = 0.2, WITH_BLOCKS = 10;
    const struct problem *problem = training->problem;
    const double order = (double)class_system_order(problem);
    double rows = 0, nonzeros = 0, shares = 0, length, gradients;

    if (order == 0 && cost_share_of_entries(problem) == 1)
        return HUGE_VAL;
    /* Counts rows in which two classes or more have shares. */
    for (uint32_t i = 0; i < problem->rows; i++) {
        const double *alpha = training->point.alpha + i * problem->classes;
        const double entries = (double)problem_length(problem, i);
        unsigned members = 0;

        for (size_t m = 0; m < problem->classes; m++)
            members += singer_share(problem_cost(problem, i), problem->class_of[i], alpha, m) > 0;
        rows += members > 1;
        nonzeros += members > 1 ? entries : 0;
        shares += members > 1 ? entries * members : 0;
    }
    length = nonzeros / fmax(rows, 1);
    gradients = order > 0 ? WITH_BLOCKS : sqrt(shares / fmax(length, 1) - rows);
    shares *= order > 0 ? LEFT : 1;
    return (3 + 3 * training->distance) *
           cost_of_singer_step(problem, order, order > 0 ? shares * length : 0, shares, gradients);
}

/* The number of steps was counted on farm-ads, down to a gap of 1e-3. LIBLINEAR's rule, which
 * concerns every row, takes twice as many if alpha is bounded. Every other step makes a factor. A
 * step has 30 steps of conjugate gradients with a factor, MOST_GRADIENTS without one, and a line
 * search of ten passes over the support vectors. */
double cost_of_dual_newton(const struct training *training)
{
    const struct problem *problem = training->problem;
    const struct support support = count_support(training, 1);
    const double times = training->parameters->eps > 0 && !loss_is_smooth(problem->loss) ? 2 : 1;
    const int has_factor = support.rows <= (double)dual_system_capacity(problem);
    const double order = has_factor ? support.rows : 0;
    const double gradients = has_factor ? 30 : MOST_GRADIENTS;

    if (!has_factor && is_beyond_gradients(training, &support))
        return HUGE_VAL;
    return times * (4 + 0.6 * training->distance) *
           (cost_of_dual_factor(order) / 2 +
            gradients *
                cost_of_dual_step(order, support.rows, support.nonzeros, (double)training->width) +
            COST_OF_NONZERO * (10 * support.nonzeros));
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
