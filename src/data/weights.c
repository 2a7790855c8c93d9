/* weights.c - a file of one number a line -> weights of the rows. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/reader.h"

static enum hinge_status read_weights(struct hinge_reader *reader, size_t rows, double *weight,
                                      struct hinge_error *error)
{
    const struct source *source = &reader->source;
    size_t count = 0;
    double number;
    int found;

    while ((found = reader_next_number(reader, "weight", &number, error)) > 0) {
        if (!(number >= 0))
            return source_fail(source, source->cursor, error, "the weight is negative");
        if (count == rows)
            return source_fail(source, source->cursor, error, "more weights than the %lu rows",
                               (unsigned long)rows);
        weight[count++] = number;
    }
    if (found < 0)
        return failure(error);
    return count == rows ? HINGE_OK
                         : source_fail(source, source->cursor, error, "%lu weights for %lu rows",
                                       (unsigned long)count, (unsigned long)rows);
}

double *hinge_weights_read(const char *path, size_t rows, struct hinge_error *error)
{
    const struct hinge_format format = {0, 0};
    struct hinge_reader *reader = hinge_reader_open(path, &format, error);
    double *weight = reader ? array_new(rows, sizeof *weight, error) : NULL;

    if (weight && read_weights(reader, rows, weight, error)) {
        free(weight);
        weight = NULL;
    }
    hinge_reader_close(reader);
    return weight;
}
