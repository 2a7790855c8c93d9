/* calendar.h - rows by which of the coming passes they are due in. Taking out those of one pass
 * costs what their number does, however many others wait.
 */
#ifndef HINGE_SOLVER_CALENDAR_H
#define HINGE_SOLVER_CALENDAR_H

#include <stdint.h>

#include "hinge.h"

enum { DAYS = 16, SHEET_ROWS = 62 };

/* Some of the rows of a day. */
struct sheet {
    uint32_t next; /* sheet of the same day, or of those given back; 0: none */
    uint32_t count;
    uint32_t row[SHEET_ROWS];
};

struct calendar {
    struct sheet *sheet;  /* from 1 on */
    uint32_t first[DAYS]; /* sheet of a day, the only one of it that may not be full; 0: none */
    uint32_t spare;       /* the first sheet of those given back */
    uint32_t fresh;       /* from this one on they have not been used */
};

/* Empty, with room for so many rows; calendar_free. */
enum hinge_status calendar_new(struct calendar *calendar, uint32_t rows, struct hinge_error *error);
void calendar_free(struct calendar *calendar);

void calendar_clear(struct calendar *calendar);

/* Takes the rows of a day out, to rows; how many they were. */
uint32_t calendar_take(struct calendar *calendar, unsigned day, uint32_t *rows);

/* An empty sheet before the others of the day. */
struct sheet *calendar_sheet(struct calendar *calendar, unsigned day);

/* Puts a row down that is on no day. */
static inline void calendar_put(struct calendar *calendar, unsigned day, uint32_t row)
{
    struct sheet *sheet = &calendar->sheet[calendar->first[day]];

    if (calendar->first[day] == 0 || sheet->count == SHEET_ROWS)
        sheet = calendar_sheet(calendar, day);
    sheet->row[sheet->count++] = row;
}

#endif
