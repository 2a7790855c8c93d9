/* least_c.c - the C at which a search begins. Below it the solutions are multiples of one another
 * or, with |w|_1 alone, 0. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "learn/agreement.h"
#include "learn/costs.h"
#include "problem/loss.h"

/* Returns LIBLINEAR's least C for regression, (delta/(2 sum |t|))^2 sum e^2/(2 longest), with
 * delta = 1/10 and the errors e beyond epsilon at w = 0. At this C, |<w, x_i>| is small beside the
 * targets. For a linear loss |<w, x_i>| is at most C sum_j |x_j| |x_i|. */
static double least_of_regression(const struct path *all, const struct solver *solver,
                                  double longest)
{
    double targets = 0, squares = 0, errors = 0;

    for (uint32_t i = 0; i < all->data->x.rows; i++) {
        const double weight = costs_of_row(all->parameters, i), target = fabs(all->data->label[i]);
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

/* Adds weight x_i for each row of a class to sum[features + 1], the bias last. */
static void add_class(const struct path *all, uint32_t class, double weight, double *sum)
{
    const struct hinge_matrix *x = &all->data->x;

    for (uint32_t i = 0; i < x->rows; i++) {
        const double its = weight * costs_of_row(all->parameters, i);

        if (all->classes->of_row[i] != class)
            continue;
        for (size_t k = x->start[i]; k < x->start[i + 1]; k++)
            sum[hinge_index(x, k)] += its * hinge_value(x, k);
        sum[all->data->features] += its * fmax(all->parameters->bias, 0);
    }
}

/* Returns the weight of a class in a problem in which its rows are negative. */
static double weight_among_others(const struct path *all, const double *weight, uint32_t class)
{
    return all->classes->count == 2 ? weight[class] : 1;
}

/* Returns the least C at which the solution of some class is not 0, for |w|_1 alone; 0 on failure.
 * w = 0 is the solution up to C = 1/(max_j |sum_i phi'(s_i) y_i x_ij|). The sum has the weights of
 * rows and classes; s_i is the margin at w = 0 and the best free bias. There, cost times slope is
 * the same on both sides, and the sum of both slopes is 2 phi'(t): 2(1 - b) + 2(1 + b) for the
 * squared hinge, 1/(1 + e^b) + 1/(1 + e^-b) for the logistic loss. A bias that is not free is a
 * feature like the others, with b = 0. */
static double least_beside_zero(const struct hinge_dataset *data,
                                const struct hinge_parameters *parameters,
                                struct hinge_error *error)
{
    struct classes classes;
    struct path all = {.data = data, .parameters = parameters, .rows = data->x.rows};
    const size_t width = (size_t)data->features + !parameters->free_bias;
    double *weight = NULL, *total = NULL, *others = NULL, *own = NULL;
    double largest = 0, slope = 0, costs = 0;
    int failed = path_begin(&all, &classes, error) ||
                 !(weight = array_new(classes.count, sizeof *weight, error)) ||
                 !(total = array_new(classes.count, sizeof *total, error)) ||
                 !(others = array_new((size_t)data->features + 1, sizeof *others, error)) ||
                 !(own = array_new((size_t)data->features + 1, sizeof *own, error)) ||
                 costs_weigh_classes(&all, weight, error);

    for (uint32_t i = 0; !failed && i < data->x.rows; i++)
        total[classes.of_row[i]] += costs_of_row(all.parameters, i);
    for (uint32_t c = 0; !failed && c < classes.count; c++) {
        const double other = weight_among_others(&all, weight, c);

        add_class(&all, c, other, others);
        costs += other * total[c];
    }
    for (uint32_t c = 0; !failed && c < classes.count; c++) {
        const double other = weight_among_others(&all, weight, c);
        const double own_cost = weight[c] * total[c];
        const double other_cost = positive_part(costs - other * total[c]);
        const double both = own_cost + other_cost;
        double own_slope = 1, other_slope = 1; /* at w = 0 and the best b, divided by phi'(t) */

        if (parameters->free_bias) {
            own_slope = both > 0 ? 2 * (other_cost / both) : 0;
            other_slope = both > 0 ? 2 * (own_cost / both) : 0;
        }

        memset(own, 0, ((size_t)data->features + 1) * sizeof *own);
        add_class(&all, c, own_slope * weight[c] + other_slope * other, own);
        for (size_t j = 0; j < width; j++)
            largest = fmax(largest, fabs(own[j] - other_slope * others[j]));
    }
    if (!failed)
        slope = loss_slope(all.solver->loss, loss_target(all.solver->loss));
    free(weight);
    free(total);
    free(others);
    free(own);
    classes_free(&classes);
    return failed ? 0 : largest > 0 ? fmax(1 / (slope * largest), 0x1p-332) : 1;
}

/* |z_i| <= |w| |x_i| <= sum_j alpha_j |x_j| |x_i|, and alpha_j is at most its cost (L1-loss,
 * logistic), or twice its cost if z_j >= 0 (L2-loss). So no z_i reaches 1 if the sum of costs is
 * small enough; LIBLINEAR begins there, too. The L1-loss also counts twice its cost: with its cost
 * alone, a z_i may be exactly 1, and the row has no loss. */
double hinge_least_C(const struct hinge_dataset *data, const struct hinge_parameters *parameters,
                     struct hinge_error *error)
{
    const struct path all = {.data = data, .parameters = parameters, .rows = data->x.rows};
    const struct solver *solver = solver_find(parameters->solver);
    uint32_t row = 0;
    struct problem one = {.data = data, .rows = 1, .row = &row, .bias = parameters->bias};
    double heaviest = 1, longest = 0, most; /* longest: the largest |x_i|^2, of all ranks */
    struct label_weights given;
    struct team *team;
    enum hinge_status status;
    int exponent;

    if (hinge_parameters_check(parameters, error) || path_check_labels(&all, error))
        return 0;
    if (solver_is_only_l1(solver)) {
        most = least_beside_zero(data, parameters, error);
        if (most == 0 || most >= 0.5)
            return most > 0; /* 0: failed */
        frexp(most, &exponent);
        return ldexp(1, exponent > -332 ? exponent : -332);
    }
    status = label_weights_find(&given, parameters, error);
    for (size_t k = 0; k < given.labels.count; k++)
        heaviest = fmax(heaviest, given.product[k]);
    label_weights_free(&given);
    if (status)
        return 0;
    one.bias_kind = solver_bias_kind(solver, parameters);
    for (; row < data->x.rows; row++)
        longest = fmax(longest, problem_square(&one, 0));
    if (pages_check(&data->x, error) || agreement_find(data, parameters, 0, NULL, 0, &team, error))
        return 0;
    longest = team_largest(team, longest);
    status = team_check(team, error);
    team_free(team);
    if (status)
        return 0;
    if (longest == 0 || !(costs_total(&all) > 0))
        return 1;
    most =
        solver->info.regression
            ? least_of_regression(&all, solver, longest)
            : 1 / longest / ((loss_is_curved(solver->loss) ? 1 : 2) * heaviest * costs_total(&all));
    if (most >= 1)
        return 1;
    if (!(most >= 1e-99))
        return ldexp(1, -332); /* the least C there is */
    frexp(most, &exponent);
    return ldexp(1, exponent - 1);
}
