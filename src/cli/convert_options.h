/* convert_options.h - what the command line of convert asks for. */
#ifndef HINGE_CLI_CONVERT_OPTIONS_H
#define HINGE_CLI_CONVERT_OPTIONS_H

#include "cli/map.h"
#include "cli/options.h"

enum header { HEADER_AUTO, HEADER_YES, HEADER_NO };

/* The values of an option that may be given several times. */
struct column_list {
    const char *item[32];
    size_t count;
};

struct convert_settings {
    const char *label; /* a column; NULL: the last one */
    int no_labels;
    struct column_list ignore;
    struct column_list categorical;
    enum missing missing;
    const char *save;    /* file for the map; NULL: none */
    const char *restore; /* map; NULL: none */
    const char *labels;  /* map of the words that numbers become; NULL: a table is converted */
    enum header header;
    char separator; /* 0: of the map, or from the first line */
    int decimal_comma;
    int quiet;
    const char *called;
    const char *program;
    const char *data; /* a table, or predicted labels */
    const char *output;
};

/* The options store into a struct convert_settings. */
extern const struct program convert_program;

#endif
