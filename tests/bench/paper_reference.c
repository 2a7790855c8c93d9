/* paper_reference.c - solves min_w l1 |w|_1 + sigma/2 |w|^2 + 1/m sum_i max(0, 1 - y_i <w, x_i>)
 * independently of the library's solvers.
 *
 * The dual problem is to maximise, over 0 <= a_i <= 1,
 *
 *     D(a) = 1/m sum_i a_i - 1/(2 sigma) |soft(v, l1)|^2,     v = 1/m sum_i a_i y_i x_i,
 *
 * soft(v, c)_j = sign(v_j) max(|v_j| - c, 0), and w = soft(v, l1)/sigma, because the conjugate of
 * l1 |w|_1 + sigma/2 |w|^2 is |soft(v, l1)|^2 / (2 sigma). Each step maximises D over one a_i. The
 * derivative of D is piecewise linear and falls. A pass takes all rows in turn. The next passes
 * take only the rows that are not at the correct bound. Nothing is random. The library only reads
 * the file.
 *
 * usage: paper_reference DATA SIGMA L1 GAP SECONDS [TEST]
 * prints: primal,dual,relative_gap,nonzeros,features,passes,seconds,test_error
 * It ends at the relative gap GAP, or after SECONDS with a larger gap. Both objectives are computed
 * anew, from a, over all rows.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "data/matrix.h"

struct reference {
    const struct hinge_dataset *data;
    double positive; /* label of the positive rows */
    double sigma;
    double l1;
    double *a; /* [rows] */
    double *v; /* [features] */
};

struct certificate {
    double primal;
    double dual;
    double gap; /* relative to primal */
    size_t nonzeros;
};

static double soft(double v, double threshold)
{
    double rest = fabs(v) - threshold;

    return rest > 0 ? copysign(rest, v) : 0;
}

static double sign(const struct reference *reference, const struct hinge_dataset *data, size_t i)
{
    return data->label[i] == reference->positive ? 1 : -1;
}

/* Returns <w, x_i>. Features that training has not seen have weight 0. */
static double decision(const struct reference *reference, const struct hinge_dataset *data,
                       size_t i)
{
    double dot = 0;

    for (size_t e = data->x.start[i]; e < data->x.start[i + 1]; e++)
        if (hinge_index(&data->x, e) < reference->data->features)
            dot += hinge_value(&data->x, e) *
                   soft(reference->v[hinge_index(&data->x, e)], reference->l1);
    return dot / reference->sigma;
}

/* Returns m dD/da_i at a_i + d. Sets *slope to its derivative by d. */
static double derivative(const struct reference *reference, size_t i, double d, double *slope)
{
    const struct hinge_dataset *data = reference->data;
    double y = sign(reference, data, i), m = (double)data->x.rows;
    double dot = 0, square = 0;

    for (size_t e = data->x.start[i]; e < data->x.start[i + 1]; e++) {
        double x = hinge_value(&data->x, e);
        double u = soft(reference->v[hinge_index(&data->x, e)] + d * y * x / m, reference->l1);

        dot += x * u;
        if (u != 0)
            square += x * x;
    }
    *slope = -square / (m * reference->sigma);
    return 1 - y * dot / reference->sigma;
}

/* Returns the d in lo .. hi at which the derivative changes its sign, or the end to which it
 * points. Newton's method is exact once no kink is left in between. If it leaves the bracket,
 * bisection follows. lo and hi are evaluated only if they are needed. */
static double maximise(const struct reference *reference, size_t i, double lo, double hi,
                       double slope, double h)
{
    int seen_lo = 0, seen_hi = 0;
    double d = 0;

    for (int round = 0; round < 200; round++) {
        double next;

        if (h > 0) {
            if (d >= hi)
                return d;
            lo = d;
            seen_lo = 1;
        } else {
            if (d <= lo)
                return d;
            hi = d;
            seen_hi = 1;
        }
        if (fabs(h) <= 1e-15)
            return d;
        next = slope < 0 ? d - h / slope : copysign(HUGE_VAL, h);
        if (next >= hi)
            next = seen_hi ? (lo + hi) / 2 : hi;
        else if (next <= lo)
            next = seen_lo ? (lo + hi) / 2 : lo;
        if (next == d || (seen_lo && seen_hi && hi - lo <= DBL_EPSILON))
            return next;
        d = next;
        h = derivative(reference, i, d, &slope);
    }
    return d;
}

/* Makes a step on row i. Returns the violation of its condition: |h|, or 0 if a_i is at the bound
 * to which h points. */
static double improve(struct reference *reference, size_t i)
{
    const struct hinge_dataset *data = reference->data;
    double a = reference->a[i], slope;
    double h = derivative(reference, i, 0, &slope);
    double factor;

    if (h == 0 || (h > 0 && a >= 1) || (h < 0 && a <= 0))
        return 0;
    reference->a[i] = fmin(fmax(a + maximise(reference, i, -a, 1 - a, slope, h), 0), 1);
    factor = (reference->a[i] - a) * sign(reference, data, i) / (double)data->x.rows;
    for (size_t e = data->x.start[i]; e < data->x.start[i + 1]; e++)
        reference->v[hinge_index(&data->x, e)] += factor * hinge_value(&data->x, e);
    return fabs(h);
}

