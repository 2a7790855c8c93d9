/* options.h - the command line of a program. Its table of options gives the parser, the places
 * where values are stored, their checks, the usage text, the completion, and the list of options in
 * the manual. The source of the manual, src/man/NAME.1.in, has sentences about each option. */
#ifndef HINGE_CLI_OPTIONS_H
#define HINGE_CLI_OPTIONS_H

#include <stddef.h>

#include "hinge.h"

enum option_kind {
    OPTION_FLAG,         /* no value: stores 1 in an int */
    OPTION_SWITCH,       /* 0 or 1, stored in an int; an option with 0 counts as not given */
    OPTION_NUMBER,       /* a finite number, stored in a double */
    OPTION_NOT_NEGATIVE, /* a number of at least 0 */
    OPTION_POSITIVE,     /* a number above 0 */
    OPTION_COUNT,        /* digits only, stored in a uint32_t or uint64_t */
    OPTION_WORD,         /* one of words, stored in an enum: least is the number of the first one */
    OPTION_TEXT,         /* stored in a const char * */
    OPTION_FILE,         /* the name of a file that is not checked */
    OPTION_INPUT,        /* the name of a file that is read */
    OPTION_OUTPUT,       /* the name of a file that is written */
    OPTION_READ          /* read stores the value */
};

struct given;

/* How an option's value is checked, and where it is stored. */
struct option_value {
    enum option_kind kind;
    unsigned offset;          /* offset of a member of the program's settings */
    unsigned size;            /* bytes of the member */
    const char *const *words; /* the values of OPTION_WORD, or words that completion proposes, ended
                                 by NULL; option_solvers: numbers and names of the solvers */
    double least;             /* smallest OPTION_COUNT */
    double most;              /* largest OPTION_COUNT; 0: no limit */
    enum hinge_status (*read)(void *settings, const struct given *given, struct hinge_error *error);
};

/* Initialise the value of an option, which is stored in a member of SETTINGS, a type that the file
 * with the table defines. STORE takes a kind that needs nothing else, STORE_COUNT the limits of a
 * count, STORE_WORD the words and the number of the first one, and STORE_BY a function. */
#define STORE(kind, member)              STORE_ALL(kind, member, NULL, 0, 0, NULL)
#define STORE_COUNT(member, least, most) STORE_ALL(COUNT, member, NULL, least, most, NULL)
#define STORE_WORD(member, words, first) STORE_ALL(WORD, member, words, first, 0, NULL)
#define STORE_SWITCH(member)             STORE_ALL(SWITCH, member, option_switches, 0, 0, NULL)
#define STORE_BY(read, member, words)    STORE_ALL(READ, member, words, 0, 0, read)
#define STORE_ALL(kind, member, words, least, most, read)                                          \
    {                                                                                              \
        OPTION_##kind, offsetof(SETTINGS, member), sizeof(((SETTINGS *)NULL)->member), words,      \
            least, most, read                                                                      \
    }
#define STORE_NOTHING                                                                              \
    {                                                                                              \
        OPTION_FLAG, 0, 0, NULL, 0, 0, NULL                                                        \
    }

/* An option. A letter that ends in '*' is followed directly by text: "-w*" matches "-w-1". An
 * argument in brackets, "[=json]", is optional and never a separate argument of the command line.
 * An argument of two words, "LO UP", is two values, the second of which is always separate. */
struct option {
    int key;                   /* > 0, unique in its table */
    enum { FULL, BRIEF } list; /* BRIEF: also in the list of --help, which has one line for it */
    const char *letter;        /* "-s", or NULL */
    const char *name;          /* "--solver" */
    const char *argument;      /* name of the value in the usage text; NULL: no value */
    struct option_value value;
    const char *group; /* heading in the list; options of a group are adjacent */
    const char *help;  /* effect in a few words; the brief list has the words up to a ';' */
};

/* Keys that all programs share. The keys of a program start at OPTIONS_OWN. */
enum { OPTIONS_OPERAND, HELP, VERSION, OPTIONS_OWN };

/* The last rows of each table. */
#define OPTIONS_HELP "print this text; --help all prints all options"
#define OPTIONS_LAST(group)                                                                        \
    {HELP, BRIEF, "-h", "--help", NULL, STORE_NOTHING, group, OPTIONS_HELP},                       \
        {VERSION, BRIEF, NULL, "--version", NULL, STORE_NOTHING, group, "print the version"},      \
    {                                                                                              \
        .key = 0                                                                                   \
    }

/* The words of a switch, the words of --metrics, and an empty list whose address stands for the
 * solvers. */
extern const char *const option_switches[], *const option_json[], *const option_solvers[];

/* The options of each program, ended by key 0. */
extern const struct option train_options[];
extern const struct option predict_options[];
extern const struct option scale_options[];
extern const struct option convert_options[];
extern const struct option inspect_options[];

/* The exit statuses from 2 on of a program that writes a file. */
#define OPTIONS_STATUSES                                                                           \
    ", 2 usage, 3 file not readable or writable,\n"                                                \
    "4 out of memory, 130 interrupted (no output file)."

