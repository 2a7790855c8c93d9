/* map_read.c - reads the lines of a map: "key words text", keys in the order of key_names. */
#include "cli/map_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "base/status.h"

/* The keys in the order of their lines. Those before HEAD occur once. */
enum key {
    VERSION,
    SEPARATOR,
    DECIMAL,
    MISSING,
    NAMES,
    HEAD,
    QUOTES = HEAD,
    SPELLING,
    COLUMN,
    CLASS,
    TEXT,
    MEAN,
    FEATURE,
    SCALE,
    END
};
static const char *const key_names[] = {"hinge-map", "separator", "decimal", "missing", "names",
                                        "quotes",    "spelling",  "column",  "class",   "text",
                                        "mean",      "feature",   "scale",   "end",     NULL};

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
    if (map_take_next(reader, map->columns + 1, "column", error) ||
        (kind = map_take_word(reader, map_kind_names, "the kind of the column", error)) < 0)
        return failure(error);
    column->kind = (enum column_kind)kind;
    if ((kind == COLUMN_LABEL || kind == COLUMN_WORDS) && map_label(map) < map->columns)
        return source_fail(&reader->source, begin, error, "a second column with labels");
    if (column_has_number(column->kind))
        column->feature = ++map->numbers;
    if (reader->p < reader->end) {
        if (map_take_text(reader, error))
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

    if (map_take_text(reader, error) ||
        dictionary_add(words, reader->text, strlen(reader->text), "", 0, &number, error))
        return failure(error);
    return number == count ? HINGE_OK
                           : source_fail(&reader->source, begin, error, "the %s is repeated", what);
}

/* Reads the rest of a line of the head. */
static enum hinge_status read_head(struct map_reader *reader, enum key key,
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
    const int word = map_take_word(reader, head[key].words, head[key].expected, error);

    if (word < 0)
        return failure(error);
    if (key == VERSION) {
        map->notation.version = word + 1;
    } else if (key == SEPARATOR) {
        map->separator = map_separators[word];
    } else if (key == DECIMAL) {
        map->notation.decimal_comma = word % 2;
        map->notation.thousands = word / 2;
    } else if (key == MISSING) {
        map->missing = (enum missing)word;
    } else {
        map->named = word;
    }
    return HINGE_OK;
}

/* Reads the rest of a line. */
static enum hinge_status read_line(struct map_reader *reader, enum key key,
                                   struct hinge_error *error)
{
    static const char *const letters[] = {"letters", NULL};
    struct map *map = reader->map;
    const char *begin = reader->p;
    char sum[20];
    size_t column;

    switch (key) {
    case QUOTES:
        map->notation.plain_quotes = 1;
        return map_take_word(reader, letters, "letters", error) < 0 ? failure(error) : HINGE_OK;
    case SPELLING:
        return take_new(reader, &map->notation.missing, "spelling", error);
    case COLUMN:
        return read_column(reader, error);
    case CLASS:
        return map_take_next(reader, (size_t)map->classes.count + 1, "class", error)
                   ? failure(error)
                   : take_new(reader, &map->classes, "class", error);
    case TEXT:
        return map_read_text(reader, error);
    case MEAN:
        if (map_take_number(reader, 1, map->columns, "column", &column, error))
            return failure(error);
        if (!column_has_number(map->column[column - 1].kind))
            return source_fail(&reader->source, begin, error, "column %zu is none of numbers",
                               column);
        return map_take_double(reader, "mean", &map->column[column - 1].mean, error);
    case FEATURE:
        return map_read_feature(reader, error);
    case SCALE:
        return map_read_scale(reader, error);
    case END:
        snprintf(sum, sizeof sum, "%016" PRIx64, reader->sum);
        return is_word(begin, reader->end, sum)
                   ? HINGE_OK
                   : source_fail(&reader->source, begin, error,
                                 "the checksum is not that of the lines before: the map was "
                                 "changed; convert -s makes it anew");
    default:
        return read_head(reader, key, error);
    }
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
        key = map_take_word(reader, place == VERSION ? first : key_names,
                            place < HEAD ? key_names[place]
                                         : "column, class, text, mean, feature, scale or end",
                            error);
        if (key < 0)
            return failure(error);
        if (key < place || (place < HEAD && key != place) || place == END)
            return source_fail(source, begin, error, "'%s' after '%s'", key_names[key],
                               key_names[place > VERSION && place < HEAD ? place - 1 : place]);
        if (key > reader->last)
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
    if (map_begin_texts(reader, reader->map->columns, source->cursor, error))
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
