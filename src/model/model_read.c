/* model_read.c - "key value ..." in any order, "w", then features x columns numbers.
 *
 * The header is not trusted: its counts are limits, not sizes. Arrays grow with the numbers read,
 * so that memory is bounded by the size of the file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/guess.h"
#include "data/number.h"
#include "data/token.h"
#include "hinge.h"
#include "model/model.h"
#include "model/notes.h"
#include "solver/loop/solver.h"

/* LIBLINEAR's names of solvers: classifiers, which all predict in the same way, then regressions,
 * then the one-class SVM. */
static const char *const types[] = {"L2R_LR",
                                    "L2R_L2LOSS_SVC_DUAL",
                                    "L2R_L2LOSS_SVC",
                                    "L2R_L1LOSS_SVC_DUAL",
                                    "MCSVM_CS",
                                    "L1R_L2LOSS_SVC",
                                    "L1R_LR",
                                    "L2R_LR_DUAL",
                                    "L2R_L2LOSS_SVR",
                                    "L2R_L2LOSS_SVR_DUAL",
                                    "L2R_L1LOSS_SVR_DUAL",
                                    "ONECLASS_SVM"};
enum { FIRST_REGRESSION = 8, ONE_CLASS = 11 };

enum key { SOLVER_TYPE, NR_CLASS, LABEL, NR_FEATURE, BIAS, RHO, WEIGHTS, KEYS };

static const char *const key_names[KEYS] = {"solver_type", "nr_class", "label", "nr_feature",
                                            "bias",        "rho",      "w"};

struct parser {
    struct source source;
    struct hinge_model *model;
    int seen[KEYS];
    int regression;
    double rho;
    int stored; /* 1: the line of the record is kept in a field and becomes no note */
};

/* Returns the position of the word among count words, or -1. */
static int find_word(const char *p, const char *end, const char *const *words, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (is_word(p, end, words[k]))
            return (int)k;
    return -1;
}

