/* emit.h - a result as lines of text, "Name = value", or as one JSON object on a line.
 *
 * The functions that print a result call an emitter once for each value, in one order for both
 * forms. A value has a key, its name in JSON, and a format, its line of text. The form without a
 * key or a format leaves the value out. */
#ifndef HINGE_CLI_EMIT_H
#define HINGE_CLI_EMIT_H

#include <stdio.h>

#include "base/compiler.h"
#include "hinge.h"

struct emitter {
    FILE *stream;
    int json;
    int follows; /* a comma is due before the next member */
};

/* Begins and ends an object, '{' and '}', or an array, '[' and ']', of JSON. In text they do
 * nothing. In an array and for the outermost object, key is NULL. */
void emit_begin(struct emitter *emitter, const char *key, char bracket);
void emit_end(struct emitter *emitter, char bracket);

/* Emits a number. JSON has it with all its digits, and null if it is not finite; key is NULL for
 * text alone, "" in an array. format is the line of text; NULL for JSON alone. */
void emit_number(struct emitter *emitter, const char *key, double value, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* Emits a whole number to JSON. */
void emit_count(struct emitter *emitter, const char *key, uint64_t count);

/* Emits a string to JSON. A byte that is not UTF-8 becomes U+FFFD. */
void emit_string(struct emitter *emitter, const char *key, const char *text);

/* Emits text that is JSON already. */
void emit_raw(struct emitter *emitter, const char *key, const char *text);

#endif
