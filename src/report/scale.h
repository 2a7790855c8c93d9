/* scale.h - an axis of a picture: the places of values, and its ticks. */
#ifndef HINGE_REPORT_SCALE_H
#define HINGE_REPORT_SCALE_H

#include <stddef.h>

enum { MOST_TICKS = 6, SCALE_LETTER = 8 }; /* SCALE_LETTER: the width of a letter or digit */

struct scale {
    int is_log;
    double low, high; /* values at the ends; logarithms to base 10 on a logarithmic axis */
    double from, to;  /* places of the ends */
};

/* True if the scale has a place for the value. */
int scale_shows(double value, int is_log);

/* Extends the scale to the value. */
void scale_include(struct scale *scale, double value);

/* Widens the scale by a margin, so that nothing lies on the frame. has_zero moves a positive low
 * end to 0. A low end at 0 gets no margin, unless the axis is logarithmic: 0 stands for 1 there. */
void scale_finish(struct scale *scale, int has_zero);

/* Returns the place of a value. */
double scale_place(const struct scale *scale, double value);

/* True if an axis can have these ends: their difference is more than rounding, and not so small
 * that its parts underflow. */
int scale_is_range(double low, double high);

/* Prints a number with a short exponent: 1e6, not 1e+06. */
void scale_format(char text[32], double value, int digits);

/* Round values of a scale. */
struct ticks {
    size_t count;
    double value[MOST_TICKS];
    char text[MOST_TICKS][32];
};

/* Finds the finest steps of 1, 2 or 5 times a power of 10 with at most MOST_TICKS ticks, whose
 * numbers fit beside one another unless is_y. On a logarithmic axis of more than one decade, the
 * ticks are powers of 10 or, up to two decades, 1, 2 and 5 times such a power. */
struct ticks scale_ticks(const struct scale *scale, int is_y);

#endif
