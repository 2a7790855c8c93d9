/* calendar.c - sheets of rows, handed out and given back. */
#include "solver/calendar.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

/* There is a sheet that is not full for each day at most, and no sheet 0. */
enum hinge_status calendar_new(struct calendar *calendar, uint32_t rows, struct hinge_error *error)
{
    const size_t sheets = (size_t)rows / SHEET_ROWS + DAYS + 1;

    if (!(calendar->sheet = array_new(sheets, sizeof *calendar->sheet, error)))
        return failure(error);
    calendar_clear(calendar);
    return HINGE_OK;
}

void calendar_free(struct calendar *calendar)
{
    free(calendar->sheet);
    calendar->sheet = NULL;
}

void calendar_clear(struct calendar *calendar)
{
    memset(calendar->first, 0, sizeof calendar->first);
    calendar->spare = 0;
    calendar->fresh = 1;
}

struct sheet *calendar_sheet(struct calendar *calendar, unsigned day)
{
    const uint32_t number = calendar->spare ? calendar->spare : calendar->fresh++;
    struct sheet *sheet = &calendar->sheet[number];

    if (calendar->spare)
        calendar->spare = sheet->next;
    sheet->count = 0;
    sheet->next = calendar->first[day];
    calendar->first[day] = number;
    return sheet;
}

uint32_t calendar_take(struct calendar *calendar, unsigned day, uint32_t *rows)
{
    uint32_t count = 0, number = calendar->first[day];

    calendar->first[day] = 0;
    while (number) {
        struct sheet *sheet = &calendar->sheet[number];
        const uint32_t next = sheet->next;

        memcpy(rows + count, sheet->row, sheet->count * sizeof *rows);
        count += sheet->count;
        sheet->next = calendar->spare;
        calendar->spare = number;
        number = next;
    }
    return count;
}
