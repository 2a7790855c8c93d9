/* scale_run.c - data -> the same rows with scaled features. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/map.h"
#include "cli/options.h"
#include "cli/programs.h"
#include "cli/ranges.h"
#include "cli/report.h"
#include "data/matrix.h"
#include "data/number.h"
#include "data/reader.h"

struct scale_settings {
    double lower;
    double upper;
    struct target_range target; /* targets of -y, not measured yet */
    const char *save;           /* file for the ranges; NULL: none */
    const char *restore;        /* file of ranges; NULL: none */
    const char *map;            /* map that gets the scales; NULL: none */
    uint64_t digits;
    struct hinge_format format;
    int quiet;
    int renumber;
    int standardise;
    int centre;
    enum range_kind kind; /* kind of the ranges to measure */
    const char *data;
    const char *output;
};

/* ---- The command line -------------------------------------------------- */

enum {
    LOWER = OPTIONS_OWN,
    UPPER,
    STANDARDISE,
    CENTRE,
    TARGETS,
    SAVE,
    RESTORE,
    MAP,
    RENUMBER,
    DIGITS,
    NO_LABELS,
    ZERO_BASED,
    QUIET
};

#define SETTINGS struct scale_settings

/* Reads "-y 0 1". Rounds the ends to float as svm-scale does, so that labels have the same bytes.
 */
static enum hinge_status read_target(void *state, const struct given *given,
                                     struct hinge_error *error)
{
    struct target_range *target = &((struct scale_settings *)state)->target;
    const char *const text[] = {given->value, given->more};
    double end[2] = {0, 0};
    int are_ends = 1;

    for (int k = 0; k < 2; k++) {
        are_ends &= number_read(text[k], &end[k]) && fabs(end[k]) <= FLT_MAX;
        end[k] = are_ends ? (float)end[k] : 0;
    }
    if (!are_ends || !(end[0] < end[1]))
        return fail(error, HINGE_BAD_ARGUMENT,
                    "%s: '%s %s' is not two finite numbers, the lower one first", given->spelling,
                    given->value, given->more);
    *target = (struct target_range){.is_there = 1, .lower = end[0], .upper = end[1]};
    return HINGE_OK;
}

static const char of_ranges[] = "ranges";
static const char general[] = "general";

const struct option scale_options[] = {
    {LOWER, BRIEF, "-l", "--lower", "L", STORE(NUMBER, lower), of_ranges,
     "map the smallest value to L (with -u alone: -1)"},
    {UPPER, BRIEF, "-u", "--upper", "U", STORE(NUMBER, upper), of_ranges,
     "map the largest value to U (with -l alone: 1)"},
    {STANDARDISE, BRIEF, NULL, "--standardise", NULL, STORE(FLAG, standardise), of_ranges,
     "divide each feature by its deviation"},
    {CENTRE, BRIEF, NULL, "--centre", NULL, STORE(FLAG, centre), of_ranges,
     "with --standardise: subtract the mean; every row gets all features"},
    {TARGETS, BRIEF, "-y", "--targets", "LO UP", STORE_BY(read_target, target, NULL), of_ranges,
     "map regression targets, the first number of a row"},
    {SAVE, BRIEF, "-s", "--save", "FILE", STORE(OUTPUT, save), of_ranges, "save the ranges"},
    {RESTORE, BRIEF, "-r", "--restore", "FILE", STORE(INPUT, restore), of_ranges,
     "scale by saved ranges; for test data"},
    {MAP, BRIEF, NULL, "--map", "MAP", STORE(OUTPUT, map), of_ranges,
     "write the scales into the map of convert -s"},
    {RENUMBER, BRIEF, NULL, "--renumber", NULL, STORE(FLAG, renumber), of_ranges,
     "number the features that have a range 1, 2, 3, ..."},

    {DIGITS, BRIEF, "-p", "--digits", "N", STORE_COUNT(digits, 1, 17), general,
     "digits of the values written, 1 to 17 (default 6)"},
    {NO_LABELS, BRIEF, NULL, "--no-labels", NULL, STORE(FLAG, format.optional_labels), general,
     "with -r: rows may lack a label; they get label 0"},
    {ZERO_BASED, BRIEF, NULL, "--zero-based", NULL, STORE(FLAG, format.zero_based), general,
     "indices start at 0, in data, ranges and output"},
    {QUIET, BRIEF, "-q", "--quiet", NULL, STORE(FLAG, quiet), general, "print errors only"},
    OPTIONS_LAST(general),
};

