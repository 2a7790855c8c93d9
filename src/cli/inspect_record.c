/* inspect_record.c - notes of a model: numbers, words, and lists of a word for each problem. */
#include <math.h>
#include <string.h>

#include "cli/inspect_print.h"
#include "cli/text.h"
#include "data/number.h"
#include "model/notes.h"

/* Whether the value of a note has a word for each of several problems. Such lists are printed class
 * by class. */
static int is_by_class(const struct hinge_model *model, const struct hinge_note *note)
{
    return model->columns > 1 && note_is_list(note->key) &&
           note_words(note->value) == model->columns;
}

/* 2 if the text is a whole number as JSON has it, which is printed as it is; 1 if it is another
 * finite number, which *value is set to; 0 if it is none. */
static int is_number(const char *text, size_t length, double *value)
{
    const size_t digits = strspn(text, "0123456789");

    if (digits == length && digits > 0 && (digits == 1 || *text != '0'))
        return 2;
    return number_parse(text, value) == text + length && length > 0 && isfinite(*value);
}

enum { WORD = 64 }; /* room for a word; longer ones are not of this program */

/* Copies the first word of a list; the rest of it. */
static const char *take_word(char word[WORD], const char *list)
{
    const size_t length = strcspn(list, " \t");

    snprintf(word, WORD, "%.*s", length < WORD ? (int)length : 1, list);
    list += length;
    return list + strspn(list, " \t");
}

/* Prints a word: a number shortly. */
static void print_word(const char *word)
{
    double value;

    if (is_number(word, strlen(word), &value) == 1)
        printf("%g", value);
    else
        text_print(stdout, word);
}

void inspect_print_value(const struct hinge_note *note)
{
    const char *list = note->value;
    char word[WORD];

    if (!note_is_list(note->key)) {
        print_word(list);
        return;
    }
    while (*list) {
        list = take_word(word, list);
        print_word(word);
        if (*list)
            putchar(' ');
    }
}

/* Prints how many problems are certified, or the largest gap, of a list that is printed class by
 * class. */
static void print_summary(const struct hinge_note *note)
{
    size_t words = 0, certified = 0;
    double value, largest = 0;
    char word[WORD];

    for (const char *list = note->value; *list; words++) {
        list = take_word(word, list);
        certified += strcmp(word, "certified") == 0;
        if (is_number(word, strlen(word), &value) == 1 && value > largest)
            largest = value;
    }
    if (strcmp(note->key, "outcome") == 0)
        printf("certified = %lu of %lu\n", (unsigned long)certified, (unsigned long)words);
    else if (strcmp(note->key, "relative_gap") == 0 && largest > 0)
        printf("largest relative_gap = %g\n", largest);
}

void inspect_print_notes(const struct hinge_model *model)
{
    if (model->notes == 0)
        puts("record = none");
    for (size_t k = 0; k < model->notes; k++)
        if (is_by_class(model, &model->note[k])) {
            print_summary(&model->note[k]);
        } else {
            text_print(stdout, model->note[k].key);
            fputs(" = ", stdout);
            inspect_print_value(&model->note[k]);
            putchar('\n');
        }
}

void inspect_print_lists(struct cursor *list, size_t lists)
{
    for (size_t k = 0; k < lists; k++) {
        char word[WORD];

        list[k].word = take_word(word, list[k].word);
        printf("%s = ", list[k].note->key);
        print_word(word);
        putchar('\n');
    }
}

size_t inspect_find_lists(const struct hinge_model *model, struct cursor list[MOST_LISTS])
{
    size_t lists = 0;

    for (size_t k = 0; k < model->notes && lists < MOST_LISTS; k++)
        if (is_by_class(model, &model->note[k]))
            list[lists++] = (struct cursor){&model->note[k], model->note[k].value};
    return lists;
}

/* ---- JSON -------------------------------------------------------------- */

/* Prints a word of the record: a number, null, or a string. */
static void put_word(const char *word)
{
    double value;
    const int number = is_number(word, strlen(word), &value);

    if (number == 2)
        fputs(word, stdout);
    else if (number)
        text_put_number(stdout, '\0', NULL, value);
    else if (strcmp(word, "unknown") == 0)
        fputs("null", stdout);
    else
        text_print_json(stdout, word);
}

static void put_list(const char *value)
{
    char word[WORD];

    putchar('[');
    for (const char *p = value; *p;) {
        if (p > value)
            putchar(',');
        p = take_word(word, p);
        put_word(word);
    }
    putchar(']');
}

void inspect_put_record(const struct hinge_model *model)
{
    putchar('{');
    for (size_t k = 0; k < model->notes; k++) {
        if (k > 0)
            putchar(',');
        text_print_json(stdout, model->note[k].key);
        putchar(':');
        if (note_is_list(model->note[k].key))
            put_list(model->note[k].value);
        else
            put_word(model->note[k].value);
    }
    putchar('}');
}
