/* test_newton.c - Newton's method on the primal, of either loss: the certificate recomputed, the
 * minimum by an independent method, the gradient by differences. */
#include <math.h>

#include "free_toy.h"
#include "methods.h"
#include "training.h"

/* ---- The gradient ------------------------------------------------------- */

static long double exact_primal(const struct toy *toy, const long double *w)
{
    long double total = 0;

    for (size_t j = 0; j < toy->width; j++)
        total += w[j] * w[j] / 2;
    for (size_t i = 0; i < toy->m; i++) {
        long double slack = 0;

        for (size_t j = 0; j < toy->width; j++)
            slack += w[j] * toy->x[i][j];
        slack = 1 - toy->sign[i] * slack;
        if (slack > 0)
            total += toy->cost[i] * slack * slack;
    }
    return total;
}

/* |grad P(w)|^2 by central differences. */
static double square_of_gradient(const struct toy *toy, const double *at)
{
    const long double h = 1e-9L;
    long double w[MOST_WIDTH], square = 0;

    for (size_t j = 0; j < toy->width; j++)
        w[j] = at[j];
    for (size_t j = 0; j < toy->width; j++) {
        long double difference;

        w[j] = at[j] + h;
        difference = exact_primal(toy, w);
        w[j] = at[j] - h;
        difference -= exact_primal(toy, w);
        w[j] = at[j];
        square += difference * difference / (4 * h * h);
    }
    return (double)square;
}

/* P has curvatures from 1 to L = 1 + 2 sum C_i |x_i|^2, so that |grad|^2 / 2 is at least P - min P
 * and at most L (P - min P), of which the certificate knows an upper bound. */
static void test_gradient_of_newton_vanishes(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        const struct hinge_parameters parameters = parameters_for(number % 2 ? 1e-9 : 1e-2, 0);
        double most = 1, square, above, rough;
        struct bracket bracket;
        struct answer answer;

        toy_even(&toy, number, LOSS_SQUARED_HINGE);
        toy.solver = 2;
        bracket = reference(&toy);
        toy_train(&toy, &parameters, NULL, &answer);
        square = square_of_gradient(&toy, answer.w);
        for (size_t i = 0; i < toy.m; i++)
            most += 2 * toy.cost[i] * (quadratic(&toy, i, i) - diagonal(&toy, i));
        above = answer.result.primal * answer.result.gap;
        rough = 1e-9 * answer.result.primal; /* of a difference quotient in long double */
        CHECK(&toy, square / 2 <= most * (above + 1e-14 * answer.result.primal) + rough * rough);
        CHECK(&toy, square / 2 >= answer.result.primal - bracket.upper - rounding(&toy, answer.w) -
                                      rough * rough);
    }
}

static void test_free_bias_of_either_loss(void **state)
{
    (void)state;
    free_toys_are_certified(61);
    free_toys_are_certified(2);
}

int main(void)
{
    static int solvers[] = {61, 2, 0};
    const struct CMUnitTest tests[] = {
        TESTS_OF_METHODS(solvers),
        cmocka_unit_test(test_gradient_of_newton_vanishes),
        cmocka_unit_test(test_free_bias_of_either_loss),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
