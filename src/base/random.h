/* random.h - reproducible random numbers: the same sequence on every machine. */
#ifndef HINGE_BASE_RANDOM_H
#define HINGE_BASE_RANDOM_H

#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a counter with a strong output mix.
 * Any seed is good; period 2^64. */
struct random_state {
    uint64_t counter;
};

/* Returns the output mix: each bit of the result depends on each bit of z. */
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

/* Returns a number in 0 .. bound-1, bound >= 1. Each has the probability 1/bound up to a relative
 * error of bound/2^32. */
static inline uint32_t random_below(struct random_state *random, uint32_t bound)
{
    return (uint32_t)(((random_next(random) >> 32) * bound) >> 32);
}

/* Permutes item[count] at random (Fisher and Yates). */
static inline void random_shuffle(struct random_state *random, uint32_t *item, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i++) {
        const uint32_t j = i + random_below(random, count - i), moved = item[i];

        item[i] = item[j];
        item[j] = moved;
    }
}

#endif
