/* options.c - "-c 1", "--cost 1", "--cost=1", "-w-1 2": the table of options at work. */
#include "cli/options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "cli/report.h"
#include "data/digits.h"
#include "data/number.h"

const char *const option_switches[] = {"0", "1", NULL};
const char *const option_json[] = {"json", NULL};
const char *const option_solvers[] = {NULL};

/* The position in a command line, and the option or operand there. */
struct command_line {
    const struct option *table;
    int count; /* number of arguments, argv[0] included */
    char **arguments;
    int position; /* the next argument */
    struct given given;
};

/* ---- Finding an option -------------------------------------------------- */

/* Finds an option by its name, "--cost" or "--cost=1", or by its letter. Sets given->value to the
 * text after '=', and given->more to the text after a letter with '*'. Refuses an unknown option,
 * and suggests a similar one, such as "-c 1" for "-c1". Returns NULL on failure. */
static const struct option *find(const struct option *table, struct given *given,
                                 struct hinge_error *error)
{
    const char *const argument = given->spelling, *name = argument + strspn(argument, "-");
    const int is_long = strncmp(argument, "--", 2) == 0;
    const struct option *joined = NULL;
    struct nearest nearest = nearest_begin(name, strcspn(name, "="));

    given->value = given->more = NULL;
    for (const struct option *option = table; option->key; option++) {
        const char *known = is_long ? option->name : option->letter ? option->letter : " ";
        const size_t length = is_long ? strlen(known) : strcspn(known, "*");
        const char *rest = argument + length;

        if (strncmp(argument, known, length) != 0)
            continue;
        if (is_long && *rest == '=')
            given->value = rest + 1;
        else if (!is_long && known[length] && *rest)
            given->more = rest;
        else if (*rest || known[length])
            continue;
        return option;
    }
    for (const struct option *option = table; option->key; option++) {
        const char *letter = option->letter;

        if (letter && option->argument && argument[1] == letter[1] && argument[1] != '-' &&
            !strchr(letter, '*'))
            joined = option;
        nearest_try(&nearest, option->name + 2, option->name);
        /* with a value, the case of a letter matters: -c and -C */
        if (letter && argument[1] && !argument[2] &&
            (!option->argument || letter[1] == argument[1]))
            nearest_try(&nearest, (const char[]){letter[1], '\0'},
                        strchr(letter, '*') ? option->name : letter);
    }
    if (nearest.best)
        error_fill(error, HINGE_BAD_ARGUMENT, "%s: there is no such option; did you mean %s?",
                   argument, nearest.best);
    else if (joined)
        error_fill(error, HINGE_BAD_ARGUMENT, "%s: there is no such option; did you mean %s %s?",
                   argument, joined->letter, argument + 2 + (argument[2] == '='));
    else
        option_fail(given, error, "there is no such option");
    return NULL;
}

/* Reads the next option or operand. Returns 0 at the end, -1 and *error on failure. */
static int next(struct command_line *line, struct hinge_error *error)
{
    struct given *given = &line->given;
    const struct option *option;

    if (line->position < line->count && !given->operands_only &&
        strcmp(line->arguments[line->position], "--") == 0) {
        given->operands_only = 1;
        line->position++;
    }
    if (line->position >= line->count)
        return 0;
    given->words = line->arguments + line->position++;
    given->word_count = 1;
    given->spelling = *given->words;
    given->option = NULL;
    if (given->operands_only || given->spelling[0] != '-' || given->spelling[1] == '\0') {
        given->value = given->spelling;
        return 1;
    }
    given->option = option = find(line->table, given, error);
    if (!option)
        return -1;
    if (!option->argument && given->value) {
        option_fail(given, error, "this option takes no value");
    } else if (!option->argument || option->argument[0] == '[') {
        return 1;
    } else {
        const char **const wanted[] = {given->value ? NULL : &given->value,
                                       strchr(option->argument, ' ') ? &given->more : NULL};

        for (int k = 0; k < 2; k++) {
            if (!wanted[k])
                continue;
            if (line->position >= line->count) {
                option_fail(given, error, "a value is missing");
                return -1;
            }
            *wanted[k] = line->arguments[line->position++];
            given->word_count++;
        }
        return 1;
    }
    return -1;
}

/* ---- Values ------------------------------------------------------------- */

enum hinge_status option_fail(const struct given *given, struct hinge_error *error,
                              const char *reason)
{
    return fail(error, HINGE_BAD_ARGUMENT, "%s: %s", given->spelling, reason);
}

enum hinge_status option_fail_value(const struct given *given, const char *wanted,
                                    struct hinge_error *error)
{
    return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not %s", given->spelling, given->value,
                wanted);
}

/* Stores a whole number in a member of this size: an int, an enum, a uint32_t or a uint64_t. */
static void store_whole(void *place, size_t size, uint64_t number)
{
    const uint32_t narrow = (uint32_t)number;

    if (size == sizeof narrow)
        memcpy(place, &narrow, sizeof narrow);
    else
        memcpy(place, &number, sizeof number);
}

