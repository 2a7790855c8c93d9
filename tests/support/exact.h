/* exact.h - exact arithmetic: sums of products of doubles, without any rounding.
 *
 * A number is sum_k limb[k] 2^(32 k - 6560). That holds every product of up to six finite doubles,
 * from 2^-6444 to 2^6144, and sums of 2^29 of them: an addition adds less than 2^33 to a limb. A
 * number that leaves the range ends the program.
 */
#ifndef HINGE_TESTS_EXACT_H
#define HINGE_TESTS_EXACT_H

#include <float.h>
#include <stdint.h>

enum { EXACT_LIMBS = 404, EXACT_UNIT = 205 };

/* Bound of the error of the C library's logarithm in long double. */
#define EXACT_LOGARITHMS (32 * LDBL_EPSILON)

struct exact {
    int first, end; /* limbs outside of first .. end - 1 count as 0 */
    int64_t limb[EXACT_LIMBS];
};

/* number := value, which must be finite, like all doubles here. */
void exact_set(struct exact *number, double value);

/* sum += a b */
void exact_add_product(struct exact *sum, double a, double b);

/* sum += a^2 / c, a >= 0, c > 0; rounded down by less than 2^-127 of it. */
void exact_add_quotient(struct exact *sum, double a, double c);

/* sum += c ln(1 + e^s), rounded down by less than EXACT_LOGARITHMS of it. */
void exact_add_softplus(struct exact *sum, double c, const struct exact *s);

/* sum += c (p ln p + (1 - p) ln(1 - p)), p = a/c, 0 <= a <= c, c > 0; rounded down by less than
 * EXACT_LOGARITHMS of its size. */
void exact_add_entropy(struct exact *sum, double c, double a);

/* sum += sign term, sign is 1 or -1. term must not be sum. */
void exact_add(struct exact *sum, const struct exact *term, int sign);

/* product := a b; a and b may be the same number, but not product. */
void exact_multiply(struct exact *product, const struct exact *a, const struct exact *b);

/* number *= factor */
void exact_scale(struct exact *number, double factor);

/* Returns -1, 0 or 1. */
int exact_sign(const struct exact *number);

/* Return the sign of a - b. */
int exact_compare(const struct exact *a, const struct exact *b);
int exact_against(const struct exact *a, double b);

/* Returns the number within a few units in the last place. It may be infinite or 0. */
double exact_double(const struct exact *number);

#endif