static enum hinge_status check(void *state, uint64_t given, struct hinge_error *error)
{
    struct scale_settings *settings = state;

    settings->kind = settings->centre                    ? RANGE_CENTRED
                     : settings->standardise             ? RANGE_DEVIATION
                     : given & (BIT(LOWER) | BIT(UPPER)) ? RANGE_ENDS
                                                         : RANGE_MAGNITUDE;
    if (settings->map)
        settings->digits = 17;
    if (!(settings->lower < settings->upper))
        return fail(error, HINGE_BAD_ARGUMENT, "-l %g is not below -u %g", settings->lower,
                    settings->upper);
    if (!settings->data)
        return fail(error, HINGE_BAD_ARGUMENT, "no data file given");
    if (!settings->output)
        settings->output = "-";
    return HINGE_OK;
}

static const struct program program = {
    .options = scale_options,
    .operands = (const struct operand[]){{"the data", READ, offsetof(SETTINGS, data)},
                                         {"the output", STREAMED, offsetof(SETTINGS, output)},
                                         {NULL, READ, 0}},
    .exclusive = (const struct option_pair[]){{RESTORE, SAVE},
                                              {RESTORE, LOWER},
                                              {RESTORE, UPPER},
                                              {RESTORE, TARGETS},
                                              {RESTORE, STANDARDISE},
                                              {STANDARDISE, LOWER},
                                              {STANDARDISE, UPPER},
                                              {MAP, SAVE},
                                              {MAP, RESTORE},
                                              {MAP, TARGETS},
                                              {MAP, RENUMBER},
                                              {MAP, DIGITS},
                                              {MAP, ZERO_BASED},
                                              {0, 0}},
    .needs = (const struct option_pair[]){{NO_LABELS, RESTORE}, {CENTRE, STANDARDISE}, {0, 0}},
    .usage = "usage: @ [options] data [output]\n"
             "Divides each feature of a LIBSVM file (- is standard input) by its largest\n"
             "magnitude, or maps it to a range, and writes the data to output, by default\n"
             "standard output.\n",
    .end = "\nWithout -l and -u values end between -1 and 1, and zeros stay zeros.\n"
           "Exit status: 0 done, 1 bad data or ranges" OPTIONS_STATUSES,
    .check = check};

/* ---- The work ---------------------------------------------------------- */

struct scaling {
    const struct scale_settings *settings;
    struct hinge_dataset *data;  /* NULL: rows come from reader */
    struct hinge_reader *reader; /* NULL: rows are in data */
    struct ranges ranges;
    struct map map;   /* the map of --map */
    uint32_t *filled; /* [fills] features whose zeros are mapped to non-zeros, ascending */
    size_t fills;
    unsigned first; /* index of the first feature in files: 0 or 1 */
    FILE *stream;
    unsigned long long before;  /* non-zeros read */
    unsigned long long after;   /* non-zeros written */
    unsigned long long unknown; /* with -r: non-zeros of features without a range, left out */
    int complete;               /* the output is written */
};

/* Returns the image of a value, which the map computes if there is one. */
static double image(const struct scaling *scaling, uint32_t feature, double value)
{
    return scaling->settings->map ? map_scaled(&scaling->map, feature + 1, value)
                                  : ranges_map(&scaling->ranges, feature, value);
}

static enum hinge_status write_value(struct scaling *scaling, uint32_t feature, double value,
                                     struct hinge_error *error)
{
    const double mapped = image(scaling, feature, value);
    const struct range *range = &scaling->ranges.of[feature];
    const int renumber = scaling->settings->renumber;
    const uint32_t number = renumber ? ranges_position(&scaling->ranges, feature) : feature;

