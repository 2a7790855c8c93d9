/* cost.c - prices are numbers of operations times rates, most of which "make costs" measures. */
#include "solver/linear/cost.h"

#include <math.h>

/* Rates are in the unit of cost.h, except VECTOR_ENTRY. The data of tests/bench/costs.c have 20,000
 * rows of 14 or 140 non-zeros and 300 to 60,000 features. Values are ones or whole numbers. The
 * unit itself is measured by sums_margins over all rows (measure_sums). */

/* A visit of coordinate descent to a row, and each of the row's non-zeros, fetched in random order:
 * a line through the times of six passes on rows of either length (measure_methods). */
static const double VISIT = 40;
static const double VISIT_ENTRY = 3;

/* The exponentials and logarithms of a visit with a curved loss: the gap, and two or three steps of
 * the equation that a coordinate step solves (a9a at C = 10, passes alone). */
static const double CURVED_VISIT = 240;

/* An extrapolation of passes along one change, for each row and each entry of w: instructions on
 * w8a and farm-ads, two of which make a unit. Over two changes there are about twice as many.
 * Extrapolations then take 6 % of the time on 67,349 phrases (-s 3, C = 4096), and 1 to 3 % on
 * farm-ads, imdb and counts. */
static const double EXTRAPOLATED_ROW = 60;
static const double EXTRAPOLATED_ENTRY = 5;

/* The logarithms of an extrapolation with a curved loss, for each row: five points of the line, and
 * D at the last one (farm-ads at C = 4). */
static const double CURVED_EXTRAPOLATED_ROW = 400;

/* An entry of a column of products <x_i, x_j>, in addition to a unit for each non-zero: a line
 * through the times of rows of either length (seconds_of_column_entry). */
static const double COLUMN_ROW = 6;

/* An evaluation of Newton's method. For each row: its dual number and the line search. For each
 * non-zero: two margins, one sum, one product. (A line through five steps without their system,
 * measure_methods.) */
static const double EVALUATION = 80;
static const double EVALUATION_ENTRY = 4;

/* COST_OF_LINE_ENTRY in single precision. */
static const double SINGLE_LINE_ENTRY = 0.3;

/* One of the order^3 / 6 multiplications of a Cholesky factorisation, in double and in single
 * precision: matrices of order 500 to 2,000 (measure_dense). */
static const double FACTOR_TERM = 0.14;
static const double SINGLE_FACTOR_TERM = 0.065;

/* The dense vectors in a step of conjugate gradients, for each entry of w, in units of
 * COST_OF_LINE_ENTRY: a diagonal system of 300 to 60,000 features (measure_vectors). */
static const double VECTOR_ENTRY = 4;

/* The vectors over rows in a step of conjugate gradients, for each row: the system over 20,000 rows
 * of one non-zero (measure_dual). */
static const double MEMBER = 8;

/* Several classes. An evaluation, for each row and class: projections and the line search. A
 * product with the Hessian, for each non-zero of a row and each class with a share in the row.
 * (digits, letter) */
static const double CLASS_EVALUATION = 40;
static const double CLASS_ENTRY = 3;

/* A product with the Hessian where all classes have shares: for each non-zero, and for each
 * non-zero and class (a9a, digits and letter, with 2, 10 and 26 classes). */
static const double SHARED_ENTRY = 4;
static const double SHARED_CLASS_ENTRY = 0.5;

/* An entry of rows that have every feature, relative to an entry of sparse rows, in sums over rows
 * in turn: such rows usually have no indices (Newton's steps on dense-20000x500-10-synth). In
 * visits, which wait for memory, the difference is small. */
static const double OF_WHOLE_ROWS = 0.4;

/* Counts entries, because the kind of storage must not change the model. */
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

double cost_of_columns(double entries, double length)
{
    return entries * (COLUMN_ROW + length);
}

double cost_of_evaluation(double rows, double nonzeros)
{
    return EVALUATION_ENTRY * nonzeros + EVALUATION * rows;
}

/* A product of two entries of a row, added to X'WX in tiles, for rows that have most features
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

    return times * COST_OF_NONZERO * nonzeros +
           COST_OF_LINE_ENTRY * (order * order + VECTOR_ENTRY * width);
}

double cost_of_dual_factor(double order)
{
    return SINGLE_FACTOR_TERM * cube(order) / 6;
}

double cost_of_dual_step(double order, double members, double nonzeros, double width)
{
    return 2 * COST_OF_NONZERO * nonzeros + SINGLE_LINE_ENTRY * order * order + MEMBER * members +
           width / 2; /* clearing a vector over all features (measure_dual) */
}

double cost_of_all_classes(double nonzeros, double classes)
{
    return (SHARED_ENTRY + SHARED_CLASS_ENTRY * classes) * nonzeros;
}

double cost_of_class_step(const struct problem *problem, double order)
{
    const double k = (double)problem->classes, width = (double)problem_width(problem);

    return 2 * cost_of_all_classes(problem_nonzeros(problem), k) +
           COST_OF_LINE_ENTRY * (k * order * order + VECTOR_ENTRY * width);
}

double cost_of_singer_step(const struct problem *problem, double order, double products,
                           double shares, double gradients)
{
    const double k = (double)problem->classes, width = (double)problem_width(problem);
    const double evaluation = CLASS_EVALUATION * problem->rows * k;
    const double factor = products / 2 + FACTOR_TERM * k * cube(order) / 6;
    const double gradient = 2 * CLASS_ENTRY * (cost_share_of_entries(problem) * shares) +
                            COST_OF_LINE_ENTRY * (k * order * order + VECTOR_ENTRY * width);

    return cost_of_all_classes(problem_nonzeros(problem), k) + evaluation + factor +
           gradients * gradient;
}
