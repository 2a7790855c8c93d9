/* text.c - printable characters stand for themselves, all other bytes are escaped. */
#include "cli/text.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"

/* Returns the length of the printable character at p, ASCII or UTF-8; 0 if there is none. */
static size_t printable(const char *p)
{
    const unsigned char *byte = (const unsigned char *)p;
    const size_t length = byte[0] < 0x80   ? 1
                          : byte[0] < 0xc2 ? 0
                          : byte[0] < 0xe0 ? 2
                          : byte[0] < 0xf0 ? 3
                          : byte[0] < 0xf5 ? 4
                                           : 0;

    if (length == 1)
        return byte[0] >= ' ' && byte[0] != 127;
    for (size_t k = 1; k < length; k++) /* a NUL ends it */
        if (byte[k] < 0x80 || byte[k] >= 0xc0)
            return 0;
    if ((byte[0] == 0xc2 && byte[1] < 0xa0) ||  /* control characters */
        (byte[0] == 0xe0 && byte[1] < 0xa0) ||  /* longer than needed */
        (byte[0] == 0xed && byte[1] >= 0xa0) || /* surrogates */
        (byte[0] == 0xf0 && byte[1] < 0x90) ||  /* longer than needed */
        (byte[0] == 0xf4 && byte[1] >= 0x90))   /* beyond U+10FFFF */
        return 0;
    return length;
}

/* Writes the character at *text to p, or its first byte as \ooo. Moves *text. Returns the end. */
static char *put(char *p, const char **text)
{
    const size_t length = printable(*text);

    if (length > 0)
        memcpy(p, *text, length);
    p += length > 0 ? (int)length : sprintf(p, "\\%03o", (unsigned char)**text);
    *text += length ? length : 1;
    return p;
}

void text_print(FILE *stream, const char *text)
{
    while (*text) {
        char shown[8];
        const char *end = put(shown, &text);

        fwrite(shown, 1, (size_t)(end - shown), stream);
    }
}

void text_escape(char *escaped, const char *text)
{
    while (*text)
        escaped = put(escaped, &text);
    *escaped = '\0';
}

size_t text_cut(const char *text, size_t most)
{
    size_t length = strlen(text);

    if (length > most)
        for (length = most; length > 0 && (text[length] & 0xc0) == 0x80;)
            length--;
    return length;
}

void text_print_json(FILE *stream, const char *text)
{
    putc('"', stream);
    while (*text) {
        const size_t length = printable(text);
        const unsigned char byte = (unsigned char)*text;

        if (byte == '"' || byte == '\\')
            putc('\\', stream);
        if (length > 0)
            fwrite(text, 1, length, stream);
        else
            fprintf(stream, "\\u%04x", byte < 0x80 ? (unsigned)byte : 0xfffdu);
        text += length ? length : 1;
    }
    putc('"', stream);
}

void text_print_field(FILE *stream, const char *text, const char *special)
{
    if (!strpbrk(text, special)) {
        fputs(text, stream);
        return;
    }
    putc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', stream);
        putc(*text, stream);
    }
    putc('"', stream);
}

enum hinge_status text_append_word(char **line, const char *word, struct hinge_error *error)
{
    const size_t before = *line ? strlen(*line) : 0;
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_-+=./,:@%"; /* a word of these needs no quotes */
    const char *quote = *word && !word[strspn(word, plain)] ? "" : "'", *end = word;
    char *p;

    if (ARRAY_RESIZE(line, before + 4 * strlen(word) + 5, error))
        return failure(error);
    while (*end && printable(end))
        end += printable(end);
    if (*end)
        quote = "$'";
    p = *line + before;
    if (before > 0)
        *p++ = ' ';
    p += sprintf(p, "%s", quote);
    while (*word) {
        if (*quote == '$' && (*word == '\'' || *word == '\\'))
            *p++ = '\\';
        else if (*quote && *word == '\'')
            p += sprintf(p, "'\\'"); /* with the quote itself: '\'' */
        p = put(p, &word);
    }
    sprintf(p, "%s", *quote ? "'" : "");
    return HINGE_OK;
}
