/* advice.c - data, labels or predictions with a usual fault -> one line that says what to do.
 *
 * Each line names options that were measured to help. A comment beside the line has the figures. */
#include "cli/advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/report.h"
#include "cli/text.h"
#include "cli/train_options.h"
#include "data/guess.h"
#include "data/matrix.h"
#include "model/model.h"

enum { SAMPLE = 1 << 14, ROWS = 64 }; /* least non-zeros and least rows of a sample, roughly */

/* Prints the name of a file, quoted for a shell if necessary. A name that begins with "-" gets "./"
 * before it, because programs would take it for an option. */
static void print_quoted(const char *word, FILE *stream)
{
    struct hinge_error ignored; /* if memory is short, no name is printed */
    char *quoted = NULL;

    if (*word == '-')
        fputs("./", stream);
    if (text_append_word(&quoted, word, &ignored) == HINGE_OK)
        fputs(quoted, stream);
    free(quoted);
}

void print_sibling(const char *called, const char *name, FILE *stream)
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
    double least;   /* least value that is not 0 */
    double largest; /* largest value that is not 0 */
    size_t seen;    /* rows with a value that is not 0 */
};

/* The rows 0, stride, 2 stride ... of the data. */
struct sample {
    const struct hinge_dataset *data;
    size_t stride;
    size_t rows;
    size_t nonzeros;
    struct feature_stat *stats; /* [features] */
    uint32_t least;             /* the feature with the smallest magnitude */
    uint32_t most;              /* the feature with the largest magnitude */
    uint32_t far;               /* the feature farthest from 0 */
};

/* Returns the largest magnitude of a feature's values. */
static double magnitude(const struct feature_stat *stat)
{
    return fmax(fabs(stat->least), fabs(stat->largest));
}

/* Returns the distance of a feature from 0 relative to its magnitude. It is 0 if some row lacks the
 * feature, or if the feature is constant, which makes it a bias. */
static double remoteness(const struct sample *sample, uint32_t j)
{
    const struct feature_stat *stat = &sample->stats[j];

    if (stat->seen < sample->rows || stat->least == stat->largest ||
        (stat->least < 0) != (stat->largest < 0))
        return 0;
    return fmin(fabs(stat->least), fabs(stat->largest)) / magnitude(stat);
}

/* Measures the features, and sets least, most and far, or the number of features for each that does
 * not exist. The search leaves out a feature that fewer than a tenth of the sampled rows have,
 * because the sample may lack its largest value. */
static void measure(struct sample *sample)
{
    const struct hinge_matrix *x = &sample->data->x;
    struct feature_stat *stats = sample->stats;
    const uint32_t none = sample->data->features;

    for (size_t i = 0; i < x->rows; i += sample->stride, sample->rows++)
        for (size_t k = x->start[i]; k < x->start[i + 1]; k++) {
            struct feature_stat *stat = &stats[hinge_index(x, k)];
            const double value = hinge_value(x, k);

            if (value == 0)
                continue;
            sample->nonzeros++;
            if (stat->seen++ == 0)
                stat->least = stat->largest = value;
            stat->least = fmin(stat->least, value);
            stat->largest = fmax(stat->largest, value);
        }
    sample->least = sample->most = sample->far = none;
    for (size_t i = 0; i < x->rows; i += sample->stride)
        for (size_t k = x->start[i]; k < x->start[i + 1]; k++) {
            const uint32_t j = hinge_index(x, k);

            if (stats[j].seen < sample->rows / 10 + 1)
                continue;
            if (sample->least == none || magnitude(&stats[j]) < magnitude(&stats[sample->least]))
                sample->least = j;
            if (sample->most == none || magnitude(&stats[j]) > magnitude(&stats[sample->most]))
                sample->most = j;
            if (sample->far == none || remoteness(sample, j) > remoteness(sample, sample->far))
                sample->far = j;
        }
}

