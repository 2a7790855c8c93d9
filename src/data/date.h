/* date.h - the text of a day, a day and a time, or a time of day, as days since 1970. */
#ifndef HINGE_DATA_DATE_H
#define HINGE_DATA_DATE_H

#include <stddef.h>

/* The order of day, month and year. A table of dates has one order. */
enum date_order { DATE_YMD, DATE_DMY, DATE_MDY, DATE_ORDERS };

struct date {
    double days; /* since 1970-01-01, with the time of day as a fraction */
    int month;   /* 1 .. 12; 0: a time of day alone */
    int weekday; /* 1: Monday .. 7: Sunday */
};

/* True if the text is a date of that order, and sets *date: 2026-11-21, 21.11.2026, 11/21/26,
 * 21-Nov-2026; after it there may be a time such as 12:30, T12:30:05.5Z or 8:15 PM. Or it is a time
 * alone, in any order. Years of two digits are 1970 to 2069. A time zone is read, but the time
 * stays that of the place: its weekday and month count. */
int date_read(const char *text, size_t length, enum date_order order, struct date *date);

#endif
