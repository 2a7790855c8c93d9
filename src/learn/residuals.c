/* residuals.c - targets and predictions of a regression -> errors, and their correlation.
 *
 * Means and sums about them are brought up to date row by row (Welford, Technometrics 1962):
 * sum v^2 - (sum v)^2 / m would leave no digit of a correlation where the mean is large.
 */
#include <math.h>

#include "hinge_metrics.h"

void hinge_residuals_add(struct hinge_residuals *residuals, double target, double predicted)
{
    const double value[2] = {target, predicted}, error = fabs(predicted - target);
    double before[2], after[2];

    residuals->rows++;
    residuals->squares += error * error;
    residuals->absolute += error;
    residuals->largest = error > residuals->largest ? error : residuals->largest;
    for (int k = 0; k < 2; k++) {
        before[k] = value[k] - residuals->mean[k];
        residuals->mean[k] += before[k] / (double)residuals->rows;
        after[k] = value[k] - residuals->mean[k];
        residuals->spread[k] += before[k] * after[k];
    }
    residuals->product += before[0] * after[1];
}

double hinge_squared_correlation(const struct hinge_residuals *residuals)
{
    double r;

    if (!(residuals->spread[0] > 0 && residuals->spread[1] > 0))
        return NAN;
    r = residuals->product / sqrt(residuals->spread[0]) / sqrt(residuals->spread[1]);
    return fmin(r * r, 1);
}