/* Dividing by the largest magnitude leaves a feature far from 0, such as a year, nearly constant,
 * and loses accuracy. Mapping the feature to -1 .. 1 gains. Cross-validated accuracy with -B 1 on
 * the data as they are, divided, mapped: years 96.5, 93.8, 98.8 %; weather in kelvin and pascal 73,
 * 72, 94 %; ages and incomes 95.5, 94.8, 96.2 %. If most values are 0, -l 0 keeps the zeros: years
 * and 40 categories 75.7, 71.2, 95 %. */
void advise_scaling(const char *called, const struct hinge_dataset *data, const char *map,
                    int is_scaling, int wants_bias)
{
    static const double FAR_APART = 1e3, FAR = 0.7, FAR_IF_APART = 0.1;
    enum { LEAST_ROWS = 20 };
    const size_t by_values = data->x.nonzeros / SAMPLE + 1, by_rows = data->x.rows / ROWS + 1;
    const unsigned first = data->zero_based ? 0 : 1;
    struct sample sample = {.data = data, .stride = by_values < by_rows ? by_values : by_rows};
    struct hinge_error ignored; /* if memory is short, there is no advice */
    const struct feature_stat *least, *most, *far;
    int is_apart, is_far;

    if (data->x.value_kind == HINGE_VALUE_ONE ||
        !(sample.stats = array_new(data->features, sizeof *sample.stats, &ignored)))
        return;
    measure(&sample);
    least = &sample.stats[sample.least];
    most = &sample.stats[sample.most];
    far = &sample.stats[sample.far];
    is_apart = sample.least < data->features && magnitude(most) / FAR_APART > magnitude(least);
    is_far = sample.far < data->features && sample.rows >= LEAST_ROWS &&
             remoteness(&sample, sample.far) > (is_apart && !is_scaling ? FAR_IF_APART : FAR);
    if (is_far || (is_apart && !is_scaling)) {
        fprintf(stderr, "%s: advice: feature %lu ", program_name(called),
                (unsigned long)(is_far ? sample.far : sample.most) + first);
        if (is_far)
            fprintf(stderr, "is between %.6g and %.6g, far from 0; ", far->least, far->largest);
        else
            fprintf(stderr, "reaches %.3g, feature %lu %.3g; ", magnitude(most),
                    (unsigned long)sample.least + first, magnitude(least));
        fputs("scaled data train faster and often better: ", stderr);
        print_sibling(called, "scale", stderr);
        fprintf(stderr, "%s %s ",
                !is_far                                                            ? ""
                : sample.nonzeros / sample.rows < (data->features + (size_t)1) / 2 ? " -l 0"
                                                                                   : " -l -1",
                map ? "--map" : "-s");
        print_quoted(map ? map : "RANGES", stderr);
        fprintf(stderr, " DATA SCALED%s\n", is_far && wants_bias ? ", and train with -B 1" : "");
    }
    free(sample.stats);
}

/* The training on 200 rows with indices up to 2e8 took 26 s and 4.7 GB, and the model 600 MB. With
 * new numbers, they took 0.01 s, 2 MB and 600 bytes. */
void advise_renumbering(const char *called, const struct hinge_dataset *data)
{
    /* scale takes 24 bytes for each index, so 12 GB at most */
    static const uint32_t LARGE = 1000000, MOST = UINT32_C(1) << 29;
    const uint64_t occurring = data->x.nonzeros - data->zeros;

    if (data->features < LARGE || data->features > MOST || occurring > data->features / 10)
        return;
    fprintf(stderr,
            "%s: advice: indices reach %lu, and at most %llu features occur; memory and model grow "
            "with the index: ",
            program_name(called), (unsigned long)data->features, (unsigned long long)occurring);
    print_sibling(called, "scale", stderr);
    fputs(" --renumber -s RANGES DATA NUMBERED, and for rows to predict --renumber -r RANGES\n",
          stderr);
}

/* ---- Labels ------------------------------------------------------------ */

int are_numbers(size_t labels, uint64_t fractions, uint64_t rows)
{
    return labels > FEW_CLASSES &&
           (labels > MANY_CLASSES || labels > rows / 5 || fractions > rows / 2);
}