    /* a value of the dataset is in its range, and its image is between the ends */
    if (scaling->reader && !(fabs(mapped) <= DBL_MAX))
        return fail(
            error, HINGE_BAD_INPUT,
            "%s:%llu:1: feature %lu: %g is too far from its range, %g to %g, for its image to be "
            "a double; correct the value, or measure wider ranges: -s",
            scaling->reader->source.name, (unsigned long long)scaling->reader->line,
            (unsigned long)feature + scaling->first, value, range->least, range->largest);
    if (mapped == 0)
        return HINGE_OK;
    /* the largest doubles overflow if they are rounded to few digits */
    fprintf(scaling->stream, " %lu:%.*g", (unsigned long)number + scaling->first,
            fabs(mapped) > 1e308 ? 17 : (int)scaling->settings->digits, mapped);
    scaling->after++;
    return HINGE_OK;
}

/* Writes the images of the row's values and of zeros that are mapped to non-zeros, in order. */
static enum hinge_status write_row(struct scaling *scaling, const struct hinge_row *row,
                                   struct hinge_error *error)
{
    const struct target_range *target = &scaling->ranges.target;
    double label = row->label;
    size_t next = 0; /* position in filled */

    if (target->is_there && row->labelled)
        label = ranges_map_target(target, label);
    if (!(fabs(label) <= DBL_MAX))
        return fail(error, HINGE_BAD_INPUT,
                    "%s:%llu:1: the target %g is too far from the range of targets, %g to %g",
                    scaling->reader->source.name, (unsigned long long)scaling->reader->line,
                    row->label, target->least, target->largest);
    /* A row without a label gets 0, since an empty line would not be a row. */
    number_write(scaling->stream, label);
    for (size_t k = 0; k <= row->count; k++) {
        const uint32_t feature = k < row->count ? row->index[k] : UINT32_MAX;
        double value;

        for (; next < scaling->fills && scaling->filled[next] < feature; next++)
            if (write_value(scaling, scaling->filled[next], 0, error))
                return failure(error);
        if (k == row->count)
            break;
        next += next < scaling->fills && scaling->filled[next] == feature;
        value = row->value[k];
        scaling->before += value != 0;
        if (!ranges_have(&scaling->ranges, feature))
            scaling->unknown += scaling->settings->restore && value != 0;
        else if (write_value(scaling, feature, value, error))
            return failure(error);
    }
    putc('\n', scaling->stream);
    return HINGE_OK;
}

/* Writes all rows: the rows of the dataset, or rows of the file one by one, in constant memory. */
static enum hinge_status write_all(void *context, FILE *stream, struct hinge_error *error)
{
    struct scaling *scaling = context;
    const struct scale_settings *settings = scaling->settings;
    const struct hinge_dataset *data = scaling->data;
    struct hinge_row row;
    enum hinge_status status = HINGE_OK;
    double *room;
    int found = 0;

    scaling->stream = stream;
    if (data) {
        if (!(room = array_new(matrix_longest(&data->x), ROW_ENTRY, error)))
            return failure(error);
        for (size_t i = 0; i < data->x.rows && !status && !was_interrupted(); i++) {
            row = matrix_row(&data->x, i, room);
            row.label = data->label[i];
            row.labelled = 1;
            status = write_row(scaling, &row, error);
        }
        free(room);
        return status;
    }
    if (!(scaling->reader = hinge_reader_open(settings->data, &settings->format, error)))
        return failure(error);
    status = files_check(&program, settings, FILES_CONTENTS, error);
    while (!status && (found = hinge_reader_next(scaling->reader, &row, error)) > 0 &&
           !was_interrupted())
        status = write_row(scaling, &row, error);
    hinge_reader_close(scaling->reader);
    return found < 0 ? failure(error) : status;
}

/* Gives the features of the map their scales. */
static enum hinge_status fill_map(struct scaling *scaling, struct hinge_error *error)
{
    const char *path = scaling->settings->map;
    struct map *map = &scaling->map;
    const uint32_t features = scaling->ranges.features;

