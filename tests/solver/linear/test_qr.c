/* test_qr.c - least-squares problems whose columns have scales from 1e-30 to 1e12: the excess over
 * the minimum, known from a known solution, in long double.
 */
#include "solver/linear/qr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_problem.h"

struct known {
    struct random_problem random;
    double *weight, *target, *centre, *unit, *solution, *found;
};

static double scale_of(size_t j)
{
    return pow(10, (double)(j * 7 % 43) - 30);
}

/* Draws columns of any scale, a solution d and residuals r_s of the rows, and sets the targets to
 * <x_s, d> + r_s/weight_s and the centres to d/unit^2 - sum r_s x_s. A free bias is the last
 * feature. */
static void draw(struct known *known, size_t rows, size_t features, enum bias_kind bias,
                 uint64_t seed)
{
    struct random_problem *random = &known->random;
    long double *wide, *centre;
    size_t width;

    random->random = seed;
    random_problem_new(random, rows, features, features < 20 ? features : 20,
                       bias == BIAS_NONE ? -1 : 1);
    random->problem.bias_kind = bias;
    width = problem_width(&random->problem);
    for (size_t k = 0; k < random->data.x.nonzeros; k++) {
        random->value[k] *= scale_of(hinge_index(&random->data.x, k));
    }
    known->weight = malloc(rows * sizeof *known->weight);
    known->target = malloc(rows * sizeof *known->target);
    known->centre = malloc(width * sizeof *known->centre);
    known->unit = malloc(width * sizeof *known->unit);
    known->solution = malloc(width * sizeof *known->solution);
    known->found = malloc(width * sizeof *known->found);
    wide = malloc(2 * width * sizeof *wide);
    assert_true(known->weight && known->target && known->centre && known->unit && known->solution &&
                known->found && wide);
    centre = wide + width;
    for (size_t j = 0; j < width; j++) {
        known->unit[j] = seed % 2 ? 1 : pow(10, -4 * random_unit(&random->random));
        wide[j] = known->solution[j] = known->unit[j] * known->unit[j] *
                                       (random_unit(&random->random) - 0.5) /
                                       (1 + (j < features ? scale_of(j) : 1));
        centre[j] =
            j < problem_penalised(&random->problem) ? wide[j] / known->unit[j] / known->unit[j] : 0;
    }
    for (uint32_t i = 0; i < rows; i++) {
        const double r = 1e-9 * (random_unit(&random->random) - 0.5);

        known->weight[i] = exp2(4 * random_unit(&random->random) - 2);
        known->target[i] = (double)(random_problem_dot(random, i, wide) * random->problem.sign[i] +
                                    r / known->weight[i]);
        random_problem_add(random, i, -r * random->problem.sign[i], centre);
    }
    for (size_t j = 0; j < width; j++)
        known->centre[j] = (double)centre[j];
    free(wide);
}

static void release(struct known *known)
{
    free(known->weight);
    free(known->target);
    free(known->centre);
    free(known->unit);
    free(known->solution);
    free(known->found);
    random_problem_free(&known->random);
}

/* Finds the solution. Returns 0 if it was stopped. */
static int solve(struct known *known, const struct stop *stop)
{
    const struct problem *problem = &known->random.problem;
    const struct shards one = {
        .rows = (uint32_t)problem->data->x.rows, .count = 1, .length = problem_width(problem)};
    const struct least_squares of = {problem,       &one,        all_rows(problem),
                                     known->weight, 1,           known->target,
                                     known->centre, known->unit, stop};
    struct hinge_error error;
    struct arena arena = {NULL, 0, 0};
    struct qr qr;
    void *block;
    int is_solved;

    qr_lay_out(&qr, &arena, problem);
    assert_non_null(block = arena_new(&arena, &error));
    qr_lay_out(&qr, &arena, problem);
    is_solved = qr_solve(&qr, &of, known->found);
    free(block);
    return is_solved;
}

/* Returns the excess of the solution over the minimum, relative to the minimum. For least squares
 * the excess is the sum of squares at the difference of the solutions. */
static double excess(const struct known *known)
{
    const struct random_problem *random = &known->random;
    const size_t width = problem_width(&random->problem);
    const size_t penalised = problem_penalised(&random->problem);
    long double *difference = malloc(2 * width * sizeof *difference), *wide = difference + width;
    long double square = 0, least = 0;

    assert_non_null(difference);
    for (size_t j = 0; j < width; j++) {
        const long double unit = known->unit[j];

        wide[j] = known->solution[j];
        difference[j] = (long double)known->found[j] - wide[j];
        if (j >= penalised)
            continue;
        square += difference[j] * difference[j] / unit / unit;
        least +=
            (wide[j] / unit - unit * known->centre[j]) * (wide[j] / unit - unit * known->centre[j]);
    }
    for (uint32_t i = 0; i < random->problem.rows; i++) {
        const long double moved = random_problem_dot(random, i, difference);
        const long double rest =
            known->target[i] - random->problem.sign[i] * random_problem_dot(random, i, wide);

        square += known->weight[i] * moved * moved;
        least += known->weight[i] * rest * rest;
    }
    free(difference);
    return (double)(square / least);
}

static void test_columns_of_any_scale(void **state)
{
    static const struct {
        size_t rows, features;
    } row[] = {{303, 40}, {100, 100}, {60, 300}, {1, 12}, {700, 3}};
    const struct stop never = {NULL, NULL};
    struct known known;

    (void)state;
    for (size_t r = 0; r < COUNT(row); r++)
        for (uint64_t seed = 1; seed <= repeats(20, 2); seed++)
            for (int bias = BIAS_NONE; bias <= BIAS_FREE; bias++) {
                memset(&known, 0, sizeof known);
                draw(&known, row[r].rows, row[r].features, (enum bias_kind)bias, seed);
                assert_true(solve(&known, &never));
                if (!(excess(&known) < 1e-10))
                    fail_msg("%zu x %zu, bias %d: %g", row[r].rows, row[r].features, bias,
                             excess(&known));
                release(&known);
            }
}

static int yes(const void *context)
{
    (void)context;
    return 1;
}

/* A stop leaves no solution. Least squares are not needed for rows whose values are all 1e3. */
static void test_it_stops_and_is_rarely_needed(void **state)
{
    static const struct stop now = {yes, NULL};
    struct known known;
    struct problem *problem = &known.random.problem;

    (void)state;
    memset(&known, 0, sizeof known);
    draw(&known, 30, 40, BIAS_NONE, 1);
    assert_true(qr_is_needed(problem));
    assert_false(solve(&known, &now));
    for (size_t k = 0; k < known.random.data.x.nonzeros; k++)
        known.random.value[k] = 1e3;
    assert_false(qr_is_needed(problem));
    release(&known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns_of_any_scale),
                                       cmocka_unit_test(test_it_stops_and_is_rarely_needed)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
