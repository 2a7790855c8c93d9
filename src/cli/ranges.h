/* ranges.h - the ranges of features and targets, the maps from and to them, svm-scale's files. */
#ifndef HINGE_CLI_RANGES_H
#define HINGE_CLI_RANGES_H

#include "hinge.h"

/* The ranges that can be measured. All but RANGE_ENDS are mapped to -1 .. 1. */
enum range_kind {
    RANGE_ENDS,      /* the smallest to the largest value */
    RANGE_MAGNITUDE, /* -M .. M, M the largest magnitude: 0 stays 0 */
    RANGE_DEVIATION, /* -s .. s, s the standard deviation: 0 stays 0, and the deviation becomes 1 */
    RANGE_CENTRED    /* m - s .. m + s, m the mean: the mean becomes 0, and the deviation 1 */
};

/* The range least .. largest of a feature. A feature with least = largest is not mapped. */
struct range {
    double least;
    double largest;
};

/* A map of targets: least .. largest to lower .. upper. */
struct target_range {
    int is_there; /* 0: targets stay as they are */
    double lower;
    double upper; /* above lower */
    double least;
    double largest; /* not below least */
};

struct ranges {
    struct target_range target;
    double lower; /* the image of least */
    double upper; /* the image of largest; above lower */
    uint32_t features;
    struct range *of; /* [features]; the memory of gaps between mapped features is never touched */
    uint32_t *mapped; /* [mapped_count] the features with least < largest, ascending */
    size_t mapped_count;
    size_t capacity, mapped_capacity; /* elements for which of and mapped have room */
};

/* Measures the ranges of the data, and of their targets if ranges->target is there; absent values
 * are 0. Features with a single value are not mapped. Call ranges_free on failure too, also for
 * ranges_read. */
enum hinge_status ranges_measure(struct ranges *ranges, const struct hinge_dataset *data,
                                 enum range_kind kind, struct hinge_error *error);

/* Reads or writes a file of ranges, in which indices start at first: 0 or 1. */
enum hinge_status ranges_read(struct ranges *ranges, const char *path, unsigned first,
                              struct hinge_error *error);
enum hinge_status ranges_write(const struct ranges *ranges, const char *path, unsigned first,
                               struct hinge_error *error);
void ranges_free(struct ranges *ranges);

/* Reads the range of targets alone. Fails if the file has none. */
enum hinge_status ranges_read_target(struct target_range *target, const char *path,
                                     struct hinge_error *error);

/* True if the feature is mapped. */
int ranges_have(const struct ranges *ranges, uint32_t feature);

/* Returns the position of a mapped feature among the mapped ones. */
uint32_t ranges_position(const struct ranges *ranges, uint32_t feature);

/* Returns the image of a value. Values outside the range are mapped outside [lower, upper], at
 * worst to infinity. */
double ranges_map(const struct ranges *ranges, uint32_t feature, double value);

/* Finds the offset and the factor with which (value - offset) * factor is the image of a value, up
 * to rounding. A feature with a single value has the image 0; if that value is 0, the image is the
 * value itself. Returns 0 if offset or factor is beyond doubles. */
int ranges_find_scale(const struct ranges *ranges, uint32_t feature, double *offset,
                      double *factor);

/* Return the image of a target, with the same bits as svm-scale, and the target with that image.
 * The results may be infinite or NaN for values far outside the range, or for a range of one value.
 */
double ranges_map_target(const struct target_range *target, double value);
double ranges_restore_target(const struct target_range *target, double mapped);

#endif
