/* random.h - reproducible random numbers: the same sequence on every machine. */
#ifndef HINGE_BASE_RANDOM_H
#define HINGE_BASE_RANDOM_H

#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a counter with a strong output mix.
 * Any seed is good; period 2^64. */
struct random_state {
    uint64_t counter;
};

/* The output mix: each bit of the result depends on each bit of z. */
static inline uint64_t random_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint64_t random_next(struct random_state *random)
{
    return random_mix(random->counter += UINT64_C(0x9e3779b97f4a7c15));
}

/* A number in 0 .. bound-1, bound >= 1. Its probability differs from 1/bound by at most
 * bound/2^32 of it. */
static inline uint32_t random_below(struct random_state *random, uint32_t bound)
{
    return (uint32_t)(((random_next(random) >> 32) * bound) >> 32);
}

/* Fisher-Yates: a random permutation of item[0 .. count-1]. */
static inline void random_shuffle(struct random_state *random, uint32_t *item, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i++) {
        const uint32_t j = i + random_below(random, count - i), moved = item[i];

        item[i] = item[j];
        item[j] = moved;
    }
}

#endif
