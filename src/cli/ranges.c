/* ranges.c - value -> lower + (upper - lower)(value - least)/(largest - least) */
#include "cli/ranges.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/status.h"
#include "base/sum.h"
#include "data/guess.h"
#include "data/number.h"
#include "data/reader.h"
#include "data/token.h"

/* ---- Measuring --------------------------------------------------------- */

static void widen(struct range *range, double value)
{
    if (value < range->least)
        range->least = value;
    if (value > range->largest)
        range->largest = value;
}

/* Fails if there is no memory for the ranges of the features and `more` numbers for each feature.
 */
static enum hinge_status ask(size_t features, size_t more, struct hinge_error *error)
{
    return memory_ask("ranges", features, sizeof(struct range) / sizeof(double) + more, error);
}

/* Replaces the ranges of values by RANGE_DEVIATION or RANGE_CENTRED. Values are divided by their
 * largest magnitude, so that no square overflows. count[j] is the number of stored values of
 * feature j. */
static enum hinge_status measure_deviations(struct ranges *ranges, const struct hinge_dataset *data,
                                            int is_centred, const size_t *count,
                                            struct hinge_error *error)
{
    const struct hinge_matrix *x = &data->x;
    const double rows = (double)x->rows;
    struct sum *mean, *square;

    if (!(mean = array_new(2 * (size_t)data->features, sizeof *mean, error)))
        return failure(error);
    square = mean + data->features;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = x->start[0]; k < x->start[x->rows]; k++) {
            const uint32_t j = hinge_index(x, k);
            const struct range *range = &ranges->of[j];
            const double size = fmax(fabs(range->least), fabs(range->largest));
            const double value = size > 0 ? hinge_value(x, k) / size : 0;
            const double distance = value - sum_value(&mean[j]) / rows;

            sum_add(pass ? &square[j] : &mean[j], pass ? distance * distance : value);
        }
    for (uint32_t j = 0; j < data->features; j++) {
        struct range *range = &ranges->of[j];
        const double size = fmax(fabs(range->least), fabs(range->largest));
        const double m = sum_value(&mean[j]) / rows, zeros = rows - (double)count[j];
        const double s = sqrt((sum_value(&square[j]) + zeros * m * m) / rows) * size;
        const double centre = is_centred ? m * size : 0;

        /* if the sums overflow, or rounding of m hides s, the range of the values remains */
        if (range->least < range->largest && fabs(centre) + s <= DBL_MAX && centre - s < centre + s)
            *range = (struct range){centre - s, centre + s};
    }
    free(mean);
    return HINGE_OK;
}

enum hinge_status ranges_measure(struct ranges *ranges, const struct hinge_dataset *data,
                                 enum range_kind kind, struct hinge_error *error)
{
    size_t *count = NULL, listed = 0;
    enum hinge_status status = HINGE_OK;

    if (ask(data->features, 1, error) || !(count = array_new(data->features, sizeof *count, error)))
        return failure(error);
    if (!(ranges->of = array_new(data->features, sizeof *ranges->of, error))) {
        free(count);
        return failure(error);
    }
    ranges->features = data->features;
    ranges->target.least = ranges->target.largest = data->label[0]; /* data have a row */
    for (size_t i = 0; i < data->x.rows; i++) {
        ranges->target.least = fmin(ranges->target.least, data->label[i]);
        ranges->target.largest = fmax(ranges->target.largest, data->label[i]);
        for (size_t k = data->x.start[i]; k < data->x.start[i + 1]; k++) {
            const uint32_t j = hinge_index(&data->x, k);
            struct range *range = &ranges->of[j];
            const double value = hinge_value(&data->x, k);

            if (count[j]++ == 0)
                range->least = range->largest = value;
            widen(range, value);
            if (kind == RANGE_MAGNITUDE)
                widen(range, -value);
        }
    }
    for (uint32_t j = 0; j < data->features; j++)
        if (count[j] < data->x.rows)
            widen(&ranges->of[j], 0);
    if (kind == RANGE_DEVIATION || kind == RANGE_CENTRED)
        status = measure_deviations(ranges, data, kind == RANGE_CENTRED, count, error);
    free(count);
    for (uint32_t j = 0; j < data->features; j++)
        ranges->mapped_count += (size_t)ranges_have(ranges, j);
    if (status || !(ranges->mapped = array_new(ranges->mapped_count, sizeof(uint32_t), error)))
        return failure(error);
    for (uint32_t j = 0; j < data->features; j++)
        if (ranges_have(ranges, j))
            ranges->mapped[listed++] = j;
    return HINGE_OK;
}

