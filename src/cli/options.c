/* options.c - "-c 1", "--cost 1", "--cost=1", "-w-1 2". */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "cli/nearest.h"
#include "cli/report.h"
#include "data/digits.h"
#include "data/number.h"

const char *const OPTION_NUMBER[] = {NULL};
const char *const OPTION_FILE[] = {NULL};
const char *const OPTION_SOLVER[] = {NULL};

/* Is the argument the option's letter? *more is set to the text after a letter with '*'. */
static int matches_letter(const char *argument, const char *letter, const char **more)
{
    const size_t length = strcspn(letter, "*");

    if (!letter[length])
        return strcmp(argument, letter) == 0;
    if (strncmp(argument, letter, length) != 0 || !argument[length])
        return 0;
    *more = argument + length;
    return 1;
}

/* Is the argument the option's name? *value is set to the text after '='. */
static int matches_name(const char *argument, const char *name, const char **value)
{
    size_t length = strlen(name);

    if (strncmp(argument, name, length) != 0 || (argument[length] && argument[length] != '='))
        return 0;
    *value = argument[length] ? argument + length + 1 : NULL;
    return 1;
}

static const struct option *find(struct options *options, const char *argument)
{
    options->value = options->more = NULL;
    for (const struct option *option = options->table; option->key; option++) {
        int is_long = strncmp(argument, "--", 2) == 0;

        if (is_long && matches_name(argument, option->name, &options->value))
            return option;
        if (!is_long && option->letter && matches_letter(argument, option->letter, &options->more))
            return option;
    }
    return NULL;
}

/* May a wrong letter stand for the option's? One of the other case that has a value does not: such
 * options differ as much as -c and -C. */
static int may_be_meant(const struct option *option, char letter)
{
    return !option->argument || option->letter[1] == letter;
}

/* Refuses an unknown option and suggests a similar one. */
static void fail_unknown(const struct options *options, struct hinge_error *error)
{
    const char *argument = options->given, *name = argument + strspn(argument, "-");
    const struct option *joined = NULL; /* of "-c1": the option without its value */
    struct nearest nearest = nearest_begin(name, strcspn(name, "="));

    for (const struct option *option = options->table; option->key; option++) {
        if (option->letter && option->argument && argument[1] == option->letter[1] &&
            argument[1] != '-' && !strchr(option->letter, '*'))
            joined = option;
        nearest_try(&nearest, option->name + 2, option->name);
        if (option->letter && argument[1] && !argument[2] && may_be_meant(option, argument[1])) {
            const char letter[] = {option->letter[1], '\0'};

            nearest_try(&nearest, letter,
                        strchr(option->letter, '*') ? option->name : option->letter);
        }
    }
    if (nearest.best)
        error_fill(error, HINGE_BAD_ARGUMENT, "%s: there is no such option; did you mean %s?",
                   argument, nearest.best);
    else if (joined)
        error_fill(error, HINGE_BAD_ARGUMENT, "%s: there is no such option; did you mean %s %s?",
                   argument, joined->letter, argument + 2 + (argument[2] == '='));
    else
        option_fail(options, error, "there is no such option");
}

enum { OPTIONS_END = -1, OPTIONS_BAD = -2 };

/* Returns the key of the next option, OPTIONS_OPERAND, OPTIONS_END, or OPTIONS_BAD and *error. */
static int next(struct options *options, struct hinge_error *error)
{
    const char *argument;
    const struct option *option;

    if (options->position < options->count && !options->operands_only &&
        strcmp(options->arguments[options->position], "--") == 0) {
        options->operands_only = 1;
        options->position++;
    }
    if (options->position >= options->count)
        return OPTIONS_END;
    argument = options->given = options->arguments[options->position++];
    if (options->operands_only || argument[0] != '-' || argument[1] == '\0') {
        options->value = argument;
        return OPTIONS_OPERAND;
    }
    options->option = option = find(options, argument);
    if (!option) {
        fail_unknown(options, error);
        return OPTIONS_BAD;
    }
    if (!option->argument && options->value) {
        option_fail(options, error, "this option takes no value");
        return OPTIONS_BAD;
    }
    if (option->argument && !options->value && option->argument[0] != '[') {
        if (options->position >= options->count) {
            option_fail(options, error, "a value is missing");
            return OPTIONS_BAD;
        }
        options->value = options->arguments[options->position++];
    }
    return option->key;
}

enum { LEFT = 27, WIDTH = 100 }; /* width of the names, of the line */

