/* token.h - words and numbers in a source, and what to say of those that are wrong. */
#ifndef HINGE_DATA_TOKEN_H
#define HINGE_DATA_TOKEN_H

#include <string.h>

#include "data/digits.h"
#include "data/source.h"

static inline const char *token_end(const char *p)
{
    while (!ends_token(*p))
        p++;
    return p;
}

/* Whether the text from p to end is this word. */
static inline int is_word(const char *p, const char *end, const char *word)
{
    return strlen(word) == (size_t)(end - p) && memcmp(p, word, (size_t)(end - p)) == 0;
}

/* Reads on if the token at the cursor may go on after the end of the buffer: 1 if it did, so
 * that the token is to be looked at again, 0 if the token is there in full, -1 on failure. */
int token_complete(struct source *source, struct hinge_error *error);

/* Skips blanks and makes sure that the token after them is in the buffer as a whole. */
enum hinge_status token_gather(struct source *source, struct hinge_error *error);

/* Refuses the token at the cursor if it is no text: if there is a control character in it, or a NUL
 * after it that is not the end of the data, or nothing at all but such a byte. */
enum hinge_status token_check(const struct source *source, const char *end,
                              struct hinge_error *error);

/* Says why the text from p to end is no finite number; what names it: "label", "value". */
enum hinge_status token_fail_number(const struct source *source, const char *what, const char *p,
                                    const char *end, struct hinge_error *error);

/* Reads the text from p to end as a finite number, and moves the cursor to end. */
enum hinge_status token_number(struct source *source, const char *what, const char *p,
                               const char *end, double *value, struct hinge_error *error);

/* Moves the cursor to the next token, in this line or a later one, or to the end of the data. */
enum hinge_status token_seek(struct source *source, struct hinge_error *error);

/* Moves the cursor to the next token and returns its end. A comment counts as the end of them. NULL
 * on failure, HINGE_BAD_INPUT if there is none: expected names it. */
const char *token_next(struct source *source, const char *expected, struct hinge_error *error);

/* The same of the next token. */
enum hinge_status token_read_number(struct source *source, const char *what, double *value,
                                    struct hinge_error *error);

/* The length of the part of a token that a message shows. */
int token_shown(const char *p, const char *end);

#endif