void ranges_free(struct ranges *ranges)
{
    free(ranges->of);
    free(ranges->mapped);
    ranges->of = NULL;
    ranges->mapped = NULL;
}

/* ---- Mapping ----------------------------------------------------------- */

/* Maps least .. largest to lower .. upper, by the operations of svm-scale unless they overflow. */
static double map(double value, double least, double largest, double lower, double upper)
{
    const double span = upper - lower, width = largest - least;
    const double times = width > 1 ? 0.5 : 1; /* for differences that do not overflow */
    double mapped, part;

    if (value == least)
        return lower;
    if (value == largest)
        return upper;
    mapped = lower + span * (value - least) / width;
    if (width <= DBL_MAX && fabs(mapped) <= DBL_MAX)
        return mapped;
    part = (value * times - least * times) / (largest * times - least * times);
    return span <= DBL_MAX ? lower + span * part : lower * (1 - part) + upper * part;
}

double ranges_map_target(const struct target_range *target, double value)
{
    return value == target->least || target->least < target->largest
               ? map(value, target->least, target->largest, target->lower, target->upper)
               : HUGE_VAL;
}

double ranges_restore_target(const struct target_range *target, double mapped)
{
    return map(mapped, target->lower, target->upper, target->least, target->largest);
}

int ranges_have(const struct ranges *ranges, uint32_t feature)
{
    return feature < ranges->features && ranges->of[feature].least < ranges->of[feature].largest;
}

uint32_t ranges_position(const struct ranges *ranges, uint32_t feature)
{
    size_t first = 0, end = ranges->mapped_count;

    while (end - first > 1) {
        const size_t middle = first + (end - first) / 2;

        if (ranges->mapped[middle] <= feature)
            first = middle;
        else
            end = middle;
    }
    return (uint32_t)first;
}

double ranges_map(const struct ranges *ranges, uint32_t feature, double value)
{
    const struct range *range = &ranges->of[feature];

    if (range->least == -range->largest && ranges->lower == -ranges->upper &&
        value != range->least && value != range->largest) {
        /* exact for 0; small values have the relative error of large ones */
        const double mapped = value / range->largest;

        return mapped * ranges->upper;
    }
    return map(value, range->least, range->largest, ranges->lower, ranges->upper);
}

int ranges_find_scale(const struct ranges *ranges, uint32_t feature, double *offset, double *factor)
{
    const struct range *range = &ranges->of[feature];
    const double span = ranges->upper / 2 - ranges->lower / 2;
    const double width = range->largest / 2 - range->least / 2;

    *offset = 0;
    *factor = range->least == 0 && range->largest == 0;
    if (!ranges_have(ranges, feature))
        return 1;
    *factor = width > 0 ? fmin(span / width, DBL_MAX) : 0;
    if (*factor > 0)
        *offset = ranges->lower == -ranges->upper ? range->least / 2 + range->largest / 2
                                                  : range->least - ranges->lower / *factor;
    return *factor > 0 && fabs(*offset) <= DBL_MAX;
}

/* ---- Files ------------------------------------------------------------- */

static enum hinge_status read_ends(struct source *source, double *lower, double *upper,
                                   struct hinge_error *error)
{
    if (token_read_number(source, "lower", lower, error) ||
        token_read_number(source, "upper", upper, error))
        return failure(error);
    return *lower < *upper
               ? HINGE_OK
               : source_fail(source, source->cursor, error, "the upper end is not above the lower");
}

/* Reads "y" and the numbers of the targets, if the file begins with them. */
static enum hinge_status read_target(struct target_range *target, struct source *source,
                                     struct hinge_error *error)
{
    const char *end = token_next(source, "x", error);

    target->is_there = 0;
    if (!end)
        return failure(error);
    if (end - source->cursor != 1 || *source->cursor != 'y')
        return HINGE_OK;
    source->cursor = end;
    if (read_ends(source, &target->lower, &target->upper, error) ||
        token_read_number(source, "smallest target", &target->least, error) ||
        token_read_number(source, "largest target", &target->largest, error))
        return failure(error);
    target->is_there = 1;
    return target->least <= target->largest
               ? HINGE_OK
               : source_fail(source, source->cursor, error, "the range ends below its beginning");
}