static enum hinge_status store_count(const struct given *given, void *place,
                                     struct hinge_error *error)
{
    const struct option_value *value = &given->option->value;
    uint64_t number;
    const char *end = number_parse_whole(given->value, UINT64_MAX, &number);

    if (is_digit(*end))
        return option_fail_value(given, "below 2^64", error);
    if (end == given->value || *end != '\0')
        return option_fail_value(given, "a whole number", error);
    if ((double)number < value->least)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: at least %.0f", given->spelling, value->least);
    if (value->most > 0 && number > (uint64_t)value->most)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: at most %.0f", given->spelling, value->most);
    store_whole(place, value->size, number);
    return HINGE_OK;
}

int option_word(const struct given *given, struct hinge_error *error)
{
    const char *const *words = given->option->value.words;
    char known[256] = "";
    size_t length = 0;

    for (int k = 0; words[k]; k++) {
        if (given->value && strcmp(given->value, words[k]) == 0)
            return k;
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                                   k == 0         ? ""
                                   : words[k + 1] ? ", "
                                                  : " or ",
                                   words[k]);
    }
    option_fail_value(given, known, error);
    return -1;
}

/* Checks and stores the value of an option. */
static enum hinge_status store(void *settings, const struct given *given, struct hinge_error *error)
{
    const struct option_value *value = &given->option->value;
    void *place = (char *)settings + value->offset;
    double number;
    int word;

    switch (value->kind) {
    case OPTION_FLAG:
        store_whole(place, value->size, 1);
        return HINGE_OK;
    case OPTION_NUMBER:
    case OPTION_NOT_NEGATIVE:
    case OPTION_POSITIVE:
        if (!number_read(given->value, &number) ||
            (value->kind == OPTION_NOT_NEGATIVE && number < 0) ||
            (value->kind == OPTION_POSITIVE && number <= 0))
            return option_fail_value(given,
                                     value->kind == OPTION_NUMBER ? "a finite number"
                                     : value->kind == OPTION_NOT_NEGATIVE
                                         ? "a finite number of at least 0"
                                         : "a positive finite number",
                                     error);
        *(double *)place = number;
        return HINGE_OK;
    case OPTION_COUNT:
        return store_count(given, place, error);
    case OPTION_SWITCH:
    case OPTION_WORD:
        if ((word = option_word(given, error)) < 0)
            return failure(error);
        store_whole(place, value->size, (uint64_t)value->least + (uint64_t)word);
        return HINGE_OK;
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_INPUT:
    case OPTION_OUTPUT:
        *(const char **)place = given->value;
        return HINGE_OK;
    case OPTION_READ:
        break;
    }
    return value->read(settings, given, error);
}

enum hinge_status option_metrics(void *settings, const struct given *given,
                                 struct hinge_error *error)
{
    const struct option_value *value = &given->option->value;

    if (given->value && strcmp(given->value, "json") != 0)
        return fail(error, HINGE_BAD_ARGUMENT, "--metrics: '%s' is not json", given->value);
    store_whole((char *)settings + value->offset, value->size,
                given->value || !given->option->argument ? METRICS_JSON : METRICS_TEXT);
    return HINGE_OK;
}

/* ---- Help ----------------------------------------------------------------- */

enum { LEFT = 27, WIDTH = 100 }; /* width of the names, of the line */

static void print_usage(const struct program *program, const char *name, FILE *stream)
{
    for (const char *p = program->usage; *p; p++)
        if (*p == '@')
            fputs(name, stream);
        else
            putc(*p, stream);
}

/* Prints the text of --help all, which has all options group by group. Without `all`, prints the
 * text of --help, which has a line of at most 80 columns for each BRIEF option. */
static void print_help(const struct program *program, const char *name, int all)
{
    const char *group = NULL;

    print_usage(program, name, stdout);
    for (const struct option *option = program->options; option->key; option++) {
        const char *letter = option->letter ? option->letter : "  ";
        const int length = (int)strcspn(letter, "*");
        char left[64]; /* "-s, --solver S"; "-wL W, --weight L:W" for a letter with '*' */
        int column = LEFT + 2;

        if (!all && option->list != BRIEF)
            continue;
        if (option->group != group && (all || !group))
            printf("\n%s%s", all ? option->group : "", all ? ":\n" : "");
        group = option->group;
        snprintf(left, sizeof left, "%.*s%s%s%s%s%s", length, letter, letter[length] ? "L W" : "",
                 option->letter ? ", " : "  ", option->name,
                 option->argument && option->argument[0] != '[' ? " " : "",
                 option->argument ? option->argument : "");
        printf("  %-*s", LEFT, left);
        if (strlen(left) >= LEFT) /* the help gets a line of its own */
            printf("\n%*s", LEFT + 2, "");
        if (!all) {
            printf("%.*s\n", (int)strcspn(option->help, ";"), option->help);
            continue;
        }
        for (const char *text = option->help; *text;) { /* lines end between words */
            const int word = (int)strcspn(text, " ");

            if (column > LEFT + 2 && column + 1 + word > WIDTH) {
                printf("\n%*s", LEFT + 2, "");
                column = LEFT + 2;
            }
            column += printf("%s%.*s", column > LEFT + 2 ? " " : "", word, text);
            text += word + (text[word] == ' ');
        }
        putchar('\n');
    }
    if (program->print_more)
        program->print_more(all);
    if (all)
        printf("\n@FILE stands for the words in FILE, such as options, one a line.\n%s\n",
               program->end);
    else
        printf("All options and the exit statuses: %s --help all\n", name);
}

