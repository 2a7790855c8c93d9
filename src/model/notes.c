/* notes.c - key and value of a note are in one block: "key\0value\0". */
#include "model/notes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { LEAST = 8 };

enum hinge_status notes_append(struct hinge_model *model, const char *key, const char *key_end,
                               const char *value, const char *value_end, struct hinge_error *error)
{
    const size_t key_length = (size_t)(key_end - key), length = (size_t)(value_end - value);
    struct hinge_note note;

    /* The array has room for LEAST notes or the next power of 2, so it is full at these numbers. */
    if ((model->notes == 0 ||
         (model->notes >= LEAST && (model->notes & (model->notes - 1)) == 0)) &&
        ARRAY_RESIZE(&model->note, model->notes ? 2 * model->notes : LEAST, error))
        return failure(error);
    if (!(note.key = array_new(key_length + length + 2, 1, error)))
        return failure(error);
    note.value = note.key + key_length + 1;
    memcpy(note.key, key, key_length);
    memcpy(note.value, value, length);
    model->note[model->notes++] = note;
    return HINGE_OK;
}

size_t note_words(const char *value)
{
    size_t count = 0;

    for (value += strspn(value, " \t"); *value; value += strspn(value, " \t")) {
        value += strcspn(value, " \t");
        count++;
    }
    return count;
}

const char *const note_list_keys[NOTE_LISTS] = {"outcome", "engine",       "iterations",   "primal",
                                                "dual",    "relative_gap", "class_weights"};

int note_is_list(const char *key)
{
    for (size_t k = 0; k < NOTE_LISTS; k++)
        if (strcmp(key, note_list_keys[k]) == 0)
            return 1;
    return 0;
}

/* ---- The library's functions ------------------------------------------- */

/* Returns the position of the first note with that key; model->notes if there is none. */
static size_t find(const struct hinge_model *model, const char *key)
{
    size_t k = 0;

    while (k < model->notes && strcmp(model->note[k].key, key) != 0)
        k++;
    return k;
}

const char *hinge_model_note(const struct hinge_model *model, const char *key)
{
    const size_t k = find(model, key);

    return k < model->notes ? model->note[k].value : NULL;
}

/* True if each byte of a text is above the limit, and none is DEL. */
static int is_above(const char *text, unsigned char limit)
{
    while ((unsigned char)*text > limit && *text != 127)
        text++;
    return *text == '\0';
}

enum hinge_status hinge_model_add_note(struct hinge_model *model, const char *key,
                                       const char *value, struct hinge_error *error)
{
    const size_t k = find(model, key), last = model->notes;
    struct hinge_note old;

    if (!*key || !is_above(key, ' ') || model_reads(key))
        return fail(error, HINGE_BAD_ARGUMENT, "'%.40s' cannot be the key of a note", key);
    if (!is_above(value, ' ' - 1))
        return fail(error, HINGE_BAD_ARGUMENT, "%.40s: a control character in the value", key);
    if (notes_append(model, key, key + strlen(key), value, value + strlen(value), error))
        return failure(error);
    if (k < last) {
        old = model->note[k];
        model->note[k] = model->note[last];
        free(old.key);
        model->notes = last;
    }
    return HINGE_OK;
}
