/* held_out.h - train --predictions: what cross-validation predicts for each row. */
#ifndef HINGE_CLI_HELD_OUT_H
#define HINGE_CLI_HELD_OUT_H

#include <stdio.h>

#include "data/groups.h"

struct held_out {
    const struct hinge_dataset *data;
    const struct hinge_parameters *parameters;
    const struct hinge_validation *validation; /* complete, with its decision values */
    const struct groups *groups; /* each of them is a fold; NULL: folds have numbers */
};

/* Writes a line of CSV for each row that does not weigh 0. */
void held_out_write(const struct held_out *held_out, FILE *stream);

#endif
