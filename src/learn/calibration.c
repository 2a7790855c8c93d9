/* calibration.c - A, B := arg min sum_i w_i (-t_i ln p_i - (1 - t_i) ln(1 - p_i)),
 * p_i = 1/(1 + exp(A f_i + B)); and how good probabilities are.
 *
 * Platt's targets t, and Newton's method with backtracking, as Lin, Lin and Weng, A note on Platt's
 * probabilistic outputs for support vector machines, Machine Learning 68, 2007 have them.
 */
#include "learn/calibration.h"

#include <float.h>
#include <math.h>

#include "base/elementary.h"
#include "hinge_metrics.h"

/* ---- The sigmoid ------------------------------------------------------- */

/* The rows, and what makes x = scale f - centre of their values: sums and squares of x stay in the
 * range of double, and the two unknowns are nearly independent. */
struct fit {
    size_t rows;
    const double *value;
    const signed char *sign;
    const double *weight;
    double scale; /* a power of 2 */
    double centre;
    int differ;       /* 0: the values are all the same, but for rounding; x is 0 */
    double count[2];  /* of negative and of positive rows: their weight, */
    double target[2]; /* t, */
    double other[2];  /* 1 - t, without its rounding error */
};

/* A point: slope and offset of z = a x + b, the objective there, its gradient and Hessian. */
struct calibration_point {
    double a, b;
    double objective;
    double g[2];
    double h[3]; /* aa, ab, bb */
};

static double weight_of(const struct fit *fit, size_t i)
{
    return fit->weight ? fit->weight[i] : 1;
}

/* scale f; of a value that is not finite, as if it were the largest double, or 0. */
static double scaled(const struct fit *fit, size_t i)
{
    const double x = fit->scale * fit->value[i], most = fit->scale * DBL_MAX;

    return fabs(x) <= most ? x : x > 0 ? most : x < 0 ? -most : 0;
}

/* Finds scale, centre and targets. The scale is at most 2^1000, so that A = scale a is finite. */
static void fit_begin(struct fit *fit)
{
    double sum = 0, largest = 0, lowest = HUGE_VAL, highest = -HUGE_VAL;
    int exponent;

    fit->scale = 1;
    for (size_t i = 0; i < fit->rows; i++)
        largest = fmax(largest, fabs(scaled(fit, i)));
    frexp(largest, &exponent);
    fit->scale = ldexp(1, exponent > 1000 ? -1000 : exponent < -1000 ? 1000 : -exponent);
    for (size_t i = 0; i < fit->rows; i++) {
        const double x = scaled(fit, i);

        lowest = fmin(lowest, x);
        highest = fmax(highest, x);
        sum += weight_of(fit, i) * x;
        fit->count[fit->sign[i] > 0] += weight_of(fit, i);
    }
    fit->centre = sum / (fit->count[0] + fit->count[1]);
    fit->differ = highest - lowest > 0x1p-40 * fmax(fabs(lowest), fabs(highest));
    for (int k = 0; k < 2; k++) {
        const double one = 1 / (fit->count[k] + 2),
                     most = (fit->count[k] + 1) / (fit->count[k] + 2);

        fit->target[k] = k == 1 ? most : one;
        fit->other[k] = k == 1 ? one : most;
    }
}

/* The point (a, b). With e = exp(-|z|) no term cancels. */
static struct calibration_point measure(const struct fit *fit, double a, double b)
{
    struct calibration_point sums = {.a = a, .b = b};

    for (size_t i = 0; i < fit->rows; i++) {
        const double x = fit->differ ? scaled(fit, i) - fit->centre : 0;
        const double z = a * x + b, e = exp_of(-fabs(z));
        const double less = e / (1 + e), more = 1 / (1 + e);
        const double p = z > 0 ? less : more, q = z > 0 ? more : less;
        const double t = fit->target[fit->sign[i] > 0], u = fit->other[fit->sign[i] > 0];
        const double w = weight_of(fit, i), g = w * (t * q - u * p), h = w * p * q;

        sums.objective += w * ((z > 0 ? t * z : -u * z) + log1p_of(e));
        sums.g[0] += g * x;
        sums.g[1] += g;
        sums.h[0] += h * x * x;
        sums.h[1] += h * x;
        sums.h[2] += h;
    }
    return sums;
}

/* The Newton step, with some rounding errors added to the diagonal. Returns twice the decrease that
 * it promises. */
static double newton_step(const struct calibration_point *point, double *da, double *db)
{
    const double aa = point->h[0] * (1 + 1e-14) + DBL_MIN, ab = point->h[1];
    const double bb = point->h[2] * (1 + 1e-14) + DBL_MIN, slope = ab / bb;
    const double rest = fmax(aa - slope * ab, 1e-14 * aa);

    *da = -(point->g[0] - slope * point->g[1]) / rest;
    *db = -point->g[1] / bb - slope * *da;
    return -(point->g[0] * *da + point->g[1] * *db);
}

/* Takes Newton steps, each shortened until it brings a share of the decrease that it promises. Once
 * that is below what the rounding errors of the objective show, one more step ends at the optimum,
 * but for rounding. */
static struct calibration_point minimise(const struct fit *fit)
{
    enum { MOST_STEPS = 100 };
    struct calibration_point point =
        measure(fit, 0, log_of((fit->count[0] + 1) / (fit->count[1] + 1)));

    for (int k = 0, last = 0; k < MOST_STEPS && !last; k++) {
        double da, db, length = 1;
        const double promised = newton_step(&point, &da, &db);
        struct calibration_point next = measure(fit, point.a + da, point.b + db);

        last = promised <= 1e-12 * point.objective;
        while (!last && !(next.objective <= point.objective - 1e-4 * length * promised)) {
            if (length < 1e-10)
                return point;
            length /= 2;
            next = measure(fit, point.a + length * da, point.b + length * db);
        }
        point = next;
    }
    return point;
}

void sigmoid_fit(size_t rows, const double *value, const signed char *sign, const double *weight,
                 double *sigmoid)
{
    struct fit fit = {.rows = rows, .value = value, .sign = sign, .weight = weight};
    struct calibration_point point;

    fit_begin(&fit);
    point = minimise(&fit);
    sigmoid[0] = clamp(fit.scale * point.a, -DBL_MAX, DBL_MAX);
    sigmoid[1] = point.b - point.a * fit.centre;
}

/* ---- How good they are ------------------------------------------------- */

void hinge_calibration_add(struct hinge_calibration *calibration, size_t classes,
                           const double *probability, size_t predicted, size_t given)
{
    const double rows = (double)++calibration->rows;
    const size_t shown = classes == 2 ? 0 : predicted;
    const double position = floor(probability[shown] * HINGE_BINS);
    struct hinge_bin *bin = &calibration->bin[(size_t)fmin(position, HINGE_BINS - 1)];
    const double own = given < classes ? probability[given] : 0;
    double squares = given < classes ? 0 : 1;

    for (size_t c = 0; c < classes; c++) {
        const double wrong = probability[c] - (c == given);

        squares += wrong * wrong;
    }
    if (classes == 2)
        squares /= 2;
    calibration->log_loss += (-log_of(fmax(own, DBL_EPSILON)) - calibration->log_loss) / rows;
    calibration->brier += (squares - calibration->brier) / rows;
    bin->rows++;
    bin->observed += given == shown;
    bin->predicted += (probability[shown] - bin->predicted) / (double)bin->rows;
}
