/* document.c - option tables -> manual pages and completion: document man|bash|zsh|fish PROGRAM
 *
 * "man" copies the source of a manual from standard input to standard output. The list of options
 * takes the place of its lines from @options@ to @end@. Between them, the sentences about an option
 * follow a line with its name, @--cost, in the order of the table. The table of solvers takes the
 * place of the line @solvers@. For a script, standard input is its --help, which lists its options.
 * The build runs this program; it is not installed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "data/token.h"

static const struct installed {
    const char *name; /* the installed name */
    const struct option *options;
} programs[] = {
    {"hinge-train", train_options},     {"hinge-predict", predict_options},
    {"hinge-scale", scale_options},     {"hinge-convert", convert_options},
    {"hinge-inspect", inspect_options},
};

/* True if the value is a separate argument. */
static int takes_argument(const struct option *option)
{
    return option->argument && option->argument[0] != '[';
}

/* Returns the letter, or NULL if text follows it directly, as in -wL. */
static const char *plain_letter(const struct option *option)
{
    return option->letter && !strchr(option->letter, '*') ? option->letter : NULL;
}

/* True if the value is the name of a file. */
static int is_file(const struct option *option)
{
    return option->value.kind == OPTION_FILE || option->value.kind == OPTION_INPUT ||
           option->value.kind == OPTION_OUTPUT;
}

/* True if the values are listed. */
static int has_words(const struct option *option)
{
    return option->value.words && (option->value.words[0] || option->value.words == option_solvers);
}

/* Prints the values with a separator. */
static void print_words(const struct option *option, const char *between)
{
    const struct hinge_solver *solver;

    if (option->value.words == option_solvers)
        for (size_t k = 0; (solver = hinge_solver_at(k)); k++)
            printf("%s%d%s%s", k ? between : "", solver->number, between, solver->name);
    else
        for (size_t k = 0; option->value.words[k]; k++)
            printf("%s%s", k ? between : "", option->value.words[k]);
}

/* ---- Manual page ------------------------------------------------------- */

/* Prints a line of text as mdoc, the names of options in bold. */
static void print_text(const struct option *table, const char *text)
{
    for (size_t length; *text; text += length) {
        const size_t bare = strcspn(text, " .,;:");
        const struct option *option = table;

        length = strcspn(text, " ");
        while (option->key && !is_word(text, text + bare, option->name) &&
               !(option->letter && is_word(text, text + bare, option->letter)))
            option++;
        if (option->key) {
            fputs("\\fB", stdout);
            for (size_t k = 0; k < bare; k++)
                printf("%s%c", text[k] == '-' ? "\\" : "", text[k]);
            printf("\\fR%.*s", (int)(length - bare), text + bare);
        } else {
            for (size_t k = 0; k < length; k++)
                printf("%c%s", text[k], text[k] == '\\' ? "e" : "");
        }
        while (text[length] == ' ')
            putchar(text[length++]);
    }
    putchar('\n');
}

enum { MOST_OPTIONS = 32, LINE = 512 };

/* Reads a line of the manual's source without its end. Returns 0 at the end. */
static int read_line(char line[LINE])
{
    if (!fgets(line, LINE, stdin))
        return 0;
    line[strcspn(line, "\n")] = '\0';
    return 1;
}

/* Prints an option and the sentences about it, or its help as a sentence if the line is not @ and
 * the name of the option. Reads up to the next line with @. */