int options_usage(const struct program *program, const char *name)
{
    print_usage(program, name, stderr);
    report_help(name);
    return HINGE_BAD_ARGUMENT;
}

/* ---- A command line --------------------------------------------------------- */

const char *options_called(const struct option *table, int key)
{
    while (table->key != key)
        table++;
    return table->letter ? table->letter : table->name;
}

static const char **operand_place(void *settings, const struct operand *operand)
{
    return (const char **)(void *)((char *)settings + operand->offset);
}

enum hinge_status options_read(const struct program *program, void *settings, int argc, char **argv,
                               int *ended, struct hinge_error *error)
{
    struct command_line line = {
        .table = program->options, .count = argc, .arguments = argv, .position = 1};
    uint64_t keys = 0;
    int found;

    while ((found = next(&line, error)) > 0) {
        const struct given *given = &line.given;
        const struct operand *operand = program->operands;
        const int key = given->option ? given->option->key : OPTIONS_OPERAND;
        int is_on = 1;

        if (key == HELP || key == VERSION) {
            if (key == VERSION)
                printf("hinge %s\n", HINGE_VERSION);
            else
                print_help(program, program_name(argv[0]),
                           line.position < argc && strcmp(argv[line.position], "all") == 0);
            *ended = 1;
            return HINGE_OK;
        }
        if ((program->note && program->note(settings, given, error)) ||
            (given->option && store(settings, given, error)))
            return failure(error);
        if (!given->option) { /* the first operand without a value takes it */
            while (operand->called && *operand_place(settings, operand))
                operand++;
            if (!operand->called)
                return fail(error, HINGE_BAD_ARGUMENT, "too many arguments: '%s'", given->value);
            *operand_place(settings, operand) = given->value;
        } else if (given->option->value.kind == OPTION_SWITCH) {
            is_on = strcmp(given->value, "1") == 0;
        }
        keys = is_on ? keys | BIT(key) : keys & ~BIT(key);
    }
    if (found < 0)
        return failure(error);
    for (const struct option_pair *pair = program->exclusive; pair && pair->one; pair++)
        if (keys & BIT(pair->one) && keys & BIT(pair->other))
            return fail(error, HINGE_BAD_ARGUMENT, "%s and %s exclude each other",
                        options_called(program->options, pair->one),
                        options_called(program->options, pair->other));
    for (const struct option_pair *pair = program->needs; pair && pair->one; pair++)
        if (keys & BIT(pair->one) && !(keys & BIT(pair->other)))
            return fail(error, HINGE_BAD_ARGUMENT, "%s needs %s",
                        options_called(program->options, pair->one),
                        options_called(program->options, pair->other));
    return program->check(settings, keys, error)
               ? failure(error)
               : files_check(program, settings, FILES_NAMES, error);
}

int options_begin(const struct program *program, void *settings, int argc, char **argv)
{
    const char *name = program_name(argv[0]);
    struct hinge_error error;
    int ended = 0;

    forget_interrupt();
    if (argc < 2)
        return options_usage(program, name);
    if (options_read(program, settings, argc, argv, &ended, &error))
        return report_error(name, &error);
    return ended ? report_end(name, HINGE_OK) : OPTIONS_RUN;
}

/* ---- Similar words ---------------------------------------------------------- */

enum { LONGEST = 24 };

static int lower(char c)
{
    return tolower((unsigned char)c);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

struct nearest nearest_begin(const char *word, size_t length)
{
    /* a word may have one edit for every three letters */
    const struct nearest nearest = {word, length, length / 3 + 1, NULL};

    return nearest;
}

/* d[i][j] is the least number of edits from the first i letters of the word to the first j of the
 * candidate. */
void nearest_try(struct nearest *nearest, const char *candidate, const char *as)
{
    const char *word = nearest->word;
    const size_t m = nearest->length, n = strlen(candidate);
    size_t d[LONGEST + 1][LONGEST + 1], distance;

    if (m > LONGEST || n > LONGEST)
        return;
    for (size_t i = 0; i <= m; i++)
        for (size_t j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
                            d[i - 1][j - 1] + (lower(word[i - 1]) != lower(candidate[j - 1])));
            if (i > 1 && j > 1 && lower(word[i - 1]) == lower(candidate[j - 2]) &&
                lower(word[i - 2]) == lower(candidate[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    distance = m > 1 && strncmp(word, candidate, m) == 0 ? least(d[m][n], 1) : d[m][n];
    if (distance < nearest->distance) {
        nearest->distance = distance;
        nearest->best = as;
    }
}
