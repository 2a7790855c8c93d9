/* tables.h - small data sets for the tests of src/learn, models of them, their objectives in long
 * double. */
#ifndef HINGE_TESTS_TABLES_H
#define HINGE_TESTS_TABLES_H

#include "support.h"

enum { MOST_ROWS = 64, MOST_FEATURES = 8, MOST_WIDTH = MOST_FEATURES + 1 };

struct table {
    struct hinge_dataset data; /* points into this struct */
    size_t start[MOST_ROWS + 1];
    uint32_t index[MOST_ROWS * MOST_FEATURES];
    double value[MOST_ROWS * MOST_FEATURES];
    double label[MOST_ROWS];
};

/* Fills the table with rows x features values, row by row. Zeros are left out. */
void table_fill(struct table *table, size_t rows, size_t features, const double *value,
                const double *label);

/* Draws random rows. Class c, one of `classes`, has labels[c] and lies around a point of its own.
 * Every class has a row, and the first rows have the classes in order. */
void table_draw(struct table *table, size_t classes, const double *labels, uint64_t seed);

struct hinge_model *train(const struct table *table, const struct hinge_parameters *parameters);

size_t width(const struct hinge_model *model);

/* True if column a of one model and column b of another have the same bits. */
int same_column(const struct hinge_model *one, size_t a, const struct hinge_model *other, size_t b);

extern const double four_labels[4];

/* Returns P(w) of column c, with the costs given per row. */
double column_primal(const struct table *table, const struct hinge_model *model, size_t c,
                     const double *cost);

/* Checks the reported values for column c, with the costs given per row, and for all columns
 * together. */
void check_result(const struct table *table, const struct hinge_model *model, size_t c,
                  const double *cost);
void check_results(const struct table *table, const struct hinge_model *model, const double *cost);

void expect_refusal(const struct table *table, const struct hinge_parameters *parameters,
                    const char *message);

struct hinge_parameters weighted(size_t weights, const double *label, const double *weight);

#endif
