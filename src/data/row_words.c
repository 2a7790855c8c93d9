/* row_words.c - a file of words, one a line -> the weight or the group of each row. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/reader.h"
#include "data/token.h"

/* Reads a word for each row: weight[rows] or, if weight is NULL, the names of groups. `what` names
 * a word in messages. HINGE_BAD_INPUT unless there are as many words as rows. */
static enum hinge_status read_words(const char *path, size_t rows, const char *what, double *weight,
                                    struct groups *groups, struct hinge_error *error)
{
    struct source source = {0};
    enum hinge_status status = source_open(&source, path, error);
    enum token token = TOKEN_END;
    size_t count = 0;

    while (!status && (token = token_seek_line(&source, error)) == TOKEN_TEXT) {
        const char *p, *end;

        if ((status = token_gather(&source, error)))
            break;
        p = source.cursor;
        end = token_end(p);
        status = token_check(&source, end, error);
        if (!status && count == rows)
            status = source_fail(&source, end, error, "more %ss than the %lu rows", what,
                                 (unsigned long)rows);
        if (!status && weight) {
            status = token_number(&source, what, p, end, &weight[count], error);
            if (!status && !(weight[count] >= 0))
                status = source_fail(&source, end, error, "the weight is negative");
        } else if (!status) {
            status = dictionary_add(&groups->names, p, (size_t)(end - p), "", 0,
                                    &groups->of_row[count], error);
        }
        if (status)
            break;
        count++;
        source.cursor = end;
        token = token_in_line(&source, error);
        if (token == TOKEN_TEXT)
            status = source_fail(&source, source.cursor, error, "more than a %s on the line", what);
        if (token == TOKEN_ERROR)
            break;
    }
    if (!status && token == TOKEN_ERROR)
        status = failure(error);
    if (!status && count < rows)
        status = source_fail(&source, source.cursor, error, "%lu %ss for %lu rows",
                             (unsigned long)count, what, (unsigned long)rows);
    source_close(&source);
    return status;
}

double *hinge_weights_read(const char *path, size_t rows, struct hinge_error *error)
{
    double *weight = array_new(rows, sizeof *weight, error);
    size_t zeros = 0;

    if (!weight)
        return NULL;
    if (read_words(path, rows, "weight", weight, NULL, error)) {
        free(weight);
        return NULL;
    }
    while (zeros < rows && weight[zeros] == 0)
        zeros++;
    if (zeros == 0 || zeros < rows)
        return weight;
    error_fill(error, HINGE_BAD_INPUT, "%s:1:1: all weights are 0", source_name(path));
    free(weight);
    return NULL;
}

enum hinge_status groups_read(struct groups *groups, const char *path, size_t rows,
                              struct hinge_error *error)
{
    *groups = (struct groups){0};
    if (!(groups->of_row = array_new(rows, sizeof *groups->of_row, error)))
        return failure(error);
    return read_words(path, rows, "fold name", NULL, groups, error);
}

void groups_free(struct groups *groups)
{
    free(groups->of_row);
    dictionary_free(&groups->names);
}
