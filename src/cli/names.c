/* names.c - a map, or a list with a name a line -> names without the blanks around them. */
#include "cli/names.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/text.h"
#include "data/number.h"
#include "data/token.h"

/* Appends the name p .. end - 1. */
static enum hinge_status append(struct names *names, const char *p, const char *end,
                                struct hinge_error *error)
{
    const size_t length = (size_t)(end - p), needed = names->used + length + 1;

    if (ARRAY_RESERVE(&names->text, &names->room, needed, error) ||
        ARRAY_RESERVE(&names->start, &names->capacity, names->kept + 1, error))
        return failure(error);
    memcpy(names->text + names->used, p, length);
    names->text[names->used + length] = '\0';
    names->start[names->kept++] = names->used;
    names->used = needed;
    return HINGE_OK;
}

static enum hinge_status append_features(struct names *names, size_t features,
                                         struct hinge_error *error)
{
    char *text = NULL;
    enum hinge_status status = HINGE_OK;

    names->count = map_features(&names->map);
    for (uint32_t j = 1; !status && j <= names->count && j <= features; j++) {
        const size_t length = (size_t)map_feature_name(&names->map, j, NULL, 0);

        status = ARRAY_RESIZE(&text, length + 1, error);
        if (status)
            break;
        map_feature_name(&names->map, j, text, length + 1);
        status = append(names, text, text + length, error);
    }
    free(text);
    return status;
}

enum hinge_status names_read(struct names *names, const char *path, size_t features,
                             struct model_map *copy, struct hinge_error *error)
{
    struct source source;
    const char *end;
    enum hinge_status status = HINGE_OK;
    int found, is_map;

    memset(names, 0, sizeof *names);
    if (source_open(&source, path, error))
        return failure(error);
    found = source_line(&source, &end, error);
    is_map = found >= 0 &&
             (copy || strncmp(source.cursor, MODEL_MAP_HEAD, strlen(MODEL_MAP_HEAD)) == 0 ||
              model_begins(&source));
    while (!is_map && found > 0) {
        const char *p = source.cursor;

        while (end > p && (is_blank(end[-1]) || end[-1] == '\r'))
            end--;
        while (p < end && is_blank(*p))
            p++;
        if ((names->count++ < features && append(names, p, end, error)) ||
            source_skip_line(&source, error))
            found = -1;
        else
            found = source_line(&source, &end, error);
    }
    if (found < 0 || (is_map && (map_read_source(&names->map, &source, copy, error) ||
                                 append_features(names, features, error))))
        status = failure(error);
    source_close(&source);
    return status;
}

enum hinge_status names_read_model(struct names *names, const char *path,
                                   const struct hinge_model *model, size_t features,
                                   struct hinge_error *error)
{
    memset(names, 0, sizeof *names);
    if (!model->map.text)
        return HINGE_OK;
    return map_read_model(&names->map, path, model, features == 0, error)
               ? failure(error)
               : append_features(names, features, error);
}

void names_free(struct names *names)
{
    map_free(&names->map);
    free(names->text);
    free(names->start);
}

const char *names_of(const struct names *names, size_t feature)
{
    const char *name = feature < names->kept ? names->text + names->start[feature] : "";

    return *name ? name : NULL;
}

const char *names_of_label(const struct names *names, double label)
{
    const uint32_t classes = names->map.classes.count;

    return label >= 1 && label <= classes && label == (uint32_t)label
               ? dictionary_text(&names->map.classes, (uint32_t)label - 1)
               : NULL;
}

void names_print_label(const struct names *names, double label, char text[NAMES_LABEL])
{
    const char *word = names_of_label(names, label);
    char begin[NAMES_LABEL], escaped[4 * NAMES_LABEL];

    if (!word) {
        number_print(text, label);
        return;
    }
    snprintf(begin, sizeof begin, "%.*s", (int)text_cut(word, sizeof begin - 1), word);
    text_escape(escaped, begin);
    snprintf(text, NAMES_LABEL, "%.*s", (int)text_cut(escaped, NAMES_LABEL - 1), escaped);
}

enum hinge_status names_find_label(const struct names *names, const char *option, const char *text,
                                   size_t length, double *label, struct hinge_error *error)
{
    enum { MOST = 10 }; /* classes in the message */
    const struct dictionary *classes = &names->map.classes;
    const uint32_t found = dictionary_find(classes, text, length, "", 0);
    const int shown = (int)(length < 200 ? length : 200);
    char list[(MOST + 1) * (NAMES_LABEL + 4)], word[NAMES_LABEL];
    size_t used = 0;

    if (found != DICTIONARY_NONE) {
        *label = found + 1.0;
        return HINGE_OK;
    }
    if (length > 0 && number_parse(text, label) == text + length && fabs(*label) <= DBL_MAX)
        return HINGE_OK;
    if (classes->count == 0)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: '%.*s' is not a finite number", option, shown,
                    text);
    for (uint32_t k = 0; k < classes->count && k < MOST; k++) {
        names_print_label(names, k + 1.0, word);
        used += (size_t)sprintf(list + used, "%s'%s'", k ? ", " : "", word);
    }
    if (classes->count > MOST)
        sprintf(list + used, ", ...");
    return fail(error, HINGE_BAD_ARGUMENT,
                "%s: '%.*s' is neither a class of the map nor a finite number; the map has %s",
                option, shown, text, list);
}

enum hinge_status names_append_label(char **line, const struct names *names, double label,
                                     struct hinge_error *error)
{
    const char *word = names_of_label(names, label);
    char number[NUMBER_LENGTH];

    number_print(number, label);
    return text_append_word(line, word ? word : number, error);
}
