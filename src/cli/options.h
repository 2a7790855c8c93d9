/* options.h - the command line of all programs: one table serves parser, usage text, manual page
 * and completion. */
#ifndef HINGE_CLI_OPTIONS_H
#define HINGE_CLI_OPTIONS_H

#include <stdio.h>

#include "hinge.h"

/* An option: all that is known of it. The parser, --help, the manual pages and the completion of
 * the shells take it from here. A letter that ends in '*' takes more text behind it, "-w*" matches
 * "-w-1". An argument in brackets, "[=json]", may be left out, and is no argument of its own on the
 * command line. */
struct option {
    int key;                  /* which it is, > 0 */
    const char *letter;       /* "-s", or NULL */
    const char *name;         /* "--solver" */
    const char *argument;     /* what the usage text calls its value; NULL: it takes none */
    const char *const *words; /* the values it takes, ended by NULL; or OPTION_NUMBER, ... below */
    const char *group;        /* what it is about; options of a group stand together */
    const char *help;         /* what it does, in a few words */
    const char *details;      /* for the manual page: whole sentences instead of help; NULL: help,
                                 as a sentence */
};

/* Values that are not to be listed, told apart by address; all empty lists. */
extern const char *const OPTION_NUMBER[];
extern const char *const OPTION_FILE[];
extern const char *const OPTION_SOLVER[]; /* number or name of one */

/* Those of each program, ended by key 0. */
extern const struct option train_options[];
extern const struct option predict_options[];
extern const struct option scale_options[];

/* Keys: those that all programs have; a program's own begin with OPTIONS_OWN. */
enum { OPTIONS_OPERAND, HELP, VERSION, OPTIONS_OWN };

/* A set of keys. */
#define BIT(key) (UINT64_C(1) << (key))

/* A walk along the arguments. */
struct options {
    const struct option *table; /* ended by key 0 */
    int count;                  /* of arguments, argv[0] included */
    char **arguments;
    int position;                /* the next argument; 1 to begin with */
    int operands_only;           /* "--" was met */
    const char *given;           /* the option as it was written, for messages */
    const struct option *option; /* what was found */
    const char *value;           /* its value, or the operand; NULL: none */
    const char *more;            /* the text behind a letter with '*' */
};

/* What a program does with its command line. */
struct reading {
    const struct option *table;
    void (*print_help)(const char *program);
    /* Takes an option, or an operand, that the walk is at. */
    enum hinge_status (*take)(void *settings, int key, const struct options *options,
                              struct hinge_error *error);
};

/* Reads all of it; options and operands may mix, behind "--" all are operands, "-" is one. *given:
 * the options there were. *ended: help or version is printed, and that is all there is to do. */
enum hinge_status options_read(const struct reading *reading, int argc, char **argv, void *settings,
                               uint64_t *given, int *ended, struct hinge_error *error);

/* How messages call an option of the table. */
const char *options_called(const struct option *table, int key);

/* Refuses pairs of options that exclude each other. */
enum hinge_status options_exclude(const struct option *table, uint64_t given, const int (*pair)[2],
                                  size_t pairs, struct hinge_error *error);

/* Prints the options, group by group. */
void options_print(const struct option *table, FILE *stream);

/* Fills error with HINGE_BAD_ARGUMENT, the option as it was written, and the reason. */
enum hinge_status option_fail(const struct options *options, struct hinge_error *error,
                              const char *reason);

/* Stores the operand in the first of count places that is NULL; fails if there is none. */
enum hinge_status option_operand(const struct options *options, const char **const *places,
                                 size_t count, struct hinge_error *error);

/* The option's value as a finite number. */
enum hinge_status option_number(const struct options *options, double *number,
                                struct hinge_error *error);

/* The same, above 0. */
enum hinge_status option_positive(const struct options *options, double *number,
                                  struct hinge_error *error);

/* The option's value as digits alone, below 2^64. */
enum hinge_status option_count(const struct options *options, uint64_t *count,
                               struct hinge_error *error);

/* The position of the option's value among its words; -1 and *error if it is none of them. */
int option_word(const struct options *options, struct hinge_error *error);

/* How metrics are to be printed. */
enum metrics_format { METRICS_NONE, METRICS_TEXT, METRICS_JSON };

/* The value of "--metrics" or "--metrics=json". */
enum hinge_status option_metrics(const struct options *options, enum metrics_format *format,
                                 struct hinge_error *error);

/* A finite number from text that holds nothing else; 0 if it is none. */
int parse_whole(const char *text, double *number);

#endif
