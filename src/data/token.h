/* token.h - words and numbers in a source, and the messages about faulty ones. */
#ifndef HINGE_DATA_TOKEN_H
#define HINGE_DATA_TOKEN_H

#include <string.h>

#include "data/digits.h"
#include "data/source.h"

/* Returns the end of the token at p. */
static inline const char *token_end(const char *p)
{
    while (!ends_token(*p))
        p++;
    return p;
}

/* True if the text from p to end is this word. */
static inline int is_word(const char *p, const char *end, const char *word)
{
    return strlen(word) == (size_t)(end - p) && memcmp(p, word, (size_t)(end - p)) == 0;
}

/* Reads on if the text from the cursor to end may continue after the end of the buffer. Returns 1
 * if it read on and the text must be scanned again, 0 if the text is complete, -1 on failure. */
int token_complete(struct source *source, const char *end, struct hinge_error *error);

/* Skips blanks, and makes sure that the whole token after them is in the buffer. */
enum hinge_status token_gather(struct source *source, struct hinge_error *error);

/* Refuses the token at the cursor if it is empty, has a control character, or is followed by a NUL
 * that is not the end of the data. */
enum hinge_status token_check(const struct source *source, const char *end,
                              struct hinge_error *error);

/* Fails with the reason why the text from p to end is no finite number. `what` names the number:
 * "label", "value". */
enum hinge_status token_fail_number(const struct source *source, const char *what, const char *p,
                                    const char *end, struct hinge_error *error);

/* Reads the text from p to end as a finite number, and moves the cursor to end. */
enum hinge_status token_number(struct source *source, const char *what, const char *p,
                               const char *end, double *value, struct hinge_error *error);

/* The kind of text that follows the cursor, or the reason why none does. */
enum token { TOKEN_TEXT, TOKEN_LINE_END, TOKEN_END, TOKEN_ERROR };

/* Skips blanks, and moves the cursor to the token after them. If the line ends there or has a
 * comment, moves the cursor past the line end. */
enum token token_in_line(struct source *source, struct hinge_error *error);

/* Skips empty lines and comments, and moves the cursor to the first token after them. */
enum token token_seek_line(struct source *source, struct hinge_error *error);

/* Moves the cursor to the next token, in this line or a later one, or to the end of the data. */
enum hinge_status token_seek(struct source *source, struct hinge_error *error);

/* Moves the cursor to the next token and returns its end. Returns NULL on failure: HINGE_BAD_INPUT
 * if the data end or a comment begins; `expected` names the token in the message. */
const char *token_next(struct source *source, const char *expected, struct hinge_error *error);

/* Reads the next token as a finite number, and moves the cursor to its end. */
enum hinge_status token_read_number(struct source *source, const char *what, double *value,
                                    struct hinge_error *error);

/* Returns the length of the part of a token that a message shows. */
int token_shown(const char *p, const char *end);

#endif
