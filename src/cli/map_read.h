/* map_read.h - reading the lines of a map: map_words.c takes the words of a line, map_features.c
 * reads the lines of texts, features and scales, and map_read.c reads all others and knows their
 * order.
 */
#ifndef HINGE_CLI_MAP_READ_H
#define HINGE_CLI_MAP_READ_H

#include "cli/map.h"
#include "data/token.h"

/* A map that is being read, line by line. */
struct map_reader {
    struct source source;
    const char *p;   /* position in the current line */
    const char *end; /* end of the current line */
    struct map *map;
    size_t capacity;        /* room in map->column */
    size_t texts;           /* the features of columns of text before this column are numbered */
    uint32_t features;      /* features numbered so far */
    int in_model;           /* lines of the map begin with MODEL_MAP; other lines are skipped */
    int last;               /* lines with later keys, of enum key, are not read */
    struct model_map *copy; /* gets the lines; NULL: no copy is wanted */
    uint64_t sum;           /* checksum of the lines before the current one */
    char *text;             /* the rest of a line, its escapes replaced */
    size_t room;
};

/* ---- The words of a line ------------------------------------------------- */

/* Returns the position of the next word in a list, or -1 and *error. */
int map_take_word(struct map_reader *reader, const char *const *words, const char *expected,
                  struct hinge_error *error);

/* Reads the next word as a whole number from least to most. */
enum hinge_status map_take_number(struct map_reader *reader, size_t least, size_t most,
                                  const char *expected, size_t *number, struct hinge_error *error);

/* Reads the next word as a number with a fraction. */
enum hinge_status map_take_double(struct map_reader *reader, const char *what, double *value,
                                  struct hinge_error *error);

/* Reads the next word, which must be the wanted number. */
enum hinge_status map_take_next(struct map_reader *reader, size_t wanted, const char *what,
                                struct hinge_error *error);

/* Copies the rest of the line, without its escapes, to reader->text. */
enum hinge_status map_take_text(struct map_reader *reader, struct hinge_error *error);

/* ---- The lines of features ------------------------------------------------ */

/* Reads the settings of a column of text. */
enum hinge_status map_read_text(struct map_reader *reader, struct hinge_error *error);

/* Numbers the features of the columns of text before column end, from 0. An error is at place. */
enum hinge_status map_begin_texts(struct map_reader *reader, size_t end, const char *place,
                                  struct hinge_error *error);

/* Reads the index and the kind of a feature, and its text. */
enum hinge_status map_read_feature(struct map_reader *reader, struct hinge_error *error);

/* Reads the offset and the factor of a feature. */
enum hinge_status map_read_scale(struct map_reader *reader, struct hinge_error *error);

#endif
