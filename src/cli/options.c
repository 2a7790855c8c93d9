/* options.c - "-c 1", "--cost 1", "--cost=1", "-w-1 2". */
#include "cli/options.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "data/number.h"

/* Whether the argument is the option's letter; *more is set to the text behind one with '*'. */
static int matches_letter(const char *argument, const char *letter, const char **more)
{
    size_t length = strlen(letter);

    if (letter[length - 1] != '*')
        return strcmp(argument, letter) == 0;
    *more = argument + length - 1;
    return strncmp(argument, letter, length - 1) == 0 && **more;
}

/* Whether the argument is the option's name; *value is set to the text behind a '='. */
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

int options_next(struct options *options, struct hinge_error *error)
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
    if (!(option = find(options, argument))) {
        option_fail(options, error, "there is no such option");
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

void options_print(const struct option *table, FILE *stream)
{
    for (const struct option *option = table; option->key; option++) {
        char left[64];

        snprintf(left, sizeof left, "%s%s%s%s%s", option->letter ? option->letter : "  ",
                 option->letter ? ", " : "  ", option->name,
                 option->argument && option->argument[0] != '[' ? " " : "",
                 option->argument ? option->argument : "");
        fprintf(stream, "  %-26s %s\n", left, option->help);
    }
}

enum hinge_status option_fail(const struct options *options, struct hinge_error *error,
                              const char *reason)
{
    return fail(error, HINGE_BAD_ARGUMENT, "%s: %s", options->given, reason);
}

int parse_whole(const char *text, double *number)
{
    const char *end = number_parse(text, number);

    return end != text && *end == '\0' && fabs(*number) <= DBL_MAX;
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
    return parse_whole(options->value, number) ? HINGE_OK
                                               : fail_value(options, "a finite number", error);
}

enum hinge_status option_positive(const struct options *options, double *number,
                                  struct hinge_error *error)
{
    return parse_whole(options->value, number) && *number > 0
               ? HINGE_OK
               : fail_value(options, "a positive finite number", error);
}

enum hinge_status option_count(const struct options *options, uint64_t *count,
                               struct hinge_error *error)
{
    const char *p = options->value;

    *count = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');

        if (*count > (UINT64_MAX - digit) / 10)
            return fail_value(options, "below 2^64", error);
        *count = *count * 10 + digit;
    }
    return *p == '\0' && p > options->value ? HINGE_OK
                                            : fail_value(options, "a whole number", error);
}

int option_word(const struct options *options, const char *const *words, struct hinge_error *error)
{
    for (int k = 0; words[k]; k++)
        if (strcmp(options->value, words[k]) == 0)
            return k;
    error_fill(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not known", options->given, options->value);
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
