/* rows.h - labelled rows, read one after the other: of a file, or of some of its lines. */
#ifndef HINGE_DATA_ROWS_H
#define HINGE_DATA_ROWS_H

#include "data/reader.h"

struct rows {
    struct hinge_reader reader; /* entries.x: the rows up to now; start has one number more */
    double *label;
    size_t capacity;   /* of label, and of start but for one */
    uint32_t features; /* 1 + the largest index, 0 if there is none */
};

/* None as yet, and no source. rows_free is to be called in any case. */
enum hinge_status rows_new(struct rows *rows, const struct hinge_format *format,
                           struct hinge_error *error);
void rows_free(struct rows *rows);

/* Makes room in both arrays, of *capacity numbers and of one more, for so many rows. */
enum hinge_status rows_reserve(double **label, size_t **start, size_t *capacity, size_t rows,
                               struct hinge_error *error);

/* Forgets the rows; what follows is of the kinds of another. */
enum hinge_status rows_clear(struct rows *rows, const struct rows *like, struct hinge_error *error);

/* Appends the next row of the source: 1, 0 at the end of the data, -1 on failure. */
int rows_next(struct rows *rows, struct hinge_error *error);

/* Appends all that follow. */
enum hinge_status rows_read(struct rows *rows, struct hinge_error *error);

/* As entries_expect, of rows and entries. */
void rows_expect(struct rows *rows, double times);

/* Whether the rows of both are not too many for one. */
static inline int rows_fit(const struct rows *rows, const struct rows *others)
{
    return others->reader.entries.x.rows <= UINT32_MAX - rows->reader.entries.x.rows;
}

/* Appends the rows of others, which fit. */
enum hinge_status rows_join(struct rows *rows, const struct rows *others,
                            struct hinge_error *error);

/* The same in two steps, as entries_place and entries_copy; 0 also if they do not fit. */
int rows_place(struct rows *rows, const struct rows *others, struct row_start *at);
void rows_copy(const struct rows *rows, const struct rows *others, const struct row_start *at);

/* Reads a whole file in one pass, the part of the work that can be shared by so many threads, with
 * a buffer of chunk bytes each at first. Both numbers are at least 1, and change no result. */
struct hinge_dataset *dataset_read(const char *path, const struct hinge_format *format,
                                   size_t chunk, unsigned threads, struct hinge_error *error);

#endif
