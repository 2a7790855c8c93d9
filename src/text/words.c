/* words.c - text -> words. */
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "text/letters.h"

enum { CAPITAL_SIGMA = 0x3a3, FINAL_SIGMA = 0x3c2 };

struct character {
    enum { OTHER, LETTER, IDEOGRAPH } kind;
    int is_greek, is_sigma; /* is_sigma: the capital */
    size_t bytes;           /* bytes in the text */
    size_t lowered;         /* bytes of `lower` */
    char lower[4];
};

/* Returns an ASCII letter in lower case or a digit as it is, 0 for any other character. */
static char lower_ascii(char c)
{
    const char lower = (char)(c | ('a' ^ 'A'));

    if (lower >= 'a' && lower <= 'z')
        return lower;
    return (char)(c >= '0' && c <= '9' ? c : '\0');
}

/* Returns the first character of a text. It must not be ASCII. */
static struct character character_at(const char *text, size_t length)
{
    struct character character = {.kind = OTHER};
    uint32_t code;

    character.bytes = letter_decode(text, length, &code);
    if (letter_is(code)) {
        character.kind = letter_is_ideograph(code) ? IDEOGRAPH : LETTER;
        character.is_greek = (code >= 0x370 && code < 0x400) || (code >= 0x1f00 && code < 0x2000);
        character.is_sigma = code == CAPITAL_SIGMA;
        character.lowered = letter_encode(letter_lower(code), character.lower);
    }
    return character;
}

enum hinge_status words_split(struct words *words, const char *text, size_t length,
                              struct hinge_error *error)
{
    const char *const end = text + length, *after_ideograph = end;
    size_t written = 0;
    char *to;

    words->count = 0;
    /* A word, with the blank before it, takes at most twice its bytes in the text. */
    if (ARRAY_RESERVE(&words->text, &words->room, length < SIZE_MAX / 2 ? 2 * length + 1 : SIZE_MAX,
                      error))
        return failure(error);
    to = words->text;
    /* Each turn reads one word, written after a blank. */
    while (text < end) {
        const int is_after_ideograph = text == after_ideograph;
        size_t begin = written + (words->count > 0), at = begin, letters = 0;
        struct character last = {.kind = OTHER};
        int ends_in_sigma = 0; /* a capital sigma after a Greek letter */
        struct word *word;

        while (text < end) {
            const char *const first = text;
            struct character next;
            char lower;

            while (text < end && (lower = lower_ascii(*text))) {
                to[at++] = lower;
                text++;
            }
            if (text > first) {
                letters += (size_t)(text - first);
                last = (struct character){.kind = LETTER};
                ends_in_sigma = 0;
                continue;
            }
            if ((unsigned char)*text < 0x80) {
                text++;
                break;
            }
            next = character_at(text, (size_t)(end - text));
            if (next.kind == IDEOGRAPH && letters > 0)
                break;
            text += next.bytes;
            if (next.kind == OTHER)
                break;
            ends_in_sigma = next.is_sigma && last.is_greek;
            last = next;
            memcpy(to + at, next.lower, next.lowered);
            at += next.lowered;
            letters++;
            if (next.kind == IDEOGRAPH)
                break;
        }
        if (letters == 0 || (letters == 1 && last.kind == LETTER))
            continue;
        if (words->count == words->capacity &&
            ARRAY_RESERVE(&words->word, &words->capacity, words->count + 1, error))
            return failure(error);
        word = &words->word[words->count++];
        word->is_joined = last.kind == IDEOGRAPH && is_after_ideograph;
        if (word->is_joined) {
            memmove(to + written, to + begin, at - begin);
            at -= begin - written;
            begin = written;
        } else if (begin > written) {
            to[written] = ' ';
        }
        if (last.kind == IDEOGRAPH)
            after_ideograph = text;
        if (ends_in_sigma)
            letter_encode(FINAL_SIGMA, to + at - 2);
        word->begin = begin;
        word->end = written = at;
    }
    return HINGE_OK;
}

void words_free(struct words *words)
{
    free(words->text);
    free(words->word);
    memset(words, 0, sizeof *words);
}
