/* fuzz_scale.c - a command line of scale, a word a line; after a line "--" a file of ranges,
 * after another one data. The command line is refused in one line or makes sense. Accepted ranges
 * have the same bytes when they are written twice. Each value written is as the definition says. */
#include "fuzz.h"

/* The parser and the work are private to the program. */
#define scaling_run included_scaling_run
#include "../../src/cli/scale_run.c"
#undef scaling_run

#include "command_line.h"
#include "slow_reader.h"

/* Limits the input, because an index of nine digits would take gigabytes. */
enum { MOST_BYTES = 140000, MOST_DATA = 1024 };

void *__real_array_new(size_t count, size_t size, struct hinge_error *error);
void *__real_array_resize(void *array, size_t count, size_t size, struct hinge_error *error);
void *__wrap_array_new(size_t count, size_t size, struct hinge_error *error);
void *__wrap_array_resize(void *array, size_t count, size_t size, struct hinge_error *error);

enum hinge_status __wrap_memory_ask(const char *what, size_t features, size_t doubles,
                                    struct hinge_error *error);

static int too_much;

static int is_too_much(size_t count, size_t size, struct hinge_error *error)
{
    if (count <= MOST_BYTES / size)
        return 0;
    too_much = 1;
    error_fill(error, HINGE_NO_MEMORY, "out of memory");
    return 1;
}

void *__wrap_array_new(size_t count, size_t size, struct hinge_error *error)
{
    return is_too_much(count, size, error) ? NULL : __real_array_new(count, size, error);
}

void *__wrap_array_resize(void *array, size_t count, size_t size, struct hinge_error *error)
{
    return is_too_much(count, size, error) ? NULL : __real_array_resize(array, count, size, error);
}

enum hinge_status __wrap_memory_ask(const char *what, size_t features, size_t doubles,
                                    struct hinge_error *error)
{
    (void)what;
    return is_too_much(features, doubles * sizeof(double), error) ? HINGE_NO_MEMORY : HINGE_OK;
}

static struct scratch given, saved, output;

/* ---- Ranges ------------------------------------------------------------ */

static void check_refusal(const struct hinge_error *error, const char *name)
{
    DEMAND(error->status == (too_much ? HINGE_NO_MEMORY : HINGE_BAD_INPUT));
    DEMAND(*error->message && !strchr(error->message, '\n'));
    DEMAND(too_much || strncmp(error->message, name, strlen(name)) == 0);
}

static void check_ranges(const struct ranges *ranges)
{
    DEMAND(fabs(ranges->lower) <= DBL_MAX && fabs(ranges->upper) <= DBL_MAX);
    DEMAND(ranges->lower < ranges->upper);
    for (uint32_t j = 0; j < ranges->features; j++) {
        DEMAND(fabs(ranges->of[j].least) <= DBL_MAX && fabs(ranges->of[j].largest) <= DBL_MAX);
        DEMAND(ranges->of[j].least <= ranges->of[j].largest);
    }
}

/* Writes the ranges and reads them back. Writing them again gives the same bytes. */
static void write_and_read(const struct ranges *ranges, unsigned first)
{
    struct ranges again = {0};
    struct hinge_error error = {HINGE_OK, ""};
    size_t size, other;
    char *once, *twice;

    DEMAND(ranges_write(ranges, saved.path, first, &error) == HINGE_OK);
    once = scratch_text(&saved, &size);
    DEMAND(ranges_read(&again, saved.path, first, &error) == HINGE_OK);
    DEMAND(again.lower == ranges->lower && again.upper == ranges->upper);
    DEMAND(again.target.is_there == ranges->target.is_there);
    for (uint32_t j = 0; j < ranges->features; j++) {
        DEMAND(ranges_have(&again, j) == ranges_have(ranges, j));
        DEMAND(!ranges_have(&again, j) || (again.of[j].least == ranges->of[j].least &&
                                           again.of[j].largest == ranges->of[j].largest));
    }
    DEMAND(ranges_write(&again, saved.path, first, &error) == HINGE_OK);
    twice = scratch_text(&saved, &other);
    DEMAND(other == size && memcmp(once, twice, size) == 0);
    free(once);
    free(twice);
    ranges_free(&again);
}

