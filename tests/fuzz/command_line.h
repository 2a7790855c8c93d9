/* command_line.h - the lines of a fuzzer's input as a command line. */
#ifndef HINGE_TESTS_COMMAND_LINE_H
#define HINGE_TESTS_COMMAND_LINE_H

#include <string.h>

#include "fuzz.h"

enum { MOST_WORDS = 64 };

struct command_line {
    char *text;
    int count;
    char *word[MOST_WORDS + 1]; /* the program's name first, NULL last */
};

/* True if the word is an option that only prints text, such as --help. */
static inline int command_line_ask(const char *word)
{
    return strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "--version") == 0;
}

/* Splits the lines into words. Returns 0 if there are too many, or if one asks for text. */
static inline int command_line_split(struct command_line *words, const uint8_t *bytes, size_t size)
{
    static char name[] = "program";
    char *p;

    memset(words, 0, sizeof *words);
    words->word[words->count++] = name;
    words->text = calloc(size + 1, 1);
    DEMAND(words->text);
    memcpy(words->text, bytes, size);
    for (p = words->text; p < words->text + size; p += strlen(p) + 1) {
        p[strcspn(p, "\n")] = '\0';
        if (words->count == MOST_WORDS || command_line_ask(p)) {
            free(words->text);
            return 0;
        }
        words->word[words->count++] = p;
    }
    return 1;
}

static inline void command_line_free(struct command_line *words)
{
    free(words->text);
}

static inline void command_line_check_refusal(const struct hinge_error *error)
{
    DEMAND(error->status == HINGE_BAD_ARGUMENT);
    DEMAND(*error->message && !strchr(error->message, '\n'));
}

#endif
