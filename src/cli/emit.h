/* emit.h - a result as lines of text, "Name = value", as one JSON object on a line, or as facts of
 * a page.
 *
 * The functions that print a result call an emitter for all values, in one order for all forms. A
 * value has a key, its name in JSON, and a format or a name for text and page. A form leaves out
 * the values that have no name in it. */
#ifndef HINGE_CLI_EMIT_H
#define HINGE_CLI_EMIT_H

#include <stdio.h>

#include "base/compiler.h"
#include "cli/names.h"
#include "report/page.h"

struct emitter {
    FILE *stream; /* stream of text and JSON */
    int json;
    struct page *page; /* NULL: the form is text or JSON; else facts alone are emitted */
    int has_details;   /* text has the facts that are details */
    const char *of;    /* added to the names of lines: " of CLASS"; NULL: nothing */
    int follows;       /* a comma is due before the next member */
    int depth;         /* objects and arrays that have begun and not ended */
};

/* A number of a result, with its name in each form. A form in which it has no name leaves it out. A
 * page leaves out NaN. */
struct fact {
    const char *key;   /* key in JSON */
    const char *line;  /* name in text: "LINE = VALUE" */
    const char *title; /* name in a page */
    double value;
    enum { FACT_PLAIN, FACT_SHARE = 1, FACT_DETAIL = 2, FACT_IF_KNOWN = 4 } show;
    /* FACT_SHARE: text and page show the number in %; FACT_DETAIL: text shows it among details
     * only; FACT_IF_KNOWN: text leaves out NaN */
};

void emit_facts(struct emitter *emitter, const struct fact *fact, size_t count);

/* Begins and ends an object, '{' and '}', or an array, '[' and ']', of JSON. Does nothing in text.
 * key is NULL in an array and for the outermost object, whose end ends the line. */
void emit_begin(struct emitter *emitter, const char *key, char bracket);
void emit_end(struct emitter *emitter, char bracket);

/* Emits a number. JSON has all its digits, or null if it is not finite. key is "" in an array, and
 * NULL for text alone. format is the line of text, and NULL for JSON alone. */
void emit_number(struct emitter *emitter, const char *key, double value, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* Emits a line of text, which JSON does not have. */
#define emit_text(emitter, ...) emit_number(emitter, NULL, 0, __VA_ARGS__)

/* Emits a whole number. Text has "2 rows" and the text after it, or nothing if noun is NULL. */
void emit_count(struct emitter *emitter, const char *key, uint64_t count, const char *noun,
                const char *after);

/* Emits a label and, if it has one, its word to JSON. */
void emit_label(struct emitter *emitter, const struct names *names, const char *key,
                const char *word_key, double label);

/* Emits a string to JSON. A byte that is not UTF-8 becomes U+FFFD. */
void emit_string(struct emitter *emitter, const char *key, const char *text);

/* Emits text that is JSON already. */
void emit_raw(struct emitter *emitter, const char *key, const char *text);

#endif
