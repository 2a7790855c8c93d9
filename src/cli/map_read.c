/* map_read.c - reads the lines of a map: "key words text", keys in the order of key_names. */
#include "cli/map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "base/status.h"
#include "data/number.h"
#include "data/reader.h"
#include "data/token.h"

enum feature_kind { FEATURE_NUMBER, FEATURE_CATEGORY, FEATURE_MISSING, FEATURE_DAYS, FEATURE_WORD };
static const char *const feature_kinds[] = {"number", "category", "missing", "days", "word", NULL};

/* The keys in the order of their lines. Those before HEAD occur once. */
enum key {
    VERSION,
    SEPARATOR,
    DECIMAL,
    MISSING,
    NAMES,
    HEAD,
    SPELLING = HEAD,
    COLUMN,
    CLASS,
    TEXT,
    MEAN,
    FEATURE,
    SCALE,
    END
};
static const char *const key_names[] = {"hinge-map", "separator", "decimal", "missing", "names",
                                        "spelling",  "column",    "class",   "text",    "mean",
                                        "feature",   "scale",     "end",     NULL};

struct map_reader {
    struct source source;
    const char *p;   /* position in the current line */
    const char *end; /* of the current line */
    struct map *map;
    size_t capacity;        /* of map->column */
    size_t texts;           /* the features of columns of text before this column are numbered */
    uint32_t features;      /* numbered so far */
    int in_model;           /* lines of the map begin with MODEL_MAP; other lines are skipped */
    enum key last;          /* lines with later keys are not read */
    struct model_map *copy; /* gets the lines; NULL: no copy is wanted */
    uint64_t sum;           /* checksum of the lines before the current one */
    char *text;             /* the rest of a line, its escapes replaced */
    size_t room;
};

/* Returns the next word of the line, and skips the blank after it; NULL if there is no word. */
static const char *next_word(struct map_reader *reader, const char **end, const char *expected,
                             struct hinge_error *error)
{
    const char *begin = reader->p;

    for (*end = begin; *end < reader->end && **end != ' ';)
        ++*end;
    reader->p = *end + (*end < reader->end);
    if (*end > begin)
        return begin;
    source_error_fill(&reader->source, begin, error, "%s expected", expected);
    return NULL;
}

/* Returns the position of the next word in a list, or -1 and *error. */
static int take_word(struct map_reader *reader, const char *const *words, const char *expected,
                     struct hinge_error *error)
{
    const char *end, *begin = next_word(reader, &end, expected, error);

    for (int k = 0; begin && words[k]; k++)
        if (is_word(begin, end, words[k]))
            return k;
    if (begin)
        source_error_fill(&reader->source, begin, error, "'%.*s' where a map has %s",
                          token_shown(begin, end), begin, expected);
    return -1;
}

/* Reads the next word as a whole number from least to most. */
static enum hinge_status take_number(struct map_reader *reader, size_t least, size_t most,
                                     const char *expected, size_t *number,
                                     struct hinge_error *error)
{
    const char *end, *begin = next_word(reader, &end, expected, error);
    uint64_t value;

    if (!begin)
        return failure(error);
    if (number_parse_whole(begin, most, &value) != end || value < least)
        return source_fail(&reader->source, begin, error, "'%.*s' is no %s",
                           token_shown(begin, end), begin, expected);
    *number = (size_t)value;
    return HINGE_OK;
}

/* Reads the next word as a number with a fraction. */
static enum hinge_status take_double(struct map_reader *reader, const char *what, double *value,
                                     struct hinge_error *error)
{
    const char *end, *begin = next_word(reader, &end, what, error);

    return begin ? token_number(&reader->source, what, begin, end, value, error) : failure(error);
}

/* Reads the next word, which must be the wanted number. */
static enum hinge_status take_next(struct map_reader *reader, size_t wanted, const char *what,
                                   struct hinge_error *error)
{
    const char *begin = reader->p;
    size_t number;

    if (take_number(reader, 1, LARGEST_INDEX, what, &number, error))
        return failure(error);
    return number == wanted
               ? HINGE_OK
               : source_fail(&reader->source, begin, error, "%s %lu where %lu is the next one",
                             what, (unsigned long)number, (unsigned long)wanted);
}

/* Copies the rest of the line, without its escapes, to reader->text. */
static enum hinge_status take_text(struct map_reader *reader, struct hinge_error *error)
{
    static const char escaped[] = "\\nr";
    const size_t length = (size_t)(reader->end - reader->p);
    char *to;

