/* map.c - what a map is: its features, their names and scales; and how it is written. */
#include "cli/map.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/status.h"
#include "data/number.h"
#include "data/reader.h"
#include "data/table.h"

const char *const map_separator_names[] = {"comma",  "semicolon", "tab", "bar",
                                           "blanks", "lines",     NULL};
const char map_separators[] = {',', ';', '\t', '|', ' ', TABLE_LINES, '\0'};
const char *const map_missing_names[] = {"refused", "zero", "mean", "column", "auto", NULL};
const char *const map_weighting_names[] = {"tf-idf", "counts", "binary", NULL};

const char *const map_decimal_names[] = {"point", "comma", "point-thousands", "comma-thousands",
                                         NULL};
const char *const map_kind_names[] = {"ignored", "number", "category", "label", "words",
                                      "date",    "text",   "weight",   "group", NULL};
const char *const map_order_names[] = {"ymd", "dmy", "mdy", NULL};

/* ---- Names ------------------------------------------------------------- */

int column_has_number(enum column_kind kind)
{
    return kind == COLUMN_NUMBER || kind == COLUMN_DATE;
}

int map_has_features(const struct map *map)
{
    for (size_t j = 0; j < map->columns; j++)
        if (column_has_number(map->column[j].kind) || map->column[j].kind == COLUMN_CATEGORY ||
            map->column[j].kind == COLUMN_TEXT)
            return 1;
    return 0;
}

size_t map_label(const struct map *map)
{
    size_t label = 0;

    while (label < map->columns && map->column[label].kind != COLUMN_LABEL &&
           map->column[label].kind != COLUMN_WORDS)
        label++;
    return label;
}

enum hinge_status map_add_text(struct map_column *column, const struct bag_settings *settings,
                               struct hinge_error *error)
{
    column->kind = COLUMN_TEXT;
    if (!(column->bag = array_new(1, sizeof *column->bag, error)))
        return failure(error);
    column->bag->settings = *settings;
    return HINGE_OK;
}

enum hinge_status map_number_features(struct map *map, struct hinge_error *error)
{
    map->numbers = map->words = 0;
    for (size_t j = 0; j < map->columns; j++)
        map->column[j].feature = column_has_number(map->column[j].kind) ? ++map->numbers : 0;
    for (size_t j = 0; j < map->columns; j++)
        if (map->column[j].kind == COLUMN_TEXT) {
            const uint32_t words = bag_features(map->column[j].bag);

            map->column[j].feature = map_features(map) + 1;
            if (words > LARGEST_INDEX - map_features(map))
                return fail(error, HINGE_BAD_INPUT, "more than %d features", LARGEST_INDEX);
            map->words += words;
        }
    return HINGE_OK;
}

uint32_t map_features(const struct map *map)
{
    return map->numbers + map->words + map->others.count;
}

enum hinge_status map_check_features(const struct map *map, const char *path, const char *data,
                                     uint32_t features, struct hinge_error *error)
{
    if (features <= map_features(map))
        return HINGE_OK;
    return fail(error, HINGE_BAD_INPUT,
                "%s:1:1: the data have a feature %lu, and %s has %lu features: give the map that "
                "convert made with these data",
                source_name(data), (unsigned long)features, source_name(path),
                (unsigned long)map_features(map));
}

enum hinge_status map_add_scales(struct map *map, uint32_t features, struct hinge_error *error)
{
    if (features <= map->scales)
        return HINGE_OK;
    if (memory_ask("scales", features, 2, error) ||
        ARRAY_RESERVE(&map->scale, &map->scale_room, features, error))
        return failure(error);
    while (map->scales < features)
        map->scale[map->scales++] = (struct map_scale){0, 1};
    return HINGE_OK;
}

enum hinge_status map_find_fills(struct map *map, struct hinge_error *error)
{
    if (!(map->filled = array_new(map->scales, sizeof *map->filled, error)))
        return failure(error);
    for (uint32_t j = 1; j <= map->scales; j++)
        if (map_scaled(map, j, 0) != 0)
            map->filled[map->fills++] = j;
    return HINGE_OK;
}

int map_column_name(const struct map *map, size_t column, char *text, size_t size)
{
    const char *name = map->column[column].name;

    return name ? snprintf(text, size, "%s", name)
                : snprintf(text, size, "column %lu", (unsigned long)column + 1);
}

int map_feature_name(const struct map *map, uint32_t feature, char *text, size_t size)
{
    const uint32_t others = map->numbers + map->words;
    char *rest = NULL;
    size_t column = feature - 1;
    int length;

    if (feature <= map->numbers) { /* features of numbers ascend with the columns */
        while (map->column[column].feature != feature)
            column++;
        return map_column_name(map, column, text, size);
    }
    if (feature > others) {
        column = strtoul(dictionary_text(&map->others, feature - others - 1), &rest, 10) - 1;
    } else { /* the last column of text whose words begin there or before */
        column = map->columns - 1;
        while (map->column[column].kind != COLUMN_TEXT || map->column[column].feature > feature)
            column--;
    }
    length = map_column_name(map, column, text, size);
    if ((size_t)length < size)
        text += length;
    size -= (size_t)length < size ? (size_t)length : size;
    if (!rest) {
        const struct bag *bag = map->column[column].bag;
        const uint32_t number = feature - map->column[column].feature;

        return length + (bag->settings.hash_bits
                             ? snprintf(text, size, " #%lu", (unsigned long)number + 1)
                             : snprintf(text, size, "=%s", dictionary_text(&bag->names, number)));
    }
    return length + (strncmp(rest, " category ", 10) == 0 ? snprintf(text, size, "=%s", rest + 10)
                                                          : snprintf(text, size, " is missing"));
}

