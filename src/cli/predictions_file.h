/* predictions_file.h - train --predictions: what cross-validation predicts for each row. */
#ifndef HINGE_CLI_PREDICTIONS_FILE_H
#define HINGE_CLI_PREDICTIONS_FILE_H

#include <stdio.h>

#include "data/reader.h"

struct predictions_file {
    const struct hinge_dataset *data;
    const struct hinge_parameters *parameters;
    const struct hinge_validation *validation; /* complete, with its decision values */
    const struct groups *groups; /* each of them is a fold; NULL: folds have numbers */
};

/* Writes a line of CSV for each row that does not weigh 0. */
void predictions_file_write(const struct predictions_file *file, FILE *stream);

#endif
