/* date.c - 2026-11-21 | 21.11.2026 12:30 | 11/21/26 | 21-Nov-2026 | 8:15 PM */
#include "data/date.h"

#include <string.h>

#include "data/digits.h"

const char *const date_order_words[] = {[DATE_YMD] = "year, month, day",
                                        [DATE_DMY] = "day, month, year",
                                        [DATE_MDY] = "month, day, year"};

/* Reads digits at *p. Returns their number, or 0 if there are none or more than `most`. */
static int read_digits(const char **p, const char *end, int most, int *value)
{
    int count = 0;

    for (*value = 0; *p < end && is_digit(**p) && count <= most; ++*p, count++)
        *value = 10 * *value + (**p - '0');
    return count <= most ? count : 0;
}

/* Reads an English name of a month at *p, or its first three letters or more. Returns the month
 * from 1, or 0 if there is none. */
static int read_month(const char **p, const char *end)
{
    static const char *const names[] = {"january",   "february", "march",    "april",
                                        "may",       "june",     "july",     "august",
                                        "september", "october",  "november", "december"};

    for (int k = 0; k < 12; k++) {
        size_t i = 0;

        while (*p + i < end && names[k][i] && lower_case((*p)[i]) == names[k][i])
            i++;
        if (i >= 3 && (*p + i == end || lower_case((*p)[i]) < 'a' || lower_case((*p)[i]) > 'z')) {
            *p += i;
            return k + 1;
        }
    }
    return 0;
}

/* True if the text from p to end is a time of day. Sets *days, a fraction of a day. */
static int read_time(const char *p, const char *end, double *days)
{
    int hours, minutes, seconds = 0, zone, digits;
    int meridiem; /* a: AM, p: PM, 0: neither */
    double fraction = 0, place = 0.1;

    if (!read_digits(&p, end, 2, &hours) || hours > 24 || p == end || *p++ != ':' ||
        read_digits(&p, end, 2, &minutes) != 2 || minutes > 59)
        return 0;
    if (p < end && *p == ':') {
        p++;
        if (read_digits(&p, end, 2, &seconds) != 2 || seconds > 60)
            return 0;
        if (p < end && (*p == '.' || *p == ','))
            for (p++; p < end && is_digit(*p); p++) {
                fraction += place * (*p - '0');
                place /= 10;
            }
    }
    while (p < end && *p == ' ')
        p++;
    meridiem = end - p >= 2 && lower_case(p[1]) == 'm' ? lower_case(*p) : 0;
    if (meridiem == 'a' || meridiem == 'p') {
        if (hours < 1 || hours > 12)
            return 0;
        hours = hours % 12 + (meridiem == 'p' ? 12 : 0);
        p += 2;
    }
    if (p < end && (*p == 'Z' || *p == 'z')) {
        p++;
    } else if (p < end && (*p == '+' || *p == '-')) { /* +01, +0100 or +01:00 */
        p++;
        digits = read_digits(&p, end, 4, &zone);
        if (digits == 2 && p < end && *p == ':') {
            p++;
            digits += read_digits(&p, end, 2, &zone);
        }
        if (digits != 2 && digits != 4)
            return 0;
    }
    *days = (hours * 3600.0 + minutes * 60.0 + seconds + fraction) / 86400.0;
    return p == end;
}

int date_read(const char *text, size_t length, enum date_order order, struct date *date)
{
    static const int month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const char *p = text, *const end = text + length;
    int part[3], digits[3], month, day, leap;
    const int year = order == DATE_YMD ? 0 : 2; /* position of the year in part[] */
    double time = 0;
    long days, y, era;
    char between;

    *date = (struct date){0, 0, 0};
    if (read_time(text, end, &date->days))
        return 1;
    digits[0] = read_digits(&p, end, 4, &part[0]);
    if (!digits[0] || p == end || !strchr("-/.", between = *p++))
        return 0;
    digits[1] = read_digits(&p, end, 2, &part[1]);
    if (!digits[1] && (month = read_month(&p, end)) > 0 && order == DATE_MDY) {
        part[1] = part[0]; /* a named month comes second in any order */
        part[0] = month;
        digits[1] = digits[0];
    } else if (!digits[1]) {
        part[1] = month;
    }
    if (p == end || *p++ != between || !(digits[2] = read_digits(&p, end, 4, &part[2])))
        return 0;
    if ((digits[year] != 4 && (digits[year] != 2 || year == 0)) || digits[2 - year] > 2)
        return 0;
    day = part[order == DATE_YMD ? 2 : order == DATE_DMY ? 0 : 1];
    month = part[order == DATE_MDY ? 0 : 1];
    if (digits[year] == 2)
        part[year] += part[year] < 70 ? 2000 : 1900;
    leap = part[year] % 4 == 0 && (part[year] % 100 != 0 || part[year] % 400 == 0);
    if (month < 1 || month > 12 || day < 1 || day > month_days[month - 1] + (month == 2 && leap))
        return 0;
    if (p < end && (*p == ' ' || *p == 'T') && !read_time(p + 1, end, &time))
        return 0;
    if (p < end && *p != ' ' && *p != 'T')
        return 0;
    /* Years are counted from March on, so that a leap day is the last day of its year. */
    y = part[year] - (month <= 2);
    era = (y >= 0 ? y : y - 399) / 400; /* each has 400 years of the Gregorian calendar */
    y -= 400 * era;
    days = 146097 * era + 365 * y + y / 4 - y / 100 +
           (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1 - 719468;
    date->days = (double)days + time;
    date->month = month;
    date->weekday = (int)(((days + 3) % 7 + 7) % 7) + 1;
    return 1;
}
