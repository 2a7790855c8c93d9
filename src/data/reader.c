/* reader.c - line := [label] [qid:N] {index:value} [# comment], or [word] [# comment]
 *
 * Blanks may stand between a colon and its value, as printf("%d:%4.2f") writes them.
 *
 * The loop of plain.h reads plain features. It leaves everything else (the end of the line, the end
 * of the buffer, a fault) to the functions here, which may be slow. They find out what is wrong by
 * reading the token again.
 */
#include "data/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/guess.h"
#include "data/number.h"
#include "data/plain.h"
#include "data/token.h"

/* ---- Saying what is wrong ---------------------------------------------- */

/* Ends the messages about label:weight, and about cost:weight after the label. */
#define WEIGHTS_APART "train -W reads the weights of rows from a file of their own, one a line"

/* Returns the value of the feature whose index ends at the colon. */
static const char *value_after(const char *colon)
{
    do
        colon++;
    while (is_blank(*colon));
    return colon;
}

/* Returns the end of the feature at p: a token, or two with blanks after the colon. */
static COLD const char *feature_end(const char *p)
{
    const char *end = token_end(p);

    return end > p && end[-1] == ':' ? token_end(value_after(end - 1)) : end;
}

/* Fails with the reason why there is no feature at the cursor. */
static COLD enum hinge_status fail_feature(struct hinge_reader *reader, struct hinge_error *error)
{
    struct source *source = &reader->source;
    const char *p = source->cursor, *end = token_end(p), *q = p, *value, *value_end;
    uint64_t index = 0;

    if (token_check(source, end, error))
        return failure(error);
    if (strncmp(p, "cost:", 5) == 0)
        return source_fail(source, p, error, "'%.*s' is no index:value pair; " WEIGHTS_APART,
                           token_shown(p, end), p);
    for (; is_digit(*q); q++)
        if (index <= LARGEST_INDEX)
            index = index * 10 + (uint64_t)(*q - '0');
    if (q == p)
        return source_fail(source, p, error, "'%.*s' is no index:value pair", token_shown(p, end),
                           p);
    if (q == end)
        return source_fail(source, q, error, "no ':' after feature index %.*s", token_shown(p, q),
                           p);
    if (*q != ':')
        return source_fail(source, q, error, "feature index '%.*s' is not a whole number",
                           token_shown(p, end), p);
    if (index > LARGEST_INDEX)
        return source_fail(source, p, error, "feature index %.*s is beyond %d", token_shown(p, q),
                           p, LARGEST_INDEX);
    if (index == 0 && !reader->format.zero_based)
        return source_fail(source, p, error,
                           "feature index 0; indices start at 1 (--zero-based reads files whose "
                           "indices start at 0)");
    value = value_after(q);
    value_end = token_end(value);
    if (q + 1 == end && (memchr(value, ':', (size_t)(value_end - value)) ||
                         (value == value_end && (*value != '\0' || value == source->end))))
        return source_fail(source, end, error, "no value after '%.*s'", token_shown(p, end), p);
    source->cursor = value;
    if (token_check(source, value_end, error))
        return failure(error);
    return token_fail_number(source, "value", value, value_end, error);
}

/* ---- Reading ----------------------------------------------------------- */

struct feature {
    uint64_t index; /* index as written in the file */
    struct decimal value;
};

/* Reads the feature at p. Returns its end, NULL if it is faulty. */
static const char *parse_feature(const char *p, struct feature *feature)
{
    struct decimal *value = &feature->value;
    const char *q = p;
    uint64_t index = 0;
    int signs = 1;

    for (; is_digit(*q); q++)
        index = index * 10 + (uint64_t)(*q - '0');
    if (UNLIKELY(q - p > 10)) /* digits before the last 10 must be zeros */
        for (const char *zero = p; q - zero > 10; zero++)
            if (*zero != '0')
                return NULL;
    if (UNLIKELY(*q != ':' || q == p))
        return NULL;
    feature->index = index;
    do {
        p = decimal_parse(++q, value, &signs);
        if (LIKELY(p))
            return p;
    } while (is_blank(*q));
    value->places = LONG;
    p = number_parse(q, &value->value);
    return p == q || !ends_token(*p) || !isfinite(value->value) ? NULL : p;
}

/* Reads features up to the end of the line. */
static enum hinge_status append_features(struct hinge_reader *reader, struct hinge_error *error)
{
    struct source *source = &reader->source;
    struct block *block = &reader->block;
    const unsigned first = reader->format.zero_based ? 0 : 1;
    struct feature feature = {0, {0, 0, 0}};
    int64_t last = (int64_t)first - 1;

