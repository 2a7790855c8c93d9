/* kernel.h - the loops over the non-zeros of a row, and over a dense vector.
 *
 * Two partial sums: an addition waits for the one before it, so that two chains take half the
 * time; more do not pay on rows of a dozen non-zeros. The order of additions is part of the
 * result and the same on every machine. Values that are NULL are 1, with the same result.
 */
#ifndef HINGE_PROBLEM_KERNEL_H
#define HINGE_PROBLEM_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/* sum_k w[index[k]] */
static inline double sparse_sum(const uint32_t *index, size_t count, const double *w)
{
    double even = 0, odd = 0;
    size_t k = 0;

    for (; k + 1 < count; k += 2) {
        even += w[index[k]];
        odd += w[index[k + 1]];
    }
    if (k < count)
        even += w[index[k]];
    return even + odd;
}

/* sum_k value[k] w[index[k]] */
static inline double sparse_dot(const uint32_t *index, const double *value, size_t count,
                                const double *w)
{
    double even = 0, odd = 0;
    size_t k = 0;

    if (!value)
        return sparse_sum(index, count, w);
    for (; k + 1 < count; k += 2) {
        even += value[k] * w[index[k]];
        odd += value[k + 1] * w[index[k + 1]];
    }
    if (k < count)
        even += value[k] * w[index[k]];
    return even + odd;
}

/* w += factor x */
static inline void sparse_add(const uint32_t *index, const double *value, size_t count,
                              double factor, double *w)
{
    if (value)
        for (size_t k = 0; k < count; k++)
            w[index[k]] += factor * value[k];
    else
        for (size_t k = 0; k < count; k++)
            w[index[k]] += factor;
}

/* |x|^2 */
static inline double sparse_square(const double *value, size_t count)
{
    double even = 0, odd = 0;
    size_t k = 0;

    if (!value)
        return (double)count;
    for (; k + 1 < count; k += 2) {
        even += value[k] * value[k];
        odd += value[k + 1] * value[k + 1];
    }
    if (k < count)
        even += value[k] * value[k];
    return even + odd;
}

/* sum_j a[j] b[j]; dense, so that eight chains pay. */
static inline double dense_dot(const double *a, const double *b, size_t count)
{
    double sum[8] = {0};
    size_t j = 0;

    for (; j + 8 <= count; j += 8)
        for (size_t k = 0; k < 8; k++)
            sum[k] += a[j + k] * b[j + k];
    for (; j < count; j++)
        sum[0] += a[j] * b[j];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

#endif
