/* map.h - the map from the columns of a table to features: convert -s writes it, convert -r and
 * --labels read it, and inspect takes the names of features from it. hinge-files(5) lists its
 * lines.
 *
 * Features of numbers and dates come first, in the order of columns, then the words of each column
 * of text, then the others in the order in which the table first has them. A name, category or
 * class is the rest of a line. In it, \\ stands for a backslash, \n for a line feed, \r for a
 * carriage return.
 */
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
    COLUMN_WEIGHT, /* weight of the row, for train -W */
    COLUMN_GROUP   /* rows of one group stay together, for train's folds */
};

enum missing { MISSING_REFUSED, MISSING_ZERO, MISSING_MEAN, MISSING_COLUMN, MISSING_AUTO };

struct map_column {
    enum column_kind kind;
    char *name;       /* NULL: none */
    uint32_t feature; /* for a column of text or with column_has_number: its first index from 1 */
    double mean;      /* mean of the values that are there */
    enum date_order order; /* the order in a column of dates */
    struct bag *bag;       /* for a column of text: its words */
};

/* A feature has the value (value - offset) * factor in the data. */
struct map_scale {
    double offset;
    double factor;
};

struct map {
    char separator; /* separator as in struct table; 0: not known yet */
    struct notation notation;
    enum missing missing;
    int named;    /* the table has a line of names */
    int in_model; /* the map was read from a model */
    size_t columns;
    struct map_column *column; /* [columns] */
    struct dictionary classes; /* class k + 1 has the word k */
    uint32_t numbers;          /* features that are columns of numbers or dates */
    uint32_t words;            /* features that are words of columns of text */
    struct dictionary others;  /* feature numbers + words + 1 + k is "4 category round" */
    struct map_scale *scale;   /* [scales] scales of the first features; the others have none */
    uint32_t scales;
    size_t scale_room;
    uint32_t *filled; /* [fills] features whose zeros are scaled to other values, ascending */
    size_t fills;
};

/* True if the column has a feature with a value of its own: a number, or the days of a date. */
int column_has_number(enum column_kind kind);

/* True if at least one column has features. */
int map_has_features(const struct map *map);

/* Returns the position of the label's column, or the number of columns if there is no label. */
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

uint32_t map_features(const struct map *map);

/* Fails if the data have more features than the map. path and data are names for the message. */
enum hinge_status map_check_features(const struct map *map, const char *path, const char *data,
                                     uint32_t features, struct hinge_error *error);

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