    if (ARRAY_RESERVE(&reader->text, &reader->room, length + 1, error))
        return failure(error);
    to = reader->text;
    for (; reader->p < reader->end; reader->p++)
        if (*reader->p != '\\')
            *to++ = *reader->p;
        else if (++reader->p < reader->end && strchr(escaped, *reader->p))
            *to++ = "\\\n\r"[strchr(escaped, *reader->p) - escaped];
        else
            return source_fail(&reader->source, reader->p - 1, error,
                               "a backslash without n, r or a backslash after it");
    *to = '\0';
    return HINGE_OK;
}

static enum hinge_status read_column(struct map_reader *reader, struct hinge_error *error)
{
    struct map *map = reader->map;
    const char *begin = reader->p;
    struct map_column *column;
    int kind;

    if (ARRAY_RESERVE(&map->column, &reader->capacity, map->columns + 1, error))
        return failure(error);
    column = &map->column[map->columns];
    *column = (struct map_column){.kind = COLUMN_IGNORED};
    if (take_next(reader, map->columns + 1, "column", error) ||
        (kind = take_word(reader, map_kind_names, "the kind of the column", error)) < 0)
        return failure(error);
    column->kind = (enum column_kind)kind;
    if ((kind == COLUMN_LABEL || kind == COLUMN_WORDS) && map_label(map) < map->columns)
        return source_fail(&reader->source, begin, error, "a second column with labels");
    if (column_has_number(column->kind))
        column->feature = ++map->numbers;
    if (reader->p < reader->end) {
        if (take_text(reader, error))
            return failure(error);
        if (!(column->name = array_new(strlen(reader->text) + 1, 1, error)))
            return failure(error);
        memcpy(column->name, reader->text, strlen(reader->text));
    }
    map->columns++;
    return HINGE_OK;
}

/* Adds the rest of the line to the words; `what` names one of them. */
static enum hinge_status take_new(struct map_reader *reader, struct dictionary *words,
                                  const char *what, struct hinge_error *error)
{
    const char *begin = reader->p;
    const uint32_t count = words->count;
    uint32_t number;

    if (take_text(reader, error) ||
        dictionary_add(words, reader->text, strlen(reader->text), "", 0, &number, error))
        return failure(error);
    return number == count ? HINGE_OK
                           : source_fail(&reader->source, begin, error, "the %s is repeated", what);
}

