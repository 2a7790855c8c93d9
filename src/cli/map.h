/* clang-format off */
/* map.h - the map from the columns of a table to features: convert -s writes it, convert -r and
 * --labels read it, and inspect takes the names of features from it.
 *
 * The file is text, one line for each item, in this order:
 *
 *     hinge-map 3                the version of this format
 *     separator comma            comma, semicolon, tab, bar, blanks or lines
 *     decimal point              point or comma, in numbers of the table; point-thousands: 1,234
 *                                is 1234; comma-thousands: 1.234 is
 *     missing mean               the value for missing ones: refused, zero, mean, column or
 *                                auto: mean, and columns of missing values
 *     names 1                    1: the table begins with a line of names; 0: it does not
 *     spelling -999              each spelling of missing values besides those that are known
 *     column 1 ignored id        for each column of the table: its number from 1; its kind:
 *     column 2 words diagnosis   ignored, number, category, label (a label that is a number),
 *     column 3 number radius     words (one that is a word), date, text, weight or group; and its
 *     column 4 category shape    name, if it has one
 *     column 5 text notes
 *     class 1 benign             for labels that are words: the number in the data
 *     class 2 malignant
 *     text 5 ngrams 2 min-rows 2 max-features 0 weighting tf-idf hash 0 rows 569
 *                                for columns of text: column, settings, rows that were counted
 *     mean 3 14.127              for columns of numbers and dates: column, mean of its values
 *     feature 1 3 number         index from 1 and column of each feature: its value is that,
 *     feature 2 5 word 41 cyst   or days dmy: a date; the weight of a word, which 41 rows have;
 *     feature 3 4 category round 1 in rows with that category;
 *     feature 4 3 missing        1 in rows in which the column has no value
 *     feature 5 4 category flat
 *     scale 1 14.127 0.2838      for features that are scaled: index, OFFSET and FACTOR: the value in
 *                                the data is (value - OFFSET) * FACTOR
 *     end 2c9ab5d5cf2f1d7a       checksum of the lines before it, each with \n at its end
 *
 * Features of numbers and dates come first, in the order of columns, then the words of each column of
 * text, then the others in the order in which the table first has them. A column of text with
 * "hash 10" has 2^10 features and no lines for them. A name, category or class is the rest of its line
 * after one blank; in it \\ stands for a backslash, \n for a line feed, \r for a carriage return. Maps
 * of versions 1 and 2 are read, too. Those of version 1 have no last line and no spellings.
 */
/* clang-format on */
#ifndef HINGE_CLI_MAP_H
#define HINGE_CLI_MAP_H

#include "base/dictionary.h"
#include "data/cell.h"
#include "data/date.h"
#include "data/source.h"
#include "hinge.h"
#include "model/model.h"
#include "text/bag.h"

enum column_kind {
    COLUMN_IGNORED,
    COLUMN_NUMBER,
    COLUMN_CATEGORY,
    COLUMN_LABEL,
    COLUMN_WORDS,
    COLUMN_DATE, /* days since 1970, a number; month and weekday, categories */
    COLUMN_TEXT,
    COLUMN_WEIGHT, /* of the row, for train -W */
    COLUMN_GROUP   /* rows of one group stay together, for train's folds */
};

enum missing { MISSING_REFUSED, MISSING_ZERO, MISSING_MEAN, MISSING_COLUMN, MISSING_AUTO };

struct map_column {
    enum column_kind kind;
    char *name;       /* NULL: none */
    uint32_t feature; /* for a column of text or with column_has_number: its first index from 1 */
    double mean;      /* mean of the values that are there */
    enum date_order order; /* of a column of dates */
    struct bag *bag;       /* for a column of text: its words */
};

/* A feature has the value (value - offset) * factor in the data. */
struct map_scale {
    double offset;
    double factor;
};

struct map {
    char separator; /* as in struct table; 0: not known yet */
    struct notation notation;
    enum missing missing;
    int named;    /* the table has a line of names */
    int in_model; /* the map was read from a model */
    size_t columns;
    struct map_column *column; /* [columns] */
    struct dictionary classes; /* class k + 1 has the word k */
    uint32_t numbers;          /* features that are columns of numbers */
    uint32_t words;            /* features that are words of columns of text */
    struct dictionary others;  /* feature numbers + words + 1 + k is "4 category round" */
    struct map_scale *scale;   /* [scales] of the first features; values of others stay */
    uint32_t scales;
    size_t scale_room;
    uint32_t *filled; /* [fills] features whose zeros are scaled to other values, ascending */
    size_t fills;
};

/* True if the column has a feature with a value of its own: a number, or the days of a date. */
int column_has_number(enum column_kind kind);

/* True if at least one column has features. */
int map_has_features(const struct map *map);

/* Returns the column of the label, of which there is at most one; the number of columns if there is
 * none. */
size_t map_label(const struct map *map);

/* Turns a column into one of text, with no words yet. */
enum hinge_status map_add_text(struct map_column *column, const struct bag_settings *settings,
                               struct hinge_error *error);

/* Numbers the features of columns that have a number or are text, from their kinds and words. */
enum hinge_status map_number_features(struct map *map, struct hinge_error *error);

/* Reads a map from a file, or from a model that has one. Call map_free on failure, too. */
enum hinge_status map_read(struct map *map, const char *path, struct hinge_error *error);

/* Reads a map from an open source. Adds its lines to copy if that is not NULL. */
enum hinge_status map_read_source(struct map *map, struct source *source, struct model_map *copy,
                                  struct hinge_error *error);

/* Reads the map of a model, which path names in messages. With only_classes, reading ends after the
 * classes: the lines of a million features take a second. */
enum hinge_status map_read_model(struct map *map, const char *path, const struct hinge_model *model,
                                 int only_classes, struct hinge_error *error);
enum hinge_status map_write(const struct map *map, const char *path, struct hinge_error *error);
void map_free(struct map *map);

/* Returns the number of features. */
uint32_t map_features(const struct map *map);

/* Extends the scales to the first `features` features. The new ones change no value. */
enum hinge_status map_add_scales(struct map *map, uint32_t features, struct hinge_error *error);

/* Lists the features whose zeros are scaled to other values. */
enum hinge_status map_find_fills(struct map *map, struct hinge_error *error);

/* Returns the scaled value of a feature, an index from 1. */
static inline double map_scaled(const struct map *map, uint32_t feature, double value)
{
    if (feature > map->scales)
        return value;
    return (value - map->scale[feature - 1].offset) * map->scale[feature - 1].factor;
}

/* Prints the name of a feature, an index from 1 to map_features: "radius", "shape=round", "shape is
 * missing", "notes=benign", "notes #7" if words are hashed; a column without a name is "column 4".
 * Returns the length, as snprintf does. */
int map_feature_name(const struct map *map, uint32_t feature, char *text, size_t size);

/* Prints the name of a column, from 0, or "column 1". */
int map_column_name(const struct map *map, size_t column, char *text, size_t size);

/* The words of the file for separators, ended by NULL, and what they stand for. */
extern const char *const map_separator_names[];
extern const char map_separators[];

/* The words for numbers, at decimal_comma + 2 thousands of struct notation, ended by NULL. */
extern const char *const map_decimal_names[];

/* The words for enum column_kind, enum date_order, enum missing and enum weighting, ended by NULL.
 */
extern const char *const map_kind_names[], *const map_order_names[];
extern const char *const map_missing_names[], *const map_weighting_names[];

#endif