void map_free(struct map *map)
{
    for (size_t j = 0; j < map->columns; j++) {
        free(map->column[j].name);
        if (map->column[j].bag)
            bag_free(map->column[j].bag);
        free(map->column[j].bag);
    }
    free(map->column);
    dictionary_free(&map->notation.missing);
    dictionary_free(&map->classes);
    dictionary_free(&map->others);
    free(map->scale);
    free(map->filled);
    memset(map, 0, sizeof *map);
}

/* ---- Writing ----------------------------------------------------------- */

struct map_writer {
    FILE *stream;
    uint64_t sum; /* checksum of what was written */
};

static void put(struct map_writer *writer, const char *text, size_t length)
{
    writer->sum = checksum(writer->sum, text, length);
    fwrite(text, 1, length, writer->stream);
}

/* Writes numbers and words, at most 199 characters. */
static void write_words(struct map_writer *writer, const char *format, ...) PRINTF_LIKE(2, 3);

static void write_words(struct map_writer *writer, const char *format, ...)
{
    char words[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    put(writer, words, strlen(words));
}

/* Writes a blank and a number with all its digits. */
static void write_number(struct map_writer *writer, double number)
{
    char text[NUMBER_LENGTH + 1] = " ";

    put(writer, text, 1 + (size_t)number_print(text + 1, number));
}

/* Writes the end of a line: a blank and text, if there is one. */
static void write_text(struct map_writer *writer, const char *text)
{
    if (text)
        put(writer, " ", 1);
    while (text && *text) {
        const size_t plain = strcspn(text, "\n\r\\");

        put(writer, text, plain);
        text += plain;
        if (*text)
            put(writer, *text == '\n' ? "\\n" : *text == '\r' ? "\\r" : "\\\\", 2);
        text += *text != '\0';
    }
    put(writer, "\n", 1);
}

/* Writes the lines of features and of their scales. */
static void write_features(const struct map *map, struct map_writer *writer)
{
    const struct map_column *column = map->column;

    for (size_t j = 0; j < map->columns; j++)
        if (column_has_number(column[j].kind)) {
            const int is_date = column[j].kind == COLUMN_DATE;

            write_words(writer, "feature %" PRIu32 " %zu %s", column[j].feature, j + 1,
                        is_date ? "days" : "number");
            write_text(writer, is_date ? map_order_names[column[j].order] : NULL);
        }
    for (size_t j = 0; j < map->columns; j++)
        for (uint32_t k = 0; column[j].bag && k < column[j].bag->names.count; k++) {
            write_words(writer, "feature %" PRIu32 " %zu word %" PRIu32, column[j].feature + k,
                        j + 1, column[j].bag->word[k].texts);
            write_text(writer, dictionary_text(&column[j].bag->names, k));
        }
    for (uint32_t k = 0; k < map->others.count; k++) {
        write_words(writer, "feature %" PRIu32, map->numbers + map->words + k + 1);
        write_text(writer, dictionary_text(&map->others, k));
    }
    for (uint32_t k = 0; k < map->scales; k++)
        if (map->scale[k].offset != 0 || map->scale[k].factor != 1) {
            write_words(writer, "scale %" PRIu32, k + 1);
            write_number(writer, map->scale[k].offset);
            write_number(writer, map->scale[k].factor);
            put(writer, "\n", 1);
        }
}

/* Keeps the version of a map that was read, which decides what stands for missing values. */
enum hinge_status map_write(const struct map *map, const char *path, struct hinge_error *error)
{
    enum { NEWEST = 3 };
    const struct notation *notation = &map->notation;
    const int version = notation->version ? notation->version : NEWEST;
    const struct map_column *column = map->column;
    struct map_writer writer = {NULL, CHECKSUM_NONE};
    struct output output;

    if (output_open(&output, path, error))
        return failure(error);
    writer.stream = output.stream;
    write_words(&writer, "hinge-map %d\nseparator %s\ndecimal %s\nmissing %s\nnames %d\n", version,
                map_separator_names[strchr(map_separators, map->separator) - map_separators],
                map_decimal_names[notation->decimal_comma + 2 * notation->thousands],
                map_missing_names[map->missing], map->named);
    if (notation->plain_quotes)
        write_words(&writer, "quotes letters\n");
    for (uint32_t k = 0; k < notation->missing.count; k++) {
        write_words(&writer, "spelling");
        write_text(&writer, dictionary_text(&notation->missing, k));
    }
    for (size_t j = 0; j < map->columns; j++) {
        write_words(&writer, "column %zu %s", j + 1, map_kind_names[column[j].kind]);
        write_text(&writer, column[j].name);
    }
    for (uint32_t k = 0; k < map->classes.count; k++) {
        write_words(&writer, "class %" PRIu32, k + 1);
        write_text(&writer, dictionary_text(&map->classes, k));
    }
    for (size_t j = 0; j < map->columns; j++)
        if (column[j].kind == COLUMN_TEXT) {
            const struct bag_settings *bag = &column[j].bag->settings;

            write_words(&writer,
                        "text %zu ngrams %" PRIu32 " min-rows %" PRIu32 " max-features %" PRIu32
                        " weighting %s hash %" PRIu32 " rows %" PRIu64 "\n",
                        j + 1, bag->ngrams, bag->min_rows, bag->max_features,
                        map_weighting_names[bag->weighting], bag->hash_bits, column[j].bag->texts);
        }
    for (size_t j = 0; j < map->columns; j++)
        if (column_has_number(column[j].kind)) {
            write_words(&writer, "mean %zu", j + 1);
            write_number(&writer, column[j].mean);
            put(&writer, "\n", 1);
        }
    write_features(map, &writer);
    if (version > 1)
        fprintf(output.stream, "end %016" PRIx64 "\n", writer.sum);
    return output_commit(&output, error);
}
