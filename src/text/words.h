/* words.h - the words of a text.
 *
 * A word is a run of at least two letters and digits, in lower case. In scripts that put no blanks
 * between words (Chinese, Japanese) each character is a word.
 */
#ifndef HINGE_TEXT_WORDS_H
#define HINGE_TEXT_WORDS_H

#include <stddef.h>

#include "hinge.h"

struct word {
    size_t begin, end; /* in struct words.text */
    int is_joined;     /* an ideograph that follows another one */
};

/* All zero: no words. The arrays are reused from text to text. */
struct words {
    char *text; /* the words, with a blank between two unless the second is joined to the first, so
                   that consecutive words are one piece of the text */
    size_t room;
    struct word *word; /* [count] */
    size_t count;
    size_t capacity;
};

/* Replaces the words by the words of a text in UTF-8. A byte that is not UTF-8 ends a word. */
enum hinge_status words_split(struct words *words, const char *text, size_t length,
                              struct hinge_error *error);

void words_free(struct words *words);

#endif