int model_begins(const struct source *source)
{
    const char *end = token_end(source->cursor);

    return find_word(source->cursor, end, key_names, KEYS) >= 0;
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

/* Reads count numbers. A number that ends at a blank, as nearly all do, is scanned only once. */
static enum hinge_status read_numbers(struct source *source, const char *what, size_t count,
                                      double **number, struct hinge_error *error)
{
    size_t capacity = 0;

    for (size_t k = 0; k < count; k++) {
        const char *end;

        if (k == capacity) {
            capacity = array_grown(capacity, 1024);
            if (capacity > count)
                capacity = count;
            if (ARRAY_RESIZE(number, capacity, error))
                return failure(error);
        }
        while (is_blank(*source->cursor))
            source->cursor++;
        if (*source->cursor == '\n')
            source_next_line(source, source->cursor);
        end = number_parse(source->cursor, &(*number)[k]);
        if (end != source->cursor && is_blank(*end) && isfinite((*number)[k]))
            source->cursor = end;
        else if (token_read_number(source, what, &(*number)[k], error))
            return failure(error);
    }
    return HINGE_OK;
}

static enum hinge_status read_value(struct parser *parser, enum key key, struct hinge_error *error)
{
    struct source *source = &parser->source;
    struct hinge_model *model = parser->model;
    const char *p, *end;
    double number = 0;
    int found;

    switch (key) {
    case SOLVER_TYPE:
        if (!(end = token_next(source, "a solver name", error)))
            return failure(error);
        p = source->cursor;
        found = find_word(p, end, types, sizeof types / sizeof *types);
        if (found < 0)
            return source_fail(source, p, error, "solver_type '%.*s' is unknown",
                               token_shown(p, end), p);
        model->solver_type = types[found];
        parser->regression = found >= FIRST_REGRESSION && found < ONE_CLASS;
        model->one_class = found == ONE_CLASS;
        source->cursor = end;
        return HINGE_OK;
    case NR_CLASS:
        if (read_count(source, "nr_class", 1, &number, error))
            return failure(error);
        model->classes = (size_t)number;
        return HINGE_OK;
    case LABEL:
        if (!parser->seen[NR_CLASS])
            return source_fail(source, source->cursor, error, "label before nr_class");
        return read_numbers(source, "label", model->classes, &model->label, error);
    case NR_FEATURE:
        if (read_count(source, "nr_feature", 0, &number, error))
            return failure(error);
        model->features = (uint32_t)number;
        return HINGE_OK;
    case BIAS:
        return token_read_number(source, "bias", &model->bias, error);
    case RHO:
        return token_read_number(source, "rho", &parser->rho, error);
    default:
        return HINGE_OK;
    }
}

/* Reads all keys up to "w". */
static enum hinge_status read_header(struct parser *parser, struct hinge_error *error)
{
    struct source *source = &parser->source;
    double label; /* a label: the file is a data file */
    int labelled, one_class;

    for (size_t keys = 0; !parser->seen[WEIGHTS]; keys++) {
        const char *end = token_next(source, "a model's key", error);
        int key;

        if (!end)
            return failure(error);
        key = find_word(source->cursor, end, key_names, KEYS);
        if (key < 0) {
            const char *p = source->cursor;

            source_error_fill(source, p, error, "'%.*s' is no key of a model", token_shown(p, end),
                              p);
            if (keys == 0 && guess_explain(source, GUESS_OTHER, error) == GUESS_NOTHING &&
                number_parse(p, &label) == end)
                source_error_fill(source, p, error,
                                  "'%.*s' is no key of a model; the file looks like data: is the "
                                  "order of the arguments right?",
                                  token_shown(p, end), p);
            return failure(error);
        }
        if (parser->seen[key])
            return source_fail(source, source->cursor, error, "%s is given twice", key_names[key]);
        source->cursor = end;
        if (read_value(parser, (enum key)key, error))
            return failure(error);
        parser->seen[key] = 1;
    }
    one_class = parser->model->one_class;
    labelled = !parser->regression && !one_class;
    for (int key = 0; key < KEYS; key++)
        if (!parser->seen[key] && !(key == LABEL && !labelled) && !(key == RHO && !one_class))
            return source_fail(source, source->cursor, error, "%s is missing before w",
                               key_names[key]);
    if (parser->seen[RHO] && !one_class)
        return source_fail(source, source->cursor, error, "rho, but solver_type is %s",
                           parser->model->solver_type);
    if (labelled)
        return HINGE_OK;
    if (parser->seen[LABEL] || parser->model->classes != 2)
        return source_fail(source, source->cursor, error, "%s has nr_class 2 and no label",
                           one_class ? "a one-class SVM" : "a regression");
    if (!one_class) {
        parser->model->classes = 0;
        return HINGE_OK;
    }
    /* the classes are +1 and -1, and the weight of the bias becomes -rho */
    if (parser->model->bias >= 0)
        return source_fail(source, source->cursor, error, "a one-class SVM has rho and no bias");
    if (!(parser->model->label = array_new(2, sizeof(double), error)))
        return failure(error);
    parser->model->label[0] = 1;
    parser->model->label[1] = -1;
    return HINGE_OK;
}

/* ---- Weights, and what follows them ------------------------------------ */

static enum hinge_status read_weights(struct parser *parser, struct hinge_error *error)
{
    struct source *source = &parser->source;
    struct hinge_model *model = parser->model;
    const size_t lines = (size_t)model->features + (model->bias >= 0);

    model->columns =
        model->classes == 0 || (model->classes == 2 && strcmp(model->solver_type, "MCSVM_CS") != 0)
            ? 1
            : model->classes;
    if (lines > SIZE_MAX / sizeof(double) / model->columns)
        return source_fail(source, source->cursor, error,
                           "nr_feature and nr_class are too large together");
    if (read_numbers(source, "weight", lines * model->columns, &model->weight, error))
        return failure(error);
    if (!model->one_class)
        return HINGE_OK;
    if (ARRAY_RESIZE(&model->weight, lines + 1, error))
        return failure(error);
    model->bias = 1;
    model->weight[lines] = -parser->rho;
    return HINGE_OK;
}

/* Reads the numbers at the cursor. If the line has exactly two per column, they are the sigmoids.
 * Other lines are comments of another program. */
static enum hinge_status read_sigmoid(struct parser *parser, struct hinge_error *error)
{
    struct source *source = &parser->source;
    struct hinge_model *model = parser->model;
    const size_t count = 2 * model->columns; /* at most twice the labels that were read */
    double *sigmoid = array_new(count, sizeof *sigmoid, error);
    size_t k = 0;

    for (;;) {
        const char *end;

        if (!sigmoid || token_gather(source, error)) {
            free(sigmoid);
            return failure(error);
        }
        end = token_end(source->cursor);
        if (end == source->cursor || k == count ||
            number_parse(source->cursor, &sigmoid[k]) != end || !isfinite(sigmoid[k]))
            break;
        source->cursor = end;
        k++;
    }
    parser->stored =
        k == count && !model->sigmoid &&
        (*source->cursor == '\n' || *source->cursor == '\r' || source->cursor == source->end);
    if (parser->stored)
        model->sigmoid = sigmoid;
    else
        free(sigmoid);
    return HINGE_OK;
}

/* The keys of the record that predictions and restarts need. */
enum needed_key { SOLVER, STEPS, SIGMOID, ZERO_BASED, NEEDED_KEYS };
static const char *const needed_keys[NEEDED_KEYS] = {"solver", "steps", "sigmoid", "zero_based"};

/* Reads the value of a needed key at the cursor, on the same line. */
static enum hinge_status read_needed(struct parser *parser, enum needed_key key,
                                     struct hinge_error *error)
{
    struct source *source = &parser->source;
    struct hinge_model *model = parser->model;
    const struct solver *solver;
    const char *p, *end;
    double steps;

    if (token_gather(source, error))
        return failure(error);
    p = source->cursor;
    end = token_end(p);
    switch (key) {
    case SOLVER: /* tells if probabilities are a softmax, whose model has a column for each class */
        solver = solver_named(p, (size_t)(end - p));
        if (solver && solver_is_softmax(solver))
            model->softmax = model->columns == model->classes;
        return HINGE_OK;
    case STEPS:
        if (end == p && (*p != '\0' || p == source->end))
            return source_fail(source, p, error, "steps expected");
        if (token_check(source, end, error) || token_number(source, "steps", p, end, &steps, error))
            return failure(error);
        if (steps < 0)
            return source_fail(source, p, error, "steps: a negative number");
        model->steps = floor(steps);
        return HINGE_OK;
    case SIGMOID:
        return read_sigmoid(parser, error);
    default: /* zero_based 1; other lines are comments of another program */
        parser->stored = is_word(p, end, "1");
        model->zero_based |= parser->stored;
        return HINGE_OK;
    }
}

enum hinge_status model_map_append(struct model_map *map, const char *p, const char *end,
                                   struct hinge_error *error)
{
    const size_t length = (size_t)(end - p), before = sizeof MODEL_MAP - 1;
    char *text;

    if (array_extend(&map->text, &map->capacity, map->length + before + length + 1 + PAD, 1, error))
        return failure(error);
    text = map->text + map->length;
    memcpy(text, MODEL_MAP, before);
    memcpy(text + before, p, length);
    text[before + length] = '\n';
    memset(text + before + length + 1, '\0', PAD);
    map->length += before + length + 1;
    return HINGE_OK;
}

int model_reads(const char *key)
{
    return find_word(key, key + strlen(key), needed_keys, NEEDED_KEYS) >= 0 ||
           strcmp(key, "map") == 0;
}

/* Reads the lines "# key value" of the record after the weights; anything else is an error. A line
 * becomes a note unless it has no key, or a field keeps it. Lines of a map are kept as they are;
 * there may be a million of them. */
static enum hinge_status read_record(struct parser *parser, struct hinge_error *error)
{
    static const char first[] = MODEL_MAP MODEL_MAP_HEAD;
    struct source *source = &parser->source;
    struct model_map *map = &parser->model->map;

    for (;;) {
        const char *line, *line_end, *end, *key, *key_end, *value;
        int found;

        if (token_seek(source, error))
            return failure(error);
        if (source->cursor == source->end)
            return HINGE_OK;
        if (*source->cursor != '#' && token_check(source, token_end(source->cursor), error))
            return failure(error);
        if (*source->cursor != '#')
            return source_fail(source, source->cursor, error, "text after the last weight");
        if (source_line(source, &line_end, error) < 0)
            return failure(error);
        line = source->cursor;
        if (strncmp(line, first, map->text ? strlen(MODEL_MAP) : strlen(first)) == 0) {
            if (!map->text)
                map->line = source->line;
            if (model_map_append(map, line + strlen(MODEL_MAP), line_end, error))
                return failure(error);
            source_next_line(source, *line_end ? line_end : line_end - 1);
            continue;
        }
        source->cursor++;
        if (token_gather(source, error))
            return failure(error);
        key = source->cursor;
        source->cursor = token_end(key);
        found = find_word(key, source->cursor, needed_keys, NEEDED_KEYS);
        parser->stored = 0;
        if (found >= 0 && read_needed(parser, (enum needed_key)found, error))
            return failure(error);
        for (end = line_end; end > line + 1 && (is_blank(end[-1]) || end[-1] == '\r');)
            end--;
        for (key = line + 1; key < end && is_blank(*key);)
            key++;
        for (key_end = key; key_end < end && !is_blank(*key_end);)
            key_end++;
        for (value = key_end; value < end && is_blank(*value);)
            value++;
        if ((!parser->stored && key < end &&
             notes_append(parser->model, key, key_end, value, end, error)) ||
            source_skip_line(source, error))
            return failure(error);
    }
}

struct hinge_model *hinge_model_read(const char *path, struct hinge_error *error)
{
    struct parser parser = {.model = array_new(1, sizeof *parser.model, error)};
    const int failed = !parser.model || source_open(&parser.source, path, error) ||
                       (libsvm_begins(&parser.source)
                            ? libsvm_read(&parser.source, parser.model, error)
                            : read_header(&parser, error) || read_weights(&parser, error) ||
                                  read_record(&parser, error));

    source_close(&parser.source);
    if (!failed)
        return parser.model;
    hinge_model_free(parser.model);
    return NULL;
}
