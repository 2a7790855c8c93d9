/* clang-format off */
/* drawing.c - lines of fields with tabs between them -> texts, tables and pictures of a page.
 *
 * Scripts describe a page and know no HTML. A line begins a block or adds an item to the current
 * block, so only one block is in memory. The blocks and their items:
 *
 *     hinge-page 1  TITLE
 *     heading       TEXT
 *     text          TEXT
 *     facts                                                        fact   NAME VALUE
 *     table         CAPTION COLUMN...                              row    CELL...
 *     grid          TITLE READING ROWS COLUMNS [log]               cell   ROW COLUMN VALUE
 *     bars          TITLE READING NAMES VALUES                     bar    NAME VALUE
 *     figure        TITLE READING X-AXIS Y-AXIS [log-x] [log-y] [points]
 *                                                                  point  NAME X Y
 */
/* clang-format on */
#include "cli/model_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dictionary.h"
#include "base/memory.h"
#include "base/status.h"
#include "data/number.h"
#include "data/source.h"
#include "data/token.h"
#include "report/figure.h"

static const struct kind {
    const char *word;
    size_t fields;    /* fields that the line needs after its word */
    const char *item; /* NULL: the block has no items */
    size_t item_fields;
    size_t values; /* number of values at the end of an item */
} kinds[] = {{"heading", 1, NULL, 0, 0},   {"text", 1, NULL, 0, 0},   {"facts", 0, "fact", 2, 0},
             {"table", 2, "row", 1, 0},    {"grid", 4, "cell", 3, 1}, {"bars", 4, "bar", 2, 1},
             {"figure", 4, "point", 3, 2}, {NULL, 0, NULL, 0, 0}};
enum { HEADING, TEXT, FACTS, TABLE, GRID, BARS, FIGURE, NO_BLOCK };

/* The lines of a block: its own, and one for each item. */
struct block {
    int kind;
    char *text; /* the fields, each with a NUL after it */
    size_t used, capacity;
    size_t *field; /* [fields] positions in text */
    size_t fields, field_capacity;
    size_t *line; /* [lines] the first field of each line */
    size_t lines, line_capacity;
};

/* Returns field k of a line, or NULL. Field 0 is the line's word. */
static const char *field_of(const struct block *block, size_t line, size_t k)
{
    const size_t end = line + 1 < block->lines ? block->line[line + 1] : block->fields;

    return block->line[line] + k < end ? block->text + block->field[block->line[line] + k] : NULL;
}

/* Reads a value: a number, "-" for a missing one (NaN), or ">" and a number for a lower bound,
 * which sets *is_bound. Returns 0 if the text is no value. */
static int read_value(const char *text, double *value, unsigned char *is_bound)
{
    *is_bound = *text == '>';
    *value = NAN;
    return strcmp(text, "-") == 0 || number_read(text + *is_bound, value);
}

/* Returns field k of a line as a value, without saying if it is a bound. */
static double value_of(const struct block *block, size_t line, size_t k)
{
    unsigned char is_bound;
    double value;

    read_value(field_of(block, line, k), &value, &is_bound);
    return value;
}

/* True if the block's own line has this word after its other fields. */
static int has_option(const struct block *block, const char *option)
{
    const char *field;

    for (size_t k = kinds[block->kind].fields + 1; (field = field_of(block, 0, k)); k++)
        if (strcmp(field, option) == 0)
            return 1;
    return 0;
}

/* ---- Drawing ------------------------------------------------------------- */

enum { MOST_COLUMNS = 100 }; /* most columns of a table */

/* The different names in field k of the items, in the order in which they appear. */
struct name_list {
    size_t count;
    const char **name;  /* [count] */
    uint32_t *position; /* [block->lines] position of each item's name; items begin at 1 */
};

/* Lists the different names in a field of the items. Call free_names on failure, too. */
static enum hinge_status list_names(struct name_list *list, const struct block *block, size_t k,
                                    struct hinge_error *error)
{
    struct dictionary words = {0};
    enum hinge_status status = HINGE_OK;

    if (!(list->name = array_new(block->lines, sizeof *list->name, error)) ||
        !(list->position = array_new(block->lines, sizeof *list->position, error)))
        return failure(error);
    for (size_t i = 1; i < block->lines && !status; i++) {
        const char *name = field_of(block, i, k);

        status = dictionary_add(&words, name, strlen(name), "", 0, &list->position[i], error);
        if (!status)
            list->name[list->position[i]] = name;
    }
    list->count = words.count;
    dictionary_free(&words);
    return status;
}

static void free_names(struct name_list *list)
{
    free(list->name);
    free(list->position);
}