/* Prints text from column LEFT on, with line breaks between words. */
static void print_wrapped(const char *text)
{
    for (int column = LEFT + 2; *text;) {
        int length = (int)strcspn(text, " ");

        if (column > LEFT + 2 && column + 1 + length > WIDTH) {
            printf("\n%*s", LEFT + 2, "");
            column = LEFT + 2;
        }
        column += printf("%s%.*s", column > LEFT + 2 ? " " : "", length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

/* "-s, --solver S"; "-wL W, --weight L:W" of a letter with '*'. */
static void put_names(char *text, size_t size, const struct option *option)
{
    const char *letter = option->letter ? option->letter : "  ";
    const int length = (int)strcspn(letter, "*");

    snprintf(text, size, "%.*s%s%s%s%s%s", length, letter, letter[length] ? "L W" : "",
             option->letter ? ", " : "  ", option->name,
             option->argument && option->argument[0] != '[' ? " " : "",
             option->argument ? option->argument : "");
}

/* Prints all options, group by group, or the brief list: a line for each, of at most 80 columns. */
static void print_options(const struct option *table, int all)
{
    const char *group = NULL;

    for (const struct option *option = table; option->key; option++) {
        char left[64];

        if (!all && option->list != BRIEF)
            continue;
        if (option->group != group && (all || !group))
            printf("\n%s%s", all ? option->group : "", all ? ":\n" : "");
        group = option->group;
        put_names(left, sizeof left, option);
        printf("  %-*s", LEFT, left);
        if (strlen(left) >= LEFT) /* a line of its own */
            printf("\n%*s", LEFT + 2, "");
        if (all)
            print_wrapped(option->help);
        else
            printf("%.*s\n", (int)strcspn(option->help, ";"), option->help);
    }
}

static void print_help(const struct reading *reading, const char *program, int all)
{
    reading->print_usage(program, stdout);
    print_options(reading->table, all);
    if (reading->print_more)
        reading->print_more(all);
    if (all)
        puts(reading->end);
    else
        printf("All options and the exit statuses: %s --help all\n", program);
}

enum hinge_status options_read(const struct reading *reading, int argc, char **argv, void *settings,
                               uint64_t *given, int *ended, struct hinge_error *error)
{
    struct options options = {
        .table = reading->table, .count = argc, .arguments = argv, .position = 1};
    int key;

    *given = 0;
    while ((key = next(&options, error)) != OPTIONS_END) {
        if (key == HELP)
            print_help(reading, program_name(argv[0]),
                       options.position < argc && strcmp(argv[options.position], "all") == 0);
        if (key == VERSION)
            printf("hinge %s\n", HINGE_VERSION);
        if (key == HELP || key == VERSION) {
            *ended = 1;
            return HINGE_OK;
        }
        if (key == OPTIONS_BAD || reading->take(settings, key, &options, error))
            return failure(error);
        *given |= BIT(key);
    }
    return HINGE_OK;
}

const char *options_called(const struct option *table, int key)
{
    while (table->key != key)
        table++;
    return table->letter ? table->letter : table->name;
}

enum hinge_status options_exclude(const struct option *table, uint64_t given, const int (*pair)[2],
                                  size_t pairs, struct hinge_error *error)
{
    for (size_t k = 0; k < pairs; k++)
        if (given & BIT(pair[k][0]) && given & BIT(pair[k][1]))
            return fail(error, HINGE_BAD_ARGUMENT, "%s and %s exclude each other",
                        options_called(table, pair[k][0]), options_called(table, pair[k][1]));
    return HINGE_OK;
}

enum hinge_status option_fail(const struct options *options, struct hinge_error *error,
                              const char *reason)
{
    return fail(error, HINGE_BAD_ARGUMENT, "%s: %s", options->given, reason);
}

enum hinge_status option_operand(const struct options *options, const char **const *places,
                                 size_t count, struct hinge_error *error)
{
    for (size_t k = 0; k < count; k++)
        if (!*places[k]) {
            *places[k] = options->value;
            return HINGE_OK;
        }
    return fail(error, HINGE_BAD_ARGUMENT, "too many arguments: '%s'", options->value);
}

static enum hinge_status fail_value(const struct options *options, const char *wanted,
                                    struct hinge_error *error)
{
    return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not %s", options->given, options->value,
                wanted);
}

enum hinge_status option_number(const struct options *options, double *number,
                                struct hinge_error *error)
{
    return number_read(options->value, number) ? HINGE_OK
                                               : fail_value(options, "a finite number", error);
}

enum hinge_status option_not_negative(const struct options *options, double *number,
                                      struct hinge_error *error)
{
    return number_read(options->value, number) && *number >= 0
               ? HINGE_OK
               : fail_value(options, "a finite number of at least 0", error);
}

enum hinge_status option_positive(const struct options *options, double *number,
                                  struct hinge_error *error)
{
    return number_read(options->value, number) && *number > 0
               ? HINGE_OK
               : fail_value(options, "a positive finite number", error);
}

enum hinge_status option_switch(const struct options *options, int *on, struct hinge_error *error)
{
    double number;

    if (!number_read(options->value, &number) || (number != 0 && number != 1))
        return fail_value(options, "0 or 1", error);
    *on = number == 1;
    return HINGE_OK;
}

enum hinge_status option_count(const struct options *options, uint64_t *count,
                               struct hinge_error *error)
{
    const char *end = number_parse_whole(options->value, UINT64_MAX, count);

    if (is_digit(*end))
        return fail_value(options, "below 2^64", error);
    return end > options->value && *end == '\0' ? HINGE_OK
                                                : fail_value(options, "a whole number", error);
}

/* Appends text to the line; cuts what does not fit. */
static void append(char *line, size_t size, const char *text)
{
    const size_t length = strlen(line);

    snprintf(line + length, size - length, "%s", text);
}

int option_word(const struct options *options, struct hinge_error *error)
{
    const char *const *words = options->option->words;
    char known[256] = "";

    for (int k = 0; words[k]; k++) {
        if (strcmp(options->value, words[k]) == 0)
            return k;
        append(known, sizeof known, k == 0 ? "" : words[k + 1] ? ", " : " or ");
        append(known, sizeof known, words[k]);
    }
    error_fill(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not %s", options->given, options->value,
               known);
    return -1;
}

enum hinge_status option_metrics(const struct options *options, enum metrics_format *format,
                                 struct hinge_error *error)
{
    if (options->value && strcmp(options->value, "json") != 0)
        return fail(error, HINGE_BAD_ARGUMENT, "--metrics: '%s' is not json", options->value);
    *format = options->value ? METRICS_JSON : METRICS_TEXT;
    return HINGE_OK;
}
