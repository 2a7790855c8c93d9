/* letters.h - characters of UTF-8: which are letters or digits, and their lower case. */
#ifndef HINGE_TEXT_LETTERS_H
#define HINGE_TEXT_LETTERS_H

#include <stddef.h>
#include <stdint.h>

/* Stands for bytes that are not UTF-8. It is no letter. */
#define LETTER_INVALID 0xfffdu

/* Sets *code to the first character of a text that is not empty. Returns its bytes. */
size_t letter_decode(const char *text, size_t length, uint32_t *code);

/* Writes a character, at most 4 bytes. Returns its bytes. */
size_t letter_encode(uint32_t code, char *text);

/* True for letters and digits of all scripts. code is at least 0x80. */
int letter_is(uint32_t code);

/* True for a letter of a script that puts no blanks between words: Chinese characters, Hiragana and
 * Katakana. */
int letter_is_ideograph(uint32_t code);

/* Returns the lower case of a capital letter, or the code itself if it is no capital letter. code
 * is at least 0x80. */
uint32_t letter_lower(uint32_t code);

#endif