    for (;;) {
        const char *p = plain_append(block, source->cursor, first, &last), *end;
        uint32_t index;

        while (is_blank(*p))
            p++;
        source->cursor = p;
        if (*p == '\n') {
            source_next_line(source, p);
            return HINGE_OK;
        }
        if (!is_digit(*p)) {
            enum token token = token_in_line(source, error);

            if (token != TOKEN_TEXT)
                return token == TOKEN_ERROR ? failure(error) : HINGE_OK;
            p = source->cursor;
        }
        end = parse_feature(p, &feature);
        if (!end || *end == '\0') {
            int more = token_complete(source, feature_end(p), error);

            if (more < 0)
                return failure(error);
            if (more)
                continue;
            if (end && end != source->end)
                return source_fail(source, end, error, "NUL byte");
        }
        if (!end || feature.index < first || feature.index > LARGEST_INDEX)
            return fail_feature(reader, error);
        if ((int64_t)feature.index <= last)
            return (int64_t)feature.index == last
                       ? source_fail(source, p, error, "feature index %u is repeated",
                                     (unsigned)last)
                       : source_fail(source, p, error,
                                     "feature index %u after %u; indices must ascend",
                                     (unsigned)feature.index, (unsigned)last);
        last = (int64_t)feature.index;
        index = (uint32_t)(feature.index - first);
        while (UNLIKELY(block->x.nonzeros == block->capacity) ||
               UNLIKELY(!block_store_as(block, block->x.value_kind, &feature.value)) ||
               UNLIKELY(!block_store_index_as(block, block->x.index_kind, index)))
            if (block_prepare(block, index, &feature.value, error))
                return failure(error);
        block->x.nonzeros++;
        source->cursor = end;
    }
}

/* Reads a label of few digits that features or the end of the line follow. Returns 0 if there is
 * something else. */
static int read_short_label(struct source *source, double *label)
{
    const char *p = source->cursor, *q;
    const int negative = *p == '-';
    struct decimal decimal = {0, 0, 0};

    q = p + (negative || *p == '+');
    if (LIKELY(is_digit(*q))) { /* one digit or two, a blank and a feature, as in nearly all rows */
        int whole = *q++ - '0';

        if (is_digit(*q))
            whole = 10 * whole + (*q++ - '0');
        if (LIKELY(*q == ' ' && is_digit(q[1]) && !(negative && whole == 0))) {
            *label = negative ? -whole : whole;
            source->cursor = q;
            return 1;
        }
    }
    p = decimal_by_digits(p + (*p == '+' && p[1] != '-'), &decimal);
    if (!p)
        return 0;
    while (is_blank(*p))
        p++;
    if (!is_digit(*p) && *p != '\n')
        return 0;
    *label = decimal_value(&decimal);
    source->cursor = p;
    return 1;
}

/* Reads the label that the row begins with, and skips "qid:N", the query of ranking data. Without a
 * label, the first word may be a feature, or label:weight. */
static enum hinge_status read_head(struct hinge_reader *reader, double *label, int *labelled,
                                   struct hinge_error *error)
{
    struct source *source = &reader->source;
    const int is_optional = reader->format.optional_labels;
    const char *p, *end, *digit;
    double number;

    if (token_gather(source, error))
        return failure(error);
    p = digit = source->cursor;
    end = token_end(p);
    if (token_check(source, end, error))
        return failure(error);
    *label = 0;
    *labelled = memchr(p, ':', (size_t)(end - p)) == NULL;
    if (!*labelled && !is_optional) {
        while (is_digit(*digit))
            digit++;
        return source_fail(source, p, error, "the row has no label, it starts with '%.*s'%s%s",
                           token_shown(p, end), p,
                           digit > p && *digit == ':' ? "; predict --no-labels reads such rows"
                                                      : "",
                           *p != ':' && *number_parse(p, &number) == ':' ? "; " WEIGHTS_APART : "");
    }
    if (*labelled && is_optional && number_parse(p, label) != end)
        return source_fail(source, p, error, "'%.*s' is neither a label nor an index:value pair",
                           token_shown(p, end), p);
    if ((*labelled && token_number(source, "label", p, end, label, error)) ||
        token_gather(source, error))
        return failure(error);
    p = source->cursor;
    end = token_end(p);
    if (end - p < 4 || strncmp(p, "qid:", 4) != 0)
        return HINGE_OK;
    if (token_check(source, end, error))
        return failure(error);
    if (end == p + 4)
        return source_fail(source, end, error, "no value after 'qid:'");
    return token_number(source, "qid", p + 4, end, &number, error);
}

