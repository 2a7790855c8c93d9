/* class_tests.h - what holds for every solver of all classes at once. */
#ifndef HINGE_TESTS_CLASS_TESTS_H
#define HINGE_TESTS_CLASS_TESTS_H

#include "class_toy.h"

/* Trains: the bounds are on the right side of the exact values, and what they prove is what was
 * asked for. */
struct hinge_model *class_certified(const struct class_toy *toy);

/* With two classes, columns +-u/2 have the loss that the other solver has at w = u, and |u|^2/4. So
 * P is half of that solver's P at 2C. */
void class_test_two_classes(int solver, int other, double gap);

/* Other labels in another order are the same problem. */
void class_test_labels(int solver, double gap);

/* Wherever it is stopped, between steps or within the solution of a system, what is returned is no
 * worse than 0, and says so; and is a start for the rest. */
void class_test_stops(int solver, double gap);

/* A path of C ends at each C where a training of its own does. */
void class_test_path(int solver);

#endif