enum hinge_status ranges_read_target(struct target_range *target, const char *path,
                                     struct hinge_error *error)
{
    struct source source;
    enum hinge_status status;

    if (source_open(&source, path, error))
        return failure(error);
    status = read_target(target, &source, error);
    if (!status && !target->is_there)
        status = source_fail(&source, source.cursor, error,
                             "there is no range of targets: scale -y with -s writes it");
    source_close(&source);
    return status;
}

/* Reads "index least largest". Features that are not mapped have the range zero, from calloc, which
 * touches no memory that stays zero. When the room grows, only the mapped ranges are copied, so
 * gaps stay untouched. */
static enum hinge_status read_range(struct ranges *ranges, struct source *source, unsigned first,
                                    struct hinge_error *error)
{
    double index;
    struct range range, *grown;
    size_t j;

    if (token_read_number(source, "index", &index, error))
        return failure(error);
    if (!(index >= first && index <= LARGEST_INDEX) || index != floor(index) ||
        index - first < ranges->features)
        return source_fail(source, source->cursor, error,
                           "'%.17g' is not a feature index above the previous one", index);
    j = (size_t)index - first;
    if (token_read_number(source, "smallest value", &range.least, error) ||
        token_read_number(source, "largest value", &range.largest, error))
        return failure(error);
    if (j >= ranges->capacity) {
        size_t larger = array_grown(ranges->capacity, j + 1);

        if (larger > LARGEST_INDEX + 1u)
            larger = LARGEST_INDEX + 1u;
        if (ask(j + 1, 0, error) || !(grown = array_new(larger, sizeof *grown, error)))
            return failure(error);
        for (size_t k = 0; k < ranges->mapped_count; k++)
            grown[ranges->mapped[k]] = ranges->of[ranges->mapped[k]];
        free(ranges->of);
        ranges->of = grown;
        ranges->capacity = larger;
    }
    ranges->features = (uint32_t)j + 1;
    if (!(range.least <= range.largest))
        return source_fail(source, source->cursor, error, "the range ends below its beginning");
    if (range.least == range.largest)
        return HINGE_OK;
    if (ARRAY_RESERVE(&ranges->mapped, &ranges->mapped_capacity, ranges->mapped_count + 1, error))
        return failure(error);
    ranges->mapped[ranges->mapped_count++] = (uint32_t)j;
    ranges->of[j] = range;
    return HINGE_OK;
}

enum hinge_status ranges_read(struct ranges *ranges, const char *path, unsigned first,
                              struct hinge_error *error)
{
    struct source source;
    const char *end = NULL, *p;
    enum hinge_status status;

    if (source_open(&source, path, error))
        return failure(error);
    status = read_target(&ranges->target, &source, error);
    if (!status && !(end = token_next(&source, "x", error)))
        status = failure(error);
    p = source.cursor;
    if (!status && (end - p != 1 || *p != 'x')) {
        source_error_fill(&source, p, error, "'%.*s' where a file of ranges has x",
                          token_shown(p, end), p);
        guess_explain(&source, GUESS_OTHER, error);
        status = failure(error);
    }
    if (!status) {
        source.cursor = end;
        status = read_ends(&source, &ranges->lower, &ranges->upper, error);
    }
    while (!status && !(status = token_seek(&source, error)) && source.cursor < source.end)
        status = read_range(ranges, &source, first, error);
    source_close(&source);
    return status;
}

static void write_numbers(FILE *stream, double one, double other)
{
    number_write(stream, one);
    putc(' ', stream);
    number_write(stream, other);
    putc('\n', stream);
}

enum hinge_status ranges_write(const struct ranges *ranges, const char *path, unsigned first,
                               struct hinge_error *error)
{
    struct output output;

    if (output_open(&output, path, error))
        return failure(error);
    if (ranges->target.is_there) {
        fputs("y\n", output.stream);
        write_numbers(output.stream, ranges->target.lower, ranges->target.upper);
        write_numbers(output.stream, ranges->target.least, ranges->target.largest);
    }
    fputs("x\n", output.stream);
    write_numbers(output.stream, ranges->lower, ranges->upper);
    for (size_t k = 0; k < ranges->mapped_count; k++) {
        const uint32_t j = ranges->mapped[k];

        fprintf(output.stream, "%lu ", (unsigned long)j + first);
        write_numbers(output.stream, ranges->of[j].least, ranges->of[j].largest);
    }
    return output_commit(&output, error);
}
