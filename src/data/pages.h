/* pages.h - the entries of a matrix in a temporary file, a part of them in memory.
 *
 * The rows are divided into pages: consecutive rows that take about a thirty-second of the memory.
 * The first pages, as many as there is room for, are pinned: they stay in memory. The other pages
 * are read into a few frames. Each new page takes the frame that was used longest ago. A sweep over
 * all rows therefore reads only pages that are not pinned. A cache without pinned pages would read
 * all of them.
 */
#ifndef HINGE_DATA_PAGES_H
#define HINGE_DATA_PAGES_H

#include "base/compiler.h"
#include "data/matrix.h"

struct block_file;

/* Ends writing a file of blocks, see block_file_finish. Entries may take `memory` bytes. If all
 * entries fit, x gets them. Otherwise x->pages is set, and takes the file over. is_short is what
 * pages_are_short will return. After a failure, the caller still owns x. The file needs to be freed
 * in any case. */
enum hinge_status pages_finish(struct block_file *file, size_t memory, int is_short,
                               struct hinge_matrix *x, size_t columns, struct hinge_error *error);

/* Frees pages, which may be NULL. */
void pages_free(struct hinge_pages *pages);

/* True if the vectors of a second-order method exceed the memory. */
int pages_are_short(const struct hinge_pages *pages);

/* Returns the first entry of a row. The entry stays there while rows of at most FEWEST_FRAMES - 1
 * other pages are asked for. If the file cannot be read, which pages_check tells, the row has as
 * many entries, with the first indices, and stored values are 0. COLD keeps the call out of loops
 * over rows in memory, which need the registers. */
enum { FEWEST_FRAMES = 2 };

struct pages_row {
    const void *index;
    const void *value;
};

COLD struct pages_row pages_find(const struct hinge_matrix *x, size_t row);

/* True if pages_find of this row leaves every row in memory where it is. */
int pages_has(const struct hinge_matrix *x, size_t row);

/* Fails with the error of reading, if there was one. A matrix without pages passes. */
enum hinge_status pages_check(const struct hinge_matrix *x, struct hinge_error *error);

/* Returns the number of pages. */
size_t pages_count(const struct hinge_pages *pages);

/* Returns the position of the page that has a row. */
size_t pages_of_row(const struct hinge_pages *pages, size_t row);

/* Returns how many pages that are not pinned can be in memory together. */
size_t pages_at_once(const struct hinge_pages *pages);

/* Returns a copy of some rows, which ascend. Pinned pages leave their memory to the copy meanwhile.
 * NULL if the rows are too many or cannot be read. The copy has its own start, index and value. The
 * counts of the copy are the counts of the whole, because prices depend on them. Give the copy back
 * with pages_give_back. */
struct hinge_dataset *pages_lend(const struct hinge_dataset *data, const uint32_t *row,
                                 uint32_t count);
void pages_give_back(const struct hinge_dataset *data, struct hinge_dataset *copy);

#endif