/* Computes primal, dual and gap from a, with a new sum v. */
static struct certificate certify(struct reference *reference)
{
    const struct hinge_dataset *data = reference->data;
    double m = (double)data->x.rows, absolute = 0, square = 0, loss = 0, linear = 0;
    struct certificate certificate = {0, 0, 0, 0};

    for (size_t j = 0; j < data->features; j++)
        reference->v[j] = 0;
    for (size_t i = 0; i < data->x.rows; i++)
        for (size_t e = data->x.start[i]; e < data->x.start[i + 1]; e++)
            reference->v[hinge_index(&data->x, e)] +=
                reference->a[i] * sign(reference, data, i) * hinge_value(&data->x, e) / m;
    for (size_t j = 0; j < data->features; j++) {
        double w = soft(reference->v[j], reference->l1) / reference->sigma;

        absolute += fabs(w);
        square += w * w;
        certificate.nonzeros += w != 0;
    }
    for (size_t i = 0; i < data->x.rows; i++) {
        loss += fmax(0, 1 - sign(reference, data, i) * decision(reference, data, i));
        linear += reference->a[i];
    }
    certificate.primal = reference->l1 * absolute + reference->sigma / 2 * square + loss / m;
    certificate.dual = linear / m - reference->sigma / 2 * square;
    certificate.gap = (certificate.primal - certificate.dual) / certificate.primal;
    return certificate;
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Makes a step on each row. Puts the rows that were not at the correct bound into `active`, and
 * returns their number. */
static size_t sweep(struct reference *reference, size_t *active, double *worst)
{
    size_t count = 0;

    *worst = 0;
    for (size_t i = 0; i < reference->data->x.rows; i++) {
        double violation = improve(reference, i);

        if (violation > 0 || (reference->a[i] > 0 && reference->a[i] < 1))
            active[count++] = i;
        *worst = fmax(*worst, violation);
    }
    return count;
}

/* Sweeps over all rows. Between two sweeps, makes steps on the active rows until their worst
 * violation is a tenth. */
static struct certificate solve(struct reference *reference, size_t *active, double gap,
                                double limit, unsigned long *passes)
{
    struct certificate certificate;
    double worst;

    do {
        size_t count = sweep(reference, active, &worst);
        double bound = worst / 10, inner = worst;

        ++*passes;
        for (int n = 0; n < 1000 && inner > bound && seconds() < limit; n++) {
            inner = 0;
            for (size_t k = 0; k < count; k++)
                inner = fmax(inner, improve(reference, active[k]));
            ++*passes;
        }
        certificate = certify(reference);
    } while (certificate.gap > gap && seconds() < limit);
    return certificate;
}

static double test_error(const struct reference *reference, const struct hinge_dataset *test)
{
    size_t wrong = 0;

    for (size_t i = 0; i < test->x.rows; i++)
        wrong += (decision(reference, test, i) > 0) != (sign(reference, test, i) > 0);
    return (double)wrong / (double)test->x.rows;
}

/* Prints the line that the head of this file describes. */
static void report(struct reference *reference, const struct hinge_dataset *test, double gap,
                   double limit)
{
    size_t *active = malloc(reference->data->x.rows * sizeof *active);
    unsigned long passes = 0;
    struct certificate certificate;

    if (!reference->a || !reference->v || !active) {
        fprintf(stderr, "paper_reference: out of memory\n");
        exit(HINGE_NO_MEMORY);
    }
    certificate = solve(reference, active, gap, limit, &passes);
    printf("%.17g,%.17g,%.3g,%lu,%lu,%lu,%.2f,", certificate.primal, certificate.dual,
           certificate.gap, (unsigned long)certificate.nonzeros,
           (unsigned long)reference->data->features, passes, seconds());
    if (test)
        printf("%.6f", test_error(reference, test));
    putchar('\n');
    free(active);
}

static struct hinge_dataset *read_data(const char *path)
{
    struct hinge_format format = {0};
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read(path, &format, &error);

    if (!data) {
        fprintf(stderr, "paper_reference: %s\n", error.message);
        exit((int)error.status);
    }
    return data;
}

int main(int argc, char **argv)
{
    struct reference reference = {0};
    struct hinge_dataset *data, *test;

    if (argc < 6 || argc > 7) {
        fprintf(stderr, "usage: paper_reference DATA SIGMA L1 GAP SECONDS [TEST]\n");
        return HINGE_BAD_ARGUMENT;
    }
    data = read_data(argv[1]);
    test = argc == 7 ? read_data(argv[6]) : NULL;
    reference.data = data;
    reference.positive = -HUGE_VAL;
    for (size_t i = 0; i < data->x.rows; i++)
        reference.positive = fmax(reference.positive, data->label[i]);
    reference.sigma = strtod(argv[2], NULL);
    reference.l1 = strtod(argv[3], NULL);
    reference.a = calloc(data->x.rows, sizeof *reference.a);
    reference.v = calloc((size_t)data->features + 1, sizeof *reference.v);
    report(&reference, test, strtod(argv[4], NULL), seconds() + strtod(argv[5], NULL));
    free(reference.a);
    free(reference.v);
    hinge_dataset_free(data);
    hinge_dataset_free(test);
    return 0;
}
