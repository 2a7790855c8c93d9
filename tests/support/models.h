/* models.h - models by hand for the tests of src/model, written to and read from scratch files. */
#ifndef HINGE_TESTS_MODELS_H
#define HINGE_TESTS_MODELS_H

#include <sys/resource.h>

#include "support.h"

enum { MOST_CLASSES = 6, MOST_FEATURES = 40 };

/* A model with the arrays it points to. */
struct sample {
    struct hinge_model model;
    double label[MOST_CLASSES];
    double weight[(MOST_FEATURES + 1) * MOST_CLASSES];
    struct hinge_result result[MOST_CLASSES];
};

void sample_draw(struct sample *sample, size_t classes, uint32_t features, double bias,
                 uint64_t seed);

/* Adds what a training adds: the record behind the weights. */
void sample_record(struct sample *sample, uint64_t seed);

size_t count_weights(const struct hinge_model *model);

int same_bits(const double *one, const double *other, size_t count);

/* Writes to a scratch file of that name and returns its contents, which the caller frees. */
char *written(const struct hinge_model *model, const char *name, size_t *length);

/* Returns the path of the file that read_bytes() and read_text() write and read. */
const char *read_from(void);

/* Writes over the existing file and reads it. Emptying the file first, 100,000 times, would take
 * minutes on some file systems. */
struct hinge_model *read_bytes(const void *bytes, size_t length, struct hinge_error *error);

struct hinge_model *read_text(const char *text);

/* Sets the soft limit of a resource and returns the one before. */
rlim_t set_limit(int resource, rlim_t soft);

#endif
