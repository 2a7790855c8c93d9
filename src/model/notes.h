/* notes.h - lines "# key value" of a model's record. */
#ifndef HINGE_MODEL_NOTES_H
#define HINGE_MODEL_NOTES_H

#include "model/model.h"

/* Appends a note: the texts from key to key_end and from value to value_end. */
enum hinge_status notes_append(struct hinge_model *model, const char *key, const char *key_end,
                               const char *value, const char *value_end, struct hinge_error *error);

/* True if reading a model interprets the lines with that key. */
int model_reads(const char *key);

/* Counts the words of a value, which blanks separate. */
size_t note_words(const char *value);

/* The notes whose value is a list with a word for each problem or class. */
enum note_list {
    NOTE_OUTCOME,
    NOTE_METHOD,
    NOTE_ITERATIONS,
    NOTE_PRIMAL,
    NOTE_DUAL,
    NOTE_GAP,
    NOTE_CLASS_WEIGHTS,
    NOTE_LISTS
};
extern const char *const note_list_keys[NOTE_LISTS];

/* True if the value of the note with that key is a list. */
int note_is_list(const char *key);

#endif
