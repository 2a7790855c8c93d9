/* test_singer_system.c - the residual of solutions by the definition of the system, in long double;
 * few steps do where features are badly scaled. */
#include "solver/linear/singer_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_problem.h"

enum { CLASSES = 4 };

struct singer_case {
    struct random_problem random;
    struct singer_system system;
    struct shards shards;
    size_t width;
    void *memory;
};

/* Features have scales of 1/16 .. 16. */
static void draw(struct singer_case *of, uint64_t number, size_t features, enum bias_kind bias_kind)
{
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    struct problem *problem = &of->random.problem;
    const size_t rows = 60;

    memset(of, 0, sizeof *of);
    of->random.random = number + 1;
    random_problem_new(&of->random, rows, features, 10, 2);
    problem->bias_kind = bias_kind;
    problem->classes = CLASSES;
    for (size_t e = 0; e < of->random.data.x.nonzeros; e++)
        of->random.value[e] *= exp2((double)(hinge_index(&of->random.data.x, e) % 9) - 4);
    of->width = problem_width(problem);
    singer_system_lay_out(&of->system, &arena, problem);
    of->memory = arena_new(&arena, &error);
    assert_non_null(of->memory);
    singer_system_lay_out(&of->system, &arena, problem);
    of->shards = shards_of(problem, SUM_OF_VECTORS, (double)of->random.data.x.nonzeros, of->width);
    of->shards.row_room = 4 * CLASSES;
    of->shards.room = calloc(of->shards.row_room, sizeof *of->shards.room);
    of->shards.partial = calloc(of->width, sizeof *of->shards.partial);
    assert_true(of->shards.room && of->shards.partial);
    singer_system_begin(&of->system, problem, &of->shards, (struct stop){NULL, NULL});
}

static void release(struct singer_case *of)
{
    random_problem_free(&of->random);
    free(of->shards.room);
    free(of->shards.partial);
    free(of->memory);
}

/* Most rows, with two classes or more each. */
static void choose(struct singer_case *of)
{
    struct singer_system *system = &of->system;
    size_t members = 0;

    system->free = 0;
    for (uint32_t i = 0; i < of->random.problem.rows; i++) {
        const uint32_t left_out = (uint32_t)(random_unit(&of->random.random) * (CLASSES + 2));

        if (random_unit(&of->random.random) < 0.2)
            continue;
        system->row[system->free] = i;
        system->first[system->free++] = members;
        for (uint32_t m = 0; m < CLASSES; m++)
            if (m != left_out && (i % 2 || m != (left_out + 1) % CLASSES))
                system->member[members++] = m;
    }
    system->first[system->free] = members;
}

/* left -= scale x_i x_i' (x) P_i p of the row at place s. */
static void subtract_row(const struct singer_case *of, uint32_t s, const double *p,
                         long double *left)
{
    const struct singer_system *system = &of->system;
    const size_t first = system->first[s], end = system->first[s + 1];
    static long double column[5000];
    long double dot[CLASSES] = {0}, mean = 0;

    for (size_t u = first; u < end; u++) {
        for (size_t j = 0; j < of->width / CLASSES; j++)
            column[j] = p[j * CLASSES + system->member[u]];
        dot[u - first] = random_problem_dot(&of->random, system->row[s], column);
        mean += dot[u - first] / (long double)(end - first);
    }
    for (size_t u = first; u < end; u++) {
        memset(column, 0, sizeof column);
        random_problem_add(&of->random, system->row[s],
                           -(long double)system->scale * (dot[u - first] - mean), column);
        for (size_t j = 0; j < of->width / CLASSES; j++)
            left[j * CLASSES + system->member[u]] += column[j];
    }
}

/* |r - H p| / |r| */
static double residual(const struct singer_case *of, const double *r, const double *p)
{
    long double *left = calloc(of->width, sizeof *left), squares = 0, all = 0;

    assert_non_null(left);
    for (size_t j = 0; j < of->width; j++)
        left[j] = (long double)r[j] - p[j];
    for (uint32_t s = 0; s < of->system.free; s++)
        subtract_row(of, s, p, left);
    for (size_t j = 0; j < of->width; j++) {
        squares += left[j] * left[j];
        all += (long double)r[j] * r[j];
    }
    free(left);
    return (double)sqrtl(squares / all);
}

/* Columns of r sum to 0, and so do those of p. */
static void check(struct singer_case *of, unsigned steps)
{
    static const double TOLERANCE = 1e-8;
    double *r = calloc(of->width, sizeof *r), *p = calloc(of->width, sizeof *p);

    assert_true(r && p);
    for (double scale = 0.25; scale < 1000; scale *= 8) {
        choose(of);
        for (size_t j = 0; j < of->width; j++)
            r[j] = 2 * random_unit(&of->random.random) - 1;
        problem_centre(&of->random.problem, r);
        singer_system_form(&of->system, scale);
        singer_system_solve(&of->system, r, p, TOLERANCE, steps);
        assert_true(residual(of, r, p) <= 1.01 * TOLERANCE);
        for (size_t j = 0; j < of->width; j += CLASSES)
            assert_true(fabs(p[j] + p[j + 1] + p[j + 2] + p[j + 3]) <= 1e-14);
    }
    free(r);
    free(p);
}

static void test_solutions(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 8; number++) {
        struct singer_case of;

        draw(&of, number, 40, number % 2 ? BIAS_REGULARISED : BIAS_NONE);
        assert_true(of.system.blocks.order > 0);
        check(&of, 60); /* without the preconditioner above 100 */
        release(&of);
        draw(&of, number, 4500, number % 2 ? BIAS_REGULARISED : BIAS_NONE);
        assert_int_equal(of.system.blocks.order, 0);
        check(&of, 120); /* about what the free rows span */
        release(&of);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solutions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