static enum hinge_status draw_grid(struct page *page, const struct block *block,
                                   struct hinge_error *error)
{
    struct name_list rows = {0}, columns = {0};
    double *value = NULL;

    if (!list_names(&rows, block, 1, error) && !list_names(&columns, block, 2, error))
        value = array_new(rows.count * columns.count + 1, sizeof *value, error);
    if (value) {
        const struct grid grid = {.title = field_of(block, 0, 1),
                                  .reading = field_of(block, 0, 2),
                                  .row_label = field_of(block, 0, 3),
                                  .column_label = field_of(block, 0, 4),
                                  .is_log = has_option(block, "log"),
                                  .rows = rows.count,
                                  .columns = columns.count,
                                  .row_name = rows.name,
                                  .column_name = columns.name,
                                  .value = value};

        for (size_t k = 0; k < grid.rows * grid.columns; k++)
            value[k] = NAN;
        for (size_t i = 1; i < block->lines; i++)
            value[rows.position[i] * grid.columns + columns.position[i]] = value_of(block, i, 3);
        page_grid(page, &grid);
    }
    free_names(&rows);
    free_names(&columns);
    free(value);
    return value ? HINGE_OK : failure(error);
}

static enum hinge_status draw_bars(struct page *page, const struct block *block,
                                   struct hinge_error *error)
{
    const char **name = array_new(block->lines, sizeof *name, error);
    double *value = name ? array_new(block->lines, sizeof *value, error) : NULL;
    unsigned char *is_bound = value ? array_new(block->lines, sizeof *is_bound, error) : NULL;
    const int has_room = is_bound != NULL;

    if (has_room) {
        const struct bars bars = {.title = field_of(block, 0, 1),
                                  .reading = field_of(block, 0, 2),
                                  .name_label = field_of(block, 0, 3),
                                  .value_label = field_of(block, 0, 4),
                                  .count = block->lines - 1,
                                  .name = name,
                                  .value = value,
                                  .is_bound = is_bound};

        for (size_t i = 1; i < block->lines; i++) {
            name[i - 1] = field_of(block, i, 1);
            read_value(field_of(block, i, 2), &value[i - 1], &is_bound[i - 1]);
        }
        page_bars(page, &bars);
    }
    free(name);
    free(value);
    free(is_bound);
    return has_room ? HINGE_OK : failure(error);
}

static enum hinge_status draw_figure(struct page *page, const struct block *block,
                                     struct hinge_error *error)
{
    const enum mark mark = has_option(block, "points") ? MARK_POINTS : MARK_LINE;
    struct name_list names = {0};
    struct series *series = NULL;
    double *x = array_new(2 * block->lines, sizeof *x, error), *y = x ? x + block->lines : NULL;
    size_t used = 0;

    if (x && !list_names(&names, block, 1, error))
        series = array_new(names.count + 1, sizeof *series, error);
    if (series) {
        const struct figure figure = {.title = field_of(block, 0, 1),
                                      .reading = field_of(block, 0, 2),
                                      .x = {field_of(block, 0, 3), has_option(block, "log-x"), 1},
                                      .y = {field_of(block, 0, 4), has_option(block, "log-y"), 1},
                                      .series = series,
                                      .series_count = names.count};

        for (size_t n = 0; n < names.count; n++) {
            series[n] = (struct series){names.name[n], mark, 0, x + used, y + used, NULL};
            for (size_t i = 1; i < block->lines; i++)
                if (names.position[i] == n) {
                    x[used] = value_of(block, i, 2);
                    y[used++] = value_of(block, i, 3);
                    series[n].count++;
                }
        }
        page_figure(page, &figure);
    }
    free_names(&names);
    free(series);
    free(x);
    return series ? HINGE_OK : failure(error);
}

/* Draws the block and empties it. */
static enum hinge_status draw(struct page *page, struct block *block, struct hinge_error *error)
{
    const char *column[MOST_COLUMNS];
    size_t columns = 0;
    enum hinge_status status = HINGE_OK;

    switch (block->kind) {
    case HEADING:
        page_heading(page, field_of(block, 0, 1));
        break;
    case TEXT:
        page_paragraph(page, "%s", field_of(block, 0, 1));
        break;
    case FACTS:
        page_facts(page);
        for (size_t i = 1; i < block->lines; i++)
            page_fact(page, field_of(block, i, 1), "%s", field_of(block, i, 2));
        page_facts_end(page);
        break;
    case TABLE:
        while (columns < MOST_COLUMNS && (column[columns] = field_of(block, 0, columns + 2)))
            columns++;
        page_table(page, field_of(block, 0, 1), 0, column, columns);
        for (size_t i = 1; i < block->lines; i++) {
            page_row(page);
            for (size_t k = 1; k <= columns; k++) {
                const char *cell = field_of(block, i, k);

                if (cell && (strchr("+-><.", *cell) || (*cell >= '0' && *cell <= '9')))
                    page_number_text(page, cell);
                else
                    page_cell(page, cell ? cell : "");
            }
        }
        page_table_end(page, 0);
        break;
    case GRID:
        status = draw_grid(page, block, error);
        break;
    case BARS:
        status = draw_bars(page, block, error);
        break;
    case FIGURE:
        status = draw_figure(page, block, error);
        break;
    default:
        break;
    }
    block->kind = NO_BLOCK;
    block->used = block->fields = block->lines = 0;
    return status;
}

