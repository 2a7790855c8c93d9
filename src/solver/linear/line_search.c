/* line_search.c - t -= f'(t)/f''(t), kept inside the bracket low .. high, f'(low) < 0 < f'(high),
 * and told to halve it where it stays beyond the minimum. */
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

static void derive_sum(void *context, double t, double *first, double *second)
{
    struct sum_line *line = context;
    double scalars[MOST_SCALARS];

    line->t = t;
    sums_run(line->shards, line->rows, line->add, line, scalars, NULL);
    *first = line->linear + t * line->square - scalars[0];
    *second = line->square + scalars[1];
}

double sum_line_search(struct sum_line *line, double start, double part, double t)
{
    return line_search(derive_sum, line, start, part, t);
}
