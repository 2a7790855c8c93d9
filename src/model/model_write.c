/* model_write.c - LIBLINEAR's text format, then a record that LIBLINEAR does not read. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/parallel.h"
#include "base/status.h"
#include "data/number.h"
#include "hinge.h"
#include "model/notes.h"

/* The weights as text, a line for each feature. */
struct weights_text {
    const struct hinge_model *model;
    FILE *stream;
    size_t weights;
    size_t block; /* weights at a time */
    size_t room;
    char *text;                        /* [threads * room] */
    size_t length[HINGE_MOST_THREADS]; /* length of each thread's text */
};

static void print_block(void *context, size_t block, unsigned thread)
{
    struct weights_text *to = context;
    const size_t columns = to->model->columns, first = block * to->block;
    const size_t end = to->weights - first < to->block ? to->weights : first + to->block;
    size_t left = columns - first % columns; /* weights left on the line */
    char *const begin = to->text + thread * to->room;
    char *text = begin;

    for (size_t k = first; k < end; k++) {
        /* most weights of text data with many classes are 0 */
        if (to->model->weight[k] == 0)
            *text++ = '0';
        else
            text += number_print(text, to->model->weight[k]);
        *text++ = ' ';
        if (--left == 0) {
            *text++ = '\n';
            left = columns;
        }
    }
    to->length[thread] = (size_t)(text - begin);
}

static void write_block(void *context, size_t block, unsigned thread)
{
    const struct weights_text *to = context;

    (void)block;
    fwrite(to->text + thread * to->room, 1, to->length[thread], to->stream);
}

/* Writes the weights in blocks: a call of the stream per number would take longer than its digits.
 */
static void write_weights(FILE *stream, const struct hinge_model *model)
{
    enum {
        ROOM = 1 << 18,
        LONGEST = NUMBER_LENGTH + 2
    };                              /* LONGEST: a number, a blank, the end of a line */
    static const double MANY = 1e5; /* weights from which on threads are faster */
    const size_t lines = (size_t)model->features + (model->bias >= 0 && !model->one_class);
    struct weights_text to = {model, stream, lines * model->columns, 0, ROOM, NULL, {0}};
    unsigned threads = (double)to.weights > MANY && model->threads > 1 ? model->threads : 1;
    char little[1 << 12], *room = NULL; /* little: the model can be written when memory is short */
    struct hinge_error ignored;

    if (threads > HINGE_MOST_THREADS)
        threads = HINGE_MOST_THREADS;
    if (to.weights > sizeof little / LONGEST)
        room = array_new(threads, ROOM, &ignored);
    to.text = room ? room : little;
    if (!room) {
        threads = 1;
        to.room = sizeof little;
    }
    to.block = to.room / LONGEST;
    parallel_run(threads, (to.weights + to.block - 1) / to.block, print_block, write_block, &to);
    parallel_end();
    free(room);
}

/* Writes a line with several numbers. */
static void write_numbers(FILE *stream, const char *key, size_t count, const double *number)
{
    fprintf(stream, "# %s", key);
    for (size_t k = 0; k < count; k++) {
        putc(' ', stream);
        number_write(stream, number[k]);
    }
    putc('\n', stream);
}

/* Writes a line with a word or number for each binary problem, "unknown" for NaN. */
static void write_list(FILE *stream, const struct hinge_model *model, enum note_list list)
{
    fprintf(stream, "# %s", note_list_keys[list]);
    for (size_t c = 0; c < model->problems; c++) {
        const struct hinge_result *result = &model->result[c];
        const double number[] = {[NOTE_ITERATIONS] = (double)result->passes,
                                 [NOTE_PRIMAL] = result->primal,
                                 [NOTE_DUAL] = result->dual,
                                 [NOTE_GAP] = result->relative_gap};

        putc(' ', stream);
        if (list == NOTE_OUTCOME)
            fputs(hinge_outcome_name(result->outcome), stream);
        else if (list == NOTE_METHOD)
            fputs(result->method ? result->method : "none", stream);
        else if (isnan(number[list]))
            fputs("unknown", stream);
        else
            number_write(stream, number[list]);
    }
    putc('\n', stream);
}

