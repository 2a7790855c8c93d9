/* map_features.c - the lines of a map about texts, features and scales. */
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "cli/map_read.h"
#include "data/reader.h"

enum feature_kind { FEATURE_NUMBER, FEATURE_CATEGORY, FEATURE_MISSING, FEATURE_DAYS, FEATURE_WORD };
static const char *const feature_kinds[] = {"number", "category", "missing", "days", "word", NULL};

enum hinge_status map_read_text(struct map_reader *reader, struct hinge_error *error)
{
    enum { NGRAMS, MIN_ROWS, MAX_FEATURES, WEIGHTING, HASH, ROWS, COUNT };
    static const struct {
        const char *const name[2];
        size_t least, most;
    } item[COUNT] = {{{"ngrams"}, 1, BAG_MAX_NGRAMS},      {{"min-rows"}, 1, UINT32_MAX},
                     {{"max-features"}, 0, LARGEST_INDEX}, {{"weighting"}, 0, 0},
                     {{"hash"}, 0, BAG_MAX_HASH_BITS},     {{"rows"}, 0, SIZE_MAX}};
    struct map *map = reader->map;
    const char *begin = reader->p;
    struct map_column *column;
    size_t value[COUNT], number;
    int word;

    if (map_take_number(reader, 1, map->columns, "column", &number, error))
        return failure(error);
    column = &map->column[number - 1];
    if (column->kind != COLUMN_TEXT || column->bag)
        return source_fail(&reader->source, begin, error, "column %lu is %s", (unsigned long)number,
                           column->bag ? "repeated" : "none of text");
    for (int k = 0; k < COUNT; k++) {
        if (map_take_word(reader, item[k].name, *item[k].name, error) < 0)
            return failure(error);
        if (k != WEIGHTING) {
            if (map_take_number(reader, item[k].least, item[k].most, *item[k].name, &value[k],
                                error))
                return failure(error);
        } else if ((word = map_take_word(reader, map_weighting_names, "a weighting", error)) < 0) {
            return failure(error);
        } else {
            value[k] = (size_t)word;
        }
    }
    if (map_add_text(column,
                     &(struct bag_settings){(uint32_t)value[NGRAMS], (uint32_t)value[MIN_ROWS],
                                            (uint32_t)value[MAX_FEATURES],
                                            (enum weighting)value[WEIGHTING], (uint32_t)value[HASH],
                                            0},
                     error))
        return failure(error);
    column->bag->texts = value[ROWS];
    return HINGE_OK;
}

#define FIRST_NUMBERS "features of numbers come first, in the order of columns"

enum hinge_status map_begin_texts(struct map_reader *reader, size_t end, const char *place,
                                  struct hinge_error *error)
{
    if (reader->features < reader->map->numbers)
        return source_fail(&reader->source, place, error, FIRST_NUMBERS);
    for (; reader->texts < end; reader->texts++) {
        struct map_column *column = &reader->map->column[reader->texts];
        uint32_t words;

        if (column->kind != COLUMN_TEXT)
            continue;
        if (!column->bag)
            return source_fail(&reader->source, place, error, "text %lu expected",
                               (unsigned long)reader->texts + 1);
        words = bag_features(column->bag);
        if (words > LARGEST_INDEX - reader->features)
            return source_fail(&reader->source, place, error, "more than %d features",
                               LARGEST_INDEX);
        column->feature = reader->features + 1;
        reader->features += words;
        reader->map->words += words;
    }
    return HINGE_OK;
}

/* Reads the number of texts and the word of a feature. */
static enum hinge_status read_word(struct map_reader *reader, size_t column, const char *place,
                                   struct hinge_error *error)
{
    struct bag *bag = reader->map->column[column].bag;
    const uint64_t most = bag && bag->texts < UINT32_MAX ? bag->texts : UINT32_MAX;
    enum hinge_status status;
    size_t texts;

    if (!bag || bag->settings.hash_bits || reader->texts != column + 1)
        return source_fail(&reader->source, place, error,
                           "words come after numbers, in the order of columns of text");
    if (map_take_number(reader, 1, (size_t)most, "number of rows", &texts, error) ||
        map_take_text(reader, error))
        return failure(error);
    reader->map->words++;
    status = bag_restore(bag, reader->text, (uint32_t)texts, error);
    if (status == HINGE_BAD_INPUT)
        return source_fail(&reader->source, place, error, "the feature is repeated");
    return status;
}

enum hinge_status map_read_feature(struct map_reader *reader, struct hinge_error *error)
{
    struct map *map = reader->map;
    const char *begin = reader->p;
    enum column_kind kind;
    char first[32];
    size_t feature, column;
    uint32_t number = 0;
    int what, order, is_number;

    if (map_take_number(reader, 1, LARGEST_INDEX, "feature", &feature, error) ||
        map_take_number(reader, 1, map->columns, "column", &column, error) ||
        (what = map_take_word(reader, feature_kinds, "number, category, missing, days or word",
                              error)) < 0)
        return failure(error);
    is_number = what == FEATURE_NUMBER || what == FEATURE_DAYS;
    if (!is_number &&
        map_begin_texts(reader, what == FEATURE_WORD ? column : map->columns, begin, error))
        return failure(error);
    if (feature != reader->features + 1)
        return source_fail(&reader->source, begin, error, "feature %lu where %lu is the next one",
                           (unsigned long)feature, (unsigned long)reader->features + 1);
    reader->features++;
    kind = map->column[column - 1].kind;
    if (is_number) {
        if (what != (kind == COLUMN_DATE ? FEATURE_DAYS : FEATURE_NUMBER) ||
            !column_has_number(kind) || map->column[column - 1].feature != feature)
            return source_fail(&reader->source, begin, error, FIRST_NUMBERS);
        if (kind == COLUMN_NUMBER)
            return HINGE_OK;
        if ((order = map_take_word(reader, map_order_names, "ymd, dmy or mdy", error)) < 0)
            return failure(error);
        map->column[column - 1].order = (enum date_order)order;
        return HINGE_OK;
    }
    if (what == FEATURE_WORD)
        return read_word(reader, column - 1, begin, error);
    if (kind != COLUMN_CATEGORY && kind != COLUMN_DATE &&
        (what == FEATURE_CATEGORY || kind != COLUMN_NUMBER))
        return source_fail(&reader->source, begin, error, "column %lu is of another kind",
                           (unsigned long)column);
    snprintf(first, sizeof first, "%lu %s", (unsigned long)column,
             what == FEATURE_CATEGORY ? "category " : "missing");
    if (map_take_text(reader, error) ||
        dictionary_add(&map->others, first, strlen(first), reader->text,
                       what == FEATURE_CATEGORY ? strlen(reader->text) : 0, &number, error))
        return failure(error);
    return map_features(map) == feature
               ? HINGE_OK
               : source_fail(&reader->source, begin, error, "the feature is repeated");
}

enum hinge_status map_read_scale(struct map_reader *reader, struct hinge_error *error)
{
    struct map *map = reader->map;
    const char *begin = reader->p;
    size_t feature;

    if (map_begin_texts(reader, map->columns, begin, error) ||
        map_take_number(reader, 1, map_features(map), "feature", &feature, error))
        return failure(error);
    if (feature <= map->scales)
        return source_fail(&reader->source, begin, error,
                           "feature %lu is not above the previous one", (unsigned long)feature);
    if (map_add_scales(map, (uint32_t)feature, error))
        return failure(error);
    return map_take_double(reader, "offset", &map->scale[feature - 1].offset, error) ||
                   map_take_double(reader, "factor", &map->scale[feature - 1].factor, error)
               ? failure(error)
               : HINGE_OK;
}