static void print_item(const struct option *table, const struct option *option, char line[LINE])
{
    fputs(".It ", stdout);
    if (plain_letter(option))
        printf("Fl %s , ", option->letter + 1);
    else if (option->letter)
        printf("Fl %c Ns Ar L Ar W , ", option->letter[1]);
    printf("Fl \\-%s", option->name + 2);
    if (takes_argument(option) && strchr(option->argument, '|')) {
        for (const char *part = option->argument;
             *part;) { /* "X|max-f1": X is a value, max-f1 a word */
            const size_t length = strcspn(part, "|");
            int word = 0;

            for (size_t k = 0; option->value.words[k]; k++)
                word |= is_word(part, part + length, option->value.words[k]);
            printf(" %s %.*s%s", word ? "Cm" : "Ar", (int)length, part, part[length] ? " |" : "");
            part += length + (part[length] == '|');
        }
    } else if (takes_argument(option) && has_words(option)) {
        fputs(" Cm ", stdout);
        print_words(option, " | ");
    } else if (takes_argument(option)) {
        printf(" Ar %s", option->argument);
    } else if (option->argument) {
        printf(" Ns Op Cm %.*s", (int)strlen(option->argument) - 2, option->argument + 1);
    }
    putchar('\n');
    if (*line == '@' && strcmp(line + 1, option->name) == 0) {
        while (read_line(line) && *line != '@')
            print_text(table, line);
    } else {
        char sentence[256];

        snprintf(sentence, sizeof sentence, "%s.", option->help);
        if (sentence[0] >= 'a' && sentence[0] <= 'z')
            sentence[0] = (char)(sentence[0] - 'a' + 'A');
        print_text(table, sentence);
    }
}

static void print_manual(const struct installed *program)
{
    const struct option *table = program->options;
    const struct hinge_solver *solver;
    const char *group = NULL;
    char line[LINE];

    while (read_line(line)) {
        if (strcmp(line, "@solvers@") == 0) {
            puts(".Bl -tag -width \"33, sgd-suffix\" -compact");
            for (size_t k = 0; (solver = hinge_solver_at(k)); k++)
                printf(".It Cm %d , %s\n%s.\n", solver->number, solver->name, solver->summary);
            puts(".El");
            continue;
        }
        if (strcmp(line, "@options@") != 0) {
            puts(line);
            continue;
        }
        *line = '\0';
        read_line(line);
        for (const struct option *option = table; option->key; option++) {
            if (option->group != group) {
                if (group)
                    puts(".El");
                group = option->group;
                printf(".Ss %c%s\n.Bl -tag -width Ds\n", group[0] - 'a' + 'A', group + 1);
            }
            print_item(table, option, line);
        }
        if (strcmp(line, "@end@") != 0) {
            fprintf(stderr, "document: no option, or none in the order of the table, is '%s'\n",
                    line);
            exit(EXIT_FAILURE);
        }
        puts(".El\n.Pp\n"
             "The words in a file replace each word\n.Cm @ Ns Ar FILE\nbefore\n.Fl \\- .\n"
             "They are separated by blanks and line ends.\n"
             "A word with blanks is in double quotes; # begins a comment.");
    }
}

/* ---- Completion: bash -------------------------------------------------- */

/* Prints the completion for bash, which splits --name=value into three words. */
static void print_bash(const struct installed *program)
{
    printf("# bash completion for %s, made from its table of options\n_%s() {\n", program->name,
           program->name);
    puts("    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    if [[ $before == = ]]; then\n"
         "        before=${COMP_WORDS[COMP_CWORD - 2]}=\n"
         "    elif [[ $word == = ]]; then\n"
         "        before=$before= word=\n"
         "    fi\n"
         "    COMPREPLY=()\n"
         "    case $before in");
    for (const struct option *option = program->options; option->key; option++) {
        if (!option->argument)
            continue;
        fputs("    ", stdout);
        if (takes_argument(option) && plain_letter(option))
            printf("%s%s", option->letter, option->name ? " | " : ") ");
        if (option->name && takes_argument(option))
            printf("%s | ", option->name);
        if (option->name)
            printf("%s=) ", option->name);
        if (has_words(option)) {
            fputs("COMPREPLY=($(compgen -W '", stdout);
            print_words(option, " ");
            puts("' -- \"$word\")) ;;");
        } else {
            puts(is_file(option) ? ";; # bash completes files by itself"
                                 : "compopt +o default 2>/dev/null ;;");
        }
    }
    fputs("    *) case $word in\n    -*) COMPREPLY=($(compgen -W '", stdout);
    for (const struct option *option = program->options; option->key; option++)
        printf("%s%s%s%s", option == program->options ? "" : " ", option->name ? option->name : "",
               option->name && plain_letter(option) ? " " : "",
               plain_letter(option) ? option->letter : "");
    printf("' -- \"$word\")) ;;\n    esac ;;\n    esac\n}\ncomplete -o default -F _%s %s\n",
           program->name, program->name);
}

