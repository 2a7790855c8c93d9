/* least_c.c - the C at which a search begins: below it the solutions are multiples of one another,
 * or 0. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "learn/agreement.h"
#include "learn/costs.h"
#include "problem/bias.h"
#include "problem/loss.h"

/* LIBLINEAR's least C of a regression: (delta/(2 sum |t|))^2 sum e^2/(2 longest), e the errors
 * beyond epsilon at w = 0 and delta = 1/10: there |<w, x_i>| is small beside the targets. As much
 * at every point is at most C sum |x_j| |x_i| where the loss is linear. */
static double least_of_regression(const struct path *all, const struct solver *solver,
                                  double longest)
{
    double targets = 0, squares = 0, errors = 0;

    for (uint32_t i = 0; i < all->data->x.rows; i++) {
        const double weight = costs_of_row(all, i), target = fabs(all->data->label[i]);
        const double error = positive_part(target - all->parameters->epsilon);

        targets += weight * target;
        errors += weight * error;
        squares += weight * error * error;
    }
    if (!(squares > 0))
        return 1;
    return loss_is_linear(solver->loss)
               ? 0.1 * errors / costs_total(all) / costs_total(all) / longest
               : 0.01 * (squares / targets / targets) / (8 * longest);
}

/* The sum over the rows of a class of weight x_i is added to sum[features + 1], the bias last. */
static void add_class(const struct path *all, uint32_t class, double weight, double *sum)
{
    const struct hinge_matrix *x = &all->data->x;

    for (uint32_t i = 0; i < x->rows; i++) {
        const double its = weight * costs_of_row(all, i);

        if (all->classes->of_row[i] != class)
            continue;
        for (size_t k = x->start[i]; k < x->start[i + 1]; k++)
            sum[hinge_index(x, k)] += its * hinge_value(x, k);
        sum[all->data->features] += its * fmax(all->parameters->bias, 0);
    }
}

/* Where R is |w|_1: w = 0 is the solution up to C = 1/(phi'(t) max_j |sum_i y_i x_ij|), the sum
 * with the weights of rows and classes. The least of this for a class against the others; 0 on
 * failure. A free bias, whose best value at w = 0 need not be 0, is left out. */
static double least_beside_zero(const struct hinge_dataset *data,
                                const struct hinge_parameters *parameters,
                                struct hinge_error *error)
{
    struct classes classes;
    struct path all = {.data = data, .parameters = parameters, .rows = data->x.rows};
    const size_t width = (size_t)data->features + !parameters->free_bias;
    double *weight = NULL, *others = NULL, *own = NULL, largest = 0, slope = 0;
    int failed = path_begin(&all, &classes, error) ||
                 !(weight = array_new(classes.count, sizeof *weight, error)) ||
                 !(others = array_new((size_t)data->features + 1, sizeof *others, error)) ||
                 !(own = array_new((size_t)data->features + 1, sizeof *own, error)) ||
                 costs_weigh_classes(&all, weight, error);

    for (uint32_t c = 0; !failed && c < classes.count; c++)
        add_class(&all, c, classes.count == 2 ? weight[c] : 1, others);
    for (uint32_t c = 0; !failed && c < classes.count; c++) {
        memset(own, 0, ((size_t)data->features + 1) * sizeof *own);
        add_class(&all, c, classes.count == 2 ? 2 * weight[c] : 1 + weight[c], own);
        for (size_t j = 0; j < width; j++)
            largest = fmax(largest, fabs(own[j] - others[j]));
    }
    if (!failed)
        WITH_LOSS(all.solver->loss, slope = loss_slope(LOSS, loss_target(LOSS)));
    free(weight);
    free(others);
    free(own);
    classes_free(&classes);
    return failed ? 0 : largest > 0 ? fmax(1 / (slope * largest), 0x1p-332) : 1;
}

/* In a team the other ranks may have longer rows. */
static enum hinge_status find_longest_of_team(const struct hinge_dataset *data,
                                              const struct hinge_parameters *parameters,
                                              double *longest, struct hinge_error *error)
{
    struct team *team;
    enum hinge_status status;

    if (agreement_find(data, parameters, 0, NULL, 0, &team, error))
        return failure(error);
    *longest = team_largest(team, *longest);
    status = team_check(team, error);
    team_free(team);
    return status;
}

/* |z_i| <= |w| |x_i| <= sum_j alpha_j |x_j| |x_i|, and alpha_j is at most its cost (L1-loss,
 * logistic), or twice that where z_j >= 0 (L2-loss): with all costs together small enough no z_i
 * reaches 1. LIBLINEAR begins there, too. */
double hinge_least_C(const struct hinge_dataset *data, const struct hinge_parameters *parameters,
                     struct hinge_error *error)
{
    const struct path all = {.data = data, .parameters = parameters, .rows = data->x.rows};
    const struct solver *solver = solver_find(parameters->solver);
    uint32_t row = 0;
    const struct problem one = {.data = data,
                                .rows = 1,
                                .row = &row,
                                .bias_kind =
                                    solver ? solver_bias_kind(solver, parameters) : BIAS_NONE,
                                .bias = parameters->bias};
    const double times = solver && loss_is_curved(solver->loss) ? 1 : 2;
    double longest = 0, heaviest = 1, most;
    struct label_weights given = {{0}, NULL};
    int exponent, failed;

    failed =
        hinge_parameters_check(parameters, error) || label_weights_find(&given, parameters, error);
    for (size_t k = 0; k < given.labels.count; k++)
        heaviest = fmax(heaviest, given.product[k]);
    label_weights_free(&given);
    if (failed || !solver) /* the check has refused a solver that there is not */
        return 0;
    if (solver_is_only_l1(solver)) {
        most = least_beside_zero(data, parameters, error);
        if (most == 0 || most >= 0.5)
            return most > 0; /* 0: *error says why */
        frexp(most, &exponent);
        return ldexp(1, exponent > -332 ? exponent : -332);
    }
    for (; row < data->x.rows; row++)
        longest = fmax(longest, problem_square(&one, 0));
    if (pages_check(&data->x, error) || find_longest_of_team(data, parameters, &longest, error))
        return 0;
    if (longest == 0 || !(costs_total(&all) > 0))
        return 1;
    most = solver->info.regression ? least_of_regression(&all, solver, longest)
                                   : 1 / longest / (times * heaviest * costs_total(&all));
    if (most >= 1)
        return 1;
    if (!(most >= 1e-99))
        return ldexp(1, -332); /* the least C there is */
    frexp(most, &exponent);
    return ldexp(1, exponent - 1);
}