/* Reads the settings of a column of text. */
static enum hinge_status read_text(struct map_reader *reader, struct hinge_error *error)
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

    if (take_number(reader, 1, map->columns, "column", &number, error))
        return failure(error);
    column = &map->column[number - 1];
    if (column->kind != COLUMN_TEXT || column->bag)
        return source_fail(&reader->source, begin, error, "column %lu is %s", (unsigned long)number,
                           column->bag ? "repeated" : "none of text");
    for (int k = 0; k < COUNT; k++) {
        if (take_word(reader, item[k].name, *item[k].name, error) < 0)
            return failure(error);
        if (k != WEIGHTING) {
            if (take_number(reader, item[k].least, item[k].most, *item[k].name, &value[k], error))
                return failure(error);
        } else if ((word = take_word(reader, map_weighting_names, "a weighting", error)) < 0) {
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

/* Numbers the features of the columns of text before column end, from 0. */
static enum hinge_status begin_texts(struct map_reader *reader, size_t end, const char *place,
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

static enum hinge_status read_scale(struct map_reader *reader, struct hinge_error *error)
{
    struct map *map = reader->map;
    const char *begin = reader->p;
    size_t feature;

    if (begin_texts(reader, map->columns, begin, error) ||
        take_number(reader, 1, map_features(map), "feature", &feature, error))
        return failure(error);
    if (feature <= map->scales)
        return source_fail(&reader->source, begin, error,
                           "feature %lu is not above the previous one", (unsigned long)feature);
    if (map_add_scales(map, (uint32_t)feature, error))
        return failure(error);
    return take_double(reader, "offset", &map->scale[feature - 1].offset, error) ||
                   take_double(reader, "factor", &map->scale[feature - 1].factor, error)
               ? failure(error)
               : HINGE_OK;
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
    if (take_number(reader, 1, (size_t)most, "number of rows", &texts, error) ||
        take_text(reader, error))
        return failure(error);
    reader->map->words++;
    status = bag_restore(bag, reader->text, (uint32_t)texts, error);
    if (status == HINGE_BAD_INPUT)
        return source_fail(&reader->source, place, error, "the feature is repeated");
    return status;
}

static enum hinge_status read_feature(struct map_reader *reader, struct hinge_error *error)
{
    struct map *map = reader->map;
    const char *begin = reader->p;
    enum column_kind kind;
    char first[32];
    size_t feature, column;
    uint32_t number = 0;
    int what, order, is_number;

    if (take_number(reader, 1, LARGEST_INDEX, "feature", &feature, error) ||
        take_number(reader, 1, map->columns, "column", &column, error) ||
        (what = take_word(reader, feature_kinds, "number, category, missing, days or word",
                          error)) < 0)
        return failure(error);
    is_number = what == FEATURE_NUMBER || what == FEATURE_DAYS;
    if (!is_number &&
        begin_texts(reader, what == FEATURE_WORD ? column : map->columns, begin, error))
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
        if ((order = take_word(reader, map_order_names, "ymd, dmy or mdy", error)) < 0)
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
    if (take_text(reader, error) ||
        dictionary_add(&map->others, first, strlen(first), reader->text,
                       what == FEATURE_CATEGORY ? strlen(reader->text) : 0, &number, error))
        return failure(error);
    return map_features(map) == feature
               ? HINGE_OK
               : source_fail(&reader->source, begin, error, "the feature is repeated");
}

/* Reads the rest of a line. */
static enum hinge_status read_line(struct map_reader *reader, enum key key,
                                   struct hinge_error *error)
{
    static const char *const versions[] = {"1", "2", "3", NULL};
    static const char *const switches[] = {"0", "1", NULL};
    static const struct {
        const char *const *words;
        const char *expected;
    } head[HEAD] = {[VERSION] = {versions, "version 1, 2 or 3"},
                    [SEPARATOR] = {map_separator_names, "a separator"},
                    [DECIMAL] = {map_decimal_names, "point or comma, or either with -thousands"},
                    [MISSING] = {map_missing_names, "refused, zero, mean, column or auto"},
                    [NAMES] = {switches, "0 or 1"}};
    struct map *map = reader->map;
    const char *begin = reader->p;
    char sum[20];
    size_t column;
    int word = 0;

    if (key < HEAD && (word = take_word(reader, head[key].words, head[key].expected, error)) < 0)
        return failure(error);
    switch (key) {
    case VERSION:
        map->notation.version = word + 1;
        break;
    case SEPARATOR:
        map->separator = map_separators[word];
        break;
    case DECIMAL:
        map->notation.decimal_comma = word % 2;
        map->notation.thousands = word / 2;
        break;
    case MISSING:
        map->missing = (enum missing)word;
        break;
    case NAMES:
        map->named = word;
        break;
    case SPELLING:
        return take_new(reader, &map->notation.missing, "spelling", error);
    case COLUMN:
        return read_column(reader, error);
    case CLASS:
        return take_next(reader, (size_t)map->classes.count + 1, "class", error)
                   ? failure(error)
                   : take_new(reader, &map->classes, "class", error);
    case TEXT:
        return read_text(reader, error);
    case MEAN:
        if (take_number(reader, 1, map->columns, "column", &column, error))
            return failure(error);
        if (!column_has_number(map->column[column - 1].kind))
            return source_fail(&reader->source, begin, error, "column %zu is none of numbers",
                               column);
        return take_double(reader, "mean", &map->column[column - 1].mean, error);
    case FEATURE:
        return read_feature(reader, error);
    case SCALE:
        return read_scale(reader, error);
    case END:
        snprintf(sum, sizeof sum, "%016" PRIx64, reader->sum);
        if (!is_word(begin, reader->end, sum))
            return source_fail(&reader->source, begin, error,
                               "the checksum is not that of the lines before: the map was "
                               "changed; convert -s makes it anew");
    }
    return HINGE_OK;
}

/* Reads the lines, each key at its place. Keys of the head occur once, the others any number of
 * times.
 */
static enum hinge_status read_lines(struct map_reader *reader, struct hinge_error *error)
{
    static const char *const first[] = {"hinge-map", NULL};
    static const char line[] = MODEL_MAP MODEL_MAP_HEAD;
    struct source *source = &reader->source;
    int place = VERSION, key, found;
    uint64_t sum;
    const char *begin, *end;

    while ((found = source_line(source, &end, error)) > 0) {
        reader->p = source->cursor;
        if (reader->in_model) {
            const size_t known = strlen(place == VERSION ? line : MODEL_MAP);

            if (strncmp(reader->p, line, known) != 0) {
                source_next_line(source, *end ? end : end - 1);
                continue;
            }
            reader->p += strlen(MODEL_MAP);
        }
        begin = reader->p;
        reader->end = end > begin && end[-1] == '\r' ? end - 1 : end;
        key = take_word(reader, place == VERSION ? first : key_names,
                        place < HEAD ? key_names[place]
                                     : "column, class, text, mean, feature, scale or end",
                        error);
        if (key < 0)
            return failure(error);
        if (key < place || (place < HEAD && key != place) || place == END)
            return source_fail(source, begin, error, "'%s' after '%s'", key_names[key],
                               key_names[place > VERSION && place < HEAD ? place - 1 : place]);
        if (key > (int)reader->last)
            return HINGE_OK;
        sum = checksum(reader->sum, begin, (size_t)(reader->end - begin));
        if (read_line(reader, (enum key)key, error) ||
            (reader->copy && model_map_append(reader->copy, begin, reader->end, error)))
            return failure(error);
        reader->sum = checksum(sum, "\n", 1);
        place = key < HEAD ? key + 1 : key;
        source_next_line(source, *end ? end : end - 1);
    }
    if (found < 0)
        return failure(error);
    if (place == VERSION && reader->in_model)
        return fail(error, HINGE_BAD_INPUT,
                    "%s:1:1: the model has no map: train --map MAP puts one into it", source->name);
    if (place < HEAD)
        return source_fail(source, source->cursor, error, "%s expected", key_names[place]);
    if (reader->map->columns == 0)
        return source_fail(source, source->cursor, error, "column expected");
    if (reader->features < reader->map->numbers)
        return source_fail(source, source->cursor, error, "feature %lu expected",
                           (unsigned long)reader->features + 1);
    if (begin_texts(reader, reader->map->columns, source->cursor, error))
        return failure(error);
    return place == END || reader->map->notation.version == 1
               ? HINGE_OK
               : source_fail(source, source->cursor, error,
                             "end expected: the map is cut short; convert -s makes it anew");
}

enum hinge_status map_read_source(struct map *map, struct source *source, struct model_map *copy,
                                  struct hinge_error *error)
{
    struct map_reader reader = {
        .map = map, .source = *source, .last = END, .copy = copy, .sum = CHECKSUM_NONE};
    const char *end;
    enum hinge_status status = HINGE_OK;

    if (source_line(&reader.source, &end, error) < 0)
        status = failure(error);
    map->in_model = reader.in_model = !status && model_begins(&reader.source);
    if (!status)
        status = read_lines(&reader, error);
    *source = reader.source;
    free(reader.text);
    return status;
}

enum hinge_status map_read_model(struct map *map, const char *path, const struct hinge_model *model,
                                 int only_classes, struct hinge_error *error)
{
    const struct model_map *lines = &model->map;
    struct map_reader reader = {.map = map,
                                .source = {.name = source_name(path),
                                           .buffer = lines->text,
                                           .capacity = lines->length,
                                           .cursor = lines->text,
                                           .end = lines->text + lines->length,
                                           .exhausted = 1,
                                           .line = lines->line},
                                .in_model = 1,
                                .last = only_classes ? CLASS : END,
                                .sum = CHECKSUM_NONE};
    const enum hinge_status status = read_lines(&reader, error);
    const char *last = lines->text + lines->length - 1;

    free(reader.text);
    if (status || !only_classes || map->notation.version == 1)
        return status;
    while (last > lines->text && last[-1] != '\n')
        last--;
    return strncmp(last, MODEL_MAP "end ", strlen(MODEL_MAP) + 4) == 0
               ? HINGE_OK
               : fail(error, HINGE_BAD_INPUT,
                      "%s:1:1: the map in the model is cut short; train --map makes it anew",
                      source_name(path));
}

enum hinge_status map_read(struct map *map, const char *path, struct hinge_error *error)
{
    struct source source;
    enum hinge_status status;

    if (source_open(&source, path, error))
        return failure(error);
    status = map_read_source(map, &source, NULL, error);
    source_close(&source);
    return status;
}