/* Appends the entries of the next row to the block. Returns 1 and sets *label and *labelled, 0 at
 * the end of the data, -1 on failure. The message about a faulty first row says what the file may
 * be. */
static int append_row(struct hinge_reader *reader, double *label, int *labelled,
                      struct hinge_error *error)
{
    struct source *source = &reader->source;
    const int is_short = read_short_label(source, label);

    *labelled = is_short;
    if (!is_short) {
        const enum token token = token_seek_line(source, error);

        if (token == TOKEN_END && (reader->rows > 0 || reader->is_part))
            return 0;
        if (token == TOKEN_END)
            source_error_fill(source, source->cursor, error, "no rows");
        if (token != TOKEN_TEXT)
            return -1;
    }
    reader->line = source->line;
    if ((!is_short && read_head(reader, label, labelled, error)) ||
        append_features(reader, error)) {
        if (error->status == HINGE_BAD_INPUT && reader->rows == 0)
            guess_explain(source, GUESS_TABLE | GUESS_OTHER, error);
        return -1;
    }
    reader->rows++;
    return 1;
}

/* ---- All rows ------------------------------------------------------------ */

enum hinge_status reader_begin(struct hinge_reader *reader, const struct hinge_format *format,
                               struct hinge_error *error)
{
    memset(reader, 0, sizeof *reader);
    reader->format = *format;
    return block_new(&reader->block, HINGE_INDEX_NONE, HINGE_VALUE_ONE, error);
}

void reader_end(struct hinge_reader *reader)
{
    source_close(&reader->source);
    block_free(&reader->block);
}

enum hinge_status reader_clear(struct hinge_reader *reader, const struct hinge_reader *like,
                               struct hinge_error *error)
{
    reader->rows = like->rows;
    return block_clear(&reader->block, &like->block, error);
}

int reader_next(struct hinge_reader *reader, struct hinge_error *error)
{
    struct block *block = &reader->block;
    struct hinge_matrix *x = &block->x;
    uint32_t features;
    int labelled, found;
    double label;
    size_t count;

    if (x->rows == block->row_capacity && block_reserve_rows(block, x->rows + 1, error))
        return -1;
    x->start[x->rows] = x->nonzeros;
    found = append_row(reader, &label, &labelled, error);
    if (found <= 0)
        return found;
    if (x->rows == UINT32_MAX) {
        source_error_fill(&reader->source, reader->source.cursor, error, "more than %lu rows",
                          (unsigned long)UINT32_MAX);
        return -1;
    }
    block->label[x->rows] = label;
    if (block_end_row(block, error))
        return -1;
    count = x->nonzeros - x->start[x->rows];
    features = x->index_kind == HINGE_INDEX_NONE || count == 0
                   ? (uint32_t)count
                   : hinge_index(x, x->nonzeros - 1) + 1;
    if (features > block->features)
        block->features = features;
    x->rows++;
    return 1;
}

enum hinge_status reader_rest(struct hinge_reader *reader, struct hinge_error *error)
{
    int found;

    do
        found = reader_next(reader, error);
    while (found > 0);
    return found < 0 ? failure(error) : HINGE_OK;
}

/* ---- Rows one by one --------------------------------------------------- */

struct hinge_reader *hinge_reader_open(const char *path, const struct hinge_format *format,
                                       struct hinge_error *error)
{
    struct hinge_reader *reader = array_new(1, sizeof *reader, error);

    if (!reader)
        return NULL;
    reader->format = *format;
    if (block_new(&reader->block, HINGE_INDEX_32, HINGE_VALUE_DOUBLE, error) ||
        source_open(&reader->source, path, error)) {
        hinge_reader_close(reader);
        return NULL;
    }
    return reader;
}

int hinge_reader_next(struct hinge_reader *reader, struct hinge_row *row, struct hinge_error *error)
{
    struct hinge_matrix *x = &reader->block.x;
    int found;

    x->nonzeros = 0;
    found = append_row(reader, &row->label, &row->labelled, error);
    row->count = x->nonzeros;
    row->index = x->index;
    row->value = x->value;
    return found;
}

void hinge_reader_close(struct hinge_reader *reader)
{
    if (reader)
        reader_end(reader);
    free(reader);
}
