/* advice.c - are max_i |x_ij| of two features j more than a factor 1000 apart? Are most labels
 * different? */
#include "cli/advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/text.h"
#include "cli/train_options.h"
#include "data/guess.h"
#include "data/matrix.h"
#include "learn/classes.h"
#include "model/model.h"

enum { SAMPLE = 1 << 14, ROWS = 64 }; /* non-zeros in the sample; its smallest number of rows */
static const double FAR_APART = 1e3;

/* Prints the name of a file, quoted for a shell if necessary, and not like an option. */
static void print_quoted(const char *word, FILE *stream)
{
    struct hinge_error ignored; /* no memory, no name */
    char *quoted = NULL;

    if (*word == '-')
        fputs("./", stream);
    if (text_append_word(&quoted, word, &ignored) == HINGE_OK)
        fputs(quoted, stream);
    free(quoted);
}

/* Prints the name of another program in the same folder: "./predict" for "./train",
 * "hinge-predict" for "hinge-train". */
static void print_sibling(const char *called, const char *name, FILE *stream)
{
    static const char *const programs[] = {"train", "train-mpi", "predict", "scale", "convert"};
    const size_t length = called ? strlen(called) : 0;
    char path[1024];

    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
        const size_t own = strlen(programs[k]);

        if (length >= own && length < sizeof path - 8 &&
            strcmp(called + length - own, programs[k]) == 0) {
            snprintf(path, sizeof path, "%.*s%s", (int)(length - own), called, name);
            name = path;
            break;
        }
    }
    print_quoted(name, stream);
}

/* ---- Scaling ----------------------------------------------------------- */

/* A feature in the sample. */
struct feature_stat {
    double largest; /* magnitude */
    size_t seen;    /* rows with a value that is not 0 */
};

/* Measures the features on the rows 0, stride, 2 stride ... */
static void measure(const struct hinge_dataset *data, size_t stride, struct feature_stat *stats)
{
    for (size_t i = 0; i < data->x.rows; i += stride)
        for (size_t k = data->x.start[i]; k < data->x.start[i + 1]; k++) {
            struct feature_stat *stat = &stats[hinge_index(&data->x, k)];
            const double magnitude = fabs(hinge_value(&data->x, k));

            stat->seen += magnitude > 0;
            if (magnitude > stat->largest)
                stat->largest = magnitude;
        }
}

/* Finds the features with the smallest and the largest magnitude. A feature that fewer than a tenth
 * of the sampled rows have is left out: its largest value may be missing from the sample. */
static void find_extremes(const struct hinge_dataset *data, size_t stride,
                          const struct feature_stat *stats, uint32_t *least, uint32_t *most)
{
    size_t sampled = 0, enough;

    for (size_t i = 0; i < data->x.rows; i += stride)
        sampled++;
    enough = sampled / 10 + 1;
    *least = *most = data->features;
    for (size_t i = 0; i < data->x.rows; i += stride)
        for (size_t k = data->x.start[i]; k < data->x.start[i + 1]; k++) {
            const uint32_t j = hinge_index(&data->x, k);

            if (stats[j].seen < enough)
                continue;
            if (*least == data->features || stats[j].largest < stats[*least].largest)
                *least = j;
            if (*most == data->features || stats[j].largest > stats[*most].largest)
                *most = j;
        }
}

void advise_scaling(const struct settings *settings, const struct hinge_dataset *data)
{
    const size_t by_values = data->x.nonzeros / SAMPLE + 1, by_rows = data->x.rows / ROWS + 1;
    const size_t stride = by_values < by_rows ? by_values : by_rows;
    const unsigned first = data->zero_based ? 0 : 1;
    struct hinge_error ignored; /* no memory, no advice */
    struct feature_stat *stats;
    uint32_t least, most;

    if (data->x.value_kind == HINGE_VALUE_ONE ||
        !(stats = array_new(data->features, sizeof *stats, &ignored)))
        return;
    measure(data, stride, stats);
    find_extremes(data, stride, stats, &least, &most);
    if (least < data->features && stats[most].largest / FAR_APART > stats[least].largest) {
        fprintf(stderr, "%s: advice: feature %lu reaches %.3g, feature %lu %.3g; ",
                settings->program, (unsigned long)most + first, stats[most].largest,
                (unsigned long)least + first, stats[least].largest);
        fputs("scaled data train faster and often better: ", stderr);
        print_sibling(settings->called, "scale", stderr);
        fputs(" -s RANGES DATA SCALED\n", stderr);
    }
    free(stats);
}