/* ---- Reading --------------------------------------------------------------- */

/* Appends the fields of the line from the cursor to end. Refuses a line with fewer than `fields`
 * fields or too many, and one where the last `values` of the `fields` are no values. */
static enum hinge_status append_line(struct block *block, const struct source *source,
                                     const char *end, size_t fields, size_t values,
                                     struct hinge_error *error)
{
    const char *p = source->cursor;
    const size_t length = (size_t)(end - p), line = block->lines;
    unsigned char is_bound;
    double value;
    size_t count = 1;

    for (const char *q = p; q < end; q++)
        count += *q == '\t';
    if (ARRAY_RESERVE(&block->text, &block->capacity, block->used + length + 1, error) ||
        ARRAY_RESERVE(&block->field, &block->field_capacity, block->fields + count, error) ||
        ARRAY_RESERVE(&block->line, &block->line_capacity, block->lines + 1, error))
        return failure(error);
    block->line[block->lines++] = block->fields;
    block->field[block->fields++] = block->used;
    for (; p < end; p++, block->used++) {
        block->text[block->used] = (char)(*p == '\t' ? '\0' : *p);
        if (*p == '\t')
            block->field[block->fields++] = block->used + 1;
    }
    block->text[block->used++] = '\0';
    if (!field_of(block, line, fields))
        return source_fail(source, source->cursor, error,
                           "'%s' needs %zu fields with tabs between them", field_of(block, line, 0),
                           fields);
    if (field_of(block, line, MOST_COLUMNS + 2))
        return source_fail(source, source->cursor, error, "more than %d columns", MOST_COLUMNS);
    for (size_t k = fields - values + 1; k <= fields; k++)
        if (!read_value(field_of(block, line, k), &value, &is_bound))
            return source_fail(source, source->cursor, error,
                               "'%.40s' is no number, '-' or '>NUMBER'", field_of(block, line, k));
    return HINGE_OK;
}

enum hinge_status drawing_write(const char *path, FILE *stream, struct hinge_error *error)
{
    static const char first[] = "hinge-page 1\t";
    struct block block = {.kind = NO_BLOCK};
    enum hinge_status status = HINGE_OK;
    struct source source;
    struct page page;
    const char *end;
    int found;

    if (source_open(&source, path, error))
        return failure(error);
    while (!status && (found = source_line(&source, &end, error)) > 0) {
        const char *p = source.cursor, *word_end;
        const struct kind *kind = &kinds[block.kind];

        if (end > p && end[-1] == '\r')
            end--;
        if (!(word_end = memchr(p, '\t', (size_t)(end - p))))
            word_end = end;
        if (source.line == 1) {
            if (strncmp(p, first, strlen(first)) != 0)
                break;
            source.cursor += strlen(first);
            status = append_line(&block, &source, end, 0, 0, error);
            if (!status)
                page_begin(&page, stream, block.text);
            block.used = block.fields = block.lines = 0;
        } else if (kind->item && is_word(p, word_end, kind->item)) {
            status = append_line(&block, &source, end, kind->item_fields, kind->values, error);
        } else if (!(status = draw(&page, &block, error))) {
            for (kind = kinds; kind->word && !is_word(p, word_end, kind->word);)
                kind++;
            block.kind = (int)(kind - kinds);
            if (kind->word)
                status = append_line(&block, &source, end, kind->fields, 0, error);
            else
                status = source_fail(&source, p, error,
                                     "'%.*s' begins no block, and no item of the current block",
                                     word_end - p < 40 ? (int)(word_end - p) : 40, p);
        }
        if (!status)
            status = source_skip_line(&source, error);
    }
    if (!status && found < 0)
        status = failure(error);
    else if (!status && source.line == 1)
        status =
            source_fail(&source, source.cursor, error,
                        "the description of a page begins with 'hinge-page 1', a tab and a title");
    else if (!status && !(status = draw(&page, &block, error)))
        page_end(&page);
    free(block.text);
    free(block.field);
    free(block.line);
    source_close(&source);
    return status;
}