/* Errors in a rare class cost a classifier little, so it may never predict the class. A class with
 * 5 % of 400 rows had recall 0 and F1 0; with --balanced 0.76 and 0.30, with max-f1 0.62 and 0.54.
 * On 300 rows with positive features, all of one label, -B 1 raised the accuracy from 46 to 90 %.
 */
void advise_classes(const char *program, const struct names *names, const double *label,
                    const struct hinge_class_metrics *by_class, size_t classes, int is_balanced)
{
    enum { LEAST_ROWS = 10, LEAST_OF_CLASS = 3 };
    uint64_t rows = 0;
    size_t predicted = 0, given = 0, only = 0, missed = classes;
    char name[NAMES_LABEL], *argument = NULL;
    struct hinge_error ignored;

    for (size_t c = 0; c < classes; c++) {
        rows += by_class[c].given;
        given += by_class[c].given > 0;
        predicted += by_class[c].predicted > 0;
        if (by_class[c].predicted > 0)
            only = c;
        if (by_class[c].given >= LEAST_OF_CLASS && by_class[c].correct == 0 &&
            (missed == classes || by_class[c].given < by_class[missed].given))
            missed = c;
    }
    if (rows < LEAST_ROWS || given < 2 || missed == classes)
        return;
    if (by_class[missed].given <= rows / 2 / given && !is_balanced &&
        (predicted > 1 || given == 2)) {
        const int can_cut =
            classes == 2 && !names_append_label(&argument, names, label[missed], &ignored);

        names_print_label(names, label[missed], name);
        report_say(program,
                   "advice: no row of class %s is recognised (%llu of %llu rows): "
                   "train --balanced%s%s%s",
                   name, (unsigned long long)by_class[missed].given, (unsigned long long)rows,
                   can_cut ? ", or predict --positive " : "", can_cut ? argument : "",
                   can_cut ? " --threshold max-f1" : "");
        free(argument);
    } else if (predicted == 1) {
        names_print_label(names, label[only], name);
        report_say(program,
                   "advice: all rows got the label %s: train with -B 1, and scale training and "
                   "new data alike (scale -s, then scale -r)",
                   name);
    }
}

/* ---- What to type next ------------------------------------------------- */

/* Prints the name of an option and of the file DATA SUFFIX. */
static void print_beside(const char *option, const char *data, const char *suffix)
{
    printf("%s ", option);
    print_quoted(data, stdout);
    printf("%s ", suffix);
}

void advise_training(const char *called, const char *data, const char *map, int has_weights,
                     uint32_t groups, int is_regression)
{
    enum { MOST_FOLDS = 5 };

    fputs("next: ", stdout);
    print_sibling(called, "train", stdout);
    fputs(is_regression ? " -s 11 " : " ", stdout);
    if (map) {
        fputs("--map ", stdout);
        print_quoted(map, stdout);
        putchar(' ');
    }
    if (has_weights)
        print_beside("-W", data, ".weights");
    if (groups > 1) {
        printf("-C --refit -v %lu ", (unsigned long)(groups < MOST_FOLDS ? groups : MOST_FOLDS));
        print_beside("--folds", data, ".groups");
    }
    print_quoted(data, stdout);
    putchar('\n');
}

/* True if the error is at a place in the file at path, which may be NULL. */
static int is_of(const struct hinge_error *error, const char *path)
{
    struct hinge_error place; /* the name of the file as messages have it */

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
    fputs(is_new
              ? " DATA\n     MAP is the map that convert -s saved with the training rows. For rows "
                "without labels add --no-labels.\n"
              : " DATA\n     The label is a column called label, class or target, else the last "
                "one. --label COLUMN names it.\n",
          stderr);
}

void advise_predicting(const struct settings *settings, const struct hinge_model *model)
{
    fputs("next: ", stdout);
    print_sibling(settings->called, "predict", stdout);
    fputs(settings->names.map.classes.count > 0 && model->classes > 0 ? " --words" : "", stdout);
    fputs(settings->parameters.probability && !model->uncalibrated ? " -b 1 ROWS " : " ROWS ",
          stdout);
    print_quoted(settings->model, stdout);
    puts(" LABELS");
}