static void try_ranges(unsigned first)
{
    struct ranges ranges = {0};
    struct hinge_error error = {HINGE_OK, ""};

    too_much = 0;
    if (ranges_read(&ranges, given.path, first, &error)) {
        check_refusal(&error, given.path);
    } else {
        check_ranges(&ranges);
        write_and_read(&ranges, first);
    }
    ranges_free(&ranges);
}

/* ---- Values ------------------------------------------------------------ */

/* Returns the value by the definition, or 0 if the feature has no range. Sets *off to the largest
 * error of rounding in the arithmetic and to so many digits. */
static long double map_slowly(const struct ranges *ranges, uint32_t feature, double value,
                              unsigned digits, long double *off)
{
    const struct range *range = &ranges->of[feature];
    const long double lower = ranges->lower, span = ranges->upper - lower;
    long double share, mapped;

    *off = 0;
    if (feature >= ranges->features || !(range->least < range->largest))
        return 0;
    share = (value - (long double)range->least) / (range->largest - (long double)range->least);
    mapped = lower + span * share;
    *off = 8 * DBL_EPSILON * (fabsl(lower) + fabsl(span * share)) +
           fabsl(mapped) * powl(10, 1 - (long double)digits) * 0.50000001L + 1e-322L;
    /* the product comes before the quotient and may be too small for all its digits */
    if (fabsl(span * (value - (long double)range->least)) < 1e-290L)
        *off = fabsl(lower) + fabsl(span) + fabsl(mapped);
    return mapped;
}

/* Returns the value of a feature in the entries begin .. end - 1. */
static double value_of(const struct content *content, size_t begin, size_t end, uint32_t feature)
{
    for (size_t k = begin; k < end; k++)
        if (content->index[k] == feature)
            return content->value[k];
    return 0;
}

/* True if a value is so far from its range that scale may refuse it. */
static int is_far(const struct ranges *ranges, uint32_t feature, double value)
{
    long double off, mapped, share;

    if (feature >= ranges->features || !ranges_have(ranges, feature) ||
        (value >= ranges->of[feature].least && value <= ranges->of[feature].largest))
        return 0;
    mapped = map_slowly(ranges, feature, value, 17, &off);
    share = (mapped - ranges->lower) / ((long double)ranges->upper - ranges->lower);
    return fabsl(mapped) > DBL_MAX / 4 || fabsl(share) > DBL_MAX / 4;
}

static int one_is_far(const struct ranges *ranges, const struct content *in)
{
    for (size_t k = 0; k < in->entries; k++)
        if (is_far(ranges, in->index[k], in->value[k]))
            return 1;
    for (uint32_t j = 0; j < ranges->features; j++)
        if (is_far(ranges, j, 0)) /* the value of a row without the feature */
            return 1;
    return 0;
}

/* Checks a target against its definition. A row without a label keeps 0. */
static void check_target(const struct target_range *target, double label, double came,
                         int may_lack_label)
{
    const long double width = (long double)target->largest - target->least;
    const long double span = (long double)target->upper - target->lower;
    const long double share = width > 0 ? (label - (long double)target->least) / width : 0;
    const long double size = fabsl(target->lower) + fabsl(target->upper);

    if (target->is_there && !(may_lack_label && label == 0 && came == 0))
        DEMAND(fabsl(came - (target->lower + span * share)) <=
               16 * DBL_EPSILON * size * (1 + fabsl(share)) + 4 * DBL_MIN);
    else
        DEMAND(came == label);
}

static void check_row(const struct scaling *scaling, const struct content *in, size_t row,
                      const struct hinge_row *out)
{
    const size_t begin = row ? in->end[row - 1] : 0, end = in->end[row];
    const unsigned digits = (unsigned)scaling->settings->digits;
    size_t next = 0;

    check_target(&scaling->ranges.target, in->label[row], out->label,
                 scaling->settings->format.optional_labels);
    for (uint32_t j = 0; j < scaling->ranges.features; j++) {
        const double value = value_of(in, begin, end, j);
        long double off;
        const long double mapped = map_slowly(&scaling->ranges, j, value, digits, &off);
        double came = 0;

        if (next < out->count && out->index[next] == j)
            came = out->value[next++];
        DEMAND(fabsl(came - mapped) <= off);
    }
    DEMAND(next == out->count);
}