    if (map_read(map, path, error))
        return failure(error);
    if (map->in_model)
        return fail(error, HINGE_BAD_INPUT,
                    "%s:1:1: this is a model, and it was trained on data as they were: scale data "
                    "and map, then train",
                    path);
    if (map->scales > 0)
        return fail(
            error, HINGE_BAD_INPUT,
            "%s:1:1: the map has scales already, so convert -r writes scaled values; convert "
            "-s makes it anew",
            path);
    if (map_check_features(map, path, scaling->settings->data, features, error))
        return failure(error);
    if (map_add_scales(map, features, error))
        return failure(error);
    for (uint32_t j = 0; j < features; j++)
        if (!ranges_find_scale(&scaling->ranges, j, &map->scale[j].offset, &map->scale[j].factor))
            return fail(error, HINGE_BAD_INPUT,
                        "%s:1:1: feature %lu, %g to %g, has no scale to -l and -u among doubles",
                        source_name(scaling->settings->data), (unsigned long)j + 1,
                        scaling->ranges.of[j].least, scaling->ranges.of[j].largest);
    return HINGE_OK;
}

/* Reads or measures the ranges, then writes the rows and the ranges. */
static enum hinge_status work(struct scaling *scaling, struct hinge_error *error)
{
    const struct scale_settings *settings = scaling->settings;
    const struct ranges *ranges = &scaling->ranges;

    if (files_check(&program, settings, FILES_WRITABLE, error) ||
        (settings->restore
             ? ranges_read(&scaling->ranges, settings->restore, scaling->first, error)
             : !(scaling->data = hinge_dataset_read(settings->data, &settings->format, error)) ||
                   ranges_measure(&scaling->ranges, scaling->data, settings->kind, error)) ||
        (scaling->data && files_check(&program, settings, FILES_CONTENTS, error)) ||
        (settings->map && fill_map(scaling, error)) ||
        !(scaling->filled = array_new(ranges->mapped_count, sizeof *scaling->filled, error)))
        return failure(error);
    for (size_t k = 0; k < ranges->mapped_count; k++)
        if (image(scaling, ranges->mapped[k], 0) != 0)
            scaling->filled[scaling->fills++] = ranges->mapped[k];
    catch_interrupts();
    if (report_write(settings->output, write_all, scaling, &scaling->complete, error) ||
        (settings->save && scaling->complete &&
         ranges_write(&scaling->ranges, settings->save, scaling->first, error)) ||
        (settings->map && scaling->complete && map_write(&scaling->map, settings->map, error)))
        return failure(error);
    return HINGE_OK;
}

int scaling_run(int argc, char **argv)
{
    struct scale_settings settings = {.lower = -1, .upper = 1, .digits = 6};
    const int status = options_begin(&program, &settings, argc, argv);
    const char *name = program_name(argv[0]);
    struct hinge_error error = {HINGE_OK, ""};
    struct scaling scaling = {.settings = &settings};

    if (status != OPTIONS_RUN)
        return status;
    scaling.ranges.lower = settings.lower;
    scaling.ranges.upper = settings.upper;
    scaling.ranges.target = settings.target;
    scaling.first = settings.format.zero_based ? 0 : 1;
    if (!work(&scaling, &error) && scaling.complete && !settings.quiet) {
        if (scaling.data && (settings.kind == RANGE_MAGNITUDE || settings.kind == RANGE_DEVIATION))
            advise_scaling(argv[0], scaling.data, settings.map, 1, 1);
        if (scaling.after / 2 >= scaling.before && scaling.after > 0)
            report_say(name,
                       "warning: %llu non-zeros became %llu, because %s zeros; without %s zeros "
                       "stay zeros",
                       scaling.before, scaling.after,
                       settings.centre ? "--centre moves" : "-l and -u move",
                       settings.centre ? "it" : "them");
        if (scaling.unknown)
            report_say(name, "warning: left out %llu value%s of features without a range",
                       scaling.unknown, report_plural(scaling.unknown));
    }
    free(scaling.filled);
    hinge_dataset_free(scaling.data);
    ranges_free(&scaling.ranges);
    map_free(&scaling.map);
    if (was_interrupted() && !scaling.complete)
        return EXIT_INTERRUPTED;
    if (!error.status)
        return report_end(name, HINGE_OK);
    report_error(name, &error);
    advise_converting(argv[0], settings.restore ? NULL : settings.data,
                      settings.restore ? settings.data : NULL, &error);
    return (int)error.status;
}
