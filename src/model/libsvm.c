/* libsvm.c - a model of LIBSVM with a linear kernel: w = sum_i coef_i SV_i, with the bias -rho.
 *
 * The header has lines "key value ...". A line of a support vector is a row of data, with the
 * coefficient as its label. With two classes, decision values above 0 mean the first label, as in
 * LIBLINEAR's models. More classes vote in pairs, which no weights of classes can express.
 */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/reader.h"
#include "data/token.h"

enum key { SVM_TYPE, KERNEL_TYPE, NR_CLASS, RHO, LABEL, PROB_A, PROB_B, TOTAL_SV, SV, KEYS };

static const char *const key_names[KEYS] = {"svm_type", "kernel_type", "nr_class", "rho", "label",
                                            "probA",    "probB",       "total_sv", "SV"};

/* LIBSVM's types, and the names of solvers that minimise the same loss. */
static const struct {
    const char *name;
    const char *solver_type;
} types[] = {{"c_svc", "L2R_L1LOSS_SVC_DUAL"},
             {"nu_svc", "L2R_L1LOSS_SVC_DUAL"},
             {"one_class", "ONECLASS_SVM"},
             {"epsilon_svr", "L2R_L1LOSS_SVR_DUAL"},
             {"nu_svr", "L2R_L1LOSS_SVR_DUAL"}};
enum { TYPES = sizeof types / sizeof *types, ONE_CLASS = 2 };

struct header {
    size_t type; /* a position in types */
    int seen[KEYS];
    double number[KEYS]; /* the first number of the line */
    double label[2];
};

int libsvm_begins(const struct source *source)
{
    return strncmp(source->cursor, "svm_type ", 9) == 0;
}

/* ---- Header ------------------------------------------------------------ */

/* Reads all lines up to SV. Lines with other keys are skipped. */
static enum hinge_status read_header(struct source *source, struct header *header,
                                     struct hinge_error *error)
{
    while (!header->seen[SV]) {
        const char *end = token_next(source, "SV", error), *p = source->cursor;
        int key = 0, has_word;

        if (!end)
            return failure(error);
        while (key < KEYS && !is_word(p, end, key_names[key]))
            key++;
        source->cursor = end;
        has_word = key == SVM_TYPE || key == KERNEL_TYPE;
        if (has_word) {
            if (!(end = token_next(source, key_names[key], error)))
                return failure(error);
            p = source->cursor;
            source->cursor = end;
        }
        if ((key < SV && !has_word &&
             token_read_number(source, key_names[key], &header->number[key], error)) ||
            (key == LABEL && token_read_number(source, key_names[key], &header->label[1], error)))
            return failure(error);
        if (key == LABEL)
            header->label[0] = header->number[key];
        if (key == NR_CLASS && header->number[key] != 2)
            return source_fail(source, source->cursor, error,
                               "a model of LIBSVM with %g classes, which vote in pairs: "
                               "svm-predict reads it, and train makes one with weights for each "
                               "class",
                               header->number[key]);
        if (key == KERNEL_TYPE && !is_word(p, end, "linear"))
            return source_fail(source, p, error,
                               "a model of LIBSVM with the kernel %.*s, which has no weights of "
                               "features: svm-predict reads it, and svm-train -t 0 makes one that "
                               "predict reads",
                               token_shown(p, end), p);
        if (key == SVM_TYPE) {
            header->type = 0;
            while (header->type < TYPES && !is_word(p, end, types[header->type].name))
                header->type++;
            if (header->type == TYPES)
                return source_fail(source, p, error, "svm_type '%.*s' is unknown",
                                   token_shown(p, end), p);
        }
        if (key < KEYS)
            header->seen[key] = 1;
        if (source_skip_line(source, error))
            return failure(error);
    }
    for (int key = SVM_TYPE; key <= LABEL; key++)
        if (!header->seen[key] && (key != LABEL || header->type < ONE_CLASS))
            return source_fail(source, source->cursor, error, "%s is missing before SV",
                               key_names[key]);
    return HINGE_OK;
}

/* ---- Support vectors --------------------------------------------------- */

/* Weights of features. */
struct sums {
    double zeroth;  /* weight of index 0, if indices start there */
    double *weight; /* [capacity] of index 1 and so on; memory between indices is never touched */
    size_t capacity;
    size_t count; /* the largest index */
};

