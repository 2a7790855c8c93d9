/* pages.h - the entries of a matrix in a temporary file, a part of them in memory.
 *
 * The rows are divided into pages: rows that follow each other, and take about a thirty-second of
 * the memory. The first pages, as many as there is room for, are pinned: they stay in memory. The
 * others go through a few frames, the one that was not used for longest first. So a sweep over all
 * rows reads those that are not pinned; a cache without pinned pages would read all of them.
 */
#ifndef HINGE_DATA_PAGES_H
#define HINGE_DATA_PAGES_H

#include "base/compiler.h"
#include "data/matrix.h"

struct block;

/* None as yet. The file is opened when something is put there. pages_free accepts NULL. */
struct hinge_pages *pages_new(const char *scratch, struct hinge_error *error);
void pages_free(struct hinge_pages *pages);

/* Writes the rows of a reader, x.rows of them, which follow those that were put before. */
enum hinge_status pages_put(struct hinge_pages *pages, const struct block *block,
                            struct hinge_error *error);

/* Ends putting. x->start[x->rows + 1] counts the entries that were read, zeros that were left out
 * not among them; the matrix has so many columns. Chooses the kinds that the entries would have in
 * memory, of which they may take so many bytes. If they fit after all they are there: the caller
 * frees pages. Else x->pages is set. is_short is what pages_are_short will say. On failure nothing
 * has changed hands. */
enum hinge_status pages_finish(struct hinge_pages *pages, size_t memory, int is_short,
                               struct hinge_matrix *x, size_t columns, struct hinge_error *error);

/* Whether the vectors of a second-order method exceed the memory there is. */
int pages_are_short(const struct hinge_pages *pages);

/* The first entry of a row. It stays there until the rows of FEWEST_FRAMES - 1 other pages have
 * been asked for. If the file cannot be read, which pages_check then tells, the row has as many
 * entries as ever, with any values and the first indices. */
enum { FEWEST_FRAMES = 2 };

struct pages_row {
    const void *index;
    const void *value;
};

/* COLD: loops over rows that are in memory shall keep their registers. */
COLD struct pages_row pages_find(const struct hinge_matrix *x, size_t row);

/* Whether finding this row moves no other. */
int pages_has(const struct hinge_matrix *x, size_t row);

/* What went wrong in reading; HINGE_OK: nothing has, or there are no pages. */
enum hinge_status pages_check(const struct hinge_matrix *x, struct hinge_error *error);

/* How many pages the rows are in; the one of a row; and how many can be in memory together. */
size_t pages_count(const struct hinge_pages *pages);
size_t pages_of_row(const struct hinge_pages *pages, size_t row);
size_t pages_at_once(const struct hinge_pages *pages);

/* Times that all entries have been read. */
double pages_reads(const struct hinge_pages *pages);

/* A copy of some rows, ascending, in memory, which pinned pages leave meanwhile; NULL: they are too
 * many, or cannot be read. Only start, index, value and what tells their kinds are those of the
 * copy: its counts are those of the whole, which prices depend on. To be given back. */
struct hinge_dataset *pages_lend(const struct hinge_dataset *data, const uint32_t *row,
                                 uint32_t count);
void pages_give_back(const struct hinge_dataset *data, struct hinge_dataset *copy);

#endif
