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
    double *cost;   /* [rows] those of the problem */
    double *alpha;  /* [rows] in the domain, many at its ends */
    double *factor; /* [rows] of any sign, some 0 */
    double *w;      /* [width] */
    uint32_t *list; /* [rows] 0, 1, .. */
};

/* Rows that have every feature have no indices. */
void sample_new(struct sample *sample, size_t rows, size_t features, size_t in_row,
                enum bias_kind kind, enum loss loss);
void sample_free(struct sample *sample);

/* Makes a check for problems in one shard and in several, every bias and loss, every selection. */
void sample_each(void (*check)(const struct sample *sample, struct selection rows));

/* The shard of a row of the problem: the one whose first row in the data is the last not behind it.
 */
unsigned sample_shard(const struct shards *shards, uint32_t row);

/* The shards for sums of that length, with room to add them up. */
struct shards sample_shards(const struct problem *problem, enum summed what, size_t length,
                            double work);

/* Zeros. */
void *sample_room(size_t count, size_t size);

#endif
