/* page.h - a report as one page of HTML: text, tables, and pictures in SVG.
 *
 * A page needs no network, no script and no other file. It follows the reader's choice of light or
 * dark, and prints. Text of users and files is escaped here and nowhere else. A failed write shows
 * in ferror of the stream.
 */
#ifndef HINGE_REPORT_PAGE_H
#define HINGE_REPORT_PAGE_H

#include <stdio.h>

#include "base/compiler.h"

struct page {
    FILE *stream;
    unsigned tables; /* tables so far; their numbers make the labels unique */
    size_t rows;     /* rows of the present table */
    int has_heading; /* titles of pictures are one level below headings */
};

/* Begins the page; its title is also its first heading. */
void page_begin(struct page *page, FILE *stream, const char *title);
void page_end(struct page *page);

void page_heading(struct page *page, const char *text);
void page_paragraph(struct page *page, const char *format, ...) PRINTF_LIKE(2, 3);

/* Begins a figure of this class with its title. */
void page_begin_figure(struct page *page, const char *class, const char *title);

/* Prints text between two pieces of HTML; no byte of the text is markup. Bytes that are not UTF-8,
 * control characters, and those that turn the direction of writing become U+FFFD. After `most`
 * characters, an ellipsis takes the place of the others. */
void page_text(const struct page *page, const char *before, const char *text, size_t most,
               const char *after);

/* A list of facts: page_facts, then page_fact for each, then page_facts_end. */
void page_facts(struct page *page);
void page_fact(struct page *page, const char *name, const char *format, ...) PRINTF_LIKE(3, 4);
void page_facts_end(struct page *page);

/* A table: page_table with the names of its columns, page_row before each row, a cell for each
 * column, page_table_end. A folded table shows its caption until the reader opens it. Rows beyond
 * PAGE_TABLE_ROWS are counted and left out, so that a page stays below 1 MB. */
enum { PAGE_TABLE_ROWS = 1000 };
void page_table(struct page *page, const char *caption, int is_folded, const char *const *column,
                size_t columns);
void page_row(struct page *page);
void page_cell(struct page *page, const char *text);
void page_number(struct page *page, double value);
void page_number_text(struct page *page, const char *text); /* a number with all its characters */

/* Adds a row: a cell for the name, unless it is NULL, and one for each number. */
void page_numbers(struct page *page, const char *name, size_t count, const double *value);
void page_table_end(struct page *page, int is_folded);

/* A table of counts or scores, [rows][columns], in which a darker cell has a larger value. A cell
 * of NaN is empty. The names of rows and columns stand at the sides. */
struct grid {
    const char *title;
    const char *reading; /* a sentence on how to read it */
    const char *row_label, *column_label;
    size_t rows, columns;
    const char *const *row_name, *const *column_name;
    const double *value;
    int is_log; /* colours by the logarithms of the values, which are above 0 */
};
void page_grid(struct page *page, const struct grid *grid);

#endif
