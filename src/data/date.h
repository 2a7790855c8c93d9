/* date.h - the text of a day, a day and a time, or a time of day, as days since 1970. */
#ifndef HINGE_DATA_DATE_H
#define HINGE_DATA_DATE_H

#include <stddef.h>

/* The order of day, month and year. A table of dates has one order. */
enum date_order { DATE_YMD, DATE_DMY, DATE_MDY, DATE_ORDERS };

/* Words for messages: "day, month, year". */
extern const char *const date_order_words[];

struct date {
    double days; /* since 1970-01-01, with the time of day as a fraction */
    int month;   /* 1 .. 12; 0: a time of day alone */
    int weekday; /* 1: Monday .. 7: Sunday */
};

/* True if the text is a date of that order, or a time of day alone; then sets *date. Dates are like
 * 2026-11-21, 21.11.2026, 11/21/26 or 21-Nov-2026. A time may follow, such as 12:30, T12:30:05.5Z
 * or 8:15 PM. Years of two digits are 1970 to 2069. A time zone is read but not applied, so that
 * month and weekday are local. */
int date_read(const char *text, size_t length, enum date_order order, struct date *date);

#endif
