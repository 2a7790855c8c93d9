/* scale.c - place = from + (to - from) (value - low)/(high - low), and round values between. */
#include "report/scale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int scale_shows(double value, int is_log)
{
    return value >= -DBL_MAX && value <= DBL_MAX && (!is_log || value > 0);
}

void scale_include(struct scale *scale, double value)
{
    double at = value;

    if (!scale_shows(value, scale->is_log))
        return;
    if (scale->is_log)
        at = log10(value);
    scale->low = at < scale->low ? at : scale->low;
    scale->high = at > scale->high ? at : scale->high;
}

double scale_place(const struct scale *scale, double value)
{
    const double at = scale->is_log && value > 0 ? log10(value) : value;

    /* Halves, because high - low may overflow. */
    return scale->from + (scale->to - scale->from) *
                             ((at / 2 - scale->low / 2) / (scale->high / 2 - scale->low / 2));
}

int scale_is_range(double low, double high)
{
    return high / 2 - low / 2 > fmax(1e-300, 1e-14 * fmax(fabs(low), fabs(high)));
}

void scale_finish(struct scale *scale, int has_zero)
{
    double size;

    if (scale->low > scale->high)
        scale->low = 0, scale->high = 1;
    if (has_zero && !scale->is_log && scale->low > 0)
        scale->low = 0;
    size = fmax(fabs(scale->low), fabs(scale->high));
    if (!scale_is_range(scale->low, scale->high)) {
        const double margin = size < 1e-290 || scale->is_log ? 1 : size / 10;

        scale->low -= margin;
        scale->high += margin;
    } else {
        const double margin = 0.03 * (scale->high / 2 - scale->low / 2) * 2;

        scale->low -= scale->low == 0 && !scale->is_log ? 0 : margin;
        scale->high += margin;
    }
    scale->low = scale->low < -DBL_MAX ? -DBL_MAX : scale->low;
    scale->high = scale->high > DBL_MAX ? DBL_MAX : scale->high;
}

void scale_format(char text[32], double value, int digits)
{
    char *to;

    snprintf(text, 32, "%.*g", digits, value);
    if ((to = strchr(text, 'e'))) {
        const char *from = ++to;

        if (*from == '-')
            to++;
        from++;
        while (*from == '0' && from[1])
            from++;
        memmove(to, from, strlen(from) + 1);
    }
}

static void add_tick(struct ticks *ticks, double value, int digits)
{
    if (ticks->count == MOST_TICKS)
        return;
    ticks->value[ticks->count] = value;
    scale_format(ticks->text[ticks->count++], value, digits);
}

struct ticks scale_ticks(const struct scale *scale, int is_y)
{
    static const double factor[] = {1, 2, 5};
    const double span = scale->high - scale->low;
    const double low = scale->is_log ? pow(10, scale->low) : scale->low;
    const double high = scale->is_log ? pow(10, scale->high) : scale->high;
    const double power = pow(10, floor(log10(high / MOST_TICKS - low / MOST_TICKS)));
    struct ticks ticks = {0};

    if (scale->is_log && span > 1) {
        const int first = (int)floor(scale->low), last = (int)floor(scale->high);
        const int between = (int)ceil(span / (MOST_TICKS - 1));

        for (int e = first; e <= last; e++)
            for (size_t k = 0; k < (span > 2 ? 1 : 3); k++) {
                const double at = e + log10(factor[k]);

                if (at >= scale->low && at <= scale->high && (span <= 2 || e % between == 0))
                    add_tick(&ticks, factor[k] * pow(10, e), 4);
            }
        return ticks;
    }
    for (int k = 0; k < 9; k++) {
        const int decade = k / 3;
        const double step = factor[k % 3] * pow(10, decade) * power;
        const double first = ceil(low / step), last = floor(high / step);
        const double most = fmax(fabs(first), fabs(last));
        const int digits = most > 1 ? (int)fmin(15, floor(log10(most)) + 2) : 1;
        size_t longest = 0;

        if (last - first >= MOST_TICKS)
            continue;
        ticks.count = 0;
        for (int n = 0; n <= last - first; n++) {
            add_tick(&ticks, (first + n) * step + 0., digits > 4 ? digits : 4); /* 0, not -0 */
            if (strlen(ticks.text[n]) > longest)
                longest = strlen(ticks.text[n]);
        }
        if (is_y || ticks.count <= 2 ||
            (double)(longest + 1) * SCALE_LETTER * (last - first) <=
                fabs(scale_place(scale, last * step) - scale_place(scale, first * step)))
            break;
    }
    return ticks;
}
