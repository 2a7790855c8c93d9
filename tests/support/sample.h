/* sample.h - problems for tests of sums over shards. */
#ifndef HINGE_TESTS_SAMPLE_H
#define HINGE_TESTS_SAMPLE_H

#include "problem/shards.h"
#include "random_problem.h"

/* A problem, its shards, and a number for each row and feature. */
struct sample {
    struct random_problem random;
    struct problem problem;
    struct shards shards;
    size_t width;
    double *cost;   /* [rows] costs of the problem */
    double *alpha;  /* [rows] in the domain, many at its ends */
    double *factor; /* [rows] of any sign, some 0 */
    double *w;      /* [width] */
    uint32_t *list; /* [rows] 0, 1, .. */
};

/* Rows that have every feature have no indices. */
void sample_new(struct sample *sample, size_t rows, size_t features, size_t in_row,
                enum bias_kind kind, enum loss loss);
void sample_free(struct sample *sample);

/* Calls check on problems in one shard and in several, with each bias, loss and selection. */
void sample_each(void (*check)(const struct sample *sample, struct selection rows));

/* Returns the shard of a row of the problem: the last one that begins at or before the row. */
unsigned sample_shard(const struct shards *shards, uint32_t row);

/* Returns the shards for sums of that length, with room to add them up. */
struct shards sample_shards(const struct problem *problem, enum summed what, size_t length,
                            double work);

/* Returns an array of zeros. */
void *sample_room(size_t count, size_t size);

#endif