static void write_record(FILE *stream, const struct hinge_model *model)
{
    const int dual = model->solver->kind == HINGE_DUAL;

    fprintf(stream, "# hinge %s\n# solver %s\n", HINGE_VERSION, model->solver->name);
    if (model->one_class) {
        write_numbers(stream, "nu", 1, &model->nu);
    } else {
        write_numbers(stream, "C", 1, &model->C);
        write_numbers(stream, "lambda", 1, &model->lambda);
    }
    if (model->free_bias && !model->solver->pairs && !model->one_class)
        fputs("# free_bias 1\n", stream);
    if (model->solver->l1 == 1)
        write_numbers(stream, "l1", 1, &model->l1);
    if (model->solver->regression)
        write_numbers(stream, "epsilon", 1, &model->epsilon);
    fprintf(stream, "# seed %llu\n", (unsigned long long)model->seed);
    fprintf(stream, "# rows %llu\n", (unsigned long long)model->rows);
    if (model->class_weight)
        write_numbers(stream, note_list_keys[NOTE_CLASS_WEIGHTS], model->classes,
                      model->class_weight);
    if (model->balanced)
        fputs("# balanced 1\n", stream);
    if (model->row_weighted)
        fputs("# row_weights 1\n", stream);
    write_list(stream, model, NOTE_OUTCOME);
    if (dual)
        write_list(stream, model, NOTE_METHOD);
    write_list(stream, model, NOTE_ITERATIONS);
    if (model->solver->kind == HINGE_STOCHASTIC)
        write_numbers(stream, "steps", 1, &model->steps);
    if (model->uncalibrated)
        fputs("# sigmoid interrupted\n", stream);
    write_list(stream, model, NOTE_PRIMAL);
    if (dual) {
        write_list(stream, model, NOTE_DUAL);
        write_list(stream, model, NOTE_GAP);
    }
}

enum hinge_status hinge_model_write(const struct hinge_model *model, const char *path,
                                    struct hinge_error *error)
{
    const int labelled = model->classes > 0 && !model->one_class;
    struct output output;
    FILE *stream;

    if (output_open(&output, path, error))
        return failure(error);
    stream = output.stream; /* its errors are sticky, and output_commit finds them */
    fprintf(stream, "solver_type %s\nnr_class %llu%s", model->solver_type,
            labelled ? (unsigned long long)model->classes : 2, labelled ? "\nlabel" : "");
    for (size_t c = 0; labelled && c < model->classes; c++) {
        putc(' ', stream);
        number_write(stream, model->label[c]);
    }
    fprintf(stream, "\nnr_feature %lu\nbias ", (unsigned long)model->features);
    number_write(stream, model->bias >= 0 && !model->one_class ? model->bias : -1);
    if (model->one_class) {
        fputs("\nrho ", stream);
        number_write(stream, 0 - model->weight[model->features]);
    }
    fputs("\nw\n", stream);
    write_weights(stream, model);
    if (model->zero_based)
        fputs("# zero_based 1\n", stream);
    if (model->sigmoid)
        write_numbers(stream, "sigmoid", 2 * model->columns, model->sigmoid);
    if (model->result && !model->is_bare)
        write_record(stream, model);
    for (size_t k = 0; k < model->notes && !model->is_bare; k++)
        fprintf(stream, "# %s%s%s\n", model->note[k].key, *model->note[k].value ? " " : "",
                model->note[k].value);
    fwrite(model->map.text ? model->map.text : "", 1, model->map.length, stream);
    return output_commit(&output, error);
}

enum hinge_status hinge_alpha_write(const struct hinge_model *model, const char *path,
                                    struct hinge_error *error)
{
    struct output output;

    if (!model->alpha)
        return fail(error, HINGE_BAD_ARGUMENT, "the model has no alpha: train it with keep_alpha");
    if (output_open(&output, path, error))
        return failure(error);
    for (size_t i = 0; i < model->rows; i++)
        for (size_t c = 0; c < model->columns; c++) {
            number_write(output.stream, model->alpha[i * model->columns + c]);
            putc(c + 1 < model->columns ? ' ' : '\n', output.stream);
        }
    return output_commit(&output, error);
}

enum hinge_status hinge_model_check_writable(const char *path, struct hinge_error *error)
{
    return output_check(path, error);
}
