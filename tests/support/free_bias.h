/* free_bias.h - a problem with a free bias that is large enough for rows to be shrunk. */
#ifndef HINGE_TESTS_FREE_BIAS_H
#define HINGE_TESTS_FREE_BIAS_H

#include "solver/passes/smo.h"
#include "support.h"

enum { ROWS = 400, FEATURES = 60, MOST_LARGE = 300, IN_A_ROW = 24 };

struct free_bias {
    struct hinge_dataset data;
    struct problem problem;
    size_t start[ROWS + 1];
    uint32_t index[ROWS * IN_A_ROW];
    double value[ROWS * IN_A_ROW];
    uint32_t row[ROWS];
    signed char sign[ROWS];
    double cost[ROWS];
    double x[ROWS][MOST_LARGE];
};

/* Draws rows whose products need entries of that kind. Signs are by a plane, one in five against
 * it. Costs are C times 1/4 .. 4. */
void free_bias_draw(struct free_bias *large, enum entry entry, double C, uint64_t seed);

/* Draws as free_bias_draw does, with that many features, at most MOST_LARGE. */
void free_bias_draw_wide(struct free_bias *large, uint32_t features, enum entry entry, double C,
                         uint64_t seed);

/* <x_i, x_j> */
long double product_of(const struct free_bias *large, size_t i, size_t j);

#endif
