/* options.h - the command line of all programs: one table serves parser, usage text, manual page
 * and completion. */
#ifndef HINGE_CLI_OPTIONS_H
#define HINGE_CLI_OPTIONS_H

#include <stdio.h>

#include "hinge.h"

/* An option. The parser, --help, the manual pages and the completion of the shells are made from
 * this. A letter that ends in '*' is followed directly by text: "-w*" matches "-w-1". An argument
 * in brackets, "[=json]", is optional and never a separate argument of the command line. */
struct option {
    int key;                   /* > 0, unique in its table */
    enum { FULL, BRIEF } list; /* BRIEF: also in the list of --help, which has one line for it */
    const char *letter;        /* "-s", or NULL */
    const char *name;          /* "--solver" */
    const char *argument;      /* the name of its value in the usage text; NULL: no value */
    const char *const *words;  /* the values it takes, ended by NULL; or OPTION_NUMBER, ... below */
    const char *group;         /* its heading; options of a group are adjacent */
    const char *help;    /* what it does, in a few words; the brief list has those up to a ';' */
    const char *details; /* sentences for the manual page; NULL: help, made a sentence */
};

/* Kinds of values that are not listed: empty lists, distinguished by address. */
extern const char *const OPTION_NUMBER[];
extern const char *const OPTION_FILE[];
extern const char *const OPTION_SOLVER[]; /* number or name of a solver */

/* The options of each program, ended by key 0. */
extern const struct option train_options[];
extern const struct option predict_options[];
extern const struct option scale_options[];
extern const struct option convert_options[];
extern const struct option inspect_options[];

/* Keys that all programs share; those of a program start at OPTIONS_OWN. */
enum { OPTIONS_OPERAND, HELP, VERSION, OPTIONS_OWN };

/* What all programs say of -h. */
#define OPTIONS_HELP "print this text; with --help all all options"
#define OPTIONS_HELP_DETAILS                                                                       \
    "Print the options that are used most; as --help all, all options in groups and the exit "     \
    "statuses."

/* The other exit statuses of a program that writes a file. */
#define OPTIONS_STATUSES                                                                           \
    ", 2 usage, 3 file not readable or writable,\n"                                                \
    "4 out of memory, 130 interrupted (no output file)."

/* A set of keys. */
#define BIT(key) (UINT64_C(1) << (key))

/* The state of the parser. */
struct options {
    const struct option *table; /* ended by key 0 */
    int count;                  /* of arguments, argv[0] included */
    char **arguments;
    int position;                /* the next argument; 1 to begin with */
    int operands_only;           /* "--" was read */
    const char *given;           /* the option as it was written, for messages */
    const struct option *option; /* the current option */
    const char *value;           /* its value, or the operand; NULL: none */
    const char *more;            /* the text after a letter with '*' */
};

/* How a program reads its command line. --help is a screen at most. */
struct reading {
    const struct option *table;
    void (*print_usage)(const char *program, FILE *stream);
    void (*print_more)(int all); /* after the options; all: --help all; NULL: no more */
    const char *end;             /* of --help all: the exit statuses */
    /* Stores the current option or operand. */
    enum hinge_status (*take)(void *settings, int key, const struct options *options,
                              struct hinge_error *error);
};

/* Reads the command line. Options and operands may mix; after "--" all are operands; "-" is an
 * operand. *given is set to the options read, *ended to 1 after --help or --version: the program
 * has nothing else to do. */
enum hinge_status options_read(const struct reading *reading, int argc, char **argv, void *settings,
                               uint64_t *given, int *ended, struct hinge_error *error);

/* The name of an option in messages. */
const char *options_called(const struct option *table, int key);

/* Refuses pairs of options that exclude each other. */
enum hinge_status options_exclude(const struct option *table, uint64_t given, const int (*pair)[2],
                                  size_t pairs, struct hinge_error *error);

/* Fills error with HINGE_BAD_ARGUMENT, the option as it was written, and the reason. */
enum hinge_status option_fail(const struct options *options, struct hinge_error *error,
                              const char *reason);

/* Stores the operand in the first of count places that is NULL; fails if there is none. */
enum hinge_status option_operand(const struct options *options, const char **const *places,
                                 size_t count, struct hinge_error *error);

/* The option's value as a finite number. */
enum hinge_status option_number(const struct options *options, double *number,
                                struct hinge_error *error);

/* The same, at least 0. */
enum hinge_status option_not_negative(const struct options *options, double *number,
                                      struct hinge_error *error);

/* The same, above 0. */
enum hinge_status option_positive(const struct options *options, double *number,
                                  struct hinge_error *error);

/* The option's value as a whole number below 2^64, of digits only. */
enum hinge_status option_count(const struct options *options, uint64_t *count,
                               struct hinge_error *error);

/* The option's value as 0 or 1. */
enum hinge_status option_switch(const struct options *options, int *on, struct hinge_error *error);

/* The position of the option's value among its words; -1 and *error if it is none of them. */
int option_word(const struct options *options, struct hinge_error *error);

/* How metrics are printed. */
enum metrics_format { METRICS_NONE, METRICS_TEXT, METRICS_JSON };

/* The value of "--metrics" or "--metrics=json". */
enum hinge_status option_metrics(const struct options *options, enum metrics_format *format,
                                 struct hinge_error *error);

#endif
