/* ranges.h - what each feature is mapped from, and all of them to; svm-scale's files of it. */
#ifndef HINGE_CLI_RANGES_H
#define HINGE_CLI_RANGES_H

#include "hinge.h"

/* The values least .. largest of a feature; there is nothing to map where they are equal. */
struct range {
    double least;
    double largest;
};

struct ranges {
    double lower; /* least is mapped to it */
    double upper; /* largest likewise; above lower */
    uint32_t features;
    struct range *of; /* [features] */
};

/* Those of the data, absent values being 0. Symmetric ones are -M .. M, M the largest magnitude, so
 * that 0 is mapped to 0. ranges_free on failure, too, as after ranges_read. */
enum hinge_status ranges_measure(struct ranges *ranges, const struct hinge_dataset *data,
                                 int symmetric, struct hinge_error *error);

/* Indices in the file start at first, 0 or 1. */
enum hinge_status ranges_read(struct ranges *ranges, const char *path, unsigned first,
                              struct hinge_error *error);
enum hinge_status ranges_write(const struct ranges *ranges, const char *path, unsigned first,
                               struct hinge_error *error);
void ranges_free(struct ranges *ranges);

/* Whether the feature is one to be mapped. */
int ranges_have(const struct ranges *ranges, uint32_t feature);

/* What a value is mapped to. Values beyond the range go beyond lower and upper, to infinity if need
 * be. */
double ranges_map(const struct ranges *ranges, uint32_t feature, double value);

#endif