/* ---- Labels ------------------------------------------------------------ */

/* Adds the labels of the rows 0, stride, 2 stride, ... while there are fewer than `most`. Returns
 * how many of these labels are not whole numbers. */
static size_t add_labels(const struct hinge_dataset *data, size_t stride, size_t most,
                         struct labels *labels)
{
    struct hinge_error ignored; /* no memory, no advice */
    size_t fractions = 0;
    uint32_t number;

    for (size_t i = 0; i < data->x.rows && labels->count < most; i += stride) {
        fractions += data->label[i] != floor(data->label[i]);
        if (labels_number(labels, data->label[i], &number, &ignored))
            break;
    }
    return fractions;
}

static void advise_regression(const struct settings *settings, const struct hinge_dataset *data,
                              struct labels *labels)
{
    add_labels(data, 1, 3, labels);
    if (labels->count == 2)
        fprintf(stderr, "%s: warning: all labels are %.17g or %.17g: for two classes take -s 1\n",
                settings->program, labels->label[0], labels->label[1]);
}

/* Warns if labels look like numbers to predict. Whole numbers that many rows share are classes, and
 * so are at most ten labels of any kind. For most data, a sample has enough labels to tell. */
static void advise_classifier(const struct settings *settings, const struct hinge_dataset *data,
                              struct labels *labels)
{
    enum { FEW = 10, SAMPLED = 1000 };
    const size_t rows = data->x.rows;
    size_t fractions;

    add_labels(data, rows / SAMPLED + 1, FEW + 1, labels);
    if (labels->count <= FEW)
        return;
    fractions = add_labels(data, 1, SIZE_MAX, labels);
    if (labels->count > rows / 2 || fractions > rows / 2)
        fprintf(stderr,
                "%s: warning: %lu labels for %lu rows look like numbers to predict, and each is "
                "taken for a class: for a regression take -s 11\n",
                settings->program, (unsigned long)labels->count, (unsigned long)rows);
}

void advise_labels(const struct settings *settings, const struct hinge_dataset *data)
{
    const struct hinge_solver *solver = hinge_solver_find(settings->parameters.solver);
    struct labels labels = {0};

    if (solver->regression)
        advise_regression(settings, data, &labels);
    else if (!solver->one_class)
        advise_classifier(settings, data, &labels);
    labels_free(&labels);
}

/* ---- What to type next ------------------------------------------------- */

void advise_training(const char *called, const char *data)
{
    fputs("next: ", stdout);
    print_sibling(called, "train", stdout);
    putchar(' ');
    print_quoted(data, stdout);
    putchar('\n');
}

/* True if the error is at a place in the file of that path. path may be NULL. */
static int is_of(const struct hinge_error *error, const char *path)
{
    struct hinge_error place; /* as messages have it */

    if (!path)
        return 0;
    error_fill(&place, HINGE_BAD_INPUT, "%s:", path);
    return strncmp(error->message, place.message, strlen(place.message)) == 0;
}

void advise_converting(const char *called, const char *data, const char *new_rows,
                       const struct hinge_error *error)
{
    const int is_new = !data || (!is_of(error, data) && is_of(error, new_rows));

    if (error->status != HINGE_BAD_INPUT || !strstr(error->message, GUESS_CONVERT))
        return;
    fputs("Try: ", stderr);
    print_sibling(called, "convert", stderr);
    fputs(is_new ? " -r MAP " : " -s MAP ", stderr);
    if (is_of(error, is_new ? new_rows : data))
        print_quoted(is_new ? new_rows : data, stderr);
    else /* standard input */
        fputs("TABLE", stderr);
    fputs(is_new ? " DATA\n     MAP is what convert -s made of the rows of training; rows without "
                   "labels: --no-labels.\n"
                 : " DATA\n     The label is the last column; of another one --label COLUMN.\n",
          stderr);
}

void advise_predicting(const struct settings *settings, const struct hinge_model *model)
{
    fputs("next: ", stdout);
    print_sibling(settings->called, "predict", stdout);
    fputs(settings->parameters.probability && !model->uncalibrated ? " -b 1 ROWS " : " ROWS ",
          stdout);
    print_quoted(settings->model, stdout);
    puts(" LABELS");
}
