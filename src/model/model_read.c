/* model_read.c - "key value ..." in any order, "w", then features x columns numbers.
 *
 * The header is not trusted: its counts are limits, not sizes. Arrays grow with the numbers read,
 * so that memory is bounded by the size of the file.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/number.h"
#include "data/token.h"
#include "hinge.h"

/* LIBLINEAR's names of classifiers; all predict in the same way. */
static const char *const classifiers[] = {
    "L2R_LR",   "L2R_L2LOSS_SVC_DUAL", "L2R_L2LOSS_SVC", "L2R_L1LOSS_SVC_DUAL",
    "MCSVM_CS", "L1R_L2LOSS_SVC",      "L1R_LR",         "L2R_LR_DUAL",
};

static const char *const regressors[] = {
    "L2R_L2LOSS_SVR",
    "L2R_L2LOSS_SVR_DUAL",
    "L2R_L1LOSS_SVR_DUAL",
    "ONECLASS_SVM",
};

enum key { SOLVER_TYPE, NR_CLASS, LABEL, NR_FEATURE, BIAS, WEIGHTS, KEYS };

static const char *const key_names[KEYS] = {"solver_type", "nr_class", "label",
                                            "nr_feature",  "bias",     "w"};

struct parser {
    struct source source;
    struct hinge_model *model;
    int seen[KEYS];
};

/* ---- Words ------------------------------------------------------------- */

static int is_word(const char *p, const char *end, const char *word)
{
    return strlen(word) == (size_t)(end - p) && memcmp(p, word, (size_t)(end - p)) == 0;
}

/* The position of the word among count words, or -1. */
static int find_word(const char *p, const char *end, const char *const *words, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (is_word(p, end, words[k]))
            return (int)k;
    return -1;
}

/* Reads a whole number from least to 2^31 - 1, the largest int of LIBLINEAR. */
static enum hinge_status read_count(struct source *source, const char *what, double least,
                                    double *value, struct hinge_error *error)
{
    const char *end = token_next(source, what, error);
    const char *p = source->cursor;

    if (!end)
        return failure(error);
    if (number_parse(p, value) != end || !(*value >= least && *value <= 2147483647) ||
        *value != floor(*value))
        return source_fail(source, p, error, "%s '%.*s' is no whole number from %.0f to 2^31-1",
                           what, token_shown(p, end), p, least);
    source->cursor = end;
    return HINGE_OK;
}

/* ---- Header ------------------------------------------------------------ */

static enum hinge_status read_solver_type(struct parser *parser, struct hinge_error *error)
{
    struct source *source = &parser->source;
    const char *end = token_next(source, "a solver name", error);
    const char *p = source->cursor;
    int found;

    if (!end)
        return failure(error);
    found = find_word(p, end, classifiers, sizeof classifiers / sizeof *classifiers);
    if (found >= 0) {
        parser->model->solver_type = classifiers[found];
        source->cursor = end;
        return HINGE_OK;
    }
    if (find_word(p, end, regressors, sizeof regressors / sizeof *regressors) >= 0)
        return source_fail(source, p, error, "solver_type %.*s: this is no classifier",
                           token_shown(p, end), p);
    return source_fail(source, p, error, "solver_type '%.*s' is unknown", token_shown(p, end), p);
}

static enum hinge_status read_labels(struct parser *parser, struct hinge_error *error)
{
    struct hinge_model *model = parser->model;
    size_t capacity = 0;

    if (!parser->seen[NR_CLASS])
        return source_fail(&parser->source, parser->source.cursor, error, "label before nr_class");
    for (size_t c = 0; c < model->classes; c++) {
        if (c == capacity) {
            void *grown;

            capacity = array_grown(capacity, c + 1);
            if (!(grown = array_resize(model->label, capacity, sizeof *model->label, error)))
                return failure(error);
            model->label = grown;
        }
        if (token_read_number(&parser->source, "label", &model->label[c], error))
            return failure(error);
    }
    return HINGE_OK;
}

static enum hinge_status read_value(struct parser *parser, enum key key, struct hinge_error *error)
{
    struct source *source = &parser->source;
    double number = 0;

    switch (key) {
    case SOLVER_TYPE:
        return read_solver_type(parser, error);
    case NR_CLASS:
        if (read_count(source, "nr_class", 1, &number, error))
            return failure(error);
        parser->model->classes = (size_t)number;
        return HINGE_OK;
    case LABEL:
        return read_labels(parser, error);
    case NR_FEATURE:
        if (read_count(source, "nr_feature", 0, &number, error))
            return failure(error);
        parser->model->features = (uint32_t)number;
        return HINGE_OK;
    case BIAS:
        return token_read_number(source, "bias", &parser->model->bias, error);
    default:
        return HINGE_OK;
    }
}

/* Reads all keys up to "w". */
static enum hinge_status read_header(struct parser *parser, struct hinge_error *error)
{
    struct source *source = &parser->source;

