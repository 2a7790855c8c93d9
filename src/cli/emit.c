/* emit.c - {"key":value, ...}, lines, or facts of a page. */
#include "cli/emit.h"

#include <math.h>
#include <stdarg.h>

#include "cli/report.h"
#include "cli/text.h"
#include "data/number.h"

/* Writes what precedes a value: a comma after another value, and its key. */
static void precede(struct emitter *emitter, const char *key)
{
    if (emitter->follows)
        putc(',', emitter->stream);
    emitter->follows = 1;
    if (key) {
        text_print_json(emitter->stream, key);
        putc(':', emitter->stream);
    }
}

void emit_begin(struct emitter *emitter, const char *key, char bracket)
{
    if (!emitter->json)
        return;
    precede(emitter, key);
    putc(bracket, emitter->stream);
    emitter->follows = 0;
    emitter->depth++;
}

void emit_end(struct emitter *emitter, char bracket)
{
    if (!emitter->json)
        return;
    putc(bracket, emitter->stream);
    emitter->follows = 1;
    if (--emitter->depth == 0)
        putc('\n', emitter->stream);
}

void emit_number(struct emitter *emitter, const char *key, double value, const char *format, ...)
{
    va_list values;

    if (emitter->json && key) {
        precede(emitter, *key ? key : NULL);
        if (isfinite(value))
            number_write(emitter->stream, value);
        else
            fputs("null", emitter->stream);
    } else if (!emitter->json && format) {
        va_start(values, format);
        vfprintf(emitter->stream, format, values);
        va_end(values);
    }
}

void emit_facts(struct emitter *emitter, const struct fact *fact, size_t count)
{
    for (const struct fact *end = fact + count; fact < end; fact++) {
        const int is_share = (fact->show & FACT_SHARE) != 0;
        const double value = is_share ? 100 * fact->value : fact->value;

        if (emitter->page) {
            if (fact->title && !isnan(value))
                page_fact(emitter->page, fact->title, "%.6g", value);
        } else if (emitter->json) {
            emit_number(emitter, fact->key, fact->value, NULL);
        } else if (fact->line && (emitter->has_details || !(fact->show & FACT_DETAIL)) &&
                   !(isnan(value) && fact->show & FACT_IF_KNOWN)) {
            fprintf(emitter->stream, "%s%s = %g%s\n", fact->line, emitter->of ? emitter->of : "",
                    value, is_share ? "%" : "");
        }
    }
}

void emit_raw(struct emitter *emitter, const char *key, const char *text)
{
    if (!emitter->json)
        return;
    precede(emitter, key);
    fputs(text, emitter->stream);
}

void emit_count(struct emitter *emitter, const char *key, uint64_t count, const char *noun,
                const char *after)
{
    emit_number(emitter, key, (double)count, NULL);
    if (!emitter->json && noun)
        report_count(emitter->stream, count, noun, after);
}

void emit_label(struct emitter *emitter, const struct names *names, const char *key,
                const char *word_key, double label)
{
    const char *word = names_of_label(names, label);

    emit_number(emitter, key, label, NULL);
    if (word)
        emit_string(emitter, word_key, word);
}

void emit_string(struct emitter *emitter, const char *key, const char *text)
{
    if (!emitter->json)
        return;
    precede(emitter, key);
    text_print_json(emitter->stream, text);
}
