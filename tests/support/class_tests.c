/* class_tests.c - tests of solvers of all classes at once. */
#include "class_tests.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "support.h"

struct hinge_model *class_certified(const struct class_toy *toy)
{
    struct hinge_model *model = class_toy_train(toy);
    const struct hinge_result *result = model->result;
    long double w[TOY_WIDTH], primal, dual;

    class_toy_weights(model, w);
    primal = class_toy_primal(toy, model, w, NULL);
    dual = class_toy_dual(toy, model);
    if (result->outcome == HINGE_CERTIFIED) {
        assert_true(result->primal >= primal * (1 - 1e-17L));
        assert_true(result->dual >= dual - 1e-17L * fabsl(dual));
        assert_true(result->relative_gap <= toy->parameters.relative_gap);
    }
    /* margins of 1 are rounded, too */
    assert_true(fabsl(result->primal - primal) <=
                (1e-10L + 2 * result->rounding) * primal +
                    4 * DBL_EPSILON * TOY_ROWS * toy->parameters.C);
    assert_true(primal + dual >= -1e-15L * primal);
    return model;
}

void class_test_two_classes(int solver, int other, double gap)
{
    static struct class_toy toy;

    for (unsigned long number = 0; number < 240; number++) {
        struct hinge_model *both, *one;
        double size = 0, distance = 0;

        class_toy_draw(&toy, solver, number);
        for (size_t i = 0; toy.classes > 2 && i < toy.rows; i++)
            toy.label[i] = toy.label[i] > 0 ? 0 : toy.label[i];
        toy.parameters.C = fmin(toy.parameters.C, 1e4);
        toy.parameters.relative_gap = gap;
        both = class_toy_train(&toy);
        toy.parameters.solver = other;
        toy.parameters.C *= 2;
        one = class_toy_train(&toy);
        assert_int_equal(both->columns, 2);
        assert_int_equal(both->problems, 1);
        assert_int_equal(both->result->outcome, HINGE_CERTIFIED);
        assert_true(fabs(2 * both->result->primal - one->result->primal) <=
                    2.1 * gap * one->result->primal);
        for (size_t j = 0; j < class_toy_width(both) / 2; j++) {
            assert_true(both->weight[2 * j] == -both->weight[2 * j + 1]);
            if (2 * j >= class_toy_penalised(both))
                continue;
            distance += pow(2 * both->weight[2 * j] - one->weight[j], 2);
            size += pow(one->weight[j], 2);
        }
        /* |w - w*|^2 / 2 <= P(w) - P(w*) */
        assert_true(sqrt(distance) <= 3 * sqrt(2 * gap * one->result->primal) + 1e-12 * sqrt(size));
        hinge_model_free(both);
        hinge_model_free(one);
    }
}

void class_test_labels(int solver, double gap)
{
    static struct class_toy toy;

    for (unsigned long number = 0; number < 96; number++) {
        struct hinge_model *first, *second;
        double distance = 0, turned;

        class_toy_draw(&toy, solver, number);
        if (toy.parameters.weights > 0)
            continue;
        turned = (double)toy.classes - 3;
        toy.parameters.C = fmin(toy.parameters.C, 1e4);
        toy.parameters.relative_gap = gap;
        first = class_toy_train(&toy);
        for (size_t i = 0; i < toy.rows; i++) /* the order of first appearance is the other one */
            toy.label[i] = turned - toy.label[i];
        second = class_toy_train(&toy);
        assert_true(fabs(first->result->primal - second->result->primal) <=
                    1.1 * gap * first->result->primal);
        for (size_t j = 0; j < class_toy_penalised(first); j++) {
            const size_t c = j % first->classes;
            size_t d = 0;

            while (second->label[d] != turned - first->label[c])
                d++;
            distance += pow(first->weight[j] - second->weight[j - c + d], 2);
        }
        assert_true(sqrt(distance) <= 2 * sqrt(2 * gap * first->result->primal));
        hinge_model_free(first);
        hinge_model_free(second);
    }
}

static enum hinge_answer interrupt(void *context, const struct hinge_progress *progress)
{
    unsigned *asked = context;

    assert_int_equal(progress->problems, 1);
    *asked -= *asked > 0;
    return *asked == 0 ? HINGE_INTERRUPT : HINGE_GO_ON;
}

void class_test_stops(int solver, double gap)
{
    static struct class_toy toy;
    static long double w[TOY_WIDTH];
    unsigned stopped = 0;

    for (unsigned after = 0; after < 200; after++) {
        unsigned left = 1 + after / 4;
        const struct hinge_monitor monitor = {interrupt, &left, NULL, HINGE_BETWEEN};
        struct hinge_error error;
        struct hinge_model *model, *rest;

        class_toy_draw(&toy, solver, after);
        toy.parameters.C = 1e3;
        toy.parameters.relative_gap = gap;
        model = hinge_train(&toy.data, &toy.parameters, &monitor, &error);
        assert_non_null(model);
        class_toy_weights(model, w);
        if (left == 0)
            assert_true(model->result->outcome == HINGE_INTERRUPTED ||
                        model->result->outcome == HINGE_CERTIFIED);
        stopped += model->result->outcome == HINGE_INTERRUPTED;
        assert_true(class_toy_primal(&toy, model, w, NULL) <= model->result->primal * (1 + 1e-12L));
        assert_true(class_toy_primal(&toy, model, w, NULL) + class_toy_dual(&toy, model) >= 0);
        memset(w, 0, sizeof w);
        assert_true(model->result->primal <= class_toy_primal(&toy, model, w, NULL) * (1 + 1e-12L));
        toy.parameters.initial = model;
        rest = class_toy_train(&toy);
        assert_int_equal(rest->result->outcome, HINGE_CERTIFIED);
        hinge_model_free(rest);
        hinge_model_free(model);
    }
    assert_true(stopped > 50);
}

void class_test_path(int solver)
{
    static const double C[] = {1e-3, 0.1, 10, 1e3, 1};
    static struct class_toy toy;

    for (unsigned long number = 0; number < 40; number++) {
        struct hinge_model *model[COUNT(C)], *alone;
        struct hinge_error error;

        class_toy_draw(&toy, solver, number);
        toy.parameters.relative_gap = 1e-6;
        assert_int_equal(
            hinge_train_path(&toy.data, &toy.parameters, C, COUNT(C), NULL, model, &error),
            HINGE_OK);
        for (size_t k = 0; k < COUNT(C); k++) {
            toy.parameters.C = C[k];
            alone = class_toy_train(&toy);
            assert_int_equal(model[k]->result->outcome, HINGE_CERTIFIED);
            assert_true(fabs(alone->result->primal - model[k]->result->primal) <=
                        1.1e-6 * alone->result->primal);
            assert_true(class_toy_dual(&toy, model[k]) <=
                        model[k]->result->dual + 1e-17L * fabs(model[k]->result->dual));
            hinge_model_free(alone);
            hinge_model_free(model[k]);
        }
    }
}
