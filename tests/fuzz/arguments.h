/* arguments.h - the lines of a fuzzer's input as a command line. */
#ifndef HINGE_TESTS_ARGUMENTS_H
#define HINGE_TESTS_ARGUMENTS_H

#include <string.h>

#include "fuzz.h"

enum { MOST_WORDS = 64 };

struct arguments {
    char *text;
    int count;
    char *word[MOST_WORDS + 1]; /* the program's name first, NULL last */
};

/* Whether a word asks for text that would be printed each time. */
static inline int arguments_ask(const char *word)
{
    return strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "--version") == 0;
}

/* 0 if there are too many, or one asks for text. */
static inline int arguments_split(struct arguments *words, const uint8_t *bytes, size_t size)
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
        if (words->count == MOST_WORDS || arguments_ask(p)) {
            free(words->text);
            return 0;
        }
        words->word[words->count++] = p;
    }
    return 1;
}

static inline void arguments_free(struct arguments *words)
{
    free(words->text);
}

static inline void arguments_check_refusal(const struct hinge_error *error)
{
    DEMAND(error->status == HINGE_BAD_ARGUMENT);
    DEMAND(*error->message && !strchr(error->message, '\n'));
}

#endif
