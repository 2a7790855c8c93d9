/* class_tests.h - tests for every solver of all classes at once. */
#ifndef HINGE_TESTS_CLASS_TESTS_H
#define HINGE_TESTS_CLASS_TESTS_H

#include "class_toy.h"

/* Trains, and checks that the bounds are on the correct side of the exact values, and prove what
 * was asked for. */
struct hinge_model *class_certified(const struct class_toy *toy);

/* Checks that P with two classes is half of the other solver's P at 2C: columns +-u/2 have the loss
 * of the other solver at w = u, and |u|^2/4. */
void class_test_two_classes(int solver, int other, double gap);

/* Checks that other labels in another order give the same problem. */
void class_test_labels(int solver, double gap);

/* Checks trainings that are stopped between steps or within the solution of a system: the model is
 * no worse than w = 0, reports true values, and is a start for the rest. */
void class_test_stops(int solver, double gap);

/* Checks that a path of C has the same minimum at each C as a separate training. */
void class_test_path(int solver);

#endif