/* ---- Completion: zsh --------------------------------------------------- */

/* Prints one spelling of an option. Only an option like -wL may be repeated. */
static void print_zsh_option(const struct option *option, const char *name, const char *joint)
{
    printf(" \\\n    '%s%s%s", option->letter && !plain_letter(option) ? "*" : "", name, joint);
    putchar('[');
    for (const char *help = option->help; *help; help++)
        if (*help == '\'')
            fputs("'\\''", stdout);
        else
            printf("%s%c", strchr("[]\\:", *help) ? "\\" : "", *help);
    putchar(']');
    if (option->argument) {
        if (takes_argument(option) && strchr(option->argument, ' '))
            fputs(":value: ", stdout);
        fputs(takes_argument(option) ? ":value:" : "::value:", stdout);
        if (has_words(option)) {
            putchar('(');
            print_words(option, " ");
            putchar(')');
        } else {
            fputs(is_file(option) ? "_files" : " ", stdout);
        }
    }
    putchar('\'');
}

static void print_zsh(const struct installed *program)
{
    printf("#compdef %s\n# zsh completion for %s, made from its table of options\n_arguments",
           program->name, program->name);
    for (const struct option *option = program->options; option->key; option++) {
        if (plain_letter(option))
            print_zsh_option(option, option->letter, "");
        if (option->name)
            print_zsh_option(option, option->name,
                             takes_argument(option) ? "="
                             : option->argument     ? "=-"
                                                    : "");
    }
    puts(" \\\n    '*:file:_files'");
}

/* ---- Completion: fish --------------------------------------------------- */

/* Operands are files, which fish completes by itself. */
static void print_fish(const struct installed *program)
{
    printf("# fish completion for %s, made from its table of options\n", program->name);
    for (const struct option *option = program->options; option->key; option++) {
        printf("complete -c %s", program->name);
        if (option->name)
            printf(" -l %s", option->name + 2);
        if (plain_letter(option))
            printf(" -s %s", option->letter + 1);
        if (takes_argument(option))
            fputs(is_file(option) ? " -r" : " -x", stdout);
        if (has_words(option)) {
            fputs(" -a '", stdout);
            print_words(option, " ");
            putchar('\'');
        }
        fputs(" -d '", stdout);
        for (const char *help = option->help; *help; help++)
            printf("%s%c", strchr("'\\", *help) ? "\\" : "", *help);
        puts("'");
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(const struct installed *program);
    } forms[] = {
        {"man", print_manual}, {"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

    static char lines[MOST_OPTIONS][LINE];
    static struct option options[MOST_OPTIONS];
    struct installed program = {argc == 3 ? argv[2] : "", NULL};

    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++)
        if (strcmp(program.name, programs[k].name) == 0)
            program.options = programs[k].options;
    /* the options of a script are lines "  -c, --name VALUE   help" */
    for (int count = 0;
         !program.options && count < MOST_OPTIONS - 1 && fgets(lines[count], LINE, stdin);) {
        struct option *option = &options[count];
        char *names = lines[count] + 2, *help = strstr(names, "  "), *value;

        if (strncmp(lines[count], "  -", 3) != 0 || !help)
            continue;
        *help++ = '\0';
        help += strspn(help, " ");
        help[strcspn(help, "\n")] = '\0';
        option->help = help;
        value = strrchr(names, ' ');
        if (value && value[1] != '-') {
            *value = '\0';
            option->argument = value + 1;
            if (strcmp(value + 1, "FILE") == 0 || strcmp(value + 1, "DIR") == 0)
                option->value.kind = OPTION_FILE;
        }
        option->name = strstr(names, "--");
        option->letter = option->name == names ? NULL : names;
        names[strcspn(names, ",")] = '\0';
        option->key = ++count;
    }
    if (!program.options)
        program.options = options;
    for (size_t f = 0; f < sizeof forms / sizeof *forms && program.options->key; f++)
        if (strcmp(argv[1], forms[f].name) == 0) {
            forms[f].print(&program);
            return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
        }
    fputs("usage: document man|bash|zsh|fish PROGRAM\n", stderr);
    return EXIT_FAILURE;
}
