/* advice.c - are max_i |x_ij| of two features j more than a factor 1000 apart? */
#include "cli/advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { SAMPLE = 1 << 14, ROWS = 64 }; /* non-zeros to look at, but at least so many rows */
static const double FAR_APART = 1e3;

/* Prints a word so that a shell takes it as one. */
static void print_quoted(const char *word, FILE *stream)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_./+,:@%=-";

    if (word[strspn(word, plain)] == '\0') {
        fputs(word, stream);
        return;
    }
    putc('\'', stream);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            putc(*word, stream);
    putc('\'', stream);
}

/* The program of that name beside this one: "./train" has "./predict" beside it, and "hinge-train"
 * "hinge-predict". */
static void print_sibling(const char *called, const char *name, FILE *stream)
{
    const size_t length = called ? strlen(called) : 0;
    char path[1024];

    if (length >= 5 && length < sizeof path - 8 && strcmp(called + length - 5, "train") == 0) {
        snprintf(path, sizeof path, "%.*s%s", (int)length - 5, called, name);
        name = path;
    }
    print_quoted(name, stream);
}

/* ---- Scaling ----------------------------------------------------------- */

/* What the sample of rows shows of a feature. */
struct feature_sample {
    double largest; /* magnitude */
    size_t seen;    /* rows with a value that is not 0 */
};

/* Over the rows 0, stride, 2 stride ... */
static void measure(const struct hinge_dataset *data, size_t stride, struct feature_sample *samples)
{
    for (size_t i = 0; i < data->x.rows; i += stride)
        for (size_t k = data->x.start[i]; k < data->x.start[i + 1]; k++) {
            struct feature_sample *sample = &samples[hinge_index(&data->x, k)];
            const double magnitude = fabs(hinge_value(&data->x, k));

            sample->seen += magnitude > 0;
            if (magnitude > sample->largest)
                sample->largest = magnitude;
        }
}

/* Finds the features whose largest magnitudes in these rows are the least and the greatest.
 * Features of few rows are left out: elsewhere they may have larger values. */
static void find_extremes(const struct hinge_dataset *data, size_t stride,
                          const struct feature_sample *samples, uint32_t *least, uint32_t *most)
{
    size_t sampled = 0, enough;

    for (size_t i = 0; i < data->x.rows; i += stride)
        sampled++;
    enough = sampled / 10 + 1;
    *least = *most = data->features;
    for (size_t i = 0; i < data->x.rows; i += stride)
        for (size_t k = data->x.start[i]; k < data->x.start[i + 1]; k++) {
            const uint32_t j = hinge_index(&data->x, k);

            if (samples[j].seen < enough)
                continue;
            if (*least == data->features || samples[j].largest < samples[*least].largest)
                *least = j;
            if (*most == data->features || samples[j].largest > samples[*most].largest)
                *most = j;
        }
}

void advise_scaling(const struct settings *settings, const struct hinge_dataset *data)
{
    const size_t by_values = data->x.nonzeros / SAMPLE + 1, by_rows = data->x.rows / ROWS + 1;
    const size_t stride = by_values < by_rows ? by_values : by_rows;
    const unsigned first = data->zero_based ? 0 : 1;
    struct hinge_error ignored; /* no memory, no advice */
    struct feature_sample *samples;
    uint32_t least, most;

    if (data->x.value_kind == HINGE_VALUE_ONE ||
        !(samples = array_new(data->features, sizeof *samples, &ignored)))
        return;
    measure(data, stride, samples);
    find_extremes(data, stride, samples, &least, &most);
    if (least < data->features && samples[most].largest / FAR_APART > samples[least].largest) {
        fprintf(stderr, "%s: advice: feature %lu reaches %.3g, feature %lu %.3g; ",
                settings->program, (unsigned long)most + first, samples[most].largest,
                (unsigned long)least + first, samples[least].largest);
        fputs("scaled data train faster and often better: ", stderr);
        print_sibling(settings->called, "scale", stderr);
        fputs(" -s RANGES DATA SCALED\n", stderr);
    }
    free(samples);
}

/* ---- What to type next ------------------------------------------------- */

void advise_predicting(const struct settings *settings)
{
    fputs("next: ", stdout);
    print_sibling(settings->called, "predict", stdout);
    fputs(" ROWS ", stdout);
    print_quoted(settings->model, stdout);
    puts(" LABELS");
}