    while (!parser->seen[WEIGHTS]) {
        const char *end = token_next(source, "a model's key", error);
        int key;

        if (!end)
            return failure(error);
        key = find_word(source->cursor, end, key_names, KEYS);
        if (key < 0)
            return source_fail(source, source->cursor, error, "'%.*s' is no key of a model",
                               token_shown(source->cursor, end), source->cursor);
        if (parser->seen[key])
            return source_fail(source, source->cursor, error, "%s is given twice", key_names[key]);
        source->cursor = end;
        if (read_value(parser, (enum key)key, error))
            return failure(error);
        parser->seen[key] = 1;
    }
    for (int key = 0; key < KEYS; key++)
        if (!parser->seen[key])
            return source_fail(source, source->cursor, error, "%s is missing before w",
                               key_names[key]);
    return HINGE_OK;
}

/* ---- Weights ----------------------------------------------------------- */

/* The number of weights according to the header; fails if no array can hold them. */
static enum hinge_status count_weights(const struct parser *parser, size_t *count,
                                       struct hinge_error *error)
{
    const struct hinge_model *model = parser->model;
    size_t lines = (size_t)model->features + (model->bias >= 0);

    if (lines > SIZE_MAX / sizeof(double) / model->columns)
        return source_fail(&parser->source, parser->source.cursor, error,
                           "nr_feature and nr_class are too large together");
    *count = lines * model->columns;
    return HINGE_OK;
}

static enum hinge_status read_weights(struct parser *parser, struct hinge_error *error)
{
    struct source *source = &parser->source;
    struct hinge_model *model = parser->model;
    size_t count = 0, capacity = 0;

    if (count_weights(parser, &count, error))
        return failure(error);
    for (size_t k = 0; k < count; k++) {
        const char *end;

        if (k == capacity) {
            void *grown;

            capacity = array_grown(capacity, 1024);
            if (capacity > count)
                capacity = count;
            if (!(grown = array_resize(model->weight, capacity, sizeof *model->weight, error)))
                return failure(error);
            model->weight = grown;
        }
        while (is_blank(*source->cursor))
            source->cursor++;
        if (*source->cursor == '\n')
            source_next_line(source, source->cursor);
        end = number_parse(source->cursor, &model->weight[k]);
        if (end != source->cursor && is_blank(*end) && fabs(model->weight[k]) <= DBL_MAX)
            source->cursor = end;
        else if (token_read_number(source, "weight", &model->weight[k], error))
            return failure(error);
    }
    return HINGE_OK;
}

/* Reads the number after the key at the cursor, on the same line. */
static enum hinge_status read_steps(struct parser *parser, struct hinge_error *error)
{
    struct source *source = &parser->source;
    const char *p, *end;
    double steps;

    source->cursor = token_end(source->cursor);
    if (token_gather(source, error))
        return failure(error);
    p = source->cursor;
    end = token_end(p);
    if (end == p && (*p != '\0' || p == source->end))
        return source_fail(source, p, error, "steps expected");
    if (token_check(source, end, error))
        return failure(error);
    if (number_parse(p, &steps) != end || !(fabs(steps) <= DBL_MAX))
        return token_fail_number(source, "steps", p, end, error);
    if (steps < 0)
        return source_fail(source, p, error, "steps: a negative number");
    parser->model->steps = floor(steps);
    return HINGE_OK;
}

/* Reads the keys of the record that predictions and restarts need; the cursor is at the key. */
static enum hinge_status read_line(struct parser *parser, struct hinge_error *error)
{
    const char *p = parser->source.cursor, *end = token_end(p);

    if (is_word(p, end, "zero_based"))
        parser->model->zero_based = 1;
    return is_word(p, end, "steps") ? read_steps(parser, error) : HINGE_OK;
}

/* Reads the lines "# key value" after the weights; anything else is an error. */
static enum hinge_status read_record(struct parser *parser, struct hinge_error *error)
{
    struct source *source = &parser->source;

    for (;;) {
        if (token_seek(source, error))
            return failure(error);
        if (source->cursor == source->end)
            return HINGE_OK;
        if (*source->cursor != '#' && token_check(source, token_end(source->cursor), error))
            return failure(error);
        if (*source->cursor != '#')
            return source_fail(source, source->cursor, error, "junk after the last weight");
        source->cursor++;
        if (token_gather(source, error))
            return failure(error);
        if (read_line(parser, error))
            return failure(error);
        if (source_skip_line(source, error))
            return failure(error);
    }
}

struct hinge_model *hinge_model_read(const char *path, struct hinge_error *error)
{
    struct parser parser = {0};
    struct hinge_model *model = parser.model = array_new(1, sizeof *model, error);
    int failed = !model || source_open(&parser.source, path, error) || read_header(&parser, error);

    if (!failed) {
        model->columns =
            model->classes == 2 && strcmp(model->solver_type, "MCSVM_CS") != 0 ? 1 : model->classes;
        failed = read_weights(&parser, error) || read_record(&parser, error);
    }
    source_close(&parser.source);
    if (!failed)
        return model;
    hinge_model_free(model);
    return NULL;
}