static void check_output(const struct scaling *scaling, const struct content *in)
{
    const struct hinge_format format = {.zero_based = scaling->settings->format.zero_based,
                                        .threads = 1};
    struct hinge_error error;
    struct hinge_reader *reader = hinge_reader_open(output.path, &format, &error);
    struct hinge_row row;
    size_t rows = 0, values = 0, unknown = 0;

    DEMAND(reader);
    while (hinge_reader_next(reader, &row, &error) > 0) {
        DEMAND(rows < in->rows);
        check_row(scaling, in, rows++, &row);
        values += row.count;
    }
    hinge_reader_close(reader);
    for (size_t k = 0; k < in->entries; k++)
        unknown += scaling->settings->restore && in->value[k] != 0 &&
                   !ranges_have(&scaling->ranges, in->index[k]);
    DEMAND(rows == in->rows);
    DEMAND(values == scaling->after && unknown == scaling->unknown);
}

static void try_data(const struct scale_settings *settings, const char *bytes, size_t size)
{
    static struct content in;
    struct hinge_error error = {HINGE_OK, ""};
    struct scaling scaling = {.settings = settings,
                              .ranges = {.lower = settings->lower, .upper = settings->upper},
                              .first = settings->format.zero_based ? 0 : 1};

    slow_read(bytes, size, &settings->format, &in);
    begin_input(bytes, size);
    too_much = 0;
    if (work(&scaling, &error) == HINGE_OK) {
        DEMAND(!in.refused);
        check_output(&scaling, &in);
        if (settings->save)
            write_and_read(&scaling.ranges, scaling.first);
    } else if (strstr(error.message, " is too far from the range of targets")) {
        DEMAND(error.status == HINGE_BAD_INPUT && scaling.ranges.target.is_there);
    } else if (strstr(error.message, " is too far from its range")) {
        DEMAND(error.status == HINGE_BAD_INPUT && one_is_far(&scaling.ranges, &in));
    } else if (!settings->restore || strncmp(error.message, given.path, strlen(given.path)) != 0) {
        DEMAND(too_much || in.refused || in.rows == 0);
        check_refusal(&error, "(standard input):");
    }
    end_input();
    free(scaling.filled);
    hinge_dataset_free(scaling.data);
    ranges_free(&scaling.ranges);
}

/* ---- Entry ------------------------------------------------------------- */

/* Returns the length of the part before the next line "--", and moves *p behind that line. */
static size_t part(const char **p, const char *end)
{
    const char *begin = *p;
    const char *line = memmem(begin, (size_t)(end - begin), "\n--\n", 4);

    *p = line ? line + 4 : end;
    return (size_t)((line ? line + 1 : end) - begin);
}

/* Returns the settings of the words if they are accepted, else the default ones. */
static struct scale_settings try_words(const char *bytes, size_t size)
{
    const struct scale_settings usual = {.lower = -1, .upper = 1, .digits = 6};
    struct scale_settings settings = usual;
    struct hinge_error error = {HINGE_OK, ""};
    struct command_line words;
    int ended = 0;

    if (!command_line_split(&words, (const uint8_t *)bytes, size))
        return usual;
    if (options_read(&program, &settings, words.count, words.word, &ended, &error)) {
        command_line_check_refusal(&error);
        settings = usual;
    } else if (ended) {
        settings = usual;
    } else {
        DEMAND(settings.data && settings.output);
        DEMAND(settings.upper > settings.lower);
        DEMAND(settings.digits >= 1 && settings.digits <= 17);
        DEMAND(!settings.save || !settings.restore);
    }
    /* the words, which have the names of files, are freed */
    settings.restore = settings.restore ? given.path : NULL;
    settings.save = settings.save ? saved.path : NULL;
    settings.map = NULL;
    command_line_free(&words);
    return settings;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *const end = (const char *)bytes + size;
    const char *p = (const char *)bytes, *data;
    struct scale_settings settings;
    size_t length;

    scratch_open(&given);
    scratch_open(&saved);
    scratch_open(&output);
    length = part(&p, end);
    settings = try_words((const char *)bytes, length);
    settings.data = "-";
    settings.output = output.path;
    data = p;
    length = part(&data, end);
    scratch_fill(&given, p, length);
    try_ranges(settings.format.zero_based ? 0 : 1);
    if (end - data <= MOST_DATA)
        try_data(&settings, data, (size_t)(end - data));
    return 0;
}
