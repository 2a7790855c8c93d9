/* test_face.c - steps on faces of the dual's box: what they promise, recomputed from the table. */
#include <math.h>
#include <string.h>

#include "solver/face.h"
#include "toy.h"

enum { PROBLEMS = 1500 };

struct point {
    double alpha[MOST_ROWS];
    double w[MOST_WIDTH];
};

/* Most rows inside the box, the others at a bound. */
static void draw_point(const struct toy *toy, uint64_t *random, struct point *point)
{
    for (size_t i = 0; i < toy->m; i++) {
        const double u = random_between(random, -0.2, toy->draft.loss == LOSS_L1 ? 1.2 : 1);

        point->alpha[i] = toy->cost[i] * fmin(fmax(u, 0), 1);
    }
    weights_of(toy, point->alpha, point->w);
}

static struct face *face_of(const struct toy *toy)
{
    struct hinge_error error;
    struct face *face = face_new(&toy->problem, toy->draft.loss, &error);

    assert_non_null(face);
    return face;
}

static void check_step(const struct toy *toy, struct face *face, struct point *point)
{
    const struct point before = *point;
    const double dual = dual_of(toy, before.alpha);
    const double decrease = face_step(face, point->alpha, point->w);
    double w[MOST_WIDTH], scale = 1;

    weights_of(toy, point->alpha, w);
    for (size_t j = 0; j < toy->width; j++)
        scale = fmax(scale, fabs(w[j]));
    for (size_t j = 0; j < toy->width; j++)
        CHECK(toy, fabs(point->w[j] - w[j]) <= 1e-9 * scale);
    for (size_t i = 0; i < toy->m; i++) {
        const int inside =
            before.alpha[i] > 0 && (toy->draft.loss == LOSS_L2 || before.alpha[i] < toy->cost[i]);

        CHECK(toy, point->alpha[i] >= 0);
        CHECK(toy, toy->draft.loss == LOSS_L2 || point->alpha[i] <= toy->cost[i]);
        CHECK(toy, inside || point->alpha[i] == before.alpha[i]);
    }
    CHECK(toy, decrease >= 0);
    CHECK(toy, fabs(dual - dual_of(toy, point->alpha) - decrease) <=
                   1e-9 * (fabs(dual) + fabs(decrease)) + 1e-12);
}

/* The dual falls by what the step says, in the box, rows at a bound staying there, w along. */
static void test_steps_keep_their_promises(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (unsigned long number = 0; number < PROBLEMS; number++) {
        struct toy toy;
        struct point point;
        struct face *face;

        toy_tame(&toy, number);
        face = face_of(&toy);
        draw_point(&toy, &random, &point);
        for (int k = 0; k < 4; k++)
            check_step(&toy, face, &point);
        face_free(face);
    }
}

/* The largest gradient of the rows inside the box, from the table. */
static double steepest(const struct toy *toy, const struct point *point)
{
    double steepest = 0;

    for (size_t i = 0; i < toy->m; i++) {
        const double alpha = point->alpha[i];
        const double G = margin(toy, i, point->w) - 1 + diagonal(toy, i) * alpha;

        if (alpha > 0 && (toy->draft.loss == LOSS_L2 || alpha < toy->cost[i]))
            steepest = fmax(steepest, fabs(G));
    }
    return steepest;
}

/* Steps alone end at the minimum over a face. */
static void test_steps_come_to_the_minimum_of_a_face(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (unsigned long number = 0; number < PROBLEMS; number++) {
        struct toy toy;
        struct point point;
        struct face *face;

        toy_tame(&toy, number);
        if (toy.draft.shape == UNLIKE_NORMS)
            continue; /* one mu for all rows */
        face = face_of(&toy);
        draw_point(&toy, &random, &point);
        for (int k = 0; k < 200; k++)
            face_step(face, point.alpha, point.w);
        CHECK(&toy, steepest(&toy, &point) <= 1e-6);
        face_free(face);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_keep_their_promises),
        cmocka_unit_test(test_steps_come_to_the_minimum_of_a_face),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
