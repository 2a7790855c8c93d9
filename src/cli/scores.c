/* scores.c - "Balanced accuracy = X%", ...; {"rows":N,"accuracy":X, ...} */
#include "cli/scores.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "data/number.h"

void scores_print(FILE *stream, const struct hinge_metrics *metrics)
{
    fprintf(stream, "Balanced accuracy = %g%%\n", 100 * metrics->balanced_accuracy);
    fprintf(stream, "Macro F1 = %g\n", metrics->f1);
    if (!isnan(metrics->auc))
        fprintf(stream, "AUC = %g\n", metrics->auc);
}

/* ---- Text -------------------------------------------------------------- */

static void print_classes(FILE *stream, const struct hinge_predictions *predictions,
                          const struct hinge_metrics *metrics)
{
    fprintf(stream, "\n%-12s %10s %10s %10s %10s %10s\n", "class", "rows", "predicted", "precision",
            "recall", "F1");
    for (size_t c = 0; c < metrics->classes; c++) {
        const struct hinge_class_metrics *one = &metrics->by_class[c];

        fprintf(stream, "%-12g %10llu %10llu %10.4f %10.4f %10.4f\n", predictions->label[c],
                (unsigned long long)one->given, (unsigned long long)one->predicted, one->precision,
                one->recall, one->f1);
    }
}

static void print_confusion(FILE *stream, const struct hinge_predictions *predictions,
                            const uint64_t *confusion)
{
    fputs("\nrows of a class (down), by the class predicted (across)\n            ", stream);
    for (size_t c = 0; c < predictions->classes; c++)
        fprintf(stream, " %8g", predictions->label[c]);
    putc('\n', stream);
    for (size_t given = 0; given < predictions->classes; given++) {
        fprintf(stream, "%-12g", predictions->label[given]);
        for (size_t c = 0; c < predictions->classes; c++)
            fprintf(stream, " %8llu",
                    (unsigned long long)confusion[given * predictions->classes + c]);
        putc('\n', stream);
    }
}

enum hinge_status scores_print_all(FILE *stream, const struct hinge_predictions *predictions,
                                   const struct hinge_metrics *metrics, struct hinge_error *error)
{
    uint64_t *confusion = hinge_confusion(predictions, error);

    if (!confusion)
        return failure(error);
    fprintf(stream, "Balanced accuracy = %g%%\n", 100 * metrics->balanced_accuracy);
    fprintf(stream, "Macro precision = %g\n", metrics->precision);
    fprintf(stream, "Macro recall = %g\n", metrics->recall);
    fprintf(stream, "Macro F1 = %g\n", metrics->f1);
    fprintf(stream, "Micro F1 = %g\n", metrics->accuracy);
    if (!isnan(metrics->auc))
        fprintf(stream, "AUC = %g\n", metrics->auc);
    print_classes(stream, predictions, metrics);
    print_confusion(stream, predictions, confusion);
    free(confusion);
    return HINGE_OK;
}

/* ---- JSON -------------------------------------------------------------- */

/* before, "name":value; null if it is not known. */
static void put_field(FILE *stream, char before, const char *name, double value)
{
    char text[NUMBER_LENGTH] = "null";

    if (!isnan(value))
        number_print(text, value);
    fprintf(stream, "%c\"%s\":%s", before, name, text);
}

static void put_count(FILE *stream, char before, const char *name, uint64_t count)
{
    fprintf(stream, "%c\"%s\":%llu", before, name, (unsigned long long)count);
}

static void put_means(FILE *stream, const char *name, double precision, double recall, double f1)
{
    fprintf(stream, ",\"%s\":", name);
    put_field(stream, '{', "precision", precision);
    put_field(stream, ',', "recall", recall);
    put_field(stream, ',', "f1", f1);
    putc('}', stream);
}

static void put_class(FILE *stream, double label, const struct hinge_class_metrics *metrics)
{
    put_field(stream, '{', "label", label);
    put_count(stream, ',', "rows", metrics->given);
    put_count(stream, ',', "predicted", metrics->predicted);
    put_count(stream, ',', "correct", metrics->correct);
    put_field(stream, ',', "precision", metrics->precision);
    put_field(stream, ',', "recall", metrics->recall);
    put_field(stream, ',', "f1", metrics->f1);
    putc('}', stream);
}

static void put_confusion(FILE *stream, const uint64_t *confusion, size_t classes)
{
    fputs("],\"confusion\":[", stream);
    for (size_t given = 0; given < classes; given++) {
        fputs(given ? ",[" : "[", stream);
        for (size_t c = 0; c < classes; c++)
            fprintf(stream, "%s%llu", c ? "," : "",
                    (unsigned long long)confusion[given * classes + c]);
        putc(']', stream);
    }
    fputs("]}\n", stream);
}

enum hinge_status scores_print_json(FILE *stream, double C,
                                    const struct hinge_predictions *predictions,
                                    const struct hinge_metrics *metrics, struct hinge_error *error)
{
    uint64_t *confusion = hinge_confusion(predictions, error);

    if (!confusion)
        return failure(error);
    if (C > 0)
        put_field(stream, '{', "C", C);
    put_count(stream, C > 0 ? ',' : '{', "rows", metrics->rows);
    put_count(stream, ',', "correct", metrics->correct);
    put_field(stream, ',', "accuracy", metrics->accuracy);
    put_field(stream, ',', "balanced_accuracy", metrics->balanced_accuracy);
    put_field(stream, ',', "auc", metrics->auc);
    put_means(stream, "macro", metrics->precision, metrics->recall, metrics->f1);
    put_means(stream, "micro", metrics->accuracy, metrics->accuracy, metrics->accuracy);
    fputs(",\"classes\":[", stream);
    for (size_t c = 0; c < metrics->classes; c++) {
        if (c)
            putc(',', stream);
        put_class(stream, predictions->label[c], &metrics->by_class[c]);
    }
    put_confusion(stream, confusion, metrics->classes);
    free(confusion);
    return HINGE_OK;
}
