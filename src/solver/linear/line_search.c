/* line_search.c - t -= f'(t)/f''(t), kept inside the bracket low .. high, where
 * f'(low) < 0 < f'(high). If two steps in turn end beyond the minimum, the bracket is halved. */
#include "solver/linear/line_search.h"

#include <math.h>

double line_search(line_derivatives *derive, void *context, double start, double part, double t)
{
    enum { MOST = 60 };
    double low = 0, high = HUGE_VAL;
    int beyond = 0;

    for (int k = 0; k < MOST; k++) {
        double first, second;

        derive(context, t, &first, &second);
        if (first >= -part * start && first <= 1e-9 * start)
            return t;
        beyond = first > 0 ? beyond + 1 : 0;
        if (first < 0)
            low = t;
        else
            high = t;
        t = second > 0 ? t - first / second : HUGE_VAL;
        if (!(t > low && t < high) || beyond > 1)
            t = high == HUGE_VAL ? 2 * low : (low + high) / 2;
    }
    return low;
}