/* Makes room for the weights up to an index, and for the weight of the bias. */
static enum hinge_status reserve(struct sums *sums, uint32_t index, struct hinge_error *error)
{
    const size_t needed = (size_t)index + 2;
    const size_t capacity = needed > sums->capacity ? array_grown(sums->capacity, needed) : 0;
    double *grown;

    if (capacity > 0) {
        if (memory_ask("weights", capacity, 1, error) ||
            !(grown = array_new(capacity, sizeof *grown, error)))
            return failure(error);
        for (size_t k = 0; k < sums->count; k++)
            if (sums->weight[k] != 0) /* a store would touch memory */
                grown[k] = sums->weight[k];
        free(sums->weight);
        sums->weight = grown;
        sums->capacity = capacity;
    }
    if (sums->count < index)
        sums->count = index;
    return HINGE_OK;
}

/* Adds the support vectors, which are the rest of the source. If the header has a number of support
 * vectors, there must be as many. */
static enum hinge_status add_vectors(struct source *source, const struct header *header,
                                     struct sums *sums, int *zero_based, struct hinge_error *error)
{
    struct hinge_reader reader = {.source = *source,
                                  .format = {.zero_based = 1},
                                  .rows = 1, /* so that no row counts as the first of a file */
                                  .is_part = 1};
    struct hinge_row row;
    double vectors = 0;
    int found = -1;

    if (!block_new(&reader.block, HINGE_INDEX_32, HINGE_VALUE_DOUBLE, error))
        while ((found = hinge_reader_next(&reader, &row, error)) > 0) {
            if (row.count > 0 && reserve(sums, row.index[row.count - 1], error)) {
                found = -1;
                break;
            }
            for (size_t k = 0; k < row.count; k++) {
                const double product = row.label * row.value[k];

                if (row.index[k] > 0)
                    sums->weight[row.index[k] - 1] += product;
                else
                    sums->zeroth += product;
            }
            *zero_based |= row.count > 0 && row.index[0] == 0;
            vectors++;
        }
    *source = reader.source;
    block_free(&reader.block);
    if (found < 0)
        return failure(error);
    if (header->seen[TOTAL_SV] && vectors != header->number[TOTAL_SV])
        return source_fail(source, source->cursor, error,
                           "%g support vectors, but total_sv is %g: the model is cut short, or not "
                           "one of LIBSVM",
                           vectors, header->number[TOTAL_SV]);
    return HINGE_OK;
}

/* ---- All of it --------------------------------------------------------- */

enum hinge_status libsvm_read(struct source *source, struct hinge_model *model,
                              struct hinge_error *error)
{
    struct header header = {0};
    struct sums sums = {.capacity = 2};
    int has_sigmoid;

    if (read_header(source, &header, error))
        return failure(error);
    model->one_class = header.type == ONE_CLASS;
    model->classes = header.type > ONE_CLASS ? 0 : 2; /* 0: a regression */
    has_sigmoid = header.type < ONE_CLASS && header.seen[PROB_A] && header.seen[PROB_B];
    if ((model->classes > 0 && !(model->label = array_new(2, sizeof *model->label, error))) ||
        (has_sigmoid && !(model->sigmoid = array_new(2, sizeof *model->sigmoid, error))) ||
        !(sums.weight = array_new(sums.capacity, sizeof *sums.weight, error)) ||
        add_vectors(source, &header, &sums, &model->zero_based, error)) {
        free(sums.weight);
        return failure(error);
    }
    for (int c = 0; model->label && c < 2; c++)
        model->label[c] = !model->one_class ? header.label[c] : c == 0 ? 1 : -1;
    if (has_sigmoid) {
        model->sigmoid[0] = header.number[PROB_A];
        model->sigmoid[1] = header.number[PROB_B];
    }
    if (model->zero_based) {
        memmove(sums.weight + 1, sums.weight, sums.count++ * sizeof *sums.weight);
        sums.weight[0] = sums.zeroth;
    }
    sums.weight[sums.count] = 0 - header.number[RHO];
    model->solver_type = types[header.type].solver_type;
    model->features = (uint32_t)sums.count;
    model->columns = 1;
    model->bias = 1;
    model->weight = sums.weight;
    return HINGE_OK;
}
