/* predictions_file.c - row,fold,label,predicted,decision,probability */
#include "cli/predictions_file.h"

#include <math.h>

#include "cli/report.h"
#include "cli/text.h"
#include "learn/costs.h"
#include "learn/ranking.h"

/* Prints ",PREFIX_LABEL" for each class; of two classes ",PREFIX" for the positive one. */
static void print_columns(const struct hinge_predictions *predictions, size_t columns,
                          const char *prefix, FILE *stream)
{
    for (size_t c = 0; c < columns; c++)
        if (columns > 1)
            fprintf(stream, ",%s_%.17g", prefix, predictions->label[c]);
        else
            fprintf(stream, ",%s", prefix);
}

/* Decision values and probabilities of the row at position i: columns of each. */
static void print_values(const struct hinge_validation *validation, size_t i, size_t columns,
                         FILE *stream)
{
    const struct hinge_predictions *predictions = validation->predictions;
    const double *decision = validation->decision + i * validation->columns;
    const double *probability = validation->probability;
    /* of two classes the positive one alone */
    const size_t first =
        columns == 1 ? positive_class(predictions->label, 2, predictions->positive) : 0;

    for (size_t c = 0; c < columns; c++)
        report_field(stream, ',', first == 1 ? 0 - decision[0] : decision[c]);
    for (size_t c = first; c < first + columns; c++)
        report_field(stream, ',', probability ? probability[i * predictions->known + c] : NAN);
}

void predictions_file_write(const struct predictions_file *file, FILE *stream)
{
    const struct hinge_validation *validation = file->validation;
    const struct hinge_predictions *predictions = validation->predictions;
    const size_t columns = predictions->known == 2 ? 1 : predictions->known;
    size_t i = 0;

    fputs("row,fold,label,predicted", stream);
    print_columns(predictions, columns, "decision", stream);
    print_columns(predictions, columns, "probability", stream);
    putc('\n', stream);
    for (size_t row = 0; row < file->data->x.rows; row++) {
        if (costs_of_row(file->parameters, row) == 0)
            continue;
        fprintf(stream, "%lu,", (unsigned long)row + 1);
        if (file->groups)
            text_print_field(
                stream, dictionary_text(&file->groups->names, file->groups->of_row[row]), ",\"");
        else
            fprintf(stream, "%lu", (unsigned long)validation->fold[i] + 1);
        report_field(stream, ',', file->data->label[row]);
        report_field(stream, ',',
                     predictions->known > 0 ? predictions->label[predictions->predicted[i]]
                                            : predictions->decision[i]);
        if (columns > 0)
            print_values(validation, i, columns, stream);
        putc('\n', stream);
        i++;
    }
}
