/* test_class_views.c - the problems of a path have the rows, signs, classes, targets and costs of a
 * plain loop.
 */
#include "learn/path.h"

#include <math.h>
#include <string.h>

#include "tables.h"

/* Checks the problems for some rows of a table, with the data in memory, or as if in a file. */
static void check(const struct table *table, struct hinge_parameters parameters,
                  const uint32_t *row, size_t rows, int in_file)
{
    struct hinge_dataset data = table->data;
    struct path path = {.data = &table->data, .parameters = &parameters};
    struct classes classes;
    struct class_views views;
    struct shared none = {.largest = 0};
    struct hinge_error error;
    const double C = 0.75;

    assert_int_equal(path_begin(&path, &classes, &error), HINGE_OK);
    path.row = row;
    path.rows = rows;
    if (in_file) {
        data.x.pages = (struct hinge_pages *)(void *)&data; /* views do not look into it */
        path.data = &data;
    }
    assert_int_equal(class_views_new(&views, &path, &error), HINGE_OK);
    for (size_t c = 0; c < path_problems(&path); c++) {
        const struct problem problem = class_views_problem(&views, &none, C, c);
        uint32_t at = 0;

        for (size_t k = 0; k < rows; k++) {
            const uint32_t i = row ? row[k] : (uint32_t)k;
            const double own = parameters.row_weight ? parameters.row_weight[i] : 1;
            const size_t its = classes.of_row[i];
            double weight = 1, cost;

            if (path.solver->info.regression) {
                for (int sign = 1; own > 0 && sign >= -1; sign -= 2, at++) {
                    assert_true(problem.row[at] == i && problem.sign[at] == sign);
                    assert_true(problem_cost(&problem, at) == C * own);
                    assert_true(problem.target[at] == sign * table->label[i] - parameters.epsilon);
                }
                continue;
            }
            /* with more than two classes, the other classes of a problem have weight 1 */
            for (size_t k2 = 0; k2 < parameters.weights; k2++)
                if (parameters.weight_label[k2] == classes.label[its] &&
                    (its == c || classes.count == 2 || path.solver->info.joint))
                    weight = parameters.weight[k2];
            if (own * weight == 0)
                continue;
            assert_true(problem.row[at] == i);
            if (path.solver->info.joint)
                assert_int_equal(problem.class_of[at], its);
            else
                assert_int_equal(problem.sign[at], its == c ? 1 : -1);
            cost = problem_cost(&problem, at);
            assert_true(fabs(cost - C * weight * own) <= 1e-15 * cost);
            at++;
        }
        assert_int_equal(problem.rows, at);
        assert_int_equal(problem.cost == NULL,
                         in_file && !parameters.row_weight && !path.solver->info.joint);
        assert_int_equal(problem.classes, path.solver->info.joint ? classes.count : 0);
    }
    class_views_free(&views);
    classes_free(&classes);
}

static void test_views_are_those_of_a_plain_loop(void **state)
{
    static const int solvers[] = {1, 3, 0, 11, 13, 4, 62, 5};
    static const double labels[] = {1, -1, 5}, heavy[] = {5, -1}, weights[] = {2.5, 0.25};
    struct table table;
    uint64_t random = 9;

    (void)state;
    for (unsigned long number = 0; number < 240; number++) {
        struct hinge_parameters parameters = parameters_default();
        double own[MOST_ROWS];
        uint32_t row[MOST_ROWS];
        size_t some = 0;

        table_draw(&table, 2 + number % 2, labels, number);
        for (uint32_t i = 0; i < table.data.x.rows; i++) {
            own[i] = floor(3 * random_unit(&random));
            row[some] = i;
            some += random_unit(&random) < 0.7;
        }
        parameters.solver = solvers[number % 8];
        if (number / 8 % 2) {
            parameters.row_weight = own;
            parameters.row_weights = table.data.x.rows;
        }
        if (number / 16 % 2 && parameters.solver != 11 && parameters.solver != 13) {
            parameters.weight_label = heavy;
            parameters.weight = weights;
            parameters.weights = 2;
        }
        for (int in_file = 0; in_file < 2; in_file++) {
            check(&table, parameters, NULL, table.data.x.rows, in_file);
            check(&table, parameters, row, some, in_file);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_views_are_those_of_a_plain_loop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