/* A set of keys. */
#define BIT(key) (UINT64_C(1) << (key))

/* An operand: the name of a file, stored as a const char *. */
struct operand {
    const char *called;                       /* name in messages: "the data" */
    enum { READ, WRITTEN, STREAMED } purpose; /* STREAMED: written, also to standard output */
    size_t offset;                            /* offset of a member of the program's settings */
};

/* The keys of two options. */
struct option_pair {
    int one;
    int other;
};

/* The current option or operand of a command line. */
struct given {
    const char *spelling;        /* the option as it was written, for messages */
    const struct option *option; /* NULL: an operand */
    const char *value;           /* the value, or the operand; NULL: none */
    const char *more;            /* the text after a letter with '*', or the second value */
    char **words;                /* [word_count] the arguments that the option consists of */
    int word_count;
    int operands_only; /* 1 after "--" */
};

/* Description of a program's command line. --help prints at most a screen. */
struct program {
    const struct option *options;        /* ended by key 0 */
    const struct operand *operands;      /* ended by called == NULL */
    const struct option_pair *exclusive; /* exclude each other; ended by {0, 0}; NULL: none */
    const struct option_pair *needs; /* the first needs the second; ended by {0, 0}; NULL: none */
    const char *usage;               /* '@' stands for the name of the program */
    void (*print_more)(int all); /* prints text after the options; all: --help all; NULL: none */
    const char *end;             /* end of --help all: the exit statuses */

    /* Sees each option and operand before its value is stored; NULL: nothing to do. */
    enum hinge_status (*note)(void *settings, const struct given *given, struct hinge_error *error);

    /* Sets values that depend on several options, and refuses options that exclude each other.
     * given is a set of keys. */
    enum hinge_status (*check)(void *settings, uint64_t given, struct hinge_error *error);
};

/* Reads and checks the command line. Options and operands may mix. All arguments after "--" are
 * operands, and "-" is one. Sets *ended to 1 after --help or --version, which leave nothing to do.
 */
enum hinge_status options_read(const struct program *program, void *settings, int argc, char **argv,
                               int *ended, struct hinge_error *error);

/* Begins a run: reads the command line, and prints the usage if it has no arguments. Returns the
 * exit status, or OPTIONS_RUN if there is work to do. */
enum { OPTIONS_RUN = -1 };
int options_begin(const struct program *program, void *settings, int argc, char **argv);

/* Prints the usage to standard error, for a call without arguments. Returns the exit status. */
int options_usage(const struct program *program, const char *name);

/* Returns the name of an option in messages. */
const char *options_called(const struct option *table, int key);

/* Fills error with HINGE_BAD_ARGUMENT, the option as it was written, and the reason. */
enum hinge_status option_fail(const struct given *given, struct hinge_error *error,
                              const char *reason);

/* Fills error with "-c: 'VALUE' is not WANTED". */
enum hinge_status option_fail_value(const struct given *given, const char *wanted,
                                    struct hinge_error *error);

/* Returns the position of the value among the words of its option, or -1 and *error. */
int option_word(const struct given *given, struct hinge_error *error);

/* Formats of printed metrics. */
enum metrics_format { METRICS_NONE, METRICS_TEXT, METRICS_JSON };

/* Stores the value of "--metrics", "--metrics=json" or "--json", an enum metrics_format. */
enum hinge_status option_metrics(void *settings, const struct given *given,
                                 struct hinge_error *error);

/* ---- Files -------------------------------------------------------------- */

/* A property of the files of a command line.
 *
 * FILES_NAMES: no output has the name of an input or of another output, only a streamed output is
 * standard output, and at most one input is standard input. Devices may be named several times.
 *
 * FILES_WRITABLE: outputs that are not streamed can be written. The check leaves no trace.
 *
 * FILES_CONTENTS: no output has the same content as an input. Two files with the same content may
 * be one file with two names, which C99 cannot tell. The check only reads, up to the first
 * difference, and reads no files of different size. Check it when the inputs are read, or at least
 * open, because opening a named pipe earlier would harm its writer. */
enum files_property { FILES_NAMES, FILES_WRITABLE, FILES_CONTENTS };

/* Fails unless the files have the property. */
enum hinge_status files_check(const struct program *program, const void *settings,
                              enum files_property property, struct hinge_error *error);

/* ---- Similar words -------------------------------------------------------- */

/* A search for the known word closest to a misspelt one. */
struct nearest {
    const char *word;
    size_t length;
    size_t distance;  /* the smallest so far; at first, the smallest one that is too large */
    const char *best; /* the text for the best candidate; NULL: no candidate is close enough */
};

struct nearest nearest_begin(const char *word, size_t length);

/* Stores `as` if the candidate is closer than all earlier ones. The distance is the number of
 * letters that are missing, superfluous, wrong or swapped with the next one; case does not count. A
 * prefix of a candidate has distance 1. */
void nearest_try(struct nearest *nearest, const char *candidate, const char *as);

#endif
